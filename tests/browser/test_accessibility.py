"""Every page that can be walked to, looked at by axe: no serious finding, in both themes, on a phone and on a desk.

Also what axe does not see: text twice as large, on a phone too, a page 320 px wide, and colours that the system forces.
"""

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, Page, Route, expect

from tests.breadth import in_turn, share
from tests.browser.conftest import DESKTOP, PATIENCE_MS, PHONE, Visitors, mainly_in, mainly_on
from tests.browser.furnished import furnish, own_list, walk
from tests.browser.hands import ARMIES, sample_of

NARROW = {"width": 320, "height": 640}
COLOURS = ("color-contrast", "link-in-text-block")
"""Rules that a theme has a part in; all others have been asked of the same elements in the same places."""
LOOKS: tuple[tuple[dict[str, int], str, tuple[str, ...]], ...] = (
    (PHONE, "light", ()),
    (DESKTOP, "light", ()),
    (DESKTOP, "dark", COLOURS),
    (PHONE, "dark", COLOURS),
)
"""How a page is looked at; in a share of the places every other page in one of these ways, the next one in the next."""

SEVERE = ("serious", "critical")

OVERLAPPING = """() => [...document.querySelectorAll("body *")]
  .filter(node => node.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
  .filter(node => [...node.childNodes].some(child => child.nodeType === 3 && child.data.trim()))
  .filter(node => parseFloat(getComputedStyle(node).lineHeight) < parseFloat(getComputedStyle(node).fontSize))
  .slice(0, 5).map(node => node.className + ": " + node.textContent.trim().slice(0, 40))"""
"""Texts whose lines lie closer than the letters are high."""

WITHOUT_EDGES = """() => [...document.querySelectorAll(".button, .verdict, input, select")]
  .filter(node => node.checkVisibility() && getComputedStyle(node).borderTopStyle === "none"
    && getComputedStyle(node).outlineStyle === "none" && !node.querySelector("svg"))
  .slice(0, 5).map(node => node.className + ": " + node.textContent.trim().slice(0, 40))"""
"""Controls that are told from the page by their fill alone, which forced colours take away."""


def findings(page: Page, *rules: str, severe: tuple[str, ...] = SEVERE) -> list[str]:
    """What axe, which the page has been given, finds on it as it stands: serious or worse, unless told otherwise."""
    options = {"resultTypes": ["violations"]} | ({"runOnly": {"type": "rule", "values": rules}} if rules else {})
    violations = page.evaluate("options => axe.run(options).then(found => found.violations)", options)
    return [
        f"{violation['id']}: {violation['help']}: {[node['target'] for node in violation['nodes'][:3]]}"
        for violation in violations
        if violation["impact"] in severe
    ]


@pytest.mark.long
def test_no_page_has_a_serious_finding(visitors: Visitors) -> None:
    """Nor is one wider than a narrow phone with large text, which is asked of the same pages."""
    page = visitors.arrive()
    with_our_letters(page)
    furnished = furnish(page)
    page.goto("/")
    wrong = []
    for number, address in enumerate(walk(page, *furnished)):
        path = urlsplit(address).path
        page.evaluate(AXE_SCRIPT)
        for size, theme, rules in in_turn(number, LOOKS, of=8):
            page.set_viewport_size(size)  # type: ignore[arg-type]
            page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
            wrong += [f"{path} {size['width']} {theme}: {it}" for it in findings(page, *rules)]
        wrong += [it for asked in in_turn(number, [address], of=6) for it in too_wide(page, asked)]
    assert not wrong, "\n".join(wrong)


@pytest.mark.long
@pytest.mark.parametrize(
    ("address", "drawn", "theme"),
    [
        ("/api/v1/docs/", ".opblock", "light"),
        ("/api/v1/docs/", ".dark-mode .opblock", "dark"),
        ("/api/v1/reference/", "redoc h1", "light"),
        ("/api/v1/reference/", ".dark-mode redoc h1", "dark"),
    ],
)
def test_what_libraries_draw_of_the_api_has_no_serious_finding(
    browser: Browser, site: str, address: str, drawn: str, theme: Any
) -> None:
    """They draw in their own time: asked at once, the pages are empty and have none."""
    page = browser.new_page(viewport=PHONE, color_scheme=theme)  # type: ignore[arg-type]
    page.goto(site + address)
    page.locator(drawn).first.wait_for(timeout=PATIENCE_MS)
    page.evaluate("new Promise(then => requestAnimationFrame(() => requestAnimationFrame(then)))")
    operations = page.locator(".opblock, [data-section-id*='/operation/']")
    looked_at = share(range(operations.count()), of=10)
    assert len(looked_at) > 10
    operations.evaluate_all("(all, kept) => all.forEach((one, n) => kept.includes(n) || one.remove())", looked_at)
    page.evaluate(AXE_SCRIPT)
    wrong = findings(page, "color-contrast", "nested-interactive", "select-name", "scrollable-region-focusable")
    page.close()
    assert wrong == []


