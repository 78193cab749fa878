"""Vehicles and buildings: armour penetration, the damage tables, hull points, squadrons."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product

import numpy as np

from armybuilder.engine.combat.dice import Dice
from armybuilder.engine.combat.distribution import Chances, Floats
from armybuilder.engine.combat.sequence import NOTHING, Both, End, Mark, Node, Several, d6, roll
from armybuilder.engine.combat.steps.saves import best_save, saved
from armybuilder.engine.errors import LimitExceeded
from armybuilder.engine.systems.horus_heresy.combat.wounding import D3, Hit
from armybuilder.engine.systems.horus_heresy.matchup import MatchupOptions

MOST_STATES = 5_000
"""States of a squadron that are followed; more are refused."""

HULL = "hull"
IMMOBILISED = "immobilised"
EXPLODES = "explodes"
CRASHES = "crashes"
SCORE = "score"
PIERCED = "pierced"
EFFECTS = (HULL, IMMOBILISED, EXPLODES, CRASHES)
"""What hits do to a vehicle."""

STUNS = "stuns"
STUNNING = (*EFFECTS, STUNS)
"""The same with penetrating hits of a Shock Pulse (L3279)."""

INSIDE = "occupant_hits"
SHAKEN = {4: Dice(1, 6), 6: Dice(2, 6)}
COLLAPSE = Dice(4, 6)
"""Hits of Strength 6, AP-, on whoever is in a building: by result of its table, and when it collapses (L2638-L2646)."""

SCORING = (*EFFECTS, SCORE)
"""The same with what they count for in the combat result: a glancing hit one, a penetrating one two (L2091)."""


@dataclass(frozen=True, slots=True)
class Armour:
    """How a vehicle or building takes a hit on one facing.

    Attributes:
        huge: super-heavies, Knights, Titans, Lumbering Flyers: only Explodes counts, as D3 hull points.
        zooming: a Flyer that is not hovering.
        damage_modifier: of a Massive fortification, -1.
    """

    value: int
    cover: int | None = None
    invulnerable: int | None = None
    shrouded: int | None = None
    slow: bool = False
    huge: bool = False
    zooming: bool = False
    building: bool = False
    damage_modifier: int = 0


@lru_cache(maxsize=16384)
def penetration(hit: Hit, target: Armour, options: MatchupOptions) -> Node:
    """What follows a hit on an armour value.

    Marks "glancing" and "penetrating" count results before saves, PIERCED penetrating hits after them.

    Source: HH L2004-L2038, L942, L980-L982, L2791, L2987, L3079, L3159, L3263, L3333 [text];
    E41-E43 for dice that the text does not combine [decision].
    """
    glancing = Mark("glancing", _defended(hit, target, _glancing(hit), cover=True))
    unsaved = _penetrating(hit, target)
    pierced = Mark(PIERCED, Both(End(STUNS), unsaved) if "shock pulse" in hit.rules else unsaved)
    penetrating = Mark("penetrating", _defended(hit, target, pierced, cover=True))
    if "haywire" in hit.rules:
        return d6(lambda face: NOTHING if face == 1 else glancing if face < 6 else penetrating)
    if hit.strength is None:
        return NOTHING
    strength = hit.strength
    armour = min(target.value, 12) if "lance" in hit.rules else target.value

    def result(total: int) -> Node:
        return NOTHING if total < armour else glancing if total == armour else penetrating

    def again(node: Node) -> bool:
        fails = node is NOTHING
        sunders = "sunder" in hit.rules
        fishes = sunders and options.sunder == "failed_and_glancing" and node is glancing
        return (fails and (sunders or "twin-linked" in hit.rules)) or fishes

    extras = (0,) if hit.rending is None else (1, 2, 3)  # the D3 of Rending is part of the roll, and of its re-roll
    throws = [
        strength + sum(kept) + (extra if _rends(kept, hit.rending) else 0) for kept in _kept(hit) for extra in extras
    ]
    second = roll(throws, result)
    return roll(throws, lambda total: second if again(result(total)) else result(total))


@dataclass(frozen=True, slots=True)
class Vehicle:
    """Where a squadron stands.

    Attributes:
        gone: vehicles destroyed before the present one.
        lost: hull points the present one has lost.
        immobile: the present one cannot move.
        fate: what has happened to the present one: EXPLODES, CRASHES or nothing.
        total: hull points lost by all of them in this attack.
        exploded: any of them.
        score: what the hits count for in the combat result, where it is kept.
        stunned: the present one has suffered a Shock Pulse, where that is kept.
    """

    gone: int
    lost: int
    immobile: bool
    fate: str | None
    total: int
    exploded: bool
    score: int = 0
    stunned: bool = False


@dataclass(frozen=True, slots=True)
class Squadron:
    """Identical vehicles; hits are resolved on the first one until it is destroyed (L2105-L2127).

    Attributes:
        lost: hull points the first one has already lost.
        cargo: Deadly Cargo: a hit that costs hull points but does not destroy it may set it off on a 6 (L2967); of what
            is huge, for D3 more (L2266).
        most_score: the combat result is kept up to this number; 0 keeps none.
        keeps_stuns: a Shock Pulse is kept.
    """

    vehicles: int
    hull_points: int
    lost: int = 0
    immobile: bool = False
    cargo: bool = False
    huge: bool = False
    most_score: int = 0
    keeps_stuns: bool = False

    @property
    def effects(self) -> tuple[str, ...]:
        """What is counted of a hit."""
        return SCORING if self.most_score else STUNNING if self.keeps_stuns else EFFECTS

    @property
    def start(self) -> Vehicle:
        """Before the attack."""
        return Vehicle(0, self.lost, self.immobile, None, 0, False)

    def struck(self, state: Vehicle, counts: tuple[int, ...]) -> Iterator[tuple[float, Vehicle]]:
        """Where one hit leads, with its chance.

        Args:
            counts: of the `effects` that the hit has. All of them strike the same vehicle.
        """
        hull, immobilised, explodes, crashes = counts[: len(EFFECTS)]
        if not any(counts):
            yield 1.0, state
            return
        more = sum(counts[len(EFFECTS) :])
        score = min(self.most_score, state.score + more)
        stunned = state.stunned or (self.keeps_stuns and more > 0)
        repeated = immobilised if state.immobile else max(0, immobilised - 1)
        lost = min(self.hull_points, state.lost + hull + repeated)
        fate = EXPLODES if explodes or state.fate == EXPLODES else CRASHES if crashes else state.fate
        immobile = state.immobile or immobilised > 0
        total = state.total + lost - state.lost
        hurt_only = state.lost < lost < self.hull_points and fate is None
        burst = 1.0 / 6.0 if self.cargo and hurt_only else 0.0
        if burst and self.huge:
            for extra in (1, 2, 3):
                left = min(self.hull_points, lost + extra)
                more_lost = total + left - lost
                hurt = Vehicle(state.gone, left, immobile, fate, more_lost, state.exploded, score, stunned)
                yield burst / 3, self._next(hurt)
        elif burst:
            yield burst, self._next(Vehicle(state.gone, lost, immobile, EXPLODES, total, True, score, stunned))
        exploded = state.exploded or fate == EXPLODES
        yield 1.0 - burst, self._next(Vehicle(state.gone, lost, immobile, fate, total, exploded, score, stunned))

    def is_destroyed(self, state: Vehicle) -> bool:
        """Whether the present vehicle is wrecked, exploded or crashed."""
        return state.lost >= self.hull_points or state.fate is not None

    def slain(self, state: Vehicle) -> int:
        """Vehicles destroyed."""
        return state.gone + self.is_destroyed(state)

    def _next(self, state: Vehicle) -> Vehicle:
        """The next vehicle takes over from a destroyed one; dice still count for the last one (L2018)."""
        if self.is_destroyed(state) and state.gone < self.vehicles - 1:
            return Vehicle(state.gone + 1, 0, False, None, state.total, state.exploded, state.score)
        return state


class Step:
    """Where one hit leads from every state: only the few ways that there are."""

    __array_ufunc__ = None  # `array @ step` is left to the step

    def __init__(self, ways: dict[tuple[int, int], float], size: int) -> None:
        """Keep the ways: state before and after, with their chances."""
        self.size = size
        self.before = np.array([before for before, _ in ways], np.int64)
        self.after = np.array([after for _, after in ways], np.int64)
        self.shares = np.array(list(ways.values()))

    def __rmatmul__(self, chances: Floats) -> Floats:
        """The chances of the states after the hit; shape as before it, with the states last."""
        if chances.ndim > 1:
            return np.stack([row @ self for row in chances])
        moved = np.bincount(self.after, weights=chances[self.before] * self.shares, minlength=self.size)
        return np.asarray(moved, np.float64)


Condition = tuple[bool, int, bool, str | None, bool, int, bool]
"""Whether a vehicle is the last one, what it has lost, immobile, its fate, any exploded, score, stunned."""


class SquadronStates:
    """All states a squadron can reach, numbered; state 0 is the start."""

    def __init__(self, squadron: Squadron, at: str = "") -> None:
        """Explore them.

        Args:
            at: where the document describes the squadron.

        Raises:
            LimitExceeded: more than `MOST_STATES`.
        """
        self.squadron = squadron
        self._ends: dict[tuple[Condition, tuple[int, ...]], tuple[tuple[float, Vehicle], ...]] = {}
        self.states = [squadron.start]
        self.number = {squadron.start: 0}
        one = (0, 1)
        hits: Iterable[tuple[int, ...]] = product((0, 1, 2), one, one, one)
        if squadron.most_score:  # kept of giants alone, which lose nothing but hull points
            hits = product((0, 1, 2), (0,), (0,), (0,), (0, 1, 2))
        elif squadron.keeps_stuns:
            hits = product((0, 1, 2), (0, 1), (0, 1), (0, 1), (0, 1))
        step = [counts for counts in hits if any(counts)]
        ends: dict[Condition, Iterable[Vehicle]] = {}
        for state in self.states:  # grows while it is walked
            if len(self.states) > MOST_STATES:
                raise LimitExceeded(
                    f"{squadron.vehicles} vehicles of {squadron.hull_points} hull points can be in more than"
                    f" {MOST_STATES} states; let fewer of them be attacked.",
                    at,
                )
            condition = self._condition(state)
            if condition not in ends:
                ends[condition] = dict.fromkeys(end for counts in step for _, end in self._ends_of(state, counts))
            for end in ends[condition]:
                reached = _counted_on(state, end)
                if reached not in self.number:
                    self.number[reached] = len(self.states)
                    self.states.append(reached)

    def _condition(self, state: Vehicle) -> Condition:
        """All that a hit asks of a state: but for the last, vehicles fare alike, whatever was gone and lost before."""
        is_last = state.gone == self.squadron.vehicles - 1
        return is_last, state.lost, state.immobile, state.fate, state.exploded, state.score, state.stunned

    def _ends_of(self, state: Vehicle, counts: tuple[int, ...]) -> tuple[tuple[float, Vehicle], ...]:
        """Where one hit leads, with its chance: `gone` and `total` are those that come to the state's."""
        key = self._condition(state), counts
        if key not in self._ends:
            self._ends[key] = tuple(
                (share, replace(reached, gone=reached.gone - state.gone, total=reached.total - state.total))
                for share, reached in self.squadron.struck(state, counts)
            )
        return self._ends[key]

    def step(self, p: Chances) -> Step:
        """Where one hit leads.

        Args:
            p: chances of the counts of `effects`.
        """
        ways: dict[tuple[int, int], float] = {}
        for counts in np.argwhere(p):
            chance, counted = float(p[tuple(counts)]), tuple(int(n) for n in counts)
            for i, state in enumerate(self.states):
                for share, end in self._ends_of(state, counted):
                    way = i, self.number[_counted_on(state, end)]
                    ways[way] = ways.get(way, 0.0) + chance * share
        return Step(ways, len(self.states))


