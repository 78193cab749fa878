"""The builder's forms as edits: flat fields of a POST become the typed Structs of `armylists.edits`."""

import json
import re
from typing import Any, get_args

import msgspec
from django.http import QueryDict

from armybuilder.armylists import limits
from armybuilder.armylists.edits import Edit, parse_edits
from armybuilder.armylists.errors import EditRefused
from armybuilder.engine.findings import Text
from armybuilder.heroes.edits import AnyEdit

MEMBERS = {kind.__struct_config__.tag: kind.__struct_fields__ for kind in get_args(AnyEdit)}
"""Members of every edit, by its name."""

NUMBERS = frozenset({"amount", "points_limit", "points", "models"})
TEXTS = frozenset({"name", "notes", "role"})
"""Members whose empty text is a value: it takes the player's own name or note away."""

APPLY = "apply"
"""What a button asks for that applies the edits of a proposal, given as JSON in `edits`."""

KEPT = "kept"
"""What a page asks for that sends changes kept on a device: JSON in `kept`, the query of each in their order."""

FACT = "fact."
"""Fields `fact.<path>[:<kind>]` are collected into `facts`; the empty text takes a fact back.

A dot in the path leads into a fact that has parts. The kind says how the text is read: json, number, words or numbers
(a list with commas); without one it is a text.
"""


UNREADABLE = Text(en="The form cannot be read.", ru="Форму не удалось прочесть.")


def submitted(post: QueryDict) -> QueryDict:
    """The fields of a form with those of the pressed button, whose value `do` is a query of its own."""
    fields = post.copy()
    if "do" in fields:
        for name, values in QueryDict(fields.pop("do")[-1]).lists():
            fields.setlist(name, values)
    return fields


def edit_of(fields: QueryDict) -> Edit:
    """The edit that a form asks for: `edit` names it, the other fields are its members, an empty one means None.

    Raises:
        EditRefused: unknown edit, a missing member, a value of the wrong shape.
    """
    name = fields.get("edit", "")
    if "place" in fields:  # a role of a detachment
        fields = fields.copy()
        fields["force_id"], _blank, fields["role"] = str(fields["place"]).partition(" ")
    raw: dict[str, Any] = {"edit": name}
    for member in MEMBERS.get(name, ()):
        if member == "facts":
            raw["facts"] = _facts(fields)
        elif member == "profile":
            raw["profile"] = _profile(fields.get("profile", ""))
        elif member in fields:
            raw[member] = _value(member, str(fields[member]))
    return parse_edits(raw, AnyEdit)[0]


def several_edits(text: str) -> tuple[Edit, ...]:
    """Edits as JSON, as a proposal sends them. Raises EditRefused for anything else."""
    try:
        return parse_edits(json.loads(text), AnyEdit)
    except ValueError as error:
        raise EditRefused(UNREADABLE, "/edits") from error


def kept_edits(text: str) -> tuple[Edit, ...]:
    """Changes that were kept on a device, each as its form would have sent it. Raises EditRefused for anything else."""
    try:
        queries = msgspec.json.decode(text, type=list[str])
    except msgspec.MsgspecError as error:
        raise EditRefused(UNREADABLE, "/kept") from error
    if len(queries) > limits.EDITS_AT_ONCE:
        raise EditRefused(UNREADABLE, "/kept")
    return tuple(edit_of(submitted(QueryDict(query))) for query in queries)


def expected_revision(fields: QueryDict) -> int:
    """The revision the page was made of.

    Raises:
        EditRefused: the field is missing or no number.
    """
    try:
        return int(str(fields["revision"]))
    except (KeyError, ValueError) as error:
        raise EditRefused(
            Text(en="The form does not say which revision it is about.", ru="Форма не говорит, о какой она версии."),
            "/revision",
        ) from error


def _value(member: str, text: str) -> str | int | None:
    text = text.strip()
    if member in TEXTS:
        return text
    if member in NUMBERS and text:
        return _number(member, text)
    return text or None


def _number(member: str, text: str) -> int:
    try:
        return int(text.replace(" ", "").replace("\u00a0", ""))
    except ValueError as error:
        raise EditRefused(
            Text(en=f"“{text}” is not a whole number.", ru=f"«{text}» – не целое число."), f"/{member}"
        ) from error


def _profile(text: str) -> list[list[str]]:
    """`WS 4, BS 4` as pairs of name and value; what stands before the last blank, or a colon, is the name."""
    pairs = []
    for part in filter(None, (part.strip() for part in re.split(r"[,;\n]", text))):
        name, _sign, value = part.partition(":") if ":" in part else part.rpartition(" ")
        pairs.append([name.strip(), value.strip()])
    return pairs


def _facts(fields: QueryDict) -> dict[str, Any]:
    """The stated facts; one with parts is stated whole, and taken back when nothing of it is left."""
    found: dict[str, Any] = {}
    for key in fields:
        if not key.startswith(FACT):
            continue
        path, _, kind = key[len(FACT) :].partition(":")
        name, _, part = path.partition(".")
        value = _fact(fields, key, kind, f"/facts/{path.replace('.', '/')}")
        if part:
            found[name] = (found.get(name) or {}) | ({part: value} if value is not None else {}) or None
        else:
            found[name] = value
    return found


def _fact(fields: QueryDict, key: str, kind: str, at: str) -> Any:
    text = next((value.strip() for value in reversed(fields.getlist(key)) if value.strip()), "")
    if not text:
        return None
    if kind == "words":
        return [word.strip() for word in text.split(",") if word.strip()]
    if kind == "numbers":
        return [_number(at.removeprefix("/"), word.strip()) for word in text.split(",") if word.strip()]
    if kind == "number":
        return _number(at.removeprefix("/"), text)
    if kind != "json":
        return text
    try:
        return json.loads(text)
    except ValueError as error:
        raise EditRefused(UNREADABLE, at) from error
