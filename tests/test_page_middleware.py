"""Pages carry the headers a browser needs; answers of the JSON door do without, its own page does not."""

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db

FOR_PAGES = ("Content-Security-Policy", "X-Frame-Options", "Permissions-Policy", "Cache-Control")


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


@pytest.mark.parametrize("path", ["/api/v1/", "/api/v1/nowhere/"])
def test_json_goes_without_and_cannot_be_taken_for_a_page(client: Client, path: str) -> None:
    response = client.get(path)
    assert [name for name in FOR_PAGES if name in response.headers] == []
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.headers["Content-Type"].endswith("json")
