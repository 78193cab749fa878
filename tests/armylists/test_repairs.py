"""What would settle a finding: proposals that were tried, and none that makes another error."""

from collections.abc import Callable

import msgspec
import pytest

from armybuilder.armylists import edits as e
from armybuilder.armylists import repairs, roster_repairs
from armybuilder.armylists.errors import NotFound
from armybuilder.armylists.facts import warlord_traits
from armybuilder.armylists.repairs import Repair, finding_of, repair_of_everything, repairs_of
from armybuilder.engine.findings import Severity, Text
from armybuilder.engine.systems.relic.hero import Asset
from armybuilder.heroes import edits as h
from tests.armylists.conftest import AUXILIA, LORD_OF_WAR, Muster
from tests.armylists.test_verdicts import unit_named
from tests.heroes.hero import HeroInHand, captain, hero_viewer, new_hero, relic

__all__ = ["captain", "hero_viewer", "new_hero", "relic"]


def proposals(army: Muster, rule: str) -> tuple[Repair, ...]:
    """What would settle the first finding of a rule."""
    report = army.report
    finding = next(found for found in report.findings if found.rule == rule)
    return repairs_of(army.row, report, finding)


def deeds(army: Muster, rule: str) -> list[str]:
    return [repair.does.en for repair in proposals(army, rule)]


def test_a_missing_compulsory_unit_is_added(legal: Muster) -> None:
    legal.edit(e.Remove(node_id=unit_named(legal, "Tactical Squad")))
    rule = next(iter(legal.rules()))
    found = proposals(legal, rule)
    assert found
    assert all("Added" in repair.does.en for repair in found)
    assert all(any(one.rule == rule for one in repair.settled) for repair in found)


def test_what_takes_too_long_is_tried_no_further(legal: Muster, monkeypatch: pytest.MonkeyPatch) -> None:
    """A list of many detachments cost eleven seconds of a processor a page; so long at most is tried, all told."""
    legal.edit(e.Remove(node_id=unit_named(legal, "Tactical Squad")))
    rule = next(iter(legal.rules()))
    assert repair_of_everything(legal.row, legal.report)
    monkeypatch.setattr(repairs, "LONGEST_SECONDS", -1.0)
    assert proposals(legal, rule) == ()
    assert repair_of_everything(legal.row, legal.report) is None


def test_what_was_asked_of_an_earlier_state_is_given_up(legal: Muster, monkeypatch: pytest.MonkeyPatch) -> None:
    """Four edits in a row on a slow machine held all threads for repairs, and the page of the last had none."""
    legal.edit(e.Remove(node_id=unit_named(legal, "Tactical Squad")))
    rule, tried, tries = next(iter(legal.rules())), repairs._Attempt._tried, []

    def edited_meanwhile(attempt: repairs._Attempt, candidate: repairs.Candidate) -> object:
        tries.append(attempt.army_list.revision)
        if len(tries) == 1:
            legal.edit(e.SetPointsLimit(points_limit=2750))
            assert proposals(legal, rule)
        return tried(attempt, candidate)

    monkeypatch.setattr(repairs._Attempt, "_tried", edited_meanwhile)
    before = legal.row.revision
    assert proposals(legal, rule) == ()
    assert legal.row.revision == before + 1
    monkeypatch.undo()
    assert proposals(legal, rule)


def test_an_empty_chart_is_filled_role_by_role(legal: Muster) -> None:
    """One rule speaks of the same detachment twice: of the HQ that is missing, and of both Troops."""
    for unit in legal.document.roster.forces[0].selections:
        legal.edit(e.Remove(node_id=unit.id))
    missing = [finding for finding in legal.report.findings if finding.rule == "HH-11"]
    assert len(missing) == 2
    for finding in missing:
        assert finding_of(legal.report, rule="HH-11", at=finding.at, says=finding.message.en) == finding
        added = repairs_of(legal.row, legal.report, finding)
        assert added, finding.message.en
        assert all(finding in repair.settled for repair in added)
    assert "Added Centurion" in repairs_of(legal.row, legal.report, missing[0])[0].does.en
    legal.edit(*repairs_of(legal.row, legal.report, missing[0])[0].edits)
    legal.edit(*proposals(legal, "HH-11")[0].edits)
    assert "HH-11" not in legal.rules()


def test_a_warlord_is_named_with_each_of_his_traits(legal: Muster) -> None:
    legal.edit(e.SetWarlord(node_id=None))
    found = proposals(legal, "HH-32")
    traits = warlord_traits("horus-heresy")
    assert sorted(repair.does.en for repair in found) == sorted(f"Warlord: Praetor ({trait})" for trait in traits)
    assert not any(repair.caused for repair in found)
    before = legal.row.revision
    legal.edit(*found[0].edits)
    assert not legal.report.findings
    assert legal.row.revision == before + 1


def test_a_trait_is_chosen_for_the_warlord_there_is(legal: Muster) -> None:
    legal.edit(e.SetWarlord(node_id=unit_named(legal, "Praetor")))
    assert {repair.does.en for repair in proposals(legal, "HH-39")} >= {"Warlord: Praetor (Bloody-handed)"}


def test_what_puts_another_error_in_its_place_is_no_repair(legal: Muster, monkeypatch: pytest.MonkeyPatch) -> None:
    legal.edit(e.SetWarlord(node_id=None))
    monkeypatch.setattr(roster_repairs, "warlord_traits", lambda name: {})
    assert proposals(legal, "HH-32") == ()  # HH-39 would ask for the trait, and lead back


def test_a_surplus_detachment_is_removed(legal: Muster) -> None:
    legal.edit(e.Remove(node_id=unit_named(legal, "Tactical Squad")))
    legal.detachment(LORD_OF_WAR, AUXILIA)
    assert "Removed Lord of War Detachment" in deeds(legal, "HH-12")


