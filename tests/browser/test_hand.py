"""The builder under a player's hand: nothing jumps, nothing is lost, Back takes one step; on a phone and a desktop."""

import re

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.builder_page import BuilderPage
from tests.browser.conftest import DESKTOP, PHONE, Visitors, mainly_in, mainly_on

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


@mainly_on(DESKTOP)
def test_a_hero_keeps_his_place(visitors: Visitors, size: dict[str, int]) -> None:
    page = arrive(visitors, size)
    page.goto("/lists/new/?system=relic")
    page.locator("#id_character").select_option("Ultramarines Captain")
    page.locator("main form .button--main").last.click()
    for name in ("b-take-power", "b-take-power", "b-take-asset", "strength-more", "strength-less", "track-3"):
        touch_and_see(page, name)
    expect(page.locator("#power_cards + .slot-cards .slot-card:not(.slot-card--empty)")).to_have_count(2)


@mainly_on(PHONE)
def test_the_search_leaves_the_builder_whole(visitors: Visitors, size: dict[str, int]) -> None:
    page = arrive(visitors, size)
    builder = troops_list(page)
    press(page, page.locator(".role__head").filter(has_text="Troops").locator("a.button--icon"))
    search = page.locator("#offer-search")
    press(page, search)
    search.press_sequentially("tactical supp", delay=30)
    expect(builder.detail.locator(".offer__name")).to_have_text(["Tactical Support Squad"])
    expect(search).to_be_focused()
    expect(search).to_have_value("tactical supp")
    expect(builder.detail.locator("h2")).to_have_text("Troops")
    expect(builder.detail.locator(".offers__else")).to_have_count(0)
    search.fill("praetor")  # of another role than the one whose chip is lit
    expect(builder.detail.locator(".offers__else")).to_have_text("Troops has nothing called “praetor”. In other roles:")
    search.fill("squad")
    expect(builder.detail.locator(".offers__else")).to_have_text("In other roles:")
    heads = builder.detail.locator("#offers h3, .offers__else").all_inner_texts()
    assert heads[:2] == ["Troops", "In other roles:"]
    search.fill("tactical squad")
    expect(builder.detail.locator(".offer__name").first).to_have_text("Tactical Squad")
    offer = builder.offer("Tactical Squad")
    for count in ("1 taken", "2 taken"):
        press(page, offer.locator(".offer__add"))
        expect(offer.locator(".offer__taken")).to_have_text(count)
        expect(search).to_have_value("tactical squad")
    press(page, offer.locator(".offer__taken"))
    expect(builder.detail.locator("h2").first).to_have_text("Tactical Squad")
    before = builder.points.inner_text()
    press(page, builder.detail.locator("[data-step='1']").first)
    expect(builder.points).not_to_have_text(before)


def test_a_slow_finger_takes_what_was_just_searched_for(visitors: Visitors) -> None:
    page = arrive(visitors, DESKTOP)
    builder = troops_list(page)
    press(page, page.locator(".role__head").filter(has_text="Troops").locator("a.button--icon"))
    page.locator("#offer-search").press_sequentially("tactical supp")
    expect(builder.detail.locator(".offer__name")).to_have_text(["Tactical Support Squad"])
    plus = builder.offer("Tactical Support Squad").locator(".offer__add").bounding_box()
    assert plus
    page.mouse.move(plus["x"] + plus["width"] / 2, plus["y"] + plus["height"] / 2)
    page.mouse.down()
    expect(page.locator("#offer-search")).not_to_be_focused()
    page.wait_for_timeout(800)  # longer than an answer takes: a finger rests on what it presses
    page.mouse.up()
    expect(builder.offer("Tactical Support Squad").locator(".offer__taken")).to_have_text("1 taken")


def test_a_late_answer_takes_no_row_from_under_the_finger(visitors: Visitors) -> None:
    page = arrive(visitors, DESKTOP)
    builder = troops_list(page)
    press(page, page.locator(".role__head").filter(has_text="Troops").locator("a.button--icon"))
    page.locator("#offer-search").press_sequentially("tactical supp")
    expect(builder.detail.locator(".offer__name")).to_have_text(["Tactical Support Squad"])
    plus = builder.offer("Tactical Support Squad").locator(".offer__add").bounding_box()
    assert plus
    page.mouse.move(plus["x"] + plus["width"] / 2, plus["y"] + plus["height"] / 2)
    with page.expect_response(lambda answer: "suppo" in answer.url) as late:
        page.locator("#offer-search").press("o")
        page.mouse.down()
    late.value.finished()
    page.wait_for_timeout(300)  # until the answer stands on the page
    page.mouse.up()
    expect(builder.offer("Tactical Support Squad").locator(".offer__taken")).to_have_text("1 taken")


