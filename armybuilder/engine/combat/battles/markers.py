"""Blast markers: what fire leaves on a unit, whom they silence, when they break it, and how it sheds them.

Only in games whose terms have markers.
"""

import numpy as np
import numpy.typing as npt

from armybuilder.engine.combat.battles.forces import Unit
from armybuilder.engine.combat.battles.ground import NOBODY, SHOOTING, Flags, Ground
from armybuilder.engine.combat.battles.nerve import break_units, fall_back
from armybuilder.engine.combat.battles.odds import Ints

Models = npt.NDArray[np.int16]


def unsuppressed(ground: Ground, side: int, number: int, trials: Ints) -> Models:
    """Models of a unit that fire: every so many markers silence one."""
    host = ground.hosts[side]
    silenced = host.markers[number].take(trials) // host.units[number].marks_a_model
    found: Models = np.maximum(host.left[number].take(trials) - silenced, 0).astype(np.int16)
    return found


def mark_shot(
    ground: Ground, side: int, number: int, *, rows: Ints, targets: Ints, trials: Ints, lost: Ints, more: Flags
) -> None:
    """Markers on targets that have been shot at: for the hit, for each loss, and what the weapons leave besides.

    Args:
        rows: of the attack, with the models that fired; lost: points the target has lost by it.
        more: where it leaves one marker more: losses in a crossfire.
    """
    table = ground.plans.of[side][number].shots
    draws = ground.rng.random((2, len(trials)))
    gained = lost + more + ((lost > 0) | (draws[0] < table.touched.take(rows)))
    gained += np.floor(table.extra.take(rows) + draws[1]).astype(np.int64)
    for j in np.unique(targets):
        there = targets == j
        mark(ground, 1 - side, int(j), trials[there], gained[there], by=number)


def mark(ground: Ground, side: int, number: int, trials: Ints, gained: Ints, *, by: int) -> None:
    """Markers on one unit, to the credit of an enemy: whoever has as many as it is strong breaks.

    On a unit that is broken already each of them is a wound. Source: Epic L602-L614.
    """
    host = ground.hosts[side]
    some = (gained > 0) & host.alive[number].take(trials)
    trials, gained = trials[some], gained[some]
    broken = host.broken[number].take(trials)
    if broken.any():
        hurt = trials[broken]
        hits = unsaved(ground, side, number, gained[broken])
        ground.crumble(side, number, hurt, hits, by=np.full(len(hurt), by), way=SHOOTING)
    trials, gained = trials[~broken], gained[~broken]
    host.markers[number, trials] += gained.astype(np.int16)
    check(ground, side, number, trials, by=by)


def unsaved(ground: Ground, side: int, number: int, hits: Ints) -> Ints:
    """Hits that leave no save; some units save all the same. Source: Epic L551-L553, L614, L660."""
    resists = ground.hosts[side].units[number].resists
    return ground.rng.binomial(hits, 1.0 - resists).astype(np.int64) if resists else hits


def check(ground: Ground, side: int, number: int, trials: Ints, *, by: int) -> None:
    """Break the unit where it has as many markers as it is strong."""
    host = ground.hosts[side]
    breaks = trials[overwhelmed(host.units[number], host.left[number].take(trials), host.markers[number].take(trials))]
    break_units(ground, side, number, breaks, by=np.full(len(breaks), by), way=SHOOTING)


def overwhelmed(unit: Unit, left: Models, markers: Models) -> Flags:
    """Where so many markers break what is left of a unit."""
    found: Flags = (left > 0) & (markers >= strengths(unit).take(left))
    return found


def strengths(unit: Unit) -> Ints:
    """How much it counts for, by models left."""
    return np.array(unit.strength or range(unit.models + 1), np.int64)


def shed(ground: Ground, side: int, number: int, trials: Ints) -> None:
    """A unit regroups: the higher of two dice are taken off, and one for each leader. Source: Epic L598, L684."""
    host = ground.hosts[side]
    off = ground.rng.integers(1, 7, (2, len(trials))).max(axis=0) + host.units[number].leaders
    host.markers[number, trials] = np.maximum(host.markers[number].take(trials) - off, 0)


def tested(ground: Ground, side: int, trials: Ints, chances: npt.NDArray[np.float64]) -> Flags:
    """Tests of one unit; a commander of the army has one failed one of a turn rolled again. Source: Epic L720."""
    host = ground.hosts[side]
    passed: Flags = ground.rng.random(len(trials)) < chances
    commanders = [number for number, unit in enumerate(host.units) if unit.commands]
    if commanders:
        again = ~passed & ~host.rerolled[0].take(trials) & host.alive[commanders].any(axis=0).take(trials)
        places = np.flatnonzero(again)
        host.rerolled[0, trials[places]] = True
        passed[places] = ground.rng.random(len(places)) < chances[places]
    return passed


def end_phase(ground: Ground) -> None:
    """Everybody with markers, or broken, tries to rally; the broken who fail fall back. Source: Epic L624-L628."""
    for side in (0, 1):
        for number in range(len(ground.hosts[side].units)):
            _rally(ground, side, number)
    for host in ground.hosts:
        host.rerolled[:] = False


def _rally(ground: Ground, side: int, number: int) -> None:
    host, theirs = ground.hosts[side], ground.hosts[1 - side]
    trials = np.flatnonzero(host.alive[number] & (host.broken[number] | (host.markers[number] > 0)))
    if not len(trials):
        return
    unit = host.units[number]
    squares = np.where(theirs.alive, ground.squares(side, number), np.inf)
    pressed = squares.min(axis=0, initial=np.inf).take(trials) <= ground.terms.pressed**2
    broken = host.broken[number].take(trials)
    passed = tested(ground, side, trials, np.array(unit.recovers).take(2 * broken + pressed))
    back = trials[passed & broken]
    host.broken[number, back] = False
    host.markers[number, back] = strengths(unit).take(host.left[number].take(back))
    eased = trials[passed]
    markers = host.markers[number].take(eased)
    host.markers[number, eased] = np.maximum(markers - (markers + 1) // 2 - unit.leaders, 0)
    flees = trials[~passed & broken]
    fall_back(ground, side, number, flees, by=np.full(len(flees), NOBODY))
