"""The words of the rulebook that army documents use: roles, detachments, ways to play and deploy, names of rules."""

import re
from collections.abc import Mapping
from enum import StrEnum
from functools import lru_cache
from types import MappingProxyType


class BattlefieldRole(StrEnum):
    """Roles of the rulebook (L3469); a document may use others."""

    HQ = "hq"
    TROOPS = "troops"
    ELITES = "elites"
    FAST_ATTACK = "fast_attack"
    HEAVY_SUPPORT = "heavy_support"
    LORD_OF_WAR = "lord_of_war"
    PRIMARCH = "primarch"
    FORTIFICATION = "fortification"


class DetachmentType(StrEnum):
    """Detachments of the Crusade chart (L3554-L3570)."""

    PRIMARY = "primary"
    ALLIED = "allied"
    LORD_OF_WAR = "lord_of_war"


class PlayMode(StrEnum):
    """Ways to play (L3413-L3445)."""

    NARRATIVE = "narrative"
    CAMPAIGN = "campaign"
    OPEN = "open"
    MATCHED = "matched"
    TEAM = "team"


class AllianceLevel(StrEnum):
    """How two factions of one army get on (L3608-L3644)."""

    SWORN_BROTHERS = "sworn_brothers"
    FELLOW_WARRIORS = "fellow_warriors"
    DISTRUSTED_ALLIES = "distrusted_allies"
    BY_COMMAND = "by_command"


class Deployment(StrEnum):
    """How a unit starts the game."""

    TABLE = "table"
    RESERVE = "reserve"
    DEEP_STRIKE_ASSAULT = "deep_strike_assault"
    FLANKING_ASSAULT = "flanking_assault"
    INFILTRATE = "infiltrate"
    SCOUT = "scout"


LONGEST_NAME = 100
"""Longer texts are not kept in the caches of words: documents come from outside."""

MOST_KEPT = 12
"""More texts together are not kept either."""

LOYALIST, TRAITOR = "loyalist", "traitor"


def word(text: str) -> str:
    """A word of the game in the form that documents use for fixed values: `Super-heavy` becomes `super_heavy`."""
    return _known_word(text) if len(text) <= LONGEST_NAME else _word(text)


def rule_and_value(rule: str) -> tuple[str, str | None]:
    """A special rule as players write it, split: `Bulky (3)` is the word `bulky` and the value `3`."""
    return _known_rule(rule) if len(rule) <= LONGEST_NAME else _rule_and_value(rule)


def _word(text: str) -> str:
    return re.sub(r"[\s_‐‑–-]+", "_", text.strip().casefold())


def _rule_and_value(rule: str) -> tuple[str, str | None]:
    name, bracket, value = rule.partition("(")
    return word(name), value.strip().removesuffix(")").strip() if bracket else None


def _words(texts: tuple[str, ...]) -> frozenset[str]:
    return frozenset(map(word, texts))


def _by_name(rules: tuple[str, ...]) -> Mapping[str, str | None]:
    return MappingProxyType(dict(map(rule_and_value, rules)))


_known_word = lru_cache(maxsize=4096)(_word)
_known_rule = lru_cache(maxsize=4096)(_rule_and_value)
_known_words = lru_cache(maxsize=1024)(_words)
_known_by_name = lru_cache(maxsize=1024)(_by_name)
_NO_RULES: Mapping[str, str | None] = MappingProxyType({})
_NO_WORDS = frozenset[str]()


def words_of(texts: tuple[str, ...]) -> frozenset[str]:
    """Several of them."""
    if not texts:
        return _NO_WORDS
    return _known_words(texts) if are_short(texts) else _words(texts)


def are_short(texts: tuple[str, ...]) -> bool:
    """Whether several of them, each no longer than a document allows, are few enough to be kept."""
    return len(texts) <= MOST_KEPT


def rules_by_name(rules: tuple[str, ...]) -> Mapping[str, str | None]:
    """Several special rules: the value of each by its word; of one that stands twice, that of the last."""
    if not rules:
        return _NO_RULES
    return _known_by_name(rules) if are_short(rules) else _by_name(rules)
