"""Single units of the community's data as fighters: what each carried wrongly once, by hand from the data's text."""

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from armybuilder.engine.check import check
from armybuilder.engine.simulate import simulate
from armybuilder.engine.systems.epic.roster import fighters as epic
from armybuilder.engine.systems.fantasy_8th.roster import fighters as fantasy
from armybuilder.engine.systems.horus_heresy.combat.matrix import pair_request
from armybuilder.engine.systems.horus_heresy.matchup import Conditions
from armybuilder.engine.systems.horus_heresy.roster import army_document as heresy_documents
from armybuilder.engine.systems.horus_heresy.roster import fighters as heresy
from armybuilder.engine.systems.horus_heresy.roster.units import HeresyReader, parts
from armybuilder.engine.systems.wh40k_6th.roster import army_document as wh40k_documents
from armybuilder.engine.systems.wh40k_6th.roster import fighters as wh40k
from tests.engine.systems.roster_reading.community_units import (
    FANTASY,
    HERESY,
    CommunityUnit,
    described,
    library_in,
    units,
    weapons_of,
)
from tests.fixtures.building import ListBuilding

pytestmark = pytest.mark.shared


@pytest.mark.parametrize(
    ("catalogue", "name", "option", "carried"),
    [
        ("Imperial Fists", "Phalanx Warder Squad", "Phalanx Warder w/Special Weapon (1 in 5)", "Flamer"),
        ("Custodes", "Custodian Guard Squad", "Custodian Guard w/ Master-Crafted Power Sword & Vexilla", "Vexilla"),
    ],
)
def test_models_without_a_row_have_that_of_whom_they_are_called_after(
    data: Path, catalogue: str, name: str, option: str, carried: str
) -> None:
    """The data gives the rows of some squads to their ordinary models alone."""
    library = library_in(data / HERESY)
    unit = next(units(library, catalogue, named=name))
    (before,) = heresy.sides_from_roster(unit.state)
    army = ListBuilding(library)
    army.roster, army.count = unit.state.roster, 1000  # ids of its own
    army.take(unit.node.id, option)
    (after,) = heresy.sides_from_roster(army.state)
    assert (after.models - before.models, option in after.unknown) == (1, False)
    assert carried == "Vexilla" or carried in weapons_of(after)


