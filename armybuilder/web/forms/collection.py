"""What a player says he owns: numbers beside the units that are there, and a unit that is not."""

import re
from collections.abc import Mapping

_MEMBER = re.compile(r"unit-(\d{1,4})")
_MOST_DIGITS = 9


def typed_units(fields: Mapping[str, str]) -> dict[str, tuple[int, int]]:
    """Models and painted models by the name of the unit; what is no number counts as none.

    Fields are `unit-1` with a name, `owned-1` and `painted-1`, and so on.
    """
    return {
        name: (_number(fields.get(f"owned-{member[1]}")), _number(fields.get(f"painted-{member[1]}")))
        for key, name in fields.items()
        if (member := _MEMBER.fullmatch(key)) and name.strip()
    }


def _number(text: str | None) -> int:
    return int(text) if text and text.isdecimal() and len(text) <= _MOST_DIGITS else 0
