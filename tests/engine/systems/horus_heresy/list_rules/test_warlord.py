"""HH-32 to HH-43 on their boundaries: who leads, and with which trait."""

from typing import Any

import pytest

from tests.engine.systems.horus_heresy.builders import (
    EXTRA,
    PRIMARY,
    Json,
    findings_on,
    found_on,
    make_allied,
    make_army,
    make_filler,
    make_praetor,
    make_primary,
    make_squad,
    make_unit,
)

HQ = f"{PRIMARY}/units/0"
SQUAD = f"{PRIMARY}/units/1"

PLAIN_PRAETOR = make_praetor(warlord=None, warlord_trait=None)
COMMAND_SQUAD = make_unit(name="Command Squad", role="hq", points=150)


def rules(army: Json) -> list[str]:
    return [one.rule for one in findings_on(army)]


def led_by(*extra: Json, hq: Json = PLAIN_PRAETOR, **members: Any) -> Json:
    """An army whose HQ choice does not lead."""
    return make_army(primary=make_primary(*extra, hq=(hq,)), **members)


def sergeant(**facts: Any) -> list[Json]:
    """A squad's models, with a sergeant who leads."""
    return [{"name": "Legionary", "count": 9}, {"name": "Sergeant", "count": 1, "warlord": True} | facts]


def primarch(name: str = "Horus", **facts: Any) -> Json:
    return make_unit(name=name, role="primarch", type="primarch", points=400) | facts


@pytest.mark.parametrize(("case", "marked", "fires"), [("marked", True, False), ("not marked", None, True)])
def test_hh_32(case: str, marked: bool | None, fires: bool) -> None:
    praetor = make_praetor(warlord=marked, warlord_trait="Bloody-handed" if marked else None)
    assert found_on(led_by(hq=praetor)) == ([("HH-32", PRIMARY)] if fires else []), case


@pytest.mark.parametrize(
    ("case", "extra", "at", "fires"),
    [
        ("one", make_unit(), "", False),
        ("two units", make_unit(warlord=True), EXTRA, True),
        ("a model of a squad", make_squad(3, models=sergeant()), f"{EXTRA}/models/1", True),
        ("a group of no models", make_squad(3, models=sergeant(count=0)), "", False),
    ],
)
def test_hh_33(case: str, extra: Json, at: str, fires: bool) -> None:
    assert found_on(make_army(extra)) == ([("HH-33", f"{at}/warlord")] if fires else []), case


def test_hh_33_two_models_of_one_group() -> None:
    squad = make_squad(3, models=sergeant(count=2))
    assert found_on(led_by(squad)) == [("HH-33", f"{EXTRA}/models/1/warlord")]


def test_hh_33_ends_the_questions_about_the_warlord() -> None:
    """HH-34 to HH-42 would speak of each of these models alone."""
    wrong = make_unit(name="Predator", type="vehicle", warlord=True, warlord_trait="Unknown")
    assert rules(make_army(wrong, primarch(), primarch("Angron"), make_filler(1500))) == [
        "HH-05",
        "HH-15",
        "HH-30",
        "HH-33",
    ]


@pytest.mark.parametrize(
    ("case", "detachment", "fires"), [("in the Primary", "primary", False), ("among the allies", "allied", True)]
)
def test_hh_34(case: str, detachment: str, fires: bool) -> None:
    allied = make_allied()
    if detachment == "allied":
        allied["units"][0] |= {"warlord": True, "warlord_trait": "Bloody-handed"}
    praetor = make_praetor() if detachment == "primary" else PLAIN_PRAETOR
    army = make_army(primary=make_primary(hq=(praetor,)), others=(allied,))
    assert found_on(army) == ([("HH-34", "/detachments/1/units/0/warlord")] if fires else []), case


def test_hh_34_does_not_bind_a_model_that_must_lead() -> None:
    allied = make_allied()
    allied["units"][0] |= {"warlord": True, "must_be_warlord": True}
    assert found_on(make_army(primary=make_primary(hq=(PLAIN_PRAETOR,)), others=(allied,))) == []


CHARACTER = {"subtypes": ["character"]}


