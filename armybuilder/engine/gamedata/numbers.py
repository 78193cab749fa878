"""Exact numbers as game data writes them: read from text and written back."""

import re
from decimal import Decimal

Number = int | Decimal
"""An exact number; whole ones are integers, which Python counts with ten times faster."""

_NUMBER = re.compile(r"[+-]?(\d{1,15}(\.\d{0,15})?|\.\d{1,15})([eE][+-]?\d{1,2})?\Z", re.ASCII)
_WHOLE = re.compile(r"[+-]?\d{1,15}(\.0{0,15})?\Z", re.ASCII)


def number(text: str | None, default: Number = 0) -> Number:
    """An exact number; `default` when the text is none (the loader has reported it)."""
    if text is None:
        return default
    text = text.strip()
    if _WHOLE.match(text):
        return int(text.partition(".")[0])
    if not _NUMBER.match(text):
        return default
    value = Decimal(text)
    if value == value.to_integral_value() and abs(value) < 10**15:
        return int(value)
    return value


def is_number(text: str) -> bool:
    """Whether the text is a number that data may hold: finite, of sane length."""
    return _NUMBER.match(text.strip()) is not None


def plain(value: Number) -> str:
    """A number as text, without trailing zeros or exponent."""
    if isinstance(value, int):
        return str(value)
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
