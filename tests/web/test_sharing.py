"""Handing a list on: links, QR codes, the page a stranger reads, copies, paper."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from armybuilder.armylists import edits as e
from armybuilder.armylists.models import ArmyList, ShareLink
from tests.armylists.conftest import Muster

pytestmark = pytest.mark.django_db


@pytest.fixture
def token(built: Muster, as_owner: Client) -> str:
    """A link the owner made on the page."""
    as_owner.post(reverse("web:list-share-publish", args=[built.list_id]), {"days": "0"})
    return ShareLink.objects.get().token


def test_a_link_is_made_shown_with_its_code_and_taken_back(built: Muster, as_owner: Client, token: str) -> None:
    page = as_owner.get(reverse("web:list-share", args=[built.list_id])).content.decode()
    assert f"http://testserver/s/{token}/" in page
    assert "<svg" in page.split('class="qr"')[1]
    assert "style=" not in page
    answer = as_owner.post(reverse("web:list-share-revoke", args=[built.list_id, token]))
    assert answer.status_code == 302
    assert Client().get(reverse("web:shared", args=[token])).status_code == 404
    assert token not in as_owner.get(reverse("web:list-share", args=[built.list_id])).content.decode()


def test_a_link_may_end_by_itself(built: Muster, as_owner: Client) -> None:
    as_owner.post(reverse("web:list-share-publish", args=[built.list_id]), {"days": "7"})
    assert ShareLink.objects.get().expires is not None
    assert as_owner.post(reverse("web:list-share-publish", args=[built.list_id]), {"days": "9"}).status_code == 422
    assert ShareLink.objects.count() == 1


def test_a_friend_reads_the_list_without_an_account(built: Muster, token: str) -> None:
    answer = Client().get(reverse("web:shared", args=[token]))
    page = answer.content.decode()
    assert answer.status_code == 200
    assert answer["X-Robots-Tag"] == "noindex"
    assert "First draft" in page
    assert "Tactical Squad" in page
    assert "Illegal" in page
    assert "HH-32" in page
    assert 'name="do"' not in page


def test_a_friend_copies_the_list_and_the_copy_is_his_own(built: Muster, token: str) -> None:
    friend = Client()
    answer = friend.post(reverse("web:shared-copy", args=[token]), {"name": "My version"})
    copy = ArmyList.objects.exclude(pk=built.list_id).get()
    assert answer.url == reverse("web:list", args=[copy.pk])
    assert copy.name == "My version"
    assert friend.get(answer.url).status_code == 200
    friend.post(reverse("web:list-edit", args=[copy.pk]), {"edit": "set_name", "name": "X", "revision": copy.revision})
    assert built.row.name == "First draft"


def test_a_link_reads_and_writes_nothing_else(built: Muster, token: str) -> None:
    friend = Client()
    friend.get(reverse("web:shared", args=[token]))
    before = built.row.revision
    assert friend.get(reverse("web:list", args=[built.list_id])).status_code == 404
    fields = {"edit": "set_name", "name": "X", "revision": before}
    assert friend.post(reverse("web:list-edit", args=[built.list_id]), fields).status_code == 404
    assert friend.post(reverse("web:list-share-revoke", args=[built.list_id, token])).status_code == 404
    assert built.row.revision == before
    assert Client().get(reverse("web:shared", args=[token])).status_code == 200


@pytest.mark.parametrize("token", ["x", "A" * 22, "../../admin", "%00"])
def test_wrong_tokens_lead_nowhere(game: object, token: str) -> None:
    assert Client().get(f"/s/{token}/").status_code == 404


def test_verdict_and_findings_survive_on_paper(built: Muster, as_owner: Client, token: str) -> None:
    for browser, address in (
        (as_owner, reverse("web:list-print", args=[built.list_id])),
        (Client(), reverse("web:shared-print", args=[token])),
    ):
        page = browser.get(address).content.decode()
        assert "verdict--illegal" in page
        assert "HH-11" in page
        assert re.search(r"<th[^>]*>\s*WS\s*</th>", page)


def test_readers_and_paper_name_the_warlord_s_trait(built: Muster, as_owner: Client, token: str) -> None:
    pane = as_owner.get(f"{reverse('web:list', args=[built.list_id])}?pane=warlord").content.decode()
    choice = re.search(r'value="(edit=set_warlord&amp;node_id=\w+&amp;trait=)"[^>]*id="b-warlord-1"', pane)
    assert choice
    change = {"do": choice[1].replace("&amp;", "&"), "revision": built.row.revision}
    as_owner.post(reverse("web:list-edit", args=[built.list_id]), change)
    shared, paper = reverse("web:shared", args=[token]), reverse("web:list-print", args=[built.list_id])
    assert '<span class="tag tag--on">Warlord</span>' in Client().get(shared).content.decode()
    change = {"do": change["do"] + "Stoic Defender", "revision": built.row.revision}
    as_owner.post(reverse("web:list-edit", args=[built.list_id]), change)
    for page in (Client().get(shared), as_owner.get(paper)):
        assert '<span class="tag tag--on">Warlord: Stoic Defender</span>' in page.content.decode()


def test_what_the_owner_writes_reaches_readers_as_text(built: Muster, token: str) -> None:
    built.edit(e.SetName(name="<img src=x>"))
    page = Client().get(reverse("web:shared", args=[token])).content.decode()
    assert "<img src=x>" not in page
    assert "&lt;img src=x&gt;" in page
