"""What a player owns, on a phone and a desktop: a list is bought, painted, and another is built from it."""

from playwright.sync_api import expect

from tests.browser.builder_page import BuilderPage
from tests.browser.conftest import DESKTOP, PHONE, Visitors, shot


def test_a_list_is_owned_painted_and_built_from(visitors: Visitors) -> None:
    player = BuilderPage(visitors.arrive(size=PHONE, touch=True))
    player.start("Sons of Horus", 1000, allegiance="traitor", name="What I bought")
    player.add("Troops", "Tactical Squad")
    page = player.page
    mine = page.url.split("?")[0]
    page.goto(mine)
    page.locator("#army-bar details.menu > summary").click()
    page.get_by_role("link", name="What do I lack?").click()
    expect(page.locator("#lack")).to_contain_text("10 models are missing")
    shot(page, "collection-lack-phone", whole=True)
    page.get_by_role("button", name="I own all of this list").click()
    expect(page.locator("#lack")).to_contain_text("You own everything")
    page.get_by_label("Tactical Squad: of these painted").fill("11")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("alert")).to_contain_text("11 painted of 10 models cannot be")
    expect(page.get_by_label("Tactical Squad: of these painted")).to_have_value("11")
    page.get_by_label("Tactical Squad: of these painted").fill("6")
    page.get_by_label("Another unit").fill("centurion")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_label("Centurion: Models", exact=True)).to_have_value("1")
    page.reload()
    expect(page.get_by_label("Tactical Squad: of these painted")).to_have_value("6")
    shot(page, "collection-phone", whole=True)

    page.set_viewport_size(DESKTOP)
    page.goto(mine)
    page.locator("#army").get_by_role("link", name="Add", exact=True).first.click()
    page.locator(".chip", has_text="in my collection").click()
    expect(page.locator(".offer__name").first).to_be_visible()
    expect(page.locator(".offer__name", has_text="Praetor")).to_have_count(0)
    expect(page.locator(".offer", has_text="Tactical Squad")).to_contain_text("10 owned")
    shot(page, "collection-add-desktop")
