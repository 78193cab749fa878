"""Lists of 2,000 points from the community's Fantasy data, stored and checked; their sums were worked out by hand."""

from collections import Counter

import pytest

from armybuilder.armylists import edits as e
from armybuilder.engine.findings import Verdict
from tests.armylists.fantasy_muster import (
    BEASTMEN,
    CHAOS_DWARFS,
    COMMAND,
    EMPIRE,
    OGRES,
    SKAVEN,
    TOMB_KINGS,
    VAMPIRES,
    Recipe,
    Recruiter,
    empire,
    models_of,
    muster_of,
    spent,
)
from tests.armylists.test_verdicts_fantasy import COMMUNITY

__all__ = ["muster_of"]
pytestmark = pytest.mark.shared


def test_an_army_of_the_empire(muster_of) -> None:  # type: ignore[no-untyped-def]
    army = muster_of(EMPIRE)
    empire(army)
    report = army.report
    roles = Counter(unit.category for unit in report.army.units)
    assert roles == {"lord": 2, "hero": 2, "core": 4, "special": 4, "rare": 1}
    assert spent(army) == {"lord": 423, "hero": 198, "core": 577, "special": 679, "rare": 120}
    assert (report.points.total, report.verdict) == (1997, Verdict.LEGAL)
    assert [finding.rule for finding in report.findings] == ["WF-75"]  # Huntsmen are scouts
    types = {unit.name: (unit.troop_type, unit.models, unit.command) for unit in report.army.units}
    assert types["General of the Empire"] == ("cavalry", 1, ())
    assert types["Halberdiers"] == ("infantry", 30, ("champion", "musician", "standard_bearer"))
    assert types["Demigryph Knights"] == ("monstrous_cavalry", 3, ("champion",))
    assert types["Great Cannon"] == ("war_machine", 1, ())
    assert types["Luminark of Hysh"] == ("chariot", 1, ())
    greatswords = next(unit for unit in report.army.units if unit.name == "Greatswords")
    assert (greatswords.magic_items, greatswords.points) == (("Razor Standard",), 295)


def test_what_the_same_army_gets_wrong(muster_of) -> None:  # type: ignore[no-untyped-def]
    """Without Swordsmen and Handgunners Core is 282 of 500; two Steam Tanks make Rare 620; a second War Banner."""
    army = muster_of(EMPIRE)
    empire(army)
    units = {unit.name: unit.id for force in army.document.roster.forces for unit in force.selections}
    army.edit(e.Remove(node_id=units["Swordsmen"]), e.Remove(node_id=units["Handgunners"]))
    army.recruit("Steam Tank")
    army.recruit("Steam Tank")
    report = army.report
    assert {finding.rule for finding in report.findings} == {"WF-09", "WF-11", "WFX-01", "WF-75"}
    said = {finding.rule: finding.message.en for finding in report.findings}
    assert said["WF-09"] == "Core units cost 282; at least 500 (25% of 2,000) is required."
    assert said["WF-11"] == "Rare units cost 620; at most 500 (25% of 2,000)."
    assert said["WFX-01"] == "The list costs 2,202, over the limit of 2,000."
    army.facts(percent_base="total")
    assert "at least 550.5 (25% of 2,202)" in next(f for f in army.report.findings if f.rule == "WF-09").message.en


def test_an_army_of_beastmen_from_files_of_the_old_format(muster_of) -> None:  # type: ignore[no-untyped-def]
    """1,958 points: Beastlord 154, Great Bray-Shaman 235; Wargor 114; Core 575; Special 380; Rare exactly 500."""
    army = muster_of(BEASTMEN)
    general = army.recruit("Beastlord", "Shield", "Heavy Armour")
    army.recruit("Great Bray-Shaman", "Wizard Level 4", "Lore of Beasts")
    wargor = army.recruit("Wargor", "Battle Standard Bearer", "Heavy Armour")
    gors = army.recruit("Gor Herd", *COMMAND, Gor=30)
    army.recruit("Gor Herd", *COMMAND, Gor=20)
    army.recruit("Ungor Herd", *COMMAND, Ungor=20)
    army.recruit("Ungor Raiders", Ungor_Raider=10)
    army.recruit("Bestigor Herd", *COMMAND, Bestigor=20)
    for name in ("Razorgor Herd", "Harpies (FAQ'ed)", "Giant", "Cygor"):
        army.recruit(name)
    army.facts(general=general)
    army.unit_facts(wargor, joined_to=gors)
    assert spent(army) == {"lord": 389, "hero": 114, "core": 575, "special": 380, "rare": 500}
    report = army.report
    assert (report.points.total, report.verdict) == (1958, Verdict.LEGAL)
    assert {finding.rule for finding in report.findings} == {"WF-21"}  # no spells are recorded yet
    bearer = next(unit for unit in report.army.units if unit.id == wargor)
    assert (bearer.army_standard, bearer.joined_to, bearer.profile.Ld) == (True, gors, 8)
    army.recruit("Ghorgon")
    assert {"WF-11", "WFX-01"} <= army.rules()


