"""Who asks: tokens and their scopes, the session with its CSRF token, a guest's cookie, and nobody."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Any
from unittest.mock import patch
from uuid import uuid4

import pytest
from django.core.cache import caches
from django.middleware.csrf import _get_new_csrf_string
from django.test import Client
from django.utils import timezone

from armybuilder.accounts import services
from armybuilder.accounts.models import ApiToken, User
from armybuilder.accounts.scopes import READING, WRITING
from armybuilder.accounts.viewers import GUEST_COOKIE, Viewer, signed_guest_key

ADDRESS = "/api/v1/lists/"

pytestmark = pytest.mark.both_databases


def secret_of(user: User, scopes: Iterable[str] = WRITING, **facts: Any) -> str:
    return services.issue_token(user, name="a tool", scopes=scopes, **facts).secret


def bearer(secret: str, word: str = "Bearer") -> dict[str, str]:
    return {"Authorization": f"{word} {secret}"}


@pytest.mark.parametrize("word", ["Bearer", "bearer", "Token"])
def test_a_token_signs_in(client: Client, owner: User, word: str) -> None:
    assert client.get(ADDRESS, headers=bearer(secret_of(owner), word)).status_code == 200


def test_a_revoked_token_is_refused(client: Client, owner: User) -> None:
    issued = services.issue_token(owner, name="a tool", scopes=WRITING)
    services.revoke_token(Viewer(user=owner), issued.token.pk)
    response = client.get(ADDRESS, headers=bearer(issued.secret))
    assert (response.status_code, response.json()["code"]) == (401, "bad-credentials")
    assert response.headers["WWW-Authenticate"].startswith("Bearer")


def test_an_expired_token_is_refused(client: Client, owner: User) -> None:
    secret = secret_of(owner, expires_at=timezone.now() + timedelta(hours=1))
    assert client.get(ADDRESS, headers=bearer(secret)).status_code == 200
    ApiToken.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert client.get(ADDRESS, headers=bearer(secret)).status_code == 401


def test_a_token_of_a_closed_account_is_refused(client: Client, owner: User) -> None:
    secret = secret_of(owner)
    User.objects.update(is_active=False)
    assert client.get(ADDRESS, headers=bearer(secret)).status_code == 401


@pytest.mark.parametrize("header", ["Bearer", "Bearer a b", "Bearer \xff\xfe", "Token ab_nonsense"])
def test_a_malformed_header_is_refused_and_no_cookie_counts(client: Client, owner: User, header: str) -> None:
    client.force_login(owner)
    assert client.get(ADDRESS, headers={"Authorization": header}).status_code == 401


def test_another_scheme_is_nobody(client: Client, db: None) -> None:
    assert client.get(ADDRESS, headers={"Authorization": "Basic YTpi"}).status_code == 401
    assert client.get("/api/v1/", headers={"Authorization": "Basic YTpi"}).status_code == 200


def test_a_token_needs_no_csrf_token(owner: User) -> None:
    client = Client(enforce_csrf_checks=True)
    response = client.post(ADDRESS, data={}, content_type="application/json", headers=bearer(secret_of(owner)))
    assert (response.status_code, response.json()["code"]) == (400, "bad-document")


def test_a_read_only_token_may_check_but_not_change(client: Client, owner: User) -> None:
    headers = bearer(secret_of(owner, READING))
    response = client.post(ADDRESS, data={}, content_type="application/json", headers=headers)
    assert (response.status_code, response.json()["code"]) == (403, "insufficient-scope")
    assert client.get(ADDRESS, headers=headers).status_code == 200
    assert client.post("/api/v1/check/", data={}, content_type="application/json", headers=headers).status_code == 400


def test_a_session_needs_the_csrf_token_to_change_anything(owner: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(owner)
    assert client.get(ADDRESS).status_code == 200
    response = client.post(ADDRESS, data={}, content_type="application/json")
    assert (response.status_code, response.json()["code"]) == (403, "forbidden")
    client.cookies["csrftoken"] = secret = _get_new_csrf_string()
    response = client.post(ADDRESS, data={}, content_type="application/json", headers={"X-CSRFToken": secret})
    assert (response.status_code, response.json()["code"]) == (400, "bad-document")


def test_a_guest_needs_the_csrf_token_too(db: None) -> None:
    client = Client(enforce_csrf_checks=True)
    client.cookies[GUEST_COOKIE] = signed_guest_key(uuid4())
    assert client.get(ADDRESS).status_code == 200
    assert client.post(ADDRESS, data={}, content_type="application/json").status_code == 403
    client.cookies["csrftoken"] = secret = _get_new_csrf_string()
    response = client.post(ADDRESS, data={}, content_type="application/json", headers={"X-CSRFToken": secret})
    assert (response.status_code, response.json()["code"]) == (400, "bad-document")


def test_a_forged_guest_cookie_is_nobody(client: Client, db: None) -> None:
    client.cookies[GUEST_COOKIE] = signed_guest_key(uuid4())[:-2] + "xx"
    assert client.get(ADDRESS).status_code == 401


@patch("api.throttles.time", return_value=1_000_000.0)
def test_users_and_addresses_are_counted_apart(
    _: object, client: Client, owner: User, friend: User, settings: Any
) -> None:
    settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "DEFAULT_THROTTLE_RATES": {"anon": "1/min", "user": "2/min"}}
    mine, theirs = bearer(secret_of(owner)), bearer(secret_of(friend))
    assert [client.get("/api/v1/", headers=mine).status_code for _ in range(3)] == [200, 200, 429]
    assert client.get("/api/v1/", headers=theirs).status_code == 200
    assert [client.get("/api/v1/").status_code for _ in range(2)] == [200, 429]
    assert client.get("/api/v1/", REMOTE_ADDR="192.0.2.7").status_code == 200


@patch("api.throttles.time", return_value=1_500_000.0)
def test_a_household_of_ipv6_counts_as_one_address(_: object, client: Client, db: None, settings: Any) -> None:
    rates = {"anon": "2/min", "user": "2/min", "wrong_token": "1/min"}
    settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "DEFAULT_THROTTLE_RATES": rates}
    near = [f"2001:db8:1:2::{number}" for number in range(1, 4)]
    assert [client.get("/api/v1/", REMOTE_ADDR=address).status_code for address in near] == [200, 200, 429]
    assert client.get("/api/v1/", REMOTE_ADDR="2001:db8:1:3::1").status_code == 200
    wrong = bearer("ab_wrong")
    assert [client.get("/api/v1/", headers=wrong, REMOTE_ADDR=one).status_code for one in near] == [401, 429, 429]


@patch("api.throttles.time", return_value=2_000_000.0)
def test_a_request_that_is_not_the_first_of_its_window_costs_one_step_of_the_cache(
    _: object, client: Client, owner: User
) -> None:
    mine = bearer(secret_of(owner))
    left = [int(client.get("/api/v1/", headers=mine)["RateLimit-Remaining"]) for _ in range(3)]
    assert left == [left[0], left[0] - 1, left[0] - 2]
    with patch.object(caches["counts"], "add", side_effect=AssertionError("asked without need")):
        assert int(client.get("/api/v1/", headers=mine)["RateLimit-Remaining"]) == left[0] - 3


@patch("api.throttles.time", return_value=3_000_000.0)
def test_of_two_that_are_first_at_once_both_are_counted(_: object, client: Client, owner: User) -> None:
    counts, mine = caches["counts"], bearer(secret_of(owner))
    begun = counts.add

    def another_is_first(key: str, value: int, timeout: float) -> bool:
        begun(key, value, timeout=timeout)
        return False

    with patch.object(counts, "add", another_is_first):
        first = client.get("/api/v1/", headers=mine)
    assert int(first["RateLimit-Limit"]) - int(first["RateLimit-Remaining"]) == 2
