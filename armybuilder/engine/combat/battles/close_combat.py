"""Charges and close combat: who reaches whom, blows in order, the loser's nerve."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from armybuilder.engine.combat.battles.forces import Unit
from armybuilder.engine.combat.battles.ground import FIGHTING, NOBODY, Flags, Ground, Reals
from armybuilder.engine.combat.battles.nerve import break_units
from armybuilder.engine.combat.battles.odds import Ints
from armybuilder.engine.combat.battles.reactions import stand_and_shoot
from armybuilder.engine.combat.battles.result_rolls import result_rolls
from armybuilder.engine.combat.battles.shooting import prey_of

Wounds = npt.NDArray[np.int32]

BESIDE = np.float32(0.5)
"""A charger stands this far from its enemy's centre."""


def charge_with(ground: Ground, side: int, number: int, chargeable: Flags) -> None:
    """One unit's charge in all trials where it wants one.

    Args:
        chargeable: enemies that may be charged: shape (enemies, trials).
    """
    mine, theirs = ground.hosts[side], ground.hosts[1 - side]
    unit, plan = mine.units[number], ground.plans.of[side][number]
    if unit.charge is None or not plan.prey:
        return
    targets, squares = prey_of(ground, side, number, chargeable)
    trials = np.flatnonzero(targets >= 0)
    if not len(trials):
        return
    targets = targets.take(trials)
    distance = np.sqrt(squares.ravel().take(targets * ground.trials + trials))
    reach = ground.drawn(unit.charge, len(trials))
    if unit.terrifies:
        stay = ~_flee(ground, side, number, trials, targets, reach=reach)
        trials, targets, distance, reach = trials[stay], targets[stay], distance[stay], reach[stay]
    if ground.terms.reactions:
        left = stand_and_shoot(ground, side, number, targets, trials)
        trials, targets, distance, reach = trials[left], targets[left], distance[left], reach[left]
    reached = reach >= distance
    if ground.terms.charges_first:
        _fall_short(ground, side, number, trials[~reached], targets[~reached])
    trials, targets = trials[reached], targets[reached]
    if not len(trials):
        return
    mine.x[number, trials] = theirs.x[targets, trials]
    mine.y[number, trials] = theirs.y[targets, trials] + (BESIDE if mine.home > theirs.home else -BESIDE)
    mine.foe[number, trials] = targets
    mine.charged[number, trials] = True
    mine.moved[number, trials] = True
    for j in np.unique(targets):
        _meet(ground, side, number, int(j), trials[targets == j])


def _fall_short(ground: Ground, side: int, number: int, trials: Ints, targets: Ints) -> None:
    """A charge that does not reach is a short move, and the unit does nothing else in this turn."""
    mine, theirs = ground.hosts[side], ground.hosts[1 - side]
    across = theirs.x[targets, trials] - mine.x[number, trials]
    along = theirs.y[targets, trials] - mine.y[number, trials]
    share = np.float32(ground.terms.falls_short) / np.maximum(np.hypot(across, along), np.float32(1e-3))
    mine.x[number, trials] += across * np.minimum(share, np.float32(1.0))
    mine.y[number, trials] += along * np.minimum(share, np.float32(1.0))
    mine.moved[number, trials] = mine.rallied[number, trials] = True


def _flee(ground: Ground, side: int, number: int, trials: Ints, targets: Ints, *, reach: Reals) -> Flags:
    """Enemies that flee from a terrible charger, and are destroyed where it reaches them all the same.

    Returns:
        in which of these trials the enemy has fled.
    """
    mine, theirs = ground.hosts[side], ground.hosts[1 - side]
    fled = np.zeros(len(trials), bool)
    for j in np.unique(targets):
        free = (theirs.foe[j, trials] == NOBODY) & ~theirs.broken[j, trials] & (targets == j)
        places = np.flatnonzero(free)
        places = places[ground.rng.random(len(places)) < theirs.units[j].dreads]
        if not len(places):
            continue
        fled[places] = True
        there = trials[places]
        break_units(ground, 1 - side, int(j), there, by=np.full(len(there), number))
        left = theirs.alive[j, there]
        there, far = there[left], reach[places[left]]
        across, along = theirs.x[j, there] - mine.x[number, there], theirs.y[j, there] - mine.y[number, there]
        caught = there[across**2 + along**2 <= far**2]
        ground.remove(1 - side, int(j), caught, FIGHTING, by=np.full(len(caught), number))
    return fled


