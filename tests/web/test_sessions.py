"""The browsers a user is signed in with: what the page shows, whom it signs out and whom not."""

import re
from typing import Any
from unittest.mock import patch

import pytest
from django.contrib.sessions.models import Session
from django.core.cache import caches
from django.core.management import call_command
from django.db import OperationalError
from django.test import Client
from django.urls import reverse

from armybuilder.accounts import browser_sessions
from armybuilder.accounts.errors import NotFound
from armybuilder.accounts.models import BrowserSession, User
from armybuilder.accounts.scopes import READING
from armybuilder.accounts.services import issue_token
from armybuilder.accounts.viewers import Viewer
from armybuilder.web.pages.sessions import browser_name
from tests.conftest import PASSWORD

pytestmark = pytest.mark.django_db

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"
ANDROID = "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Mobile Safari/537.36"
EDGE = "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Safari/537.36 Edg/126.0"
SAFARI = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1 Version/17.5 Mobile Safari/604.1"


def signed_in(user: User, browser: str = FIREFOX, address: str = "203.0.113.7") -> Client:
    """A browser that went through the form."""
    client = Client(headers={"User-Agent": browser}, REMOTE_ADDR=address)
    sent = client.post(reverse("web:sign-in"), {"username": user.username, "password": PASSWORD})
    assert sent.status_code == 302
    return client


def shown(client: Client) -> str:
    return client.get(reverse("web:sessions")).content.decode()


def is_in(client: Client) -> bool:
    return client.get(reverse("web:account")).status_code == 200


def id_of(client: Client) -> str:
    return str(client.session[browser_sessions.NOTED][0])


def end(client: Client, which: str, password: str = PASSWORD) -> Any:
    return client.post(reverse("web:sessions"), {"ends": which, "password": password}, follow=True)


@pytest.mark.parametrize(
    ("told", "name"),
    [
        (FIREFOX, "Firefox on Linux"),
        (ANDROID, "Chrome on Android"),
        (EDGE, "Edge on Windows"),
        (SAFARI, "Safari on iPhone"),
        ("curl/8.5", "curl/8.5"),
        ("", "unknown browser"),
    ],
)
def test_a_browser_is_named_as_people_call_it(told: str, name: str) -> None:
    assert browser_name(told) == name


def test_the_page_shows_ones_own_browsers_and_nobody_elses(owner: User, friend: User) -> None:
    here, _, _ = signed_in(owner), signed_in(owner, ANDROID, "2001:db8::7"), signed_in(friend, EDGE, "198.51.100.4")
    page = shown(here)
    for told in ("Firefox on Linux", "203.0.113.7", "Chrome on Android", "2001:db8::7"):
        assert page.count(told) == 1, told
    assert "Edge" not in page and "198.51.100.4" not in page
    assert page.count("this browser") == 1
    assert re.findall(r'name="ends" value="([^"]+)"', page) == ["others", *[i for i in ids(owner) if i != id_of(here)]]
    here.cookies["django_language"] = "ru"
    assert "Firefox, Linux" in shown(here)


def ids(user: User) -> list[str]:
    return [str(one.pk) for one in browser_sessions.sessions_of(Viewer(user=user))]


def test_one_browser_is_signed_out_and_no_other(owner: User) -> None:
    here, lost, third = signed_in(owner), signed_in(owner, ANDROID), signed_in(owner, EDGE)
    wrong = end(here, id_of(lost), "guess")
    assert wrong.status_code == 422 and "field__error" in wrong.content.decode()
    assert is_in(lost), "a thief of a session does not know the password"
    assert "That browser is signed out." in end(here, id_of(lost)).content.decode()
    assert [is_in(one) for one in (here, lost, third)] == [True, False, True]
    assert "Chrome on Android" not in shown(here)


def test_a_session_of_somebody_else_is_not_there(owner: User, stranger: User) -> None:
    mine, other = signed_in(owner), signed_in(stranger)
    assert end(other, id_of(mine)).status_code == 404
    assert end(other, "nonsense").status_code == 422
    assert is_in(mine)
    with pytest.raises(NotFound):
        browser_sessions.end_session(Viewer(), browser_sessions.UUID(id_of(mine)))
    assert Client().post(reverse("web:sessions"), {"ends": id_of(mine), "password": PASSWORD}).status_code == 302
    assert is_in(mine)


def test_all_other_browsers_are_signed_out(owner: User, friend: User) -> None:
    here, elsewhere, another = signed_in(owner), signed_in(owner, ANDROID), signed_in(friend)
    key, row = here.session.session_key, id_of(here)
    issue_token(owner, name="bot", scopes=READING)
    said = end(here, "others").content.decode()
    assert "Other browsers are signed out." in said
    assert "1 API token or program still acts for you" in said
    assert [is_in(one) for one in (here, elsewhere, another)] == [True, False, True]
    assert here.session.session_key != key
    owner.refresh_from_db()
    assert ids(owner) == [row], "it is the same browser with another key"
    assert is_in(signed_in(owner, ANDROID)), "until signed in again"


def test_what_counts_no_more_is_not_shown(owner: User) -> None:
    here, left, other = signed_in(owner), signed_in(owner, ANDROID), signed_in(owner, EDGE)
    left.post(reverse("web:sign-out"))
    new = {"old_password": PASSWORD, "new_password1": "a second password 77", "new_password2": "a second password 77"}
    assert here.post(reverse("web:password-change"), new).status_code == 302
    owner.refresh_from_db()
    assert ids(owner) == [id_of(here)]
    assert not is_in(other)
    call_command("tidy")
    assert set(BrowserSession.objects.values_list("session_key", flat=True)) == set(
        Session.objects.values_list("session_key", flat=True)
    )


def test_an_ended_session_that_a_cache_brings_back_ends_at_its_next_look(owner: User) -> None:
    lost = signed_in(owner)
    BrowserSession.objects.all().delete()
    caches["default"].clear()
    assert is_in(lost), "the answer that finds it out is the last"
    assert not is_in(lost)


def test_pages_write_when_a_browser_was_seen_only_now_and_then(owner: User) -> None:
    here = signed_in(owner)
    first = BrowserSession.objects.get().seen
    is_in(here)
    assert BrowserSession.objects.get().seen == first
    caches["default"].clear()  # as after SEEN_EVERY_SECONDS
    with patch.object(browser_sessions.BrowserSession.objects, "filter", side_effect=OperationalError("locked")):
        assert is_in(here), "a page is shown although nothing can be stored"
    caches["default"].clear()
    is_in(here)
    assert BrowserSession.objects.get().seen > first


def test_somebody_else_at_the_same_browser_has_a_session_of_his_own(owner: User, friend: User) -> None:
    here = signed_in(owner)
    row = id_of(here)
    here.force_login(friend)  # as the administration's own page does, which asks nobody to sign out before
    assert is_in(here)
    assert ids(friend) == [id_of(here)] != [row]
    assert ids(owner) == []


def test_a_session_from_before_is_noted_when_it_is_seen(owner: User) -> None:
    here = signed_in(owner)
    BrowserSession.objects.all().delete()
    session = here.session
    del session[browser_sessions.NOTED]
    session.save()
    assert is_in(here)
    assert ids(owner) == [id_of(here)]
