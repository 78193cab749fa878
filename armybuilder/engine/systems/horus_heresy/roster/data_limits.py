"""What the data limits within a unit, as the book says it: HH-64."""

from collections.abc import Iterator, Sequence

from armybuilder.engine.findings import Finding
from armybuilder.engine.roster.model import pointers
from armybuilder.engine.roster.state import ErrorKind, RosterError, RosterState, SelectionState
from armybuilder.engine.systems.horus_heresy.list_rules.rules import finding
from armybuilder.engine.systems.horus_heresy.roster.units import HeresyUnit


def limit_findings(state: RosterState, units: Sequence[HeresyUnit], errors: Sequence[RosterError]) -> Iterator[Finding]:
    """Squads that are too large and options taken too often; `at` points into the roster, as the data's objections do.

    How often a unit itself is taken is no matter of its entry's options, nor what a whole army may have only so often:
    such limits are written on what is at fault, those of an entry's options below it.

    Args:
        errors: those of the state that no other rule of the book answers.
    """
    at = pointers(state.roster)
    units_by_id = {node_id: unit for unit in units for node_id in unit.ids}
    for error in errors:
        unit = units_by_id.get(error.node_id or "")
        within = unit is not None and error.owner_type == "selection" and error.owner_id in unit.ids
        counted = error.kind is ErrorKind.MAX and error.field == "selections" and not error.percent
        if unit is None or not within or not counted or error.limit is None or error.current is None:
            continue
        owner = state.node(error.owner_id)
        if isinstance(owner, SelectionState) and error.entry_id in owner.entry_id.split("::"):
            continue
        yield finding(
            "HH-64",
            at=at.get(error.node_id or ""),
            unit=unit.unit.name,
            option=error.name.rstrip(":"),
            n=int(error.current),
            max=int(error.limit),
        )
