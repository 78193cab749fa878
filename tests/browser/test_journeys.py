"""What a player comes for, in a real browser: build, break rules, read why, repair, share, fight."""

import re

from playwright.sync_api import Page, expect

from tests.browser.builder_page import BuilderPage
from tests.browser.conftest import PHONE, Visitors, mainly_in, mainly_on, shot


def build_the_hasty_muster(builder: BuilderPage) -> None:
    """The illegal sample, unit by unit."""
    builder.start("Sons of Horus", 1500, allegiance="traitor", name="In haste")
    builder.add("HQ", "Praetor")
    builder.add("Primarch", "Horus Lupercal")
    builder.add("Troops", "Tactical Squad")
    builder.add("Troops", "Tactical Support Squad")
    builder.page.locator("#army a", has_text="Detachment").click()
    form = builder.detail.locator("form").filter(has_text="Lord of War Detachment")
    form.locator("select").select_option(label="Sons of Horus")
    form.locator("button").click()
    expect(builder.page.locator(".detachment")).to_have_count(2)
    builder.add("Lords of War", "Fellblade", detachment=1)
    builder.page.locator("#army a", has_text="Warlord").click()
    builder.detail.get_by_role("radio", name="Praetor", exact=True).click()
    expect(builder.detail.get_by_role("radio", name="Praetor", exact=True)).to_have_attribute("aria-checked", "true")
    builder.detail.get_by_role("radio", name="Bloody-handed").click()
    expect(builder.detail.get_by_role("radio", name="Bloody-handed")).to_have_attribute("aria-checked", "true")


def repair(builder: BuilderPage) -> None:
    """What the findings ask for."""
    builder.remove("Fellblade")
    builder.page.get_by_role("button", name="Remove the detachment: Lord of War Detachment").click()
    expect(builder.page.locator(".detachment")).to_have_count(1)
    builder.remove("Horus Lupercal")
    builder.add("Troops", "Tactical Squad")


def test_from_an_illegal_army_to_a_fight(visitors: Visitors) -> None:
    page = visitors.arrive()
    builder = BuilderPage(page)
    build_the_hasty_muster(builder)

    expect(builder.verdict).to_contain_text("Illegal")
    rules = builder.rules()
    assert {"HH-05", "HH-28", "HH-30"} <= rules, rules
    shot(page, "journey-illegal", whole=True)
    first = page.locator("#findings .finding").first
    assert re.search(r"lines? \d+", first.inner_text())
    culprit = page.locator("#findings .findings__name a[data-culprit^='unit-']").first
    name = culprit.inner_text()
    culprit.click()
    expect(builder.detail.locator("h2").first).to_have_text(name)
    expect(page.locator(".is-culprit")).to_have_count(1)

    page.locator("#findings .rule-id", has_text="HH-30").first.click()
    expect(page.locator("main .rule-id")).to_have_text("HH-30")
    expect(page.locator("h1")).to_contain_text("quarter")
    page.go_back()

    repair(builder)
    expect(builder.verdict).to_have_text("Legal")
    assert not page.locator("#findings .sign--error").count()
    shot(page, "journey-legal", whole=True)

    page.get_by_role("button", name="Share", exact=True).click()
    link = page.locator("#share input[type=url]").first.input_value()
    page.locator("#share summary").first.click()
    expect(page.locator("#share .qr svg")).to_be_visible()
    page.locator("#share [data-close]").click()
    mine = builder.address

    stranger = visitors.arrive()
    assert stranger.goto(mine).status == 404
    stranger.goto(link)
    expect(stranger.locator("h1")).to_have_text("In haste")
    expect(stranger.locator(".verdict").first).to_have_text("Legal")
    shot(stranger, "journey-shared", whole=True)
    stranger.get_by_role("button", name="Copy to my lists").click()
    expect(stranger.locator("#army .unit")).to_have_count(builder.units.count())
    copy = BuilderPage(stranger)

    stranger.goto("/matchups/new/")
    stranger.locator("#id_attacker").select_option(index=1)
    stranger.get_by_text("Or a link or a file").last.click()
    stranger.locator("#id_defender_link").fill(link)
    stranger.get_by_role("button", name="Every unit against every unit").click()
    expect(stranger.locator("table.heat")).to_be_visible(timeout=60_000)
    matrix = stranger.url
    stranger.get_by_text("Circumstances", exact=True).click()
    stranger.locator("#id_distance").fill("10")
    stranger.get_by_role("button", name="Work it out again").click()
    stranger.wait_for_url(lambda url: url != matrix)
    expect(stranger.locator("table.heat")).to_be_visible(timeout=60_000)
    expect(stranger.locator("main")).to_contain_text("distance 10 inches")
    shot(stranger, "journey-matrix", whole=True)
    stranger.locator(".heat__cell").last.click()
    expect(stranger.locator(".chart__drawing").first).to_be_visible(timeout=60_000)
    expect(stranger.locator("#forth-shooting")).to_contain_text(re.compile(r"fights"))
    stranger.locator("#forth-shooting summary", has_text="As a table").click()
    expect(stranger.locator("#forth-shooting table")).to_be_visible()
    shot(stranger, "journey-pair", whole=True)
    assert copy.page is stranger