@pytest.mark.long
def test_no_page_in_russian_is_wider_than_a_narrow_phone_with_large_text(visitors: Visitors) -> None:
    page = visitors.arrive(language="ru")
    with_our_letters(page)
    furnished = furnish(page)
    page.goto("/")
    wrong = []
    for number, address in enumerate(walk(page, *furnished)):
        wrong += [it for asked in in_turn(number, [address], of=8) for it in too_wide(page, asked)]
    assert not wrong, "\n".join(wrong)


def with_our_letters(page: Page) -> None:
    """Wait for the letters of the site, which a page does without where a busy machine brings them late."""

    def patient(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text().replace("font-display: optional", "font-display: block"))

    page.route(re.compile(r"/web/site[^/]*\.css"), patient)


def too_wide(page: Page, address: str) -> list[str]:
    """By how much the page is wider than a narrow phone, with text as it is and twice as large and unfolded."""
    page.set_viewport_size(NARROW)  # type: ignore[arg-type]
    page.evaluate("document.fonts.ready.then(() => null)")
    wrong = []
    for size in ("100%", "200%"):
        page.evaluate("size => { document.documentElement.style.fontSize = size; }", size)
        page.evaluate(UNFOLD, size == "200%")
        if (wider := page.evaluate("document.documentElement.scrollWidth - innerWidth")) > 0:
            beyond = page.evaluate(BEYOND)
            wrong.append(f"{address} {size}: {wider} px wider than {NARROW['width']}: {beyond}")
    return wrong


BEYOND = """() => [...document.querySelectorAll("body *")].filter(node => node.checkVisibility())
  .map(node => [Math.round(node.getBoundingClientRect().right), `${node.tagName}.${node.getAttribute("class")}`])
  .filter(([right]) => right > innerWidth).sort(([one], [other]) => one - other).slice(0, 5)"""
"""What stands beyond the right edge of the screen, the nearest first."""

UNFOLD = "open => document.querySelectorAll('details').forEach(one => { one.open = open || one.open; })"
"""All that is folded stands open."""


@pytest.mark.long
def test_units_fit_a_narrow_phone_with_large_text_while_its_letters_are_on_their_way(visitors: Visitors) -> None:
    """Those of the system are wider: prices of chips and long names stood beyond the edge until ours came."""
    page = visitors.arrive(size=NARROW)
    page.route("**/*.woff2", lambda route: route.fulfill(status=404))
    address = sample_of(page, ARMIES[0]).address
    opening = page.locator("#army .unit__open").evaluate_all("all => all.map(one => one.getAttribute('href'))")
    wrong = []
    for unit in share(opening, of=3):
        page.goto(address + unit.split("#")[0])
        wrong += too_wide(page, unit)
    assert opening and not wrong, "\n".join(wrong)


CUT = "tools => tools.filter(tool => tool.scrollWidth > tool.clientWidth).map(tool => tool.innerText)"
"""Tools whose words run over their neighbours."""


@mainly_in("ru")
def test_a_narrow_page_with_large_text_neither_overflows_nor_overlaps(visitors: Visitors, language: str) -> None:
    page = visitors.arrive(language=language, size=NARROW)
    page.goto("/lists/new/?system=relic")
    page.locator("main form .button--main").last.click()
    page.wait_for_url("**/lists/*-*/")
    hero, own = page.url, own_list(page)
    adding = own.split("?")[0] + str(page.locator(".detachment__add").first.get_attribute("href")).split("#")[0]
    pages = (
        "/",
        "/lists/",
        "/lists/new/",
        own,
        adding,
        hero,
        "/units/",
        "/matchups/new/",
        "/systems/",
        "/accounts/sign-in/",
    )
    wide, overlapping = [], {}
    for address in pages:
        page.set_viewport_size(NARROW)  # type: ignore[arg-type]
        page.goto(address)
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            wide.append(address)
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        if lines := page.evaluate(OVERLAPPING):
            overlapping[address] = lines
        if page.locator(".skip").evaluate("link => link.getBoundingClientRect().bottom > 0"):
            overlapping[f"{address} head"] = "the way to the content shows unasked"
        if cut := page.locator(".dock__tool").evaluate_all(CUT):
            overlapping[f"{address} foot"] = cut
        page.set_viewport_size(PHONE)  # type: ignore[arg-type]
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            wide.append(f"{address}, twice as large")
    assert (wide, overlapping) == ([], {})


