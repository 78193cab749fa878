"""A list as the text that BattleScribe shares: fences of plus signs, one line per unit, nested options indented."""

from collections.abc import Iterator

from armybuilder.armylists.exports.files import text_format
from armybuilder.armylists.exports.phrases import (
    TOTAL,
    blocks,
    ending,
    head_facts,
    localized,
    phrase,
    square,
    times,
    told,
)
from armybuilder.armylists.list_sheet import ListSheet, SheetDetachment, SheetOption, SheetUnit
from armybuilder.engine.findings import Text


def battlescribe_text(sheet: ListSheet) -> str:
    """The whole list."""
    total = square(sheet.points, sheet, word="pts", grouped=True)
    return blocks(
        f"+++ {sheet.name} ({sheet.game}){total} +++",
        "\n".join(head_facts(sheet)),
        *(part for detachment in sheet.detachments for part in _detachment(detachment, sheet)),
        f"++ {localized(TOTAL, sheet)}:{total} ++" if total else "",
        ending(sheet),
    )


def _detachment(detachment: SheetDetachment, sheet: ListSheet) -> Iterator[str]:
    faction = f" ({detachment.faction})" if detachment.faction else ""
    yield f"++ {detachment.name}{faction}{square(detachment.points, sheet, word='pts', grouped=True)} ++"
    for role in detachment.taken_roles:
        yield f"+ {role.name}{square(role.points, sheet, word='pts', grouped=True)} +"
        yield "\n".join(line for unit in role.units for line in _unit(unit, sheet))


def _unit(unit: SheetUnit, sheet: ListSheet) -> Iterator[str]:
    short = [phrase(option) for option in unit.options if not option.options]
    short += told(unit, sheet)
    chosen = f": {', '.join(short)}" if short else ""
    yield f"{unit.title}{square(unit.points, sheet, word='pts', grouped=True)}{chosen}"
    for option in unit.options:
        if option.options:
            yield from _nested(option, 1)


def _nested(option: SheetOption, depth: int) -> Iterator[str]:
    head = times(option.number, option.name)
    short = ", ".join(phrase(inner) for inner in option.options if not inner.options)
    yield f"{'. ' * depth}{head}{f': {short}' if short else ''}"
    for inner in option.options:
        if inner.options:
            yield from _nested(inner, depth + 1)


TEXT = text_format("text-battlescribe", Text("BattleScribe text", "Текст BattleScribe"), battlescribe_text)
