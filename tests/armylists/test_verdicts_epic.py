"""Every rule of Epic whose facts a stored list can hold fires from a list that was built by edits."""

from collections.abc import Callable
from functools import cache
from typing import Any
from uuid import UUID

import pytest

from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import edits as e
from armybuilder.armylists import services
from armybuilder.armylists.repairs import repairs_of
from armybuilder.datafiles.models import DataRelease, PublishedSystem
from armybuilder.datafiles.parsing import keep_library
from armybuilder.engine.battlescribe_files.library import SourceFile
from armybuilder.engine.findings import Origin, Severity, Verdict
from armybuilder.engine.gamedata.links import Library
from armybuilder.engine.systems.game import LIST_RULES
from tests.armylists.conftest import Muster
from tests.armylists.test_verdicts import Recipe, all_of, stated_of, unit_named, with_facts, with_limit, without
from tests.conftest import ROOT
from tests.libraries import compiled_library

FIXTURES = ROOT / "fixtures" / "epic"
RELEASE = UUID("00000000-0000-4000-8000-00000000000e")
FORCE, ALLIES, MARINES, LEGION = "ea-force", "ea-force-allies", "ea-space-marines", "ea-sl-steel-legion"
THUNDERBOLTS, WARLORD, WARHOUNDS = (
    f"{MARINES}-{name}::ea-{name}" for name in ("thunderbolts", "warlord-titan", "warhounds")
)


@cache
def _library() -> Library:
    files = sorted(path for path in FIXTURES.iterdir() if path.suffix in (".gst", ".cat"))
    return compiled_library([SourceFile(path.name, path.read_bytes()) for path in files])


@pytest.fixture
def epic(db: None) -> PublishedSystem:
    """Epic, published."""
    system = PublishedSystem.objects.create(id="epic", name="Epic", rule_pack="epic")
    release = DataRelease.objects.create(id=RELEASE, system=system, number=1, content_hash="e" * 64)
    keep_library(RELEASE, _library())
    system.current_release = release
    system.save()
    return system


@pytest.fixture
def draft(epic: PublishedSystem, viewer: Viewer) -> Muster:
    """An empty list of Space Marines, 2,500 points agreed."""
    return Muster(
        viewer,
        services.create_army_list(
            viewer, system_id=epic.pk, name="Draft", catalogue_id=MARINES, points_limit=2500, force_entry_id=FORCE
        ),
    )


@pytest.fixture
def legal(draft: Muster) -> Muster:
    """A plain legal list: 2,025 points."""
    draft.units(*(f"ea-sm-{name}" for name in (*["land-raiders"] * 3, "tactical", "terminators", "bikes")))
    return draft


def formation(name: str, **facts: Any) -> Callable[[Muster], str]:
    """One more formation, with what is stated of it."""

    def add(army: Muster) -> str:
        node_id = army.unit(name if "::" in name else f"ea-sm-{name}")
        if facts:
            army.unit_facts(node_id, **facts)
        return node_id

    return add


def option(name: str, entry_id: str, *, number: int = 1) -> Recipe:
    """Something more in the formation of that name; `entry_id` is that of the link in it."""

    def add(army: Muster) -> None:
        unit_id = unit_named(army, name)
        for _ in range(number):
            army.edit(e.Select(parent_id=unit_id, entry_id=entry_id))

    return add


def amount(name: str, entry_id: str, number: int) -> Recipe:
    return lambda army: army.edit(e.SetOptionAmount(parent_id=unit_named(army, name), entry_id=entry_id, amount=number))


TACTICAL_SQUADS = "ea-sm-tactical-tactical::ea-u-tactical"
CAPTAIN = "ea-sm-tactical-commander::ea-sm-commander-captain::ea-u-captain"
RHINO = "ea-sm-tactical-transports-rhino::ea-u-rhino"
DROP_POD = "ea-sm-tactical-drop-pod::ea-u-drop-pod"


def chapter_master(name: str) -> Recipe:
    return option(name, f"ea-sm-{name.lower()}-commander::ea-sm-commander-chapter-master::ea-u-chapter-master")


def empty(name: str, squads: str) -> Recipe:
    return lambda army: army.edit(e.Remove(node_id=army.find(unit_named(army, name), squads).id))


