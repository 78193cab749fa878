"""The life of lists on the shelf, by hand: folders, tags, archive, bin, named states, variants, late edits."""

from playwright.sync_api import Page, expect

from tests.browser.builder_page import BuilderPage
from tests.browser.conftest import DESKTOP, PHONE, Visitors, shot


def cards(page: Page) -> list[str]:
    """Names of the lists that are shown."""
    return page.locator(".list-row__name a").all_inner_texts()


def tick(page: Page, *names: str) -> None:
    """Open what is done to several lists, and tick some."""
    page.goto("/lists/")
    page.locator("summary", has_text="Several at once").click()
    for name in names:
        page.get_by_role("checkbox", name=name, exact=True).check()


def test_lists_are_filed_found_put_away_and_brought_back(visitors: Visitors) -> None:
    page = visitors.arrive()
    builder = BuilderPage(page)
    for name in ("Autumn muster", "Winter muster", "Old draft"):
        builder.start("Sons of Horus", 1000, allegiance="traitor", name=name)
    tick(page, "Autumn muster", "Winter muster")
    ticked, named = (
        page.locator(".list-row").first.locator(part).bounding_box() for part in (".list-row__tick", ".list-row__name")
    )
    assert ticked is not None and named is not None
    assert named["x"] - ticked["x"] - ticked["width"] >= 8, "a tick stood on the name beside it"
    page.locator("#several-folder").fill("Club")
    page.get_by_role("button", name="Into the folder").click()
    tick(page, "Winter muster")
    page.locator("#several-tags").fill("painted, cup")
    page.get_by_role("button", name="Tag", exact=True).click()
    page.locator("#list-folder").select_option("Club")
    expect(page.locator(".list-row")).to_have_count(2)
    page.locator("#list-search").fill("painted")
    expect(page.locator(".list-row")).to_have_count(1)
    assert cards(page) == ["Winter muster"]
    shot(page, "shelf-folder", whole=True)

    tick(page, "Old draft")
    page.get_by_role("button", name="Into the archive").click()
    expect(page.locator(".list-row")).to_have_count(2)
    page.get_by_role("link", name="Archive: lists put away").click()
    expect(page.locator("h1")).to_have_text("Archive")
    assert cards(page) == ["Old draft"]
    page.locator("summary", has_text="Several at once").click()
    shot(page, "shelf-archive", whole=True)
    page.get_by_role("checkbox", name="Old draft").check()
    page.get_by_role("button", name="Back to the shelf").click()
    expect(page.locator(".list-row")).to_have_count(3)

    tick(page, "Old draft", "Autumn muster")
    page.locator("#several").get_by_role("button", name="Delete").click()
    expect(page.locator(".list-row")).to_have_count(1)
    page.get_by_role("link", name="Bin: deleted lists").click()
    page.locator(".list-row").filter(has_text="Autumn muster").get_by_role("button", name="Restore").click()
    page.goto("/lists/")
    assert sorted(cards(page)) == ["Autumn muster", "Winter muster"]


def test_what_leads_back_from_the_bin_is_one_line(visitors: Visitors) -> None:
    """On a phone its word stood letter below letter, in a column made for three dots."""
    for language, size in (("ru", PHONE), ("en", PHONE), ("ru", DESKTOP)):
        page = visitors.arrive(language=language, size=size)
        BuilderPage(page).start("Sons of Horus" if language == "en" else "Сыны Хоруса", 1000, name="Old draft")
        page.goto("/lists/")
        page.locator("#several-fold summary").click()
        page.get_by_role("checkbox", name="Old draft", exact=True).check()
        page.locator("#several button[value=delete]").click()
        page.goto("/lists/?bin=1")
        row, back = (page.locator(part).bounding_box() for part in (".list-row", ".list-row form button"))
        assert row is not None and back is not None
        assert back["height"] <= 48 and back["x"] + back["width"] <= row["x"] + row["width"]
        shot(page, f"bin-{language}-{size['width']}")


