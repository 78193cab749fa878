"""Units of the community's Fantasy data: how many models stand, what they ride, wear and fire."""

import pytest

from armybuilder.armylists import edits as e
from armybuilder.datafiles.models import PublishedSystem
from armybuilder.engine.systems.fantasy_8th.roster.fighters import sides_from_roster, units_without_fighters
from tests.armylists.fantasy_muster import (
    BEASTMEN,
    CHAOS_DWARFS,
    COMMAND,
    DAEMONS,
    DARK_ELVES,
    EMPIRE,
    HIGH_ELVES,
    LIZARDMEN,
    OGRES,
    ORCS,
    SKAVEN,
    TOMB_KINGS,
    VAMPIRES,
    WOOD_ELVES,
    Recruiter,
    empire,
    models_of,
    muster_of,
)

__all__ = ["muster_of"]
pytestmark = pytest.mark.shared


def test_arrows_for_whole_units_are_no_magic_items(muster_of) -> None:  # type: ignore[no-untyped-def]
    """Ten archers with the same arrows as ten others: bought by the model, and as often as one likes."""
    army = muster_of(WOOD_ELVES)
    for _ in range(2):
        army.take(models_of(army, army.recruit("Glade Guard")), "Moonfire Shot")
    assert not army.rules() & {"WF-22", "WF-23", "WF-24"}
    assert [unit.magic_items for unit in army.report.army.units] == [(), ()]


def test_ironfists(muster_of) -> None:  # type: ignore[no-untyped-def]
    """An ironfist is worn with a suit of armour, as a shield is."""
    ogres = muster_of(OGRES)
    bulls = ogres.recruit("Ogres")
    ogres.take(models_of(ogres, bulls), "Ironfists")
    assert "WF-32" not in ogres.rules()


def test_skaven_teams_and_handlers(muster_of) -> None:  # type: ignore[no-untyped-def]
    """A Doom-flayer has armour of its own; of handlers and beasts that have a champion each, one leads."""
    skaven = muster_of(SKAVEN)
    skaven.recruit("Clanrats", "Doom-flayer")
    pack = skaven.recruit("Rat Ogres")
    skaven.take(skaven.find(pack, "Packmaster").id, "Master Moulder")
    skaven.take(models_of(skaven, pack), "Champion")
    units = {unit.name: unit for unit in skaven.report.army.units}
    assert units["Clanrats"].armour == ("Light Armour",)
    assert units["Rat Ogres"].command == ("champion",)
    assert not skaven.rules() & {"WF-32", "WFX-07"}


def test_a_suit_that_is_bought_is_worn_instead_of_the_one_that_comes_with_the_model(muster_of) -> None:  # type: ignore[no-untyped-def]
    """The data gives a Dreadlord his light armour for good; his book lets him exchange it for heavy armour."""
    elves = muster_of(DARK_ELVES)
    lord = elves.recruit("Dreadlord")
    assert next(unit for unit in elves.report.army.units).armour == ("Light Armour",)
    elves.take(lord, "Heavy Armor")
    assert next(unit for unit in elves.report.army.units).armour == ("Heavy Armour",)
    assert "WF-32" not in elves.rules()


def test_wizards_in_armour_wear_magic_armour(muster_of) -> None:  # type: ignore[no-untyped-def]
    """Blackshard Armour is a rule in the data, no row of armour; a Vampire may take armour though he has none."""
    dwarfs = muster_of(CHAOS_DWARFS)
    smith = dwarfs.recruit("Daemonsmith Sorcerer")
    dwarfs.take(dwarfs.find(smith, "Deamonsmith Sorcerer").id, "BRB - Enchanted Shield")
    (unit,) = dwarfs.report.army.units
    assert (unit.wizard_level, unit.armour, unit.magic_items) == (1, ("Blackshard Armour",), ("Enchanted Shield",))
    assert "WF-26" not in dwarfs.rules()


