"""Two lists, or two states of one, side by side: units, options, points and what the rules object to."""

from collections import Counter
from collections.abc import Iterable, Iterator
from decimal import Decimal

import msgspec

from armybuilder.armylists.amounts import changed, counted
from armybuilder.armylists.list_sheet import ListSheet, SheetFinding, SheetOption, SheetUnit


class UnitPair(msgspec.Struct, frozen=True, kw_only=True):
    """A unit on both sides; None on the side that lacks it.

    Attributes:
        lines: what is different in it; empty where nothing is, or one side lacks it.
    """

    before: SheetUnit | None
    after: SheetUnit | None
    lines: tuple[str, ...] = ()

    @property
    def is_same(self) -> bool:
        """Whether both sides have it alike."""
        return self.before is not None and self.after is not None and not self.lines

    @property
    def change(self) -> Decimal | None:
        """Points it costs more on the second side; None in a game without points."""
        sides = [Decimal(0) if unit is None else unit.points for unit in (self.before, self.after)]
        before, after = sides
        return None if before is None or after is None else after - before


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """From one list to another.

    Attributes:
        pairs: every unit of either, in the order of the first, new ones at the end.
        settled, new: findings of the first that the second has no more, and the other way round.
    """

    before: ListSheet
    after: ListSheet
    pairs: tuple[UnitPair, ...]
    settled: tuple[SheetFinding, ...]
    new: tuple[SheetFinding, ...]

    @property
    def change(self) -> Decimal | None:
        """Points the second costs more; None in a game without points."""
        if self.before.points is None or self.after.points is None:
            return None
        return self.after.points - self.before.points

    @property
    def lines(self) -> tuple[str, ...]:
        """What is different besides the units: name, limit, what is stated, notes."""
        before, after = self.before, self.after
        lines = [f"{before.name} → {after.name}"] if before.name != after.name else []
        if before.limit != after.limit:
            lines.append(f"{_number(before.limit)} → {_number(after.limit)}")
        had, has = dict(before.facts), dict(after.facts)
        lines += [
            f"{name}: {had.get(name) or '–'} → {has.get(name) or '–'}"
            for name in dict.fromkeys([*had, *has])
            if had.get(name) != has.get(name)
        ]
        if before.warlord != after.warlord:
            lines.append(f"★ {before.warlord or '–'} → {after.warlord or '–'}")
        return (*lines, "✎") if before.notes != after.notes else tuple(lines)

    @property
    def is_empty(self) -> bool:
        """Whether nothing is different."""
        return all(pair.is_same for pair in self.pairs) and not (self.settled or self.new or self.lines)


def compared(before: ListSheet, after: ListSheet) -> Comparison:
    """What is different in the second: units are known by their ids, else by what they are and carry."""
    return Comparison(
        before=before,
        after=after,
        pairs=tuple(_pairs(before, after)),
        settled=_lacking(before.findings, after.findings),
        new=_lacking(after.findings, before.findings),
    )


def _pairs(before: ListSheet, after: ListSheet) -> Iterator[UnitPair]:
    rest = list(after.units)
    partner: dict[str, SheetUnit] = {}
    for is_alike in (_same_id, _same_content, _same_kind):
        for unit in before.units:
            found = next((other for other in rest if unit.id not in partner and is_alike(unit, other)), None)
            if found is not None:
                partner[unit.id] = found
                rest.remove(found)
    for unit in before.units:
        other = partner.get(unit.id)
        lines = () if other is None else tuple(_lines(unit, other))
        yield UnitPair(before=unit, after=other, lines=lines)
    for unit in rest:
        yield UnitPair(before=None, after=unit)


def _same_id(unit: SheetUnit, other: SheetUnit) -> bool:
    return unit.id == other.id


def _same_content(unit: SheetUnit, other: SheetUnit) -> bool:
    return (unit.name, unit.own_name, unit.options) == (other.name, other.own_name, other.options)


def _same_kind(unit: SheetUnit, other: SheetUnit) -> bool:
    return unit.name == other.name


def _lines(unit: SheetUnit, other: SheetUnit) -> Iterator[str]:
    if unit.title != other.title:
        yield f"{unit.title} → {other.title}"
    if unit.role != other.role:
        yield f"{unit.role} → {other.role}"
    had, has = _counts(unit.options), _counts(other.options)
    for name in dict.fromkeys([*had, *has]):
        if had[name] and has[name] and had[name] != has[name]:
            yield changed(had[name], has[name], name)
        elif has[name] and not had[name]:
            yield f"+ {counted(has[name], name)}"
        elif had[name] and not has[name]:
            yield f"− {counted(had[name], name)}"
    if unit.notes != other.notes:
        yield "✎"


def _counts(options: Iterable[SheetOption]) -> Counter[str]:
    """How many of what is in a unit, on all levels."""
    counts: Counter[str] = Counter()
    for option in options:
        counts[option.name] += option.number
        counts.update(_counts(option.options))
    return counts


def _number(limit: Decimal | None) -> str:
    return "–" if limit is None else f"{limit.normalize():f}"


def _lacking(findings: tuple[SheetFinding, ...], others: tuple[SheetFinding, ...]) -> tuple[SheetFinding, ...]:
    """Those that the others do not have, wherever they stand: units of another list have other ids."""
    left = Counter(map(_said, others))
    lacking = []
    for finding in findings:
        if left[_said(finding)]:
            left[_said(finding)] -= 1
        else:
            lacking.append(finding)
    return tuple(lacking)


def _said(finding: SheetFinding) -> tuple[str, ...]:
    return (finding.severity, finding.rule, finding.message, finding.unit)