@pytest.mark.parametrize(
    ("folder", "catalogue", "name", "options", "fighters", "carried"),
    [
        (
            "wh40k-6th-1.14b",
            "Space Marines",
            "Tactical Squad",
            ("Flamer", "Space Marine Sergeant > Veteran Sarg"),
            wh40k.sides_from_roster,
            [
                "4 Space Marine A1: Flamer on 1, Boltgun, Bolt pistol",
                "1 Space Marine Sergeant A2: Boltgun, Bolt pistol",
            ],
        ),
        (
            "wh40k-6th-1.14b",
            "Space Marines",
            "Assault Squad",
            ("Space Marine Sergeant > Veteran Assault Sergeant", "Space Marine Sergeant > Plasma Pistol"),
            wh40k.sides_from_roster,
            [
                "4 Space Marine A1: Bolt pistol",
                "1 Space Marine Sergeant A2: Bolt Pistol, Plasma Pistol",
            ],
        ),
        (
            "wh40k-6th-1.14b",
            "Space Marines",
            "Scout Squad",
            ("Heavy Bolter",),
            wh40k.sides_from_roster,
            [
                "4 Scouts A1: Heavy Bolter on 1, Boltgun, Bolt pistol",
                "1 Scout Sergeant A1: Bolt Pistol, Boltgun",
            ],
        ),
        (
            HERESY,
            "Mechanicum",
            "Thallax Cohort",
            ("Photon Thruster",),
            heresy.sides_from_roster,
            [
                "3 Thallax A2: Lightning Gun (Arc) on 2, Lightning Gun (Strike) on 2, Photon Thruster on 1, "
                "Close Combat Weapon",
            ],
        ),
        (  # the group that he chooses from is named with a colon at its end, and stands around another
            HERESY,
            "Iron Hands",
            "Medusan Immortal Squad",
            ("Immortal Sergeant > Bolter",),
            heresy.sides_from_roster,
            ["1 Immortal Sergeant A3: Bolt Pistol, Bolter", "9 Immortal A2: Bolter, Bolt Pistol"],
        ),
        (  # the weapon with the vexilla is typed as a model, and is none
            HERESY,
            "Custodes",
            "Hetaeron Guard Squad",
            ("Hetaeron Guard > Meridian Swords -> Master-Crafted Power Maul and Vexilla",),
            heresy.sides_from_roster,
            [
                "1 Hetaeron Guard A4: Power Maul, Misericord",
                "2 Hetaeron Guard A4: Meridian Swords (Grasp the Rainbow Serpent), "
                "Meridian Swords (Hands Cut the Clouds), Meridian Swords (Raptor Spreads its Wings), Misericord",
            ],
        ),
        (  # a number before a word that also begins "hand weapon"
            HERESY,
            "Sons of Horus",
            "Destroyer Assault Squad",
            ("Destroyer Sergeant > Two Bolt Pistols -> Two Hand Flamers",),
            heresy.sides_from_roster,
            ["1 Destroyer Sergeant A3: 2 Hand Flamer, Chainsword", "4 Destroyer A2: 2 Bolt Pistol, Chainsword"],
        ),
        (  # two for everybody
            HERESY,
            "Sisters",
            "Prosecutor Cadre",
            ("Bolter -> Two Bolt Pistols",),
            heresy.sides_from_roster,
            ["1 Prosecutor Mistress A2: 2 Bolt Pistol", "4 Prosecutor A1: 2 Bolt Pistol"],
        ),
        (  # the jetbike of all names the bolter that one of them gave away
            HERESY,
            "Sons of Horus",
            "Sky-Hunter Squadron",
            ("Legion Sky-Hunter > Heavy Bolter -> Multi-Melta",),
            heresy.sides_from_roster,
            [
                "1 Legion Sky-Hunter A1: Bolt Pistol, Heavy Bolter, Chainsword",
                "1 Legion Sky-Hunter A1: Bolt Pistol, Multi-Melta, Chainsword",
                "1 Legion Sky-Hunter Sergeant A2: Bolt Pistol, Heavy Bolter, Chainsword",
            ],
        ),
        (
            HERESY,
            "Sons of Horus",
            "Outrider Squadron",
            ("Twin-linked Bolter -> Twin-linked Flamer",),
            heresy.sides_from_roster,
            [
                "1 Legion Outrider Sergeant A2: Bolt Pistol, Twin-linked Flamer, Chainsword",
                "2 Legion Outriders A1: Bolt Pistol, Twin-linked Flamer, Chainsword",
            ],
        ),
        (  # the sword of the unit is not his who chose a fist in the place of his own
            HERESY,
            "Imperial Fists",
            "Templar Brethren",
            ("Champion > Power Sword -> Power Fist",),
            heresy.sides_from_roster,
            ["1 Champion A3: Bolt Pistol, Power Fist", "4 Brethren A2: Bolt Pistol, Power Sword"],
        ),
        (
            HERESY,
            "Word Bearers",
            "Ashen Circle",
            ("Iconoclast > Akkadic Hand Flamer -> Inferno Pistol",),
            heresy.sides_from_roster,
            ["1 Iconoclast A3: Inferno Pistol, Axe-Rake", "4 Incendiary A2: Akkadic Hand Flamer, Axe-Rake"],
        ),
        (  # "exchange both of their heavy bolters": each sentry gun has two
            HERESY,
            "Solar Auxilia",
            "Artillery Tercio",
            ("Tarantula Sentry Battery",),
            heresy.sides_from_roster,
            ["3 Tarantula Sentry Gun A1: 2 Heavy Bolter"],
        ),
        (  # what is mastered is renamed by the data, and was the name by which the default was known
            HERESY,
            "Sisters",
            "Silent Fury",
            ("Silent Fury > Jetbike Weapon",),
            heresy.sides_from_roster,
            ["1 Silent Fury A3: Bolt Pistol, Snare Cannon, Close Combat Weapon"],
        ),
        (  # a model whose name alone says what it carries
            HERESY,
            "Custodes",
            "Custodian Guard Squad",
            ("Custodian Guard w/ Master-Crafted Power Sword & Vexilla",),
            heresy.sides_from_roster,
            [
                "1 Custodian A4: Power Sword, Misericord",
                "3 Custodian A4: Guardian Spear (Melee), Guardian Spear (Shooting), Misericord",
            ],
        ),
        (  # the whole unit has glaives, of which three were exchanged
            HERESY,
            "White Scars",
            "Ebon Keshig Cohort",
            ("Combi-bolter and Power Fist", "Combi-bolter and Power Fist", "Combi-bolter and power Weapon"),
            heresy.sides_from_roster,
            [
                "5 Kharash A3: Combi-bolter on 3, Power Fist on 2, Power Glaive on 2, Power Sword on 1",
            ],
        ),
        (
            HERESY,
            "White Scars",
            "Golden Keshig Squadron",
            ("Power Axe",),
            heresy.sides_from_roster,
            [
                "1 Golden Keshig Champion A2: Bolt Pistol, Scatterbolt Launcher, Kontos Power Lance, Chainsword",
                "2 Golden Keshig Rider A1: Bolt Pistol, Scatterbolt Launcher, Kontos Power Lance, Power Axe on 1, "
                "Chainsword on 1",
            ],
        ),
        (
            HERESY,
            "Militia",
            "IM - Levy Squad",
            ("Levy Squad > Bayonet",),
            heresy.sides_from_roster,
            ["19 Levy A1: Lasgun, Bayonet", "1 Levy Sergeant A1: Lasgun, Bayonet"],
        ),
        (
            "wh40k-epic-armageddon",
            "Fir Iolarion",
            "Revenant Twins",
            (),
            epic.sides_from_roster,
            ["2 Revenant Titan: 2 Revenant Pulse Laser, 2 Eldar Missile Launcher"],
        ),
        (  # two claws of one dread, which stood as two more of them
            "wh40k-epic-armageddon",
            "Grotling Waaaaaagh",
            "Gargant Mob",
            ("Mega Dread w/ 2x Rippa Klaw",),
            epic.sides_from_roster,
            [
                "4 Dreadnought: 2 Twin Big Shootas, Kombat Klaws",
                "4 Killa Kan: Big Shootas, Kombat Klaws",
                "1 Mega Dread: 2 Big Shootas, 2 Rippa Klaw",
            ],
        ),
        (  # four tanks under one name, without a blank behind the comma
            "wh40k-epic-armageddon",
            "Siege Assault Vanguard",
            "Terminator",
            ("3x Land Raider,1x Land Raider Redeemer",),
            epic.sides_from_roster,
            [
                "3 Land Raider: 2 Twin Lascannon, Twin Heavy Bolter",
                "1 Land Raider Redeemer: Frag Launchers, 2 Flamestorm Cannon, Twin Assault Cannon",
                "4 Siege Terminators: Thunder Hammers, 4 Heavy Flamer",
            ],
        ),
        (  # their number is rolled: 3D6 are eleven on average
            "wh40k-epic-armageddon",
            "Lost and the Damned",
            "Plague Zombie Infestation",
            (),
            epic.sides_from_roster,
            ["11 3D6x Plague Zombie Hordes: Teeth"],
        ),
        (
            "whfb",
            "Dark Elves  - Army Book",
            "Shades",
            ("Shades > Great Weapon",),
            fantasy.sides_from_roster,
            ["5 Shades A1: Repeater Crossbow, Great Weapon"],
        ),
        (  # a spear of which the data prints the shield that goes with it
            "whfb",
            "Beastmen",
            "Ungor Herd",
            ("Ungor > Spear",),
            fantasy.sides_from_roster,
            ["10 Ungor A1: Spear"],
        ),
        (  # a second hand weapon whose row is that of any
            "whfb",
            "Chaos Dwarfs LoA",
            "Hobgoblin Cutthroats",
            ("Hobgoblin Cutthroat > Additional Hand Weapon",),
            fantasy.sides_from_roster,
            ["20 Cutthroat A1: Additional Hand Weapon, Hand Weapon, Throwing Weapons"],
        ),
        (  # a beast that nobody rides breathes its flames
            "whfb",
            "Lizardmen",
            "Salamander Hunting Pack",
            (),
            fantasy.sides_from_roster,
            ["3 Skink Handler A1: Hand Weapon", "1 Salamander A2: Spout Flames (flame thrower)"],
        ),
    ],
)
def test_options_of_the_unit_are_in_the_right_hands(
    data: Path,
    folder: str,
    catalogue: str,
    name: str,
    options: tuple[str, ...],
    fighters: Callable[..., Sequence[Any]],
    carried: list[str],
) -> None:
    """One flamer burnt from every marine's hands, and a weapon without a row was nobody's."""
    library = library_in(data / folder, *(FANTASY if folder == "whfb" else ()))
    unit = next(units(library, catalogue, named=name))
    army = ListBuilding(library)
    army.roster, army.count = unit.state.roster, 1000  # ids of its own
    for option in options:
        model, _, taken = option.rpartition(" > ")
        old, arrow, new = taken.partition(" -> ")
        bearer = army.child(unit.node.id, model) if model else unit.node.id
        army.swap(bearer, old, new) if arrow else army.take(bearer, taken)
    fighter = fighters(army.state)[0]
    assert sorted(described(fighter).split("; ")) == sorted(carried)
    assert not {option.rpartition(" > ")[2] for option in options} & set(fighter.unknown)


