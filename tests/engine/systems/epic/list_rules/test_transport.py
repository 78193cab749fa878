"""Who rides in what: EP-15 to EP-17."""

from typing import Any

import pytest

from tests.engine.systems.epic.builders import assert_fires, make_army, make_formation, make_transport, make_unit


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        (
            "full",
            make_army(make_formation("f", make_transport("t", 2, count=2), make_unit("u", count=4, embarked_in="t"))),
            False,
        ),
        (
            "one too many",
            make_army(make_formation("f", make_transport("t", 2, count=2), make_unit("u", count=5, embarked_in="t"))),
            True,
        ),
        (
            "not accepted",
            make_army(make_formation("f", make_transport("t", 2, count=2), make_unit("u", "LV", embarked_in="t"))),
            True,
        ),
        (
            "accepted by name",
            make_army(make_formation("f", make_transport("t", 2, "Unit u"), make_unit("u", embarked_in="t"))),
            False,
        ),
        (
            "large passengers",
            make_army(
                make_formation("f", make_transport("t", 2, count=2), make_unit("u", count=2, slots=3, embarked_in="t"))
            ),
            True,
        ),
        ("no such carrier", make_army(make_formation("f", make_unit("u", embarked_in="nobody"))), True),
        (
            "carrier without room",
            make_army(make_formation("f", make_unit("t", "AV"), make_unit("u", embarked_in="t"))),
            True,
        ),
    ],
)
def test_ep_15(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("EP-15", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        (
            "own formation",
            make_army(make_formation("f", make_transport("t", 2, count=2), make_unit("u", count=1, embarked_in="t"))),
            False,
        ),
        (
            "another formation",
            make_army(
                make_formation("f", make_transport("t", 4)), make_formation("g", make_unit("u", embarked_in="t"))
            ),
            True,
        ),
        (
            "by a war engine",
            make_army(
                make_formation("f", make_transport("t", 4, unit_type="WE", profile={"DC": [3]})),
                make_formation("g", make_unit("u", embarked_in="t")),
            ),
            False,
        ),
    ],
)
def test_ep_16(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("EP-16", army, fires)


@pytest.mark.parametrize(
    ("case", "army", "fires"),
    [
        (
            "the whole formation",
            make_army(
                make_formation("f", make_transport("t", 4, "INF", "AV", unit_type="WE", profile={"DC": [3]})),
                make_formation("g", make_unit("u", embarked_in="t"), make_unit("v", embarked_in="t")),
            ),
            False,
        ),
        (
            "a part",
            make_army(
                make_formation("f", make_transport("t", 4, "INF", "AV", unit_type="WE", profile={"DC": [3]})),
                make_formation("g", make_unit("u", embarked_in="t"), make_unit("v")),
            ),
            True,
        ),
        (
            "the rest in own transports aboard",
            make_army(
                make_formation("f", make_transport("t", 4, "INF", "AV", unit_type="WE", profile={"DC": [3]})),
                make_formation("g", make_transport("c", 1, embarked_in="t"), make_unit("v", embarked_in="c")),
            ),
            False,
        ),
    ],
)
def test_ep_17(case: str, army: dict[str, Any], fires: bool) -> None:
    assert_fires("EP-17", army, fires)
