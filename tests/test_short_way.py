"""Programs pass by what is about cookies; whoever comes with a cookie of the site does not."""

from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import connection
from django.test import Client, RequestFactory
from django.urls import resolve

from armybuilder.accounts.models import User
from armybuilder.accounts.scopes import READING
from armybuilder.accounts.services import issue_token
from armybuilder.short_way import EndOfShortWay, ShortWay

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("path", "headers", "cookies", "is_short"),
    [
        ("/api/v1/lists/", {}, {}, True),
        ("/api/v1/lists/", {}, {"django_language": "ru"}, True),
        ("/api/v1/lists/", {}, {"sessionid": "x"}, False),
        ("/api/v1/lists/", {}, {"guest": "x"}, False),
        ("/api/v1/lists/", {"Authorization": "Bearer x"}, {"sessionid": "x", "guest": "x"}, True),
        ("/api/v1/lists/", {"Authorization": "Basic x"}, {"sessionid": "x"}, False),
        ("/api/v1/docs/", {"Authorization": "Bearer x"}, {}, False),
        ("/lists/", {"Authorization": "Bearer x"}, {}, False),
    ],
)
def test_who_goes_it(
    rf: RequestFactory, path: str, headers: dict[str, str], cookies: dict[str, str], is_short: bool
) -> None:
    taken = []
    EndOfShortWay(lambda request: taken.append("short"))  # type: ignore[arg-type,func-returns-value,return-value]
    way = ShortWay(lambda request: taken.append("long"))  # type: ignore[arg-type,func-returns-value,return-value]
    rf.cookies.load(cookies)
    way(rf.get(path, headers=headers))
    assert taken == ["short" if is_short else "long"]


def test_a_way_without_an_end_is_a_mistake() -> None:
    EndOfShortWay.last = None
    with pytest.raises(ImproperlyConfigured):
        ShortWay(lambda request: None)  # type: ignore[arg-type,return-value]


def test_a_token_counts_and_the_session_beside_it_does_not(client: Client, owner: User, friend: User) -> None:
    client.force_login(friend)
    secret = issue_token(owner, name="a tool", scopes=[*READING, "admin"]).secret  # type: ignore[list-item]
    told = client.get("/api/v1/account/", headers={"Authorization": f"Bearer {secret}"})
    assert (told.status_code, told.json()["name"]) == (200, owner.username)
    assert client.get("/api/v1/account/").json()["name"] == friend.username


def test_a_session_still_needs_its_csrf_token(owner: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(owner)
    refused = client.post("/api/v1/lists/", {}, content_type="application/json")
    assert (refused.status_code, refused.json()["code"]) == (403, "forbidden")


def test_a_host_that_is_not_ours_is_refused_on_both_ways(client: Client, settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["lists.example.org"]
    assert client.get("/api/v1/systems/", headers={"Host": "evil.example.org"}).status_code == 400
    assert client.get("/about/", headers={"Host": "evil.example.org"}).status_code == 400


def test_addresses_are_remembered_and_lead_to_the_same_view() -> None:
    path = "/api/v1/lists/7c9e6679-7425-40de-944b-e07fc1f90ae7/"
    first, second = resolve(path), resolve(path)
    assert first.func is second.func
    assert (first.kwargs, first.view_name) == (second.kwargs, "api:list")


def test_a_text_with_percent_signs_is_asked_as_it_stands() -> None:
    if connection.vendor != "sqlite":
        pytest.skip("SQLite's alone")
    for _ in range(2):
        with connection.cursor() as cursor:
            cursor.execute("SELECT %s || '%%' || %s", ["a", "%s"])
            assert cursor.fetchone() == ("a%%s",)
