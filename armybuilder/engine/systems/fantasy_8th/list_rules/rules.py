"""The rule table of Fantasy 8th edition and the words its messages use."""

from pathlib import Path

from armybuilder.engine.systems.rule_table import RuleTable
from armybuilder.engine.systems.words import message_words

TABLE = RuleTable(Path(__file__).with_name("rules.toml"))
finding = TABLE.finding

ITEM_CATEGORIES, SLOTS, TROOP_TYPES, LEVELS, COMMAND_ROLES, MOUNTINGS = message_words(
    Path(__file__).parents[1] / "words.toml",
    "item_categories",
    "slots",
    "troop_types",
    "levels",
    "command_roles",
    "mountings",
)
