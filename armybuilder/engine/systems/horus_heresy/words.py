"""Words of the game in both languages, in the forms that messages need."""

from pathlib import Path

from armybuilder.engine.findings import Text
from armybuilder.engine.systems.horus_heresy.army import Model, PlacedUnit
from armybuilder.engine.systems.words import message_words

_WORDS = message_words(Path(__file__).with_name("words.toml"))

ROLES = _WORDS["roles"]
DETACHMENTS = _WORDS["detachments"]
DETACHMENTS_AS_HEADS = _WORDS["detachments_as_heads"]
ADDED_DETACHMENTS = _WORDS["added_detachments"]
IN_DETACHMENTS = _WORDS["in_detachments"]
OF_DETACHMENTS = _WORDS["of_detachments"]
SIDES = _WORDS["sides"]
OF_SIDES = _WORDS["of_sides"]
UNIT_TYPES = _WORDS["unit_types"]
CHARACTERISTICS = _WORDS["characteristics"]
ASSAULTS = _WORDS["assaults"]
HQ_CHARACTERS, CHARACTERS = _WORDS["joining"]["hq_characters"], _WORDS["joining"]["characters"]


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
