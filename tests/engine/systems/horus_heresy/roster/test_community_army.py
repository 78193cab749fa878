"""The community's data read into an army document as well as our own."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from armybuilder.engine.battlescribe_files.library import SourceFile
from armybuilder.engine.battlescribe_files.zipped import unzipped
from armybuilder.engine.check import check
from armybuilder.engine.gamedata.links import Library
from armybuilder.engine.systems.horus_heresy.roster.army_document import ArmyReading, Facts, Translator
from tests.engine.systems.horus_heresy.roster.builders import unit_named
from tests.fixtures.building import ListBuilding
from tests.libraries import compiled_library

COMMUNITY = "battlescribe/data/horus-heresy-2023-10-07"


@pytest.fixture(scope="module")
def community(shared: Path) -> Library:
    """All files of the data set, unpacked."""
    return _library(shared / COMMUNITY)


def _library(folder: Path) -> Library:
    paths = [path for path in sorted(folder.iterdir()) if path.suffix in {".gst", ".cat", ".gstz", ".catz"}]
    return compiled_library([SourceFile(path.name, unzipped(path.read_bytes(), file_name=path.name)) for path in paths])


def _catalogue(library: Library, name: str) -> str:
    return next(catalogue.id for catalogue in library.catalogues if name in catalogue.name and not catalogue.library)


class Community(ListBuilding):
    """A Crusade force of one of the community's catalogues."""

    def __init__(self, library: Library, catalogue: str) -> None:
        super().__init__(library)
        catalogue_id = _catalogue(library, catalogue)
        self.detachment(library.force_entries(catalogue_id)[0].id, catalogue_id)

    def translation(self, **facts: Any) -> ArmyReading:
        return Translator.translate(self.state, msgspec.convert(facts, Facts), points_limit=3000, alliance_levels={})


def _all_units(library: Library, catalogue: str) -> Iterator[tuple[str, ArmyReading]]:
    first = Community(library, catalogue)
    for offer, _ in list(first.offered(first.force_id)):
        if not offer.hidden and offer.type in ("unit", "model"):
            building = Community(library, catalogue)
            building.add(offer.name)
            yield offer.name, building.translation()


@pytest.mark.shared
def test_what_a_list_begins_with_is_understood(community: Library) -> None:
    """Every list of the Alpha Legion had parts not checked: it copies another legion, and "No Legion Chosen" yet."""
    begun = {
        catalogue.name: [finding.message.en for finding in Community(community, catalogue.name).translation().findings]
        for catalogue in community.catalogues
        if not catalogue.library
    }
    assert len(begun) > 25
    unknown = {name: said for name, said in begun.items() if said}
    assert unknown.keys() == {"2022 - Daemons - Bound Daemons", "Lords of War"}, "no factions of the rulebook"
    assert all("no faction of the rulebook" in line for said in unknown.values() for line in said)


@pytest.mark.shared
@pytest.mark.parametrize(
    ("catalogue", "faction", "least", "unknown"),
    [
        (
            "Sons of Horus",
            "Sons of Horus",
            50,
            {"Greater Brass Scorpion", "Heavy Support Squad", "Tactical Support Squad"},
        ),
        ("Solar Auxilia", "Imperial Army", 14, {"Armoured Tercio", "Artillery Tercio", "Armoured Support Tercio"}),
        ("2022 - Mechanicum", "Mechanicum", 20, {"Knight Moirax Talon"}),
    ],
)
def test_the_community_s_units_are_recognised(
    community: Library, catalogue: str, faction: str, least: int, unknown: set[str]
) -> None:
    """Not recognised: tercios that come without a section, unit types and roles of other books, and no Toughness."""
    count = 0
    unrecognised = set()
    for name, translation in _all_units(community, catalogue):
        detachment = translation.army.detachments[0]
        assert (detachment.type, detachment.faction) == ("primary", faction)
        units = [unit for unit in detachment.units if unit.role != "none"]
        count += 1
        if any(finding.rule == "BS-05" for finding in translation.findings):
            unrecognised.add(name)
        else:
            assert units, name
            assert sum(unit.slots_used for unit in units) == 1
            assert all(unit.type in UNIT_TYPES for unit in units), name
    assert unrecognised == unknown
    assert count >= least


UNIT_TYPES = {"infantry", "cavalry", "automata", "dreadnought", "daemon", "primarch", "vehicle", "fortification"}


