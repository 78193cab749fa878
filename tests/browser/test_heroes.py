"""A hero in a real browser: the illegal sample is read and repaired, on a desktop, on a phone and without scripts."""

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, Visitors, shot
from tests.browser.test_russian import latin_words

GREEDY = "Greedy veteran"
WORDS = {"RL", "json", "Warhammer", "Fantasy", "Battles"}
"""Ids of rules, the ending of a file, and the name of another game."""


def open_sample(page: Page, name: str) -> None:
    """A copy of a sample, opened from the start page."""
    page.goto("/")
    page.get_by_role("link", name=re.compile(name)).click()
    page.locator("form[action$='/copy/'] button").click()
    expect(page.locator("#detail.hero")).to_be_visible()


def rules(page: Page) -> list[str]:
    return page.locator("#findings .rule-id").all_inner_texts()


def dial(page: Page, name: str, value: int) -> None:
    """Type a value into a dial."""
    page.locator(f"#n-{name}").fill(str(value))
    page.locator(f"#n-{name}").press("Enter")
    expect(page.locator(f"#n-{name}")).to_have_value(str(value))
    expect(page.locator(f"#dial-{name} .dial__value")).to_have_text(str(value))


def press(page: Page, button: str, *, gone: str) -> None:
    """Press a button, and wait until a finding is gone."""
    before = rules(page).count(gone)
    page.locator(f"#{button}").click()
    expect(page.locator("#findings .rule-id").get_by_text(gone, exact=True)).to_have_count(before - 1)


def test_the_greedy_veteran_is_read_and_repaired(visitors: Visitors) -> None:
    page = visitors.arrive()
    open_sample(page, GREEDY)
    expect(page.locator("#army-bar .verdict")).to_contain_text("Illegal")
    assert {"RL-01", "RL-03", "RL-05", "RL-12", "RL-17", "RL-26"} <= set(rules(page))
    shot(page, "hero-illegal", whole=True)

    culprit = page.locator("#findings .findings").filter(has_text="RL-17").locator("[data-culprit]")
    name = culprit.inner_text()
    culprit.click()
    expect(page.locator(".is-culprit")).to_contain_text(name)
    page.locator("#findings .rule-id", has_text="RL-05").click()
    expect(page.locator("main .rule-id")).to_have_text("RL-05")
    page.go_back()

    dial(page, "strength", 12)
    dial(page, "willpower", 2)
    press(page, "b-recover", gone="RL-03")
    assert "RL-05" not in rules(page)  # the Power cards went with him
    press(page, "active_missions-less", gone="RL-08")
    press(page, "b-drop-actions-0", gone="RL-12")
    press(page, "b-drop-assets-1", gone="RL-17")
    expect(page.locator("#b-toast-undo")).to_be_visible()
    assert not {"RL-06", "RL-15"} & set(rules(page))
    press(page, "b-kit-assets-1-2", gone="RL-16")
    assert not page.locator("#findings .sign--error").count(), rules(page)
    expect(page.locator("#army-bar .verdict")).to_have_text("Legal")
    shot(page, "hero-legal", whole=True)

    page.locator("#b-undo").click()
    expect(page.locator("#army-bar .verdict")).to_contain_text("Illegal")
    page.locator("#army-bar .menu summary").click()
    page.locator("#b-redo").click()
    expect(page.locator("#army-bar .verdict")).to_have_text("Legal")
    assert page.evaluate("document.documentElement.scrollWidth") <= 1280

    page.get_by_role("button", name="Share", exact=True).click()
    link = page.locator("#share input[type=url]").first.input_value()
    stranger = visitors.arrive()
    stranger.goto(link)
    expect(stranger.locator(".sheet .verdict")).to_have_text("Legal")
    shot(stranger, "hero-shared", whole=True)
    stranger.get_by_role("button", name="Copy to my lists").click()
    expect(stranger.locator("#detail.hero")).to_be_visible()


def test_a_new_hero_on_a_phone_takes_cards_and_fights(visitors: Visitors) -> None:
    page = visitors.arrive(size=PHONE, touch=True)
    page.goto("/lists/new/?system=relic")
    page.locator("#id_character").select_option("Ultramarines Captain")
    page.locator("main form .button--main").last.click()
    expect(page.locator("#army-bar .verdict")).to_contain_text("Started")
    expect(page.locator("#b-take-power")).not_to_be_in_viewport()
    page.locator(".dock").get_by_text("Power cards").tap()  # what he begins with lies two screens below
    expect(page.locator("#b-take-power")).to_be_in_viewport()
    bar, pile = page.locator(".army-bar__in").bounding_box(), page.locator("#power_cards").bounding_box()
    assert bar and pile and pile["y"] >= bar["y"] + bar["height"]
    for card in ("Steady Aim", "Secret Paths"):
        page.locator("#power-card").select_option(card)
        page.locator("#b-take-power").click()
        expect(page.locator(".slot-card").filter(has_text=card)).to_be_visible()
    expect(page.locator("#army-bar .verdict")).to_have_text("Legal")
    page.locator("#strength-more").click()
    expect(page.locator("#dial-strength .dial__value")).to_have_text("5")
    assert rules(page) == ["RL-13"]
    page.locator("#hero-moment").select_option("after_experience")
    expect(page.locator("#army-bar .verdict")).to_have_text("Legal")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    shot(page, "hero-phone", whole=True)

    page.locator("#b-fight").click()
    told = page.locator("#fight .not-asked [role=alert]")
    expect(told).to_have_text("Choose an enemy to fight.")
    expect(told).to_be_in_viewport()
    page.locator("#enemy-1").select_option("Blood Axe Gretchin")
    page.locator("#b-fight").click()
    expect(page.locator(".end--win")).to_be_visible(timeout=30_000)
    expect(page.locator(".figures")).to_contain_text("battle won")
    shot(page, "hero-fight-phone", whole=True)