@pytest.mark.parametrize(
    ("case", "hq", "troops_sergeants", "leader", "fires"),
    [
        ("sergeant, no HQ character", COMMAND_SQUAD, True, sergeant(**CHARACTER), False),
        ("sergeant beside an HQ character", PLAIN_PRAETOR, True, sergeant(**CHARACTER), True),
        ("legionary, no characters", COMMAND_SQUAD, False, sergeant(), False),
        ("legionary beside a sergeant", COMMAND_SQUAD, True, sergeant(), True),
        ("legionary beside an HQ character", PLAIN_PRAETOR, False, sergeant(), True),
    ],
)
def test_hh_35(case: str, hq: Json, troops_sergeants: bool, leader: list[Json], fires: bool) -> None:
    other = make_squad(4, models=[{"name": "Sergeant", "count": 1} | (CHARACTER if troops_sergeants else {})])
    army = led_by(make_squad(3, models=leader), other, hq=hq)
    assert found_on(army) == ([("HH-35", f"{EXTRA}/models/1/warlord")] if fires else []), case


def test_hh_35_names_the_candidates() -> None:
    (finding,) = findings_on(led_by(make_squad(3, models=sergeant())))
    assert finding.message.en == (
        "Tactical Squad (Sergeant) cannot be the warlord while the Primary Detachment has HQ characters: Praetor."
    )
    assert finding.message.ru == (
        "«Tactical Squad (Sergeant)» не может быть военачальником,"
        " пока в основном подразделении есть персонажи командных войск: Praetor."
    )


def test_hh_35_an_allied_character_is_no_candidate() -> None:
    army = led_by(make_squad(3, models=sergeant()), hq=COMMAND_SQUAD, others=(make_allied(),))
    assert found_on(army) == []


@pytest.mark.parametrize(
    ("case", "facts", "fires"),
    [
        ("infantry", {"type": "infantry"}, False),
        ("a vehicle", {"type": "vehicle"}, True),
        ("a vehicle that is a Character", {"type": "vehicle", "subtypes": ["character"]}, False),
        ("a vehicle that must lead", {"type": "vehicle", "must_be_warlord": True}, False),
    ],
)
def test_hh_36(case: str, facts: Json, fires: bool) -> None:
    army = led_by(make_unit(warlord=True, **facts), hq=COMMAND_SQUAD)
    assert found_on(army) == ([("HH-36", f"{EXTRA}/warlord")] if fires else []), case


@pytest.mark.parametrize(
    ("case", "bound", "marked", "fires"),
    [
        ("a Primarch leads", primarch(), True, False),
        ("a Primarch does not lead", primarch(), False, True),
        ("a model that must lead leads", make_unit(must_be_warlord=True), True, False),
        ("it does not", make_unit(must_be_warlord=True), False, True),
        ("nobody must", make_unit(), False, False),
    ],
)
def test_hh_37(case: str, bound: Json, marked: bool, fires: bool) -> None:
    hq = PLAIN_PRAETOR if marked else make_praetor()
    army = led_by(bound | {"warlord": marked}, make_filler(1500), hq=hq)
    assert found_on(army) == ([("HH-37", EXTRA)] if fires else []), case


@pytest.mark.parametrize(
    ("case", "names", "members", "fires"),
    [
        ("one", ("Sigismund",), {}, False),
        ("two", ("Sigismund", "Raldoron"), {}, True),
        ("two with a rule that allows it", ("Sigismund", "Raldoron"), {"must_be_warlord_exception": True}, False),
    ],
)
def test_hh_38(case: str, names: tuple[str, ...], members: Json, fires: bool) -> None:
    bound = [make_unit(name=name, must_be_warlord=True, warlord=name == "Sigismund") for name in names]
    army = led_by(*bound, **members)
    assert found_on(army) == ([("HH-38", f"{PRIMARY}/units/4")] if fires else []), case


def test_hh_38_counts_primarchs_and_speaks_without_a_warlord() -> None:
    army = led_by(primarch(), make_unit(must_be_warlord=True), make_filler(1500))
    assert rules(army) == ["HH-32", "HH-38"]


@pytest.mark.parametrize(
    ("case", "facts", "fires"),
    [
        ("a trait", {"warlord_trait": "Bloody-handed"}, False),
        ("none", {"warlord_trait": None}, True),
        ("printed on him", {"warlord_trait": None, "predetermined_warlord_trait": "Sire"}, False),
        ("he must lead", {"warlord_trait": None, "must_be_warlord": True}, False),
    ],
)
def test_hh_39(case: str, facts: Json, fires: bool) -> None:
    army = led_by(hq=make_praetor(**facts))
    assert found_on(army) == ([("HH-39", f"{HQ}/warlord_trait")] if fires else []), case


