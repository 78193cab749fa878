"""Reads the two public documents: bytes or parsed JSON to an army or matchup Struct, with a JSON pointer in every refusal."""

import json
import math
import re
from typing import NoReturn, TypeVar

import msgspec

from armybuilder.engine.errors import BadDocument
from armybuilder.engine.systems import PACKS
from armybuilder.engine.systems.rulepack import Document, RulePack

D = TypeVar("D", bound=Document)

MAX_DOCUMENT_BYTES = 4_000_000
"""Larger documents are refused before they are read."""

MAX_DEPTH = 64
"""Deeper nesting is refused: no contract needs a dozen levels."""


def read_json(data: bytes | str) -> object:
    """Parse one JSON text (UTF-8; NaN and Infinity are not JSON) and drop every `x-` field.

    Raises:
        BadDocument: not JSON, too large, too deep, a duplicate member, or not UTF-8.
    """
    if len(data) > MAX_DOCUMENT_BYTES:
        raise BadDocument(f"The document is larger than {MAX_DOCUMENT_BYTES} bytes.")
    try:
        text = data.decode("utf-8-sig") if isinstance(data, bytes) else data
    except UnicodeDecodeError as error:
        raise BadDocument(f"The document is not UTF-8: byte {error.start}.") from error
    try:
        value = json.loads(text, parse_constant=_no_constant, object_pairs_hook=_members)
    except json.JSONDecodeError as error:
        raise BadDocument(f"The text is not JSON: {error.msg}, line {error.lineno}, column {error.colno}.") from error
    except RecursionError as error:
        raise BadDocument(f"The document is nested deeper than {MAX_DEPTH} levels.") from error
    except ValueError as error:  # an integer of more digits than Python reads
        raise BadDocument(f"The text is not JSON: {error}.") from error
    return without_extensions(value)


def without_extensions(value: object, depth: int = 0, at: str = "") -> object:
    """A copy of parsed JSON without members that begin with `x-`; whole floats become integers, as JSON Schema counts them.

    Raises:
        BadDocument: nested too deep, or a number that is not finite.
    """
    if depth > MAX_DEPTH:
        raise BadDocument(f"The document is nested deeper than {MAX_DEPTH} levels.", at)
    match value:
        case dict():
            return {
                key: without_extensions(member, depth + 1, f"{at}/{escaped(key)}")
                for key, member in value.items()
                if not key.startswith("x-")
            }
        case list():
            return [without_extensions(item, depth + 1, f"{at}/{index}") for index, item in enumerate(value)]
        case float():
            if not math.isfinite(value):
                raise BadDocument("The number is not finite.", at)
            return int(value) if value.is_integer() else value
        case _:
            return value


def escaped(key: str) -> str:
    """A member name as one token of a JSON pointer (RFC 6901)."""
    return key.replace("~", "~0").replace("/", "~1")


def pack_of(raw: object) -> RulePack:
    """The rule pack a document's `system` names.

    Raises:
        BadDocument: not an object, `system` missing or unknown.
    """
    if not isinstance(raw, dict):
        raise BadDocument("A document is a JSON object.")
    system = raw.get("system")
    if not isinstance(system, str) or system not in PACKS:
        known = ", ".join(PACKS)
        problem = "The member system is missing" if "system" not in raw else f"Unknown system {system!r}"
        raise BadDocument(f"{problem}; known systems: {known}.", "/system")
    return PACKS[system]


def parse_army(raw: object) -> Document:
    """An army document as the Struct of its game.

    Args:
        raw: parsed JSON, `x-` fields dropped (`read_json`).

    Raises:
        BadDocument: with the pointer to the offending or missing member.
    """
    return converted(raw, pack_of(raw).army_type)


def converted(raw: object, target: type[D]) -> D:
    """Parsed JSON as a Struct; msgspec's path becomes a JSON pointer.

    Raises:
        BadDocument: with the pointer to the offending or missing member.
    """
    try:
        return msgspec.convert(raw, target)
    except msgspec.ValidationError as error:
        message, _, path = str(error).partition(" - at `")
        raise BadDocument(*_problem(message, path.rstrip("`"))) from error


_STEP = re.compile(r"\.([^.\[]+)|\[(\d+)\]|(\[\.\.\.\])")
_MEMBER = re.compile(r"(Object contains unknown field|Object missing required field) `([^`]*)`")


def _problem(message: str, path: str) -> tuple[str, str]:
    """msgspec's message and path as our sentence and pointer."""
    pointer = "".join(f"/{escaped(name) if name else index}" for name, index, rest in _STEP.findall(path) if not rest)
    if match := _MEMBER.search(message):
        kind, name = match.groups()
        verb = "Unknown field" if "unknown" in kind else "Missing field"
        return f"{verb} {name!r}.", f"{pointer}/{escaped(name)}"
    return f"{message}.", pointer


def _members(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """An object's members; a name that stands twice is refused, as nobody can say which value counts."""
    members = dict(pairs)
    if len(members) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise BadDocument(f"The member {twice!r} stands twice in one object.")
    return members


def _no_constant(name: str) -> NoReturn:
    """NaN and Infinity, which Python's parser would accept, are not JSON."""
    raise BadDocument(f"The text is not JSON: {name} is not a number.")
