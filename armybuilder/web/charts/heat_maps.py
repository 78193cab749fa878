"""Geometry of a matrix as a picture; on its page it is a table."""

from dataclasses import dataclass

from armybuilder.web.charts.distributions import HEAT_STEPS
from armybuilder.web.pages.matchup_answers import MatrixView

NAMES, CELL, ROW, HEAD = 232, 74, 30, 150
"""Room for the names of rows, size of a cell, room for the names of columns."""

SLANT = 160
"""Room on the right for the aslant name of the last column."""

DARK_FROM = 6
"""Shades from this on carry light figures."""

LONGEST_NAME = 28


@dataclass(frozen=True, slots=True)
class HeatCell:
    """One cell: its corner, its figure and shade."""

    x: float
    y: float
    figure: str
    step: int
    is_dark: bool


@dataclass(frozen=True, slots=True)
class HeatMap:
    """The whole picture.

    Attributes:
        columns: place and name, written aslant; rows: baseline and name.
    """

    width: int
    height: int
    caption: str
    columns: tuple[tuple[float, str], ...]
    rows: tuple[tuple[float, str], ...]
    cells: tuple[HeatCell, ...]


def heat_map(matrix: MatrixView) -> HeatMap:
    """A matrix in one direction, shaded as on its page."""
    cells = tuple(
        HeatCell(
            NAMES + column * CELL,
            HEAD + number * ROW,
            "–" if cell.impossible else cell.figure,
            min(cell.step, HEAT_STEPS - 1),
            cell.step >= DARK_FROM,
        )
        for number, row in enumerate(matrix.rows)
        for column, cell in enumerate(row.cells)
    )
    return HeatMap(
        width=NAMES + CELL * len(matrix.columns) + SLANT,
        height=HEAD + ROW * len(matrix.rows) + 12,
        caption=f"{dict(matrix.measures)[matrix.measure]}. {matrix.caption}",
        columns=tuple((NAMES + (n + 0.5) * CELL, short(unit.name)) for n, unit in enumerate(matrix.columns)),
        rows=tuple((HEAD + (n + 0.65) * ROW, short(row.unit.name)) for n, row in enumerate(matrix.rows)),
        cells=cells,
    )


def short(name: str, longest: int = LONGEST_NAME) -> str:
    """A name that fits, with the number that tells it from its twins."""
    if len(name) <= longest:
        return name
    head, _, last = name.rpartition(" ")
    end = f" {last}" if head and last.isdecimal() else ""
    return f"{name[: longest - 1 - len(end)].rstrip()}…{end}"