def rides(name: str, carrier: str) -> Recipe:
    return lambda army: army.unit_facts(unit_named(army, name), embarked_in=unit_named(army, carrier))


def half_aboard(army: Muster) -> None:
    """The Assault Squads ride in the Thunderhawk, their Vindicator does not."""
    formation("thunderhawk-flight")(army)
    formation("assault")(army)
    option("Assault", "ea-sm-assault-vindicator::ea-u-vindicator")(army)
    squads = army.find(unit_named(army, "Assault"), "Assault Squad")
    army.unit_facts(squads.id, embarked_in=unit_named(army, "Thunderhawk Flight"))


def shown_elsewhere(army: Muster) -> None:
    """The Tactical formation's Captain is put on a Terminator Squad."""
    option("Tactical", CAPTAIN)(army)
    army.unit_facts(unit_named(army, "Tactical"), host=unit_named(army, "Terminators"))


def pods_without_a_ship(army: Muster) -> None:
    ship = formation("spacecraft")(army)
    option("Tactical", DROP_POD)(army)
    army.edit(e.Remove(node_id=ship))


def guns_without_a_siegeline(army: Muster) -> None:
    force = army.detachment(FORCE, LEGION)
    siegeline = army.unit("ea-sl-siegeline", force_id=force)
    army.unit("ea-sl-tarantulas", force_id=force)
    army.edit(e.Remove(node_id=siegeline))


def legion(*names: str) -> Recipe:
    """A force of Steel Legion beside the others."""

    def add(army: Muster) -> None:
        force = army.detachment(FORCE, LEGION)
        for name in names:
            army.unit(f"ea-sl-{name}", force_id=force)

    return add


def four_upgrades(army: Muster) -> None:
    legion("infantry")(army)
    company = unit_named(army, "Infantry Company")
    for name in ("ogryns", "snipers", "hellhounds", "flak"):
        army.edit(e.Select(parent_id=company, entry_id=f"ea-sl-infantry-company-upgrades::ea-sl-up-{name}"))


def seven_attack_bikes(army: Muster) -> None:
    group = "ea-sm-bikes-bikes-and-attack-bikes"
    empty("Bikes", "Bike Squadron")(army)
    amount("Bikes", f"{group}-attack-bike::ea-u-attack-bike", 7)(army)


def watching(*names: str) -> Recipe:
    return all_of(*[stated_of(name, deployment="garrison", overwatch_at_start=True) for name in names])


FIRED: dict[str, Recipe] = {
    "EP-01": without("Land Raiders"),
    "EP-02": all_of(with_limit(None), *[formation(WARLORD)] * 4),
    "EP-04": with_facts(strategy_rating=-1),
    "EP-05": stated_of("Tactical", initiative=7),
    "EP-10": shown_elsewhere,
    "EP-15": all_of(option("Tactical", RHINO), stated_of("Tactical", in_own_transports=True)),
    "EP-16": rides("Terminators", "Land Raiders"),
    "EP-17": half_aboard,
    "EP-18": stated_of("Tactical", deployment="reserve"),
    "EP-19": stated_of("Tactical", deployment="teleport"),
    "EP-20": formation(THUNDERBOLTS, deployment="table"),
    "EP-21": stated_of("Tactical", deployment="space"),
    "EP-22": stated_of("Bikes", deployment="garrison"),
    "EP-23": all_of(formation("devastator"), watching("Tactical", "Terminators", "Devastator")),
    "EP-24": stated_of("Tactical", overwatch_at_start=True),
    "EP-25": stated_of("Tactical", deployment="planetfall"),
    "EP-26": all_of(option("Tactical", RHINO), stated_of("Tactical", deployment="planetfall")),
    "EP-27": formation("spacecraft"),
    "EP-28": formation("spacecraft", plan={"turn": 1, "bombardment_points": ["60x60"]}),
    "EP-29": all_of(
        formation("spacecraft", plan={"turn": 1, "bombardment_points": ["60x60"]}),
        lambda army: army.edit(e.Remove(node_id=army.find(unit_named(army, "Spacecraft"), "Strike Cruiser").id)),
        option("Spacecraft", "ea-sm-spacecraft-ship-battle-barge::ea-u-battle-barge"),
    ),
    "EP-30": stated_of("Tactical", deployment="tunnel"),
    "EP-31": stated_of("Tactical", deployment="tunnel", plan={"turn": 2, "surface_half": "enemy"}),
    "EP-32": stated_of("Tactical", stand={"kind": "infantry", "width_mm": 50, "depth_mm": 20}),
    "EP-37": with_limit(2025),
    "EP-38": with_limit(2025),
    "EP-39": all_of(formation("spacecraft"), option("Tactical", DROP_POD)),
    "EPL-01": amount("Tactical", TACTICAL_SQUADS, 5),
    "EPL-02": pods_without_a_ship,
    "EPL-03": four_upgrades,
    "EPL-04": all_of(formation("spacecraft"), formation("spacecraft")),
    "EPL-05": all_of(formation(WARLORD), with_limit(2500)),
    "EPL-06": legion("flak"),
    "EPL-07": all_of(chapter_master("Tactical"), chapter_master("Bikes")),
    "EPL-08": seven_attack_bikes,
    "EPL-09": guns_without_a_siegeline,
    "EPL-10": with_limit(2024),
}  # fmt: skip
"""What makes a plain legal list break each rule."""

