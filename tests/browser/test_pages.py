"""Pages around the builder as thumb and eye meet them: rows, matrix, bars, links; nothing moves, nothing is heavy."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import DESKTOP, PHONE, Visitors, mainly_in, mainly_on, shot
from tests.browser.furnished import own_list

SHIFTS = """() => new Promise(done => {
  let moved = 0;
  new PerformanceObserver(list => list.getEntries().forEach(one => { moved += one.value; }))
    .observe({ type: "layout-shift", buffered: true });
  setTimeout(() => done(moved), 300);
})"""
LARGEST_SHIFT = 0.01
HEAVIEST_PAGE = 90_000
"""Bytes that a first visit sends, without the fonts, which come once and are kept."""
ROW = 64

AT = """([x, y]) => document.elementFromPoint(x, y).closest("th, td")?.tagName || ''"""


def matrix_of_samples(page: Page) -> None:
    page.goto("/matchups/new/?game=horus-heresy")
    page.get_by_role("button", name="Every unit against every unit").click()
    expect(page.locator("table.heat")).to_be_visible(timeout=60_000)


def weight(page: Page, address: str) -> float:
    """Bytes that come for a page until nothing more comes, without the fonts."""
    network = page.context.new_cdp_session(page)
    network.send("Network.enable")
    sent: dict[str, float] = {}
    fonts: set[str] = set()
    network.on("Network.responseReceived", lambda it: fonts.add(it["requestId"]) if it["type"] == "Font" else None)
    network.on("Network.loadingFinished", lambda it: sent.update({it["requestId"]: it["encodedDataLength"]}))
    page.goto(address, wait_until="networkidle")
    return sum(size for request, size in sent.items() if request not in fonts)


@mainly_in("ru")
@mainly_on(PHONE)
def test_rows_of_lists_are_64_px_and_open_with_one_tap(visitors: Visitors, size: dict[str, int], language: str) -> None:
    page = visitors.arrive(size=size, language=language)
    page.goto("/")
    page.locator("section.panel form[action*=copy] button").first.click()
    page.wait_for_url("**/lists/*/**")
    page.goto("/lists/")
    row = page.locator(".list-row").first
    box = row.bounding_box()
    assert box is not None and abs(box["height"] - ROW) <= 1, box
    expect(row.locator(".shares__part").first).to_be_visible()
    row.locator("summary").click()
    expect(row.locator(".menu__list .button--danger")).to_be_visible()
    shot(page, f"rows-{size['width']}")
    page.keyboard.press("Escape")
    row.click(position={"x": box["width"] / 2, "y": box["height"] / 2})
    page.wait_for_url("**/lists/*-*/")


@mainly_on(PHONE)
@pytest.mark.parametrize("address", ["/", "/lists/", "/lists/new/", "/matchups/new/", "/units/", "/design/"])
def test_a_page_does_not_move_while_it_loads_and_is_light(
    visitors: Visitors, size: dict[str, int], address: str
) -> None:
    page = visitors.arrive(size=size)
    sent = weight(page, address)
    assert page.evaluate(SHIFTS) <= LARGEST_SHIFT
    assert sent <= HEAVIEST_PAGE


@pytest.mark.parametrize("language", ["en", "ru"])
def test_a_list_is_light_too(visitors: Visitors, language: str) -> None:
    """By its link: the first thing that a guest's browser sees of the site."""
    owner = visitors.arrive(language=language, size=PHONE, touch=True)
    owner.goto("/")
    owner.locator("section.panel form[action*=copy] button").first.tap()
    expect(owner.locator("#army")).to_be_visible()
    page = visitors.arrive(language=language, size=PHONE, touch=True)
    page.context.add_cookies(owner.context.cookies())
    assert weight(page, owner.url) <= HEAVIEST_PAGE


def test_two_samples_fight_with_one_tap(visitors: Visitors) -> None:
    page = visitors.arrive(size=PHONE, touch=True)
    page.goto("/")
    page.get_by_role("button", name="Watch two samples fight").tap()
    expect(page.locator("#outcome svg").first).to_be_visible(timeout=240_000)


