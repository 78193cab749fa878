"""Prices without rounding errors: exact sums and shares of whole and broken numbers of points."""

import re
from collections.abc import Iterable
from decimal import Decimal

Number = int | float
"""A number as a document writes it."""

Exact = int | Decimal
"""The same number for calculations: 0.1 + 0.2 is 0.3."""

_EXACT_IN_JSON = 2**53

NAME = re.compile(r"(pts|points?|очки|очков)\b(?P<more>.*)", re.IGNORECASE | re.DOTALL)
"""How game data names the cost that players mean by points; a plain name has nothing `more` but a full stop."""


def exact(value: Number) -> Exact:
    """A written number without binary error; whole numbers stay int."""
    return value if isinstance(value, int) else Decimal(repr(value))


def total(prices: Iterable[Number]) -> Exact:
    """The sum of written prices, exactly."""
    return sum((exact(price) for price in prices), 0)


def share(of: Exact, *, percent: int) -> int:
    """So many percent of an amount, rounded up to whole points."""
    return int(-(-of * percent // 100)) if isinstance(of, int) else _ceiling(of * percent / 100)


def written(value: Exact) -> Number:
    """An exact amount as a number that JSON readers of any kind take without loss."""
    if isinstance(value, int):
        return value if abs(value) < _EXACT_IN_JSON else float(value)
    return int(value) if value == value.to_integral_value() else float(value)


def _ceiling(value: Decimal) -> int:
    whole = int(value)
    return whole + 1 if value > whole else whole
