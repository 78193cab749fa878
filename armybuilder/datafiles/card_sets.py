"""Releases of games without rosters: a `cards.toml` instead of game data files, read once and kept at hand."""

from collections.abc import Sequence
from functools import lru_cache
from uuid import UUID

from armybuilder.datafiles.bundles import CARDS, IncomingFile
from armybuilder.datafiles.errors import NothingToPublish
from armybuilder.datafiles.models import DataFile, PublishedSystem
from armybuilder.engine.systems.relic.card_set import CardSet, read_card_set

RULE_PACK = "relic"
"""The rule pack of the game that is played with cards."""

NO_CARDS = CardSet()


def is_card_set(files: Sequence[IncomingFile]) -> bool:
    """Whether these files are cards rather than data of a game with rosters."""
    return any(file.name == CARDS for file in files) and not any(file.is_game_data for file in files)


def card_game() -> PublishedSystem:
    """The game that cards belong to when nobody says which. Raises NothingToPublish when the site has none."""
    found = PublishedSystem.objects.filter(rule_pack=RULE_PACK).order_by("position", "pk").first()
    if found is None:
        raise NothingToPublish("This site has no game that is played with cards; add one with the rule pack relic.")
    return found


def refuse_other_than_cards(system: PublishedSystem) -> None:
    """Make sure that cards are never published as the data of a game with armies. Raises NothingToPublish."""
    if system.rule_pack != RULE_PACK:
        raise NothingToPublish(f"{system.name} is not played with cards.")


def read_cards(files: Sequence[IncomingFile]) -> CardSet:
    """The cards among these files. Raises BadDocument when they cannot be read."""
    return next((read_card_set(file.content) for file in files if file.name == CARDS), NO_CARDS)


@lru_cache(maxsize=8)
def cards_of(release_id: UUID) -> CardSet:
    """The cards of a stored release, which never change; none for a release without any."""
    row = DataFile.objects.filter(release_id=release_id, name=CARDS).first()
    return read_card_set(bytes(row.content)) if row is not None else NO_CARDS
