"""Fantasy in a real browser: the hasty levy is read and repaired, magic items and lores are looked up."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.builder_page import BuilderPage
from tests.browser.conftest import PHONE, Visitors, shot

WORDS = {
    "en": {"sample": "A Levy in Haste", "copy": "Copy to my lists", "illegal": "Illegal", "legal": "Legal"},
    "ru": {"sample": "Поспешный сбор", "copy": "Скопировать себе", "illegal": "Не по правилам", "legal": "По правилам"},
}


def opened(page: Page, language: str) -> BuilderPage:
    """The illegal sample as a list of one's own."""
    page.goto("/")
    page.get_by_role("link", name=WORDS[language]["sample"]).click()
    page.get_by_role("button", name=WORDS[language]["copy"]).first.click()
    expect(page.locator("#army .unit")).to_have_count(5)
    return BuilderPage(page)


def choose(builder: BuilderPage, group: str, option: str) -> None:
    """Take an option of a group in the open unit, and see it on the roll; long groups are unfolded first."""
    radio = builder.detail.locator("[role=radio]", has=builder.page.get_by_text(option, exact=True)).first
    if not radio.is_visible():
        builder.detail.locator("summary").filter(has_text=group).first.click()
    radio.click()
    expect(builder.page.locator("#army")).to_contain_text(option)


def test_the_hasty_levy_is_read_and_repaired(visitors: Visitors) -> None:
    page = visitors.arrive()
    builder = opened(page, "en")
    expect(builder.verdict).to_contain_text("Illegal")
    assert {"WF-01", "WF-06", "WF-07", "WF-09", "WF-16", "WF-22"} <= builder.rules()
    expect(page.locator("#army")).to_contain_text("breaking point 1")
    shot(page, "fantasy-illegal", whole=True)
    page.locator("#findings .rule-id", has_text="WF-22").first.click()
    expect(page.locator("main .rule-id")).to_have_text("WF-22")
    page.go_back()

    page.goto(f"{builder.address}?pane=leaders")
    page.get_by_role("radiogroup", name="General").get_by_role("radio", name="General of the Empire").click()
    expect(page.locator("#findings .rule-id", has_text="WF-01")).to_have_count(0)
    builder.open("General of the Empire")
    choose(builder, "Mount", "Warhorse")
    expect(page.locator("#findings .rule-id", has_text="WF-07")).to_have_count(0)
    builder.open("Captain of the Empire")
    choose(builder, "Magic Weapons", "Sword of Battle")
    expect(page.locator("#findings .rule-id", has_text="WF-22")).to_have_count(0)
    builder.open("Battle Wizard")
    choose(builder, "Lore", "Lore of Heavens")
    expect(page.locator("#findings .rule-id", has_text="WF-16")).to_have_count(0)
    builder.add("Core", "Crossbowmen")
    builder.add("Core", "Free Company Militia")

    expect(builder.verdict).to_have_text("Legal")
    expect(page.locator("#army")).to_contain_text("Core 300 (≥ 250)")
    expect(page.locator(".unit").filter(has_text="General of the Empire")).to_contain_text("General")
    shot(page, "fantasy-legal", whole=True)
    page.goto(f"{builder.address}print/")
    expect(page.locator(".sheet")).to_contain_text("fortitude 3")
    shot(page, "fantasy-print", whole=True)


def test_an_army_without_characters_is_led_to_them_and_then_to_its_general(visitors: Visitors) -> None:
    page = visitors.arrive(size=PHONE, touch=True)
    builder = BuilderPage(page)
    builder.start("Empire", 1000, allegiance=None, game="fantasy-8th")
    page.locator(".dock .verdict-link").tap()
    asked = page.locator("#sheet .finding").filter(has_text="needs a General")
    expect(asked.locator(".chip")).to_have_text(["Add: Lords", "Add: Heroes"])
    asked.locator(".chip").last.tap()
    expect(page.locator("#sheet")).to_be_hidden()
    expect(builder.detail.locator("h2")).to_have_text("Heroes")
    builder.offer("Captain of the Empire").locator(".offer__add").tap()
    expect(builder.offer("Captain of the Empire").locator(".offer__taken")).to_have_text("1 taken")
    page.locator(".dock .verdict-link").tap()
    expect(asked.locator(".chip")).to_contain_text("Captain of the Empire")
    asked.locator(".chip").tap()
    expect(asked).to_have_count(0)
    page.goto(f"{builder.address}?pane=leaders")
    expect(page.get_by_role("radiogroup", name="General").get_by_role("radio")).to_be_checked()


def test_who_leads_asks_for_characters_where_there_are_none(visitors: Visitors) -> None:
    page = visitors.arrive()
    builder = BuilderPage(page)
    builder.start("Empire", 1000, allegiance=None, game="fantasy-8th")
    page.goto(f"{builder.address}?pane=leaders")
    builder.detail.get_by_role("link", name="Add: Lords").first.click()
    expect(builder.detail.locator("h2")).to_have_text("Lords")


@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_the_levy_in_russian(visitors: Visitors, size: str) -> None:
    page = visitors.arrive(language="ru", **({"size": PHONE} if size == "phone" else {}))
    builder = opened(page, "ru")
    expect(builder.verdict).to_contain_text("Не по правилам")
    said = page.locator("#findings").inner_text()
    assert "Армии нужен генерал" in said
    assert not re.search(r"[A-Za-z]{4,}", said), said
    shot(page, f"fantasy-russian-{size}", whole=True)
    page.goto(f"{builder.address}?pane=settings")
    assert not re.search(r"[a-z]{4,}", builder.detail.inner_text()), builder.detail.inner_text()
    shot(page, f"fantasy-russian-settings-{size}", whole=True)


def test_magic_items_and_lores_are_looked_up(visitors: Visitors) -> None:
    page = visitors.arrive()
    page.goto("/systems/fantasy-8th/")
    page.get_by_role("link", name="Magic items").click()
    expect(page.locator("#items tbody tr")).to_have_count(81)
    page.locator("#id_kind").select_option(label="magic banners")
    expect(page.locator("#items tbody tr")).to_have_count(10)
    page.locator("#id_q").fill("war b")
    expect(page.locator("#items tbody tr")).to_have_count(1)
    expect(page.locator("#items tbody tr")).to_contain_text("35")
    page.goto("/systems/fantasy-8th/lores/")
    expect(page.locator("table")).to_have_count(8)
    expect(page.locator("main")).to_contain_text("Fireball")