def test_a_named_character_taken_twice_is_one_finding(muster_of) -> None:  # type: ignore[no-untyped-def]
    """That there are two of him is said; that there are two of his items, or more than his entry allows, follows."""
    beastmen = muster_of(BEASTMEN, points=4000)
    beastmen.recruit("Gorthor the Beastlord")
    beastmen.recruit("Gorthor the Beastlord")
    about_him = [finding.rule for finding in beastmen.report.findings if finding.unit_id is not None]
    assert about_him.count("WFX-06") == 1
    assert not {"WF-22", "WFX-02", "WFX-03", "BS-02"} & set(about_him)
    beastmen.recruit("Moonclaw, Son of Morrslieb")  # whose type in the data is "Infantry", no more
    beastmen.recruit("Moonclaw, Son of Morrslieb")
    about_them = [finding.rule for finding in beastmen.report.findings if finding.unit_id is not None]
    assert (about_them.count("WFX-06"), about_them.count("BS-02")) == (2, 0)
    PublishedSystem.objects.update(conventions=False)  # without the convention the data's own limit is told
    assert "BS-02" in beastmen.rules()


def test_what_a_unit_cannot_take_is_named_once(muster_of) -> None:  # type: ignore[no-untyped-def]
    """A Prince without a level has no lore: what he chose is named, not the group it stands in."""
    army = muster_of(DAEMONS)
    army.take(army.recruit("Daemon Prince"), "Lore of Death")
    said = [finding.message.en for finding in army.report.findings if finding.rule == "WFX-03"]
    assert said == ["Daemon Prince cannot take “Lore of Death”."]


def test_the_level_of_a_wizard_may_be_a_special_rule(muster_of) -> None:  # type: ignore[no-untyped-def]
    """Drycha has no option for it, but the rule "Wizard Level 2 (Lore of Shadows)"."""
    elves = muster_of("Wood Elves - 8thBRB_8thAB.catz")
    elves.recruit("Drycha")
    (unit,) = elves.report.army.units
    assert unit.wizard_level == 2
    (fighter,) = sides_from_roster(elves.report.state)
    assert fighter.wizard_level == 2
    assert not [told for told in fighter.unknown if "Level" in told], "it is used, and was named as not understood"


@pytest.mark.parametrize(
    ("book", "name", "told"), [(ORCS, "Gitilla da Hunter", False), (BEASTMEN, "Gorthor the Beastlord", True)]
)
def test_a_magic_bow_is_no_weapon_of_close_combat(muster_of, book: str, name: str, *, told: bool) -> None:  # type: ignore[no-untyped-def]
    """Gitilla shoots his Bone Bow and fights with his spear; Gorthor fights with The Impaler alone."""
    army = muster_of(book)
    army.recruit(name)
    assert ("WF-38" in army.rules()) is told


def test_a_second_black_coach_may_be_taken(muster_of) -> None:  # type: ignore[no-untyped-def]
    """Its entry allows the list two, and one beside others: a word of older files, which said nothing of units."""

    def told(muster: Recruiter) -> list[str]:
        coaches = (finding for finding in muster.report.findings if finding.message.en.startswith("Black Coach"))
        return [finding.rule for finding in coaches]

    muster = muster_of(VAMPIRES)
    for expected in ([], [], ["WF-13"]):
        muster.recruit("Black Coach")
        assert told(muster) == expected


def test_a_weapon_team_stands_beside_its_regiment(muster_of) -> None:  # type: ignore[no-untyped-def]
    """It was one of its models, the rats wore its heavy armour, and its thrower was carried by nobody."""
    army = muster_of(SKAVEN)
    general = army.recruit("Warlord")
    army.recruit("Clanrats", "Warpfire Thrower", *COMMAND, Clanrats=30)
    army.recruit("Stormvermin", "Poisoned Wind Mortar")
    army.facts(general=general)
    report = army.report
    found = {unit.name: (unit.models, unit.points, unit.category) for unit in report.army.units}
    assert found.keys() == {"Warlord", "Clanrats", "Warpfire Thrower", "Stormvermin", "Poisoned Wind Mortar"}
    assert found["Clanrats"] == (30, 30 * 4 + 8 + 8 + 4, "core")
    assert found["Warpfire Thrower"] == (1, 70, "core")
    assert "WF-06" in {finding.rule for finding in report.findings}, "two choices are no three units"
    fighters = {fighter.name: fighter.side.models for fighter in sides_from_roster(report.state)}
    assert [(group.count, group.armour) for group in fighters["Clanrats"]] == [
        (29, ("Light Armour",)),
        (1, ("Light Armour",)),
    ]
    (team,) = fighters["Warpfire Thrower"]
    assert [getattr(weapon, "name", weapon) for weapon in team.weapons] == ["Warpfire Thrower", "Hand Weapon"]
    assert (team.profile.W, team.armour) == (1, ("Heavy Armour",))
    thrower = team.weapons[0]
    assert (thrower.range, thrower.works_as) == ("Template", "fire thrower"), "by “artillery dice” it struck blows"