def test_what_is_typed_before_the_script_hears_of_the_field_is_searched_for(visitors: Visitors) -> None:
    page = arrive(visitors, DESKTOP)
    builder = troops_list(page)
    page.evaluate("htmx.config.defaultSettleDelay = 1500")
    press(page, page.locator(".role__head").filter(has_text="Troops").locator("a.button--icon"))
    press(page, page.locator("#offer-search"))
    page.locator("#offer-search").press_sequentially("tactical supp")
    expect(builder.detail.locator(".offer__name")).to_have_text(["Tactical Support Squad"])
    expect(page.locator("#offer-search")).to_be_focused()


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


COVERED = """box => [...box.querySelectorAll("thead th:not(.words)")]
  .filter(head => head.getBoundingClientRect().right > box.getBoundingClientRect().right - 14)
  .map(head => head.textContent.trim())"""
"""Figures that lie under the shadow of a table's right side, or beyond it."""


@mainly_in("ru")
def test_a_profile_is_seen_whole_in_one_of_three_panes(visitors: Visitors, language: str) -> None:
    page = visitors.arrive(language=language, size={"width": 1280, "height": 800})
    page.goto("/")
    page.locator("section.panel form[action*=copy] button").first.click()
    page.locator(".unit__open").first.click()
    strip = page.locator("#unit-profile .scroll-x").first
    expect(strip).to_be_visible()
    assert strip.evaluate("it => it.scrollWidth - it.clientWidth") <= 0


@mainly_in("ru")
def test_all_figures_of_a_model_are_seen_at_once_on_a_phone(visitors: Visitors, language: str) -> None:
    page = visitors.arrive(language=language, size=PHONE, touch=True)
    page.goto("/")
    page.locator(".samples section li a").first.tap()
    page.locator("form[action$='/copy/'] button").first.tap()
    page.locator(".unit__open").first.tap()
    strip = page.locator("#unit-profile .scroll-x").first
    expect(strip).to_be_visible()
    assert strip.locator("thead th:not(.words)").count() > 8
    assert strip.evaluate(COVERED) == []


@mainly_in("ru")
@pytest.mark.parametrize("width", [320, 390])
def test_the_longest_verdict_covers_nothing_of_the_bar(visitors: Visitors, width: int, language: str) -> None:
    page = visitors.arrive(language=language, size={"width": width, "height": 844}, touch=True)
    page.goto("/design/")
    longest = page.locator(".verdict--partly").first.evaluate("verdict => verdict.outerHTML")
    page.goto("/")
    page.locator("form[action*=copy] button").first.tap()
    bar = page.locator("#army-bar")
    expect(bar).to_be_visible()
    bar.locator(".army-bar__totals .verdict").evaluate("(verdict, words) => { verdict.outerHTML = words; }", longest)
    verdict = bar.locator(".army-bar__totals .verdict").bounding_box()
    shares, figure = bar.locator(".shares").bounding_box(), bar.locator(".total strong").bounding_box()
    assert verdict and shares and figure
    assert verdict["y"] + verdict["height"] <= shares["y"]
    assert figure["x"] + figure["width"] <= verdict["x"]
    assert verdict["x"] + verdict["width"] <= width
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    verdict = bar.locator(".army-bar__totals .verdict").bounding_box()
    assert verdict and verdict["x"] + verdict["width"] <= width


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
    page.reload()
    expect(page.locator("#unit-name")).to_have_value("First squad")
    expect(page.locator("#unit-notes-text")).to_have_value("painted")
    page.locator("#unit-notes-text").fill("painted and based")
    page.go_back()
    expect(builder.units.first).to_contain_text("painted and based")


