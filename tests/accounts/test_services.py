"""Accounts: signing up and in, and tokens that are shown once."""

import contextlib
import logging
import time
from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission
from django.core.cache import caches
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone

from armybuilder import settings as shipped
from armybuilder.accounts import attempts, queries, services
from armybuilder.accounts.errors import NotFound, SignInRefused, SignUpRefused, TokenRefused, TooManyAttempts
from armybuilder.accounts.models import ApiToken, User
from armybuilder.accounts.scopes import READING, WRITING
from armybuilder.accounts.viewers import (
    ANYBODY,
    Viewer,
    guest_key_of,
    is_worn_guest_key,
    new_guest_key,
    signed_guest_key,
)
from tests.conftest import PASSWORD

pytestmark = pytest.mark.django_db


@pytest.mark.both_databases
def test_a_new_account_can_sign_in_whatever_the_case_of_its_name() -> None:
    user = services.sign_up(username="Horus", password="a long enough secret", email="H@Example.ORG")
    assert user.email == "H@example.org"
    assert services.sign_in(username="hOrUs", password="a long enough secret", address="192.0.2.1") == user


@pytest.mark.both_databases
@pytest.mark.parametrize(
    ("case", "username", "password", "email", "field"),
    [
        ("the name is taken in another case", "OWNER", "a long enough secret", "", "username"),
        ("the name has a space", "two words", "a long enough secret", "", "username"),
        ("no name", "", "a long enough secret", "", "username"),
        ("the password is short", "angron", "x9-short", "", "password"),
        ("the password is a number", "angron", "8402394829384", "", "password"),
        ("the password is like the name", "angron-of-nuceria", "angron-of-nuceria", "", "password"),
        ("the address is none", "angron", "a long enough secret", "nowhere", "email"),
    ],
)
def test_an_account_that_cannot_be_is_refused_and_nothing_is_stored(
    owner: User, case: str, username: str, password: str, email: str, field: str
) -> None:
    with pytest.raises(SignUpRefused) as refused:
        services.sign_up(username=username, password=password, email=email)
    assert list(refused.value.fields) == [field], case
    assert User.objects.count() == 1


def test_the_database_itself_refuses_a_name_in_another_case(owner: User) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.create(username="Owner")


def test_wrong_password_and_unknown_name_read_the_same(owner: User) -> None:
    for name in ("owner", "nobody"):
        with pytest.raises(SignInRefused) as refused:
            services.sign_in(username=name, password="wrong", address="192.0.2.1")
        assert str(refused.value) == SignInRefused.text.en


def test_a_closed_account_cannot_sign_in(owner: User) -> None:
    User.objects.update(is_active=False)
    with pytest.raises(SignInRefused):
        services.sign_in(username="owner", password=PASSWORD, address="192.0.2.1")


@pytest.mark.both_databases
def test_after_too_many_failures_even_the_right_password_waits_but_not_from_elsewhere(owner: User, settings) -> None:
    settings.SIGN_IN_ATTEMPTS = 3
    for _ in range(3):
        with pytest.raises(SignInRefused):
            services.sign_in(username="owner", password="wrong", address="192.0.2.1")
    with pytest.raises(TooManyAttempts) as refused:
        services.sign_in(username="OWNER", password=PASSWORD, address="192.0.2.1")
    assert refused.value.wait_seconds == settings.SIGN_IN_WINDOW_SECONDS
    assert services.sign_in(username="owner", password=PASSWORD, address="192.0.2.2") == owner


def test_one_address_cannot_try_many_names(settings) -> None:
    settings.SIGN_IN_ATTEMPTS = 2
    for number in range(10):
        attempts.note_failure(f"name{number}", "192.0.2.9")
    assert attempts.too_many("somebody-else", "192.0.2.9")
    assert not attempts.too_many("somebody-else", "192.0.2.10")


def test_the_admins_sign_in_page_counts_too(client: Client, administrator: User, settings) -> None:
    settings.SIGN_IN_ATTEMPTS = 2
    for password in ("wrong", "wrong", PASSWORD):
        page = client.post("/admin/login/", {"username": "administrator", "password": password})
        assert page.status_code == 200, "the form is shown again"
    caches["counts"].clear()
    assert client.post("/admin/login/", {"username": "administrator", "password": PASSWORD}).status_code == 302


def test_the_shipped_settings_hash_with_argon2() -> None:
    assert shipped.PASSWORD_HASHERS[0].endswith("Argon2PasswordHasher")


@pytest.mark.parametrize(
    ("case", "proxies", "forwarded", "address"),
    [
        ("no proxy: the header is anybody's claim", 0, "203.0.113.5", "192.0.2.1"),
        ("one proxy", 1, "198.51.100.1, 203.0.113.5", "203.0.113.5"),
        ("two proxies", 2, "198.51.100.1, 203.0.113.5, 192.0.2.7", "203.0.113.5"),
        ("a proxy that says nothing", 1, "", "192.0.2.1"),
    ],
)
def test_the_address_is_seen_past_trusted_proxies(
    settings, case: str, proxies: int, forwarded: str, address: str
) -> None:
    settings.PROXIES = proxies
    meta = {"REMOTE_ADDR": "192.0.2.1", "HTTP_X_FORWARDED_FOR": forwarded}
    assert attempts.client_address(meta) == address, case


