"""Rosters seen as army documents: detachments, doubled charts, who leads, what is said to be unrecognised."""

from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest

from armybuilder.engine.check import check
from armybuilder.engine.gamedata.links import Library, SourceFile
from armybuilder.engine.systems.wh40k_6th.army import Unit
from armybuilder.engine.systems.wh40k_6th.roster.army_document import ArmyReading, Facts, Translator
from tests.conftest import ROOT
from tests.fixtures.building import ListBuilding
from tests.fixtures.conftest import library_of
from tests.libraries import compiled_library

MARINES, ORKS = "w40k-space-marines", "w40k-orks"
PRIMARY, FORTIFICATION = "w40k-force-primary", "w40k-force-fortification"


@pytest.fixture(scope="module")
def library() -> Library:
    return library_of(ROOT / "fixtures" / "wh40k-6th")


def started(library: Library, catalogue_id: str, *names: str) -> ListBuilding:
    building = ListBuilding(library)
    building.detachment(PRIMARY, catalogue_id)
    for name in names:
        building.add(name)
    return building


def translated(building: ListBuilding, *, limit: int | None = 2000, **facts: Any) -> ArmyReading:
    stated = msgspec.convert(facts, Facts)
    return Translator.translate(building.state, stated, points_limit=limit, alliance_levels={})


def units(translation: ArmyReading) -> dict[str, Unit]:
    return {unit.name: unit for part in translation.army.detachments for unit in part.units}


def named(building: ListBuilding, name: str) -> str:
    """The first unit of that name in the first detachment."""
    return next(part.id for part in building.state.forces[0].selections if part.name == name)


@pytest.fixture
def orks(library: Library) -> ListBuilding:
    """Two HQ, four Troops and two Elites in one detachment: two charts of the least size."""
    names = ("Warboss", "Big Mek", "Ork Boyz", "Ork Boyz", "Gretchin", "Gretchin", "Nobz", "Lootas")
    return started(library, ORKS, *names)


def test_the_published_rules_are_asked_for_unless_the_player_says_otherwise(orks: ListBuilding) -> None:
    boss = named(orks, "Warboss")
    army = translated(orks, warlord=boss).army
    asked = check(army)
    assert (asked.legal, asked.findings) == (True, ())
    left = check(translated(orks, warlord=boss, army_construction="not_checked").army)
    assert (left.legal, [finding.rule for finding in left.findings]) == (None, ["W6-17"])


def test_a_doubled_chart_is_two_detachments_with_half_of_each_role(orks: ListBuilding) -> None:
    boss = named(orks, "Warboss")
    assert [part.type for part in translated(orks, warlord=boss).army.detachments] == ["primary"]
    twice = translated(orks, warlord=boss, double_chart=True)
    assert [Counter(unit.role for unit in part.units) for part in twice.army.detachments] == [
        {"hq": 1, "troops": 2, "elites": 1},
        {"hq": 1, "troops": 2, "elites": 1},
    ]
    assert check(twice.army).findings == ()
    assert (twice.places["/detachments/0"], twice.places["/detachments/1"]) == (orks.force_id, orks.force_id)
    too_small = check(translated(orks, limit=1999, warlord=boss, double_chart=True).army)
    assert [finding.rule for finding in too_small.findings] == ["W6L-03"]


@pytest.mark.parametrize(("troops", "rules"), [(12, []), (13, ["W6L-06"])])
def test_a_doubled_chart_holds_twelve_troops(library: Library, troops: int, rules: list[str]) -> None:
    building = started(library, ORKS, "Warboss", "Big Mek", *["Gretchin"] * troops)
    found = check(translated(building, warlord=named(building, "Warboss"), double_chart=True).army)
    assert [finding.rule for finding in found.findings] == rules


def test_the_warlord_is_whom_the_player_names_or_the_data_mark(orks: ListBuilding) -> None:
    def leaders(**facts: Any) -> list[str]:
        return [name for name, unit in units(translated(orks, **facts)).items() if unit.warlord]

    assert leaders() == []
    assert leaders(warlord=named(orks, "Big Mek")) == ["Big Mek"]
    below = orks.child(named(orks, "Warboss"), "Choppa")
    assert leaders(warlord=below) == ["Warboss"]
    assert leaders(warlord="gone") == []


def test_what_the_player_states_about_a_unit(orks: ListBuilding) -> None:
    squad = named(orks, "Nobz")
    stated = units(translated(orks, units={squad: {"role": "troops", "unique": True}}))["Nobz"]
    assert (stated.role, stated.unique) == ("troops", True)
    inside = orks.child(squad, "Nob")
    assert units(translated(orks, units={inside: {"role": "no_slot"}}))["Nobz"].role == "no_slot"


