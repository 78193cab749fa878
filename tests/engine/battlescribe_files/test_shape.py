"""Compiled files of an earlier version of the program are built again when what they keep has changed."""

import hashlib

from armybuilder.engine.battlescribe_files.shape import DOCUMENT, KEYS, Shape
from armybuilder.engine.gamedata.columns import LAYOUT, Key, NodeKind

KEPT = (11, "e44936a7cee5ea7e")
"""The layout, and the digest of what files of that layout keep."""


def kept() -> str:
    """Digest of all kinds and keys, and of which element may stand where."""
    numbers: dict[int, int] = {}

    def told(shape: Shape) -> list[object]:
        if id(shape) in numbers:
            return [numbers[id(shape)]]
        numbers[id(shape)] = len(numbers)
        return [shape.kind, shape.text_key, [(name, told(inside)) for name, inside in sorted(shape.inside.items())]]

    everything = (
        [(kind.name, kind.value) for kind in NodeKind],
        [(key.name, key.value) for key in Key],
        sorted((name, int(key)) for name, key in KEYS.items()),
        told(DOCUMENT),
    )
    return hashlib.sha256(repr(everything).encode()).hexdigest()[:16]


def test_whoever_changes_what_is_kept_raises_the_layout() -> None:
    assert (LAYOUT, kept()) == KEPT, "raise LAYOUT in columns.py, and write the new pair here"