@pytest.mark.parametrize(
    ("catalogue", "name", "model", "option", "before", "after"),
    [
        ("Night Lords", "Terror Squad", "Headsman", "Plasma Pistol", "Bolt Pistol", "Plasma Pistol"),
        ("Sisters of Silence", "Silent Fury", "Silent Fury", "Needle Cannon", "Snare Cannon", "Needle Cannon"),
    ],
)
def test_what_nobody_exchanged_is_still_there(
    data: Path, catalogue: str, name: str, model: str, option: str, before: str, after: str
) -> None:
    """Data whose exchange has what is given for its default, and need not be taken, left the model without a gun."""
    unit = next(units(library_in(data / HERESY), catalogue, named=name))
    army = ListBuilding(library_in(data / HERESY))
    army.roster, army.count = unit.state.roster, 1000  # ids of its own
    (fighter,) = heresy.sides_from_roster(army.state)
    held = [{weapon.name for weapon in group.weapons} for group in fighter.side.models if group.name == model]
    assert all(before in weapons and after not in weapons for weapons in held)
    army.take(army.child(unit.node.id, model), option)
    (fighter,) = heresy.sides_from_roster(army.state)
    held = [{weapon.name for weapon in group.weapons} for group in fighter.side.models if group.name == model]
    assert all(after in weapons and before not in weapons for weapons in held)


