"""HH-59, HH-60 and HH-64 on their boundaries: profiles and options."""

from typing import Any

import pytest

from tests.engine.systems.horus_heresy.builders import EXTRA, Json, findings_on, found_on, make_army, make_unit


@pytest.mark.parametrize(
    ("case", "profile", "fires"),
    [
        ("nothing is below 0", dict.fromkeys(("M", "WS", "BS", "S", "T", "W", "A", "Ld"), 0) | {"I": 1}, None),
        *[(f"{one} of -1", {one: -1}, one) for one in ("M", "WS", "BS", "S", "T", "W", "I", "A", "Ld")],
        ("Initiative 1", {"I": 1}, None),
        ("Initiative 0", {"I": 0}, "I"),
        ("no values", {"I": None, "WS": None}, None),
        ("save 2+", {"Sv": "2+"}, None),
        ("save 1+", {"Sv": "1+"}, "Sv"),
        ("save 6+", {"Sv": 6}, None),
        ("save 7+", {"Sv": 7}, "Sv"),
        ("no save", {"Sv": "-"}, None),
    ],
)
def test_hh_59_by_characteristic(case: str, profile: Json, fires: str | None) -> None:
    found = found_on(make_army(make_unit(profile=profile)))
    assert found == ([("HH-59", f"{EXTRA}/profile/{fires}")] if fires else []), case


@pytest.mark.parametrize(
    ("case", "type_", "initiative", "fires"),
    [("infantry", "infantry", 0, True), ("a vehicle", "vehicle", 0, False), ("infantry with 1", "infantry", 1, False)],
)
def test_hh_59(case: str, type_: str, initiative: int, fires: bool) -> None:
    profile: Json = {"I": initiative} | ({"AV": 10, "HP": 1} if type_ == "vehicle" else {})
    found = found_on(make_army(make_unit(type=type_, profile=profile)))
    assert found == ([("HH-59", f"{EXTRA}/profile/I")] if fires else []), case


def test_hh_59_names_model_and_value() -> None:
    models = [{"name": "Legionary", "count": 1}, {"name": "Sergeant", "count": 1, "profile": {"Ld": -2}}]
    (finding,) = findings_on(make_army(make_unit(models=models)))
    assert finding.at == f"{EXTRA}/models/1/profile/Ld"
    assert finding.message.en == "Veterans (Sergeant): Leadership = -2 is out of range."
    assert finding.message.ru == "«Veterans (Sergeant)»: лидерство = -2 вне допустимых пределов."


HULL = {"AV": {"front": 13, "side": 12, "rear": 10}, "HP": 4}


@pytest.mark.parametrize(
    ("case", "profile", "at", "fires"),
    [
        ("complete", HULL, "", False),
        ("one number for all", {"AV": 14, "HP": 1}, "", False),
        ("a facing is missing", HULL | {"AV": {"front": 13, "side": 12}}, "/AV/rear", True),
        ("a facing of 9", HULL | {"AV": {"front": 13, "side": 9, "rear": 10}}, "/AV/side", True),
        ("a facing of 15", HULL | {"AV": {"front": 15, "side": 12, "rear": 10}}, "/AV/front", True),
        ("15 everywhere", HULL | {"AV": 15}, "/AV", True),
        ("no armour", {"HP": 3}, "/AV", True),
        ("no Hull Points left", HULL | {"HP": 0}, "/HP", True),
        ("Hull Points not stated", {"AV": 10}, "", False),
        ("no profile", None, "", False),
    ],
)
def test_hh_60(case: str, profile: Any, at: str, fires: bool) -> None:
    facts = {"profile": profile} if profile is not None else {}
    found = found_on(make_army(make_unit(type="vehicle", **facts)))
    assert found == ([("HH-60", f"{EXTRA}/profile{at}")] if fires else []), case


def test_hh_60_asks_only_vehicles() -> None:
    assert found_on(make_army(make_unit(profile={"HP": 0, "AV": 15}))) == []


def test_hh_60_a_group_completes_the_profile_of_its_unit() -> None:
    models = [{"name": "Command tank", "count": 1, "profile": {"BS": 5, "HP": 0}}]
    tank = make_unit(type="vehicle", profile={"AV": 12, "HP": 3}, models=models)
    assert found_on(make_army(tank)) == [("HH-60", f"{EXTRA}/models/0/profile/HP")]


@pytest.mark.parametrize(
    ("case", "option", "fires"),
    [
        ("as many as allowed", {"name": "Meltagun", "count": 2, "max": 2}, False),
        ("one more", {"name": "Meltagun", "count": 3, "max": 2}, True),
        ("not allowed at all", {"name": "Meltagun", "max": 0}, True),
        ("limit not known", {"name": "Meltagun", "count": 9}, False),
    ],
)
def test_hh_64(case: str, option: Json, fires: bool) -> None:
    found = found_on(make_army(make_unit(options=[option])))
    assert found == ([("HH-64", f"{EXTRA}/options/0/count")] if fires else []), case


def test_hh_64_leaves_the_fortifications_of_the_book_to_hh_47() -> None:
    wall = make_unit(
        name="Fortified Wall", role="fortification", type="fortification",
        options=[{"name": "Strongpoint", "count": 3, "max": 2}],
    )  # fmt: skip
    assert [one.rule for one in findings_on(make_army(wall))] == ["HH-47"]
