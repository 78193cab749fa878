"""Pages carry the headers a browser needs; answers of the JSON door do without, its own page does not."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from armybuilder.accounts.models import User

pytestmark = pytest.mark.django_db

FOR_PAGES = ("Content-Security-Policy", "X-Frame-Options", "Permissions-Policy", "Cache-Control")


@pytest.mark.parametrize("host", ["10.0.0.7:8000", "lists.example.org", "no host at all"])
def test_a_probe_is_answered_by_any_name_without_https_or_database(
    client: Client, settings: Any, host: str, django_assert_num_queries: Any
) -> None:
    settings.ALLOWED_HOSTS, settings.SECURE_SSL_REDIRECT = ["lists.example.org"], True
    with django_assert_num_queries(0):
        probe = client.get("/healthz/", headers={"Host": host})
    assert (probe.status_code, probe.content) == (200, b"ok\n")
    assert client.get("/about/", headers={"Host": host}).status_code == (301 if host == "lists.example.org" else 400)


@pytest.mark.parametrize("path", ["/", "/admin/login/", "/api/v1/docs/", "/no/such/page/"])
def test_pages_have_them(client: Client, path: str) -> None:
    response = client.get(path)
    assert [name for name in FOR_PAGES if name not in response.headers] == []
    assert "unsafe-inline" not in response.headers["Content-Security-Policy"]


@pytest.mark.parametrize(
    ("path", "kept"),
    [("/about/", "private, no-cache"), ("/lists/", "private, no-cache"), ("/accounts/sign-in/", "no-store")],
)
def test_a_page_is_kept_by_its_reader_alone_or_by_nobody(client: Client, path: str, kept: str) -> None:
    assert kept in client.get(path).headers["Cache-Control"]


@pytest.mark.parametrize("name", ["account", "sessions", "tokens", "programs", "webhooks", "password-change", "email"])
def test_pages_of_an_account_are_kept_by_nobody(client: Client, owner: User, name: str) -> None:
    client.force_login(owner)
    page = client.get(reverse(f"web:{name}"))
    assert (page.status_code, "no-store" in page.headers["Cache-Control"]) == (200, True)


@pytest.mark.parametrize("path", ["/api/v1/", "/api/v1/nowhere/"])
def test_json_goes_without_and_cannot_be_taken_for_a_page(client: Client, path: str) -> None:
    response = client.get(path)
    assert [name for name in FOR_PAGES[:3] if name in response.headers] == []
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.headers["Content-Type"].endswith("json")
