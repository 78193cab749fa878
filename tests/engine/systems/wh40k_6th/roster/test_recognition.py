"""What names and figures of game data mean: read, left out and said, never guessed."""

import pytest

from armybuilder.engine.roster.state import ProfileState
from armybuilder.engine.systems.wh40k_6th.army import Army, Group, Profile, Unit, Weapon
from armybuilder.engine.systems.wh40k_6th.list_rules import data_entry
from armybuilder.engine.systems.wh40k_6th.roster import recognition as read

GUN = "Gun"


def profile(kind: str, **values: str) -> ProfileState:
    return ProfileState(
        id="p",
        name=GUN,
        type_id="t",
        type_name=kind,
        characteristics=tuple((name.replace("_", " "), value) for name, value in values.items()),
    )


def weapon(reach: str, strength: str, penetration: str, kind: str) -> read.ReadWeapon:
    return read.weapon_of(profile("Weapon", Range=reach, Strength=strength, AP=penetration, Type=kind))


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (('24"', "4", "5", "Rapid Fire"), Weapon(name=GUN, range=24, S=4, AP=5, type="Rapid Fire")),
        (("36", "5", "4", "Heavy 3"), Weapon(name=GUN, range=36, S=5, AP=4, type="Heavy", shots=3)),
        (("48", "7", "4", "Heavy D3"), Weapon(name=GUN, range=48, S=7, AP=4, type="Heavy", shots="D3")),
        (
            ('24"', "6", "4", "Heavy 4, Rending, Twin-linked"),
            Weapon(name=GUN, range=24, S=6, AP=4, type="Heavy", shots=4, rules=("Rending", "Twin-linked")),
        ),
        (
            ('24"', "4", "5", "3x Rapid Fire, Twin Linked"),
            Weapon(name=GUN, range=24, S=4, AP=5, type="Rapid Fire", shots=3, rules=("Twin Linked",)),
        ),
        (("Unlimited", "10", "1", "Ordnance 1"), Weapon(name=GUN, range=120, S=10, AP=1, type="Ordnance", shots=1)),
        (("Infinite", "8", "3", "Heavy 1"), Weapon(name=GUN, range=120, S=8, AP=3, type="Heavy", shots=1)),
        (("12-48", "5", "4", "Ordnance 1"), Weapon(name=GUN, range=48, S=5, AP=4, type="Ordnance", shots=1)),
        (("Template", "4", "5", "Assault 1"), Weapon(name=GUN, range="Template", S=4, AP=5, type="Assault", shots=1)),
        (("-", "User", "-", "Melee"), Weapon(name=GUN, range="-", S="User", AP="-", type="Melee")),
        (("-", "x2", "2", "Melee"), Weapon(name=GUN, range="-", S="x2", AP=2, type="Melee")),
        (("-", "8", "1", "Armourbane"), Weapon(name=GUN, range="-", S=8, AP=1, type="Melee", rules=("Armourbane",))),
        (("-", "-", "-", "Melee"), Weapon(name=GUN, range="-", S="-", AP="-", type="Melee")),
        (("Melee", "8", "2", "Melee"), Weapon(name=GUN, range="-", S=8, AP=2, type="Melee")),
        (
            ('8" (thrown)/-(Melee)', "6", "4", "Assault 1(Thrown)/Only on Vehicles and MCs (Melee)"),
            Weapon(name=GUN, range=8, S=6, AP=4, type="Assault", shots=1),
        ),
        (('12"', "1", "6", "Pistol"), Weapon(name=GUN, range=12, S=1, AP=6, type="Pistol")),
        (('12"', "10", "1", "Pistol"), Weapon(name=GUN, range=12, S=10, AP=1, type="Pistol")),
    ],
)  # fmt: skip
def test_weapons_that_are_read(cells: tuple[str, str, str, str], expected: Weapon) -> None:
    assert weapon(*cells) == (expected, "")


@pytest.mark.parametrize(
    ("cells", "why"),
    [
        (("72", "D", "1", "Primary Weapon 2"), "Strength: D"),
        (("-", "D", "1", "Melee"), "Strength: D"),
        (("36", "2D6", "2", "Heavy 1"), "Strength: 2D6"),
        (('36"', "-", "-", "Heavy 1, Target Acquired"), "Strength: -"),
        (('18"', "*", "2", "Salvo 2/3, Graviton"), "Strength: *"),
        (('24"', "100", "6", "Heavy 1"), "Strength: 100"),
        (("Special", "10", "1", "Ordnance 1"), "Range: Special"),
        (("24", "5", "D6", "Assault 1"), "AP: D6"),
        (('36"', "", "4", "Heavy 3"), "Strength: "),
    ],
)
def test_weapons_that_the_tables_do_not_print(cells: tuple[str, str, str, str], why: str) -> None:
    assert weapon(*cells) == (None, why)


@pytest.mark.parametrize(
    ("cells", "rule"),
    [
        (('24"', "0", "6", "Heavy 1"), "W6-02"),
        (('24"', "11", "6", "Heavy 1"), "W6-02"),
        (("24", "5", "7", "Assault 1"), "W6-04"),
        (("24", "5", "0", "Assault 1"), "W6-04"),
        (("0", "4", "5", "Assault 1"), "W6-05"),
        (('36"', "-", "-", "Heavy 1"), "W6-05"),
        (('36"', "10", "1", "Heavy 1"), None),
    ],
)  # fmt: skip
def test_numbers_outside_the_tables_reach_the_rules(cells: tuple[str, str, str, str], rule: str | None) -> None:
    found = weapon(*cells).weapon
    assert found is not None
    unit = Unit(id="u", name="Squad", models=(Group(name="Gunner", count=1, weapons=(found,)),))
    checks = (data_entry.strength_and_toughness, data_entry.armour_piercing, data_entry.range_and_strength)
    findings = [one.rule for check in checks for one in check(Army(system="wh40k-6th", units=(unit,)))]
    assert findings == ([rule] if rule else [])
    assert read.is_printed(found) is (rule is None), "what breaks a rule is not fired"


