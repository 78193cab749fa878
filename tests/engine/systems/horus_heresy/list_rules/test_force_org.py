"""HH-09 to HH-17 on their boundaries: detachments and slots of the Crusade chart."""

import pytest

from armybuilder.engine.findings import Severity
from tests.engine.systems.horus_heresy.builders import (
    ALLIED,
    EXTRA,
    PRIMARY,
    Json,
    findings_on,
    found_on,
    make_allied,
    make_army,
    make_lord_of_war,
    make_praetor,
    make_primary,
    make_squad,
    make_unit,
)

SUPPORT = ["Support Squad"]


def renumbered(detachment: Json) -> Json:
    """A detachment without ids and warlord, so that it can stand beside another."""
    taken_away = ("id", "warlord", "warlord_trait")
    units = [{key: value for key, value in unit.items() if key not in taken_away} for unit in detachment["units"]]
    return detachment | {"units": units}


@pytest.mark.parametrize(
    ("case", "others", "fires"), [("one", (), False), ("two", (renumbered(make_primary()),), True)]
)
def test_hh_09(case: str, others: tuple[Json, ...], fires: bool) -> None:
    assert found_on(make_army(others=others)) == ([("HH-09", f"{ALLIED}/type")] if fires else []), case


def test_hh_09_without_any() -> None:
    army = make_army(detachments=[make_allied()])
    assert found_on(army) == [("HH-09", "/detachments"), ("HH-32", None)]


@pytest.mark.parametrize(
    ("case", "others", "fires"),
    [
        ("one of each", (make_allied(), make_lord_of_war()), False),
        ("two allied", (make_allied(), renumbered(make_allied())), True),
        ("two with Lords of War", (make_lord_of_war(), make_lord_of_war()), True),
    ],
)
def test_hh_10(case: str, others: tuple[Json, ...], fires: bool) -> None:
    found = found_on(make_army(make_unit(points=2000), others=others, points_limit=3500))
    assert [one for one in found if one[0] != "HH-07"] == ([("HH-10", "/detachments/2/type")] if fires else []), case


@pytest.mark.parametrize(
    ("case", "troops", "fires"), [("two Troops", 2, False), ("one Troops", 1, True), ("none", 0, True)]
)
def test_hh_11(case: str, troops: int, fires: bool) -> None:
    found = findings_on(make_army(primary=make_primary(troops=troops)))
    assert [(one.rule, one.at) for one in found] == ([("HH-11", PRIMARY)] if fires else []), case
    if fires:
        assert found[0].message.en == f"Primary Detachment: compulsory Troops slots filled {troops} of 2."
        assert found[0].message.ru == (
            f"Основное подразделение: обязательных слотов «основные войска» занято {troops} из 2."
        )


def test_hh_11_without_hq() -> None:
    sergeant = {"name": "Sergeant", "count": 1, "subtypes": ["character"], "warlord": True}
    leader = make_unit(role="elites", models=[sergeant])
    assert found_on(make_army(primary=make_primary(leader, hq=()))) == [("HH-11", PRIMARY)]


@pytest.mark.parametrize(
    ("case", "squads", "used", "fires"), [("one choice of two slots", 1, 2, False), ("one slot", 1, 1, True)]
)
def test_hh_11_counts_slots(case: str, squads: int, used: int, fires: bool) -> None:
    squad = make_squad(slots_used=used)
    found = found_on(make_army(primary=make_primary(squad, troops=0)))
    assert found == ([("HH-11", PRIMARY)] if fires else []), case


def test_hh_11_dedicated_transports_fill_no_slot() -> None:
    squad = make_squad(transport_options=["Rhino"])
    rhino = make_unit(name="Rhino", role="troops", dedicated_transport_for="troops-1", type="vehicle")
    assert found_on(make_army(primary=make_primary(squad, rhino, troops=0))) == [("HH-11", PRIMARY)]


