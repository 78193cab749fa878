"""What becomes of an edit is told: saved, kept, refused, undone; nothing moves for it."""

import re

from playwright.sync_api import Route, expect

from tests.browser.conftest import DESKTOP, PHONE, Visitors, mainly_on
from tests.browser.hands import (
    arrive,
    press,
    press_in_russian,
    still,
    touch_and_see,
    troops_list,
)


def test_what_takes_long_says_so_above_an_open_sheet(visitors: Visitors) -> None:
    page = arrive(visitors, PHONE)
    builder = troops_list(page, "Tactical Squad")
    builder.verdict.tap()
    sign = page.locator(".saving")
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route(re.compile(r"/repair/\?(?!chip)"), hold)
    expect(sign).to_be_hidden()
    page.locator("#findings").get_by_role("link", name="What would help?").first.tap()
    expect(sign).to_have_text("Loading…", use_inner_text=True)
    assert sign.evaluate("sign => sign.matches(':popover-open')"), "it lies under the sheet"
    for route in held:
        route.continue_()
    expect(page.locator("#dialog")).to_be_visible()
    expect(sign).to_be_hidden()


@mainly_on(PHONE)
def test_names_and_notes_are_saved_when_left(visitors: Visitors, size: dict[str, int]) -> None:
    page = arrive(visitors, size)
    builder = troops_list(page, "Tactical Squad")
    page.locator("#unit-name").fill("First squad")
    page.locator("#unit-notes-text").fill("painted")
    expect(builder.detail.locator("h2").first).to_have_text("First squad")
    expect(page.locator("#unit-notes-text")).to_have_value("painted")
    page.locator("#unit-notes-text").blur()
    expect(page.locator("#unit-notes form").last).to_contain_text("saved")
    expect(page.locator("#detail input:focus, #detail textarea:focus")).to_have_count(0)  # the keyboard stays away
    page.reload()
    expect(page.locator("#unit-name")).to_have_value("First squad")
    expect(page.locator("#unit-notes-text")).to_have_value("painted")
    page.locator("#unit-notes-text").fill("painted and based")
    page.go_back()
    expect(builder.units.first).to_contain_text("painted and based")


@mainly_on(PHONE)
def test_a_slow_edit_is_shown_at_once_and_one_without_a_line_is_kept(visitors: Visitors, size: dict[str, int]) -> None:
    page = arrive(visitors, size)
    builder = troops_list(page, "Tactical Squad")
    before = builder.points.inner_text()
    field = builder.detail.locator(".stepper input[type=number]").first
    count = int(field.input_value())

    def slow(route: Route) -> None:
        page.wait_for_timeout(1200)
        route.continue_()

    page.route("**/edit/", slow)
    press(page, builder.detail.locator("[data-step='1']").first)
    assert field.input_value() == str(count + 1)
    expect(page.locator(".saving")).to_be_visible()
    expect(builder.points).not_to_have_text(before)
    page.unroute("**/edit/")
    more = builder.points.inner_text()

    page.context.set_offline(True)
    expect(page.locator(".offline")).to_contain_text("kept on this device and sent when you are back")
    press(page, builder.detail.locator("[data-step='1']").first)
    expect(field).to_have_value(str(count + 2))
    expect(page.locator("#kept")).to_contain_text("not sent yet: 1.")
    expect(builder.points).to_have_text(more)
    page.context.set_offline(False)
    expect(builder.points).not_to_have_text(more)
    expect(field).to_have_value(str(count + 2))
    expect(page.locator("#kept")).to_be_hidden()
    visitors.complaints.clear()  # the browser itself complains of the lost connection


@mainly_on(DESKTOP)
def test_an_edit_that_is_kept_moves_nothing(visitors: Visitors, size: dict[str, int]) -> None:
    page = arrive(visitors, size)
    builder = troops_list(page, "Tactical Squad")
    page.context.set_offline(True)
    expect(page.locator(".offline")).to_be_visible()
    touch_and_see(page, builder.detail.locator("[data-step='1']").first.get_attribute("id") or "")
    expect(page.locator("#kept")).to_be_in_viewport()
    visitors.complaints.clear()  # the browser itself complains of the lost connection


@mainly_on(PHONE)
def test_an_edit_that_cannot_be_kept_is_told_beside_its_control(visitors: Visitors, size: dict[str, int]) -> None:
    page = arrive(visitors, size)
    builder = troops_list(page, "Tactical Squad")
    undo = page.locator("#b-undo" if size == DESKTOP else "#b-dock-undo")
    page.context.set_offline(True)
    press(page, undo)
    told = page.locator("[data-lost]")
    expect(told).to_contain_text("Not saved")
    expect(told).to_be_in_viewport()
    page.context.set_offline(False)
    press(page, told.get_by_role("button", name="Try again"))
    expect(builder.units).to_have_count(0)
    expect(told).to_have_count(0)
    visitors.complaints.clear()  # the browser itself complains of the lost connection


