"""Shooting: a unit picks the best target it can see and reach, and fires its volley at it, and may be answered."""

import numpy as np
import numpy.typing as npt

from armybuilder.engine.combat.battles.forces import CROSSED, MOVED
from armybuilder.engine.combat.battles.ground import EDGE, NOBODY, SHOOTING, Flags, Ground, Host, Reals, hidden
from armybuilder.engine.combat.battles.markers import mark_shot, unsuppressed
from armybuilder.engine.combat.battles.nerve import pin
from armybuilder.engine.combat.battles.odds import Ints
from armybuilder.engine.combat.battles.plans import likely_charge
from armybuilder.engine.combat.battles.reactions import answer_fire

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
    able = mine.alive[number] & (mine.foe[number] == NOBODY) & ~mine.broken[number] & ~mine.pinned[number]
    if ground.only is not None:
        able &= ground.only
    if ground.terms.rallied_hold_fire:
        able &= ~mine.rallied[number]
    if not plan.targets or not able.any():
        return targets >= 0
    prey = _prey(ground, side, number)
    if prey is not None:
        able &= prey == NOBODY  # it saves its fire for whom it will charge
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
    if prey is not None and mine.units[number].charges_after:
        _aim_at_prey(ground, side, number, prey=prey, bands=bands, seen=seen, targets=targets)
    shot: Flags = targets >= 0
    trials = np.flatnonzero(shot)
    if not len(trials):
        return shot
    if mine.units[number].charges_after is not None:
        mine.aimed[number] = targets
    if ground.terms.reactions and not ground.terms.at_chargers:
        answer_fire(ground, side, number, targets)
        trials = trials[mine.alive[number, trials]]
    if len(trials) < ground.trials:
        targets = targets.take(trials)
    cells = _cells(ground, side, number, bands, targets=targets, trials=trials)
    _fire(ground, side, number, cells=cells, targets=targets, trials=trials)
    return shot


def _fire(ground: Ground, side: int, number: int, *, cells: Ints, targets: Ints, trials: Ints) -> None:
    """The volley itself, by everybody who is not suppressed, and the markers it leaves."""
    plan = ground.plans.of[side][number]
    crossed = np.zeros(len(trials), bool)
    if ground.terms.crossfire:
        crossed = in_crossfire(ground, side, number, targets=targets, trials=trials)
        cells = cells + crossed * np.int64(CROSSED * len(plan.bands) * len(ground.hosts[1 - side].units))
    rows = plan.rows.take(cells)
    table, models = ground.plans.of[side][number].shots, ground.hosts[side].left[number].take(trials)
    if ground.terms.markers:
        models = unsuppressed(ground, side, number, trials)
    lost = ground.strike(
        side, number, table=table, rows=rows, targets=targets, trials=trials, way=SHOOTING, models=models
    )
    if plan.pins.any():
        enemies = len(ground.hosts[1 - side].units)
        may = plan.pins[cells // enemies % len(plan.bands), targets] & (lost > 0)
        pin(ground, 1 - side, targets[may], trials[may])
    if ground.terms.markers:
        more = crossed & (lost > 0)
        mark_shot(ground, side, number, rows=rows + models, targets=targets, trials=trials, lost=lost, more=more)


def in_crossfire(ground: Ground, side: int, number: int, *, targets: Ints, trials: Ints) -> Flags:
    """Where a line to some other unbroken unit of the army runs over the target. Source: Epic L461-L471."""
    mine, theirs, terms = ground.hosts[side], ground.hosts[1 - side], ground.terms
    x, y = mine.x[number].take(trials), mine.y[number].take(trials)
    across, along = theirs.x[targets, trials] - x, theirs.y[targets, trials] - y
    found = np.zeros(len(trials), bool)
    for k in range(len(mine.units)):
        if k == number:
            continue
        dx, dy = mine.x[k].take(trials) - x, mine.y[k].take(trials) - y
        square = dx * dx + dy * dy
        ahead, aside = across * dx + along * dy, across * dy - along * dx
        found |= (
            (mine.alive[k] & ~mine.broken[k]).take(trials)
            & (square <= terms.crossfire**2)
            & (ahead > 0)
            & (ahead < square)
            & (aside * aside <= square * np.float32(terms.breadth**2))
        )
    return found


def _prey(ground: Ground, side: int, number: int) -> Ints | None:
    """Whom a unit that closes in will charge in each trial, or NOBODY; None where that has nothing to do with fire."""
    unit, plan = ground.hosts[side].units[number], ground.plans.of[side][number]
    if unit.charges_after is None or not plan.closes_in or not plan.prey:
        return None
    theirs = ground.hosts[1 - side]
    found, _ = prey_of(ground, side, number, ~hidden(theirs))
    return found


def _aim_at_prey(
    ground: Ground, side: int, number: int, *, prey: Ints, bands: Bands | None, seen: Flags, targets: Ints
) -> None:
    """Before a charge a unit shoots at nobody else."""
    plan = ground.plans.of[side][number]
    trials = np.flatnonzero(prey != NOBODY)
    aims = prey[trials]
    near = seen[aims, trials]
    if bands is not None:
        near &= bands[aims, trials] < len(plan.bands)
    targets[trials[near]] = aims[near]


def prey_of(ground: Ground, side: int, number: int, chargeable: Flags) -> tuple[Ints, Reals]:
    """Whom a unit would charge in each trial, or NOBODY, and its squared distances from all enemies.

    Args:
        chargeable: enemies that may be charged: shape (enemies, trials).
    """
    mine, theirs = ground.hosts[side], ground.hosts[1 - side]
    unit, plan = mine.units[number], ground.plans.of[side][number]
    targets = np.full(ground.trials, NOBODY, np.int64)
    squares = ground.squares(side, number)
    able = mine.alive[number] & (mine.foe[number] == NOBODY) & ~mine.broken[number] & ~mine.rallied[number]
    able &= ~mine.pinned[number]
    if unit.arrives or plan.rides is not None:
        able &= mine.came[number] != EDGE
    aimed = mine.aimed[number]
    if ground.only is not None:
        able &= ground.only
    if unit.charges_after is False:
        able &= aimed == NOBODY
    if unit.charge is None or not able.any():
        return targets, squares
    limit = np.float32(likely_charge(unit.charge) ** 2)
    for j in plan.prey:
        hit = able & theirs.alive[j] & chargeable[j] & (squares[j] <= limit)
        if unit.charges_after:
            hit &= (aimed == NOBODY) | (aimed == j)
        np.copyto(targets, j, where=hit)
        able ^= hit
    return targets, squares


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
