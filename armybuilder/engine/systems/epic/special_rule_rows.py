"""The rows of Epic's special rules, by which documents, rules of lists and combat know what a printed rule is."""

from pathlib import Path

from armybuilder.engine.systems.special_rules import SpecialRuleTable

DOCUMENTS, LISTS, ASSAULTS_OF_LISTS = "documents", "lists", "assaults_of_lists"

ONE_WAY = "One Way at a Time"
"""The rule of what is one way to fire a weapon, with the weapon in brackets: one of them is taken (L80)."""

SPECIAL_RULES = SpecialRuleTable.load(
    Path(__file__).parent / "combat" / "special_rules.toml", {"attacks", DOCUMENTS, LISTS, ASSAULTS_OF_LISTS}
)
"""Every special rule of the game. Those that are only roughly in the figures count in documents, where two lists meet,
or only where they meet in an assault; a skimmer that pops up to shoot has a rule of its own for it."""
