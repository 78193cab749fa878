"""The builder as a player handles it: add, open, take, remove; waits until the page has settled."""

import re

from playwright.sync_api import Locator, Page, expect


class BuilderPage:
    """One list in one browser."""

    def __init__(self, page: Page) -> None:
        self.page = page

    @property
    def address(self) -> str:
        """Address of the list without what is open."""
        return self.page.url.split("?")[0].split("#")[0]

    def start(
        self, faction: str, limit: int, *, allegiance: str | None = "loyalist", name: str = "", game: str | None = None
    ) -> None:
        """Begin a list; of the first game on the site unless told which."""
        self.page.goto(f"/lists/new/?system={game}" if game else "/lists/new/")
        self.page.locator("#id_faction").select_option(label=faction)
        self.page.locator("#id_points_limit").fill(str(limit))
        if allegiance is not None:
            self.page.locator(f"input[name=allegiance][value={allegiance}]").check()
        self.page.get_by_text("Name, chart, ally").or_(self.page.get_by_text("Название, схема, союзник")).click()
        self.page.locator("#id_name").fill(name)
        self.page.locator("main form .button--main").last.click()
        expect(self.page.locator("#army")).to_be_visible()

    def add(self, role: str, unit: str, *, detachment: int = 0) -> None:
        """Add a unit of a role on the add screen, which stays, and open it from there."""
        block = self.page.locator(".detachment").nth(detachment)
        head = block.locator(".role__head").filter(has=self.page.get_by_role("heading", name=role, exact=True))
        head.locator("a.button--icon").click()
        expect(self.detail.locator("h2")).to_have_text(role)
        offer = self.offer(unit)
        taken = offer.locator(".offer__taken")
        before = taken.inner_text() if taken.count() else ""
        offer.locator(".offer__add").click()
        expect(taken).not_to_have_text(before)
        taken.click()
        expect(self.detail.locator("h2").first).to_have_text(unit)

    def offer(self, unit: str) -> Locator:
        """The row of a unit on the add screen."""
        exact = re.compile(rf"^{re.escape(unit)}$")
        return self.detail.locator(".offer").filter(has=self.page.locator("strong", has_text=exact))

    def remove(self, unit: str) -> None:
        """Take a unit off the roll by its menu."""
        before = self.units.count()
        row = self.page.locator(".unit").filter(has=self.page.locator(".unit__name", has_text=unit)).first
        row.locator("summary").click()
        row.locator(".button--danger").click()
        expect(self.units).to_have_count(before - 1)

    def open(self, unit: str) -> None:
        """Open a unit's options."""
        self.page.locator(".unit__open").filter(has_text=unit).first.click()
        expect(self.detail.locator("h2").first).to_have_text(unit)

    @property
    def detail(self) -> Locator:
        """The open pane."""
        return self.page.locator("#detail")

    @property
    def units(self) -> Locator:
        """Units on the roll."""
        return self.page.locator("#army .unit")

    @property
    def verdict(self) -> Locator:
        """The verdict in the bar."""
        return self.page.locator("#army-bar .verdict")

    @property
    def points(self) -> Locator:
        """The total in the bar."""
        return self.page.locator("#army-bar data")

    @property
    def revision(self) -> str:
        """The revision that the open pane was made from."""
        return self.detail.locator("input[name=revision]").first.input_value()

    def rules(self) -> set[str]:
        """Ids of the findings on the page."""
        return set(self.page.locator("#findings .rule-id").all_inner_texts())
