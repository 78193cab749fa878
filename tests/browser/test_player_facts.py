"""What only the player knows: asked where a rule needs it, chosen like a warlord, seen on the roll."""

import re

from playwright.sync_api import expect

from tests.browser.builder_page import BuilderPage
from tests.browser.conftest import DESKTOP, PHONE, Visitors


def fantasy_list(visitors: Visitors, size: dict[str, int]) -> BuilderPage:
    page = visitors.arrive(size=size, touch=size is PHONE)
    builder = BuilderPage(page)
    builder.start("Empire", 2000, allegiance=None, game="fantasy-8th")
    return builder


def test_the_general_is_asked_for_in_the_finding(visitors: Visitors) -> None:
    builder = fantasy_list(visitors, DESKTOP)
    builder.add("Lords", "General of the Empire")
    builder.add("Heroes", "Captain of the Empire")
    finding = builder.page.locator("#findings .finding").filter(has=builder.page.get_by_text("WF-01", exact=True))
    chips = finding.locator(".chip--repair")
    expect(chips).to_have_count(1)  # a captain's leadership is lower: only one of them can be it
    expect(chips).to_contain_text("General of the Empire")
    chips.first.click()
    expect(finding).to_have_count(0)


def test_the_general_and_the_standard_have_a_pane(visitors: Visitors) -> None:
    builder = fantasy_list(visitors, DESKTOP)
    page = builder.page
    builder.add("Lords", "General of the Empire")
    builder.add("Heroes", "Captain of the Empire")
    page.get_by_role("region", name="Army").get_by_role("link", name="Who leads").click()
    expect(builder.detail.locator("h2")).to_have_text("Who leads")
    general = page.get_by_role("radiogroup", name="General").get_by_role("radio", name="General of the Empire")
    general.click()
    expect(general).to_be_checked()
    assert "WF-01" not in builder.rules()
    standard = page.get_by_role("radiogroup", name="Army standard bearer")
    for name in ("General of the Empire", "Captain of the Empire"):
        standard.get_by_role("radio", name=name).click()
        expect(standard.get_by_role("radio", name=name)).to_be_checked()
        expect(standard.locator("[aria-checked=true]")).to_have_count(1)
    page.reload()
    expect(general).to_be_checked()
    standard.locator("..").get_by_role("button", name="Nobody").click()
    expect(standard.locator("[aria-checked=true]")).to_have_count(0)


def test_two_of_a_kind_are_told_apart_where_the_warlord_is_chosen(visitors: Visitors) -> None:
    page = visitors.arrive(size=PHONE, touch=True)
    builder = BuilderPage(page)
    builder.start("Sons of Horus", 2000, allegiance="traitor")
    for _ in range(2):
        page.goto(builder.address)
        builder.add("HQ", "Praetor")
    page.goto(f"{builder.address}?pane=warlord")
    candidates = builder.detail.get_by_role("radio", name=re.compile("^Praetor"))
    named = [re.match(r"Praetor (\d)", candidate.inner_text()) for candidate in candidates.all()]
    assert [match and match[1] for match in named] == ["1", "2"]


def test_a_long_note_takes_two_lines_of_the_roll(visitors: Visitors) -> None:
    page = visitors.arrive(size=PHONE, touch=True)
    builder = BuilderPage(page)
    builder.start("Sons of Horus", 2000, allegiance="traitor")
    builder.add("HQ", "Praetor")
    page.locator("#unit-notes-text").fill("Painted in the summer of last year. " * 30)
    page.locator(".pane__back").tap()
    note = page.locator("#army .unit .unit__notes")
    expect(note).to_contain_text("Painted in the summer")
    box = note.bounding_box()
    assert box is not None and box["height"] <= 2 * 24


def test_who_has_joined_stands_on_both_rows(visitors: Visitors) -> None:
    builder = fantasy_list(visitors, DESKTOP)
    page = builder.page
    builder.add("Core", "Spearmen")
    builder.add("Heroes", "Captain of the Empire")
    page.locator("#unit-facts summary").first.click()
    page.locator("#fact-unit-joined_to").select_option(label="Spearmen")
    captain = page.locator("#army .unit").filter(has_text="Captain of the Empire")
    squad = page.locator("#army .unit").filter(has=page.locator(".unit__name", has_text=re.compile("^Spearmen$")))
    expect(captain.locator(".unit__joined").first).to_contain_text("Spearmen")
    expect(squad.locator(".unit__joined")).to_have_text("With: Captain of the Empire")
