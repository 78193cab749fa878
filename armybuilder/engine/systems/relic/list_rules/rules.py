"""Relic's rule table and the words its messages use."""

from pathlib import Path

from armybuilder.engine.systems.rule_table import RuleTable
from armybuilder.engine.systems.words import message_words

TABLE = RuleTable(Path(__file__).with_name("rules.toml"))

finding = TABLE.finding

ATTRIBUTE_NAMES, CLASS_NAMES, FACE_NAMES, COLOR_NAMES = message_words(
    Path(__file__).parents[1] / "words.toml", "attributes", "classes", "faces", "colors"
)
