"""Dice as documents write them ("D3", "2D6", "D6+1"), re-rolls, and dice that explode."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import lru_cache, reduce

import numpy as np
import numpy.typing as npt

from armybuilder.engine.combat.distribution import Distribution, Number, certain, of, uniform

NOTATION = re.compile(r"(\d*)[DdКкKk](\d+)\s*(?:([+\-−])\s*(\d+))?")


class Reroll(Enum):
    """Which results of a die are rolled a second time; the second result stands."""

    NONE = "none"
    ONES = "ones"
    FAILURES = "failures"
    SUCCESSES = "successes"


@dataclass(frozen=True, slots=True)
class Dice:
    """`count` dice of `sides` faces plus a constant; no dice and a constant is a fixed number."""

    count: int
    sides: int
    plus: int = 0

    @property
    def fixed(self) -> int | None:
        """The number itself if no die is rolled."""
        return self.plus if self.count == 0 else None

    @property
    def highest(self) -> int:
        """The largest possible result."""
        return max(0, self.count * self.sides + self.plus)

    def distribution(self, *, exact: bool = False) -> Distribution:
        """Chances of the total, which is never below zero."""
        return _total(self, exact)

    def roll(self, rng: "np.random.Generator", size: int) -> npt.NDArray[np.int64]:
        """`size` independent totals."""
        total = np.full(size, self.plus, np.int64)
        for _ in range(self.count):
            total += rng.integers(1, self.sides + 1, size)
        return np.maximum(total, 0)

    def __str__(self) -> str:
        if not self.count:
            return str(self.plus)
        tail = f"{self.plus:+d}" if self.plus else ""
        return f"{self.count if self.count > 1 else ''}D{self.sides}{tail}"


def parse(text: int | str) -> Dice:
    """Dice from a number or from notation.

    Raises:
        ValueError: the text is neither.
    """
    if isinstance(text, int) or text.strip().isdecimal():
        return Dice(0, 0, int(text))
    match = NOTATION.fullmatch(text.strip())
    if match is None or int(match[2]) < 1:
        raise ValueError(f"{text!r} is neither a number nor dice such as D6, 2D6 or D3+1")
    count, sides, sign, plus = match.groups()
    constant = int(plus or 0) * (1 if sign in (None, "+") else -1)
    return Dice(int(count or 1), int(sides), constant)


def chance(need: int | None, *, sides: int = 6, reroll: Reroll = Reroll.NONE, second: int | None = None) -> Fraction:
    """Chance that a die shows `need` or more; a 1 never does and None cannot be rolled at all.

    Args:
        reroll: which first results are rolled again.
        second: what the second roll needs; None is the same as the first.
    """
    if need is None:
        return Fraction(0)
    good = Fraction(max(0, sides + 1 - max(2, need)), sides)
    again = good if second is None else Fraction(max(0, sides + 1 - max(2, second)), sides)
    match reroll:
        case Reroll.NONE:
            return good
        case Reroll.ONES:
            return good + Fraction(1, sides) * again
        case Reroll.FAILURES:
            return good + (1 - good) * again
        case Reroll.SUCCESSES:
            return good * again


def exploding(*, sides: int = 6, on: int = 6, below: float = 1e-13) -> Distribution:
    """Total of one die that adds another one whenever it shows `on`, without limit.

    Args:
        below: chains rarer than this are cut; their chance goes to the longest chain kept.
    """
    chances: dict[int, Number] = {}
    weight, base = 1.0, 0
    while weight / sides > below:
        for face in range(1, sides + 1):
            if face != on:
                chances[base + face] = chances.get(base + face, 0.0) + weight / sides
        weight, base = weight / sides, base + on
    chances[base + 1] = chances.get(base + 1, 0.0) + weight
    return of(chances)


def roll_exploding(
    rng: "np.random.Generator",
    size: int,
    *,
    sides: int = 6,
    on: int = 6,
    again: Callable[[npt.NDArray[np.int64]], npt.NDArray[np.bool_]] | None = None,
) -> npt.NDArray[np.int64]:
    """`size` totals of exploding dice; `again` marks first faces that are re-rolled once before they count."""
    face = rng.integers(1, sides + 1, size)
    if again is not None:
        second = again(face)
        face[second] = rng.integers(1, sides + 1, int(second.sum()))
    total = face.copy()
    open_ended = np.flatnonzero(face == on)
    while len(open_ended):
        more = rng.integers(1, sides + 1, len(open_ended))
        total[open_ended] += more
        open_ended = open_ended[more == on]
    return total


@lru_cache(maxsize=256)
def _total(dice: Dice, exact: bool) -> Distribution:
    if not dice.count:
        return certain(max(0, dice.plus))
    one = uniform(range(1, dice.sides + 1), exact=exact)
    return reduce(Distribution.__add__, [one] * dice.count).shifted(dice.plus).clipped(low=0)
