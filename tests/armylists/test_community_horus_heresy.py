"""A list of 1,965 points from the community's 2023 data, stored and checked; its sums were worked out by hand.

The verdict was worked out on section A of the rulebook: one HQ of one to three, five Troops of two to six, four Elites
of four, two Fast Attack of three and three Heavy Support of three; the Centurion leads with a trait of the core rules;
no Primarch and no Lord of War; 2,000 points are within what the missions are made for.
"""

from collections import Counter
from pathlib import Path
from zipfile import ZipFile

import pytest

from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import edits as e
from armybuilder.armylists import services
from armybuilder.datafiles.models import DataRelease, PublishedSystem
from armybuilder.datafiles.parsing import keep_library, library_of
from armybuilder.engine.findings import Severity, Verdict
from armybuilder.engine.gamedata.links import SourceFile
from armybuilder.engine.systems.horus_heresy.roster.fighters import sides_from_roster
from armybuilder.reference.shipped import load_shipped, read_shipped
from tests.armylists.conftest import FIXTURES
from tests.armylists.named_lists import Clerk, NamedList, lists_of
from tests.armylists.recruiting import Recruiter
from tests.libraries import compiled_library

pytestmark = [pytest.mark.shared, pytest.mark.django_db]


def unpacked(path: Path) -> SourceFile:
    """A data file, taken out of its archive."""
    if path.suffix in (".gst", ".cat"):
        return SourceFile(path.name, path.read_bytes())
    with ZipFile(path) as archive:
        (name,) = archive.namelist()
        return SourceFile(name, archive.read(name))


@pytest.fixture
def community(shared: Path) -> PublishedSystem:
    """The community's data as a release of the game as it ships."""
    folder = shared / "battlescribe" / "data" / "horus-heresy-2023-10-07"
    files = [unpacked(path) for path in sorted(folder.iterdir()) if path.suffix[:4] in (".gst", ".cat")]
    system = load_shipped(read_shipped(FIXTURES / "reference.toml"))
    release = DataRelease.objects.create(system=system, number=1, content_hash="c" * 64)
    keep_library(release.pk, compiled_library(files))
    system.current_release = release
    system.save()
    return system


@pytest.fixture
def sons(community: PublishedSystem, viewer: Viewer) -> Recruiter:
    """The Sons of Horus."""
    assert community.current_release_id is not None
    library = library_of(community.current_release_id)
    legion = next(catalogue for catalogue in library.catalogues if catalogue.name.endswith("Sons of Horus"))
    army = Recruiter(
        viewer,
        services.create_army_list(
            viewer,
            system_id="horus-heresy",
            name="From the community",
            catalogue_id=legion.id,
            force_entry_id=library.force_entries(legion.id)[0].id,
            points_limit=2000,
        ),
    )
    sides = next(part.id for part in army.document.roster.forces[0].selections if part.name == "Allegiance")
    army.take(sides, "Traitor")
    centurion = army.recruit("Centurion", "Warlord", "Bloody-handed")  # 60
    leader = army.find(centurion, "Legion Centurion").id
    pistol = army.offer(leader, "Bolt Pistol").entry_id
    army.edit(
        e.SetOptionAmount(parent_id=leader, entry_id=pistol, amount=1)
    )  # his entry begins with two, one is allowed
    army.take(leader, "Chainsword")
    for _ in range(2):
        army.recruit("Tactical Squad", "Rhino Transport")  # 100 + 35
    army.recruit("Breacher Squad")  # 155
    army.recruit("Despoiler Squad")  # 100
    army.recruit("Assault Squad")  # 145
    army.recruit("Apothecarion Detachment")  # 45
    army.recruit("Contemptor Dreadnought Talon")  # 175
    army.recruit("Justaerin Terminator Squad")  # 275
    army.recruit("Reaver Attack Squad")  # 135
    army.recruit("Seeker Squad")  # 105
    army.recruit("Javelin Squadron")  # 90
    army.recruit("Predator Squadron")  # 120
    army.recruit("Heavy Support Squad")  # 100
    army.recruit("Sicaran Squadron")  # 190
    return army