def test_the_matrix_on_a_phone_keeps_names_and_heads(visitors: Visitors) -> None:
    page = visitors.arrive(size=PHONE, touch=True)
    matrix_of_samples(page)
    bars = page.locator("#one-unit .bars__line")
    expect(bars.first).to_be_visible()
    names = page.locator("table.heat thead th").count()
    assert bars.count() == names
    place = page.locator(".scroll-x:has(> table.heat)")
    place.evaluate("box => { box.scrollIntoView({ block: 'start' }); box.scrollLeft = 300; box.scrollTop = 120; }")
    box = place.bounding_box()
    assert box is not None
    for y in range(int(box["y"]) + 8, int(min(box["y"] + box["height"], PHONE["height"])) - 8, 12):
        for x in (2, 20, 60):
            assert page.evaluate(AT, [box["x"] + x, y]) != "TD" or y < box["y"] + 80, (x, y)
    for x in range(int(box["x"]) + 140, int(box["x"] + box["width"]) - 4, 20):
        assert page.evaluate(AT, [x, box["y"] + 12]) == "TH", x
    shot(page, "matrix-scrolled-390")


def test_nothing_of_the_shade_at_its_side_shows_between_the_cells_of_a_matrix(visitors: Visitors) -> None:
    page = visitors.arrive(size=PHONE)
    matrix_of_samples(page)
    frame = page.locator(".scroll-x").filter(has=page.locator("table.heat"))
    assert frame.evaluate("e => getComputedStyle(e).backgroundImage") == "none"
    assert "\u00a0– " in page.locator("h1").inner_text()


def test_a_pair_leads_back_and_an_answer_is_handed_on(visitors: Visitors) -> None:
    page = visitors.arrive(size=PHONE, touch=True)
    matrix_of_samples(page)
    address = page.url
    page.locator("#one-unit .bars__figure").first.click()
    expect(page.locator(".chart__drawing").first).to_be_visible(timeout=60_000)
    page.get_by_role("link", name="Back to the matrix of both lists").click()
    page.wait_for_url(address)
    page.get_by_role("button", name="Create link").click()
    link = page.locator("#run-address").input_value()
    stranger = visitors.arrive(size=DESKTOP)
    stranger.goto(link)
    expect(stranger.locator("table.heat")).to_be_visible()
    assert stranger.locator("main form, main button").count() == 0
    stranger.get_by_role("link", name="What they do to me").click()
    expect(stranger.locator("table.heat")).to_be_visible()
    page.get_by_role("button", name="Take the link back").click()
    answer = stranger.goto(link)
    assert answer is not None and answer.status == 404


def test_a_faction_is_found_by_how_its_words_begin(visitors: Visitors) -> None:
    page = visitors.arrive(size=PHONE, touch=True)
    page.goto("/lists/new/?system=horus-heresy")
    factions = page.locator("#id_faction option")
    every = factions.count()
    for typed, found in (
        ("fist", ["Imperial Fists"]),
        ("emperor’s", ["Emperor's Children"]),
        ("ord", ["Night Lords", "Word Bearers"]),
    ):
        page.get_by_label("Search a faction").fill(typed)
        expect(factions).to_have_text(found)
    page.get_by_label("Search a faction").fill("al")
    expect(factions).to_have_text(["Alpha Legion"])  # and not Imperial Fists
    expect(page.get_by_text("Nothing is called that")).to_be_hidden()
    page.get_by_label("Search a faction").fill("eldar")
    expect(page.get_by_text("Nothing is called that")).to_be_visible()
    expect(factions).to_have_count(every)