def test_rats_do_not_wear_what_their_master_wears(muster_of) -> None:  # type: ignore[no-untyped-def]
    army = muster_of(SKAVEN)
    army.recruit("Rat Ogres")
    fighters = {fighter.name: fighter.side.models for fighter in sides_from_roster(army.report.state)}
    assert {group.name: group.armour for group in fighters["Rat Ogres"]} == {
        "Rat Ogre": (),
        "Packmaster": ("Light Armour",),
    }


MOUNTED = [
    (TOMB_KINGS, "Tomb King", "Skeleton Chariot (Replaces the crew)", "chariot", 3, ("Skeletal Steed", 2), ()),
    (TOMB_KINGS, "Tomb King", "Khemrian Warsphinx (Replaces the crew)", "monster", 4, ("Khemrian Warsphinx", 4), ()),
    (HIGH_ELVES, "Prince", "Tiranoc Chariot (replacing 1 crew)", "chariot", 4, ("Elven Steed x2", 2), ("Crew x1",)),
    (ORCS, "Orc Warboss", "Orc Boar Chariot (replaces one crew)", "chariot", 4, ("War Boar", 2), ("Orc Crew",)),
    (DARK_ELVES, "Dreadlord", "Cold One", "cavalry", 3, ("Cold One", 2), ()),
    (DARK_ELVES, "Master", "Dark Steed", "cavalry", 2, ("Dark Steed", 1), ()),
    (DARK_ELVES, "Master", "Dark Pegasus", "monstrous_cavalry", 2, ("Dark Pegasus", 2), ()),
    (DARK_ELVES, "Dreadlord", "Black Dragon", "monster", 3, ("Black Dragon", 5), ()),
]
"""What a character becomes on his mount, his Wounds, the mount with its Attacks, and who else stands on the chariot."""


@pytest.mark.parametrize(("book", "name", "mount", "kind", "wounds", "beast", "crew"), MOUNTED)
def test_what_a_character_rides(  # type: ignore[no-untyped-def]
    muster_of, book: str, name: str, mount: str, kind: str, wounds: int, beast: tuple[str, int], crew: tuple[str, ...]
) -> None:
    """A chariot "(replaces one crew)" was crew itself, and he stood on foot; Dark Elves print no types of mounts."""
    army = muster_of(book)
    army.recruit(name, mount)
    (unit,) = army.report.army.units
    assert (unit.troop_type, unit.mounted) == (kind, True)
    (fighter,) = sides_from_roster(army.report.state)
    (group,) = fighter.side.models
    assert (group.troop_type, group.profile.W) == (kind, wounds)
    assert (group.mount.name, group.mount.profile.A) == beast
    assert tuple(one.name for one in group.crews) == crew


def test_a_chariot_without_a_row_is_one_all_the_same(muster_of) -> None:  # type: ignore[no-untyped-def]
    """The data has no characteristics of a Dreadlord's Cold One Chariot, which is said wherever he stands or fights."""
    army = muster_of(DARK_ELVES)
    army.recruit("Dreadlord", "Cold One Chariot")
    (unit,) = army.report.army.units
    assert (unit.troop_type, unit.mounted) == ("chariot", True)
    told = [finding.message.en for finding in army.report.findings if finding.rule == "BS-05"]
    assert "Cold One Chariot: the game data has no characteristics of it." in told
    (fighter,) = sides_from_roster(army.report.state)
    assert "Cold One Chariot" in fighter.unknown


def test_a_lord_on_his_shield_is_on_foot(muster_of) -> None:  # type: ignore[no-untyped-def]
    dwarfs = muster_of("Dwarfs - 8thBRB_8thAB.catz")
    dwarfs.recruit("Lord", "Shieldbearers")
    (lord,) = dwarfs.report.army.units
    assert (lord.troop_type, lord.mounted) == ("infantry", False)


