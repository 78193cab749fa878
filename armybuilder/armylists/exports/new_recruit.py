"""A list as the text of New Recruit: headings per detachment and role, a bullet per kind of model."""

from collections.abc import Iterator

from armybuilder.armylists.exports.files import text_format
from armybuilder.armylists.exports.phrases import (
    blocks,
    carried,
    ending,
    head_facts,
    heading_without_units,
    kind_words,
    phrases,
    square,
    told,
)
from armybuilder.armylists.list_sheet import ListSheet, SheetDetachment, SheetUnit
from armybuilder.engine.findings import Text


def new_recruit(sheet: ListSheet) -> str:
    """The whole list."""
    first = sheet.detachments[0] if sheet.detachments else None
    title = [first.faction, first.name] if first is not None else []
    total = square(sheet.points, sheet).strip()
    return blocks(
        " - ".join(part for part in (*title, sheet.name, total) if part),
        "\n".join(head_facts(sheet)),
        *("\n".join(_detachment(detachment, sheet)) for detachment in sheet.detachments),
        ending(sheet),
    )


def _detachment(detachment: SheetDetachment, sheet: ListSheet) -> Iterator[str]:
    is_another = detachment.faction and detachment.faction != sheet.detachments[0].faction  # the first line names that
    empty = heading_without_units(detachment, sheet)
    name = empty or (f"{detachment.name} ({detachment.faction})" if is_another else detachment.name)
    yield f"# ++ {name} ++{square(detachment.points, sheet)}"
    for role in detachment.taken_roles:
        yield f"## {role.name}{square(role.points, sheet)}"
        for unit in role.units:
            yield from _unit(unit, sheet)


def _unit(unit: SheetUnit, sheet: ListSheet) -> Iterator[str]:
    kinds = unit.models
    chosen = [*told(unit, sheet), *phrases(unit.items), *(carried(kinds[0]) if unit.is_single else [])]
    words = ", ".join(chosen)
    yield f"{unit.title}{square(unit.points, sheet)}{f': {words}' if words else ''}"
    for kind in kinds[1:] if unit.is_single else kinds:
        items = ", ".join(carried(kind))
        yield f"• {kind_words(kind.number, kind.name)}{f': {items}' if items else ''}"


TEXT = text_format("text-new-recruit", Text("New Recruit text", "Текст New Recruit"), new_recruit)
