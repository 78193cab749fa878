"""A roster as BattleScribe writes it for browsers (HTML): the lines of its text layout, read out of the page."""

from __future__ import annotations

from collections.abc import Iterator

from armybuilder.engine.late_modules import etree, html

_SIGN = b'class="battlescribe"'
_DEEPEST = 8
_FENCES = {"force": ("h2", "++"), "category": ("h3", "+")}


def is_battlescribe_html(data: bytes) -> bool:
    """Whether the bytes are such a page; its look stands in the head, so the sign may come late."""
    return _SIGN in data and b"rootselection" in data


def battlescribe_lines(data: bytes) -> str:
    """The list as the text that BattleScribe shares; profiles and rules are left out."""
    page = html.document_fromstring(data, parser=html.HTMLParser(encoding="utf-8", no_network=True))
    title = page.find(".//h1")
    lines = [f"+++ {_words(title)} +++"] if title is not None else []
    for element in page.iter("li"):
        kind = _kind(element)
        if kind in _FENCES:
            heading, fence = _FENCES[kind]
            lines += ["", f"{fence} {_words(element.find(heading))} {fence}", ""]
        elif kind == "rootselection":
            lines += [*_selection(element, 0), ""]
    return "\n".join(lines)


def _selection(element: etree._Element, depth: int) -> Iterator[str]:
    """A selection with what was taken, and those below it that have lines of their own."""
    name = element.find("h4")
    if name is None or depth > _DEEPEST:
        return
    taken = next((words for words in map(_taken, element.findall("p")) if words), "")
    yield f"{'. ' * depth}{_words(name)}{f': {taken}' if taken else ''}"
    for inner in element.findall("ul/li"):
        yield from _selection(inner, depth + 1)


def _taken(paragraph: etree._Element) -> str:
    """What stands behind "Selections:"; empty for other paragraphs."""
    label, colon, rest = _words(paragraph).partition(":")
    return rest.strip() if colon and label.casefold() in ("selections", "selection") else ""


def _kind(element: etree._Element) -> str:
    return (element.get("class") or "").strip()


def _words(element: etree._Element | None) -> str:
    return " ".join("".join(map(str, element.itertext())).split()) if element is not None else ""
