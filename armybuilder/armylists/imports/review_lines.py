"""What became of each line of a source that was looked up in the data."""

from decimal import Decimal
from enum import StrEnum

import msgspec


class LineState(StrEnum):
    """What became of a line."""

    SURE = "sure"
    LIKELY = "likely"
    CHOSEN = "chosen"
    LEFT_OUT = "left_out"
    UNMATCHED = "unmatched"
    NO_PART = "no_part"


class Suggestion(msgspec.Struct, frozen=True):
    """An entry that a line may mean; `confidence` from 0 to 100."""

    entry_id: str
    name: str
    confidence: int


class ReviewLine(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the source with what it was taken for.

    Attributes:
        key: names it in choices; the same for the same source.
        line: where it stands, from 1.
        depth: 0 for a unit and for lines of no unit.
        entry_id, name, confidence: of what was taken; empty where nothing was.
        stated, points: what the source says the unit costs, and what it costs here.
    """

    key: str
    line: int
    text: str
    depth: int = 0
    is_unit: bool = False
    state: LineState
    entry_id: str = ""
    name: str = ""
    confidence: int = 0
    suggestions: tuple[Suggestion, ...] = ()
    stated: Decimal | None = None
    points: Decimal | None = None
