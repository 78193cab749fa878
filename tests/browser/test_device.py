"""The site without a line: what was opened last opens again and says so; another's pages are never among it."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.builder_page import BuilderPage
from tests.browser.conftest import PHONE, Visitors, shot
from tests.browser.lines import Line

PASSWORD = "a long and quiet password"


@pytest.fixture
def line(site: str) -> Iterator[Line]:
    """A line to the site, which this test may cut."""
    line = Line(site)
    yield line
    line.cut()


def kept_list(page: Page) -> BuilderPage:
    """A list with a squad, kept on the device with its panes."""
    builder = BuilderPage(page)
    builder.start("Sons of Horus", 1000, allegiance="traitor", name="Kept army")
    builder.add("Troops", "Tactical Squad")
    page.goto(builder.address)
    expect(page.locator("html[data-kept]")).to_be_attached()
    return builder


def sign_up(page: Page, name: str) -> None:
    """An account of one's own, from the page of the form."""
    page.goto("/accounts/sign-up/")
    page.locator("main [name=username]").fill(name)
    for field in page.locator("main input[type=password]").all():
        field.fill(PASSWORD)
    page.locator("main form .button--main").click()
    expect(page.locator(".account-name")).to_have_text(name)


def test_a_list_opens_without_a_line_and_says_what_it_is(line: Line, visitors: Visitors) -> None:
    page = visitors.arrive(kept_by=line.address, size=PHONE)
    builder = kept_list(page)
    points = builder.points.inner_text()
    expect(page.locator(".offline")).to_be_hidden()

    line.cut()
    page.reload()
    expect(page.locator(".offline")).to_contain_text("This is a copy of")
    expect(builder.points).to_have_text(points)
    builder.open("Tactical Squad")
    shot(page, "device-list-without-line")
    page.locator("#army-bar details.menu > summary").click()
    page.get_by_role("link", name="History").click()
    expect(page.get_by_text("this page is not kept on this device")).to_be_visible()
    expect(page.locator("#device-copies")).to_contain_text("Kept army")
    shot(page, "device-instead", whole=True)
    page.locator("#device-copies").get_by_role("link", name="Kept army").click()
    expect(builder.units).to_have_count(1)

    line.mend()
    page.reload()
    expect(page.locator(".offline")).to_be_hidden()
    expect(builder.units).to_have_count(1)


def test_a_copy_follows_the_edits(line: Line, visitors: Visitors) -> None:
    page = visitors.arrive(kept_by=line.address)
    builder = kept_list(page)
    builder.open("Tactical Squad")
    before = builder.points.inner_text()
    page.evaluate("delete document.documentElement.dataset.kept")
    builder.detail.locator("[data-step='1']").first.click()
    expect(builder.points).not_to_have_text(before)
    after = builder.points.inner_text()
    expect(page.locator("html[data-kept]")).to_be_attached()
    line.cut()
    page.goto(builder.address)
    expect(page.locator(".offline")).to_be_visible()
    expect(builder.points).to_have_text(after)


def test_signing_out_empties_the_device(line: Line, visitors: Visitors) -> None:
    page = visitors.arrive(kept_by=line.address)
    sign_up(page, "keeper")
    page.goto("/lists/new/")
    page.evaluate("navigator.serviceWorker.ready.then(() => 1)")
    builder = BuilderPage(page)
    builder.start("Sons of Horus", 1000, allegiance="traitor", name="Secret army")
    secret = builder.address
    expect(page.locator("html[data-kept]")).to_be_attached()
    page.goto("/device/")
    expect(page.locator("#device-copies")).to_contain_text("Secret army")
    shot(page, "device", whole=True)
    page.goto("/accounts/")
    page.locator("form[action$='/sign-out/'] button").click()
    expect(page.get_by_role("link", name="Sign in")).to_be_visible()

    page.goto("/device/")
    expect(page.locator("#device-copies li").first).to_be_visible()
    expect(page.locator("#device-copies")).not_to_contain_text("Secret army")
    line.cut()
    page.goto(secret)
    expect(page.get_by_text("Secret army")).to_have_count(0)
    expect(page.get_by_text("this page is not kept on this device")).to_be_visible()
