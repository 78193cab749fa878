"""Lines of a pasted text without what only sets them: marks of Markdown and BBCode, fences, bullets, numbers."""

import re
from dataclasses import dataclass, replace

from armybuilder.armylists.imports.line_prices import BARE, IN_FRONT, LAST_NUMBER
from armybuilder.armylists.imports.named_items import COUNT, split_at_commas
from armybuilder.armylists.imports.source_list import LINE_LENGTH, LINES
from armybuilder.armylists.list_sheet import visible

_ORDINAL = re.compile(r"\d{1,2}[.)]\s+(?=\D)")
_BULLET = re.compile(r"(?P<dots>(?:\.\s)+)|(?P<mark>[-*•◦▪●○·‣–—])\s*(?=\S)")
_FENCE = re.compile(r"[-+=_*~─═━ ]{3,}")
_LEADERS = re.compile(r"^[─═━]{2,}\s*|\s*[─═━]{2,}$")
"""Drawn lines around a heading."""
_CHARACTER = re.compile(r"(?:char|перс)\d+:\s*", re.IGNORECASE)
_ESCAPED = re.compile(r"\\([\\`*_{}\[\]<>()#~|!.+-])")
_TAG = re.compile(r"\[/?(?:b|i|u|size|list|color|center|quote|code|url)(?:=[^\]]{0,60})?\]", re.IGNORECASE)
_QUOTES = str.maketrans({**dict.fromkeys("“”„«»″", '"'), **dict.fromkeys("’‘ʼ′‛", "'"), "\u2212": "-"})


@dataclass(frozen=True, slots=True)
class Row:
    """A line without what only sets it: marks of Markdown and BBCode, bullets, the number of a character.

    Attributes:
        heading: 0 for none; 1 the title, 2 a detachment, 3 a role, 4 one or the other.
        rank: how deep it stands; 0 for what stands at the margin.
        is_fenced: a role between plus signs, as BattleScribe writes them.
        is_unit: it is known to name a unit, which nothing in it would tell.
    """

    number: int
    text: str
    heading: int
    bullet: str
    rank: int
    indent: int
    is_fenced: bool = False
    is_unit: bool = False

    @property
    def is_caps(self) -> bool:
        """Whether it stands in capitals at the margin, as roles do."""
        return sum(map(str.isalpha, self.text)) > 1 and self.text == self.text.upper() and not self.bullet


def rows_of(text: str) -> list[Row]:
    """The lines of a text that say something."""
    read = (_row(number, line) for number, line in enumerate(text.splitlines()[:LINES], 1))
    return _aligned([_led_to_its_price(row) for row in read if row is not None])


def _row(number: int, line: str) -> Row | None:
    indent = len(line[:200]) - len(line[:200].lstrip())
    raw = line.strip()[: LINE_LENGTH - 1]
    if raw.casefold().startswith("```"):
        return None
    heading = 0
    if re.match(r"\[(?:size|b\]\[u)", raw, re.IGNORECASE):
        heading = 1 if raw[1:5].casefold() == "size" else 3
    text = _TAG.sub("", raw.replace("[*]", "• "))
    text = _ESCAPED.sub(r"\1", text.replace("**", "") if "**" in text else text)
    text = _LEADERS.sub("", visible(text.translate(_QUOTES)))
    if not text or _FENCE.fullmatch(text):
        return None
    if marks := re.match(r"(#{1,4})\s+", text):
        heading = 1 if len(marks[1]) == 1 else 3
        text = text[marks.end() :]
    for sign, level in (("+++", 1), ("++", 2), ("+", 3)):
        if text.startswith(f"{sign} ") and f" {sign}" in text[2:]:
            text = text.replace(f"{sign} ", "", 1).replace(f" {sign}", "", 1)
            heading = level
            break
    is_fenced = heading == 3 and raw.startswith("+")
    bullet, rank = "", indent * 10
    if not heading and (found := _BULLET.match(text)):
        bullet = found["mark"] or "."
        rank = len(found["dots"].split()) if found["dots"] else rank + (2 if bullet in "◦○" else 1)
        text = text[found.end() :]
    text = _CHARACTER.sub("", text, count=1)
    if ordinal := _ORDINAL.match(text):
        text = text[ordinal.end() :]
    return Row(number, text, heading, bullet, rank, indent, is_fenced) if text else None


def _aligned(rows: list[Row]) -> list[Row]:
    """Rows in which a counted line without a bullet, below the text of one with it, is the next of these."""
    found: list[Row] = []
    for row in rows:
        before = found[-1] if found else None
        goes_on = (
            before is not None
            and before.bullet
            and before.indent > 0
            and not row.bullet
            and not row.heading
            and COUNT.match(row.text)
            and row.indent == before.indent + 2
        )
        if goes_on and before is not None:
            found.append(replace(row, bullet=before.bullet, rank=before.rank, indent=before.indent))
        else:
            found.append(row)
    return found


def in_words(row: Row) -> Row:
    """A line whose price is a number alone, "Liberators (110)" or "475 - Swarm Priest", with the word behind it."""
    if row.bullet or row.heading:
        return row
    if found := IN_FRONT.match(row.text):
        name, *options = split_at_commas(row.text[found.end() :])
        return replace(row, text=f"{name} [{found['n']} pts]{': ' if options else ''}{', '.join(options)}")
    found = None if "/" in row.text else BARE.search(row.text)
    if found is None:
        return row
    return replace(row, text=f"{row.text[: found.start()]} [{found['n'] or found['plain']} pts]")


def _led_to_its_price(row: Row) -> Row:
    """A line whose price stands behind a row of dots or an @, "Tactical ........ 300", with the word behind it."""
    found = None if row.bullet else LAST_NUMBER.search(row.text)
    if found is None:
        return row
    name = row.text[: found.start()].rstrip(" .…@,")
    dots = row.text[len(name) : found.start()]
    return (
        replace(row, text=f"{name} [{found[0]} pts]")
        if name and any(sign in dots for sign in ("...", "…", "@"))
        else row
    )
