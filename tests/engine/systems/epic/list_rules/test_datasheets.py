"""Datasheets of units: EP-08, EP-11 to EP-14, EP-32 to EP-36, EP-39."""

from typing import Any

import pytest

from tests.engine.systems.epic.builders import (
    assert_fires,
    make_aircraft,
    make_army,
    make_formation,
    make_titan,
    make_unit,
)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("light vehicle", make_army(make_formation("f", make_unit("u", "lv"))), False),
        ("unknown", make_army(make_formation("f", make_unit("u", "TANK"))), True),
    ],
)
def test_ep_08(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("EP-08", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        (
            "a class",
            make_army(make_formation("f", make_aircraft(aircraft_class="Fighter-Bomber"), deployment="reserve")),
            False,
        ),
        (
            "no class",
            make_army(make_formation("f", make_aircraft(aircraft_class="glider"), deployment="reserve")),
            True,
        ),
    ],
)
def test_ep_11(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("EP-11", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("falling track", make_army(make_formation("f", make_titan())), False),
        ("one number", make_army(make_formation("f", make_titan(profile={"DC": 3}))), False),
        ("rising", make_army(make_formation("f", make_titan(profile={"DC": [4, 8]}))), True),
        ("equal", make_army(make_formation("f", make_titan(profile={"DC": [4, 4]}))), True),
        ("four values", make_army(make_formation("f", make_titan(profile={"DC": [8, 6, 4, 2]}))), True),
        ("down to zero", make_army(make_formation("f", make_titan(profile={"DC": [2, 0]}))), True),
        ("missing", make_army(make_formation("f", make_titan(profile={}))), True),
    ],
)
def test_ep_12(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("EP-12", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("war engine", make_army(make_formation("f", make_titan())), False),
        ("tank", make_army(make_formation("f", make_unit("u", "AV", profile={"DC": [2]}))), True),
    ],
)
def test_ep_13(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("EP-13", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("printed as none", make_army(make_formation("f", make_unit("u", profile={"CC": "-"}))), False),
        ("missing", make_army(make_formation("f", make_unit("u", profile={"CC": None}))), True),
    ],
)
def test_ep_14(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("EP-14", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        (
            "three models",
            make_army(
                make_formation("f", make_unit("u", stand={"kind": "infantry", "sides_mm": [20, 40], "models": 3}))
            ),
            False,
        ),
        ("two models", make_army(make_formation("f", make_unit("u", stand={"kind": "infantry", "models": 2}))), True),
        ("eight models", make_army(make_formation("f", make_unit("u", stand={"kind": "infantry", "models": 8}))), True),
        ("no side of 20 mm", make_army(make_formation("f", make_unit("u", stand={"sides_mm": [25, 40]}))), True),
        ("too long", make_army(make_formation("f", make_unit("u", stand={"sides_mm": [20, 41]}))), True),
        ("four bikes", make_army(make_formation("f", make_unit("u", stand={"kind": "bike", "models": 4}))), False),
        ("five bikes", make_army(make_formation("f", make_unit("u", stand={"kind": "bike", "models": 5}))), True),
        (
            "two guns, six crew",
            make_army(make_formation("f", make_unit("u", stand={"kind": "artillery", "guns": 2, "models": 6}))),
            False,
        ),
        ("three guns", make_army(make_formation("f", make_unit("u", stand={"kind": "artillery", "guns": 3}))), True),
        (
            "seven crew",
            make_army(make_formation("f", make_unit("u", stand={"kind": "artillery", "guns": 1, "models": 7}))),
            True,
        ),
    ],
)
def test_ep_32(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("EP-32", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("some units", make_army(make_formation("f", make_unit("u", rules=["Expendable"]), make_unit("v"))), False),
        ("all units", make_army(make_formation("f", make_unit("u", rules=["Expendable"]))), True),
    ],
)
def test_ep_33(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("EP-33", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("infantry mounted", make_army(make_formation("f", make_unit("u", rules=["Mounted"]))), False),
        ("tank mounted", make_army(make_formation("f", make_unit("u", "AV", rules=["Mounted"]))), True),
        (
            "tank with thick rear",
            make_army(make_formation("f", make_unit("u", "AV", rules=["Thick Rear Armour"]))),
            False,
        ),
        ("infantry with thick rear", make_army(make_formation("f", make_unit("u", rules=["Thick Rear Armour"]))), True),
        ("slow tank", make_army(make_formation("f", make_unit("u", "AV", rules=["Slow and Steady"]))), True),
    ],
)
def test_ep_34(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("EP-34", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("with a value", make_army(make_formation("f", make_unit("u", rules=["Invulnerable Save (6+)"]))), False),
        ("without", make_army(make_formation("f", make_unit("u", rules=["Invulnerable Save"]))), True),
        (
            "weapon without",
            make_army(make_formation("f", make_unit("u", weapons=[{"name": "claw", "rules": ["Extra Attacks"]}]))),
            True,
        ),
        ("transport without slots", make_army(make_formation("f", make_unit("u", rules=["Transport"]))), True),
        ("transport in brackets", make_army(make_formation("f", make_unit("u", rules=["Transport (2)"]))), False),
    ],
)
def test_ep_35(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("EP-35", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        (
            "to-hit values",
            make_army(make_formation("f", make_unit("u", weapons=[{"name": "gun", "firepower": "AP5+/AT6+"}]))),
            False,
        ),
        (
            "barrage and to-hit",
            make_army(make_formation("f", make_unit("u", weapons=[{"name": "gun", "firepower": "AP5+/2BP"}]))),
            True,
        ),
    ],
)
def test_ep_36(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("EP-36", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("slow", make_army(make_formation("f", make_unit("u", profile={"speed": 5}))), False),
        ("immobile", make_army(make_formation("f", make_unit("u", profile={"speed": 0}))), True),
    ],
)
def test_ep_39(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("EP-39", army, fires)
