"""Relic's rule table and the words its messages use."""

from pathlib import Path

from armybuilder.engine.systems.rule_table import RuleTable
from armybuilder.engine.systems.words import message_words

TABLE = RuleTable(Path(__file__).with_name("rules.toml"))

finding = TABLE.finding

_WORDS = message_words(Path(__file__).parents[1] / "words.toml")
ATTRIBUTE_NAMES = _WORDS["attributes"]
CLASS_NAMES = _WORDS["classes"]
FACE_NAMES = _WORDS["faces"]
COLOR_NAMES = _WORDS["colors"]
