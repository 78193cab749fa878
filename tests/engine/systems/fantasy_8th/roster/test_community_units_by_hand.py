"""Single units of the community's Fantasy data as fighters: what each had wrongly once, by hand from the data's text.

Rules that the data only names are those of the published army books.
"""

from pathlib import Path

import pytest

from armybuilder.engine.systems.fantasy_8th.combat import rules_in_force, special_rules
from armybuilder.engine.systems.fantasy_8th.combat.saves import armour_save
from armybuilder.engine.systems.fantasy_8th.roster import fighters as fantasy
from tests.engine.systems.roster_reading.community_units import FANTASY, described, library_in, units
from tests.fixtures.building import ListBuilding

pytestmark = pytest.mark.shared


@pytest.fixture(scope="module")
def data(shared: Path) -> Path:
    """The folder of the community's data sets."""
    return shared / "battlescribe" / "data"


@pytest.mark.parametrize(
    ("catalogue", "name", "weapon", "strength", "saves", "unknown"),
    [
        ("Orcs & Goblins", "Grimgor Ironhide", "Gitsnik", "+2", ("1+", "5+"), {"Da Immortalz", "Waaagh!"}),
        (
            "Ogre Kindoms",
            "Greasus Goldtooth",
            "Sceptre of the Titans",
            10,
            (None, "4+"),
            {"Overtyrant's Crown", "Everyone Has Their Price", "Hoardmaster"},
        ),
        (
            "High Elves - Army Book (2013-4) -V8.8",
            "Caradryan",
            "The Phoenix Blade",
            "+1",
            (None, "4+"),
            {"Mark of Asuryan", "Valour of Ages", "Witness to Destiny"},
        ),
    ],
)
def test_named_characters_fight_with_their_own_weapons_and_saves(
    data: Path,
    catalogue: str,
    name: str,
    weapon: str,
    strength: int | str,
    saves: tuple[str | None, str | None],
    unknown: set[str],
) -> None:
    """Grimgor struck with a bare hand, and Greasus had no ward save; what the data says besides is still named."""
    found = units(library_in(data / "whfb", *FANTASY), catalogue, named=name)
    (fighter,) = fantasy.sides_from_roster(next(found).state)
    (group,) = fighter.side.models
    (wielded,) = group.weapons
    assert (wielded.name, wielded.S, "Magical Attacks" in wielded.rules) == (weapon, strength, True)
    assert (group.profile.Sv, group.profile.Ward) == saves
    assert set(fighter.unknown) == unknown


@pytest.mark.parametrize(
    ("book", "name", "save", "attacks"),
    [
        ("Dark Elves - 8thBRB", "Lokhir Fellheart", 4, 4),  # a cloak of 5+ and a helm; The Red Blades are a pair
        ("Warriors of Chaos - 8thBRB", "Valkia the Bloody", 2, 6),  # The Scarlet Armour of 3+ and the Daemonshield
        ("High Elves - 8thBRB_8th", "Eltharion the Grim", 4, 4),  # heavy armour and The Helm of Yvresse
        ("Lizardmen - 8thBRB", "Gor-Rok", 2, 4),  # scaly skin of 4+ and The Shield of Aeons, -2
        ("Lizardmen - 8thBRB", "Chakax", 3, 4),  # scaly skin of 5+, light armour and a helm
    ],
)
def test_helms_and_shields_of_army_books_better_the_save(
    data: Path, book: str, name: str, save: int, attacks: int
) -> None:
    """They were named and gave nothing; the rulebook gives whoever wields a pair an Attack more (L2145)."""
    found = next(units(library_in(data / "whfb", "Warhammer Fantasy 8th", book), named=name))
    (fighter,) = fantasy.sides_from_roster(found.state)
    assert armour_save(fighter.side, fighter.side.main, "shooting") == save
    rules = [rule for arm in fighter.side.main.weapons if not isinstance(arm, str) for rule in arm.rules]
    pair = "extra_attack" in special_rules.in_force(rules)
    assert fighter.side.main.profile.A + pair == attacks


