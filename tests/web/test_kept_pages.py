"""A builder that nothing has changed since is given again: to whom it was made for, as it would be made, with a token.

Every test opens the page until it is given again, changes one thing, and looks at what comes then.
"""

import gzip
import re
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.sessions.models import Session
from django.core.cache import caches
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from armybuilder.accounts.browser_sessions import end_session, sessions_of
from armybuilder.accounts.models import User
from armybuilder.accounts.viewers import GUEST_COOKIE, Viewer, signed_guest_key
from armybuilder.armylists import services
from armybuilder.armylists.models import ArmyList, Reply, Revision
from armybuilder.datafiles.models import DataRelease
from armybuilder.reference.models import Alliance, AllianceLevel, Faction
from armybuilder.web import fragment_cache, kept_pages
from armybuilder.web.kept_pages import PageInPieces
from tests.armylists.conftest import Muster
from tests.web.conftest import HTMX, edit_form

pytestmark = pytest.mark.both_databases

TOKEN = re.compile(r'(name="csrfmiddlewaretoken" value=")(\w{64})"')
READS = 4
"""Queries of a page that is given again: session, list, suggestions, alliances."""


@pytest.fixture(autouse=True)
def anew() -> Iterator[None]:
    """Nothing is kept from another test."""
    fragment_cache.forget()
    kept_pages.forget()
    yield


@pytest.fixture
def address(built: Muster) -> str:
    """Of the builder."""
    return f"/lists/{built.list_id}/"


def opened(browser: Client, address: str, reads_expected: int = READS, **headers: Any) -> str:
    """The page, its token left out; opened until it is given again, which is seen by what it reads."""
    for _ in range(3):
        with CaptureQueriesContext(connection) as reads:
            page = browser.get(address, headers=headers)
    assert (page.status_code, len(reads)) == (200, reads_expected)
    return without_tokens(page.content)


def without_tokens(page: bytes) -> str:
    """A page as it is for every answer."""
    return TOKEN.sub(r'\1"', page.decode())


def test_it_is_what_would_be_made_with_the_same_headers(as_owner: Client, address: str) -> None:
    made = as_owner.get(address)
    kept = opened(as_owner, address)
    given = as_owner.get(address)
    assert without_tokens(made.content) == without_tokens(given.content) == kept
    assert "Praetor" in kept and 'value="True"' not in kept
    other = ("X-Request-ID", "Expires")
    assert {name: value for name, value in made.headers.items() if name not in other} == {
        name: value for name, value in given.headers.items() if name not in other
    }
    assert {"Cookie", "Accept-Language", "Accept-Encoding"} <= set(given["Vary"].split(", "))
    assert given["Content-Security-Policy"] and given["Kept-For"] and given["X-Frame-Options"] == "DENY"
    assert given.resolver_match.view_name == "web:list"