def test_roles_points_and_verdict(sons: Recruiter) -> None:
    report = sons.report
    (primary,) = report.army.detachments
    assert (primary.type, primary.faction, report.army.allegiance) == ("primary", "Sons of Horus", "traitor")
    slots = Counter[str]()
    for unit in primary.units:
        slots[str(unit.role)] += unit.slots_used
    assert slots == {"hq": 1, "troops": 5, "elites": 4, "fast_attack": 2, "heavy_support": 3}
    assert [unit.name for unit in primary.units if unit.dedicated_transport_for] == ["Rhino Transport"] * 2
    assert sum(unit.points for unit in primary.units) == 1965
    assert (report.points.total, report.points.limit) == (1965, 2000)
    assert [finding.rule for finding in report.findings if finding.severity is Severity.ERROR] == []
    assert (report.verdict, report.legal) == (Verdict.LEGAL, True)


def test_a_squad_that_may_fill_a_compulsory_slot_is_no_support_squad(sons: Recruiter) -> None:
    """The data shows the rule on both; only one of them is in its category of compulsory troops."""
    sons.recruit("Tactical Support Squad")
    units = {unit.name: unit for unit in sons.report.army.detachments[0].units}
    assert "Support Squad" not in units["Tactical Squad"].rules
    assert "Support Squad" in units["Tactical Support Squad"].rules


def test_what_the_same_army_gets_wrong(sons: Recruiter) -> None:
    """A fourth and fifth Heavy Support choice and a fifth Elites choice, 265 points, 230 of them too many."""
    sons.recruit("Predator Squadron")
    sons.recruit("Apothecarion Detachment")
    sons.recruit("Heavy Support Squad")
    report = sons.report
    assert report.points.total == 1965 + 120 + 45 + 100
    found = sorted(finding.rule for finding in report.findings if finding.rule.startswith("HH"))
    assert found == ["HH-05", "HH-15", "HH-15"]
    assert report.legal is False


def test_agents_of_the_emperor_serve_no_traitors(sons: Recruiter) -> None:
    assert "HH-03" not in sons.rules()
    sons.open_detachment("Allied Detachment", "2022 - LI - Custodes")
    assert "HH-03" in sons.rules()


def test_a_psyker_of_the_data_chooses_his_discipline(sons: Recruiter) -> None:
    """A Navigator has one of his own in the data; a Dreadnought whose cult is not chosen is asked for one."""
    sons.recruit("Expeditionary Navigator")
    assert "HH-58" not in sons.rules()
    sons.open_detachment("Allied Detachment", "LA -  XV: Thousand Sons")
    osiron = sons.recruit("Contemptor-Osiron Dreadnought Talon")
    assert "HH-58" in sons.rules()
    sons.unit_facts(osiron, psychic_disciplines=["Telepathy"])
    assert "HH-58" not in sons.rules()


def test_who_takes_the_badge_of_the_data_is_the_warlord(sons: Recruiter) -> None:
    """The second mark takes it from the first, whose trait stays with him and is told; nothing is said twice."""
    assert not sons.rules() & {"HH-33", "HH-43", "BS-02"}
    sons.recruit("Centurion", "Warlord")
    assert sons.rules() & {"HH-33", "HH-39", "HH-43", "BS-02"} == {"HH-39", "HH-43"}


def test_a_limit_of_the_whole_army_is_no_limit_of_an_entry(sons: Recruiter) -> None:
    """One Master of the Legion for every 1,000 points is the army's, though the data shows it at a Praetor."""
    sons.edit(e.SetPointsLimit(points_limit=4000))
    for _ in range(3):
        sons.recruit("Praetor")
    told = [f for f in sons.report.findings if "Master of the Legion" in f.message.en]
    assert [f.rule for f in told] == ["BS-02"]


def test_armour_of_fifteen_is_printed_and_not_doubted(sons: Recruiter) -> None:
    """A Gorgon and a Warlord Titan have it; of 10 to 14 the rulebook says "usually" (L1835)."""
    sons.open_detachment("Allied Detachment", "2022 - Imperialis Militia")
    sons.recruit("IM - Gorgon Heavy Transporter")
    sons.open_detachment("Lord of War Detachment", "Lords of War")
    sons.recruit("Warlord Battle Titan")
    armour = {
        unit.name: unit.profile.AV.front
        for detachment in sons.report.army.detachments
        for unit in detachment.units
        if unit.profile is not None and unit.profile.AV is not None
    }
    assert (armour["IM - Gorgon Heavy Transporter"], armour["Warlord Battle Titan"]) == (15, 15)
    assert "HH-60" not in sons.rules()


