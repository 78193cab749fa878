"""HH-01 to HH-08 and HH-61 to HH-63 on their boundaries: what is agreed before units are chosen."""

from typing import Any

import pytest

from armybuilder.engine.findings import Severity
from tests.engine.systems.horus_heresy.builders import (
    ALLIED,
    EXTRA,
    Json,
    findings_on,
    found_on,
    make_allied,
    make_army,
    make_filler,
    make_unit,
    report_on,
)


def test_the_army_of_the_builders_is_legal() -> None:
    report = report_on(make_army())
    assert (report.legal, report.findings, report.points.total, report.points.limit) == (True, (), 410, 2500)


@pytest.mark.parametrize(
    ("case", "allegiance", "fires"),
    [
        ("loyalist", "loyalist", False),
        ("traitor", "traitor", False),
        ("in capitals", "Loyalist", False),
        ("neutral", "neutral", True),
        ("null", None, True),
        ("missing", ..., True),
    ],
)
def test_hh_01(case: str, allegiance: Any, fires: bool) -> None:
    assert found_on(make_army(allegiance=allegiance)) == ([("HH-01", "/allegiance")] if fires else []), case


@pytest.mark.parametrize(
    ("case", "printed", "army", "fires"),
    [
        ("none printed", None, "traitor", False),
        ("same side", "traitor", "traitor", False),
        ("other side", "loyalist", "traitor", True),
        ("other side, written large", "Traitor", "loyalist", True),
    ],
)
def test_hh_02(case: str, printed: str | None, army: str, fires: bool) -> None:
    found = found_on(make_army(make_unit(allegiance=printed), allegiance=army))
    assert found == ([("HH-02", f"{EXTRA}/allegiance")] if fires else []), case


def test_hh_02_leaves_agents_to_hh_03() -> None:
    agents = make_allied(faction="Agents of the Emperor")
    agents["units"][0]["allegiance"] = "loyalist"
    assert found_on(make_army(others=(agents,))) == [("HH-03", f"{ALLIED}/faction")]


@pytest.mark.parametrize(
    ("case", "faction", "army", "fires"),
    [
        ("the Emperor's, loyalist", "Agents of the Emperor", "loyalist", False),
        ("the Emperor's, traitor", "Agents of the Emperor", "traitor", True),
        ("the Warmaster's, loyalist", "Agents of the Warmaster", "loyalist", True),
        ("the Warmaster's, traitor", "Agents of the Warmaster", "traitor", False),
        ("an example of the book", "Legio Custodes", "traitor", True),
        ("no agents", "Mechanicum", "traitor", False),
    ],
)
def test_hh_03(case: str, faction: str, army: str, fires: bool) -> None:
    found = found_on(make_army(others=(make_allied(faction=faction),), allegiance=army))
    assert found == ([("HH-03", f"{ALLIED}/faction")] if fires else []), case


def test_hh_03_of_a_single_unit() -> None:
    found = found_on(make_army(make_unit(faction="Sisters of Silence")))
    assert found == [("HH-03", f"{EXTRA}/faction"), ("HH-18", f"{EXTRA}/faction")]


@pytest.mark.parametrize(
    ("case", "limit", "fires"),
    [("agreed", 2000, False), ("zero", 0, True), ("negative", -1, True), ("null", None, True), ("missing", ..., True)],
)
def test_hh_04(case: str, limit: Any, fires: bool) -> None:
    assert found_on(make_army(points_limit=limit)) == ([("HH-04", "/points_limit")] if fires else []), case


@pytest.mark.parametrize(
    ("case", "filler", "limit", "fires"),
    [
        ("exactly the limit", 1590, 2000, False),
        ("one point over", 1591, 2000, True),
        ("a tenth over", 1590.1, 2000, True),
        ("tenths that binary numbers miss", 1590.3, 2000.3, False),
    ],
)
def test_hh_05(case: str, filler: float, limit: float, fires: bool) -> None:
    found = found_on(make_army(make_filler(filler), points_limit=limit))  # type: ignore[arg-type]
    assert found == ([("HH-05", "/points_limit")] if fires else []), case


def test_hh_05_counts_transports_and_names_the_figures() -> None:
    transport = make_unit(name="Rhino", points=35, dedicated_transport_for="vets", type="vehicle")
    vets = make_unit(id="vets", points=1590, transport_options=["Rhino"])
    (finding,) = findings_on(make_army(vets, transport, points_limit=2000))
    assert finding.message.en == "The army costs 2,035 points, 35 over the limit of 2,000."
    assert finding.message.ru == "Очков в армии – 2 035: на 35 больше лимита 2 000."


@pytest.mark.parametrize(
    ("case", "limit", "fires"),
    [("smallest", 1750, False), ("below it", 1749, True), ("largest", 3500, False), ("above it", 3501, True)],
)
def test_hh_06(case: str, limit: int, fires: bool) -> None:
    found = [one for one in findings_on(make_army(points_limit=limit)) if one.rule != "HH-07"]
    assert [(one.rule, one.severity) for one in found] == ([("HH-06", Severity.WARNING)] if fires else []), case


@pytest.mark.parametrize(
    ("case", "limit", "fires"),
    [
        ("smallest recommended", 2000, False),
        ("below it", 1999, True),
        ("largest recommended", 3000, False),
        ("above it", 3001, True),
        ("HH-06 speaks", 1749, False),
        ("HH-06 speaks of large ones", 3501, False),
    ],
)
def test_hh_07(case: str, limit: int, fires: bool) -> None:
    found = [one for one in findings_on(make_army(points_limit=limit)) if one.rule != "HH-06"]
    assert [(one.rule, one.severity) for one in found] == ([("HH-07", Severity.INFO)] if fires else []), case


@pytest.mark.parametrize(
    ("case", "chart", "fires"),
    [("crusade", "crusade", False), ("by default", ..., False), ("none", None, True), ("unknown", "siege", True)],
)
def test_hh_08(case: str, chart: Any, fires: bool) -> None:
    assert found_on(make_army(chart=chart)) == ([("HH-08", "/chart")] if fires else []), case


def test_an_unknown_chart_has_unknown_slots() -> None:
    crowd = [make_unit() for _ in range(9)]
    assert found_on(make_army(*crowd, chart="siege")) == [("HH-08", "/chart")]


OPPONENT = [
    ("other side", {"allegiance": "loyalist"}, False),
    ("same side", {"allegiance": "traitor"}, True),
    ("not known", {}, False),
]


@pytest.mark.parametrize(("case", "opponent", "fires"), OPPONENT)
def test_hh_61(case: str, opponent: Json, fires: bool) -> None:
    assert found_on(make_army(opponent=opponent)) == ([("HH-61", "/opponent/allegiance")] if fires else []), case


@pytest.mark.parametrize(
    ("case", "opponent", "fires"),
    [
        ("equal", {"points_limit": 2500}, False),
        ("one less", {"points_limit": 2499}, True),
        ("agreed", {"points_limit": 2499, "asymmetry_agreed": True}, False),
        ("not known", {}, False),
    ],
)
def test_hh_62(case: str, opponent: Json, fires: bool) -> None:
    assert found_on(make_army(opponent=opponent)) == ([("HH-62", "/opponent/points_limit")] if fires else []), case


@pytest.mark.parametrize(("case", "reactions", "fires"), [("three", 3, False), ("four", 4, True)])
def test_hh_63(case: str, reactions: int, fires: bool) -> None:
    assert found_on(make_army(base_reactions=reactions)) == ([("HH-63", "/base_reactions")] if fires else []), case
