"""Army lists of the community's Epic data are read: every formation with its initiative, nearly every weapon."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from armybuilder.engine.battlescribe_files.library import SourceFile
from armybuilder.engine.check import check
from armybuilder.engine.findings import Severity
from armybuilder.engine.roster.available_options import Offer, OfferGroup, offers
from armybuilder.engine.roster.edits import add_force, new_roster, select
from armybuilder.engine.roster.evaluate import evaluate
from armybuilder.engine.systems.epic.combat.saves import invulnerable
from armybuilder.engine.systems.epic.roster.army_document import ArmyReading, Facts, Translator, UnitFacts
from armybuilder.engine.systems.epic.roster.fighters import sides_from_roster
from tests.fixtures.building import ListBuilding
from tests.libraries import compiled_library

pytestmark = pytest.mark.shared

TOURNAMENT = "f12d-4f60-fe2d-1813"
STEP = 5
"""Every fifth of the 173 lists; the others are read alike."""


def folder_of(shared: Path) -> Path:
    return shared / "battlescribe" / "data" / "wh40k-epic-armageddon"


def everything_of(path: Path, system: SourceFile) -> ArmyReading:
    """A list with one of everything that an army list offers."""
    library = compiled_library([system, SourceFile(path.name, path.read_bytes())])
    ids = (f"n{number}" for number in range(10**6))
    roster = new_roster(library, name="All", new_id=lambda: next(ids)).roster
    edit = add_force(
        library,
        roster,
        force_entry_id=TOURNAMENT,
        catalogue_id=library.catalogues[0].id,
        new_id=lambda: next(ids),
    )
    assert edit.node_id is not None
    roster = edit.roster
    for offer in _flat(offers(library, evaluate(library, roster), node_id=edit.node_id)):
        if not offer.hidden:
            roster = select(
                library, roster, parent_id=edit.node_id, entry_id=offer.entry_id, new_id=lambda: next(ids)
            ).roster
    return Translator.translate(evaluate(library, roster), Facts(), points_limit=4000, alliance_levels={})


def _flat(rows: tuple[Offer | OfferGroup, ...]) -> Iterator[Offer]:
    for row in rows:
        if isinstance(row, Offer):
            yield row
        else:
            yield from _flat(row.offers)


def test_army_lists_are_read(shared: Path) -> None:
    folder = folder_of(shared)
    system = SourceFile("Epic.gstz", (folder / "Epic.gstz").read_bytes())
    seen: Counter[str] = Counter()
    without_initiative, without_rating = [], []
    for path in sorted(folder.glob("*.cat*"))[::STEP]:
        translation = everything_of(path, system)
        if translation.army.strategy_rating is None:
            without_rating.append(path.name)
        for formation in translation.army.formations:
            seen["formations"] += 1
            seen["weapons"] += sum(len(unit.weapons) for unit in formation.units)
            if formation.initiative is None:
                without_initiative.append((path.name, formation.title))
        seen["unread"] += sum("is not recognised" in found.message.en for found in translation.findings)
    assert without_rating == []
    assert without_initiative == []
    assert seen["formations"] > 400, seen
    assert seen["unread"] < seen["weapons"] / 50, seen


def army_list(shared: Path, name: str) -> ListBuilding:
    folder = folder_of(shared)
    files = [folder / "Epic.gstz", next(folder.glob(f"{name}*.cat*"))]
    army = ListBuilding(compiled_library([SourceFile(path.name, path.read_bytes()) for path in files]))
    army.detachment(TOURNAMENT, army.library.catalogues[0].id)
    return army


def read(army: ListBuilding, facts: Facts | None = None) -> ArmyReading:
    return Translator.translate(army.state, facts or Facts(), points_limit=3000, alliance_levels={})


def characters_of(reading: ArmyReading) -> dict[str, list[str]]:
    return {one.title: [character.name for character in one.characters] for one in reading.army.formations}


def test_a_formation_that_the_list_asks_for_in_words_is_missed(shared: Path) -> None:
    """The data limits nothing; its rule "Regimental HQs" says that a Mossinian army must include one."""
    army = army_list(shared, "Imperial Guard - Mossinian")
    army.add("Mossinian Infantry Company")
    assert [(one.rule, one.message.en) for one in read(army).findings] == [
        ("EPL-04", "“Regimental HQ”: choose at least 1; none is chosen yet.")
    ]
    army.add("Mossinian Regimental HQ Company")
    assert read(army).findings == ()


def test_an_ork_warlord_stands_in_a_formation(shared: Path) -> None:
    army = army_list(shared, "Orks - Ghaz")
    reading = read(army)
    assert [found.message.en for found in reading.findings] == ["Ork Warlord: there is no formation yet to join."]
    army.add("Fighta Sqwadron")
    army.add("Warband")
    second = army.add("Stormboyz Warhorde")
    reading = read(army)
    assert characters_of(reading) == {"Fighta Sqwadron": [], "Warband": ["Ork Warlord"], "Stormboyz Warhorde": []}
    assert not [found for found in reading.findings if "Warlord" in found.message.en]
    warlord = next(node.id for node in army.state.all_selections() if node.name == "Ork Warlord")
    stated = Facts(units={warlord: UnitFacts(host=second)})
    assert characters_of(read(army, stated))["Stormboyz Warhorde"] == ["Ork Warlord"]


def test_an_ork_warlord_stands_where_his_list_says(shared: Path) -> None:
    """In a Great Gargant if there is one, else with Nobz or in a Gargant; of Feral Orks in the largest formation."""
    army = army_list(shared, "Orks - Evil Sunz")
    army.add("Stormboyz Mob")
    army.add("Warband")
    assert characters_of(read(army)) == {"Stormboyz Mob": [], "Warband": ["Ork Warlord"]}
    host = read(army).army.formations[1].characters[0].host
    assert next(unit.name for unit in read(army).army.formations[1].own_units if unit.id == host) == "Nobz"
    army.add("Great Gargant")
    assert characters_of(read(army)) == {"Stormboyz Mob": [], "Warband": [], "Great Gargant": ["Ork Warlord"]}
    feral = army_list(shared, "Orks - Feral")
    feral.add("Trappas")
    big = feral.add("Wildboyz")
    feral.take(big, "Nobz")
    feral.add("Steam Gargants")
    assert characters_of(read(feral)) == {"Trappas": [], "Wildboyz": ["Ork Warlord"], "Steam Gargants": []}


def test_the_first_commissar_goes_with_the_supreme_commander(shared: Path) -> None:
    army = army_list(shared, "Imperial Guard - Steel Legion")
    for name in ("Tank Company", "Regimental HQ", "Mechanised Infantry Company", "Commissar"):
        army.add(name)
    assert [name for name, found in characters_of(read(army)).items() if "Commissar" in found] == ["Regimental HQ"]


def test_commissars_spread_over_the_companies(shared: Path) -> None:
    army = army_list(shared, "Imperial Guard - Steel Legion")
    for name in ("Commissar", "Infantry Company", "Mechanised Infantry Company"):
        army.add(name)
    army.add("Commissar")
    assert {name: len(found) for name, found in characters_of(read(army)).items()} == {
        "Infantry Company": 1,
        "Mechanised Infantry Company": 1,
    }


def test_a_save_without_its_roll_has_that_of_the_common_rule(shared: Path) -> None:
    """The datasheet of a Chaos Vindicator names the rule and links to no text; the game's own says 6+."""
    army = army_list(shared, "Chaos - Death Guard")
    army.add("Armoured Assault Company")
    reading = read(army)
    rules = {unit.name: unit.rules for one in reading.army.formations for unit in one.own_units}
    assert "Invulnerable Save (6+)" in rules["Vindicator"]


