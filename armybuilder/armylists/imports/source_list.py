"""What a text or a file of another tool says, before any of it is looked up in the data published here."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Annotated

import msgspec
from msgspec import Meta

from armybuilder.armylists.list_sheet import SheetProfile

UNITS = 400
"""Units of one list that are read; the rest of the lines are handed back as they are."""
ITEMS = 6_000
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
    items: tuple[SourceItem, ...] = ()
    notes: str = ""
    profiles: tuple[SheetProfile, ...] = ()
    rules: tuple[str, ...] = ()


class SourceList(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A whole list as the source says it.

    Attributes:
        game: what the source calls the game; empty where it does not say.
        head: words of the head, among them factions and detachments.
        rest: lines that belong to no unit, with their numbers.
    """

    name: str = ""
    game: str = ""
    head: tuple[str, ...] = ()
    points: Decimal | None = None
    limit: int | None = None
    allegiance: str = ""
    units: tuple[SourceUnit, ...] = ()
    rest: tuple[tuple[int, str], ...] = ()
    notes: str = ""
