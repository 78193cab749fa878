"""Units of rosters as fighters, and the matrix of all pairs."""

# ruff: noqa: E501 - a row of a table is a line
import json
from decimal import Decimal
from pathlib import Path

import msgspec
import pytest

from armybuilder.engine.gamedata.links import SourceFile
from armybuilder.engine.roster.evaluate import evaluate
from armybuilder.engine.roster.model import Roster
from armybuilder.engine.roster.state import ProfileState
from armybuilder.engine.simulate import simulate
from armybuilder.engine.systems.horus_heresy.combat.fighter import Fighter, Mode
from armybuilder.engine.systems.horus_heresy.combat.matrix import pair_request, shooting_matrix
from armybuilder.engine.systems.horus_heresy.combat.special_rules import is_gap
from armybuilder.engine.systems.horus_heresy.matchup import Conditions, Side
from armybuilder.engine.systems.horus_heresy.roster.fighters import (
    guns_in_words,
    save_of_rule,
    sides_from_roster,
    unit_type,
    weapon_of,
)
from tests.conftest import ROOT
from tests.engine.systems.horus_heresy.combat.builders import (
    Json,
    make_blade,
    make_group,
    make_side,
    make_tank,
    make_weapon,
)
from tests.fixtures.building import ListBuilding
from tests.libraries import compiled_library

FIXTURES = ROOT / "fixtures/horus-heresy"


@pytest.fixture(scope="module")
def fighters() -> dict[str, Fighter]:
    """The sample list of the Sons of Horus, by the name of the unit (the last one of several)."""
    files = [
        SourceFile(path.name, path.read_bytes())
        for path in sorted(FIXTURES.iterdir())
        if path.suffix in (".gst", ".cat")
    ]
    kept = json.loads((FIXTURES / "lists/sons-of-horus.json").read_text())
    state = evaluate(compiled_library(files), msgspec.convert(kept["document"]["roster"], Roster))
    return {fighter.name: fighter for fighter in sides_from_roster(state)}


def test_models_saves_and_points(fighters: dict[str, Fighter]) -> None:
    squad = fighters["Tactical Squad"]
    assert [(group.name, group.count) for group in squad.side.models] == [
        ("Legion Tactical Sergeant", 1),
        ("Legionary", 19),
    ]
    legionary = squad.side.models[1]
    assert (legionary.profile.toughness, legionary.profile.armour_save, legionary.type) == (4, "3+", "infantry")
    assert {weapon.name for weapon in legionary.weapons} == {"Bolter", "Bolt Pistol"}
    assert squad.points == Decimal(220)
    assert "Legion Vexilla" in squad.unknown, "what the model does not know is reported"
    assert fighters["Justaerin Terminator Squad"].side.models[0].profile.invulnerable_save == "4+", "from its armour"


def test_what_changes_nothing_here_is_no_gap(fighters: dict[str, Fighter]) -> None:
    """Frag grenades only help through difficult terrain; a transport's seats fire at nobody."""
    assert "Krak Grenades" in fighters["Tactical Squad"].unknown
    assert "Frag Grenades" not in fighters["Tactical Squad"].unknown
    assert "Infantry Transport" not in fighters["Rhino"].unknown


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("Heavy Sub-type", False), ("Dreadnought Unit-type", False), ("Cavalry Sub-type:", False), ("Line Sub=type", False),
        ("Super-heavy Sub-type", False), ("Reinforced Sub-type", True), ("Emplacement Sub-type", True),
        ("Deep Strike", False), ("Legiones Astartes (Sons of Horus)", False), ("Traitor", False), ("Rending (4+)", False),
    ],
)  # fmt: skip
def test_headings_of_types_that_the_model_reads_are_no_rules_of_their_own(text: str, is_one: bool) -> None:
    assert is_gap(text) is is_one


@pytest.mark.parametrize(
    ("rule", "save"),
    [("Æthereal Invulnerability (5+)", 5), ("Malefic Aegis (4+)", 4), ("Feel No Pain (5+)", None), ("Fear (1)", None)],
)
def test_a_rule_that_is_a_save(rule: str, save: int | None) -> None:
    assert save_of_rule(rule) == save