@pytest.mark.parametrize(
    ("catalogue", "name", "gun", "number"),
    [
        ("Solar Auxilia", "Malcador Heavy Tank Squadron", "Heavy Bolter", 3),  # in front, left, right
        ("Lords of War", "SA - Stormhammer", "Multi-Laser", 7),  # three left, three right, one by the cannon
    ],
)
def test_guns_on_both_sides_are_those_of_each(data: Path, catalogue: str, name: str, gun: str, number: int) -> None:
    """A Malcador fired one of the two on its sides, a Stormhammer three of six."""
    found = next(units(library_in(data / HERESY), catalogue, named=name))
    (fighter,) = heresy.sides_from_roster(found.state)
    assert Counter(weapon.name for group in fighter.side.models for weapon in group.weapons)[gun] == number


def test_psychic_powers_that_are_no_attack_are_named(data: Path) -> None:
    """They are no weapon, and nothing said that no simulation knows them."""
    library = library_in(data / HERESY)
    found = next(units(library, "Thousand Sons", named="Khenetai Occult Cabal"))
    (fighter,) = heresy.sides_from_roster(found.state)
    assert "Mindsong of Blades" in fighter.unknown


@pytest.mark.parametrize(
    ("catalogue", "name", "options", "carried"),
    [
        (  # each of his disciplines names the lightning, and so does he
            "Word Bearers",
            "Lorgar",
            ("Lorgar",),
            "1 Lorgar A5: Aetheric Lightning, Devotion, Diviner's Dart, Thamaturge's Cleansing, Illuminarum",
        ),
        (  # what hangs on the unit is his; the two slaves of one row have a blade each
            "Word Bearers",
            "Zardu Layak",
            (),
            "2 Anaktis Kul Blade Slave A3: Plasma Pistol, Anaktis Blade; "
            "1 Zardu Layak A4: Bolt Pistol, Telepathetic Chains, Aetheric Lightning, The Azurda Char'is",
        ),
        ("World Eaters", "Angron", (), "1 Angron A6: The Spite Furnace, Gorefather, Gorechild"),
        ("Night Lords", "Konrad Curze", (), "1 Konrad Curze A7: Widowmaker Volley, Mercy, Forgiveness"),
        ("Word Bearers", "Argel Tal", (), "1 Argel Tal A4: 2 Daemonic Talons"),
        (
            "Solar Auxilia",
            "Carnodon Strike Squadron",
            ("Solar Auxilia Carnodon > Pintle Mounted Heavy Flamer",),
            "1 Carnodon: 3 Heavy Flamer, Multi-Laser",
        ),
    ],
)
def test_units_that_must_be_allowed_first(
    data: Path, catalogue: str, name: str, options: tuple[str, ...], carried: str
) -> None:
    """Lorgar threw lightning three times, Angron had four axes, a Carnodon lost two flamers for a third."""
    library = library_in(data / HERESY)
    found = next(one for one in library.catalogues if catalogue in one.name)
    army = ListBuilding(library)
    army.detachment(library.force_entries(found.id)[0].id, found.id)
    unit = army.add(name)
    for option in options:
        model, _, taken = option.rpartition(" > ")
        army.take(army.child(unit, model) if model else unit, taken)
    (fighter,) = heresy.sides_from_roster(army.state)
    assert described(fighter) == carried


