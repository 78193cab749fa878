"""A list in the layout of the official app: roles in capitals, bullets for models and circles for what they carry."""

from collections.abc import Iterator

from armybuilder.armylists.amounts import counts_itself
from armybuilder.armylists.exports.files import text_format
from armybuilder.armylists.exports.phrases import (
    blocks,
    ending,
    head_facts,
    heading_without_units,
    kind_words,
    phrase,
    role_of,
    round_brackets,
    told,
)
from armybuilder.armylists.list_sheet import ListSheet, SheetOption, SheetUnit
from armybuilder.engine.findings import Text


def official_app(sheet: ListSheet) -> str:
    """The whole list."""
    head = [*sheet.factions, *dict.fromkeys(detachment.name for detachment in sheet.detachments)]
    if sheet.limit is not None:
        head.append(f"{sheet.game}{round_brackets(sheet.limit, sheet, word=' Points')}")
    head += head_facts(sheet, tells_limit=True)
    parts = [f"{sheet.name}{round_brackets(sheet.points, sheet, word=' Points')}", "\n".join(head)]
    for detachment in sheet.detachments:
        parts.append(heading_without_units(detachment, sheet).upper())
        for role in detachment.taken_roles:
            parts.append(role_of(detachment, role, sheet).upper())
            parts += ["\n".join(_unit(unit, sheet)) for unit in role.units]
    return blocks(*parts, ending(sheet))


def _unit(unit: SheetUnit, sheet: ListSheet) -> Iterator[str]:
    yield f"{unit.title}{round_brackets(unit.points, sheet, word=' Points')}"
    yield from (f"  • {words}" for words in told(unit, sheet))
    kinds = unit.models
    yield from (f"  • {_counted(item)}" for item in (kinds[0].items if unit.is_single else unit.items))
    for kind in kinds[1:] if unit.is_single else kinds:
        yield f"  • {kind_words(kind.number, kind.name)}"
        yield from (f"     ◦ {_counted(item)}" for item in kind.items)


def _counted(item: SheetOption) -> str:
    return phrase(item) if item.number > 1 or counts_itself(item.name) else f"1x {phrase(item)}"


TEXT = text_format("text-gw", Text("Official app", "Официальное приложение"), official_app)
