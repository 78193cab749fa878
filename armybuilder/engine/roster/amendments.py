"""What the data does not know in an evaluated roster: other prices than its own, and units that it does not have."""

from collections.abc import Mapping, Sequence
from copy import copy
from decimal import Decimal

import msgspec

from armybuilder.engine.roster.state import (
    ZERO,
    CategoryState,
    Cost,
    ErrorKind,
    ForceState,
    ProfileState,
    RosterError,
    RosterState,
    SelectionState,
)

ENTRY_ID = "own-unit"
"""Entry of a unit that the data does not have."""

PROFILE_TYPE = "Unit"

MODELS = "-models"
"""Behind the id of an added unit: the id of its models."""


class AddedUnit(msgspec.Struct, frozen=True, kw_only=True):
    """A unit that the data does not have.

    Attributes:
        category_id: of its role; one that its force does not have leaves it without a role.
        points: of the whole unit.
        profile: characteristics of its models in their order; empty for none.
    """

    id: str
    name: str
    category_id: str
    points: Decimal
    models: int = 1
    profile: tuple[tuple[str, str], ...] = ()
    notes: str = ""


class AmendedState(RosterState):
    """A state with other prices or more units.

    Attributes:
        original: what the data alone says.
    """

    __slots__ = ("original",)

    original: RosterState


def original_of(state: RosterState) -> RosterState:
    """The state as the data alone has it."""
    return state.original if isinstance(state, AmendedState) else state


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
    units = {unit_id: _dearer(unit, more, state, type_id) for unit_id, (unit, more) in changed.items()}
    forces = tuple(_with_units(force, units) for force in state.forces)
    more = sum((more for _, more in changed.values()), ZERO)
    return _amended(state, forces, state.errors, more, type_id)


def with_added(state: RosterState, added: Mapping[str, Sequence[AddedUnit]], type_id: str | None) -> RosterState:
    """A state with more units: they cost points, and take slots of their roles as the force has them.

    Args:
        added: by the id of the force they stand in; those of others are passed over.
        type_id: the cost type of their points; None where there is none.
    """
    present = {force.id: added[force.id] for force in state.all_forces() if added.get(force.id)}
    if not present:
        return state
    errors: list[RosterError] = list(state.errors)
    for force in state.all_forces():
        for category in force.categories:
            if more := sum(unit.category_id == category.id for unit in present.get(force.id, ())):
                errors = _recounted(errors, force, category, more)
    forces = tuple(_with_added(force, present, state, type_id) for force in state.forces)
    points = sum((unit.points for units in present.values() for unit in units), ZERO)
    return _amended(state, forces, tuple(errors), points, type_id)


def _amended(
    state: RosterState,
    forces: tuple[ForceState, ...],
    errors: tuple[RosterError, ...],
    more: Decimal,
    type_id: str | None,
) -> AmendedState:
    """A state with other forces, that costs so much more."""
    other = AmendedState(state.evaluation)
    other.original = original_of(state)
    other.roster, other.forces = state.roster, forces
    other.cost_types, other.cost_limits = state.cost_types, state.cost_limits
    if type_id is None:
        other.costs, other.errors = state.costs, errors
    else:
        other.costs = _added(state.costs, more, state, type_id)
        other.errors = tuple(error for error in errors if not _is_over(error, type_id)) + _over(other, type_id)
    return other


def _with_added(
    force: ForceState, added: Mapping[str, Sequence[AddedUnit]], state: RosterState, type_id: str | None
) -> ForceState:
    other = copy(force)
    units = added.get(force.id, ())
    other.selections = (*force.selections, *(_selection(unit, force, state, type_id) for unit in units))
    other.categories = tuple(
        msgspec.structs.replace(
            category, current=category.current + sum(unit.category_id == category.id for unit in units)
        )
        for category in force.categories
    )
    other.forces = tuple(_with_added(inner, added, state, type_id) for inner in force.forces)
    return other


def _selection(unit: AddedUnit, force: ForceState, state: RosterState, type_id: str | None) -> SelectionState:
    """The unit with its models, as an evaluated selection."""
    rows = (
        ProfileState(
            id=f"{unit.id}-profile",
            name=unit.name,
            type_id="",
            type_name=PROFILE_TYPE,
            characteristics=unit.profile,
        ),
    )
    models = _node(unit.id + MODELS, unit.name, "model", unit.models, rows if unit.profile else ())
    whole = _node(unit.id, unit.name, "unit", 1, ())
    whole.at_root = True
    whole.notes = unit.notes or None
    whole.selections = (models,)
    whole.costs = (Cost(type_id, _name(state, type_id), unit.points),) if type_id is not None else ()
    whole.categories = tuple(
        CategoryState(id=category.id, name=category.name, primary=True)
        for category in force.categories
        if category.id == unit.category_id
    )
    return whole


def _node(node_id: str, name: str, type_: str, amount: int, profiles: tuple[ProfileState, ...]) -> SelectionState:
    node = SelectionState(lambda: (profiles, ()))
    node.id, node.name, node.type, node.entry_id = node_id, name, type_, ENTRY_ID
    node.amount = node.number = amount
    node.group_id, node.group_names = None, ""
    node.at_root = node.hidden = node.missing = False
    node.costs, node.selections, node.categories = (), (), ()
    node.page = node.publication_id = node.publication_name = node.custom_name = node.notes = None
    return node


def _recounted(errors: list[RosterError], force: ForceState, category: CategoryState, more: int) -> list[RosterError]:
    """The objections to the number of units in a role, with so many more of them."""
    found = []
    is_over = False
    for error in errors:
        current, limit = error.current, error.limit
        is_count = (error.owner_type, error.field) == ("category", "selections") and not error.percent
        if (
            not is_count
            or (error.node_id, error.owner_id) != (force.id, category.id)
            or current is None
            or limit is None
        ):
            found.append(error)
        elif error.kind is not ErrorKind.MIN or current + more < limit:
            is_over = is_over or error.kind is ErrorKind.MAX
            found.append(msgspec.structs.replace(error, current=current + more))
    maximum, count = category.maximum, category.current + more
    if not is_over and maximum is not None and 0 <= maximum < count:
        found.append(
            RosterError(
                message=f"{force.shown_name} has {count - maximum} too many selections of {category.name}",
                owner_type="category",
                owner_id=category.id,
                owner_entry_id=category.id,
                entry_id=force.entry_id,
                constraint_id=ENTRY_ID,
                kind=ErrorKind.MAX,
                name=category.name,
                owner_name=category.name,
                node_id=force.id,
                current=Decimal(count),
                limit=maximum,
            )
        )
    return found


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