def test_a_barrage_is_no_formation_and_is_paid_for(shared: Path) -> None:
    """It has no units, of which EP-06 would ask; what it costs counts towards the size of the army."""
    army = army_list(shared, "Imperial Guard - Trench Legions")
    army.add("Preliminary Bombardment")
    reading = read(army)
    assert "Preliminary Bombardment" not in {one.title for one in reading.army.formations}
    assert any("Preliminary Bombardment: the rules have no unit type" in one.message.en for one in reading.findings)
    assert reading.army.total == army.points > sum(one.points or 0 for one in reading.army.formations)


def test_a_carrier_is_called_by_its_datasheet_without_what_stands_in_brackets(shared: Path) -> None:
    """The text speaks of an Aquila Lander, the datasheet of an Aquila Lander (Hereticus Class)."""
    army = army_list(shared, "Inquisition - Ordo Hereticus")
    army.take(army.add("Storm Troopers"), "4x Aquila")
    units = {unit.name: unit for one in read(army).army.formations for unit in one.own_units}
    assert units["Aquila"].transport is not None
    assert units["Aquila"].transport.slots == 2
    assert units["Inquisitorial Storm Troopers"].embarked_in == units["Aquila"].id


def test_what_is_not_known_to_be_too_small_is_no_error(shared: Path) -> None:
    """Where the data does not say how many an aircraft carries, that is said, and EP-15 is not told."""
    army = army_list(shared, "Space Marines - EA")
    hawk, assault = army.add("Thunderhawk"), army.add("Assault")
    reading = read(army, Facts(units={assault: UnitFacts(embarked_in=hawk)}))
    told = [found for found in check(reading.army).findings if found.rule == "EP-15" and reading.tells(found)]
    assert told == []
    assert any("Thunderhawk: the data does not say how many" in found.message.en for found in reading.findings)


