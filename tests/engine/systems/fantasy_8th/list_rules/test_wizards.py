"""Lores and spells: WF-16 to WF-21."""

from typing import Any

import pytest

from tests.engine.systems.fantasy_8th.builders import assert_fires, make_army


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("with a lore", make_army({"hero": {"wizard_level": 1, "lore": "fire"}}), False),
        ("without", make_army({"hero": {"wizard_level": 1}}), True),
        ("random lore of the hat", make_army({"hero": {"wizard_level": 2, "magic_items": ["Wizarding Hat"]}}), False),
    ],
)
def test_wf_16(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WF-16", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("of the rulebook", make_army({"hero": {"wizard_level": 1, "lore": "Lore of Fire"}}), False),
        ("unknown", make_army({"hero": {"wizard_level": 1, "lore": "waaagh"}}), True),
        (
            "of the army book",
            make_army({"hero": {"wizard_level": 1, "lore": "waaagh"}}, army_book_lores=["Waaagh"]),
            False,
        ),
    ],
)
def test_wf_17(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WF-17", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        (
            "as many as the level",
            make_army({"hero": {"wizard_level": 1, "lore": "fire", "spells": ["Fireball"]}}),
            False,
        ),
        (
            "one more",
            make_army({"hero": {"wizard_level": 1, "lore": "fire", "spells": ["Fireball", "Flame Storm"]}}),
            True,
        ),
        (
            "a Loremaster",
            make_army(
                {"hero": {"wizard_level": 1, "lore": "fire", "loremaster": True, "spells": ["Fireball", "Flame Storm"]}}
            ),
            False,
        ),
    ],
)
def test_wf_18(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WF-18", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        (
            "signature spell twice",
            make_army(
                {
                    "hero": {"wizard_level": 1, "lore": "fire", "spells": ["Fireball"]},
                    "lord": {"wizard_level": 1, "lore": "fire", "spells": ["Fireball"]},
                }
            ),
            False,
        ),
        (
            "numbered spell twice",
            make_army(
                {
                    "hero": {"wizard_level": 1, "lore": "fire", "spells": ["Flame Storm"]},
                    "lord": {"wizard_level": 1, "lore": "fire", "spells": ["Flame Storm"]},
                }
            ),
            True,
        ),
        (
            "two spells",
            make_army(
                {
                    "hero": {"wizard_level": 1, "lore": "fire", "spells": ["Flame Storm"]},
                    "lord": {"wizard_level": 1, "lore": "fire", "spells": ["Fireball"]},
                }
            ),
            False,
        ),
    ],
)
def test_wf_19(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WF-19", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("own lore", make_army({"hero": {"wizard_level": 1, "lore": "fire", "spells": ["Fireball"]}}), False),
        ("another lore", make_army({"hero": {"wizard_level": 1, "lore": "fire", "spells": ["Spirit Leech"]}}), True),
        ("Russian name", make_army({"hero": {"wizard_level": 1, "lore": "fire", "spells": ["Огненный шар"]}}), False),
    ],
)
def test_wf_20(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WF-20", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("all recorded", make_army({"hero": {"wizard_level": 1, "lore": "fire", "spells": ["Fireball"]}}), False),
        ("one missing", make_army({"hero": {"wizard_level": 1, "lore": "fire"}}), True),
    ],
)
def test_wf_21(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WF-21", army, fires)
