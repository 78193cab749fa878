"""Takes a unit out of its place and puts it into another: of its own detachment, or of another one."""

from collections.abc import Sequence

import msgspec

from armybuilder.armylists.documents import ListDocument, display_name
from armybuilder.armylists.edits import Move
from armybuilder.armylists.errors import EditRefused
from armybuilder.engine.findings import Text
from armybuilder.engine.roster.model import Force, Roster, Selection
from armybuilder.engine.roster.state import ForceState, RosterState


def moved(roster: Roster, node_id: str, force_id: str) -> Roster:
    """A roster in which the unit stands last in the detachment; a unit that is not there moves nothing."""
    unit = _unit(roster, node_id)
    if unit is None:
        return roster
    return msgspec.structs.replace(roster, forces=_with(roster.forces, unit, force_id))


def arranged(document: ListDocument, state: RosterState, edit: Move) -> Roster:
    """A roster in which the unit stands before another one of the detachment, and the detachment keeps that order.

    Args:
        state: of the document's roster; it knows in which order the units stand now.

    Raises:
        EditRefused: it shall stand before what is no other unit of the detachment.
    """
    force = state.node(edit.force_id)
    shown = [unit.id for unit in force.selections] if isinstance(force, ForceState) else []
    order = [other for other in shown if other != edit.node_id]
    if edit.before is not None and edit.before not in order:
        place = document.places.get(edit.before)
        name = display_name(place.node) if place is not None else edit.before
        raise EditRefused(
            Text(
                en=f"{name} is no other unit of that detachment.",
                ru=f"{name} – не другая боевая единица этого подразделения.",
            ),
            "/before",
        )
    order.insert(len(order) if edit.before is None else order.index(edit.before), edit.node_id)
    unit = _unit(document.roster, edit.node_id)
    if unit is None or order == shown:
        return document.roster
    forces = _with(document.roster.forces, unit, edit.force_id)
    return msgspec.structs.replace(document.roster, forces=_in_order(forces, edit.force_id, order))


def place_in_words(name: str, before: str) -> Text:
    """Where a unit stands now; `before` is empty for the last one."""
    if not before:
        return Text(en=f"{name} now stands last", ru=f"{name}: теперь в конце")
    return Text(en=f"{name} now stands before {before}", ru=f"{name}: теперь перед – {before}")


def _unit(roster: Roster, node_id: str) -> Selection | None:
    return next((unit for force in roster.all_forces() for unit in force.selections if unit.id == node_id), None)


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


def _in_order(forces: tuple[Force, ...], force_id: str, order: Sequence[str]) -> tuple[Force, ...]:
    rank = {node_id: number for number, node_id in enumerate(order)}

    def ranked(force: Force) -> Force:
        forces = _in_order(force.forces, force_id, order)
        if force.id != force_id:
            return msgspec.structs.replace(force, forces=forces)
        units = tuple(sorted(force.selections, key=lambda unit: rank.get(unit.id, len(rank))))
        return msgspec.structs.replace(force, selections=units, forces=forces, is_arranged=True)

    return tuple(map(ranked, forces))
