"""A list as BBCode, for forums."""

from armybuilder.armylists.exports.files import text_format
from armybuilder.armylists.exports.marked_text import Markup, marked_text
from armybuilder.armylists.list_sheet import ListSheet
from armybuilder.engine.findings import Text


def safe(text: str) -> str:
    """A name or sentence without tags: square brackets, which no forum lets one escape, become round ones."""
    return text.replace("[", "(").replace("]", ")")


def bbcode(sheet: ListSheet) -> str:
    """The whole list."""
    return marked_text(sheet, _BBCODE)


_BBCODE = Markup(
    title=lambda text: f"[size=150][b]{text}[/b][/size]",
    heading=lambda text: f"[b][u]{text}[/u][/b]",
    bold=lambda text: f"[b]{text}[/b]",
    unit=lambda text: text,
    bullet=lambda text: f"[*]{text}",
    safe=safe,
    list_open="[list]",
    list_close="[/list]",
)

TEXT = text_format("bbcode", Text("BBCode, forums", "BBCode, форумы"), bbcode)
