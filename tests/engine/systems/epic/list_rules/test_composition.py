"""Army size, formations, characters: EP-01 to EP-07, EP-09, EP-10, EP-37, EP-38, EPL-10."""

from typing import Any

import pytest

from tests.engine.systems.epic.builders import (
    assert_fires,
    findings_on,
    make_army,
    make_formation,
    make_titan,
    make_unit,
)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("2,000 points", make_army(points=2000), False),
        ("a point less", make_army(points=1999), True),
    ],
)
def test_ep_01(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("EP-01", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("5,000 points", make_army(points=5000), False),
        ("a point more", make_army(points=5001), True),
    ],
)
def test_ep_02(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("EP-02", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("at the limit", make_army(points_limit=2000), False),
        ("over the limit", make_army(points_limit=1999), True),
    ],
)
def test_epl_10(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("EPL-10", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("none loose", make_army(loose_units=[]), False),
        ("one loose", make_army(loose_units=[make_unit("x")]), True),
    ],
)
def test_ep_03(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("EP-03", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("zero", make_army(strategy_rating=0), False),
        ("missing", make_army(strategy_rating=None), True),
        ("negative", make_army(strategy_rating=-1), True),
    ],
)
def test_ep_04(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("EP-04", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("worst", make_army(make_formation("f", make_unit("u"), initiative="6+")), False),
        ("too bad", make_army(make_formation("f", make_unit("u"), initiative=7)), True),
        ("missing", make_army(make_formation("f", make_unit("u"), initiative=None)), True),
    ],
)
def test_ep_05(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("EP-05", army, fires)


@pytest.mark.parametrize(
    ("initiative", "en", "ru"),
    [
        (7, "initiative 7 is impossible; it is 1+ to 6+.", "инициатива 7 невозможна: она бывает от 1+ до 6+."),
        (None, "its initiative is not stated.", "не указана инициатива."),
    ],
)
def test_ep_05_says_what_is_wrong(initiative: int | str | None, en: str, ru: str) -> None:
    army = make_army(make_formation("f", make_unit("u"), initiative=initiative))
    [found] = [one for one in findings_on(army) if one.rule == "EP-05"]
    assert found.message.en.endswith(en) and found.message.ru.endswith(ru)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("one unit", make_army(make_formation("f", make_unit("u"))), False),
        ("no unit", make_army(make_formation("f")), True),
        ("count 0", make_army(make_formation("f", make_unit("u", count=0))), True),
    ],
)
def test_ep_06(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("EP-06", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("free", make_army(make_formation("f", make_unit("u"), points=0)), False),
        ("no cost", make_army(make_formation("f", make_unit("u"), points=None)), True),
        ("negative", make_army(make_formation("f", make_unit("u"), points=-1)), True),
    ],
)
def test_ep_07(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("EP-07", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        (
            "with a host",
            make_army(make_formation("f", make_unit("u"), characters=[{"name": "Captain", "host": "u"}])),
            False,
        ),
        (
            "without a host",
            make_army(make_formation("f", make_unit("u"), characters=[{"name": "Captain", "host": None}])),
            True,
        ),
        (
            "unknown host",
            make_army(make_formation("f", make_unit("u"), characters=[{"name": "Captain", "host": "nobody"}])),
            True,
        ),
        (
            "listed as a unit",
            make_army(make_formation("f", make_unit("u"), {"id": "c", "name": "Captain", "type": "CH"})),
            True,
        ),
    ],
)
def test_ep_09(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("EP-09", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        (
            "own formation",
            make_army(make_formation("f", make_unit("u"), characters=[{"name": "Captain", "host": "u"}])),
            False,
        ),
        (
            "another formation",
            make_army(make_formation("f", make_unit("u"), characters=[{"name": "Captain", "host": "line-1"}])),
            True,
        ),
    ],
)
def test_ep_10(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("EP-10", army, fires)


@pytest.mark.parametrize(
    ("points", "speaks"), [(100, "Formation line"), (1000, "Formation line, Formation f"), (1500, "Formation f")]
)
def test_ep_37(points: int, speaks: str) -> None:
    army = make_army(make_formation("f", make_unit("u"), points=points))
    assert [f.message.en for f in findings_on(army) if f.rule == "EP-37"] == [f"Break Their Spirits target: {speaks}."]


@pytest.mark.parametrize(("unit", "speaks"), [(make_unit("u", count=6), 6), (make_titan(), 8)])
def test_ep_38(unit: dict[str, Any], speaks: int) -> None:
    found = [f for f in findings_on(make_army(make_formation("f", unit))) if f.rule == "EP-38"]
    assert found[1].at == "/formations/1"
    assert f"blast markers that break it: {speaks}." in found[1].message.en
