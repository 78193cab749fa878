"""Units put into an order by the menu, the keyboard, a mouse and a finger; and what becomes of it when it is lost."""

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.builder_page import BuilderPage
from tests.browser.conftest import DESKTOP, PHONE, Visitors, mainly_on, shot

UNITS = ["Despoiler Squad", "Tactical Squad", "Tactical Support Squad"]
FIRST, SECOND, THIRD = UNITS


def troops(page: Page) -> BuilderPage:
    """A list with three kinds of Troops on the roll."""
    builder = BuilderPage(page)
    builder.start("Sons of Horus", 3000, allegiance="traitor")
    page.locator(".role__head").filter(has_text="Troops").locator("a.button--icon").click()
    for unit in UNITS:
        builder.offer(unit).locator(".offer__add").click()
        expect(builder.offer(unit).locator(".offer__taken")).to_have_text("1 taken")
    page.goto(builder.address)
    expect(page.locator(".role .unit__name")).to_have_text(UNITS)
    return builder


def row(page: Page, name: str) -> Locator:
    """A unit on the roll."""
    return page.locator("#army .unit").filter(has=page.get_by_text(name, exact=True))


def shows(page: Page, *names: str) -> None:
    """The roll shows the units in this order, now and after a reload."""
    expect(page.locator("#army .unit__name")).to_have_text(list(names))
    expect(page.locator("html.is-busy")).to_have_count(0)
    page.reload()
    expect(page.locator("#army .unit__name")).to_have_text(list(names))


def carry(page: Page, name: str, onto: str) -> None:
    """Drag a unit by its grip with the mouse, onto another one; nothing of the page was touched before."""
    row(page, name).hover()
    start, end = row(page, name).locator(".unit__grip").bounding_box(), row(page, onto).bounding_box()
    assert start is not None
    assert end is not None
    page.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
    page.mouse.down()
    page.mouse.move(start["x"] + 10, end["y"] + end["height"] / 2, steps=12)
    page.mouse.up()


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "plain"])
def test_the_menu_moves_a_unit(visitors: Visitors, scripts: bool) -> None:
    page = visitors.arrive(scripts=scripts)
    builder = troops(page) if scripts else plain_troops(page)
    row(page, FIRST).locator("summary").click()
    expect(row(page, FIRST).get_by_role("button", name="Move up")).to_have_count(0)
    row(page, FIRST).get_by_role("button", name="Move down").click()
    shows(page, SECOND, FIRST, THIRD)
    row(page, THIRD).locator("summary").click()
    row(page, THIRD).get_by_role("button", name="Move up").click()
    shows(page, SECOND, THIRD, FIRST)
    page.goto(f"{builder.address}history/")
    expect(page.locator("main")).to_contain_text(f"{THIRD} now stands before {FIRST}")


def plain_troops(page: Page) -> BuilderPage:
    """The same without scripts: every press is a new page."""
    builder = BuilderPage(page)
    builder.start("Sons of Horus", 3000, allegiance="traitor")
    for unit in UNITS:
        page.goto(builder.address)
        page.locator(".role__head").filter(has_text="Troops").locator("a.button--icon").click()
        builder.offer(unit).locator(".offer__add").click()
    page.goto(builder.address)
    expect(page.locator("#army .unit__name")).to_have_text(UNITS)
    return builder


def test_alt_and_an_arrow_move_a_unit_and_keep_the_focus(visitors: Visitors) -> None:
    page = visitors.arrive(size=DESKTOP)
    builder = troops(page)
    link = row(page, THIRD).locator(".unit__open")
    link.focus()
    for names in ([FIRST, THIRD, SECOND], [THIRD, FIRST, SECOND]):
        page.keyboard.press("Alt+ArrowUp")
        expect(page.locator("#army .unit__name")).to_have_text(names)
        expect(page.locator("#toasts")).to_contain_text(f"{THIRD} now stands before")
        expect(link).to_be_focused()
    page.keyboard.press("Alt+ArrowUp")  # it is the first: nothing happens
    page.keyboard.press("Control+z")
    expect(page.locator("#army .unit__name")).to_have_text([FIRST, THIRD, SECOND])
    page.keyboard.press("Control+y")
    shows(page, THIRD, FIRST, SECOND)
    page.goto(f"{builder.address}print/")
    text = page.locator("main").inner_text()
    assert text.index(THIRD) < text.index(FIRST) < text.index(SECOND)


def test_a_mouse_drags_a_unit(visitors: Visitors) -> None:
    page = visitors.arrive(size=DESKTOP)
    troops(page)
    with page.expect_response("**/edit/"):
        carry(page, THIRD, FIRST)
    expect(page.locator("#toasts")).to_contain_text(f"{THIRD} now stands before {FIRST}")
    shot(page, "dragged-unit")
    shows(page, THIRD, FIRST, SECOND)
    with page.expect_response("**/edit/"):
        carry(page, THIRD, SECOND)
    shows(page, FIRST, SECOND, THIRD)


