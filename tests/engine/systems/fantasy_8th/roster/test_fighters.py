"""Units of Fantasy rosters as fighters: mounts, crews, champions, weapons, and what is reported."""

import json
from decimal import Decimal

import msgspec
import pytest

from armybuilder.engine.gamedata.links import Library, SourceFile
from armybuilder.engine.roster.evaluate import evaluate
from armybuilder.engine.roster.model import Roster
from armybuilder.engine.roster.state import ProfileState
from armybuilder.engine.systems.fantasy_8th.combat.fighter import Fighter
from armybuilder.engine.systems.fantasy_8th.combat.weapons import of_profile
from armybuilder.engine.systems.fantasy_8th.roster.fighters import attached, sides_from_roster
from armybuilder.engine.systems.fantasy_8th.roster.weapon_rows import weapon_of
from tests.conftest import ROOT
from tests.libraries import compiled_library

FIXTURES = ROOT / "fixtures/fantasy-8th"


def our_library() -> Library:
    """Our own game data."""
    files = sorted(path for path in FIXTURES.iterdir() if path.suffix in (".gst", ".cat"))
    return compiled_library([SourceFile(path.name, path.read_bytes()) for path in files])


def sample(name: str) -> dict[str, Fighter]:
    """Fighters of a sample list, by name."""
    document = json.loads((FIXTURES / "lists" / f"{name}.json").read_bytes())["document"]
    roster = msgspec.convert(document["roster"], Roster)
    return {fighter.name: fighter for fighter in sides_from_roster(evaluate(our_library(), roster))}


@pytest.fixture(scope="module")
def empire() -> dict[str, Fighter]:
    return sample("empire")


@pytest.fixture(scope="module")
def orcs() -> dict[str, Fighter]:
    return sample("orcs-and-goblins")


def test_rank_and_file_with_their_champion(empire: dict[str, Fighter]) -> None:
    halberdiers = empire["Halberdiers"]
    men, sergeant = halberdiers.side.models
    assert (men.count, sergeant.count, halberdiers.models) == (29, 1, 30)
    assert (men.profile.A, sergeant.profile.A) == (1, 2)
    assert men.weapons == ("Halberd",) and men.armour == ("Light Armour",)
    assert set(halberdiers.side.command) == {"champion", "musician", "standard_bearer"}
    assert halberdiers.points == Decimal(210), "the detachment pays for itself"
    assert empire["Handgunner Detachment"].models == 8
    assert halberdiers.unknown == ()


def test_special_weapons_go_before_the_hand_weapon(empire: dict[str, Fighter], orcs: dict[str, Fighter]) -> None:
    assert orcs["Black Orcs"].side.main.weapons == ("Great Weapon",)
    assert empire["Handgunners"].side.main.weapons == ("Hand Weapon", "Handgun")
    assert empire["Swordsmen"].side.main.weapons == ("Hand Weapon",)
    (hand, spores) = orcs["Snotlings"].side.main.weapons
    assert hand == "Hand Weapon"
    assert not isinstance(spores, str) and (spores.range, spores.S) == (6.0, "User")


def test_characters_and_what_they_ride(empire: dict[str, Fighter]) -> None:
    general = empire["General of the Empire"].side.models[0]
    assert general.is_character and general.troop_type == "cavalry"
    assert general.mount is not None and general.mount.profile.S == 3
    assert "Barding" in general.armour
    assert general.magic_items == ("Sword of Might", "Talisman of Endurance")
    assert empire["Captain of the Empire"].side.army_standard
    griffon = sample("hasty-levy")["General of the Empire"].side.models[0]
    assert (griffon.troop_type, griffon.body.T, griffon.body.W) == ("monster", 5, 5)
    assert (griffon.profile.T, griffon.profile.W) == (4, 3), "his own, for close combat"
    assert griffon.mount is not None and griffon.mount.profile.A == 4
    assert "Terror" in griffon.mount.rules and "Terror" not in griffon.rules


