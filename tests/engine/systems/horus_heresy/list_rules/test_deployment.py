"""HH-52 to HH-56 on their boundaries: reserves and assaults."""

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

CARRIER = {"id": "carrier", "name": "Carrier", "type": "vehicle", "role": "heavy_support"}


@pytest.mark.parametrize(
    ("case", "facts", "fires"),
    [
        ("Flyer in reserve", {"subtypes": ["flyer"], "deployment": "reserve"}, False),
        ("Flyer on the table", {"subtypes": ["flyer"], "deployment": "table"}, True),
        ("a hovering one", {"subtypes": ["Flyer", "Hover"], "deployment": "table"}, True),
        ("deployment not stated", {"subtypes": ["flyer"]}, False),
        ("a tank on the table", {"deployment": "table"}, False),
    ],
)
def test_hh_52(case: str, facts: Json, fires: bool) -> None:
    found = found_on(make_army(make_unit(type="vehicle", **facts)))
    assert found == ([("HH-52", f"{EXTRA}/deployment")] if fires else []), case


@pytest.mark.parametrize(
    ("case", "facts", "fires"),
    [
        ("slow", {"profile": {"M": 1}}, False),
        ("immobile", {"profile": {"M": 0}}, True),
        ("a dash", {"profile": {"M": None}}, True),
        ("not stated", {"profile": {"T": 4}}, False),
        ("no profile", {}, False),
        ("immobile by group", {"models": [{"name": "a", "count": 2, "profile": {"M": 0}}]}, True),
        (
            "immobile guns with a crew",
            {
                "models": [{"name": "a", "count": 2, "profile": {"M": 0}}, {"name": "b", "count": 2}],
                "profile": {"M": 7},
            },
            False,
        ),
    ],
)
def test_hh_53(case: str, facts: Json, fires: bool) -> None:
    found = found_on(make_army(make_unit(deployment="reserve", **facts)))
    assert found == ([("HH-53", f"{EXTRA}/deployment")] if fires else []), case


def test_hh_53_asks_only_what_is_in_reserve() -> None:
    assert found_on(make_army(make_unit(deployment="table", profile={"M": 0}))) == []


def assault(kind: str, *others: Json, praetor: Json | None = None, **facts: Any) -> Json:
    unit = make_unit(id="unit", deployment=kind, **facts)
    return make_army(primary=make_primary(unit, *others, hq=(praetor or make_praetor(),)))


SOME_MODELS = [{"name": "a", "count": 1, "rules": ["Deep Strike", "Outflank"]}, {"name": "b", "count": 1}]


@pytest.mark.parametrize(
    ("case", "facts", "fires"),
    [
        ("with Deep Strike", {"rules": ["deep strike"]}, False),
        ("without", {}, True),
        ("jump packs give it", {"wargear": ["Jump Pack"]}, False),
        ("only some models", {"models": SOME_MODELS}, True),
        ("with Outflank only", {"rules": ["Outflank"]}, True),
    ],
)
def test_hh_54(case: str, facts: Json, fires: bool) -> None:
    found = found_on(assault("deep_strike_assault", **facts))
    assert found == ([("HH-54", f"{EXTRA}/deployment")] if fires else []), case


@pytest.mark.parametrize(
    ("case", "carrier", "embarked", "fires"),
    [
        ("inside a transport with it", {"rules": ["Deep Strike"]}, True, False),
        ("inside a transport without", {}, True, True),
        ("beside a transport with it", {"rules": ["Deep Strike"]}, False, True),
    ],
)
def test_hh_54_transports_give_it(case: str, carrier: Json, embarked: bool, fires: bool) -> None:
    facts = {"embarked_in": "carrier"} if embarked else {}
    found = found_on(assault("deep_strike_assault", make_unit(**(CARRIER | carrier)), **facts))
    assert found == ([("HH-54", f"{EXTRA}/deployment")] if fires else []), case


def test_hh_54_a_dedicated_transport_carries_its_unit() -> None:
    pod = make_unit(**CARRIER | {"name": "Pod", "rules": ["Deep Strike"], "dedicated_transport_for": "unit"})
    assert found_on(assault("deep_strike_assault", pod, transport_options=["Pod"])) == []


@pytest.mark.parametrize(
    ("case", "rules", "fires"), [("with Deep Strike", ["Deep Strike"], False), ("without", [], True)]
)
def test_hh_54_an_attached_character_is_part_of_the_unit(case: str, rules: list[str], fires: bool) -> None:
    praetor = make_praetor(joined_to="unit", rules=["Independent Character", *rules])
    found = found_on(assault("deep_strike_assault", praetor=praetor, rules=["Deep Strike"]))
    assert found == ([("HH-54", f"{EXTRA}/deployment")] if fires else []), case


def test_hh_54_a_character_rides_with_the_unit_he_joins() -> None:
    praetor = make_praetor(joined_to="unit", deployment="deep_strike_assault")
    carrier = make_unit(**(CARRIER | {"rules": ["Deep Strike"]}))
    army = assault("deep_strike_assault", carrier, praetor=praetor, embarked_in="carrier")
    assert found_on(army) == []


@pytest.mark.parametrize(
    ("case", "facts", "fires"),
    [
        ("with Outflank", {"rules": ["Outflank"]}, False),
        ("without", {}, True),
        ("Infiltrate gives it", {"rules": ["Infiltrate"]}, False),
        ("Scout gives it", {"rules": ["Scout"]}, False),
        ("only some models", {"models": SOME_MODELS}, True),
        ("with Deep Strike only", {"rules": ["Deep Strike"]}, True),
    ],
)
def test_hh_55(case: str, facts: Json, fires: bool) -> None:
    found = found_on(assault("flanking_assault", **facts))
    assert found == ([("HH-55", f"{EXTRA}/deployment")] if fires else []), case


@pytest.mark.parametrize(
    ("case", "carrier", "fires"),
    [
        ("a transport with Outflank", {"rules": ["Outflank"]}, False),
        ("a transport with Scout", {"rules": ["Scout"]}, False),
        ("a transport without", {}, True),
    ],
)
def test_hh_55_transports_give_it(case: str, carrier: Json, fires: bool) -> None:
    army = assault("flanking_assault", make_unit(**(CARRIER | carrier)), embarked_in="carrier")
    assert found_on(army) == ([("HH-55", f"{EXTRA}/deployment")] if fires else []), case


@pytest.mark.parametrize(("case", "rules", "fires"), [("scouts", ["Scout"], False), ("others", [], True)])
def test_hh_55_scouts_take_their_transport_along(case: str, rules: list[str], fires: bool) -> None:
    rhino = make_unit(
        **CARRIER | {"name": "Rhino", "deployment": "flanking_assault", "dedicated_transport_for": "unit"}
    )
    found = findings_on(assault("flanking_assault", rhino, rules=rules, transport_options=["Rhino"]))
    both = [("HH-55", f"{EXTRA}/deployment"), ("HH-55", f"{PRIMARY}/units/4/deployment")]
    assert [(one.rule, one.at) for one in found] == (both if fires else []), case


@pytest.mark.parametrize(
    ("case", "member", "planned", "fires"),
    [
        ("one Deep Strike Assault", "deep_strike_assaults", 1, False),
        ("two", "deep_strike_assaults", 2, True),
        ("one Flanking Assault", "flanking_assaults", 1, False),
        ("two of them", "flanking_assaults", 2, True),
    ],
)
def test_hh_56(case: str, member: str, planned: int, fires: bool) -> None:
    assert found_on(make_army(**{member: planned})) == ([("HH-56", f"/{member}")] if fires else []), case
