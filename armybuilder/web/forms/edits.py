"""The builder's forms as edits: flat fields of a POST become the typed Structs of `armylists.edits`."""

import json
from collections.abc import Mapping
from typing import Any, get_args

import msgspec
from django.http import QueryDict

from armybuilder.armylists.edits import Edit
from armybuilder.armylists.errors import EditRefused

_EDITS: Mapping[str, type[Any]] = {kind.__struct_config__.tag: kind for kind in get_args(Edit)}
FACT = "fact."
"""Fields `fact.<name>` are collected into `facts`; the empty text takes a fact back."""


def edit_of(fields: QueryDict) -> Edit:
    """The edit that a form asks for.

    `edit` names it; the other fields are its members. An empty member means None. A fact is text, or JSON
    in a field `fact.<name>` whose value begins with `json:`.

    Raises:
        EditRefused: unknown edit, a missing member, a value of the wrong shape.
    """
    name = fields.get("edit", "")
    kind = _EDITS.get(name)
    if kind is None:
        raise EditRefused(f"There is no edit {name!r}.", "/edit")
    raw: dict[str, Any] = {"edit": name}
    for member in kind.__struct_fields__:
        if member == "facts":
            raw["facts"] = {key[len(FACT) :]: _fact(fields, key) for key in fields if key.startswith(FACT)}
        elif member in fields:
            raw[member] = _value(member, fields[member])
    try:
        edit: Edit = msgspec.convert(raw, kind, strict=False)
    except msgspec.ValidationError as error:
        raise EditRefused(f"{error}.") from error
    return edit


def _value(member: str, text: str) -> str | None:
    if member in ("name", "notes"):  # an empty name or note is a value: it takes the player's own away
        return text.strip()
    return text or None


def _fact(fields: QueryDict, key: str) -> Any:
    values = [value for value in fields.getlist(key) if value]
    if not values:
        return None
    if values[-1].startswith("json:"):
        try:
            return json.loads(values[-1][len("json:") :])
        except ValueError as error:
            raise EditRefused(f"The fact {key[len(FACT) :]!r} cannot be read.", f"/facts/{key[len(FACT) :]}") from error
    return values[-1]


def expected_revision(fields: QueryDict) -> int:
    """The revision the page was made of.

    Raises:
        EditRefused: the field is missing or no number.
    """
    try:
        return int(fields["revision"])
    except (KeyError, ValueError) as error:
        raise EditRefused("The field revision is missing or no number.", "/revision") from error