@pytest.mark.both_databases
def test_a_token_is_stored_as_a_hash_and_accepted(owner: User) -> None:
    issued = services.issue_token(owner, name=" roster script ", scopes=WRITING)
    stored = ApiToken.objects.get()
    assert issued.secret not in str(list(ApiToken.objects.values()))
    assert (stored.name, stored.prefix, stored.granted) == ("roster script", issued.secret[:8], WRITING)
    assert services.accept_token(issued.secret).user == owner
    stored.refresh_from_db()
    assert stored.last_used_at is not None


def test_a_second_use_soon_after_writes_nothing(owner: User, django_assert_num_queries) -> None:
    secret = services.issue_token(owner, name="x", scopes=READING).secret
    services.accept_token(secret)
    with django_assert_num_queries(1):
        assert services.accept_token(secret).granted == READING


@pytest.mark.parametrize(
    ("case", "change"),
    [
        ("revoked", {"revoked_at": timezone.now()}),
        ("expired", {"expires_at": timezone.now() - timedelta(seconds=1)}),
    ],
)
def test_a_token_past_its_time_is_refused(owner: User, case: str, change: dict[str, object]) -> None:
    secret = services.issue_token(owner, name="x", scopes=READING).secret
    ApiToken.objects.update(**change)
    with pytest.raises(TokenRefused):
        services.accept_token(secret)


def test_an_unknown_token_and_a_closed_account_are_refused(owner: User) -> None:
    secret = services.issue_token(owner, name="x", scopes=READING).secret
    with pytest.raises(TokenRefused):
        services.accept_token(secret + "x")
    User.objects.update(is_active=False)
    with pytest.raises(TokenRefused):
        services.accept_token(secret)


def test_events_of_security_are_lines_of_the_log(owner: User, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "armybuilder.security"), contextlib.suppress(SignInRefused):
        token = services.issue_token(owner, name="x", scopes=READING).token
        services.revoke_token(Viewer(user=owner), token.pk)
        services.sign_in(username="owner", password=PASSWORD, address="203.0.113.7")
        services.confirm_password(owner, PASSWORD, address="203.0.113.7")
        with pytest.raises(SignInRefused):
            services.confirm_password(owner, "wrong", address="203.0.113.7")
        services.sign_in(username="own\ner", password="wrong", address="203.0.113.7")
    said = [record.getMessage() for record in caplog.records]
    assert said == [
        f"token issued user={owner.pk} token={token.pk} scopes=lists:read check",
        f"token revoked user={owner.pk} token={token.pk}",
        f"sign-in user={owner.pk} address='203.0.113.7'",
        f"password confirmed user={owner.pk} address='203.0.113.7'",
        f"password not confirmed user={owner.pk} address='203.0.113.7'",
        "sign-in failed name='own\\ner' address='203.0.113.7'",
    ]
    assert PASSWORD not in caplog.text and "wrong" not in caplog.text


def test_only_the_owner_sees_and_revokes_a_token(owner: User, stranger: User, guest: Viewer) -> None:
    token = services.issue_token(owner, name="x", scopes=READING).token
    for viewer in (Viewer(user=stranger), guest, ANYBODY):
        assert list(queries.tokens_of(viewer)) == []
        with pytest.raises(NotFound):
            services.revoke_token(viewer, token.pk)
    token.refresh_from_db()
    assert token.revoked_at is None
    services.revoke_token(Viewer(user=owner), token.pk)
    token.refresh_from_db()
    revoked_at = token.revoked_at
    services.revoke_token(Viewer(user=owner), token.pk)
    token.refresh_from_db()
    assert revoked_at is not None and token.revoked_at == revoked_at


def test_a_guest_key_survives_the_browser_and_cannot_be_forged() -> None:
    key = new_guest_key()
    assert guest_key_of(signed_guest_key(key)) == key
    assert guest_key_of(signed_guest_key(key)[:-1] + "?") is None
    assert guest_key_of(key.hex) is None
    assert guest_key_of("") is guest_key_of(None) is None


@pytest.mark.parametrize(("days", "is_good", "is_worn"), [(29, True, False), (31, True, True), (401, False, False)])
def test_a_guest_key_grows_old(monkeypatch: pytest.MonkeyPatch, days: int, is_good: bool, is_worn: bool) -> None:
    key = new_guest_key()
    signed = signed_guest_key(key)
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + days * 86_400)
    assert guest_key_of(signed) == (key if is_good else None)
    assert is_worn_guest_key(signed) is is_worn


def test_only_active_staff_with_the_permission_may(owner: User, administrator: User, guest: Viewer) -> None:
    view = "armylists.view_armylist"
    assert Viewer(user=administrator).may(view)
    assert not Viewer(user=owner).may(view) and not guest.may(view) and not ANYBODY.may(view)
    administrator.is_active = False
    assert not Viewer(user=administrator).may(view)
    owner.is_staff = True
    owner.save()
    assert not Viewer(user=owner).may(view), "staff without any permission"
    owner.user_permissions.add(Permission.objects.get(codename="view_armylist"))
    assert Viewer(user=User.objects.get(pk=owner.pk)).may(view)
    assert not Viewer(user=User.objects.get(pk=owner.pk)).may("simulations.view_simulationrun")
    assert guest.is_anybody and not ANYBODY.is_anybody
