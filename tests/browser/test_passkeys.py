"""An administrator makes a passkey and shows it after the password, with a key of the browser's own."""

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import running_site
from tests.conftest import PASSWORD
from tests.databases import lay_out_migrated


@pytest.fixture
def administered(
    tmp_path: Path, chromium: str, monkeypatch: pytest.MonkeyPatch, migrated_databases: Path
) -> Iterator[str]:
    """Address of a site with an administrator, by the name browsers let passkeys be made for without TLS."""
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", PASSWORD)
    maker = "createsuperuser --noinput --username boss --email boss@example.org"
    lay_out_migrated(tmp_path, migrated_databases)
    with running_site(tmp_path, maker, "serve") as address:
        yield f"http://localhost:{urlsplit(address).port}"


def signed_in(page: Page) -> None:
    page.goto("/accounts/sign-in/?next=/accounts/second-factor/")
    page.get_by_label("Name").fill("boss")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()


@pytest.mark.long
def test_a_passkey_is_made_and_asked_for(browser: Browser, administered: str) -> None:
    context = browser.new_context(base_url=administered)
    page = context.new_page()
    keys = context.new_cdp_session(page)
    keys.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    keys.send("WebAuthn.addVirtualAuthenticator", {"options": options})

    signed_in(page)
    page.get_by_role("button", name="Add a passkey").click()
    expect(page.get_by_role("button", name="Remove")).to_be_visible()
    page.get_by_role("button", name="Make new ones").click()
    expect(page.locator(".codes li")).to_have_count(10)

    page.goto("/accounts/")
    page.get_by_role("button", name="Sign out", exact=True).click()
    signed_in(page)
    expect(page).to_have_url(re.compile("second-factor/show"))
    page.goto("/admin/")
    expect(page.get_by_role("heading", name="Second factor")).to_be_visible()
    page.get_by_role("button", name="Use a passkey").click()
    page.wait_for_url("**/admin/")
    context.close()
