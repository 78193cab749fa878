"""An organiser looks at the lists of his event on a phone."""

import re
from secrets import token_hex

from playwright.sync_api import expect

from tests.browser.conftest import PHONE, Visitors, shot


def test_the_table_of_an_event_is_no_taller_than_its_reasons(visitors: Visitors) -> None:
    """A column that was as narrow as a word made a line of each, and a screen of each player."""
    organiser = visitors.arrive(size=PHONE)
    organiser.goto("/accounts/sign-up/")
    name = f"organiser-{token_hex(4)}"
    organiser.locator("main [name=username]").fill(name)
    for field in organiser.locator("main input[type=password]").all():
        field.fill("a long enough password 7")
    organiser.locator("main form .button--main").click()
    expect(organiser.locator(".account-name")).to_have_text(name)
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
    assert box["height"] < 260, box
    named = row.locator(".named a").bounding_box()
    assert named is not None
    assert named["height"] <= 48, "a word of its name in each line"
