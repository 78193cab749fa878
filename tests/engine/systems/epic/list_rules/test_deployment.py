"""How formations start the game: EP-18 to EP-31."""

from typing import Any

import pytest

from tests.engine.systems.epic.builders import (
    assert_fires,
    make_aircraft,
    make_army,
    make_formation,
    make_ship,
    make_titan,
    make_unit,
)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("aircraft", make_army(make_formation("f", make_aircraft(), deployment="reserve")), False),
        ("tanks", make_army(make_formation("f", make_unit("u", "AV"), deployment="reserve")), True),
        (
            "teleporters",
            make_army(make_formation("f", make_unit("u", rules=["Teleport"]), deployment="reserve")),
            False,
        ),
        (
            "passengers of aircraft",
            make_army(
                make_formation(
                    "f",
                    make_aircraft(transport={"slots": 2, "accepts": ["INF"]}),
                    make_unit("u", count=2, embarked_in="a"),
                    deployment="reserve",
                )
            ),
            False,
        ),
    ],
)
def test_ep_18(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("EP-18", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("all", make_army(make_formation("f", make_unit("u", rules=["Teleport"]), deployment="teleport")), False),
        (
            "one without",
            make_army(make_formation("f", make_unit("u", rules=["Teleport"]), make_unit("v"), deployment="teleport")),
            True,
        ),
    ],
)
def test_ep_19(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("EP-19", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("in reserve", make_army(make_formation("f", make_aircraft(), deployment="reserve")), False),
        ("on the table", make_army(make_formation("f", make_aircraft(), deployment="table")), True),
    ],
)
def test_ep_20(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("EP-20", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("in space", make_army(make_formation("f", make_ship(), deployment="space", plan={"turn": 2})), False),
        ("on the table", make_army(make_formation("f", make_ship(), deployment="table", plan={"turn": 2})), True),
        ("infantry in space", make_army(make_formation("f", make_unit("u"), deployment="space")), True),
    ],
)
def test_ep_21(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("EP-21", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        (
            "one fast unit",
            make_army(
                make_formation(
                    "f", make_unit("u", count=6), make_unit("v", "AV", profile={"speed": 30}), deployment="garrison"
                )
            ),
            False,
        ),
        (
            "two fast units",
            make_army(
                make_formation(
                    "f",
                    make_unit("u", count=6),
                    make_unit("v", "AV", count=2, profile={"speed": 30}),
                    deployment="garrison",
                )
            ),
            True,
        ),
        (
            "half Scouts",
            make_army(
                make_formation(
                    "f",
                    make_unit("u", count=2, rules=["Scout"]),
                    make_unit("v", "AV", count=2, profile={"speed": 30}),
                    deployment="garrison",
                )
            ),
            False,
        ),
        (
            "fewer Scouts",
            make_army(
                make_formation(
                    "f",
                    make_unit("u", count=2, rules=["Scout"]),
                    make_unit("v", "AV", count=3, profile={"speed": 30}),
                    deployment="garrison",
                )
            ),
            True,
        ),
        ("a slow war engine", make_army(make_formation("f", make_titan(), deployment="garrison")), True),
        (
            "a slow war engine, lenient",
            make_army(make_formation("f", make_titan(), deployment="garrison"), options={"garrison_strict": False}),
            False,
        ),
    ],
)
def test_ep_22(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("EP-22", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        (
            "two",
            make_army(
                make_formation("f0", make_unit("u0"), deployment="garrison", overwatch_at_start=True),
                make_formation("f1", make_unit("u1"), deployment="garrison", overwatch_at_start=True),
            ),
            False,
        ),
        (
            "three",
            make_army(
                make_formation("f0", make_unit("u0"), deployment="garrison", overwatch_at_start=True),
                make_formation("f1", make_unit("u1"), deployment="garrison", overwatch_at_start=True),
                make_formation("f2", make_unit("u2"), deployment="garrison", overwatch_at_start=True),
            ),
            True,
        ),
    ],
)
def test_ep_23(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("EP-23", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        (
            "garrison",
            make_army(make_formation("f0", make_unit("u0"), deployment="garrison", overwatch_at_start=True)),
            False,
        ),
        (
            "on the table",
            make_army(make_formation("f0", make_unit("u0"), deployment="table", overwatch_at_start=True)),
            True,
        ),
    ],
)
def test_ep_24(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("EP-24", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        (
            "pod and riders",
            make_army(
                make_formation("s", make_ship(), deployment="space", plan={"turn": 2}),
                make_formation(
                    "f",
                    make_unit("p", "LV", count=1, rules=["Planetfall"], transport={"slots": 2, "accepts": ["INF"]}),
                    make_unit("u", count=2, embarked_in="p"),
                    deployment="planetfall",
                    carrier="s",
                    plan={"drop_point": [60, 30]},
                ),
            ),
            False,
        ),
        (
            "infantry beside the pod",
            make_army(
                make_formation("s", make_ship("s", 4, "LV", "INF"), deployment="space", plan={"turn": 2}),
                make_formation(
                    "f",
                    make_unit("p", "LV", count=1, rules=["Planetfall"], transport={"slots": 2, "accepts": ["INF"]}),
                    make_unit("u"),
                    deployment="planetfall",
                    carrier="s",
                    plan={"drop_point": [60, 30]},
                ),
            ),
            True,
        ),
    ],
)
def test_ep_25(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("EP-25", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        (
            "room for four",
            make_army(
                make_formation("s", make_ship(), deployment="space", plan={"turn": 2}),
                make_formation(
                    "f",
                    make_unit("p", "LV", count=4, rules=["Planetfall"], transport={"slots": 2, "accepts": ["INF"]}),
                    deployment="planetfall",
                    carrier="s",
                    plan={"drop_point": [60, 30]},
                ),
            ),
            False,
        ),
        (
            "a pod too many",
            make_army(
                make_formation("s", make_ship(), deployment="space", plan={"turn": 2}),
                make_formation(
                    "f",
                    make_unit("p", "LV", count=5, rules=["Planetfall"], transport={"slots": 2, "accepts": ["INF"]}),
                    deployment="planetfall",
                    carrier="s",
                    plan={"drop_point": [60, 30]},
                ),
            ),
            True,
        ),
        (
            "not accepted",
            make_army(
                make_formation("s", make_ship("s", 4, "AV"), deployment="space", plan={"turn": 2}),
                make_formation(
                    "f",
                    make_unit("p", "LV", count=1, rules=["Planetfall"], transport={"slots": 2, "accepts": ["INF"]}),
                    deployment="planetfall",
                    carrier="s",
                    plan={"drop_point": [60, 30]},
                ),
            ),
            True,
        ),
        (
            "no ship",
            make_army(
                make_formation("s", make_ship(), deployment="space", plan={"turn": 2}),
                make_formation(
                    "f",
                    make_unit("p", "LV", count=1, rules=["Planetfall"], transport={"slots": 2, "accepts": ["INF"]}),
                    deployment="planetfall",
                    carrier=None,
                    plan={"drop_point": [60, 30]},
                ),
            ),
            True,
        ),
        (
            "all land by themselves",
            make_army(
                make_formation("s", make_ship(), deployment="space", plan={"turn": 2}),
                make_formation(
                    "f",
                    make_unit("p", "LV", rules=["Self Planetfall"]),
                    deployment="planetfall",
                    carrier=None,
                    plan={"drop_point": [1, 2], "turn": 2},
                ),
            ),
            False,
        ),
    ],
)
def test_ep_26(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("EP-26", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        (
            "complete",
            make_army(
                make_formation("s", make_ship(), deployment="space", plan={"turn": 2}),
                make_formation(
                    "f",
                    make_unit("p", "LV", count=1, rules=["Planetfall"], transport={"slots": 2, "accepts": ["INF"]}),
                    deployment="planetfall",
                    carrier="s",
                    plan={"drop_point": [60, 30]},
                ),
            ),
            False,
        ),
        (
            "no drop point",
            make_army(
                make_formation("s", make_ship(), deployment="space", plan={"turn": 2}),
                make_formation(
                    "f",
                    make_unit("p", "LV", count=1, rules=["Planetfall"], transport={"slots": 2, "accepts": ["INF"]}),
                    deployment="planetfall",
                    carrier="s",
                    plan={},
                ),
            ),
            True,
        ),
        (
            "no turn",
            make_army(
                make_formation("s", make_ship(), deployment="space", plan={}),
                make_formation(
                    "f",
                    make_unit("p", "LV", count=1, rules=["Planetfall"], transport={"slots": 2, "accepts": ["INF"]}),
                    deployment="planetfall",
                    carrier="s",
                    plan={"drop_point": [60, 30]},
                ),
            ),
            True,
        ),
        (
            "no bombardment point",
            make_army(
                make_formation("s", make_ship(rules=["Orbital Bombardment"]), deployment="space", plan={"turn": 2}),
                make_formation(
                    "f",
                    make_unit("p", "LV", count=1, rules=["Planetfall"], transport={"slots": 2, "accepts": ["INF"]}),
                    deployment="planetfall",
                    carrier="s",
                    plan={"drop_point": [60, 30]},
                ),
            ),
            True,
        ),
        (
            "with bombardment point",
            make_army(
                make_formation(
                    "s",
                    make_ship(rules=["Orbital Bombardment"]),
                    deployment="space",
                    plan={"turn": 2, "bombardment_points": [[10, 10]]},
                ),
                make_formation(
                    "f",
                    make_unit("p", "LV", count=1, rules=["Planetfall"], transport={"slots": 2, "accepts": ["INF"]}),
                    deployment="planetfall",
                    carrier="s",
                    plan={"drop_point": [60, 30]},
                ),
            ),
            False,
        ),
        (
            "self planetfall without turn",
            make_army(
                make_formation("s", make_ship(), deployment="space", plan={"turn": 2}),
                make_formation(
                    "f",
                    make_unit("p", "LV", rules=["Self Planetfall"]),
                    deployment="planetfall",
                    carrier=None,
                    plan={"drop_point": [60, 30]},
                ),
            ),
            True,
        ),
    ],
)
def test_ep_27(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("EP-27", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        ("turn 2", make_army(make_formation("f", make_ship(rules=[]), deployment="space", plan={"turn": 2})), False),
        ("turn 1", make_army(make_formation("f", make_ship(rules=[]), deployment="space", plan={"turn": 1})), True),
        (
            "turn 1 by option",
            make_army(
                make_formation("f", make_ship(rules=[]), deployment="space", plan={"turn": 1}),
                options={"spacecraft_turn_one": True},
            ),
            False,
        ),
    ],
)
def test_ep_28(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("EP-28", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        (
            "turn 2",
            make_army(make_formation("f", make_ship(rules=["Slow and Steady"]), deployment="space", plan={"turn": 2})),
            False,
        ),
        (
            "turn 1",
            make_army(make_formation("f", make_ship(rules=["Slow and Steady"]), deployment="space", plan={"turn": 1})),
            True,
        ),
    ],
)
def test_ep_29(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("EP-29", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        (
            "tunneler and riders",
            make_army(
                make_formation(
                    "f",
                    make_unit("m", "LV", rules=["Tunneler"], transport={"slots": 2, "accepts": ["INF"]}),
                    make_unit("u", embarked_in="m"),
                    deployment="tunnel",
                    plan={"surface_point": [10, 10], "turn": 2, "surface_half": "own"},
                )
            ),
            False,
        ),
        (
            "infantry on foot",
            make_army(
                make_formation(
                    "f",
                    make_unit("m", rules=["Tunneler"]),
                    make_unit("u"),
                    deployment="tunnel",
                    plan={"surface_point": [10, 10], "turn": 2, "surface_half": "own"},
                )
            ),
            True,
        ),
    ],
)
def test_ep_30(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("EP-30", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        (
            "own half, turn 2",
            make_army(
                make_formation(
                    "f",
                    make_unit("m", rules=["Tunneler"]),
                    deployment="tunnel",
                    plan={"surface_point": [10, 10], "turn": 2, "surface_half": "own"},
                )
            ),
            False,
        ),
        (
            "own half, turn 1",
            make_army(
                make_formation(
                    "f",
                    make_unit("m", rules=["Tunneler"]),
                    deployment="tunnel",
                    plan={"surface_point": [10, 10], "turn": 1, "surface_half": "own"},
                )
            ),
            True,
        ),
        (
            "enemy half, turn 3",
            make_army(
                make_formation(
                    "f",
                    make_unit("m", rules=["Tunneler"]),
                    deployment="tunnel",
                    plan={"surface_point": [10, 10], "turn": 3, "surface_half": "enemy"},
                )
            ),
            False,
        ),
        (
            "enemy half, turn 2",
            make_army(
                make_formation(
                    "f",
                    make_unit("m", rules=["Tunneler"]),
                    deployment="tunnel",
                    plan={"surface_point": [10, 10], "turn": 2, "surface_half": "enemy"},
                )
            ),
            True,
        ),
        (
            "no point",
            make_army(make_formation("f", make_unit("m", rules=["Tunneler"]), deployment="tunnel", plan={"turn": 2})),
            True,
        ),
    ],
)
def test_ep_31(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("EP-31", army, fires)