@pytest.mark.parametrize(
    ("case", "troops", "extra", "fires"),
    [
        ("filled", 2, (), False),
        ("one missing", 1, (), True),
        ("filled by a Support Squad", 1, (make_squad(9, rules=SUPPORT),), True),
        ("a Support Squad beyond the minimum", 2, (make_squad(9, rules=SUPPORT),), False),
    ],
)
def test_hh_12(case: str, troops: int, extra: tuple[Json, ...], fires: bool) -> None:
    primary = make_primary(*extra, troops=troops)
    found = found_on(make_army(primary=primary, others=(make_allied(),)))
    assert [one for one in found if one[0] not in ("HH-11", "HH-17")] == ([("HH-12", ALLIED)] if fires else []), case


def test_hh_12_speaks_of_every_optional_detachment() -> None:
    army = make_army(
        make_unit(points=1200), primary=make_primary(make_unit(points=1500), troops=1), points_limit=3000,
        others=(make_allied(), make_lord_of_war()),
    )  # fmt: skip
    assert found_on(army) == [("HH-11", PRIMARY), ("HH-12", ALLIED), ("HH-12", "/detachments/2")]


@pytest.mark.parametrize(
    ("case", "hq", "troops", "fires"), [("filled", 1, 1, False), ("no HQ", 0, 1, True), ("no Troops", 1, 0, True)]
)
def test_hh_13(case: str, hq: int, troops: int, fires: bool) -> None:
    found = found_on(make_army(others=(make_allied(hq=hq, troops=troops),)))
    assert found == ([("HH-13", ALLIED)] if fires else []), case


@pytest.mark.parametrize(
    ("case", "units", "rules"),
    [("a Lord of War", (), []), ("something else", (make_unit(),), ["HH-14", "HH-16"])],
)
def test_hh_14_and_hh_16(case: str, units: tuple[Json, ...], rules: list[str]) -> None:
    army = make_army(make_unit(points=1500), others=(make_lord_of_war(*units),))
    assert [one.rule for one in findings_on(army)] == rules, case


@pytest.mark.parametrize(("case", "empty", "fires"), [("a Lord of War", False, False), ("no unit", True, True)])
def test_hh_14(case: str, empty: bool, fires: bool) -> None:
    detachment = make_lord_of_war() | ({"units": []} if empty else {})
    found = found_on(make_army(make_unit(points=1500), others=(detachment,)))
    assert found == ([("HH-14", ALLIED)] if fires else []), case


PRIMARY_SLOTS = [
    ("hq", 3),
    ("troops", 6),
    ("elites", 4),
    ("fast_attack", 3),
    ("heavy_support", 3),
    ("fortification", 1),
]
ALLIED_SLOTS = [("hq", 1), ("troops", 4), ("elites", 2), ("fast_attack", 1), ("heavy_support", 1)]


@pytest.mark.parametrize(("over", "fires"), [(0, False), (1, True)])
@pytest.mark.parametrize(("role", "most"), PRIMARY_SLOTS)
def test_hh_15(role: str, most: int, over: int, fires: bool) -> None:
    there = {"hq": 1, "troops": 2}.get(role, 0)
    type_ = "fortification" if role == "fortification" else "infantry"
    units = [make_unit(role=role, type=type_, points=10) for _ in range(most + over - there)]
    assert found_on(make_army(*units)) == ([("HH-15", PRIMARY)] if fires else [])


@pytest.mark.parametrize(("over", "fires"), [(0, False), (1, True)])
@pytest.mark.parametrize(("role", "most"), ALLIED_SLOTS)
def test_hh_15_of_allies(role: str, most: int, over: int, fires: bool) -> None:
    there = {"hq": 1, "troops": 1}.get(role, 0)
    units = [make_unit(role=role, points=10) for _ in range(most + over - there)]
    assert found_on(make_army(others=(make_allied(*units),))) == ([("HH-15", ALLIED)] if fires else [])


@pytest.mark.parametrize(("case", "used", "fires"), [("shares a slot", 0, False), ("takes a slot", 1, True)])
def test_hh_15_counts_slots(case: str, used: int, fires: bool) -> None:
    units = [make_unit(points=10) for _ in range(4)]
    found = findings_on(make_army(*units, make_unit(points=10, slots_used=used)))
    assert [one.message.ru for one in found] == (
        ["Основное подразделение: слотов «элитные войска» занято 5, максимум – 4."] if fires else []
    ), case


