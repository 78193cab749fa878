"""What changed between two states of a roster: units, their options, and facts."""

from collections import Counter
from collections.abc import Iterator
from difflib import SequenceMatcher

from armybuilder.armylists.amounts import changed, counted
from armybuilder.armylists.documents import UNITS, ListDocument, Place, display_name
from armybuilder.armylists.list_types import Changes, UnitChange
from armybuilder.armylists.wording import fact_name
from armybuilder.engine.findings import Text
from armybuilder.engine.roster.model import Force, Selection


def changes_between(before: ListDocument, after: ListDocument, *, rule_pack: str) -> Changes:
    """What is different in the second of two states; units are known by their nodes."""
    return Changes(
        added=tuple(_names(after, but_not_in=before)),
        removed=tuple(_names(before, but_not_in=after)),
        changed=tuple(_changed_units(before, after)),
        facts=tuple(_changed_facts(before, after, rule_pack)),
    )


def _names(document: ListDocument, *, but_not_in: ListDocument) -> Iterator[str]:
    for node_id, place in document.places.items():
        if (place.is_force or place.is_unit) and node_id not in but_not_in.places:
            yield display_name(place.node)


def _changed_units(old: ListDocument, new: ListDocument) -> Iterator[UnitChange]:
    elsewhere = dict(_places_changed(old, new))
    for node_id, place in new.places.items():
        earlier = old.places.get(node_id)
        if earlier is None or not (place.is_unit or place.is_force):
            continue
        lines = tuple(_lines(earlier, place, old, new)) if place.is_unit else ()
        if node_id in elsewhere:
            lines += (elsewhere[node_id],)
        if lines:
            yield UnitChange(node_id, display_name(place.node), lines)


def _lines(earlier: Place, later: Place, old: ListDocument, new: ListDocument) -> Iterator[str]:
    if earlier.force_id != later.force_id:
        yield f"{display_name(old.places[earlier.force_id].node)} → {display_name(new.places[later.force_id].node)}"
    if display_name(earlier.node) != display_name(later.node):
        yield f"{display_name(earlier.node)} → {display_name(later.node)}"
    before, after = _counts(earlier.node), _counts(later.node)
    for name in dict.fromkeys([*before, *after]):
        have, had = after[name], before[name]
        if had and have and had != have:
            yield changed(had, have, name)
        elif have and not had:
            yield f"+ {counted(have, name)}"
        elif had and not have:
            yield f"− {counted(had, name)}"
    if (earlier.node.notes or "") != (later.node.notes or ""):
        yield "✎"


def _places_changed(old: ListDocument, new: ListDocument) -> Iterator[tuple[str, str]]:
    """Units that were put to another place of their detachment, with both places; or the detachment, when its units
    stood by name before."""
    for force in new.roster.all_forces():
        earlier = old.places.get(force.id)
        if not force.is_arranged or earlier is None or not isinstance(earlier.node, Force):
            continue
        if not earlier.node.is_arranged:
            yield force.id, "↕"
            continue
        had = [unit.id for unit in earlier.node.selections]
        have = [unit.id for unit in force.selections]
        stayed = _in_both([unit for unit in had if unit in have], [unit for unit in have if unit in had])
        for unit in have:
            if unit in had and unit not in stayed:
                yield unit, f"↕ {had.index(unit) + 1} → {have.index(unit) + 1}"


def _in_both(had: list[str], have: list[str]) -> set[str]:
    """Of units in two orders the most that stand in both in the same one."""
    blocks = SequenceMatcher(None, had, have, autojunk=False).get_matching_blocks()
    return {unit for block in blocks for unit in had[block.a : block.a + block.size]}


def _counts(unit: object) -> Counter[str]:
    """How many of what a unit has, by the data's names; the unit itself counts where it is more than one."""
    assert isinstance(unit, Selection)
    counts: Counter[str] = Counter()
    if unit.amount != 1:
        counts[unit.name] += unit.amount
    for child in unit.selections:
        for part in child.walk():
            counts[part.name] += part.amount  # of each parent: five more models bring five more bolters, unsaid
    return counts


def _changed_facts(old: ListDocument, new: ListDocument, rule_pack: str) -> Iterator[Text]:
    for name in dict.fromkeys([*old.facts, *new.facts]):
        if name != UNITS and old.facts.get(name) != new.facts.get(name):
            yield fact_name(rule_pack, name)
    nodes = dict.fromkeys([*(old.facts.get(UNITS) or {}), *(new.facts.get(UNITS) or {})])
    for node_id in nodes:
        before, after = old.facts_of(node_id), new.facts_of(node_id)
        place = new.places.get(node_id) or old.places.get(node_id)
        for name in dict.fromkeys([*before, *after]):
            if place is not None and before.get(name) != after.get(name):
                words, unit = fact_name(rule_pack, name), display_name(place.node)
                yield Text(en=f"{unit}: {words.en}", ru=f"{unit}: {words.ru}")
