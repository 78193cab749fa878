"""A list as a .ros or .rosz file, which BattleScribe and New Recruit open."""

import re
from dataclasses import dataclass

from armybuilder.armylists.errors import EditRefused
from armybuilder.armylists.models import ArmyList
from armybuilder.armylists.services import check_army_list
from armybuilder.engine.battlescribe_files.ros_xml import write_roster, write_zipped_roster
from armybuilder.engine.findings import Text


@dataclass(frozen=True, slots=True)
class RosterFile:
    """A file to be handed out."""

    name: str
    media_type: str
    content: bytes


def roster_file(army_list: ArmyList, *, zipped: bool) -> RosterFile:
    """The list as it stands, with names, numbers, costs, profiles and rules for readers without the data.

    Facts that no game data holds, as the allegiance, have no place in such a file.

    Raises:
        EditRefused: the list is no roster.
    """
    report = check_army_list(army_list)
    if report.state is None:
        raise EditRefused(
            Text(
                en="This list is no roster, so BattleScribe could not read it. Save it as JSON instead.",
                ru="Этот список — не ростер, BattleScribe его не прочтёт. Сохраните его как JSON.",
            )
        )
    write = write_zipped_roster if zipped else write_roster
    return RosterFile(
        name=file_name(army_list.name, "rosz" if zipped else "ros"),
        media_type="application/zip" if zipped else "application/xml",
        content=write(report.library, report.state),
    )


def file_name(name: str, ending: str) -> str:
    """What the file of a list is called: its name, without what file systems do not take."""
    plain = re.sub(r"[^\w .()-]+", "_", name).strip(" .")[:80] or "roster"
    return f"{plain}.{ending}"
