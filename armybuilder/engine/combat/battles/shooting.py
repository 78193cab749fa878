"""Shooting: a unit picks the best target it can see and reach, and fires its volley at it."""

import numpy as np
import numpy.typing as npt

from armybuilder.engine.combat.battles.forces import MOVED
from armybuilder.engine.combat.battles.ground import NOBODY, SHOOTING, Flags, Ground, Host, hidden
from armybuilder.engine.combat.battles.odds import Ints

Bands = npt.NDArray[np.uint8]


def open_targets(host: Host) -> Flags:
    """Units that may be shot at: not in close combat, and not hidden behind others: shape (units, trials)."""
    free: Flags = (host.foe == NOBODY) & ~hidden(host)
    return free


def shoot_with(ground: Ground, side: int, number: int, targetable: Flags) -> Flags:
    """One unit's shooting in all trials; where it has shot: shape (trials,).

    Args:
        targetable: enemies that may be shot at: shape (enemies, trials).
    """
    mine, theirs = ground.hosts[side], ground.hosts[1 - side]
    plan = ground.plans.of[side][number]
    targets = np.full(ground.trials, NOBODY, np.int64)
    able = mine.alive[number] & (mine.foe[number] == NOBODY) & ~mine.broken[number]
    if not plan.targets or not able.any():
        return targets >= 0
    bands = None if ground.plans.reaches_everywhere[side][number] else _bands(ground, side, number)
    seen = targetable & theirs.alive
    for count, (j, band) in enumerate(plan.targets):
        hit = able & seen[j]
        if bands is not None:
            hit &= bands[j] == band
        np.copyto(targets, j, where=hit)
        able ^= hit
        if count % 3 == 0 and not able.any():
            break
    shot: Flags = targets >= 0
    trials = np.flatnonzero(shot)
    if not len(trials):
        return shot
    if len(trials) < ground.trials:
        targets = targets.take(trials)
    cells = _cells(ground, side, number, bands, targets=targets, trials=trials)
    ground.strike(
        side,
        number,
        table=plan.shots,
        rows=plan.rows.take(cells),
        targets=targets,
        trials=trials,
        way=SHOOTING,
        models=mine.left[number].take(trials),
    )
    return shot


def _bands(ground: Ground, side: int, number: int) -> Bands:
    """The band in which each enemy stands; one more than there are bands when it is out of reach."""
    squares = ground.squares(side, number)
    bands = np.zeros(squares.shape, np.uint8)
    for limit in ground.plans.of[side][number].bands:
        bands += squares > limit
    return bands


def _cells(ground: Ground, side: int, number: int, bands: Bands | None, *, targets: Ints, trials: Ints) -> Ints:
    """Place of the attack among the unit's rows: circumstances, band, enemy."""
    mine, theirs = ground.hosts[side], ground.hosts[1 - side]
    enemies, width = len(theirs.units), len(ground.plans.of[side][number].bands)
    flat = targets * ground.trials + trials
    cells: Ints = targets
    if bands is not None:
        cells = cells + bands.ravel().take(flat).astype(np.int64) * enemies
    if ground.terms.cover:
        cells = cells + theirs.covered.ravel().take(flat).astype(np.int64) * (enemies * width)
    if mine.units[number].move > 0:
        cells = cells + mine.moved[number].take(trials).astype(np.int64) * (MOVED * enemies * width)
    return cells
