"""A list of 1,850 points from the community's 6th edition data, stored and checked; its sums were worked out by hand.

The verdict was worked out on the W6L table of the published game: two HQ of two, two Troops of two to six, three Elites
of three, one Fast Attack of three and three Heavy Support of three in the primary detachment; one of each role in the
allied one, which is all it has; Space Marines and Tau are battle brothers; the Captain, Leadership 10, leads.
"""

from collections import Counter
from pathlib import Path

import pytest

from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import edits as e
from armybuilder.armylists import services
from armybuilder.datafiles.models import DataRelease, PublishedSystem
from armybuilder.datafiles.parsing import keep_library
from armybuilder.engine.findings import Severity, Verdict
from armybuilder.engine.gamedata.links import SourceFile
from armybuilder.reference.shipped import load_shipped, read_shipped
from armybuilder.simulations.queries import result_of, visible_run
from armybuilder.simulations.services import request_simulation
from armybuilder.simulations.tasks import perform_computation
from tests.armylists.conftest import FIXTURES
from tests.armylists.recruiting import Recruiter
from tests.libraries import compiled_library

pytestmark = [pytest.mark.shared, pytest.mark.django_db]

PRIMARY = "5374616e6461726423232344415441232323"
KNIGHTS_OWN = "a7295a01-3873-7c81-2b46-a9db103d3783"
KNIGHTS_ALLIED = "ab4cb601-e407-74c9-23ea-9e3f5f335a6d"
KNIGHTS = "944e17ef-865b-2a90-4f6a-6695c8891dde"
MARINES = "a1d51a68-4b57-eb7d-f7e2-23bf0c22e374"
ORKS = "5e29cf46-0edb-4f2a-8b49-7691fba3e163"


@pytest.fixture
def community(shared: Path) -> PublishedSystem:
    """The community's data as a release of the game as it ships, so that its allies table is there."""
    files = sorted((shared / "battlescribe" / "data" / "wh40k-6th-1.14b").iterdir())
    system = load_shipped(read_shipped(FIXTURES.parent / "wh40k-6th" / "reference.toml"))
    release = DataRelease.objects.create(system=system, number=1, content_hash="c" * 64)
    library = compiled_library([SourceFile(path.name, path.read_bytes()) for path in files if path.suffix[:4] != ".md"])
    keep_library(release.pk, library)
    system.current_release = release
    system.save()
    return system


def started(viewer: Viewer, catalogue_id: str, force_entry_id: str = PRIMARY) -> Recruiter:
    """A list of 1,850 points with a primary detachment of this army."""
    made = services.create_army_list(
        viewer,
        system_id="wh40k-6th",
        name="From the community",
        catalogue_id=catalogue_id,
        force_entry_id=force_entry_id,
        points_limit=1850,
    )
    return Recruiter(viewer, made)


@pytest.fixture
def marines(community: PublishedSystem, viewer: Viewer) -> Recruiter:
    """1,807 points: 1,393 of Space Marines and 414 of Tau."""
    army = started(viewer, MARINES)
    chapter = next(unit.id for unit in army.document.roster.forces[0].selections if unit.name == "Chapter Tactics")
    army.take(chapter, "Ultramarines")
    captain = army.recruit("Captain", "Artificer Armor", "Melta Bombs", "Auspex")  # 90 + 20 + 5 + 5
    army.recruit("Librarian", "Mastery Level 2")  # 65 + 25
    squad = army.recruit("Tactical Squad", "Plasma Gun", "Lascannon", "Rhino", Space_Marine=9)  # 140 + 15 + 20 + 35
    _arm(army, squad, "Veteran Sarg", "Bolt pistol", "Chainsword")  # 10
    army.recruit("Scout Squad", Scouts=9)  # 110
    army.recruit("Terminator Squad", "Assault Cannon")  # 200 + 20
    army.recruit("Dreadnought")  # 100
    veterans = army.recruit("Sternguard Veteran Squad")  # 120
    _arm(army, veterans, "Bolt Pistol", "Boltgun")
    army.recruit("Bike Squad")  # 63
    army.recruit("Predator", "Lascannons", "Extra Armour", "Storm Bolter")  # 75 + 40 + 10 + 5
    army.recruit("Vindicator", "Extra Armour")  # 125 + 10
    devastators = army.recruit("Devastator Squad", "Missile Launcher")  # 70 + 15
    _arm(army, devastators, "Bolt pistol", "Bolter")
    army.open_detachment("Allied Detachment", "Tau Empire")
    commander = army.recruit("Commander")  # 85
    army.take(commander, "Missile pod")  # 15
    army.take(commander, "Plasma rifle")  # 15
    army.recruit("Fire Warrior Team", **{"Fire_Warrior_Shas'la_with_pulse_rifle": 12})  # 108
    army.recruit("XV8 Crisis Team")  # 22
    army.recruit("Pathfinder Team")  # 44
    army.recruit("Hammerhead Gunship")  # 125
    army.edit(e.SetWarlord(node_id=captain))
    return army


