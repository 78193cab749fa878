"""A list as plain text with everything on it: facts, slots and notes too."""

from collections.abc import Iterator

from armybuilder.armylists.exports.files import text_format
from armybuilder.armylists.exports.phrases import (
    NOTES,
    blocks,
    carried,
    ending,
    heading_without_units,
    kind_words,
    leading,
    localized,
    phrases,
    price,
    times,
)
from armybuilder.armylists.list_sheet import ListSheet, SheetRole, SheetUnit
from armybuilder.engine.findings import Text, in_figures


def plain_text(sheet: ListSheet) -> str:
    """The whole list."""
    total, limit = price(sheet.points, sheet, grouped=True), price(sheet.limit, sheet, grouped=True)
    head = [sheet.name, ", ".join((sheet.game, *sheet.factions)), " / ".join(part for part in (total, limit) if part)]
    facts = [f"{name}: {value}" for name, value in sheet.facts]
    parts = ["\n".join(line for line in head if line), "\n".join([*facts, *sheet.summary]), sheet.notes]
    for detachment in sheet.detachments:
        points = price(detachment.points, sheet, grouped=True)
        name = heading_without_units(detachment, sheet) or detachment.name
        parts.append(f"{name}{f', {points}' if points else ''}".upper())
        for role in detachment.taken_roles:
            parts.append("\n".join([_role(role, sheet), *(line for unit in role.units for line in _unit(unit, sheet))]))
    return blocks(*parts, ending(sheet))


def _role(role: SheetRole, sheet: ListSheet) -> str:
    slots = f" {role.current}/{role.maximum}" if role.maximum is not None else ""
    points = price(role.points, sheet, grouped=True)
    share = f", {localized(in_figures(str(role.percent)), sheet)} %" if role.percent is not None else ""
    return f"{role.name}{slots}{f': {points}{share}' if points else ''}"


def _unit(unit: SheetUnit, sheet: ListSheet) -> Iterator[str]:
    points = price(unit.points, sheet, grouped=True)
    kinds = unit.models
    chosen = [*leading(unit, sheet), *phrases(unit.items)]
    chosen += carried(kinds[0]) if unit.says_its_models else []
    yield f"- {times(unit.model_count, unit.title)}{f', {points}' if points else ''}"
    yield from (f"  {line}" for line in chosen)
    if not unit.says_its_models:
        for kind in kinds:
            worn = ", ".join(carried(kind))
            yield f"  {kind_words(kind.number, kind.name)}{f': {worn}' if worn else ''}"
    yield from (f"  {fact}" for fact in unit.facts)
    yield from (f"  {localized(NOTES, sheet)}: {line}" for line in unit.notes.splitlines() if line.strip())


TEXT = text_format("plain", Text("Plain text, everything", "Простой текст, всё"), plain_text)
