"""HH-18 to HH-22 on their boundaries: one faction a detachment."""

from typing import Any

import pytest

from tests.engine.systems.horus_heresy.builders import (
    ALLIED,
    EXTRA,
    Json,
    findings_on,
    found_on,
    make_allied,
    make_army,
    make_lord_of_war,
    make_primary,
    make_unit,
)

SONS = "Legiones Astartes (Sons of Horus)"
HANDS = "Legiones Astartes (Iron Hands)"


@pytest.mark.parametrize(
    ("case", "facts", "fires"),
    [
        ("no faction of its own", {}, False),
        ("its detachment's", {"faction": "Sons of Horus"}, False),
        ("the same in Russian", {"faction": "Сыны Хоруса"}, False),
        ("another", {"faction": "Mechanicum"}, True),
        (
            "a fortification has none",
            {"faction": "Mechanicum", "type": "fortification", "role": "fortification"},
            False,
        ),
    ],
)
def test_hh_18(case: str, facts: Json, fires: bool) -> None:
    assert found_on(make_army(make_unit(**facts))) == ([("HH-18", f"{EXTRA}/faction")] if fires else []), case


@pytest.mark.parametrize(
    ("case", "rules", "fires"),
    [
        ("its detachment's Legion", ["Fearless", SONS], False),
        ("in capitals", ["LEGIONES ASTARTES (sons of horus)"], False),
        ("another Legion", ["Fearless", HANDS], True),
    ],
)
def test_hh_18_of_legions(case: str, rules: list[str], fires: bool) -> None:
    found = findings_on(make_army(make_unit(rules=rules)))
    assert [(one.rule, one.at) for one in found] == ([("HH-18", f"{EXTRA}/rules/1")] if fires else []), case
    if fires:
        assert found[0].message.ru == (
            "«Veterans» (Железные Руки) не может входить в подразделение фракции «Сыны Хоруса»."
        )


def test_hh_18_of_a_legion_in_a_detachment_of_no_legion() -> None:
    allied = make_allied(make_unit(rules=[SONS]))
    assert found_on(make_army(others=(allied,))) == [("HH-18", f"{ALLIED}/units/2/rules/0")]


def test_hh_18_a_detachment_may_name_its_legion_apart() -> None:
    primary = make_primary(make_unit(rules=[SONS]), faction="Legiones Astartes", legion="Sons of Horus")
    assert found_on(make_army(primary=primary)) == []


@pytest.mark.parametrize(
    ("case", "faction", "fires"), [("another faction", "Mechanicum", False), ("the same", "sons of horus", True)]
)
def test_hh_19(case: str, faction: str, fires: bool) -> None:
    found = found_on(make_army(others=(make_allied(faction=faction),)))
    assert found == ([("HH-19", f"{ALLIED}/faction")] if fires else []), case


def test_hh_19_does_not_ask_lord_of_war_detachments() -> None:
    assert found_on(make_army(make_unit(points=1500), others=(make_lord_of_war(),))) == []


@pytest.mark.parametrize(
    ("case", "kind", "primary", "rules"),
    [
        ("the Primary's Legion", "lord_of_war", "Iron Hands", []),
        ("another Legion", "lord_of_war", "Sons of Horus", ["HH-20"]),
        ("another Legion as allies", "allied", "Sons of Horus", []),
        ("beside no Legion", "lord_of_war", "Mechanicum", []),
    ],
)
def test_hh_20_by_detachment(case: str, kind: str, primary: str, rules: list[str]) -> None:
    fellblade = make_unit(name="Fellblade", role="lord_of_war", points=400, rules=[HANDS])
    detachment = make_lord_of_war(fellblade) if kind == "lord_of_war" else make_allied(make_unit(rules=[HANDS]))
    army = make_army(
        primary=make_primary(make_unit(points=1500), faction=primary),
        others=(detachment | {"faction": "Iron Hands"},),
        alliances={"Iron Hands": "sworn_brothers"},
    )
    assert [one.rule for one in findings_on(army)] == rules, case


@pytest.mark.parametrize(("case", "rule", "fires"), [("its own Legion", SONS, False), ("another", HANDS, True)])
def test_hh_20(case: str, rule: str, fires: bool) -> None:
    """Such a unit is of another faction than its detachment as well."""
    fellblade = make_unit(name="Fellblade", role="lord_of_war", points=400, rules=[rule])
    army = make_army(make_unit(points=1500), others=(make_lord_of_war(fellblade),))
    at = f"{ALLIED}/units/0/rules/0"
    assert found_on(army) == ([("HH-18", at), ("HH-20", at)] if fires else []), case


@pytest.mark.parametrize(
    ("case", "facts", "at", "fires"),
    [
        ("one", {"rules": [SONS]}, "", False),
        ("the same twice", {"rules": [SONS, SONS]}, "", False),
        ("two", {"rules": [SONS, HANDS]}, "/rules/1", True),
        (
            "two by groups",
            {"models": [{"name": "a", "count": 1, "rules": [SONS]}, {"name": "b", "count": 1, "rules": [HANDS]}]},
            "/models/1/rules/0",
            True,
        ),
        ("two foreign ones", {"rules": [HANDS, "Legiones Astartes (Salamanders)"]}, "/rules/1", True),
    ],
)
def test_hh_21(case: str, facts: Json, at: str, fires: bool) -> None:
    """HH-21 alone speaks of such a unit: it is of no one Legion."""
    assert found_on(make_army(make_unit(**facts))) == ([("HH-21", f"{EXTRA}{at}")] if fires else []), case


@pytest.mark.parametrize(
    ("case", "lists", "fires"),
    [
        ("one list", ("Solar Auxilia", "Solar Auxilia"), False),
        ("not stated", ("Solar Auxilia", None), False),
        ("two lists", ("Solar Auxilia", "Imperialis Militia"), True),
    ],
)
def test_hh_22(case: str, lists: tuple[Any, Any], fires: bool) -> None:
    units = [make_unit(**({"army_list": one} if one else {})) for one in lists]
    found = found_on(make_army(primary=make_primary(*units, faction="Imperial Army")))
    assert found == ([("HH-22", "/detachments/0/units/4/army_list")] if fires else []), case


def test_hh_22_compares_units_of_one_faction_and_detachment() -> None:
    allied = make_allied(make_unit(army_list="Taghmata"))
    assert found_on(make_army(make_unit(army_list="Solar Auxilia"), others=(allied,))) == []