def test_who_cannot_join_is_told_one_reason(muster_of) -> None:  # type: ignore[no-untyped-def]
    """A Hellcannon is a monster, and unbreakable; whoever is named General and bears the standard has one fault."""
    army = muster_of("Warriors of Chaos - 8thBRB_8thAB.catz")
    hero = army.recruit("Exalted Hero", "Battle Standard Bearer")
    army.recruit("Chaos Lord")
    army.facts(general=hero)
    army.unit_facts(hero, joined_to=army.recruit("Hellcannon"))
    about_him = [finding for finding in army.report.findings if finding.unit_id == hero]
    assert {finding.rule for finding in about_him} & {"WF-04", "WF-14", "WF-46", "WF-48"} == {"WF-14", "WF-46"}
    (joining,) = (finding for finding in about_him if finding.rule == "WF-46")
    assert joining.message.en == "Exalted Hero cannot join Hellcannon: it is a monster."
    assert "WF-04" not in army.rules()


@pytest.mark.parametrize(
    ("book", "name", "mount", "breath", "left"),
    [
        (
            "Warriors of Chaos - 8thBRB_8thAB.catz",
            "Chaos Lord",
            "Chaos Dragon",
            "4, Flaming Attacks",
            "Fumes of Contagion",
        ),
        (HIGH_ELVES, "Prince", "Star Dragon", "4, Flaming Attacks", None),
        (DARK_ELVES, "Dreadlord", "Black Dragon", "4", "Noxious Breath"),
        (WOOD_ELVES, "Glade Lord", "Forest Dragon", "2", "-3 Armour Save against attacks"),
        (DAEMONS, "Skarbrand", None, "5", None),
        (EMPIRE, "Karl Franz, The Emperor", "Imperial Dragon", "4, Flaming Attacks", None),
    ],
)
def test_what_a_dragon_breathes(  # type: ignore[no-untyped-def]
    muster_of, book: str, name: str, mount: str | None, breath: str, left: str | None
) -> None:
    """Data prints it as a weapon with a template for range, or as a rule whose text says its Strength."""
    army = muster_of(book, points=4000)
    army.recruit(name, *(() if mount is None else (mount,)))
    (fighter,) = sides_from_roster(army.report.state)
    assert f"Breath Weapon ({breath})" in fighter.side.models[0].rules
    assert left is None or left in fighter.unknown
    assert not {"Dragon Fire", "Fiery Breath", "Dark Fire of Chaos", "Bellow of Endless Fury"} & set(fighter.unknown)


def test_units_without_a_row_are_named_where_they_would_fight(muster_of) -> None:  # type: ignore[no-untyped-def]
    """The data has no characteristics of a Chaos Siege Giant, who was missing from a battle without a word."""
    army = muster_of(CHAOS_DWARFS)
    army.recruit("Daemonsmith Sorcerer")
    army.recruit("Chaos Siege Giant")
    state = army.report.state
    assert [fighter.name for fighter in sides_from_roster(state)] == ["Daemonsmith Sorcerer"]
    assert units_without_fighters(state) == ("Chaos Siege Giant",)


SISTERS = [
    ("Gwindalor (Great Eagle)", "monstrous_cavalry", ["Naestra", "Arahan"], [["Talon of Dawn"], ["Talon of Dusk"]], ()),
    ("Ceithin-Har (Forest Dragon)", "monster", ["Naestra"], [["Talon of Dawn", "Talon of Dusk"]], ("Arahan",)),
]
"""What the Sisters of Twilight ride, of what type they are then, the models, their bows, and who rides behind."""


