"""Tests of a few dice, written once: every combination is enumerated, or the same dice are rolled."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from armybuilder.engine.combat.distribution import Distribution, of, uniform
from armybuilder.engine.combat.outcomes import Outcomes
from armybuilder.engine.systems.fantasy_8th.matchup import FantasyMatchup, within_limits
from armybuilder.engine.systems.matchups import ModelNotes, SimulationType
from armybuilder.engine.systems.outcome_models import OutcomeModel, simulation_type

Ints = npt.NDArray[np.int64]
Outcome = Mapping[str, npt.NDArray[Any]]

D6 = uniform(range(1, 7))


@dataclass(frozen=True, slots=True)
class Experiment:
    """Independent rolls and what they mean.

    Attributes:
        rolls: distribution of each roll, few values each.
        outcome: the rolls, shape (cases,) each, to the value of every metric, shape (cases,) or a plain number.
        counted: metrics whose distribution is given as well.
    """

    rolls: tuple[Distribution, ...]
    outcome: Callable[[Sequence[Ints]], Mapping[str, Any]]
    counted: tuple[str, ...] = ()

    def rolled(self, rng: np.random.Generator, trials: int) -> Outcome:
        """The value of every metric with dice, shape (trials,)."""
        return self._outcome([drawn(roll, rng, trials) for roll in self.rolls], trials)

    def model(self) -> OutcomeModel:
        """The experiment as a simulation: every combination of the rolls is a case."""
        axes = [np.flatnonzero(roll.p > 0) for roll in self.rolls]
        grid = [index.ravel() for index in np.meshgrid(*axes, indexing="ij")] if axes else []
        chances = np.ones(1)
        for roll, index in zip(self.rolls, grid, strict=True):
            chances = chances * roll.p[index]

        faces = [roll.values[index] for roll, index in zip(self.rolls, grid, strict=True)]

        def describe(outcomes: Outcomes) -> None:
            for name, values in outcomes.either(lambda: self._outcome(faces, len(chances)), self.rolled).items():
                outcomes.add(name, values, distribution=name in self.counted)

        return OutcomeModel(describe, max(1, len(self.rolls)), chances)

    def _outcome(self, faces: Sequence[Ints], cases: int) -> Outcome:
        return {name: np.broadcast_to(values, (cases,)) for name, values in self.outcome(faces).items()}


def kind(
    make: Callable[[FantasyMatchup, ModelNotes], Experiment],
    needs: tuple[str, ...],
    labels: Mapping[str, Mapping[int, str]] | None = None,
) -> SimulationType:
    """A kind of simulation that is one experiment; `labels` name the rows of a table it rolls on."""

    def prepare(matchup: FantasyMatchup, notes: ModelNotes) -> OutcomeModel:
        notes.options.update(matchup.options.listed())
        return make(matchup, notes).model()

    return simulation_type(FantasyMatchup, needs, prepare, within_limits, labels)


def two_dice(faces: Sequence[Ints]) -> Ints:
    """Sum of two D6."""
    return faces[0] + faces[1]


def drawn(roll: Distribution, rng: np.random.Generator, size: int) -> Ints:
    """Independent draws from a distribution; a fair die is rolled as such."""
    if len(roll.p) == 1:
        return np.full(size, roll.low, np.int64)
    if float(roll.p.max()) == float(roll.p.min()):
        return rng.integers(roll.low, roll.high + 1, size)
    edges = np.cumsum(roll.p)
    picked = np.searchsorted(edges, rng.random(size) * edges[-1], side="right")
    return np.asarray(roll.low + np.minimum(picked, len(roll.p) - 1), np.int64)


LOWEST_TWO = of(
    {
        total: sum(sum(sorted(dice)[:2]) == total for dice in product(range(1, 7), repeat=3)) / 216
        for total in range(2, 13)
    }
)
"""Of three D6 the two lowest."""

SWIFTSTRIDE = of(
    {total: chance / 216 for total, chance in zip(range(2, 13), (1, 3, 7, 12, 19, 27, 34, 36, 34, 27, 16), strict=True)}
)
"""Three D6 without the lowest. Source: L627-631 [text]."""

TWO_D6 = D6 + D6
