"""Every rule whose facts a stored list can hold fires from a list that was built by edits."""

from collections.abc import Callable
from typing import Any

import pytest

from armybuilder.armylists import edits as e
from armybuilder.engine.findings import Severity, Verdict
from armybuilder.engine.systems.game import LIST_RULES
from armybuilder.reference.models import Alliance, AllianceLevel, Faction
from tests.armylists.conftest import ALLIED, AUXILIA, LORD_OF_WAR, PRIMARY, SONS, Muster

IRON_WARRIORS = "hh-legion-iron-warriors"
SPARTAN = "hh-la-spartan-heavy-support::hh-la-spartan"
RHINO = "hh-la-tactical-squad-transport-for-a-squad::hh-o-transport-for-a-squad-rhino::hh-la-rhino"

Recipe = Callable[[Muster], Any]


def unit_named(army: Muster, name: str) -> str:
    """The first unit of that name in the list."""
    return next(unit.id for force in army.document.roster.forces for unit in force.selections if unit.name == name)


def with_limit(points: int | None) -> Recipe:
    return lambda army: army.edit(e.SetPointsLimit(points_limit=points))


def with_facts(**facts: Any) -> Recipe:
    return lambda army: army.facts(**facts)


def with_unit(entry_id: str, **facts: Any) -> Recipe:
    def add(army: Muster) -> None:
        node_id = army.unit(entry_id)
        if facts:
            army.unit_facts(node_id, **facts)

    return add


def with_detachment(force_entry_id: str, catalogue_id: str, *units: str) -> Recipe:
    def add(army: Muster) -> str:
        force_id = army.detachment(force_entry_id, catalogue_id)
        for entry_id in units:
            army.unit(entry_id, force_id=force_id)
        return force_id

    return add


def without(name: str) -> Recipe:
    return lambda army: army.edit(e.Remove(node_id=unit_named(army, name)))


def with_warlord(name: str, trait: str | None = None) -> Recipe:
    return lambda army: army.edit(e.SetWarlord(node_id=unit_named(army, name), trait=trait))


def stated_of(name: str, **facts: Any) -> Recipe:
    return lambda army: army.unit_facts(unit_named(army, name), **facts)


def all_of(*recipes: Recipe) -> Recipe:
    def follow(army: Muster) -> None:
        for recipe in recipes:
            recipe(army)

    return follow


def joins(name: str, host: str) -> Recipe:
    return lambda army: army.unit_facts(unit_named(army, name), joined_to=unit_named(army, host))


def embarks(name: str, host: str) -> Recipe:
    return lambda army: army.unit_facts(unit_named(army, name), embarked_in=unit_named(army, host))


def bought_for(name: str, host: str) -> Recipe:
    return lambda army: army.unit_facts(unit_named(army, name), dedicated_transport_for=unit_named(army, host))


def allied(level: str | None) -> Recipe:
    """A complete allied detachment of Iron Warriors at this level."""

    def add(army: Muster) -> None:
        if level is not None:
            _record(level)
        with_detachment(ALLIED, IRON_WARRIORS, "hh-la-centurion", "hh-la-tactical-squad")(army)

    return add


def _record(level: str) -> None:
    primary = Faction.objects.create(system_id="horus-heresy", key="sons-of-horus", name="Sons of Horus")
    ally = Faction.objects.create(system_id="horus-heresy", key="iron-warriors", name="Iron Warriors")
    known = AllianceLevel.objects.create(system_id="horus-heresy", key=level, name=level)

    Alliance.objects.create(system_id="horus-heresy", from_faction=primary, to_faction=ally, level=known)


def strongpoints(number: int) -> Recipe:
    def add(army: Muster) -> None:
        wall = army.unit("hh-fort-fortified-wall")
        army.edit(e.SetOptionAmount(parent_id=wall, entry_id="hh-fort-fortified-wall-strongpoint", amount=number))

    return add


def squad_with_transport(models: int) -> Recipe:
    """A squad of that many besides the sergeant, and its Rhino."""

    def add(army: Muster) -> None:
        squad = unit_named(army, "Tactical Squad")
        army.edit(
            e.SetAmount(selection_id=army.find(squad, "Legionary").id, amount=models),
            e.Select(parent_id=squad, entry_id=RHINO),
        )

    return add


