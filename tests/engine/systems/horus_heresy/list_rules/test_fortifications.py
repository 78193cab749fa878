"""HH-47 and HH-48 on their boundaries: the fortifications of the book."""

import pytest

from tests.engine.systems.horus_heresy.builders import EXTRA, Json, findings_on, found_on, make_army, make_unit


def fortification(name: str, **facts: object) -> Json:
    return make_unit(name=name, role="fortification", type="fortification", **facts)


@pytest.mark.parametrize(
    ("case", "name", "option", "count", "fires"),
    [
        ("two extra strongpoints", "Fortified Wall", "Strongpoint", 2, False),
        ("three", "Fortified Wall", "Strongpoint", 3, True),
        ("one Icarus", "Imperial Bunker", "Icarus lascannon", 1, False),
        ("two", "Imperial Bunker", "Icarus lascannon", 2, True),
        ("one Skyreaper", "Defence Line", "Skyreaper battery", 1, False),
        ("two of them", "Defence Line", "Skyreaper battery", 2, True),
        ("in Russian", "Оборонительная линия", "Батарея «Небесный жнец»", 2, True),
        ("another fortification", "Castellum", "Skyreaper battery", 2, False),
        ("another option", "Defence Line", "Banner", 2, False),
    ],
)
def test_hh_47(case: str, name: str, option: str, count: int, fires: bool) -> None:
    unit = fortification(name, options=[{"name": option, "count": count}])
    assert found_on(make_army(unit)) == ([("HH-47", f"{EXTRA}/options/0/count")] if fires else []), case


def test_hh_47_adds_options_listed_one_by_one() -> None:
    unit = fortification("Fortified Wall", options=[{"name": "Strongpoint"}] * 3)
    (finding,) = findings_on(make_army(unit))
    assert (finding.rule, finding.at) == ("HH-47", f"{EXTRA}/options/2/count")
    assert finding.message.ru == "«Fortified Wall»: дополнительный опорный пункт – 3, максимум – 2."


@pytest.mark.parametrize(
    ("case", "deployment", "fires"),
    [
        ("not stated", None, False),
        ("table", "table", False),
        ("reserve", "reserve", True),
        ("Scout", "scout", True),
    ],
)
def test_hh_48(case: str, deployment: str | None, fires: bool) -> None:
    unit = fortification("Imperial Bunker", profile={"M": 0}) | ({"deployment": deployment} if deployment else {})
    assert found_on(make_army(unit)) == ([("HH-48", f"{EXTRA}/deployment")] if fires else []), case


@pytest.mark.parametrize(
    ("deployment", "rule", "also"),
    [("deep_strike_assault", "Deep Strike", "HH-54"), ("flanking_assault", "Outflank", "HH-55")],
)
def test_hh_48_not_even_with_the_special_rule(deployment: str, rule: str, also: str) -> None:
    unit = fortification("Imperial Bunker", deployment=deployment)
    assert [one.rule for one in findings_on(make_army(unit))] == ["HH-48", also]
    unit["rules"] = [rule]
    assert [one.rule for one in findings_on(make_army(unit))] == ["HH-48"]
