"""Of rules that object to the same thing, a list tells one; documents are answered with all of them."""

from typing import Any

import pytest

from armybuilder.engine.documents import parse_army
from armybuilder.engine.systems.game import LIST_RULES
from tests.engine.systems.fantasy_8th.builders import findings_on, make_army, make_unit

BANNERS = {"magic_items": ["War Banner"], "magic_items_allowed": True}
FIGHTER = {"magic_items": ["Sword of Might"]}
ONE_CAUSE: list[tuple[str, dict[str, Any], set[str], set[str]]] = [
    (
        "a swarm is unbreakable, unstable and skirmishes",
        make_army({"hero": {"joined_to": "core", "mounted": True}, "core": {"troop_type": "swarm"}}),
        {"WF-46", "WF-48", "WF-49", "WF-50"},
        {"WF-46"},
    ),
    (
        "the dead are unstable and unbreakable",
        make_army({"hero": {"joined_to": "core"}, "core": {"rules": ["Unbreakable", "Unstable"]}}),
        {"WF-48", "WF-49"},
        {"WF-49"},
    ),
    (
        "whoever has the carpet joins nobody, fast cavalry neither",
        make_army(
            {
                "hero": {"joined_to": "core", "magic_items": ["Arabyan Carpet"]},
                "core": {"troop_type": "cavalry", "rules": ["Fast Cavalry"]},
            }
        ),
        {"WF-34", "WF-52"},
        {"WF-34"},
    ),
    (
        "fast cavalry alone",
        make_army({"hero": {"joined_to": "core"}, "core": {"troop_type": "cavalry", "rules": ["Fast Cavalry"]}}),
        {"WF-52"},
        {"WF-52"},
    ),
    (
        "a regiment with the army standard that leads",
        make_army({"lord": {"general": False}, "core": {"army_standard": True, "general": True}}),
        {"WF-02", "WF-14", "WF-15"},
        {"WF-02", "WF-15"},
    ),
    (
        "magic items that he may not have at all",
        make_army({"hero": {"magic_items": ["Power Stone"], "magic_items_allowed": False}}),
        {"WF-25", "WF-27"},
        {"WF-25"},
    ),
    (
        "a banner of a unit that may have none, and no bearer",
        make_army({"core": {**BANNERS, "command": [], "magic_banner_allowed": False}}),
        {"WF-28", "WF-30"},
        {"WF-30"},
    ),
    (
        "a second weapon on horseback beside a magic one",
        make_army({"hero": {**FIGHTER, "troop_type": "cavalry", "weapons": ["Additional hand weapon"]}}),
        {"WF-36", "WF-56"},
        {"WF-36"},
    ),
    (
        "a second weapon on horseback",
        make_army({"hero": {"troop_type": "cavalry", "weapons": ["Additional hand weapon"]}}),
        {"WF-56"},
        {"WF-56"},
    ),
    (
        "weapons that are not used beside a magic one",
        make_army({"hero": {**FIGHTER, "weapons": ["Great weapon", "Halberd"], "armour": ["Shield"]}}),
        {"WF-37", "WF-38", "WF-57", "WF-59"},
        {"WF-37", "WF-38"},
    ),
    (
        "two magic suits of armour",
        make_army({"lord": {"magic_items": ["Armour of Fortune", "Armour of Destiny"]}}),
        {"WF-23", "WF-32"},
        {"WF-23"},
    ),
    (
        "two magic weapons, and two ordinary suits",
        make_army({"lord": {"magic_items": ["Sword of Might", "Biting Blade"], "armour": ["Light armour"] * 2}}),
        {"WF-23", "WF-32"},
        {"WF-23", "WF-32"},
    ),
    (
        "a regiment that carries the army standard beside the one who does",
        make_army({"hero": {"army_standard": True}, "core": {"army_standard": True}}),
        {"WF-15", "WFX-05"},
        {"WF-15"},
    ),
    (
        "two army standards",
        make_army({"hero": {"army_standard": True}}, add=(make_unit("second", "hero", 0, army_standard=True),)),
        {"WFX-05"},
        {"WFX-05"},
    ),
    (
        "an army standard bearer as wise as the General",
        make_army({"hero": {"profile": {"Ld": 9}, "army_standard": True}}),
        {"WF-05"},
        set(),
    ),
    ("a captain as wise as the General", make_army({"hero": {"profile": {"Ld": 9}}}), {"WF-05"}, {"WF-05"}),
    (
        "a garrison that cannot enter",
        make_army({"core": {"troop_type": "chariot", "models": 1}}, watchtower_garrison="core"),
        {"WF-70", "WF-71"},
        {"WF-71"},
    ),
    (
        "a garrison that is too large",
        make_army({"core": {"models": 21}}, watchtower_garrison="core"),
        {"WF-70"},
        {"WF-70"},
    ),
]


@pytest.mark.parametrize(("case", "army", "found", "told"), ONE_CAUSE)
def test_one_cause_is_told_once(case: str, army: dict[str, Any], found: set[str], told: set[str]) -> None:
    findings = tuple(findings_on(army))
    assert {finding.rule for finding in findings} == found, case
    shown = LIST_RULES["fantasy-8th"].told_in_lists(parse_army(army), findings)
    assert {finding.rule for finding in shown} == told, case
