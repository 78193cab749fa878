"""Formations of the community's Epic data with what they are armed with, worked out by hand from their datasheets."""

from collections import Counter
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest
from lxml import etree

from armybuilder.engine.roster.state import ProfileState
from armybuilder.engine.systems.epic.combat.fighter import Fighter
from armybuilder.engine.systems.epic.roster import recognition
from armybuilder.engine.systems.epic.roster.fighters import sides_from_roster
from tests.engine.systems.epic.roster.test_community_lists import army_list, read
from tests.fixtures.building import ListBuilding

pytestmark = pytest.mark.shared

WAY = "One Way at a Time"


def built(shared: Path, name: str, formation: str, *options: str) -> tuple[ListBuilding, str]:
    army = army_list(shared, name)
    made = army.add(formation)
    for option in options:
        army.take(made, option)
    return army, made


def fighter(army: ListBuilding, formation: str) -> Fighter:
    return next(one for one in sides_from_roster(army.state) if one.unit == formation)


def guns(found: Fighter, unit: str) -> Counter[tuple[str, int | str | None, str | None, tuple[str, ...]]]:
    """How many of each weapon all units of a name have together."""
    counted: Counter[tuple[str, int | str | None, str | None, tuple[str, ...]]] = Counter()
    for group in found.side.groups:
        if group.name == unit:
            for weapon in group.weapons:
                rules = tuple(rule for rule in weapon.rules if not rule.startswith(WAY))
                counted[weapon.name, weapon.range, weapon.firepower, rules] += group.count * weapon.count
    return counted


CLOSE = ("Macro Weapon", "Extra Attacks (+1)")


@pytest.mark.parametrize(
    ("name", "formation", "options", "unit", "expected"),
    [
        (
            "Horus Heresy - Orks",
            "Supa Heavy Tankz Sqwadron",
            ("Gunfortress w/ Zzap Gun",),
            "Gunfortress w/ Zzap Gun + Zzap Gun",
            {
                ("Deth Kannon", 45, "AT4+", ("Armourbane",)): 2,
                ("Big Gun", 30, "AP5+/AT5+", ()): 3,
                ("Deffguns", 45, "D3xAP5+/D3xAT6+", ()): 3,
                ("Zzap Gun", 30, "AP5+/AT4+", ("Macro Weapon",)): 1,
            },
        ),
        (
            "Eldar - Kaelth",
            "Avatar",
            (),
            "Avatar + Court of the Young King",
            {
                ("Wailing Doom", 30, "MW5+", ()): 1,
                ("Wailing Doom", "base contact", None, CLOSE): 1,
                ("Ancient Weapons", "base contact", None, CLOSE): 1,
            },
        ),
        (
            "Necrons - Sautekh",
            "Iudicium Maniple",
            ("Command Barge w/ Lord",),
            "Command Barge w/ Lord + Necron Lord",
            {
                ("Gauss Cannon", 30, "AP4+/AT6+", ()): 1,
                ("Staff of Light", "small arms", "small arms", ("Extra Attacks (+1)",)): 1,
                ("Staff of Light", "base contact", None, CLOSE): 1,
            },
        ),
        (  # its own datasheet has the gun that the Oddboyz are an upgrade for
            "Orks - Bad Moons",
            "Bad Moons Warband",
            ("Oddboy Soopagun",),
            "Oddboy Soopagun + Oddboyz",
            {("Soopagun", 60, "2BP", ("Macro Weapon",)): 1},
        ),
        (  # here it has not, and the name says which of the two guns it is
            "Orks - Blood Axe Klan",
            "Blood Axe Warband",
            ("Big Wagon w/ Soopagun",),
            "Big Wagon w/ Soopagun + Oddboyz",
            {("Big Gunz", 45, "AP5+/AT5+", ()): 3, ("Soopagun", 60, "2BP", ("Macro Weapon",)): 1},
        ),
        (
            "Squats - EA",
            "Overlords",
            ("Overlord w/ Flak Autocannon",),
            "Overlord w/ Flak Autocannon + Flak Autocannon Upgrade",
            {
                ("Long Range Cannons", 60, "AP4+/AT4+", ()): 3,
                ("Autocannon Array", 45, "3xAP5+/3xAT6+", ("Fixed Forward Arc",)): 1,
                ("Heavy Bomb Rack", 15, "4BP", ("Ignore Cover",)): 1,
                ("Bolter Array", "small arms", "small arms", ("Extra Attacks (+2)",)): 1,
                ("Pintel Mounted Flak Autocannon", 45, "AP5+/AT6+/AA5+", ()): 1,
            },
        ),
    ],
)
def test_a_unit_that_is_sold_with_a_character_is_a_unit(
    shared: Path,
    name: str,
    formation: str,
    options: tuple[str, ...],
    unit: str,
    expected: dict[tuple[str, int | str | None, str | None, tuple[str, ...]], int],
) -> None:
    """The selection shows both datasheets, and was counted as the character alone, or as the unit without him."""
    found = fighter(*built(shared, name, formation, *options))
    assert guns(found, unit) == expected
    assert sum(group.count for group in found.side.groups if group.name == unit) == 1
    assert not {weapon for weapon, *_ in expected} & set(found.unknown)


