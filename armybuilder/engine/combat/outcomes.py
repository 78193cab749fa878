"""One description of what a simulation measures: its cases are weighed with their chances, or rolled as trials."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from armybuilder.engine.combat.distribution import Distribution
from armybuilder.engine.combat.sampling import Ledger

T = TypeVar("T")

Values: TypeAlias = Any
"""A number for each case, shape (cases,): numbers, flags, or chances of a flag; or one plain number for all of them."""

Measured: TypeAlias = Values | Distribution
"""What a metric comes to; a Distribution stands for a number that was worked out apart from the cases."""


class Outcomes(ABC):
    """Where a model enters the metrics of its cases, without knowing whether they are weighed or rolled.

    A case is one way the whole thing can end, with its chance, or one trial. Flags and the chances of flags go through
    the same arithmetic: `a * b` is both, `1 - a` is neither, `a * number` counts.
    """

    @abstractmethod
    def add(self, name: str, values: Measured, *, distribution: bool = False) -> None:
        """Enter a metric; `distribution` also keeps how likely each whole number is."""

    @abstractmethod
    def add_ratio(self, name: str, part: Values, whole: Values, otherwise: float) -> None:
        """Enter a share of all cases, such as penetrating hits per hit; `otherwise` when there is none to share."""

    @abstractmethod
    def happens(self, chance: Values) -> Values:
        """A test in every case: its chance, or whether it came so."""

    @abstractmethod
    def either(self, exactly: Callable[[], T], rolled: Callable[[np.random.Generator, int], T]) -> T:
        """A step that has an exact form and one with dice, given the generator and the number of trials."""


class ExactOutcomes(Outcomes):
    """Cases with their chances.

    Attributes:
        metrics, distributions: what was entered, in this order.
    """

    def __init__(self, weights: npt.NDArray[Any] | None = None, *, whole: int = 1) -> None:
        """Weigh the cases; without weights there is one, which is certain.

        Args:
            weights: chance of each case, or how many of `whole` equally likely ways lead to it.
        """
        self.weights = np.ones(1) if weights is None else weights
        self.whole = whole
        self.metrics: dict[str, float] = {}
        self.distributions: dict[str, Distribution] = {}

    def add(self, name: str, values: Measured, *, distribution: bool = False) -> None:
        """Enter a metric: its mean, and its distribution where that is asked for."""
        if not distribution and not isinstance(values, Distribution):
            self.metrics[name] = self._mean(np.asarray(values))
            return
        found = values if isinstance(values, Distribution) else self._spread(np.asarray(values))
        self.metrics[name] = float(found.mean)
        if distribution:
            self.distributions[name] = found

    def add_ratio(self, name: str, part: Values, whole: Values, otherwise: float) -> None:
        """Enter one mean divided by another."""
        cases = self._mean(np.asarray(whole))
        self.metrics[name] = self._mean(np.asarray(part)) / cases if cases else otherwise

    def happens(self, chance: Values) -> Values:
        """The chance itself."""
        return chance

    def either(self, exactly: Callable[[], T], rolled: Callable[[np.random.Generator, int], T]) -> T:
        """The exact form."""
        return exactly()

    def _mean(self, values: npt.NDArray[Any]) -> float:
        if not values.ndim:
            return float(values)
        if values.dtype == bool:
            return float(self.weights[values].sum()) / self.whole
        return float(self.weights @ values) / self.whole

    def _spread(self, values: npt.NDArray[Any]) -> Distribution:
        numbers = np.broadcast_to(values, self.weights.shape).astype(np.int64)
        return Distribution(0, np.bincount(numbers, weights=self.weights) / self.whole)


class SampledOutcomes(Outcomes):
    """A block of trials, entered into a ledger."""

    def __init__(self, ledger: Ledger, rng: np.random.Generator, trials: int) -> None:
        """Open the block."""
        self.ledger, self.rng, self.trials = ledger, rng, trials

    def add(self, name: str, values: Measured, *, distribution: bool = False) -> None:
        """Enter a metric of every trial."""
        assert not isinstance(values, Distribution)  # trials have numbers
        self.ledger.add(name, self._each(values), distribution=distribution)

    def add_ratio(self, name: str, part: Values, whole: Values, otherwise: float) -> None:
        """Enter what part of all cases of all trials it was."""
        self.ledger.add_ratio(name, self._each(part), self._each(whole), otherwise)

    def happens(self, chance: Values) -> Values:
        """Whether it happens, in every trial."""
        return self.rng.random(self.trials) < chance

    def either(self, exactly: Callable[[], T], rolled: Callable[[np.random.Generator, int], T]) -> T:
        """The form with dice."""
        return rolled(self.rng, self.trials)

    def _each(self, values: Values) -> npt.NDArray[Any]:
        return np.broadcast_to(np.asarray(values), (self.trials,))