@pytest.mark.parametrize(("mount", "kind", "models", "bows", "behind"), SISTERS)
def test_two_who_ride_one_beast(  # type: ignore[no-untyped-def]
    muster_of, mount: str, kind: str, models: list[str], bows: list[list[str]], behind: tuple[str, ...]
) -> None:
    """Both shot both bows, and the second walked; on the dragon she is part of the one model."""
    army = muster_of(WOOD_ELVES, points=4000)
    unit = army.recruit("Naestra and Arahan")
    army.edit(e.Remove(node_id=army.find(unit, "Gwindalor (Great Eagle)").id))
    army.take(unit, mount)
    (fighter,) = sides_from_roster(army.report.state)
    groups = fighter.side.models
    assert ([group.name for group in groups], {group.troop_type for group in groups}) == (models, {kind})
    assert [[weapon.name for weapon in group.weapons] for group in groups] == bows
    assert (groups[0].profile.A, tuple(crew.name for crew in groups[0].crews)) == (3, behind)
    assert groups[0].mount is not None
    assert all(group.mount is None for group in groups[1:])


def test_handlers_are_not_what_the_unit_is(muster_of) -> None:  # type: ignore[no-untyped-def]
    """Two Rat Ogres stand on selections of their own, and one Packmaster: they were infantry, and fit for the tower."""
    army = muster_of(SKAVEN)
    army.recruit("Rat Ogres")
    (unit,) = army.report.army.units
    assert (unit.troop_type, unit.models) == ("monstrous_infantry", 3)


def test_who_has_a_lance_rides(muster_of) -> None:  # type: ignore[no-untyped-def]
    """The data has no row of the Nightmares of Blood Knights and no type of theirs, but "mounted models only"."""
    army = muster_of(VAMPIRES)
    army.recruit("Blood Knights")
    (unit,) = army.report.army.units
    assert (unit.troop_type, unit.mounted) == ("cavalry", True)
    told = [finding.message.en for finding in army.report.findings if finding.rule == "BS-05"]
    assert told == ["Blood Knights: the troop type “-” is not recognised; it is checked as cavalry."]
    (fighter,) = sides_from_roster(army.report.state)
    assert {group.troop_type for group in fighter.side.models} == {"cavalry"}


def test_a_rule_in_the_singular_is_the_same_rule(muster_of) -> None:  # type: ignore[no-untyped-def]
    """Wood Elves have "Skirmisher" and "Scout": a mounted captain joined Waywatchers without a word."""
    army = muster_of(WOOD_ELVES)
    captain = army.recruit("Glade Captain", "Elven Steed")
    army.unit_facts(captain, joined_to=army.recruit("Waywatchers"))
    assert {"WF-50", "WF-75"} <= army.rules()


def test_the_level_may_stand_on_the_character_within_his_unit(muster_of) -> None:  # type: ignore[no-untyped-def]
    """Drazhoath has "Level 4 Wizard" beside his monster, and was no wizard."""
    army = muster_of(CHAOS_DWARFS, points=4000)
    army.recruit("Drazhoath the Ashen, Prophet of Hashut")
    (unit,) = army.report.army.units
    assert unit.wizard_level == 4


def test_a_chariot_has_no_weapon_to_choose(muster_of) -> None:  # type: ignore[no-untyped-def]
    """Of a Tuskgor Chariot's crew one has a spear and one a great weapon: nobody chooses between them (WF-59)."""
    army = muster_of(BEASTMEN)
    army.recruit("Tuskgor Chariot")
    (unit,) = army.report.army.units
    assert (unit.troop_type, unit.weapons) == ("chariot", ())
    (fighter,) = sides_from_roster(army.report.state)
    assert [crew.weapons for crew in fighter.side.models[0].crews] == [("Great Weapon",), ("Cavalry spear",)]
    assert "WF-59" not in army.rules()


@pytest.mark.parametrize(
    ("files", "rider", "mount", "weapons"),
    [
        ((TOMB_KINGS,), "Tomb Prince", "Skeleton Chariot (Replaces the crew)", ("Hand Weapon", "Cavalry spear")),
        ((TOMB_KINGS,), "Tomb Herald", "Skeletal Steed", ("Hand Weapon", "Cavalry spear")),
        ((TOMB_KINGS,), "Tomb Herald", None, ("Hand Weapon", "Spear")),
        ((HIGH_ELVES,), "Noble", "Elven Steed", ("Hand Weapon", "Cavalry spear")),
    ],
)
def test_a_spear_is_one_weapon(  # type: ignore[no-untyped-def]
    muster_of, files: tuple[str, ...], rider: str, mount: str | None, weapons: tuple[str, ...]
) -> None:
    """The data prints one row for the spear on foot and one for it mounted: nobody chooses (WF-59, WF-60)."""
    army = muster_of(*files)
    army.recruit(rider, "Spear", *filter(None, (mount,)))
    (unit,) = army.report.army.units
    assert unit.weapons == weapons
    assert army.rules().isdisjoint({"WF-59", "WF-60"})