def test_the_gun_that_oddboyz_did_not_take_is_not_missed(shared: Path) -> None:
    assert (
        "Supa-Zzap Gun"
        not in fighter(*built(shared, "Orks - Bad Moons", "Bad Moons Warband", "Oddboy Soopagun")).unknown
    )


def test_one_warhead_of_support_missiles_is_fired(shared: Path) -> None:
    """ "Support Missile Warheads: may only fire 1x missile per turn"; all four kinds were fired together."""
    found = fighter(*built(shared, "Horus Heresy - Legio Titanicus", "Warmonger Support Titan (Experimental)"))
    [titan] = found.side.groups
    ways = {weapon.name: weapon.rules[-1] for weapon in titan.weapons if weapon.rules and WAY in weapon.rules[-1]}
    assert ways == dict.fromkeys(
        ("Vortex Missile", "Barrage Missile", "Deathstrike Missile", "Warp Missile"), f"{WAY} (Support Missile)"
    )
    assert {"Support Missile", "Fire Control Centre"}.isdisjoint(found.unknown)
    assert "Re-roll one failed to hit roll from one weapons system per turn" in found.unknown


@pytest.mark.parametrize(
    ("name", "formation", "option", "unit", "weapons"),
    [
        (  # "2x Kannon", and below it its three kinds of shot
            "Orks - Freebooterz",
            "Freebooterz Krew",
            "Shippa da Line",
            "Shippa da Line",
            {
                ("Big Shoota Broadside", 30, "AP5+/AT5+", ()): 6,
                ("Ball Round", 45, "MW3+", ("Titan Killer (D3)",)): 2,
                ("Chain Shot", 45, "2BP", ("Macro Weapon",)): 2,
                ("Grapeshot", 45, "4BP", ("Ignore Cover",)): 2,
            },
        ),
        (  # "15cm and ", "AP4+ and Small Arms": the range of the second way was left out
            "Tyranids - Hive Fleet Gorgon",
            "Sky Swarm",
            "Hive Crones",
            "Hive Crones",
            {
                ("Tentaclids", 30, "AP5+/AA5+", ()): 1,
                ("Drool Cannon", 15, "AP4+", ("Disrupt", "Ignore Cover")): 1,
                ("Drool Cannon", "small arms", "small arms", ("Ignore Cover",)): 1,
                ("Scything Wings", "base contact", None, ()): 1,
            },
        ),
        (  # "2x Twin Heavy Bolter", "Left Arc" and "Right Arc" set apart
            "Space Marines - Chapters",
            "Thunderhawk Transporters",
            None,
            "Thunderhawk Transporter",
            {
                ("Twin Heavy Bolter", 30, "AP4+/AA5+", ("Left Arc",)): 1,
                ("Twin Heavy Bolter", 30, "AP4+/AA5+", ("Right Arc",)): 1,
            },
        ),
        (  # "Macro-weapon, +D3A or Titan Killer (D3), +1A": not both
            "Orks - Feral",
            "Warband",
            "Orkeosaurus",
            "Orkeosaurus",
            {
                ("Big Gun", 45, "AP5+/AT5+", ()): 2,
                ("Big Shoota", 30, "AP5+/AT6+", ()): 4,
                ("Goring Tusks", "base contact", None, ("Macro Weapon", "Extra Attacks (+D3)")): 1,
            },
        ),
        (  # the datasheet names the guns of which rows of their own say the rest
            "Adeptus Mechanicus - Forge",
            "Ordinatus Majoris",
            None,
            "Ordinatus Majoris",
            {
                ("Lascannon", 45, "AT5+", ()): 2,
                ("Heavy Bolter", 30, "AP5+/AA6+", ()): 2,
                ("Sonic Disruptor", 100, "10BP", ("Fixed Forward", "Ignore Cover", "Disrupt")): 1,
            },
        ),
    ],
)
def test_guns_of_a_datasheet(
    shared: Path,
    name: str,
    formation: str,
    option: str | None,
    unit: str,
    weapons: dict[tuple[str, int | str | None, str | None, tuple[str, ...]], int],
) -> None:
    found = fighter(*built(shared, name, formation, *filter(None, (option,))))
    number = sum(group.count for group in found.side.groups if group.name == unit)
    assert guns(found, unit) == {weapon: count * number for weapon, count in weapons.items()}
    told = {"Goring Tusks"}  # of the way that is not taken
    assert {weapon for weapon, *_ in weapons} & set(found.unknown) == told & {weapon for weapon, *_ in weapons}


