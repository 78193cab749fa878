"""The result of an assault in games with blast markers: both sides roll, the loser takes hits, breaks and withdraws.

After a draw they fight on.
"""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from armybuilder.engine.combat.battles import markers
from armybuilder.engine.combat.battles.forces import Unit
from armybuilder.engine.combat.battles.ground import FIGHTING, NOBODY, Flags, Ground
from armybuilder.engine.combat.battles.nerve import break_units
from armybuilder.engine.combat.battles.odds import Ints

Wounds = npt.NDArray[np.int32]
Models = npt.NDArray[np.int16]

CHARGING, CHARGED, SUPPORTING = 1, 2, 3
"""Places among the rows of blows: of who charges, of who is charged, and of supporting fire."""


def result_rolls(ground: Ground, lost: list[Wounds]) -> None:
    """Who charged and who was charged compare what they did; the loser takes the difference, breaks and withdraws.

    A draw is another round with its supporting fire; what was lost before counts in its result. Source: Epic L533,
    L549-L584.
    """
    for side in (0, 1):
        host = ground.hosts[side]
        for number in range(len(host.units)):
            trials = np.flatnonzero(host.charged[number] & (host.foe[number] != NOBODY))
            foes = host.foe[number].take(trials).astype(np.int64)
            for j in np.unique(foes):
                melee = _Melee(ground, side, number, int(j), trials[foes == j], lost)
                while True:
                    if ground.terms.supports:
                        _support(melee)
                    drawn = _decide(melee)
                    if not len(drawn):
                        break
                    melee = replace(melee, trials=drawn)
                    _fight_on(melee)


@dataclass
class _Melee:
    """One unit that charged and the enemy it charged, in some trials."""

    ground: Ground
    side: int
    number: int
    enemy: int
    trials: Ints
    lost: list[Wounds]

    @property
    def pair(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """Both as (side, number)."""
        return (self.side, self.number), (1 - self.side, self.enemy)


def _fight_on(melee: _Melee) -> None:
    """Another round of blows, of equal steps at the same time."""
    ground, trials = melee.ground, melee.trials
    ways = tuple(zip(melee.pair, melee.pair[::-1], (CHARGING, CHARGED), strict=True))
    for step in sorted({ground.hosts[side].units[number].strikes_at for side, number in melee.pair}, reverse=True):
        standing = [ground.hosts[side].left[number].take(trials) for side, number in melee.pair]
        both = (standing[0] > 0) & (standing[1] > 0)
        for (friend, foe, case), models in zip(ways, standing, strict=True):
            if ground.hosts[friend[0]].units[friend[1]].strikes_at == step:
                _strike(melee, friend, foe, case=case, trials=trials[both], models=models[both])


def _strike(
    melee: _Melee, friend: tuple[int, int], foe: tuple[int, int], *, case: int, trials: Ints, models: Models
) -> None:
    """Blows of one unit, or its supporting fire, at the enemy in this assault."""
    ground = melee.ground
    plan = ground.plans.of[friend[0]][friend[1]]
    row = plan.blow_rows[case * len(ground.hosts[foe[0]].units) + foe[1]]
    wounds = ground.strike(
        *friend,
        table=plan.blows,
        rows=np.full(len(trials), row),
        targets=np.full(len(trials), foe[1]),
        trials=trials,
        way=FIGHTING,
        models=models,
    )
    melee.lost[foe[0]][foe[1], trials] += wounds.astype(np.int32)


def _supporters(melee: _Melee, friend: tuple[int, int], foe: tuple[int, int]) -> list[tuple[int, Flags]]:
    """Free units of one side near enough to fire at the enemy of a friend, and in which of the trials."""
    ground, side = melee.ground, friend[0]
    host, reach = ground.hosts[side], np.float32(ground.terms.supports**2)
    squares = ground.squares(foe[0], foe[1])  # of the foe from all of this side
    near = host.alive & ~host.broken & (host.foe == NOBODY) & (squares <= reach)
    rows = near[:, melee.trials]
    return [(k, rows[k]) for k in range(len(host.units)) if k != friend[1] and rows[k].any()]


def _support(melee: _Melee) -> None:
    """Supporting fire of both sides at once, where both stand. Source: Epic L541-L543."""
    ground, trials = melee.ground, melee.trials
    first, second = melee.pair
    both = ground.hosts[first[0]].alive[first[1]].take(trials) & ground.hosts[second[0]].alive[second[1]].take(trials)
    for friend, foe in ((first, second), (second, first)):
        host = ground.hosts[friend[0]]
        for k, able in _supporters(melee, friend, foe):
            there = trials[both & able]
            _strike(melee, (friend[0], k), foe, case=SUPPORTING, trials=there, models=host.left[k].take(there))


def _shake(melee: _Melee, loser: tuple[int, int], winner: tuple[int, int], beaten: Flags) -> None:
    """A marker for those who stood by while their side lost. Source: Epic L574."""
    for k, able in _supporters(melee, loser, winner):
        there = melee.trials[beaten & able]
        markers.mark(melee.ground, loser[0], k, there, np.ones(len(there), np.int64), by=winner[1])


def _decide(melee: _Melee) -> Ints:
    """Roll for the result and let winner and loser have it.

    Returns:
        trials in which it is a draw and both stand.
    """
    ground, trials = melee.ground, melee.trials
    mine, theirs = ground.hosts[melee.side], ground.hosts[1 - melee.side]
    lost = melee.lost[melee.side][melee.number].take(trials)
    dealt = melee.lost[1 - melee.side][melee.enemy].take(trials)
    stands, remains = mine.alive[melee.number].take(trials), theirs.alive[melee.enemy].take(trials)
    both = stands & remains
    own = _modifier(ground, (melee.side, melee.number), melee.enemy, trials, dealt)
    other = _modifier(ground, (1 - melee.side, melee.enemy), melee.number, trials, lost)
    dice = ground.rng.integers(1, 7, (2, 2, len(trials))).max(axis=1)
    lead = np.where(both, own + dice[0] - other - dice[1], 0)
    for winner, loser, wins, margin, fallen in (
        ((melee.side, melee.number), (1 - melee.side, melee.enemy), (lead > 0) | (stands & ~remains), lead, lost),
        ((1 - melee.side, melee.enemy), (melee.side, melee.number), (lead < 0) | (remains & ~stands), -lead, dealt),
    ):
        beaten = wins & both
        if ground.terms.supports:
            _shake(melee, loser, winner, wins)
        _beat(ground, loser, winner, trials[beaten], margin[beaten])
        _settle(ground, winner, trials[wins], fallen[wins])
    drawn: Ints = trials[both & (lead == 0)]
    return drawn


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
    ground.crumble(side, number, trials, markers.unsaved(ground, side, number, margin), by=by)
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