def test_allies_are_led_by_the_highest_leadership(muster_of) -> None:  # type: ignore[no-untyped-def]
    """A list names one General, so that every allied army was without one, whatever the player did (WFX-08)."""
    army = muster_of(EMPIRE, SKAVEN)
    empire(army)
    own = next(unit.id for unit in army.report.army.units if unit.general)
    army.ally("Skaven")
    for name in ("Warlord", "Chieftain"):
        army.recruit(name)
    for _ in range(3):
        army.recruit("Clanrats", Clanrats=30)
    leaders = {unit.army: unit.name for unit in army.report.army.units if unit.general}
    assert leaders == {0: "General of the Empire", 1: "Warlord"}
    assert "WFX-08" not in army.rules()
    army.edit(e.Remove(node_id=next(unit.id for unit in army.report.army.units if unit.name == "Clanrats")))
    (told,) = (finding for finding in army.report.findings if finding.rule == "WFX-08")
    assert "“skaven” has errors: You need at least three units" in told.message.en
    army.facts(general=None)
    assert own not in {unit.id for unit in army.report.army.units if unit.general}
    assert "WF-01" in army.rules(), "nobody leads for the player"


def test_what_only_one_unit_may_take_is_told_so(muster_of) -> None:  # type: ignore[no-untyped-def]
    """Each of two units of Maneaters took it once, and read that it took it more than once."""
    ogres = muster_of(OGRES)
    for _ in range(2):
        unit = ogres.recruit("Maneaters")
        ogres.take(unit, "Stubborn")
    told = {finding.message.en for finding in ogres.report.findings if finding.rule == "WFX-03"}
    assert told == {"Maneaters cannot take “Stubborn” more than once in the army."}


def test_a_spear_that_counts_on_the_charge_is_that_of_cavalry(muster_of) -> None:  # type: ignore[no-untyped-def]
    """Dark Riders carry "Spear", whose row is the cavalry's: they were told to use the one that they have (WF-60)."""
    elves = muster_of(DARK_ELVES)
    elves.recruit("Dark Riders")
    elves.recruit("Dreadspears")
    weapons = {unit.name: unit.weapons for unit in elves.report.army.units}
    assert ("Cavalry spear" in weapons["Dark Riders"], "Spear" in weapons["Dreadspears"]) == (True, True)
    assert "WF-60" not in elves.rules()


HOWDAHS = [
    (ORCS, "Goblin Great Shaman", "Arachnarok Spider", (8, "Forest Goblin Crew"), ("Shortbow",)),
    (LIZARDMEN, "Skink Priest", "Ancient Stegadon", (4, "Skink Crew"), ("Lustrian Javelin",)),
    (LIZARDMEN, "Skink Chief", "Stegadon", (4, "Skink Crew"), ("Lustrian Javelin", "Giant Bow (bolt thrower)")),
    (DAEMONS, "Herald of Khorne", "Blood Throne of Khorne", (2, "Bloodletter Crew x2"), ()),
]
"""What a character rides that has a crew, how many they are, and what is shot from it."""


@pytest.mark.parametrize(("book", "name", "mount", "crew", "shot"), HOWDAHS)
def test_the_crew_behind_a_character_fights_and_shoots(  # type: ignore[no-untyped-def]
    muster_of, book: str, name: str, mount: str, crew: tuple[int, str], shot: tuple[str, ...]
) -> None:
    """They and their weapons were named as not understood."""
    army = muster_of(book, points=4000)
    army.recruit(name, mount)
    (fighter,) = sides_from_roster(army.report.state)
    (group,) = fighter.side.models
    assert [(one.count, one.name) for one in group.crews] == [crew]
    carried = [weapon if isinstance(weapon, str) else weapon.name for weapon in group.weapons]
    assert carried[1:] == list(shot)
    assert not {crew[1], *shot} & set(fighter.unknown)