def test_the_verdict_opens_the_findings_from_anywhere(visitors: Visitors) -> None:
    page = arrive(visitors, PHONE)
    builder = troops_list(page, "Tactical Squad")
    page.locator("#unit-notes-text").scroll_into_view_if_needed()
    builder.verdict.tap()
    findings = page.locator("#findings")
    expect(findings).to_be_in_viewport()
    page.go_back()
    expect(findings).to_be_hidden()
    expect(builder.detail.locator("h2").first).to_have_text("Tactical Squad")
    builder.verdict.tap()
    findings.get_by_role("link", name="What would help?").first.tap()
    expect(page.locator("#dialog")).to_be_visible()
    page.go_back()
    expect(page.locator("#dialog")).to_be_hidden()
    expect(findings).to_be_in_viewport()
    culprit = findings.locator("a[hx-target='#detail']").first
    leads = culprit.get_attribute("hx-get")
    assert leads
    culprit.tap()
    expect(findings).to_be_hidden()
    expect(page).to_have_url(re.compile(re.escape(leads)))
    page.locator(".pane__back").tap()
    expect(builder.units.first).to_be_visible()
    builder.verdict.tap()
    expect(findings).to_be_in_viewport()


@mainly_on(PHONE)
def test_an_added_unit_opens_at_its_name(visitors: Visitors, size: dict[str, int]) -> None:
    page = arrive(visitors, size)
    builder = sample_of(page, ARMIES[0])
    plus = page.locator(".role__head a.button--icon").last
    plus.evaluate("e => e.scrollIntoView({block: 'center'})")
    press(page, plus)
    offer = page.locator(".offer").filter(has=page.locator(".offer__add:not([disabled])")).last
    offer.scroll_into_view_if_needed()
    name = offer.locator("strong").inner_text()
    press(page, offer.locator(".offer__add"))
    press(page, offer.locator(".offer__taken"))
    title = builder.detail.locator("h2").first
    expect(title).to_have_text(name)
    expect(title).to_be_in_viewport()
    bar = page.locator("#army-bar").bounding_box()
    assert bar is not None
    assert top(title) >= bar["y"] + bar["height"]
    focused = page.evaluate("document.activeElement.id || document.activeElement.parentNode.id")
    assert focused == "detail" if size is PHONE else focused.startswith("unit-"), focused


@mainly_on(DESKTOP)
def test_the_focus_stays_with_a_unit_of_which_there_is_one(visitors: Visitors, size: dict[str, int]) -> None:
    """Its + can do no more once it is taken; the focus fell to the head of the page, tabs away from the next unit."""
    page = arrive(visitors, size)
    builder = troops_list(page)
    press(page, page.locator(".role__head").filter(has_text="Primarch").locator("a.button--icon"))
    offer = builder.offer("Horus Lupercal")
    expect(offer.locator(".offer__add")).to_be_visible()  # what is not yet shown takes no focus
    offer.locator(".offer__add").focus()
    page.keyboard.press("Enter")
    expect(offer.locator(".offer__add")).to_be_disabled()
    expect(offer.locator(":focus")).to_have_count(1)


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


def test_ctrl_p_prints_the_sheet(visitors: Visitors) -> None:
    """Without leaving the builder: the sheet stands on it while it is printed."""
    page = arrive(visitors, DESKTOP)
    page.add_init_script(PRINTS)
    builder = troops_list(page, "Tactical Squad")
    place = page.url
    row = page.locator(".unit--open .unit__open")
    row.focus()
    page.keyboard.press("Control+p")
    page.wait_for_function("() => window.sheets?.length === 1")
    press_in_russian(page, "з", "KeyP")
    page.wait_for_function("() => window.sheets?.length === 2")
    assert all("Tactical Squad" in sheet for sheet in page.evaluate("window.sheets"))
    assert page.url == place
    expect(row).to_be_focused()
    expect(page.locator(".paper")).to_have_count(0)
    expect(builder.detail.locator("h2").first).to_have_text("Tactical Squad")


PRINTS = """window.sheets = [];
window.print = () => {
  dispatchEvent(new Event("beforeprint"));
  sheets.push(document.querySelector(".paper").innerText || document.querySelector(".paper").textContent);
  dispatchEvent(new Event("afterprint"));
};"""
"""What printing does to the page; a browser without windows has no dialog for it."""


