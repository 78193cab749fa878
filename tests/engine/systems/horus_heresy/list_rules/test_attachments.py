"""HH-49 to HH-51 on their boundaries: characters who join units, and artillery without a crew."""

import pytest

from tests.engine.systems.horus_heresy.builders import (
    EXTRA,
    PRIMARY,
    Json,
    findings_on,
    found_on,
    make_army,
    make_praetor,
    make_primary,
    make_unit,
)

JOINED = f"{PRIMARY}/units/0/joined_to"


def attached(character: Json, host: Json) -> Json:
    """The Praetor joins a unit."""
    praetor = make_praetor(joined_to="host", **character)
    return make_army(primary=make_primary(make_unit(id="host", **host), hq=(praetor,)))


@pytest.mark.parametrize(
    ("case", "character", "host", "fires"),
    [
        ("infantry, infantry", {}, {}, False),
        ("cavalry, infantry", {"type": "cavalry"}, {}, True),
        ("automata, infantry", {"type": "automata"}, {}, True),
        ("daemon, infantry", {"type": "daemon"}, {}, True),
        ("infantry, cavalry", {}, {"type": "cavalry"}, True),
        ("cavalry, cavalry", {"type": "cavalry"}, {"type": "cavalry"}, False),
        ("infantry, automata", {}, {"type": "automata"}, True),
        ("automata, automata", {"type": "automata"}, {"type": "automata"}, False),
        ("infantry, dreadnought", {}, {"type": "dreadnought"}, True),
        ("dreadnought, dreadnought", {"type": "dreadnought"}, {"type": "dreadnought"}, False),
        ("infantry, daemons", {}, {"type": "daemon"}, True),
        ("daemon, daemons", {"type": "daemon"}, {"type": "daemon"}, False),
        ("infantry, vehicles", {}, {"type": "vehicle"}, True),
        ("vehicle, vehicles", {"type": "vehicle"}, {"type": "vehicle"}, False),
        ("infantry, monstrous", {}, {"subtypes": ["monstrous"]}, True),
        ("monstrous, monstrous", {"subtypes": ["character", "monstrous"]}, {"subtypes": ["monstrous"]}, False),
        ("infantry, another character", {}, {"subtypes": ["character"]}, False),
        ("infantry, a unit with one automaton", {}, {"models": [{"name": "a", "count": 1, "type": "automata"}]}, True),
        ("a type of another book joins infantry", {"type": "walker"}, {}, True),
        ("infantry joins a type of another book", {}, {"type": "walker"}, False),
    ],
)
def test_hh_49(case: str, character: Json, host: Json, fires: bool) -> None:
    assert found_on(attached(character, host)) == ([("HH-49", JOINED)] if fires else []), case


@pytest.mark.parametrize(("case", "host", "fires"), [("infantry", {}, False), ("cavalry", {"type": "cavalry"}, True)])
def test_hh_49_primarchs_join_infantry(case: str, host: Json, fires: bool) -> None:
    horus = make_unit(name="Horus", role="primarch", type="primarch", points=400, warlord=True, joined_to="host")
    praetor = make_praetor(warlord=None, warlord_trait=None)
    units = (horus, make_unit(id="host", **host), make_unit(points=1500))
    found = found_on(make_army(primary=make_primary(*units, hq=(praetor,))))
    assert found == ([("HH-49", f"{EXTRA}/joined_to")] if fires else []), case


def test_hh_49_names_the_type() -> None:
    (finding,) = findings_on(attached({}, {"type": "dreadnought"}))
    assert finding.message.en == "Praetor cannot join Veterans: unit type Dreadnought."
    assert finding.message.ru == "«Praetor» не может присоединиться к «Veterans»: тип боевой единицы – дредноут."


INFILTRATORS = {"deployment": "infiltrate", "rules": ["Infiltrate"]}


@pytest.mark.parametrize(
    ("case", "rules", "host", "fires"),
    [
        ("with Infiltrate", ["Independent Character", "Infiltrate"], INFILTRATORS, False),
        ("without", ["Independent Character"], INFILTRATORS, True),
        ("they deploy as usual", ["Independent Character"], INFILTRATORS | {"deployment": "table"}, False),
    ],
)
def test_hh_50(case: str, rules: list[str], host: Json, fires: bool) -> None:
    assert found_on(attached({"rules": rules}, host)) == ([("HH-50", JOINED)] if fires else []), case


GUN = {"name": "Gun", "count": 1, "subtypes": ["artillery"]}


@pytest.mark.parametrize(
    ("case", "facts", "fires"),
    [
        ("with a crew", {"models": [GUN, {"name": "Crew", "count": 2}]}, False),
        ("guns only", {"models": [GUN, GUN]}, True),
        ("a crew of nobody", {"models": [GUN, {"name": "Crew", "count": 0}]}, True),
        ("written on the unit", {"models": 2, "subtypes": ["Artillery"]}, True),
        ("no artillery", {"models": 2}, False),
    ],
)
def test_hh_51(case: str, facts: Json, fires: bool) -> None:
    assert found_on(make_army(make_unit(**facts))) == ([("HH-51", EXTRA)] if fires else []), case


def test_hh_51_a_character_who_joins_is_a_crew() -> None:
    assert found_on(attached({}, {"models": [GUN]})) == []
