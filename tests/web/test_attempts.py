"""What one address or player may do in a while: the last that is allowed, the first that is not, and nothing lost."""

import logging
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from armybuilder.accounts import attempts
from armybuilder.accounts.models import Guest, User
from armybuilder.accounts.viewers import GUEST_COOKIE
from armybuilder.armylists import limits, services
from armybuilder.armylists.errors import TooLarge
from armybuilder.armylists.models import ArmyList
from tests.armylists.conftest import SONS, Muster
from tests.conftest import PASSWORD

pytestmark = pytest.mark.django_db

HERE, ELSEWHERE = "203.0.113.7", "198.51.100.4"
HOUR, DAY = 3_600, 86_400
HISTORY_QUESTIONS = 5
"""To the database, for the page of a list's states, however many it has."""


class Clock:
    """A clock that stands until it is moved, so that no window of time ends within a test."""

    def __init__(self) -> None:
        self.now = time.time()

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(attempts, "time", clock)
    return clock


def sign_up(name: str, address: str, password: str = PASSWORD) -> Any:
    """A new browser asks for an account."""
    form = {"username": name, "password": password}
    return Client().post(reverse("web:sign-up"), form, REMOTE_ADDR=address)


def start_list(browser: Client, address: str = HERE, **headers: str) -> HttpResponse:
    """A browser begins a list; `headers` are written as in the environment of a request."""
    form = {"system": "horus-heresy", "faction": SONS, "points_limit": 2000}
    answer: Any = browser.post(reverse("web:list-new"), form, REMOTE_ADDR=address, **headers)
    return answer  # type: ignore[no-any-return]


