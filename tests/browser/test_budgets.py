"""What a page of the builder and an edit may weigh, and how much of the screen an edit may shift, in every game."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.builder_page import BuilderPage
from tests.browser.conftest import PHONE, Visitors, mainly_on
from tests.browser.hands import ARMIES, sample_of, still
from tests.browser.test_quick_taps import tactical_squad

GAMES = (*ARMIES, "Relic")
MOST_PAGE_BYTES = 90_000
"""Of the HTML as it is read, before it is compressed."""

MOST_EDIT_BYTES = 12_000
"""On the wire."""

MOST_FIRST_VISIT_BYTES = 75_000
"""Of the start page with all that it brings along, on the wire."""

MOST_LIST_VISIT_BYTES = 90_000
"""Of a list on a device that has nothing of the site yet, letters and all, on the wire."""

MOST_SHIFT = 0.02

PRESSED = "#detail .stepper [data-step='1']:not([disabled]), #detail .pick:not([disabled], [aria-disabled])"

WATCH = """() => {
  window.shifted = 0;
  new PerformanceObserver(list => list.getEntries().forEach(entry => { window.shifted += entry.value; }))
    .observe({ type: "layout-shift", buffered: false });
}"""
"""Counts every shift, also those that the browser forgives because a press was just before: how long before depends on
the machine."""

NO_MOUSE = "addEventListener('pointerover', event => event.stopImmediatePropagation(), true)"
"""Chromium has one in the corner of a phone too, and may tell the page of it, which then brings what carries units."""

DRAWN = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))"


def opened(page: Page, game: str) -> BuilderPage:
    """A copy of a sample whose last unit with something to press is open; a hero's page shows all of him."""
    builder = sample_of(page, game)
    hrefs = page.locator("#army .unit__open").evaluate_all(
        "all => all.map(row => row.getAttribute('href').split('#')[0])"
    )
    for href in reversed(hrefs):
        page.goto(builder.address + href)
        if page.locator(PRESSED).filter(visible=True).count():
            break
    return builder


@pytest.mark.parametrize("game", GAMES)
def test_a_page_and_an_edit_are_small(visitors: Visitors, game: str) -> None:
    page = visitors.arrive(size=PHONE, touch=True)
    opened(page, game)
    with page.expect_response(page.url) as answered:
        page.reload()
    assert len(answered.value.body()) <= MOST_PAGE_BYTES
    with page.expect_response(lambda answer: answer.request.method == "POST") as edited:
        page.locator(PRESSED).filter(visible=True).first.tap()
    assert edited.value.ok
    assert int(edited.value.headers["content-length"]) <= MOST_EDIT_BYTES


def test_the_first_visit_is_small(visitors: Visitors) -> None:
    page = visitors.arrive(size=PHONE, touch=True)
    line = page.context.new_cdp_session(page)
    line.send("Network.enable")
    came: list[float] = []
    line.on("Network.loadingFinished", lambda event: came.append(event["encodedDataLength"]))
    page.goto("/", wait_until="networkidle")
    assert sum(came) <= MOST_FIRST_VISIT_BYTES, came
    page.keyboard.press("Control+k")
    page.locator("#palette input").fill("new list")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/lists/new/"))


@pytest.mark.parametrize("language", ["en", "ru"])
def test_a_list_on_a_new_device_is_small_and_brings_the_letters_of_its_language(
    visitors: Visitors, language: str
) -> None:
    first = visitors.arrive(size=PHONE, touch=True)
    address = sample_of(first, "Horus Heresy").address
    new = visitors.arrive(size=PHONE, touch=True, language=language)
    new.add_init_script(NO_MOUSE)
    new.context.add_cookies([cookie for cookie in first.context.cookies() if cookie["name"] == "guest"])
    line = new.context.new_cdp_session(new)
    line.send("Network.enable")
    came: list[float] = []
    letters: set[str] = set()
    line.on("Network.loadingFinished", lambda event: came.append(event["encodedDataLength"]))
    new.on("response", lambda answer: letters.add(answer.url) if ".woff2" in answer.url else None)
    new.goto(address, wait_until="networkidle")
    expect(new.locator("html")).to_have_attribute("lang", language)
    assert sum(came) <= MOST_LIST_VISIT_BYTES, came
    scripts = {"latin", "cyrillic"} if language == "ru" else {"latin"}
    assert {name for one in letters for name in re.findall(r"source-sans-3-([a-z-]+)-\d", one)} == scripts


@mainly_on(PHONE)
def test_a_tapped_number_shifts_nothing(visitors: Visitors, size: dict[str, int]) -> None:
    page = visitors.arrive(size=size, touch=size is PHONE)
    builder = tactical_squad(page)
    more = builder.detail.locator("[data-step='1']").first
    more.scroll_into_view_if_needed()
    page.evaluate(WATCH)
    before = builder.points.inner_text()
    more.click()
    expect(builder.points).not_to_have_text(before)
    still(page)
    page.evaluate(DRAWN)
    assert page.evaluate("window.shifted") <= MOST_SHIFT


WRITTEN_OUT = """() => {
  window.copies = window.steps = 0;
  const copy = Node.prototype.cloneNode, step = history.replaceState;
  Node.prototype.cloneNode = function (...how) {
    window.copies += this === document.body;
    return copy.apply(this, how);
  };
  history.replaceState = function (...what) { window.steps += 1; return step.apply(this, what); };
}"""


def test_an_edit_copies_no_page_and_makes_no_step(visitors: Visitors) -> None:
    page = visitors.arrive(size=PHONE, touch=True)
    builder = tactical_squad(page)
    page.evaluate(WRITTEN_OUT)
    before = builder.points.inner_text()
    builder.detail.locator("[data-step='1']").first.tap()
    expect(builder.points).not_to_have_text(before)
    still(page)
    assert page.evaluate("[window.copies, window.steps]") == [0, 0]