@mainly_in("ru")
def test_the_tools_of_the_head_have_names_on_a_phone(visitors: Visitors, language: str) -> None:
    page = visitors.arrive(size=PHONE, touch=True, language=language)
    page.goto("/")
    words = {"en": ("Sign in", "РУ: показать эту страницу по-русски"), "ru": ("Войти", "EN: show this page in English")}
    for name in words[language]:
        expect(
            page.locator(".site-tools")
            .get_by_role("link", name=name, exact=True)
            .or_(page.locator(".site-tools").get_by_role("button", name=name, exact=True))
        ).to_be_visible()


@pytest.mark.parametrize(
    ("words", "first"),
    [
        ("терминатор", "Terminator"),
        ("tacs", "Tactical Squad"),
        ("terminater", "Terminator"),
        ("land speedr", "Land Speeder"),
        ("praetor", "Praetor"),
    ],
)
def test_units_are_found_by_what_players_say(visitors: Visitors, words: str, first: str) -> None:
    page = arrive(visitors, PHONE)
    builder = troops_list(page)
    page.get_by_role("link", name="Add", exact=True).first.tap()
    expect(builder.detail.locator(".offers")).not_to_have_count(1)
    page.locator("#offer-search").fill(words)
    expect(builder.detail.locator(".offer__name").first).to_contain_text(first)


def test_the_head_of_a_list_leaves_a_phone_its_room(visitors: Visitors) -> None:
    page = arrive(visitors, PHONE)
    builder = sample_of(page, ARMIES[0])
    row = builder.units.first.bounding_box()
    bar = page.locator("#army-bar .army-bar__in").bounding_box()
    assert bar is not None
    assert bar["y"] == 0
    assert bar["height"] <= 96
    assert row is not None
    assert row["y"] < 260
    for name in ("Add", "Findings", "Undo", "Share"):
        tool = page.locator(".dock").get_by_text(name)
        expect(tool).to_be_in_viewport()


def test_a_list_just_begun_has_no_higher_head_in_russian(visitors: Visitors) -> None:
    """What is left to do takes two lines there."""
    page = visitors.arrive(size=PHONE, touch=True, language="ru")
    page.goto("/lists/new/?system=horus-heresy")
    page.locator("main form .button--main").last.tap()
    expect(page.locator("#army-bar .verdict--started")).to_be_visible()
    bar = page.locator("#army-bar").bounding_box()
    assert bar is not None
    assert bar["height"] <= 96


def test_a_game_that_is_picked_shows_what_to_choose_next(visitors: Visitors) -> None:
    """With a dozen games the form stands below a screen of tiles that looks the same as before the tap."""
    page = visitors.arrive(size={"width": 390, "height": 500}, touch=True)
    for address in ("/", "/lists/new/"):
        page.goto(address)
        page.locator(".tile", has_text="Epic: Armageddon").tap()
        expect(page).to_have_url(re.compile("system=epic#begin$"))
        expect(page.get_by_label("Faction", exact=True)).to_be_in_viewport()


def test_a_long_verdict_makes_the_head_of_a_narrow_phone_no_higher(visitors: Visitors) -> None:
    """That parts are not checked takes two lines in Russian."""
    page = visitors.arrive(size={"width": 320, "height": 700}, touch=True, language="ru")
    page.goto("/")
    page.get_by_role("link", name="Фаланга и её щит").tap()
    page.get_by_role("button", name="Скопировать себе").tap()
    expect(page.locator("#army-bar .verdict--partly")).to_be_visible()
    bar = page.locator("#army-bar").bounding_box()
    assert bar is not None
    assert bar["height"] <= 96


def test_favourites_are_kept_and_filter(visitors: Visitors) -> None:
    page = arrive(visitors, DESKTOP)
    builder = troops_list(page)
    page.locator(".detachment__add").first.click()
    builder.offer("Tactical Squad").locator(".offer__star").click()
    page.reload()
    expect(builder.offer("Tactical Squad").locator(".offer__star")).to_have_attribute("aria-pressed", "true")
    page.locator("#only-favourites").check()
    expect(builder.detail.locator(".offer__name")).to_have_text(["Tactical Squad"])
    page.locator("#only-favourites").uncheck()
    expect(builder.detail.locator(".offer__name").nth(5)).to_be_visible()


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
