"""General, number of units, percentages, duplicates and army standard: WF-01 to WF-15."""

from typing import Any

import pytest

from tests.engine.systems.fantasy_8th.builders import assert_fires, findings_on, make_army, make_unit


def copies(category: str, n: int, *, pair: bool = False) -> tuple[dict[str, Any], ...]:
    """So many units of one kind beside the army's own, the first two bought as one choice if they are a pair."""
    units = [make_unit(f"{category}{i}", category, 1, entry="Kind") for i in range(n)]
    if pair:
        units[0]["one_choice_group"] = units[1]["one_choice_group"] = "pair"
    return tuple(units)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("marked", make_army(), False),
        ("nobody marked", make_army({"lord": {"general": False}}), True),
    ],
)
def test_wf_01(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WF-01", army, fires)


def test_who_has_nobody_to_lead_is_told_to_take_somebody() -> None:
    without = next(one for one in findings_on(make_army(drop="lord hero")) if one.rule == "WF-01")
    unmarked = next(one for one in findings_on(make_army({"lord": {"general": False}})) if one.rule == "WF-01")
    assert without.message.en == "Your army needs a General: take a Lord or a Hero."
    assert unmarked.message.en == "Your army needs a General: choose one Lord or Hero."


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("a Hero", make_army({"lord": {"general": False}, "hero": {"general": True, "profile": {"Ld": 9}}}), False),
        ("a Core unit", make_army({"lord": {"general": False}, "core": {"general": True}}), True),
    ],
)
def test_wf_02(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WF-02", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("one", make_army(), False),
        ("two", make_army({"hero": {"general": True}}), True),
        (
            "one in each allied army",
            make_army(
                {"hero": {"general": True, "army": 1}}, alliance={"level": "firm", "races": ["empire", "dwarfs"]}
            ),
            False,
        ),
    ],
)
def test_wf_03(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WF-03", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("equal leadership", make_army({"hero": {"profile": {"Ld": 9}}}), False),
        ("higher leadership", make_army({"hero": {"profile": {"Ld": 10}}}), True),
        (
            "the army standard bearer is not compared",
            make_army({"hero": {"profile": {"Ld": 10}, "army_standard": True}}),
            False,
        ),
        (
            "an assassin is not compared",
            make_army({"hero": {"profile": {"Ld": 10}, "rules": ["A Killer, Not A Leader"]}}),
            False,
        ),
    ],
)
def test_wf_04(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WF-04", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("different", make_army(), False),
        ("shared", make_army({"hero": {"profile": {"Ld": 9}}}), True),
    ],
)
def test_wf_05(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WF-05", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("three", make_army(), False),
        ("two", make_army(drop="rare"), True),
        (
            "a pair bought as one choice",
            make_army({"special": {"one_choice_group": "a"}, "rare": {"one_choice_group": "a"}}),
            True,
        ),
    ],
)
def test_wf_06(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WF-06", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("a quarter", make_army({"lord": {"points": 500}, "special": {"points": 350}}), False),
        ("a point more", make_army({"lord": {"points": 501}}), True),
    ],
)
def test_wf_07(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WF-07", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("a quarter", make_army({"hero": {"points": 500}}), False),
        ("a point more", make_army({"hero": {"points": 501}}), True),
    ],
)
def test_wf_08(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WF-08", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("a quarter", make_army({"core": {"points": 500}}), False),
        ("a point less", make_army({"core": {"points": 499}}), True),
        ("a quarter of the total", make_army({"core": {"points": 470}}, options={"percent_base": "total"}), False),
        ("less of the total", make_army({"core": {"points": 466}}, options={"percent_base": "total"}), True),
    ],
)
def test_wf_09(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WF-09", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("half", make_army({"special": {"points": 1000}}), False),
        ("a point more", make_army({"special": {"points": 1001}}), True),
    ],
)
def test_wf_10(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WF-10", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("a quarter", make_army({"rare": {"points": 500}}), False),
        ("a point more", make_army({"rare": {"points": 501}}), True),
    ],
)
def test_wf_11(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WF-11", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("three", make_army(add=copies("special", 3)), False),
        ("four", make_army(add=copies("special", 4)), True),
        ("six in a large army", make_army(add=copies("special", 6), points_limit=3000), False),
        ("seven in a large army", make_army(add=copies("special", 7), points_limit=3000), True),
        ("six below 3,000 points", make_army(add=copies("special", 6), points_limit=2999), True),
        ("pairs count once", make_army(add=copies("special", 4, pair=True)), False),
    ],
)
def test_wf_12(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WF-12", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("two", make_army(add=copies("rare", 2)), False),
        ("three", make_army(add=copies("rare", 3)), True),
        ("four in a large army", make_army(add=copies("rare", 4), points_limit=3000), False),
        ("five in a large army", make_army(add=copies("rare", 5), points_limit=3000), True),
    ],
)
def test_wf_13(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WF-13", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("two characters", make_army({"hero": {"army_standard": True}}), False),
        ("the General", make_army({"lord": {"army_standard": True}}), True),
        (
            "the profile allows it",
            make_army({"lord": {"army_standard": True, "army_standard_may_be_general": True}}),
            False,
        ),
    ],
)
def test_wf_14(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WF-14", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("a Hero", make_army({"hero": {"army_standard": True}}), False),
        ("a Core unit", make_army({"core": {"army_standard": True}}), True),
    ],
)
def test_wf_15(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WF-15", army, fires)