def test_charges_are_stepped_in_place_and_rows_of_a_part_keep_apart(visitors: Visitors) -> None:
    page = visitors.arrive(size=PHONE, touch=True)
    page.goto("/lists/new/?system=relic")
    page.locator("#id_character").select_option("Ultramarines Captain")
    page.locator("main form .button--main").last.tap()
    page.locator("summary", has=page.locator("xpath=following-sibling::form[.//*[@id='asset-charges']]")).tap()
    page.locator("form:has(#asset-charges) [name=name]").fill("Rod of light")
    page.locator("#asset-charges").fill("2")
    page.locator("#b-take-own-asset").tap()
    card = page.locator(".slot-card").filter(has_text="Rod of light")
    more = card.get_by_role("button", name="Rod of light, Charges: one more")
    more.evaluate("e => e.scrollIntoView({block: 'center'})")
    before = more.bounding_box()
    for _ in range(3):
        more.tap()
    expect(page.locator("html.is-busy")).to_have_count(0)
    expect(card.locator("input[type=number]")).to_have_value("5")
    after = more.bounding_box()
    assert before is not None
    assert after is not None
    assert abs(after["y"] - before["y"]) <= 2
    page.reload()
    expect(card.locator("input[type=number]")).to_have_value("5")
    drawn = page.locator("form:has(#b-draw-corruption)").bounding_box()
    limit = page.locator("#dial-corruption_threshold").bounding_box()
    assert drawn is not None
    assert limit is not None
    assert limit["y"] - drawn["y"] - drawn["height"] >= 8


def test_a_hero_without_scripts(visitors: Visitors) -> None:
    page = visitors.arrive(scripts=False)
    open_sample(page, "First voyage")
    page.locator("#track-3").click()
    expect(page.locator("#track-3")).to_have_attribute("aria-current", "step")
    expect(page.locator("#findings")).to_contain_text("RL-13")
    page.locator("#hero-moment").select_option("mid_turn")
    page.locator("#b-moment").click()
    expect(page.locator("#army-bar .verdict")).to_have_text("Legal")
    page.locator("#asset-card").select_option("Chainsword")
    page.locator("#b-take-asset").click()
    expect(page.locator("#assets-0")).to_contain_text("Chainsword")
    page.locator("#b-kit-assets-0-1").click()
    expect(page.locator("#b-kit-assets-0-1")).to_have_attribute("aria-checked", "true")
    page.locator("#n-life").fill("3")
    page.locator("#n-life").press("Enter")
    expect(page.locator("#dial-life .dial__value")).to_have_text("3")
    page.locator("#b-undo").click()
    expect(page.locator("#dial-life .dial__value")).to_have_text("5")


def test_heroes_speak_russian(visitors: Visitors) -> None:
    page = visitors.arrive(language="ru")
    left: dict[str, set[str]] = {}

    def look(place: str) -> None:
        if words := latin_words(page) - WORDS:
            left[place] = words

    for address in ("/lists/new/?system=relic", "/systems/relic/", "/systems/relic/rules/"):
        page.goto(address)
        look(address)
    for name in ("Жадный ветеран", "Тень сектора"):
        open_sample(page, name)
        look(name)
        mine = re.sub(r"[?#].*", "", page.url)
        for part in ("history/", "share/", "print/"):
            page.goto(mine + part)
            look(name + part)
    page.goto(mine)
    page.locator("#b-drop-assets-0").click()
    expect(page.locator("#b-toast-undo")).to_be_visible()
    look("a card given back")
    page.locator("#enemy-1").select_option("Ork Boss")
    page.locator("#enemy-2").select_option("Eldar Exarch")
    page.locator("#b-fight").click()
    expect(page.locator(".end--lose").first).to_be_visible(timeout=30_000)
    look("a fight")
    page.goto(mine)
    page.locator("summary", has_text="проверку навыка").click()
    page.locator("#b-test").click()
    expect(page.locator(".end--win").first).to_be_visible(timeout=30_000)
    look("a test")
    assert left == {}, sorted(left.items())
