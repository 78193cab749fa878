"""What changed between two states of a list: units, their options, facts, limit and price."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import queries
from armybuilder.armylists.amounts import changed, counted
from armybuilder.armylists.documents import UNITS, ListDocument, Place, display_name
from armybuilder.armylists.hero_history import cards_gone, changed_values
from armybuilder.armylists.kinds import list_type_of
from armybuilder.armylists.models import ArmyList, Revision, RevisionKind
from armybuilder.armylists.wording import FACT_NAMES, same
from armybuilder.engine.findings import Text
from armybuilder.engine.roster.model import Selection
from armybuilder.engine.systems.relic.hero import Loadout


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """One revision as a page of the history shows it.

    Attributes:
        change: difference in points to the revision before; None for the first, or where points are unknown.
    """

    number: int
    kind: RevisionKind
    summary: Text
    created: datetime
    points: Decimal | None
    change: Decimal | None
    is_present: bool


@dataclass(frozen=True, slots=True)
class UnitChange:
    """A unit that is in both states, and what is different about it.

    Attributes:
        lines: e.g. "5 → 10 × Legionary", "+ 1 × Power fist", "− 1 × Bolter"; names are the data's.
    """

    node_id: str
    name: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """From one state of a list to another.

    Attributes:
        added, removed: names of units and detachments, with what they are called now or were called.
        facts: names of facts that were stated, changed or taken back.
        limit: the points limit before and after; None when it is the same.
        change: in points; None where a total is unknown.
    """

    before: int
    after: int
    added: tuple[str, ...]
    removed: tuple[str, ...]
    changed: tuple[UnitChange, ...]
    facts: tuple[Text, ...]
    renamed: tuple[str, str] | None
    limit: tuple[int | None, int | None] | None
    change: Decimal | None

    @property
    def is_empty(self) -> bool:
        """Whether the two states are the same."""
        return not (self.added or self.removed or self.changed or self.facts or self.renamed or self.limit)


def history(army_list: ArmyList, *, newest: int = 200) -> tuple[HistoryEntry, ...]:
    """The newest revisions of a list, the present one first, in one query."""
    rows = list(queries.revisions_of(army_list)[: newest + 1])
    entries = []
    for index, row in enumerate(rows[:newest]):
        before = rows[index + 1].points if index + 1 < len(rows) else None
        entries.append(
            HistoryEntry(
                number=row.number,
                kind=RevisionKind(row.kind),
                summary=Text(en=row.summary_en, ru=row.summary_ru),
                created=row.created,
                points=row.points,
                change=row.points - before if row.points is not None and before is not None else None,
                is_present=row.number == army_list.revision,
            )
        )
    return tuple(entries)


def difference(viewer: Viewer, army_list: ArmyList, before: int, after: int) -> Difference:
    """What is different in revision `after` of a list of the viewer's.

    Raises:
        NotFound: not the viewer's own list (readers of a shared list see its present state only), or no such revision.
    """
    own = queries.own_army_list(army_list.pk, viewer)
    return difference_of(queries.revision(own, before), queries.revision(own, after))


def difference_of(before: Revision, after: Revision) -> Difference:
    """What is different in the second of two revisions of one list."""
    kind = list_type_of(before.army_list)
    old, new = kind.read(before.document), kind.read(after.document)
    is_hero = isinstance(old, Loadout)
    return Difference(
        before=before.number,
        after=after.number,
        added=cards_gone(new, old) if is_hero else tuple(_names(new, but_not_in=old)),
        removed=cards_gone(old, new) if is_hero else tuple(_names(old, but_not_in=new)),
        changed=() if is_hero else tuple(_changed_units(old, new)),
        facts=tuple(changed_values(old, new) if is_hero else _changed_facts(old, new)),
        renamed=(before.name, after.name) if before.name != after.name else None,
        limit=(before.points_limit, after.points_limit) if before.points_limit != after.points_limit else None,
        change=after.points - before.points if after.points is not None and before.points is not None else None,
    )


def _names(document: ListDocument, *, but_not_in: ListDocument) -> Iterator[str]:
    for node_id, place in document.places.items():
        if (place.is_force or place.is_unit) and node_id not in but_not_in.places:
            yield display_name(place.node)


def _changed_units(old: ListDocument, new: ListDocument) -> Iterator[UnitChange]:
    for node_id, place in new.places.items():
        earlier = old.places.get(node_id)
        if earlier is None or not place.is_unit:
            continue
        lines = tuple(_lines(earlier, place, old, new))
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


def _changed_facts(old: ListDocument, new: ListDocument) -> Iterator[Text]:
    for name in dict.fromkeys([*old.facts, *new.facts]):
        if name != UNITS and old.facts.get(name) != new.facts.get(name):
            yield FACT_NAMES.get(name, same(name))
    nodes = dict.fromkeys([*(old.facts.get(UNITS) or {}), *(new.facts.get(UNITS) or {})])
    for node_id in nodes:
        before, after = old.facts_of(node_id), new.facts_of(node_id)
        place = new.places.get(node_id) or old.places.get(node_id)
        for name in dict.fromkeys([*before, *after]):
            if place is not None and before.get(name) != after.get(name):
                words, unit = FACT_NAMES.get(name, same(name)), display_name(place.node)
                yield Text(en=f"{unit}: {words.en}", ru=f"{unit}: {words.ru}")
