"""Every rule of Fantasy whose facts a stored list can hold fires from a list that was built by edits."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from uuid import UUID

import pytest

from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import edits as e
from armybuilder.armylists import services
from armybuilder.datafiles.models import DataRelease, PublishedSystem
from armybuilder.datafiles.parsing import keep_library
from armybuilder.engine.findings import Severity, Verdict
from armybuilder.engine.gamedata.links import Library, SourceFile
from armybuilder.engine.systems.game import LIST_RULES
from armybuilder.reference.models import Detachment, ForceOrganisation
from tests.armylists.conftest import Muster
from tests.conftest import ROOT
from tests.libraries import compiled_library

FIXTURES = ROOT / "fixtures" / "fantasy-8th"
RELEASE = UUID("00000000-0000-4000-8000-000000000002")
COMMUNITY_RELEASE = UUID("00000000-0000-4000-8000-000000000003")
EMPIRE, ORCS = "wf-empire", "wf-orcs-and-goblins"
PRIMARY, ALLIED = "wf-force-primary-army", "wf-force-allied-army"
GENERAL, CAPTAIN, WIZARD = "General of the Empire", "Captain of the Empire", "Battle Wizard"

Recipe = Callable[[Muster], object]


def library_of(paths: list[Path]) -> Library:
    return compiled_library([SourceFile(path.name, path.read_bytes()) for path in paths])


@cache
def fixture_library() -> Library:
    return library_of(sorted([*FIXTURES.glob("*.gst"), *FIXTURES.glob("*.cat")]))


def published(release_id: UUID, library: Library) -> PublishedSystem:
    system = PublishedSystem.objects.create(id="fantasy-8th", name="Warhammer Fantasy", rule_pack="fantasy-8th")
    release = DataRelease.objects.create(id=release_id, system=system, number=1, content_hash="b" * 64)
    keep_library(release_id, library)
    system.current_release = release
    system.save()
    return system


@pytest.fixture
def fantasy(db: None) -> PublishedSystem:
    """Our own armies, published."""
    system = published(RELEASE, fixture_library())
    chart = ForceOrganisation.objects.create(system=system, release=system.current_release, key="army", name="Army")
    for position, (kind, entry_id) in enumerate((("primary", PRIMARY), ("allied", ALLIED))):
        Detachment.objects.create(chart=chart, type=kind, entry_id=entry_id, name=kind, position=position)
    return system


@pytest.fixture
def legal(fantasy: PublishedSystem, viewer: Viewer) -> Muster:
    """A small legal list of the Empire: 1,000 points agreed, 25 % Core and a wizard who knows his spell."""
    army = Muster(
        viewer,
        services.create_army_list(
            viewer, system_id="fantasy-8th", name="Patrol", catalogue_id=EMPIRE, points_limit=1000
        ),
    )
    general, _, wizard, spearmen, swordsmen = army.units(
        "wf-emp-general-of-the-empire",
        "wf-emp-captain-of-the-empire",
        "wf-emp-battle-wizard",
        "wf-emp-spearmen",
        "wf-emp-swordsmen",
    )
    army.edit(
        e.Select(parent_id=wizard, entry_id="wf-emp-battle-wizard-lore-of-fire"),
        e.SetUnitFacts(node_id=wizard, facts={"spells": ["Fireball"]}),
        e.SetFacts(facts={"general": general}),
        e.SetAmount(selection_id=army.find(spearmen, "Spearman").id, amount=25),
        e.SetAmount(selection_id=army.find(swordsmen, "Swordsman").id, amount=25),
        e.AddUnit(force_id=army.force_id, entry_id="wf-emp-great-cannon"),
    )
    return army


def named(army: Muster, name: str) -> str:
    """The last unit of that name."""
    return [unit.id for force in army.document.roster.forces for unit in force.selections if unit.name == name][-1]


def add(*entries: str) -> Recipe:
    return lambda army: army.units(*(f"wf-emp-{entry}" for entry in entries))


def take(name: str, *options: str) -> Recipe:
    """Take options of a unit."""

    def choose(army: Muster) -> None:
        unit = named(army, name)
        for option in options:
            army.edit(e.Select(parent_id=unit, entry_id=option))

    return choose


def item(name: str, category: str, slug: str, *, book: bool = False) -> Recipe:
    """Give a character of the Empire a magic item."""

    def give(army: Muster) -> None:
        unit = named(army, name)
        base = f"wf-emp-{name.lower().replace(' ', '-')}"
        link = f"{base}-{'standard' if category == 'banner' else 'items'}-{category}"
        entry = f"{link}-emp::wf-emp-i-{slug}" if book else f"{link}::wf-i-{slug}"
        army.edit(e.Select(parent_id=unit, entry_id=entry))

    return give


def unit_banner(name: str, slug: str) -> Recipe:
    link = f"wf-emp-{name.lower().replace(' ', '-')}-banner-banner"
    return lambda army: army.edit(e.Select(parent_id=named(army, name), entry_id=f"{link}::wf-i-{slug}"))


def of(name: str, **facts: object) -> Recipe:
    return lambda army: army.unit_facts(named(army, name), **facts)


def facts(**stated: object) -> Recipe:
    return lambda army: army.facts(**stated)


def led_by(name: str) -> Recipe:
    return lambda army: army.facts(general=named(army, name))


def joins(name: str, host: str) -> Recipe:
    return lambda army: army.unit_facts(named(army, name), joined_to=named(army, host))


def limit(points: int | None) -> Recipe:
    return lambda army: army.edit(e.SetPointsLimit(points_limit=points))


def without(*names: str) -> Recipe:
    return lambda army: [army.edit(e.Remove(node_id=named(army, name))) for name in names]


def without_option(name: str, option: str) -> Recipe:
    return lambda army: army.edit(e.Remove(node_id=army.find(named(army, name), option).id))


def models(name: str, model: str, amount: int) -> Recipe:
    return lambda army: army.edit(e.SetAmount(selection_id=army.find(named(army, name), model).id, amount=amount))


def garrison(name: str) -> Recipe:
    return lambda army: army.facts(scenario="watchtower", watchtower_garrison=named(army, name))


def commander(name: str) -> Recipe:
    return lambda army: army.facts(supreme_commander=named(army, name))


def greenskins(*entries: str) -> Recipe:
    """An allied army of Orcs and Goblins."""

    def ally(army: Muster) -> None:
        force_id = army.detachment(ALLIED, ORCS)
        for entry in entries:
            army.unit(f"wf-orc-{entry}", force_id=force_id)

    return ally


def all_of(*recipes: Recipe) -> Recipe:
    return lambda army: [recipe(army) for recipe in recipes]


ARMS = "wf-emp-captain-of-the-empire-armament"
HORSE = "wf-emp-captain-of-the-empire-mount-warhorse::wf-emp-mount-warhorse"
BSB = "wf-emp-captain-of-the-empire-battle-standard-bearer"
GREATSWORDS = "wf-emp-greatswords-standard-bearer"
RAZOR = all_of(add("greatswords"), take("Greatswords", GREATSWORDS), unit_banner("Greatswords", "razor-standard"))


def arms(*weapons: str) -> Recipe:
    """Arm the Captain, with more than the one weapon his entry allows if need be."""
    return lambda army: [
        army.edit(e.SetOptionAmount(parent_id=named(army, CAPTAIN), entry_id=f"{ARMS}-{weapon}", amount=1))
        for weapon in weapons
    ]


FIRED: dict[str, Recipe] = {
    "WF-01": facts(general=None),
    "WF-02": led_by("Spearmen"),
    "WF-04": led_by(CAPTAIN),
    "WF-05": add("general-of-the-empire"),
    "WF-06": without("Great Cannon"),
    "WF-07": add("battle-wizard-lord"),
    "WF-08": add(*["captain-of-the-empire"] * 3),
    "WF-09": without("Swordsmen"),
    "WF-10": add("great-cannon", "great-cannon", "mortar", "mortar"),
    "WF-11": add("steam-tank", "luminark-of-hysh"),
    "WF-12": add(*["great-cannon"] * 3),
    "WF-13": add(*["mortar"] * 3, *["helblaster-volley-gun"] * 3),
    "WF-14": all_of(take(CAPTAIN, BSB), led_by(CAPTAIN)),
    "WF-15": of("Spearmen", army_standard=True),
    "WF-16": without_option(WIZARD, "Lore of Fire"),
    "WF-17": of(WIZARD, lore="Lore of Furniture"),
    "WF-18": of(WIZARD, spells=["Fireball", "The Burning Head"]),
    "WF-19": all_of(
        of(WIZARD, spells=["The Burning Head"]),
        add("battle-wizard"),
        take(WIZARD, "wf-emp-battle-wizard-lore-of-fire"),
        of(WIZARD, spells=["The Burning Head"]),
    ),
    "WF-20": of(WIZARD, spells=["Banishment"]),
    "WF-21": of(WIZARD, spells=[]),
    "WF-22": all_of(item(GENERAL, "talisman", "dawnstone"), item(CAPTAIN, "talisman", "dawnstone")),
    "WF-23": all_of(item(GENERAL, "weapon", "warrior-bane"), item(GENERAL, "weapon", "runefang", book=True)),
    "WF-25": all_of(item(GENERAL, "talisman", "dawnstone"), of(GENERAL, magic_items_allowed=False)),
    "WF-26": all_of(
        add("master-engineer"), item("Master Engineer", "armour", "spellshield"), of("Master Engineer", wizard_level=1)
    ),
    "WF-27": all_of(item(WIZARD, "arcane", "power-stone"), without_option(WIZARD, "Wizard Level 1")),
    "WF-28": all_of(RAZOR, without_option("Greatswords", "Standard Bearer")),
    "WF-29": all_of(
        take(CAPTAIN, BSB),
        item(CAPTAIN, "banner", "war-banner"),
        without_option(CAPTAIN, "Battle Standard Bearer"),
    ),
    "WF-30": all_of(RAZOR, of("Greatswords", magic_banner_allowed=False)),
    "WF-32": all_of(
        item(GENERAL, "armour", "armour-of-fortune"),
        item(GENERAL, "armour", "armour-of-meteoric-iron", book=True),
        of(GENERAL, special_character=True),  # else they are two items of one category, which WF-23 tells
    ),
    "WF-33": all_of(take(CAPTAIN, HORSE), item(CAPTAIN, "enchanted", "arabyan-carpet")),
    "WF-34": all_of(item(CAPTAIN, "enchanted", "arabyan-carpet"), joins(CAPTAIN, "Spearmen")),
    "WF-35": item(GENERAL, "enchanted", "folding-fortress"),
    "WF-36": all_of(item(CAPTAIN, "weapon", "warrior-bane"), arms("two-hand-weapons")),
    "WF-37": all_of(item(CAPTAIN, "weapon", "warrior-bane"), take(CAPTAIN, "wf-emp-captain-of-the-empire-shield")),
    "WF-38": all_of(item(CAPTAIN, "weapon", "warrior-bane"), arms("great-weapon")),
    "WF-39": all_of(add("witch-hunter"), item("Witch Hunter", "talisman", "obsidian-trinket")),
    "WF-40": all_of(item(GENERAL, "armour", "armour-of-fortune"), item(GENERAL, "talisman", "seed-of-rebirth")),
    "WF-41": all_of(
        item(GENERAL, "armour", "armour-of-silvered-steel"), take(GENERAL, "wf-emp-general-of-the-empire-shield")
    ),
    "WF-42": item(GENERAL, "enchanted", "terrifying-mask"),
    "WF-43": all_of(
        add("greatswords"), take("Greatswords", GREATSWORDS), unit_banner("Greatswords", "standard-of-discipline")
    ),
    "WF-44": item(GENERAL, "enchanted", "wizarding-hat"),
    "WF-45": item(CAPTAIN, "armour", "armour-of-fortune"),
    "WF-46": joins(CAPTAIN, "Great Cannon"),
    "WF-48": all_of(add("flagellants"), joins(CAPTAIN, "Flagellants")),
    "WF-50": all_of(add("huntsmen"), take(CAPTAIN, HORSE), joins(CAPTAIN, "Huntsmen")),
    "WF-51": all_of(
        add("arch-lector"),
        take("Arch Lector", "wf-emp-arch-lector-mount-war-altar-of-sigmar::wf-emp-war-altar-of-sigmar-mount"),
        joins("Arch Lector", "Spearmen"),
    ),
    "WF-52": all_of(add("pistoliers"), joins(CAPTAIN, "Pistoliers")),
    "WF-54": all_of(greenskins("orc-boyz"), joins(CAPTAIN, "Orc Boyz")),
    "WF-55": arms("two-hand-weapons", "great-weapon"),
    "WF-56": all_of(arms("two-hand-weapons"), take(CAPTAIN, HORSE)),
    "WF-57": all_of(arms("great-weapon"), take(CAPTAIN, "wf-emp-captain-of-the-empire-shield")),
    "WF-58": arms("handgun", "longbow"),
    "WF-59": arms("great-weapon", "lance"),
    "WF-60": all_of(
        greenskins("orc-warboss"),
        take("Orc Warboss", "wf-orc-orc-warboss-armament-cavalry-spear"),
    ),
    "WF-61": all_of(joins(CAPTAIN, "Spearmen"), of(CAPTAIN, front_rank=False)),
    "WF-63": all_of(greenskins("orc-boyz"), facts(alliance_level="firm")),
    "WF-66": all_of(greenskins("orc-boyz"), commander(GENERAL)),
    "WF-67": all_of(greenskins("orc-boyz"), greenskins("orc-boyz"), facts(army_points=[2000, 2000, 2000])),
    "WF-68": all_of(limit(2500), facts(scenario="blood_and_glory")),
    "WF-69": facts(scenario="watchtower"),
    "WF-70": garrison("Spearmen"),
    "WF-71": all_of(add("luminark-of-hysh"), garrison("Luminark of Hysh")),
    "WF-74": facts(scenario="dawn_attack"),
    "WF-75": add("huntsmen"),
    "WFX-01": limit(500),
    "WFX-02": models("Spearmen", "Spearman", 9),
    "WFX-03": arms("handgun", "longbow"),
    "WFX-04": all_of(item(CAPTAIN, "weapon", "ogre-blade"), item(CAPTAIN, "talisman", "dawnstone")),
    "WFX-05": all_of(take(CAPTAIN, BSB), add("captain-of-the-empire"), take(CAPTAIN, BSB)),
    "WFX-06": add("kurt-helborg", "kurt-helborg"),
    "WFX-07": lambda army: army.edit(
        e.SetOptionAmount(
            parent_id=named(army, "Spearmen"),
            entry_id="wf-emp-spearmen-champion",
            amount=2,
        )
    ),
    "WFX-08": greenskins("orc-boyz"),
}  # fmt: skip
"""What makes the small legal list break each rule."""

COMMUNITY = {
    "WF-24": "what our game data lets units carry are banners",
    "WF-47": "our game data has no ethereal unit",
    "WF-49": "what is unstable in our game data are swarms and chariots, which nobody joins (WF-46)",
    "WF-64": "our game data has no Skaven and no Dark Elves",
    "WF-65": "our game data has no neutral army, and none of no camp",
    "WF-72": "our game data has no ambushers",
    "WF-73": "our game data has no ambushers",
}
"""Rules about armies and armed champions that our game data does not have; lists of the community's data fire them."""

