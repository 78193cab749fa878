"""Which special rules of Epic the simulations know; all others are listed as not simulated."""

from collections.abc import Iterable

import msgspec

from armybuilder.engine.combat.dice import Dice, parse
from armybuilder.engine.findings import Text
from armybuilder.engine.systems.epic import criticals
from armybuilder.engine.systems.epic.army import Options, rule_value
from armybuilder.engine.systems.epic.special_rule_rows import DOCUMENTS, SPECIAL_RULES
from armybuilder.engine.systems.matchups import ModelNotes
from armybuilder.engine.systems.special_rules import SpecialRule

INVULNERABLE = "invulnerable save"
TITAN_KILLER = "titan killer"

MOST_OF_A_RULE = 100
"""What a rule says beyond it is no number of this game, and would be worked out for minutes."""


def find(text: str) -> SpecialRule | None:
    """The row of a printed rule; None for one that has none."""
    return SPECIAL_RULES.find(text)


def how_roughly(text: str) -> Text | None:
    """How a rule is only roughly in the figures of two lists; None for rules that are in them, or not at all."""
    rule = find(text)
    return rule.how if rule is not None and _is_rough(rule, text) else None


def is_gap(text: str) -> bool:
    """Whether a rule could change a number of one attack but is in none."""
    rule = find(text)
    return (rule is None or rule.affects_combat) and not is_known(text)


def is_known(text: str) -> bool:
    """Whether a rule is in the figures of two lists, at least roughly."""
    return is_exact(text) or how_roughly(text) is not None


def is_exact(text: str) -> bool:
    """Whether a rule is exactly in the figures.

    A critical hit is where its damage is known and does not burn on; a save where its roll is, a titan killer where its
    damage is one number or dice.
    """
    rule = find(text)
    if rule is None or rule.status != "modelled":
        return False
    if rule.id == INVULNERABLE:
        return save_roll(text) is not None
    if rule.id == TITAN_KILLER:
        return _dice(text) is not None
    return rule.id != criticals.RULE or (criticals.is_understood(text) and not criticals.lasts(text))


def save_roll(text: str) -> int | None:
    """The roll of an Invulnerable Save; None for one that is written without."""
    digits = "".join(sign for sign in rule_value(text) or "" if sign.isdecimal())
    return int(digits) if digits else None


def dice_of(text: str) -> Dice:
    """The number or dice of a rule; one where it has none, or none that a rule has."""
    return _dice(text) or parse(1)


def _dice(text: str) -> Dice | None:
    try:
        dice = parse((rule_value(text) or "1").lstrip("+").upper().replace("Д", "D"))
    except ValueError:
        return None
    return dice if dice.highest <= MOST_OF_A_RULE else None


def is_left_out(text: str) -> bool:
    """Whether a single fight has a rule in its numbers and a whole battle has not."""
    rule = find(text)
    return rule is not None and rule.battle == "left_out"


def note_rules(notes: ModelNotes, rules: Iterable[str], options: Options) -> None:
    """Write down which of the given rules are in the numbers and which readings are in force."""
    for text in rules:
        rule = find(text)
        if rule is not None and rule.how is not None and _is_rough(rule, text) and not _is_of_lists(rule):
            notes.approximate(text, rule.how)
        else:
            (notes.modelled if is_exact(text) else notes.not_simulated).append(text)
    notes.options |= msgspec.to_builtins(options)


def _is_rough(rule: SpecialRule, text: str) -> bool:
    return rule.status == "approximated" or criticals.lasts(text)


def _is_of_lists(rule: SpecialRule) -> bool:
    return rule.status == "approximated" and not rule.counts_in(DOCUMENTS)