def test_who_embarks_by_a_rule_of_his_entry_is_no_warning(sons: Recruiter) -> None:
    """Guardians and Incunabulan jet packs embark, a Dreadclaw carries Dreadnoughts: "unless stated" (L2141)."""
    sons.recruit("Deredeo Dreadnought Talon", "Dreadclaw Drop Pod")
    sons.open_detachment("Allied Detachment", "2022 - Mechanicum")
    sons.recruit("Thallax Cohort", "Triaros Armoured Conveyor")
    sons.recruit("Scyllax Guardian-Automata Maniple", "Triaros Armoured Conveyor")
    units = [unit for detachment in sons.report.army.detachments for unit in detachment.units]
    names = {unit.id: unit.name for unit in units}
    aboard = {(unit.name, names[unit.dedicated_transport_for]) for unit in units if unit.dedicated_transport_for}
    assert aboard >= {
        ("Dreadclaw Drop Pod", "Deredeo Dreadnought Talon"),
        ("Triaros Armoured Conveyor", "Scyllax Guardian-Automata Maniple"),
        ("Triaros Armoured Conveyor", "Thallax Cohort"),
    }
    assert "HH-46" not in sons.rules()


def test_a_category_is_quoted_without_its_colon(sons: Recruiter) -> None:
    """The data calls it "Lords of War:"; two Troops allow one, and there is a Knight and no Armiger."""
    sons.open_detachment("Questoris Household Force Organisation Chart", "2022 - Questoris Household")
    sons.recruit("Knight Questoris")
    told = [found.message.ru for found in sons.report.findings if found.rule == "BS-02"]
    assert (
        "Questoris Household Force Organisation Chart: «Lords of War» – взято 1, можно не больше 0. "
        "Уберите 1 или возьмите: 2 × Troops."
    ) in told


def test_who_embarks_by_a_rule_of_his_entry_rides_in_a_battle(sons: Recruiter) -> None:
    """The list allowed it and the battle set them down: a Deredeo in its Dreadclaw, Scyllax in their Triaros."""
    sons.recruit("Deredeo Dreadnought Talon", "Dreadclaw Drop Pod")
    sons.open_detachment("Allied Detachment", "2022 - Mechanicum")
    sons.recruit("Scyllax Guardian-Automata Maniple", "Triaros Armoured Conveyor")
    fighters = sides_from_roster(sons.report.state)
    names = {fighter.unit: fighter.name for fighter in fighters}
    riding = {(fighter.name, names[fighter.rides]) for fighter in fighters if fighter.rides is not None}
    assert riding >= {
        ("Deredeo Dreadnought Talon", "Dreadclaw Drop Pod"),
        ("Scyllax Guardian-Automata Maniple", "Triaros Armoured Conveyor"),
    }


def test_nobody_joins_inductii(sons: Recruiter) -> None:
    """Their sub-type says so, and no type of the rulebook does (HH-49)."""
    leader = next(unit.id for unit in sons.report.army.detachments[0].units if unit.name == "Centurion")
    squad = sons.recruit("Despoiler Squad")
    assert leader is not None
    sons.unit_facts(leader, joined_to=squad)
    assert "HH-49" not in sons.rules()
    sons.take(squad, "Inductii")
    (told,) = (finding for finding in sons.report.findings if finding.rule == "HH-49")
    assert told.message.en.startswith("Centurion cannot join Despoiler Squad")
    assert told.node_id == leader
    assert sons.report.legal is False


def test_who_serves_the_other_side_is_told_once(community: PublishedSystem, viewer: Viewer) -> None:
    """The data hides him from the other side (BS-03) for the reason that the book gives (HH-02)."""
    library = library_of(community.current_release_id)
    army = Clerk(viewer, community, library, next(one for one in lists_of("horus-heresy") if one.name == "Mechanicum"))
    assert army.errors() == []
    army.facts(allegiance="loyalist")
    assert army.errors() == ["HH-02: Inar Satarael can only join a Traitor army."]


