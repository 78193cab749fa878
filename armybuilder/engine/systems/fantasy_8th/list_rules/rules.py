"""The rule table of Fantasy 8th edition and the words its messages use."""

from pathlib import Path

from armybuilder.engine.systems.rule_table import RuleTable
from armybuilder.engine.systems.words import message_words

TABLE = RuleTable(Path(__file__).with_name("rules.toml"))
finding = TABLE.finding

_WORDS = message_words(Path(__file__).parents[1] / "words.toml")
ITEM_CATEGORIES = _WORDS["item_categories"]
SLOTS = _WORDS["slots"]
TROOP_TYPES = _WORDS["troop_types"]
LEVELS = _WORDS["levels"]
COMMAND_ROLES = _WORDS["command_roles"]
MOUNTINGS = _WORDS["mountings"]