def armed_champion(army: Recruiter) -> None:
    """A champion with a magic weapon, which the player says his army list does not allow."""
    knights = army.recruit("Blood Knights")
    army.take(army.take(knights, "Champion"), "BRB - Berserker Sword")
    assert "WF-24" not in army.rules()
    army.unit_facts(knights, magic_items_allowed=False)


def outfitted(name: str, *items: str, **facts: object) -> Recipe:
    """A character of the Empire with magic items, of whom this is said."""

    def outfit(army: Recruiter) -> None:
        unit = army.recruit(name)
        army.items(unit, *items)
        if facts.pop("leads", False):
            army.facts(general=unit)
        if facts:
            army.unit_facts(unit, **facts)

    return outfit


def two_champions(army: Recruiter) -> None:
    unit = army.recruit("Swordsmen")
    army.edit(e.SetOptionAmount(parent_id=unit, entry_id=army.offer(unit, "Champion").entry_id, amount=2))


def two_suits(army: Recruiter) -> None:
    """Two magic suits on a character to whom the one item of each category does not apply."""
    unit = army.recruit("Captain of the Empire")
    army.items(unit, "Armour of Fortune")
    bag = army.find(unit, "Magic Items").id
    scales = army.offer(bag, "BRB - Glittering Scales").entry_id
    army.edit(e.SetOptionAmount(parent_id=bag, entry_id=scales, amount=1))
    army.unit_facts(unit, special_character=True)


def great_alliance(army: Recruiter) -> None:
    for ally in ("Skaven", "Tomb Kings"):
        army.ally(ally)
        army.recruit("Clanrats" if ally == "Skaven" else "Tomb Guard")
    army.facts(army_points=[2000, 2000, 2000])


RECIPES: dict[str, tuple[str, Recipe]] = {
    "WF-24": (VAMPIRES, armed_champion),
    "WF-32": (EMPIRE, two_suits),
    "WF-39": (EMPIRE, outfitted("Captain of the Empire", "Obsidian Trinket", "Spellshield")),
    "WF-40": (EMPIRE, outfitted("General of the Empire", "Armour of Fortune", "Seed of Rebirth")),
    "WF-42": (EMPIRE, outfitted("General of the Empire", "The Terrifying Mask of Eee!", leads=True)),
    "WF-43": (
        EMPIRE,
        lambda army: army.take(army.recruit("Greatswords"), "Standard Bearer", "BRB - Standard of Discipline"),
    ),
    "WF-47": (VAMPIRES, lambda army: army.unit_facts(army.recruit("Vampire"), joined_to=army.recruit("Cairn Wraiths"))),
    "WF-49": (
        CHAOS_DWARFS,
        lambda army: army.unit_facts(army.recruit("Infernal Castellan"), joined_to=army.recruit("K'daai Fireborn")),
    ),
    "WF-52": (
        EMPIRE,
        lambda army: army.unit_facts(army.recruit("Captain of the Empire"), joined_to=army.recruit("Pistoliers")),
    ),
    "WF-58": (SKAVEN, lambda army: army.take(models_of(army, army.recruit("Gutter Runners")), "Slings")),
    "WF-63": (EMPIRE, lambda army: (army.ally("Skaven"), army.recruit("Clanrats"), army.facts(alliance_level="firm"))),
    "WF-64": (EMPIRE, lambda army: army.ally("Skaven")),
    "WF-65": (OGRES, lambda army: army.ally("Tomb Kings")),
    "WF-66": (
        EMPIRE,
        lambda army: (army.ally("Skaven"), army.facts(supreme_commander=army.recruit("Warlord"))),
    ),
    "WF-67": (EMPIRE, great_alliance),
    "WF-68": (EMPIRE, lambda army: army.facts(scenario="blood_and_glory")),
    "WF-69": (EMPIRE, lambda army: (army.recruit("Knightly Orders"), army.facts(scenario="watchtower"))),
    "WF-72": (OGRES, lambda army: army.recruit("Gorger")),
    "WF-73": (OGRES, lambda army: (army.recruit("Gorger"), army.facts(scenario="battle_for_the_pass"))),
    "WFX-07": (EMPIRE, two_champions),
}
"""What fires each rule in a list of the community's data; the named lists spoil others."""


@pytest.mark.parametrize("rule", RECIPES)
def test_a_rule_fires_from_the_communitys_data(rule: str, muster_of) -> None:  # type: ignore[no-untyped-def]
    own, recipe = RECIPES[rule]
    army = muster_of(own, SKAVEN, TOMB_KINGS)
    assert rule not in army.rules()
    recipe(army)
    found = [finding for finding in army.report.findings if finding.rule == rule]
    assert found
    assert all(finding.message.ru for finding in found)


def test_rules_that_our_data_cannot_break_fire_here() -> None:
    assert COMMUNITY.keys() <= RECIPES.keys()
