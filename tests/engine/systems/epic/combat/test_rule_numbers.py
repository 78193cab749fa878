"""The number or dice that a rule of a weapon says, and what stands there that is none."""

import pytest

from armybuilder.engine.combat.dice import Dice, parse
from armybuilder.engine.systems.epic.combat.special_rules import dice_of, is_exact, is_gap


@pytest.mark.parametrize(
    ("rule", "dice"),
    [
        ("Titan Killer", parse(1)),
        ("Titan Killer (D3)", parse("D3")),
        ("Titan Killer (Д6)", parse("D6")),
        ("Extra Attacks (+2)", parse(2)),
        ("Titan Killer (100)", Dice(0, 0, 100)),
        ("Titan Killer (101)", parse(1)),
        ("Titan Killer (99999999)", parse(1)),
        ("Titan Killer (9999D9999)", parse(1)),
        ("Titan Killer (4+)", parse(1)),
        ("Titan Killer (D0)", parse(1)),
        ("Extra Attacks (many)", parse(1)),
    ],
)
def test_a_rule_says_a_number_or_dice_or_counts_once(rule: str, dice: Dice) -> None:
    assert dice_of(rule) == dice


@pytest.mark.parametrize("rule", ["Titan Killer (5, -1 per 15cm to target)", "Titan Killer (D0)"])
def test_damage_that_is_no_number_is_said(rule: str) -> None:
    """It counted as one point, and as exact."""
    assert not is_exact(rule)
    assert is_gap(rule)


@pytest.mark.parametrize("arc", ["Left Fire Arc", "Right Fire Arc", "Fixed Forward", "360°", "360° Arc"])
def test_arcs_that_authors_write_otherwise_are_known(arc: str) -> None:
    assert not is_gap(arc)
