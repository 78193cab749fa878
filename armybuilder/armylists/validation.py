"""Parsed JSON as typed values: what does not fit is refused with a pointer to the member."""

import re
from typing import TypeVar

import msgspec

from armybuilder.engine.documents import escaped
from armybuilder.engine.errors import BadDocument
from armybuilder.engine.refusals import MEMBER, shape_refusal

T = TypeVar("T")

_STEP = re.compile(
    r"\[\.\.\.\]|\.([^.\[`]+)|\[(\d+)\]"
)  # msgspec writes [...] for a key of a map and does not say which


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
        text = shape_refusal(message, target, pointer.removeprefix(at))
        if member := MEMBER.fullmatch(message):
            pointer += f"/{escaped(member[2])}"
        raise BadDocument(text.en, pointer, russian=text.ru) from error