def test_models_have_the_characteristics_that_the_data_writes_on_their_group(data: Path) -> None:
    """Paladins show no row themselves; who does not look at the group says that he knows none."""
    unit = next(units(library_in(data / HERESY), "Blood Angels", named="Crimson Paladins"))
    (fighter,) = heresy.sides_from_roster(unit.state)
    assert described(fighter) == "1 Crimson Exemplar A3: Power Sword; 2 Crimson Paladins A2: Power Sword"
    reader = HeresyReader(parts(unit.node, role="")[0], points_type=None)
    loadout = reader.loadout()
    assert loadout is not None
    assert (loadout.models, list(reader.left_out(loadout))[:2]) == (1, ["Paladin", "Paladin"])


@pytest.mark.parametrize(
    ("catalogue", "name"),
    [
        ("Sons of Horus", "Veteran Squad"),
        ("Emperor's Children", "Palatine Blade Squad"),
        ("Night Lords", "Terror Squad"),
    ],
)
def test_a_drop_pod_is_no_model_of_the_squad_in_it(data: Path, catalogue: str, name: str) -> None:
    """Its bolter was in the hands of everybody; the data writes the pod around a model with the row."""
    library = library_in(data / HERESY)
    unit = next(units(library, catalogue, named=name))
    (before,) = heresy.sides_from_roster(unit.state)
    army = ListBuilding(library)
    army.roster, army.count = unit.state.roster, 1000  # ids of its own
    army.take(unit.node.id, "Drop Pod")
    squad, pod = heresy.sides_from_roster(army.state)
    assert described(squad) == described(before)
    assert (described(pod), squad.points + pod.points) == ("1 Drop Pod: Twin-linked Bolter", before.points + 35)
    facts = heresy_documents.Facts()
    reading = heresy_documents.Translator.translate(army.state, facts, points_limit=None, alliance_levels={})
    carrier = next(one for one in reading.army.detachments[0].units if one.name == "Drop Pod")
    assert (carrier.dedicated_transport_for, carrier.slots_used) == (unit.node.id, 0)


def test_two_tanks_of_a_legion_have_one_legion_rule(data: Path) -> None:
    """HH-21 read the "Legiones Astartes (X)" of each model as a second Legion beside that of the squadron."""
    unit = next(units(library_in(data / HERESY), "Sons of Horus", named="Land Raider Proteus Carrier Squadron"))
    army = ListBuilding(library_in(data / HERESY))
    army.roster, army.count = unit.state.roster, 1000  # ids of its own
    army.take(unit.node.id, "Land Raider Proteus Carrier")
    facts = heresy_documents.Facts()
    reading = heresy_documents.Translator.translate(army.state, facts, points_limit=None, alliance_levels={})
    (squadron,) = reading.army.detachments[0].units
    (group,) = squadron.models
    assert (group.count, squadron.rules, group.rules) == (
        2,
        ("Legiones Astartes (Sons of Horus)",),
        ("Assault Vehicle", "Power of the Machine Spirit"),
    )
    assert "HH-21" not in {finding.rule for finding in check(reading.army).findings}


