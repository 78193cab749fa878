"""A list as a .ros or .rosz file, which BattleScribe and New Recruit open."""

from decimal import Decimal
from functools import partial
from typing import Protocol

import msgspec

from armybuilder.armylists.errors import EditRefused
from armybuilder.armylists.exports.files import ExportFormat
from armybuilder.armylists.list_file import RosterExtension, file_release
from armybuilder.armylists.models import ArmyList, DocumentKind
from armybuilder.armylists.services import check_army_list
from armybuilder.engine.battlescribe_files.ros_xml import write_roster, write_zipped_roster
from armybuilder.engine.findings import Text
from armybuilder.engine.gamedata.links import Library
from armybuilder.engine.roster.amendments import original_of
from armybuilder.engine.roster.evaluate import evaluate
from armybuilder.engine.roster.state import RosterState
from armybuilder.engine.systems.roster_reading.points_cost import points_type


class RosterWriter(Protocol):
    """The plain file or the zipped one."""

    def __call__(self, library: Library, state: RosterState, *, extension: str) -> bytes:
        """The file of an evaluated roster."""


def battlescribe_roster(write: RosterWriter, army_list: ArmyList) -> bytes:
    """The list as it stands, with names, numbers, costs, limits, profiles and rules for readers without the data.

    What such a file has no place for, as allegiance and warlord, stands in an instruction that other readers pass over.

    Raises:
        EditRefused: the list is no roster.
    """
    report = check_army_list(army_list)
    if report.state is None:
        raise EditRefused(
            Text(
                en="This list is no roster, so BattleScribe could not read it. Save it as JSON instead.",
                ru="Этот список – не ростер, BattleScribe его не прочтёт. Сохраните его как JSON.",
            )
        )
    extension = RosterExtension(
        points_limit=army_list.points_limit,
        release=file_release(army_list),
        detachments=tuple(force.id for force in report.state.roster.forces),
        units=tuple(unit.id for force in report.state.roster.all_forces() for unit in force.selections),
        facts=dict(report.facts),
    )
    state = _with_points_limit(report.library, original_of(report.state), army_list.points_limit)
    return write(report.library, state, extension=extension.written())


def _with_points_limit(library: Library, state: RosterState, limit: int | None) -> RosterState:
    """The state with the agreed points among its cost limits, where BattleScribe looks for them."""
    points = points_type(library.cost_types)
    if points is None or limit is None or limit < 0 or state.limit(points) == limit:
        return state
    limits = {**state.roster.cost_limits, points: Decimal(limit)}
    return evaluate(library, msgspec.structs.replace(state.roster, cost_limits=limits), state)


ROS = ExportFormat(
    id="ros",
    ending="ros",
    media_type="application/xml",
    label=Text("BattleScribe, New Recruit (.ros)", "BattleScribe, New Recruit (.ros)"),
    write=partial(battlescribe_roster, write_roster),
    kinds=frozenset({DocumentKind.ROSTER}),
)
ROSZ = ExportFormat(
    id="rosz",
    ending="rosz",
    media_type="application/zip",
    label=Text("BattleScribe, New Recruit, zipped (.rosz)", "BattleScribe, New Recruit, сжатый (.rosz)"),
    write=partial(battlescribe_roster, write_zipped_roster),
    kinds=frozenset({DocumentKind.ROSTER}),
)
