"""Trophies are spent for as many levels as they buy, at the least waste."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from armybuilder.engine.systems.relic.combat.trophies import worth_spending


@pytest.mark.parametrize(
    ("points", "places"),
    [
        ([], ()),
        ([5], ()),
        ([6], (0,)),
        ([4, 3], (0, 1)),  # 7: one is lost, as neither can be kept
        ([4, 2, 1], (0, 1)),
        ([2, 2, 2, 3], (0, 1, 2)),
        ([6, 5, 3, 2], (0, 1, 3)),  # 16: two levels need 12, so the 3 stays and only one point is lost
    ],
)
def test_worked_out_by_hand(points: list[int], places: tuple[int, ...]) -> None:
    assert worth_spending(points) == places


@given(st.lists(st.integers(0, 12), max_size=8))
def test_no_other_choice_buys_as_much_for_less(points: list[int]) -> None:
    found = worth_spending(points)
    levels = sum(points) // 6
    spent = sum(points[place] for place in found)
    choices = [
        sum(points[place] for place in choice)
        for size in range(len(points) + 1)
        for choice in combinations(range(len(points)), size)
    ]
    assert spent == (min(total for total in choices if total >= 6 * levels) if levels else 0)
