"""Which special rules of 40k 6th edition the figures know, exactly or roughly; all others are reported."""

import re
from collections.abc import Iterable
from pathlib import Path

from armybuilder.engine.systems.special_rules import LONGEST_PRINTED, SpecialRule, SpecialRuleTable

REROLLS, ALLOCATION, MARKERS = "rerolls", "allocation", "markers"
STEADY, BESIDES, TWICE = "steady", "besides", "twice"

SPECIAL_RULES = SpecialRuleTable.load(
    Path(__file__).with_name("special_rules.toml"), {REROLLS, ALLOCATION, MARKERS, STEADY, BESIDES, TWICE}
)
"""Every special rule of the game. They count where failed rolls to hit are made again, which replaces the second roll
of BS 6 and more (L298); where the nearest model is drawn from the whole unit (L386-L390); under markers and templates;
where who moved shoots as if he stood; where a model fires a weapon besides its own; where its pistols shoot twice.
"""

MODELS_COVERED = {rule.id: rule.models for rule in SPECIAL_RULES.rules.values() if rule.models is not None}
"""Models under one marker or template unless the players state how many [decision]; wider names come first."""

BARRAGE = "barrage"
UNSTATED_BLAST = {True: "large blast", False: "blast"}
"""The marker of a barrage whose size the data leaves out [decision], by whether the weapon is ordnance."""

_MARKER_INCHES = ((9, "apocalyptic blast"), (6, "massive blast"), (4, "large blast"), (1, "blast"))
_INCHES_OF_BLAST = re.compile(r"(\d+)[\"”]?\s*blast|blast\s*\((\d+)[\"”]?\)", re.IGNORECASE)


def marker(text: str) -> str | None:
    """The marker or template a rule, weapon type or range speaks of: `large blast` of "5\" Blast"; None for others."""
    if len(text) > LONGEST_PRINTED:
        return None
    plain = text.strip().casefold()
    if found := _INCHES_OF_BLAST.search(plain):
        inches = int(found[1] or found[2])
        return next(name for least, name in _MARKER_INCHES if inches >= least)
    return next((name for name in MODELS_COVERED if re.search(rf"\b{name}\b", plain)), None)


def find(text: str) -> SpecialRule | None:
    """The row of a printed rule, of a marker the one of its size; None for a rule that has none."""
    size = marker(text)
    return SPECIAL_RULES.find(text) if size is None else SPECIAL_RULES.rules[size]


def is_steady(rules: Iterable[str]) -> bool:
    """Whether who has these rules shoots after a move as if he stood."""
    return any(rule is not None and rule.counts_in(STEADY) for rule in map(find, rules))


def is_fired_besides(rules: Iterable[str]) -> bool:
    """Whether a weapon with these rules is fired besides another one of the model."""
    return any(rule is not None and rule.counts_in(BESIDES) for rule in map(find, rules))


def fires_pistols_twice(rules: Iterable[str]) -> bool:
    """Whether each pistol of who has these rules shoots twice."""
    return any(rule is not None and rule.counts_in(TWICE) for rule in map(find, rules))


def is_barrage(rules: Iterable[str]) -> bool:
    """Whether a weapon with these rules fires a barrage."""
    return any(rule.strip().casefold() == BARRAGE for rule in rules)


def is_known(text: str) -> bool:
    """Whether a rule is in the figures of a shooting attack, at least roughly."""
    rule = find(text)
    return rule is not None and rule.is_in_figures


def is_gap(text: str) -> bool:
    """Whether a rule could change a number of one shooting attack but is in none."""
    rule = find(text)
    return rule is None or rule.status == "not_simulated"
