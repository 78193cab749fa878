"""The result of an assault in games with blast markers: both sides roll, the loser takes hits, breaks and withdraws."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from armybuilder.engine.combat.battles import markers
from armybuilder.engine.combat.battles.forces import Unit
from armybuilder.engine.combat.battles.ground import FIGHTING, NOBODY, Flags, Ground
from armybuilder.engine.combat.battles.nerve import break_units
from armybuilder.engine.combat.battles.odds import Ints

Wounds = npt.NDArray[np.int32]


def result_rolls(ground: Ground, lost: list[Wounds]) -> None:
    """Who charged and who was charged compare what they did; the loser takes the difference, breaks and withdraws.

    Source: Epic L533, L549-L584.
    """
    for side in (0, 1):
        host = ground.hosts[side]
        for number in range(len(host.units)):
            trials = np.flatnonzero(host.charged[number] & (host.foe[number] != NOBODY))
            foes = host.foe[number].take(trials).astype(np.int64)
            for j in np.unique(foes):
                _decide(_Duel(ground, side, number, int(j), trials[foes == j], lost))


@dataclass
class _Duel:
    """One unit that charged and the enemy it charged, in some trials."""

    ground: Ground
    side: int
    number: int
    enemy: int
    trials: Ints
    lost: list[Wounds]


def _decide(duel: _Duel) -> None:
    ground, trials = duel.ground, duel.trials
    mine, theirs = ground.hosts[duel.side], ground.hosts[1 - duel.side]
    lost = duel.lost[duel.side][duel.number].take(trials)
    dealt = duel.lost[1 - duel.side][duel.enemy].take(trials)
    stands, remains = mine.alive[duel.number].take(trials), theirs.alive[duel.enemy].take(trials)
    both = stands & remains
    own = _modifier(ground, (duel.side, duel.number), duel.enemy, trials, dealt)
    other = _modifier(ground, (1 - duel.side, duel.enemy), duel.number, trials, lost)
    dice = ground.rng.integers(1, 7, (2, 2, len(trials))).max(axis=1)
    lead = np.where(both, own + dice[0] - other - dice[1], 0)
    for winner, loser, wins, margin, fallen in (
        ((duel.side, duel.number), (1 - duel.side, duel.enemy), (lead > 0) | (stands & ~remains), lead, lost),
        ((1 - duel.side, duel.enemy), (duel.side, duel.number), (lead < 0) | (remains & ~stands), -lead, dealt),
    ):
        beaten = wins & both
        _beat(ground, loser, winner, trials[beaten], margin[beaten])
        _settle(ground, winner, trials[wins], fallen[wins])


def _modifier(ground: Ground, who: tuple[int, int], enemy: int, trials: Ints, dealt: Wounds) -> Ints:
    """What one side adds to its roll. Source: Epic L556-L562, L580, L672."""
    side, number = who
    mine, theirs = ground.hosts[side], ground.hosts[1 - side]
    unit, other = mine.units[number], theirs.units[enemy]
    left = mine.left[number].take(trials)
    strong = markers.strengths(unit).take(left)
    their_strength = markers.strengths(other).take(theirs.left[enemy].take(trials))
    broken, theirs_broken = mine.broken[number].take(trials), theirs.broken[enemy].take(trials)
    held, theirs_held = mine.markers[number].take(trials), theirs.markers[enemy].take(trials)
    fewer = np.where(broken == theirs_broken, theirs_held > held, theirs_broken)
    bonus = _bonus(unit).take(left)
    found: Ints = (
        dealt.astype(np.int64)
        + (strong > their_strength)
        + ((strong >= 2 * their_strength) & (strong > 0))
        + ((held == 0) & ~broken)
        + fewer
        + bonus
    )
    return found


def _bonus(unit: Unit) -> Ints:
    return np.array(unit.combat_bonus or (0,) * (unit.models + 1), np.int64)


def _beat(ground: Ground, loser: tuple[int, int], winner: tuple[int, int], trials: Ints, margin: Ints) -> None:
    """The loser takes hits without saves; if it was broken it is destroyed, otherwise it breaks and withdraws."""
    side, number = loser
    by = np.full(len(trials), winner[1])
    ground.crumble(side, number, trials, margin, by=by)
    host = ground.hosts[side]
    alive: Flags = host.alive[number].take(trials)
    trials, by = trials[alive], by[alive]
    gone = host.broken[number].take(trials)
    ground.remove(side, number, trials[gone], FIGHTING, by=by[gone])
    break_units(ground, side, number, trials[~gone], by=by[~gone])


def _settle(ground: Ground, winner: tuple[int, int], trials: Ints, fallen: Wounds) -> None:
    """A marker for each of the winner's own losses; it may break by them, but need not withdraw."""
    side, number = winner
    host = ground.hosts[side]
    unbroken = ~host.broken[number].take(trials)
    trials, fallen = trials[unbroken], fallen[unbroken]
    host.markers[number, trials] += fallen.astype(np.int16)
    breaks = trials[
        markers.overwhelmed(host.units[number], host.left[number].take(trials), host.markers[number].take(trials))
    ]
    host.broken[number, breaks] = True
    host.markers[number, breaks] = 0
    ground.chronicle.note_broken(side, number, len(breaks), shot=False)
