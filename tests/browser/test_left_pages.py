"""A list's page that is left with edits on their way: they are made all the same, or said to be lost."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.builder_page import BuilderPage
from tests.browser.conftest import PHONE, Visitors
from tests.browser.test_quick_taps import at_rest, models, tactical_squad

EDITS = "**/edit/"


def remove(builder: BuilderPage) -> Callable[[], None]:
    """The squad goes off the roll."""
    builder.page.goto(builder.address)
    row = builder.page.locator(".unit", has_text="Tactical Squad").first
    row.locator("summary").click()
    row.locator(".button--danger").click()
    return lambda: expect(builder.page.locator(".unit", has_text="Tactical Squad")).to_have_count(0)


def tap(builder: BuilderPage) -> Callable[[], None]:
    """Three models more, of which the first is sent before the others."""
    number, _, more = models(builder)
    wanted = str(int(number.input_value()) + 3)
    for _ in range(3):
        more.click()
    return lambda: expect(models(builder)[0]).to_have_value(wanted)


def choose(builder: BuilderPage) -> Callable[[], None]:
    """An option is taken."""
    bombs = builder.detail.locator(".pick", has_text="Meltabombs").first
    bombs.click()
    return lambda: expect(bombs).to_have_attribute("aria-checked", "true")


class Lost:
    """Edits of a page that is left: they reach the server or do not, and in no case their answer comes."""

    def __init__(self, page: Page, *, are_made: bool) -> None:
        self.are_made = are_made
        self.page_is_left = False
        self.seen = 0
        page.route(EDITS, self._hold)

    def _hold(self, route: Route) -> None:
        if self.page_is_left:
            route.continue_()
            return
        if self.are_made:
            assert route.fetch().ok
        self.seen += 1


@pytest.mark.parametrize("are_made", [False, True])
@pytest.mark.parametrize("edit", [remove, tap, choose])
def test_what_was_on_its_way_when_the_page_was_loaded_anew_is_made_once(
    visitors: Visitors, edit: Callable[[BuilderPage], Callable[[], None]], *, are_made: bool
) -> None:
    page = visitors.arrive(size=PHONE, touch=True)
    builder = tactical_squad(page)
    before = builder.points.inner_text()
    lost = Lost(page, are_made=are_made)
    made = edit(builder)
    while not lost.seen:
        page.wait_for_timeout(20)
    lost.page_is_left = True
    page.reload()
    expect(builder.points).not_to_have_text(before)
    made()
    expect(page.locator("#kept")).to_be_hidden()
    expect(page.locator("#kept-refusal > *")).to_have_count(0)
    expect(page.locator("#toasts")).not_to_contain_text("not saved")
    page.reload()
    made()


@pytest.mark.parametrize("edit", [remove, tap, choose])
def test_what_was_on_its_way_when_the_tab_was_closed_is_made_in_the_next(
    visitors: Visitors, edit: Callable[[BuilderPage], Callable[[], None]]
) -> None:
    page = visitors.arrive(size=PHONE, touch=True)
    builder = tactical_squad(page)
    address, before = page.url, builder.points.inner_text()
    lost = Lost(page, are_made=False)
    edit(builder)
    while not lost.seen:
        page.wait_for_timeout(20)
    lost.page_is_left = True
    later = page.context.new_page()
    page.goto("/about/")
    page.close()
    later.goto(address)
    expect(BuilderPage(later).points).not_to_have_text(before)
    expect(later.locator("#kept")).to_be_hidden()
    expect(later.locator("#toasts")).not_to_contain_text("not saved")
    made = BuilderPage(later).points.inner_text()
    later.reload()
    expect(BuilderPage(later).points).to_have_text(made)


def test_what_cannot_be_kept_is_said_to_be_lost(visitors: Visitors) -> None:
    page = visitors.arrive(size=PHONE, touch=True)
    builder = tactical_squad(page)
    before = builder.points.inner_text()
    lost = Lost(page, are_made=False)
    page.locator("#b-dock-undo").tap()
    while not lost.seen:
        page.wait_for_timeout(20)
    lost.page_is_left = True
    page.reload()
    expect(page.locator("#toasts")).to_contain_text("last change was not saved")
    expect(builder.points).to_have_text(before)
    page.reload()
    at_rest(page)
    assert page.locator("#toasts .toast").count() == 0
