"""A hero on a virtual table: himself as a pawn, what he has as cards."""

import json

from armybuilder.armylists.exports import FORMATS
from armybuilder.engine.systems.relic.hero import Asset, PowerCard
from armybuilder.heroes import edits as h
from tests.heroes.hero import HeroInHand, captain, hero_viewer, new_hero, relic

__all__ = ["captain", "hero_viewer", "new_hero", "relic"]


def test_a_hero_is_one_pawn_and_his_cards_are_cards(captain: HeroInHand) -> None:
    captain.edit(h.TakeAsset(card=Asset(name="Sword")), h.TakePowerCard(card=PowerCard(number=3)))
    found = json.loads(FORMATS["tts"].file_of(captain.row).content)["ObjectStates"]
    (pawn,) = (one for one in found if one["Name"] == "PlayerPawn")
    cards = [one["Nickname"] for one in found if one["Name"] == "Notecard"]
    assert pawn["Nickname"] == cards[1] and "Sword" in cards
    assert len(cards) == 1 + 1 + len(captain.hero.assets) + len(captain.hero.power_cards)
