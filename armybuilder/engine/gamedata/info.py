"""Profiles, rules and info groups as entries show them: seen through info links, read when first asked for (§8)."""

from collections.abc import Iterator, Mapping
from typing import Final, Protocol

import msgspec

from armybuilder.engine.gamedata.columns import NONE, Columns, Key, NodeKind
from armybuilder.engine.gamedata.model import Modifier, fields_of, of_field
from armybuilder.engine.gamedata.reading import View

_INFO: Final = frozenset({NodeKind.PROFILE, NodeKind.RULE, NodeKind.INFO_GROUP, NodeKind.INFO_LINK})


class ProfileTypeInfo(msgspec.Struct, frozen=True):
    """A kind of table and its columns."""

    id: str
    name: str
    characteristics: tuple[tuple[str, str], ...]


class InfoLibrary(Protocol):
    """What profiles and rules read of the linked data they stand in.

    Attributes:
        target: the node each link leads to, NONE where it leads nowhere.
    """

    columns: Columns
    target: "memoryview[int]"
    view: View

    @property
    def profile_types(self) -> Mapping[str, ProfileTypeInfo]:
        """Profile types by id."""


class InfoSpec:
    """A profile, rule or info group, seen through the info link that shows it.

    Attributes:
        ids: what its path in a roster file ends with: the info link's id, then its own.
        members: of an info group.
    """

    __slots__ = (
        "characteristics", "description", "field_modifiers", "hidden", "hidden_modifiers", "ids", "is_profile",
        "members", "modified", "name", "page", "publication_id", "type_id", "type_name",
    )  # fmt: skip

    def __init__(self, library: InfoLibrary, target: int, link: int) -> None:
        columns = library.columns
        kind = columns.kind[target]
        row = columns.attributes(target)
        modifiers: list[Modifier] = library.view.modifiers(target, in_info=True)
        self.ids: tuple[str, ...] = (row.get(Key.ID, ""),)
        if link != NONE:
            modifiers += library.view.modifiers(link, in_info=True)
            self.ids = (columns.get(link, Key.ID) or "", *self.ids)
        self.name = row.get(Key.NAME, "")
        self.hidden = row.get(Key.HIDDEN) == "true"
        self.page = row.get(Key.PAGE)
        self.publication_id = row.get(Key.PUBLICATION_ID)
        self.is_profile = kind in {NodeKind.PROFILE, NodeKind.SHARED_PROFILE}
        self.type_id = row.get(Key.TYPE_ID, "")
        self.type_name = row.get(Key.TYPE_NAME, "")
        self.hidden_modifiers = of_field(modifiers, "hidden")
        self.field_modifiers = {
            field: of_field(modifiers, field) for field in fields_of(modifiers) if field != "hidden"
        }
        self.modified = bool(modifiers)
        self.description = ""
        self.members: InfoSource | None = None
        characteristics = []
        for child in columns.children(target):
            if columns.kind[child] == NodeKind.CHARACTERISTIC:
                part = columns.attributes(child)
                characteristics.append((part.get(Key.TYPE_ID, ""), part.get(Key.NAME, ""), part.get(Key.VALUE, "")))
            elif columns.kind[child] == NodeKind.DESCRIPTION:
                self.description = columns.get(child, Key.VALUE) or ""
        if self.is_profile:
            kind_of = library.profile_types.get(self.type_id)
            if kind_of is not None:
                self.type_name = kind_of.name or self.type_name
                names = dict(kind_of.characteristics)
                characteristics = [(type_id, name or names.get(type_id, ""), v) for type_id, name, v in characteristics]
        self.characteristics = tuple(characteristics)
        if kind in {NodeKind.INFO_GROUP, NodeKind.SHARED_INFO_GROUP}:
            self.members = InfoSource(library, (target,))


class InfoSource:
    """The profiles, rules, info groups and info links of some nodes, read when they are first asked for."""

    __slots__ = ("_items", "_library", "_nodes")

    def __init__(self, library: InfoLibrary, nodes: tuple[int, ...]) -> None:
        self._library = library
        self._nodes = nodes
        self._items: tuple[InfoSpec, ...] | None = None

    @property
    def items(self) -> tuple[InfoSpec, ...]:
        """In the order of the data; an info link that resolves to nothing is left out (reported when loading)."""
        if self._items is None:
            self._items = tuple(self._read())
        return self._items

    def _read(self) -> Iterator[InfoSpec]:
        library = self._library
        columns, target = library.columns, library.target
        for node in self._nodes:
            for child in columns.children(node):
                kind = columns.kind[child]
                if kind == NodeKind.INFO_LINK:
                    if target[child] != NONE:
                        yield InfoSpec(library, target[child], child)
                elif kind in _INFO:
                    yield InfoSpec(library, child, NONE)
