"""The rules of list building of Warhammer Fantasy Battles, 8th edition, in the order they run."""

from armybuilder.engine.systems.fantasy_8th.army import Army
from armybuilder.engine.systems.fantasy_8th.list_rules import (
    alliances,
    composition,
    conventions,
    equipment,
    joining,
    magic_items,
    repeats,
    scenarios,
    wizards,
)
from armybuilder.engine.systems.fantasy_8th.list_rules.rules import TABLE
from armybuilder.engine.systems.list_rules import Check, ListRules

CHECKS: tuple[Check, ...] = (
    *composition.CHECKS,
    *wizards.CHECKS,
    *magic_items.CHECKS,
    *joining.CHECKS,
    *equipment.CHECKS,
    *alliances.CHECKS,
    *scenarios.CHECKS,
    conventions.conventions,
)


MOST_ALLIES = 9
"""Armies that a page lets join one alliance; the rules text sets no number."""


RULES = ListRules(
    system="fantasy-8th",
    rules=TABLE,
    army_type=Army,
    checks=CHECKS,
    unknown_parts={"WF-65": "alliance"},
    most_detachments=lambda army: {"allied": MOST_ALLIES},
    restatements={
        "BS-01": ("WF-09", "WF-16", "WFX-02"),
        "BS-02": ("WF-07", "WF-08", "WF-10", "WF-11", "WF-12", "WF-13", "WF-23", "WFX-02", "WFX-03", "WFX-04"),
        "BS-03": ("WFX-03",),
        "BS-04": ("WFX-01",),
    },
    told_in_lists=repeats.without_repeats,
    roleless=frozenset({"WF-16", "WF-23", "WFX-02", "WFX-04"}),
    of_kinds=frozenset({"WF-12", "WF-13"}),
)
