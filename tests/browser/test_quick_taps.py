"""Taps on a counter: shown at once, sent as one number, in their order with what else was asked for, never lost."""

import re

import pytest
from playwright.sync_api import Locator, Page, Request, Route, expect

from tests.browser.builder_page import BuilderPage
from tests.browser.conftest import DESKTOP, PHONE, Visitors

TAP = "(button, times) => { for (let tap = 0; tap < times; tap += 1) { button.click(); } }"
"""Quicker than any rest, however slow the machine is."""

LONGER_THAN_A_REST_MS = 400
FOUR_SECONDS_MS = 4000

TAP_AND_SEE = """button => {
  const open = XMLHttpRequest.prototype.open;
  let said = "nothing";
  XMLHttpRequest.prototype.open = function (verb, ...rest) { said = verb; return open.call(this, verb, ...rest); };
  button.click();
  XMLHttpRequest.prototype.open = open;
  return said;
}"""
"""A tap, and what was asked of the server before it ended."""


def tactical_squad(page: Page) -> BuilderPage:
    """A new list with one squad, which is open; what is to be found out about it has been."""
    builder = BuilderPage(page)
    builder.start("Sons of Horus", 3000, allegiance="traitor")
    builder.add("Troops", "Tactical Squad")
    at_rest(page)
    return builder


def at_rest(page: Page) -> None:
    """Nothing was asked for that the list does not know yet."""
    expect(page.locator("html")).not_to_have_class(re.compile("is-busy"))


def edits_of(page: Page) -> list[str]:
    """What is sent from now on, one line a request."""
    sent: list[str] = []

    def note(request: Request) -> None:
        if request.url.endswith(("/edit/", "/hero/")):
            sent.append(request.post_data or "")

    page.on("request", note)
    return sent


def asked(sent: list[str]) -> list[str]:
    """What each request asks for, in short."""
    found = [re.search(r"undo|amount=\d+(?=&|$)", one) for one in sent]
    return [one[0] if one else "" for one in found]


def models(builder: BuilderPage) -> tuple[Locator, Locator, Locator]:
    """The counter of the squad's models: its number, its - and its +."""
    stepper = builder.detail.locator(".stepper").first
    return (
        stepper.locator("input[type=number]"),
        stepper.locator("[data-step='-1']"),
        stepper.locator("[data-step='1']"),
    )


def test_of_five_quick_taps_the_first_goes_at_once_and_the_others_as_one(visitors: Visitors) -> None:
    page = visitors.arrive(size=PHONE, touch=True)
    builder = tactical_squad(page)
    number, _, more = models(builder)
    count, before = int(number.input_value()), builder.points.inner_text()
    sent = edits_of(page)
    more.evaluate(TAP, 5)
    assert number.input_value() == str(count + 5)
    expect(builder.points).not_to_have_text(before)
    at_rest(page)
    expect(number).to_have_value(str(count + 5))
    assert asked(sent)[-1] == f"amount={count + 5}" and len(sent) <= 2, sent

    for _ in sent.copy():
        page.locator("#b-dock-undo").tap()
        at_rest(page)
    expect(builder.points).to_have_text(before)
    expect(number).to_have_value(str(count))


def test_taps_that_come_back_to_where_they_began_end_there(visitors: Visitors) -> None:
    page = visitors.arrive(size=PHONE, touch=True)
    builder = tactical_squad(page)
    number, less, more = models(builder)
    count, before = int(number.input_value()), builder.points.inner_text()
    sent = edits_of(page)
    more.evaluate(
        "(more, less) => [more, more, less, less, more, less].forEach(one => one.click())", less.element_handle()
    )
    at_rest(page)
    expect(number).to_have_value(str(count))
    expect(builder.points).to_have_text(before)
    assert asked(sent) in ([], [f"amount={count + 1}", f"amount={count}"])


def test_a_single_tap_is_sent_without_a_rest(visitors: Visitors) -> None:
    """Unless the answer before was late, as on a slow line: so more than one tap is tried."""
    page = visitors.arrive(size=PHONE, touch=True)
    builder = tactical_squad(page)
    *_, more = models(builder)
    said = []
    for _ in range(8):
        said.append(more.evaluate(TAP_AND_SEE))
        at_rest(page)
        page.wait_for_timeout(LONGER_THAN_A_REST_MS)
        if "POST" in said:
            break
    assert said[-1] == "POST", said