NOT_HELD = {
    "EP-03": "every unit of a roster stands in a formation of it",
    "EP-06": "where the data asks for units, as ours does for every formation, EPL-01 tells what is lacking",
    "EP-07": "the cost of a formation is what its selections cost, never missing or negative in our game data",
    "EP-08": "types come from the data, and ours uses none but the rulebook's",
    "EP-09": "a character without a unit stands in a formation without units, of which EPL-01 or EP-06 tells",
    "EP-11": "the class of an aircraft comes from the data",
    "EP-12": "damage capacity comes from the data",
    "EP-13": "damage capacity comes from the data, and ours gives it to war engines only",
    "EP-14": "datasheets come from the data, and ours are whole",
    "EP-33": "no unit of our game data is Expendable",
    "EP-34": "rules of units come from the data, and ours fit their types",
    "EP-35": "values of rules come from the data",
    "EP-36": "firepower comes from the data",
}
"""Rules about facts that a list built from our game data cannot hold."""


def test_every_rule_is_fired_or_cannot_be() -> None:
    assert set(LIST_RULES["epic"].rules.rules) == {*FIRED, *NOT_HELD}
    assert not FIRED.keys() & NOT_HELD.keys()


def test_a_plain_list_is_legal(legal: Muster) -> None:
    report = legal.report
    assert {finding.rule for finding in report.findings} == {"EP-37", "EP-38"}
    assert (report.verdict, report.unchecked) == (Verdict.LEGAL, ())
    assert (report.points.total, report.points.limit) == (2025, 2500)


def test_a_formation_whose_units_are_taken_out_lacks_them_and_nothing_else(legal: Muster) -> None:
    option("Tactical", CAPTAIN)(legal)
    empty("Tactical", "Tactical Squad")(legal)
    errors = [finding for finding in legal.report.findings if finding.severity is Severity.ERROR]
    assert [finding.rule for finding in errors] == ["EPL-01"]
    assert not legal.report.legal


@pytest.mark.parametrize("rule", FIRED)
def test_a_rule_fires_from_a_stored_list(rule: str, legal: Muster) -> None:
    FIRED[rule](legal)
    report = legal.report
    found = [finding for finding in report.findings if finding.rule == rule]
    assert found, [(finding.rule, finding.message.en) for finding in report.findings]
    assert report.legal == (not any(finding.severity is Severity.ERROR for finding in report.findings))
    for finding in found:
        assert finding.message.en
        assert finding.message.ru
        assert finding.origin == (Origin.DATA if rule < "EPL-10" and rule.startswith("EPL") else Origin.RULEBOOK)
        if finding.at is not None and finding.at.startswith("/roster/forces/"):
            place = legal.document.by_pointer[finding.at]
            assert (finding.node_id, finding.unit_id, finding.force_id) == (
                place.node.id, place.unit_id, place.force_id
            )  # fmt: skip


@pytest.mark.parametrize("rule", sorted(rule for rule in FIRED if rule.startswith("EPL")))
def test_what_the_army_list_forbids_is_said_once(rule: str, legal: Muster) -> None:
    """The words of the army list stand instead of those of the data, not beside them."""
    FIRED[rule](legal)
    assert not [finding.message.en for finding in legal.report.findings if finding.rule.startswith("BS-")]


