"""The builder under a player's hand: nothing jumps, nothing is lost, Back takes one step; on a phone and a desktop."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import DESKTOP, PHONE, Visitors, mainly_on
from tests.browser.hands import (
    ARMIES,
    arrive,
    press,
    press_in_russian,
    sample_of,
    top,
    touch_and_see,
    troops_list,
)


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


def test_the_chosen_role_is_in_sight_among_the_others_and_stays_where_it_was_tapped(visitors: Visitors) -> None:
    page = arrive(visitors, PHONE)
    troops_list(page)
    page.locator(".role__head a.button--icon").last.tap()
    roles = page.get_by_role("navigation", name="Role")
    expect(roles.locator("[aria-current]")).to_be_in_viewport(ratio=1)
    other = roles.locator(".chip").nth(-2)
    other.scroll_into_view_if_needed()
    words, before = other.inner_text(), other.bounding_box()
    other.tap()
    expect(page.locator("#detail h2").first).to_have_text(words)
    chosen = roles.locator("[aria-current]")
    expect(chosen).to_have_text(words)
    after = chosen.bounding_box()
    assert before and after
    assert abs(after["x"] - before["x"]) <= 16


BELOW_BAR = """() => {
  const bar = document.getElementById("army-bar").getBoundingClientRect();
  return Boolean(document.elementFromPoint(innerWidth / 2, bar.bottom + 1).closest(".role__head"));
}"""
"""Whether the name of a role follows the bar at once, with nothing between them."""


def test_no_row_shows_between_the_bar_and_the_name_of_its_role(visitors: Visitors) -> None:
    page = arrive(visitors, PHONE)
    troops_list(page)
    page.locator(".dock [data-key=add]").tap()
    offers = page.locator(".offers").first.locator(".offer")
    expect(offers.nth(3)).to_be_visible()
    offers.nth(3).evaluate("row => scrollTo(0, scrollY + row.getBoundingClientRect().top - innerHeight / 4)")
    assert page.evaluate(BELOW_BAR)


@mainly_on(PHONE)
def test_a_menu_at_the_foot_of_the_screen_is_seen_whole(visitors: Visitors, size: dict[str, int]) -> None:
    """It unfolded under the dock, or out of the window, with what removes the unit out of sight."""
    page = arrive(visitors, size)
    sample_of(page, ARMIES[0])
    row = page.locator("#army .unit").nth(6)
    summary = row.locator("summary")
    for place in (0.85, 0.5):
        summary.evaluate("(e, at) => scrollBy(0, e.getBoundingClientRect().top - innerHeight * at)", place)
        before = top(summary)
        press(page, summary)
        tools = row.locator(".menu__list .button")
        for tool in (tools.first, tools.last):
            expect(tool).to_be_in_viewport(ratio=1)
            assert tool.evaluate(ON_TOP)
        assert top(summary) == before
        page.keyboard.press("Escape")
        expect(tools.first).to_be_hidden()


ON_TOP = """element => {
  const box = element.getBoundingClientRect();
  return element.contains(document.elementFromPoint(box.left + box.width / 2, box.bottom - 2));
}"""
"""Whether a finger would meet it: nothing lies over its foot."""


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


def test_a_game_that_is_picked_shows_what_to_choose_next(visitors: Visitors) -> None:
    """With a dozen games the form stands below a screen of tiles that looks the same as before the tap."""
    page = visitors.arrive(size={"width": 390, "height": 500}, touch=True)
    for address in ("/", "/lists/new/"):
        page.goto(address)
        page.locator(".tile", has_text="Epic: Armageddon").tap()
        expect(page).to_have_url(re.compile("system=epic#begin$"))
        expect(page.get_by_label("Faction", exact=True)).to_be_in_viewport()


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
