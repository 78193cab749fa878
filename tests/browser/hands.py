"""Hands on the builder: how somebody arrives, presses, and sees that nothing moved."""

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.builder_page import BuilderPage
from tests.browser.conftest import PHONE, Visitors

STILL = 2
"""Pixels by which a touched control may stand elsewhere after the answer."""


ARMIES = ("Horus Heresy", "Warhammer 40,000", "Fantasy", "Epic")


def arrive(visitors: Visitors, size: dict[str, int]) -> Page:
    """Somebody with a phone or at a desktop."""
    return visitors.arrive(size=size, touch=size is PHONE)


def press(page: Page, control: Locator) -> None:
    """As a finger or a mouse does it."""
    if page.viewport_size == PHONE:
        control.tap()
    else:
        control.click()


def sample_of(page: Page, game: str) -> BuilderPage:
    """A copy of the first sample of a game; those of the first game come first."""
    page.goto("/")
    games = page.locator(".samples section").filter(has=page.get_by_role("heading", name=game))
    press(page, games.locator("li a").first)
    press(page, page.locator("form[action$='/copy/'] button").first)
    expect(page.locator("#army-bar")).to_be_visible()
    return BuilderPage(page)


def troops_list(page: Page, *units: str) -> BuilderPage:
    """A new list with some Troops, the last one open."""
    builder = BuilderPage(page)
    builder.start("Sons of Horus", 3000, allegiance="traitor")
    for unit in units:
        if page.locator(".pane__back").is_visible():
            press(page, page.locator(".pane__back"))
        builder.add("Troops", unit)
    return builder


def still(page: Page) -> None:
    """No edit is on its way."""
    expect(page.locator("html")).not_to_have_class(re.compile("is-busy"))


def top(control: Locator) -> float:
    """Where a control stands on the screen."""
    box = control.bounding_box()
    assert box is not None
    return box["y"]


def touch_and_see(page: Page, name: str) -> None:
    """Bring a control to the middle of the screen, press it, and see it where it was with the focus on it."""
    control = page.locator(f"[id='{name}']")
    control.evaluate("e => e.scrollIntoView({block: 'center'})")
    before = top(control)
    press(page, control)
    still(page)
    if not control.count() or not control.is_visible():
        return  # it has done its work, as a card that is given back
    after = top(control)
    assert abs(after - before) <= STILL, f"{name} went from {before} to {after}"
    has_focus = page.evaluate("document.activeElement.id") == name
    assert has_focus or control.is_disabled(), f"{name} lost the focus"


def press_in_russian(page: Page, letter: str, code: str, *, ctrl: bool = True) -> None:
    """A key of a keyboard that writes Russian: the page is told the letter and where it lies."""
    keyboard = page.context.new_cdp_session(page)
    key = {"key": letter, "code": code, "modifiers": 2 if ctrl else 0}
    keyboard.send("Input.dispatchKeyEvent", {"type": "rawKeyDown", **key})
    keyboard.send("Input.dispatchKeyEvent", {"type": "keyUp", **key})


UNLIKE_TWO_LINES = """rows => rows.filter(row => {
    const words = row.querySelector('.offer__what'), line = row.querySelector('.offer__head').getBoundingClientRect();
    const figures = row.querySelector('.offer__figures'), isShort = line.height < 30;
    return words.getBoundingClientRect().height > 44 || line.bottom > words.getBoundingClientRect().bottom + 1
      || figures && isShort && figures.scrollHeight > figures.clientHeight
      || figures && !isShort && figures.getBoundingClientRect().left < words.getBoundingClientRect().right + 4
      || [...row.querySelectorAll('.offer__taken, .offer__why a')].some(
        it => it.offsetTop + it.offsetHeight > words.offsetHeight + 4);
  }).map(row => row.innerText)"""
"""Rows of the add screen that are higher than two lines, hide a figure, a mark or a way on, or show half a figure."""


def rows_unlike_two_lines(page: Page) -> list[str]:
    """What is wrong with the rows of the add screen, which is opened by its tool."""
    press(page, page.locator(".dock [data-key=add]"))
    expect(page.locator(".offer").first).to_be_visible()
    wrong: list[str] = page.locator(".offer").evaluate_all(UNLIKE_TWO_LINES)
    return wrong
