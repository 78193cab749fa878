"""HH-23 to HH-27 on their boundaries: alliance levels, allied characters and transports."""

from typing import Any

import pytest

from tests.engine.systems.horus_heresy.builders import (
    ALLIED,
    EXTRA,
    PRIMARY,
    Json,
    findings_on,
    found_on,
    make_allied,
    make_army,
    make_lord_of_war,
    make_praetor,
    make_primary,
    make_unit,
)


def allied_with(level: str | None, *units: Json, **members: Any) -> Json:
    alliances = {} if level is None else {"Mechanicum": level}
    return make_army(others=(make_allied(*units, **members),), alliances=alliances)


@pytest.mark.parametrize(
    ("case", "level", "fires"),
    [("recorded", "fellow_warriors", False), ("best level", "sworn_brothers", False), ("not recorded", None, True)],
)
def test_hh_23(case: str, level: str | None, fires: bool) -> None:
    assert found_on(allied_with(level)) == ([("HH-23", f"{ALLIED}/faction")] if fires else []), case


@pytest.mark.parametrize(
    ("case", "faction", "fires"),
    [("agents need no level", "Agents of the Warmaster", False), ("another faction", "Imperial Army", True)],
)
def test_hh_23_by_faction(case: str, faction: str, fires: bool) -> None:
    found = found_on(make_army(others=(make_allied(faction=faction),)))
    assert found == ([("HH-23", f"{ALLIED}/faction")] if fires else []), case


def test_hh_23_asks_lord_of_war_detachments_too() -> None:
    army = make_army(make_unit(points=1500), others=(make_lord_of_war(faction="Imperial Army"),))
    assert found_on(army) == [("HH-23", f"{ALLIED}/faction")]


def test_levels_are_found_under_any_spelling_of_the_faction() -> None:
    army = make_army(others=(make_allied(),), alliances={"Механикум": "fellow_warriors"})
    assert found_on(army) == []


@pytest.mark.parametrize(
    ("case", "level", "fires"),
    [
        ("Sworn Brothers", "sworn_brothers", False),
        ("Fellow Warriors", "fellow_warriors", False),
        ("Distrusted Allies", "distrusted_allies", True),
        ("By Command", "by_command", True),
    ],
)
def test_hh_24(case: str, level: str, fires: bool) -> None:
    found = [one for one in findings_on(allied_with(level)) if one.rule != "HH-25"]
    assert [(one.rule, one.at) for one in found] == ([("HH-24", ALLIED)] if fires else []), case
    if fires:
        assert found[0].message.ru == (
            "Союзное подразделение (Механикум): боевые единицы не бывают победоносными и не удерживают объекты."
        )


@pytest.mark.parametrize(
    ("case", "level", "fires"), [("Distrusted Allies", "distrusted_allies", False), ("By Command", "by_command", True)]
)
def test_hh_25(case: str, level: str, fires: bool) -> None:
    found = [one for one in found_on(allied_with(level)) if one[0] != "HH-24"]
    assert found == ([("HH-25", ALLIED)] if fires else []), case


@pytest.mark.parametrize(
    ("case", "level", "host", "rules"),
    [
        ("Sworn Brothers", "sworn_brothers", "troops-1", []),
        ("Fellow Warriors", "fellow_warriors", "troops-1", ["HH-26"]),
        ("Distrusted Allies", "distrusted_allies", "troops-1", ["HH-24", "HH-26"]),
        ("By Command", "by_command", "troops-1", ["HH-24", "HH-25", "HH-26"]),
        ("not recorded: HH-23 says so", None, "troops-1", ["HH-23"]),
        ("his own faction", "fellow_warriors", "thallax-1", []),
    ],
)
def test_hh_26_by_level(case: str, level: str | None, host: str, rules: list[str]) -> None:
    army = allied_with(level)
    army["detachments"][1]["units"][0] |= {"joined_to": host, "rules": ["Independent Character"]}
    assert [one.rule for one in findings_on(army)] == rules, case


@pytest.mark.parametrize(
    ("case", "host", "fires"), [("of his own faction", "troops-1", False), ("of another", "thallax-1", True)]
)
def test_hh_26(case: str, host: str, fires: bool) -> None:
    army = make_army(primary=make_primary(hq=(make_praetor(joined_to=host),)), others=(make_allied(),))
    assert found_on(army) == ([("HH-26", f"{PRIMARY}/units/0/joined_to")] if fires else []), case


def test_hh_26_agents_are_sworn_brothers() -> None:
    army = make_army(others=(make_allied(faction="Agents of the Warmaster"),), alliances={})
    army["detachments"][1]["units"][0]["joined_to"] = "troops-1"
    assert found_on(army) == []


@pytest.mark.parametrize(
    ("case", "transport", "fires"), [("of its faction", "own", False), ("of Sworn Brothers", "allied", True)]
)
def test_hh_27(case: str, transport: str, fires: bool) -> None:
    hull = {"name": "Carrier", "type": "vehicle", "role": "heavy_support"}
    own, allied = make_unit(id="own", **hull), make_unit(id="allied", **hull)
    rider = make_unit(embarked_in=transport)
    army = make_army(rider, own, others=(make_allied(allied),), alliances={"Mechanicum": "sworn_brothers"})
    assert found_on(army) == ([("HH-27", f"{EXTRA}/embarked_in")] if fires else []), case


def test_hh_27_fortifications_are_of_no_faction() -> None:
    bunker = make_unit(id="bunker", name="Imperial Bunker", role="fortification", type="fortification")
    army = make_army(bunker, others=(make_allied(make_unit(embarked_in="bunker")),))
    assert found_on(army) == []
