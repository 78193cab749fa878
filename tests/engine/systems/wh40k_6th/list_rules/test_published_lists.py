"""The W6L rules on their boundaries: the published game's army construction."""

from typing import Any

import pytest

from armybuilder.engine.findings import Finding
from armybuilder.engine.systems.list_rules import RuleSettings
from tests.engine.systems.wh40k_6th.builders import make_allied, make_detachment, make_primary, make_unit, published


def assert_rules(found: list[Finding], *rules: str) -> None:
    assert [finding.rule for finding in found] == list(rules)


def test_the_smallest_army_is_legal() -> None:
    assert published(make_primary()) == []


@pytest.mark.parametrize(
    ("case", "limit", "fires"), [("agreed", 300, False), ("zero", 0, True), ("missing", None, True)]
)
def test_w6l_01(case: str, limit: int | None, fires: bool) -> None:
    assert_rules(published(make_primary(), limit=limit), *(["W6L-01"] if fires else []))


@pytest.mark.parametrize(("case", "limit", "fires"), [("exactly", 300, False), ("one over", 299, True)])
def test_w6l_02(case: str, limit: int, fires: bool) -> None:
    assert_rules(published(make_primary(), limit=limit), *(["W6L-02"] if fires else []))


@pytest.mark.parametrize(
    ("case", "primaries", "limit", "fires"),
    [
        ("one", 1, 1999, False),
        ("two below 2,000", 2, 1999, True),
        ("two from 2,000", 2, 2000, False),
        ("three", 3, 2000, True),
    ],
)
def test_w6l_03(case: str, primaries: int, limit: int, fires: bool) -> None:
    armies = [make_primary(warlord=number == 0) for number in range(primaries)]
    assert_rules(published(*armies, limit=limit), *(["W6L-03"] if fires else []))


def test_w6l_03_without_a_primary_detachment() -> None:
    assert [finding.rule for finding in published(make_detachment("fortification", None, fortification=1))] == [
        "W6L-03",
        "W6L-13",
    ]


@pytest.mark.parametrize(("case", "troops", "fires"), [("two", 2, False), ("one", 1, True)])
def test_w6l_04(case: str, troops: int, fires: bool) -> None:
    found = published(make_primary(troops=troops))
    assert_rules(found, *(["W6L-04"] if fires else []))
    assert [finding.at for finding in found] == (["/detachments/0"] if fires else [])


@pytest.mark.parametrize(("case", "hq", "fires"), [("one", 1, False), ("none", 0, True)])
def test_w6l_05(case: str, hq: int, fires: bool) -> None:
    assert_rules(published(make_primary(), make_allied(hq=hq)), *(["W6L-05"] if fires else []))


@pytest.mark.parametrize(
    ("case", "role", "most"),
    [
        ("HQ", "hq", 2),
        ("Elites", "elites", 3),
        ("Troops", "troops", 6),
        ("Fast Attack", "fast_attack", 3),
        ("Heavy Support", "heavy_support", 3),
        ("Lord of War", "lord_of_war", 1),
    ],
)
@pytest.mark.parametrize(("surplus", "fires"), [(0, False), (1, True)])
def test_w6l_06(case: str, role: str, most: int, surplus: int, fires: bool) -> None:
    assert_rules(published(make_primary(**{role: most + surplus})), *(["W6L-06"] if fires else []))


@pytest.mark.parametrize(
    ("case", "role", "most"),
    [
        ("HQ", "hq", 1),
        ("Elites", "elites", 1),
        ("Troops", "troops", 2),
        ("Fast Attack", "fast_attack", 1),
        ("Heavy", "heavy_support", 1),
    ],
)
def test_w6l_06_in_an_allied_detachment(case: str, role: str, most: int) -> None:
    assert_rules(published(make_primary(), make_allied(**{role: most})))
    assert_rules(published(make_primary(), make_allied(**{role: most + 1})), "W6L-06")


@pytest.mark.parametrize(
    ("case", "armies", "fires"),
    [
        ("Lord of War in the primary", [make_primary(lord_of_war=1)], False),
        ("Lord of War among allies", [make_primary(), make_allied(lord_of_war=1)], True),
        ("fortification in the primary", [make_primary(fortification=1)], True),
        ("Elites among fortifications", [make_primary(), make_detachment("fortification", None, elites=1)], True),
        ("dedicated transport anywhere", [make_primary(dedicated_transport=4)], False),
    ],
)
def test_w6l_07(case: str, armies: list[Any], fires: bool) -> None:
    assert_rules(published(*armies), *(["W6L-07"] if fires else []))


