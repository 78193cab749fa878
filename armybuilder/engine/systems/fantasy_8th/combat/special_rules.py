"""Special rules of Fantasy 8th edition: their rows, printed ones read, and the values of those that are in force."""

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from armybuilder.engine.combat.dice import Dice
from armybuilder.engine.systems.fantasy_8th.matchup import number_of
from armybuilder.engine.systems.special_rules import LONGEST_PRINTED, SpecialRuleTable

PLACES = frozenset(
    {
        "blows", "struck", "psychology", "round", "combat_result", "break_test", "shooting", "shot_at", "spells",
        "attack_count", "impact_hits", "stomp", "breath_weapon", "hits", "hit", "pursuit", "charge", "ambush",
        "dangerous_terrain", "handlers", "moves", "fearless", "mount", "first_round",
    }
)  # fmt: skip
"""Where a special rule counts.

blows, struck: of who strikes in close combat, and of who is struck; round: besides these in a whole round.
psychology: of both in every kind in which courage counts; fearless: it makes its bearer immune to psychology.
shooting, shot_at: of who shoots and of the target; spells: of the target of a spell.
hits, hit: of who makes automatic hits (impact_hits, stomp, breath_weapon), and of whom they strike.
moves: how far a unit of a whole battle moves; handlers: who of a monster's handlers is struck.
mount: the rider of a mount that has the rule has it too.
first_round: blows of the first round of a fight are others than later ones, so who is charged strikes otherwise too.
"""

TABLE = SpecialRuleTable.load(Path(__file__).with_name("special_rules.toml"), PLACES)


@cache
def rules_counting_in(*places: str) -> frozenset[str]:
    """Ids of the rules that count in one of these places."""
    return TABLE.counting_in(*places)


Rules = dict[str, str | None]
"""Rules in force: id of the row to the text in brackets."""

_PAGES = re.compile(r"\((?:BRB[- ]|AB[- ]|FAQ)[^()]*\)|\.$", re.IGNORECASE)
"""Pages and remarks that the community's data writes behind a rule: "Multiple Shots (2)(BRB-73)(FAQ'ed)"."""


_LONGEST_NAME = 6
"""Words of a printed rule, its value included."""

_CONDITIONS = frozenset({"against", "for", "if", "in", "on", "only", "to", "versus", "vs", "when", "with"})


class Rule(NamedTuple):
    """One special rule as a document writes it; slug None when no simulation knows it."""

    slug: str | None
    value: str | None


UNKNOWN = Rule(None, None)

FOOTNOTE = "*"
"""Behind or before a name it points to conditions that stand elsewhere: such a rule is not simulated."""


def read(text: str) -> Rule:
    """A special rule, its value in brackets or behind its name."""
    return UNKNOWN if len(text) > LONGEST_PRINTED else _read(text)


@lru_cache(maxsize=4096)
def _read(text: str) -> Rule:
    name, value = TABLE.read(_plain(text))
    return Rule(name, value) if name in TABLE.in_figures else UNKNOWN


def is_known(text: str) -> bool:
    """Whether a special rule is in the numbers of some simulation, or has no part in any."""
    return len(text) <= LONGEST_PRINTED and not TABLE.is_gap(_plain(text))


def _plain(text: str) -> str:
    """A rule without what the community's data writes behind it; empty for one with a footnote."""
    return "" if FOOTNOTE in text.partition("(")[0] else _PAGES.sub("", text).strip()


@lru_cache(maxsize=4096)
def printed_apart(text: str) -> tuple[str, ...]:
    """Rules that an author printed without commas: "Armour Piercing Poisoned Attacks" is two.

    Only where at least two of them have rows, and nothing beside them reads as a sentence or a condition: every word
    begins with a capital. What has no row stands by itself then, and is not understood.

    Returns:
        The text as it is in all other cases.
    """
    if len(text) > LONGEST_PRINTED or FOOTNOTE in text or TABLE.find(_plain(text)) is not None:
        return (text,)
    words = _plain(text).split()
    parts: list[list[str]] = [[]]
    found = at = 0
    while at < len(words):
        ends = range(min(len(words), at + _LONGEST_NAME), at, -1)
        end = next((end for end in ends if TABLE.find(" ".join(words[at:end])) is not None), None)
        if end is not None:
            parts += [words[at:end], []]
            found, at = found + 1, end
        elif words[at][0].islower() or words[at].casefold() in _CONDITIONS:
            return (text,)
        else:
            parts[-1].append(words[at])
            at += 1
    return tuple(" ".join(part) for part in parts if part) if found > 1 else (text,)


def is_of_an_army_book(text: str) -> bool:
    """Whether the rules text does not hold a rule, so that it works as in the published army book."""
    row = TABLE.find(text)
    return row is not None and row.is_carried


def in_force(texts: Iterable[str]) -> Rules:
    """Rules by slug; of a rule that is written several times the first value counts, of saves the best one."""
    return dict(_in_force(tuple(texts)))


@lru_cache(maxsize=8192)
def _in_force(texts: tuple[str, ...]) -> tuple[tuple[str, str | None], ...]:
    rules: Rules = {}
    for text in texts:
        slug, value = read(text)
        if slug is not None:
            enter(rules, slug, value)
    if "hover" in rules:
        rules.setdefault("fly", None)
    return tuple(rules.items())


def merge(rules: Rules, more: Iterable[tuple[str, str | None]]) -> None:
    """Add rules that an item, a spell or a troop type gives."""
    for slug, value in more:
        enter(rules, slug, value)


def worth(rules: Rules, slug: str) -> str | None:
    """The value of a rule in force, its default when the brackets are missing; None when it is not in force."""
    if slug not in rules:
        return None
    value = rules[slug]
    return TABLE.rules[slug].default if value is None or not value.strip() else value.strip()


def dice(rules: Rules, slug: str, at: str) -> Dice | None:
    """The dice or number in a rule's brackets, the rule's default when there are none; None when it is not in force.

    Raises:
        LimitExceeded: more dice, or a larger number, than the service rolls.
    """
    value = worth(rules, slug)
    if value is None:
        return None
    match = re.search(r"(\d*\s*[DdДдКк]\s*[36]|\d+)(\s*[+-]\s*\d+)?", value)
    written = "".join((match[0] if match else TABLE.rules[slug].default or "1").upper().split())
    return number_of(written.replace("Д", "D").replace("К", "D"), f"{at}/rules")


def number(text: str | None) -> int | None:
    """The first whole number in a value such as "4+" or "S4"."""
    match = re.search(r"\d{1,6}", text or "")
    return int(match[0]) if match else None


def enter(rules: Rules, slug: str, value: str | None) -> None:
    """Add a rule; of several values the first counts, of saves the best."""
    known = rules.get(slug)
    if slug in rules and known is not None and value is not None:
        old, new = number(known), number(value)
        better = slug in ("regeneration", "scaly_skin")
        if old is None or new is None or (new >= old if better else new <= old):
            return
    elif slug in rules and value is None:
        return
    rules[slug] = value