def test_cavalry_chariots_and_machines(empire: dict[str, Fighter], orcs: dict[str, Fighter]) -> None:
    knights = empire["Demigryph Knights"].side.main
    assert (knights.troop_type, knights.count) == ("monstrous_cavalry", 2)
    assert knights.mount is not None and (knights.mount.profile.S, knights.mount.profile.W) == (5, 3)
    assert set(knights.armour) == {"Full Plate Armour", "Shield", "Barding"}
    chariot = orcs["Orc Boar Chariot"].side.main
    assert (chariot.profile.WS, chariot.profile.A, chariot.profile.Sv) == (3, None, "4+")
    assert chariot.crew is not None and chariot.crew.count == 2
    assert chariot.crew.weapons and chariot.weapons == (), "the crew holds the weapons, not the chariot"
    assert chariot.mount is not None and chariot.mount.profile.A == 2, "two boars, an attack each"
    cannon = empire["Great Cannon"].side.main
    assert cannon.weapons == ("Great cannon", "Grapeshot")
    assert (cannon.profile.T, cannon.profile.BS) == (7, 3)
    assert cannon.crew is not None and cannon.crew.count == 3
    boars = orcs["Orc Warboss"].side.models[0]
    assert "Barding" in boars.armour, "a boar's thick skin is worth as much"


def test_figures_that_fight_apart_lend_no_rules(orcs: dict[str, Fighter]) -> None:
    goblins = orcs["Night Goblins"]
    assert goblins.models == 30
    assert "Random Movement (2D6)" not in goblins.side.main.rules
    assert "Night Goblin Fanatic" in goblins.unknown
    assert "Hatred (Dwarfs)" in goblins.side.main.rules


def test_what_nobody_understands_is_reported(orcs: dict[str, Fighter], empire: dict[str, Fighter]) -> None:
    assert set(orcs["Giant"].unknown) == {"A: special", "Fall Over", "Giant Special Attacks"}
    assert set(orcs["Orc Great Shaman"].unknown) == set()
    assert "Troll Vomit" in orcs["Trolls"].unknown
    assert empire["Swordsmen"].unknown == ()


@pytest.mark.parametrize(
    ("case", "reach", "strength", "rules", "expected"),
    [
        ("a stone", "12-48\"", "3(6)", "Multiple Wounds (D3)", (48.0, 3, 6, ("Multiple Wounds (D3)",))),
        ("a bolt by its Strength", "48\"", "5/-1 per rank", "", (48.0, 5, None, ("Rank Penetration",))),
        ("a bolt by its rule", "24\"", "5", "Bolt Thrower (BRB-111)",
         (24.0, 5, None, ("Rank Penetration",))),
        ("dice for Strength count by their average", "12\"", "D6+3", "", (12.0, 6, None, ())),
        ("a worse save than Strength gives", "24\"", "5", "-3 Armour Save", (24.0, 5, None, ("Armour Piercing",))),
        ("sentences", "36\"", "10", "Killing Blow. Fired directly ahead.",
         (36.0, 10, None, ("Killing Blow", "Fired directly ahead."))),
        ("rules without commas", "18\"", "4", "Killing Blow (BRB-72) Flaming Attacks Fuming Weapon, Move or Fire",
         (18.0, 4, None, ("Killing Blow", "Flaming Attacks", "Fuming Weapon", "Move or Fire"))),
        ("rules under a condition", "18\"", "4", "Killing Blow Flaming Attacks against Trolls",
         (18.0, 4, None, ("Killing Blow Flaming Attacks against Trolls",))),
        ("a sentence with commas", "18\"", "4", "Killing Blow, but not in woods. If it hits, the foe, too, is stunned",
         (18.0, 4, None, ("Killing Blow", "but not in woods", "If it hits, the foe, too, is stunned"))),
        ("a bow of one's own", "30\"", "As user", "-", (30.0, "User", None, ())),
    ],
)  # fmt: skip
def test_machines_of_army_books(case: str, reach: str, strength: str, rules: str, expected: tuple[object, ...]) -> None:
    row = ProfileState(
        id="w", name="Thing", type_id="t", type_name="Weapon",
        characteristics=(("Range", reach), ("Strength", strength), ("Special Rules", rules)),
    )  # fmt: skip
    weapon = weapon_of("Thing", row)
    assert (weapon.range, weapon.S, weapon.centre_S, weapon.rules) == expected, case


