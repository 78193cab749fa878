"""Reads the two public documents, army and matchup, into Structs; every refusal has a JSON pointer."""

import json
import math
import re
from bisect import bisect_left
from collections import Counter
from sys import getrecursionlimit
from typing import NoReturn, TypeVar

import msgspec

from armybuilder.engine.errors import BadDocument, LimitExceeded
from armybuilder.engine.findings import Text
from armybuilder.engine.refusals import MEMBER, shape_refusal
from armybuilder.engine.systems.game import GAMES, LIST_RULES
from armybuilder.engine.systems.list_rules import Document, ListRules
from armybuilder.engine.systems.matchups import Matchup

D = TypeVar("D", bound=Document)

MAX_DOCUMENT_BYTES = 2_000_000
"""Larger documents are refused before they are read."""

MAX_DEPTH = 64
"""Deeper nesting is refused: no contract needs a dozen levels."""

MAX_INTEGER = 2**64
"""Whole numbers stay below it, so that a seed fits and every JSON writer can give them back."""

MAX_NUMBER = 1e15
"""Broken numbers stay below it, so that sums stay finite."""


def read_json(data: bytes | str) -> object:
    """Parse one JSON text (UTF-8; NaN and Infinity are not JSON) and drop every `x-` field.

    Raises:
        BadDocument: not JSON, too large, too deep, a duplicate member, or not UTF-8.
    """
    if len(data) > MAX_DOCUMENT_BYTES:
        raise LimitExceeded(f"The document is larger than {MAX_DOCUMENT_BYTES} bytes.")
    if (plain := _plain(data)) is not None:
        return plain
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
    """A copy of parsed JSON without members that begin with `x-`; whole floats become integers, as in JSON Schema.

    Raises:
        BadDocument: nested too deep, a number that is not finite, or half a character.
        LimitExceeded: a number that no answer could repeat exactly.
    """
    if depth > MAX_DEPTH:
        raise BadDocument(f"The document is nested deeper than {MAX_DEPTH} levels.", at)
    match value:
        case str():
            return _text(value, at)
        case dict():
            return {
                key: without_extensions(member, depth + 1, f"{at}/{escaped(_text(key, at))}")
                for key, member in value.items()
                if not key.startswith("x-")
            }
        case list():
            return [without_extensions(item, depth + 1, f"{at}/{index}") for index, item in enumerate(value)]
        case bool():
            return value
        case int() if abs(value) >= MAX_INTEGER:
            raise LimitExceeded("The number is too large.", at)
        case float():
            return _number(value, at)
        case _:
            return value


def _plain(data: bytes | str) -> object:
    """A text that needs none of what `read_json` looks for, by the quick parser; None for every other, valid or not."""
    try:
        written = data.encode() if isinstance(data, str) else data
        if _LONG_NUMBER in written.translate(_DIGITS):
            return None
        value = _lossless(written)
        return value if value is not None and _is_flat(written) else None
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        return None


def _lossless(written: bytes) -> object:
    """The same of any depth and with numbers of any length. Raises MsgspecError where it is no JSON.

    The quick parser keeps the last of two members of one name, and hands broken numbers over. Each member has a colon,
    so where no sign is escaped and what was read is written again with as many colons, none was lost. Names that begin
    with `x-` are looked for in the bytes, where a text that begins so makes the reading slower and not wrong.
    """
    if b"\\" in written or b'"x-' in written:
        return None
    value: object = _WHOLE_NUMBERS.decode(written)
    return value if written.count(b":") == msgspec.json.encode(value).count(b":") else None


def _is_flat(written: bytes) -> bool:
    """Whether a text that can be read is surely not too deep: told by how far its lines are set in.

    A text of many short lines set in far becomes several hundred times as long; where it might, it is not written so.
    """
    if len(written) * getrecursionlimit() > _MOST_INDENTED:
        openings = written.count(b"[") + written.count(b"{")
        lines = written.count(b",") + 2 * openings
        if lines * min(openings, getrecursionlimit()) > _MOST_INDENTED:
            return False
    return _DEEP not in msgspec.json.format(written, indent=1)


def _refuse_broken_number(text: str) -> NoReturn:
    raise ValueError(text)