@pytest.mark.parametrize(("case", "count", "fires"), [("one", 1, False), ("two", 2, True)])
def test_w6l_08(case: str, count: int, fires: bool) -> None:
    forts = [make_detachment("fortification", None, fortification=1) for _ in range(count)]
    assert_rules(published(make_primary(), *forts, limit=2000), *(["W6L-08"] if fires else []))


@pytest.mark.parametrize(("case", "allies", "fires"), [("one", 1, False), ("two", 2, True)])
def test_w6l_09(case: str, allies: int, fires: bool) -> None:
    found = published(make_primary(), *[make_allied() for _ in range(allies)])
    assert_rules(found, *(["W6L-09"] if fires else []))


def test_w6l_09_counts_one_ally_for_each_primary() -> None:
    armies = [make_primary(), make_primary(warlord=False), make_allied(), make_allied("Tau")]
    assert_rules(published(*armies, limit=2000))


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [("another army", "Tau", False), ("the same", "Space Marines", True), ("in other letters", "space marines", True)],
)
def test_w6l_10(case: str, army: str, fires: bool) -> None:
    assert_rules(published(make_primary(), make_allied(army)), *(["W6L-10"] if fires else []))


@pytest.mark.parametrize(
    ("case", "primary", "ally", "fires"),
    [
        ("allowed", "Space Marines", "Imperial Guard", False),
        ("forbidden", "Space Marines", "Chaos Daemons", True),
        ("forbidden from the other side", "Chaos Daemons", "Space Marines", True),
        ("nobody with Tyranids", "Tyranids", "Tau", True),
        ("Orks and Sororitas", "Adepta Sororitas", "Orks", True),
    ],
)
def test_w6l_11(case: str, primary: str, ally: str, fires: bool) -> None:
    assert_rules(published(make_primary(primary), make_allied(ally)), *(["W6L-11"] if fires else []))


@pytest.mark.parametrize(
    ("case", "ally", "settings", "fires"),
    [
        ("recorded", "Tau", RuleSettings(), False),
        ("not recorded", "Orks", RuleSettings(), True),
        (
            "an administrator's level",
            "Orks",
            RuleSettings(alliance_levels={"wh40k-6th": {("Orks", "Space Marines"): "desperate"}}),
            False,
        ),
    ],
)
def test_w6l_12(case: str, ally: str, settings: RuleSettings, fires: bool) -> None:
    assert_rules(published(make_primary(), make_allied(ally), settings=settings), *(["W6L-12"] if fires else []))


@pytest.mark.parametrize(("case", "warlords", "fires"), [("one", 1, False), ("none", 0, True), ("two", 2, True)])
def test_w6l_13(case: str, warlords: int, fires: bool) -> None:
    army = make_primary(warlord=False, hq=2)
    for unit in army["units"][:warlords]:
        unit["warlord"] = True
    assert_rules(published(army), *(["W6L-13"] if fires else []))


@pytest.mark.parametrize(
    ("case", "detachment", "unit", "fires"),
    [("HQ of the primary", 0, 0, False), ("Troops of the primary", 0, 1, True), ("HQ of the allies", 1, 0, True)],
)
def test_w6l_14(case: str, detachment: int, unit: int, fires: bool) -> None:
    armies = [make_primary(warlord=False), make_allied()]
    armies[detachment]["units"][unit]["warlord"] = True
    assert_rules(published(*armies), *(["W6L-14"] if fires else []))


@pytest.mark.parametrize(
    ("case", "leadership", "fires"), [("equal", 8, False), ("higher", 9, True), ("not stated", None, False)]
)
def test_w6l_15(case: str, leadership: int | None, fires: bool) -> None:
    army = make_primary(hq=2)
    army["units"][1]["models"][0]["profile"]["Ld"] = leadership
    assert_rules(published(army), *(["W6L-15"] if fires else []))


@pytest.mark.parametrize(("case", "unique", "fires"), [("ordinary", False, False), ("unique", True, True)])
def test_w6l_16(case: str, unique: bool, fires: bool) -> None:
    army = make_primary()
    army["units"] += [
        make_unit(name="Hero", role="elites", unique=unique),
        make_unit("u2", name="Hero", role="elites", unique=unique),
    ]
    assert_rules(published(army), *(["W6L-16"] if fires else []))


@pytest.mark.parametrize(
    ("case", "second", "fires"), [("same codex", "Space Marines", False), ("another", "Orks", True)]
)
def test_w6l_17(case: str, second: str, fires: bool) -> None:
    found = published(make_primary(), make_primary(second, warlord=False), limit=2000)
    assert_rules(found, *(["W6L-17"] if fires else []))


def test_a_second_codex_is_not_told_where_a_second_primary_detachment_is_too_many() -> None:
    """Taking it out settles both."""
    found = published(make_primary(), make_primary("Orks", warlord=False), limit=1999)
    assert_rules(found, "W6L-03")