def squad_of(models: int) -> Recipe:
    """A Tactical Squad of that many besides the sergeant."""

    def enlarge(army: Muster) -> None:
        squad = unit_named(army, "Tactical Squad")
        army.edit(e.SetAmount(selection_id=army.find(squad, "Legionary").id, amount=models))

    return enlarge


FIRED: dict[str, Recipe] = {
    "HH-01": with_facts(allegiance=None),
    "HH-02": stated_of("Tactical Squad", allegiance="loyalist"),
    "HH-04": with_limit(None),
    "HH-05": with_limit(319),
    "HH-06": with_limit(1749),
    "HH-07": with_limit(1999),
    "HH-08": with_facts(chart="my own"),
    "HH-09": with_detachment(PRIMARY, SONS),
    "HH-10": all_of(with_detachment(ALLIED, IRON_WARRIORS), with_detachment(ALLIED, AUXILIA)),
    "HH-11": without("Tactical Squad"),
    "HH-12": all_of(without("Tactical Squad"), with_detachment(ALLIED, IRON_WARRIORS)),
    "HH-13": with_detachment(ALLIED, IRON_WARRIORS),
    "HH-14": with_detachment(LORD_OF_WAR, SONS),
    "HH-15": all_of(*[with_unit("hh-la-centurion")] * 3),
    "HH-16": with_unit("hh-la-fellblade"),
    "HH-17": all_of(without("Tactical Squad"), with_unit("hh-la-tactical-support-squad")),
    "HH-19": with_detachment(ALLIED, SONS, "hh-la-centurion", "hh-la-tactical-squad"),
    "HH-20": with_detachment(LORD_OF_WAR, IRON_WARRIORS, "hh-la-fellblade"),
    "HH-23": allied(None),
    "HH-24": allied("distrusted_allies"),
    "HH-25": allied("by_command"),
    "HH-26": all_of(allied("fellow_warriors"), joins("Centurion", "Tactical Squad")),
    "HH-27": all_of(allied("sworn_brothers"), with_unit(SPARTAN), embarks("Centurion", "Land Raider Spartan")),
    "HH-28": all_of(with_limit(1999), with_detachment(LORD_OF_WAR, SONS, "hh-la-glaive")),
    "HH-29": with_detachment(LORD_OF_WAR, SONS, "hh-la-glaive"),
    "HH-30": with_detachment(LORD_OF_WAR, SONS, "hh-la-fellblade"),
    "HH-31": all_of(with_limit(3500), with_detachment(LORD_OF_WAR, SONS, "hh-la-fellblade")),
    "HH-32": lambda army: army.edit(e.SetWarlord(node_id=None)),
    "HH-34": all_of(allied(None), with_warlord("Centurion", "Bloody-handed")),
    "HH-35": with_warlord("Tactical Squad"),
    "HH-36": all_of(with_unit("hh-la-predator-squadron"), with_warlord("Predator Squadron")),
    "HH-37": with_unit("hh-primarch-horus-lupercal"),
    "HH-38": all_of(
        with_unit("hh-primarch-horus-lupercal"),
        stated_of("Praetor", must_be_warlord=True),
        with_warlord("Horus Lupercal"),
    ),
    "HH-39": with_warlord("Praetor"),
    "HH-40": all_of(without("Praetor"), with_warlord("Tactical Squad", "Bloody-handed")),
    "HH-41": stated_of("Praetor", predetermined_warlord_trait="Stoic Defender"),
    "HH-42": with_warlord("Praetor", "Terrible singer"),
    "HH-44": all_of(with_unit(SPARTAN), bought_for("Land Raider Spartan", "Praetor")),
    "HH-45": squad_with_transport(14),
    "HH-46": all_of(with_unit("hh-la-outrider-squadron"), with_unit(SPARTAN),
                    bought_for("Land Raider Spartan", "Outrider Squadron")),
    "HH-47": strongpoints(3),
    "HH-48": with_unit("hh-fort-defence-line", deployment="reserve"),
    "HH-49": all_of(with_unit("hh-la-contemptor-talon"), joins("Praetor", "Contemptor Dreadnought Talon")),
    "HH-50": all_of(with_unit("hh-la-reconnaissance-squad", deployment="infiltrate"),
                    joins("Praetor", "Reconnaissance Squad")),
    "HH-52": with_unit("hh-la-xiphon", deployment="table"),
    "HH-54": stated_of("Tactical Squad", deployment="deep_strike_assault"),
    "HH-55": stated_of("Tactical Squad", deployment="flanking_assault"),
    "HH-56": with_facts(deep_strike_assaults=2),
    "HH-57": stated_of("Praetor", psychic_disciplines=["Telepathy"]),
    "HH-61": with_facts(opponent={"allegiance": "traitor"}),
    "HH-62": with_facts(opponent={"allegiance": "loyalist", "points_limit": 2500}),
    "HH-63": with_facts(base_reactions=4),
    "HH-64": squad_of(20),
}  # fmt: skip
"""What makes the smallest legal list break each rule."""

