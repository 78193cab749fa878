"""The rule table of 40k 6th edition and the words its messages use."""

from pathlib import Path

from armybuilder.engine.systems.rule_table import RuleTable
from armybuilder.engine.systems.words import message_words

TABLE = RuleTable(Path(__file__).with_name("rules.toml"))

finding = TABLE.finding

ROLE_NAMES, DETACHMENT_NAMES, CHARACTERISTIC_NAMES = message_words(
    Path(__file__).parents[1] / "words.toml", "roles", "detachments", "characteristics"
)
