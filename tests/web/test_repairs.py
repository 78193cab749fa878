"""The page that proposes edits for a finding, and the button that applies one."""

import html
import json
import re

import pytest
from django.test import Client

from armybuilder.armylists import edits as e
from tests.armylists.conftest import Muster
from tests.web.test_builder import page_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def leaderless(built: Muster) -> Muster:
    """The list before anybody is named to lead it; a second squad makes the rest legal."""
    built.unit("hh-la-tactical-squad")
    return built


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


def test_findings_can_be_sifted(leaderless: Muster, as_owner: Client) -> None:
    page = as_owner.get(page_of(leaderless)).content.decode()
    assert re.search(r'class="finding finding--error finding--rulebook"', page)
    assert {"sieve-error", "sieve-warning", "sieve-info", "sieve-rulebook", "sieve-data"} <= set(
        re.findall(r'type="checkbox" id="(sieve-\w+)"', page)
    )
