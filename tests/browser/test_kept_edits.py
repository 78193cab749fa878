"""Edits made without a line: kept in order over a closed tab, sent once, never over what others did meanwhile."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.browser.builder_page import BuilderPage
from tests.browser.conftest import PHONE, Visitors, shot
from tests.browser.lines import Line
from tests.browser.test_device import sign_up


@pytest.fixture
def line(site: str) -> Iterator[Line]:
    """A line to the site, which this test may cut."""
    line = Line(site)
    yield line
    line.cut()


def squad(page: Page) -> BuilderPage:
    """A list with a squad, kept on the device, the squad open."""
    builder = BuilderPage(page)
    builder.start("Sons of Horus", 1000, allegiance="traitor", name="Kept army")
    builder.add("Troops", "Tactical Squad")
    unit = page.url
    page.goto(builder.address)
    expect(page.locator("html[data-kept]")).to_be_attached()
    page.goto(unit.split("#")[0] if "unit=" in unit else builder.address)
    if "unit=" not in unit:
        builder.open("Tactical Squad")
    return builder


def legionaries(builder: BuilderPage) -> Locator:
    """The stepper of the squad's models."""
    return builder.detail.locator(".stepper").first


def count(builder: BuilderPage) -> Locator:
    """The number in it."""
    return legionaries(builder).locator("input[type=number]")


def more(builder: BuilderPage) -> None:
    """One model more."""
    legionaries(builder).locator("[data-step='1']").click()


def away(context: BrowserContext, line: Line) -> None:
    """The device has no line, and knows it."""
    line.cut()
    context.set_offline(True)


def back(context: BrowserContext, line: Line) -> None:
    """The line is there again."""
    line.mend()
    context.set_offline(False)


def test_edits_without_a_line_outlive_the_tab_and_are_sent_in_order(line: Line, visitors: Visitors) -> None:
    page = visitors.arrive(kept_by=line.address, size=PHONE)
    context = page.context
    builder = squad(page)
    mine, before, points = builder.address, int(count(builder).input_value()), builder.points.inner_text()
    away(context, line)
    expect(page.locator(".offline")).to_contain_text("kept on this device and sent when you are back")
    more(builder)
    more(builder)
    expect(count(builder)).to_have_value(str(before + 2))
    bombs = builder.detail.locator(".pick", has_text="Meltabombs").first
    bombs.click()
    expect(bombs).to_have_attribute("aria-checked", "true")
    expect(builder.points).to_have_text(points)
    expect(page.locator("[data-kept-count]")).to_contain_text("not sent yet: 2. Points and verdict are from before.")
    shot(page, "kept-edits-phone")
    page.close()

    page = context.new_page()
    builder = BuilderPage(page)
    page.goto(mine)
    builder.open("Tactical Squad")
    expect(count(builder)).to_have_value(str(before + 2))
    expect(page.locator("#kept li")).to_have_text([re.compile(rf"{before + 2}$"), re.compile("Meltabombs ✓$")])

    back(context, line)
    expect(page.locator("#kept")).to_be_hidden()
    expect(builder.points).not_to_have_text(points)
    page.goto(mine)
    builder.open("Tactical Squad")
    expect(count(builder)).to_have_value(str(before + 2))
    expect(builder.detail.locator(".pick", has_text="Meltabombs").first).to_have_attribute("aria-checked", "true")
    page.goto(f"{mine}history/")
    expect(page.locator("main")).to_contain_text(re.compile("Meltabombs"))


def test_a_list_that_changed_meanwhile_shows_how_and_asks(line: Line, visitors: Visitors, site: str) -> None:
    page = visitors.arrive(kept_by=line.address)
    builder = squad(page)
    before = int(count(builder).input_value())
    away(page.context, line)
    more(builder)
    expect(page.locator("#kept")).to_be_visible()
    expect(page.locator(".before-kept")).to_be_visible()

    other = visitors.arrive()  # the same guest at another device
    other.context.add_cookies(
        [{"name": one["name"], "value": one["value"], "url": site} for one in page.context.cookies()]
    )
    elsewhere = BuilderPage(other)
    other.goto(page.url.replace(line.address, site))
    for _ in range(2):
        shown = elsewhere.points.inner_text()
        more(elsewhere)
        expect(elsewhere.points).not_to_have_text(shown)
    expect(count(elsewhere)).to_have_value(str(before + 2))
    theirs = elsewhere.points.inner_text()

    back(page.context, line)
    refusal = page.locator("#kept-refusal")
    expect(refusal).to_contain_text("This list has changed meanwhile")
    expect(refusal.locator("#meanwhile")).to_contain_text("Tactical Squad")
    expect(builder.points).to_have_text(theirs)
    shot(page, "kept-edits-conflict")
    other.reload()
    expect(elsewhere.points).to_have_text(theirs)

    refusal.get_by_role("button", name="Make my change on this state").click()
    expect(page.locator("#kept")).to_be_hidden()
    expect(refusal.locator("*")).to_have_count(0)
    expect(count(builder)).to_have_value(str(before + 1))
    expect(builder.points).not_to_have_text(theirs)


