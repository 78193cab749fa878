"""Every control of a big unit in each game, pressed: it stays, keeps the focus, leads nowhere, and is undone."""

import pytest
from playwright.sync_api import Locator, Page, Response, expect

from tests.breadth import share
from tests.browser.builder_page import BuilderPage
from tests.browser.conftest import PHONE, Visitors
from tests.browser.hands import ARMIES, press, sample_of, still, top

LAPTOP = {"width": 1280, "height": 800}
EVERYWHERE = pytest.mark.parametrize(
    ("size", "game"),
    share([(size, game) for size in (PHONE, LAPTOP) for game in (*ARMIES, "Relic")], of=2),
    ids=lambda it: it if isinstance(it, str) else "phone" if it is PHONE else "laptop",
)
"""Every game, on a phone or on a laptop."""
STILL = 2
"""Pixels by which a pressed control may stand elsewhere afterwards."""

MOST_EDITS = 16
MOST_FOLDS = 12

BIGGEST = """async () => {
  let best = -1, most = -1;
  for (const [place, row] of document.querySelectorAll("#army .unit__open").entries()) {
    const address = row.getAttribute("href").split("#")[0];
    const reply = await fetch(address, { headers: { "HX-Request": "true", "HX-Target": "detail" } });
    const pane = new DOMParser().parseFromString(await reply.text(), "text/html");
    const count = pane.querySelectorAll(".pick, .stepper button, summary").length;
    if (count > most) { best = place; most = count; }
  }
  return best;
}"""
"""Place on the roll of the unit with the most to press; -1 for a hero, whose page is his pane."""

_biggest: dict[str, int] = {}
"""That place in the first sample of each game, found once."""

EDITS = "#detail .pick, #detail .stepper button, #detail .track__place"
FOLDS = "#detail details:not(.menu) > summary"
"""What opens in its place; no control leads elsewhere, as Duplicate and Remove do."""


def open_biggest(page: Page, game: str) -> BuilderPage:
    """A copy of a game's first sample with the unit open that has the most to press."""
    builder = sample_of(page, game)
    if game not in _biggest:
        _biggest[game] = page.evaluate(BIGGEST)
    if _biggest[game] >= 0:
        row = page.locator("#army .unit__open").nth(_biggest[game])
        page.goto(builder.address + str(row.get_attribute("href")).split("#")[0])
    else:
        page.goto(builder.address)
    expect(builder.detail).to_be_visible()
    return builder


def spread(names: list[str], most: int) -> list[str]:
    """At most so many of them, from the first to the last."""
    step = max(1, -(-len(names) // most))
    return names[::step]


def whole_list(page: Page) -> str:
    """What the roll and the total say."""
    text: str = page.evaluate(
        "document.querySelector('#army-bar data').value + document.querySelector('#army').innerText"
    )
    return text


def press_and_see(page: Page, control: Locator, name: str) -> list[str]:
    """Bring a control to the middle, press it, wait for the answer; what has changed that should not."""
    control.evaluate("e => e.scrollIntoView({ block: 'center' })")
    before = top(control)
    here = page.evaluate("[location.href, history.length]")
    press(page, control)
    still(page)
    wrong = []
    if page.evaluate("[location.href, history.length]") != here:
        wrong.append(f"{name}: leads to {page.url}")
    if control.count() and control.is_visible():
        if abs(top(control) - before) > STILL:
            wrong.append(f"{name}: went from {before} to {top(control)}")
        if not control.is_disabled() and not control.evaluate("e => e === document.activeElement"):
            wrong.append(f"{name}: lost the focus to {page.evaluate('document.activeElement.outerHTML.slice(0, 80)')}")
    return wrong


@EVERYWHERE
@pytest.mark.long
def test_whatever_is_pressed_stays_and_is_undone(visitors: Visitors, size: dict[str, int], game: str) -> None:
    page = visitors.arrive(size=size, touch=size is PHONE)
    refused: list[str] = []

    def note(answer: Response) -> None:
        if answer.status >= 400:
            refused.append(f"{answer.status} {answer.url} {answer.request.post_data}")

    page.on("response", note)
    open_biggest(page, game)
    before = whole_list(page) if game in ARMIES else ""
    names: list[str] = page.locator(EDITS).evaluate_all(
        "all => all.filter(e => e.id && !e.disabled && e.ariaDisabled !== 'true' && e.checkVisibility()).map(e => e.id)"
    )
    wrong, undo = [], page.locator("#b-undo")
    for name in share(spread(names, MOST_EDITS), of=3):
        wrong += press_and_see(page, page.locator(f"[id='{name}']"), name)
        undo.evaluate("undo => undo.click()")
        still(page)
    assert names
    assert (wrong, refused) == ([], [])
    if game in ARMIES:
        assert whole_list(page) == before


@EVERYWHERE
@pytest.mark.long
def test_what_unfolds_does_not_move_its_heading(visitors: Visitors, size: dict[str, int], game: str) -> None:
    page = visitors.arrive(size=size, touch=size is PHONE)
    open_biggest(page, game)
    headings = page.locator(FOLDS).filter(visible=True)
    names = headings.evaluate_all("all => all.map((e, place) => `${place}: ${e.textContent.trim().slice(0, 30)}`)")
    wrong = []
    for name in share(spread(names, MOST_FOLDS), of=3):
        heading = headings.nth(int(name.split(":")[0]))
        for _ in ("open it", "close it"):
            wrong += press_and_see(page, heading, name)
    assert names
    assert wrong == []