def test_a_page_made_with_the_request_at_hand_is_the_same(
    as_owner: Client, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The frame of a kept page knows nothing of the request: whatever a template takes from it would be missing."""
    kept = opened(as_owner, address)
    monkeypatch.setattr(kept_pages.messages, "get_messages", lambda request: ["one"])
    whole = as_owner.get(f"{address}?").content
    assert without_tokens(whole).replace(f"{address}?", address) == kept


def test_its_token_is_good_and_another_one_each_time(owner: User, address: str, built: Muster) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(owner)
    opened(browser, address)
    pages = [browser.get(address).content.decode() for _ in range(2)]
    first, second = ({token for _, token in TOKEN.findall(page)} for page in pages)
    assert len(first) == len(second) == 1 and first != second
    for (token,) in (first, second):
        form = edit_form(built.row, "set_name", name="Twice", csrfmiddlewaretoken=token)
        assert browser.post(f"{address}edit/", form).status_code != 403
    form["csrfmiddlewaretoken"] = "a" * 64
    assert browser.post(f"{address}edit/", form).status_code == 403


def test_it_goes_compressed_as_it_is(as_owner: Client, address: str) -> None:
    opened(as_owner, address)
    given = [as_owner.get(address, headers={"Accept-Encoding": "gzip"}) for _ in range(8)]
    plain = {without_tokens(gzip.decompress(page.content)) for page in given}
    assert plain == {without_tokens(as_owner.get(address).content)}
    assert {page["Content-Encoding"] for page in given} == {"gzip"}
    assert all(int(page["Content-Length"]) == len(page.content) for page in given)
    assert len({len(page.content) for page in given}) > 1, "its length tells nothing of what is in it"
    assert len(given[0].content) < 0.3 * len(plain.pop())


@pytest.mark.parametrize("pieces", [1, 2, 5])
def test_pieces_are_compressed_in_the_knowledge_of_one_another(pieces: int) -> None:
    text = " ".join(f"<li>unit {number}: Зелёные {number * 7}</li>" for number in range(600))
    page = PageInPieces(kept_pages._TOKEN.join([text] * pieces), made=0)
    token = "t" * 64
    whole = page.plain(token)
    assert whole.decode() == token.join([text] * pieces)
    packed = page.compressed(token, whole)
    assert gzip.decompress(packed) == whole
    assert len(packed) < 1.25 * len(gzip.compress(whole)) + 150 * pieces


def test_nobody_else_gets_it(as_owner: Client, as_stranger: Client, client: Client, address: str) -> None:
    opened(as_owner, address)
    for other in (as_stranger, client):
        assert [other.get(address).status_code for _ in range(3)] == [404, 404, 404]
    assert opened(as_owner, address)


def test_a_guest_gets_his_own_and_another_guest_nothing(built: Muster, client: Client, address: str) -> None:
    key = uuid4()
    ArmyList.objects.filter(pk=built.list_id).update(owner=None, guest_key=key)
    client.cookies[GUEST_COOKIE] = signed_guest_key(key)
    assert "Sign in" in opened(client, address, READS - 1)
    client.cookies[GUEST_COOKIE] = signed_guest_key(uuid4())
    assert client.get(address).status_code == 404
    client.cookies[GUEST_COOKIE] = signed_guest_key(key)[:-1] + "_"
    assert client.get(address).status_code == 404


def test_language_theme_and_query_have_pages_of_their_own(as_owner: Client, address: str) -> None:
    english = opened(as_owner, address)
    russian = opened(as_owner, address, **{"Accept-Language": "ru"})
    assert "My lists" in english and "Мои ростеры" in russian and "My lists" not in russian
    as_owner.cookies["theme"] = "dark"
    assert 'data-theme="dark"' in opened(as_owner, address) and 'data-theme="auto"' in english
    del as_owner.cookies["theme"]
    assert f'value="{address}?from=mail"' in opened(as_owner, f"{address}?from=mail")
    assert 'id="detail" class="pane pane--stays pane--open"' in re.sub(
        r"\s+", " ", as_owner.get(f"{address}?pane=settings").content.decode()
    )
    assert opened(as_owner, address) == english


def test_htmx_gets_its_fragment(as_owner: Client, address: str) -> None:
    opened(as_owner, address)
    assert "<html" not in as_owner.get(address, headers=HTMX).content.decode()


def test_an_edit_is_seen_at_once(as_owner: Client, address: str, built: Muster) -> None:
    before = opened(as_owner, address)
    built.unit("hh-la-predator-squadron")
    after = without_tokens(as_owner.get(address).content)
    assert "Predator" in after and "Predator" not in before
    as_owner.post(f"{address}undo/", {"revision": built.row.revision}, headers=HTMX)
    undone = without_tokens(as_owner.get(address).content)
    assert "Predator" not in undone and f'value="{built.row.revision}"' in undone


@pytest.mark.parametrize("change", [{"tint": "red"}, {"name": "Renamed"}, {"points_limit": 777}])
def test_whatever_is_stored_of_the_list_counts(
    as_owner: Client, address: str, built: Muster, change: dict[str, Any]
) -> None:
    before = opened(as_owner, address)
    ArmyList.objects.filter(pk=built.list_id).update(**change)
    after = as_owner.get(address).content.decode()
    (value,) = change.values()
    assert str(value) in after and without_tokens(after.encode()) != before


def test_signed_out_is_signed_out(as_owner: Client, address: str) -> None:
    opened(as_owner, address)
    held = as_owner.cookies["sessionid"].value
    as_owner.post("/accounts/sign-out/")
    as_owner.cookies["sessionid"] = held
    assert as_owner.get(address).status_code == 404


def test_a_session_that_was_ended_elsewhere_is_over(as_owner: Client, owner: User, address: str) -> None:
    opened(as_owner, address)
    viewer = Viewer(user=owner)
    for session in sessions_of(viewer):
        end_session(viewer, session.pk)
    assert as_owner.get(address).status_code == 404


def test_a_session_whose_time_is_over_is_over(as_owner: Client, address: str) -> None:
    opened(as_owner, address)
    Session.objects.update(expire_date="2020-01-01T00:00:00Z")
    caches["default"].clear()  # which forgets it at the same time, where sessions stand in one
    assert as_owner.get(address).status_code == 404


@pytest.mark.parametrize("change", ["password", "inactive", "name"])
def test_what_becomes_of_the_account_counts(as_owner: Client, owner: User, address: str, change: str) -> None:
    opened(as_owner, address)
    if change == "password":
        owner.set_password("an entirely different one")
    elif change == "inactive":
        owner.is_active = False
    else:
        owner.username = "renamed"
    owner.save()
    page = as_owner.get(address)
    assert page.status_code == (200 if change == "name" else 404)
    assert ("renamed" in page.content.decode()) == (change == "name")


def test_the_list_in_the_bin_is_gone(as_owner: Client, address: str, built: Muster) -> None:
    opened(as_owner, address)
    services.delete_army_list(built.viewer, built.list_id)
    assert as_owner.get(address).status_code == 404


def test_newer_data_is_told_of(as_owner: Client, address: str, built: Muster) -> None:
    assert "There is newer data" not in opened(as_owner, address)
    system = built.row.system
    system.current_release = DataRelease.objects.create(system=system, number=99, content_hash="f" * 64)
    system.save()
    assert "There is newer data" in as_owner.get(address).content.decode()


def test_a_suggestion_that_waits_is_told_of(as_owner: Client, address: str, built: Muster) -> None:
    assert "waits for you" not in opened(as_owner, address)
    row = built.row
    Reply.objects.create(
        army_list=row, author="Ann", packed_document=Revision.packed(row.document), release=row.release
    )
    assert "1 suggestion waits for you" in as_owner.get(address).content.decode()


def test_a_level_of_alliance_counts(as_owner: Client, address: str, built: Muster) -> None:
    opened(as_owner, address)
    one, other = Faction.objects.order_by("matrix_position")[:2]
    level = AllianceLevel.objects.get()
    Alliance.objects.create(system=built.row.system, from_faction=one, to_faction=other, level=level)
    with CaptureQueriesContext(connection) as reads:
        as_owner.get(address)
    assert len(reads) > READS, "it was made anew"


def test_messages_are_shown_once(as_owner: Client, address: str, built: Muster) -> None:
    before = opened(as_owner, address)
    as_owner.post(f"{address}edit/", edit_form(built.row, "set_name", name="Spoken of"))
    told = as_owner.get(address).content.decode()
    assert 'class="notice notice--info"' in re.sub(r"\s+", " ", told) and 'class="notice' not in without_messages(
        before
    )
    assert 'class="notice notice--info"' not in without_messages(opened(as_owner, address))


def without_messages(page: str) -> str:
    """The content of a page, from its main part on."""
    return page.partition('<main id="main"')[2].partition('id="kept"')[0]


def test_it_grows_old(as_owner: Client, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Names and words may change of which no row tells: a page is no older than its oldest fragment may be."""
    opened(as_owner, address)
    now = kept_pages.monotonic()
    monkeypatch.setattr(kept_pages, "monotonic", lambda: now + fragment_cache.KEPT_SECONDS)
    with CaptureQueriesContext(connection) as reads:
        as_owner.get(address)
    assert len(reads) > READS


def test_a_page_is_as_old_as_what_it_is_made_of(
    as_owner: Client, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = fragment_cache.monotonic()
    as_owner.get(address)
    kept_pages.forget()
    for module in (fragment_cache, kept_pages):
        monkeypatch.setattr(module, "monotonic", lambda: begun + 0.9 * fragment_cache.KEPT_SECONDS)
    opened(as_owner, address)
    monkeypatch.setattr(kept_pages, "monotonic", lambda: begun + 1.1 * fragment_cache.KEPT_SECONDS)
    with CaptureQueriesContext(connection) as reads:
        as_owner.get(address)
    assert len(reads) > READS
