"""The cards a site offers for building heroes: a `cards.toml` with characters, power cards, assets and enemies."""

from typing import Literal

import msgspec

from armybuilder.engine.errors import BadDocument
from armybuilder.engine.systems.list_rules import StrictPart
from armybuilder.engine.systems.notation import Count
from armybuilder.engine.systems.relic.hero import Asset, Character, PowerCard
from armybuilder.engine.systems.relic.matchup import Enemy

FILE_NAME = "cards.toml"

Reward = Literal[
    "strength", "willpower", "cunning", "any_attribute", "life", "influence", "power_card", "mission", "special"
]
"""What a column of the level track gives. Source: L924-L942 [text]."""


class CharacterCard(Character, frozen=True):
    """A character card with the rewards of its level track, level 1 first."""

    rewards: tuple[tuple[Reward, ...], ...] = ()

    def as_character(self) -> Character:
        """The part of the card that a hero's document holds."""
        return Character(name=self.name, start=self.start, asset_limit=self.asset_limit, power_limits=self.power_limits)


class AssetCard(Asset, frozen=True):
    """An asset card with what it costs in Influence; without a cost it is not for sale."""

    cost: Count | None = None

    def as_asset(self) -> Asset:
        """The card as it enters play: with all its charges."""
        played = {name: getattr(self, name) for name in Asset.__struct_fields__}
        return Asset(**(played | {"charges": self.charge_value}))


class CardSet(StrictPart, frozen=True):
    """All cards of one file."""

    characters: tuple[CharacterCard, ...] = ()
    power_cards: tuple[PowerCard, ...] = ()
    assets: tuple[AssetCard, ...] = ()
    enemies: tuple[Enemy, ...] = ()

    def character(self, name: str | None) -> CharacterCard | None:
        """The character card of that name."""
        return next((card for card in self.characters if card.name == name), None)

    def asset(self, name: str) -> AssetCard | None:
        """The asset card of that name."""
        return next((card for card in self.assets if card.name == name), None)


def read_card_set(content: bytes) -> CardSet:
    """The cards of a `cards.toml`.

    Raises:
        BadDocument: no TOML, or something that is no card.
    """
    try:
        return msgspec.toml.decode(content, type=CardSet)
    except (msgspec.DecodeError, ValueError) as broken:
        raise BadDocument(f"{FILE_NAME}: {broken}") from broken
