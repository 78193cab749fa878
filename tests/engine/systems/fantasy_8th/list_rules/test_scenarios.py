"""Fortitude, watchtower, ambushers: WF-68 to WF-75."""

from typing import Any

import pytest

from tests.engine.systems.fantasy_8th.builders import assert_fires, make_army


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("one above", make_army({"special": {"command": []}}, scenario="blood_and_glory"), False),
        (
            "at the breaking point",
            make_army({"special": {"command": []}, "core": {"command": []}}, scenario="blood_and_glory"),
            True,
        ),
        (
            "another scenario",
            make_army({"special": {"command": []}, "core": {"command": []}}, scenario="battleline"),
            False,
        ),
    ],
)
def test_wf_68(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WF-68", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("twenty models", make_army(scenario="watchtower"), False),
        ("twenty-one", make_army({"core": {"models": 21}}, scenario="watchtower"), True),
    ],
)
def test_wf_69(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WF-69", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("twenty Core infantry", make_army({"core": {}}, scenario="watchtower", watchtower_garrison="core"), False),
        ("twenty-one", make_army({"core": {"models": 21}}, scenario="watchtower", watchtower_garrison="core"), True),
        ("Special", make_army({"core": {}}, scenario="watchtower", watchtower_garrison="special"), True),
    ],
)
def test_wf_70(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WF-70", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("infantry", make_army({"core": {}}, scenario="watchtower", watchtower_garrison="core"), False),
        ("a monster", make_army({"core": {}}, scenario="watchtower", watchtower_garrison="rare"), True),
        (
            "cavalry",
            make_army({"core": {"troop_type": "cavalry"}}, scenario="watchtower", watchtower_garrison="core"),
            True,
        ),
    ],
)
def test_wf_71(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WF-71", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("without", make_army(), False),
        ("Ambushers", make_army({"core": {"rules": ["Ambushers"]}}), True),
    ],
)
def test_wf_72(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WF-72", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("flying", make_army({"core": {"rules": ["Ambushers", "Fly"]}}, scenario="battle_for_the_pass"), False),
        ("on the ground", make_army({"core": {"rules": ["Ambushers"]}}, scenario="battle_for_the_pass"), True),
    ],
)
def test_wf_73(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WF-73", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("another scenario", make_army(scenario="battleline"), False),
        ("dawn attack", make_army(scenario="dawn_attack"), True),
    ],
)
def test_wf_74(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WF-74", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("without", make_army(), False),
        ("Scouts", make_army({"core": {"rules": ["Scouts"]}}), True),
        ("Vanguard", make_army({"core": {"rules": ["Vanguard"]}}), True),
    ],
)
def test_wf_75(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("WF-75", army, fires)