def test_a_state_is_named_and_a_variant_of_it_kept_beside_the_list(visitors: Visitors) -> None:
    page = visitors.arrive()
    builder = BuilderPage(page)
    builder.start("Sons of Horus", 2000, allegiance="traitor", name="Speartip")
    builder.add("HQ", "Praetor")
    mine = builder.address
    page.goto(f"{mine}history/")
    newest = page.locator("ol > li").first
    newest.locator("summary").click()
    newest.get_by_label("Name of this state").fill("Praetor alone")
    newest.get_by_role("button", name="Name it").click()
    expect(page.locator("ol > li").first).to_contain_text("Praetor alone")
    page.goto(mine)
    builder.add("Troops", "Tactical Squad")
    page.goto(f"{mine}history/")
    named = page.locator("ol > li").filter(has_text="Praetor alone")
    named.locator("summary").click()
    expect(named.get_by_label("Name of the variant")).to_have_value("Speartip – Praetor alone")
    shot(page, "history-menu", whole=True)
    named.get_by_role("button", name="Make a variant from this").click()
    expect(builder.units).to_have_count(1)
    expect(page.locator("#army-bar h1")).to_have_text("Speartip – Praetor alone")
    page.goto("/lists/")
    expect(page.locator(".list-row").filter(has_text="Variants:")).to_have_count(2)
    shot(page, "shelf-variants", whole=True)
    page.goto(f"{mine}history/")
    page.locator("#variants").get_by_role("link", name="Compare").click()
    expect(page.locator("table.review")).to_contain_text("gone")
    shot(page, "compare-variants", whole=True)


def test_what_is_done_to_a_state_opens_beside_it(visitors: Visitors) -> None:
    """A long sentence pushed the dots onto a line of their own, at its left: their list opened beside the panel."""
    for size in (DESKTOP, PHONE):
        page = visitors.arrive(size=size)
        builder = BuilderPage(page)
        builder.start("Sons of Horus", 2000, allegiance="traitor")
        builder.add("Troops", "Tactical Squad")
        page.goto(f"{builder.address}history/")
        page.locator("ol > li p").first.evaluate("it => it.append(' and what else there was to say'.repeat(2))")
        panel, newest = page.locator("main ol"), page.locator("ol > li").first
        newest.locator("summary").click()
        inside, around = newest.locator(".menu__list").bounding_box(), panel.bounding_box()
        assert inside is not None and around is not None
        assert around["x"] <= inside["x"] and inside["x"] + inside["width"] <= around["x"] + around["width"]


def test_a_late_edit_is_shown_what_changed_meanwhile(visitors: Visitors) -> None:
    for size in (DESKTOP, PHONE):
        page = visitors.arrive(size=size)
        builder = BuilderPage(page)
        builder.start("Sons of Horus", 2000, allegiance="traitor")
        other = page.context.new_page()
        other.goto(builder.address)
        builder.add("HQ", "Praetor")
        late = BuilderPage(other)
        other.locator(".role__head a.button--icon").nth(1).click()
        other.locator("#detail .offer__add").first.click()
        expect(other.locator("#meanwhile li").first).to_contain_text("Praetor")
        expect(other.locator("#meanwhile")).to_contain_text("new")
        other.locator("#meanwhile").scroll_into_view_if_needed()
        shot(other, f"late-edit-{size['width']}")
        assert other.evaluate("document.documentElement.scrollWidth - window.innerWidth") <= 0
        other.locator("#b-repeat").click()
        expect(late.units).to_have_count(2)


def test_what_a_pasted_line_means_is_chosen_on_a_phone(visitors: Visitors) -> None:
    """The choice was as narrow as its column, and nothing could be read of what it offered."""
    page = visitors.arrive(size=PHONE, touch=True)
    page.goto("/lists/open/")
    page.locator("main textarea").first.fill("Autumn muster\nSons of Horus\n\nPretor [120 pts]\n")
    page.locator("main form:has(textarea) .button--main").first.tap()
    choice = page.locator(".review select").first
    expect(choice).to_be_visible()
    expect(choice.locator("option:checked")).to_contain_text("Praetor")
    box = choice.bounding_box()
    assert box is not None and box["width"] >= 160
    assert box["x"] + box["width"] <= PHONE["width"]
    line = page.locator(".review__line").filter(has=choice)
    for cell in line.locator("td").all():
        part = cell.bounding_box()
        assert part is not None and part["x"] + part["width"] <= PHONE["width"]
    shot(page, "review-phone", whole=True)
    page.get_by_role("button", name="Make the list").first.tap()
    expect(page.locator("#army")).to_contain_text("Praetor")
