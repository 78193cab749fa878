"""What a narrow page has room for: profiles are seen whole, the head of a list leaves a phone its room."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, Visitors, mainly_in
from tests.browser.hands import ARMIES, arrive, rows_unlike_two_lines, sample_of

COVERED = """box => [...box.querySelectorAll("thead th:not(.words)")]
  .filter(head => head.getBoundingClientRect().right > box.getBoundingClientRect().right - 14)
  .map(head => head.textContent.trim())"""
"""Figures that lie under the shadow of a table's right side, or beyond it."""


@mainly_in("ru")
def test_a_profile_is_seen_whole_in_one_of_three_panes(visitors: Visitors, language: str) -> None:
    page = visitors.arrive(language=language, size={"width": 1280, "height": 800})
    page.goto("/")
    page.locator("section.panel form[action*=copy] button").first.click()
    page.locator(".unit__open").first.click()
    strip = page.locator("#unit-profile .scroll-x").first
    expect(strip).to_be_visible()
    assert strip.evaluate("it => it.scrollWidth - it.clientWidth") <= 0


@mainly_in("ru")
def test_all_figures_of_a_model_are_seen_at_once_on_a_phone(visitors: Visitors, language: str) -> None:
    page = visitors.arrive(language=language, size=PHONE, touch=True)
    page.goto("/")
    page.locator(".samples section li a").first.tap()
    page.locator("form[action$='/copy/'] button").first.tap()
    page.locator(".unit__open").first.tap()
    strip = page.locator("#unit-profile .scroll-x").first
    expect(strip).to_be_visible()
    assert strip.locator("thead th:not(.words)").count() > 8
    assert strip.evaluate(COVERED) == []


CUT = """box => {
  const words = document.createElement("span");
  words.textContent = box.selectedOptions[0].textContent;
  words.style.cssText = `position: absolute; white-space: nowrap; font: ${getComputedStyle(box).font}`;
  document.body.append(words);
  return Math.max(0, words.getBoundingClientRect().width + 40 - box.clientWidth);
}"""
"""How much of what is chosen in a field lies under its arrow or beyond."""


@mainly_in("ru")
def test_the_game_whose_units_are_looked_for_is_read_whole(visitors: Visitors, language: str) -> None:
    page = visitors.arrive(language=language, size={"width": 1280, "height": 800})
    page.goto("/units/?system=horus-heresy")
    game = page.locator("#id_system")
    assert game.evaluate(CUT) == 0
    text, faction = page.locator("#id_q").bounding_box(), page.locator("#id_faction").bounding_box()
    beside = game.bounding_box()
    assert text and faction and beside
    assert text["y"] == faction["y"] == beside["y"]


SIDEWAYS = """() => [...document.querySelectorAll(".scroll-x:has(> .profile)")]
  .filter(box => box.scrollWidth > box.clientWidth)
  .map(box => box.querySelector("thead").innerText)"""


@mainly_in("ru")
@pytest.mark.parametrize("game", ["epic", "fantasy-8th", "horus-heresy", "wh40k-6th"])
def test_no_profile_of_a_unit_is_scrolled_sideways_on_a_phone(visitors: Visitors, game: str, language: str) -> None:
    """Formations of Epic have their weapons in the same row, models of Fantasy twelve figures and words besides."""
    page = visitors.arrive(language=language, size=PHONE, touch=True)
    page.goto(f"/units/?system={game}")
    links = page.locator("#units td a, #units th a").evaluate_all("all => all.map(one => one.getAttribute('href'))")
    units = [link for link in dict.fromkeys(links) if link.startswith("/units/")][::3][:8]
    assert len(units) > 3
    for unit in units:
        page.goto(unit)
        assert page.evaluate(SIDEWAYS) == [], unit


