"""A list as Markdown, for chats and wikis; pieces are short enough for one message of Discord."""

import re

from armybuilder.armylists.exports.files import text_format
from armybuilder.armylists.exports.marked_text import Markup, marked_text
from armybuilder.armylists.list_sheet import ListSheet
from armybuilder.engine.findings import Text

MESSAGE = 2_000
"""Characters of one message of Discord, which counts what lies beyond the basic plane twice."""

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>()#~|!])")
_AT_LINE_START = re.compile(r"^(\s*)([-+]|\d+[.)])(?=\s)")


def safe(text: str) -> str:
    """A name or sentence whose signs set nothing, link nowhere and call nobody."""
    text = _SPECIAL.sub(r"\\\1", text)
    text = _AT_LINE_START.sub(lambda found: f"{found[1]}{found[2][:-1]}\\{found[2][-1]}", text)
    return text.replace("@", "@\u200b").replace("://", ":\u200b//")


def markdown(sheet: ListSheet) -> str:
    """The whole list."""
    return marked_text(sheet, _MARKDOWN)


def messages(text: str) -> tuple[str, ...]:
    """A text as messages: cut before a heading or an empty line where it can be, else between lines."""
    found: list[str] = []
    while length(text) > MESSAGE:
        cut = _cut(text)
        found.append(text[:cut].rstrip())
        text = text[cut:].lstrip("\n")
    return (*found, text.rstrip()) if text.strip() else tuple(found)


def length(text: str) -> int:
    """Characters as Discord counts them."""
    return len(text.encode("utf-16-le")) // 2


def _cut(text: str) -> int:
    """Where the first message ends, never within a character."""
    end = 0
    taken = 0
    for end, char in enumerate(text):  # noqa: B007 - the index is the answer
        taken += 2 if ord(char) > 0xFFFF else 1
        if taken > MESSAGE:
            break
    for mark in ("\n\n", "\n", " "):
        found = text.rfind(mark, 1, end)
        if found > 0:
            return found
    return end


_MARKDOWN = Markup(
    title=lambda text: f"# {text}",
    heading=lambda text: f"## {text}",
    bold=lambda text: f"**{text}**",
    unit=lambda text: f"- {text}",
    bullet=lambda text: f"  - {text}",
    safe=safe,
)

TEXT = text_format(
    "markdown",
    Text("Markdown, Discord", "Markdown, Discord"),
    markdown,
    ending="md",
    media_type="text/markdown; charset=utf-8",
    split=messages,
)
