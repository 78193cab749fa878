"""Edits that bring a sum of points up to what is asked for: units that are there grow, or units are added."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import combinations
from math import ceil

from armybuilder.armylists import edits as e
from armybuilder.armylists.reports import ListFinding, ListReport
from armybuilder.armylists.services import new_id
from armybuilder.engine.errors import GameError
from armybuilder.engine.roster.available_options import Offer, flat, offers
from armybuilder.engine.roster.edits import select
from armybuilder.engine.roster.evaluate import evaluate
from armybuilder.engine.roster.state import SelectionState
from armybuilder.engine.systems.roster_reading.points_cost import points_type

Candidate = tuple[e.Edit, ...]

LARGEST = 60
"""Models beyond which no unit is grown; who wants more of them takes another unit."""

MOST_COPIES = 6
"""Units that are added at once."""

MOST_MIXED, MOST_PAIRS = 16, 8
"""Kinds of unit that are put together in pairs, and pairs that are proposed."""

_AT_LEAST = re.compile(r"(\d[\d,]*)[^;]*?[;,] at least (\d[\d,]*)")
_OF_POINTS = re.compile(r"\b(costs?|points?|pts)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Growing:
    """Models of a unit that may become more: how many there are, how many more may come, what one costs."""

    unit: SelectionState
    offer: Offer
    room: int
    price: Decimal

    def by(self, number: int) -> e.Edit:
        amount = self.offer.current + number
        return e.SetOptionAmount(parent_id=self.unit.id, entry_id=self.offer.entry_id, amount=amount)


def shortfall(finding: ListFinding) -> int:
    """Points that are missing by the words of a finding ("cost 110; at least 500"); 0 where it speaks of none."""
    said = _AT_LEAST.search(finding.message.en)
    if said is None or not _OF_POINTS.search(finding.message.en):
        return 0
    had, asked = (int(number.replace(",", "")) for number in said.groups())
    return max(0, asked - had)


def filled(
    report: ListReport, units: Sequence[SelectionState], force_id: str, offered: Iterable[Offer], gap: int
) -> Iterator[Candidate]:
    """Edits worth so many points or a little more: all units grow alike, one does, some of one kind or two are added.

    Args:
        units: that count for the sum.
        offered: units that may be added and would count; the cheapest first.
    """
    growing = [found for unit in units for found in _growing(report, unit)]
    if together := _grown_alike(growing, gap):
        yield together
    for one in growing if len(growing) > 1 else ():
        if alone := _grown_alike([one], gap):
            yield alone
    known = {unit.entry_id: _worth(report, unit) for unit in units}
    offered = list(offered)
    for offer in offered:
        price = known.get(offer.entry_id) or offer.cost(_points(report))
        added = e.AddUnit(force_id=force_id, entry_id=offer.entry_id)
        if price <= 0:  # what it costs is told by what it brings along
            yield from ((added,) * number for number in (2, 4, MOST_COPIES))
        elif (number := ceil(gap / price)) <= MOST_COPIES:
            yield (added,) * number
    yield from _of_two_kinds(report, force_id, offered, gap)


def _of_two_kinds(report: ListReport, force_id: str, offered: Sequence[Offer], gap: int) -> Iterator[Candidate]:
    """Some units of one kind and some of another, the nearest to the gap first."""
    priced = [
        (e.AddUnit(force_id=force_id, entry_id=offer.entry_id), price)
        for offer in offered[:MOST_MIXED]
        if (price := _as_it_comes(report, force_id, offer)) > 0
    ]
    found = sorted(
        (
            (some * price + more * dearer, some + more, (cheap,) * some + (dear,) * more)
            for (cheap, price), (dear, dearer) in combinations(priced, 2)
            for some in range(1, MOST_COPIES)
            for more in range(1, MOST_COPIES - some + 1)
            if some * price + more * dearer >= gap
        ),
        key=lambda row: row[:2],
    )
    yield from (candidate for _, _, candidate in found[:MOST_PAIRS])


def _as_it_comes(report: ListReport, force_id: str, offer: Offer) -> Decimal:
    """What a unit costs with all that it must have; 0 of one that cannot be taken."""
    try:
        taken = select(
            report.library, report.state.roster, parent_id=force_id, entry_id=offer.entry_id, new_id=new_id
        ).roster
    except GameError:
        return Decimal(0)
    points = _points(report)
    before, after = (
        sum((cost.value for cost in state.costs if cost.type_id == points), Decimal(0))
        for state in (report.state, evaluate(report.library, taken, report.state))
    )
    return after - before


def _grown_alike(growing: Sequence[_Growing], gap: int) -> Candidate:
    """One model each in turn until the gap is closed; nothing where there is no room for so many."""
    more = dict.fromkeys(range(len(growing)), 0)
    left = Decimal(gap)
    while left > 0:
        open_ones = [at for at in more if more[at] < growing[at].room]
        if not open_ones:
            return ()
        for at in open_ones:
            if left > 0:
                more[at] += 1
                left -= growing[at].price
    return tuple(growing[at].by(number) for at, number in more.items() if number)


def _growing(report: ListReport, unit: SelectionState) -> Iterator[_Growing]:
    """The models that a unit has most of, if more may be taken."""
    points = _points(report)
    found = [
        offer
        for offer in flat(offers(report.library, report.state, node_id=unit.id))
        if offer.available and offer.current > 1 and offer.cost(points) > 0
    ]
    if found:
        offer = max(found, key=lambda one: one.current)
        room = LARGEST - offer.current
        yield _Growing(unit, offer, room if offer.room is None else min(room, offer.room), offer.cost(points))


def _points(report: ListReport) -> str:
    return points_type(report.library.cost_types) or ""


def _worth(report: ListReport, unit: SelectionState) -> Decimal:
    return unit.total(_points(report))
