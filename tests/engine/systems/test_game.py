"""Every game is one value, found in one place."""

import subprocess
import sys

import pytest

from armybuilder.engine.errors import BadDocument
from armybuilder.engine.systems.game import GAMES, LIST_RULES, has_matchups, matchup_rules_of

FOUGHT = ("epic", "fantasy-8th", "horus-heresy", "wh40k-6th")


def test_both_tables_hold_the_same_games_under_their_own_ids() -> None:
    assert list(GAMES) == list(LIST_RULES) == ["horus-heresy", "epic", "fantasy-8th", "relic", "wh40k-6th"]
    for system, game in GAMES.items():
        assert game.id == system and game.rules is LIST_RULES[system]


def test_a_game_that_is_not_known_is_none() -> None:
    assert GAMES.get("chess") is None and "chess" not in GAMES
    assert LIST_RULES.get("") is None
    assert not has_matchups("")


@pytest.mark.parametrize("system", FOUGHT)
def test_lists_that_meet_are_read_and_fight_battles(system: str) -> None:
    game = GAMES[system]
    assert game.simulations and game.roster is not None and game.targets is not None and game.battles is not None
    rules = matchup_rules_of(system)
    assert set(rules.matrix) <= set(rules.attacks) and not set(rules.attacks) & set(rules.occasions)
    missions = game.battles.MISSIONS
    assert all(mission.name.ru and mission.victory.en for mission in missions.values())


def test_heroes_do_not_meet() -> None:
    assert GAMES["relic"].simulations and not has_matchups("relic")
    with pytest.raises(BadDocument, match="relic"):
        matchup_rules_of("relic")


def test_a_rule_with_no_part_in_an_attack_is_no_gap() -> None:
    assert not GAMES["epic"].is_gap("Teleport") and GAMES["epic"].is_gap("Something unheard of")
    assert not GAMES["wh40k-6th"].is_gap("Outflank") and GAMES["wh40k-6th"].is_gap("Feel No Pain")
    assert GAMES["horus-heresy"].is_gap("Feel No Pain"), "where a game does not say, every rule is one"


def test_a_check_brings_no_dice() -> None:
    """Reading the rules of list building loads neither NumPy nor any combat."""
    code = (
        "import sys; from armybuilder.engine.systems.game import LIST_RULES; dict(LIST_RULES);"
        "print([name for name in sys.modules if name == 'numpy' or '.combat.' in name])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