@mainly_in("ru")
@pytest.mark.parametrize("width", [320, 390])
def test_the_longest_verdict_covers_nothing_of_the_bar(visitors: Visitors, width: int, language: str) -> None:
    page = visitors.arrive(language=language, size={"width": width, "height": 844}, touch=True)
    page.goto("/design/")
    longest = page.locator(".verdict--partly").first.evaluate("verdict => verdict.outerHTML")
    page.goto("/")
    page.locator("form[action*=copy] button").first.tap()
    bar = page.locator("#army-bar")
    expect(bar).to_be_visible()
    bar.locator(".army-bar__totals .verdict").evaluate("(verdict, words) => { verdict.outerHTML = words; }", longest)
    verdict = bar.locator(".army-bar__totals .verdict").bounding_box()
    shares, figure = bar.locator(".shares").bounding_box(), bar.locator(".total strong").bounding_box()
    assert verdict and shares and figure
    assert verdict["y"] + verdict["height"] <= shares["y"]
    assert figure["x"] + figure["width"] <= verdict["x"]
    assert verdict["x"] + verdict["width"] <= width
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    verdict = bar.locator(".army-bar__totals .verdict").bounding_box()
    assert verdict and verdict["x"] + verdict["width"] <= width


def test_a_sign_grows_with_the_letter_in_it(visitors: Visitors) -> None:
    """Its letter was cut where text is twice as large: the sign kept its pixels."""
    page = visitors.arrive(size=PHONE, touch=True)
    page.goto("/design/")
    sign = page.locator(".sign").first
    before = sign.bounding_box()
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    after = sign.bounding_box()
    assert before and after and after["width"] == 2 * before["width"]
    cut = page.locator(".sign").evaluate_all(
        "all => all.filter(it => parseFloat(getComputedStyle(it, '::before').fontSize) > it.clientHeight).length"
    )
    assert cut == 0


@mainly_in("ru")
def test_the_tools_of_the_head_have_names_on_a_phone(visitors: Visitors, language: str) -> None:
    page = visitors.arrive(size=PHONE, touch=True, language=language)
    page.goto("/")
    words = {"en": ("Sign in", "РУ: показать эту страницу по-русски"), "ru": ("Войти", "EN: show this page in English")}
    for name in words[language]:
        expect(
            page.locator(".site-tools")
            .get_by_role("link", name=name, exact=True)
            .or_(page.locator(".site-tools").get_by_role("button", name=name, exact=True))
        ).to_be_visible()


def test_the_head_of_a_list_leaves_a_phone_its_room(visitors: Visitors) -> None:
    page = arrive(visitors, PHONE)
    builder = sample_of(page, ARMIES[0])
    row = builder.units.first.bounding_box()
    bar = page.locator("#army-bar .army-bar__in").bounding_box()
    assert bar is not None
    assert bar["y"] == 0
    assert bar["height"] <= 96
    assert row is not None
    assert row["y"] < 260
    for name in ("Add", "Findings", "Undo", "Share"):
        tool = page.locator(".dock").get_by_text(name)
        expect(tool).to_be_in_viewport()


def test_a_list_just_begun_has_no_higher_head_in_russian(visitors: Visitors) -> None:
    """What is left to do takes two lines there."""
    page = visitors.arrive(size=PHONE, touch=True, language="ru")
    page.goto("/lists/new/?system=horus-heresy")
    page.locator("main form .button--main").last.tap()
    expect(page.locator("#army-bar .verdict--started")).to_be_visible()
    bar = page.locator("#army-bar").bounding_box()
    assert bar is not None
    assert bar["height"] <= 96


def test_a_long_verdict_makes_the_head_of_a_narrow_phone_no_higher(visitors: Visitors) -> None:
    """That parts are not checked takes two lines in Russian."""
    page = visitors.arrive(size={"width": 320, "height": 700}, touch=True, language="ru")
    page.goto("/")
    page.get_by_role("link", name="Фаланга и её щит").tap()
    page.get_by_role("button", name="Скопировать себе").tap()
    expect(page.locator("#army-bar .verdict--partly")).to_be_visible()
    bar = page.locator("#army-bar").bounding_box()
    assert bar is not None
    assert bar["height"] <= 96


