"""Rules of the published army books that game data only names, against figures worked out by hand."""

from decimal import Decimal
from itertools import product
from typing import Any

import msgspec
import pytest

from armybuilder.engine.systems.fantasy_8th.combat import battle
from armybuilder.engine.systems.fantasy_8th.combat.fighter import Fighter
from armybuilder.engine.systems.fantasy_8th.matchup import Side
from tests.engine.systems.fantasy_8th.combat.builders import (
    make_clash,
    make_group,
    make_melee,
    make_side,
    metric,
    outcome,
    rolled,
)

LOWEST_AT_MOST_6 = sum(sum(sorted(dice)[:2]) <= 6 for dice in product(range(1, 7), repeat=3)) / 216
"""147 of 216."""


def broken(*rules: str, **side: Any) -> dict[str, Any]:
    """A unit of Leadership 8 that lost by two and is not steadfast: it needs 6 or less."""
    unit = make_side(make_group(10, *rules, profile={"Ld": 8}), width=5, **side)
    return make_clash("break_test", unit=unit, conditions={"lost_combat_by": 2, "steadfast": False})


def test_the_cold_blooded_leave_out_the_highest_of_three_dice() -> None:
    assert pytest.approx(0.680556, abs=1e-6) == LOWEST_AT_MOST_6
    assert metric(broken(), "p_pass") == pytest.approx(15 / 36)
    assert metric(broken("Cold-Blooded"), "p_pass") == pytest.approx(LOWEST_AT_MOST_6)
    assert metric(broken("Cold-Blooded", army_standard=True), "p_pass") == pytest.approx(
        1 - (1 - LOWEST_AT_MOST_6) ** 2
    )
    assert rolled(broken("Cold-Blooded")).metrics["p_pass"] == pytest.approx(LOWEST_AT_MOST_6, abs=0.015)


def test_the_cold_blooded_break_less_often_in_a_round() -> None:
    """Beaten by one without a blow struck, by a standard: Leadership 7 less 1."""

    def breaks(*rules: str) -> dict[str, Any]:
        return make_clash(
            "combat_round",
            attacker=make_side(make_group(10, profile={"A": 0}), width=5, command=["standard_bearer"]),
            defender=make_side(make_group(10, *rules, profile={"A": 0}), width=5),
        )

    assert metric(breaks(), "p_defender_breaks") == pytest.approx(1 - 15 / 36)
    assert metric(breaks("Cold-Blooded"), "p_defender_breaks") == pytest.approx(1 - LOWEST_AT_MOST_6)
    with_dice = rolled(breaks("Cold-Blooded")).metrics["p_defender_breaks"]
    assert with_dice == pytest.approx(1 - LOWEST_AT_MOST_6, abs=0.015)


@pytest.mark.parametrize(
    ("models", "leadership", "chance"),
    [
        (25, 5, 26 / 36),  # five ranks are four more than the first, of which three count: 8
        (12, 5, 15 / 36),  # two ranks and two models over: 6
        (5, 5, 10 / 36),  # one rank: 5
        (25, 9, 33 / 36),  # at most 10
    ],
)
def test_there_is_strength_in_numbers(models: int, leadership: int, chance: float) -> None:
    unit = make_side(make_group(models, "Strength in Numbers", profile={"Ld": leadership}), width=5)
    assert metric(make_clash("leadership_test", unit=unit, conditions={"test": "panic"}), "p_pass") == pytest.approx(
        chance
    )


@pytest.mark.parametrize(
    ("strength", "toughness", "wounds"),
    [(4, 8, 1 / 2), (4, 4, 1 / 2), (4, 3, 2 / 3), (4, 2, 5 / 6)],
)
def test_slayers_wound_on_4_at_the_worst(strength: int, toughness: int, wounds: float) -> None:
    """Five blows that hit on 4+."""
    blows = make_melee(
        make_side(make_group(5, "Slayer", profile={"S": strength}), width=5),
        make_side(make_group(30, profile={"T": toughness}), width=10),
    )
    assert metric(blows) == pytest.approx(5 * 0.5 * wounds)
    assert outcome(blows).modelled == ("Slayer",)


