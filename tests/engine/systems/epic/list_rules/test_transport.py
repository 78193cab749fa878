"""Who rides in what: EP-15 to EP-17."""

from typing import Any

import pytest

from tests.engine.systems.epic.builders import (
    assert_fires,
    findings_on,
    make_army,
    make_formation,
    make_transport,
    make_unit,
)


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
    ("carrier", "passengers", "en", "ru"),
    [
        (
            make_transport("t", 2, count=2),
            make_unit("u", count=5, embarked_in="t"),
            "“Unit t” cannot carry this load: 5 places are needed, there are 4.",
            "«Unit t» не может перевезти такой груз: мест нужно 5, есть 4.",
        ),
        (
            make_transport("t", 9),
            make_unit("u", "LV", embarked_in="t"),
            "“Unit t” cannot carry this load: it does not take “Unit u”.",
            "«Unit t» не может перевезти такой груз: не принимает «Unit u».",
        ),
        (
            make_unit("t", "AV"),
            make_unit("u", embarked_in="t"),
            "“Unit t” cannot carry this load: it carries nobody.",
            "«Unit t» не может перевезти такой груз: это не транспорт.",
        ),
    ],
)
def test_why_a_load_is_refused(carrier: dict[str, Any], passengers: dict[str, Any], en: str, ru: str) -> None:
    """Of a load with room enough that was not accepted only its size was told: "6/10"."""
    document = make_army(make_formation("f", carrier, passengers))
    told = [found.message for found in findings_on(document) if found.rule == "EP-15"]
    assert [(message.en, message.ru) for message in told] == [(en, ru)]


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
