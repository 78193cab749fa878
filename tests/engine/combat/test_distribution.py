# ruff: noqa: E501 - a row of a table is a line
"""Distributions against brute-force enumeration with fractions."""

from collections import Counter
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from armybuilder.engine.combat import distribution as d
from armybuilder.engine.combat.dice import Dice, Reroll, chance, exploding, parse, roll_exploding

D6 = range(1, 7)


def enumerated(count: int, sides: int) -> dict[int, Fraction]:
    totals = Counter(sum(faces) for faces in product(range(1, sides + 1), repeat=count))
    return {total: Fraction(ways, sides**count) for total, ways in totals.items()}


@pytest.mark.parametrize(("text", "count", "sides", "plus"), [("D6", 1, 6, 0), ("D3", 1, 3, 0), ("2D6", 2, 6, 0), ("3D3+1", 3, 3, 1), ("D6-2", 1, 6, -2)])  # fmt: skip
def test_dice_notation_and_totals(text: str, count: int, sides: int, plus: int) -> None:
    dice = parse(text)
    assert dice == Dice(count, sides, plus)
    exact = dice.distribution(exact=True)
    wanted: Counter[int] = Counter()
    for total, share in enumerated(count, sides).items():
        wanted[max(0, total + plus)] += share  # type: ignore[assignment]
    assert {k: v for k, v in exact.as_dict().items() if v} == dict(wanted)
    assert parse(str(dice)) == dice


@pytest.mark.parametrize("text", ["", "D", "D0", "2d", "x", "D6+", "-1"])
def test_what_is_no_dice_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="neither a number nor dice"):
        parse(text)


@settings(deadline=None)
@given(st.integers(1, 6), st.sampled_from(Reroll), st.integers(2, 6))
def test_rerolls_against_enumeration(need: int, reroll: Reroll, second: int) -> None:
    def works(face: int, needed: int) -> bool:
        return face >= max(2, needed)

    total = Fraction(0)
    for first, again in product(D6, D6):
        rolls = {
            Reroll.NONE: False,
            Reroll.ONES: first == 1,
            Reroll.FAILURES: not works(first, need),
            Reroll.SUCCESSES: works(first, need),
        }[reroll]
        total += Fraction(works(again, second) if rolls else works(first, need), 36)
    assert chance(need, reroll=reroll, second=second) == total


def test_exploding_dice_have_the_known_mean_and_rest() -> None:
    die = exploding()
    assert die.p.sum() == pytest.approx(1.0, abs=1e-15)
    assert die.mean == pytest.approx(3.5 * 6 / 5, abs=1e-10)
    assert die.probability(6) == 0.0  # a six never stands alone
    assert die.probability(7) == pytest.approx(1 / 36)
    rolls = roll_exploding(np.random.default_rng(4), 40_000)
    assert rolls.mean() == pytest.approx(4.2, abs=5 * rolls.std() / 200)


@settings(deadline=None)
@given(st.lists(st.integers(1, 9), min_size=2, max_size=4), st.integers(0, 7))
def test_powers_are_sums_of_independent_copies(weights: list[int], count: int) -> None:
    total = sum(weights)
    exact = d.of({value: Fraction(weight, total) for value, weight in enumerate(weights)})
    brute: Counter[int] = Counter()
    for drawn in product(range(len(weights)), repeat=count):
        share = Fraction(1)
        for value in drawn:
            share *= Fraction(weights[value], total)
        brute[sum(drawn)] += share  # type: ignore[assignment]
    assert {k: v for k, v in exact.times(count).as_dict().items() if v} == dict(brute)
    floats = d.Distribution(exact.low, exact.p.astype(np.float64)).times(count)
    assert all(abs(float(brute.get(k, 0)) - p) < 1e-13 for k, p in zip(floats.values, floats.p, strict=True))


def test_powers_of_two_kinds_of_packets() -> None:
    p = np.array([[Fraction(1, 2), Fraction(1, 4)], [Fraction(1, 4), Fraction(0)]], dtype=object)
    exact = d.power(p, 3)
    assert np.abs(d.power(p.astype(float), 3) - exact.astype(float)).max() < 1e-15
    assert exact[1, 2] == 3 * Fraction(1, 4) ** 3
    within = d.power_within(p.astype(float), 3, (1, 1))
    assert within.shape == (2, 2)
    assert within[1, 1] == pytest.approx(float(sum(exact[i, j] for i in (1, 2, 3) for j in (1, 2, 3))))


def test_huge_powers_are_folded_on_the_way() -> None:
    p = np.array([[0.5, 0.25], [0.25, 0.0]])
    whole = d.folded(d.power(p, 900), (250, 240))  # in one transform of 901 x 901 cells
    small = d.power_within(p, 900, (250, 240))
    assert small.shape == whole.shape == (251, 241)
    assert np.abs(small - whole).max() < 1e-11
    huge = d.power_within(p, 3000, (4, 6))  # 9 million cells at once, 35 when folded
    assert huge.shape == (5, 7)
    assert huge[4, 6] == pytest.approx(1.0, abs=1e-9)


@pytest.mark.parametrize("trials", [0, 1, 20, 601, 5000])
@pytest.mark.parametrize("chance_", [0.0, 1e-9, 0.07, 0.5, 0.93, 1.0])
def test_binomials_of_any_size(trials: int, chance_: float) -> None:
    b = d.binomial(trials, chance_)
    assert b.p.sum() == pytest.approx(1.0, abs=1e-9)
    assert b.mean == pytest.approx(trials * chance_, rel=1e-9, abs=1e-8)


def test_the_closed_form_of_a_binomial_against_fractions() -> None:
    exact = d.binomial(20, Fraction(2, 27))
    floats = d.binomial_chances(20, 2 / 27)
    assert max(abs(float(a) - b) for a, b in zip(exact.p, floats, strict=True)) < 1e-12


def test_limits_mixtures_and_sums() -> None:
    die = d.uniform(D6)
    assert die.clipped(low=3, high=5).as_dict() == pytest.approx({3: 0.5, 4: 1 / 6, 5: 1 / 3})
    assert die.at_least(5) == pytest.approx(1 / 3)
    assert (die + die).probability(7) == pytest.approx(1 / 6)
    both = d.mixture([(0.25, d.certain(0)), (0.75, die)])
    assert both.mean == pytest.approx(0.75 * 3.5)
    assert die.summed(d.certain(2)).p == pytest.approx((die + die).p)
    assert die.map(lambda face: face % 2).as_dict() == pytest.approx({0: 0.5, 1: 0.5})
    assert die.variance == pytest.approx(35 / 12)
