"""Simulations that describe their outcome once: what is needed to resolve them exactly and with dice."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from armybuilder.engine.combat.distribution import mixture
from armybuilder.engine.combat.outcomes import ExactOutcomes, Outcomes, SampledOutcomes
from armybuilder.engine.combat.sampling import Ledger, blocks
from armybuilder.engine.systems.matchups import Answer, Matchup, ModelNotes, Run, SimulationType


class Resolved(Protocol):
    """What can be worked out with chances and with dice."""

    def exact(self) -> Answer:
        """The exact answer."""

    def sampled(self, run: Run, ledger: Ledger) -> None:
        """Every trial, entered into the ledger."""


@dataclass(frozen=True, slots=True)
class OutcomeModel:
    """A simulation ready to be resolved.

    Attributes:
        describe: enters every metric; all that is told of an answer is named here and nowhere else.
        dice: rolled in one trial at most.
        ways: chance of each case of the exact form, or how many of `whole` equally likely ways lead to it; made when
            they are asked for where that takes long; None is one certain case.
        guard: refuses more trials than the service takes, with LimitExceeded.
    """

    describe: Callable[[Outcomes], None]
    dice: int = 1
    ways: npt.NDArray[Any] | Callable[[], npt.NDArray[Any]] | None = None
    whole: int = 1
    guard: Callable[[int], None] = lambda trials: None

    def exact(self) -> Answer:
        """The exact answer."""
        ways = self.ways() if callable(self.ways) else self.ways
        outcomes = ExactOutcomes(1.0 if ways is None else ways, whole=self.whole)
        self.describe(outcomes)
        return Answer(tidied(outcomes.metrics), outcomes.distributions)

    def sampled(self, run: Run, ledger: Ledger) -> None:
        """Every trial, entered into the ledger."""
        self.guard(run.trials)
        for trials in blocks(run.trials, self.dice, progress=run.progress, should_stop=run.should_stop):
            self.describe(SampledOutcomes(ledger, run.rng, trials))
            ledger.close(trials)


@dataclass(frozen=True, slots=True)
class OneOf:
    """A simulation that goes one of several ways, which is drawn before everything else.

    Attributes:
        models: with the chance of each.
    """

    models: Sequence[tuple[float, OutcomeModel]]

    def exact(self) -> Answer:
        """The exact answer."""
        answer = mixed([(chance, model.exact()) for chance, model in self.models])
        return Answer(tidied(answer.metrics), answer.distributions)

    def sampled(self, run: Run, ledger: Ledger) -> None:
        """Every trial, entered into the ledger."""
        chances = np.array([chance for chance, _ in self.models])
        dice = max(model.dice for _, model in self.models)
        for trials in blocks(run.trials, dice, progress=run.progress, should_stop=run.should_stop):
            shares = run.rng.multinomial(trials, chances / chances.sum())
            for (_, model), share in zip(self.models, shares.tolist(), strict=True):
                model.describe(SampledOutcomes(ledger, run.rng, share))
            ledger.close(trials)


def simulation_type(
    request: type[Matchup],
    needs: tuple[str, ...],
    prepare: Callable[[Any, ModelNotes], Resolved],
    guard: Callable[[Any], None] = lambda matchup: None,
    labels: Mapping[str, Mapping[int, str]] | None = None,
) -> SimulationType:
    """A kind of simulation whose preparation notes what the numbers rest on and whose model does the rest."""

    def exact(matchup: Matchup, notes: ModelNotes) -> Answer:
        return prepare(matchup, notes).exact()

    def sampled(matchup: Matchup, notes: ModelNotes, run: Run, ledger: Ledger) -> None:
        prepare(matchup, notes).sampled(run, ledger)

    return SimulationType(request, needs, exact, sampled, guard, labels or {})


def mixed(parts: Sequence[tuple[float, Answer]]) -> Answer:
    """One of several answers, drawn with these chances; a metric that an answer does not tell of is nothing there."""
    names = dict.fromkeys(name for _, answer in parts for name in answer.metrics)
    return Answer(
        {name: sum(chance * answer.metrics.get(name, 0.0) for chance, answer in parts) for name in names},
        {
            name: mixture((chance, answer.distributions[name]) for chance, answer in parts)
            for name in parts[0][1].distributions
        },
    )


def tidied(metrics: Mapping[str, float]) -> dict[str, float]:
    """The metrics with chances that rounding noise has pushed past 0 or 1 put back."""
    return {n: min(1.0, max(0.0, value)) if n.startswith("p_") else value for n, value in metrics.items()}