@pytest.mark.parametrize(("first", "same"), [(HERE, HERE), ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9")])
def test_so_many_accounts_an_hour_from_one_address(
    settings: Any, clock: Clock, caplog: pytest.LogCaptureFixture, first: str, same: str
) -> None:
    settings.SIGN_UPS_PER_HOUR = 2
    assert sign_up("mistyped", first, "short").status_code == 422, "what is not made does not count"
    assert [sign_up(name, first).status_code for name in ("ann", "bob")] == [302, 302]
    caplog.clear()
    with caplog.at_level(logging.WARNING, "armybuilder.security"):
        refused = sign_up("cid", same)
    assert (refused.status_code, refused.headers["Retry-After"]) == (429, str(HOUR))
    assert [record.getMessage() for record in caplog.records if record.name == "armybuilder.security"] == [
        f"sign-up refused: too many address={same!r}"
    ]
    assert sign_up("dora", ELSEWHERE).status_code == 302
    assert sorted(User.objects.values_list("username", flat=True)) == ["ann", "bob", "dora"]
    clock.now += HOUR
    assert sign_up("cid", same).status_code == 302


def test_so_many_changes_a_minute_of_one_address_without_an_account(game: object, settings: Any, clock: Clock) -> None:
    settings.PAGE_CHANGES_PER_MINUTE = 2
    assert [start_list(Client()).status_code for _ in range(2)] == [302, 302]
    for forged in ({}, {"HTTP_X_FORWARDED_FOR": ELSEWHERE}):
        refused = start_list(Client(), **forged)
        assert (refused.status_code, refused.headers["Retry-After"]) == (429, "60")
        assert "<h1>Too much at once</h1>" in refused.content.decode(), "a page with ways on, not a bare line"
    assert ArmyList.objects.count() == 2
    assert Client().get(reverse("web:list-new"), REMOTE_ADDR=HERE).status_code == 200, "reading goes on"
    assert start_list(Client(), ELSEWHERE).status_code == 302
    clock.now += 60
    assert start_list(Client()).status_code == 302


def test_so_many_changes_a_minute_of_one_player_wherever_he_is(
    game: object, as_owner: Client, as_stranger: Client, settings: Any, clock: Clock
) -> None:
    settings.PAGE_CHANGES_PER_MINUTE = 2
    assert [start_list(as_owner, place).status_code for place in (HERE, ELSEWHERE)] == [302, 302]
    assert start_list(as_owner, HERE).status_code == 429
    assert start_list(as_stranger, HERE).status_code == 302


def test_so_many_new_lists_an_hour_of_all_guests_at_one_address(
    game: object, as_owner: Client, settings: Any, clock: Clock
) -> None:
    settings.GUEST_LISTS_PER_HOUR = 2
    assert [start_list(Client()).status_code for _ in range(2)] == [302, 302]
    refused = start_list(Client())
    assert refused.status_code == 422
    assert "Too many lists were made from your address within this hour" in refused.content.decode()
    assert ArmyList.objects.count() == 2
    assert start_list(as_owner).status_code == start_list(Client(), ELSEWHERE).status_code == 302
    clock.now += HOUR
    assert start_list(Client()).status_code == 302


def test_guests_at_one_address_keep_so_many_things_an_hour(settings: Any, clock: Clock) -> None:
    settings.GUEST_THINGS_PER_HOUR = 2
    layout = {"name": "Mine", "source": "{{ list.name }}", "keep": ""}

    def kept(**place: str) -> int:
        return Client(**place).post(reverse("web:layouts"), layout).status_code

    assert [kept(), kept(), kept()] == [302, 302, 429]
    assert kept(REMOTE_ADDR=ELSEWHERE) == 302
    clock.now += HOUR
    assert kept() == 302


def test_the_bin_holds_so_many_lists(muster: Callable[..., Muster], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "LISTS_OF_A_USER", 2)
    binned = [muster(name="one"), muster(name="two")]
    for one in binned:
        services.delete_army_list(one.viewer, one.list_id)
    with pytest.raises(TooLarge, match="Your bin holds 2 lists"):
        muster(name="three")
    services.restore_army_list(binned[0].viewer, binned[0].list_id)
    muster(name="three")
    assert sorted(ArmyList.objects.values_list("name", flat=True)) == ["one", "three", "two"]


def test_a_guest_s_cookie_ends_and_is_made_anew_for_whoever_comes_back(
    game: object, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = Client()
    address = start_list(browser).headers["Location"]
    first = browser.cookies[GUEST_COOKIE]
    assert (first["max-age"], first["httponly"], first["samesite"]) == (settings.GUEST_DAYS * DAY, True, "Lax")
    now = time.time()
    Guest.objects.update(seen=timezone.now() - timedelta(days=31))
    monkeypatch.setattr(time, "time", lambda: now + 31 * DAY)
    assert browser.get(address).status_code == 200
    assert timezone.now() - Guest.objects.get().seen < timedelta(hours=1), "noted, as things of who stays away go"
    assert browser.cookies[GUEST_COOKIE].value != first.value
    monkeypatch.setattr(time, "time", lambda: now + (settings.GUEST_DAYS + 30) * DAY)
    assert browser.get(address).status_code == 200, "renewed a month after it was made"
    late = Client()
    late.cookies[GUEST_COOKIE] = first.value
    assert late.get(address).status_code == 404


def test_a_request_for_another_host_is_one_line_of_the_log(caplog: pytest.LogCaptureFixture) -> None:
    for path in ("/", "/api/v1/", "/lists/"):
        assert Client(headers={"Host": "evil.example"}).get(path).status_code == 400
    said = [record for record in caplog.records if record.name == "django.security.DisallowedHost"]
    assert {(record.levelname, record.exc_info) for record in said} == {("WARNING", None)}
    assert (len(said), caplog.text.count("\n")) == (3, 3)


def test_a_form_without_its_token_is_a_line_of_the_log(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "armybuilder.security"):
        answer = Client(enforce_csrf_checks=True).post(reverse("web:sign-in"), {"username": "x", "password": PASSWORD})
    assert answer.status_code == 403
    said = [record.getMessage() for record in caplog.records if record.name == "armybuilder.security"]
    assert len(said) == 1 and said[0].startswith("form without its token path='/accounts/sign-in/'")
    assert PASSWORD not in caplog.text


def test_a_long_history_costs_as_many_questions_as_a_short_one(
    built: Muster, as_owner: Client, django_assert_num_queries: Any
) -> None:
    address = reverse("web:list-history", args=[built.list_id])
    as_owner.get(address)
    with django_assert_num_queries(HISTORY_QUESTIONS):
        short = as_owner.get(address).content.decode()
    for _ in range(12):
        built.unit("hh-la-tactical-squad")
    with django_assert_num_queries(HISTORY_QUESTIONS):
        long = as_owner.get(address).content.decode()
    assert long.count("<li") > short.count("<li") + 10
