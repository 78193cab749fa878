"""Sums and shares of points are exact, and shares round up."""

from decimal import Decimal
from fractions import Fraction
from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from armybuilder.engine import points


@pytest.mark.parametrize(
    ("case", "prices", "total"),
    [
        ("nothing", [], 0),
        ("whole numbers stay whole", [100, 35], 135),
        ("tenths", [0.1, 0.2], Decimal("0.3")),
        ("both kinds", [100, 12.5], Decimal("112.5")),
    ],
)
def test_total(case: str, prices: list[points.Number], total: points.Exact) -> None:
    assert points.total(prices) == total, case
    assert type(points.total(prices)) is type(total), case


@given(of=st.integers(0, 10**9) | st.decimals(0, 10**6, places=2), percent=st.integers(0, 100))
def test_a_share_rounds_up_to_whole_points(of: points.Exact, percent: int) -> None:
    assert points.share(of, percent=percent) == ceil(Fraction(of) * percent / 100)


@pytest.mark.parametrize(
    ("case", "value", "written"),
    [
        ("whole", 2500, 2500),
        ("broken", Decimal("12.5"), 12.5),
        ("whole by calculation", Decimal("13.0"), 13),
        ("more than JSON readers hold", 2**70, float(2**70)),
    ],
)
def test_written(case: str, value: points.Exact, written: points.Number) -> None:
    assert points.written(value) == written, case
    assert type(points.written(value)) is type(written), case
