"""Magic items: WF-22 to WF-45."""

from collections import Counter
from typing import Any

import pytest

from armybuilder.engine.systems.fantasy_8th.list_rules.magic_items import army_book_prices
from armybuilder.engine.systems.fantasy_8th.reference import lores, magic_items
from tests.engine.systems.fantasy_8th.builders import assert_fires, make_army


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("once", make_army({"hero": {"magic_items": ["Biting Blade"]}}), False),
        (
            "twice",
            make_army({"hero": {"magic_items": ["Biting Blade"]}, "lord": {"magic_items": ["biting blade"]}}),
            True,
        ),
        (
            "army-book item twice",
            make_army({"hero": {"magic_items": ["Old Axe"]}, "lord": {"magic_items": ["Old Axe"]}}),
            True,
        ),
    ],
)
def test_wf_22(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WF-22", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("two categories", make_army({"hero": {"magic_items": ["Biting Blade", "Dawnstone"]}}), False),
        ("two of one category", make_army({"hero": {"magic_items": ["Biting Blade", "Ogre Blade"]}}), True),
        (
            "special character",
            make_army({"hero": {"magic_items": ["Biting Blade", "Ogre Blade"], "special_character": True}}),
            False,
        ),
    ],
)
def test_wf_23(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WF-23", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("a character", make_army({"hero": {"magic_items": ["Biting Blade"]}}), False),
        ("a unit", make_army({"core": {"magic_items": ["Biting Blade"]}}), True),
        (
            "a unit with permission",
            make_army({"core": {"magic_items": ["Biting Blade"], "magic_items_allowed": True}}),
            False,
        ),
        ("a banner is judged elsewhere", make_army({"core": {"magic_items": ["War Banner"]}}), False),
    ],
)
def test_wf_24(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WF-24", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("access", make_army({"hero": {"magic_items": ["Biting Blade"]}}), False),
        ("no access", make_army({"hero": {"magic_items": ["Biting Blade"], "magic_items_allowed": False}}), True),
    ],
)
def test_wf_25(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WF-25", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("no wizard", make_army({"hero": {"magic_items": ["Armour of Destiny"]}}), False),
        (
            "wizard",
            make_army({"hero": {"wizard_level": 1, "lore": "fire", "magic_items": ["Armour of Destiny"]}}),
            True,
        ),
        (
            "wizard with armour",
            make_army(
                {
                    "hero": {
                        "wizard_level": 1,
                        "lore": "fire",
                        "armour_access": True,
                        "magic_items": ["Armour of Destiny"],
                    }
                }
            ),
            False,
        ),
    ],
)
def test_wf_26(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WF-26", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("wizard", make_army({"hero": {"wizard_level": 1, "lore": "fire", "magic_items": ["Dispel Scroll"]}}), False),
        ("no wizard", make_army({"hero": {"magic_items": ["Dispel Scroll"]}}), True),
        ("the hat gives no access", make_army({"hero": {"magic_items": ["Dispel Scroll", "Wizarding Hat"]}}), True),
    ],
)
def test_wf_27(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WF-27", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("standard bearer", make_army({"core": {"magic_items": ["War Banner"], "magic_banner_allowed": True}}), False),
        (
            "no standard bearer",
            make_army({"core": {"magic_items": ["War Banner"], "magic_banner_allowed": True, "command": []}}),
            True,
        ),
    ],
)
def test_wf_28(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WF-28", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("army standard bearer", make_army({"hero": {"magic_items": ["War Banner"], "army_standard": True}}), False),
        ("another character", make_army({"hero": {"magic_items": ["War Banner"]}}), True),
    ],
)
def test_wf_29(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WF-29", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("allowed", make_army({"core": {"magic_items": ["War Banner"], "magic_banner_allowed": True}}), False),
        ("not allowed", make_army({"core": {"magic_items": ["War Banner"]}}), True),
    ],
)
def test_wf_30(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WF-30", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        (
            "one suit and a shield",
            make_army({"hero": {"magic_items": [], "armour": ["light armour", "shield"]}}),
            False,
        ),
        ("two suits", make_army({"hero": {"magic_items": [], "armour": ["light armour", "heavy armour"]}}), True),
        (
            "magic armour replaces",
            make_army({"hero": {"magic_items": ["Armour of Destiny"], "armour": ["light armour"]}}),
            False,
        ),
        (
            "two magic suits",
            make_army({"hero": {"magic_items": ["Armour of Destiny", "Armour of Fortune"], "special_character": True}}),
            True,
        ),
        ("two shields", make_army({"hero": {"magic_items": [], "armour": ["shield", "shield"]}}), True),
        ("a cloak over it", make_army({"hero": {"armour": ["light armour", "Sea Dragon Cloak"]}}), False),
        ("a cloak over two", make_army({"hero": {"armour": ["light armour", "heavy armour", "Lion Cloak"]}}), True),
        ("an ironfist is a shield", make_army({"hero": {"armour": ["light armour", "Ironfist"]}}), False),
        ("an ironfist beside a shield", make_army({"hero": {"armour": ["shield", "Ironfist"]}}), True),
        ("a scaly skin", make_army({"hero": {"armour": ["light armour", "Scaly Skin"]}}), False),
    ],
)
def test_wf_32(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WF-32", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("on foot", make_army({"hero": {"magic_items": ["Arabyan Carpet"]}}), False),
        ("mounted", make_army({"hero": {"magic_items": ["Arabyan Carpet"], "mounted": True}}), True),
        ("on a chariot", make_army({"hero": {"magic_items": ["Arabyan Carpet"], "troop_type": "chariot"}}), True),
    ],
)
def test_wf_33(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WF-33", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("alone", make_army({"hero": {"magic_items": ["Arabyan Carpet"]}}), False),
        ("in a unit", make_army({"hero": {"magic_items": ["Arabyan Carpet"], "joined_to": "core"}}), True),
    ],
)
def test_wf_34(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WF-34", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("without", make_army(), False),
        ("taken", make_army({"hero": {"magic_items": ["Fozzrik's Folding Fortress"]}}), True),
    ],
)
def test_wf_35(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WF-35", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("ordinary", make_army({"hero": {"magic_items": [], "weapons": ["additional hand weapon"]}}), False),
        (
            "with a magic weapon",
            make_army({"hero": {"magic_items": ["Biting Blade"], "weapons": ["additional hand weapon"]}}),
            True,
        ),
    ],
)
def test_wf_36(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WF-36", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("no shield", make_army({"hero": {"magic_items": ["Biting Blade"]}}), False),
        ("magic weapon and shield", make_army({"hero": {"magic_items": ["Biting Blade"], "armour": ["shield"]}}), True),
        (
            "magic shield and hand weapon",
            make_army({"hero": {"magic_items": ["Enchanted Shield"], "weapons": ["hand weapon"]}}),
            True,
        ),
        (
            "magic shield and flail",
            make_army({"hero": {"magic_items": ["Enchanted Shield"], "weapons": ["flail"]}}),
            False,
        ),
    ],
)
def test_wf_37(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WF-37", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("hand weapon", make_army({"hero": {"magic_items": ["Biting Blade"], "weapons": ["hand weapon"]}}), False),
        ("halberd", make_army({"hero": {"magic_items": ["Biting Blade"], "weapons": ["halberd"]}}), True),
    ],
)
def test_wf_38(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WF-38", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("one source", make_army({"hero": {"magic_items": ["Obsidian Amulet"]}}), False),
        (
            "item and rule",
            make_army({"hero": {"magic_items": ["Obsidian Amulet"], "rules": ["Magic Resistance (1)"]}}),
            True,
        ),
        (
            "character and unit",
            make_army(
                {
                    "hero": {"magic_items": ["Obsidian Amulet"], "joined_to": "core"},
                    "core": {"rules": ["Magic Resistance (2)"]},
                }
            ),
            True,
        ),
    ],
)
def test_wf_39(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WF-39", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("ward alone", make_army({"hero": {"magic_items": ["Talisman of Preservation"]}}), False),
        (
            "ward and Regeneration",
            make_army({"hero": {"magic_items": ["Talisman of Preservation"], "rules": ["Regeneration (4+)"]}}),
            True,
        ),
    ],
)
def test_wf_40(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WF-40", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("alone", make_army({"hero": {"magic_items": ["Armour of Silvered Steel"]}}), False),
        (
            "with a shield",
            make_army({"hero": {"magic_items": ["Armour of Silvered Steel"], "armour": ["shield"]}}),
            True,
        ),
    ],
)
def test_wf_41(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WF-41", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("on a Captain", make_army({"hero": {"magic_items": ["Terrifying Mask of Eee!"]}}), False),
        ("on the General", make_army({"lord": {"magic_items": ["Terrifying Mask of Eee!"]}}), True),
    ],
)
def test_wf_42(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WF-42", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("another banner", make_army({"core": {"magic_items": ["War Banner"], "magic_banner_allowed": True}}), False),
        ("taken", make_army({"core": {"magic_items": ["Standard of Discipline"], "magic_banner_allowed": True}}), True),
    ],
)
def test_wf_43(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WF-43", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("without", make_army(), False),
        ("taken", make_army({"hero": {"magic_items": ["Wizarding Hat"]}}), True),
    ],
)
def test_wf_44(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WF-44", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("another slot", make_army({"hero": {"magic_items": ["Armour of Destiny"], "armour": ["shield"]}}), False),
        (
            "the same slot",
            make_army({"hero": {"magic_items": ["Armour of Destiny"], "armour": ["light armour"]}}),
            True,
        ),
    ],
)
def test_wf_45(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WF-45", army, fires)


@pytest.mark.parametrize(("case", "paid", "fires"), [("army-book price", 30, False), ("rulebook price", 25, True)])
def test_wf_31(case: str, paid: int, fires: bool) -> None:
    found = list(army_book_prices({"Dispel Scroll": paid}, {"dispel scroll": 30}))
    assert [finding.rule for finding in found] == (["WF-31"] if fires else [])


def test_the_reference_data_hold_every_item_once() -> None:
    items = magic_items()
    assert len(items) == 81
    assert Counter(item.category for item in items.values()) == {
        "weapon": 19,
        "armour": 12,
        "talisman": 12,
        "banner": 10,
        "arcane": 14,
        "enchanted": 14,
    }
    assert {item.slot is not None for item in items.values() if item.category == "armour"} == {True}
    assert len({item.en for item in items.values()}) == len({item.ru for item in items.values()}) == 81


def test_the_reference_data_hold_every_spell_once() -> None:
    assert [len(lore.spells) for lore in lores().values()] == [7] * 8
    assert all([spell.number for spell in lore.spells] == list(range(7)) for lore in lores().values())
