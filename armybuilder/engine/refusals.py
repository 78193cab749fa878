"""What msgspec refuses, in words of both languages: no names of Python's types, and the values that are taken."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from armybuilder.engine.findings import Text

_WORDS: Mapping[str, Text] = {
    "int": Text("a whole number", "целое число"),
    "float": Text("a number", "число"),
    "decimal": Text("a number", "число"),
    "str": Text("a text", "текст"),
    "bool": Text("true or false", "true или false"),
    "array": Text("a list", "список"),
    "object": Text("an object", "объект"),
    "uuid": Text("an id", "идентификатор"),
    "datetime": Text("a moment", "момент времени"),
    "null": Text("null", "null"),
}
_RELATIONS: Mapping[str, Text] = {
    "<=": Text("at most", "не больше"),
    ">=": Text("at least", "не меньше"),
    "<": Text("less than", "меньше"),
    ">": Text("more than", "больше"),
}
MEMBER = re.compile(r"Object (contains unknown|missing required) field `(.*)`", re.DOTALL)
"""A member too many or too few, which the pointer of a refusal shall name; the second group is its name."""

_SHAPE = re.compile(r"Expected `([a-z0-9 |]+)`, got `([a-z0-9]+)`")
_BOUND = re.compile(r"Expected `([a-z]+)` (of length )?([<>]=?) (.+)")
_VALUE = re.compile(r"Invalid (?:enum )?value (.*)", re.DOTALL)
_MOMENT = "Invalid RFC3339 encoded datetime"
_MOST_VALUES = 40


def shape_refusal(message: str, target: object, pointer: str) -> Text:
    """A refusal of msgspec as a sentence; one that is not known stays as it is.

    Args:
        message: without the path at its end.
        target: the type that was asked for.
        pointer: JSON pointer to what is refused, from where `target` begins.
    """
    text: Text | None = None
    if match := MEMBER.fullmatch(message):
        text = _wrong_member(match[2], is_unknown=match[1] == "contains unknown")
    elif match := _SHAPE.fullmatch(message):
        text = _wrong_shape(match[1].split(" | "), match[2])
    elif (match := _BOUND.fullmatch(message)) and match[1] in _WORDS:
        text = _out_of_bounds(match[1], match[3], match[4], is_length=bool(match[2]))
    elif match := _VALUE.fullmatch(message):
        text = _wrong_value(match[1], ", ".join(_values_at(target, pointer)))
    elif message == _MOMENT:
        text = Text("Write a moment like 2030-01-31T18:00:00Z.", "Момент времени пишется так: 2030-01-31T18:00:00Z.")
    return text or Text(f"{message}.", f"{message}.")


def _wrong_member(name: str, *, is_unknown: bool) -> Text:
    if is_unknown:
        return Text(f"Unknown field {name!r}.", f"Неизвестное поле «{name}».")
    return Text(f"Missing field {name!r}.", f"Не хватает поля «{name}».")


def _wrong_value(value: str, known: str) -> Text:
    if known:
        return Text(f"{value} is no value here; there are {known}.", f"Значения {value} здесь нет; есть {known}.")
    return Text(f"{value} is no value here.", f"Значения {value} здесь нет.")


def _wrong_shape(wanted: list[str], found: str) -> Text | None:
    names = [name for name in wanted if name in _WORDS]
    if "float" in names and "int" in names:
        names.remove("int")
    if not names or found not in _WORDS:
        return None
    en, ru = " or ".join(_WORDS[name].en for name in names), " или ".join(_WORDS[name].ru for name in names)
    return Text(
        f"{en[0].upper()}{en[1:]} is expected, not {_WORDS[found].en}.",
        f"Здесь нужно: {ru}. Прислано: {_WORDS[found].ru}.",
    )


def _out_of_bounds(name: str, relation: str, bound: str, *, is_length: bool) -> Text:
    word, than, unit, of = _WORDS[name], _RELATIONS[relation], Text("", ""), Text(" of", "")
    if is_length:
        many = int(bound) % 10 != 1 or int(bound) % 100 == 11
        plural = "" if bound == "1" else "s"
        is_text = name == "str"
        unit = Text(
            f" character{plural}" if is_text else f" item{plural}",
            (" знаков" if many else " знака") if is_text else (" элементов" if many else " элемента"),
        )
        of = Text(" of", " длиной")
    return Text(
        f"{word.en[0].upper()}{word.en[1:]}{of.en} {than.en} {bound}{unit.en} is expected.",
        f"Здесь нужно: {word.ru}{of.ru} {than.ru} {bound}{unit.ru}.",
    )


def _values_at(target: object, pointer: str) -> list[str]:
    """The values a member may have, as JSON writes them, as far as they can be counted."""
    places: list[msgspec.inspect.Type] = [msgspec.inspect.type_info(target)]
    for token in pointer.split("/")[1:]:
        places = [inner for place in places for inner in _inside(place, token)]
    values = [value for place in places for value in _said(place)]
    return [str(value) for value in dict.fromkeys(values)] if len(values) <= _MOST_VALUES else []


def _inside(place: Any, token: str) -> Iterator[msgspec.inspect.Type]:
    inspect = msgspec.inspect
    match place:
        case inspect.UnionType():
            for kind in place.types:
                yield from _inside(kind, token)
        case inspect.StructType() if token == place.tag_field:
            yield inspect.LiteralType((place.tag,))
        case inspect.StructType():
            yield from (field.type for field in place.fields if field.encode_name == token)
        case inspect.DictType():
            yield place.value_type
        case inspect.VarTupleType() | inspect.ListType() | inspect.SetType() | inspect.FrozenSetType():
            yield place.item_type


def _said(place: Any) -> Iterator[object]:
    match place:
        case msgspec.inspect.UnionType():
            for kind in place.types:
                yield from _said(kind)
        case msgspec.inspect.EnumType():
            yield from (member.value for member in place.cls)
        case msgspec.inspect.LiteralType():
            yield from place.values