def by_key(key: str) -> Callable[[Page], None]:
    """What a key of the builder opens."""
    return lambda page: page.keyboard.press(key)


def by_press(control: str) -> Callable[[Page], None]:
    """What the first visible control of these opens."""
    return lambda page: page.locator(control).filter(visible=True).first.click()


OPENED: tuple[tuple[str, str, Callable[[Page], None], str], ...] = (
    ("a unit's menu", "", by_press("#army .unit .menu > summary"), "#army .menu[open] .menu__list"),
    ("the menu of the list", "", by_press(".army-bar .menu > summary"), ".army-bar .menu[open] .menu__list"),
    ("findings", "", by_press(".verdict-link"), "#findings"),
    ("share", "", by_press(".army-bar [data-key=share], .dock [form=share-now]"), "#share"),
    ("palette", "", by_key("Control+k"), ".palette__line"),
    ("keys", "", by_key("?"), "#dialog kbd"),
    ("add", "?add", by_press("#only-legal"), ".offer"),
    ("texts", "?unit", by_press("#detail .text > summary"), "#detail .text[open] p"),
    ("copy a unit", "?unit", by_press("#detail a[hx-get$='/copy/']"), "#dialog h2"),
    ("compare options", "?unit", by_press(".option__buys"), "#dialog h2"),
)
"""What opens on the page of a list: its name, where, how, and by what it is known to be open."""


@pytest.mark.long
@mainly_on(PHONE)
def test_what_opens_has_no_finding_either(visitors: Visitors, size: dict[str, int]) -> None:
    page = visitors.arrive(size=size)
    page.emulate_media(reduced_motion="reduce")
    own = own_list(page).split("?")[0]
    page.locator("#army .unit .menu > summary").last.click()
    page.locator("#army .menu[open] .button--danger").click()
    expect(page.locator("#toasts .toast")).to_be_visible()
    places = {
        "": own,
        "?unit": own + page.locator("#army .unit__open").first.get_attribute("href"),
        "?add": own + page.locator(".detachment__add").first.get_attribute("href"),
    }
    wrong = []
    for name, place, opens, known in OPENED:
        page.goto(places[place].split("#")[0])
        page.evaluate(AXE_SCRIPT)
        opens(page)
        expect(page.locator(known).first).to_be_visible()
        for theme, rules in (("light", ()), ("dark", COLOURS)):
            page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
            wrong += [f"{name} {theme}: {it}" for it in findings(page, *rules, severe=("minor", "moderate", *SEVERE))]
    assert not wrong, "\n".join(wrong)


def test_controls_keep_their_edges_where_colours_are_forced(visitors: Visitors) -> None:
    page = visitors.arrive()
    own_list(page)
    page.emulate_media(forced_colors="active")
    assert page.evaluate(WITHOUT_EDGES) == []


EDGES = """() => Array.from(document.querySelectorAll(".site-nav a"), a =>
  [a.hasAttribute("aria-current"), getComputedStyle(a).borderBottomColor])"""
CHOSEN = """() => Array.from(document.querySelectorAll("#detail .chip.pick"), chip =>
  [chip.getAttribute("aria-checked") === "true", getComputedStyle(chip).outlineStyle !== "none"])"""


def test_forced_colours_show_where_one_is_and_what_is_chosen(visitors: Visitors) -> None:
    """Borders that are transparent are drawn there, and grounds are not."""
    page = visitors.arrive()
    page.emulate_media(forced_colors="active")
    builder = sample_of(page, ARMIES[0])
    here, *others = sorted(page.evaluate(EDGES), reverse=True)
    assert here[0] and all(edge != here[1] for _, edge in others)
    builder.units.filter(has_text="Infantry Tercio").first.click()
    expect(builder.detail.locator(".chip.pick").first).to_be_visible()
    chips = page.evaluate(CHOSEN)
    assert any(is_chosen for is_chosen, _ in chips)
    assert all(is_chosen == is_outlined for is_chosen, is_outlined in chips)
    page.goto(builder.address + str(page.locator(".detachment__add").first.get_attribute("href")).split("#")[0])
    liked, other = (page.locator(".offer__star").nth(place) for place in range(2))
    liked.click()
    expect(liked).to_have_attribute("aria-pressed", "true")
    page.mouse.move(0, 0)
    liked_colour, other_colour = (star.evaluate("it => getComputedStyle(it).color") for star in (liked, other))
    assert liked_colour != other_colour
