"""HH-44 to HH-46 on their boundaries: dedicated transports."""

from typing import Any

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

TRANSPORT = f"{PRIMARY}/units/4"


def carried(*, transport: Json | None = None, praetor: Json | None = None, **unit: Any) -> Json:
    """A unit of Veterans with a Rhino."""
    veterans = {"id": "veterans", "models": 10, "transport_options": ["Rhino"]} | unit
    rhino = {
        "name": "Rhino",
        "points": 35,
        "type": "vehicle",
        "subtypes": ["transport"],
        "transport_capacity": 12,
        "dedicated_transport_for": "veterans",
    }
    units = (make_unit(**veterans), make_unit(**(rhino | (transport or {}))))
    return make_army(primary=make_primary(*units, hq=(praetor or make_praetor(),)))


@pytest.mark.parametrize(
    ("case", "unit", "transport", "fires"),
    [
        ("offered", {}, {}, False),
        ("offered, written otherwise", {"transport_options": ["RHINO"]}, {}, False),
        ("another one is offered", {"transport_options": ["Land Raider"]}, {}, True),
        ("none is offered", {"transport_options": []}, {}, True),
        ("no such unit", {}, {"dedicated_transport_for": "nobody"}, True),
        ("its own parent", {}, {"id": "self", "dedicated_transport_for": "self"}, True),
    ],
)
def test_hh_44(case: str, unit: Json, transport: Json, fires: bool) -> None:
    found = found_on(carried(transport=transport, **unit))
    assert found == ([("HH-44", f"{TRANSPORT}/dedicated_transport_for")] if fires else []), case


@pytest.mark.parametrize(
    ("case", "unit", "fires"),
    [
        ("full", {"models": 12}, False),
        ("one too many", {"models": 13}, True),
        ("Bulky models, full", {"models": 6, "rules": ["Bulky (2)"]}, False),
        ("Bulky models, too many", {"models": 7, "rules": ["Bulky (2)"]}, True),
        (
            "Bulky by group",
            {"models": [{"name": "a", "count": 10}, {"name": "b", "count": 1, "rules": ["Bulky (3)"]}]},
            True,
        ),
        ("a large transport", {"models": 99, "transport": {"transport_capacity": 99}}, False),
    ],
)
def test_hh_45(case: str, unit: Json, fires: bool) -> None:
    found = found_on(carried(**unit))
    assert found == ([("HH-45", f"{TRANSPORT}/transport_capacity")] if fires else []), case


@pytest.mark.parametrize(
    ("case", "models", "rules", "fires"),
    [
        ("full with the character", 11, [], False),
        ("too many", 12, [], True),
        ("a Bulky character", 11, ["Bulky (2)"], True),
    ],
)
def test_hh_45_counts_attached_characters(case: str, models: int, rules: list[str], fires: bool) -> None:
    praetor = make_praetor(joined_to="veterans", rules=["Independent Character", *rules])
    found = found_on(carried(models=models, praetor=praetor))
    assert found == ([("HH-45", f"{TRANSPORT}/transport_capacity")] if fires else []), case


@pytest.mark.parametrize(
    ("case", "models", "rules", "fires"),
    [
        ("packs make models Bulky (2): full", 6, [], False),
        ("too many", 7, [], True),
        ("and Bulky (2) to Bulky (3): full", 4, ["Bulky (2)"], False),
        ("too many of them", 5, ["Bulky (2)"], True),
    ],
)
def test_hh_45_packs_take_room(case: str, models: int, rules: list[str], fires: bool) -> None:
    army = carried(models=models, rules=rules, wargear=["Jump Pack"], transport={"subtypes": ["flyer"]})
    assert found_on(army) == ([("HH-45", f"{TRANSPORT}/transport_capacity")] if fires else []), case


def test_hh_45_says_who_takes_how_much_room() -> None:
    (finding,) = findings_on(carried(models=13))
    assert finding.message.en == "Veterans: 13 places needed, Rhino has 12; the unit must start the game embarked."
    assert finding.message.ru == (
        "«Veterans»: требуется мест – 13, а в «Rhino» – 12; боевая единица должна начать игру внутри."
    )


@pytest.mark.parametrize(
    ("case", "unit", "subtypes", "fires"),
    [
        ("infantry", {"models": 5}, [], False),
        ("cavalry", {"models": 5, "type": "cavalry"}, [], True),
        ("one model of another type", {"models": [{"name": "Cyber-ox", "count": 1, "type": "automata"}]}, [], True),
        ("jump packs", {"models": 5, "wargear": ["Jump Packs"]}, [], True),
        ("jet packs", {"models": 5, "wargear": ["Jet Pack"]}, [], True),
        ("jump packs in a Flyer", {"models": 5, "wargear": ["Jump Pack"]}, ["flyer"], False),
    ],
)
def test_hh_46(case: str, unit: Json, subtypes: list[str], fires: bool) -> None:
    found = found_on(carried(transport={"subtypes": subtypes}, **unit))
    assert found == ([("HH-46", f"{TRANSPORT}/dedicated_transport_for")] if fires else []), case


def test_hh_46_speaks_of_an_attached_character() -> None:
    praetor = make_praetor(joined_to="veterans", wargear=["Jump Pack"])
    (finding,) = findings_on(carried(models=5, praetor=praetor))
    assert (finding.rule, finding.message.en) == (
        "HH-46",
        "Praetor cannot embark in Rhino, but must start the game inside.",
    )


def test_hh_46_a_primarch_may_ride() -> None:
    horus = make_unit(
        id="horus", name="Horus", role="primarch", type="primarch", points=400, warlord=True,
        transport_options=["Rhino"],
    )  # fmt: skip
    rhino = make_unit(name="Rhino", points=35, type="vehicle", transport_capacity=4, dedicated_transport_for="horus")
    praetor = make_praetor(warlord=None, warlord_trait=None)
    army = make_army(primary=make_primary(horus, rhino, make_unit(points=1500), hq=(praetor,)))
    assert found_on(army) == []
    rhino["transport_capacity"] = 3
    assert found_on(army) == [("HH-45", f"{EXTRA[:-1]}4/transport_capacity")]


@pytest.mark.parametrize(("transport", "fires"), [("Dreadnought Drop Pod", False), ("Drop Pod", True)])
def test_hh_46_a_transport_made_for_another_type_carries_it(transport: str, fires: bool) -> None:
    talon = make_unit(id="talon", name="Talon", role="elites", type="dreadnought", transport_options=[transport])
    pod = make_unit(name=transport, points=35, type="vehicle", dedicated_transport_for="talon")
    found = [finding.rule for finding in findings_on(make_army(primary=make_primary(talon, pod)))]
    assert ("HH-46" in found) is fires
