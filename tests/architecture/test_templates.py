"""Templates are laid out for the reader; their line breaks do not reach the page."""

import re
from pathlib import Path

LONGEST = 140
ROOT = Path(__file__).parents[2] / "templates"
UNBREAKABLE = re.compile(
    r"{% (blocktrans(?:late)?)\b.*?{% end\1 %}|{%.*?%}|{#.*?#}"  # Django wants each of them on one line
    r"""|"(?:{[{%].*?[%}]}|[^"{])*"|'[^']*'"""  # and a value is one, too
)


def test_no_line_is_longer_than_what_cannot_be_broken() -> None:
    """A sentence, a tag of Django and the value of an attribute stand on one line; everything else can be broken."""
    long = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in sorted(ROOT.rglob("*.html"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if len(line) > LONGEST and len(UNBREAKABLE.sub("", line)) > LONGEST // 2
    ]
    assert long == []


def test_what_scrolls_sideways_is_reached_by_the_keyboard() -> None:
    """Only a region that takes the focus can be scrolled with the arrow keys."""
    trapped = [
        f"{path.relative_to(ROOT)}: {tag}"
        for path in sorted(ROOT.rglob("*.html"))
        for tag in re.findall(r"<[a-z]+ [^>]*\bscroll-x\b[^>]*>", path.read_text(encoding="utf-8"))
        if 'tabindex="0"' not in tag
    ]
    assert trapped == []


def test_words_and_the_link_behind_them_have_a_space_between() -> None:
    """A line break beside a tag is nothing on the page: "a suggestion waits for you.Look at it"."""
    joined = [
        f"{path.relative_to(ROOT)}: {found.strip()}"
        for path in sorted(ROOT.rglob("*.html"))
        for found in re.findall(
            r"""(?:[.:!?]" %}|endblocktrans(?:late)? %})\s*\n\s*<a href[^>]*>""", path.read_text(encoding="utf-8")
        )
        if 'class="button' not in found
    ]
    assert joined == []
