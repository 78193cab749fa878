"""Moving and running: towards the nearest enemy one wants, up to the distance one keeps; away from who would charge.

Units are points; they pass through each other, and the table is open but for the chance of cover.
"""

import numpy as np

from armybuilder.engine.combat.battles.ground import DROPPED, NOBODY, Flags, Ground, Reals
from armybuilder.engine.combat.distribution import Distribution

CONTACT = 1.0
"""Units that close in stop this far from an enemy until they charge."""

WITHIN = 0.1
"""Units that shoot stop so far within their reach, as a distance that is just reached may round to one that is not."""

FAR = np.float32(1e12)


def move_unit(ground: Ground, side: int, number: int) -> None:
    """The movement of one unit in all trials where it may move."""
    mine, theirs = ground.hosts[side], ground.hosts[1 - side]
    unit, plan = mine.units[number], ground.plans.of[side][number]
    if unit.move <= 0 or not (plan.seeks or plan.goal):
        return
    free = mine.alive[number] & (mine.foe[number] == NOBODY) & ~mine.broken[number] & ~mine.rallied[number]
    free &= ~mine.pinned[number]
    if unit.arrives:
        free &= mine.came[number] != DROPPED
    if ground.only is not None:
        free &= ground.only
    if not free.any():
        return
    if plan.goal is not None:
        _make_for(ground, side, number, plan.goal, free)
        return
    squares = ground.squares(side, number)
    nearest, who = nearest_of(squares, theirs.alive, plan.seeks)
    distance = np.sqrt(nearest)
    stop = CONTACT if plan.closes_in else max(plan.keeps - WITHIN, 0.0)
    step = np.clip(distance - np.float32(stop), 0.0, np.float32(unit.move))
    if plan.shy:
        step = np.where(_threatened(ground, side, squares), np.float32(-unit.move), step)
    step[~free | (nearest >= FAR)] = 0.0
    _go(ground, side, number, step=step, distance=distance, who=who)


def _make_for(ground: Ground, side: int, number: int, goal: tuple[float, float], free: Flags) -> None:
    """Towards an objective, as far as the unit can, and no further."""
    mine = ground.hosts[side]
    across, along = np.float32(goal[0]) - mine.x[number], np.float32(goal[1]) - mine.y[number]
    distance = np.hypot(across, along)
    step = np.where(free, np.minimum(distance, np.float32(mine.units[number].move)), np.float32(0.0))
    moves = step > np.float32(WITHIN)
    share = np.where(moves, step / np.maximum(distance, np.float32(1e-3)), np.float32(0.0))
    mine.x[number] += across * share
    mine.y[number] += along * share
    _has_moved(ground, side, number, moves)


def run_unit(ground: Ground, side: int, number: int, runs: Distribution, shot: Flags) -> None:
    """The run of one unit in all trials where it has not shot: nearer to what it wants, as far as the die allows.

    Args:
        shot: where it has shot: shape (trials,).
    """
    mine, theirs = ground.hosts[side], ground.hosts[1 - side]
    plan = ground.plans.of[side][number]
    able = mine.alive[number] & (mine.foe[number] == NOBODY) & ~mine.broken[number] & ~shot & ~mine.pinned[number]
    if not plan.seeks or not able.any():
        return
    nearest, who = nearest_of(ground.squares(side, number), theirs.alive, plan.seeks)
    distance = np.sqrt(nearest)
    stop = np.float32(max(plan.keeps - WITHIN, 0.0))
    step = np.clip(distance - stop, 0.0, ground.drawn(runs, ground.trials))
    step[~able | (nearest >= FAR)] = 0.0
    _go(ground, side, number, step=step, distance=distance, who=who)


def _go(ground: Ground, side: int, number: int, *, step: Reals, distance: Reals, who: np.ndarray) -> None:
    """So far towards (negative: away from) an enemy."""
    mine, theirs, terms = ground.hosts[side], ground.hosts[1 - side], ground.terms
    moves = step != 0.0
    if not moves.any():
        return
    aim = who.astype(np.int64) * ground.trials + ground.every
    share = step / np.maximum(distance, np.float32(1e-3))
    mine.x[number] = np.clip(mine.x[number] + (theirs.x.ravel().take(aim) - mine.x[number]) * share, 0.0, terms.width)
    mine.y[number] = np.clip(mine.y[number] + (theirs.y.ravel().take(aim) - mine.y[number]) * share, 0.0, terms.depth)
    _has_moved(ground, side, number, moves)


def _has_moved(ground: Ground, side: int, number: int, moves: Flags) -> None:
    """Whoever has moved may find cover anew."""
    mine, terms = ground.hosts[side], ground.terms
    mine.moved[number] |= moves
    if mine.units[number].shelters and terms.cover:
        found = ground.rng.random(ground.trials, np.float32) < terms.cover
        np.copyto(mine.covered[number], found, where=moves)


def nearest_of(squares: Reals, alive: Flags, wanted: tuple[int, ...]) -> tuple[Reals, np.ndarray]:
    """The nearest of the wanted enemies that stand: its squared distance and its number."""
    best = np.full(squares.shape[1], FAR)
    who = np.zeros(squares.shape[1], np.int16)
    for j in wanted:
        nearer = (squares[j] < best) & alive[j]
        np.copyto(best, squares[j], where=nearer)
        np.copyto(who, np.int16(j), where=nearer)
    return best, who


def _threatened(ground: Ground, side: int, squares: Reals) -> Flags:
    """Where an enemy that closes in could charge in its next turn."""
    theirs = ground.hosts[1 - side]
    found = np.zeros(ground.trials, bool)
    for j, plan in enumerate(ground.plans.of[1 - side]):
        if plan.threat:
            found |= (squares[j] < np.float32(plan.threat**2)) & theirs.alive[j] & (theirs.foe[j] == NOBODY)
    return found
