"""What the data of an army book limits, in the words of the conventions: WFX-02 to WFX-04."""

from collections.abc import Collection, Iterator, Sequence

from armybuilder.engine.findings import Finding
from armybuilder.engine.points import written
from armybuilder.engine.roster.model import pointers
from armybuilder.engine.roster.state import ErrorKind, RosterError, RosterState, SelectionState
from armybuilder.engine.systems.fantasy_8th.list_rules.conventions import item_allowance, offered_options, unit_size
from armybuilder.engine.systems.fantasy_8th.reference import folded
from armybuilder.engine.systems.fantasy_8th.roster import recognition as read
from armybuilder.engine.systems.fantasy_8th.roster.units import FantasyUnit

ITEM_GROUP_WORDS = ("magic", "arcane", "enchanted", "talisman")


def limit_findings(
    state: RosterState, units: Sequence[FantasyUnit], *, besides: Collection[RosterError] = ()
) -> Iterator[Finding]:
    """Sizes, options and allowances that the data objects to; `at` points into the roster, as its objections do.

    What the data says of slots, of items taken twice and of choices still to make has rules of its own, or none.

    Args:
        besides: objections that a rule has answered already.
    """
    at = pointers(state.roster)
    units_by_id = {node_id: unit for unit in units for node_id in unit.ids}
    for error in state.errors:
        unit = units_by_id.get(error.node_id or "")
        if unit is None or error in besides or error.owner_type != "selection" or error.owner_id not in unit.ids:
            continue  # of the whole list or of a detachment: how often the unit itself is taken
        if error.owner_id == unit.node_id and (
            error.kind is ErrorKind.HIDDEN or error.entry_id == error.owner_entry_id
        ):
            continue
        yield from _findings_of(error, unit, state, at.get(error.node_id or ""))


def _findings_of(error: RosterError, unit: FantasyUnit, state: RosterState, at: str | None) -> Iterator[Finding]:
    node = state.node(unit.node_id)
    assert isinstance(node, SelectionState)
    name = unit.unit.name
    of_items = any(word in folded(error.name) for word in ITEM_GROUP_WORDS) or read.common_item(error.name) is not None
    if error.kind in (ErrorKind.MIN, ErrorKind.MAX) and error.field == "selections":
        n, limit = int(error.current or 0), int(error.limit or 0)
        if _is_a_model(error, node):
            least, most = (limit, None) if error.kind is ErrorKind.MIN else (None, limit)
            yield from unit_size(name, n, least=least, most=most, at=at)
        elif error.kind is ErrorKind.MAX and not of_items:
            for option in _too_many(error, state, limit):
                yield from offered_options(
                    name, [option], offered=frozenset(), most=limit, in_army=_is_of_all_units(error), at=at
                )
    elif error.kind is ErrorKind.HIDDEN:
        yield from offered_options(name, [error.name], offered=frozenset(), at=at)
    elif error.kind is ErrorKind.MAX and of_items and error.limit is not None and not error.percent:
        paid = {item: written(price) for item, price in unit.prices.items()}
        yield from item_allowance(name, paid, cap=written(error.limit), at=at)


def _is_of_all_units(error: RosterError) -> bool:
    """Whether an option has been taken too often by all units together: its own entry owns the limit, no unit does."""
    return error.owner_entry_id == error.entry_id


def _too_many(error: RosterError, state: RosterState, limit: int) -> list[str]:
    """What to name of an entry or a group that holds too much: of a group with room for nothing, what was chosen.

    What has an objection of its own is not named twice.
    """
    owner = state.node(error.owner_id)
    assert isinstance(owner, SelectionState)
    chosen = [child for child in owner.selections if error.entry_id in (child.group_id or "").split("::")]
    if limit or not chosen:
        return [error.name]
    barred = {other.name for other in state.errors if other.kind is ErrorKind.MAX and other.owner_id == error.owner_id}
    return [child.name for child in chosen if child.name not in barred]


def _is_a_model(error: RosterError, unit: SelectionState) -> bool:
    """Whether the limit is on models of the unit: on an entry with a row of characteristics, or of that name."""
    return any(
        folded(node.name) == folded(error.name)
        and any(profile.type_name == read.MODEL for profile in node.profiles)
        and not any(segment in ("command", "mount", "mounts") for segment in folded(node.group_names).split("::"))
        for node in unit.walk()
        if node is not unit
    )
