"""Magic in whole battles: who has which dice, what one turn of spells does, and that wizards are worth their points."""

from itertools import product
from typing import Any

import pytest
from msgspec.structs import replace

from armybuilder.engine.systems.battles import prepared
from armybuilder.engine.systems.fantasy_8th.combat import battle, battle_magic
from armybuilder.engine.systems.fantasy_8th.combat.battle_magic import Share
from armybuilder.engine.systems.fantasy_8th.combat.fighter import Fighter
from tests.engine.systems.fantasy_8th.combat.test_battle import YARDSTICKS, empire, fought, mean_loss, orcs

__all__ = ["empire", "orcs"]

INFANTRY = YARDSTICKS["infantry"]


def wizard(level: int, lore: str | None) -> Fighter:
    return replace(YARDSTICKS["elite"], wizard_level=level, lore=lore)


def cast_chance(value: int, dice: int, level: int) -> float:
    """Sum and level reach the value, or two sixes are among the dice; three at least must be rolled."""
    rolls = list(product(range(1, 7), repeat=dice))
    return sum(sum(roll) >= 3 and (sum(roll) + level >= value or roll.count(6) > 1) for roll in rolls) / len(rolls)


def test_dice_are_shared_by_levels() -> None:
    """Seven and a third for two wizards, four fifths of them for the fourth level; the enemy's best is a second."""
    mine, theirs = [wizard(4, "fire"), INFANTRY, wizard(1, "death")], [wizard(2, None), wizard(1, "life")]
    first, none, second = battle_magic.shares(mine, theirs)
    assert none is None and first is not None and second is not None
    power = 7 + 2 / 6
    assert (first.dice, second.dice) == (pytest.approx(power * 4 / 5), pytest.approx(power / 5))
    assert first.answer == pytest.approx((161 / 36 + 2 / 6) / power)
    assert (first.level, second.level) == (2, 2)
    assert battle_magic.shares(theirs, mine)[0] is None, "of a lore that nobody knows he only dispels"


def test_an_attempt_by_hand() -> None:
    """Two feet away only The Dwellers Below of the Lore of Life reaches: it is cast on 21, known in four cases of six,
    and removes whoever fails a test on Strength 3."""
    (attack,) = battle_magic.spells(wizard(4, "life"), Share(6.0, 0.0, 0), INFANTRY, distance=24.0)
    expected = 4 / 6 * cast_chance(21, 6, 4) * INFANTRY.models * 3 / 6
    assert attack.chances.sum() == pytest.approx(1.0)
    assert mean_loss([attack]) == pytest.approx(expected)
    assert battle_magic.spells(wizard(4, "life"), Share(6.0, 0.0, 0), INFANTRY, distance=25.0) == ()


def test_part_of_an_attempt_is_made_that_often() -> None:
    """At forty inches The Penumbral Pendulum alone of the Lore of Shadow is left, on 18: of four models under it those
    that fail on Initiative 3 are struck with Strength 10; one of three second level wizards knows it."""
    for dice in (1.0, 4.0):
        (attack,) = battle_magic.spells(wizard(2, "shadow"), Share(dice, 0.0, 0), INFANTRY, distance=40.0)
        best = max(min(1.0, dice / n) * cast_chance(18, n, 2) for n in range(1, 7))
        assert mean_loss([attack]) == pytest.approx(best * 2 / 6 * 4 * 3 / 6 * 5 / 6)


def test_who_dispels_counts() -> None:
    lost = [
        mean_loss(battle_magic.spells(wizard(4, "fire"), Share(7.0, answer, level), INFANTRY, distance=18.0))
        for answer, level in ((0.0, 0), (0.6, 0), (0.6, 2), (0.6, 4))
    ]
    assert lost == sorted(lost, reverse=True)
    assert lost[0] > 1.1 * lost[3]


def test_more_level_and_more_dice_do_more() -> None:
    def lost(level: int, dice: float) -> float:
        return mean_loss(battle_magic.spells(wizard(level, "death"), Share(dice, 0.6, 1), INFANTRY, distance=10.0))

    by_level = [lost(level, 6.0) for level in (1, 2, 3, 4)]
    by_dice = [lost(2, dice) for dice in (2.0, 4.0, 6.0, 8.0)]
    assert by_level == sorted(set(by_level)) and by_dice == sorted(set(by_dice))


def test_one_use_items_are_no_help_turn_by_turn() -> None:
    def lost(*items: str) -> float:
        caster = wizard(2, "fire")
        main = replace(caster.side.main, magic_items=items)
        caster = replace(caster, side=replace(caster.side, models=(main, *caster.side.models[1:])))
        return mean_loss(battle_magic.spells(caster, Share(7.0, 0.6, 2), INFANTRY, distance=18.0))

    assert lost("Power Stone") == lost() < lost("Book of Ashur")


@pytest.mark.long
def test_a_wizard_is_worth_more_than_he_costs_the_army(empire: dict[str, Fighter], orcs: dict[str, Fighter]) -> None:
    """Before there was magic, the army won more often without its wizard of 245 points."""
    assert empire["Battle Wizard Lord"].lore == "light"
    whole = fought(list(empire.values()), list(orcs.values()))["metrics"]
    without = [fighter for name, fighter in empire.items() if name != "Battle Wizard Lord"]
    assert whole["p_win"] > fought(without, list(orcs.values()))["metrics"]["p_win"] + 0.05


def test_what_is_said_of_magic(empire: dict[str, Fighter], orcs: dict[str, Fighter]) -> None:
    notes = prepared(battle, [empire["Battle Wizard Lord"]], [orcs["Orc Great Shaman"]]).notes
    told = {item.rule: item.how for item in notes.approximated}
    assert "magic" in told
    assert told["unknown spells"].en.endswith("cast nothing: Orc Great Shaman.")
    assert {"miscasts", "spells without damage"} <= set(notes.not_simulated)
    plain = prepared(battle, [INFANTRY], [INFANTRY]).notes
    assert not {"magic", "unknown spells"} & {item.rule for item in plain.approximated}


def test_the_general_and_the_army_standard_help_some_of_the_tests(empire: dict[str, Fighter]) -> None:
    """Leadership 7 passes 21 of 36, the General's 9 near him 30 of 36; near the standard a failed test is repeated."""
    army: list[Any] = [
        battle.ready(one) for one in (INFANTRY, empire["General of the Empire"], empire["Captain of the Empire"])
    ]
    men, general, bearer = battle.facing(army, [])
    own, lent, near = 21 / 36, 30 / 36, 7 / 16
    mean = near * lent + (1 - near) * own
    again = near * (1 - (1 - lent) ** 2) + (1 - near) * (1 - (1 - own) ** 2)
    assert battle.unit(men).holds == pytest.approx(near * again + (1 - near) * mean)
    assert general.general is None and general.standard
    assert not bearer.standard and bearer.general == general.side.main.profile.Ld