@pytest.mark.parametrize(
    ("book", "name", "save"),
    [
        ("Lizardmen - 8thBRB", "Saurus Warriors", 4),  # 5+ and a shield
        ("Lizardmen - 8thBRB", "Temple Guard", 3),  # 5+, light armour, a shield
        ("Lizardmen - 8thBRB", "Cold One Riders", 2),  # 5+, a shield, mounted on a thick skin
        ("Lizardmen - 8thBRB", "Terradon Riders", 5),  # 6+, mounted
        ("Lizardmen - 8thBRB", "Kroxigor", 4),
        ("Daemons of Chaos - 8thBRB", "Bloodletters of Khorne", 6),  # 6+ in the column, and again as a rule
        ("Daemons of Chaos - 8thBRB", "Bloodcrushers of Khorne", 4),  # 6+ and +2 of the Juggernaut
        ("Chaos Dwarfs LoA", "Bull Centaur Renders", 3),  # with a skin of 5+ and heavy armour, all in one
        ("Warriors of Chaos - 8thBRB", "Kholek Suneater (FAQ'ed)", 2),  # 4+ and heavy armour
        ("Warriors of Chaos - 8thBRB", "Dragon Ogre Shaggoth", 4),  # 5+ and light armour
        ("Orcs and Goblins - 8thBRB", "Arachnarok Spider", 4),  # natural armour of 4+ in the column and as a rule
        ("Ogre Kingdoms - 8thBRB", "Stonehorn", 4),
        ("Ogre Kingdoms - 8thBRB", "Thundertusk", 5),
        ("High Elves - 8thBRB_8th", "Frostheart Phoenix", 5),
    ],
)
def test_scaly_skin_counts_beside_what_is_worn(data: Path, book: str, name: str, save: int) -> None:
    """A save in the model's row was all it had: a Saurus bore no shield; Bloodletters had it twice (L588-590)."""
    found = next(units(library_in(data / "whfb", "Warhammer Fantasy 8th", book), named=name))
    (fighter,) = fantasy.sides_from_roster(found.state)
    assert armour_save(fighter.side, fighter.side.main, "shooting") == save


@pytest.mark.parametrize(
    ("book", "name", "option", "saves"),
    [
        ("Wood Elves - 8thBRB_8th", "Treeman", "", (3, "6+")),
        ("Wood Elves - 8thBRB_8th", "Araloth", "", (6, "4+")),
        ("Wood Elves - 8thBRB_8th", "Wild Riders", "", (5, "6+")),
        ("Wood Elves - 8thBRB_8th", "Wild Riders", "Wild Riders > Shields", (4, "6+")),
        ("Dark Elves - 8thBRB", "Dark Riders", "", (5, None)),
        ("Dark Elves - 8thBRB", "Dark Riders", "Dark Riders > Shield", (4, None)),
        ("Dark Elves - 8thBRB", "Cold One Knights", "", (2, None)),  # heavy armour, a shield, +2 of a thick skin
        ("Ogre Kingdoms - 8thBRB", "Grimhorn Rhinox Riders", "", (3, None)),  # light armour, +3
        ("Ogre Kingdoms - 8thBRB", "Grimhorn Rhinox Riders", "Rhinox Rider > Heavy Armour", (2, None)),
    ],
)
def test_saves_are_those_that_the_data_writes(
    data: Path, book: str, name: str, option: str, saves: tuple[int, str | None]
) -> None:
    """A save without its plus was none, so Treemen had neither; shields of typed riders were their mounts'."""
    library = library_in(data / "whfb", "Warhammer Fantasy 8th", book)
    unit = next(units(library, named=name))
    army = ListBuilding(library)
    army.roster, army.count = unit.state.roster, 1000  # ids of its own
    if option:
        model, _, taken = option.partition(" > ")
        army.take(army.child(unit.node.id, model), taken)
    (fighter,) = fantasy.sides_from_roster(army.state)
    assert (armour_save(fighter.side, fighter.side.main, "shooting"), fighter.side.main.profile.Ward) == saves
    assert not [told for told in fighter.unknown if "kinned" in told]


@pytest.mark.parametrize(
    ("name", "carried"),
    [
        ("Skeleton Chariots", "3 Skeleton Chariot: Bow, crew 2 A2 (Cavalry spear, Bow), Skeletal Steed x2 A2"),
        ("Khemrian Warsphinx", "1 Khemrian Warsphinx A4: crew 4 A1 (Cavalry spear)"),
    ],
)
def test_what_the_undead_legions_ride(data: Path, name: str, carried: str) -> None:
    """ "x2" stands once for three chariots, and was two steeds for all; the sphinx held the spear of its crew."""
    found = next(units(library_in(data / "whfb", "Warhammer Fantasy 8th", "Undead"), named=name))
    (fighter,) = fantasy.sides_from_roster(found.state)
    assert described(fighter) == carried


