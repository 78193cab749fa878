"""All lists of a player in one file: a zip of list files with the shelf they stand on, out and in again."""

import io
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass

import msgspec

from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import limits, queries, services
from armybuilder.armylists.errors import EditRefused, TooLarge
from armybuilder.armylists.exports.files import safe_name
from armybuilder.armylists.exports.list_file import JSON
from armybuilder.armylists.imports.list_file import import_list_file
from armybuilder.armylists.models import Tint
from armybuilder.engine.battlescribe_files.zipped import DAMAGED, UnreadableFile
from armybuilder.engine.errors import GameError
from armybuilder.engine.findings import Text

SHELF = "shelf.json"
MEDIA_TYPE = "application/zip"


class ShelfEntry(msgspec.Struct, frozen=True, kw_only=True):
    """Where a list stands; `file` is its name in the zip."""

    file: str
    folder: str = ""
    tags: tuple[str, ...] = ()
    tint: str = ""


class Shelf(msgspec.Struct, frozen=True, kw_only=True):
    """What `shelf.json` holds."""

    format: str = "army-builder-shelf"
    version: int = 1
    lists: tuple[ShelfEntry, ...] = ()


@dataclass(frozen=True, slots=True)
class Restored:
    """What came back: how many lists, and the files that did not, each with the reason."""

    lists: int
    refused: tuple[tuple[str, Text], ...]


def backup_of(viewer: Viewer) -> bytes:
    """Every list of the viewer's, without the bin, as one zip file.

    Raises:
        TooLarge: together they are larger than what is taken back.
    """
    out = io.BytesIO()
    entries = []
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, row in enumerate(queries.army_lists_of(viewer).order_by("created", "pk"), 1):
            army_list = queries.own_army_list(row.pk, viewer)
            name = f"{number:04} {safe_name(army_list.name)}.json"
            archive.writestr(name, JSON.write(army_list))
            tags = tuple(army_list.tags)
            entries.append(ShelfEntry(file=name, folder=army_list.folder, tags=tags, tint=army_list.tint))
            if out.tell() > limits.BACKUP_BYTES:
                raise _too_large(out.tell())
        archive.writestr(SHELF, msgspec.json.encode(Shelf(lists=tuple(entries))))
    return out.getvalue()


def is_backup(data: bytes) -> bool:
    """Whether these bytes are such a file."""
    if data[:2] != b"PK":
        return False
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return SHELF in archive.namelist()
    except DAMAGED:
        return False


def restore_backup(viewer: Viewer, data: bytes, *, file_name: str) -> Restored:
    """Make every list in such a file anew; what cannot be is named, and the others are made all the same.

    Raises:
        UnreadableFile: no such file, or damaged.
        TooLarge: it unpacks to more than is taken.
        EditRefused: the viewer has no room for so many lists.
    """
    if len(data) > limits.BACKUP_BYTES:
        raise _too_large(len(data))
    made, refused = 0, []
    with _opened(data, file_name) as archive:
        shelf = _shelf(archive, file_name)
        _refuse_without_room(viewer, len(shelf.lists))
        for entry, content in _contents(archive, shelf, file_name):
            try:
                army_list = import_list_file(viewer, content, file_name=entry.file)
                tint = Tint(entry.tint) if entry.tint in Tint.values else None
                services.file_army_list(viewer, army_list.pk, folder=entry.folder, tags=entry.tags, tint=tint)
            except GameError as refusal:
                words = getattr(refusal, "text", None)
                refused.append((entry.file, words if isinstance(words, Text) else Text(str(refusal), str(refusal))))
            else:
                made += 1
    return Restored(made, tuple(refused))


def _opened(data: bytes, file_name: str) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(io.BytesIO(data))
    except DAMAGED as broken:
        raise UnreadableFile(f"not a zip file: {broken}.", file_name) from broken


def _shelf(archive: zipfile.ZipFile, file_name: str) -> Shelf:
    sizes = sum(member.file_size for member in archive.infolist())
    if sizes > 4 * limits.BACKUP_BYTES or len(archive.infolist()) > limits.LISTS_OF_A_USER + 1:
        raise _too_large(sizes)
    try:
        return msgspec.json.decode(archive.read(SHELF), type=Shelf)
    except (KeyError, *DAMAGED) as broken:  # a text that is no JSON is a ValueError
        raise UnreadableFile(f"its {SHELF} cannot be read: {str(broken)[:100]}.", file_name) from broken


def _contents(archive: zipfile.ZipFile, shelf: Shelf, file_name: str) -> Iterator[tuple[ShelfEntry, bytes]]:
    known = set(archive.namelist())
    for entry in shelf.lists:
        if entry.file not in known:
            raise UnreadableFile(f"{entry.file[:100]} is missing in it.", file_name)
        try:
            with archive.open(entry.file) as member:
                content = member.read(limits.ROSTER_FILE_BYTES + 1)
        except DAMAGED as broken:
            raise UnreadableFile(f"{entry.file[:100]} is damaged.", file_name) from broken
        yield entry, content


def _refuse_without_room(viewer: Viewer, more: int) -> None:
    most = limits.LISTS_OF_A_USER if viewer.user is not None else limits.LISTS_OF_A_GUEST
    there = queries.army_lists_of(viewer).count()
    if there + more > most:
        raise EditRefused(
            Text(
                en=f"The file has {more} lists; you have {there} of {most} already.",
                ru=f"В файле {more} ростеров, а у вас уже {there} из {most}.",
            )
        )


def _too_large(size: int) -> TooLarge:
    return TooLarge(
        Text(
            en=f"The lists take {size} bytes together; {limits.BACKUP_BYTES} are allowed.",
            ru=f"Вместе ростеры занимают {size} байт; допускается {limits.BACKUP_BYTES}.",
        )
    )
