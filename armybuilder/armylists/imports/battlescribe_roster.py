"""A .ros or .rosz file, as BattleScribe and New Recruit save it, becomes a stored list; what does not fit is named."""

from dataclasses import dataclass
from decimal import Decimal
from pathlib import PurePosixPath
from typing import Any

import msgspec

from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import limits, services
from armybuilder.armylists.asked_once import told_by_choices
from armybuilder.armylists.documents import ListDocument
from armybuilder.armylists.errors import EditRefused, TooLarge
from armybuilder.armylists.facts import read_facts, without_the_gone
from armybuilder.armylists.list_file import read_roster_extension
from armybuilder.armylists.models import ArmyList
from armybuilder.datafiles.models import PublishedSystem
from armybuilder.datafiles.parsing import library_of
from armybuilder.engine.battlescribe_files.ros_xml import Dropped, read_extension, read_roster, settle
from armybuilder.engine.errors import BadDocument
from armybuilder.engine.findings import Text
from armybuilder.engine.gamedata.links import Library
from armybuilder.engine.roster.model import Force, Roster, Selection
from armybuilder.engine.systems.roster_reading.points_cost import points_type

MOST_NAMED = 8
"""Entries the summary of the first revision names; all of them are in the answer."""


class UnknownEntries(EditRefused):
    """Nothing of a roster file is in the data by its ids, as of an earlier data set; by names some of it may be."""


@dataclass(frozen=True, slots=True)
class ImportedRoster:
    """The new list, and what of the file the present data does not have.

    Attributes:
        dropped: forces and selections, each with everything under it.
    """

    army_list: ArmyList
    dropped: tuple[Dropped, ...]


def import_roster_file(viewer: Viewer, data: bytes, *, file_name: str, name: str = "") -> ImportedRoster:
    """Make a list of the viewer's of a roster file, on the current release of its game.

    Args:
        name: of the list; by default the roster's own, or that of the file.

    Raises:
        UnreadableFile: no roster file, damaged or hostile.
        EditRefused: its game is not published here.
        UnknownEntries: nothing of it is in the data.
        TooLarge: larger than a list may be, or the viewer has as many lists as one may have.
    """
    if len(data) > limits.ROSTER_FILE_BYTES:
        raise TooLarge(
            Text(
                en=f"The file has {len(data)} bytes; {limits.ROSTER_FILE_BYTES} are allowed.",
                ru=f"В файле {len(data)} байт; допускается {limits.ROSTER_FILE_BYTES}.",
            )
        )
    file_name = file_title(file_name)
    read = read_roster(data, file_name=file_name)
    system = PublishedSystem.objects.filter(battlescribe_id=read.system_id, current_release__isnull=False).first()
    if system is None or system.current_release_id is None or not read.system_id:
        raise EditRefused(
            Text(
                en=f"{file_name}: this site has no data of the game system {read.system_id[:60] or '(none named)'}.",
                ru=f"{file_name}: на сайте нет данных игровой системы {read.system_id[:60] or '(не названа)'}.",
            )
        )
    library = library_of(system.current_release_id)
    settled = settle(library, read)
    if not settled.roster.forces:
        raise UnknownEntries(
            Text(
                en=f"{file_name}: the data published here has none of its detachments ({_names(settled.dropped)}).",
                ru=f"{file_name}: в опубликованных данных нет ни одного его подразделения ({_names(settled.dropped)}).",
            )
        )
    document, points_limit, lost = _extended(
        settled.roster, data, file_name=file_name, rule_pack=system.rule_pack, library=library
    )
    dropped = (*settled.dropped, *lost)
    title = (name or read.name or PurePosixPath(file_name).stem).strip()[: limits.NAME_LENGTH] or "Roster"
    army_list = services.store_restored(
        viewer,
        document=msgspec.structs.replace(document, roster=msgspec.structs.replace(document.roster, name=title)),
        system=system,
        release_id=system.current_release_id,
        points_limit=points_limit,
        folder="",
        tags=(),
        summary=_summary(file_name, dropped),
    )
    return ImportedRoster(army_list, dropped)


def file_title(file_name: str) -> str:
    """The name of a file without folders, as refusals and histories name it."""
    return PurePosixPath(file_name.replace("\\", "/")).name[:100] or "roster"


def lost_words(dropped: tuple[Dropped, ...]) -> Text:
    """What of a file is not in the data, by name."""
    names = _names(dropped)
    return Text(
        en=f"Not in the present data, and left out ({len(dropped)}): {names}.",
        ru=f"Нет в нынешних данных и не перенесено ({len(dropped)}): {names}.",
    )


def _names(dropped: tuple[Dropped, ...]) -> str:
    named = ", ".join(one.name[:60] or one.entry_id[:60] for one in dropped[:MOST_NAMED])
    return f"{named}, …" if len(dropped) > MOST_NAMED else named


def _summary(file_name: str, dropped: tuple[Dropped, ...]) -> Text:
    first = Text(en=f"Imported from {file_name}", ru=f"Импорт из {file_name}")
    if not dropped:
        return first
    lost = lost_words(dropped)
    return Text(en=f"{first.en}. {lost.en}"[:400], ru=f"{first.ru}. {lost.ru}"[:400])


def _extended(
    roster: Roster, data: bytes, *, file_name: str, rule_pack: str, library: Library
) -> tuple[ListDocument, int | None, tuple[Dropped, ...]]:
    """The roster with the facts and the limit that this site wrote beside it; and the facts that no longer fit.

    Of a file that this site did not write the limit is the one among its cost limits, and the facts are those that
    choices of the data say.
    """
    extension = read_roster_extension(read_extension(data, file_name=file_name))
    if extension is None:
        return told_by_choices(ListDocument(roster=roster), rule_pack), _points_limit(library, roster), ()
    added = {node_id: place for place, node_id in enumerate((*extension.detachments, *extension.units))}
    roster = msgspec.structs.replace(roster, forces=_as_added(roster.forces, added))
    facts: dict[str, Any] = {}
    lost = []
    for fact, value in extension.facts.items():
        try:
            read_facts(rule_pack, {**facts, fact: value})
        except BadDocument:
            lost.append(Dropped("", fact, ""))
        else:
            facts[fact] = value
    document = without_the_gone(ListDocument(roster=roster, facts=facts), rule_pack=rule_pack)
    return document, extension.points_limit, tuple(lost)


def _as_added(forces: tuple[Force, ...], added: dict[str, int]) -> tuple[Force, ...]:
    """Detachments and their units in the order they were added; what is not told last, as it stands."""

    def place(one: Force | Selection) -> int:
        return added.get(one.id, len(added))

    within = (
        msgspec.structs.replace(
            force, selections=tuple(sorted(force.selections, key=place)), forces=_as_added(force.forces, added)
        )
        for force in forces
    )
    return tuple(sorted(within, key=place))


def _points_limit(library: Library, roster: Roster) -> int | None:
    """The limit the file states for points, as whole points."""
    points = points_type(library.cost_types)
    limit = roster.cost_limits.get(points or "")
    if limit is None or not Decimal(0) <= limit <= limits.POINTS:
        return None
    return int(limit)