@pytest.mark.shared
def test_a_community_squad_and_its_transport(community: Library) -> None:
    building = Community(community, "Sons of Horus")
    squad = building.add("Tactical Squad")
    building.take(squad, "Rhino Transport")
    units = building.translation().army.detachments[0].units
    tactical, rhino = (
        next(unit for unit in units if unit.name == name) for name in ("Tactical Squad", "Rhino Transport")
    )
    assert (tactical.points, tactical.slots_used, tactical.role) == (100, 1, "troops")
    assert (rhino.points, rhino.slots_used, rhino.dedicated_transport_for) == (35, 0, tactical.id)
    assert rhino.transport_capacity == 12
    assert "Legiones Astartes (Sons of Horus)" in tactical.rules
    assert isinstance(tactical.models, tuple)
    assert sum(group.count for group in tactical.models) == 10
    assert [group.name for group in tactical.models if "character" in group.subtypes] == ["Legion Tactical Sergeant"]


@pytest.mark.shared
def test_a_community_primarch_leads_by_the_data(community: Library) -> None:
    """The upgrade "Warlord" that his entry brings along marks him; a stated warlord outranks it."""
    building = Community(community, "Sons of Horus")
    horus = building.add("Horus Lupercal")
    praetor = building.add("Praetor")
    army = building.translation().army
    assert unit_named(army, "Horus Lupercal").warlord
    assert unit_named(army, "Horus Lupercal").type == "primarch"
    assert unit_named(army, "Horus Lupercal").predetermined_warlord_trait == "Sire of the Sons of Horus"
    stated = building.translation(warlord=praetor).army
    assert (unit_named(stated, "Praetor").warlord, unit_named(stated, "Horus Lupercal").warlord) == (True, False)
    assert horus != praetor


@pytest.mark.shared
def test_a_community_list_states_its_allegiance(community: Library) -> None:
    building = Community(community, "Sons of Horus")
    selections = building.state.forces[0].selections
    allegiance = next(selection for selection in selections if selection.name == "Allegiance")
    building.take(allegiance.id, "Traitor")
    assert building.translation().army.allegiance == "traitor"
    assert building.translation(allegiance="loyalist").army.allegiance == "loyalist"


def objected(building: Community, **facts: Any) -> set[str]:
    """What the data asks of detachments and the rulebook judges instead, by name."""
    return {error.name for error in building.translation(**facts).answered}


@pytest.mark.shared
@pytest.mark.parametrize(
    ("catalogue", "chart", "read_as"),
    [
        ("Sons of Horus", "Crusade Force Organisation Chart", "crusade"),
        ("Sons of Horus", "Mortalis Assault Force Organisation Chart", None),
        ("Questoris", "Questoris Household Force Organisation Chart", None),
        ("Titan Legions", "Titan Maniple", None),
    ],
)
def test_a_chart_that_the_book_does_not_have_keeps_its_own_slots(
    community: Library, catalogue: str, chart: str, read_as: str | None
) -> None:
    building = ListBuilding(community)
    catalogue_id = _catalogue(community, catalogue)
    entry = next(one for one in community.force_entries(catalogue_id) if one.name == chart)
    building.detachment(entry.id, catalogue_id)
    reading = Translator.translate(building.state, Facts(), points_limit=3000, alliance_levels={})
    assert reading.army.chart == (read_as or chart)
    assert {rule for rule, _ in reading.set_aside} == (set() if read_as else {"HH-08", "HH-36"})
    assert "HH-08" not in {finding.rule for finding in check(reading.army).findings if reading.tells(finding)}
    said = [finding.message.en for finding in reading.findings if "chart" in finding.message.en]
    assert said == (
        [] if read_as else [f"{chart} is no detachment of the Crusade chart; its slots are checked by the data alone."]
    )
    slots = {"HH-11", "HH-15", "HH-16", "HH-30"}
    assert bool(slots & {finding.rule for finding in check(reading.army).findings}) == (read_as is not None)


@pytest.mark.shared
def test_the_book_judges_the_warlord_and_the_quarter_itself(community: Library) -> None:
    """The data counts its own mark of the warlord, and takes the quarter of what the list costs so far."""
    building = Community(community, "Sons of Horus")
    building.add("Centurion")
    assert objected(building) == {"Warlord"}
    building.add("Horus Lupercal")
    assert objected(building) == {"LoW & Primarchs (25% Limit)"}


@pytest.mark.shared
def test_an_independent_character_with_a_fixed_trait(community: Library) -> None:
    """His profile does not say Character; his trait is nobody's choice, and his rites are no psychic powers."""
    building = Community(community, "2022 - Mechanicum")
    building.add("Archmagos Anacharis Scoria")
    scoria = unit_named(building.translation().army, "Archmagos Anacharis Scoria")
    assert "character" in scoria.subtypes
    assert scoria.predetermined_warlord_trait == "Forbidden Protocols"
    assert (scoria.psychic_powers, scoria.must_be_warlord) == ((), False)