def test_a_save_that_a_shield_gives_has_the_roll_of_the_common_rule(shared: Path) -> None:
    army = army_list(shared, "Eldar - Fir Iolarion")
    army.take(army.add("Wraith Knight Troupe"), "3x Wraith Knight w/ Ghostglaive & Scattershield")
    rules = {
        rule
        for one in read(army).army.formations
        for unit in one.own_units
        for arm in unit.weapons
        for rule in arm.rules
    }
    assert "Invulnerable Save (6+)" in rules
    assert "Invulnerable Save" not in rules


@pytest.mark.parametrize(
    ("name", "formation", "unit", "weapons"),
    [
        ("Squats - Grindel", "Guild Squadron", "Guildmaster", {"Bolters": "small arms", "Power Lance": None}),
        ("Tau - Vior'la", "Pathfinders", "Devilfish", {"Burst Cannon & Drones": "AP5+", "Seeker Missiles": "AT6+"}),
    ],
)
def test_weapons_of_cells_that_do_not_fit_together(
    shared: Path, name: str, formation: str, unit: str, weapons: dict[str, str | None]
) -> None:
    """Range and firepower in each other's columns; names in single lines, the rest parted by empty ones."""
    army = army_list(shared, name)
    army.add(formation)
    found = next(one for made in read(army).army.formations for one in made.own_units if one.name == unit)
    assert {arm.name: arm.firepower for arm in found.weapons} == weapons


@pytest.mark.parametrize(
    ("name", "formation", "option", "carrier"),
    [
        ("Tau - Taros", "Battlesuit Cadre", "Orca", "Orca"),  # of "Crisis Battlesuits", which are light vehicles
        ("Tau - Taros", "Stealthsuit Contingent", "Orca", "Orca"),
        ("Inquisition - Ordo Hereticus", "Retributor Convent", "3x Aquila", "Aquila"),  # whose text leaves them out
    ],
)
def test_who_is_sold_with_aircraft_rides_in_it(
    shared: Path, name: str, formation: str, option: str, carrier: str
) -> None:
    army = army_list(shared, name)
    army.take(army.add(formation), option)
    reading = read(army)
    made = next(one for one in reading.army.formations if one.title == formation)
    aboard = next(unit.id for unit in made.own_units if unit.name == carrier)
    assert {unit.embarked_in for unit in made.own_units} == {None, aboard}
    assert {found.rule for found in check(reading.army).findings} & {"EP-15", "EP-18"} == set()


def test_orks_with_their_grotz_ride_in_a_landa(shared: Path) -> None:
    """Ten places for six Boyz and two Nobz, and four Grotz in addition to any others."""
    army = army_list(shared, "Orks - Goff")
    landa, warband = army.add("Landa"), army.add("Goff Warband")
    reading = read(army, Facts(units={warband: UnitFacts(embarked_in=landa)}))
    made = next(one for one in reading.army.formations if one.title == "Goff Warband")
    assert {unit.name: (unit.slots, bool(unit.embarked_in)) for unit in made.own_units} == {
        "Goff Boyz": (1, True),
        "Nobz": (1, True),
        "Grotz": (0, True),
    }
    assert [found.rule for found in check(reading.army).findings if found.rule in ("EP-15", "EP-17")] == []