def test_a_dedicated_transport_is_a_unit_without_a_slot(library: Library) -> None:
    building = started(library, MARINES, "Tactical Squad", "Dreadnought")
    squad, dreadnought = named(building, "Tactical Squad"), named(building, "Dreadnought")
    building.take(building.take(squad, "Rhino"), "Extra Armour")
    building.take(dreadnought, "Drop Pod")
    read = translated(building)
    assert [(unit.name, unit.role, unit.points) for unit in read.army.detachments[0].units] == [
        ("Dreadnought", "elites", 100),
        ("Drop Pod", "dedicated_transport", 35),
        ("Tactical Squad", "troops", 70),
        ("Rhino", "dedicated_transport", 45),
    ]
    assert read.findings == ()


def test_models_of_a_unit_are_grouped_with_their_weapons(library: Library) -> None:
    building = started(library, MARINES, "Tactical Squad")
    squad = named(building, "Tactical Squad")
    building.swap(building.take(squad, "Space Marine with Heavy Weapon"), "Heavy Bolter", "Missile Launcher")
    groups = {group.name: group for group in units(translated(building))["Tactical Squad"].models}
    assert {name: group.count for name, group in groups.items()} == {
        "Space Marine": 4,
        "Space Marine Sergeant": 1,
        "Space Marine with Heavy Weapon": 1,
    }
    assert groups["Space Marine Sergeant"].is_character and not groups["Space Marine"].is_character
    assert [weapon.name for weapon in groups["Space Marine with Heavy Weapon"].weapons] == [
        "Bolt Pistol",
        "Frag Grenades",
        "Krak Grenades",
        "Missile Launcher (Frag)",
        "Missile Launcher (Krak)",
    ]
    assert units(translated(building))["Tactical Squad"].rules == (
        "And They Shall Know No Fear",
        "Chapter Tactics",
        "Combat Squads",
    )


def test_a_vehicle_has_its_weapons_as_often_as_it_carries_them(library: Library) -> None:
    building = ListBuilding(library)
    building.detachment(FORTIFICATION, MARINES)
    building.take(building.add("Imperial Bastion"), "Quad-gun")
    bastion = units(translated(building))["Imperial Bastion"]
    assert Counter(weapon.name for weapon in bastion.models[0].weapons) == {"Heavy Bolter": 4, "Quad-gun": 1}
    assert bastion.models[0].subtypes == ("building", "medium building", "battlements")


@pytest.mark.parametrize(("catalogue_id", "name"), [(MARINES, "Marneus Calgar"), (ORKS, "Ghazghkull Thraka")])
def test_named_characters_are_unique(library: Library, catalogue_id: str, name: str) -> None:
    building = started(library, catalogue_id, name, "Warboss" if catalogue_id == ORKS else "Captain")
    assert {unit.name: unit.unique for unit in units(translated(building)).values()} == {
        name: True,
        "Warboss" if catalogue_id == ORKS else "Captain": False,
    }


def community(shared: Path, folder: str) -> Library:
    files = sorted((shared / "battlescribe" / "data" / folder).iterdir())
    return compiled_library([SourceFile(path.name, path.read_bytes()) for path in files if path.suffix != ".md"])


def of_community(library: Library, catalogue_name: str, force_name: str, *names: str) -> ListBuilding:
    """A detachment with these units and nothing that the data adds by itself."""
    catalogue = next(found for found in library.catalogues if found.name.startswith(catalogue_name))
    entry = next(found for found in library.force_entries(catalogue.id) if found.name == force_name)
    building = ListBuilding(library)
    building.detachment(entry.id, catalogue.id)
    for added in building.state.forces[0].selections:
        building.drop(added.id)
    for name in names:
        building.add(name)
    return building


@pytest.mark.shared
def test_an_extra_detachment_of_the_data_doubles_the_chart(shared: Path) -> None:
    """Tau, 2,000 points: two HQ and four Troops in one force are two charts as soon as the extra one is taken."""
    names = ("Commander", "Ethereal", *["Fire Warrior Team"] * 3, "Kroot Carnivore Squad")
    building = of_community(community(shared, "wh40k-6th-1.14b"), "Tau", "Primary Detachment", *names)
    assert [part.type for part in translated(building).army.detachments] == ["primary"]
    building.add("Extra Primary Detachment")
    read = translated(building)
    assert [(part.type, part.army) for part in read.army.detachments] == [("primary", "Tau")] * 2
    assert [Counter(unit.role for unit in part.units) for part in read.army.detachments] == [
        {"hq": 1, "troops": 2},
        {"hq": 1, "troops": 2},
    ]


