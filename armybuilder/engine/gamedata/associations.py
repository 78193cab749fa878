"""What a selection must belong to (§13): a banner to the model that bears it, a detachment to its regiment.

Which one of several it is, makes no difference to what a list is worth and whether it is legal, and is not asked.
"""

from collections.abc import Mapping
from typing import Protocol

import numpy as np

from armybuilder.engine.gamedata.columns import Columns, Key, NodeKind
from armybuilder.engine.gamedata.model import ENTRY_TYPES, Child, Names, Query, Scope
from armybuilder.engine.gamedata.numbers import number


class _Linked(Names, Protocol):
    """What is read of a library; `links.Library` is one."""

    columns: Columns

    def name_of(self, wanted: str) -> str | None:
        """The name of whatever has this id."""


class Association(Query):
    """What may be belonged to, and where it is looked for.

    Attributes:
        least: how many there must be.
    """

    __slots__ = ("id", "least", "name")

    def __init__(self, attributes: dict[int, str], names: Names) -> None:
        super().__init__(attributes, names)
        self.id = attributes.get(Key.ID, "")
        self.name = attributes.get(Key.NAME, "")
        self.least = number(attributes.get(Key.MIN))


def read_associations(library: _Linked) -> Mapping[int, tuple[Association, ...]]:
    """All of a library, by the node they are written on; the loader has listed those that lead nowhere."""
    columns = library.columns
    found: dict[int, tuple[Association, ...]] = {}
    for node in np.flatnonzero(columns.columns["kind"] == NodeKind.ASSOCIATION).tolist():
        association = Association(columns.attributes(node), library)
        known = association.child_id in ENTRY_TYPES or library.name_of(association.child_id) is not None
        if known and association.child is not Child.ABSENT and association.scope is not Scope.UNRESOLVED:
            holder = columns.parent[node]
            found[holder] = (*found.get(holder, ()), association)
    return found
