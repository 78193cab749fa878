"""Hits on a formation: spread evenly over the units they can hurt, saved one by one, units and damage capacity lost."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, product
from math import comb, prod
from typing import TypeAlias

import numpy as np

from armybuilder.engine.combat.distribution import binomial
from armybuilder.engine.errors import LimitExceeded
from armybuilder.engine.systems.epic.criticals import Critical as Effect
from armybuilder.engine.systems.epic.matchup import FormationSide

CRITICAL = 1 / 6
"""A 6 on the critical die. Source: L864 [text]."""

Body: TypeAlias = tuple[tuple[int, ...], ...]
"""What is left of a formation: for each group the damage capacity left of each of its units, 1 for an ordinary unit."""

End: TypeAlias = tuple[tuple[int, int], float]
"""What is left of one unit, how many of its lost points leave no marker, and the chance of that."""

TWO_ENDS = 2
"""A unit that is no engine falls or stands; with Disrupt in between it may fall with a marker or without."""

NEGLIGIBLE = 1e-18
"""Chances below this are not followed."""


MAX_WORK_OF_A_GROUP = 3_000_000
MAX_WORK = 10_000_000
"""Numbers written down for one batch of hits on one group of engines, and for a whole attack: half a second, 50 MB."""

MAX_KEPT_UNITS = 30
"""The ends of larger formations are not kept: twenty thousand of them would fill the memory."""

MAX_LISTED_ENDS = 5_000
"""From so many ends one is picked with one draw; of more they are rolled group by group."""

TOO_MANY_WAYS = "Too many combinations of hits for the exact method; use montecarlo."


@dataclass(frozen=True, slots=True)
class Packet:
    """Hits of one kind.

    Attributes:
        hit_class: ordinary, macro or titan killer: the order of resolution.
        fails: chance that a unit of each group does not save; None when these hits cannot hurt the group.
        disrupt: markers come from hits instead of losses.
        damage: chances of 1, 2, ... damage points on a war engine.
        aimed: the firer chooses: they go to the units that save worst, as long as there are any.
    """

    hit_class: int
    fails: tuple[float | None, ...]
    disrupt: bool = False
    damage: tuple[float, ...] = (1.0,)
    aimed: bool = False


@dataclass(frozen=True, slots=True)
class Sturdiness:
    """What one group is made of.

    Attributes:
        engine: loses damage capacity point by point.
        critical: further points of damage that a critical hit costs.
        critical_on_all_hits: the critical die is rolled for saved hits too (option).
        save_per_point: titan killer saves are rolled for each damage point (option).
        leaves_no_markers: Expendable.
    """

    engine: bool
    critical: Effect
    critical_on_all_hits: bool
    save_per_point: bool
    leaves_no_markers: bool


@dataclass(frozen=True, slots=True)
class _Equals:
    """Neighbours of one group that have the same left and are hit by the same packets."""

    left: int
    numbers: tuple[int, ...]
    units: int

    def hit(self, number: int, times: int) -> "_Equals":
        """They with so many hits of a packet more; the dead get none."""
        return _Equals(self.left, self.numbers + (number,) * times, self.units) if self.left > 0 else self

    def parted(self, units: int, number: int) -> "list[_Equals]":
        """The first of them with one hit of a packet more, and the others."""
        hit = _Equals(self.left, (*self.numbers, number), units)
        return [part for part in (hit, _Equals(self.left, self.numbers, self.units - units)) if part.units]


@dataclass(frozen=True, slots=True)
class Loss:
    """One way a batch of hits can end: what is left, points lost that leave no marker, and its chance."""

    body: Body
    unmarked: int
    chance: float


def start_body(formation: FormationSide) -> Body:
    """A formation as it stands."""
    return tuple((unit.capacity_left if unit.track else 1,) * unit.count for unit in formation.groups)


def alive(body: Body) -> int:
    """Units left."""
    return sum(left > 0 for group in body for left in group)


def points(body: Body) -> int:
    """Units left, war engines by the damage capacity they have left."""
    return sum(sum(group) for group in body)


def resolved(
    body: Body, packets: tuple[Packet, ...], counts: tuple[int, ...], sturdiness: tuple[Sturdiness, ...]
) -> tuple[Loss, ...]:
    """Every way hits of one class can end.

    Nobody eligible is hit twice before everybody eligible has been hit once. Source: L398-400 [text].

    Args:
        counts: hits of each packet.
    """
    find = _resolved_before if sum(map(len, body)) <= MAX_KEPT_UNITS else _resolved
    return find(body, packets, counts, sturdiness)


def _resolved(
    body: Body, packets: tuple[Packet, ...], counts: tuple[int, ...], sturdiness: tuple[Sturdiness, ...]
) -> tuple[Loss, ...]:
    hits = _allocated(body, packets, counts)
    ways: dict[tuple[Body, int], float] = {((), 0): 1.0}
    for group, (lefts, struck) in enumerate(zip(body, hits, strict=True)):
        after = _group_losses(lefts, tuple(struck), packets, group, sturdiness[group])
        ways = _joined(ways, after)
    return tuple(Loss(body, unmarked, chance) for (body, unmarked), chance in ways.items())


_resolved_before = lru_cache(maxsize=20_000)(_resolved)


def work_of(losses: Sequence[Loss], sturdiness: Sequence[Sturdiness]) -> int:
    """What following these ends took, in numbers written down: engines are told apart one by one."""
    if not losses:
        return 0
    sizes = zip(losses[0].body, sturdiness, strict=True)
    return len(losses) * sum(len(lefts) ** 2 if each.engine else len(lefts) for lefts, each in sizes)


def hits_that_mark(
    body: Body, packets: Sequence[Packet], counts: Sequence[int], sturdiness: Sequence[Sturdiness]
) -> int:
    """Disrupting hits that leave a marker: all but those on Expendable units. Source: L750, L774 [text]."""
    disrupting = sum(count for packet, count in zip(packets, counts, strict=True) if packet.disrupt)
    if not disrupting or not any(each.leaves_no_markers for each in sturdiness):
        return disrupting
    struck = zip(_allocated(body, packets, counts), sturdiness, strict=True)
    return disrupting - sum(
        packets[number].disrupt
        for units, each in struck
        if each.leaves_no_markers
        for numbers in units
        for number in numbers
    )


def _joined(
    ways: dict[tuple[Body, int], float], group: dict[tuple[tuple[int, ...], int], float]
) -> dict[tuple[Body, int], float]:
    joined: dict[tuple[Body, int], float] = {}
    for ((body, unmarked), chance), ((lefts, more), share) in product(ways.items(), group.items()):
        key = ((*body, lefts), unmarked + more)
        joined[key] = joined.get(key, 0.0) + chance * share
    return joined


def _allocated(body: Body, packets: Sequence[Packet], counts: Sequence[int]) -> list[list[tuple[int, ...]]]:
    """Packet numbers each living unit is hit by, group by group; the dead get none."""
    return [
        [equal.numbers for equal in group for _ in range(equal.units)] for group in _allocation(body, packets, counts)
    ]


def _allocation(body: Body, packets: Sequence[Packet], counts: Sequence[int]) -> list[list[_Equals]]:
    """Who is hit by what, equal neighbours together, so that two hundred units take no longer than their kinds."""
    groups = [[_Equals(left, (), len(list(units))) for left, units in groupby(lefts)] for lefts in body]
    for number, (packet, count) in enumerate(zip(packets, counts, strict=True)):
        eligible = [group for group, equals in enumerate(groups) if packet.fails[group] is not None and _lives(equals)]
        if packet.aimed:
            worst = max((packet.fails[group] or 0.0 for group in eligible), default=0.0)
            eligible = [group for group in eligible if packet.fails[group] == worst]
        if not eligible:
            continue
        living = sum(equal.units for group in eligible for equal in groups[group] if equal.left > 0)
        whole, rest = divmod(count, living)
        if whole:
            for group in eligible:
                groups[group] = [equal.hit(number, whole) for equal in groups[group]]
        places = sorted(
            (len(equal.numbers), group, place)
            for group in eligible
            for place, equal in enumerate(groups[group])
            if equal.left > 0
        )
        struck: dict[tuple[int, int], int] = {}
        for _, group, place in places:
            struck[group, place] = min(rest, groups[group][place].units)
            rest -= struck[group, place]
        for group in eligible:
            groups[group] = [
                part
                for place, equal in enumerate(groups[group])
                for part in equal.parted(struck.get((group, place), 0), number)
            ]
    return groups


def _lives(equals: Sequence[_Equals]) -> bool:
    return any(equal.left > 0 for equal in equals)


def may_be_listed(body: Body, sturdiness: Sequence[Sturdiness]) -> bool:
    """Whether all ways hits can end are few enough to be written down for one trial.

    Engines have their damage points, others stand or have fallen.
    """
    return (
        sum(map(len, body)) <= MAX_KEPT_UNITS
        and prod(
            comb(len(lefts) + max(lefts), len(lefts)) if each.engine else len(lefts) + 1
            for lefts, each in zip(body, sturdiness, strict=True)
            if lefts
        )
        <= MAX_LISTED_ENDS
    )


def rolled(
    body: Body,
    packets: tuple[Packet, ...],
    counts: tuple[int, ...],
    sturdiness: tuple[Sturdiness, ...],
    *,
    draw: float,
    rng: np.random.Generator,
) -> Loss:
    """One way hits of one class end.

    It is picked from all ways by `draw`, uniform between 0 and 1, where they are few; else every group rolls for
    itself, and every engine: whole formations together have more ends than can be written down.
    """
    if may_be_listed(body, sturdiness):
        return drawn(resolved(body, packets, counts, sturdiness), draw)
    after: list[tuple[int, ...]] = []
    unmarked = 0
    for group, (equals, each) in enumerate(zip(_allocation(body, packets, counts), sturdiness, strict=True)):
        lefts: list[int] = []
        for equal in equals:
            blows = tuple(_blow(packets[number], group) for number in equal.numbers)
            ends = _unit_losses(equal.left, blows, each)
            for ((left, silent), _), units in zip(ends, _shared_out(equal.units, ends, rng), strict=True):
                lefts += [left] * units
                unmarked += silent * units
        after.append(tuple(sorted(lefts, reverse=True)))
    return Loss(tuple(after), unmarked, 1.0)


def drawn(ends: Sequence[Loss], draw: float) -> Loss:
    """One of several endings; `draw` is uniform between 0 and 1."""
    for loss in ends:
        draw -= loss.chance
        if draw < 0:
            return loss
    return ends[-1]


def _shared_out(units: int, ends: Sequence[End], rng: np.random.Generator) -> Sequence[int]:
    """How many of equal units come to each of their ends."""
    if len(ends) == 1:
        return [units]
    chances = [chance for _, chance in ends]
    if len(ends) == TWO_ENDS:
        first = int(rng.binomial(units, min(1.0, chances[0] / sum(chances))))
        return [first, units - first]
    shares: list[int] = rng.multinomial(units, np.array(chances) / sum(chances)).tolist()
    return shares


def _group_losses(
    lefts: tuple[int, ...],
    struck: tuple[tuple[int, ...], ...],
    packets: tuple[Packet, ...],
    group: int,
    sturdiness: Sturdiness,
) -> dict[tuple[tuple[int, ...], int], float]:
    """Losses of one group: its units in falling order of what they have left, so that equal ends are one."""
    if not sturdiness.engine:
        size = len(lefts)
        return {
            ((1,) * standing + (0,) * (size - standing), unmarked): chance
            for (standing, unmarked), chance in _standing(lefts, struck, packets, group, sturdiness).items()
        }
    ways: dict[tuple[tuple[int, ...], int], float] = {((), 0): 1.0}
    work = done_units = 0
    for (left, numbers), units in Counter(zip(lefts, struck, strict=True)).items():
        one = _unit_losses(left, tuple(_blow(packets[number], group) for number in numbers), sturdiness)
        done_units += units
        work += len(ways) * comb(units + len(one) - 1, units) * done_units
        if work > MAX_WORK_OF_A_GROUP:
            raise LimitExceeded("Too many war engines are hit at once, in too many ways.", "/defender/units")
        joined: dict[tuple[tuple[int, ...], int], float] = {}
        for ((done, unmarked), chance), (rest, more, share) in product(ways.items(), _of_equal_engines(one, units)):
            key = (tuple(sorted((*done, *rest), reverse=True)), unmarked + more)
            joined[key] = joined.get(key, 0.0) + chance * share
        ways = joined
    return ways


def _of_equal_engines(ends: Sequence[End], units: int) -> list[tuple[tuple[int, ...], int, float]]:
    """What so many engines with the same ends have left, points lost without a marker, and the chance of that."""
    ways: list[tuple[tuple[int, ...], int, float]] = [((), 0, 1.0)]
    for (left, unmarked), share in ends[:-1]:
        powers = [share**such for such in range(units + 1)]
        ways = [
            (lefts + (left,) * such, more + unmarked * such, chance * comb(units - len(lefts), such) * powers[such])
            for lefts, more, chance in ways
            for such in range(units - len(lefts) + 1)
        ]
    (left, unmarked), share = ends[-1]
    powers = [share**such for such in range(units + 1)]
    return [
        (lefts + (left,) * others, more + unmarked * others, chance * powers[others])
        for lefts, more, chance in ways
        for others in (units - len(lefts),)
    ]


def _standing(
    lefts: tuple[int, ...],
    struck: tuple[tuple[int, ...], ...],
    packets: Sequence[Packet],
    group: int,
    sturdiness: Sturdiness,
) -> dict[tuple[int, int], float]:
    """How many units that are no engines stand, and losses without a marker; equally struck ones are taken together."""
    ways: dict[tuple[int, int], float] = {(0, 0): 1.0}
    for (left, numbers), units in Counter(zip(lefts, struck, strict=True)).items():
        one = _unit_losses(left, tuple(_blow(packets[number], group) for number in numbers), sturdiness)
        for many in [_of_many(one, units)] if len(one) <= TWO_ENDS else [one] * units:
            joined: dict[tuple[int, int], float] = {}
            for ((standing, unmarked), chance), ((rest, more), share) in product(ways.items(), many):
                key = (standing + rest, unmarked + more)
                joined[key] = joined.get(key, 0.0) + chance * share
            ways = joined
    return ways


def _of_many(ends: Sequence[End], units: int) -> list[End]:
    """What so many units with the same one or two ends come to together."""
    ((standing, unmarked), chance), ((rest, more), share) = ends[0], ends[-1]
    if len(ends) == 1:
        return [((standing * units, unmarked * units), 1.0)]
    return [
        ((standing * such + rest * (units - such), unmarked * such + more * (units - such)), float(p))
        for such, p in enumerate(binomial(units, chance / (chance + share)).p)
        if p > NEGLIGIBLE
    ]


@dataclass(frozen=True, slots=True)
class _Blow:
    """One hit on a unit of a known group."""

    fails: float
    disrupt: bool
    damage: tuple[float, ...]


def _blow(packet: Packet, group: int) -> _Blow:
    fails = packet.fails[group]
    assert fails is not None  # only eligible groups are hit
    return _Blow(fails, packet.disrupt, packet.damage)


@lru_cache(maxsize=20_000)
def _unit_losses(
    left: int, blows: tuple[_Blow, ...], sturdiness: Sturdiness
) -> tuple[tuple[tuple[int, int], float], ...]:
    """What a unit has left and how many lost points leave no marker, with chances.

    It goes on from fewer blows, which are kept too: their number without its last binary digit that is one, so that
    few numbers stand between none and any.
    """
    before = len(blows) & (len(blows) - 1)
    ways = dict(_unit_losses(left, blows[:before], sturdiness)) if before else {(left, 0): 1.0}
    for blow in blows[before:]:
        if not sturdiness.engine:
            ways = _point(ways, blow, sturdiness, blow.fails)
            continue
        mixed: dict[tuple[int, int], float] = {}
        for number, share in enumerate(blow.damage, start=1):
            for key, chance in _struck(ways, blow, number, sturdiness).items():
                mixed[key] = mixed.get(key, 0.0) + share * chance
        ways = mixed
    return tuple(ways.items())


def _struck(
    ways: dict[tuple[int, int], float], blow: _Blow, points_number: int, sturdiness: Sturdiness
) -> dict[tuple[int, int], float]:
    """One hit of so many damage points."""
    if sturdiness.save_per_point or points_number == 1:
        for _ in range(points_number):
            ways = _point(ways, blow, sturdiness, blow.fails)
        return ways
    hurt = ways
    for _ in range(points_number):
        hurt = _point(hurt, blow, sturdiness, 1.0)
    mixed = {key: chance * (1.0 - blow.fails) for key, chance in ways.items()}
    for key, chance in hurt.items():
        mixed[key] = mixed.get(key, 0.0) + chance * blow.fails
    return mixed


def _point(
    ways: dict[tuple[int, int], float], blow: _Blow, sturdiness: Sturdiness, fails: float
) -> dict[tuple[int, int], float]:
    """One damage point: saved, a point, or a critical hit with what it costs besides."""
    after: dict[tuple[int, int], float] = {}
    silent = blow.disrupt or sturdiness.leaves_no_markers
    lost_with = {0: 1.0 - fails, 1: fails}
    if sturdiness.engine and sturdiness.critical:
        lost_with = {0: (1.0 - fails) * (1.0 - _critical_if_saved(sturdiness)), 1: fails * (1.0 - CRITICAL)}
        for more, share in sturdiness.critical:
            lost_with[1 + more] = lost_with.get(1 + more, 0.0) + fails * CRITICAL * share
            lost_with[more] = lost_with.get(more, 0.0) + (1.0 - fails) * _critical_if_saved(sturdiness) * share
    for (left, unmarked), chance in ways.items():
        if left == 0:
            after[left, unmarked] = after.get((left, unmarked), 0.0) + chance
            continue
        for wanted, share in lost_with.items():
            if share > 0.0:
                lost = min(wanted, left)
                key = (left - lost, unmarked + (lost if silent else 0))
                after[key] = after.get(key, 0.0) + chance * share
    return after


def _critical_if_saved(sturdiness: Sturdiness) -> float:
    """Chance of a critical hit that was saved: none, unless the die is rolled for every hit (option)."""
    return CRITICAL if sturdiness.critical_on_all_hits else 0.0
