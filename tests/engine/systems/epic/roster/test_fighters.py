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
from armybuilder.engine.systems.epic.combat.fighter import Fighter
from armybuilder.engine.systems.epic.combat.special_rules import how_roughly, is_known
from armybuilder.engine.systems.epic.roster.fighters import sides_from_roster
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
    ("Void Shields (4)", False, False), ("Lance", False, False),
])  # fmt: skip
def test_known_rules(rule: str, known: bool, roughly: bool) -> None:
    assert (is_known(rule), how_roughly(rule) is not None) == (known, roughly)


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
