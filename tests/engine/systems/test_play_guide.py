"""What players are reminded of at the table: every game with lists has a guide, in both languages."""

import pytest

from armybuilder.engine.systems.game import GAMES
from armybuilder.engine.systems.play_guide import PlayGuide


def guide_of(game: str) -> PlayGuide:
    found = GAMES[game].play
    assert found is not None
    return found


@pytest.mark.parametrize("game", [game for game in GAMES if GAMES[game].roster is not None])
def test_every_game_with_lists_has_phases_in_both_languages(game: str) -> None:
    guide = guide_of(game)
    assert len(guide.phases) >= 3
    for phase in guide.phases:
        said = [phase.name, *phase.reminders, *(text for one in phase.reactions for text in (one.name, one.when))]
        assert all(text.en and text.ru and text.en != text.ru for text in said), phase.name.en
        assert all(source for source in (phase.source, *(one.source for one in phase.reactions)))


def test_a_hero_is_played_on_his_own_sheet() -> None:
    assert GAMES["relic"].play is None


def test_reactions_of_the_horus_heresy_stand_in_their_phases() -> None:
    found = {phase.name.en: [one.name.en for one in phase.reactions] for phase in guide_of("horus-heresy").phases}
    assert found == {
        "Movement": ["Advance", "Withdraw", "Interceptor", "Death or Glory"],
        "Shooting": ["Return Fire", "Evade"],
        "Assault": ["Overwatch", "Hold the Line"],
    }
    assert guide_of("horus-heresy").reactions_in_phase == 1


def test_fantasy_knows_spells_and_what_is_gone_once_used() -> None:
    guide = guide_of("fantasy-8th")
    fire = guide.lores["lore of fire"]
    assert len(fire) == 7 and fire == guide.lores["школа огня"]
    assert any(spell.value == "5+" for spell in fire)
    assert "dispel scroll" in guide.one_use and "sword of might" not in guide.one_use
    assert [phase.is_magic for phase in guide.phases] == [False, True, False, False]


def test_in_epic_both_sides_go_through_the_phases_together() -> None:
    assert guide_of("epic").each_in_turn is False