def test_damage_that_the_data_leaves_out_is_said(shared: Path) -> None:
    army = army_list(shared, "Tyranids - Hive Fleet Gorgon")
    army.take(army.add("Tyranid Swarm"), "Tervigon")
    reading = read(army)
    assert [
        found.rule for found in check(reading.army).findings if found.rule == "EP-12" and reading.tells(found)
    ] == []
    assert any("Tervigon: the data does not say how much damage" in found.message.en for found in reading.findings)


def test_a_captain_leads_the_terminators_and_not_their_dreadnought(shared: Path) -> None:
    army = army_list(shared, "Space Marines - Blood Angels")
    terminators = army.add("Terminators")
    army.take(terminators, "Captain")
    army.take(terminators, "Furioso Dreadnought")
    made = next(one for one in read(army).army.formations if one.title == "Terminators")
    [captain] = made.characters
    assert next(unit.name for unit in made.own_units if unit.id == captain.host) == "Terminator Squad"


def test_the_gun_turrets_of_a_landa_fire(shared: Path) -> None:
    army = army_list(shared, "Orks - Goff")
    army.add("Landa")
    [landa] = [one for one in read(army).army.formations if one.title == "Landa"]
    assert {arm.name: arm.firepower for arm in landa.own_units[0].weapons}["Gun Turrets"] == "D6+3xAP5+/D6+3xAA6+"


def test_a_mekboy_joins_a_formation_that_has_not_taken_him(shared: Path) -> None:
    """Every new list of Speed Freeks begins with him, at no cost; he may be an option of a formation, too."""
    army = army_list(shared, "Orks - Speed Freeks")
    assert [found.message.en for found in read(army).findings] == [
        "Mekboy Bad Ork Bikeboy: there is no formation yet to join."
    ]
    kult, fighters = army.add("Kult of Speed"), army.add("Fighta Sqwadron")
    reading = read(army)
    assert reading.findings == ()
    assert [{unit.name for unit in one.own_units} for one in reading.army.formations] == [
        {"Warbikes", "Mekboy Bad Ork Bikeboy"},
        {"Fighta-Bommer"},
    ]
    mekboy = next(node.id for node in army.state.forces[0].selections if node.name == "Mekboy Bad Ork Bikeboy")
    stated = read(army, Facts(units={mekboy: UnitFacts(host=fighters)}))
    assert {unit.name for unit in stated.army.formations[1].own_units} == {"Fighta-Bommer", "Mekboy Bad Ork Bikeboy"}
    army.drop(mekboy)
    army.take(kult, "Mekboy Bad Ork Bikeboy")
    taken = read(army)
    assert taken.findings == ()
    assert {unit.name for unit in taken.army.formations[0].own_units} == {"Warbikes", "Mekboy Bad Ork Bikeboy"}


def told(army: ListBuilding) -> list[str]:
    """What is wrong with the formations, but for how many of each a whole army has."""
    reading = read(army)
    found = [*reading.findings, *(one for one in check(reading.army).findings if reading.tells(one))]
    frame = {"EP-01", "EPL-04", "BS-05"}
    return [one.rule for one in found if one.severity is Severity.ERROR and one.rule not in frame]


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("Dark Eldar", "Webway Portal"),
        ("Imperial Guard - Baran", "Fortified Positions"),
        ("Horus Heresy - Orks", "Tellyporta Platform"),
    ],
)
def test_portals_and_fortifications_are_no_formations_without_units(shared: Path, name: str, what: str) -> None:
    army = army_list(shared, name)
    army.add(what)
    reading = read(army)
    assert what not in {one.title for one in reading.army.formations}
    assert told(army) == []
    assert any(f"{what}: it stands in no formation" in found.message.en for found in reading.findings)


