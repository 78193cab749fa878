"""The cards of a game without armies, as its page lists them."""

from dataclasses import dataclass

from armybuilder.datafiles.card_sets import cards_of
from armybuilder.datafiles.models import PublishedSystem
from armybuilder.datafiles.parsing import russian_names
from armybuilder.engine.systems.relic.hero import ATTRIBUTES
from armybuilder.heroes.wording import DIAL_NAMES
from armybuilder.reference.names import Names
from armybuilder.web.formatting import localized
from armybuilder.web.pages.hero_cards import asset_words


@dataclass(frozen=True, slots=True)
class CharacterRow:
    """A character card: attributes and Life at the start, asset limit, limits of Power cards by level."""

    name: str
    figures: tuple[int | None, ...]
    asset_limit: int | None
    bands: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AssetRow:
    """An asset card and what it costs."""

    name: str
    words: str
    charges: int | None
    cost: int | None


@dataclass(frozen=True, slots=True)
class CardTables:
    """Characters and assets of a release.

    Attributes:
        heads: names of the dials, over the characters' figures.
    """

    heads: tuple[str, ...]
    characters: tuple[CharacterRow, ...]
    assets: tuple[AssetRow, ...]

    @classmethod
    def of(cls, game: PublishedSystem) -> "CardTables | None":
        """The tables of a game; None for a game whose release holds no cards."""
        if game.current_release_id is None:
            return None
        cards, names = cards_of(game.current_release_id), Names(russian_names(game.current_release_id))
        if not cards.characters and not cards.assets:
            return None
        dials = (*ATTRIBUTES, "life")
        return cls(
            heads=tuple(localized(DIAL_NAMES[name]) for name in dials),
            characters=tuple(
                CharacterRow(
                    names(card.name or ""),
                    tuple(getattr(card.start, name, None) for name in dials),
                    card.asset_limit,
                    tuple(f"{band.first}–{band.last}: {band.limit}" for band in card.power_limits),
                )
                for card in cards.characters
            ),
            assets=tuple(
                AssetRow(names(card.name), ", ".join(asset_words(card)), card.charge_value, card.cost)
                for card in cards.assets
            ),
        )