@mainly_in("ru")
@pytest.mark.parametrize("width", [768, 844])
def test_head_and_bar_take_one_line_each_on_a_tablet(visitors: Visitors, width: int, language: str) -> None:
    """Tools stood on a line of their own: the roll of a phone that lies began below the middle of the screen."""
    page = visitors.arrive(language=language, size={"width": width, "height": 390}, touch=True)
    page.goto("/design/")
    longest = page.locator(".verdict--partly").first.evaluate("verdict => verdict.outerHTML")
    page.goto("/")
    page.locator("form[action*=copy] button").first.tap()
    verdict = page.locator("#army-bar .army-bar__totals .verdict")
    expect(verdict).to_be_visible()
    for words in ("", longest):
        if words:
            verdict.evaluate("(verdict, words) => { verdict.outerHTML = words; }", words)
        for first, last in (
            (".mark", ".site-tools"),
            (".army-bar__name", ".army-bar__tools"),
            (".army-bar .total strong", ".army-bar .verdict"),
            (".army-bar .verdict", ".army-bar__tools"),
        ):
            left, right = page.locator(first).first.bounding_box(), page.locator(last).first.bounding_box()
            assert left and right
            assert left["x"] + left["width"] <= right["x"]
            assert abs(left["y"] + left["height"] / 2 - right["y"] - right["height"] / 2) <= 8
        assert page.evaluate("document.documentElement.scrollWidth") == width


def test_a_unit_without_characteristics_keeps_no_strip_for_them(visitors: Visitors) -> None:
    page = arrive(visitors, PHONE)
    sample_of(page, ARMIES[0])
    page.locator("#army .unit__open").nth(1).tap()
    options = page.locator("#unit-options")
    expect(options).to_be_visible()
    page.locator("#unit-profile").evaluate("profile => profile.replaceChildren()")
    profile, choices = page.locator("#unit-profile").bounding_box(), options.bounding_box()
    assert profile and choices
    assert choices["y"] - profile["y"] == 0


@pytest.mark.parametrize("language", ["en", "ru"])
def test_units_to_add_take_two_lines_each_on_a_phone(visitors: Visitors, language: str) -> None:
    """Ten figures of a model took two lines beside the price, so that few units were seen at once."""
    page = visitors.arrive(size=PHONE, touch=True, language=language)
    for system in ("horus-heresy", "fantasy-8th", "epic", "wh40k-6th"):
        page.goto(f"/lists/new/?system={system}")
        page.locator("main form .button--main").last.tap()
        expect(page.locator("#army-bar")).to_be_visible()
        assert rows_unlike_two_lines(page) == []


ALONE = """signs => signs.filter(sign => {
  const words = document.createRange();
  words.selectNodeContents(sign.parentElement.querySelector(".unit__name, strong"));
  const last = [...words.getClientRects()].pop(), mark = sign.getBoundingClientRect();
  const line = sign.closest("a, p").getBoundingClientRect();
  return mark.top > last.bottom - 4 || mark.right > line.right;
}).map(sign => sign.parentElement.innerText)"""
"""Marks of findings that do not stand beside the last word of a unit's name."""


@mainly_in("ru")
def test_the_mark_of_a_finding_stands_beside_the_last_word_of_a_name(visitors: Visitors, language: str) -> None:
    page = visitors.arrive(language=language, size=PHONE, touch=True)
    builder = sample_of(page, "Ересь Хоруса" if language == "ru" else "Horus Heresy")
    _mark_and_look(page, "#army", ".unit__name")
    page.goto(builder.address + "print/")
    _mark_and_look(page, ".sheet", ".sheet__unit > p > span:first-child > strong")


