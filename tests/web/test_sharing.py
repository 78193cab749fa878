"""Handing a list on: links, QR codes, the page a stranger reads, copies, paper."""

import re
from datetime import timedelta
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.timezone import now

from armybuilder.armylists import edits as e
from armybuilder.armylists.amounts import TIMES
from armybuilder.armylists.exports.files import plain_sheet_of
from armybuilder.armylists.models import ArmyList, ShareLink
from armybuilder.web.pages.link_previews import link_preview
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


def test_a_link_that_has_ended_leads_nowhere(built: Muster, as_owner: Client) -> None:
    """Also what somebody has read before; and the reader is told what may have come to pass."""
    share = reverse("web:list-share", args=[built.list_id])
    as_owner.post(reverse("web:list-share-publish", args=[built.list_id]), {"days": "7", "found": "public"})
    link = ShareLink.objects.get()
    parts = ("", "embed/", "preview.png", "exports/", "exports/json/", "exports/pdf/", "play/", "print/")
    addresses = [f"/s/{link.token}/{part}" for part in parts]
    addresses += [f"/oembed/?url=http://testserver/s/{link.token}/", f"/api/v1/shared/{link.token}/"]
    friend = Client()
    assert [friend.get(address).status_code for address in addresses] == [200] * len(addresses)
    assert link.token in friend.get("/public/").content.decode() and link.token in as_owner.get(share).content.decode()
    ShareLink.objects.update(created=now() - timedelta(days=8), expires=now() - timedelta(minutes=1))
    assert [friend.get(address).status_code for address in addresses] == [404] * len(addresses)
    assert "may have ended" in friend.get(addresses[0]).content.decode()
    friend.cookies["django_language"] = "ru"
    assert "Срок ссылки" in friend.get(addresses[0]).content.decode()
    assert link.token not in as_owner.get(share).content.decode()


def test_one_tap_makes_the_usual_link_and_no_second(built: Muster, as_owner: Client) -> None:
    at_once = reverse("web:list-share-now", args=[built.list_id])
    as_owner.post(reverse("web:list-share-publish", args=[built.list_id]), {"days": "0", "shows": "frozen"})
    answer = as_owner.post(at_once)
    assert answer.url == reverse("web:list-share", args=[built.list_id])
    usual = ShareLink.objects.get(revision__isnull=True)
    assert (usual.expires, usual.is_listed, usual.takes_replies) == (None, False, False)
    part = as_owner.post(at_once, headers={"HX-Request": "true", "HX-Target": "dialog-body"}).content.decode()
    assert ShareLink.objects.count() == 2
    assert f"/s/{usual.token}/" in part.split("data-handed-on")[0]  # before the one that is frozen
    as_owner.post(reverse("web:list-share-revoke", args=[built.list_id, usual.token]))
    as_owner.post(at_once)
    assert Client().post(at_once).status_code == 404
    assert ShareLink.objects.count() == 3


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


def test_a_frozen_link_shows_what_was_shared(built: Muster, as_owner: Client) -> None:
    as_owner.post(reverse("web:list-share-publish", args=[built.list_id]), {"days": "0", "shows": "frozen"})
    as_owner.post(reverse("web:list-share-publish", args=[built.list_id]), {"days": "0", "shows": "live"})
    frozen = ShareLink.objects.get(revision__isnull=False)
    live = ShareLink.objects.get(revision__isnull=True)
    built.edit(e.SetName(name="Second draft"))
    points = built.row.points
    assert "First draft" in Client().get(reverse("web:shared", args=[frozen.token])).content.decode()
    assert "Second draft" in Client().get(reverse("web:shared", args=[live.token])).content.decode()
    text = Client().get(reverse("web:shared-export", args=[frozen.token, "plain"])).content.decode()
    assert text.startswith("First draft")
    assert (built.row.name, built.row.points) == ("Second draft", points)
    assert Client().get(f"/api/v1/lists/{built.list_id}/?share={frozen.token}").status_code == 404
    assert Client().get(f"/api/v1/lists/{built.list_id}/?share={live.token}").status_code == 200
    page = as_owner.get(reverse("web:list-share", args=[built.list_id])).content.decode()
    assert f"frozen at state {frozen.revision}" in page