_WHOLE_NUMBERS = msgspec.json.Decoder(float_hook=_refuse_broken_number)
_DIGITS = bytes.maketrans(b"123456789", b"000000000")
_LONG_NUMBER = b"0" * len(str(MAX_INTEGER))
_DEEP = b"\n" + b" " * (MAX_DEPTH - 4)
_MOST_INDENTED = 50_000_000
"""Bytes that a text with its lines set in may have at most."""


def escaped(key: str) -> str:
    """A member name as one token of a JSON pointer (RFC 6901)."""
    return key.replace("~", "~0").replace("/", "~1")


def list_rules_of(raw: object) -> ListRules:
    """The rules of the game that a document's `system` names.

    Raises:
        BadDocument: not an object, `system` missing or unknown.
    """
    if not isinstance(raw, dict):
        raise BadDocument("A document is a JSON object.")
    system = raw.get("system")
    if not isinstance(system, str) or system not in LIST_RULES:
        known = ", ".join(LIST_RULES)
        problem = "The member system is missing" if "system" not in raw else f"Unknown system {system!r}"
        raise BadDocument(f"{problem}; known systems: {known}.", "/system")
    return LIST_RULES[system]


def parse_army(raw: object) -> Document:
    """An army document as the Struct of its game.

    Args:
        raw: parsed JSON, `x-` fields dropped (`read_json`).

    Raises:
        BadDocument: with the pointer to the offending or missing member.
    """
    return converted(raw, list_rules_of(raw).army_type)


def read_army(data: bytes) -> Document:
    """An army document from its text: what `parse_army` says of what `read_json` reads.

    How deep it is and how long its numbers are need not be told of one that is a Struct, which names all that is in it
    and bounds every number; and where the word stands nowhere, no null does.

    Raises:
        BadDocument: with the pointer to the offending or missing member, where there is one.
    """
    document = _plain_army(data) if len(data) <= MAX_DOCUMENT_BYTES else None
    if document is None:
        return parse_army(read_json(data))
    _refuse_contradictions(document)
    return document


def _plain_army(data: bytes) -> Document | None:
    """A text that is surely such a document, apart from contradictions; None for every other, for the slower way."""
    if b"null" in data:
        return None
    try:
        raw = _lossless(data)
        system = raw.get("system") if isinstance(raw, dict) else None
        rules = LIST_RULES.get(system) if isinstance(system, str) else None
        return msgspec.convert(raw, rules.army_type) if rules is not None else None
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        return None


def parse_matchup(raw: object) -> Matchup:
    """A matchup document as the Struct of its game and kind.

    Args:
        raw: parsed JSON, `x-` fields dropped (`read_json`).

    Raises:
        BadDocument: with the pointer to the offending or missing member.
    """
    kinds = GAMES[list_rules_of(raw).system].simulations
    assert isinstance(raw, dict)
    name = raw.get("kind")
    if not isinstance(name, str) or name not in kinds:
        problem = "The member kind is missing" if "kind" not in raw else f"Unknown kind {name!r}"
        raise BadDocument(f"{problem}; kinds of this system: {', '.join(kinds) or 'none'}.", "/kind")
    matchup = converted(raw, kinds[name].request)
    for need in kinds[name].needs:
        part: object = matchup
        for step in need.split("."):
            part = getattr(part, step, None)
        if part is None:
            raise BadDocument(f"Missing field {need!r}: {name} needs it.", "/" + need.replace(".", "/"))
    return matchup


def converted(raw: object, target: type[D]) -> D:
    """Parsed JSON as a Struct; msgspec's path becomes a JSON pointer.

    Raises:
        BadDocument: with the pointer to the offending or missing member.
    """
    try:
        document = msgspec.convert(raw, target)
    except msgspec.ValidationError as error:
        text, at = _problem(str(error), raw, target)
        raise BadDocument(text.en, at, russian=text.ru) from error
    if _may_hold_null(raw):
        _refuse_nulls(raw, document, "")
    _refuse_contradictions(document)
    return document


def _refuse_contradictions(document: Document) -> None:
    for message, at in document.contradictions():
        raise BadDocument(message, at)


_STEP = re.compile(r"\.([^.\[`]+)|\[(\d+)\]|(\[\.\.\.\])")