@pytest.mark.shared
def test_daemons_of_community_data_have_their_save(shared: Path) -> None:
    folder = shared / "battlescribe/data/horus-heresy-2023-10-07"
    files = [path for path in sorted(folder.iterdir()) if path.suffix in (".gst", ".cat", ".gstz", ".catz")]
    army = ListBuilding(compiled_library([SourceFile(path.name, path.read_bytes()) for path in files]))
    catalogue = next(one for one in army.library.catalogues if "Daemons" in one.name and not one.library)
    army.detachment(army.library.force_entries(catalogue.id)[0].id, catalogue.id)
    for name in ("Bound Daemon Regent", "Bound Samus", "Bound Daemon Brutes"):
        army.add(name)
    found = sides_from_roster(army.state)
    saves = {fighter.name: fighter.side.models[0].profile.invulnerable_save for fighter in found}
    assert saves == {"Bound Daemon Regent": "4+", "Bound Samus": "4+", "Bound Daemon Brutes": "5+"}
    assert not any("Æthereal" in word for fighter in found for word in fighter.unknown)


def test_vehicles_and_primarchs(fighters: dict[str, Fighter]) -> None:
    rhino, horus = fighters["Rhino"], fighters["Horus Lupercal"]
    assert rhino.side.models[0].has_armour_value
    assert rhino.points == Decimal(35), "a transport fights for itself"
    assert horus.side.models[0].type == "primarch"
    assert horus.side.models[0].profile.invulnerable_save == "3+"
    assert fighters["Contemptor Dreadnought Talon"].side.models[0].is_a("dreadnought")


def test_every_pair_of_a_list_can_be_fought(fighters: dict[str, Fighter]) -> None:
    units = list(fighters.values())
    for attacker, row in zip(units, shooting_matrix(units, units), strict=True):
        for defender, cell in zip(units, row, strict=True):
            assert cell is not None, f"{attacker.name} at {defender.name}"
            assert 0.0 <= cell.p_destroyed <= 1.0
            assert 0.0 <= cell.points_destroyed <= float(defender.points) + 1e-9
    for kind in ("shooting", "melee", "combat_round"):
        result = simulate(pair_request(units[1], units[-1], kind=kind, attacker_charged=True))
        assert result.kind == kind


def test_a_cell_is_its_pair(fighters: dict[str, Fighter]) -> None:
    names = ("Tactical Squad", "Predator Squadron", "Heavy Support Squad", "Rhino", "Horus Lupercal")
    units = [fighters[name] for name in names]
    for attacker, row in zip(units, shooting_matrix(units, units), strict=True):
        for defender, cell in zip(units, row, strict=True):
            found = simulate(pair_request(attacker, defender)).metrics
            assert cell is not None
            assert cell.models_slain == pytest.approx(found["models_slain"], abs=1e-12)
            assert cell.p_destroyed == pytest.approx(found["p_destroyed"], abs=1e-12)


def weapon_profile(kind: str, **facts: str) -> ProfileState:
    values = {"Range": '24"', "Strength": "4", "AP": "5", "Type": kind} | facts
    return ProfileState(id="w", name="w", type_id="t", type_name="Weapon", characteristics=tuple(values.items()))


@pytest.mark.parametrize(("text", "kind", "rules"), [
    ("Rapid Fire", "Rapid Fire", ()),
    ("Rapid-fire, Shred", "Rapid Fire", ("Shred",)),
    ("Assult 3, Rending (5+)", "Assault 3", ("Rending (5+)",)),
    ("Heavy 4. Twin-linked", "Heavy 4", ("Twin-linked",)),
    ("Pistol (2), Deflagrate", "Pistol 2", ("Deflagrate",)),
    ("Ordinance 1, Large Blast (5\"), Pinning", "Ordnance 1", ('Large Blast (5")', "Pinning")),
    ("Assault D3, Gets Hot", "Assault D3", ("Gets Hot",)),
    ("Melee, Two-handed, Armourbane (Melee)", "Melee", ("Two-handed", "Armourbane (Melee)")),
])  # fmt: skip
def test_weapon_types_as_authors_write_them(text: str, kind: str, rules: tuple[str, ...]) -> None:
    weapon = weapon_of(weapon_profile(text))
    assert weapon is not None
    assert (weapon.type, weapon.rules) == (kind, rules)


@pytest.mark.parametrize(("facts", "name", "value"), [
    ({"Strength": "User"}, "strength", "User"), ({"Strength": "+2"}, "strength", "+2"), ({"Strength": "2x"}, "strength", "x2"),
    ({"Strength": "*"}, "strength", "-"), ({"Range": "Template"}, "range", "Template"), ({"Range": '12"-60"'}, "range", 60.0),
    ({"Range": "-"}, "range", "-"), ({"AP": "-"}, "armour_piercing", None),
])  # fmt: skip
def test_weapon_values_as_authors_write_them(facts: dict[str, str], name: str, value: object) -> None:
    assert getattr(weapon_of(weapon_profile("Assault 1", **facts)), name) == value


