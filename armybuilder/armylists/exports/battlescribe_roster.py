"""A list as a .ros or .rosz file, which BattleScribe and New Recruit open."""

from collections.abc import Callable
from functools import partial
from typing import Any

from armybuilder.armylists.errors import EditRefused
from armybuilder.armylists.exports.files import ExportFormat
from armybuilder.armylists.models import ArmyList
from armybuilder.armylists.services import check_army_list
from armybuilder.engine.battlescribe_files.ros_xml import write_roster, write_zipped_roster
from armybuilder.engine.findings import Text


def battlescribe_roster(write: Callable[[Any, Any], bytes], army_list: ArmyList) -> bytes:
    """The list as it stands, with names, numbers, costs, profiles and rules for readers without the data.

    Facts that no game data holds, as the allegiance, have no place in such a file.

    Args:
        write: the plain file or the zipped one, of a library and the state of a roster.

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
    return write(report.library, report.state)


ROS = ExportFormat("ros", "application/xml", partial(battlescribe_roster, write_roster))
ROSZ = ExportFormat("rosz", "application/zip", partial(battlescribe_roster, write_zipped_roster))