def test_undo_keys_and_counts(visitors: Visitors) -> None:
    page = visitors.arrive()
    builder = BuilderPage(page)
    builder.start("Sons of Horus", 2000, allegiance="traitor")
    builder.add("Troops", "Tactical Squad")
    before = builder.points.inner_text()
    page.locator("#detail .stepper [data-step='1']").first.click()
    expect(builder.points).not_to_have_text(before)
    more = builder.points.inner_text()
    page.keyboard.press("Escape")
    page.keyboard.press("Control+z")
    expect(builder.points).to_have_text(before)
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("+")
    expect(builder.points).to_have_text(more)
    page.keyboard.press("-")
    expect(builder.points).to_have_text(before)
    field = page.locator("#detail .stepper input[type=number]").first
    field.fill("14")
    field.press("Enter")
    expect(builder.points).not_to_have_text(before)
    expect(page.locator("#detail .stepper input[type=number]").first).to_have_value("14")
    builder.remove("Tactical Squad")
    expect(builder.points).to_have_text("0")
    page.locator("#b-toast-undo").click()
    expect(builder.units).to_have_count(1)


def test_quick_taps_are_not_lost(visitors: Visitors) -> None:
    page = visitors.arrive()
    builder = BuilderPage(page)
    builder.start("Sons of Horus", 2000, allegiance="traitor")
    builder.add("Troops", "Tactical Squad")
    count = page.locator("#detail .stepper input[type=number]").first
    before = int(count.input_value())
    page.evaluate(
        "() => { for (let i = 0; i < 5; i++) document.querySelector(\"#detail .stepper [data-step='1']\").click(); }"
    )
    expect(page.locator("#detail .stepper input[type=number]").first).to_have_value(str(before + 5))


def test_two_tabs_of_one_list(visitors: Visitors) -> None:
    page = visitors.arrive()
    builder = BuilderPage(page)
    builder.start("Sons of Horus", 2000, allegiance="traitor")
    other = page.context.new_page()
    other.goto(builder.address)
    builder.add("HQ", "Praetor")
    behind = BuilderPage(other)
    other.locator(".role__head a.button--icon").nth(1).click()
    other.locator("#detail .offer__add").first.click()
    expect(behind.detail.locator("[role=alert]")).to_contain_text("changed meanwhile")
    expect(behind.units).to_have_count(1)
    other.locator("#b-repeat").click()
    expect(behind.units).to_have_count(2)


