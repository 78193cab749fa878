"""Units that belong to no list: a game's own yardsticks, and what a player types in to describe one himself.

A game whose lists can be fought has a `target_profiles.toml`:

| table | holds |
|---|---|
| `names` | places of a side that hold the unit's own name, so that no form asks for it twice |
| `standard` | the yardsticks that are offered to everybody |
| `groups` | what a form asks about a new one: a heading with its `fields`, which stand `at` a place of the side |

The places are JSON pointers into the game's side of a matchup document.
"""

import tomllib
from collections.abc import Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import msgspec
from msgspec import Struct

from armybuilder.engine.findings import Text


class StandardTarget(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A yardstick: a unit every player of the game knows.

    Attributes:
        key: names it within its game; stays the same for ever, as requests are kept.
        side: the unit, as the game's matchup documents hold it.
    """

    key: str
    name: Text
    points: Decimal
    side: Any


class TargetField(Struct, frozen=True, kw_only=True):
    """One thing a form asks about a unit.

    Attributes:
        pointer: where it stands in the side, e.g. /models/0/profile/T.
        group: what it belongs to; fields of a group stand together.
        default: what the form begins with.
        follows: says nothing where nothing else of its group is said.
    """

    pointer: str
    label: Text
    group: Text
    default: str = ""
    follows: bool = False

    @property
    def name(self) -> str:
        """The field's name in a form."""
        return self.pointer.strip("/").replace("/", ".")


class TargetBook(Struct, frozen=True, kw_only=True):
    """The units of a game that belong to no list.

    Attributes:
        side: the type of a side of the game's matchup documents.
        names: places of a side that hold the unit's own name.
        fields: of the form for a new one, in the order of their groups.
    """

    side: type[Struct]
    names: tuple[str, ...]
    standard: tuple[StandardTarget, ...]
    fields: tuple[TargetField, ...]


class _FieldRow(Struct, frozen=True, forbid_unknown_fields=True):
    at: str
    en: str
    ru: str
    default: str = ""
    follows: bool = False


class _GroupRow(Struct, frozen=True, forbid_unknown_fields=True):
    name: Text
    fields: tuple[_FieldRow, ...]


class _BookRows(Struct, frozen=True, forbid_unknown_fields=True):
    names: tuple[str, ...]
    standard: tuple[StandardTarget, ...]
    groups: tuple[_GroupRow, ...]


def read_targets(path: Path, side: type[Struct]) -> TargetBook:
    """The units of a `target_profiles.toml`.

    Raises:
        msgspec.ValidationError: a row has a member too many, or a yardstick is no side of the game.
    """
    rows = msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), _BookRows)
    return TargetBook(
        side=side,
        names=rows.names,
        standard=tuple(msgspec.structs.replace(one, side=msgspec.convert(one.side, side)) for one in rows.standard),
        fields=tuple(
            TargetField(
                pointer=row.at, label=Text(row.en, row.ru), group=group.name, default=row.default, follows=row.follows
            )
            for group in rows.groups
            for row in group.fields
        ),
    )


FieldKind = Literal["number", "text", "mixed", "texts", "choice"]
"""What a field takes; mixed is a number, or words such as "User" and "3+"."""


def kind_of(side: type[Struct], pointer: str) -> tuple[FieldKind, tuple[str, ...]]:
    """What may be put at a place of a side, and the choices where there are any.

    Raises:
        KeyError: the struct has no such place.
    """
    wanted: Any = side
    for part in pointer.strip("/").split("/"):
        wanted = _member(wanted, part)
    members = _members(wanted)
    choices = tuple(str(value) for one in members if get_origin(one) is Literal for value in get_args(one))
    if any(get_origin(one) is tuple for one in members):
        return "texts", ()
    if choices and all(get_origin(one) is Literal for one in members):
        return "choice", choices
    numbers = {int, float} & set(members)
    return ("number" if numbers == set(members) else "mixed" if numbers else "text"), ()


def written_side(values: Mapping[str, object], book: TargetBook, *, name: str) -> dict[str, Any]:
    """A side as plain values out of what a form holds; parts of which nothing was said are left out.

    Args:
        values: by the field's name; None, empty text and empty lists say nothing.
        name: of the unit.
    """
    fields = book.fields
    filled_in = {one.name: value for one in fields if (value := values.get(one.name)) not in (None, "", (), [])}
    leading = {one.group for one in fields if one.name in filled_in and not one.follows}
    side: dict[str, Any] = {}
    for one in fields:
        value = filled_in.get(one.name)
        if value is not None and one.group in leading:
            _put(side, one.pointer.strip("/").split("/"), value)
    for pointer in book.names:
        _put(side, pointer.strip("/").split("/"), name)
    written: dict[str, Any] = _without_blanks(side)
    return written


def read_side(side: Mapping[str, Any], fields: Sequence[TargetField]) -> dict[str, Any]:
    """What a form shows of a side; the reverse of `written_side`."""
    return {one.name: found for one in fields if (found := _at(side, one.pointer.strip("/").split("/"))) is not None}


def _put(holder: Any, path: Sequence[str], value: object) -> None:
    first, rest = path[0], path[1:]
    if not rest:
        holder[first] = value
    elif rest[0].isdecimal():
        listed = holder.setdefault(first, [])
        while len(listed) <= int(rest[0]):
            listed.append({})
        _put(listed[int(rest[0])], rest[1:], value)
    else:
        _put(holder.setdefault(first, {}), rest, value)


def _without_blanks(side: Any) -> Any:
    """Without items of lists that nothing was put into."""
    if isinstance(side, dict):
        return {name: _without_blanks(value) for name, value in side.items()}
    if isinstance(side, list):
        return [_without_blanks(item) for item in side if item != {}]
    return side


def _at(holder: Any, path: Sequence[str]) -> Any:
    for part in path:
        if isinstance(holder, Sequence) and not isinstance(holder, str):
            holder = holder[int(part)] if len(holder) > int(part) else None
        elif isinstance(holder, Mapping):
            holder = holder.get(part)
        else:
            return None
    return holder


def _member(kind: Any, part: str) -> Any:
    """The type of a member of a struct, or of an item of a tuple, whatever else the type allows."""
    for one in _members(kind):
        if part.isdecimal() and get_origin(one) is tuple:
            return get_args(one)[0]
        if isinstance(one, type) and issubclass(one, Struct):
            for field in msgspec.structs.fields(one):
                if field.encode_name == part:
                    return field.type
    raise KeyError(part)


def _members(kind: Any) -> tuple[Any, ...]:
    """The alternatives of a type without None and without what only annotates them."""
    origin = get_origin(kind)
    if origin is Annotated:
        return _members(get_args(kind)[0])
    if origin in (Union, UnionType):
        return tuple(inner for one in get_args(kind) if one is not NoneType for inner in _members(one))
    return (kind,)