@pytest.mark.parametrize(
    ("catalogue", "name", "model", "option", "weapon"),
    [
        ("Sons of Horus", "Centurion", "", "Heavy Bolter (master-crafted)", "Heavy Bolter"),
        ("Sisters", "Knight Abyssal", "Knight Abyssal", "Melee Weapon", "Execution Blade"),
        ("Sisters", "Silent Judge", "Silent Judge", "Master-crafted Needle Pistol", "Needle Pistol"),
        ("Custodes", "Hetaeron Guard Squad", "Hetaeron Guard", "Master-Crafted Power Axe and Vexilla", "Power Axe"),
        ("Sons of Horus", "Praetor", "Legion Praetor", "Master-craft one weapon", "Bolt Pistol"),
    ],
)
def test_what_is_master_crafted_by_its_name(
    data: Path, catalogue: str, name: str, model: str, option: str, weapon: str
) -> None:
    """The row of the weapon does not say so: one failed roll to hit was not rolled again."""
    library = library_in(data / HERESY)
    unit = next(units(library, catalogue, named=name))
    army = ListBuilding(library)
    army.roster, army.count = unit.state.roster, 1000  # ids of its own
    army.take(army.child(unit.node.id, model) if model else unit.node.id, option)
    (fighter,) = heresy.sides_from_roster(army.state)
    crafted = [one.name for group in fighter.side.models for one in group.weapons if "Master-crafted" in one.rules]
    assert crafted == [weapon]
    assert option not in fighter.unknown


@pytest.mark.parametrize(
    ("catalogue", "name", "option"),
    [
        ("Titan", "Warlord Battle Titan", "Arioch Power Claw with Vulkan Megabolter"),
        ("Lords of War", "LA - Mastodon", "Hull (Front) Mounted Hunter Killer Missiles"),
        ("Sisters", "Knight Centura", "Melee Weapon"),  # to be master-crafted, and none is chosen
    ],
)
def test_what_the_data_names_without_a_row_is_named(data: Path, catalogue: str, name: str, option: str) -> None:
    library = library_in(data / HERESY)
    unit = next(units(library, catalogue, named=name))
    army = ListBuilding(library)
    army.roster, army.count = unit.state.roster, 1000  # ids of its own
    where = next(node.id for node in unit.node.walk() for offer, _ in army.offered(node.id) if offer.name == option)
    army.take(where, option)
    (fighter,) = heresy.sides_from_roster(army.state)
    assert option in fighter.unknown


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("Heavy Support Squad", "T: Legionary"),
        ("Praetorian Breacher Squad", "Move, WS, BS, S, T, W, I, A, Ld, Save: Praetorian"),
    ],
)
def test_characteristics_left_empty_are_named(data: Path, name: str, told: str) -> None:
    """Where the list is checked and where the unit fights; its sergeant's Toughness is all that there is to wound."""
    unit = next(units(library_in(data / HERESY), "XIII: Ultramarines", named=name))
    (fighter,) = heresy.sides_from_roster(unit.state)
    facts = heresy_documents.Facts()
    reading = heresy_documents.Translator.translate(unit.state, facts, points_limit=None, alliance_levels={})
    names, _, model = told.partition(": ")
    assert told in fighter.unknown
    assert f"{model}: the game data leaves {names} empty; nothing is checked by it." in {
        finding.message.en for finding in reading.findings
    }


def test_who_has_nothing_to_shoot_with_says_so(data: Path) -> None:
    """The gun of a Heavy Ordnance Battery is still to be chosen; its crew has pistols."""
    unit = next(units(library_in(data / HERESY), "Militia", named="IM - Heavy Ordnance Battery"))
    (fighter,) = heresy.sides_from_roster(unit.state)
    told = [text for text in fighter.unknown if text.startswith("Weapons: ")]
    assert told == ["Weapons: Earthshaker Gun Carriage"]


