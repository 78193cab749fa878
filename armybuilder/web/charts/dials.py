"""Drawing of a hero's dials: twelve segments round a circle, the value filled, the start value marked."""

from dataclasses import dataclass
from functools import cache
from math import cos, radians, sin

from armybuilder.engine.systems.relic.hero import DIAL

COLORS = {"strength": "red", "willpower": "blue", "cunning": "yellow", "life": "green"}
"""The colours of the board. Source: L143-L147, L161 [text]."""

CENTRE = 60
INNER, OUTER = 42.0, 56.0
GAP = 3.0
"""Degrees between two segments."""


@dataclass(frozen=True, slots=True)
class DialSegment:
    """One place of a dial.

    Attributes:
        path: outline as SVG writes it.
        is_start: the character begins here.
    """

    path: str
    is_on: bool
    is_start: bool


def segments(value: int | None, start: int | None) -> tuple[DialSegment, ...]:
    """The twelve places; those up to the value are filled."""
    return tuple(DialSegment(_path(place), place <= (value or 0), place == start) for place in DIAL)


@cache
def _path(place: int) -> str:
    """The outline of a place: 1 begins at the top, as on a clock."""
    first, last = 30 * (place - 1) + GAP / 2, 30 * place - GAP / 2
    corners = [_point(OUTER, first), _point(OUTER, last), _point(INNER, last), _point(INNER, first)]
    outer, inner = f"{OUTER:g}", f"{INNER:g}"
    return f"M{corners[0]}A{outer} {outer} 0 0 1 {corners[1]}L{corners[2]}A{inner} {inner} 0 0 0 {corners[3]}Z"


def _point(radius: float, degrees: float) -> str:
    angle = radians(degrees - 90)
    return f"{CENTRE + radius * cos(angle):.2f} {CENTRE + radius * sin(angle):.2f}"
