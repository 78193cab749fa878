"""The page that proposes edits for a finding, and the button that applies one."""

import html
import json
import re
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any
from uuid import UUID

import pytest
from django.template.loader import render_to_string
from django.test import Client

from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import edits as e
from armybuilder.armylists import queries, repairs, services
from armybuilder.armylists.models import ArmyList
from armybuilder.datafiles.models import PublishedSystem
from armybuilder.reference import publishing
from armybuilder.web.views.repairs import Line, Proposal, _once
from tests.armylists.conftest import Muster
from tests.gamedata_files import CAPTAIN, SQUAD, catalogue, release
from tests.web.test_builder import page_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def leaderless(built: Muster) -> Muster:
    """The list before anybody is named to lead it; a second squad makes the rest legal."""
    built.unit("hh-la-tactical-squad")
    return built


def at_of(built: Muster, rule: str) -> str:
    """The place that a finding of the list names."""
    report = services.check_army_list(built.row)
    return next(one.at or "" for one in report.findings if one.rule == rule)


def asked(page: str) -> str:
    """The address behind the first question what would help with a missing warlord."""
    found = re.search(r'href="([^"]+/repair/\?rule=HH-32[^"]*)"', page)
    assert found
    return html.unescape(found[1])


def test_a_finding_leads_to_its_proposals_and_one_is_applied(leaderless: Muster, as_owner: Client) -> None:
    address = asked(as_owner.get(page_of(leaderless)).content.decode())
    page = as_owner.get(address).content.decode()
    assert "Warlord: Praetor" in page
    before = leaderless.row.revision
    fields = dict(re.findall(r'name="(revision|edits)" value="([^"]*)"', page))
    sent = {name: html.unescape(value) for name, value in fields.items()}
    answer = as_owner.post(page_of(leaderless, "list-repair"), sent, follow=True)
    assert answer.redirect_chain[-1][0] == page_of(leaderless)
    assert "Warlord: Praetor" in answer.content.decode()
    assert leaderless.row.revision == before + 1
    assert "HH-32" not in leaderless.rules()


def test_a_proposal_for_an_older_state_changes_nothing(leaderless: Muster, as_owner: Client) -> None:
    stale = leaderless.row.revision
    leaderless.edit(e.SetNotes(notes="later"))
    before = leaderless.row.revision
    edits = json.dumps([{"edit": "set_notes", "notes": "earlier"}])
    as_owner.post(page_of(leaderless, "list-repair"), {"revision": stale, "edits": edits})
    assert leaderless.row.revision == before
    assert leaderless.document.roster.notes == "later"


@pytest.mark.parametrize("edits", ["", "[", "[]", '[{"edit": "burn"}]'])
def test_what_is_no_edit_is_refused(leaderless: Muster, as_owner: Client, edits: str) -> None:
    before = leaderless.row.revision
    answer = as_owner.post(page_of(leaderless, "list-repair"), {"revision": before, "edits": edits})
    assert answer.status_code == 422
    assert leaderless.row.revision == before


def test_a_stranger_finds_nothing(leaderless: Muster, as_owner: Client, as_stranger: Client) -> None:
    address = asked(as_owner.get(page_of(leaderless)).content.decode())
    assert as_stranger.get(address).status_code == 404
    sent = {"revision": leaderless.row.revision, "edits": '[{"edit": "set_notes", "notes": "mine"}]'}
    assert as_stranger.post(page_of(leaderless, "list-repair"), sent).status_code == 404
    assert leaderless.document.roster.notes is None


def test_a_finding_that_is_gone_is_not_found(leaderless: Muster, as_owner: Client) -> None:
    assert as_owner.get(f"{page_of(leaderless, 'list-repair')}?rule=HH-99").status_code == 404


def test_an_address_that_names_no_finding_means_all_of_them(leaderless: Muster, as_owner: Client) -> None:
    answer = as_owner.get(page_of(leaderless, "list-repair"))
    assert answer.status_code == 200
    assert "Warlord: Praetor" in answer.content.decode()
    leaderless.edit(e.SetWarlord(node_id=leaderless.document.roster.forces[0].selections[0].id, trait="Stoic Defender"))
    assert not leaderless.rules()
    page = as_owner.get(page_of(leaderless, "list-repair")).content.decode()
    assert "Nothing to object." in page
    assert "No single change" not in page


def test_where_nobody_can_be_named_it_is_not_said_to_open_a_unit(
    game: PublishedSystem, muster: Callable[..., Muster], as_owner: Client
) -> None:
    empty = muster()
    page = as_owner.get(page_of(empty, "list-repair"), {"rule": "HH-32", "at": at_of(empty, "HH-32")}).content.decode()
    assert "No single change" in page
    assert "Add what is missing" in page
    assert "Open the unit" not in page


