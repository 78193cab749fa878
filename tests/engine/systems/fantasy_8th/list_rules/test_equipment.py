"""Ordinary weapons and armour: WF-55 to WF-60."""

from typing import Any

import pytest

from armybuilder.engine.systems.fantasy_8th.list_rules.equipment import one_weapon_and_mode
from tests.engine.systems.fantasy_8th.builders import assert_fires, findings_on, make_army


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("alone", make_army({"core": {"weapons": ["hand weapon", "additional hand weapon"]}}), False),
        ("with a halberd", make_army({"core": {"weapons": ["additional hand weapon", "halberd"]}}), True),
        ("with a bow", make_army({"core": {"weapons": ["additional hand weapon", "bow"]}}), False),
        (
            "a bow counts by option",
            make_army(
                {"core": {"weapons": ["additional hand weapon", "bow"]}}, options={"special_includes_missile": True}
            ),
            True,
        ),
    ],
)
def test_wf_55(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WF-55", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("on foot", make_army({"core": {"weapons": ["brace of pistols"]}}), False),
        ("mounted", make_army({"core": {"weapons": ["brace of pistols"], "mounted": True}}), True),
    ],
)
def test_wf_56(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WF-56", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("one hand", make_army({"core": {"weapons": ["hand weapon"], "armour": ["shield"]}}), False),
        ("two hands", make_army({"core": {"weapons": ["great weapon"], "armour": ["shield"]}}), True),
    ],
)
def test_wf_57(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WF-57", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("one", make_army({"core": {"weapons": ["bow"]}}), False),
        ("two", make_army({"core": {"weapons": ["bow", "javelin"]}}), True),
    ],
)
def test_wf_58(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WF-58", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("one", make_army({"core": {"weapons": ["halberd"]}}), False),
        ("two", make_army({"core": {"weapons": ["halberd", "flail"]}}), True),
    ],
)
def test_wf_59(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WF-59", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("spear on foot", make_army({"core": {"weapons": ["spear"]}}), False),
        ("cavalry spear on foot", make_army({"core": {"weapons": ["cavalry spear"]}}), True),
        ("cavalry spear mounted", make_army({"core": {"weapons": ["cavalry spear"], "mounted": True}}), False),
        ("infantry spear mounted", make_army({"core": {"weapons": ["infantry spear"], "mounted": True}}), True),
        (
            "crew on a monster",
            make_army({"core": {"weapons": ["cavalry spear"], "troop_type": "monster"}}),
            False,
        ),
    ],
)
def test_wf_60(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WF-60", army, fires)


@pytest.mark.parametrize(
    ("case", "modes", "fires"),
    [("one weapon", ["halberd", "halberd"], False), ("two weapons", ["halberd", "hand weapon"], True)],
)
def test_wf_62(case: str, modes: list[str], fires: bool) -> None:
    assert [finding.rule for finding in one_weapon_and_mode("Guard", modes)] == (["WF-62"] if fires else [])


def test_ordinary_weapons_are_named_in_the_language_of_the_message() -> None:
    army = make_army({"core": {"weapons": ["Additional hand weapon", "Great weapon"]}})
    found = next(finding for finding in findings_on(army) if finding.rule == "WF-55")
    assert "Additional hand weapon together with Great weapon" in found.message.en
    assert "«дополнительное ручное оружие» вместе с «большое оружие»" in found.message.ru
