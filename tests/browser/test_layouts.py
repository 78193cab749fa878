"""An organiser writes a layout, and a player copies his list in it."""

import re

from playwright.sync_api import expect

from tests.browser.builder_page import BuilderPage
from tests.browser.conftest import PHONE, Visitors, shot


def test_a_layout_is_written_tried_handed_on_and_used(visitors: Visitors) -> None:
    organiser = visitors.arrive()
    organiser.goto("/layouts/")
    organiser.locator("#layout-name").fill("Autumn Cup")
    organiser.locator("#layout-source").fill("LIST: {{ name }}\n{% if %}")
    organiser.get_by_role("button", name="Keep it").click()
    expect(organiser.get_by_role("alert")).to_contain_text("Line 2 of the layout")
    expect(organiser.locator("#layout-name")).to_have_value("Autumn Cup")
    each = "{{ unit.count }} {{ unit.title }} = {{ unit.points }}"
    source = f"CUP LIST: {{{{ name }}}}\n{{% for unit in units %}}{each}\n{{% endfor %}}"
    organiser.locator("#layout-source").fill(source)
    organiser.get_by_role("button", name="Try it with a sample").click()
    expect(organiser.locator("#layout-shown")).to_have_value(re.compile("^CUP LIST: "))
    organiser.get_by_role("button", name="Keep it").click()
    expect(organiser.locator("h1")).to_have_text("Autumn Cup")
    shot(organiser, "layout-own", whole=True)
    address = organiser.url

    player = BuilderPage(visitors.arrive(size=PHONE, touch=True))
    player.start("Sons of Horus", 1000, allegiance="traitor", name="For the cup")
    player.add("HQ", "Praetor")
    player.page.goto(address)
    expect(player.page.locator("form[method=post]").get_by_role("button", name="Keep it")).to_have_count(0)
    player.page.get_by_role("button", name="Show it in this layout").click()
    expect(player.page.locator("#piece-1")).to_have_value("CUP LIST: For the cup\n1 Praetor = 120\n")
    shot(player.page, "layout-used-phone")
    with player.page.expect_download() as saved:
        player.page.get_by_role("link", name="Save as a file").click()
    assert saved.value.path().read_text() == "CUP LIST: For the cup\n1 Praetor = 120\n"
