"""The alliance matrix as a CSV table: a row is the primary detachment's faction, a column the ally, a cell a level."""

import csv
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from io import StringIO
from typing import TypeVar

from armybuilder.engine.findings import Text
from armybuilder.reference.errors import BadAllianceTable
from armybuilder.reference.models import AllianceLevel, Faction
from armybuilder.reference.queries import AllianceMatrix

UNKNOWN = "?"
_MOST_PROBLEMS = 20
Row = TypeVar("Row", Faction, AllianceLevel)


def written(matrix: AllianceMatrix) -> str:
    """The matrix as CSV: names of factions, keys of levels, `?` where the level is not known."""
    out = StringIO()
    table = csv.writer(out)
    table.writerow(["", *(faction.name for faction in matrix.factions)])
    for primary, cells in matrix.rows:
        table.writerow([primary.name, *(cell.level.key if cell.level else UNKNOWN for cell in cells)])
    return out.getvalue()


def read(matrix: AllianceMatrix, text: str) -> dict[tuple[Faction, Faction], str | None]:
    """Cells of a CSV table: level keys, None where it says unknown; only the rows and columns it has.

    Factions and levels may be written in either language or as keys, in any case; commas, semicolons and tabs
    all separate.

    Raises:
        BadAllianceTable: with every problem, by row and column.
    """
    lines = _lines(text)
    if not lines:
        raise BadAllianceTable([Text(en="The table is empty.", ru="Таблица пуста.")])
    reading = _Reading(
        factions=_by_any_name(matrix.factions),
        levels={name: level.key for name, level in _by_any_name(matrix.levels).items()},
    )
    problems = [*reading.headings(lines[0][1:])]
    for number, line in enumerate(lines[1:], start=2):
        problems.extend(reading.row(number, line))
    if problems:
        raise BadAllianceTable(problems[:_MOST_PROBLEMS])
    return reading.cells


@dataclass
class _Reading:
    """What is known of a table while it is read from its first line to its last."""

    factions: Mapping[str, Faction]
    levels: Mapping[str, str]
    columns: list[Faction | None] = field(default_factory=list)
    seen: set[Faction] = field(default_factory=set)
    cells: dict[tuple[Faction, Faction], str | None] = field(default_factory=dict)

    def headings(self, names: list[str]) -> Iterator[Text]:
        """Take the first line; yield what is wrong with it."""
        for number, name in enumerate(names, start=2):
            column = self.factions.get(_plain(name))
            if column is None:
                yield Text(
                    en=f'Row 1, column {number}: there is no faction "{name}".',
                    ru=f"Строка 1, столбец {number}: нет фракции «{name}».",
                )
            elif column in self.columns:
                yield Text(
                    en=f'Row 1, column {number}: "{name}" stands there twice.',
                    ru=f"Строка 1, столбец {number}: «{name}» указана дважды.",
                )
            self.columns.append(column)

    def row(self, number: int, line: list[str]) -> Iterator[Text]:
        """Take another line; yield what is wrong with it."""
        primary = self.factions.get(_plain(line[0]))
        if primary is None:
            yield Text(
                en=f'Row {number}, column 1: there is no faction "{line[0]}".',
                ru=f"Строка {number}, столбец 1: нет фракции «{line[0]}».",
            )
            return
        if primary in self.seen:
            yield Text(
                en=f'Row {number}, column 1: "{line[0]}" stands there twice.',
                ru=f"Строка {number}, столбец 1: «{line[0]}» указана дважды.",
            )
            return
        self.seen.add(primary)
        if len(line) - 1 != len(self.columns):
            yield Text(
                en=f"Row {number}: {len(self.columns)} cells were expected after the name, {len(line) - 1} are there.",
                ru=f"Строка {number}: после названия ожидалось ячеек: {len(self.columns)}, есть: {len(line) - 1}.",
            )
            return
        for place, (column, value) in enumerate(zip(self.columns, line[1:], strict=True), start=2):
            if column is None:
                continue
            if _plain(value) in ("", UNKNOWN, "unknown", "неизвестно"):
                self.cells[primary, column] = None
            elif _plain(value) in self.levels:
                self.cells[primary, column] = self.levels[_plain(value)]
            else:
                known = ", ".join(dict.fromkeys(self.levels.values()))
                yield Text(
                    en=f'Row {number} ({primary.name}), column {place} ({column.name}): "{value}" is no level; '
                    f"expected {known} or {UNKNOWN}.",
                    ru=f"Строка {number} ({primary.name_ru or primary.name}), столбец {place} "
                    f"({column.name_ru or column.name}): «{value}» – не уровень; ожидалось {known} или {UNKNOWN}.",
                )


def _lines(text: str) -> list[list[str]]:
    text = text.removeprefix("\ufeff")
    first = text.split("\n", 1)[0]
    delimiter = max(",;\t", key=first.count)
    return [line for line in csv.reader(StringIO(text), delimiter=delimiter) if any(cell.strip() for cell in line)]


def _by_any_name(rows: Iterable[Row]) -> dict[str, Row]:
    return {_plain(name): row for row in rows for name in (row.key, row.name, row.name_ru) if name}


def _plain(name: str) -> str:
    return " ".join(name.casefold().replace("_", " ").replace("’", "'").split())
