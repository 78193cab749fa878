"""Daemonic Instability: a beaten unit of daemons tests instead of breaking, and loses wounds when it fails. [carried]

It loses as many as the test fails by, and is gone on a double six. A double one holds, as insane courage does; that it
also heals what the round has cost is left out.
"""

from typing import NamedTuple

import numpy as np

from armybuilder.engine.combat.distribution import Distribution, of
from armybuilder.engine.combat.outcomes import Outcomes, Values
from armybuilder.engine.systems.fantasy_8th.combat.experiments import TWO_D6, Ints
from armybuilder.engine.systems.fantasy_8th.combat.leadership import Courage

HOLDS, GONE = 2, 12
"""Totals of the test that are passed, and failed for good, whatever the Leadership."""

USUAL_DEFEAT = 3
"""By how much a unit of a whole battle is beaten that loses wounds there. [decision]"""

EVERYBODY = 1_000
"""More wounds than any unit has."""


class Faded(NamedTuple):
    """What a beaten unit loses by its test: wounds, and whether nobody is left."""

    wounds: Values
    ended: Values


def faded(known: Courage, minus: Ints, left: Ints, beaten: np.ndarray, outcomes: Outcomes) -> Faded:
    """The wounds of each case, those it has left at most.

    Args:
        minus: what Leadership is lowered by; left: wounds that the unit still has; beaten: the cases in which it lost.
    """
    if known.fearless or known.value is None:
        return Faded(np.zeros(left.shape), np.zeros(left.shape))
    target = known.value - minus

    def exactly() -> Faded:
        chances = {total: float(TWO_D6.probability(total)) for total in range(HOLDS, GONE + 1)}
        again = sum(chance * _fails(total, target) for total, chance in chances.items()) if known.reroll else 0.0
        wounds, ended = np.zeros(left.shape), np.zeros(left.shape)
        for total, chance in chances.items():
            fails = _fails(total, target)
            share = chance * (again if known.reroll else 1.0) * fails * beaten
            lost = _lost(total, target, left)
            wounds += share * lost
            ended += share * ((lost >= left) & (left > 0))
        return Faded(wounds, ended)

    def rolled(rng: np.random.Generator, trials: int) -> Faded:
        first, second = known.rolled(rng, trials)
        total = np.where(_fails(first, target) & known.reroll, second, first)
        lost = np.where(_fails(total, target) & beaten, _lost(total, target, left), 0)
        return Faded(lost, (lost >= left) & (lost > 0))

    return outcomes.either(exactly, rolled)


def worn_away(known: Courage) -> Distribution:
    """Wounds that a beaten unit of a whole battle loses when it fails its test."""
    target = (known.value if known.value is not None else GONE) - USUAL_DEFEAT
    failing = [total for total in range(HOLDS + 1, GONE + 1) if total > target]
    whole = sum(float(TWO_D6.probability(total)) for total in failing)
    lost = {total: EVERYBODY if total == GONE else total - target for total in failing}
    return of({lost[total]: float(TWO_D6.probability(total)) / whole for total in failing})


def _fails(total: Ints | int, target: Ints) -> np.ndarray:
    return np.asarray((total > target) & (np.asarray(total) != HOLDS))


def _lost(total: Ints | int, target: Ints, left: Ints) -> Ints:
    return np.asarray(np.where(np.asarray(total) == GONE, left, np.minimum(total - target, left)), np.int64)
