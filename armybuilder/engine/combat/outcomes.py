"""One description of what a simulation measures: its cases are weighed with their chances, or rolled as trials."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from armybuilder.engine.combat.distribution import Distribution, Number, of
from armybuilder.engine.combat.sampling import Ledger

T = TypeVar("T")

Values: TypeAlias = Any
"""A number for each case, shape (cases,): numbers, flags, or chances of a flag; or one plain number for all of them."""

Measured: TypeAlias = Values | Distribution
"""What a metric comes to; a Distribution stands for a number that was worked out apart from the cases."""


class Outcomes(ABC):
    """Where a model enters the metrics of its cases, without knowing whether they are weighed or rolled.

    A case is one way the whole thing can end, with its chance, or one trial. Flags and the chances of flags go through
    the same arithmetic: `a * b` is both, `1 - a` is not a, `a * number` counts.
    """

    @abstractmethod
    def add(self, name: str, values: Measured, *, distribution: bool = False) -> None:
        """Enter a metric; `distribution` also keeps how likely each whole number is."""

    @abstractmethod
    def add_ratio(self, name: str, part: Values, whole: Values, otherwise: float) -> None:
        """Enter a share of all cases, such as penetrating hits per hit; `otherwise` when there is none to share."""

    @abstractmethod
    def happens(self, chance: Values, given: Values | None = None) -> Values:
        """A test in every case: its chance, or whether it came so; only where something else was `given`."""

    @abstractmethod
    def averaged(self, values: Values) -> Values:
        """One number for all cases, where what follows does not depend on the case; trials keep their own."""

    @abstractmethod
    def either(self, exactly: Callable[[], T], rolled: Callable[[np.random.Generator, int], T]) -> T:
        """A step that has an exact form and one with dice, given the generator and the number of trials."""

    @abstractmethod
    def endings(self, ends: Iterable[tuple[T, float]]) -> Iterator[tuple["Outcomes", T]]:
        """Each of several ways to end, with the place to enter its metrics.

        Args:
            ends: with the chance of each, given the case at hand, or the number of trials that came to it.
        """


class ExactOutcomes(Outcomes):
    """Cases with their chances: all of them at once, or one after another with plain numbers.

    Attributes:
        metrics: what was entered, in this order.
    """

    def __init__(self, weights: npt.NDArray[Any] | float = 1.0, *, whole: int = 1) -> None:
        """Weigh the cases.

        Args:
            weights: chance of each case, or how many of `whole` equally likely ways lead to it; or the chance of the
                only case, which `endings` divides into several.
        """
        self.weights = weights
        self.whole = whole
        self.metrics: dict[str, float] = {}
        self._spreads: dict[str, dict[int, Number]] = {}
        self._distributions: dict[str, Distribution] = {}
        self._ratios: dict[str, tuple[float, float]] = {}

    @property
    def distributions(self) -> dict[str, Distribution]:
        """Chance of each number, where it was kept."""
        return self._distributions | {name: of(chances) for name, chances in self._spreads.items()}

    def add(self, name: str, values: Measured, *, distribution: bool = False) -> None:
        """Enter a metric: its mean, and its distribution where that is asked for."""
        if isinstance(self.weights, float) and not isinstance(values, Distribution):
            self.metrics[name] = self.metrics.get(name, 0.0) + self.weights * float(values)
            if distribution:
                spread, number = self._spreads.setdefault(name, {}), int(values)
                spread[number] = spread.get(number, 0.0) + self.weights
        elif distribution or isinstance(values, Distribution):
            found = values if isinstance(values, Distribution) else self._spread(values)
            self.metrics[name] = float(found.mean)
            if distribution:
                self._distributions[name] = found
        else:
            self.metrics[name] = self._mean(values)

    def add_ratio(self, name: str, part: Values, whole: Values, otherwise: float) -> None:
        """Enter one mean divided by another."""
        parts, wholes = self._ratios.get(name, (0.0, 0.0))
        parts, wholes = self._ratios[name] = parts + self._mean(part), wholes + self._mean(whole)
        self.metrics[name] = parts / wholes if wholes else otherwise

    def happens(self, chance: Values, given: Values | None = None) -> Values:
        """The chance itself."""
        return chance if given is None else given * chance

    def averaged(self, values: Values) -> Values:
        """The mean."""
        return values if isinstance(self.weights, float) else self._mean(values)

    def either(self, exactly: Callable[[], T], rolled: Callable[[np.random.Generator, int], T]) -> T:
        """The exact form."""
        return exactly()

    def endings(self, ends: Iterable[tuple[T, float]]) -> Iterator[tuple[Outcomes, T]]:
        """One case after another; their metrics are added up."""
        assert isinstance(self.weights, float)  # cases that are weighed all at once have no parts
        whole = self.weights
        for end, chance in ends:
            self.weights = whole * chance
            yield self, end
        self.weights = whole

    def _mean(self, values: Values) -> float:
        if isinstance(self.weights, float):
            return self.weights * float(values)
        each = np.asarray(values)
        if not each.ndim:
            return float(each)
        if each.dtype == bool:
            return float(self.weights[each].sum()) / self.whole
        return float(self.weights @ each) / self.whole

    def _spread(self, values: Values) -> Distribution:
        assert not isinstance(self.weights, float)  # a single case is counted as it comes
        numbers = np.broadcast_to(np.asarray(values, np.int64), self.weights.shape)
        return Distribution(0, np.bincount(numbers, weights=self.weights) / self.whole)


class SampledOutcomes(Outcomes):
    """A block of trials, entered into a ledger."""

    def __init__(self, ledger: Ledger, rng: "np.random.Generator", trials: int) -> None:
        """Open the block."""
        self.ledger, self.rng, self.trials = ledger, rng, trials

    def add(self, name: str, values: Measured, *, distribution: bool = False) -> None:
        """Enter a metric of every trial."""
        assert not isinstance(values, Distribution)  # trials have numbers
        if np.ndim(values):
            self.ledger.add(name, values, distribution=distribution)
        else:
            self.ledger.add_same(name, values, self.trials, distribution=distribution)

    def add_ratio(self, name: str, part: Values, whole: Values, otherwise: float) -> None:
        """Enter what part of all cases of all trials it was."""
        self.ledger.add_ratio(name, self._each(part), self._each(whole), otherwise)

    def happens(self, chance: Values, given: Values | None = None) -> Values:
        """Whether it happens, in every trial; where nothing was given no die is rolled."""
        if given is None:
            return self.rng.random(self.trials) < chance
        found = np.asarray(given, bool).copy()
        found[found] = self.rng.random(int(found.sum())) < chance
        return found

    def averaged(self, values: Values) -> Values:
        """The values themselves."""
        return values

    def either(self, exactly: Callable[[], T], rolled: Callable[[np.random.Generator, int], T]) -> T:
        """The form with dice."""
        return rolled(self.rng, self.trials)

    def endings(self, ends: Iterable[tuple[T, float]]) -> Iterator[tuple[Outcomes, T]]:
        """Each that trials came to, as a block of its own."""
        for end, trials in ends:
            if trials:
                yield SampledOutcomes(self.ledger, self.rng, int(trials)), end

    def _each(self, values: Values) -> npt.NDArray[Any]:
        return np.broadcast_to(np.asarray(values), (self.trials,))
