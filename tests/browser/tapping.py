"""How many taps of a thumb a list costs: from New list over ten units and a legal verdict to the link for others."""

import re

from playwright.sync_api import Locator, Page, expect

WANTED_UNITS = 10
MOST_TAPS = 20
MOST_REPAIRS = 3


class Thumb:
    """A player who knows the page, not the game: takes what is cheap and allowed, and lets the site settle the rest."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.taps = 0

    def tap(self, control: Locator) -> None:
        """One tap, and the answer to it."""
        control.tap()
        self.taps += 1
        expect(self.page.locator("html")).not_to_have_class(re.compile("is-busy"))

    def choose(self, field: str, label: str) -> None:
        """A phone's list of choices: one tap opens it, one chooses."""
        self.page.locator(field).select_option(label=label)
        self.taps += 2

    def begin(self, game: str, field: str, label: str) -> None:
        """From the page of one's lists into a new one."""
        self.page.goto("/lists/")
        self.tap(self.page.locator("main a[href='/lists/new/']").first)
        self.tap(self.page.locator(f".tile[href='?system={game}#begin']"))
        expect(self.page.locator(f".tile[href='?system={game}#begin'][aria-current]")).to_be_visible()
        self.choose(field, label)
        self.tap(self.page.get_by_role("button", name="Start building"))
        expect(self.page.locator("#army-bar")).to_be_visible()

    def add_units(self) -> None:
        """Ten of them: roles that lack some first, then others, the cheapest of what can be added."""
        self.tap(self.page.locator(".dock [data-key=add]"))
        expect(self.page.locator(".offer").first).to_be_visible()
        taken: list[tuple[str, str]] = []
        while len(taken) < WANTED_UNITS:
            rows = [row for row in self.page.locator(".offers").evaluate_all(ROWS) if row["free"]]
            lacking = [row for row in rows if row["short"]] or rows
            row = min(
                lacking,
                key=lambda one: (
                    taken.count((one["role"], one["name"])),
                    sum(role == one["role"] for role, _ in taken),
                    one["price"],
                ),
            )
            self.tap(self.page.locator(f"[id='{row['id']}']"))
            taken.append((row["role"], row["name"]))

    def make_legal(self) -> None:
        """By what the findings offer: the one repair beside a single error, or all of them at once."""
        verdict = self.page.locator("#army-bar .verdict")
        for _ in range(MOST_REPAIRS):
            if "Legal" in verdict.inner_text():
                break
            if not self.page.locator("#sheet[open]").count():
                self.tap(self.page.locator(".dock .verdict-link"))
            everything = self.page.locator("#b-settle-all")
            if everything.count():
                self.tap(everything)
                with self.page.expect_navigation():
                    self.tap(self.page.locator("#repair .button--main").first)
            else:
                chip = self.page.locator("#findings .chip--repair").first
                expect(chip).to_be_visible()
                self.tap(chip)
        expect(verdict).to_contain_text("Legal")

    def share(self) -> None:
        """To the link for others, made and on the screen."""
        if self.page.locator("#sheet[open]").count():
            self.page.go_back()
            self.taps += 1
            expect(self.page.locator("#sheet")).to_be_hidden()
        self.tap(self.page.locator(".dock").get_by_text("Share"))
        expect(self.page.locator("#share input[type=url]").first).to_have_value(re.compile("/s/"))


ROWS = """sections => sections.flatMap(s => [...s.querySelectorAll('.offer')].map(o => ({
  role: s.querySelector('h3').textContent.trim(),
  name: o.querySelector('strong').textContent,
  short: s.querySelector('.role__count').className.includes('--short'),
  free: !o.querySelector('.offer__add').disabled && !o.classList.contains('offer--dear')
    && !/--(full|over)/.test(s.querySelector('.role__count').className),
  price: parseFloat(o.querySelector('.offer__price').textContent.replace(/[^0-9.]/g, '')),
  id: o.querySelector('.offer__add').id,
})))"""
"""What stands on the add screen."""
