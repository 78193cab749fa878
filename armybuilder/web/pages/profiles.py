"""Profiles as tables: those of one type and the same characteristics under one heading."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _

from armybuilder.reference.names import AS_THEY_ARE, Names
from armybuilder.reference.tending import is_bookkeeping

_WEAPONS = frozenset({"range", "firepower"})
"""Characteristics of weapons."""

_BODIES = frozenset({"speed", "armour"})
"""Characteristics of who fights, also where his weapons stand in the same profile."""

_FACINGS = ("front", "side", "rear")
"""Armour of a vehicle, which players say as one figure."""

_NOTHING = "-–— "
_NOT_APPLICABLE = "n/a"

LEAST_FIGURES = 4
"""A profile with fewer figures is of wargear, not of who carries it."""

LEAST_BESIDE = 2
"""So many columns with as many lines belong together: weapons and their ranges."""

ROOM = 320
"""Pixels that a table has on a phone."""

NAME_COLUMN, WORD_COLUMN, LETTER, BESIDE_LETTERS = 68, 80, 8, 6
"""Pixels that a phone gives to names and to text at least, to a letter, and to the space beside letters."""

WORDY = 6
"""A characteristic with values longer than this is set as text, aligned left."""

LONGEST_SHORT = 4
"""Headings that are longer are whole words, not abbreviations."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One value, several of them on lines of their own; `words` where it is text rather than a figure.

    `height`: how many lines of its row it stands beside; `label`: the heading of its column.
    """

    value: str
    words: bool
    height: int = 1
    label: str = ""

    @property
    def lines(self) -> list[str]:
        """The values that stand below each other."""
        return self.value.split("\n")

    @property
    def says_nothing(self) -> bool:
        """Whether it is text, and a dash stands for it."""
        return self.words and not self.value.strip(_NOTHING)


@dataclass(frozen=True, slots=True)
class Row:
    """One profile; `lines` are several where its weapons stand below each other in some of its cells."""

    name: str
    lines: tuple[tuple[Cell, ...], ...]

    @property
    def height(self) -> int:
        """How many lines it takes."""
        return len(self.lines)


@dataclass(frozen=True, slots=True)
class Column:
    """A heading; `title` is the full name where the heading is an abbreviation, `words` says it stands over text."""

    label: str
    title: str
    words: bool


@dataclass(frozen=True, slots=True)
class ProfileTable:
    """All profiles of one type.

    Attributes:
        rows: name of the profile and its values in the order of `columns`.
        is_of_models: of those who fight, not of what they carry.
    """

    type_name: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, tuple[Cell, ...]], ...]
    is_of_models: bool = False

    @property
    def blocks(self) -> tuple[Row, ...]:
        """The rows as they are drawn: a weapon whose name takes two lines has its own range beside it."""
        return tuple(Row(name, _side_by_side(cells)) for name, cells in self.rows)

    @property
    def is_wide(self) -> bool:
        """Whether its columns are more than a phone shows beside each other: there each profile is told as a card."""
        cells = [cells for _, cells in self.rows]
        columns = zip(self.columns, zip(*cells, strict=True), strict=True)
        names = max(NAME_COLUMN, _width(_words(name for name, _ in self.rows)))
        return names + sum(_column_width(column, values) for column, values in columns) > ROOM

    @property
    def texts(self) -> tuple[tuple[str, str], ...]:
        """Names with their words, where words are all it has."""
        if len(self.columns) != 1 or not self.columns[0].words:
            return ()
        return tuple((name, cells[0].value) for name, cells in self.rows)


def profile_tables(profiles: Iterable[Mapping[str, Any]], names: Names = AS_THEY_ARE) -> tuple[ProfileTable, ...]:
    """Stored profiles (`type`, `name`, `characteristics`) as tables in the order they come.

    Twins stand once, and what says nothing (a smoke launcher, described with a dash) not at all.
    """
    groups: dict[tuple[str, tuple[str, ...]], dict[tuple[str, ...], None]] = {}
    for profile in profiles:
        pairs = [(str(name), str(value)) for name, value in profile["characteristics"] if not is_bookkeeping(str(name))]
        row = (str(profile["name"]), *(value or "–" for _, value in pairs))
        if any(value.strip(_NOTHING) for _, value in pairs):
            groups.setdefault((str(profile["type"]), tuple(name for name, _ in pairs)), {})[row] = None
    tables = []
    for (type_name, columns), rows in groups.items():
        wordy = [_is_wordy(names.heading(name), [row[at] for row in rows]) for at, name in enumerate(columns, start=1)]
        order = sorted(range(len(columns)), key=lambda index: wordy[index])  # figures first: a phone shows those
        tables.append(
            ProfileTable(
                names(type_name),
                tuple(_column(columns[index], names, words=wordy[index]) for index in order),
                tuple(
                    (
                        names(row[0]),
                        tuple(
                            Cell(
                                "\n".join(names.lines(row[index + 1])),
                                wordy[index],
                                label=names.heading(columns[index]),
                            )
                            for index in order
                        ),
                    )
                    for row in rows
                ),
                is_of_models=wordy.count(False) >= LEAST_FIGURES and _tell_of_bodies(columns),
            )
        )
    return tuple(tables)


def _is_wordy(heading: str, values: Iterable[str]) -> bool:
    """Whether a column holds text; one with nothing in it but dashes tells by its heading, as "Notes"."""
    said = [value for value in values if value.strip(_NOTHING)]
    return any(len(value) > WORDY for value in said) if said else len(heading) > LONGEST_SHORT


def _column_width(column: Column, values: Iterable[Cell]) -> int:
    """How wide a column is at least: text and the headings of figures break between words, all else nowhere."""
    if column.words:
        return max(WORD_COLUMN, _width([column.label]), _width(_words(cell.value for cell in values)))
    return max(_width(column.label.split()), _width(line for cell in values for line in cell.lines))


def _words(texts: Iterable[str]) -> Iterable[str]:
    return (word for text in texts for word in text.split())


def _width(words: Iterable[str]) -> int:
    return max(map(len, words), default=0) * LETTER + BESIDE_LETTERS


def _side_by_side(cells: tuple[Cell, ...]) -> tuple[tuple[Cell, ...], ...]:
    """The cells line by line, where all that have several lines have as many; else as they are."""
    several = [len(cell.lines) for cell in cells if len(cell.lines) > 1]
    if len(several) < LEAST_BESIDE or len(set(several)) > 1:
        return (cells,)
    height = several[0]
    first = tuple(replace(cell, value=cell.lines[0], height=height if len(cell.lines) == 1 else 1) for cell in cells)
    more = (
        tuple(replace(cell, value=cell.lines[line]) for cell in cells if len(cell.lines) > 1)
        for line in range(1, height)
    )
    return (first, *more)


def _tell_of_bodies(columns: Iterable[str]) -> bool:
    """Whether characteristics are of those who fight, and not of weapons alone."""
    asked = {name.casefold() for name in columns}
    return not _WEAPONS & asked or bool(_BODIES & asked)


def key_figures(profiles: Iterable[Mapping[str, Any]], names: Names = AS_THEY_ARE) -> tuple[tuple[str, str], ...]:
    """A unit in one line: headings and figures of its first profile that is more than a name and words.

    Of a profile that tells its weapons too (Epic) those of the body: one range of several would say little.
    """
    for profile in profiles:
        told = {str(name): str(value) for name, value in profile["characteristics"]}
        is_of_bodies = any(name.casefold() in _BODIES for name in told)
        figures = {
            name: value
            for name, value in told.items()
            if _is_key_figure(name, value) and not (is_of_bodies and name.casefold() in _WEAPONS)
        }
        if len(figures) >= LEAST_FIGURES:
            return _in_short(figures, names)
    return ()


def _is_key_figure(name: str, value: str) -> bool:
    """A figure, or how an aircraft flies."""
    is_figure = name.casefold() in _BODIES or any(letter.isdecimal() for letter in value)
    is_nothing = not value.strip(_NOTHING) or value.casefold() == _NOT_APPLICABLE
    return is_figure and not is_nothing and len(value) <= WORDY and not is_bookkeeping(name)


def _in_short(figures: Mapping[str, str], names: Names) -> tuple[tuple[str, str], ...]:
    facings = [name for name in figures if name.casefold() in _FACINGS]
    is_vehicle = len(facings) == len(_FACINGS)
    short = []
    for name, value in figures.items():
        if not is_vehicle or name not in facings:
            short.append((names.heading(name), names.value(value)))
        elif name == facings[0]:
            short.append((_("AV"), "/".join(figures[facing] for facing in facings)))
    return tuple(short)


def _column(name: str, names: Names, *, words: bool) -> Column:
    short, full = names.heading(name), names.characteristic(name)
    return Column(short, full if short != full else "", words)
