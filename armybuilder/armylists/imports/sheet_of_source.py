"""A list that was read without data: what the file holds, as the sheet from which pages and paper are made."""

from collections.abc import Iterable
from decimal import Decimal

from armybuilder.armylists.imports.source_list import SourceItem, SourceList, SourceUnit
from armybuilder.armylists.list_sheet import (
    ListSheet,
    SheetDetachment,
    SheetOption,
    SheetRelease,
    SheetRole,
    SheetUnit,
    in_language,
)
from armybuilder.engine.findings import Text, Verdict
from armybuilder.reference.names import russian

_NO_DATA = Text(
    "Nothing was checked: the data of this game is not published here, and what stands here is what the file says.",
    "Ничего не проверено: данные этой игры здесь не опубликованы, показано то, что записано в файле.",
)


def sheet_of_source(source: SourceList) -> ListSheet:
    """The sheet of a source; its verdict is "not checked"."""
    detachments: dict[str, dict[str, list[SheetUnit]]] = {}
    for number, unit in enumerate(source.units):
        force = unit.under[0][1] if unit.under else source.name
        role = unit.under[-1][1] if len(unit.under) > 1 else ""
        detachments.setdefault(force, {}).setdefault(role, []).append(_unit(unit, str(number), role))
    return ListSheet(
        name=source.name,
        language="ru" if russian() else "en",
        game=source.game,
        rule_pack=None,
        points=source.points,
        limit=None if source.limit is None else Decimal(source.limit),
        detachments=tuple(
            SheetDetachment(
                name=name,
                faction="",
                points=_sum(unit.points for units in roles.values() for unit in units),
                roles=tuple(
                    SheetRole(
                        name=role, units=tuple(units), current=len(units), points=_sum(unit.points for unit in units)
                    )
                    for role, units in roles.items()
                ),
            )
            for name, roles in detachments.items()
        ),
        notes=source.notes,
        verdict=Verdict.NOT_CHECKED,
        findings=(),
        unchecked=(in_language(_NO_DATA),),
        release=SheetRelease(0, ""),
        revision=1,
    )


def _unit(unit: SourceUnit, unit_id: str, role: str) -> SheetUnit:
    return SheetUnit(
        id=unit_id,
        name=unit.name if unit.number == 1 else f"{unit.number}x {unit.name}",
        role=role,
        points=unit.points,
        is_model=True,
        is_warlord=unit.is_warlord,
        notes=unit.notes,
        options=tuple(map(_option, unit.items)),
        profiles=tuple(row for row in unit.profiles if not row.is_weapon),
        weapons=tuple(row for row in unit.profiles if row.is_weapon),
        rules=unit.rules,
    )


def _option(item: SourceItem) -> SheetOption:
    return SheetOption(name=item.name, number=item.number, options=tuple(map(_option, item.items)))


def _sum(values: Iterable[Decimal | None]) -> Decimal | None:
    known = [value for value in values if value is not None]
    return sum(known, Decimal(0)) if known else None