def test_a_form_that_is_refused_opens_at_what_is_wrong(visitors: Visitors) -> None:
    """The games stand above the form of a new list: why it did not begin was below the fold of a phone."""
    page = visitors.arrive(size=PHONE, touch=True)
    page.goto("/lists/new/?system=horus-heresy")
    page.locator("#id_points_limit").fill("-5")
    with page.expect_navigation():
        page.locator("main form").evaluate("form => { form.noValidate = true; form.requestSubmit(); }")
    wrong = page.locator(".field__error")
    expect(wrong).to_have_count(1)
    expect(wrong).to_be_focused()
    expect(wrong).to_be_in_viewport()


def test_units_of_another_game_are_browsed_by_its_own_lists(visitors: Visitors) -> None:
    page = visitors.arrive(size=PHONE)
    page.goto("/units/")
    page.select_option("#id_faction", label="Sons of Horus")
    expect(page).to_have_url(re.compile("faction=sons-of-horus"))
    page.select_option("#id_system", "epic")
    faction = page.locator("#id_faction")
    expect(faction.locator("option", has_text="Armageddon Steel Legion")).to_have_count(1)
    expect(faction.locator("option", has_text="Sons of Horus")).to_have_count(0)
    expect(page.locator("#units tbody tr").first).to_be_visible()
    shot(page, "units")
    page.fill("#id_q", "tank compny")
    expect(page.locator("#units tbody tr").first).to_contain_text("Tank Company")
    page.fill("#id_q", "zzzz")
    expect(page.locator("#units")).to_contain_text("once a faction is chosen")
    page.go_back()  # what is typed and narrowed is no step of its own
    expect(faction.locator("option", has_text="Sons of Horus")).to_have_count(1)
    page.select_option("#id_faction", label="Sons of Horus")
    page.fill("#id_q", "combi-melta")  # what may be taken is found too
    expect(page.locator("#units tbody tr").first).to_be_visible()


RIGHT_OF_TEXT = """price => {
  const text = document.createRange();
  text.selectNodeContents(price);
  return text.getBoundingClientRect().right;
}"""


def test_the_price_of_a_long_repair_stays_within_its_chip(visitors: Visitors) -> None:
    page = visitors.arrive(size=PHONE, touch=True)
    page.goto("/design/")
    chip = page.locator(".chip--repair").first
    words = "Archers: 10 → 20 × Archers; Halberdiers: 10 → 31 × Halberdiers; Swordsmen: 10 → 31 × Swordsmen"
    chip.locator("span").first.evaluate("(place, words) => { place.textContent = words; }", words)
    whole = chip.bounding_box()
    assert whole
    assert whole["height"] >= 50, "the words are long enough to wrap"
    assert chip.locator(".chip__price").evaluate(RIGHT_OF_TEXT) <= whole["x"] + whole["width"] - 12


def test_what_is_offered_beside_a_finding_comes_when_the_server_has_time(visitors: Visitors) -> None:
    page, refused = visitors.arrive(), []

    def too_much_to_do(route: Route) -> None:
        refused.append(route.request.url)
        route.fulfill(status=503, headers={"Retry-After": "1"}, body="")

    page.route(re.compile(r"/repair/\?chip"), too_much_to_do, times=1)
    with page.expect_response(lambda answer: answer.ok and answer.url in refused):
        own_list(page, "A Muster in Haste")
    expect(page.locator("#findings .finding__chip .chip--repair").first).to_be_visible()
    expect(page.locator(".toast").filter(visible=True)).to_have_count(0)


def test_a_finding_for_which_nothing_is_offered_keeps_no_empty_place(visitors: Visitors) -> None:
    page, asked = visitors.arrive(), re.compile(r"/repair/\?chip")
    page.route(asked, lambda route: route.fulfill(content_type="text/html", body="\n\n"))
    with page.expect_response(asked):
        own_list(page, "A Muster in Haste")
    expect(page.locator(".finding__chip.htmx-request")).to_have_count(0)
    heights = page.locator(".finding__chip.only-js").evaluate_all("all => all.map(one => one.offsetHeight)")
    assert heights and set(heights) == {0}