def test_a_lord_of_war_without_a_primary_detachment_is_no_stranger(community: PublishedSystem, viewer: Viewer) -> None:
    """His faction is that of the Primary Detachment; where there is none, HH-09 tells so and HH-18 nothing."""
    library = library_of(community.current_release_id)
    lords = NamedList(
        name="Lords of War",
        catalogue="Lords of War",
        force="Lord of War Detachment",
        limit=3000,
        points=0,
        units=(("LA - Baneblade",),),
        spoils=(),
    )
    rules = Clerk(viewer, community, library, lords).rules()
    assert "HH-09" in rules
    assert "HH-18" not in rules


def test_a_rite_says_that_its_limitations_stand_in_words(community: PublishedSystem, viewer: Viewer) -> None:
    wanted = next(one for one in lists_of("horus-heresy") if one.name == "Imperial Fists, the Stone Gauntlet")
    army = Clerk(viewer, community, library_of(community.current_release_id), wanted)
    assert [part.text.en for part in army.report.unchecked if part.text.en.startswith("Rite of War")] == [
        "Rite of War: The Stone Gauntlet (IF): its limitations (3) stand in words; only those that the data counts are "
        "checked."
    ]


def test_a_second_weapon_battery_fires_too(sons: Recruiter) -> None:
    """Two of a unit are two models with a gun each; only a wall's further strongpoints are one selection with it."""
    batteries = sons.recruit("Vengeance Weapon Battery")
    sons.take(batteries, "Vengeance Weapon Battery")
    wall = sons.recruit("Fortified Wall (Strongpoint)")
    sons.size(wall, "Fortified Wall (Strongpoint)", 3)
    fighters = {fighter.unit: fighter for fighter in sides_from_roster(sons.report.state)}
    assert [(group.count, len(group.weapons)) for group in fighters[batteries].side.models] == [(2, 1)]
    assert [group.count for group in fighters[wall].side.models] == [3]


def test_a_tank_that_must_lead_is_no_ally(sons: Recruiter) -> None:
    """A Leman Russ Command Tank begins with the badge of a warlord, which no Allied Detachment has."""
    sons.open_detachment("Allied Detachment", "2022 - LI - Solar Auxilia")
    assert not sons.offer(sons.force_id, "Armoured Fist - Leman Russ Command Tank").available


@pytest.mark.parametrize(
    ("legion", "name", "side", "carried"),
    [
        ("LA -   V: White Scars", "Qin Xa", "Loyalist", ["Split the Mountain", "Part the Horse's Mane"]),
        (
            "LA -  XVIII: Salamanders",
            "Cassian Dracos Reborn",
            "Loyalist",
            ["Dragon's Breath Heavy Flamer", "Dragon's Breath Heavy Flamer", "Gravis Power Fist"],
        ),
    ],
)
def test_the_attack_for_a_second_weapon_is_not_given_twice(
    community: PublishedSystem, viewer: Viewer, legion: str, name: str, side: str, carried: list[str]
) -> None:
    """Their profiles have it already, as their entries say."""
    wanted = NamedList(
        name=name,
        catalogue=legion,
        force="Crusade Force Organisation Chart",
        limit=3000,
        points=0,
        choices=(side,),
        units=((name,),),
        spoils=(),
    )
    army = Clerk(viewer, community, library_of(community.current_release_id), wanted)
    (fighter,) = sides_from_roster(army.report.state)
    assert [weapon.name for weapon in fighter.side.models[0].weapons] == carried


@pytest.mark.parametrize(
    ("legion", "leader", "filled"),
    [
        ("LA -  X: Iron Hands", "Iron Father Autek Mor", True),
        ("LA -  X: Iron Hands", "Shadrak Meduson", True),
        ("LA - XX: Alpha Legion", "Exodus", False),  # "may not be taken as a compulsory HQ choice"
        ("LA -  X: Iron Hands", "Damocles Command Rhino", False),
    ],
)
def test_a_character_fills_the_compulsory_slot_though_the_data_forgot_to_say_so(
    community: PublishedSystem, viewer: Viewer, legion: str, leader: str, filled: bool
) -> None:
    wanted = NamedList(
        name=leader,
        catalogue=legion,
        force="Crusade Force Organisation Chart",
        limit=3000,
        points=0,
        choices=("Loyalist",),
        units=((leader,), ("Tactical Squad",), ("Tactical Squad",)),
        spoils=(),
    )
    army = Clerk(viewer, community, library_of(community.current_release_id), wanted)
    asked = [error for error in army.errors() if "HQ" in error or error.startswith("HH-17")]
    assert (asked == []) is filled, asked
