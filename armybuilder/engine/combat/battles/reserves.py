"""Units that begin off the table: reserves that arrive by dice, and passengers that get out of what carries them."""

from typing import Any

import numpy as np
import numpy.typing as npt

from armybuilder.engine.combat.battles.ground import ASSAULTING, DROPPED, EDGE, FLIGHT, NOBODY, Flags, Ground
from armybuilder.engine.combat.battles.movement import CONTACT, FAR, nearest_of
from armybuilder.engine.combat.battles.nerve import pin
from armybuilder.engine.combat.battles.odds import Ints
from armybuilder.engine.combat.battles.plans import unload_at
from armybuilder.engine.combat.dice import Dice

Places = npt.NDArray[np.floating[Any]]

ASIDE = 6.0
"""Whoever drops aims at a place so far in front of an enemy [decision]."""

STRAYS, HITS = Dice(2, 6).distribution(), 1 / 3
"""It strays so far in any direction, but for one roll of three."""


def bring(ground: Ground, side: int, numbers: list[int]) -> None:
    """At the beginning of a side's movement: reserves arrive, passengers get out where they want to be."""
    host = ground.hosts[side]
    together = ground.rng.random(ground.trials) if any(host.units[number].drops for number in numbers) else None
    for number in numbers:
        unit = host.units[number]
        waits = host.away[number]
        if not unit.arrives or ground.plans.of[side][number].rides is not None or not waits.any():
            continue
        chance = unit.arrives[min(ground.turn, len(unit.arrives) - 1)]
        rolled = together if unit.drops and together is not None else ground.rng.random(ground.trials)
        comes = np.flatnonzero(waits & (rolled < chance))
        if not len(comes):
            continue
        if unit.drops:
            _drop(ground, side, number, comes)
        else:
            _enter(ground, side, number, comes)
    for number in numbers:
        carrier = ground.plans.of[side][number].rides
        if carrier is not None and host.away[number].any():
            _unload(ground, side, number, carrier)


def bail_out(ground: Ground, side: int) -> None:
    """Passengers of what has just been destroyed stand where it stood, and may be pinned there."""
    host = ground.hosts[side]
    for number, plan in enumerate(ground.plans.of[side]):
        if plan.rides is None:
            continue
        lost = np.flatnonzero(host.away[number] & (host.left[plan.rides] == 0))
        if len(lost):
            came = ASSAULTING if host.units[plan.rides].lands_charging else EDGE
            _place(ground, side, number, lost, (host.x[plan.rides, lost], host.y[plan.rides, lost]), came=came)
            pin(ground, side, np.full(len(lost), number), lost)


def give_up(ground: Ground) -> None:
    """At the end of a turn: an army of which nothing is on the table has lost, and its reserves do not arrive."""
    if not ground.terms.loses_without_models:
        return
    for side, host in enumerate(ground.hosts):
        bare = ~host.alive.any(0) & host.away.any(0)
        if not bare.any():
            continue
        for number in range(len(host.units)):
            trials = np.flatnonzero(bare & host.away[number])
            if len(trials):
                ground.remove(side, number, trials, FLIGHT, by=np.full(len(trials), NOBODY))


def _enter(ground: Ground, side: int, number: int, trials: Ints) -> None:
    """From the own edge, in the middle of the front."""
    terms, host = ground.terms, ground.hosts[side]
    across = ground.rng.random(len(trials)) * terms.front + (terms.width - terms.front) / 2
    _place(ground, side, number, trials, (across, np.full(len(trials), host.home)), came=EDGE)


def _drop(ground: Ground, side: int, number: int, trials: Ints) -> None:
    """Somewhere near the enemy it likes best of those that stand; where it likes nobody, in the middle of the table."""
    mine, theirs, terms = ground.hosts[side], ground.hosts[1 - side], ground.terms
    plan = ground.plans.of[side][number]
    x, y = np.full(ground.trials, terms.width / 2), np.full(ground.trials, terms.depth / 2)
    found = np.zeros(ground.trials, bool)
    liked = plan.prey if plan.closes_in else tuple(j for j, _ in plan.targets)
    for j in dict.fromkeys((*liked, *plan.seeks)):
        here = theirs.alive[j] & ~found
        np.copyto(x, theirs.x[j], where=here)
        np.copyto(y, theirs.y[j], where=here)
        found |= here
    towards = -1.0 if mine.home == 0.0 else 1.0
    strays = ground.drawn(STRAYS, len(trials)) * (ground.rng.random(len(trials)) >= HITS)
    angle = ground.rng.random(len(trials)) * 2 * np.pi
    across = x[trials] + strays * np.cos(angle)
    along = y[trials] + towards * ASIDE * found[trials] + strays * np.sin(angle)
    near = found[trials] & (np.hypot(across - x[trials], along - y[trials]) < CONTACT)
    along = np.where(near, y[trials] + towards * CONTACT, along)
    _place(ground, side, number, trials, (across, along), came=DROPPED)


def _unload(ground: Ground, side: int, number: int, carrier: int) -> None:
    """Passengers get out as soon as they can move from there to where they want to be, or if nothing moves them."""
    mine, theirs = ground.hosts[side], ground.hosts[1 - side]
    unit, plan = mine.units[number], ground.plans.of[side][number]
    able: Flags = mine.away[number] & mine.alive[carrier] & (mine.foe[carrier] == NOBODY)
    if plan.goal is not None:
        far = np.hypot(mine.x[carrier] - plan.goal[0], mine.y[carrier] - plan.goal[1])
        there = far <= unit.move
    else:
        nearest, _ = nearest_of(ground.squares(side, carrier), theirs.alive, plan.seeks)
        there = (nearest <= (unit.move + unload_at(unit, plan)) ** 2) & (nearest < FAR)
    out = np.flatnonzero(able & (there | (mine.units[carrier].move <= 0)))
    if len(out):
        came = ASSAULTING if mine.units[carrier].lands_charging else EDGE
        _place(ground, side, number, out, (mine.x[carrier, out], mine.y[carrier, out]), came=came)
        mine.moved[number, out] = True


def _place(ground: Ground, side: int, number: int, trials: Ints, at: tuple[Places, Places], *, came: int) -> None:
    """It stands on the table from now on."""
    host, terms = ground.hosts[side], ground.terms
    host.x[number, trials] = np.clip(at[0], 0.0, terms.width)
    host.y[number, trials] = np.clip(at[1], 0.0, terms.depth)
    host.away[number, trials] = False
    host.alive[number, trials] = True
    host.came[number, trials] = came