@pytest.mark.parametrize(
    ("case", "strength", "rules", "when", "left"),
    [
        ("a lance", "+2 on the charge", "", "charging", ()),
        ("so its rules say", "+1", "Armour Piercing, S bonus only when charging", "charging", ("Armour Piercing",)),
        ("a flail", "+2 in first round of close combat", "Requires Two Hands", "first_round", ("Requires Two Hands",)),
        ("a halberd", "+1", "", "always", ()),
    ],
)
def test_when_the_strength_of_a_weapon_counts(
    case: str, strength: str, rules: str, when: str, left: tuple[str, ...]
) -> None:
    """A magic lance or a flail of an army book had its bonus in every round."""
    row = ProfileState(
        id="w", name="Thing", type_id="t", type_name="Weapon",
        characteristics=(("Range", "Combat"), ("Strength", strength), ("Special Rules", rules)),
    )  # fmt: skip
    weapon = weapon_of("Thing", row)
    assert (weapon.when, of_profile(weapon).when, weapon.rules) == (when, when, left), case


@pytest.mark.parametrize(
    ("case", "name", "reach", "rules", "machine", "kind"),
    [
        ("its name says it", "Pink Fire (Fire thrower)", "n/a", "", "", "fire thrower"),
        ("a kind of grapeshot", "Massive Grapeshot", "12\"", "", "", "grapeshot"),
        ("a cannon of somebody", "Cannon of the Sky-titans", "36\"", "", "", "cannon"),
        ("its rules say it", "Scraplauncher Catapult", "12-48\"", "Catapult is a Stone Thrower", "", "stone thrower"),
        ("its machine says it", "Bolts", "48\"", "", "Bolt Thrower", "bolt thrower"),
        ("nobody says it", "Helblaster cannon balls", "24\"", "", "", None),
    ],
)  # fmt: skip
def test_what_a_weapon_works_as(case: str, name: str, reach: str, rules: str, machine: str, kind: str | None) -> None:
    row = ProfileState(
        id="w", name=name, type_id="t", type_name="Weapon",
        characteristics=(("Range", reach), ("Strength", "5"), ("Special Rules", rules)),
    )  # fmt: skip
    assert weapon_of(name, row, machine=machine).works_as == kind, case


def test_characters_fight_in_the_units_they_have_joined() -> None:
    document = json.loads((FIXTURES / "lists" / "empire.json").read_bytes())["document"]
    state = evaluate(our_library(), msgspec.convert(document["roster"], Roster))
    alone = sides_from_roster(state)
    led = attached(alone, state, document["facts"])
    by_name = {fighter.name: fighter for fighter in alone}
    (joined,) = (fighter for fighter in led if fighter.name.startswith("Greatswords + "))
    hero = by_name[joined.name.removeprefix("Greatswords + ")]
    assert len(led) == len(alone) - 2
    assert joined.models == by_name["Greatswords"].models + 1
    assert joined.points == by_name["Greatswords"].points + hero.points
    assert [group.is_character for group in joined.side.models][-1]
    assert joined.side.main == by_name["Greatswords"].side.main
    assert sum(fighter.points for fighter in led) == sum(fighter.points for fighter in alone)
    assert sum(fighter.side.army_standard for fighter in led) == 1
    assert attached(alone, state, {}) == alone


def test_not_everybody_joins() -> None:
    """Who rides a monster stays by himself, and nobody joins a war machine."""
    document = json.loads((FIXTURES / "lists" / "empire.json").read_bytes())["document"]
    state = evaluate(our_library(), msgspec.convert(document["roster"], Roster))
    alone = sides_from_roster(state)
    captain = next(one for one in alone if one.name == "Captain of the Empire")
    cannon = next(one for one in alone if one.name == "Great Cannon")
    assert attached(alone, state, {"units": {captain.unit: {"joined_to": cannon.unit}}}) == alone