@pytest.mark.parametrize(
    ("name", "formation", "option", "weapon", "beyond"),
    [
        ("Chaos - Red Corsairs", "Cult Marines", "6x Noise Marines", "Blast Master", "Disrupt"),
        ("Chaos - Bloody", "Slaughtersword", None, "Twin Heavy Stubber", "Ignore Cover"),
        ("Orks - Feral", "Warband", "Orkeosaurus", "Goring Tusks", "or Titan Killer (D3), +1A"),
    ],
)
def test_notes_of_no_weapon_are_named(
    shared: Path, name: str, formation: str, option: str | None, weapon: str, beyond: str
) -> None:
    """More notes than weapons: nobody knows whose they are, and they were passed over."""
    army, made = built(shared, name, formation, *filter(None, (option,)))
    assert weapon in fighter(army, made).unknown
    assert any(f"{weapon} {beyond}” is not recognised" in found.message.en for found in read(army).findings)


def test_rules_that_are_misspelt_are_the_rules(shared: Path) -> None:
    """ "Reinforced Armor", "Scoutss", "Invunerable Save"."""
    glider = fighter(*built(shared, "Imperial Guard - Harakoni", "Demolition Specialists", "Grav-Glider"))
    assert any("Reinforced Armour" in group.rules for group in glider.side.groups if group.name == "Grav-Glider")
    assert "Reinforced Armor" not in glider.unknown


