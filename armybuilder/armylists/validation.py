"""Parsed JSON as typed values: what does not fit is refused with a pointer to the member."""

import re
from typing import TypeVar

import msgspec

from armybuilder.engine.documents import escaped
from armybuilder.engine.errors import BadDocument

T = TypeVar("T")

_STEP = re.compile(
    r"\[\.\.\.\]|\.([^.\[`]+)|\[(\d+)\]"
)  # msgspec writes [...] for a key of a map and does not say which
_MEMBER = re.compile(r"Object (?:contains unknown|missing required) field `(.*?)`")


def shaped(raw: object, target: type[T], *, at: str = "") -> T:
    """Parsed JSON as `target`.

    Args:
        at: pointer of `raw` in what was sent.

    Raises:
        BadDocument: with the pointer to the offending, unknown or missing member.
    """
    try:
        return msgspec.convert(raw, target)
    except msgspec.ValidationError as error:
        message, _, path = str(error).partition(" - at `$")
        pointer = at + "".join(
            f"/{escaped(name) if name else index}" for name, index in _STEP.findall(path) if name or index
        )
        if member := _MEMBER.search(message):
            pointer += f"/{escaped(member.group(1))}"
        raise BadDocument(f"{message}.", pointer) from error