def _meet(ground: Ground, side: int, number: int, enemy: int, trials: np.ndarray) -> None:
    """An enemy that is charged: one that flees rallies or is gone, one that is free turns to its charger."""
    theirs = ground.hosts[1 - side]
    fleeing = theirs.broken[enemy, trials]
    if fleeing.any() and not ground.terms.markers:
        lost = fleeing & (ground.rng.random(len(trials)) >= theirs.units[enemy].rallies)
        gone = trials[lost]
        ground.remove(1 - side, enemy, gone, FIGHTING, by=np.full(len(gone), number))
        ground.hosts[side].foe[number, gone] = NOBODY
        theirs.broken[enemy, trials[~lost]] = False
        trials = trials[~lost]
    free = theirs.foe[enemy, trials] == NOBODY
    theirs.foe[enemy, trials[free]] = number


def fight(ground: Ground) -> None:
    """One round of every close combat that is going on."""
    engaged = [(host.foe != NOBODY) for host in ground.hosts]
    if not engaged[0].any() and not engaged[1].any():
        return
    lost = [np.zeros(host.left.shape, np.int32) for host in ground.hosts]
    dealt = [np.zeros(host.left.shape, np.int32) for host in ground.hosts]
    steps = sorted({unit.strikes_at for host in ground.hosts for unit in host.units}, reverse=True)
    for step in steps:
        standing = [host.left.copy() for host in ground.hosts]  # equal steps strike at the same time
        for side in (0, 1):
            for number, unit in enumerate(ground.hosts[side].units):
                if unit.strikes_at == step and engaged[side][number].any():
                    _blows(
                        ground,
                        side,
                        number,
                        engaged=engaged[side][number],
                        standing=standing,
                        lost=lost,
                        dealt=dealt,
                    )
    if ground.terms.markers:
        result_rolls(ground, lost)
    else:
        _results(ground, engaged, lost, dealt)
    for host in ground.hosts:
        host.charged[:] = False
    _part(ground)


def _blows(
    ground: Ground,
    side: int,
    number: int,
    *,
    engaged: Flags,
    standing: list[npt.NDArray[np.int16]],
    lost: list[Wounds],
    dealt: list[Wounds],
) -> None:
    mine, theirs = ground.hosts[side], ground.hosts[1 - side]
    plan = ground.plans.of[side][number]
    trials = np.flatnonzero(engaged & (standing[side][number] > 0))
    targets = mine.foe[number].take(trials).astype(np.int64)
    able = standing[1 - side][targets, trials] > 0
    trials, targets = trials[able], targets[able]
    if not len(trials):
        return
    charging = mine.charged[number].take(trials)
    charged = theirs.charged[targets, trials] & (theirs.foe[targets, trials] == number) & ~charging
    cells = targets + (charging + 2 * charged) * np.int64(len(theirs.units))
    rows = plan.blow_rows.take(cells)
    wounds = ground.strike(
        side,
        number,
        table=plan.blows,
        rows=rows,
        targets=targets,
        trials=trials,
        way=FIGHTING,
        models=standing[side][number].take(trials),
    )
    lost[1 - side][targets, trials] += wounds
    dealt[side][number, trials] += wounds


