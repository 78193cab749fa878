"""Takes a unit out of one detachment and puts it into another."""

import msgspec

from armybuilder.engine.roster.model import Force, Roster, Selection


def moved(roster: Roster, node_id: str, force_id: str) -> Roster:
    """A roster in which the unit stands last in the detachment; a unit that is not there moves nothing."""
    unit = next((unit for force in roster.all_forces() for unit in force.selections if unit.id == node_id), None)
    if unit is None:
        return roster
    return msgspec.structs.replace(roster, forces=_with(roster.forces, unit, force_id))


def _with(forces: tuple[Force, ...], unit: Selection, force_id: str) -> tuple[Force, ...]:
    return tuple(
        msgspec.structs.replace(
            force,
            selections=tuple(other for other in force.selections if other.id != unit.id)
            + ((unit,) if force.id == force_id else ()),
            forces=_with(force.forces, unit, force_id),
        )
        for force in forces
    )
