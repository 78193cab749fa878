"""Exact finite distributions of whole numbers: sums, mixtures, limits, as float64 or, for an oracle, as fractions."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from math import comb, log, log1p
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Number: TypeAlias = float | Fraction
Floats: TypeAlias = npt.NDArray[np.float64]
Chances: TypeAlias = npt.NDArray[Any]
"""Probabilities: float64, or an object array of Fractions when exactness is wanted."""


@dataclass(frozen=True, slots=True, eq=False)
class Distribution:
    """Chances of the whole numbers low, low + 1, ...; immutable.

    Attributes:
        low: the smallest number that is stored.
        p: chance of low + i at index i; float64 or Fractions.
    """

    low: int
    p: Chances

    @property
    def high(self) -> int:
        """The largest number that is stored."""
        return self.low + len(self.p) - 1

    @property
    def values(self) -> npt.NDArray[np.int64]:
        """The numbers that belong to `p`."""
        return np.arange(self.low, self.low + len(self.p))

    @property
    def mean(self) -> Any:
        """Expected value."""
        return (self.p * self.values).sum()

    @property
    def variance(self) -> Any:
        """Variance of one draw."""
        mean = self.mean
        return (self.p * (self.values - mean) ** 2).sum()

    def probability(self, value: int) -> Any:
        """Chance of exactly this number."""
        index = value - self.low
        return self.p[index] if 0 <= index < len(self.p) else self.p.dtype.type(0)

    def at_least(self, value: int) -> Any:
        """Chance of this number or more."""
        return self.p[max(0, value - self.low) :].sum()

    def __add__(self, other: "Distribution") -> "Distribution":
        """Sum of two independent numbers."""
        return Distribution(self.low + other.low, np.convolve(self.p, other.p))

    def shifted(self, by: int) -> "Distribution":
        """The number plus a constant."""
        return Distribution(self.low + by, self.p)

    def times(self, count: int) -> "Distribution":
        """Sum of `count` independent numbers of this kind."""
        return Distribution(self.low * count, power(self.p, count))

    def summed(self, count: "Distribution") -> "Distribution":
        """Sum of a random number of independent numbers of this kind (both without negative values)."""
        return mixture((chance, self.times(int(n))) for n, chance in zip(count.values, count.p, strict=True) if chance)

    def map(self, change: Callable[[int], int]) -> "Distribution":
        """The number after a function of it."""
        return of(_pairs((change(int(v)), c) for v, c in zip(self.values, self.p, strict=True)))

    def clipped(self, *, low: int | None = None, high: int | None = None) -> "Distribution":
        """The number, raised to `low` and lowered to `high`."""
        bottom = self.low if low is None else max(low, self.low)
        top = self.high if high is None else high
        if top < bottom:
            return certain(top if low is None else bottom)
        chances = np.zeros(top - bottom + 1, self.p.dtype)
        np.add.at(chances, np.clip(self.values, bottom, top) - bottom, self.p)
        return Distribution(bottom, chances)

    def as_dict(self, *, least: float = 0.0) -> dict[int, Any]:
        """Number to chance, without chances that are `least` or smaller."""
        return {int(v): c for v, c in zip(self.values, self.p, strict=True) if c > least}


def of(chances: Mapping[int, Number]) -> Distribution:
    """A distribution from number to chance; Fractions stay Fractions."""
    low, high = min(chances), max(chances)
    exact = any(isinstance(c, Fraction) for c in chances.values())
    p: Chances = np.full(high - low + 1, Fraction(0), dtype=object) if exact else np.zeros(high - low + 1)
    for value, chance in chances.items():
        p[value - low] = chance
    return Distribution(low, p)


def certain(value: int) -> Distribution:
    """Always this number."""
    return Distribution(value, np.ones(1))


def uniform(values: Iterable[int], *, exact: bool = False) -> Distribution:
    """Each listed number equally often, as on the faces of a die."""
    faces = list(values)
    share: Number = Fraction(1, len(faces)) if exact else 1.0 / len(faces)
    return of(_pairs((face, share) for face in faces))


def binomial(trials: int, chance: Number) -> Distribution:
    """How many of `trials` independent attempts succeed."""
    if isinstance(chance, Fraction):
        exact = [comb(trials, k) * chance**k * (1 - chance) ** (trials - k) for k in range(trials + 1)]
        return Distribution(0, np.array(exact, dtype=object))
    return Distribution(0, np.array(binomial_chances(trials, chance)))


def binomial_chances(trials: int, chance: float) -> list[float]:
    """The chances of 0 to `trials` successes, by one multiplication each: 1 µs for 20 trials."""
    if chance > 0.5:  # started from the likelier end nothing underflows
        return binomial_chances(trials, 1.0 - chance)[::-1]
    if chance <= 0.0:
        return [1.0, *[0.0] * trials]
    if trials > 600:  # the recurrence would start from zero: the same chances through logarithms
        hits = np.arange(trials + 1)
        ways = np.concatenate([[0.0], np.cumsum(np.log((trials + 1 - hits[1:]) / hits[1:]))])
        spread: list[float] = np.exp(ways + hits * log(chance) + (trials - hits) * log1p(-chance)).tolist()
        return spread
    ratio = chance / (1.0 - chance)
    term = (1.0 - chance) ** trials
    chances = [term]
    for k in range(trials):
        term *= ratio * (trials - k) / (k + 1)
        chances.append(term)
    return chances


def mixture(parts: Iterable[tuple[Number, Distribution]]) -> Distribution:
    """One of several distributions, drawn with these chances."""
    drawn = list(parts)
    low = min(part.low for _, part in drawn)
    high = max(part.high for _, part in drawn)
    exact = any(part.p.dtype == object for _, part in drawn)
    p: Chances = np.full(high - low + 1, Fraction(0), dtype=object) if exact else np.zeros(high - low + 1)
    for chance, part in drawn:
        p[part.low - low : part.high - low + 1] += chance * part.p
    return Distribution(low, p)


def power(p: Chances, count: int) -> Chances:
    """The chances of the sum of `count` independent packets: any number of axes, one axis a kind of packet.

    Floats go through one Fourier transform, whose error stays below 1e-14; Fractions by repeated squaring.
    """
    if count == 1:
        return p
    if count == 0:
        return np.ones((1,) * p.ndim, p.dtype)
    if p.dtype == object:
        return reduce(_convolved, [p] * count)
    shape = tuple((n - 1) * count + 1 for n in p.shape)
    if p.ndim == 1:
        length = _fast_length(shape[0])
        return np.maximum(np.fft.irfft(np.fft.rfft(p, length) ** count, length)[: shape[0]], 0.0)
    padded = tuple(_fast_length(n) for n in shape)
    axes = tuple(range(p.ndim))
    full = np.fft.irfftn(np.fft.rfftn(p, padded, axes) ** count, padded, axes)
    return np.maximum(full[tuple(slice(n) for n in shape)], 0.0)


def power_within(p: Chances, count: int, highest: tuple[int, ...]) -> Chances:
    """As `power`, but more than `highest` packets of an axis count as `highest`: bounded memory for huge volleys."""
    size = 1
    for n in p.shape:
        size *= (n - 1) * count + 1
    if size <= _LARGEST_TRANSFORM:
        return folded(power(p, count), highest)
    result: Chances | None = None
    square = folded(p, highest)
    while count:
        if count & 1:
            result = square if result is None else folded(convolved(result, square), highest)
        count >>= 1
        if count:
            square = folded(convolved(square, square), highest)
    assert result is not None
    return result


def convolved(a: Chances, b: Chances) -> Chances:
    """The chances of the sum of two independent packet counts with the same axes."""
    if a.size == 1:
        return np.asarray(b * a.flat[0])
    if b.size == 1:
        return np.asarray(a * b.flat[0])
    return _convolved(a, b)


def folded(p: Chances, highest: tuple[int, ...]) -> Chances:
    """All packets beyond `highest` of an axis counted as `highest`: what a target cannot feel."""
    for axis, top in enumerate(highest):
        if p.shape[axis] > top + 1:
            kept, rest = np.split(p, [top], axis)
            p = np.concatenate([kept, rest.sum(axis, keepdims=True)], axis)
    return p


def _convolved(a: Chances, b: Chances) -> Chances:
    if a.ndim == 1:
        return np.convolve(a, b)
    shape = tuple(n + m - 1 for n, m in zip(a.shape, b.shape, strict=True))
    small, large = (a, b) if a.size <= b.size else (b, a)
    if a.dtype == object or small.size <= 64:
        out = np.zeros(shape, np.result_type(a, b))
        for index in np.ndindex(small.shape):
            if small[index]:
                window = tuple(slice(i, i + n) for i, n in zip(index, large.shape, strict=True))
                out[window] = out[window] + small[index] * large
        return out
    padded = tuple(_fast_length(n) for n in shape)
    axes = tuple(range(a.ndim))
    full = np.fft.irfftn(np.fft.rfftn(a, padded, axes) * np.fft.rfftn(b, padded, axes), padded, axes)
    return np.maximum(full[tuple(slice(n) for n in shape)], 0.0)


def _fast_length(n: int) -> int:
    """The next even length that a Fourier transform likes."""
    return 2 if n <= 2 else 1 << (n - 1).bit_length()


_LARGEST_TRANSFORM = 1 << 21
"""Cells of a packet table that is still made in one transform: 32 MB."""


def _pairs(pairs: Iterable[tuple[int, Number]]) -> dict[int, Number]:
    total: dict[int, Number] = {}
    for value, chance in pairs:
        total[value] = total[value] + chance if value in total else chance
    return total


def unharmed(states: int) -> Floats:
    """Chances of so many states of a target before the first attack: it is in the first of them."""
    start = np.zeros(states)
    start[0] = 1.0
    return start