@pytest.mark.parametrize("latency_ms", [400, 2000])
def test_five_quick_taps_on_slow_3g_are_there_within_four_seconds(visitors: Visitors, latency_ms: int) -> None:
    """Of the two lines that are called so, one answers five times as late; the page itself came as slowly."""
    page = visitors.arrive(size=PHONE, touch=True)
    builder = tactical_squad(page)
    number, _, more = models(builder)
    line = page.context.new_cdp_session(page)
    line.send("Network.enable")
    rate = 400_000 / 8
    slow = {"offline": False, "latency": latency_ms, "downloadThroughput": rate, "uploadThroughput": rate}
    line.send("Network.emulateNetworkConditions", slow)
    page.reload()
    at_rest(page)
    count, before = int(number.input_value()), builder.points.inner_text()
    began = page.evaluate("performance.now()")
    more.evaluate(TAP, 5)
    expect(number).to_have_value(str(count + 5), timeout=500)
    expect(page.locator("html")).to_have_class(re.compile("is-busy"), timeout=500)
    expect(builder.points).not_to_have_text(before)
    at_rest(page)
    took = page.evaluate("performance.now()") - began
    assert took <= FOUR_SECONDS_MS, took
    expect(number).to_have_value(str(count + 5))


def test_taps_keep_their_order_with_other_edits(visitors: Visitors) -> None:
    page = visitors.arrive(size=DESKTOP)
    builder = tactical_squad(page)
    number, _, more = models(builder)
    count = int(number.input_value())
    sent = edits_of(page)
    more.evaluate(
        """more => {
          for (const press of [more, more, document.querySelector("#b-undo"), more]) { press.click(); }
        }"""
    )
    at_rest(page)
    gathered = [f"amount={count + 2}", "undo", f"amount={count + 1}"]
    assert asked(sent) in (gathered, [f"amount={count + 1}", *gathered[:2], f"amount={count + 2}"])
    expect(number).to_have_value(asked(sent)[-1].removeprefix("amount="))


def test_what_is_typed_is_the_number_that_taps_go_on_from(visitors: Visitors) -> None:
    page = visitors.arrive(size=DESKTOP)
    builder = tactical_squad(page)
    number, _, more = models(builder)
    number.fill("14")
    more.click()
    at_rest(page)
    expect(number).to_have_value("15")
    page.reload()
    expect(number).to_have_value("15")
    number.fill("12")
    number.blur()
    at_rest(page)
    page.reload()
    expect(number).to_have_value("12")


def test_a_refused_number_is_put_back_and_told_beside_it(visitors: Visitors) -> None:
    page = visitors.arrive(size=PHONE, touch=True)
    builder = tactical_squad(page)
    number, _, more = models(builder)
    count = int(number.input_value())
    other = page.context.new_page()
    other.goto(builder.address)
    other.locator(".unit summary").first.tap()
    with other.expect_response("**/edit/"):
        other.locator(".unit [value^='edit=duplicate']").first.tap()
    other.close()
    more.evaluate(TAP, 3)
    told = page.locator("#refusal")
    expect(told).to_be_in_viewport()
    expect(number).to_have_value(str(count))
    assert told.evaluate("told => Boolean(told.previousElementSibling.querySelector('.stepper'))")
    told.locator("#b-repeat").tap()
    expect(number).to_have_value(str(count + 3))


