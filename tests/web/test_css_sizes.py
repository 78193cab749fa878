"""Spaces and sizes of the styles are tokens; lines stay as thin as a screen draws them."""

import re
from pathlib import Path

import pytest

import armybuilder.web

STATIC = Path(armybuilder.web.__file__).parent / "static" / "web"

LINE = 3.0
"""Pixels of the thickest line: borders, outlines, stripes, and what moves a sign by a hair."""

SPACES = re.compile(
    r"(?:row-|column-)?gap|(?:scroll-)?(?:padding|margin)(?:-(?:top|right|bottom|left|block|inline))?|top|right|bottom|left|inset"
)
GRID = frozenset({"4", "8", "12", "16", "20", "24", "32", "48"})
"""Pixels of `--space-1` to `--space-12`."""

MOST_RAW = {"site.css": 52, "builder.css": 30, "pages.css": 52, "api_docs.css": 0}
"""Sizes of single things that are drawn: a mark, a dial, a bar, the letters of a chart; no token would say more."""


def raw_sizes(name: str) -> list[tuple[str, str]]:
    """Properties with pixels above a line; where a layout turns, and the tokens themselves, are none."""
    css = re.sub(
        r"/\*.*?\*/|@(?:media|container)[^{]*", "", (STATIC / name).read_text(encoding="utf-8"), flags=re.DOTALL
    )
    return [
        (of, size)
        for of, value in re.findall(r"(?<=[{;\s])([a-z][a-z-]*):([^;{}]*)", css)
        for size in re.findall(r"(?<![\d.\w-])(\d+(?:\.\d+)?)px", value)
        if float(size) > LINE
    ]


def test_every_file_of_ours_is_held() -> None:
    assert sorted(MOST_RAW) == sorted(path.name for path in STATIC.glob("*.css"))


@pytest.mark.parametrize("name", MOST_RAW)
def test_spaces_are_those_of_the_grid(name: str) -> None:
    assert [(of, size) for of, size in raw_sizes(name) if SPACES.fullmatch(of) and size in GRID] == []


@pytest.mark.parametrize("name", MOST_RAW)
def test_what_a_thumb_presses_and_an_icon_have_their_tokens(name: str) -> None:
    assert [
        (of, size) for of, size in raw_sizes(name) if re.search("height|width|grid", of) and size in ("44", "20")
    ] == []


@pytest.mark.parametrize("name", MOST_RAW)
def test_no_size_comes_in_without_a_token(name: str) -> None:
    found = raw_sizes(name)
    assert len(found) <= MOST_RAW[name], found