def test_a_weapon_that_cannot_be_read_is_none() -> None:
    assert weapon_of(weapon_profile("Unwieldy")) is None


@pytest.mark.parametrize(("text", "kind", "subtypes"), [
    ("Infantry (Heavy, Character)", "infantry", ("heavy", "character")),
    ("Vehicle (Super-heavy, Transport)", "vehicle", ("super_heavy", "transport")),
    ("Primarch (Unique)", "primarch", ("unique",)),
    ("Knight", "vehicle", ("knight",)),
    ("Infanty (Light)", "infantry", ("light",)),
])  # fmt: skip
def test_unit_types(text: str, kind: str, subtypes: tuple[str, ...]) -> None:
    assert unit_type(text) == (kind, subtypes)


def fighter(*groups: Json, name: str = "unit", modes: tuple[Mode, ...] = (), **facts: object) -> Fighter:
    side = msgspec.convert(make_side(*groups, **facts), Side)
    return Fighter(unit=name, name=name, points=Decimal(100), side=side, modes=modes)


BOLTER, MELTA, LASCANNON = (
    make_weapon(name="bolter"),
    make_weapon(name="melta", S=8, AP=1),
    make_weapon(name="lascannon", S=9, AP=2),
)
TANK, SQUAD = fighter(make_tank(14)), fighter(make_group(10))


def weapons_at(attacker: Fighter, target: Fighter) -> tuple[str, ...]:
    ((cell,),) = shooting_matrix([attacker], [target])
    return () if cell is None else cell.weapons


def test_guns_that_only_the_fire_points_name() -> None:
    """A bunker's launcher in the data is no selection; its bolters are."""
    text = (
        "Fire Point (Front, 2)\nOne Turret Mounted Cyclone Missile Launcher (with Frag and Krak missiles)\n"
        "Hull Mounted (Front) Mounted Twin-linked Heavy Bolter or Heavy Flamers"
    )
    row = ProfileState(
        id="r", name="Bunker", type_id="", type_name="Fortification", characteristics=(("Fire Points", text),)
    )
    assert guns_in_words([row], ["Heavy Bolter"]) == [text.splitlines()[1]]
    assert guns_in_words([row], ["Heavy Flamer", "Cyclone Missile Launcher"]) == []


def test_each_model_fires_what_hurts_most() -> None:
    attacker = fighter(make_group(5, weapons=[BOLTER, MELTA | {"count": 2}]))
    assert weapons_at(attacker, SQUAD) == ("bolter", "melta"), "the three others have bolters"
    ((cell,),) = shooting_matrix([attacker], [SQUAD])
    assert cell is not None
    assert cell.models_slain == pytest.approx(3 / 9 + 2 * 2 / 3 * 5 / 6, abs=1e-6)


def test_firing_protocols_and_vehicles_fire_more() -> None:
    alone = fighter(make_group(1, weapons=[BOLTER, LASCANNON]))
    drilled = fighter(make_group(1, weapons=[BOLTER, LASCANNON], rules=["Firing Protocols (2)"]))
    dreadnought = fighter(make_group(1, weapons=[BOLTER, LASCANNON], type="dreadnought"))
    assert weapons_at(alone, SQUAD) == ("lascannon",)
    assert weapons_at(drilled, SQUAD) == weapons_at(dreadnought, SQUAD) == ("bolter", "lascannon")


def test_one_profile_of_a_weapon_is_fired() -> None:
    frag = make_weapon("Blast", name="frag", S=4, AP=5)
    launcher = fighter(make_group(1, weapons=[LASCANNON, frag], type="dreadnought"), modes=(Mode(0, (0, 1)),))
    assert weapons_at(launcher, TANK) == ("lascannon",)
    horde = fighter(make_group(10, profile={"Sv": None}))
    assert weapons_at(launcher, horde) == ("frag",)


def test_who_cannot_shoot_has_no_cell() -> None:
    fists = fighter(make_group(5, weapons=[make_blade()]))
    assert weapons_at(fists, SQUAD) == ()
    far = shooting_matrix(
        [fighter(make_group(1, weapons=[BOLTER | {"range": 24}]))], [SQUAD], conditions=Conditions(distance=30)
    )
    assert list(far) == [[None]]
