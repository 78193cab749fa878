"""A list in the layout of Old World Builder, compact and full: a block of equals signs, options below the unit."""

from collections.abc import Callable, Iterator

from armybuilder.armylists.exports.files import text_format
from armybuilder.armylists.exports.phrases import (
    NOTES,
    blocks,
    carried,
    ending,
    head_facts,
    heading_without_units,
    localized,
    phrases,
    role_of,
    square,
    times,
    told,
)
from armybuilder.armylists.list_sheet import ListSheet, SheetUnit
from armybuilder.engine.findings import Text

_FENCE = "==="
_RULES = Text("Special rules", "Особые правила")


def compact(sheet: ListSheet) -> str:
    """Options in brackets behind the unit."""
    return _list(sheet, lambda unit: _line(unit, sheet))


def full(sheet: ListSheet) -> str:
    """Options as rows, with profiles, special rules and notes."""
    return _list(sheet, lambda unit: "\n".join(_rows(unit, sheet)))


def _list(sheet: ListSheet, unit_text: Callable[[SheetUnit], str]) -> str:
    about = ", ".join((sheet.game, *sheet.factions, *(detachment.name for detachment in sheet.detachments)))
    parts = ["\n".join([_FENCE, f"{sheet.name}{square(sheet.points, sheet)}", about, *head_facts(sheet), _FENCE])]
    for detachment in sheet.detachments:
        if empty := heading_without_units(detachment, sheet):
            parts.append(f"++ {empty} ++")
        for role in detachment.taken_roles:
            parts.append(f"++ {role_of(detachment, role, sheet)}{square(role.points, sheet)} ++")
            parts += [unit_text(unit) for unit in role.units]
    return blocks(*parts, ending(sheet))


def _options(unit: SheetUnit, sheet: ListSheet) -> list[str]:
    """Everything taken, models with what they carry in brackets; the kind the unit consists of is its name."""
    kinds = unit.models
    chosen = [*phrases(unit.items)]
    if unit.says_its_models:
        chosen += carried(kinds[0])
    else:
        for kind in kinds:
            worn = ", ".join(carried(kind))
            chosen.append(f"{times(kind.number, kind.name)}{f' ({worn})' if worn else ''}")
    return [*chosen, *told(unit, sheet)]


def _head(unit: SheetUnit) -> str:
    return f"{unit.model_count} {unit.title}" if unit.model_count > 1 else unit.title


def _line(unit: SheetUnit, sheet: ListSheet) -> str:
    chosen = ", ".join(_options(unit, sheet))
    return f"{_head(unit)}{square(unit.points, sheet)}{f' ({chosen})' if chosen else ''}"


def _rows(unit: SheetUnit, sheet: ListSheet) -> Iterator[str]:
    yield f"{_head(unit)}{square(unit.points, sheet)}"
    yield from (f"- {option}" for option in _options(unit, sheet))
    for profile in (*unit.profiles, *unit.weapons):
        values = " ".join(f"{name}({value})" for name, value in profile.characteristics if value)
        yield f"  [{profile.name}] {values}"
    if unit.rules:
        yield f"  {localized(_RULES, sheet)}: {', '.join(unit.rules)}"
    yield from (f"  {fact}" for fact in unit.shown)
    if unit.notes:
        yield f"  {localized(NOTES, sheet)}: {unit.notes.replace(chr(10), ' / ')}"


COMPACT = text_format("text-owb", Text("Old World Builder, compact", "Old World Builder, кратко"), compact)
FULL = text_format("text-owb-full", Text("Old World Builder, full", "Old World Builder, полно"), full)
