"""A list for the opponent before the game: no points, no magic items, no notes, and of the verdict only the word.

It carries no code of the verdict either: the page of a code shows the points.
"""

from collections.abc import Iterator

import msgspec

from armybuilder.armylists.exports.files import text_format
from armybuilder.armylists.exports.phrases import (
    blocks,
    carried,
    kind_words,
    last_line,
    phrases,
    times,
    verdict_words,
)
from armybuilder.armylists.list_sheet import ListSheet, SheetUnit
from armybuilder.engine.findings import Text


def secret_text(sheet: ListSheet) -> str:
    """The whole list as far as an opponent may know it."""
    parts = ["\n".join([sheet.name, ", ".join((sheet.game, *sheet.factions))])]
    for detachment in sheet.detachments:
        parts.append(detachment.name.upper())
        for role in detachment.taken_roles:
            units = (line for unit in role.units for line in _unit(unit.without_secrets()))
            parts.append("\n".join([role.name, *units]))
    return blocks(
        *parts, "\n".join([verdict_words(sheet), last_line(msgspec.structs.replace(sheet, signed_verdict=None))])
    )


def _unit(unit: SheetUnit) -> Iterator[str]:
    kinds = unit.models
    yield f"- {times(unit.model_count, unit.title)}"
    yield from (f"  {line}" for line in [*phrases(unit.items), *(carried(kinds[0]) if unit.says_its_models else [])])
    if not unit.says_its_models:
        for kind in kinds:
            worn = ", ".join(carried(kind))
            yield f"  {kind_words(kind.number, kind.name)}{f': {worn}' if worn else ''}"


TEXT = text_format(
    "secret", Text("Secret: no points, no magic items", "Секретный: без очков и магических предметов"), secret_text
)