def test_two_tabs_keep_and_send_one_after_the_other(line: Line, visitors: Visitors) -> None:
    page = visitors.arrive(kept_by=line.address)
    builder = squad(page)
    second = page.context.new_page()
    second.goto(page.url)
    beside = BuilderPage(second)
    before = int(count(builder).input_value())
    away(page.context, line)
    more(builder)
    expect(count(beside)).to_have_value(str(before + 1))
    bombs = beside.detail.locator(".pick", has_text="Meltabombs").first
    bombs.click()
    expect(page.locator("[data-kept-count]")).to_contain_text("not sent yet: 2.")
    back(page.context, line)
    for one in (page, second):
        expect(one.locator("#kept")).to_be_hidden()
        expect(BuilderPage(one).detail.locator(".is-kept")).to_have_count(0)
        expect(count(BuilderPage(one))).to_have_value(str(before + 1))
        expect(one.locator(".pick", has_text="Meltabombs").first).to_have_attribute("aria-checked", "true")
    page.goto(f"{builder.address}history/")
    expect(page.locator("main [name=label]")).to_have_count(3)  # made, a squad added, and all that was kept


def test_signing_out_asks_before_it_throws_away(line: Line, visitors: Visitors) -> None:
    page = visitors.arrive(kept_by=line.address)
    sign_up(page, "forgetful")
    builder = squad(page)
    away(page.context, line)
    more(builder)
    expect(page.locator("#kept")).to_be_visible()
    page.route("**/edit/", lambda route: route.abort())  # the line is bad: pages come, what is sent does not
    back(page.context, line)
    page.goto("/accounts/")
    leave = page.locator("form[action$='/sign-out/'] button")
    leave.click()
    expect(page.locator("#kept-at-sign-out")).to_be_visible()
    page.goto("/device/")
    expect(page.locator("#device-edits")).to_contain_text("Kept army: 1")
    page.goto("/accounts/")
    leave.click()
    leave.click()
    expect(page.get_by_role("link", name="Sign in")).to_be_visible()
    page.goto("/device/")
    expect(page.locator("[data-no-edits]")).to_be_visible()


def test_what_was_kept_can_be_left_or_thrown_away(line: Line, visitors: Visitors) -> None:
    page = visitors.arrive(kept_by=line.address)
    builder = squad(page)
    before = count(builder).input_value()
    away(page.context, line)
    more(builder)
    expect(page.locator("#kept")).to_be_visible()
    page.keyboard.press("Control+z")
    expect(page.locator("#kept")).to_be_hidden()
    expect(count(builder)).to_have_value(before)
    expect(page.locator(".before-kept")).to_be_hidden()
    more(builder)
    page.locator("#kept summary").click()
    drop = page.locator("[data-kept-drop]")
    drop.click()
    expect(drop).to_have_text("Really throw them away?")
    back(page.context, line)
    expect(page.locator("#kept")).to_be_hidden()


def test_units_go_and_come_and_facts_are_stated_without_a_line(line: Line, visitors: Visitors) -> None:
    page = visitors.arrive(kept_by=line.address)
    builder = squad(page)
    builder.add("Troops", "Assault Squad")
    builder.add("HQ", "Praetor")
    page.goto(builder.address)
    expect(page.locator("html[data-kept]")).to_be_attached()
    builder.open("Tactical Squad")
    away(page.context, line)

    page.locator("#unit-facts summary").click()
    page.locator("#fact-unit-base_size").fill("32 mm")
    page.locator("#fact-unit-base_size").press("Tab")
    deployment = page.locator("#unit-facts select").first
    deployment.select_option(index=1)
    row = page.locator(".unit").filter(has=page.locator(".unit__name", has_text="Tactical Squad"))
    row.locator("summary").click()
    row.get_by_role("button", name="Duplicate").click()
    expect(row.locator(".menu__list")).to_be_hidden()
    gone = page.locator(".unit").filter(has=page.locator(".unit__name", has_text="Assault Squad"))
    gone.locator("summary").click()
    gone.locator(".button--danger").click()
    expect(gone).to_have_class(re.compile("is-gone"))
    expect(gone.locator("summary")).to_be_hidden()
    told = page.locator("#kept li")
    expect(told).to_have_text(
        [re.compile("Base size: 32 mm$"), re.compile(": .+"), re.compile(r"^\+ Tactical Squad$"), "− Assault Squad"]
    )
    shot(page, "kept-units")

    back(page.context, line)
    expect(page.locator("#kept")).to_be_hidden()
    expect(page.locator(".unit__name", has_text="Assault Squad")).to_have_count(0)
    expect(page.locator(".unit__name", has_text="Tactical Squad")).to_have_count(2)
    address = builder.address
    page.goto(f"{address}print/")
    expect(page.locator(".sheet")).to_contain_text("base size: 32 mm")
    page.goto(f"{address}?pane=warlord")
    expect(page.locator(".needs-line")).to_be_hidden()
    away(page.context, line)
    expect(page.locator(".needs-line")).to_be_visible()


def test_units_are_found_and_added_without_a_line(line: Line, visitors: Visitors) -> None:
    page = visitors.arrive(kept_by=line.address, size=PHONE)
    builder = squad(page)
    page.goto(builder.address)
    expect(page.locator("html[data-kept]")).to_be_attached()
    away(page.context, line)

    page.locator(".role__head").filter(has_text="Troops").locator("a.button--icon").click()
    expect(builder.offer("Assault Squad")).to_be_visible()
    page.locator("#offer-search").press_sequentially("assault sq")
    expect(builder.offer("Tactical Squad")).to_be_hidden()
    builder.offer("Assault Squad").locator(".offer__add").click()
    expect(page.locator("#kept li")).to_have_text([re.compile("Assault Squad")])
    shot(page, "kept-added-unit")

    back(page.context, line)
    expect(page.locator("#kept")).to_be_hidden()
    page.goto(builder.address)
    expect(page.locator(".unit__name", has_text="Assault Squad")).to_have_count(1)
