"""A 40k army in a real browser: the illegal sample is read and repaired, allies are asked about, also in Russian."""

import re

from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.builder_page import BuilderPage
from tests.browser.conftest import PHONE, Visitors, shot
from tests.browser.test_russian import latin_words

WORDS = {"options"}
"""A member of army documents."""


def open_sample(page: Page, name: str) -> BuilderPage:
    """A copy of a sample, opened from the start page."""
    page.goto("/")
    page.get_by_role("link", name=re.compile(name)).first.click()
    page.locator("form[action$='/copy/'] button").click()
    expect(page.locator("#army")).to_be_visible()
    return BuilderPage(page)


def test_the_illegal_crusade_is_read_and_repaired(visitors: Visitors) -> None:
    page = visitors.arrive()
    builder = open_sample(page, "Crusade Before Breakfast")
    expect(builder.verdict).to_contain_text("Illegal")
    assert builder.rules() == {
        "W6L-02", "W6L-04", "W6L-05", "W6L-06", "W6L-08", "W6L-10", "W6L-13", "W6L-16",
    }  # fmt: skip
    shot(page, "wh40k-illegal", whole=True)

    culprit = page.locator("#findings .findings").filter(has_text="W6L-16").locator("a[data-culprit]")
    expect(culprit).to_have_text("Marneus Calgar")
    culprit.click()
    expect(builder.detail.locator("h2").first).to_have_text("Marneus Calgar")
    page.locator("#findings .rule-id", has_text="W6L-04").first.click()
    expect(page.locator("main .rule-id")).to_have_text("W6L-04")
    page.go_back()

    page.locator("#findings .finding").filter(has_text="W6L-16").get_by_role("link", name="What would help?").click()
    expect(page.locator("#repair")).to_contain_text("W6L-16")
    shot(page, "wh40k-repair", whole=True)
    page.locator("#repair form button").first.click()
    expect(page.locator("#findings .rule-id").get_by_text("W6L-16", exact=True)).to_have_count(0)
    assert builder.rules().isdisjoint({"W6L-02", "W6L-06"})

    builder.add("Troops", "Tactical Squad")
    builder.remove("Librarian")
    page.get_by_role("button", name="Remove the detachment: Allied Detachment").click()
    expect(page.locator(".detachment")).to_have_count(2)
    builder.remove("Imperial Bunker")
    page.locator("#army a", has_text="Warlord").click()
    builder.detail.get_by_role("radio", name="Captain", exact=True).click()
    expect(builder.detail.get_by_role("radio", name="Captain", exact=True)).to_have_attribute("aria-checked", "true")
    expect(builder.verdict).to_have_text("Legal")
    assert builder.rules() == set()
    shot(page, "wh40k-legal", whole=True)

    page.locator("#army a", has_text="Detachment").click()
    form = builder.detail.locator("form").filter(has_text="Allied Detachment")
    form.locator("select").select_option(label="Orks")
    form.locator("button").click()
    expect(page.locator(".detachment")).to_have_count(3)
    builder.add("HQ", "Warboss", detachment=2)
    builder.add("Troops", "Ork Boyz", detachment=2)
    expect(builder.verdict).to_contain_text("not checked")
    assert builder.rules() == {"W6L-12"}
    allied = page.locator(".detachment").nth(2)
    expect(allied).to_contain_text("Alliance level not known")
    allied.get_by_role("link", name="Alliance table").click()
    expect(page.locator("table.alliances tbody tr")).to_have_count(16)
    expect(page.locator("table.alliances")).to_contain_text("Come the Apocalypse")
    shot(page, "wh40k-allies", whole=True)


def test_the_samples_and_the_table_in_russian_on_a_phone(visitors: Visitors) -> None:
    page = visitors.arrive(language="ru", size=PHONE, touch=True)
    left: dict[str, set[str]] = {}
    for number, name in enumerate(
        ("Крестовый поход натощак", "Ударная группа третьей роты", "Два босса", "Перемирие у бастиона")
    ):
        builder = open_sample(page, name)
        if words := latin_words(page) - WORDS:
            left[name] = words
        shot(page, f"wh40k-ru-{number}", whole=True)
        for unit in list(dict.fromkeys(builder.units.locator(".unit__name").all_inner_texts()))[:6]:
            page.goto(builder.address)
            builder.open(unit)
            if words := latin_words(page) - WORDS:
                left[f"{name}: {unit}"] = words
        shot(page, f"wh40k-ru-unit-{number}", whole=True)
    for address in ("/alliances/wh40k-6th/", "/systems/wh40k-6th/", "/systems/wh40k-6th/rules/W6L-06/"):
        page.goto(address)
        if words := latin_words(page) - WORDS:
            left[address] = words
    shot(page, "wh40k-ru-rule", whole=True)
    assert left == {}


def test_a_battle_says_up_front_what_it_leaves_out_and_waits_for_a_lost_server(browser: Browser, site: str) -> None:
    """Not one of `visitors`: the browser complains of the answers that are kept back here."""
    page = browser.new_context(
        viewport={"width": PHONE["width"], "height": PHONE["height"]}, locale="ru-RU", base_url=site
    ).new_page()
    page.goto("/matchups/new/?game=wh40k-6th")
    expect(page.locator("main")).to_contain_text("Только стрельба")
    page.locator("#id_attacker").select_option(index=1)
    page.locator("#id_defender").select_option(index=2)
    kept_back: list[str] = []

    def keep_back(route: Route) -> None:
        if "hx-request" in route.request.headers and len(kept_back) < 3:
            kept_back.append(route.request.url)
            route.abort()
        else:
            route.continue_()

    page.route("**/matchups/*-*/", keep_back)
    page.locator("button[value=battle]").click()
    expect(page.locator("[data-while-away]").or_(page.locator("#outcome")).first).to_be_visible(timeout=30_000)
    if not page.locator("#outcome").count():  # on a quick machine the answer is there at once
        expect(page.locator("[data-while-away]")).to_contain_text("продолжает спрашивать")
        assert kept_back and not page.locator("#toasts .toast").count()
        shot(page, "wh40k-server-away")
    expect(page.locator("#outcome")).to_contain_text("Только стрельба", timeout=60_000)
    shot(page, "wh40k-battle", whole=True)
    page.context.close()
