"""What the data limits within a unit, as the book says it: HH-64."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from armybuilder.engine.findings import Finding
from armybuilder.engine.roster.model import pointers
from armybuilder.engine.roster.state import ErrorKind, RosterError, RosterState, RuleState, SelectionState
from armybuilder.engine.systems.horus_heresy.list_rules.rules import finding
from armybuilder.engine.systems.horus_heresy.roster import recognition as read
from armybuilder.engine.systems.horus_heresy.roster.units import HeresyUnit

UNIQUE = "unique"
"""The sub-type of models of which an army has one; the data prints it on all, and does not always limit them."""


def limit_findings(state: RosterState, units: Sequence[HeresyUnit], errors: Sequence[RosterError]) -> Iterator[Finding]:
    """Squads that are too large and options taken too often; `at` points into the roster, as the data's objections do.

    How often a unit itself is taken is no matter of its entry's options, nor what a whole army may have only so often:
    such limits are written on what is at fault, those of an entry's options below it.

    Args:
        errors: those of the state that no other rule of the book answers.
    """
    at = pointers(state.roster)
    limited = {error.name for error in errors if error.kind is ErrorKind.MAX}
    for extra, n in _taken_again(units):
        if extra.unit.name not in limited:
            where = at.get(extra.unit.id or "")
            yield finding("HH-64", at=where, unit=extra.unit.name, option=UNIQUE.title(), n=n, max=1)
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


def _taken_again(units: Sequence[HeresyUnit]) -> Iterator[tuple[HeresyUnit, int]]:
    """The second and further ones of each name whose models are unique, with how many there are."""
    unique = [unit for unit in units if _is_unique(unit)]
    number = Counter(unit.unit.name for unit in unique)
    seen: set[str | None] = set()
    for unit in unique:
        if unit.unit.name in seen:
            yield unit, number[unit.unit.name]
        seen.add(unit.unit.name)


def _is_unique(unit: HeresyUnit) -> bool:
    groups = unit.unit.models if isinstance(unit.unit.models, tuple) else ()
    return any(UNIQUE in subtypes for subtypes in (unit.unit.subtypes, *(group.subtypes for group in groups)))


def joining_findings(state: RosterState, units: Sequence[HeresyUnit], joined: Mapping[str, str]) -> Iterator[Finding]:
    """HH-49 of characters in units that their own rules close: Inductii to all, others to whoever has no such rule.

    Args:
        joined: by the selection of each character, that of the unit he joins.
    """
    at = pointers(state.roster)
    units_by_id = {node_id: unit for unit in units for node_id in unit.ids}
    for node_id, host_id in joined.items():
        character, host = units_by_id.get(node_id), units_by_id.get(host_id)
        if character is None or host is None:
            continue
        closed = _closed_by(state, host, character)
        if closed is not None:
            yield finding(
                "HH-49",
                at=at.get(character.unit.id or ""),
                character=character.unit.name,
                unit=host.unit.name,
                type=closed,
            )


def _closed_by(state: RosterState, host: HeresyUnit, character: HeresyUnit) -> str | None:
    """The rule or sub-type of a unit that keeps a character out."""
    own = {rule.name for rule in _rules_of(state, character)}
    for rule in _rules_of(state, host):
        if read.bars_all(rule.description) or (read.bars_others(rule.description) and rule.name not in own):
            return rule.name.removesuffix(" Sub-type")
    return None


def _rules_of(state: RosterState, unit: HeresyUnit) -> Iterator[RuleState]:
    for node_id in unit.ids:
        node = state.node(node_id)
        if isinstance(node, SelectionState):
            yield from node.rules