def test_a_finger_drags_a_unit(visitors: Visitors) -> None:
    page = visitors.arrive(size=PHONE, touch=True)
    troops(page)
    grip = row(page, FIRST).locator(".unit__grip")
    expect(grip).to_be_visible()
    start, end = grip.bounding_box(), row(page, THIRD).bounding_box()
    assert start is not None
    assert end is not None
    x, y = start["x"] + start["width"] / 2, start["y"] + start["height"] / 2
    finger = page.context.new_cdp_session(page)

    def touch(kind: str, *points: dict[str, float]) -> None:
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(points)})

    touch("touchStart", {"x": x, "y": y})
    last = end["y"] + end["height"] - 8
    for step in range(1, 13):
        touch("touchMove", {"x": x, "y": y + (last - y) * step / 12})
        page.wait_for_timeout(20)
    shot(page, "dragging-unit-phone")
    with page.expect_response("**/edit/"):
        touch("touchEnd")
    shows(page, SECOND, THIRD, FIRST)


@pytest.mark.parametrize("kind", ["mouse", "finger"])
def test_the_first_touch_of_a_page_can_be_the_one_that_drags(visitors: Visitors, kind: str) -> None:
    """What carries units is still on its way when the grip is taken."""
    page = visitors.arrive(size=DESKTOP if kind == "mouse" else PHONE, touch=kind == "finger")
    troops(page)
    waiting: list[Route] = []
    page.route("**/sortable*", lambda route: waiting.append(route))  # noqa: PLW0108 - Playwright takes no method of a list
    start, end = row(page, FIRST).locator(".unit__grip").bounding_box(), row(page, THIRD).bounding_box()
    assert start is not None
    assert end is not None
    x, y, last = start["x"] + start["width"] / 2, start["y"] + start["height"] / 2, end["y"] + end["height"] - 8
    finger = page.context.new_cdp_session(page)

    def act(mouse: str, touch: str, y: float | None) -> None:
        if kind == "finger":
            points = [] if y is None else [{"x": x, "y": y}]
            finger.send("Input.dispatchTouchEvent", {"type": touch, "touchPoints": points})
        elif y is None:
            page.mouse.up()
        else:
            page.mouse.move(x, y)
            if mouse == "down":
                page.mouse.down()

    with page.expect_request("**/sortable*"):
        act("down", "touchStart", y)
    while not waiting:
        page.wait_for_timeout(20)
    waiting[0].continue_()
    page.wait_for_function("() => window.Sortable && [...document.scripts].some(one => one.src.includes('order'))")
    page.wait_for_timeout(200)
    for step in range(1, 13):
        act("move", "touchMove", y + (last - y) * step / 12)
        page.wait_for_timeout(20)
    with page.expect_response("**/edit/"):
        act("up", "touchEnd", None)
    shows(page, SECOND, THIRD, FIRST)


def test_an_order_made_without_a_line_is_kept_and_sent(visitors: Visitors) -> None:
    page = visitors.arrive(size=DESKTOP)
    troops(page)
    page.context.set_offline(True)
    carry(page, THIRD, FIRST)
    expect(page.locator("#kept li")).to_have_count(1)
    expect(page.locator("#kept li")).to_contain_text(THIRD)
    page.context.set_offline(False)
    expect(page.locator("#kept")).to_be_hidden()
    shows(page, THIRD, FIRST, SECOND)
    visitors.complaints.clear()  # the browser itself complains of the lost connection


@mainly_on(PHONE)
def test_a_unit_is_copied_to_another_list(visitors: Visitors, size: dict[str, int]) -> None:
    page = visitors.arrive(size=size)
    BuilderPage(page).start("Sons of Horus", 1000, allegiance="traitor", name="Second army")
    builder = troops(page)
    builder.open(SECOND)
    page.get_by_role("link", name="Copy to another list").click()
    dialog = page.locator("#dialog")
    expect(dialog.get_by_role("heading")).to_have_text(f"Copy {SECOND} to another list")
    dialog.get_by_role("button", name="Second army").click()
    expect(dialog.get_by_role("status")).to_contain_text("Copied to “Second army”.")
    shot(page, f"copied-unit-{size['width']}")
    page.go_back()
    expect(dialog).to_be_hidden()
    expect(builder.detail.locator("h2").first).to_have_text(SECOND)
    page.get_by_role("link", name="Copy to another list").click()
    dialog.get_by_role("button", name="Second army").click()
    dialog.get_by_role("link", name="Open it there").click()
    expect(page.locator(".army-bar")).to_contain_text("Second army")
    expect(builder.detail.locator("h2").first).to_have_text(SECOND)
    expect(builder.units).to_have_count(2)