@pytest.mark.shared
def test_a_tank_with_the_mark_and_a_trait_of_its_own_must_lead(community: Library) -> None:
    building = Community(community, "Solar Auxilia")
    name = "Armoured Fist - Leman Russ Command Tank"
    tank_id = building.add(name)
    tank = unit_named(building.translation().army, name)
    assert (tank.type, tank.must_be_warlord, tank.predetermined_warlord_trait) == ("vehicle", True, "Armoured Legate")
    building.drop(building.child(tank_id, "Warlord"))  # a player who names the unit takes the mark off its tank
    said = unit_named(building.translation(warlord=tank_id).army, name)
    assert (said.warlord, said.must_be_warlord) == (True, True)
    other = building.translation(warlord=building.add("Surgeon-Primus Aevos Jovan")).army
    assert unit_named(other, name).must_be_warlord, "another leader takes the mark off, and not the duty"


@pytest.mark.shared
@pytest.mark.parametrize(
    ("legion", "name", "trait"),
    [
        ("Emperor's Children", "Captain Saul Tarvitz", "Defiant unto Death"),
        ("Night Lords", "Kheron Ophion of the Kyroptera", "Aberrant Bravery"),
        ("Sons of Horus", "Maloghurst the Twisted", "Bearer of the Eye"),
        ("Custodes", "Custodian Shield Captain", "Golden Exemplar"),
    ],
)
def test_a_trait_is_read_from_a_rule_too(community: Library, legion: str, name: str, trait: str) -> None:
    """Data prints "Warlord: Defiant unto Death" as a rule; he was asked for a trait, or could have any."""
    building = Community(community, legion)
    building.take(building.add(name), "Warlord")
    leader = unit_named(building.translation().army, name)
    assert (leader.predetermined_warlord_trait, leader.warlord_trait) == (trait, trait)
    stated = building.translation(warlord_trait=f"{trait} (Warlord Trait)").army
    assert unit_named(stated, name).warlord_trait == trait, "it is stated by either of its names"


@pytest.mark.shared
def test_a_unit_whose_data_has_no_role_is_asked_for_no_slot(community: Library) -> None:
    building = Community(community, "Sons of Horus")
    building.add("Greater Brass Scorpion")
    reading = building.translation()
    assert "HH-16" not in {finding.rule for finding in check(reading.army).findings}
    assert any("battlefield role" in finding.message.en for finding in reading.findings)


@pytest.mark.shared
def test_the_rank_of_a_knight_makes_him_the_warlord(community: Library) -> None:
    """A Seneschal is a Character and must lead where his household is the Primary Detachment; a psyker is one by his
    Dark Blessing."""
    building = ListBuilding(community)
    catalogue_id = _catalogue(community, "Questoris")
    chart = next(one for one in community.force_entries(catalogue_id) if one.name.startswith("Questoris"))
    building.detachment(chart.id, catalogue_id)
    seneschal, tempest = building.add("Knight Questoris"), building.add("Knight Lancer")
    building.take(seneschal, "Seneschal (0-1)")
    building.take(tempest, "Infernal Tempest")
    army = Translator.translate(building.state, Facts(), points_limit=3000, alliance_levels={}).army
    units = {unit.id: unit for unit in army.detachments[0].units}
    assert (units[seneschal].must_be_warlord, units[tempest].must_be_warlord) == (True, False)
    assert "character" in units[seneschal].subtypes
    assert {"character", "psyker"} <= set(units[tempest].subtypes)
    assert "HH-57" not in {finding.rule for finding in check(army).findings}


@pytest.mark.shared
def test_gear_described_in_a_profile_makes_a_psyker(shared: Path) -> None:
    """An Ætheric Conduit gives the Psyker Sub-type and a discipline by its table row, which no rule repeats."""
    library = _library(shared / "battlescribe/data/horus-heresy")
    building = ListBuilding(library)
    catalogue_id = _catalogue(library, "Daemons of the Ruinstorm")
    building.detachment(library.force_entries(catalogue_id)[0].id, catalogue_id)
    hierarch = building.add("Ruinstorm Daemon Hierarch")
    building.take(building.take(hierarch, "Ætheric Conduit"), "Psychic Discipline: Biomancy")
    army = Translator.translate(building.state, Facts(), points_limit=3000, alliance_levels={}).army
    unit = next(unit for unit in army.detachments[0].units if unit.id == hierarch)
    assert unit.psychic_disciplines and "psyker" in unit.subtypes
    assert "HH-57" not in {finding.rule for finding in check(army).findings}


@pytest.mark.shared
def test_inductii_fill_no_compulsory_slot(community: Library) -> None:
    """Their sub-type makes a squad a Support Squad, and the chart asks for Troops that are none."""

    def rules(building: Community) -> set[str]:
        return {finding.rule for finding in check(building.translation().army).findings} & {"HH-11", "HH-17"}

    building = Community(community, "Sons of Horus")
    building.add("Centurion")
    inductii, _ = (building.add("Despoiler Squad") for _ in range(2))
    assert rules(building) == set()
    building.take(inductii, "Inductii")
    assert rules(building) == {"HH-17"}