@pytest.mark.parametrize(
    ("strength", "kind", "need"),
    [
        ("X", "Heavy 1, Sniper", "4+"),
        ("-", "Heavy 1, Sniper", "4+"),
        ("X", "Rapid Fire, Poisoned(2+)", "2+"),
        ("4", "Heavy 1, Sniper", None),
    ],
)
def test_a_gun_without_strength_wounds_as_its_rule_says(strength: str, kind: str, need: str | None) -> None:
    found = weapon('36"', strength, "6", kind).weapon
    assert found is not None and read.is_printed(found)
    assert (found.override.to_wound if found.override else None) == need


@pytest.mark.parametrize(
    ("save", "armour", "invulnerable"),
    [
        ("3+", "3+", None),
        ("2+/4++", "2+", "4+"),
        ("3+/4+", "3+", "4+"),
        ("-", None, None),
        ("", None, None),
        ("-/5++", None, "5+"),
    ],
)
def test_saves(save: str, armour: str | None, invulnerable: str | None) -> None:
    found = read.model_profile(profile("Unit", Save=save))
    assert (found.Sv, found.Inv) == (armour, invulnerable)


def test_characteristics_in_both_spellings() -> None:
    """The 6th edition data write LD, later data Ld; a dash and a Ballistic Skill of 0 play no part."""
    values = {"WS": " 4", "BS": "0", "S": "4", "T": "4", "W": "1", "I": "-", "A": "2(3)", "Save": "4+"}
    expected = Profile(WS=4, S=4, T=4, W=1, A=2, Ld=8, Sv="4+")
    assert read.model_profile(profile("Unit", **values, LD="8")) == expected
    assert read.model_profile(profile("Unit", **values, Ld="8")) == expected


@pytest.mark.parametrize(
    ("values", "texts"),
    [
        ({"S": "D", "T": "4"}, ("S: D",)),
        ({"A": "D6+1", "Save": "3+"}, ("A: D6+1",)),
        ({"Save": "3+ in cover"}, ("Save: 3+ in cover",)),
        ({"Save": "2+/5++", "WS": "-", "BS": "n/a", "W": ""}, ()),
    ],
)
def test_characteristics_that_are_no_numbers(values: dict[str, str], texts: tuple[str, ...]) -> None:
    assert read.unreadable(profile("Unit", **values)) == texts


@pytest.mark.parametrize(
    ("kind", "values", "words", "model", "hull"),
    [
        ("Unit", {"Unit_Type": "Infantry (Character)", "WS": "4"}, ("infantry", "character"), True, False),
        ("Unit", {"Unit_Type": "Infantry (Ch)", "WS": "4"}, ("infantry", "character"), True, False),
        ("Unit", {"Unit_Type": "", "WS": ""}, (), False, False),
        ("Vehicle", {"BS": "4", "Type": "Tank"}, ("vehicle", "tank"), True, True),
        ("Vehicle (Transport)", {"BS": "4", "Type": "Fast, Skimmer"}, ("vehicle", "fast", "skimmer"), True, True),
        ("Walker", {"WS": "4", "Type": "Walker"}, ("walker",), True, True),
        ("Vehicle (Transport)", {"BS": "2", "Type": "Medium Building, Battlements"},
         ("building", "medium building", "battlements"), True, False),
        ("Building", {"Armour_Value": "14", "Building_Type": "Small Building"},
         ("building", "small building"), True, False),
        ("Monstrous Creature", {"WS": "5"}, ("monstrous creature",), True, False),
        ("Wargear Item", {"Description": "-"}, ("wargear item",), False, False),
    ],
)  # fmt: skip
def test_unit_types(kind: str, values: dict[str, str], words: tuple[str, ...], model: bool, hull: bool) -> None:
    found = profile(kind, **values)
    assert (read.unit_type(found), read.is_model(found), read.is_hull(found)) == (words, model, hull)


@pytest.mark.parametrize(
    ("catalogue", "army"),
    [
        ("Space Marines", "Space Marines"),
        ("Space Marines: Codex (2013) v60", "Space Marines"),
        ("Orks: Codex (2008) v18", "Orks"),
        ("Tau Empire: Codex (2013) v22", "Tau"),
        ("Astra Militarum: Codex (2014)", "Imperial Guard"),
        ("Imperial Knights: Codex (2014) v1", "Imperial Knights"),
    ],
)
def test_armies(catalogue: str, army: str) -> None:
    assert read.army_name(catalogue) == army


@pytest.mark.parametrize(
    ("force", "type_"),
    [
        ("Primary Detachment", "primary"),
        ("Combined Arms Detachment", "primary"),
        ("Allied Detachment", "allied"),
        ("Fortification", "fortification"),
        ("Primary Knight Detachment", None),
        ("Inquisitorial Detachment", None),
        ("Planetstrike Attacker", None),
    ],
)
def test_detachments(force: str, type_: str | None) -> None:
    assert read.detachment_type(force) == type_


@pytest.mark.parametrize(
    ("name", "extra"),
    [
        ("Extra Primary Detachment", True),
        ("Extra Ally Detachment", True),
        ("Primary Detachment", False),
        ("Detachment: Clan Raukaan", False),
    ],
)
def test_what_doubles_a_chart(name: str, extra: bool) -> None:
    assert read.is_extra_chart(name) is extra
