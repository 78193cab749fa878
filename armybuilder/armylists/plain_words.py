"""Words that players wrote, without signs that nobody sees and that turn the line in which others read them."""

import re

_TURNING = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Marks of direction: with them "gnp.exe" is read as "exe.png", and what stands behind is read from the right."""


def turns(text: str) -> bool:
    """Whether there are such marks in a text."""
    return _TURNING.search(text) is not None


def straight(text: str) -> str:
    """A text without them."""
    return _TURNING.sub("", text)


def one_line(text: str) -> str:
    """A name: straight, on one line, without blanks around it."""
    return " ".join(straight(text).split())
