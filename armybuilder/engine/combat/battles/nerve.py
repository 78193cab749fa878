"""Nerve: losses to shooting break units or pin them; the broken fall back and rally, or leave the table."""

import numpy as np

from armybuilder.engine.combat.battles.ground import FLIGHT, NOBODY, SHOOTING, Ground
from armybuilder.engine.combat.battles.odds import Ints


def panic(ground: Ground, side: int, before: np.ndarray) -> None:
    """Tests of an army that has been shot at.

    Args:
        before: its models at the beginning of the phase: shape (units, trials).
    """
    host = ground.hosts[side]
    for number, unit in enumerate(host.units):
        if unit.panics_at is None or unit.holds >= 1.0:
            continue
        lost = before[number] - host.left[number]
        tested = (lost > 0) & (lost >= unit.panics_at * before[number]) & host.alive[number] & ~host.broken[number]
        trials = np.flatnonzero(tested)
        if not len(trials):
            continue
        trials = trials[ground.rng.random(len(trials)) >= unit.holds]
        if unit.dissolves is not None:
            nobody = np.full(len(trials), NOBODY)
            ground.crumble(side, number, trials, ground.drawn(unit.dissolves, len(trials)), by=nobody, way=SHOOTING)
            continue
        break_units(ground, side, number, trials, by=np.full(len(trials), NOBODY), way=SHOOTING)


def pin(ground: Ground, side: int, targets: Ints, trials: Ints) -> None:
    """Units that a volley has hurt may be pinned, outside close combat."""
    host = ground.hosts[side]
    for j in np.unique(targets):
        there = trials[targets == j]
        free = host.alive[j, there] & (host.foe[j, there] == NOBODY) & ~host.broken[j, there]
        there = there[free]
        host.pinned[j, there] |= ground.rng.random(len(there)) >= host.units[j].unpinned


def recover(ground: Ground, side: int, number: int) -> None:
    """A broken unit at the beginning of its turn: it rallies, or falls back further."""
    host = ground.hosts[side]
    trials = np.flatnonzero(host.broken[number] & host.alive[number])
    if not len(trials):
        return
    rallies = ground.rng.random(len(trials)) < host.units[number].rallies
    host.broken[number, trials[rallies]] = False
    host.moved[number, trials[rallies]] = True
    if ground.terms.rallied_stand:
        host.rallied[number, trials[rallies]] = True
    fall_back(ground, side, number, trials[~rallies], by=np.full(int((~rallies).sum()), NOBODY))


def break_units(ground: Ground, side: int, number: int, trials: Ints, *, by: Ints, way: int = FLIGHT) -> None:
    """A unit breaks in some trials and falls back at once."""
    if not len(trials):
        return
    host = ground.hosts[side]
    host.broken[number, trials] = True
    host.markers[number, trials] = 0
    host.foe[number, trials] = NOBODY
    ground.chronicle.note_broken(side, number, len(trials), shot=way == SHOOTING)
    fall_back(ground, side, number, trials, by=by)


def fall_back(ground: Ground, side: int, number: int, trials: Ints, *, by: Ints) -> None:
    """Towards the own edge; who reaches it is gone, or stays there under blast markers."""
    if not len(trials):
        return
    host = ground.hosts[side]
    step = ground.drawn(host.units[number].flees, len(trials))
    towards = -1.0 if host.home == 0.0 else 1.0
    y = host.y[number, trials] + np.float32(towards) * step
    host.y[number, trials] = np.clip(y, 0.0, ground.terms.depth)
    if ground.terms.markers:
        return
    gone = y <= 0.0 if host.home == 0.0 else y >= ground.terms.depth
    if gone.any():
        ground.remove(side, number, trials[gone], FLIGHT, by=by[gone])