def _arm(army: Recruiter, squad: str, *weapons: str) -> None:
    sergeant = army.find(squad, "Space Marine Sergeant").id
    for weapon in weapons:
        army.take(sergeant, weapon)


def test_roles_points_and_verdict(marines: Recruiter) -> None:
    report = marines.report
    primary, allied = report.army.detachments
    assert [(part.type, part.army) for part in (primary, allied)] == [("primary", "Space Marines"), ("allied", "Tau")]
    assert Counter(unit.role for unit in primary.units) == {
        "hq": 2, "troops": 2, "elites": 3, "fast_attack": 1, "heavy_support": 3, "dedicated_transport": 1,
    }  # fmt: skip
    assert Counter(unit.role for unit in allied.units) == {
        "hq": 1, "troops": 1, "elites": 1, "fast_attack": 1, "heavy_support": 1,
    }  # fmt: skip
    assert (sum(unit.points for unit in primary.units), sum(unit.points for unit in allied.units)) == (1393, 414)
    assert (report.points.total, report.points.limit) == (1807, 1850)
    assert [unit.name for part in (primary, allied) for unit in part.units if unit.warlord] == ["Captain"]
    assert (report.verdict, report.legal) == (Verdict.LEGAL, True)
    assert report.alliances == {report.state.roster.forces[1].id: "battle_brothers"}


def test_what_was_read_of_its_units(marines: Recruiter) -> None:
    units = {unit.name: unit for part in marines.report.army.detachments for unit in part.units}
    squad = units["Tactical Squad"]
    assert (squad.points, units["Rhino"].points) == (185, 35)
    assert [(group.name, group.count, group.profile.Ld, group.profile.Sv) for group in squad.models] == [
        ("Space Marine", 9, 8, "3+"),
        ("Space Marine Sergeant", 1, 9, "3+"),  # a veteran
    ]
    assert [(weapon.name, weapon.S, weapon.count) for weapon in squad.models[0].weapons] == [
        ("Lascannon", 9, 1),
        ("Plasma Gun", 7, 1),
    ]
    captain = units["Captain"].models[0]
    assert (captain.profile.BS, captain.profile.W, captain.profile.Ld, captain.subtypes) == (
        5, 3, 10, ("infantry", "character"),
    )  # fmt: skip
    assert units["Predator"].models[0].subtypes == ("vehicle", "tank")


def test_what_is_not_recognised_is_said(marines: Recruiter) -> None:
    """Chapter tactics, and a marker without a Strength."""
    report = marines.report
    assert {(finding.rule, finding.severity) for finding in report.findings} == {("BS-05", Severity.WARNING)}
    assert [finding.message.en.partition(":")[0] for finding in report.findings] == [
        "Chapter Tactics",
        "Markerlight",
    ]
    assert [part.code for part in report.unchecked] == ["entry"] * 2


def test_what_the_same_army_gets_wrong(marines: Recruiter) -> None:
    """A fourth Heavy Support choice, a second Elites choice of the allies, a warlord of the Tau, 44 points too many."""
    first, second = marines.document.roster.forces
    marines.edit(e.SetWarlord(node_id=next(unit.id for unit in second.selections if unit.name == "Commander")))
    marines.recruit("XV8 Crisis Team")
    marines.force_id = first.id
    marines.recruit("Whirlwind")
    report = marines.report
    found = [(finding.rule, finding.force_id) for finding in report.findings if finding.rule.startswith("W6L")]
    assert found == [("W6L-02", None), ("W6L-06", first.id), ("W6L-06", second.id), ("W6L-14", second.id)]
    assert report.points.total == 1807 + 65 + 22
    assert report.legal is False


def test_a_warlord_with_less_leadership_than_another_is_told(community: PublishedSystem, viewer: Viewer) -> None:
    """A Big Mek has 8, a Warboss 9."""
    army = started(viewer, ORKS)
    warboss, mek = army.recruit("Warboss"), army.recruit("Big Mek")
    army.edit(e.SetWarlord(node_id=warboss))
    assert "W6L-15" not in army.rules()
    army.edit(e.SetWarlord(node_id=mek))
    (told,) = (found for found in army.report.findings if found.rule == "W6L-15")
    assert told.message.en == "Warboss has a higher Leadership than the warlord."


