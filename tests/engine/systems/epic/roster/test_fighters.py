"""Formations of Epic rosters as fighters: characters on their hosts, what is known of rules and critical effects."""

# ruff: noqa: E501 - a row of a table is a line
import json
from decimal import Decimal
from pathlib import Path

import msgspec
import pytest

from armybuilder.engine.gamedata.links import Library, SourceFile
from armybuilder.engine.roster.evaluate import evaluate
from armybuilder.engine.roster.model import Roster
from armybuilder.engine.systems.epic.army import Weapon
from armybuilder.engine.systems.epic.combat.fighter import Fighter
from armybuilder.engine.systems.epic.combat.special_rules import how_roughly, is_exact, is_gap, is_known
from armybuilder.engine.systems.epic.matchup import UnitGroup
from armybuilder.engine.systems.epic.roster.fighters import _shared_out, sides_from_roster
from tests.conftest import ROOT
from tests.fixtures.building import ListBuilding
from tests.libraries import compiled_library

FIXTURES = ROOT / "fixtures/epic"
COMMUNITY = "battlescribe/data/wh40k-epic-armageddon"


def read_folder(folder: Path, *names: str) -> Library:
    """The data of a folder; of the catalogues those whose file name contains one of the names."""
    chosen = [
        path
        for path in sorted(folder.iterdir())
        if path.suffix in (".gst", ".gstz")
        or (path.suffix in (".cat", ".catz") and (not names or any(name in path.name for name in names)))
    ]
    return compiled_library([SourceFile(path.name, path.read_bytes()) for path in chosen])


def sample(name: str) -> list[Fighter]:
    """The formations of one of our own sample lists."""
    kept = json.loads((FIXTURES / f"lists/{name}.json").read_text())
    return list(sides_from_roster(evaluate(read_folder(FIXTURES), msgspec.convert(kept["document"]["roster"], Roster))))


@pytest.fixture(scope="module")
def marines() -> dict[str, Fighter]:
    """A sample list by the names of its formations."""
    return {fighter.name: fighter for fighter in sample("strike-force-damocles")}


def test_units_points_and_counts(marines: dict[str, Fighter]) -> None:
    predators = marines["Predators"]
    assert (predators.models, predators.points, predators.unknown) == (4, Decimal(300), ())
    assert [(unit.name, unit.count, unit.type) for unit in predators.side.groups] == [
        ("Predator Annihilator", 2, "AV"),
        ("Predator Destructor", 2, "AV"),
    ]
    assert marines["Warhound Titan Battlegroup"].side.groups[0].capacity == 3
    assert predators.side.initiative == "1+"


def test_a_character_joins_one_unit(marines: dict[str, Fighter]) -> None:
    groups = {unit.name: unit for unit in marines["Assault"].side.groups}
    hosting = groups["Assault Squad + Chaplain"]
    assert (groups["Assault Squad"].count, hosting.count) == (3, 1)
    assert {"Inspiring", "Leader", "Jump Packs"} <= set(hosting.rules)
    assert not groups["Assault Squad"].has_rule("inspiring")


def test_what_is_not_known_is_reported(marines: dict[str, Fighter]) -> None:
    warhound = marines["Warhound Titan Battlegroup"]
    assert "Void Shields (2)" in warhound.unknown
    assert "Forward Arc" not in warhound.unknown, "it is in the figures, roughly"
    assert "Jump Packs" not in marines["Assault"].unknown, "it has no part in an attack"
    assert marines["Spacecraft"].is_in_space and not warhound.is_in_space


@pytest.mark.parametrize(("rule", "known", "roughly"), [
    ("Reinforced Armour", True, False), ("Sniper", True, True), ("Fixed Forward Arc", True, True), ("Indirect Fire", True, True),
    ("Void Shields (4)", False, False), ("Guided Missiles", False, False), ("Lance", True, False),
    ("Leaders", True, False), ("Infiltrator", True, True), ("Infiltrate", True, True), ("Snipers", True, True),
    ("Invulnerable Saves (6+)", True, False), ("Invulnerable Save", False, False), ("Invulnerable Save 4+", True, False),
])  # fmt: skip
def test_known_rules(rule: str, known: bool, roughly: bool) -> None:
    assert (is_known(rule), how_roughly(rule) is not None) == (known, roughly)