def test_what_was_tapped_is_there_when_something_else_is_opened(visitors: Visitors) -> None:
    """Whatever is opened while taps rest is asked for after them, also a page that htmx knows nothing of."""
    page = visitors.arrive(size=DESKTOP)
    builder = tactical_squad(page)
    number, _, more = models(builder)
    count, mine = int(number.input_value()), page.url
    order: list[str] = []
    page.on("request", lambda request: order.append(f"{request.method} {request.url.removeprefix(builder.address)}"))
    more.evaluate("more => { more.click(); document.querySelector('.detachment__add').click(); }")
    expect(page.locator("#offer-search")).to_be_visible()
    at_rest(page)
    told = [one for one in order if one.startswith(("POST edit/", "GET ?add="))]  # chips ask for themselves at any time
    assert told[0] == "POST edit/" and len(told) == 2, told
    assert "add=" in page.url
    page.go_back()
    expect(number).to_have_value(str(count + 1))
    assert page.url == mine

    more.evaluate("more => { more.click(); more.click(); document.querySelector('a[data-key=print]').click(); }")
    page.wait_for_url("**/print/")
    expect(page.locator(".sheet")).to_contain_text(f"{count + 3} ")
    page.go_back()
    expect(number).to_have_value(str(count + 3))


def test_what_is_tapped_before_the_scripts_have_come_is_done_in_place(visitors: Visitors) -> None:
    page = visitors.arrive(size=PHONE, touch=True)
    builder = tactical_squad(page)
    number, _, more = models(builder)
    count = int(number.input_value())
    page.route("**/edits.js", lambda route: (page.wait_for_timeout(1000), route.continue_()))
    page.reload(wait_until="commit")
    expect(more).to_be_visible()
    page.evaluate("window.isTheSame = true")
    more.evaluate(TAP, 2)
    expect(number).to_have_value(str(count + 2))
    at_rest(page)
    expect(number).to_have_value(str(count + 2))
    assert page.evaluate("window.isTheSame")
    expect(page.locator("#refusal")).to_have_count(0)


def test_what_was_tapped_is_there_when_a_form_of_the_page_is_sent(visitors: Visitors) -> None:
    """A page that is asked for by a form comes after the edits, and the next edit on it is made on what it shows."""
    page = visitors.arrive(size=DESKTOP)
    builder = tactical_squad(page)
    number, _, more = models(builder)
    count = int(number.input_value())
    page.route("**/edit/", lambda route: (page.wait_for_timeout(400), route.continue_()))
    more.evaluate("more => { more.click(); document.querySelector('[name=language]').click(); }")
    expect(page.locator("html[lang=ru]")).to_be_attached()
    expect(number).to_have_value(str(count + 1))
    more.click()
    at_rest(page)
    expect(number).to_have_value(str(count + 2))
    expect(page.locator("#refusal")).to_have_count(0)


@pytest.mark.parametrize("rest_ms", [0, 150], ids=["at-once", "while-it-is-looked-for"])
def test_what_was_tapped_comes_although_something_else_is_searched_for(visitors: Visitors, rest_ms: int) -> None:
    """Units tapped one after the other, and the search written on: all of them come, and what was found stays."""
    page = visitors.arrive(size=PHONE, touch=True)
    builder = BuilderPage(page)
    builder.start("Sons of Horus", 3000, allegiance="traitor")
    page.locator(".dock [data-key=add]").tap()
    search = page.locator("#offer-search")
    search.fill("despoiler squad")
    offer = builder.offer("Despoiler Squad")
    expect(page.locator(".offer__name")).to_have_count(1)
    page.route("**/edit/", lambda route: (page.wait_for_timeout(300), route.continue_()))  # an edit takes its time
    offer.locator(".offer__add").evaluate(TAP, 3)
    search.fill("praetor")
    page.wait_for_timeout(rest_ms)
    search.fill("breacher squad")
    at_rest(page)
    expect(page.locator(".offer__name")).to_have_text(["Breacher Squad"])
    expect(search).to_have_value("breacher squad")
    expect(page.locator("#army .unit__name").filter(has_text="Despoiler Squad")).to_have_count(3)