@pytest.mark.parametrize("name", ["Cypher", "Chaplain Ivanus Enkomi (IA12)", "High Marshal Helbrecht"])
def test_who_is_unique_and_taken_twice_is_one_finding(name: str, community: PublishedSystem, viewer: Viewer) -> None:
    """Cypher has neither a limit nor a sign of his own in the data but his pistols; of others the data says it too."""
    army = started(viewer, MARINES)
    chapter = next(unit.id for unit in army.document.roster.forces[0].selections if unit.name == "Chapter Tactics")
    army.take(chapter, "Black Templars")
    units = [army.recruit(name), army.recruit(name)]
    about_them = [one.rule for one in army.report.findings if one.unit_id in units and name in one.message.en]
    assert [rule for rule in about_them if rule in ("W6L-16", "BS-02")] in (["W6L-16"], ["BS-02"])


def test_who_has_no_characteristics_is_named_in_a_battle(
    community: PublishedSystem, viewer: Viewer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The data has no row for Assault Terminators; without ours they stayed out of every fight without a word."""
    monkeypatch.setattr("armybuilder.engine.systems.wh40k_6th.roster.units.row_of_model", lambda unit, model: None)
    armies = [started(viewer, MARINES), started(viewer, MARINES)]
    armies[0].recruit("Terminator Assault Squad")
    for army in armies:
        army.recruit("Tactical Squad")
    request = {
        "kind": "battle",
        "attacker": {"list": str(armies[0].list_id)},
        "defender": {"list": str(armies[1].list_id)},
        "trials": 100,
    }
    run = request_simulation(viewer, request)
    if not run.is_finished:
        perform_computation(str(run.computation_id))
    result = result_of(visible_run(run.pk, viewer))
    assert result is not None
    assert [result[side]["left_out"] for side in ("attacker", "defender")] == [["Terminator Assault Squad"], []]


def knights(viewer: Viewer) -> Recruiter:
    """Three Knights in the detachment of their own codex, one of them the warlord."""
    army = started(viewer, KNIGHTS, KNIGHTS_OWN)
    leader = army.recruit("Knight Paladin")
    army.recruit("Knight Paladin")
    army.recruit("Knight Errant")
    army.edit(e.SetWarlord(node_id=leader))
    return army


def errors_of(army: Recruiter) -> list[str]:
    return [one.rule for one in army.report.findings if one.severity is Severity.ERROR]


def test_knights_in_a_detachment_of_their_own_are_legal(community: PublishedSystem, viewer: Viewer) -> None:
    """They had "0 primary detachments" and a warlord who is no HQ; the chart is the one that their codex prints.

    The data checks its slots, three to six Knights; what remains is a sword with a Strength of its own.
    """
    army = knights(viewer)
    assert errors_of(army) == []
    assert army.report.legal is True
    assert {one.message.en.partition(":")[0] for one in army.report.findings} == {"Reaper Chainsword"}
    army.edit(e.Remove(node_id=army.document.roster.forces[0].selections[1].id))
    assert errors_of(army) == ["BS-01"]


def test_allies_of_knights_are_checked_all_the_same(community: PublishedSystem, viewer: Viewer) -> None:
    army = knights(viewer)
    army.open_detachment("Allied Detachment", "Tau Empire")
    army.recruit("Commander", "Missile pod")
    assert errors_of(army) == ["W6L-05"]
    army.recruit("Fire Warrior Team")
    assert errors_of(army) == []
    army.open_detachment("Allied Detachment", "Orks")
    army.recruit("Warboss")
    army.recruit("Gretchin")
    assert errors_of(army) == ["W6L-09"]


def test_what_knights_get_wrong(community: PublishedSystem, viewer: Viewer) -> None:
    """Nobody leads them, and a fourth and a fifth are 270 points too many."""
    army = started(viewer, KNIGHTS, KNIGHTS_OWN)
    for _ in range(5):
        army.recruit("Knight Paladin")
    army.recruit("Knight Errant")
    assert set(errors_of(army)) == {"W6L-02", "W6L-13"}


def test_allied_knights_lead_no_army(community: PublishedSystem, viewer: Viewer) -> None:
    army = started(viewer, KNIGHTS, KNIGHTS_ALLIED)
    army.edit(e.SetWarlord(node_id=army.recruit("Knight Paladin")))
    assert set(errors_of(army)) == {"W6L-03", "W6L-14"}
