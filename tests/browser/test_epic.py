"""Epic in a real browser: an illegal army is read, repaired and printed, and every page about it speaks Russian."""

import re

from playwright.sync_api import Page, expect

from tests.browser.builder_page import BuilderPage
from tests.browser.conftest import DESKTOP, PHONE, Visitors, mainly_on, shot
from tests.browser.test_russian import NAMES, latin_words, links_of

EPIC_NAMES = NAMES | {
    "EP",
    "EPL",
    "Landing",
    "in",
    "Haste",
    "Strike",
    "Force",
    "Damocles",
    "DC",
    "AP",
    "AT",
    "AA",
    "BP",
}
"""Words that stay: ids of rules, the English names of the samples, and abbreviations that the rulebook keeps."""


def copy_of(page: Page, sample: str) -> BuilderPage:
    """A sample from the start page as the visitor's own list."""
    page.goto("/")
    page.get_by_role("link", name=sample).click()
    page.locator("form[action*='copy'] button").first.click()
    expect(page.locator("#army")).to_be_visible()
    return BuilderPage(page)


def settle(builder: BuilderPage, rule: str) -> None:
    """Ask what would help against a finding, see it tried on a copy, and apply it."""
    lines = builder.page.locator("#findings .finding").filter(has_text=re.compile(rf"{rule}\b"))
    before = lines.count()
    lines.first.get_by_role("link", name="What would help?").click()
    builder.page.locator("#repair").get_by_role("button", name="Apply").first.click()
    expect(builder.page.locator("#army")).to_be_visible()
    expect(lines).to_have_count(before - 1)


def test_an_illegal_landing_is_read_and_repaired(visitors: Visitors) -> None:
    page = visitors.arrive(size=DESKTOP)
    builder = copy_of(page, "A Landing in Haste")
    expect(builder.verdict).to_contain_text("Illegal")
    rules = builder.rules()
    assert {"EP-20", "EP-22", "EP-24", "EP-27", "EPL-01", "EPL-05", "EPL-07", "EPL-08", "EPL-10"} <= rules, rules
    assert not [rule for rule in rules if rule.startswith("BS-")]
    expect(page.locator("#army")).to_contain_text("Strategy rating 5")
    expect(page.locator(".unit").filter(has_text="Spacecraft")).to_contain_text("carries 6")
    shot(page, "epic-illegal", whole=True)

    settle(builder, "EPL-01")
    settle(builder, "EPL-08")
    settle(builder, "EPL-07")
    settle(builder, "EP-24")
    settle(builder, "EP-22")
    settle(builder, "EP-20")

    builder.open("Spacecraft")
    details = builder.detail.locator("#unit-facts")
    if details.get_attribute("open") is None:
        details.locator("summary").click()
    builder.detail.get_by_label("Turn of arrival").click()
    for text in ("2", "30x40", "60x90"):  # from field to field without waiting for an answer
        page.keyboard.type(text)
        page.keyboard.press("Tab")
    expect(page.locator("#findings .rule-id", has_text=re.compile("^EP-27$"))).to_have_count(0)
    expect(page.locator("html")).not_to_have_class(re.compile("is-busy"))
    page.reload()
    for label, text in (("Turn of arrival", "2"), ("Drop point", "30x40"), ("Bombardment points", "60x90")):
        expect(builder.detail.get_by_label(label)).to_have_value(text)
    shot(page, "epic-plan", whole=True)

    page.goto(f"{builder.address}?pane=settings")
    page.locator("#list-limit").fill("2200")
    page.locator("#list-limit").press("Enter")
    expect(page.locator("#findings .rule-id", has_text=re.compile("^EPL-05$"))).to_have_count(0)
    assert builder.rules() & {"EP-01"} == {"EP-01"}, builder.rules()  # one commander less: 1,925 points
    builder.add("Formations", "Scouts")
    expect(builder.verdict).to_have_text(re.compile("Legal"))
    assert {rule for rule in builder.rules() if rule not in {"EP-37", "EP-39"}} == set()
    shot(page, "epic-repaired", whole=True)

    page.goto(f"{builder.address}print/")
    expect(page.locator(".sheet")).to_contain_text("breaks at 6")
    expect(page.locator(".sheet")).to_contain_text("Strategy rating 5")
    shot(page, "epic-print", whole=True)


@mainly_on(PHONE)
def test_a_rule_of_army_lists_can_be_read(visitors: Visitors, size: dict[str, int]) -> None:
    page = visitors.arrive(size=size)
    builder = copy_of(page, "A Landing in Haste")
    page.locator("#findings .rule-id", has_text="EPL-05").first.click()
    expect(page.locator("main .rule-id")).to_have_text("EPL-05")
    assert builder.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_pages_about_epic_speak_russian(visitors: Visitors) -> None:
    page = visitors.arrive(language="ru")
    left: dict[str, set[str]] = {}

    def look(address: str) -> None:
        page.goto(address)
        if words := {word for word in latin_words(page) if word not in EPIC_NAMES}:
            left[address] = words

    for address in ("/systems/epic/", "/systems/epic/rules/"):
        look(address)
    for faction in ("codex-astartes-space-marines", "armageddon-steel-legion"):
        page.goto(f"/units/?system=epic&faction={faction}")
        units = links_of(page, r"^/units/[0-9a-f-]{36}/$")
        assert len(units) >= 12
        for address in units:
            look(address)
    builder = copy_of(page, "Высадка второпях")
    mine = builder.address
    look(mine)
    shot(page, "russian-epic-illegal", whole=True)
    for query in (*links_of(page, r"^\?(unit|add)="), "?pane=detachments", "?pane=settings"):
        look(mine + query)
    for name in ("print/", "history/", "why/"):
        look(mine + name)
    shot(page, "russian-epic-why", whole=True)
    assert left == {}