def test_a_chip_of_a_finding_that_is_gone_is_empty(leaderless: Muster, as_owner: Client, as_stranger: Client) -> None:
    page = as_owner.get(page_of(leaderless)).content.decode()
    found = re.search(r'hx-get="([^"]+/repair/\?chip=1[^"]*rule=HH-32[^"]*)"', page)
    assert found
    chip = html.unescape(found[1])
    button = re.search(r'value="([^"]+)"', as_owner.get(chip).content.decode())
    assert button
    sent = {"do": html.unescape(button[1]), "revision": leaderless.row.revision}
    as_owner.post(page_of(leaderless, "list-edit"), sent, headers={"HX-Request": "true"})
    assert "HH-32" not in leaderless.rules()
    answer = as_owner.get(chip, headers={"HX-Request": "true"})
    assert answer.status_code == 200
    assert answer.content.strip() == b""
    assert as_owner.get(chip.replace("chip=1&", "")).status_code == 404
    assert as_stranger.get(chip).status_code == 404


def test_findings_can_be_sifted(leaderless: Muster, as_owner: Client) -> None:
    page = as_owner.get(page_of(leaderless)).content.decode()
    assert re.search(r'class="finding finding--error finding--rulebook"', page)
    assert {"sieve-error", "sieve-warning", "sieve-info", "sieve-rulebook", "sieve-data"} <= set(
        re.findall(r'type="checkbox" id="(sieve-\w+)"', page)
    )


def test_the_first_repair_is_a_chip_that_applies_it(leaderless: Muster, as_owner: Client) -> None:
    leaderless.edit(e.SetPointsLimit(points_limit=3000))
    leaderless.unit("hh-la-praetor")
    page = as_owner.get(page_of(leaderless)).content.decode()
    chips = [html.unescape(one) for one in re.findall(r'hx-get="([^"]+/repair/\?chip=1[^"]*)"', page)]
    assert chips
    pressed = 0
    for address in chips:
        button = re.search(r'value="([^"]+)"', as_owner.get(address).content.decode())
        if button is None:
            continue
        rule = re.search(r"rule=([^&]+)", address)
        sent = {"do": html.unescape(button[1]), "revision": leaderless.row.revision}
        answer = as_owner.post(page_of(leaderless, "list-edit"), sent, headers={"HX-Request": "true"})
        assert answer.status_code == 200
        assert rule
        assert rule[1] not in leaderless.rules()
        pressed += 1
    assert pressed


def test_findings_are_grouped_by_what_they_are_about(leaderless: Muster, as_owner: Client) -> None:
    leaderless.edit(e.SetPointsLimit(points_limit=100))
    page = as_owner.get(page_of(leaderless)).content.decode().split('id="findings"')[1]
    names = re.findall(r'<h3 class="findings__name">(?:<a[^>]*>)?([^<]+)', page)
    assert names
    assert page.count('class="findings"') == len(names)
    assert "2 errors left" in page


def test_a_list_that_was_just_begun_is_not_wrong(
    game: PublishedSystem, muster: Callable[..., Muster], as_owner: Client
) -> None:
    page = as_owner.get(page_of(muster())).content.decode()
    assert re.search(r"Started, \d things to do", page)
    assert "verdict--illegal" not in page


def test_a_list_with_nothing_but_what_its_data_begins_with_is_not_wrong(as_owner: Client, viewer: Viewer) -> None:
    """The data demands one captain: he stands there at once. Whatever else is lacking nobody has left out yet."""
    one = '<constraint type="min" value="1" field="selections" scope="force" id="one"/>'
    demanded = CAPTAIN.replace("<profiles>", f"<constraints>{one}</constraints><profiles>", 1)
    system = PublishedSystem.objects.create(id="invented", name="Invented Game")
    publishing.publish(system, release(catalogue("red", "Red Host", demanded, SQUAD)), origin="test")
    made = services.create_army_list(viewer, system_id=system.pk, name="Host", catalogue_id="red")
    (force,) = services.check_army_list(made).state.forces
    assert [unit.name for unit in force.selections] == ["Captain"]
    page = as_owner.get(f"/lists/{made.pk}/").content.decode()
    shelf = as_owner.get("/lists/").content.decode()
    for told in (page, shelf):
        assert "Started, 1 thing to do" in told
        assert "verdict--illegal" not in told
    (lacking,) = services.check_army_list(made).findings
    query = {"rule": lacking.rule, "at": lacking.at or "", "says": lacking.message.en}
    proposals = as_owner.get(f"/lists/{made.pk}/repair/", query).content.decode()
    assert "The list would then be: Legal by the data" in re.sub(r"\s+", " ", proposals)
    services.apply_edit(viewer, made.pk, e.SetPointsLimit(points_limit=10), expected_revision=1)
    for address in (f"/lists/{made.pk}/", "/lists/"):
        assert "verdict--illegal" in as_owner.get(address).content.decode()
    services.undo(viewer, made.pk, expected_revision=2)
    assert "verdict--illegal" not in as_owner.get(f"/lists/{made.pk}/").content.decode()


