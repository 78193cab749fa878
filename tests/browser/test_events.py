"""An organiser looks at the lists of his event on a phone."""

import re
from secrets import token_hex
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, Visitors, mainly_in, shot


def signed_up(visitors: Visitors, **arrives: Any) -> Page:
    """Somebody with a new account."""
    page = visitors.arrive(**arrives)
    page.goto("/accounts/sign-up/")
    name = f"organiser-{token_hex(4)}"
    page.locator("main [name=username]").fill(name)
    for field in page.locator("main input[type=password]").all():
        field.fill("a long enough password 7")
    page.locator("main form .button--main").click()
    expect(page.locator(".account-name")).to_have_text(name)
    return page


def test_the_table_of_an_event_is_no_taller_than_its_reasons(visitors: Visitors) -> None:
    """A column that was as narrow as a word made a line of each, and a screen of each player."""
    organiser = signed_up(visitors, size=PHONE)
    organiser.goto("/events/new/")
    organiser.fill("[name=name]", "Summer cup")
    organiser.select_option("[name=system]", "horus-heresy")
    organiser.fill("[name=points_limit]", "500")
    organiser.locator("main details", has=organiser.locator("[name=caps]")).locator("summary").click()
    organiser.fill("[name=caps]", "Troops: 0\nHQ: 0")
    organiser.locator("main form .button--main").first.click()
    address = organiser.locator("#event-link").input_value()
    player = visitors.arrive()
    player.goto("/")
    links = player.locator('a[href^="/s/"]').evaluate_all("all => all.map(one => one.getAttribute('href'))")
    shared = next(
        one for one in links if player.request.get(f"/api/v1/shared{one[2:]}").json()["system"] == "horus-heresy"
    )
    player.goto(address)
    player.fill("[name=player]", "Mara")
    player.fill("[name=share]", f"{visitors.site}{shared}")
    player.locator("main form .button--main").first.click()
    expect(player).to_have_url(re.compile(r"/e/[^/]+/[^/]+/$"))
    organiser.reload()
    row = organiser.locator("tbody tr", has_text="Mara")
    expect(row.locator("li")).to_have_count(3)
    shot(organiser, "event-table-390", whole=True)
    box = row.bounding_box()
    assert box is not None
    assert box["height"] < 400, box
    assert organiser.locator(".scroll-x").evaluate("it => it.scrollWidth - it.clientWidth") == 0
    expect(row.get_by_text("legal", exact=True)).to_be_visible()
    named = row.locator(".named a").bounding_box()
    assert named is not None
    assert named["height"] <= 48, "a word of its name in each line"


@mainly_in("ru")
def test_a_deadline_stands_beside_the_time_of_the_readers_clock(visitors: Visitors, language: str) -> None:
    organiser = signed_up(visitors, zone="UTC")
    organiser.goto("/events/new/")
    organiser.fill("[name=name]", "Summer cup")
    organiser.fill("[name=points_limit]", "500")
    organiser.fill("[name=deadline]", "2030-07-10T22:30")
    organiser.locator("main form .button--main").first.click()
    link = organiser.locator("#event-link").input_value()
    expect(organiser.get_by_text("by your clock")).to_have_count(0)
    far = visitors.arrive(language=language, size=PHONE, zone="Europe/Moscow")
    far.goto(link)
    told = {
        "en": "Lists are locked at 10 July 2030, 22:30 (UTC), 11 July 2030 at 01:30 by your clock",
        "ru": "Ростеры закрываются 10 июля 2030, 22:30 (UTC), по вашим часам 11 июля 2030 г. в 01:30",
    }
    expect(far.locator("main li", has_text="2030")).to_have_text(told[language])
    shot(far, "event-390-elsewhere", whole=True)
