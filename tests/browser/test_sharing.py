"""Share takes one tap: the link is made and goes to the phone's own ways of sending, or is copied."""

import re

from playwright.sync_api import expect

from tests.browser.builder_page import BuilderPage
from tests.browser.conftest import DESKTOP, PHONE, Visitors
from tests.browser.hands import arrive, press, troops_list

SHARE_SHEET = """navigator.share = sent => { window.sent = sent; return Promise.resolve(); }"""
"""The share sheet of a phone, which a browser without windows lacks; it keeps what it was given."""


def test_share_gives_the_link_to_the_phone_at_once(visitors: Visitors) -> None:
    page = arrive(visitors, PHONE)
    page.add_init_script(SHARE_SHEET)
    troops_list(page, "Tactical Squad")
    press(page, page.locator(".dock").get_by_text("Share"))
    address = page.locator("#share input[type=url]")
    expect(address).to_have_value(re.compile("/s/"))
    page.wait_for_function("() => window.sent")
    assert page.evaluate("sent.url") == address.input_value()
    page.evaluate("window.sent = null")
    press(page, page.get_by_role("button", name="Send…"))
    assert page.evaluate("sent.url") == address.input_value()
    expect(page.get_by_label("Who finds it")).to_be_hidden()
    press(page, page.get_by_text("Another link"))
    expect(page.get_by_label("Who finds it")).to_be_visible()


def test_share_copies_the_link_at_once(visitors: Visitors) -> None:
    page = arrive(visitors, DESKTOP)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    troops_list(page, "Tactical Squad")
    press(page, page.get_by_role("button", name="Share", exact=True))
    expect(page.locator("#share [data-handed-on]")).to_have_text("Copied")
    address = page.locator("#share input[type=url]")
    assert page.evaluate("navigator.clipboard.readText()") == address.input_value()
    assert page.request.get(address.input_value()).status == 200
    page.go_back()
    press(page, page.get_by_role("button", name="Share", exact=True))
    expect(page.locator("#share [data-handed-on]")).to_have_text("Copied")
    expect(address).to_have_count(1)


def test_a_frozen_link_stays_and_a_live_one_follows_and_chats_see_them(visitors: Visitors) -> None:
    owner = BuilderPage(visitors.arrive())
    owner.start("Sons of Horus", 2000, allegiance="traitor", name="Autumn muster")
    owner.add("HQ", "Praetor")
    mine = owner.address
    links = {}
    for shows in ("live", "frozen"):
        owner.page.goto(f"{mine}share/")
        if shows == "frozen":
            press(owner.page, owner.page.get_by_text("Another link"))
        owner.page.get_by_label("and shows the list").select_option(shows)
        press(owner.page, owner.page.get_by_role("button", name="Create link"))
        expect(owner.page.locator("#share input[type=url]")).to_have_count(len(links) + 1)
        found = [one.input_value() for one in owner.page.locator("#share input[type=url]").all()]
        links[shows] = next(one for one in found if one not in links.values())
    owner.page.goto(mine)
    owner.add("Troops", "Tactical Squad")

    reader = visitors.arrive(size=PHONE, touch=True)
    for shows, points in (("live", 220), ("frozen", 120)):
        reader.goto(links[shows])
        expect(reader.locator("main")).to_contain_text("Praetor")
        expect(reader.get_by_text("Tactical Squad").first).to_have_count(1 if shows == "live" else 0)

        def tag(name: str) -> str:
            return reader.locator(f'meta[property="og:{name}"]').get_attribute("content") or ""

        assert tag("title") == f"Autumn muster – {points} pts"
        assert tag("description").endswith("Verdict: illegal")
        picture = reader.request.get(tag("image"))
        assert (picture.status, picture.headers["content-type"]) == (200, "image/png")
        assert picture.body().startswith(b"\x89PNG")
    owner.page.goto(f"{mine}share/")
    for _ in links:
        press(owner.page, owner.page.get_by_role("button", name="Revoke").first)
        owner.page.wait_for_timeout(300)
    expect(owner.page.locator("#share input[type=url]")).to_have_count(0)
    for address in links.values():
        answer = reader.goto(address)
        assert answer is not None and answer.status == 404