@pytest.mark.parametrize("late_ms", [100, 1500], ids=["before-the-edit", "after-the-edit"])
def test_a_pane_that_comes_late_shows_what_was_tapped_meanwhile(visitors: Visitors, late_ms: int) -> None:
    """The add screen is asked for again, and units are tapped on the one that stands there before its answer comes."""
    page = visitors.arrive(size=DESKTOP)
    builder = BuilderPage(page)
    builder.start("Sons of Horus", 3000, allegiance="traitor")
    page.locator(".detachment__add").click()
    offer = builder.offer("Despoiler Squad")
    expect(offer).to_be_visible()
    page.route("**/edit/", lambda route: (page.wait_for_timeout(500), route.continue_()))
    page.route("**/?add=*", lambda route: (page.wait_for_timeout(late_ms), route.continue_()))
    page.evaluate("""() => {
        document.querySelector(".detachment__add").click();
        const offers = [...document.querySelectorAll(".offer")];
        const plus = offers.find(one => one.textContent.includes("Despoiler Squad")).querySelector(".offer__add");
        plus.click();
        plus.click();
    }""")
    expect(offer.locator(".offer__taken")).to_have_text("2 taken")
    at_rest(page)
    page.wait_for_timeout(late_ms + LONGER_THAN_A_REST_MS)
    expect(offer.locator(".offer__taken")).to_have_text("2 taken")
    expect(page.locator("#army .unit__name").filter(has_text="Despoiler Squad")).to_have_count(2)
    expect(page.locator("#toasts")).to_be_empty()


def test_what_was_searched_for_does_not_come_into_what_was_opened_since(visitors: Visitors) -> None:
    """An answer of the search that comes after another part of the add screen was opened leaves it alone."""
    page = visitors.arrive(size=DESKTOP)
    builder = BuilderPage(page)
    builder.start("Sons of Horus", 3000, allegiance="traitor")
    page.locator(".detachment__add").click()
    search = page.locator("#offer-search")
    expect(search).to_be_visible()
    page.route(re.compile(r"\?add=.*&q=squad"), lambda route: (page.wait_for_timeout(1500), route.continue_()))
    with page.expect_request(re.compile("q=squad")):
        search.fill("squad")
    page.locator("#detail nav.chips a", has_text="Fast Attack").click()
    expect(builder.detail.locator("h2")).to_have_text("Fast Attack")
    shown, address = page.locator(".offer__name").all_inner_texts(), page.url
    page.wait_for_timeout(1500 + LONGER_THAN_A_REST_MS)
    assert page.locator(".offer__name").all_inner_texts() == shown
    assert page.url == address
    assert "role=" in address


def test_of_two_panes_that_are_asked_for_the_last_is_shown(visitors: Visitors) -> None:
    """Back, and something else opened before the pane one went back to is there."""
    page = visitors.arrive(size=DESKTOP)
    builder = tactical_squad(page)
    builder.add("Troops", "Despoiler Squad")
    builder.open("Tactical Squad")
    builder.open("Despoiler Squad")
    page.route(re.compile(r"\?unit="), lambda route: (page.wait_for_timeout(600), route.continue_()))
    with page.expect_request(re.compile(r"\?unit=")):
        page.go_back(wait_until="commit")
    builder.units.filter(has_text="Despoiler Squad").locator(".unit__open").click()
    expect(builder.detail.locator("h2").first).to_have_text("Despoiler Squad")
    page.wait_for_timeout(1200 + LONGER_THAN_A_REST_MS)
    expect(builder.detail.locator("h2").first).to_have_text("Despoiler Squad")
    expect(page.locator("#toasts")).to_be_empty()


def test_what_is_looked_for_stays_when_another_role_is(visitors: Visitors) -> None:
    page = visitors.arrive(size=PHONE, touch=True)
    BuilderPage(page).start("Sons of Horus", 3000, allegiance="traitor")
    page.locator(".dock [data-key=add]").tap()
    page.locator("label", has=page.locator("#only-points")).tap()
    page.locator("#offer-search").fill("squad")
    expect(page).to_have_url(re.compile("q=squad&only=points"))
    page.locator("#detail nav.chips a", has_text="Elites").tap()
    expect(page.locator("#detail h2")).to_have_text("Elites")
    expect(page.locator("#offer-search")).to_have_value("squad")
    expect(page.locator("#only-points")).to_be_checked()
    found = page.locator(".offer__name").all_inner_texts()
    assert found
    page.locator("label", has=page.locator("#only-points")).tap()
    page.locator("#offer-search").fill("")
    expect(page.locator(".offer__name")).not_to_have_count(len(found))
    page.locator("#detail nav.chips a", has_text="All").tap()
    expect(page.locator("#detail h2")).to_have_text("Add units")
    expect(page.locator("#only-points")).not_to_be_checked()
    expect(page.locator("#offer-search")).to_have_value("")


