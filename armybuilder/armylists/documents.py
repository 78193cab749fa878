"""The stored form of a list: its roster, and the facts that game data does not hold."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import msgspec

from armybuilder.engine.roster.model import Force, Roster, Selection
from armybuilder.reference.tending import tidied

UNITS = "units"
"""The fact that holds facts of single units, by node id."""

OWN_UNITS = "own_units"
"""The fact that holds units of the owner's own, by node id."""


class ListDocument(msgspec.Struct, frozen=True, dict=True):
    """What `ArmyList.document` holds as JSON.

    Attributes:
        facts: plain values by the names of the game's `Facts`.
    """

    roster: Roster
    facts: dict[str, Any] = {}

    @cached_property
    def places(self) -> Mapping[str, "Place"]:
        """Every force and selection by its node id, in the order of the document."""
        return {place.node.id: place for place in _places(self.roster)}

    @cached_property
    def by_pointer(self) -> Mapping[str, "Place"]:
        """The same places by their JSON pointers."""
        return {place.pointer: place for place in self.places.values()}

    def facts_of(self, node_id: str) -> Mapping[str, Any]:
        """The facts stated of one unit."""
        facts: Mapping[str, Any] = (self.facts.get(UNITS) or {}).get(node_id) or {}
        return facts


@dataclass(frozen=True, slots=True)
class Place:
    """Where a node stands.

    Attributes:
        pointer: JSON pointer into the stored document.
        parent_id: force or selection above it; None for a force of the list itself.
        unit_id: the selection directly under the force; None for a force.
    """

    node: Force | Selection
    pointer: str
    parent_id: str | None
    force_id: str
    unit_id: str | None

    @property
    def is_force(self) -> bool:
        """Whether it is a detachment rather than something in one."""
        return self.unit_id is None

    @property
    def is_unit(self) -> bool:
        """Whether it stands directly in a detachment."""
        return self.unit_id == self.node.id


def read_document(text: str) -> ListDocument:
    """The document kept in a row."""
    return msgspec.json.decode(text, type=ListDocument)


def written(document: ListDocument) -> str:
    """The JSON text to keep; equal documents give equal texts."""
    return msgspec.json.encode(document, order="deterministic").decode()


def display_name(node: Force | Selection) -> str:
    """The player's own name of a node, or the data's as players write it."""
    return node.custom_name or tidied(node.name)


def _places(roster: Roster) -> Iterator[Place]:
    for index, force in enumerate(roster.forces):
        yield from _in_force(force, f"/roster/forces/{index}", None)


def _in_force(force: Force, pointer: str, parent_id: str | None) -> Iterator[Place]:
    yield Place(force, pointer, parent_id, force.id, None)
    for index, selection in enumerate(force.selections):
        yield from _in_selection(selection, f"{pointer}/selections/{index}", force.id, force.id, selection.id)
    for index, child in enumerate(force.forces):
        yield from _in_force(child, f"{pointer}/forces/{index}", force.id)


def _in_selection(selection: Selection, pointer: str, parent_id: str, force_id: str, unit_id: str) -> Iterator[Place]:
    yield Place(selection, pointer, parent_id, force_id, unit_id)
    for index, child in enumerate(selection.selections):
        yield from _in_selection(child, f"{pointer}/selections/{index}", selection.id, force_id, unit_id)
