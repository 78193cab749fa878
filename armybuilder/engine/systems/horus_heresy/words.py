"""Words of the game in both languages, in the forms that messages need."""

from pathlib import Path

from armybuilder.engine.findings import Text
from armybuilder.engine.systems.horus_heresy.army import Model, PlacedUnit
from armybuilder.engine.systems.words import message_words

ROLES, UNIT_TYPES, CHARACTERISTICS, ASSAULTS, SIDES, OF_SIDES, DETACHMENTS, _JOINING = message_words(
    Path(__file__).with_name("words.toml"),
    *("roles", "unit_types", "characteristics", "assaults", "sides", "of_sides", "detachments", "joining"),
)
HQ_CHARACTERS, CHARACTERS = _JOINING["hq_characters"], _JOINING["characters"]


def role(role_word: str) -> Text:
    """A battlefield role; a role of another book as its own words."""
    return ROLES.get(role_word) or plain(role_word)


def plain(text: str) -> Text:
    """A value of a document that is no word of the rulebook, without the underscores of documents."""
    words = text.replace("_", " ")
    return Text(words, words)


def model_name(placed: PlacedUnit, model: Model | None) -> str:
    """The unit, with the group of models in brackets where it has groups."""
    return placed.name if model is None or model.at == placed.at else f"{placed.name} ({model.name})"