def test_what_is_written_on_paper_is_asked_for_in_pairs_on_a_phone(visitors: Visitors) -> None:
    page = visitors.arrive(size=PHONE, touch=True)
    page.goto("/")
    page.locator("section.panel form[action*=copy] button").first.tap()
    page.wait_for_url("**/lists/*/**")
    page.goto(f"{page.url.split('?')[0].split('#')[0]}exports/")
    fields = page.locator("form[action='pdf/'] .field")
    tops = [field.evaluate("e => Math.round(e.getBoundingClientRect().top)") for field in fields.all()]
    assert len(tops) >= 6
    assert tops[::2] == [*tops[1::2], *tops[::2][len(tops[1::2]) :]]
    lefts = {field.evaluate("e => Math.round(e.getBoundingClientRect().left)") for field in fields.all()}
    assert len(lefts) == 2


CUT_WORDS = """selects => selects.filter(it => {
  const pen = document.createElement("canvas").getContext("2d"), style = getComputedStyle(it);
  pen.font = style.font;
  const room = it.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  return pen.measureText(it.selectedOptions[0].text).width > room;
}).map(it => it.selectedOptions[0].text)"""
"""Chosen words of which a reader sees only the beginning."""


def test_what_is_chosen_for_paper_is_read_whole(visitors: Visitors) -> None:
    page = visitors.arrive(size=DESKTOP)
    page.goto(f"{own_list(page).split('?')[0].split('#')[0]}exports/")
    chosen = page.locator("form[action='pdf/'] select")
    assert chosen.count() >= 4
    assert chosen.evaluate_all(CUT_WORDS) == []


def test_states_of_a_list_have_their_tools_at_one_place(visitors: Visitors) -> None:
    page = visitors.arrive(size=DESKTOP)
    address = own_list(page).split("?")[0].split("#")[0]
    page.locator(".unit__name").first.click()
    for number in (1, 2):
        with page.expect_response("**/edit/"):
            page.locator("#b-unit-duplicate").click()
        expect(page.locator("#revision")).to_have_value(str(number + 1))
    page.goto(f"{address}history/")
    rows = page.locator(".states > li")
    expect(rows).to_have_count(3)
    beside = """row => {
      const words = row.querySelector(".grow").getBoundingClientRect();
      return [...row.querySelectorAll(".row > .row > *")].every(it => it.getBoundingClientRect().left >= words.right);
    }"""
    assert [row.evaluate(beside) for row in rows.all()] == [True] * 3


def test_a_rule_with_a_long_name_stays_within_its_unit(visitors: Visitors) -> None:
    page = visitors.arrive(size=DESKTOP)
    own_list(page)
    page.locator(".unit__name").first.click()
    chip = page.locator("#detail .texts summary.chip").first
    chip.evaluate("(chip, words) => { chip.textContent = words; }", "How to add an allied detachment " * 6)
    pane, chip_box = page.locator("#detail").bounding_box(), chip.bounding_box()
    assert pane and chip_box
    assert chip_box["x"] + chip_box["width"] <= pane["x"] + pane["width"]


def test_what_closes_is_an_icon_everywhere(visitors: Visitors) -> None:
    page = visitors.arrive()
    page.goto("/")
    closing = page.locator("[data-close]")
    assert closing.count()
    page.keyboard.press("?")
    expect(page.locator("#dialog [data-close] svg")).to_be_visible()
    assert page.content().count("×</button>") == 0


@mainly_on(PHONE)
def test_where_names_will_stand_above_a_typed_list_is_no_empty_strip(visitors: Visitors, size: dict[str, int]) -> None:
    page = visitors.arrive(size=size, touch=size is PHONE)
    page.goto(own_list(page).split("?")[0] + "typed/")
    text, hint = page.locator("#typed-text"), page.get_by_text("Begin a name")
    expect(hint).to_be_visible()
    before = text.evaluate("e => e.offsetTop")
    text.fill("Praet")
    expect(page.locator("#typed-words button").first).to_be_visible()
    expect(hint).to_be_hidden()
    assert text.evaluate("e => e.offsetTop") == before
    text.press("Escape")
    expect(hint).to_be_visible()