def test_a_chat_is_told_title_verdict_and_picture(built: Muster, token: str) -> None:
    page = Client().get(reverse("web:shared", args=[token])).content.decode()
    assert '<meta property="og:title" content="First draft – 220 pts">' in page
    assert "Verdict: illegal" in page
    picture = re.search(r'og:image" content="http://testserver(/s/[^"]+)"', page)
    assert picture is not None
    answer = Client().get(picture[1].replace("&amp;", "&"))
    assert answer["Content-Type"] == "image/png" and answer.content.startswith(b"\x89PNG")
    assert Client().get(reverse("web:shared-preview", args=["x" * 22])).status_code == 404


def test_a_chat_is_told_factions_as_readers_know_them(built: Muster, token: str) -> None:
    row = built.row
    row.faction_names = "2022 - LI - Custodes, LA - XIII: Ultramarines"
    assert " · Custodes, Ultramarines · " in link_preview(row, token, site="http://testserver").description


def test_only_the_embedded_page_may_stand_in_a_frame(built: Muster, token: str) -> None:
    framed = Client().get(reverse("web:shared-embed", args=[token]))
    assert framed.status_code == 200 and "First draft" in framed.content.decode()
    assert "frame-ancestors *" in framed["Content-Security-Policy"] and "X-Frame-Options" not in framed
    page = Client().get(reverse("web:shared", args=[token]))
    assert "frame-ancestors 'none'" in page["Content-Security-Policy"] and page["X-Frame-Options"] == "DENY"


def test_the_embedded_page_has_the_looks_of_a_hero_too(built: Muster, token: str, as_owner: Client) -> None:
    """Only the builder of a list of units goes without that file."""
    framed = Client().get(reverse("web:shared-embed", args=[token])).content.decode()
    builder = as_owner.get(f"/lists/{built.row.pk}/").content.decode()
    assert ["web/pages.css" in page for page in (framed, builder)] == [True, False]


def test_oembed_answers_for_shared_lists_alone(built: Muster, token: str) -> None:
    shared = f"http://testserver/s/{token}/"
    answer = Client().get(reverse("web:oembed"), {"url": shared, "maxwidth": "400", "maxheight": "9"}).json()
    assert (answer["type"], answer["version"], answer["width"], answer["height"]) == ("rich", "1.0", 400, 280)
    assert f"/s/{token}/embed/" in answer["html"] and answer["html"].startswith("<iframe ")
    for url in ("", "http://elsewhere.example/", f"http://testserver/s/{'x' * 22}/"):
        assert Client().get(reverse("web:oembed"), {"url": url}).status_code == 404
    assert Client().get(reverse("web:oembed"), {"url": shared, "format": "xml"}).status_code == 501


def test_paper_frame_and_shared_page_say_what_the_sheet_of_the_list_says(
    built: Muster, as_owner: Client, token: str
) -> None:
    squad = next(unit.id for unit in plain_sheet_of(built.row).units if unit.name == "Tactical Squad")
    built.edit(
        e.Rename(node_id=squad, name="Ash Hounds"),
        e.SetUnitFacts(node_id=squad, facts={"base_size": "32 mm", "own_points": 80}),
        e.SetNotes(notes="Bring the tokens"),
    )
    sheet = plain_sheet_of(built.row)
    told = [sheet.name, "Bring the tokens", "Ash Hounds (Tactical Squad)", "base size: 32 mm"]
    told += [
        words for unit in sheet.units for words in (*unit.facts, *unit.rules, *(o.told(TIMES) for o in unit.options))
    ]
    told += [found.message for found in sheet.findings]
    told = [" ".join(words.split()) for words in told]
    for reader, address in (
        (as_owner, reverse("web:list-print", args=[built.list_id])),
        (Client(), reverse("web:shared-print", args=[token])),
        (Client(), reverse("web:shared", args=[token])),
        (Client(), reverse("web:shared-embed", args=[token])),
    ):
        page = " ".join(unescape(reader.get(address).content.decode()).split())
        assert [words for words in told if words not in page] == [], address
