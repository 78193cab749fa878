"""A reader suggests changes of a shared list and comments on it; its owner sees the difference and takes it."""

from playwright.sync_api import expect

from tests.browser.builder_page import BuilderPage
from tests.browser.conftest import PHONE, Visitors, shot


def test_a_change_is_suggested_and_taken(visitors: Visitors) -> None:
    owner = BuilderPage(visitors.arrive())
    owner.start("Sons of Horus", 2000, allegiance="traitor", name="Open to ideas")
    owner.add("HQ", "Praetor")
    mine = owner.address
    owner.page.goto(f"{mine}share/")
    owner.page.get_by_label("Readers may comment and suggest changes").check()
    shot(owner.page, "share-with-replies", whole=True)
    owner.page.get_by_role("button", name="Create link").click()
    link = owner.page.locator("#share input[type=url]").first.input_value()

    reader = BuilderPage(visitors.arrive(size=PHONE, touch=True))
    reader.page.goto(link)
    comments = reader.page.locator("#comments")
    comments.get_by_label("Your name").fill("Ann")
    comments.get_by_label("What you want to say").fill("Who holds the middle?")
    comments.get_by_role("button", name="Comment").click()
    expect(reader.page.locator("#comments")).to_contain_text("Who holds the middle?")
    shot(reader.page, "shared-comments-phone", whole=True)
    reader.page.get_by_role("button", name="Suggest changes").click()
    expect(reader.units).to_have_count(1)
    draft = reader.address
    reader.page.locator(".role__head").filter(has_text="Troops").locator("a.button--icon").click()
    reader.detail.locator(".offer__add").first.click()
    expect(reader.detail.locator(".offer__taken").first).to_be_visible()
    reader.page.goto(draft)
    reader.page.get_by_role("link", name="See the changes and send them").click()
    expect(reader.page.locator(".differences li").first).to_contain_text("new")
    reader.page.get_by_label("Your name").fill("Ann")
    reader.page.get_by_label("What you want to say").fill("Take some boots")
    shot(reader.page, "suggest-phone", whole=True)
    reader.page.get_by_role("button", name="Send the suggestion").click()
    expect(reader.page.get_by_text("Your suggestion was sent")).to_be_visible()

    owner.page.goto(mine)
    expect(owner.units).to_have_count(1)
    owner.page.get_by_role("link", name="Look at what would change").click()
    expect(owner.page.locator(".suggestion")).to_contain_text("Ann suggests")
    expect(owner.page.locator(".suggestion .differences")).to_contain_text("new")
    shot(owner.page, "replies", whole=True)
    owner.page.get_by_role("button", name="Take it").click()
    expect(owner.units).to_have_count(2)
    owner.page.locator("#b-undo").click()
    expect(owner.units).to_have_count(1)
    owner.page.goto(f"{mine}replies/")
    expect(owner.page.get_by_text("taken", exact=True)).to_be_visible()


def test_a_public_list_is_found_by_a_stranger(visitors: Visitors) -> None:
    page = visitors.arrive()
    page.goto("/accounts/sign-up/")
    page.locator("#id_username").fill("herald")
    page.locator("input[type=password]").nth(0).fill("a long enough password 7")
    if page.locator("input[type=password]").count() > 1:
        page.locator("input[type=password]").nth(1).fill("a long enough password 7")
    page.locator("main form .button--main").first.click()
    builder = BuilderPage(page)
    builder.start("Sons of Horus", 1000, allegiance="traitor", name="Seen by all")
    page.goto(f"{builder.address}share/")
    page.locator("#id_found").select_option("public")
    page.get_by_role("button", name="Create link").click()
    expect(page.locator("#share")).to_contain_text("public")
    stranger = visitors.arrive(language="ru")
    stranger.goto("/public/?q=seen")
    shot(stranger, "public-ru", whole=True)
    stranger.get_by_role("link", name="Seen by all").click()
    expect(stranger.locator("h1").first).to_contain_text("Seen by all")