def _results(ground: Ground, engaged: list[Flags], lost: list[Wounds], dealt: list[Wounds]) -> None:
    """Whoever has lost more wounds than dealt, bonuses added, may break or crumble."""
    flights, crumbling = [], []
    orders = [_Order.of(host.units) for host in ground.hosts]
    for side in (0, 1):
        mine, theirs = ground.hosts[side], ground.hosts[1 - side]
        for number, unit in enumerate(mine.units):
            trials = (
                np.flatnonzero(engaged[side][number] & mine.alive[number])
                if unit.stands or unit.crumbles
                else ground.every[:0]
            )
            if not len(trials):
                continue
            foes = mine.foe[number].take(trials).astype(np.int64)
            met = theirs.alive[foes, trials] & (foes != NOBODY)
            trials, foes = trials[met], foes[met]
            own, other = orders[side], orders[1 - side]
            left, theirs_left = mine.left[number].take(trials), theirs.left[foes, trials]
            margin = lost[side][number].take(trials) - dealt[side][number].take(trials)
            margin += other.bonus[foes, theirs_left] - own.bonus[number, left]
            margin += (
                other.charge[foes] * theirs.charged[foes, trials] - unit.charge_bonus * mine.charged[number, trials]
            )
            if unit.crumbles:
                crumbling.append((side, number, trials[margin > 0], foes[margin > 0], margin[margin > 0]))
            steady = own.ranks[number, left] > other.ranks[foes, theirs_left]
            stands = np.array((1.0, *unit.stands)).take(np.clip(margin, 0, len(unit.stands)))
            stands = np.where(steady & bool(unit.stands), unit.steadfast, stands)
            breaks = (margin > 0) & (ground.rng.random(len(trials)) >= stands)
            if unit.dissolves is not None:
                wounds = ground.drawn(unit.dissolves, int(breaks.sum()))
                crumbling.append((side, number, trials[breaks], foes[breaks], wounds))
                continue
            flights.append((side, number, trials[breaks], foes[breaks]))
    for side, number, trials, foes, margin in crumbling:
        ground.crumble(side, number, trials, margin, by=foes)
    for side, number, beaten, winners in flights:
        left = ground.hosts[side].alive[number, beaten]
        trials, foes = beaten[left], winners[left]
        caught = ground.rng.random(len(trials)) < ground.plans.catches[1 - side][foes, number]
        ground.remove(side, number, trials[caught], FIGHTING, by=foes[caught])
        break_units(ground, side, number, trials[~caught], by=foes[~caught])


@dataclass(frozen=True, slots=True)
class _Order:
    """What counts in the combat result besides wounds: by unit and models left, and for having charged."""

    bonus: npt.NDArray[np.int32]
    ranks: npt.NDArray[np.int32]
    charge: npt.NDArray[np.int32]

    @classmethod
    def of(cls, units: Sequence[Unit]) -> "_Order":
        most = max(unit.models for unit in units) + 1
        return cls(
            _by_models([unit.combat_bonus for unit in units], most),
            _by_models([unit.ranks for unit in units], most),
            np.array([unit.charge_bonus for unit in units], np.int32),
        )


def _by_models(rows: Sequence[tuple[int, ...]], most: int) -> npt.NDArray[np.int32]:
    table = np.zeros((len(rows), most), np.int32)
    for number, row in enumerate(rows):
        table[number, : len(row)] = row[:most]
    return table


def _part(ground: Ground) -> None:
    """Units whose enemy is gone, has fled or holds nobody are free; where combat is one round, all are."""
    for side in (0, 1):
        mine, theirs = ground.hosts[side], ground.hosts[1 - side]
        loose = np.array([not unit.locks for unit in theirs.units])
        if not ground.terms.lasting:
            mine.foe[:] = NOBODY
            continue
        for number in range(len(mine.units)):
            trials = np.flatnonzero(mine.foe[number] != NOBODY)
            if not len(trials):
                continue
            foes = mine.foe[number, trials]
            over = ~theirs.alive[foes, trials] | theirs.broken[foes, trials] | ~mine.alive[number, trials] | loose[foes]
            over |= not mine.units[number].locks
            mine.foe[number, trials[over]] = NOBODY
