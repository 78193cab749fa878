"""The printed list as Chromium lays it out: pages have numbers, no heading stands alone at a page's foot."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.builder_page import BuilderPage
from tests.browser.conftest import DESKTOP, Visitors
from tests.browser.furnished import own_list
from tests.browser.hands import sample_of

HEIGHTS_MM = (140, 165, 190, 215, 240, 265, 297)
"""Papers of many heights, so that whatever could end a page is near the foot of some."""


def printed(page: Page, height_mm: int, folder: Path) -> list[list[str]]:
    """The lines of each page as it comes out of the printer."""
    paper = folder / "paper.pdf"
    page.pdf(path=paper, width="210mm", height=f"{height_mm}mm")
    text = subprocess.run(["pdftotext", "-layout", paper, "-"], capture_output=True, check=True).stdout.decode()
    return [[line.strip() for line in sheet.splitlines() if line.strip()] for sheet in text.split("\f")[:-1]]


A4_PX = 680
"""Between the margins."""

TOO_WIDE = """all => all.filter(table => {
  const paper = table.closest("main").getBoundingClientRect();
  return table.getBoundingClientRect().right > paper.right + 1;
}).map(table => table.innerText)"""


def lost_on_paper(page: Page, builder: BuilderPage) -> list[str]:
    """Tables of the sheet that are wider than the paper: what a screen scrolls to, paper has lost."""
    before = page.viewport_size
    page.goto(f"{builder.address}print/")
    page.set_viewport_size({"width": A4_PX, "height": 900})
    page.emulate_media(media="print")
    found: list[str] = page.locator("main table").evaluate_all(TOO_WIDE)
    page.emulate_media(media="screen")
    if before is not None:
        page.set_viewport_size(before)
    return found


@pytest.mark.long
@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="pdftotext is not installed (poppler-utils)")
def test_pages_have_numbers_and_heads_keep_what_they_head(visitors: Visitors, tmp_path: Path) -> None:
    page = visitors.arrive(size=DESKTOP)
    builder = sample_of(page, "Horus Heresy")
    page.goto(f"{builder.address}print/")
    heads = page.locator("main :is(h2, h3, caption, thead tr)").evaluate_all(
        "all => all.map(head => head.innerText.replace(/\\s+/g, '').toLowerCase()).filter(Boolean)"
    )
    assert len(heads) > len(HEIGHTS_MM)
    for height in HEIGHTS_MM:
        pages = printed(page, height, tmp_path)
        for number, lines in enumerate(pages, start=1):
            foot, page_number = (re.sub(r"\s+", "", line).lower() for line in lines[-2:])
            assert page_number == f"{number}/{len(pages)}", height
            assert foot not in heads, (height, number, foot)


ON_PAPER = "() => document.body.innerText.split('\\n').map(line => line.trim()).filter(Boolean)"


def test_the_browsers_own_print_menu_prints_the_sheet(visitors: Visitors, tmp_path: Path) -> None:
    """From the builder, with a unit open: what `Ctrl+P` leads to, and the page afterwards is what it was."""
    page = visitors.arrive(size=DESKTOP)
    builder = sample_of(page, "Horus Heresy")
    page.locator("#army .unit__open").first.click()
    builder.detail.locator("h2").first.wait_for()
    before = page.locator("body").evaluate("body => body.children.length")
    page.evaluate(
        f"window.addEventListener('beforeprint', () => setTimeout(() => {{ window.paper = ({ON_PAPER})(); }}))"
    )
    page.emulate_media(media="print")
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    page.wait_for_function("() => window.paper")
    of_menu = page.evaluate("window.paper")
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert page.locator("body").evaluate("body => body.children.length") == before
    page.evaluate("window.addEventListener('beforeprint', () => { window.isAsked = true; })")
    page.pdf(path=tmp_path / "paper.pdf")
    assert page.evaluate("window.isAsked"), "a browser that prints says so"
    page.goto(f"{builder.address}print/")
    assert of_menu == page.evaluate(ON_PAPER)


FOLDED = """() => {
  const lines = node => {
    const range = document.createRange();
    range.selectNodeContents(node);
    return new Set(Array.from(range.getClientRects(), box => box.top)).size;
  };
  return [...document.querySelectorAll(".sheet :is(h2, h3, .sheet__unit > p) > :last-child:not(:first-child)")]
    .filter(it => lines(it) > 1).map(it => it.textContent);
}"""
"""Points that stand on two lines."""


@pytest.mark.parametrize("width", [390, 320])
def test_points_beside_long_names_stay_whole_on_a_phone(visitors: Visitors, width: int) -> None:
    page = visitors.arrive(size={"width": width, "height": 844}, language="ru")
    page.goto(f"{own_list(page).split('?')[0]}print/")
    expect(page.locator(".sheet__unit").first).to_be_visible()
    assert page.evaluate(FOLDED) == []