def test_building_without_scripts(visitors: Visitors) -> None:
    page = visitors.arrive(scripts=False)
    builder = BuilderPage(page)
    builder.start("Sons of Horus", 1000, allegiance="traitor", name="By hand")
    builder.add("HQ", "Praetor")
    builder.add("Troops", "Tactical Squad")
    builder.add("Troops", "Tactical Squad")
    page.locator("#army a", has_text="Warlord").click()
    page.get_by_role("radio", name="Praetor", exact=True).click()
    page.get_by_role("radio", name="Stoic Defender").click()
    page.goto(builder.address)
    expect(builder.verdict).to_have_text("Legal")
    builder.open("Tactical Squad")
    before = builder.points.inner_text()
    page.locator("#detail .stepper [data-step='1']").first.click()
    expect(builder.points).not_to_have_text(before)
    page.locator("#b-undo").click()
    expect(builder.points).to_have_text(before)
    page.goto("/lists/")
    expect(page.locator(".list-row")).to_contain_text("By hand")
    page.locator(".list-row summary").click()
    page.locator(".list-row").get_by_role("button", name="Delete").click()
    page.get_by_role("button", name="Undo").click()
    expect(builder.units).to_have_count(3)
    page.get_by_role("button", name="Share", exact=True).click()
    page.goto(page.locator("#share input[type=url]").first.input_value())
    expect(page.locator("h1")).to_have_text("By hand")
    page.goto("/matchups/new/")
    page.locator("#id_attacker").select_option(index=1)
    page.locator("#id_defender").select_option(index=1)
    page.get_by_role("button", name="Every unit against every unit").click()
    expect(page.locator("table.heat")).to_be_visible(timeout=60_000)
    page.get_by_role("button", name="Fight whole battles").click()
    expect(page.locator("#outcome h2")).to_contain_text("An even battle", timeout=60_000)
    expect(page.locator("#course svg")).to_be_visible()
    shot(page, "battle-without-script", whole=True)


def test_the_sample_can_be_changed_at_once(visitors: Visitors) -> None:
    page = visitors.arrive()
    page.goto("/")
    page.get_by_role("button", name="Open and change it").first.click()
    builder = BuilderPage(page)
    expect(builder.verdict).to_have_text("Legal")
    builder.remove("Horus Lupercal")
    expect(builder.verdict).to_have_text("Started, 1 thing to do")
    page.emulate_media(media="print")
    page.goto(f"{builder.address}print/")
    expect(page.locator(".sheet .verdict")).to_be_visible()
    expect(page.locator(".site-head")).to_be_hidden()
    shot(page, "print", whole=True)


def overflow(page: Page) -> int:
    """By how many pixels a page is wider than the screen."""
    wide: int = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    return wide


def small_targets(page: Page) -> list[str]:
    """Controls a thumb would miss: visible, not in running text, lower than 44 pixels."""
    found: list[str] = page.evaluate(
        """() => [...document.querySelectorAll("button, select, input, summary, a.button, .unit__open")]
        .filter(e => e.checkVisibility() && !e.closest(".hush, .skip, .slots") && !/checkbox|radio/.test(e.type))
        .filter(e => e.getBoundingClientRect().height < 43.5)
        .map(e => e.outerHTML.slice(0, 120))"""
    )
    return found


@mainly_in("ru")
@mainly_on(PHONE)
def test_every_page_fits_the_screen(visitors: Visitors, size: dict[str, int], language: str) -> None:
    page = visitors.arrive(language=language, size=size, touch=size is PHONE)
    page.goto("/")
    tag = f"{language}-{size['width']}"
    shot(page, f"{tag}-home", whole=True)
    page.locator("section.panel .button--main").first.click()
    expect(page.locator("#army")).to_be_visible()
    mine = BuilderPage(page).address
    unit = page.locator(".unit__open").nth(2).get_attribute("href")
    add = page.locator(".role__head a").nth(1).get_attribute("href")
    assert unit and add
    for name, address in {
        "home": "/",
        "builder": mine,
        "unit": mine + unit,
        "add": mine + add,
        "warlord": f"{mine}?pane=warlord",
        "detachments": f"{mine}?pane=detachments",
        "settings": f"{mine}?pane=settings",
        "history": f"{mine}history/",
        "share": f"{mine}share/",
        "print": f"{mine}print/",
        "lists": "/lists/",
        "new": "/lists/new/",
        "open": "/lists/open/",
        "units": "/units/",
        "systems": "/systems/",
        "system": "/systems/horus-heresy/",
        "rules": "/systems/horus-heresy/rules/",
        "rule": "/systems/horus-heresy/rules/HH-30/",
        "alliances": "/alliances/horus-heresy/",
        "matchups": "/matchups/",
        "matchup-new": "/matchups/new/",
        "sign-in": "/accounts/sign-in/",
        "sign-up": "/accounts/sign-up/",
        "about": "/about/",
        "nowhere": "/nowhere/",
    }.items():
        page.goto(address)
        shot(page, f"{tag}-{name}")
        assert overflow(page) <= 0, f"{name} is wider than the screen"
        if size is PHONE:
            assert small_targets(page) == [], name
