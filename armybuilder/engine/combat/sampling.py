"""Runs a sequence with dice: the same tree as `exact`, rolled for thousands of trials at once."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from armybuilder.engine.combat.distribution import Distribution
from armybuilder.engine.combat.sequence import Both, End, Mark, Node, Roll, Several
from armybuilder.engine.errors import Cancelled

Ints = npt.NDArray[np.int64]

BLOCK = 2_000_000
"""Attacks rolled at once: about 60 MB of dice and indices."""


@dataclass(slots=True)
class Tally:
    """What happened in each trial.

    Attributes:
        packets: shape (trials, effects).
        marks: passages of each mark, shape (trials,) each.
    """

    packets: Ints
    marks: dict[str, Ints] = field(default_factory=dict)


def rolled(node: Node, counts: Ints, effects: Sequence[str], rng: "np.random.Generator") -> Tally:
    """Roll `counts[t]` attacks in trial t.

    Args:
        counts: attacks of each trial, shape (trials,).
        effects: names of the columns of the result; others are dropped.
    """
    trials = len(counts)
    tally = Tally(np.zeros((trials, len(effects)), np.int64))
    columns = {name: i for i, name in enumerate(effects)}

    def visit(node: Node, owners: Ints) -> None:
        if not len(owners):
            return
        match node:
            case End(effect):
                column = columns.get(effect) if effect is not None else None
                if column is not None:
                    tally.packets[:, column] += np.bincount(owners, minlength=trials)
            case Mark(name, then):
                seen = np.bincount(owners, minlength=trials)
                tally.marks[name] = tally.marks[name] + seen if name in tally.marks else seen
                visit(then, owners)
            case Roll(weights, branches):
                for branch, mine in zip(branches, split(rng, weights, owners), strict=True):
                    visit(branch, mine)
            case Several(count, each):
                visit(each, np.repeat(owners, count.roll(rng, len(owners))))
            case Both(first, second):
                visit(first, owners)
                visit(second, owners)

    visit(node, np.repeat(np.arange(trials), counts))
    return tally


def split(rng: "np.random.Generator", weights: Sequence[int], owners: Ints) -> Iterator[Ints]:
    """Roll one die for each owner and hand the owners out to the branches."""
    total = sum(weights)
    kind = np.uint8 if total < 256 else np.int64
    face = rng.integers(0, total, len(owners), dtype=kind)
    low = 0
    for weight in weights:
        yield owners[(face >= low) & (face < low + weight)]
        low += weight


def blocks(
    trials: int,
    attacks: int,
    *,
    progress: Callable[[float], None] | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> Iterator[int]:
    """Cut trials into blocks that fit into memory; the cut depends on nothing but the arguments.

    Raises:
        Cancelled: `should_stop` said so.
    """
    size = max(1, min(trials, BLOCK // max(1, attacks)))
    done = 0
    while done < trials:
        if should_stop is not None and should_stop():
            raise Cancelled(f"Cancelled after {done} of {trials} trials.")
        now = min(size, trials - done)
        yield now
        done += now
        if progress is not None:
            progress(done / trials)


class Ledger:
    """Adds up what every trial of a sampled simulation came to."""

    def __init__(self) -> None:
        """Empty."""
        self.trials = 0
        self._sums: dict[str, float] = {}
        self._squares: dict[str, float] = {}
        self._counts: dict[str, Ints] = {}
        self._ratios: dict[str, tuple[int, int, float]] = {}

    def add(self, name: str, values: npt.NDArray[Any], *, distribution: bool = False) -> None:
        """Enter one metric of a block of trials: numbers, or booleans for a probability.

        Args:
            values: shape (trials of the block,).
            distribution: also keep how often each whole number came.
        """
        numbers = values.astype(np.float64)
        self._sums[name] = self._sums.get(name, 0.0) + float(numbers.sum())
        self._squares[name] = self._squares.get(name, 0.0) + float((numbers * numbers).sum())
        if distribution:
            seen = np.bincount(values.astype(np.int64))
            known = self._counts.get(name, np.zeros(0, np.int64))
            longest = np.zeros(max(len(seen), len(known)), np.int64)
            longest[: len(seen)] += seen
            longest[: len(known)] += known
            self._counts[name] = longest

    def add_same(self, name: str, value: float, trials: int, *, distribution: bool = False) -> None:
        """Enter one metric of trials that all came to the same number, as `add` would."""
        self._sums[name] = self._sums.get(name, 0.0) + value * trials
        self._squares[name] = self._squares.get(name, 0.0) + value * value * trials
        if distribution:
            number = int(value)
            counts = self._counts.get(name)
            if counts is None or len(counts) <= number:
                longer = np.zeros(number + 1, np.int64)
                if counts is not None:
                    longer[: len(counts)] = counts
                counts = self._counts[name] = longer
            counts[number] += trials

    def add_ratio(self, name: str, part: Ints, whole: Ints, otherwise: float) -> None:
        """Enter a share of all cases, such as penetrating hits per hit; trials without a case do not count.

        Args:
            otherwise: the share to report when no trial has a case.
        """
        parts, wholes, _ = self._ratios.get(name, (0, 0, 0.0))
        self._ratios[name] = (parts + int(part.sum()), wholes + int(whole.sum()), otherwise)

    def close(self, trials: int) -> None:
        """Count a finished block."""
        self.trials += trials

    @property
    def means(self) -> dict[str, float]:
        """Mean of each metric."""
        plain = {name: total / self.trials for name, total in self._sums.items()}
        ratios = {name: part / whole if whole else other for name, (part, whole, other) in self._ratios.items()}
        return plain | ratios

    @property
    def standard_errors(self) -> dict[str, float]:
        """Standard error of each mean."""
        means = self.means
        plain = {
            name: float(np.sqrt(max(0.0, square / self.trials - means[name] ** 2) / self.trials))
            for name, square in self._squares.items()
        }
        ratios = {
            name: float(np.sqrt(max(0.0, means[name] * (1.0 - means[name])) / whole)) if whole else 0.0
            for name, (_, whole, _) in self._ratios.items()
        }
        return plain | ratios

    @property
    def distributions(self) -> dict[str, Distribution]:
        """Share of each number, where it was kept."""
        return {name: Distribution(0, counts / self.trials) for name, counts in self._counts.items()}
