"""A list as a table of units (CSV); spreadsheets run no cell of it as a formula."""

import csv
from collections.abc import Iterator
from io import StringIO

from armybuilder.armylists.exports.files import text_format
from armybuilder.armylists.exports.phrases import localized, phrases
from armybuilder.armylists.list_sheet import ListSheet
from armybuilder.armylists.wording import number
from armybuilder.engine.findings import Text

_HEADINGS = (
    Text("Detachment", "Отряд"),
    Text("Faction", "Фракция"),
    Text("Role", "Роль"),
    Text("Unit", "Подразделение"),
    Text("Own name", "Своё имя"),
    Text("Models", "Моделей"),
    Text("Points", "Очки"),
    Text("Options", "Опции"),
    Text("Notes", "Заметки"),
    Text("Not of the data", "Не из данных"),
)
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")
_BYTE_ORDER_MARK = "\ufeff"
"""By it spreadsheets know the text for UTF-8."""


def table(sheet: ListSheet) -> str:
    """A row for each unit."""
    out = StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow([localized(heading, sheet) for heading in _HEADINGS])
    writer.writerows([cell(value) for value in row] for row in _rows(sheet))
    return _BYTE_ORDER_MARK + out.getvalue()


def cell(text: str) -> str:
    """A text as a cell; one that a spreadsheet would calculate gets an apostrophe in front."""
    return f"'{text}" if text.startswith(_FORMULA) and not _is_number(text) else text


def _rows(sheet: ListSheet) -> Iterator[tuple[str, ...]]:
    for detachment in sheet.detachments:
        for role in detachment.roles:
            for unit in role.units:
                yield (
                    detachment.name,
                    detachment.faction,
                    role.name,
                    unit.name,
                    unit.own_name,
                    str(unit.model_count),
                    "" if unit.points is None else number(unit.points),
                    ", ".join(phrases(unit.options)),
                    unit.notes,
                    unit.not_of_data,
                )


def _is_number(text: str) -> bool:
    return text[1:].replace(".", "", 1).isdecimal()


CSV = text_format(
    "csv", Text("Table (CSV)", "Таблица (CSV)"), table, ending="csv", media_type="text/csv; charset=utf-8"
)
