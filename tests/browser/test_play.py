"""Playing from a list at the table, by hand: wounds, what is spent, phases, score; over a reload and by a link."""

import pytest
from playwright.sync_api import expect

from tests.browser.builder_page import BuilderPage
from tests.browser.conftest import DESKTOP, PHONE, Visitors, shot


def test_a_game_is_counted_kept_over_a_reload_and_handed_on(visitors: Visitors) -> None:
    page = visitors.arrive(size=PHONE, touch=True)
    builder = BuilderPage(visitors.arrive(size=DESKTOP))
    builder.start("Sons of Horus", 2000, allegiance="traitor", name="At the table")
    builder.add("HQ", "Praetor")
    builder.add("Troops", "Tactical Squad")
    builder.page.goto(f"{builder.address}share/")
    builder.page.get_by_role("button", name="Create link").click()
    link = builder.page.locator("#share input[type=url]").first.input_value()

    page.goto(f"{link}play/")
    squad = page.locator(".play-unit").filter(has_text="Tactical Squad")
    praetor = page.locator(".play-unit").filter(has_text="Praetor").first
    whole = page.locator("#points-all").inner_text()
    expect(page.locator("#points-left")).to_have_text(whole)
    fewer = squad.locator(".play-models").filter(has_text="Legionary").locator("[data-hurt='1']")
    for _ in range(5):
        fewer.click()
    expect(squad.locator("[data-state]")).to_be_hidden()
    fewer.click()
    expect(squad.locator("[data-state]")).to_have_text("below half")
    expect(page.locator("#units-half")).to_have_text("1")
    while praetor.locator("[data-hurt='1']").first.is_enabled():
        praetor.locator("[data-hurt='1']").first.click()
    expect(praetor.locator("[data-state]")).to_have_text("destroyed")
    expect(page.locator("#units-left")).to_have_text("1 / 2")
    expect(page.locator("#points-left")).to_have_text("100")
    squad.locator("summary").first.click()
    gun = squad.locator("[data-spend]").first
    gun.click()
    page.locator("[data-count='me'] [data-add='1']").click()
    page.locator("#play-notes").fill("Reserves on a 3+")
    shot(page, "play-phone", whole=True)

    page.locator("#phase-next").click()
    expect(page.locator(".play__now")).to_contain_text("Shooting")
    for _ in range(3):
        page.locator("#phase-next").click()
    expect(page.locator(".play__now")).to_contain_text("theirs")
    page.get_by_role("button", name="Evade").click()
    expect(page.locator("[data-allotted]:visible")).to_have_text("1 / 1 used")
    shot(page, "play-reactions")

    page.reload()
    expect(squad.locator("[data-state]")).to_have_text("below half")
    expect(page.locator("#points-left")).to_have_text("100")
    expect(page.locator(".play__now")).to_contain_text("theirs")
    expect(gun).to_have_attribute("aria-pressed", "true")
    expect(page.locator("[data-count='me'] output")).to_have_text("1")
    expect(page.locator("#play-notes")).to_have_value("Reserves on a 3+")
    expect(page.get_by_role("button", name="Evade")).to_have_attribute("aria-pressed", "true")
    assert page.evaluate("document.documentElement.scrollWidth - window.innerWidth") <= 0

    page.evaluate(
        "navigator.share = undefined;"
        "navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); }"
    )
    page.locator("#play-share").click()
    expect(page.locator("#play-share")).to_contain_text("Link copied")
    sent = page.evaluate("window.copied")
    assert sent.startswith(f"{link}play/#state=")
    friend = visitors.arrive(language="ru")
    friend.goto(sent)
    expect(friend.locator("#points-left")).to_have_text("100")
    expect(friend.locator(".play__now")).to_contain_text("Стрельба")
    shot(friend, "play-friend-ru", whole=True)
    expect(friend.locator("#play-from-link")).to_be_in_viewport()
    friend.locator("[data-count='foe'] [data-add='1']").click()
    friend.reload()
    expect(friend.locator("[data-count='foe'] output")).to_have_text("1")
    expect(friend.locator("#points-left")).to_have_text("100")
    friend.locator("#play-mine").click()
    expect(friend.locator("#points-left")).to_have_text(whole)
    friend.goto("/lists/")
    friend.goto(sent)
    friend.locator("#play-keep").click()
    friend.goto(f"{link}play/")
    expect(friend.locator("#points-left")).to_have_text("100")

    page.locator("#play-anew").click()
    page.locator("#play-anew").click()
    expect(page.locator("#points-left")).to_have_text(whole)
    expect(page.locator("#turn")).to_have_text("1")


def test_the_builder_leads_to_the_table(visitors: Visitors) -> None:
    page = visitors.arrive()
    builder = BuilderPage(page)
    builder.start("Sons of Horus", 1000, allegiance="traitor")
    builder.add("HQ", "Praetor")
    page.locator("#army-bar details.menu > summary").click()
    page.get_by_role("link", name="Play", exact=True).click()
    expect(page.locator(".play-unit")).to_have_count(1)
    expect(page.get_by_text("Share the list first")).to_be_visible()


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_numbers_stand_in_one_column_in_sight_of_their_names(visitors: Visitors, size: dict[str, int]) -> None:
    """A long name takes a second line rather than push its number below itself."""
    page = visitors.arrive(size=size)
    builder = BuilderPage(page)
    builder.start("Sons of Horus", 2000, allegiance="traitor")
    for role, unit in (("HQ", "Praetor"), ("Troops", "Tactical Squad"), ("Troops", "Tactical Support Squad")):
        page.goto(builder.address)
        builder.add(role, unit)
    page.goto(f"{builder.address}play/")
    heads = page.locator(".play-unit > :first-child")
    heads.first.locator("h2").evaluate(
        "name => { name.textContent = 'Primaris-Lightning Strike Fighter of the Legion'; }"
    )
    for head in heads.all():
        title, price = head.locator("h2").bounding_box(), head.locator(".number").bounding_box()
        assert title and price
        assert title["x"] < price["x"]
        assert title["y"] <= price["y"] < title["y"] + title["height"]
    lines = page.locator(".play-models")
    expect(lines).to_have_count(5)
    places = [(line.locator(".grow").bounding_box(), line.locator(".stepper").bounding_box()) for line in lines.all()]
    ends = set()
    for name, number in places:
        assert name is not None
        assert number is not None
        assert number["y"] < name["y"] + name["height"]
        ends.add(round(number["x"] + number["width"]))
    assert len(ends) == 1
    assert ends.pop() - places[0][0]["x"] <= 832