def _counted_on(state: Vehicle, end: Vehicle) -> Vehicle:
    """Where a squadron stands after a hit that led from a state to this end."""
    return replace(end, gone=state.gone + end.gone, total=state.total + end.total)


@lru_cache(maxsize=64)
def squadron_states(squadron: Squadron, at: str) -> SquadronStates:
    """The states of a squadron, kept."""
    return SquadronStates(squadron, at)


def _kept(hit: Hit) -> Iterator[tuple[int, ...]]:
    """The dice of one penetration roll that count, equally likely; Armourbane's die comes on top (E41)."""
    one = range(1, 7)
    if hit.kind == "Destroyer":
        base = [tuple(sorted(dice)[1:]) for dice in product(one, repeat=3)]
    elif hit.kind == "Ordnance":
        base = [(max(dice),) for dice in product(one, repeat=2)]
    else:
        base = [(die,) for die in one]
    for kept in base:
        if "armourbane" in hit.rules:
            for extra in one:
                yield (*kept, extra)
        else:
            yield kept


def _rends(kept: tuple[int, ...], rending: int | None) -> bool:
    return rending is not None and any(die >= rending for die in kept)


def _glancing(hit: Hit) -> Node:
    return Both(_hull(hit), End(SCORE))


def _penetrating(hit: Hit, target: Armour) -> Node:
    """A penetrating hit that was not saved, and the second one of Exoshock, which cover does not stop."""
    points = Both(End(SCORE), End(SCORE))
    once = Both(Both(_hull(hit), points), _damage_table(hit, target))
    if hit.exoshock is None:
        return once
    twice = _defended(hit, target, once, cover=False)
    exoshock = hit.exoshock
    return Both(once, d6(lambda face: twice if face >= exoshock else NOTHING))


