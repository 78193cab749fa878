"""The builder by keys alone: the palette, the list of keys, a whole list without a mouse."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import DESKTOP, PHONE, Visitors
from tests.browser.furnished import own_list
from tests.browser.hands import arrive, press_in_russian, still, troops_list


def test_keys_lead_to_the_palette_and_are_told(visitors: Visitors) -> None:
    page = arrive(visitors, DESKTOP)
    troops_list(page)
    page.keyboard.press("?")
    expect(page.locator("#dialog")).to_contain_text("Ctrl")
    page.keyboard.press("Escape")
    expect(page.locator("#dialog")).to_be_hidden()
    for key in ("Control+k", "/"):
        page.keyboard.press(key)
        expect(page.locator("#palette input")).to_be_focused()
        page.keyboard.type("pr")  # what was typed is left with the palette, too
        page.keyboard.press("Escape")
        expect(page.locator("#palette")).to_be_hidden()
    for letter, code in (("л", "KeyK"), (".", "Slash")):
        press_in_russian(page, letter, code, ctrl=code == "KeyK")
        expect(page.locator("#palette input")).to_be_focused()
        page.keyboard.press("Escape")
        expect(page.locator("#palette")).to_be_hidden()


PALETTE_AS_A_DIALOG_CLOSES = """document.addEventListener("close", () => document.dispatchEvent(
    new KeyboardEvent("keydown", { key: "k", ctrlKey: true })), { once: true, capture: true })"""


def test_a_dialog_that_follows_another_at_once_stays_open(visitors: Visitors) -> None:
    """Keys that are quicker than the step back of the first dialog, which the browser takes later."""
    page = arrive(visitors, DESKTOP)
    troops_list(page)
    mine, palette = page.url, page.locator("#palette")
    page.keyboard.press("?")
    page.evaluate(PALETTE_AS_A_DIALOG_CLOSES)
    page.keyboard.press("Escape")
    page.wait_for_function("() => history.state && history.state.dialog === 'palette'")
    expect(palette.locator("input")).to_be_focused()
    page.go_back()
    expect(palette).to_be_hidden()
    assert page.url == mine


ESCAPE_AND_STROKE = """() => ["Escape", "/"].forEach(key => document.activeElement.dispatchEvent(
    new KeyboardEvent("keydown", { key: key, code: key === "/" ? "Slash" : key, bubbles: true, cancelable: true })))"""
"""Two keys before the browser draws: a field of a closed dialog has the focus until then."""


def test_a_key_before_the_browser_draws_opens_the_palette_again(visitors: Visitors) -> None:
    page = arrive(visitors, DESKTOP)
    troops_list(page)
    mine, palette = page.url, page.locator("#palette")
    page.keyboard.press("Control+k")
    expect(palette.locator("input")).to_be_focused()
    page.evaluate(ESCAPE_AND_STROKE)
    page.wait_for_function("() => history.state && history.state.dialog === 'palette'")
    expect(palette.locator("input")).to_be_focused()
    page.go_back()
    expect(palette).to_be_hidden()
    assert page.url == mine


LATE_STEP_BACK = """() => {
  const back = history.back.bind(history);
  history.back = () => { window.stepsBack = back; };
}"""
"""As a busy browser does it: the step is taken long after it was asked for."""


def test_a_step_back_that_comes_late_closes_no_other_dialog(visitors: Visitors) -> None:
    page = arrive(visitors, DESKTOP)
    page.add_init_script("addEventListener('popstate', () => { window.hasCome = true; })")
    troops_list(page)
    mine, palette = page.url, page.locator("#palette")
    page.keyboard.press("?")
    expect(page.locator("#dialog")).to_be_visible()
    page.evaluate(LATE_STEP_BACK)
    page.keyboard.press("Escape")
    page.wait_for_function("() => window.stepsBack !== undefined")
    page.wait_for_timeout(1200)  # until nobody waits for it any longer
    page.keyboard.press("Control+k")
    expect(palette.locator("input")).to_be_focused()
    page.evaluate("() => { setTimeout(window.stepsBack); }")
    page.wait_for_function("() => window.hasCome")
    page.wait_for_function("() => history.state && history.state.dialog === 'palette'")
    expect(palette.locator("input")).to_be_focused()
    page.go_back()
    expect(palette).to_be_hidden()
    assert page.url == mine


def test_the_palette_adds_goes_and_shares(visitors: Visitors) -> None:
    page = arrive(visitors, DESKTOP)
    builder = troops_list(page, "Tactical Squad")
    mine, count = page.url.split("?")[0], builder.units.count()
    page.keyboard.press("Control+k")
    page.keyboard.type("praetor")
    expect(page.locator(".palette__line", has_text="add").first).to_be_visible()
    page.locator(".palette__line", has_text="add").filter(has_text="Praetor").first.click()
    expect(builder.units).to_have_count(count + 1)
    expect(page.locator("#palette")).to_be_hidden()

    page.keyboard.press("Control+k")
    page.keyboard.type("tactical")
    expect(page.locator(".palette__line[aria-selected=true]")).to_contain_text("Tactical")
    page.keyboard.press("Enter")
    expect(page.locator("#detail h2")).to_contain_text("Tactical")

    page.keyboard.press("Control+k")
    page.keyboard.type("share")
    page.keyboard.press("Enter")
    expect(page.locator("#dialog #share")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#dialog")).to_be_hidden()

    for words, place in (("findings", "#findings"), ("settle", "#dialog #repair")):
        page.keyboard.press("Control+k")
        page.keyboard.type(words)
        expect(page.locator(".palette__line")).to_have_count(1)
        page.keyboard.press("Enter")
        expect(page.locator(place)).to_be_visible()
        expect(page.locator("#findings:focus, #dialog :focus, #dialog:focus").first).to_be_attached()
    page.keyboard.press("Escape")
    expect(page.locator("#dialog")).to_be_hidden()
    page.keyboard.press("Control+k")
    page.keyboard.type("my lists")
    page.keyboard.press("Enter")
    page.wait_for_url("**/lists/")
    page.go_back()
    expect(builder.units).to_have_count(count + 1)
    assert page.url.startswith(mine)


def test_the_palette_waits_for_what_was_meant_and_says_when_there_is_nothing(visitors: Visitors) -> None:
    """Enter before the answer did nothing, and nothing was said where nothing was found."""
    page = arrive(visitors, DESKTOP)
    builder = troops_list(page, "Tactical Squad")
    count = builder.units.count()

    def later(route: Route) -> None:
        page.wait_for_timeout(600)
        route.continue_()

    page.route(re.compile("[?&]q="), later)
    page.keyboard.press("Control+k")
    page.keyboard.type("praetor")
    page.keyboard.press("Enter")
    expect(page.locator(".palette__none")).to_have_text("Loading…")
    expect(builder.units).to_have_count(count + 1)
    expect(page.locator("#palette")).to_be_hidden()

    page.keyboard.press("Control+k")
    page.keyboard.type("s")
    page.keyboard.press("ArrowDown")
    chosen = page.locator(".palette__line[aria-selected=true]")
    second = page.locator(".palette__line").nth(1).inner_text()
    before = page.locator(".palette__line").count()
    expect(page.locator(".palette__line")).not_to_have_count(before)
    assert chosen.inner_text() == second
    page.locator("#palette input").fill("no such thing")
    expect(page.locator(".palette__none")).to_have_text("Nothing found.")
    page.keyboard.press("Escape")


def test_escape_leads_out_of_a_menu_to_what_opened_it(visitors: Visitors) -> None:
    page = arrive(visitors, DESKTOP)
    troops_list(page, "Tactical Squad")
    summary = page.locator("#army .unit").first.locator("summary")
    summary.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.locator(".menu__list :focus")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(summary).to_be_focused()
    expect(page.locator(".menu[open]")).to_have_count(0)


def tab_to(page: Page, selector: str) -> None:
    """With the key alone, as somebody without a mouse gets there."""
    for _ in range(80):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
    pytest.fail(f"no way to {selector} by the keyboard")


def test_a_list_is_built_without_a_mouse(visitors: Visitors) -> None:
    page = arrive(visitors, DESKTOP)
    builder = troops_list(page)
    page.goto(builder.address)
    tab_to(page, ".detachment__add")
    page.keyboard.press("Enter")
    expect(page.locator("#offer-search")).to_be_visible()
    tab_to(page, "#offer-search")
    page.keyboard.type("tactical squad")
    expect(builder.detail.locator(".offer__name").first).to_have_text("Tactical Squad")
    tab_to(page, ".offer__add")
    page.keyboard.press("Enter")
    expect(builder.detail.locator(".offer__taken").first).to_have_text("1 taken")
    still(page)  # until then the row's link is a plain one and loads the whole page
    expect(page.locator(".offer__add:focus")).to_have_count(1)
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    expect(builder.detail.locator("h2").first).to_have_text("Tactical Squad")
    expect(page.locator(".unit--open .unit__open")).to_be_focused()
    before = builder.points.inner_text()
    count = builder.detail.locator(".stepper input[type=number]").first
    page.keyboard.press("1")
    page.keyboard.press("9")
    page.keyboard.press("Enter")
    expect(builder.points).not_to_have_text(before)
    expect(count).to_have_value("19")
    page.keyboard.press("Control+z")
    expect(builder.points).to_have_text(before)
    tab_to(page, "#b-unit-duplicate")
    page.keyboard.press("Enter")
    expect(builder.units).to_have_count(2)
    tab_to(page, "#b-unit-remove")
    page.keyboard.press("Enter")
    expect(builder.units).to_have_count(1)


def test_a_typed_number_is_saved_when_left_and_taken_back_by_escape(visitors: Visitors) -> None:
    page = arrive(visitors, DESKTOP)
    builder = troops_list(page, "Tactical Squad")
    row, count = page.locator(".unit--open .unit__open"), builder.detail.locator(".stepper input[type=number]").first
    nine = builder.points.inner_text()
    row.focus()
    page.keyboard.press("+")
    expect(count).to_have_value("10")
    still(page)
    ten = builder.points.inner_text()
    page.keyboard.press("5")
    expect(count).to_be_focused()
    page.keyboard.press("Escape")
    expect(row).to_be_focused()
    expect(count).to_have_value("10")
    page.keyboard.type("12")
    page.keyboard.press("Tab")
    expect(builder.points).not_to_have_text(ten)
    still(page)
    row.focus()
    page.keyboard.press("9")  # one digit alone counts as typed, too
    page.keyboard.press("Tab")
    expect(builder.points).to_have_text(nine)
    expect(count).to_have_value("9")


def test_a_chosen_game_leads_the_keys_to_its_form(visitors: Visitors) -> None:
    page = visitors.arrive(size=PHONE)
    page.goto("/lists/new/")
    page.locator(".tile", has_text="Epic").press("Enter")
    page.wait_for_url("**/lists/new/?system=epic#begin")
    page.keyboard.press("Tab")
    expect(page.locator("#id_faction")).to_be_focused()
    expect(page.locator("#id_faction")).to_be_in_viewport()


def test_the_keys_go_on_from_what_settling_everything_did(visitors: Visitors) -> None:
    page = arrive(visitors, DESKTOP)
    own_list(page, "A Muster in Haste")
    page.keyboard.press("Control+k")
    page.keyboard.type("findings")
    expect(page.locator(".palette__line").first).to_have_text(re.compile(r"^Findings \d+"))
    page.keyboard.press("Enter")
    expect(page.locator("#findings")).to_be_focused()
    tab_to(page, "#b-settle-all")
    page.keyboard.press("Enter")
    expect(page.locator("#repair")).to_be_visible()
    tab_to(page, "#repair .button--main")
    page.keyboard.press("Enter")
    told = page.locator("main > [role=status]")
    expect(told).to_be_visible()
    expect(told).to_be_focused()
