"""Back takes one step: from a unit to the roll, out of what is open; on a phone and a desktop."""

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import DESKTOP, PHONE, Visitors, mainly_on
from tests.browser.hands import (
    ARMIES,
    STILL,
    arrive,
    press,
    sample_of,
    still,
    top,
    troops_list,
)


def test_back_takes_one_step_on_a_phone(visitors: Visitors) -> None:
    page = arrive(visitors, PHONE)
    builder = sample_of(page, ARMIES[0])
    mine = builder.address
    row = builder.units.last
    row.evaluate("e => e.scrollIntoView({block: 'center'})")
    place = top(row)
    assert page.evaluate("scrollY") > 100
    row.locator(".unit__open").tap()
    expect(builder.detail.locator("h2").first).to_be_in_viewport()
    for _ in range(3):
        press(page, page.locator("#detail #unit-options .pick:not([disabled], [aria-disabled])").first)
        still(page)
    page.go_back()
    expect(row).to_be_visible()
    expect(builder.detail).to_be_hidden()
    page.wait_for_timeout(300)
    assert abs(top(row) - place) <= STILL
    row.locator(".unit__open").tap()
    expect(page.locator(".pane__back")).to_be_visible()
    page.locator(".pane__back").tap()
    expect(row).to_be_visible()
    page.wait_for_timeout(300)
    assert abs(top(row) - place) <= STILL
    page.go_back()
    expect(page).not_to_have_url(re.compile(re.escape(mine)))


@mainly_on(PHONE)
def test_back_leads_from_what_an_edit_of_the_roll_opened_to_the_roll(visitors: Visitors, size: dict[str, int]) -> None:
    """A copy opens beside the one it was made of; Back led out of the list."""
    page = arrive(visitors, size)
    builder = sample_of(page, ARMIES[0])
    mine, row = builder.address, builder.units.last
    row.evaluate("e => e.scrollIntoView({block: 'center'})")
    place = top(row)
    press(page, row.locator("summary"))
    press(page, row.get_by_role("button", name="Duplicate"))
    expect(builder.detail.locator("h2").first).to_be_in_viewport()
    expect(page).to_have_url(re.compile(r"\?unit="))
    page.go_back()
    expect(page).to_have_url(mine)
    expect(row).to_be_visible()
    page.wait_for_timeout(300)
    if size is PHONE:
        assert abs(top(builder.units.nth(-2)) - place) <= STILL
    page.go_forward()
    expect(builder.detail.locator("h2").first).to_be_visible()


def place_in(page: Page) -> float:
    """How far the add screen is scrolled: with the page on a phone, by itself on a desktop."""
    place: float = page.evaluate("Math.max(scrollY, document.getElementById('detail').scrollTop)")
    return place


@mainly_on(PHONE)
def test_the_add_screen_keeps_its_place_for_who_looks_at_a_unit(visitors: Visitors, size: dict[str, int]) -> None:
    """Back from the unit, and a page loaded anew, led to its top; opened again it begins there."""
    page = arrive(visitors, size)
    sample_of(page, ARMIES[0])
    add = page.locator(".detachment__head a[href^='?add=']").first
    press(page, add)
    expect(page.locator(".offer").first).to_be_visible()
    name = page.locator(".offer:not(.offer--out)").nth(-5).get_attribute("id")
    offer = page.locator(f"[id='{name}']")
    offer.evaluate("e => e.scrollIntoView({block: 'center'})")
    assert place_in(page) > 300
    adding = page.url
    press(page, offer.locator(".offer__add"))
    still(page)
    left = place_in(page)
    press(page, offer.locator(".offer__taken"))
    expect(page).to_have_url(re.compile(r"\?unit="))
    expect(page.locator("#detail .pane__head h2").first).to_be_in_viewport()
    page.go_back()
    expect(page).to_have_url(adding)
    expect(offer).to_be_in_viewport()
    page.wait_for_timeout(300)
    assert abs(place_in(page) - left) <= STILL
    page.reload()
    expect(offer).to_be_in_viewport()
    assert abs(place_in(page) - left) <= STILL
    page.go_back()
    expect(page).not_to_have_url(adding)
    press(page, add)
    expect(page).to_have_url(adding)
    expect(page.locator("#detail .offer").first).to_be_in_viewport()


@mainly_on(DESKTOP)
def test_back_closes_what_is_open(visitors: Visitors, size: dict[str, int]) -> None:
    page = arrive(visitors, size)
    builder = troops_list(page, "Tactical Squad")
    here = page.url
    press(page, page.get_by_role("button", name="Share", exact=True))
    expect(page.locator("#dialog")).to_be_visible()
    page.go_back()
    expect(page.locator("#dialog")).to_be_hidden()
    assert page.url == here
    press(page, page.get_by_role("button", name="Share", exact=True))
    page.locator("#share [data-close]").click()
    expect(page.locator("#dialog")).to_be_hidden()
    expect(builder.detail.locator("h2").first).to_have_text("Tactical Squad")
    page.go_back()
    expect(builder.detail.locator("h2")).to_have_text("Troops")
    page.go_back()
    expect(page.locator("#detail h2")).to_have_count(0)
    expect(builder.units.first).to_be_visible()


def test_back_after_a_page_was_loaded_anew_with_a_sheet_open_leads_on(visitors: Visitors) -> None:
    """The step of the sheet outlived it: the first Back did nothing."""
    page = arrive(visitors, PHONE)
    builder = troops_list(page, "Tactical Squad")
    title = builder.detail.locator("h2").first
    page.locator(".dock .verdict-link").tap()
    expect(page.locator("#sheet[open]")).to_be_visible()
    page.reload()
    expect(title).to_have_text("Tactical Squad")
    expect(page.locator("#sheet")).to_be_hidden()
    page.wait_for_function("!(history.state && history.state.dialog)")
    page.go_back()
    expect(title).to_have_text("Troops")