@mainly_on(DESKTOP)
def test_a_number_that_cannot_be_is_put_back_and_told(visitors: Visitors, size: dict[str, int]) -> None:
    """It stood there again without a word; an emptied field was told that null was not expected."""
    page = arrive(visitors, size)
    builder = troops_list(page, "Tactical Squad")
    field = builder.detail.locator(".stepper input[type=number]").first
    count, told = field.input_value(), page.locator("#refusal")

    def types(number: str) -> None:
        field.fill(number)
        field.blur()
        expect(field).to_have_value(count)

    types("")
    expect(told).to_have_count(0)
    for number, words in (("99999", "at most 1000"), ("-2", "at least 0"), ("2.5", "not a whole number")):
        types(number)
        expect(told).to_contain_text(words)
        expect(told).to_be_in_viewport()
    types("")
    page.context.set_offline(True)
    press(page, builder.detail.locator("[data-step='1']").first)
    expect(page.locator("#kept")).to_contain_text("not sent yet: 1.")
    expect(told).to_have_count(0)  # it was of another edit
    count = field.input_value()
    types("99999")
    expect(page.locator("[data-lost]")).to_contain_text("Not saved")
    page.context.set_offline(False)
    expect(page.locator("#kept")).to_be_hidden()
    expect(field).to_have_value(count)
    visitors.complaints.clear()  # the browser itself complains of the lost connection


def test_share_without_a_line_tells_of_no_lost_change(visitors: Visitors) -> None:
    page = arrive(visitors, PHONE)
    troops_list(page)
    page.context.set_offline(True)
    page.locator(".dock").get_by_text("Share").tap()
    expect(page.locator("#toasts")).to_contain_text("it needs a line")
    visitors.complaints.clear()  # the browser itself complains of the lost connection


@mainly_on(PHONE)
def test_a_duplicate_is_told_with_the_way_back(visitors: Visitors, size: dict[str, int]) -> None:
    """On a phone the pane of the twin looked like that of the unit, so that one pressed again."""
    page = arrive(visitors, size)
    builder = troops_list(page, "Tactical Squad")
    press(page, builder.detail.get_by_role("button", name="Duplicate"))
    expect(page.locator("#toasts")).to_contain_text("Duplicated Tactical Squad")
    expect(builder.units).to_have_count(2)
    press(page, page.locator("#b-toast-undo"))
    expect(builder.units).to_have_count(1)


def test_undo_and_redo_say_what_they_do(visitors: Visitors) -> None:
    page = arrive(visitors, DESKTOP)
    builder = troops_list(page)
    page.goto(builder.address)
    undo, redo = page.locator("#b-undo"), page.locator("#b-redo")
    while undo.is_enabled():
        undo.click()
        still(page)
    expect(page.locator("[role=alert]")).to_have_count(0)
    builder.add("Troops", "Tactical Squad")
    expect(undo).to_be_enabled()
    expect(redo).to_be_disabled()
    unit = builder.units.first.locator(".unit__open")
    expect(unit).to_be_focused()
    start = builder.points.inner_text()
    page.keyboard.press("+")
    expect(builder.points).not_to_have_text(start)
    more = builder.points.inner_text()
    page.keyboard.press("-")
    expect(builder.points).to_have_text(start)
    page.keyboard.press("Control+z")
    expect(builder.points).to_have_text(more)
    expect(page.locator("#toasts")).to_contain_text("Undone:")
    expect(redo).to_be_enabled()
    page.keyboard.press("Control+Shift+Z")
    expect(builder.points).to_have_text(start)
    expect(page.locator("#toasts")).to_contain_text("Redone:")
    page.keyboard.press("Control+z")
    expect(builder.points).to_have_text(more)
    page.keyboard.press("Control+y")
    expect(builder.points).to_have_text(start)
    press_in_russian(page, "я", "KeyZ")
    expect(builder.points).to_have_text(more)
    press_in_russian(page, "н", "KeyY")
    expect(builder.points).to_have_text(start)


def test_an_edit_of_a_long_list_is_small_and_tells_all(visitors: Visitors) -> None:
    page = arrive(visitors, DESKTOP)
    builder = troops_list(page, "Tactical Squad")
    for _ in range(20):
        page.locator("#b-unit-duplicate").click()
        still(page)
    expect(builder.units).to_have_count(21)
    with page.expect_response("**/edit/") as answered:
        builder.detail.locator("[data-step='1']").first.click()
    still(page)
    assert answered.value.headers["content-encoding"] == "gzip"
    assert int(answered.value.headers["content-length"]) <= 12_000
    parts = "#army, #detail, #findings .finding__text, #army-bar"  # repairs come later, one by one
    seen = f"() => [...document.querySelectorAll('{parts}')].map(e => e.innerText)"
    shown = page.evaluate(seen)
    page.reload()
    assert page.evaluate(seen) == shown