def test_hh_15_two_primarchs() -> None:
    primarchs = [
        make_unit(name=name, role="primarch", type="primarch", points=300, warlord=name == "Horus")
        for name in ("Horus", "Angron")
    ]
    praetor = make_praetor(warlord=None, warlord_trait=None)
    army = make_army(primary=make_primary(*primarchs, make_unit(points=1400), hq=(praetor,)))
    assert found_on(army) == [("HH-15", PRIMARY), ("HH-38", "/detachments/0/units/4")]


@pytest.mark.parametrize(
    ("case", "role", "fires"),
    [
        ("a slot", "elites", False),
        ("written large", "Elites", False),
        ("Lord of War", "lord_of_war", True),
        ("a role of another book", "war_machine", True),
    ],
)
def test_hh_16(case: str, role: str, fires: bool) -> None:
    army = make_army(make_unit(role=role), make_unit(points=1500))
    assert found_on(army) == ([("HH-16", f"{EXTRA}/role")] if fires else []), case


@pytest.mark.parametrize(("role", "fires"), [("elites", False), ("fortification", True), ("primarch", True)])
def test_hh_16_of_allies(role: str, fires: bool) -> None:
    unit = make_unit(role=role, type="fortification" if role == "fortification" else "infantry", must_be_warlord=False)
    found = found_on(make_army(make_unit(points=1500), others=(make_allied(unit),)))
    assert [one for one in found if one[0] != "HH-37"] == ([("HH-16", f"{ALLIED}/units/2/role")] if fires else [])


def test_hh_16_words_of_other_books_read_as_words() -> None:
    (finding,) = findings_on(make_army(make_unit(role="war_machine")))
    assert finding.message.en == "Veterans: there is no war machine slot in the Primary Detachment."
    assert finding.message.ru == "Основное подразделение: слота «war machine» для «Veterans» здесь нет."


@pytest.mark.parametrize(
    ("case", "squads", "fires"),
    [
        ("enough without it", (make_squad(2), make_squad(3, rules=SUPPORT)), False),
        ("needed for the minimum", (make_squad(3, rules=SUPPORT),), True),
        ("written as a group's rule", (make_squad(3, models=[{"name": "a", "count": 5, "rules": SUPPORT}]),), True),
        ("takes two slots, enough without", (make_squad(2, slots_used=2), make_squad(3, rules=SUPPORT)), False),
    ],
)
def test_hh_17(case: str, squads: tuple[Json, ...], fires: bool) -> None:
    found = found_on(make_army(primary=make_primary(*squads, troops=1)))
    assert found == ([("HH-17", "/detachments/0/units/2")] if fires else []), case


def test_hh_17_is_silent_where_even_all_units_are_too_few() -> None:
    """HH-11 counts all units and speaks alone."""
    primary = make_primary(make_squad(3, rules=SUPPORT), troops=0)
    assert found_on(make_army(primary=primary)) == [("HH-11", PRIMARY)]


def test_hh_17_of_allies() -> None:
    allied = make_allied(make_unit(role="troops", rules=SUPPORT), troops=0)
    assert found_on(make_army(others=(allied,))) == [("HH-17", f"{ALLIED}/units/1")]


def test_open_play_turns_composition_into_information() -> None:
    units = [make_unit(role="lord_of_war", points=300) for _ in range(2)]
    army = make_army(*units, play_mode="open", others=(make_allied(hq=0, faction="Imperial Army"),), points_limit=2000)
    found = findings_on(army)
    assert [one.rule for one in found] == ["HH-13", "HH-16", "HH-16", "HH-23", "HH-29", "HH-30"]
    assert {one.severity for one in found} == {Severity.INFO}


def test_open_play_keeps_every_other_rule() -> None:
    praetor = make_praetor(warlord_trait="Master of Ambush")
    found = findings_on(make_army(primary=make_primary(hq=(praetor,)), play_mode="open", allegiance=None))
    assert [(one.rule, one.severity) for one in found] == [("HH-01", Severity.ERROR), ("HH-42", Severity.ERROR)]