COMMUNITY = {
    "HH-03": "our game data has no Agents of the Emperor or the Warmaster",
    "HH-43": "a trait of our game data belongs to the fact that names the warlord; the community's is an option",
    "HH-58": "every psyker of our game data brings disciplines; of the community's some Thousand Sons bring none",
}
"""Rules that our game data cannot break; lists of the community's data do (test_community_horus_heresy.py)."""

NOT_HELD = {
    "HH-18": "a unit always comes from the catalogue of its detachment; that it chose another Legion is told by HH-20",
    "HH-21": "a unit of our game data always has the one Legion rule of its catalogue",
    "HH-22": "a detachment is filled from one catalogue, which is one army list",
    "HH-33": "who is named or takes the badge of the data takes it from everybody else",
    "HH-51": "every battery of our game data has its crew; test_holes_in_the_data_are_named has one without",
    "HH-53": "every unit of our game data that is no fortification can move",
    "HH-59": "ours are right; test_holes_in_the_data_are_named spoils them",
    "HH-60": "ours is right; test_holes_in_the_data_are_named spoils it",
}
"""Rules about facts that a list built from our game data cannot hold."""


def test_every_rule_is_fired_or_cannot_be() -> None:
    ids = set(LIST_RULES["horus-heresy"].rules.rules)
    assert ids == {*FIRED, *COMMUNITY, *NOT_HELD}
    assert len(ids) == len(FIRED) + len(COMMUNITY) + len(NOT_HELD)


def test_the_data_objects_to_what_an_entry_does_not_allow(legal: Muster) -> None:
    squad = unit_named(legal, "Tactical Squad")
    legal.edit(e.SetAmount(selection_id=legal.find(squad, "Legionary").id, amount=20))
    found = {(finding.rule, finding.node_id, finding.unit_id) for finding in legal.report.findings}
    assert found == {("HH-64", squad, squad)}
    assert legal.row.verdict == "illegal"


def test_the_smallest_list_is_legal(legal: Muster) -> None:
    report = legal.report
    assert (report.findings, report.verdict, report.unchecked) == ((), Verdict.LEGAL, ())
    assert (report.points.total, report.points.limit) == (320, 2000)
    assert (legal.row.verdict, legal.row.points, legal.row.finding_counts) == ("legal", 320, "0/0/0")


@pytest.mark.parametrize("rule", FIRED)
def test_a_rule_fires_from_a_stored_list(rule: str, legal: Muster) -> None:
    FIRED[rule](legal)
    report = legal.report
    found = [finding for finding in report.findings if finding.rule == rule]
    assert found, [(finding.rule, finding.message.en) for finding in report.findings]
    assert report.legal == (not any(finding.severity is Severity.ERROR for finding in report.findings))
    for finding in found:
        assert finding.at is not None
        assert finding.message.en
        assert finding.message.ru
        if finding.at.startswith("/roster/forces/"):
            place = legal.document.by_pointer[finding.at]
            assert (finding.node_id, finding.unit_id, finding.force_id) == (
                place.node.id, place.unit_id, place.force_id
            )  # fmt: skip