NOT_HELD = {
    "WF-03": "a list names its General by one fact",
    "WF-31": "a list pays the price its data prints; the book's other price is not in the list",
    "WF-53": "no game data holds the sizes of bases",
    "WF-62": "which weapon a unit uses in a phase is asked of simulations, not of lists",
}
"""Rules about facts that a stored list cannot hold."""


def test_every_rule_is_fired_or_cannot_be() -> None:
    groups = ({*FIRED}, {*COMMUNITY}, {*NOT_HELD})
    assert sum(map(len, groups)) == len(set.union(*groups))
    assert set.union(*groups) == set(LIST_RULES["fantasy-8th"].rules.rules)


def test_the_small_list_is_legal(legal: Muster) -> None:
    report = legal.report
    assert (report.findings, report.verdict, report.unchecked) == ((), Verdict.LEGAL, ())
    assert (report.points.total, report.points.limit) == (640, 1000)
    assert (legal.row.verdict, legal.row.points, legal.row.finding_counts) == ("legal", 640, "0/0/0")


@pytest.mark.parametrize("rule", FIRED)
def test_a_rule_fires_from_a_stored_list(rule: str, legal: Muster) -> None:
    assert rule not in legal.rules()
    FIRED[rule](legal)
    report = legal.report
    found = [finding for finding in report.findings if finding.rule == rule]
    assert found, [(finding.rule, finding.message.en) for finding in report.findings]
    assert report.legal == (not any(finding.severity is Severity.ERROR for finding in report.findings))
    for finding in found:
        assert finding.message.en
        assert finding.message.ru
        if finding.at is not None and finding.at.startswith("/roster/forces/"):
            place = legal.document.by_pointer[finding.at]
            assert (finding.node_id, finding.unit_id) == (place.node.id, place.unit_id)


def test_the_administrator_switches_conventions_off(legal: Muster) -> None:
    """What the data forbids stays forbidden, then in the words of the data."""
    for rule in ("WFX-01", "WFX-02", "WFX-05"):
        FIRED[rule](legal)
    assert {"WFX-01", "WFX-02", "WFX-05"} <= legal.rules()
    PublishedSystem.objects.update(conventions=False)
    report = legal.report
    rules = {finding.rule for finding in report.findings}
    assert {"BS-01", "BS-04"} <= rules
    assert not any(rule.startswith("WFX") for rule in rules)
    assert report.verdict is Verdict.ILLEGAL


def test_the_own_army_comes_first_and_allies_show_their_level(legal: Muster) -> None:
    """Forces are read by name, so an allied army would come before the primary one."""
    greenskins("orc-warboss", "orc-boyz")(legal)
    report = legal.report
    assert (report.army.race, report.army.alliance.races) == ("empire", ("empire", "orcs_and_goblins"))
    assert {unit.name for unit in report.army.units if unit.army == 1} == {"Orc Warboss", "Orc Boyz"}
    assert report.alliances == {legal.document.roster.forces[1].id: "desperate"}