def test_units_without_a_datasheet_are_units(shared: Path) -> None:
    """Vostroyans may call for a cruiser that the data does not describe; their Orbital Support was empty."""
    army = army_list(shared, "Imperial Guard - Vostroyan")
    army.add("Orbital Support")
    assert "EP-06" not in told(army)
    assert any("Lunar Class Cruiser: the data shows no datasheet" in one.message.en for one in read(army).findings)


@pytest.mark.parametrize(
    ("name", "formation"), [("Orks - Bad Moons", "Kult of Speed"), ("Eldar - Knights", "Knight Host")]
)
def test_an_empty_formation_is_told_once(shared: Path, name: str, formation: str) -> None:
    """The data asks for its units; that it has none, and its character nobody to join, goes without saying."""
    army = army_list(shared, name)
    army.add(formation)
    assert told(army) == ["EPL-01"]


def test_an_empty_formation_that_nobody_asks_to_fill_is_told(shared: Path) -> None:
    army = army_list(shared, "Imperial Guard - Attila")
    army.add("Tank Detachment")
    assert told(army) == ["EPL-06", "EP-06"]


def test_formations_of_a_section_that_each_show_its_name_are_counted(shared: Path) -> None:
    """Each supporting formation of the Alpha Legion has an upgrade "Support Formation", "not available here"."""
    army = army_list(shared, "Chaos - Alpha Legion")
    army.add("Thunderhawk")
    sections = [one for one in read(army).findings if one.rule.startswith("EPL-0") and "Support" in one.message.en]
    assert [(one.rule, one.message.en) for one in sections] == [
        ("EPL-06", "Support Formation: 1, allowed 0; core formations: 0.")
    ]


def arms(army: ListBuilding, formation: str, unit: str) -> dict[str, tuple[int, object, object]]:
    """Weapons of a unit as it fights: how many carry it, its range and firepower."""
    fighter = next(one for one in sides_from_roster(army.state) if one.unit == formation)
    return {
        weapon.name: (group.count * weapon.count, weapon.range, weapon.firepower)
        for group in fighter.side.groups
        if group.name == unit
        for weapon in group.weapons
        if not isinstance(weapon.range, str)
    }


def test_three_mole_mortars_have_a_point_and_a_half(shared: Path) -> None:
    """ "Calculate BP by counting the number of Mole Mortars and divide by two": six have three points."""
    army = army_list(shared, "Squats - EA")
    battery = army.add("Mole Mortars")
    assert arms(army, battery, "Mole Mortar") == {"Mole Mortar": (3, 45, "1BP")}
    brotherhood = army.add("Thunderer Brotherhood")
    army.take(brotherhood, "3x Mole Mortar")
    assert arms(army, brotherhood, "Mole Mortar") == {"Mole Mortar": (1, 45, "1BP")}


def test_a_gun_of_unknown_range_is_named_and_not_fired(shared: Path) -> None:
    """A flame template has no length in the data; it reached from edge to edge of the table."""
    army = army_list(shared, "Chaos - Daemonic Hordes")
    daemon = army.add("Great Unclean One, Greater Daemon of Nurgle")
    fighter = next(one for one in sides_from_roster(army.state) if one.unit == daemon)
    assert "Stream of Corruption" not in arms(army, daemon, fighter.side.groups[0].name)
    assert "Stream of Corruption" in fighter.unknown


def test_a_shield_saves_its_bearer(shared: Path) -> None:
    """The Invulnerable Save stands among the notes of the shield's gun, where no hit asked for it."""
    army = army_list(shared, "Eldar - Fir Iolarion")
    troupe = army.add("Wraith Knight Troupe")
    army.take(troupe, "3x Wraith Knight w/ Ghostglaive & Scattershield")
    fighter = next(one for one in sides_from_roster(army.state) if one.unit == troupe)
    saves = {group.name: invulnerable(group) for group in fighter.side.groups}
    assert saves["Wraith Knight w/ Ghostglaive & Scattershield"] == pytest.approx(1 / 6)