def _hull(hit: Hit) -> Node:
    return Several(D3, End(HULL)) if hit.kind == "Destroyer" else End(HULL)


def piercing_bonus(hit: Hit) -> int:
    """What AP 1 and 2 add to the damage table (L2022-L2038)."""
    return {1: 2, 2: 1}.get(hit.ap or 0, 0)


def _damage_table(hit: Hit, target: Armour) -> Node:
    """Source: HH L2022-L2038; slow L2228, huge L2266, zooming L2026, buildings L2638-L2650 [text]."""
    modifier = piercing_bonus(hit) + target.damage_modifier
    explodes: Node = Several(D3, End(HULL)) if target.huge else End(EXPLODES)
    crash = d6(lambda face: _CRASH if face <= 2 else NOTHING)
    immobilised = NOTHING if target.huge or target.building else crash if target.zooming else End(IMMOBILISED)

    def result(face: int) -> Node:
        total = face + modifier
        if target.building and total in SHAKEN:
            return Several(SHAKEN[total], Mark(INSIDE, NOTHING))
        return explodes if total >= 7 else immobilised if total == 6 else NOTHING

    if target.slow:
        return roll([min(dice) for dice in product(range(1, 7), repeat=2)], result)
    return d6(result)


_CRASH = End(CRASHES)


def _defended(hit: Hit, target: Armour, then: Node, *, cover: bool) -> Node:
    """Cover or invulnerable save, then Shrouded. Source: HH L817, L2054-L2057, L3299 [text]."""
    ranged = not hit.melee and not hit.ignores_cover
    hidden = target.shrouded if ranged and "night vision" not in hit.rules else None
    save = best_save((target.cover if ranged and cover else None, target.invulnerable))
    return saved(save, saved(best_save((hidden,)), then))
