"""What changed between two states of a list: units, their options, facts, limit and price."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import queries
from armybuilder.armylists.list_types import UnitChange, list_type_of
from armybuilder.armylists.models import ArmyList, Revision, RevisionKind
from armybuilder.engine.findings import Text


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """One revision as a page of the history shows it.

    Attributes:
        change: difference in points to the revision before; None for the first, or where points are unknown.
        label: what the owner calls this state; empty where he does not.
    """

    number: int
    kind: RevisionKind
    summary: Text
    created: datetime
    points: Decimal | None
    change: Decimal | None
    is_present: bool
    label: str = ""


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
                label=row.label,
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
    changes = kind.changes(old, new, rule_pack=before.army_list.system.rule_pack)
    return Difference(
        before=before.number,
        after=after.number,
        added=changes.added,
        removed=changes.removed,
        changed=changes.changed,
        facts=changes.facts,
        renamed=(before.name, after.name) if before.name != after.name else None,
        limit=(before.points_limit, after.points_limit) if before.points_limit != after.points_limit else None,
        change=after.points - before.points if after.points is not None and before.points is not None else None,
    )
