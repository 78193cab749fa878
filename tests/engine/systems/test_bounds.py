"""Whatever a small document says, nothing of it is large: every text, number and list of every document has a bound."""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from msgspec.inspect import (
    DictType,
    FloatType,
    IntType,
    ListType,
    StrType,
    StructType,
    Type,
    UnionType,
    VarTupleType,
    type_info,
)

from armybuilder.engine.systems.game import GAMES

ELSEWHERE = {"trials", "seed"}
"""The service refuses more trials than it rolls; a seed is as large as a number of a document may be."""


def unbounded(kind: Type, path: str, seen: set[type]) -> Iterator[str]:
    """Places of a type that may hold a text, number or list of any size."""
    match kind:
        case StructType(cls=cls):
            if cls not in seen:
                for field in (field for field in kind.fields if field.name not in ELSEWHERE):
                    yield from unbounded(field.type, f"{cls.__name__}.{field.encode_name}", {*seen, cls})
        case UnionType():
            for one in kind.types:
                yield from unbounded(one, path, seen)
        case VarTupleType() | ListType():
            if kind.max_length is None:
                yield f"{path}: a list"
            yield from unbounded(kind.item_type, path, seen)
        case DictType():
            yield from unbounded(kind.key_type, path, seen)
            yield from unbounded(kind.value_type, path, seen)
        case StrType():
            if kind.max_length is None and (kind.pattern is None or r"\d+" in kind.pattern):
                yield f"{path}: a text"
        case IntType() | FloatType():
            if (kind.le is None and kind.lt is None) or (kind.ge is None and kind.gt is None):
                yield f"{path}: a number"


def types() -> list[Any]:
    """The army document of every game, and the document of each of its simulations."""
    rows = []
    for system, game in GAMES.items():
        kinds = dict.fromkeys([game.rules.army_type, *(kind.request for kind in game.simulations.values())])
        rows += [pytest.param(kind, id=f"{system} {kind.__name__}") for kind in kinds]
    return rows


@pytest.mark.parametrize("kind", types())
def test_nothing_in_a_document_is_without_bounds(kind: type[msgspec.Struct]) -> None:
    assert sorted(set(unbounded(type_info(kind), kind.__name__, set()))) == []
