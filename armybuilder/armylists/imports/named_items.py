"""Things with commas between them as lines of a pasted text name them: counts, brackets, and what stands in them."""

import re

from armybuilder.armylists.imports.line_prices import without_prices
from armybuilder.armylists.imports.source_list import ITEMS, SourceItem

DEEPEST = 8
COUNT = re.compile(r"(?P<n>\d{1,4})\s*(?:[xх×]\s*|\s)(?=\D)", re.IGNORECASE)
_COUNT_BEHIND = re.compile(r"(?<=\w) [xх×] ?(?P<n>\d{1,4})$", re.IGNORECASE)
_COUNT_IN_BRACKETS = re.compile(r"(?<=\w) \[(?P<n>\d{1,3})\]$")
"""New Recruit's for games of regiments: "Spearmen [20] [120pts]"."""
_WITH = re.compile(r"(?P<n>\d{1,4}) (?:with|с:) ", re.IGNORECASE)


def counted(text: str) -> tuple[int, str]:
    """How many there are, from 1 to 1,000, and of what: "10x Trooper", "Trooper x10"."""
    text = text.strip()
    found = COUNT.match(text)
    behind = None if found is not None else _COUNT_BEHIND.search(text) or _COUNT_IN_BRACKETS.search(text)
    if behind is not None and int(behind["n"]):
        return min(int(behind["n"]), 1_000), text[: behind.start()]
    if found is None or not int(found["n"]):
        return 1, text
    return min(int(found["n"]), 1_000), text[found.end() :].strip()


def at_colon(text: str) -> tuple[str, str, str]:
    """What stands before and behind the first colon that is in no brackets: "Warlord (Warlord: Bearer)" has none."""
    for found in re.finditer(": ", text):
        before = text[: found.start()]
        if before.count("(") == before.count(")") or text.count("(") != text.count(")"):
            return before, ": ", text[found.end() :]
    return text, "", ""


def items_in(text: str, line: int, *, is_total: bool, depth: int = 0) -> tuple[SourceItem, ...]:
    """Things with commas between them, each perhaps with what belongs to it in brackets."""
    found: list[SourceItem] = []
    for part in text.split("; ") if _WITH.match(text) else [text]:
        bearers = 1
        if match := _WITH.match(part):
            bearers, part = max(1, int(match["n"])), part[match.end() :]  # noqa: PLW2901
        for token in split_at_commas(part):
            number, words = counted(without_prices(token) or token)
            name, inner = words, ""
            if words.endswith(")") and (at := opening(words)) > 0:
                name, inner = words[:at].strip(), words[at + 1 : -1]
            found.append(
                SourceItem(
                    line=line,
                    text=words,
                    name=name,
                    number=min(number * bearers, 1_000),
                    is_total=is_total or bearers > 1 or bool(match),
                    items=items_in(inner, line, is_total=is_total, depth=depth + 1)
                    if inner and depth < DEEPEST
                    else (),
                )
            )
    return tuple(found[:ITEMS])


def items_of(text: str, line: int) -> tuple[SourceItem, ...]:
    """The things that a line without bullet and price names."""
    return items_in(text, line, is_total=False)


def split_at_commas(text: str) -> list[str]:
    """What stands between commas that are in no brackets."""
    parts, depth, start = [], 0, 0
    for place, char in enumerate(text):
        if char in "([":
            depth += 1
        elif char in ")]":
            depth = max(0, depth - 1)
        elif char == "," and not depth:
            parts.append(text[start:place].strip())
            start = place + 1
    parts.append(text[start:].strip())
    return [part for part in parts if part]


def opening(text: str) -> int:
    """Where the bracket that the last sign closes was opened; -1 for nowhere."""
    depth = 0
    for place in range(len(text) - 1, -1, -1):
        depth += (text[place] == ")") - (text[place] == "(")
        if not depth:
            return place
    return -1