@pytest.mark.parametrize(
    ("book", "name", "rules", "ward", "unknown"),
    [
        ("Vampire Counts - 8thBRB", "Zombies", {"fear", "unbreakable", "unstable", "undead"}, None, {"The Newly Dead"}),
        ("Tomb Kings - 8thBRB", "Skeleton Warriors", {"fear", "unbreakable", "unstable", "undead"}, None, set()),
        (
            "Daemons of Chaos - 8thBRB",
            "Plaguebearers of Nurgle",
            {"fear", "immune_to_psychology", "magical_attacks", "daemon", "daemonic_instability"},
            "5+",
            {"Daemonic Gifts", "Daemons of Nurgle"},
        ),
        ("High Elves - 8thBRB_8th", "Archers", {"always_strikes_first"}, None, {"Valour of Ages"}),
        ("Orcs and Goblins - 8thBRB", "Savage Orcs", {"frenzy", "choppas"}, "6+", set()),
        ("Orcs and Goblins - 8thBRB", "Orc Boar Boyz", {"choppas", "swiftstride"}, None, {"Tusker Charge"}),
        (
            "Dark Elves - 8thBRB",
            "Black Guard of Naggarond",
            {"always_strikes_first", "eternal_hatred", "immune_to_psychology", "murderous_prowess", "stubborn"},
            None,
            set(),
        ),
    ],
)
def test_rules_of_army_books_bring_what_they_bring(
    data: Path, book: str, name: str, rules: set[str], ward: str | None, unknown: set[str]
) -> None:
    """The data prints the name alone: the dead fled like mortals and daemons had no ward save."""
    found = next(units(library_in(data / "whfb", "Warhammer Fantasy 8th", book), named=name))
    (fighter,) = fantasy.sides_from_roster(found.state)
    assert rules <= rules_in_force.unit_rules(fighter.side).keys()
    assert (fighter.side.main.profile.Ward, set(fighter.unknown)) == (ward, unknown)


def test_a_spear_of_two_rows_is_one(data: Path) -> None:
    library = library_in(data / "whfb", "Warhammer Fantasy 8th", "High Elves - 8thBRB_8th")
    helm = next(units(library, named="Lothern Sea Helm"))
    (fighter,) = fantasy.sides_from_roster(helm.state)
    assert described(fighter) == "1 Lothern Sea Helm A2: Spear"
    army = ListBuilding(library)
    army.roster, army.count = helm.state.roster, 1000  # ids of its own
    army.take(helm.node.id, "Lothern Skycutter (replacing 2 crew)")
    (riding,) = fantasy.sides_from_roster(army.state)
    assert [weapon for weapon in riding.side.main.weapons if isinstance(weapon, str)] == ["Cavalry spear"]
    assert not {name for name in riding.unknown if "pear" in name}


@pytest.mark.parametrize(
    ("book", "name", "rule", "ward", "unknown"),
    [
        ("Lizardmen - 8thBRB", "Saurus Warriors", "cold_blooded", None, set()),
        ("Lizardmen - 8thBRB", "Skink Cohort", "cold_blooded", None, {"Spawn-kin", "Aquatic"}),
        ("Skaven - 8thBRB", "Clanrats", "strength_in_numbers", None, {"Scurry Away!"}),
        ("Skaven - 8thBRB", "Lord Skreech - Verminking (The End Times)", "terror", "5+", None),
        ("Dwarfs - 8thBRB", "Slayers", "slayer", None, None),
        ("Beastmen - 8thBRB", "Gor Herd", "primal_fury", None, {"Beastmen Ambush"}),
    ],
)
def test_rules_that_the_data_names_are_in_force(
    data: Path, book: str, name: str, rule: str, ward: str | None, unknown: set[str] | None
) -> None:
    """What is left unknown is none of these."""
    found = next(units(library_in(data / "whfb", "Warhammer Fantasy 8th", book), named=name))
    (fighter,) = fantasy.sides_from_roster(found.state)
    assert rule in rules_in_force.unit_rules(fighter.side)
    assert fighter.side.main.profile.Ward == ward
    told = {"Cold-Blooded", "Strength in Numbers", "Slayer", "Primal Fury", "Protection of the Horned Rat"}
    assert told.isdisjoint(fighter.unknown)
    assert unknown is None or set(fighter.unknown) == unknown
