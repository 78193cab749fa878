"""A file or text of any kind that is read here; what it is, its first signs say."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import limits, services
from armybuilder.armylists.errors import EditRefused, FileRefused, TooLarge
from armybuilder.armylists.imports.army_builder import is_army_builder, read_army_builder
from armybuilder.armylists.imports.battlescribe_html import battlescribe_lines, is_battlescribe_html
from armybuilder.armylists.imports.battlescribe_roster import (
    ImportedRoster,
    UnknownEntries,
    file_title,
    import_roster_file,
)
from armybuilder.armylists.imports.list_file import import_list_file
from armybuilder.armylists.imports.new_recruit import is_roster_json, roster_xml, unpacked_link
from armybuilder.armylists.imports.old_world_builder import is_owb, read_owb
from armybuilder.armylists.imports.pasted_text import read_text
from armybuilder.armylists.imports.review import Faction, factions, import_reviewed, known_names, likely_faction
from armybuilder.armylists.imports.review_lines import LineState
from armybuilder.armylists.imports.roster_contents import read_roster_contents
from armybuilder.armylists.imports.source_list import SourceList
from armybuilder.armylists.list_types import TextReading, list_type_of_document, told_in_text
from armybuilder.datafiles.models import PublishedSystem
from armybuilder.engine.battlescribe_files.file_signs import as_utf_8, is_json, looks_like
from armybuilder.engine.battlescribe_files.ros_xml import Dropped, read_roster
from armybuilder.engine.battlescribe_files.zipped import is_zip
from armybuilder.engine.findings import Text

TAKEN = Text(
    en="Taken are .ros and .rosz files, JSON of this site, New Recruit, ListForge and Old World Builder, XML of Army "
    "Builder, HTML of BattleScribe, links of ListForge, and text",
    ru="Принимаются файлы .ros и .rosz, JSON этого сайта, New Recruit, ListForge и Old World Builder, XML Army "
    "Builder, HTML BattleScribe, ссылки ListForge и текст",
)


@dataclass(frozen=True, slots=True)
class Incoming:
    """What a file turned out to be.

    Attributes:
        own: bytes of a file in the site's own format.
        roster: bytes of a .ros or .rosz file.
        source: a list to be looked up name by name.
        reading: a list that a text tells whole.
    """

    own: bytes | None = None
    roster: bytes | None = None
    source: SourceList | None = None
    reading: TextReading | None = None


def recognised(data: bytes, *, file_name: str) -> Incoming:
    """What a file or text is.

    Raises:
        UnreadableFile, FileRefused, EditRefused: nothing that is taken; the message names what is, and what this
            looks like.
        TooLarge: more than a list can be.
    """
    if len(data) > limits.ROSTER_FILE_BYTES:
        raise TooLarge(
            Text(
                en=f"The file has {len(data)} bytes; {limits.ROSTER_FILE_BYTES} are allowed.",
                ru=f"В файле {len(data)} байт; допускается {limits.ROSTER_FILE_BYTES}.",
            )
        )
    data = as_utf_8(data)
    start = data[:400].lstrip(b"\xef\xbb\xbf \t\r\n")
    if is_zip(data) or (file_name.casefold().endswith((".ros", ".rosz")) and not start.startswith(b"{")):
        return Incoming(roster=data)
    if start.startswith(b"<"):
        if is_army_builder(data):
            return Incoming(source=read_army_builder(data, file_name=file_name))
        if is_battlescribe_html(data):
            return Incoming(source=read_text(battlescribe_lines(data)))
        return Incoming(roster=data)
    if is_json(data):
        return _json(data, file_name)
    if seen := looks_like(data):
        raise _refusal(seen, file_name)
    return _text(data.decode("utf-8-sig", "replace"), file_name)


def _text(text: str, file_name: str) -> Incoming:
    unpacked = unpacked_link(text)
    if unpacked is not None:
        return _json(unpacked, file_name)
    reading = told_in_text(text)
    return Incoming(reading=reading) if reading is not None else Incoming(source=read_text(text, known_names))


def import_file(
    viewer: Viewer,
    data: bytes,
    *,
    file_name: str,
    name: str = "",
    faction: Faction | None = None,
    choices: Mapping[str, str] | None = None,
    is_reviewed: bool = False,
) -> ImportedRoster:
    """Make a list of the viewer's of any file or text that is taken.

    Args:
        is_reviewed: a player looks over what is looked up by names; a roster of which the data knows no id is refused.
        faction: where names are looked up; by default the one that the source seems to speak of.
        choices: entry by the key of a line, for sources that are looked up name by name.

    Raises:
        UnreadableFile, BadDocument: no such file, damaged or hostile.
        EditRefused: its game is not published here, or nothing of it is in the data.
        TooLarge: larger than a list may be, or the viewer has as many lists as one may have.
    """
    file_name = file_title(file_name)
    incoming = recognised(data, file_name=file_name)
    if incoming.own is not None:
        return ImportedRoster(import_list_file(viewer, incoming.own, file_name=file_name, name=name), ())
    if incoming.roster is not None:
        try:
            return import_roster_file(viewer, incoming.roster, file_name=file_name, name=name)
        except UnknownEntries:
            incoming = Incoming(source=read_roster_contents(incoming.roster, file_name=file_name))
            if is_reviewed or not incoming.source or not incoming.source.units:
                raise
    if incoming.reading is not None:
        return _told(viewer, incoming.reading, file_name=file_name, name=name)
    assert incoming.source is not None
    where = faction or likely_faction(incoming.source, factions())
    made = import_reviewed(viewer, incoming.source, where, choices=choices, name=name, file_name=file_name)
    lost = [line for line in made.review.lines if line.state in (LineState.UNMATCHED, LineState.LEFT_OUT)]
    return ImportedRoster(made.army_list, tuple(Dropped("", line.text, "") for line in lost))


def _told(viewer: Viewer, reading: TextReading, *, file_name: str, name: str) -> ImportedRoster:
    title = (name or reading.name).strip()[: limits.NAME_LENGTH] or file_name[: limits.NAME_LENGTH]
    assert reading.system.current_release_id is not None
    army_list = services.store_restored(
        viewer,
        document=list_type_of_document(reading.document).renamed(reading.document, title),
        system=reading.system,
        release_id=reading.system.current_release_id,
        points_limit=None,
        folder="",
        tags=(),
        summary=Text(en=f"Imported from {file_name}"[:400], ru=f"Импорт из {file_name}"[:400]),
    )
    return ImportedRoster(army_list, tuple(Dropped("", text, "") for _, text in reading.unread))


def source_of(data: bytes, *, file_name: str) -> SourceList:
    """The names in any file or text that is taken, to be looked up one by one; of a roster file too.

    Raises:
        UnreadableFile, EditRefused, TooLarge: as `recognised`; a file of the site's own format is opened whole.
    """
    file_name = file_title(file_name)
    incoming = recognised(data, file_name=file_name)
    if incoming.source is not None:
        return incoming.source
    if incoming.roster is not None:
        return read_roster_contents(incoming.roster, file_name=file_name)
    raise EditRefused(
        Text(
            en=f"{file_name} tells a list of this site whole: it is opened at once and needs no review.",
            ru=f"{file_name} описывает список этого сайта целиком: он открывается сразу, сверять в нём нечего.",
        )
    )


def unpublished(incoming: Incoming, *, file_name: str) -> SourceList | None:
    """What a roster file holds, where its game is not published here; None where a list can be made of it."""
    if incoming.roster is None:
        return None
    system_id = read_roster(incoming.roster, file_name=file_name).system_id
    if system_id and PublishedSystem.objects.filter(battlescribe_id=system_id, current_release__isnull=False).exists():
        return None
    contents = read_roster_contents(incoming.roster, file_name=file_name)
    return contents if contents.units else None


def _json(data: bytes, file_name: str) -> Incoming:
    try:
        parsed: Any = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        parsed = None
    if is_roster_json(parsed):
        return Incoming(roster=roster_xml(parsed, file_name=file_name))
    if is_owb(parsed):
        return Incoming(source=read_owb(parsed))
    if isinstance(parsed, list) or (isinstance(parsed, dict) and parsed and "format" not in parsed):
        raise _refusal(Text("JSON of another program", "JSON другой программы"), file_name)
    return Incoming(own=data)  # its reader names what is wrong with it


def _refusal(seen: Text, file_name: str) -> FileRefused:
    return FileRefused(
        Text(
            en=f"{file_name} looks like {seen.en}. {TAKEN.en}.",
            ru=f"{file_name}: похоже, это {seen.ru}. {TAKEN.ru}.",
        )
    )
