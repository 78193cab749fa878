"""Simulations that describe their outcome once: what is needed to resolve them exactly and with dice."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy.typing as npt

from armybuilder.engine.combat.distribution import mixture
from armybuilder.engine.combat.outcomes import ExactOutcomes, Outcomes, SampledOutcomes
from armybuilder.engine.combat.sampling import Ledger, blocks
from armybuilder.engine.systems.matchups import Answer, Matchup, ModelNotes, Run, SimulationType


@dataclass(frozen=True, slots=True)
class OutcomeModel:
    """A simulation ready to be resolved.

    Attributes:
        describe: enters every metric; all that is told of an answer is named here and nowhere else.
        dice: rolled in one trial at most.
        ways: chance of each case of the exact form, or how many of `whole` equally likely ways lead to it; None is one
            certain case.
    """

    describe: Callable[[Outcomes], None]
    dice: int = 1
    ways: npt.NDArray[Any] | None = None
    whole: int = 1

    def exact(self) -> Answer:
        """The exact answer."""
        outcomes = ExactOutcomes(1.0 if self.ways is None else self.ways, whole=self.whole)
        self.describe(outcomes)
        return Answer(outcomes.metrics, outcomes.distributions)

    def sampled(self, run: Run, ledger: Ledger) -> None:
        """Every trial, entered into the ledger."""
        for trials in blocks(run.trials, self.dice, progress=run.progress, should_stop=run.should_stop):
            self.describe(SampledOutcomes(ledger, run.rng, trials))
            ledger.close(trials)


def simulation_type(
    request: type[Matchup],
    needs: tuple[str, ...],
    prepare: Callable[[Any, ModelNotes], OutcomeModel],
    guard: Callable[[Any], None] = lambda matchup: None,
) -> SimulationType:
    """A kind of simulation whose preparation notes what the numbers rest on and whose model does the rest."""

    def exact(matchup: Matchup, notes: ModelNotes) -> Answer:
        return prepare(matchup, notes).exact()

    def sampled(matchup: Matchup, notes: ModelNotes, run: Run, ledger: Ledger) -> None:
        prepare(matchup, notes).sampled(run, ledger)

    return SimulationType(request, needs, exact, sampled, guard)


def mixed(parts: Sequence[tuple[float, Answer]]) -> Answer:
    """One of several answers that tell of the same metrics, drawn with these chances."""
    metrics, distributions = parts[0][1].metrics, parts[0][1].distributions
    return Answer(
        {name: sum(chance * answer.metrics[name] for chance, answer in parts) for name in metrics},
        {name: mixture((chance, answer.distributions[name]) for chance, answer in parts) for name in distributions},
    )
