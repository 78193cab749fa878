"""Tests of a few dice, written once: every combination is enumerated, or the same dice are rolled."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from armybuilder.engine.combat.distribution import Distribution, of, uniform
from armybuilder.engine.combat.sampling import Ledger, blocks
from armybuilder.engine.systems.fantasy_8th.matchup import FantasyMatchup
from armybuilder.engine.systems.matchups import Answer, ModelNotes, Run, SimulationType

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

    def exact(self) -> Answer:
        """Every combination of the rolls with its chance."""
        axes = [np.flatnonzero(roll.p > 0) for roll in self.rolls]
        grid = np.meshgrid(*axes, indexing="ij") if axes else []
        weight = np.ones(1)
        for roll, index in zip(self.rolls, grid, strict=True):
            weight = weight * roll.p[index.ravel()]
        faces = [roll.values[index.ravel()] for roll, index in zip(self.rolls, grid, strict=True)]
        values = {name: np.broadcast_to(value, weight.shape) for name, value in self.outcome(faces).items()}
        return Answer(
            tidied({name: float(value @ weight) for name, value in values.items()}),
            {
                name: Distribution(0, np.bincount(values[name].astype(np.int64), weights=weight))
                for name in self.counted
            },
        )

    def sampled(self, run: Run, ledger: Ledger) -> None:
        """The same with dice."""
        for size in blocks(run.trials, max(1, len(self.rolls)), progress=run.progress, should_stop=run.should_stop):
            faces = [drawn(roll, run.rng, size) for roll in self.rolls]
            for name, value in self.outcome(faces).items():
                ledger.add(name, np.broadcast_to(value, (size,)), distribution=name in self.counted)
            ledger.close(size)


@dataclass(frozen=True, slots=True)
class Prepared:
    """An experiment made from a document: the two twins that a Kind asks for."""

    make: Callable[[FantasyMatchup, ModelNotes], Experiment]

    def exact(self, clash: FantasyMatchup, notes: ModelNotes) -> Answer:
        """Enumerated."""
        notes.options.update(clash.options.listed())
        return self.make(clash, notes).exact()

    def sampled(self, clash: FantasyMatchup, notes: ModelNotes, run: Run, ledger: Ledger) -> None:
        """Rolled."""
        notes.options.update(clash.options.listed())
        self.make(clash, notes).sampled(run, ledger)


def kind(
    make: Callable[[FantasyMatchup, ModelNotes], Experiment],
    needs: tuple[str, ...],
    guard: Callable[[FantasyMatchup], None],
    labels: Mapping[str, Mapping[int, str]] | None = None,
) -> SimulationType:
    """A kind of simulation that is one experiment; `labels` name the rows of a table it rolls on."""
    prepared = Prepared(make)
    return SimulationType(FantasyMatchup, needs, prepared.exact, prepared.sampled, guard, labels or {})


def tidied(metrics: Mapping[str, float]) -> dict[str, float]:
    """The metrics with chances that rounding noise has pushed past 0 or 1 put back."""
    return {n: min(1.0, max(0.0, value)) if n.startswith("p_") else value for n, value in metrics.items()}


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


SWIFTSTRIDE = of(
    {total: chance / 216 for total, chance in zip(range(2, 13), (1, 3, 7, 12, 19, 27, 34, 36, 34, 27, 16), strict=True)}
)
"""Three D6 without the lowest. Source: L627-631 [text]."""

TWO_D6 = D6 + D6
