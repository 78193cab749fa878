"""A list in the layout of team events (WTC), compact and full: a fenced header, characters by number."""

from collections.abc import Iterator

from armybuilder.armylists.exports.files import text_format
from armybuilder.armylists.exports.phrases import (
    blocks,
    carried,
    carried_by,
    ending,
    head_facts,
    heading_without_units,
    kind_words,
    localized,
    phrases,
    price,
    role_of,
    round_brackets,
    told,
)
from armybuilder.armylists.list_sheet import ListSheet, SheetUnit
from armybuilder.engine.findings import Text

_FENCE = "+" * 39
_FACTION = Text("FACTION KEYWORD", "ФРАКЦИЯ")
_DETACHMENT = Text("DETACHMENT", "ОТРЯД")
_TOTAL = Text("TOTAL ARMY POINTS", "ВСЕГО ОЧКОВ АРМИИ")
_WARLORD = Text("WARLORD", "ВОЕНАЧАЛЬНИК")
_UNITS = Text("NUMBER OF UNITS", "ЧИСЛО ОТРЯДОВ")
_NAME = Text("LIST NAME", "НАЗВАНИЕ РОСТЕРА")
_CHARACTER = Text("Char", "Перс")
_WITH = Text("with", "с:")


def wtc(sheet: ListSheet) -> str:
    """The compact form: a line a unit, bullets only where models differ; a heading for each of several detachments."""
    characters = _characters(sheet)
    parts = [_header(sheet, characters)]
    for detachment in sheet.detachments:
        if len(sheet.detachments) > 1:
            parts.append(f"{detachment.name} ({detachment.faction})".upper())
        units = (unit for role in detachment.taken_roles for unit in role.units)
        parts += ["\n".join(_unit(unit, sheet, characters)) for unit in units]
    return blocks(*parts, ending(sheet))


def wtc_full(sheet: ListSheet) -> str:
    """The full form: roles in capitals, a row for each kind of model."""
    characters = _characters(sheet)
    parts = [_header(sheet, characters)]
    for detachment in sheet.detachments:
        parts.append(heading_without_units(detachment, sheet).upper())
        for role in detachment.taken_roles:
            parts.append(role_of(detachment, role, sheet).upper())
            parts += ["\n".join(_unit(unit, sheet, characters, is_full=True)) for unit in role.units]
    return blocks(*parts, ending(sheet))


def _header(sheet: ListSheet, characters: dict[str, str]) -> str:
    rows = [
        (_FACTION, ", ".join((sheet.game, *sheet.factions))),
        (_DETACHMENT, ", ".join(detachment.name for detachment in sheet.detachments)),
        (_TOTAL, price(sheet.points, sheet, word="pts")),
        None,
        *((_WARLORD, characters.get(unit.id, "") + unit.title) for unit in sheet.units if unit.is_warlord),
        (_UNITS, str(len(sheet.units))),
        (_NAME, sheet.name),
    ]
    stated = [f"+ {name.upper()}: {value}" for name, _, value in (line.partition(": ") for line in head_facts(sheet))]
    lines = ["+" if row is None else f"+ {localized(row[0], sheet)}: {row[1]}" for row in rows if row is None or row[1]]
    return "\n".join([_FENCE, *lines, *stated, _FENCE])


def _characters(sheet: ListSheet) -> dict[str, str]:
    """`Char1: ` and so on, by the id of the unit."""
    who = (unit for unit in sheet.units if unit.is_character)
    return {unit.id: f"{localized(_CHARACTER, sheet)}{place}: " for place, unit in enumerate(who, 1)}


def _unit(unit: SheetUnit, sheet: ListSheet, characters: dict[str, str], *, is_full: bool = False) -> Iterator[str]:
    kinds = unit.models
    is_one_kind = unit.says_its_models
    chosen = [*told(unit, sheet), *phrases(unit.items)]
    if is_one_kind and not is_full:
        chosen += carried(kinds[0])
    items = f": {', '.join(chosen)}" if chosen else ""
    number = unit.model_count
    yield f"{characters.get(unit.id, '')}{number}x {unit.title}{round_brackets(unit.points, sheet)}{items}"
    if is_one_kind and not is_full:
        return
    for kind in kinds:
        if kind.is_unit and not kind.items:
            continue
        worn = [
            f"{bearers} {localized(_WITH, sheet)} {', '.join(names)}" for bearers, names in carried_by(kind).items()
        ]
        rows = "; ".join(worn)
        yield f"• {kind_words(kind.number, kind.name)}{f': {rows}' if rows else ''}"


COMPACT = text_format("text-wtc", Text("Team events (WTC), compact", "Командные турниры (WTC), кратко"), wtc)
FULL = text_format("text-wtc-full", Text("Team events (WTC), full", "Командные турниры (WTC), полно"), wtc_full)
