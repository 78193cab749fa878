"""Every page in Russian: no Latin word is left over but the names that are written so everywhere."""

import re

from playwright.sync_api import Page, expect

from tests.breadth import share
from tests.browser.builder_page import BuilderPage
from tests.browser.conftest import Visitors, shot

NAMES = {
    "Army", "Builder", "BattleScribe", "New", "Recruit", "ListForge", "Old", "World",  # programs
    "json", "ros", "rosz", "owb", "xml",  # endings of their files
    "API", "QR", "Ctrl", "cookie",  # words of the trade that Russian players write so
    "EN",  # the switch to the other language
    "PNG", "SVG",  # kinds of pictures
    "Liber", "Hereticus", "Astartes",  # a Latin title
    "Warhammer", "Fantasy", "Battles",  # games that are called so everywhere
    "HH", "BS",  # ids of rules
}  # fmt: skip
"""Latin words that may stand on a Russian page, besides the names in an example document."""

TEXTS = """async address => {
  const read = async answer => {
    if (!answer.ok) { throw new Error(`${answer.url}: ${answer.status}`); }
    return new DOMParser().parseFromString(await answer.text(), 'text/html');
  };
  const page = address ? await read(await fetch(address)) : document;
  const skip = element => element.closest('[lang="en"], [translate="no"], script, style, template, input, textarea');
  const texts = [page.title];
  const walker = page.createTreeWalker(page.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!skip(node.parentElement)) { texts.push(node.textContent); }
  }
  for (const element of page.body.querySelectorAll('[aria-label], [title], [placeholder], [alt]')) {
    if (element.closest('[lang="en"]')) { continue; }
    for (const name of ['aria-label', 'title', 'placeholder', 'alt']) { texts.push(element.getAttribute(name) || ''); }
  }
  return texts;
}"""
"""What the page says that is open, or the one at an address before its scripts run."""


def latin_words(page: Page, address: str = "") -> set[str]:
    """Latin words of two letters or more that a reader or a screen reader meets on the page, or one at an address."""
    found: set[str] = set()
    for text in page.evaluate(TEXTS, address):
        found |= set(re.findall(r"[A-Za-z]{2,}", text))
    return found - NAMES


def links_of(page: Page, pattern: str) -> list[str]:
    """Addresses on a page that look like this, each once."""
    found = page.evaluate("[...document.querySelectorAll('a[href]')].map(a => a.getAttribute('href'))")
    return list(dict.fromkeys(address for address in found if re.search(pattern, address)))


def test_every_page_speaks_russian(visitors: Visitors) -> None:
    page = visitors.arrive(language="ru")
    left: dict[str, set[str]] = {}

    def look(address: str, *, here: bool = False) -> None:
        if not here:
            page.goto(address)
        if words := latin_words(page):
            left[address] = words

    def look_at_all(addresses: list[str]) -> None:
        """The first as a reader sees it; the others are made alike, and only read."""
        look(addresses[0])
        for address in share(addresses[1:], of=3):
            if words := latin_words(page, address):
                left[address] = words

    for address in (
        "/", "/about/", "/lists/", "/lists/?bin=1", "/lists/new/", "/lists/open/", "/units/", "/systems/",
        "/systems/horus-heresy/",
        "/systems/horus-heresy/rules/", "/alliances/horus-heresy/", "/matchups/", "/matchups/new/",
        "/accounts/sign-in/", "/nowhere/",
    ):  # fmt: skip
        look(address)
    page.goto("/systems/horus-heresy/rules/")
    rules = links_of(page, r"/rules/[A-Z]+-\d+/$")
    assert len(rules) >= 64
    look_at_all(rules)
    for faction in ("sons-of-horus", "solar-auxilia"):
        page.goto(f"/units/?faction={faction}")
        look_at_all(links_of(page, r"^/units/[0-9a-f-]{36}/$"))

    # A list with objections of every kind: the sample that is illegal, as one's own.
    page.goto("/")
    page.get_by_role("link", name="Сбор второпях").click()
    page.locator("form[action$='/copy/'] button").click()
    expect(page.locator("#army")).to_be_visible()
    builder = BuilderPage(page)
    mine = builder.address
    look(mine)
    shot(page, "russian-illegal", whole=True)
    opened = links_of(page, r"^\?(unit|add)=")
    for query in (*share(opened, of=2), "?pane=warlord", "?pane=detachments", "?pane=settings"):
        look(mine + query)
    page.goto(mine)
    page.locator(".unit summary").first.click()
    page.locator(".unit .button--danger").first.click()
    expect(page.locator("#b-toast-undo")).to_be_visible()
    look("a removed unit", here=True)
    for name in ("history/", "share/", "print/", "why/", "impact/"):
        look(mine + name)
    page.goto(f"{mine}share/")
    page.get_by_role("button", name="Создать ссылку").click()
    link = page.locator("#share input[type=url]").first.input_value()
    look(link)

    page.goto("/matchups/new/")
    page.locator("#id_attacker").select_option(index=1)
    page.get_by_text("Или ссылка, или файл").last.click()
    page.locator("#id_defender_link").fill(link)
    page.get_by_role("button", name="Каждый отряд против каждого").click()
    expect(page.locator("table.heat")).to_be_visible(timeout=60_000)
    matrix = page.url
    look("matrix", here=True)
    shot(page, "russian-matrix", whole=True)
    page.locator(".heat__cell").first.click()
    expect(page.locator(".chart__drawing").first).to_be_visible(timeout=60_000)
    look("pair", here=True)
    shot(page, "russian-pair", whole=True)
    page.goto(matrix)
    page.get_by_role("button", name="Разыграть целые сражения").click()
    expect(page.locator("#outcome")).to_be_visible(timeout=60_000)
    look("battle", here=True)
    shot(page, "russian-battle", whole=True)

    page.goto("/accounts/sign-up/")
    look("sign-up", here=True)
    page.locator("#id_username").fill("игрок")
    page.locator("#id_password").fill("короткий")
    page.locator("main .button--main").click()
    look("refused sign-up", here=True)
    page.locator("#id_password").fill("верный конь и скрепка")
    page.locator("main .button--main").click()
    for address in ("/accounts/", "/accounts/tokens/", "/lists/"):
        look(address)
    assert left == {}
