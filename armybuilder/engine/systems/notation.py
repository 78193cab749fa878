"""How the documents of every game write counts, target numbers and names of rules."""

from typing import Annotated

from msgspec import Meta

Count = Annotated[int, Meta(ge=0)]
"""A number of things, none included."""

TargetNumber = int | Annotated[str, Meta(pattern=r"^([1-9]|10)\+$|^[-–]$")] | None
"""A roll to reach, written "4+" or 4; a dash or nothing where there is none."""

RuleName = Annotated[str, Meta(min_length=1)]
"""Name of a special rule as the datasheet prints it, with its value: "Rending (6+)"."""
