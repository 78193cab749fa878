"""What each unit wants, decided before the battle: targets in order, the distance it keeps, whom it charges, its goal.

The rules of choice are greedy and know nothing of dice: a unit shoots at the target, among those it can see, of which
its full strength destroys most points; it closes in when what it destroys in close combat, less half of what it suffers
there, is more than what it shoots, on the average of all enemies. Where there are objectives, a unit that scores makes
for one of them whatever else it wants.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from armybuilder.engine.combat.battles.forces import COVERED, CROSSED, MOVED, OPEN, REPLY, STILL, Battle, Unit, Volley
from armybuilder.engine.combat.battles.odds import Ints, Ledge, Table, TableBuilder, ledge_of, track_of
from armybuilder.engine.combat.distribution import Distribution, Floats

GOOD_ENOUGH = 0.5
"""A unit keeps the longest distance at which it destroys this share of what it destroys at its best one."""

STILL_GOOD = 0.6
"""A unit steps back from those who would charge it if it keeps this share of its shooting when it moves."""

CIRCUMSTANCES = (STILL + OPEN, STILL + COVERED, MOVED + OPEN, MOVED + COVERED)
REPLIES = (REPLY + OPEN, REPLY + COVERED)


@dataclass(frozen=True, slots=True)
class Plan:
    """What one unit wants and can do.

    Attributes:
        shots: outcomes of its shooting; rows: row of no models, by circumstances, band and enemy, flattened.
        bands: squares of the distances at which its shooting changes, rising.
        targets: enemies and bands in the order of its liking.
        blows: outcomes of its blows; blow_rows: by (fighting, charging, charged, supporting) and enemy, flattened.
        prey: enemies it charges, in the order of its liking.
        closes_in: it is better in close combat than at shooting.
        shy: it steps back from those who close in.
        seeks: enemies it moves towards; keeps: distance at which it stops.
        threat: distance from which it charges in one turn, if it closes in; 0 otherwise.
        answers: whether it shoots back at an enemy who shoots at it from a band: what its reply destroys there is
            no less than what the replies of its army do on the average. Shape (bands, enemies).
        replies: whether it has a reply at all, by band and enemy.
        pins: whether its volley may pin, by band and enemy.
        goal: the objective that it makes for and stays at.
        rides: number of the unit of its army that carries it at the beginning; delivers: it carries one itself, and
            goes where that one wants to go.
    """

    shots: Table
    rows: Ints
    bands: npt.NDArray[np.float32]
    targets: tuple[tuple[int, int], ...]
    blows: Table
    blow_rows: Ints
    prey: tuple[int, ...]
    closes_in: bool
    shy: bool
    seeks: tuple[int, ...]
    keeps: float
    threat: float
    answers: npt.NDArray[np.bool_]
    replies: npt.NDArray[np.bool_]
    pins: npt.NDArray[np.bool_]
    goal: tuple[float, float] | None = None
    rides: int | None = None
    delivers: bool = False


@dataclass(slots=True)
class _Worked:
    """Tables of a unit, with the points it destroys of each enemy.

    Attributes:
        shooting: by circumstances, band and enemy; fighting by enemy.
    """

    shots: Table
    rows: Ints
    bands: tuple[float, ...]
    shooting: Floats
    blows: Table
    blow_rows: Ints
    fighting: Floats
    charging: Floats


class Plans:
    """The plans of both armies and the states of their units."""

    def __init__(self, battle: Battle) -> None:
        """Work out every table."""
        self.battle = battle
        self.terms = battle.terms
        self.ledges: tuple[Ledge, Ledge] = (self._ledge(0), self._ledge(1))
        worked = [[self._worked(side, i) for i in range(len(battle.armies[side]))] for side in (0, 1)]
        self.of: tuple[tuple[Plan, ...], tuple[Plan, ...]] = (self._plans(0, worked), self._plans(1, worked))

    def _ledge(self, side: int) -> Ledge:
        return ledge_of([track_of(unit.wounds) for unit in self.battle.armies[side]])

    @cached_property
    def catches(self) -> tuple[Floats, Floats]:
        """Chance to catch, by side: shape (units, enemies)."""
        first, second = (np.array(rows, np.float64).reshape(len(rows), -1) for rows in self.battle.catches)
        return first, second

    @cached_property
    def reaches_everywhere(self) -> tuple[tuple[bool, ...], tuple[bool, ...]]:
        """Units, by side, whose shooting is the same at every distance on the table, so that nothing is measured."""
        diagonal = self.terms.width**2 + self.terms.depth**2
        first, second = (tuple(len(p.bands) == 1 and float(p.bands[0]) >= diagonal for p in side) for side in self.of)
        return first, second

    def _worked(self, side: int, number: int) -> _Worked:
        unit, enemies = self.battle.armies[side][number], self.battle.armies[1 - side]
        volleys, blows = self.battle.volleys[side][number], self.battle.blows[side][number]
        bands = tuple(sorted({volley.reach for each in volleys for volley in each}))
        shots, melee = TableBuilder(unit.models), TableBuilder(unit.models)
        cases: Sequence[int] = (*CIRCUMSTANCES, *REPLIES) if self.terms.reactions else CIRCUMSTANCES
        if self.terms.crossfire:
            cases = range(CROSSED + len(CIRCUMSTANCES))
        shape = (len(cases), len(bands), len(enemies))
        rows, shooting = np.zeros(shape, np.int64), np.zeros(shape)
        blow_rows, fighting = np.zeros((4, len(enemies)), np.int64), np.zeros((4, len(enemies)))
        for j, enemy in enumerate(enemies):
            track = track_of(enemy.wounds)
            for band, reach in enumerate(bands):
                volley = _volley_at(volleys[j], reach)
                if volley is None:
                    continue
                for case in cases:
                    rows[case, band, j], share = shots.add(volley.at(case), track)
                    shooting[case, band, j] = share * enemy.points
            each = blows[j]
            for case, attacks in enumerate((each.fighting, each.charging, each.when_charged, each.support)):
                blow_rows[case, j], share = melee.add(attacks, track)
                fighting[case, j] = share * enemy.points
        return _Worked(
            shots.table(), rows.ravel(), bands, shooting, melee.table(), blow_rows.ravel(), fighting[0], fighting[1]
        )

    def _plans(self, side: int, worked: Sequence[Sequence[_Worked]]) -> tuple[Plan, ...]:
        found = [one.shooting[REPLY + OPEN] for one in worked[side]] if self.terms.reactions else []
        values = np.concatenate([each[each > 0.0] for each in found]) if found else np.zeros(0)
        usual = float(values.mean()) if len(values) else 0.0
        goals = self._goals(side)
        plans = [replace(self._plan(side, number, worked, usual), goal=goal) for number, goal in enumerate(goals)]
        return tuple(self._with_passengers(side, plans) if self.terms.reserves else plans)

    def _with_passengers(self, side: int, plans: list[Plan]) -> list[Plan]:
        """The plans with who rides in whom; whoever carries a unit goes where that one wants to go."""
        units = self.battle.armies[side]
        by_id = {unit.id: number for number, unit in enumerate(units)}
        for number, unit in enumerate(units):
            carrier = by_id.get(unit.rides)
            if carrier is None or carrier == number or units[carrier].rides:
                continue
            mine = plans[number] = replace(plans[number], rides=carrier)
            plans[carrier] = replace(
                plans[carrier],
                delivers=True,
                shy=False,
                goal=mine.goal,
                seeks=mine.seeks or plans[carrier].seeks,
                keeps=unload_at(unit, mine) if mine.seeks else plans[carrier].keeps,
            )
        return plans

    def _threat(self, unit: Unit) -> float:
        """Distance from which it charges in its next turn: without a move where it charges before moving."""
        mean = 0.0 if unit.charge is None else float(unit.charge.mean)
        return mean if self.terms.charges_first else unit.move + mean

    def _pins(self, side: int, number: int, bands: tuple[float, ...]) -> npt.NDArray[np.bool_]:
        volleys = self.battle.volleys[side][number]
        found = [[(v := _volley_at(each, reach)) is not None and v.pins for each in volleys] for reach in bands]
        return np.array(found, bool).reshape(len(bands), len(volleys))

    def _goals(self, side: int) -> list[tuple[float, float] | None]:
        """An objective for each unit that scores, the nearest to the own edge first, and from the start again."""
        edge = 0.0 if side == 0 else self.terms.depth
        near = sorted(self.terms.objectives, key=lambda place: abs(place[1] - edge))
        goals: list[tuple[float, float] | None] = []
        given = 0
        for unit in self.battle.armies[side]:
            wanted = bool(near) and unit.scores and unit.move > 0
            goals.append(near[given % len(near)] if wanted else None)
            given += wanted
        return goals

    def _plan(self, side: int, number: int, worked: Sequence[Sequence[_Worked]], usual: float) -> Plan:
        unit, enemies = self.battle.armies[side][number], self.battle.armies[1 - side]
        mine = worked[side][number]
        shooting = mine.shooting[STILL + OPEN]  # by band and enemy
        best = float(shooting.max(initial=0.0))
        dealt = mine.charging
        taken = np.array([theirs.fighting[number] for theirs in worked[1 - side]])
        fights = unit.charge is not None and bool((dealt > 0).any())
        means = shooting.mean(1) if len(mine.bands) else np.zeros(0)
        closes_in = fights and float(np.maximum(dealt - taken / 2, 0.0).mean()) > means.max(initial=0.0)
        prey = _order(dealt - taken, (dealt > 0) & ((dealt >= taken) | closes_in)) if fights else ()
        keeps = 0.0
        if not closes_in and means.any():
            keeps = max(d for d, value in zip(mine.bands, means, strict=True) if value >= GOOD_ENOUGH * means.max())
        moving = mine.shooting[MOVED + OPEN].max(initial=0.0)
        reply = mine.shooting[REPLY + OPEN] if self.terms.reactions else np.zeros_like(shooting)
        seeks = dealt > 0 if closes_in else shooting.any(0) if len(mine.bands) else np.zeros(len(enemies), bool)
        return Plan(
            shots=mine.shots,
            rows=mine.rows,
            bands=np.array(mine.bands, np.float32) ** 2,
            targets=_targets(shooting),
            blows=mine.blows,
            blow_rows=mine.blow_rows,
            prey=prey,
            closes_in=closes_in,
            shy=not closes_in and best > 0 and moving >= STILL_GOOD * best,
            seeks=tuple(int(j) for j in np.flatnonzero(seeks)),
            keeps=keeps,
            threat=self._threat(unit) if closes_in else 0.0,
            answers=(reply > 0.0) & (reply >= usual),
            replies=reply > 0.0,
            pins=self._pins(side, number, mine.bands),
        )


def likely_charge(charge: Distribution) -> float:
    """The longest distance that a charge covers at least every other time: nobody tries a longer one."""
    return max(float(d) for d in charge.values if charge.at_least(int(d)) >= 0.5)


def unload_at(unit: Unit, plan: Plan) -> float:
    """Distance from an enemy at which a passenger gets out: it is where it wants to be, or can charge from there."""
    return likely_charge(unit.charge) if plan.closes_in and unit.charge is not None else plan.keeps


def _volley_at(volleys: Sequence[Volley], reach: float) -> Volley | None:
    """The volley of the band that ends at `reach`, or the wider one that holds it."""
    return next((volley for volley in volleys if volley.reach >= reach), None)


def _targets(shooting: Floats) -> tuple[tuple[int, int], ...]:
    """Enemy and band in falling order of the points destroyed; equal ones in the order of the list."""
    bands, enemies = np.nonzero(shooting > 0)
    values = shooting[bands, enemies]
    order = np.lexsort((enemies, bands, -np.round(values, 9)))
    return tuple((int(enemies[n]), int(bands[n])) for n in order)


def _order(values: Floats, wanted: npt.NDArray[np.bool_]) -> tuple[int, ...]:
    return tuple(int(j) for j in np.argsort(-np.round(values, 9), kind="stable") if wanted[j])
