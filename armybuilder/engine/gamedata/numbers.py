"""Exact numbers as game data writes them: read from text and written back."""

import re
from decimal import ROUND_DOWN, Decimal

Number = int | Decimal
"""An exact number; whole ones are integers, which Python counts with ten times faster."""

_NUMBER = re.compile(r"[+-]?(\d{1,15}(\.\d{0,20})?|\.\d{1,20})([eE][+-]?\d{1,2})?\Z", re.ASCII)
_BINARY = re.compile(r"\.\d{16}", re.ASCII)
_WHOLE = re.compile(r"[+-]?\d{1,15}(\.0{0,15})?\Z", re.ASCII)

MOST_AMOUNTS = 60
"""Most numbers of a `defaultAmount` that are read: one for each copy of the parent."""


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
    if _BINARY.search(text):
        value = _as_meant(value)
    if value == value.to_integral_value() and abs(value) < 10**15:
        return int(value)
    return value


def _as_meant(value: Decimal) -> Decimal:
    """What a tool meant that wrote a binary fraction in full.

    0.30000000000000004 is 0.3; a third such as 3.3333333333333335 is a hair less than that, so that it goes three
    times into ten.
    """
    short = round(value, 12)
    return short if short == round(value, 9) else value.quantize(Decimal(1).scaleb(-12), ROUND_DOWN)


def is_number(text: str) -> bool:
    """Whether the text is a number that data may hold: finite, of sane length."""
    return _NUMBER.match(text.strip()) is not None


def plain(value: Number) -> str:
    """A number as text, without trailing zeros or exponent."""
    if isinstance(value, int):
        return str(value)
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def amounts_of(text: str | None) -> tuple[int, ...]:
    """The numbers of a `defaultAmount` like "4", "1,2,3" or, of what only the first copy of its parent has, "1,0,0"."""
    if text is None:
        return ()
    return tuple(max(0, int(number(part))) for part in text.split(",")[:MOST_AMOUNTS])