def test_the_open_unit_asks_what_would_help_too(leaderless: Muster, as_owner: Client) -> None:
    unit = leaderless.document.roster.forces[0].selections[1].id
    leaderless.edit(e.SetAmount(selection_id=leaderless.find(unit, "Legionary").id, amount=40))
    page = as_owner.get(f"{page_of(leaderless)}?unit={unit}").content.decode()
    pane = page.split('id="unit-findings"')[1].split('id="unit-profile"')[0]
    assert "/repair/?" in pane
    assert "chip=1" not in pane


@pytest.mark.parametrize(("language", "name"), [("en", "A warlord is needed"), ("ru", "Нужен военачальник")])
def test_a_finding_says_what_its_rule_is_called(leaderless: Muster, as_owner: Client, language: str, name: str) -> None:
    as_owner.cookies["django_language"] = language
    page = as_owner.get(page_of(leaderless)).content.decode()
    assert re.search(rf'{name}</span>\s*<span class="rule-id">HH-32</span>', page)
    rule = as_owner.get("/systems/horus-heresy/rules/HH-32/").content.decode()
    assert re.search(rf"HH-32</span>\s*{name}", rule)


def test_names_are_tended_in_proposals_and_in_what_was_done(as_owner: Client, viewer: Viewer) -> None:
    """Authors number what they want in an order: nobody adds a "1) Trooper"."""
    system = PublishedSystem.objects.create(id="invented", name="Invented Game")
    squad = SQUAD.replace('name="Trooper"', 'name="1) Trooper"').replace('name="Line Squad"', 'name="2) Line Squad"')
    publishing.publish(system, release(catalogue("red", "Red Host", CAPTAIN, squad)), origin="test")
    made = services.create_army_list(viewer, system_id=system.pk, name="Host", catalogue_id="red")
    (force,) = services.check_army_list(made).state.forces
    added = services.apply_edit(
        viewer, made.pk, e.AddUnit(force_id=force.id, entry_id="squad"), expected_revision=made.revision
    )
    (troopers,) = added.report.state.node(added.node_id).selections
    services.apply_edit(
        viewer,
        made.pk,
        e.SetAmount(selection_id=troopers.id, amount=1),
        expected_revision=added.army_list.revision,
    )
    report = services.check_army_list(queries.own_army_list(made.pk, viewer))
    for finding in report.findings:
        query = {"rule": finding.rule, "at": finding.at or "", "says": finding.message.en}
        page = as_owner.get(f"/lists/{made.pk}/repair/", query).content.decode()
        assert ") Trooper" not in page and ") Line Squad" not in page, finding.message.en
        assert "Trooper" in page or "Line Squad" in page or "Captain" in page
    history = as_owner.get(f"/lists/{made.pk}/history/").content.decode()
    assert "Line Squad" in history and "Trooper" in history
    assert ") Trooper" not in history and ") Line Squad" not in history


def test_who_asks_for_many_at_once_gets_half_the_threads(
    leaderless: Muster, as_owner: Client, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each may take seconds of a processor: eight requests for them were all eight threads, and the site was silent."""
    page, seen = asked(as_owner.get(page_of(leaderless)).content.decode()), []
    api = f"/api/v1/lists/{leaderless.row.pk}/repairs/?{page.partition('?')[2]}"
    everything = page_of(leaderless, "list-repair")
    tried = repairs._Attempt._tried

    def looked_at(attempt: Any, *args: Any) -> Any:
        seen.append(repairs.PLACES.free)
        return tried(attempt, *args)

    monkeypatch.setattr(repairs._Attempt, "_tried", looked_at)
    assert repairs.PLACES.free == settings.WEB_THREADS // 2
    for address in (page, everything, api):
        assert as_owner.get(address).status_code == 200
    assert set(seen) == {settings.WEB_THREADS // 2 - 1}
    with ExitStack() as others:
        while repairs.PLACES.free:
            assert others.enter_context(repairs.PLACES.one())
        for address in (page, everything, api):
            answer = as_owner.get(address)
            assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5"), address
        assert "being tried out for other lists" in as_owner.get(page).content.decode()
        assert as_owner.get(api).json()["code"] == "repairs-busy"
        assert as_owner.get(page_of(leaderless)).status_code == 200
    assert as_owner.get(page).status_code == 200


def test_what_is_settled_several_times_at_once_is_one_line() -> None:
    """Three fiends without a weapon made three lines that no reader could tell apart."""
    line = Line("error", "BS-01", "Choose a weapon.")
    other = Line("error", "WF-01", "Choose a General.")
    assert [(one.rule, one.number) for one in _once([line, other, line])] == [("BS-01", 2), ("WF-01", 1)]
    proposal = Proposal("[]", "Take a gauntlet", None, _once([line, line]), (), "legal", 0, 0, 0, 0)
    shown = render_to_string("armylists/_repair.html", {"proposals": [proposal], "army_list": ArmyList(id=UUID(int=1))})
    assert shown.count("Choose a weapon.") == 1 and "2&nbsp;×" in shown
