"""One list, or all of a player's lists, as one JSON file; and such a file as lists again."""

from collections.abc import Iterable
from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

import msgspec
from django.db import transaction
from django.utils import timezone
from msgspec import Meta

from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import games, queries, services, sizes
from armybuilder.armylists.documents import ListDocument, read_document
from armybuilder.armylists.errors import TooLarge
from armybuilder.armylists.models import ArmyList, DocumentKind
from armybuilder.armylists.shapes import shaped
from armybuilder.datafiles.models import DataRelease, PublishedSystem
from armybuilder.engine.errors import BadDocument, GameError
from armybuilder.engine.findings import Text


class KeptList(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One list in a file.

    Attributes:
        id: of the list it was saved from; an equal list of the same id is not made twice.
        system: our id of the game, e.g. horus-heresy.
        data: content hash of the data release it was built with.
    """

    id: UUID
    system: Annotated[str, Meta(max_length=60)]
    data: Annotated[str, Meta(max_length=64)]
    name: Annotated[str, Meta(min_length=1, max_length=sizes.NAME_LENGTH)]
    document: ListDocument
    points_limit: Annotated[int, Meta(ge=-sizes.POINTS, le=sizes.POINTS)] | None = None
    folder: Annotated[str, Meta(max_length=sizes.FOLDER_LENGTH)] = ""
    tags: Annotated[tuple[Annotated[str, Meta(max_length=sizes.TAG_LENGTH)], ...], Meta(max_length=sizes.TAGS)] = ()
    updated: datetime | None = None


class ListFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A whole file."""

    format: Literal["army-builder-lists"]
    version: Literal[1] = 1
    saved: datetime | None = None
    lists: tuple[KeptList, ...]


class Restored(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a file.

    Attributes:
        lists: the new lists, in the order of the file.
        already_there: names of lists the viewer has unchanged, which were not made again.
        refused: JSON pointer and reason of each list that could not be read.
    """

    lists: tuple[Any, ...]
    already_there: tuple[str, ...]
    refused: tuple[tuple[str, Text], ...]


def export_army_list(viewer: Viewer, list_id: UUID) -> bytes:
    """One list the viewer may read, as a file. Raises NotFound."""
    return _file([queries.visible_army_list(list_id, viewer)])


def export_all(viewer: Viewer) -> bytes:
    """All lists of the viewer as one file; what is in the bin stays out of it."""
    return _file(queries.army_lists_of(viewer).select_related("release").defer(None))


def import_lists(viewer: Viewer, data: bytes) -> Restored:
    """Make lists of a file; nobody's list is overwritten.

    A list that the viewer has already, with the same id and content, is not made again. A list whose data release is
    not published here is put on the current one of its game, and checked against that.

    Raises:
        BadDocument: not such a file; the pointer names the member.
        TooLarge: larger than a backup may be, or more lists than the viewer may have.
    """
    if len(data) > sizes.BACKUP_BYTES:
        raise TooLarge(
            Text(
                en=f"The file has {len(data)} bytes; {sizes.BACKUP_BYTES} are allowed.",
                ru=f"В файле {len(data)} байт; допускается {sizes.BACKUP_BYTES}.",
            )
        )
    try:
        file = shaped(_parsed(data), ListFile)
        return _made(viewer, file)
    except RecursionError as error:
        raise BadDocument("The file is nested too deep.") from error


def _made(viewer: Viewer, file: ListFile) -> Restored:
    made: list[ArmyList] = []
    there: list[str] = []
    refused: list[tuple[str, Text]] = []
    mine = {row.pk: row for row in queries.army_lists_of(viewer).filter(pk__in=[kept.id for kept in file.lists])}
    with transaction.atomic():
        for index, kept in enumerate(file.lists):
            own = mine.get(kept.id)
            if own is not None and own.name == kept.name and read_document(own.document) == kept.document:
                there.append(kept.name)
                continue
            try:
                made.append(_restored(viewer, kept))
            except TooLarge:
                raise
            except GameError as refusal:
                text = getattr(refusal, "text", Text(en=str(refusal), ru=str(refusal)))
                refused.append((f"/lists/{index}{getattr(refusal, 'at', None) or ''}", text))
    return Restored(lists=tuple(made), already_there=tuple(there), refused=tuple(refused))


def _restored(viewer: Viewer, kept: KeptList) -> ArmyList:
    system = PublishedSystem.objects.filter(pk=kept.system, current_release__isnull=False).first()
    if system is None:
        raise BadDocument(f"This site has no game system '{kept.system}'.", "/system")
    games.read_facts(system.rule_pack, kept.document.facts, at="/document/facts")
    release = DataRelease.objects.filter(system=system, content_hash=kept.data).first()
    release_id = release.pk if release is not None else system.current_release_id
    assert release_id is not None
    document = msgspec.structs.replace(
        kept.document, roster=msgspec.structs.replace(kept.document.roster, name=kept.name)
    )
    return services.store_restored(
        viewer,
        document=document,
        system=system,
        release_id=release_id,
        points_limit=kept.points_limit,
        folder=kept.folder,
        tags=kept.tags,
    )


def _file(lists: Iterable[ArmyList]) -> bytes:
    kept = tuple(
        KeptList(
            id=army_list.pk,
            system=army_list.system_id,
            data=army_list.release.content_hash,
            name=army_list.name,
            document=read_document(army_list.document),
            points_limit=army_list.points_limit,
            folder=army_list.folder,
            tags=tuple(army_list.tags),
            updated=army_list.updated,
        )
        for army_list in lists
        if army_list.document_kind == DocumentKind.ROSTER
    )
    file = ListFile(format="army-builder-lists", saved=timezone.now(), lists=kept)
    return msgspec.json.format(msgspec.json.encode(file), indent=1)


def _parsed(data: bytes) -> object:
    """The file as parsed JSON, without the limit that single documents have."""
    try:
        return msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadDocument(f"The file is not JSON: {error}.") from error
