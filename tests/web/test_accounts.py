"""Signing up and in, what happens to a guest's lists, and API tokens."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from armybuilder.accounts.models import ApiToken, User
from armybuilder.armylists.models import ArmyList, TextLayout
from tests.armylists.conftest import SONS, Muster
from tests.conftest import PASSWORD

pytestmark = pytest.mark.django_db


def start_list(browser: Client) -> ArmyList:
    """A list that a browser without an account begins."""
    browser.post(reverse("web:list-new"), {"system": "horus-heresy", "faction": SONS, "points_limit": 2000})
    return ArmyList.objects.get()


def test_signing_up_claims_what_the_guest_built(game: object) -> None:
    browser = Client()
    army_list = start_list(browser)
    answer = browser.post(reverse("web:sign-up"), {"username": "newcomer", "password": PASSWORD})
    assert answer.status_code == 302
    army_list.refresh_from_db()
    assert army_list.owner == User.objects.get(username="newcomer")
    assert army_list.guest_key is None
    assert browser.cookies["guest"].value == ""
    assert browser.get(reverse("web:list", args=[army_list.pk])).status_code == 200


def test_signing_in_claims_layouts_under_their_addresses(owner: User) -> None:
    browser = Client()
    kept = browser.post(reverse("web:layouts"), {"name": "Mine", "source": "{{ list.name }}", "keep": ""})
    browser.post(reverse("web:sign-in"), {"username": "owner", "password": PASSWORD})
    layout = TextLayout.objects.get()
    assert (layout.owner, layout.guest_key) == (owner, None)
    assert "Mine" in browser.get(reverse("web:layouts")).content.decode()
    assert browser.get(kept.headers["Location"]).status_code == 200


def test_signing_in_claims_too(game: object, owner: User) -> None:
    browser = Client()
    army_list = start_list(browser)
    browser.post(reverse("web:sign-in"), {"username": "owner", "password": PASSWORD})
    army_list.refresh_from_db()
    assert army_list.owner == owner


def test_a_forged_guest_cookie_is_nobody(game: object) -> None:
    army_list = start_list(Client())
    thief = Client()
    thief.cookies["guest"] = str(army_list.guest_key)
    assert thief.get(reverse("web:list", args=[army_list.pk])).status_code == 404


@pytest.mark.parametrize(
    ("case", "fields"),
    [
        ("short password", {"username": "newcomer", "password": "short"}),
        ("taken name", {"username": "OWNER", "password": PASSWORD}),
        ("bad address", {"username": "newcomer", "password": PASSWORD, "email": "nowhere"}),
        ("no name", {"password": PASSWORD}),
    ],
)
def test_a_refused_sign_up_says_why_beside_the_field(owner: User, case: str, fields: dict[str, str]) -> None:
    answer = Client().post(reverse("web:sign-up"), fields)
    assert answer.status_code == 422, case
    assert 'aria-invalid="true"' in answer.content.decode()
    assert User.objects.count() == 1


def test_a_wrong_password_is_refused_and_too_many_must_wait(owner: User, settings: object) -> None:
    settings.SIGN_IN_ATTEMPTS = 3  # type: ignore[attr-defined]
    browser = Client()
    for _ in range(3):
        answer = browser.post(reverse("web:sign-in"), {"username": "owner", "password": "wrong"})
        assert answer.status_code == 422
    answer = browser.post(reverse("web:sign-in"), {"username": "owner", "password": PASSWORD})
    assert answer.status_code == 429
    assert int(answer["Retry-After"]) > 0
    assert "_auth_user_id" not in browser.session


@pytest.mark.parametrize(
    ("wanted", "reached"),
    [
        ("/matchups/", "/matchups/"),
        ("https://evil.example/", "/lists/"),
        ("//evil.example", "/lists/"),
        ("", "/lists/"),
    ],
)
def test_signing_in_leads_nowhere_else(owner: User, wanted: str, reached: str) -> None:
    fields = {"username": "owner", "password": PASSWORD, "next": wanted}
    assert Client().post(reverse("web:sign-in"), fields).url == reached


def test_signing_out_needs_a_form(as_owner: Client) -> None:
    assert as_owner.get(reverse("web:sign-out")).status_code == 405
    as_owner.post(reverse("web:sign-out"))
    assert "_auth_user_id" not in as_owner.session


def test_a_token_is_shown_once(as_owner: Client) -> None:
    page = as_owner.post(
        reverse("web:tokens"), {"name": "export", "scopes": ["lists:read"], "days": "30"}
    ).content.decode()
    secret = re.search(r'id="secret"[^>]*value="([^"]+)"', page)
    assert secret
    assert secret[1] not in as_owner.get(reverse("web:tokens")).content.decode()
    assert ApiToken.objects.get().scopes == "lists:read"


def test_a_token_may_be_for_one_of_ones_own_lists(as_owner: Client, built: Muster, as_stranger: Client) -> None:
    form = {"name": "embed", "scopes": ["lists:read"], "days": "30", "list_id": str(built.row.pk)}
    assert as_stranger.post(reverse("web:tokens"), form).status_code == 422
    assert as_owner.post(reverse("web:tokens"), form).status_code == 200
    assert ApiToken.objects.get().list_id == built.row.pk


def test_tokens_of_others_cannot_be_revoked(as_owner: Client, as_stranger: Client) -> None:
    as_owner.post(reverse("web:tokens"), {"name": "export", "scopes": ["admin"], "days": "0"})
    token = ApiToken.objects.get()
    address = reverse("web:token-revoke", args=[token.pk])
    assert as_stranger.post(address).status_code == 404
    token.refresh_from_db()
    assert token.revoked_at is None
    assert as_owner.post(address).status_code == 302
    token.refresh_from_db()
    assert token.revoked_at is not None


def test_account_pages_ask_to_sign_in() -> None:
    for name in ("account", "tokens"):
        answer = Client().get(reverse(f"web:{name}"))
        assert answer.status_code == 302
        assert answer.url.startswith(reverse("web:sign-in"))


@pytest.mark.parametrize("page", ["web:sign-up", "web:sign-in"])
def test_who_is_signed_in_is_led_to_his_account(as_owner: Client, page: str) -> None:
    assert as_owner.get(reverse(page)).url == reverse("web:account")
    before = User.objects.count()
    as_owner.post(reverse(page), {"username": "second", "password": "Muster-roll-77"})
    assert User.objects.count() == before
