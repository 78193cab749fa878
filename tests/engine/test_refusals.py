"""What msgspec refuses, in words of both languages."""

from enum import StrEnum
from typing import Annotated

import msgspec
import pytest

from armybuilder.armylists.validation import shaped
from armybuilder.engine.errors import BadDocument


class Side(StrEnum):
    LOYALIST = "loyalist"
    TRAITOR = "traitor"


class Rename(msgspec.Struct, tag_field="edit", tag="rename", forbid_unknown_fields=True):
    name: Annotated[str, msgspec.Meta(min_length=1, max_length=21)]


class SetSide(msgspec.Struct, tag_field="edit", tag="set_side", forbid_unknown_fields=True):
    sides: tuple[Side, ...]
    points: Annotated[int, msgspec.Meta(le=1000)] | None = None
    at: str | float = 0


@pytest.mark.parametrize(
    ("raw", "at", "en", "ru"),
    [
        (
            {"edit": "x"},
            "/edit",
            "'x' is no value here; there are rename, set_side.",
            "Значения 'x' здесь нет; есть rename, set_side.",
        ),
        ({"edit": "rename"}, "/name", "Missing field 'name'.", "Не хватает поля «name»."),
        ({"edit": "rename", "name": "a", "b": 1}, "/b", "Unknown field 'b'.", "Неизвестное поле «b»."),
        (
            {"edit": "rename", "name": ""},
            "/name",
            "A text of at least 1 character is expected.",
            "Здесь нужно: текст длиной не меньше 1 знака.",
        ),
        (
            {"edit": "rename", "name": "a" * 22},
            "/name",
            "A text of at most 21 characters is expected.",
            "Здесь нужно: текст длиной не больше 21 знака.",
        ),
        (
            {"edit": "rename", "name": 5},
            "/name",
            "A text is expected, not a whole number.",
            "Здесь нужно: текст. Прислано: целое число.",
        ),
        (
            {"edit": "set_side", "sides": ["loyalist", "purple"]},
            "/sides/1",
            "'purple' is no value here; there are loyalist, traitor.",
            "Значения 'purple' здесь нет; есть loyalist, traitor.",
        ),
        (
            {"edit": "set_side", "sides": [], "points": 2000},
            "/points",
            "A whole number of at most 1000 is expected.",
            "Здесь нужно: целое число не больше 1000.",
        ),
        (
            {"edit": "set_side", "sides": [], "points": "2"},
            "/points",
            "A whole number or null is expected, not a text.",
            "Здесь нужно: целое число или null. Прислано: текст.",
        ),
    ],
)
def test_a_refusal_speaks_both_languages_and_names_the_values(raw: object, at: str, en: str, ru: str) -> None:
    with pytest.raises(BadDocument) as refused:
        shaped(raw, Rename | SetSide)  # type: ignore[arg-type]
    assert (refused.value.at, refused.value.message, refused.value.russian) == (at, en, ru)