def _problem(refusal: str, raw: object, target: type[Document]) -> tuple[Text, str]:
    """msgspec's refusal as our sentence and pointer."""
    message, _, path = refusal.rpartition(" - at `$") if refusal.endswith("`") else ("", "", "")
    message = message or refusal
    pointer = ""
    for name, index, value_of_a_map in _STEP.findall(path):
        key = _offending_key(raw, pointer, target) if value_of_a_map else name or index
        pointer += f"/{escaped(key)}"
    text = shape_refusal(message, target, pointer)
    if member := MEMBER.fullmatch(message):
        pointer += f"/{escaped(member[2])}"
    return text, pointer


def _offending_key(raw: object, pointer: str, target: type[Document]) -> str:
    """The first key of the map at `pointer` whose value alone is refused."""
    tokens = [token.replace("~1", "/").replace("~0", "~") for token in pointer.split("/")[1:]]
    members = raw
    for token in tokens:
        members = _member(members, token)
    if not isinstance(members, dict):
        return ""
    keys = list(members)

    def refused(count: int) -> bool:
        """Whether the first so many members hold a wrong one: then all longer beginnings do."""
        try:
            msgspec.convert(_replaced(raw, tokens, {key: members[key] for key in keys[:count]}), target)
        except msgspec.ValidationError as error:
            return "[...]" in str(error)
        return False

    return str(keys[bisect_left(range(len(keys) - 1), True, key=lambda index: refused(index + 1))])


def _replaced(raw: object, tokens: list[str], value: object) -> object:
    """A copy of parsed JSON with another value in one place."""
    if not tokens:
        return value
    head, *rest = tokens
    if isinstance(raw, dict):
        return {**raw, head: _replaced(raw[head], rest, value)}
    assert isinstance(raw, list)
    index = int(head)
    return [*raw[:index], _replaced(raw[index], rest, value), *raw[index + 1 :]]


def _member(value: object, token: str) -> object:
    if isinstance(value, dict):
        return value.get(token)
    return value[int(token)] if isinstance(value, list) and token.isdecimal() and int(token) < len(value) else None


def _may_hold_null(raw: object) -> bool:
    """Whether parsed JSON holds null, or a text in which the word stands: told by writing it, three times as fast."""
    try:
        return b"null" in msgspec.json.encode(raw)
    except (msgspec.MsgspecError, OverflowError, RecursionError, UnicodeError):  # no such document is read at all
        return True


def _refuse_nulls(raw: object, part: object, at: str) -> None:
    """Refuse null where the contract has another way of saying "none": leaving the member out.

    Raises:
        BadDocument: with the pointer to the null.
    """
    if isinstance(raw, dict):
        allowed = getattr(part, "nulls", None)
        for key, value in raw.items():
            if value is None:
                if allowed is not None and key not in allowed:
                    raise BadDocument("null is no value here; leave the member out.", f"{at}/{escaped(key)}")
            elif isinstance(value, dict | list):
                _refuse_nulls(value, getattr(part, key, None), f"{at}/{escaped(key)}")
    elif isinstance(raw, list) and isinstance(part, tuple | list):
        for index, value in enumerate(raw):
            if isinstance(value, dict | list):
                _refuse_nulls(value, part[index], f"{at}/{index}")


def _members(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """An object's members; a name that stands twice is refused, as nobody can say which value counts."""
    members = dict(pairs)
    if len(members) < len(pairs):
        times = Counter(name for name, _ in pairs)
        twice = next(name for name, count in times.items() if count > 1)
        raise BadDocument(f"The member {twice!r} stands twice in one object.")
    return members


def _text(value: str, at: str) -> str:
    """A text that can be written again: JSON escapes can name half of a character, UTF-8 cannot.

    Raises:
        BadDocument: it cannot.
    """
    if not value.isascii() and not _is_writable(value):
        raise BadDocument("The text holds half of a character (a lone surrogate).", at)
    return value


def _is_writable(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def _number(value: float, at: str) -> int | float:
    if not math.isfinite(value):
        raise BadDocument("The number is not finite.", at)
    if abs(value) >= MAX_NUMBER:
        raise LimitExceeded("The number is too large.", at)
    return int(value) if value.is_integer() else value


def _no_constant(name: str) -> NoReturn:
    """NaN and Infinity, which Python's parser would accept, are not JSON."""
    raise BadDocument(f"The text is not JSON: {name} is not a number.")
