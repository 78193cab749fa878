"""Share takes one tap: the link is made and goes to the phone's own ways of sending, or is copied."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import DESKTOP, PHONE, Visitors
from tests.browser.test_hand import arrive, press, troops_list

SHARE_SHEET = """navigator.share = sent => { window.sent = sent; return Promise.resolve(); }"""
"""The share sheet of a phone, which a browser without windows lacks; it keeps what it was given."""


def test_share_gives_the_link_to_the_phone_at_once(visitors: Visitors) -> None:
    page = arrive(visitors, PHONE)
    page.add_init_script(SHARE_SHEET)
    troops_list(page, "Tactical Squad")
    press(page, page.locator(".dock").get_by_text("Share"))
    address = page.locator("#share input[type=url]")
    expect(address).to_have_value(re.compile("/s/"))
    page.wait_for_function("window.sent")
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