@pytest.mark.parametrize(
    ("folder", "catalogue", "name", "units_in_it"),
    [
        (
            "wh40k-7th-edition",
            "Astra Militarum",
            "Infantry Platoon",
            [
                ("Infantry Squad", 50, "troops", "9 Guardsman; 1 Sergeant"),
                ("Infantry Squad", 50, "no_slot", "9 Guardsman; 1 Sergeant"),
                ("Platoon Command Squad", 30, "no_slot", "4 Guardsman w/ Lasgun; 1 Platoon Commander"),
            ],
        ),
        (
            "wh40k-7th-edition",
            "Astra Militarum",
            "Emperor's Blade Assault Company",
            [
                ("Company Command Squad", 60, "Formation", "4 Veteran w/ Lasgun; 1 Company Commander"),
                ("Chimera", 65, "dedicated_transport", "1 Chimera"),
                ("Hellhound Squadron", 125, "Formation", "1 Hellhound"),
                *(
                    ("Veterans", 60, "Formation", "9 Veteran w/ Lasgun; 1 Veteran Sergeant"),
                    ("Chimera", 65, "dedicated_transport", "1 Chimera"),
                )
                * 3,
            ],
        ),
        (
            "wh40k-7th-edition",
            "Orks",
            '"Green Tide"',  # "All of the units of Boyz and the Warboss form a single unit"
            [('"Green Tide"', 660, "Formation", "100 Boy; 1 Warboss")],
        ),
        (
            "wh40k-6th-1.14b",
            "Orks",
            "'Dread Mob'",
            [
                ("Deff Dread", 85, "Battle Formation", "1 Deff Dread"),
                ("Deff Dread", 85, "Battle Formation", "1 Deff Dread"),
                ("Killa Kans", 120, "Battle Formation", "3 Killa Kan"),
                ("Killa Kans", 120, "Battle Formation", "3 Killa Kan"),
            ],
        ),
        (
            "wh40k-6th-1.14b",
            "Orks",
            "Grot Tank Battle Mob (FW)",  # one unit, though each tank is an entry of a unit
            [("Grot Tank Battle Mob (FW)", 105, "elites", "3 Grot Tank")],
        ),
    ],
)
def test_units_of_a_formation_stand_apart(
    data: Path, folder: str, catalogue: str, name: str, units_in_it: list[tuple[str, int, str, str]]
) -> None:
    """Five squads were one unit of fifty that shot at one target, and three squads of Veterans three models."""
    unit = next(units(library_in(data / folder), catalogue, named=name))
    facts = wh40k_documents.Facts()
    army = wh40k_documents.Translator.translate(unit.state, facts, points_limit=None, alliance_levels={}).army
    found = [one for detachment in army.detachments for one in detachment.units if one.id in ids_below(unit.node)]
    fighters = {fighter.unit: fighter for fighter in wh40k.sides_from_roster(unit.state)}
    assert [
        (
            one.name,
            one.points,
            one.role,
            "; ".join(f"{group.count} {group.name}" for group in fighters[one.id].side.models),
        )
        for one in found
    ] == units_in_it
    assert sum(fighters[one.id].points for one in found) == sum(one[1] for one in units_in_it)


def test_a_gun_that_the_data_names_otherwise_is_no_second_one(data: Path) -> None:
    """Bikers of 2015 fired the data's "Boltgun" of type "Rapid Fire, Twin-Linked" and that of their codex besides."""
    found = [one for one in units(library_in(data / "wh40k-7th-edition"), "Space Marines") if "Bike Squad" in one.name]
    carried = {one.name: described(wh40k.sides_from_roster(one.state)[0]) for one in found}
    assert carried["Scout Bike Squad"] == (
        "2 Scout Biker A1: Bolt Pistol, Boltgun, Shotgun; 1 Scout Biker Sergeant A1: Bolt Pistol, Boltgun, Shotgun"
    )
    assert all("boltgun" not in text for text in carried.values()), carried


def ids_below(node: Any) -> set[str]:
    return {below.id for below in node.walk()}


@pytest.mark.parametrize(
    ("folder", "catalogue", "name", "fighters"),
    [
        ("wh40k-6th-1.14b", "Imperial Knights", "Knight Paladin", wh40k.sides_from_roster),
        ("wh40k-6th-1.14b", "Imperial Knights", "Knight Errant", wh40k.sides_from_roster),
        (HERESY, "Questoris Household", "Knight Questoris", heresy.sides_from_roster),
    ],
)
def test_the_cannon_and_the_stubber_of_a_knight_are_both_fired(
    data: Path, folder: str, catalogue: str, name: str, fighters: Callable[..., Sequence[Any]]
) -> None:
    """They were two ways to fire one gun, because the knight, or one selection, shows them both."""
    unit = next(units(library_in(data / folder), catalogue, named=name))
    (fighter,) = fighters(unit.state)
    assert fighter.modes == ()


