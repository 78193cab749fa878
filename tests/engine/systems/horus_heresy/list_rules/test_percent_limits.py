"""HH-28 to HH-31 on their boundaries: Lords of War and Primarchs."""

import pytest

from tests.engine.systems.horus_heresy.builders import (
    EXTRA,
    Json,
    findings_on,
    found_on,
    make_army,
    make_filler,
    make_lord_of_war,
    make_praetor,
    make_primary,
    make_unit,
)

BASE = 410
"""What the army of the builders costs."""


def army_with(spent: float, *, limit: float | None, total: float, **members: object) -> Json:
    """An army of this total, a Lord of War at this price included."""
    lord = make_unit(name="Baneblade", role="lord_of_war", points=spent, type="vehicle")
    return make_army(
        make_filler(total - BASE - spent), others=(make_lord_of_war(lord),), points_limit=limit, **members  # type: ignore[arg-type]
    )  # fmt: skip


def rules(army: Json) -> list[str]:
    return [one.rule for one in findings_on(army) if one.rule not in ("HH-04", "HH-06", "HH-07")]


@pytest.mark.parametrize(
    ("case", "limit", "fires"), [("2,000 points", 2000, False), ("one less", 1999, True), ("no limit", None, False)]
)
def test_hh_28(case: str, limit: int | None, fires: bool) -> None:
    army = army_with(400, limit=limit, total=limit or 2000)
    assert rules(army) == (["HH-28"] if fires else []), case
    if fires:
        assert found_on(army)[-1] == ("HH-28", "/detachments/1/units/0")


def test_hh_28_speaks_of_primarchs_too() -> None:
    primarch = make_unit(name="Horus", role="primarch", type="primarch", points=400, warlord=True)
    praetor = make_praetor(warlord=None, warlord_trait=None)
    army = make_army(primary=make_primary(primarch, make_filler(1150), hq=(praetor,)), points_limit=1999)
    assert [one for one in found_on(army) if one[0] != "HH-07"] == [("HH-28", EXTRA)]


@pytest.mark.parametrize(
    ("case", "total", "fires"), [("the army costs 2,000", 2000, False), ("one point less", 1999, True)]
)
def test_hh_29(case: str, total: int, fires: bool) -> None:
    assert rules(army_with(400, limit=2000, total=total)) == (["HH-29"] if fires else []), case


def test_hh_29_is_silent_without_lords_of_war() -> None:
    assert found_on(make_army(points_limit=2000)) == []


@pytest.mark.parametrize(
    ("case", "limit", "spent", "fires"),
    [
        ("exactly at the cap", 3000, 750, False),
        ("one point over", 3000, 751, True),
        ("the quarter rounds up", 2250, 563, False),
        ("over the rounded quarter", 2250, 564, True),
        ("a limit that four does not divide", 2001, 501, False),
        ("over it", 2001, 502, True),
        ("a broken limit", 2000.5, 501, False),
    ],
)
def test_hh_30(case: str, limit: float, spent: int, fires: bool) -> None:
    army = army_with(spent, limit=limit, total=limit)
    assert rules(army) == (["HH-30"] if fires else []), case


def test_hh_30_adds_both_kinds_and_their_transports() -> None:
    praetor = make_praetor(warlord=None, warlord_trait=None)
    primarch = make_unit(
        id="horus", name="Horus", role="primarch", type="primarch", points=400, warlord=True,
        transport_options=["Raider"],
    )  # fmt: skip
    raider = make_unit(name="Raider", role="elites", type="vehicle", points=226, dedicated_transport_for="horus")
    army = make_army(primary=make_primary(primarch, raider, make_filler(1464), hq=(praetor,)))
    (finding,) = findings_on(army)
    assert finding.message.en == "Lords of War and Primarchs cost 626 points, the cap is 625 (25 %)."
    raider["points"] = 225
    assert found_on(army) == []


@pytest.mark.parametrize(("case", "override", "fires"), [("lifted", True, False), ("not lifted", False, True)])
def test_hh_30_a_mission_may_lift_the_cap(case: str, override: bool, fires: bool) -> None:
    army = army_with(900, limit=2500, total=2500, cap_override=override)
    assert rules(army) == (["HH-30"] if fires else []), case


@pytest.mark.parametrize(
    ("case", "limit", "total", "spent", "fires"),
    [
        ("a quarter of the cost", 3000, 2400, 600, False),
        ("over it", 3000, 2400, 601, True),
        ("the quarter rounds up", 3000, 2401, 601, False),
        ("without a limit", None, 2400, 601, True),
    ],
)
def test_hh_31(case: str, limit: int | None, total: int, spent: int, fires: bool) -> None:
    assert rules(army_with(spent, limit=limit, total=total)) == (["HH-31"] if fires else []), case


def test_hh_31_is_silent_where_hh_30_speaks() -> None:
    assert rules(army_with(700, limit=2400, total=2400)) == ["HH-30"]


def test_hh_31_is_lifted_with_the_cap() -> None:
    assert rules(army_with(700, limit=3000, total=2400, cap_override=True)) == []
