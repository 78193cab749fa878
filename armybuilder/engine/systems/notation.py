"""How the documents of every game write names, numbers and rules, and how large each of them may be.

The bounds stand here once: whatever a small document says, nothing of it becomes the length of an array, a pattern's
worst case or a loop of hours.
"""

from typing import Annotated, Literal, TypeVar

from msgspec import Meta

T = TypeVar("T")

MAX_TEXT = 200
"""Characters of a name, a rule or an id."""

MAX_NAMES = 200
"""Names in one list."""

MAX_ITEMS = 1_000
"""Units, models, weapons and the like in one list."""

MAX_CHARACTERISTIC = 99
"""Of a profile value; a few are printed with two digits, none with three."""

MAX_COUNT = 100_000
"""Of things that are counted; what a simulation takes is less (`matchups`)."""

MAX_POINTS = 10_000_000

Name = Annotated[str, Meta(max_length=MAX_TEXT)]
"""A name, an id or a word."""

Names = Annotated[tuple[Name, ...], Meta(max_length=MAX_NAMES)]
"""Several of them."""

Characteristic = Annotated[int, Meta(ge=-MAX_CHARACTERISTIC, le=MAX_CHARACTERISTIC)]
"""A value of a profile; what the rulebook says of it is a finding."""

Number = Annotated[int, Meta(ge=-MAX_COUNT, le=MAX_COUNT)]
"""A whole number that may be below zero: a modifier, a turn, a roll."""

Distance = Annotated[float, Meta(ge=0, le=MAX_COUNT)]
"""Inches or centimetres."""

Points = Annotated[int, Meta(ge=-MAX_POINTS, le=MAX_POINTS)] | Annotated[float, Meta(ge=-MAX_POINTS, le=MAX_POINTS)]
"""A price, a sum of prices or a limit."""

Count = Annotated[int, Meta(ge=0, le=MAX_COUNT)]
"""A number of things, none included."""

Positive = Annotated[int, Meta(ge=1, le=MAX_COUNT)]
"""A number of things, at least one."""

DiceText = Count | Annotated[str, Meta(pattern=r"^(\d{1,3}|\d{0,3}D(3|6)([+-]\d{1,3})?)$")]
"""A number of things, or the dice that say it: "2D6", "D3+1"."""

Measure = Distance | Count
"""Inches, whole or not."""

Range = Literal["Template", "Hellstorm", "-", "–"] | Measure | None
"""Of a weapon; a dash where it has none, as in a fight hand to hand."""

Strength = Annotated[str, Meta(pattern=r"^(User|[+]\d{1,2}|[x×]\d{1,2}|[-–])$")] | Count | None
"""Of a weapon: its own, or what it makes of the user's; a dash where it has none."""

TargetNumber = (
    Annotated[int, Meta(ge=-MAX_CHARACTERISTIC, le=MAX_CHARACTERISTIC)]
    | Annotated[str, Meta(pattern=r"^([1-9]|10)\+$|^[-–]$")]
    | None
)
"""A roll to reach, written "4+" or 4; a dash or nothing where there is none."""

RuleName = Annotated[str, Meta(min_length=1, max_length=MAX_TEXT)]
"""Name of a special rule as the datasheet prints it, with its value: "Rending (6+)"."""

RuleNames = Annotated[tuple[RuleName, ...], Meta(max_length=MAX_NAMES)]
"""The special rules of a unit, a model or a weapon."""

Items = Annotated[tuple[T, ...], Meta(max_length=MAX_ITEMS)]
"""Several parts of a document."""

SomeItems = Annotated[tuple[T, ...], Meta(min_length=1, max_length=MAX_ITEMS)]
"""The same where one is needed."""