@pytest.mark.shared
@pytest.mark.parametrize(
    ("catalogue", "name", "role", "groups"),
    [
        ("Space Marines", "Captain", "hq", {"Captain": 1}),
        ("Space Marines", "Devastator Squad", "heavy_support", {"Space Marine": 4, "Space Marine Sergeant": 1}),
        ("Space Marines", "Land Speeder Squadron", "fast_attack", {"Land Speeder": 1}),
        ("Space Marines", "Command Squad", "no_slot", {"Veteran": 5}),
        ("Space Marines", "Thunderhawk Gunship", "lord_of_war", {"Thunderhawk Gunship": 1}),
        ("Orks", "Nobz", "elites", {"Nob": 3}),
        ("Orks", "Big Gunz", "heavy_support", {"Gretchin": 2}),
        ("Orks", "Old Zogwort", "hq", {"Old Zogwort": 1}),
        ("Tau", "Fire Warrior Team", "troops", {"Fire Warrior Shas'la with pulse rifle": 6}),
    ],
)
def test_units_of_the_sixth_edition_data(
    shared: Path, catalogue: str, name: str, role: str, groups: dict[str, int]
) -> None:
    building = of_community(community(shared, "wh40k-6th-1.14b"), catalogue, "Primary Detachment", name)
    found = units(translated(building))[name]
    assert (found.role, {group.name: group.count for group in found.models}) == (role, groups)
    assert found.points == building.points


@pytest.mark.shared
@pytest.mark.parametrize(
    ("catalogue", "name", "role", "groups"),
    [
        ("Space Marines", "Captain", "hq", {"Captain": 1}),
        ("Space Marines", "Assault Squad", "fast_attack", {"Space Marine": 4, "Space Marine Sergeant": 1}),
        ("Orks", "Warboss", "hq", {"Warboss": 1}),
        ("Astra Militarum", "Leman Russ Squadron", "heavy_support", {"Battle Tank": 1}),
    ],
)
def test_units_of_the_seventh_edition_data(
    shared: Path, catalogue: str, name: str, role: str, groups: dict[str, int]
) -> None:
    building = of_community(community(shared, "wh40k-7th-edition"), catalogue, "Combined Arms Detachment", name)
    found = units(translated(building))[name]
    assert (found.role, {group.name: group.count for group in found.models}) == (role, groups)
    assert all(group.profile is not None for group in found.models)


@pytest.mark.shared
@pytest.mark.parametrize(
    ("catalogue", "force", "names", "said"),
    [
        (
            "Space Marines",
            "Primary Detachment",
            ["Crusader Squad"],
            "Crusader Squad: the data lacks characteristics of its models; those of the codex are taken.",
        ),
        (
            "Space Marines",
            "Primary Detachment",
            ["DEVASTATOR PLACEHOLDER (IA12)"],
            "DEVASTATOR PLACEHOLDER (IA12): its models are not recognised.",
        ),
        ("Imperial Knights", "Allied Detachment", [], "no army of the allies table is recognised."),
        ("Orks", "Primary Detachment", ["Burna-Bommer"], "“Range: Bomb” is not in the tables of the rules"),
        (
            "Orks",
            "Apocalypse",
            ["Gargantuan Squiggoth"],
            "Apocalypse is no detachment of the standard chart; its slots ",
        ),
    ],
)
def test_what_is_not_recognised_is_said(shared: Path, catalogue: str, force: str, names: list[str], said: str) -> None:
    building = of_community(community(shared, "wh40k-6th-1.14b"), catalogue, force, *names)
    findings = translated(building).findings
    assert {finding.rule for finding in findings} == {"BS-05"}
    assert any(said in finding.message.en for finding in findings), [finding.message.en for finding in findings]
    assert all(finding.message.ru for finding in findings)


@pytest.mark.shared
def test_slots_that_the_data_limits_itself_are_checked_by_it(shared: Path) -> None:
    """Three to six Knights; neither the detachment nor its units are said to be unchecked."""
    building = of_community(community(shared, "wh40k-6th-1.14b"), "Imperial Knights", "Primary Knight Detachment")
    assert not [one for one in translated(building).findings if "slots" in one.message.en or "role" in one.message.en]
    assert [error.name for error in building.state.errors] == ["Knights"]
