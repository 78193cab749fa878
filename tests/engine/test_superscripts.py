"""A superscript is a digit to some and a number to nobody: what comes in with one is read as text."""

from pathlib import Path

import pytest

from armybuilder.engine.battlescribe_files.library import load_library
from armybuilder.engine.combat.dice import parse
from armybuilder.engine.systems.epic.combat.special_rules import save_roll
from armybuilder.engine.systems.wh40k_6th.army import Weapon
from tests.engine.battlescribe_files.files import SYSTEM, army_file, system_file
from tests.engine.systems.wh40k_6th.combat.test_list_matchup import BOYZ, make_fighter, make_group, one

ARMYBUILDER = Path(__file__).resolve().parent.parent.parent / "armybuilder"


@pytest.mark.parametrize("printed", ["Rapid Fire ²", "Salvo ²/⁴"])
def test_a_weapons_type(printed: str) -> None:
    gun = Weapon(name="gun", range=24, S=4, AP=5, type=printed)
    assert one(make_fighter(make_group(gun)), BOYZ, distance=20) is not None


def test_dice() -> None:
    with pytest.raises(ValueError, match="neither a number nor dice"):
        parse("²")


def test_the_value_of_a_rule() -> None:
    assert save_roll("Invulnerable Save (²+)") is None


def test_the_revision_of_a_data_file() -> None:
    library = load_library([system_file(SYSTEM.replace('revision="7"', 'revision="²"')), army_file()])
    assert library.system.revision == 1


def test_nothing_that_is_read_asks_for_digits() -> None:
    """`int` reads whatever is decimal, and stumbles over the rest of what `isdigit` lets through."""
    asking = [path.name for path in sorted(ARMYBUILDER.rglob("*.py")) if ".isdigit()" in path.read_text("utf-8")]
    assert asking == []