def test_two_quick_steps_back_ask_for_the_last_alone(visitors: Visitors) -> None:
    """And something is opened before it is there: none of what was called off is a failure of the page."""
    page = visitors.arrive(size=DESKTOP)
    builder = tactical_squad(page)
    builder.add("Troops", "Despoiler Squad")
    builder.open("Tactical Squad")
    builder.open("Despoiler Squad")
    page.route(re.compile(r"\?(unit|add)="), lambda route: (page.wait_for_timeout(600), route.continue_()))
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url.removeprefix(builder.address)))
    with page.expect_request(re.compile(r"\?unit=")):
        page.go_back(wait_until="commit")
    page.go_back(wait_until="commit")
    page.wait_for_timeout(100)  # while the one before is being asked for
    builder.open("Tactical Squad")
    page.wait_for_timeout(LONGER_THAN_A_REST_MS)
    panes = [one for one in sent if one.startswith("?")]
    assert len(panes) == 3, panes


def test_a_step_back_that_waits_for_an_edit_is_given_up_for_what_is_opened(visitors: Visitors) -> None:
    page = visitors.arrive(size=DESKTOP)
    builder = tactical_squad(page)
    builder.add("Troops", "Despoiler Squad")
    builder.open("Tactical Squad")
    page.route("**/edit/", lambda route: (page.wait_for_timeout(400), route.continue_()))
    page.route(re.compile(r"\?(unit|add)="), lambda route: (page.wait_for_timeout(1500), route.continue_()))
    *_, more = models(builder)
    with page.expect_request(re.compile(r"\?unit=")):
        more.evaluate("more => { more.click(); history.back(); }")
    builder.open("Tactical Squad")
    at_rest(page)


def test_a_star_stays_whatever_was_on_its_way(visitors: Visitors) -> None:
    page = visitors.arrive(size=DESKTOP)
    builder = BuilderPage(page)
    builder.start("Sons of Horus", 3000, allegiance="traitor")
    page.locator(".detachment__add").click()
    star = builder.offer("Despoiler Squad").locator(".offer__star")
    expect(star).to_have_attribute("aria-pressed", "false")

    def later(route: Route) -> None:
        answer = route.fetch()
        page.wait_for_timeout(600)
        route.fulfill(response=answer)

    page.route("**/?add=*", later)
    with page.expect_response("**/?add=*"):
        page.evaluate("""() => {
            document.querySelector(".detachment__add").click();
            setTimeout(() => document.querySelector("[aria-label^='Despoiler Squad'].offer__star").click(), 300);
        }""")
    page.wait_for_timeout(LONGER_THAN_A_REST_MS)
    expect(star).to_have_attribute("aria-pressed", "true")


def test_back_is_not_taken_back_by_an_edit_that_was_on_its_way(visitors: Visitors) -> None:
    page = visitors.arrive(size=PHONE, touch=True)
    builder = tactical_squad(page)
    page.goto(builder.address)
    builder.units.first.locator(".unit__open").tap()
    *_, more = models(builder)
    before = builder.points.inner_text()
    more.evaluate("more => { more.click(); history.back(); }")
    expect(builder.points).not_to_have_text(before)
    at_rest(page)
    expect(builder.detail).to_be_hidden()
    expect(page).to_have_url(builder.address)


def test_a_dial_of_a_hero_counts_taps_too(visitors: Visitors) -> None:
    page = visitors.arrive(size=PHONE, touch=True)
    page.goto("/lists/new/?system=relic")
    page.locator("#id_character").select_option("Ultramarines Captain")
    page.locator("main form .button--main").last.tap()
    strength = page.locator("#n-strength")
    value = int(strength.input_value())
    sent = edits_of(page)
    page.locator("#strength-less").evaluate(TAP, value + 3)
    assert strength.input_value() == "0"
    at_rest(page)
    assert len(sent) <= 2
    expect(page.locator("#strength-less")).to_be_disabled()
    page.reload()
    expect(strength).to_have_value("0")
