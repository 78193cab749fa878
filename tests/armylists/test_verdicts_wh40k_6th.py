"""Every rule of 40k 6th edition whose facts a stored list can hold fires from a list that was built by edits."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import edits as e
from armybuilder.armylists import services
from armybuilder.engine.check import check
from armybuilder.engine.findings import Severity, Verdict
from armybuilder.engine.systems.game import LIST_RULES
from armybuilder.engine.systems.list_rules import RuleSettings
from armybuilder.engine.systems.wh40k_6th.army import Detachment
from armybuilder.reference import services as reference
from armybuilder.reference.models import Faction
from armybuilder.reference.queries import alliance_matrix
from tests.armylists.conftest import Muster, shipped_game

MARINES, ORKS = "w40k-space-marines", "w40k-orks"
PRIMARY, ALLIED, FORTIFICATION = "w40k-force-primary", "w40k-force-allied", "w40k-force-fortification"
AEGIS, BASTION = "w40k-fort-aegis-defense-line", "w40k-fort-imperial-bastion"

Recipe = Callable[[Muster], Any]


@pytest.fixture
def legal(db: None, viewer: Viewer) -> Muster:
    """The smallest legal list: a warlord and two troops, 1,500 points agreed."""
    shipped_game("wh40k-6th")
    made = services.create_army_list(
        viewer, system_id="wh40k-6th", name="First draft", catalogue_id=MARINES, points_limit=1500
    )
    army = Muster(viewer, made)
    captain, *_ = army.units("w40k-sm-captain", "w40k-sm-tactical-squad", "w40k-sm-tactical-squad")
    army.edit(e.SetWarlord(node_id=captain))
    return army


def unit_named(army: Muster, name: str) -> str:
    """The first unit of that name in the list."""
    return next(unit.id for force in army.document.roster.forces for unit in force.selections if unit.name == name)


def with_limit(points: int | None) -> Recipe:
    return lambda army: army.edit(e.SetPointsLimit(points_limit=points))


def with_units(*entry_ids: str) -> Recipe:
    return lambda army: army.units(*entry_ids)


def without(name: str) -> Recipe:
    return lambda army: army.edit(e.Remove(node_id=unit_named(army, name)))


def with_detachment(force_entry_id: str, catalogue_id: str, *entry_ids: str) -> Recipe:
    def add(army: Muster) -> None:
        force_id = army.detachment(force_entry_id, catalogue_id)
        for entry_id in entry_ids:
            army.unit(entry_id, force_id=force_id)

    return add


def with_warlord(name: str | None) -> Recipe:
    return lambda army: army.edit(e.SetWarlord(node_id=None if name is None else unit_named(army, name)))


def all_of(*recipes: Recipe) -> Recipe:
    def follow(army: Muster) -> None:
        for recipe in recipes:
            recipe(army)

    return follow


def recorded(one: str, other: str, level: str) -> Recipe:
    """What an administrator does in the grid."""

    def record(army: Muster) -> None:
        factions = {row.key: row for row in Faction.objects.filter(system="wh40k-6th")}
        matrix = alliance_matrix("wh40k-6th")
        reference.record_alliances(
            matrix.system.pk, {(factions[one], factions[other]): level}, source="a test", by=army.viewer.user
        )

    return record


SECOND = with_detachment(PRIMARY, MARINES, "w40k-sm-librarian", "w40k-sm-scout-squad", "w40k-sm-scout-squad")
OTHER_ARMY = with_detachment(PRIMARY, ORKS, "w40k-orks-big-mek", "w40k-orks-ork-boyz", "w40k-orks-gretchin")
GREENSKINS = with_detachment(ALLIED, ORKS, "w40k-orks-warboss", "w40k-orks-ork-boyz")

FIRED: dict[str, Recipe] = {
    "W6-17": lambda army: army.facts(army_construction="not_checked"),
    "W6L-01": with_limit(None),
    "W6L-02": with_limit(229),
    "W6L-03": SECOND,
    "W6L-04": without("Tactical Squad"),
    "W6L-05": with_detachment(ALLIED, ORKS, "w40k-orks-warboss"),
    "W6L-06": with_units("w40k-sm-librarian", "w40k-sm-chaplain"),
    "W6L-07": with_detachment(ALLIED, MARINES, "w40k-sm-thunderhawk-gunship"),
    "W6L-08": with_detachment(FORTIFICATION, MARINES, AEGIS, BASTION),
    "W6L-09": all_of(GREENSKINS, GREENSKINS),
    "W6L-10": with_detachment(ALLIED, MARINES, "w40k-sm-librarian", "w40k-sm-scout-squad"),
    "W6L-11": all_of(GREENSKINS, recorded("orks", "space-marines", "come_the_apocalypse")),
    "W6L-12": GREENSKINS,
    "W6L-13": with_warlord(None),
    "W6L-14": with_warlord("Tactical Squad"),
    "W6L-15": all_of(with_limit(2000), OTHER_ARMY, with_warlord("Big Mek")),
    "W6L-16": all_of(without("Captain"), with_units("w40k-sm-marneus-calgar", "w40k-sm-marneus-calgar")),
    "W6L-17": all_of(with_limit(2000), OTHER_ARMY),
}
"""What makes the smallest legal list break each rule."""

TABLES = "characteristics come from the data, not from the list; what the tables do not print is left out as BS-05"
ACTION = "a list has no battle actions"
NOT_HELD = {
    "W6-01": TABLES,
    "W6-02": TABLES,
    "W6-03": TABLES,
    "W6-04": TABLES,
    "W6-05": TABLES,
    "W6-06": ACTION,
    "W6-07": ACTION,
    "W6-08": ACTION,
    "W6-09": ACTION,
    "W6-10": ACTION,
    "W6-11": ACTION,
    "W6-12": ACTION,
    "W6-13": ACTION,
    "W6-14": "cover is the table's, not the list's",
    "W6-15": ACTION,
    "W6-16": ACTION,
}
"""Rules about facts that a list built from our game data cannot hold."""


def test_every_rule_is_fired_or_cannot_be() -> None:
    assert set(LIST_RULES["wh40k-6th"].rules.rules) == {*FIRED, *NOT_HELD}
    assert not FIRED.keys() & NOT_HELD.keys()


def test_the_smallest_list_is_legal(legal: Muster) -> None:
    report = legal.report
    assert (report.findings, report.verdict, report.unchecked) == ((), Verdict.LEGAL, ())
    assert (report.points.total, report.points.limit) == (230, 1500)
    assert (legal.row.verdict, legal.row.points, legal.row.finding_counts) == ("legal", 230, "0/0/0")


@pytest.mark.parametrize("rule", FIRED)
def test_a_rule_fires_from_a_stored_list(rule: str, legal: Muster) -> None:
    FIRED[rule](legal)
    report = legal.report
    found = [finding for finding in report.findings if finding.rule == rule]
    assert found, [(finding.rule, finding.message.en) for finding in report.findings]
    if rule == "W6-17":
        assert (report.legal, report.verdict) == (None, Verdict.NOT_CHECKED)
    else:
        assert report.legal == (not any(finding.severity is Severity.ERROR for finding in report.findings))
    for finding in found:
        assert finding.message.en
        assert finding.message.ru
        if finding.at is not None and finding.at.startswith("/roster/forces/"):
            place = legal.document.by_pointer[finding.at]
            assert (finding.node_id, finding.unit_id, finding.force_id) == (
                place.node.id, place.unit_id, place.force_id
            )  # fmt: skip


@pytest.mark.parametrize(
    ("recipe", "rules"),
    [
        (with_limit(230), []),
        (all_of(with_limit(2000), SECOND), []),
        (all_of(with_limit(1999), SECOND), ["W6L-03"]),
        (with_units("w40k-sm-librarian"), []),
        (with_detachment(FORTIFICATION, MARINES, BASTION), []),
        (with_units(*["w40k-sm-tactical-squad"] * 4), []),
        (with_units(*["w40k-sm-tactical-squad"] * 5), ["W6L-06"]),
        (with_units("w40k-sm-command-squad"), []),
        (all_of(with_limit(2000), SECOND, with_detachment(FORTIFICATION, MARINES, BASTION, AEGIS)), ["W6L-08"]),
    ],
)
def test_the_last_legal_value_and_the_first_illegal_one(recipe: Recipe, rules: list[str], legal: Muster) -> None:
    recipe(legal)
    assert [finding.rule for finding in legal.report.findings] == rules


def test_the_data_and_the_rulebook_do_not_say_the_same_twice(legal: Muster) -> None:
    """BS-01 and BS-02 of the data repeat W6L-04, W6L-06 and W6L-08; each is said once, as the rulebook words it."""
    all_of(without("Tactical Squad"), with_units("w40k-sm-librarian", "w40k-sm-chaplain"))(legal)
    assert sorted(finding.rule for finding in legal.report.findings) == ["W6L-04", "W6L-06"]


@pytest.mark.parametrize(
    ("level", "verdict", "unchecked"),
    [
        (None, Verdict.LEGAL, ["alliance"]),
        ("battle_brothers", Verdict.LEGAL, []),
        ("desperate_allies", Verdict.LEGAL, []),
        ("come_the_apocalypse", Verdict.ILLEGAL, []),
    ],
)
def test_the_level_of_an_alliance_is_said_or_said_to_be_unknown(
    level: str | None, verdict: Verdict, unchecked: list[str], legal: Muster
) -> None:
    GREENSKINS(legal)
    if level is not None:
        recorded("space-marines", "orks", level)(legal)
    report = legal.report
    allied = report.state.roster.forces[1].id
    assert (report.verdict, [part.code for part in report.unchecked]) == (verdict, unchecked)
    assert report.alliances == {allied: level or ""}


def test_a_pair_that_the_administrator_allows_is_allowed(legal: Muster) -> None:
    """Orks ally with no Blood Angels in the published table; whoever keeps the site may know better, both ways."""
    pair = ("Blood Angels", "Orks")
    army = msgspec.structs.replace(legal.report.army, detachments=tuple(
        Detachment(type=type_, army=name, units=()) for type_, name in zip(("primary", "allied"), pair, strict=True)
    ))  # fmt: skip
    for recorded_levels, rules in (
        ({}, ["W6L-11"]),
        ({pair: "desperate_allies"}, []),
        ({pair: "desperate_allies", pair[::-1]: "come_the_apocalypse"}, ["W6L-11"]),
    ):
        settings = RuleSettings(alliance_levels={"wh40k-6th": recorded_levels})
        found = [finding.rule for finding in check(army, settings=settings).findings]
        assert [rule for rule in found if rule in ("W6L-11", "W6L-12")] == rules


def test_what_the_player_states_outranks_the_data(legal: Muster) -> None:
    squads = [unit.id for unit in legal.document.roster.forces[0].selections if unit.name == "Tactical Squad"]
    legal.unit_facts(squads[0], role="elites")
    assert legal.rules() == {"W6L-04"}
    legal.unit_facts(squads[0], role=None)
    legal.unit_facts(squads[0], unique=True)
    assert legal.rules() == {"W6L-16"}


def test_who_there_is_only_one_of_stays_who_he_is_under_any_name(legal: Muster) -> None:
    _, second = legal.units("w40k-sm-marneus-calgar", "w40k-sm-marneus-calgar")
    assert "W6L-16" in legal.rules()
    legal.edit(e.Rename(node_id=second, name="His brother"))
    assert "W6L-16" in legal.rules()