@pytest.mark.parametrize(
    ("name", "formation", "option", "initiative"),
    [
        ("Adeptus Arbites", "Repressor Patrol", None, "2+"),  # "formations accompanied by a character … 1+"
        ("Adeptus Arbites", "Repressor Patrol", "Marshal", "1+"),
        ("Chaos - Bloody", "Sabre Detachment", None, "1+"),  # "Non-Aircraft Support Formations"
        ("Chaos - Bloody", "Infantry Warband", None, "2+"),
        ("Chaos - Bloody", "Hell-Razor Fighters", None, "2+"),
        ("Adeptus Mechanicus - Forge", "Warhound Mechanicus Scout Titan", None, "1+"),  # "Mechanicus ally formations,
        ("Adeptus Mechanicus - Forge", "Cataphractii", None, "2+"),  # except for Cataphractii"
        ("Adeptus Mechanicus - Forge", "Scout Maniple", None, "2+"),
        ("Imperial Guard - Penal", "Thunderbolt", None, "2+"),  # "Imperial Allied", not "Titan Legion allies"
        ("Imperial Guard - Penal", "Reaver Battle Titan", None, "1+"),
        ("Tyrant's Legion", "Predator Squadron", None, "1+"),  # an option says that it is Chapter Support
        ("Chaos - Daemon Engines", "Machine Leba, Thrice Damned Daemon Engine", None, "2+"),
        ("Chaos - Daemon Engines", "Machine Leba, Thrice Damned Daemon Engine", "Abominable Intelligence", "1+"),
    ],
)
def test_initiatives_of_sections_and_of_who_is_in_a_formation(
    shared: Path, name: str, formation: str, option: str | None, initiative: str
) -> None:
    army = army_list(shared, name)
    made = army.add(formation)
    if option is not None:
        army.take(made, option)
    found = next(one for one in read(army).army.formations if one.id == made)
    assert found.initiative == initiative


@pytest.mark.parametrize("language", ["English", "Deutsch", "Français", "Español"])
def test_ratings_and_places_are_read_where_another_language_of_the_data_is_chosen(shared: Path, language: str) -> None:
    """ "Strategiewert 2", "valeur stratégique de 2": the list was in error, "The army has no strategy rating"."""
    army = army_list(shared, "Imperial Guard - Steel Legion")
    community = next(part for part in army.state.forces[0].selections if part.name == "-Community-")
    army.swap(community.id, "English", language)
    army.add("Mechanised Infantry Company")
    army.add("Warhound Titan Battlegroup")
    found = read(army).army
    assert found.strategy_rating == 2
    assert {one.title: one.initiative for one in found.formations} == {
        "Mechanised Infantry Company": "2+",
        "Warhound Titan Battlegroup": "1+",
    }
    units = {unit.name: unit for one in found.formations for unit in one.own_units}
    assert units["Chimera"].transport is not None
    assert units["Chimera"].transport.slots == 2


def test_a_formation_of_one_model_without_a_datasheet_is_not_called_empty(shared: Path) -> None:
    """The data of the Word Bearers sells a Greater Daemon for 200 points and has no datasheet of it."""
    army = army_list(shared, "Chaos - Word Bearers")
    army.add("Greater Daemon")
    reading = read(army)
    assert "EP-06" not in {found.rule for found in check(reading.army).findings if reading.tells(found)}
    assert any("Greater Daemon: the data shows no datasheet for it" in found.message.en for found in reading.findings)


def test_a_strategy_rating_that_is_rolled_is_no_error(shared: Path) -> None:
    """ "Sun-Tzork's Grotling Waaaaaagh! has a Strategy rating of D6 (roll randomly each turn)."."""
    army = army_list(shared, "Orks - Grotling")
    reading = read(army)
    assert reading.army.strategy_rating is None
    assert "EP-04" not in {found.rule for found in check(reading.army).findings if reading.tells(found)}
    assert any("The strategy rating is rolled (D6)" in found.message.en for found in reading.findings)
    assert read(army, Facts(strategy_rating=4)).army.strategy_rating == 4


def test_the_great_harlequin_raises_the_strategy_rating(shared: Path) -> None:
    """ "A Harlequin Grand Masque including the Great Harlequin has a strategy rating of 5, otherwise … of 4"."""
    army = army_list(shared, "Harlequins")
    troupe = army.add("Troupe")
    assert read(army).army.strategy_rating == 4
    army.take(troupe, "Great Harlequin")
    assert read(army).army.strategy_rating == 5