def test_a_limit_that_the_finding_mentions(legal: Muster) -> None:
    legal.edit(e.SetPointsLimit(points_limit=300))
    assert deeds(legal, "HH-05")[0] == f"Points limit: 300 → {legal.row.points:.0f}"


def test_a_smaller_game_is_the_last_resort(legal: Muster) -> None:
    legal.edit(e.SetPointsLimit(points_limit=1000))
    said = Text(en="Core units cost 140; at least 750 of 2000 are required.", ru="")
    finding = msgspec.structs.replace(next(iter(legal.report.findings)), message=said)
    tried = list(roster_repairs.roster_candidates(legal.report, finding, legal.document))
    limits = [edit.points_limit for (edit, *_) in tried if isinstance(edit, e.SetPointsLimit)]
    assert limits == [2000, 140, 750]
    assert tried[-2:] == [(e.SetPointsLimit(points_limit=140),), (e.SetPointsLimit(points_limit=750),)]
    assert any(isinstance(one[0], e.AddUnit) for one in tried[:-2])


def test_allegiance_has_two_ways(muster: Callable[..., Muster]) -> None:
    army = muster(allegiance=None)
    assert deeds(army, "HH-01") == ["allegiance – Loyalist", "allegiance – Traitor"]


def test_nothing_is_proposed_that_makes_more_errors_and_nothing_is_changed(legal: Muster) -> None:
    legal.edit(e.Remove(node_id=unit_named(legal, "Praetor")))
    before = legal.row
    for finding in legal.report.findings:
        for repair in repairs_of(legal.row, legal.report, finding):
            settled = sum(one.severity is Severity.ERROR for one in repair.settled)
            assert sum(one.severity is Severity.ERROR for one in repair.caused) <= settled
    assert (legal.row.revision, legal.row.document) == (before.revision, before.document)


def test_a_limit_of_the_data(legal: Muster) -> None:
    squad = unit_named(legal, "Tactical Squad")
    legal.edit(e.SetAmount(selection_id=legal.find(squad, "Legionary").id, amount=25))
    assert "BS-02" not in legal.rules(), "the rulebook says it"
    (first, *_) = proposals(legal, "HH-64")
    legal.edit(*first.edits)
    assert "HH-64" not in legal.rules()
    assert legal.find(squad, "Legionary").amount == 19


def test_a_finding_that_is_gone(legal: Muster) -> None:
    with pytest.raises(NotFound):
        finding_of(legal.report, rule="HH-32", at=None)


def test_the_whole_army_is_never_removed(draft: Muster) -> None:
    for finding in draft.report.findings:
        for repair in repairs_of(draft.row, draft.report, finding):
            assert not any(isinstance(edit, e.Remove) for edit in repair.edits)


def hero_deeds(hero: HeroInHand, rule: str) -> list[str]:
    finding = next(found for found in hero.report.findings if found.rule == rule)
    return [repair.does.en for repair in repairs_of(hero.row, hero.report, finding)]


def test_a_dial_is_turned_as_little_as_it_takes(captain: HeroInHand) -> None:
    captain.dial("strength", 14)
    assert hero_deeds(captain, "RL-01") == ["Strength: 14 → 12"]


def test_as_many_cards_are_given_back_as_are_too_many(captain: HeroInHand) -> None:
    captain.edit(*[h.TakeAsset(card=Asset(name=f"Charm {number}")) for number in range(6)])
    found = hero_deeds(captain, "RL-06")
    assert found[0] == "Gave back Charm 5; Gave back Charm 4"
    assert all(deed.count("Gave back") == 2 for deed in found)


def test_everything_is_settled_at_once_and_what_was_agreed_on_stays(legal: Muster) -> None:
    squad = unit_named(legal, "Tactical Squad")
    legal.edit(e.SetWarlord(node_id=None), e.Remove(node_id=squad))
    errors = [one for one in legal.report.findings if one.severity is Severity.ERROR]
    assert len(errors) > 1
    before = legal.row
    everything = repair_of_everything(before, legal.report)
    assert everything is not None
    assert everything.errors_left == 0
    assert not everything.takes_away
    assert not any(isinstance(edit, e.SetPointsLimit) for edit in everything.edits)
    assert (legal.row.revision, legal.row.document) == (before.revision, before.document)
    legal.edit(*everything.edits)
    assert legal.report.legal


def test_a_legal_list_has_nothing_to_be_settled(legal: Muster) -> None:
    assert repair_of_everything(legal.row, legal.report) is None


def test_an_army_that_is_too_large_is_not_settled_by_a_larger_game(legal: Muster) -> None:
    legal.edit(e.SetPointsLimit(points_limit=int(legal.row.points) - 5))
    assert any(isinstance(edit, e.SetPointsLimit) for one in proposals(legal, "HH-05") for edit in one.edits)
    everything = repair_of_everything(legal.row, legal.report)
    assert everything is None or not any(isinstance(edit, e.SetPointsLimit) for edit in everything.edits)


def test_no_step_is_proposed_for_what_a_later_one_takes_away(legal: Muster) -> None:
    """Of an enchantress who was removed in the end, all at once chose the lore first."""
    squad = legal.unit("hh-la-tactical-squad")
    legal.edit(e.SetPointsLimit(points_limit=int(legal.row.points or 0) - 5))
    more = e.SetAmount(selection_id=legal.find(squad, "Legionary").id, amount=12)
    attempt = repairs._Attempt(legal.row, legal.report)
    edits: repairs.Candidate = (more, e.Remove(node_id=squad))
    tried = attempt._tried(edits)
    assert tried is not None
    assert attempt.without_needless((edits, *tried))[0] == edits[1:]