@pytest.mark.parametrize(
    ("name", "formation", "option", "carrier", "slots"),
    [
        ("Space Marines - Chapters", "Devastator", "Razorback w/ Twin Lascannon", "Razorback w/ Twin Lascannon", 1),
        ("Inquisition - Grey Knights", "Strike Squad", "Grey Knight Razorback", "Grey Knight Razorback", 1),
        ("Tau - Sandbox", "Armour Support Group", "2x Pathfinders, Devilfish", "Devilfish", 2),
        ("Tau - Sandbox", "Armour Support Group", "2x Pathfinders, Devilfish", "Pathfinders", None),
    ],
)
def test_a_carrier_has_the_places_of_its_kind(
    shared: Path, name: str, formation: str, option: str, carrier: str, slots: int | None
) -> None:
    """ "Razorback: 1 infantry unit (except Terminators) without Jump Packs or Mounted."."""
    army, _ = built(shared, name, formation, option)
    units = {unit.name: unit for one in read(army).army.formations for unit in one.own_units}
    transport = units[carrier].transport
    assert (transport.slots if transport else None) == slots


def test_of_two_critical_effects_the_one_that_is_known_counts(shared: Path) -> None:
    """ "Reactor Damage, Crippling Damage": 1 destroys the titan at the end of a turn, 2-3 cost it a point more."""
    found = fighter(*built(shared, "Chaos - Titan Legion", "Forgelord Class Chaos Warlord Titan"))
    assert "Critical Hit (end phases: 1: destroyed; 2-3: +1 damage; 4-6: repaired)" in found.side.groups[0].rules
    assert "Critical hit: Crippling Damage" in found.unknown


@pytest.mark.parametrize(
    ("name", "formation", "bearer", "upgrade", "was", "becomes"),
    [
        (
            "Adeptus Mechanicus - Forge",
            "*Reaver Mechanicus Battle Titan",
            "*Reaver Mechanicus Battle Titan",
            "Weapon Head",
            ("3+", "3+", (6,)),
            ("4+", "2+", (6,)),
        ),
        ("Orks - Gargant", "Gargant Mob", "Gargant", "Extra Armour", ("3+", "3+", (8,)), ("3+", "3+", (9,))),
    ],
)
def test_what_an_upgrade_does_to_a_datasheet_is_no_gap(
    shared: Path,
    name: str,
    formation: str,
    bearer: str,
    upgrade: str,
    was: tuple[object, ...],
    becomes: tuple[object, ...],
) -> None:
    """ "+1FF, -1CC", "+1DC": the data has changed the row, and they were named as not understood besides."""
    army, made = built(shared, name, formation)
    before = fighter(army, made).side.groups[0].profile
    army.take(next(part.id for part in army.node(made).walk() if part.name == bearer), upgrade)
    found = fighter(army, made)
    after = found.side.groups[0].profile
    assert [(one.CC, one.FF, one.DC) for one in (before, after)] == [was, becomes]
    assert {"+1FF", "-1CC", "+1DC", upgrade}.isdisjoint(found.unknown)


def test_how_many_weapon_lines_are_not_understood(shared: Path) -> None:
    """As the page about recognition says; every row of characteristics and weapons in all files, as it is written."""
    lines, unread = 0, []
    for path in sorted((shared / "battlescribe" / "data" / "wh40k-epic-armageddon").iterdir()):
        content = path.read_bytes()
        if path.suffix in (".catz", ".gstz"):
            packed = ZipFile(BytesIO(content))
            content = packed.read(packed.namelist()[0])
        for profile in etree.fromstring(content).iterfind(".//{*}profile"):
            if profile.get("typeName") not in (*recognition.UNIT_PROFILES, recognition.WEAPON_PROFILE):
                continue
            row = ProfileState(
                id="",
                name=profile.get("name", ""),
                type_id="",
                type_name=profile.get("typeName", ""),
                characteristics=tuple(
                    (cell.get("name", ""), cell.text or "") for cell in profile.iterfind(".//{*}characteristic")
                ),
            )
            for line in recognition.weapon_lines(row):
                lines += 1
                unread += [(line, left) for left in (recognition.weapon(line)[1],) if left]
    page = (Path(__file__).parents[5] / "docs" / "recognition.md").read_text(encoding="utf-8")
    told = (
        f"Of the {lines:,} weapon lines on the community's datasheets {len(unread)} ({len(set(unread))} different ones)"
    )
    assert told in page, told