@pytest.mark.parametrize("combat_round", [1, 2])
def test_primal_fury_is_roused_by_a_test_in_every_round(combat_round: int) -> None:
    """Leadership 7 is passed by 21 of 36; then 3/4 hit instead of 1/2, and half of them wound."""
    blows = make_melee(make_side(make_group(5, "Primal Fury"), width=5), combat_round=combat_round)
    roused = 21 / 36
    expected = 5 * (roused * 3 / 4 + (1 - roused) * 1 / 2) / 2
    assert metric(blows) == pytest.approx(expected)
    assert rolled(blows).metrics["unsaved_wounds"] == pytest.approx(expected, abs=0.05)


def shaken(models: int, leadership: int, **side: Any) -> dict[str, Any]:
    """Daemons who lose by a standard, without a blow struck: they need Leadership less one."""
    return make_clash(
        "combat_round",
        attacker=make_side(make_group(models, profile={"A": 0}), width=5, command=["standard_bearer"]),
        defender=make_side(
            make_group(models, "Daemonic Instability", profile={"A": 0, "Ld": leadership}), width=5, **side
        ),
    )


TWO_DICE = {total: (6 - abs(7 - total)) / 36 for total in range(2, 13)}


@pytest.mark.parametrize("standard", [False, True])
def test_daemons_lose_what_their_test_fails_by(standard: bool) -> None:
    """Leadership 7 needs 6: an 8 costs two of the ten, a double six all of them. A standard has a failed test again."""
    lost = {total: 10 if total == 12 else total - 6 for total in range(7, 13)}
    once = sum(TWO_DICE[total] * wounds for total, wounds in lost.items())
    assert once == pytest.approx((6 * 1 + 5 * 2 + 4 * 3 + 3 * 4 + 2 * 5 + 10) / 36)
    fails = 21 / 36
    expected = once * (fails if standard else 1)
    document = shaken(10, 7, army_standard=True) if standard else shaken(10, 7)
    if standard:  # his standard makes the fight a draw: the enemy stands higher
        document["attacker"] |= {"charged": True}
    answer = outcome(document)
    assert answer.metrics["crumbled_wounds"] == pytest.approx(expected)
    assert answer.metrics["p_destroyed"] == pytest.approx(fails / 36 if standard else 1 / 36)
    assert answer.metrics["p_defender_breaks"] == 0
    with_dice = rolled(document).metrics
    assert with_dice["crumbled_wounds"] == pytest.approx(expected, abs=0.05)
    assert with_dice["p_destroyed"] == pytest.approx(answer.metrics["p_destroyed"], abs=0.01)


def test_the_last_daemons_are_gone_when_they_lose_as_many_as_they_are() -> None:
    """Three are left: a test failed by three or more, 9 to 12, ends them."""
    answer = outcome(shaken(3, 7))
    assert answer.metrics["p_destroyed"] == pytest.approx((4 + 3 + 2 + 1) / 36)
    assert answer.metrics["crumbled_wounds"] == pytest.approx((6 * 1 + 5 * 2 + 10 * 3) / 36)


def test_insane_courage_holds_daemons() -> None:
    """Leadership 2 needs 1: everything fails but a double one."""
    assert outcome(shaken(10, 2)).metrics["crumbled_wounds"] == pytest.approx(
        sum(chance * (10 if total == 12 else min(10, total - 1)) for total, chance in TWO_DICE.items() if total > 2)
    )


def test_daemons_of_a_battle_are_worn_away() -> None:
    """Beaten by three at Leadership 7 they need 4: of 30 rolls that fail, the five of an 8 cost four wounds."""
    side = msgspec.convert(make_side(make_group(10, "Daemonic Instability", profile={"Ld": 7}), width=5), Side)
    unit = battle.unit(battle.ready(Fighter(unit="u", name="Unit", points=Decimal(100), side=side)))
    assert unit.dissolves is not None
    assert unit.stands
    assert unit.dissolves.probability(4) == pytest.approx(5 / 30)
    assert unit.dissolves.probability(1) == pytest.approx(4 / 30)
    assert unit.dissolves.probability(8) == 0.0  # a double six ends them
