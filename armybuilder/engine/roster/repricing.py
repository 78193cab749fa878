"""Other prices than the data's: a state in which some selections cost what somebody says, everything else as it was."""

from collections.abc import Mapping
from copy import copy
from decimal import Decimal

import msgspec

from armybuilder.engine.roster.state import ZERO, Cost, ErrorKind, ForceState, RosterError, RosterState, SelectionState


class RepricedState(RosterState):
    """A state with other prices.

    Attributes:
        original: the same with the prices of the data.
    """

    __slots__ = ("original",)

    original: RosterState


def original_of(state: RosterState) -> RosterState:
    """The state as the data prices it."""
    return state.original if isinstance(state, RepricedState) else state


def repriced(state: RosterState, prices: Mapping[str, Decimal], type_id: str) -> RosterState:
    """A state in which selections directly in a force cost, with all that is below them, what `prices` say.

    The sum and the limit of this cost follow. Limits that the data itself puts on costs keep to the data's prices.

    Args:
        prices: by selection id; those of others are passed over.
        type_id: the cost type they are of.
    """
    state = original_of(state)
    changed = {
        unit.id: (unit, prices[unit.id] - unit.total(type_id))
        for force in state.all_forces()
        for unit in force.selections
        if unit.id in prices
    }
    if not changed:
        return state
    other = RepricedState(state.evaluation)
    other.original = state
    other.roster = state.roster
    other.cost_types, other.cost_limits = state.cost_types, state.cost_limits
    units = {unit_id: _dearer(unit, more, state, type_id) for unit_id, (unit, more) in changed.items()}
    other.forces = tuple(_with_units(force, units) for force in state.forces)
    more = sum((more for _, more in changed.values()), ZERO)
    other.costs = _added(state.costs, more, state, type_id)
    other.errors = tuple(error for error in state.errors if not _is_over(error, type_id)) + _over(other, type_id)
    return other


def _dearer(unit: SelectionState, more: Decimal, state: RosterState, type_id: str) -> SelectionState:
    """A selection whose own cost is changed by so much."""
    other = copy(unit)
    other.costs = _added(unit.costs, more, state, type_id)
    return other


def _with_units(force: ForceState, units: Mapping[str, SelectionState]) -> ForceState:
    other = copy(force)
    other.selections = tuple(units.get(unit.id, unit) for unit in force.selections)
    other.forces = tuple(_with_units(inner, units) for inner in force.forces)
    return other


def _added(costs: tuple[Cost, ...], more: Decimal, state: RosterState, type_id: str) -> tuple[Cost, ...]:
    if any(cost.type_id == type_id for cost in costs):
        return tuple(
            msgspec.structs.replace(cost, value=cost.value + more) if cost.type_id == type_id else cost
            for cost in costs
        )
    return (*costs, Cost(type_id, _name(state, type_id), more))


def _is_over(error: RosterError, type_id: str) -> bool:
    return error.kind is ErrorKind.LIMIT and error.constraint_id == type_id


def _over(state: RosterState, type_id: str) -> tuple[RosterError, ...]:
    """The objection that the roster costs more than its limit, if it does."""
    limit, total = state.limit(type_id), state.cost(type_id)
    if limit is None or total <= limit:
        return ()
    name = _name(state, type_id)
    return (
        RosterError(
            message=f"Roster is over the {name} limit by {total - limit}{name}",
            owner_type="roster",
            owner_id=state.roster.id,
            owner_entry_id="",
            entry_id="costLimits",
            constraint_id=type_id,
            kind=ErrorKind.LIMIT,
            name=name,
            owner_name=state.roster.name,
            field=name,
            current=total,
            limit=limit,
        ),
    )


def _name(state: RosterState, type_id: str) -> str:
    return next((one.name for one in state.cost_types if one.id == type_id), type_id)
