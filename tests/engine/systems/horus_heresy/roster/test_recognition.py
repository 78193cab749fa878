"""Names of our data and of the community's data mean the same to the rulebook."""

import pytest
from msgspec import UNSET

from armybuilder.engine.roster.state import ProfileState
from armybuilder.engine.systems.horus_heresy.army import ArmourValues
from armybuilder.engine.systems.horus_heresy.roster import recognition as read


@pytest.mark.parametrize(
    ("category", "role"),
    [
        ("HQ", "hq"),
        ("HQ:", "hq"),
        ("Elites:", "elites"),
        ("Fast Attack:", "fast_attack"),
        ("Heavy Support", "heavy_support"),
        ("Lords of War:", "lord_of_war"),
        ("Primarch:", "primarch"),
        ("Fortification", "fortification"),
        ("Allegiance:", None),
        ("Primarch's Retinue:", None),
    ],
)
def test_roles(category: str, role: str | None) -> None:
    assert read.role_of(category) == role


@pytest.mark.parametrize(
    ("catalogue", "name", "faction", "legion"),
    [
        ("Sons of Horus", "Sons of Horus", "Sons of Horus", "Sons of Horus"),
        ("LA -  XVI: Sons of Horus", "Sons of Horus", "Sons of Horus", "Sons of Horus"),
        ("LA -   I: Dark Angels", "Dark Angels", "Dark Angels", "Dark Angels"),
        ("2022 - LA - Alpha Legion", "Alpha Legion", "Alpha Legion", "Alpha Legion"),
        ("LA -   III: Emperor's Children", "Emperor's Children", "Emperor's Children", "Emperor's Children"),
        ("Solar Auxilia", "Solar Auxilia", "Imperial Army", None),
        ("2022 - LI - Solar Auxilia", "Solar Auxilia", "Imperial Army", None),
        ("2022 - Imperialis Militia", "Imperialis Militia", "Imperial Army", None),
        ("2022 - Mechanicum", "Mechanicum", "Mechanicum", None),
        ("2022 - Questoris Household", "Questoris Household", "Mechanicum", None),
        ("2022 - LI - Custodes", "Custodes", "Agents of the Emperor", None),
        ("2022 - Daemons - Bound Daemons", "Daemons - Bound Daemons", None, None),
    ],
)
def test_army_lists(catalogue: str, name: str, faction: str | None, legion: str | None) -> None:
    assert read.army_list(catalogue) == (name, faction, legion, False)


def test_lords_of_war_go_with_the_primary_detachment() -> None:
    assert read.army_list("Lords of War").of_primary


@pytest.mark.parametrize(
    ("text", "type_", "subtypes"),
    [
        ("Infantry", "infantry", ()),
        ("Infantry (Character, Line)", "infantry", ("character", "line")),
        ("Primarch ( Unique, Psyker)", "primarch", ("unique", "psyker")),
        ("Vehicle (Flyer, Hover, Transport)", "vehicle", ("flyer", "hover", "transport")),
        ("Vehicle (Transport*)", "vehicle", ("transport",)),
        ("Vehicle (Super-heavy)", "vehicle", ("super_heavy",)),
        ("Legionary (Infantry)", "infantry", ()),
        ("Infantry (Skrimish)", "infantry", ("skirmish",)),
        ("Expeditionary Navigator: Infantry (Psyker, Character)", "infantry", ("psyker", "character")),
        ("Fortificaion (Building) (Small)", "fortification", ("small",)),
        ("Fortification (Barricade)", "fortification", ("barricade",)),
        ("Beast (Line)", None, ("beast", "line")),
    ],
)
def test_unit_types(text: str, type_: str | None, subtypes: tuple[str, ...]) -> None:
    assert read.unit_type(text) == (type_, subtypes)


@pytest.mark.parametrize(
    ("category", "type_", "subtype"),
    [
        ("Infantry:", "infantry", None),
        ("Cavalry Unit-type:", "cavalry", None),
        ("Vehicle Unit:", "vehicle", None),
        ("Line Sub-type:", None, "line"),
        ("Third-line Unit Sub-type", None, "third_line"),
        ("Character", None, "character"),
        ("Troops", None, None),
    ],
)
def test_categories(category: str, type_: str | None, subtype: str | None) -> None:
    assert (read.category_type(category), read.category_subtype(category)) == (type_, subtype)