def test_hh_39_does_not_ask_primarchs() -> None:
    assert found_on(led_by(primarch(warlord=True), make_filler(1500))) == []


@pytest.mark.parametrize(
    ("case", "facts", "fires"),
    [
        ("character without a trait", CHARACTER, False),
        ("character with a trait", CHARACTER | {"warlord_trait": "Stoic Defender"}, True),
        ("model without a trait", {}, False),
        ("model with a trait", {"warlord_trait": "Stoic Defender"}, True),
    ],
)
def test_hh_40(case: str, facts: Json, fires: bool) -> None:
    army = led_by(make_squad(3, models=sergeant(**facts)), hq=COMMAND_SQUAD)
    assert found_on(army) == ([("HH-40", f"{EXTRA}/models/1/warlord_trait")] if fires else []), case


def test_hh_40_a_trait_written_on_the_unit_is_its_warlords() -> None:
    army = led_by(make_squad(3, models=sergeant(), warlord_trait="Stoic Defender"), hq=COMMAND_SQUAD)
    assert found_on(army) == [("HH-40", f"{EXTRA}/warlord_trait")]


def test_hh_40_leaves_a_printed_trait_alone() -> None:
    leader = make_squad(3, models=sergeant(), warlord_trait="Taskmaster", predetermined_warlord_trait="Taskmaster")
    assert "HH-40" not in {rule for rule, _ in found_on(led_by(leader, hq=COMMAND_SQUAD))}


@pytest.mark.parametrize(("case", "trait"), [("none", None), ("one", "Ever-vigilant")])
def test_hh_40_leaves_models_that_must_lead_alone(case: str, trait: str | None) -> None:
    leader = make_unit(must_be_warlord=True, warlord=True) | ({"warlord_trait": trait} if trait else {})
    assert found_on(led_by(leader)) == [], case


@pytest.mark.parametrize(
    ("case", "trait", "fires"),
    [("the printed one", "Sire", False), ("not recorded", None, False), ("another", "Bloody-handed", True)],
)
def test_hh_41(case: str, trait: str | None, fires: bool) -> None:
    army = led_by(hq=make_praetor(predetermined_warlord_trait="Sire", warlord_trait=trait))
    assert found_on(army) == ([("HH-41", f"{HQ}/warlord_trait")] if fires else []), case


def test_hh_41_binds_primarchs() -> None:
    leader = primarch(warlord=True, predetermined_warlord_trait="Sire", warlord_trait="Stoic Defender")
    assert found_on(led_by(leader, make_filler(1500))) == [("HH-41", f"{EXTRA}/warlord_trait")]


@pytest.mark.parametrize(
    ("case", "trait", "allowed", "fires"),
    [
        ("core", "Bloody-handed", [], False),
        ("core, written otherwise", "stoic defender", [], False),
        ("core, in Russian", "вечно бдительный", [], False),
        ("of another list", "Master of Ambush", [], True),
        ("of another list, allowed", "Master of Ambush", ["Master of Ambush"], False),
    ],
)
def test_hh_42(case: str, trait: str, allowed: list[str], fires: bool) -> None:
    army = led_by(hq=make_praetor(warlord_trait=trait), allowed_warlord_traits=allowed)
    assert found_on(army) == ([("HH-42", f"{HQ}/warlord_trait")] if fires else []), case


@pytest.mark.parametrize(
    ("case", "extra", "at", "fires"),
    [
        ("no trait", make_unit(), "", False),
        ("printed only", make_unit(predetermined_warlord_trait="Sire"), "", False),
        ("on a unit", make_unit(warlord_trait="Sire"), EXTRA, True),
        (
            "on a model",
            make_squad(3, models=[{"name": "Sergeant", "count": 1, "warlord_trait": "Sire"}]),
            f"{EXTRA}/models/0",
            True,
        ),
    ],
)
def test_hh_43(case: str, extra: Json, at: str, fires: bool) -> None:
    assert found_on(make_army(extra)) == ([("HH-43", f"{at}/warlord_trait")] if fires else []), case


def test_hh_43_is_asked_beside_two_warlords_and_without_one() -> None:
    traitor = make_unit(warlord_trait="Sire")
    assert rules(make_army(traitor, make_unit(warlord=True))) == ["HH-33", "HH-43"]
    assert rules(led_by(traitor)) == ["HH-32", "HH-43"]
