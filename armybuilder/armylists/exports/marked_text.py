"""A list with headings and bullets for places that set text: the skeleton that Markdown and BBCode share."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from armybuilder.armylists.exports.phrases import (
    carried,
    head_facts,
    heading_without_units,
    kind_words,
    last_line,
    objections,
    phrases,
    price,
    role_of,
    told,
    verdict_words,
)
from armybuilder.armylists.list_sheet import ListSheet, SheetUnit


@dataclass(frozen=True, slots=True)
class Markup:
    """How a place sets text.

    Attributes:
        safe: a name or sentence so that it is read as it is written.
        list_open, list_close: lines around bullets; empty for none.
    """

    title: Callable[[str], str]
    heading: Callable[[str], str]
    bold: Callable[[str], str]
    unit: Callable[[str], str]
    bullet: Callable[[str], str]
    safe: Callable[[str], str]
    list_open: str = ""
    list_close: str = ""


def marked_text(sheet: ListSheet, markup: Markup) -> str:
    """The whole list."""
    total = price(sheet.points, sheet, grouped=True)
    of_limit = f" / {price(sheet.limit, sheet, grouped=True)}" if total and sheet.limit is not None else ""
    detachments = dict.fromkeys(detachment.name for detachment in sheet.detachments)
    lines = [
        markup.title(markup.safe(f"{sheet.name} – {total}{of_limit}" if total else sheet.name)),
        markup.safe(" · ".join((sheet.game, *sheet.factions, *detachments))),
        *(markup.safe(line) for line in head_facts(sheet, tells_limit=bool(total))),
        markup.bold(markup.safe(verdict_words(sheet))),
    ]
    for detachment in sheet.detachments:
        if empty := heading_without_units(detachment, sheet):
            lines += ["", markup.heading(markup.safe(empty))]
        for role in detachment.taken_roles:
            where = role_of(detachment, role, sheet)
            points = price(role.points, sheet, grouped=True)
            lines += ["", markup.heading(markup.safe(f"{where} – {points}" if points else where))]
            for unit in role.units:
                lines += _unit(unit, sheet, markup)
    objected = list(objections(sheet))
    if objected:
        lines += ["", *_bullets(objected, markup)]
    lines += ["", markup.safe(last_line(sheet))]
    return "\n".join(lines) + "\n"


def _unit(unit: SheetUnit, sheet: ListSheet, markup: Markup) -> Iterator[str]:
    points = price(unit.points, sheet, grouped=True)
    chosen = [*told(unit, sheet), *phrases(unit.items)]
    kinds = unit.models
    if unit.says_its_models:
        chosen += carried(kinds[0])
    number = f"{unit.model_count}x " if unit.model_count > 1 else ""
    price_words = f" – {points}" if points else ""
    items = f": {', '.join(chosen)}" if chosen else ""
    yield markup.unit(f"{markup.bold(markup.safe(number + unit.title))}{markup.safe(price_words + items)}")
    if not unit.says_its_models:
        worn = ((kind, ", ".join(carried(kind))) for kind in kinds)
        yield from _bullets(
            [f"{kind_words(kind.number, kind.name)}{f': {items}' if items else ''}" for kind, items in worn], markup
        )


def _bullets(rows: list[str], markup: Markup) -> Iterator[str]:
    if markup.list_open:
        yield markup.list_open
    yield from (markup.bullet(markup.safe(row)) for row in rows)
    if markup.list_close:
        yield markup.list_close