def test_numbers_of_the_army_list(legal: Muster) -> None:
    """Shares of the agreed points, numbers for each core formation, minimum and maximum together."""
    formation(WARLORD)(legal)
    legion("flak", "flak", "infantry")(legal)
    legal.edit(e.SetPointsLimit(points_limit=2400))
    amount("Tactical", TACTICAL_SQUADS, 7)(legal)
    said = {finding.rule: finding.message.en for finding in legal.report.findings}
    assert said["EPL-05"] == "One Third - 33%: 850 of at most 800 points."
    assert said["EPL-01"] == "Tactical Squad: 7 taken, allowed: exactly 6."
    assert "EPL-06" not in said
    legion("flak", "flak", "flak", "deathstrike", "infantry")(legal)
    said = {finding.rule: finding.message.en for finding in legal.report.findings}
    assert said["EPL-06"] == "2 per Formation: 4, allowed 2; core formations: 1."


def test_allies_keep_to_their_third(legal: Muster) -> None:
    allies = legal.detachment(ALLIES, LEGION)
    legal.edit(e.SetPointsLimit(points_limit=3000))
    legal.unit("ea-sl-tanks", force_id=allies)
    assert "EPL-05" not in legal.rules()
    legal.unit("ea-sl-mechanised", force_id=allies)
    said = [finding.message.en for finding in legal.report.findings if finding.rule == "EPL-05"]
    assert said == ["Allies - 33%: 1,050 of at most 1,000 points."]


def test_a_formation_is_seated_as_a_whole(legal: Muster) -> None:
    """Six squads and two Rhinos with a Razorback: the seats are dealt out, and one squad too many is said."""
    razorback = "ea-sm-tactical-transports-razor-hb::ea-u-razor-hb"
    option("Tactical", RHINO, number=2)(legal)
    option("Tactical", razorback, number=2)(legal)
    stated_of("Tactical", in_own_transports=True)(legal)
    assert "EP-15" not in legal.rules()
    legal.edit(e.SetOptionAmount(parent_id=unit_named(legal, "Tactical"), entry_id=razorback, amount=1))
    full = [finding.message.en for finding in legal.report.findings if finding.rule == "EP-15"]
    assert len(full) == 1


def test_a_ship_lands_its_drop_pods(legal: Muster) -> None:
    ship = formation("spacecraft", plan={"turn": 2, "bombardment_points": ["60x60"]})(legal)
    option("Tactical", DROP_POD)(legal)
    stated_of("Tactical", deployment="planetfall", carrier=ship, in_own_transports=True, plan={"drop_point": "60x45"})(
        legal
    )
    assert legal.report.legal
    army = legal.report.army
    dropped = next(formation for formation in army.formations if formation.name == "Tactical")
    assert dropped.plan.drop_point == (60, 45)
    assert [unit.embarked_in is not None for unit in dropped.own_units if unit.kind == "INF"] == [True]


@pytest.mark.parametrize(
    ("name", "initiative"), [("Tactical", "1+"), ("Thunderbolt Fighters", "2+"), ("Warhound Titan Battlegroup", "1+")]
)
def test_initiatives_are_those_of_the_army_list(name: str, initiative: str, legal: Muster) -> None:
    formation(THUNDERBOLTS)(legal)
    formation(WARHOUNDS)(legal)
    army = legal.report.army
    assert next(formation.initiative for formation in army.formations if formation.name == name) == initiative
    assert army.strategy_rating == 5


def test_an_army_over_its_points_is_not_mended_by_one_more_formation(legal: Muster) -> None:
    """One commander less is 1,925 points, too few for a battle; a formation on top would be over the limit again."""
    for recipe in (without("Bikes"), chapter_master("Tactical"), chapter_master("Terminators"), with_limit(2000)):
        recipe(legal)
    report = legal.report
    assert report.points.total == 2025
    finding = next(found for found in report.findings if found.rule == "EPL-07")
    (repair,) = repairs_of(legal.row, report, finding)
    assert repair.points == -100
    assert {found.rule for found in repair.settled if found.severity is Severity.ERROR} == {"EPL-07", "EPL-10"}
    assert {found.rule for found in repair.caused} == {"EP-01"}
