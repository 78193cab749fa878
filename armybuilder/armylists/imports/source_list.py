"""What a text or a file of another tool says, before any of it is looked up in the data published here."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Annotated

import msgspec
from msgspec import Meta

from armybuilder.armylists.errors import TooLarge
from armybuilder.armylists.list_sheet import SheetProfile
from armybuilder.engine.errors import BadDocument
from armybuilder.engine.findings import Text

UNITS = 400
"""Units of one list that are read; the rest of the lines are handed back as they are."""
ITEMS = 6_000
MOST_POINTS = 10_000_000
LINES = 4_000
"""Lines of a pasted text."""
LINE_LENGTH = 2_000

Words = Annotated[str, Meta(max_length=LINE_LENGTH)]
Number = Annotated[int, Meta(ge=1, le=1_000)]


class SourceItem(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something a unit has, as the source says it.

    Attributes:
        line: where it stands, from 1; several items may stand in one line.
        text: all that was written of it, brackets included: its name where names have brackets.
        is_total: `number` counts the whole unit; else it is said of each model.
    """

    line: int
    text: Words
    name: Words
    number: Number = 1
    is_total: bool = False
    items: tuple["SourceItem", ...] = ()

    def walk(self) -> Iterator["SourceItem"]:
        """This and everything below it."""
        yield self
        for item in self.items:
            yield from item.walk()


class SourceUnit(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A unit as the source says it.

    Attributes:
        under: the headings it stands under, each with its line, outermost first.
        badges: "Warlord" or "General" stands among what it has, and not only who its trait is of.
        told: lines in which something may be stated of it, with their numbers.
        profiles, rules: what a file holds of it; texts hold none.
    """

    line: int
    text: Words
    name: Words
    number: Number = 1
    points: Decimal | None = None
    under: tuple[tuple[int, str], ...] = ()
    is_warlord: bool = False
    warlord_trait: str = ""
    badges: frozenset[str] = frozenset()
    items: tuple[SourceItem, ...] = ()
    notes: str = ""
    told: tuple[tuple[int, str], ...] = ()
    profiles: tuple[SheetProfile, ...] = ()
    rules: tuple[str, ...] = ()


class SourceList(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A whole list as the source says it.

    Attributes:
        game: what the source calls the game; empty where it does not say.
        head: words of the head, among them factions and detachments.
        rest: lines that belong to no unit, with their numbers.
        empty: headings with no unit under them, likewise.
        is_of_names: only the names of the data told which lines are units.
    """

    name: str = ""
    game: str = ""
    head: tuple[str, ...] = ()
    points: Decimal | None = None
    limit: int | None = None
    allegiance: str = ""
    units: tuple[SourceUnit, ...] = ()
    rest: tuple[tuple[int, str], ...] = ()
    empty: tuple[tuple[int, str], ...] = ()
    is_of_names: bool = False
    notes: str = ""


def read_source(text: str) -> SourceList:
    """A source as a page hands it back. Raises BadDocument for what is none."""
    try:
        return msgspec.json.decode(text, type=SourceList)
    except (msgspec.DecodeError, RecursionError) as broken:  # what does not fit its type is a DecodeError too
        raise BadDocument(str(broken)) from broken


def refuse_more_than_a_list(source: SourceList) -> None:
    """Make sure that it can be looked up in bounded time: nobody says that a reader made it, nor of an honest file.

    Raises:
        TooLarge: more than a list can be.
    """
    items = sum(1 for unit in source.units for first in unit.items for _ in first.walk())
    lines = len(source.head) + len(source.rest) + len(source.empty) + sum(len(unit.under) for unit in source.units)
    points = [source.points, *(unit.points for unit in source.units)]
    are_prices = all(one is None or (one.is_finite() and abs(one) < MOST_POINTS) for one in points)
    if len(source.units) > UNITS or items > ITEMS or lines > LINES or not are_prices:
        raise TooLarge(
            Text(
                en=f"A list has up to {UNITS} units with {ITEMS} options; this has {len(source.units)} with {items}.",
                ru=f"В ростере до {UNITS} отрядов и {ITEMS} опций; здесь {len(source.units)} и {items}.",
            )
        )