@pytest.mark.parametrize(
    ("name", "distance", "hits", "before"),
    [
        ("Rapier Battery", 30, 64 / 9, 21.3),  # one gun of eight twin-linked shots at 3+
        ("Sky-Hunter Squadron", 30, 8.0, 16.0),  # three heavy bolters of four shots at 3+
        ("Outrider Squadron", 20, 8 / 3, 5.3),  # three twin-linked bolters of one shot at 3+
        ("Predator Squadron", 30, 8.0, 16 / 3),  # two heavy bolters and a cannon of four shots each at 3+
    ],
)
def test_hits_of_weapons_that_were_miscounted(
    data: Path, name: str, distance: float, hits: float, before: float
) -> None:
    """At a Tactical Squad; `before` is what was told when every model fired them, or a pair of guns was one."""
    by_name: dict[str, CommunityUnit] = {}
    for unit in units(library_in(data / HERESY), "Sons of Horus"):
        by_name.setdefault(unit.name, unit)
    (shooter,) = heresy.sides_from_roster(by_name[name].state)
    (target,) = heresy.sides_from_roster(by_name["Tactical Squad"].state)
    found = simulate(pair_request(shooter, target, conditions=Conditions(distance=distance)))
    assert found.metrics["hits"] == pytest.approx(hits, abs=0.05)
    assert abs(hits - before) > 2


def test_a_boltgun_in_the_name_of_models_is_the_bolter_of_their_unit(data: Path) -> None:
    """“Prosecutor w/ Boltguns” was said to have something that nobody understood, bolter in hand."""
    unit = next(units(library_in(data / HERESY), "Sisters", named="Prosecutor Cadre"))
    (fighter,) = heresy.sides_from_roster(unit.state)
    assert "Bolter" in described(fighter)
    assert "Boltguns" not in fighter.unknown


@pytest.mark.parametrize(
    ("distance", "fired"),
    [(12, set()), (35, {"Conversion Beam Cannon (2)"}), (50, {"Conversion Beam Cannon (3)"})],
)
def test_a_conversion_beamer_is_fired_by_the_row_of_its_distance(data: Path, distance: float, fired: set[str]) -> None:
    """Its strongest row, that of more than 42 inches, was fired at any distance; near by, other guns are better."""
    library = library_in(data / HERESY)
    unit = next(units(library, "Mechanicum", named="Knight Moirax Talon"))
    army = ListBuilding(library)
    army.roster, army.count = unit.state.roster, 1000  # ids of its own
    army.swap(army.child(unit.node.id, "Knight Moirax"), "Volkite Veuglaire", "Conversion Beam Cannon")
    (shooter,) = heresy.sides_from_roster(army.state)
    target = next(units(library, "Sons of Horus", named="Tactical Squad"))
    (enemy,) = heresy.sides_from_roster(target.state)
    request = pair_request(shooter, enemy, conditions=Conditions(distance=distance))
    assert request.attacker is not None
    guns = {weapon.name for group in request.attacker.models for weapon in group.weapons}
    assert {name for name in guns if name.startswith("Conversion")} == fired


@pytest.mark.parametrize(
    ("catalogue", "name", "named", "silent"),
    [
        ("Custodes", "Aquilon Terminator Squad", {"Invulnerable Save: Aquilon"}, set()),
        ("Dark Angels", "Terminator Tartaros Squad", set(), {"Invulnerable Save: Legion Tartaros"}),
        ("Dark Angels", "Leviathan Dreadnought Talon", set(), {"Hammer of Wraith (3)"}),
        ("Dark Angels", "Javelin Squadron", set(), {"Harbingers of the Legion"}),
        ("Dark Angels", "Techmarine Covenant", set(), {"Techmarine Covenant"}),
    ],
)
def test_what_is_missing_is_named_and_nothing_else(
    data: Path, catalogue: str, name: str, named: set[str], silent: set[str]
) -> None:
    """The data prints no Terminator armour of some; misspelt rules and those of lists and deployment are no gap."""
    unit = next(units(library_in(data / HERESY), catalogue, named=name))
    unknown = {text for fighter in heresy.sides_from_roster(unit.state) for text in fighter.unknown}
    assert named <= unknown
    assert not silent & unknown
    assert named or not any(text.startswith("Invulnerable Save") for text in unknown)
