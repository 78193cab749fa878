"""A file of the site's own format becomes a stored list: the same document, on the same data where it is here."""

from typing import Any

import msgspec

from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import limits, services
from armybuilder.armylists.documents import ListDocument
from armybuilder.armylists.errors import EditRefused, TooLarge
from armybuilder.armylists.facts import read_facts
from armybuilder.armylists.list_file import FORMAT, FileGame, FileRelease, release_with
from armybuilder.armylists.list_types import document_of, list_type_of_document, list_type_of_system
from armybuilder.armylists.models import ArmyList
from armybuilder.armylists.validation import shaped
from armybuilder.datafiles.models import PublishedSystem
from armybuilder.engine.errors import BadDocument
from armybuilder.engine.findings import Text


class _Incoming(msgspec.Struct, frozen=True, kw_only=True):
    """A `ListFile` as far as it is read; its document is parsed by the type of list."""

    format: str
    version: int
    name: str = ""
    game: FileGame
    release: FileRelease | None = None
    points_limit: int | None = None
    document: dict[str, Any]


def import_list_file(viewer: Viewer, data: bytes, *, file_name: str, name: str = "") -> ArmyList:
    """Make a list of the viewer's of a file in the site's own format.

    It is pinned to the same game data where that is here, so that the verdict stays, and else to what is published.

    Args:
        name: of the list; by default the file's.

    Raises:
        BadDocument: no JSON, or no such file; with the pointer to what is wrong.
        EditRefused: its game is not published here, or it was written by a newer version of the site.
        TooLarge: larger than a list may be, or the viewer has as many lists as one may have.
    """
    if len(data) > limits.ROSTER_FILE_BYTES:
        raise TooLarge(
            Text(
                en=f"The file has {len(data)} bytes; {limits.ROSTER_FILE_BYTES} are allowed.",
                ru=f"В файле {len(data)} байт; допускается {limits.ROSTER_FILE_BYTES}.",
            )
        )
    incoming = shaped(_parsed(data, file_name), _Incoming)
    if incoming.format != FORMAT or incoming.version != 1:
        raise EditRefused(
            Text(
                en=f"{file_name}: this site reads list files of format {FORMAT}, version 1, "
                f"not {incoming.format[:60]}, version {incoming.version}.",
                ru=f"{file_name}: сайт читает файлы списков формата {FORMAT} версии 1, "
                f"а не {incoming.format[:60]} версии {incoming.version}.",
            ),
            "/format",
        )
    system = _system(incoming.game, file_name)
    assert system.current_release_id is not None
    document = _document(incoming.document, system)
    limit = incoming.points_limit
    if limit is not None and abs(limit) > limits.POINTS:
        raise BadDocument(
            f"A points limit lies between {-limits.POINTS} and {limits.POINTS}.",
            "/points_limit",
            russian=f"Лимит очков лежит между {-limits.POINTS} и {limits.POINTS}.",
        )
    title = (name or incoming.name).strip()[: limits.NAME_LENGTH] or "List"
    same_data = incoming.release and release_with(incoming.release.content_hash, system.pk)
    return services.store_restored(
        viewer,
        document=list_type_of_document(document).renamed(document, title),
        system=system,
        release_id=same_data or system.current_release_id,
        points_limit=limit,
        folder="",
        tags=(),
        summary=Text(en=f"Imported from {file_name}"[:400], ru=f"Импорт из {file_name}"[:400]),
    )


def _parsed(data: bytes, file_name: str) -> object:
    try:
        return msgspec.json.decode(data)
    except RecursionError as broken:
        raise BadDocument(
            f"{file_name} is nested too deeply to be a list.",
            russian=f"{file_name}: вложенность слишком велика для ростера.",
        ) from broken
    except (msgspec.DecodeError, UnicodeDecodeError) as broken:
        raise BadDocument(
            f"{file_name} is no JSON that can be read: {str(broken)[:100]}.",
            russian=f"{file_name}: это не JSON, или он повреждён.",
        ) from broken


def _system(game: FileGame, file_name: str) -> PublishedSystem:
    published = PublishedSystem.objects.filter(current_release__isnull=False)
    found = published.filter(pk=game.id).first()
    if found is None and game.battlescribe_id:
        found = published.filter(battlescribe_id=game.battlescribe_id).first()
    if found is None:
        named = game.name[:60] or game.id[:60]
        raise EditRefused(
            Text(
                en=f"{file_name}: this site has no data of the game {named}.",
                ru=f"{file_name}: на сайте нет данных игры «{named}».",
            ),
            "/game",
        )
    return found


def _document(raw: dict[str, Any], system: PublishedSystem) -> Any:
    try:
        document = document_of(raw)
    except BadDocument as refusal:
        refusal.at = f"/document{refusal.at or ''}"
        raise
    if list_type_of_document(document) is not list_type_of_system(system):
        raise BadDocument(
            f"This document is no list of {system.name}.", "/document", russian=f"Это не ростер игры «{system.name}»."
        )
    if isinstance(document, ListDocument):
        read_facts(system.rule_pack, document.facts, at="/document/facts")
    return document