def _mark_and_look(page: Page, within: str, names: str) -> None:
    """Put a mark behind each of these names, and look where it stands as the page gets wider."""
    page.locator(within).locator(names).evaluate_all(
        """names => names.forEach(name => {
          name.insertAdjacentHTML("afterend", '<span class="sign sign--error unit__signs"></span>');
        })"""
    )
    for width in range(320, 440, 8):
        page.set_viewport_size({"width": width, "height": 844})
        assert page.locator(f"{within} .unit__signs").evaluate_all(ALONE) == [], width


@mainly_in("ru")
def test_the_name_of_a_taken_unit_is_read_whole(visitors: Visitors, language: str) -> None:
    """Beside "1 taken" the Tactical Support Squad was a "Tactical" one."""
    page = visitors.arrive(language=language, size=PHONE, touch=True)
    page.goto("/lists/new/?system=horus-heresy")
    page.locator("main form .button--main").last.tap()
    page.locator(".dock [data-key=add]").tap()
    long = page.locator(".offer", has=page.locator("strong", has_text=re.compile(".{20}"))).filter(
        has=page.locator(".offer__add:not([disabled])")
    )
    expect(long.first).to_be_visible()
    names = long.locator("strong").all_inner_texts()[:8]
    assert len(names) > 4
    for name in dict.fromkeys(names):
        row = page.locator(".offer", has=page.get_by_text(name, exact=True)).first
        row.locator(".offer__add").tap()
        expect(row.locator(".offer__taken")).to_be_visible()
    assert rows_unlike_two_lines(page) == []
    page.locator(".offer__taken").last.evaluate("it => it.scrollIntoView({ block: 'start' })")
    for _ in range(40):
        assert page.locator(".offer__taken").evaluate_all(ABOVE_A_HEAD) == []
        page.evaluate("scrollBy(0, -11)")


ABOVE_A_HEAD = """marks => marks.filter(mark => {
  const box = mark.getBoundingClientRect();
  const head = mark.closest("section").querySelector(".role__head").getBoundingClientRect();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const top = y > head.top && y < head.bottom && document.elementFromPoint(x, y);
  return top && mark.contains(top);
}).map(mark => mark.closest(".offer").innerText)"""
"""Marks of rows that are scrolled below the head of their role and drawn above it."""


TOUCHING = """rows => rows.filter(row => {
  const name = row.querySelector(".list-row__name"), points = row.querySelector(".list-row__points");
  const [left, right] = [name.getBoundingClientRect(), points.getBoundingClientRect()];
  return left.bottom > right.top && left.top < right.bottom && left.right > right.left - 8;
}).map(row => row.innerText)"""
"""Lists whose name runs up to their points."""


def test_the_name_of_a_list_keeps_off_its_points(visitors: Visitors) -> None:
    page = visitors.arrive(size=PHONE)
    page.goto("/lists/new/?system=epic")
    page.locator("#id_faction").select_option(label="Codex Astartes Space Marines")
    page.locator("main form .button--main").last.click()
    expect(page.locator("#army-bar")).to_be_visible()
    page.goto("/lists/")
    expect(page.locator(".list-row")).to_have_count(1)
    assert page.locator(".list-row").evaluate_all(TOUCHING) == []


def test_a_menu_is_closed_by_what_it_opens(visitors: Visitors) -> None:
    page = visitors.arrive(size=PHONE, touch=True)
    sample_of(page, ARMIES[0])
    for link, opened in (("[hx-get$='/share/']", "#dialog[open] #share"), ("[hx-get*='pane=settings']", "#detail h2")):
        page.locator(".army-bar .menu > summary").tap()
        page.locator(f".army-bar .menu[open] {link}").tap()
        expect(page.locator(opened).first).to_be_visible()
        expect(page.locator("details.menu[open]")).to_have_count(0)
        page.go_back()
        expect(page.locator("#dialog[open]")).to_have_count(0)
