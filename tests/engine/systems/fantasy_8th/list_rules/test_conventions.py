"""Conventions outside the text: WFX-01 to WFX-08."""

from typing import Any

import pytest

from armybuilder.engine.systems.fantasy_8th.list_rules.conventions import item_allowance, offered_options, unit_size
from armybuilder.engine.systems.list_rules import RuleSettings
from tests.engine.systems.fantasy_8th.builders import assert_fires, findings_on, make_army, make_unit


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("at the limit", make_army(), False),
        ("a point over", make_army({"core": {"points": 601}}), True),
    ],
)
def test_wfx_01(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WFX-01", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("one", make_army({"hero": {"army_standard": True}}), False),
        ("two", make_army({"hero": {"army_standard": True}}, add=(make_unit("h2", "hero", army_standard=True),)), True),
    ],
)
def test_wfx_05(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WFX-05", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("once", make_army({"hero": {"special_character": True}}), False),
        (
            "twice",
            make_army(
                {"hero": {"special_character": True}},
                add=(make_unit("h2", "hero", name="Captain", special_character=True),),
            ),
            True,
        ),
    ],
)
def test_wfx_06(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WFX-06", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("one", make_army(), False),
        ("two", make_army({"core": {"command": ["musician", "musician"]}}), True),
    ],
)
def test_wfx_07(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WFX-07", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        (
            "legal allies",
            make_army(
                add=(
                    make_unit("g2", "lord", 250, general=True, army=1),
                    make_unit("c2", points=500, army=1),
                    make_unit("c3", points=500, army=1),
                    make_unit("c4", points=500, army=1),
                ),
                alliance={"level": "firm", "races": ["empire", "dwarfs"], "army_points": [2000, 2000]},
            ),
            False,
        ),
        (
            "allies without a General",
            make_army(
                add=(
                    make_unit("g2", "lord", 250, general=False, army=1),
                    make_unit("c2", points=500, army=1),
                    make_unit("c3", points=500, army=1),
                    make_unit("c4", points=500, army=1),
                ),
                alliance={"level": "firm", "races": ["empire", "dwarfs"], "army_points": [2000, 2000]},
            ),
            True,
        ),
    ],
)
def test_wfx_08(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WFX-08", army, fires)


@pytest.mark.parametrize(
    ("case", "n", "fires"), [("least", 10, False), ("too few", 9, True), ("most", 20, False), ("too many", 21, True)]
)
def test_wfx_02(case: str, n: int, fires: bool) -> None:
    assert [f.rule for f in unit_size("Guard", n, least=10, most=20)] == (["WFX-02"] if fires else [])


@pytest.mark.parametrize(
    ("case", "taken", "fires"),
    [("offered", ["shield"], False), ("not offered", ["pony"], True), ("exclusive", ["shield", "halberd"], True)],
)
def test_wfx_03(case: str, taken: list[str], fires: bool) -> None:
    offered = frozenset({"shield", "halberd"})
    found = list(offered_options("Guard", taken, offered=offered, exclusive=(offered,)))
    assert [f.rule for f in found] == (["WFX-03"] if fires else [])


@pytest.mark.parametrize(
    ("most", "said"),
    [
        (0, ("Guard cannot take “Lore”.", "Guard не может взять «Lore».")),
        (1, ("Guard cannot take “Lore” more than once.", "Guard не может взять «Lore» больше одного раза.")),
        (2, ("Guard cannot take “Lore” more than 2 times.", "Guard не может взять «Lore» больше 2 раз.")),
    ],
)
def test_wfx_03_tells_barred_from_too_often(most: int, said: tuple[str, str]) -> None:
    (found,) = offered_options("Guard", ["Lore"], offered=frozenset(), most=most)
    assert (found.message.en, found.message.ru) == said


@pytest.mark.parametrize(("case", "cap", "fires"), [("within the allowance", 50, False), ("a point over", 49, True)])
def test_wfx_04(case: str, cap: int, fires: bool) -> None:
    found = list(item_allowance("Captain", {"Biting Blade": None, "Old Axe": 40}, cap=cap))
    assert [f.rule for f in found] == (["WFX-04"] if fires else [])


def test_conventions_can_be_switched_off() -> None:
    army = make_army({"core": {"points": 601}})
    assert_fires("WFX-01", army, False, RuleSettings(conventions=False))


def test_the_army_of_the_builders_is_legal_and_without_remarks() -> None:
    assert findings_on(make_army()) == []