def test_plural_names_are_rules() -> None:
    unit = UnitGroup(
        name="Warlord", type="INF", count=1, rules=("Leaders", "Commanders", "Jump Pack", "Self Planetfalls")
    )
    assert all(unit.has_rule(name) for name in ("leader", "commander", "jump packs", "self planetfall"))
    assert not unit.has_rule("planetfall")


def test_a_save_without_its_roll_is_called_a_gap() -> None:
    assert is_gap("Invulnerable Save") and not is_exact("Invulnerable Save")
    assert not is_gap("Invulnerable Save (6+)") and is_exact("Invulnerable Save (6+)")


@pytest.mark.parametrize(("number", "armed"), [(1, 1), (2, 1), (6, 3), (7, 4)])
def test_one_unit_in_every_two_has_the_gun(number: int, armed: int) -> None:
    autocannon, rifles = Weapon(name="Autocannon", range=45, firepower="AP5+/AT6+"), Weapon(name="Lasguns")
    rule = "One unit in every two has an autocannon. Halve units (round up) for number of shots."
    infantry = UnitGroup(name="Infantry", type="INF", count=number, rules=("Scout", rule), weapons=(rifles, autocannon))
    groups = list(_shared_out(infantry, before=0))
    assert sum(group.count for group in groups if autocannon in group.weapons) == armed
    assert sum(group.count for group in groups) == number
    assert {group.rules for group in groups} == {("Scout",)}
    counted_on = [group.count for group in _shared_out(infantry, before=1) if autocannon in group.weapons]
    assert sum(counted_on) == (number + 1 + 1) // 2 - 1, "the formation has one more of them, which has its gun"


def test_a_share_of_a_weapon_that_is_not_there_is_not_understood() -> None:
    rule = "Every second unit has a Plasma Gun"
    infantry = UnitGroup(name="Infantry", type="INF", count=4, rules=(rule,), weapons=(Weapon(name="Lasguns"),))
    assert list(_shared_out(infantry, before=0)) == [infantry]
    assert is_gap(rule)


@pytest.mark.shared
def test_half_a_company_has_autocannons(shared: Path) -> None:
    library = read_folder(shared / COMMUNITY, "Steel Legion")
    army = ListBuilding(library)
    catalogue = library.catalogues[0]
    army.detachment(library.force_entries(catalogue.id)[0].id, catalogue.id)
    army.add("Infantry Company")
    [company] = sides_from_roster(army.state)
    squads = [group for group in company.side.groups if group.name == "Infantry Squad"]
    assert [(group.count, [weapon.name for weapon in group.weapons]) for group in squads] == [
        (6, ["Lasguns"]),
        (6, ["Lasguns", "Autocannon"]),
    ]
    assert not any("autocannon" in rule for rule in company.unknown)


@pytest.mark.shared
def test_characters_and_critical_effects_of_community_data(shared: Path) -> None:
    library = read_folder(shared / COMMUNITY, "Eldar - Biel")
    army = ListBuilding(library)
    catalogue = library.catalogues[0]
    army.detachment(library.force_entries(catalogue.id)[0].id, catalogue.id)
    for name in ("Avatar", "Revenant Titans", "Vampire Raider", "Guardian Warhost"):
        army.add(name)
    fighters = {fighter.name: fighter for fighter in sides_from_roster(army.state)}
    effects = {name: fighter.side.groups[0].critical_effect for name, fighter in fighters.items()}
    assert effects["Vampire Raider"] == "destroyed"
    assert effects["Revenant Titans"] is None, "only its holofield is destroyed"
    assert "Critical hit: Holofield Destroyed" in fighters["Revenant Titans"].unknown
    assert fighters["Avatar"].unknown == ("Critical hit: Avatar",)
    assert [(unit.count, unit.name) for unit in fighters["Guardian Warhost"].side.groups] == [
        (1, "Farseer Unit"),
        (7, "Guardian Unit"),
    ]