@pytest.mark.parametrize(
    ("name", "legion"),
    [("XVI: Sons of Horus", "Sons of Horus"), ("X: Unknown", None), ("Power Sword", None), ("Mix: Up", None)],
)
def test_legion_labels(name: str, legion: str | None) -> None:
    assert read.legion_label(name) == legion


def profile(type_name: str, **values: str) -> ProfileState:
    pairs = tuple((name.replace("_", " "), value) for name, value in values.items())
    return ProfileState(id="p", name="Model", type_id="t", type_name=type_name, characteristics=pairs)


def test_characteristics_of_a_model() -> None:
    read_profile = read.model_profile(profile("Unit", Move='7"', WS="4", T="", I="4", Ld="-", Save="3"))
    assert (read_profile.M, read_profile.WS, read_profile.T, read_profile.I) == (7, 4, None, 4)
    assert (read_profile.Ld, read_profile.Sv, read_profile.AV) == (None, "3+", None)


def test_characteristics_of_a_vehicle() -> None:
    read_profile = read.model_profile(profile("Vehicle", Move="-", BS="4", Front="13", Side="12", Rear="10", HP="3"))
    assert read_profile.M is None
    assert ArmourValues(front=13, side=12, rear=10) == read_profile.AV
    assert (read_profile.BS, read_profile.HP) == (4, 3)


def test_an_absent_movement_is_no_dash() -> None:
    assert read.model_profile(profile("Fortification", BS="-")).M is UNSET


def test_unreadable_characteristics_are_named() -> None:
    assert read.unreadable(profile("Unit", WS="*", S="User", T="-", W="")) == ("WS: *", "S: User")


def test_capacity() -> None:
    assert read.capacity(profile("Vehicle", Transport_Capacity="12")) == 12
    assert read.capacity(profile("Vehicle", Transport_Capacity="-")) is None
    assert read.capacity(profile("Vehicle", Transport_Capacity="* one Dreadnought")) is None


@pytest.mark.parametrize(
    ("text", "subtypes"),
    [
        ("A model with this upgrade gains the Character Unit Sub-type and increases its Weapon Skill.", ("character",)),
        (
            "A model with this upgrade gains the Character and Psyker Unit Sub-types, and a discipline.",
            ("character", "psyker"),
        ),
        ("A model with this upgrade increases its WS by +1, and gains the Character Unit Sub-type.", ("character",)),
        ("A model with this Dark Blessing gains the Character Unit Sub-type.", ("character",)),
        ("All Castellax in a Detachment that includes a model with this special rule gain the Line Unit Sub-type.", ()),
        ('While within 6" of it, friendly units gain the Line Unit Sub-type.', ()),
        ("", ()),
    ],
)
def test_subtypes_that_an_upgrade_grants(text: str, subtypes: tuple[str, ...]) -> None:
    assert read.granted_subtypes(text) == subtypes


@pytest.mark.parametrize(
    ("text", "primary", "elsewhere"),
    [
        (
            "In addition, if the Household Detachment is the Primary Detachment of the army, then a model with this "
            "upgrade must be chosen as the army’s Warlord.",
            True,
            False,
        ),
        ("• Bonds: A model with this special rule must be the army’s Warlord.", True, True),
        ("In addition, it must be selected as the Warlord of an army that includes it.", True, True),
        ("A Detachment may not take any model whose rules state that it must be the army’s Warlord.", False, False),
        ("", False, False),
    ],
)
def test_who_must_lead_by_a_rule(text: str, primary: bool, elsewhere: bool) -> None:
    assert (read.must_lead(text, in_primary=True), read.must_lead(text, in_primary=False)) == (primary, elsewhere)


def test_limitations_of_a_rite_are_counted() -> None:
    """Effects stand before the word and are none."""
    text = "Effects\n• Squads may ride.\nLimitations\n• No walls.\n• One flyer at most."
    assert (read.limitations(text), read.limitations("• Squads may ride.")) == (2, 0)
