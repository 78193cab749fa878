"""Entries where they stand: seen through links, with full paths, expanded lazily as cycles are legal (§4)."""

import threading
from collections.abc import Iterator, Mapping
from typing import Final, Protocol

import msgspec

from armybuilder.engine.errors import GameError
from armybuilder.engine.gamedata.columns import NONE, Columns, Key, NodeKind
from armybuilder.engine.gamedata.linking import FileHead
from armybuilder.engine.gamedata.model import (
    NO_IDS,
    Constraint,
    Modifier,
    Modifiers,
    Number,
    View,
    apart,
    fields_of,
    number,
    of_field,
)

SEPARATOR: Final = "::"
MAX_OFFERED: Final = 20_000
"""Most entries and groups below one entry; data beyond that multiplies itself through links and is refused."""


MAX_GROUPS: Final = 60
"""Most groups inside one another."""


MESSAGES: Final = ("error", "warning", "info")
"""Fields to which modifiers add messages that the roster shows."""

RARE_FIELDS: Final = frozenset({*MESSAGES, "annotation", "defaultAmount", "defaultSelectionEntryId"})
"""Fields that hardly any entry changes (§13)."""

NO_MODIFIERS: Final[dict[str, Modifiers]] = {}
"""One empty mapping for all."""


class TooManyEntries(GameError):
    """Data that offers absurdly many entries in one place."""

    code = "too-many-entries"


_ENTRIES: Final = frozenset({NodeKind.SELECTION_ENTRY, NodeKind.SHARED_ENTRY})
_GROUPS: Final = frozenset({NodeKind.GROUP, NodeKind.SHARED_GROUP})
_INFO: Final = frozenset({NodeKind.PROFILE, NodeKind.RULE, NodeKind.INFO_GROUP, NodeKind.INFO_LINK})
_FILES: Final = frozenset({NodeKind.GAME_SYSTEM, NodeKind.CATALOGUE})
_CHILDREN: Final = _ENTRIES | _GROUPS | {NodeKind.ENTRY_LINK}


class ProfileTypeInfo(msgspec.Struct, frozen=True):
    """A kind of table and its columns."""

    id: str
    name: str
    characteristics: tuple[tuple[str, str], ...]


class EntrySource(Protocol):
    """What places read of the linked data they stand in; `links.Library` is one.

    Attributes:
        target: the node each link leads to, NONE where it leads nowhere.
        lock: held while places are expanded, as requests share them.
    """

    columns: Columns
    heads: tuple[FileHead, ...]
    target: "memoryview[int]"
    lock: threading.RLock
    view: View

    @property
    def system_id(self) -> str:
        """Id of the game system."""

    @property
    def cost_type_ids(self) -> frozenset[str]:
        """Ids of all cost types."""

    @property
    def profile_types(self) -> Mapping[str, ProfileTypeInfo]:
        """Profile types by id."""

    def spec(self, target: int, link: int = NONE) -> "Spec":
        """A node seen through a link (§4.3), or by itself; made once."""

    def file_at(self, file_id: str) -> int:
        """Position of a file by the id of its root."""

    def count_places(self, more: int) -> None:
        """Places were expanded."""


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

    def __init__(self, library: EntrySource, target: int, link: int) -> None:
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

    def __init__(self, library: EntrySource, nodes: tuple[int, ...]) -> None:
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


class Spec:
    """An entry, group, link or force entry with everything its links add (§4.3), without a place yet.

    Attributes:
        id: of the target; link_id: of the link it is seen through.
        costs: (type id, value) in order, the link's value replacing the target's; `base_costs` the same by id.
        cost_types: those of `costs`, then those only a modifier gives (§5).
        default_amounts: how many of it are taken with its parent, one number a copy (§13); empty where nothing says.
        force_nodes: force entries that may stand below it: (target, link or NONE).
        rare_modifiers: those of RARE_FIELDS, by field.
        reaching: modifiers written on it that change other nodes (§13).
        categories: (category id, primary) of the links in order, only the effective primary marked.
    """

    __slots__ = (
        "base_costs", "categories", "category_ids", "category_link_nodes", "category_modifiers", "collective",
        "constraints", "cost_modifiers", "cost_types", "costs", "default_amounts", "default_ids", "demands",
        "force_nodes", "hidden", "hidden_modifiers", "id", "imported", "info", "is_group", "link_id", "name",
        "name_modifiers", "nodes", "page", "page_modifiers", "primary_id", "publication_id", "rare_modifiers",
        "reaching", "type",
    )  # fmt: skip

    def __init__(self, library: EntrySource, target: int, link: int) -> None:  # noqa: PLR0915 - a line a property
        columns, view = library.columns, library.view
        self.nodes = (target,) if link == NONE else (target, link)
        row = columns.attributes(target)
        link_row = columns.attributes(link) if link != NONE else {}
        self.id = row.get(Key.ID, "")
        self.link_id = link_row.get(Key.ID, "")
        self.name = row.get(Key.NAME, "")
        self.type = row.get(Key.TYPE, "upgrade")
        self.is_group = columns.kind[target] in _GROUPS
        self.page = row.get(Key.PAGE)
        self.publication_id = row.get(Key.PUBLICATION_ID)
        self.hidden = "true" in {row.get(Key.HIDDEN), link_row.get(Key.HIDDEN)}
        self.collective = "true" in {row.get(Key.COLLECTIVE), link_row.get(Key.COLLECTIVE)}
        self.imported = (link_row or row).get(Key.IMPORT) != "false"
        self.default_amounts = amounts_of(link_row.get(Key.DEFAULT_AMOUNT) or row.get(Key.DEFAULT_AMOUNT))
        default = link_row.get(Key.DEFAULT_SELECTION_ENTRY_ID) or row.get(Key.DEFAULT_SELECTION_ENTRY_ID)
        self.default_ids = frozenset({default}) if default else NO_IDS
        outer = columns.parent[self.nodes[-1]]
        at_root = not self.is_group and columns.kind[outer] in _FILES
        costs: dict[str, Number] = {}
        modifiers: list[Modifier] = []
        by_node: list[list[Modifier]] = []
        reaching: list[Modifier] = []
        constraints: list[Constraint] = []
        self.category_link_nodes: tuple[int, ...] = ()
        self.force_nodes: tuple[tuple[int, int], ...] = ()
        for node in self.nodes:
            own, others = apart(view.modifiers(node))
            reaching += others
            by_node.append(own)
            modifiers += own
            constraints += [one for one in view.constraints(node) if not (at_root and one.below_root)]
            for child in columns.children(node):
                kind = columns.kind[child]
                if kind == NodeKind.COST:
                    costs[columns.get(child, Key.TYPE_ID) or ""] = number(columns.get(child, Key.VALUE))
                elif kind == NodeKind.CATEGORY_LINK:
                    self.category_link_nodes += (child,)
                elif kind == NodeKind.FORCE_ENTRY:
                    self.force_nodes += ((child, NONE),)
                elif kind == NodeKind.FORCE_LINK and library.target[child] != NONE:
                    self.force_nodes += ((library.target[child], child),)
        self.costs = tuple(costs.items())
        self.constraints = tuple(constraints)
        _bind(constraints, by_node, self.nodes, columns.parent)
        self.reaching = tuple(reaching)
        self.demands = any(constraint.can_demand() for constraint in constraints)
        self.name_modifiers = of_field(modifiers, "name")
        self.hidden_modifiers = of_field(modifiers, "hidden")
        self.category_modifiers = of_field(modifiers, "category")
        self.page_modifiers = of_field(modifiers, "page")
        fields = fields_of(modifiers)
        rare = [field for field in fields if field in RARE_FIELDS]
        self.rare_modifiers = {field: of_field(modifiers, field) for field in rare} if rare else NO_MODIFIERS
        self.cost_modifiers: dict[str, Modifiers] = {
            field: of_field(modifiers, field) for field in fields if field in library.cost_type_ids
        }
        self.cost_types = (*costs, *(type_id for type_id in self.cost_modifiers if type_id not in costs))
        self.base_costs = costs
        self.categories = _categories(library, self.category_link_nodes, link)
        self.category_ids = frozenset([category_id for category_id, _ in self.categories]) or NO_IDS
        self.primary_id = next((category_id for category_id, primary in self.categories if primary), None)
        self.info = InfoSource(library, self.nodes)

    @property
    def starts(self) -> bool:
        """Whether its parent may start with some of it although no minimum asks for them (§13)."""
        return bool(self.default_amounts) or "defaultAmount" in self.rare_modifiers

    @property
    def path(self) -> str:
        """Its id, behind the id of the link it is seen through: what a force made from it stores."""
        return f"{self.link_id}{SEPARATOR}{self.id}" if self.link_id else self.id


def amounts_of(text: str | None) -> tuple[int, ...]:
    """The numbers of a `defaultAmount` like "4" or "1,2,3"; 0 takes nothing."""
    if text is None:
        return ()
    return tuple(int(amount) for part in text.split(",")[:MAX_GROUPS] if (amount := number(part)) > 0)


def _bind(
    constraints: list[Constraint], by_node: list[list[Modifier]], nodes: tuple[int, ...], parent: "memoryview[int]"
) -> None:
    """Give each constraint its modifiers: those of its own node first; ids are not unique across nodes (§3)."""
    for constraint in constraints:
        own = nodes.index(parent[constraint.node])
        changing: list[Modifier] = []
        for at, modifiers in enumerate(by_node):
            shadowed = at != own and any(
                other.id == constraint.id and nodes.index(parent[other.node]) == at for other in constraints
            )
            if not shadowed:
                changing += of_field(modifiers, constraint.id)
        constraint.modifiers = tuple(changing)


def _categories(library: EntrySource, links: tuple[int, ...], own_link: int) -> tuple[tuple[str, bool], ...]:
    """Category ids in order; primary is the link's own primary, else the target's first."""
    columns = library.columns
    primary = None
    for node in links:
        if columns.get(node, Key.PRIMARY) == "true" and (primary is None or columns.parent[node] == own_link):
            if primary is not None and columns.parent[primary] == own_link:
                continue
            primary = node
    return tuple((columns.get(node, Key.TARGET_ID) or "", node == primary) for node in links)


class Place:
    """An entry or group in one place of one catalogue.

    Attributes:
        path: the full id path (§4.4).
        holder: place of the entry that holds it; None at the root.
        group: place of the group that directly holds it.
        keys: what counters count a selection of it under: `any`, its type, entry, link and group ids, `=` + paths.
    """

    __slots__ = (
        "_budget", "_children", "_entries", "_merged", "by_id", "by_path", "categories", "collective", "demanding",
        "group", "groups", "holder", "keys", "library", "own_key", "path", "prefix", "prefix_inside", "primary_id",
        "spec",
    )  # fmt: skip

    def __init__(
        self, library: EntrySource, spec: Spec, prefix: str, holder: "Place | None", group: "Place | None"
    ) -> None:
        self.library = library
        self.spec = spec
        self.prefix = prefix
        self.prefix_inside = f"{prefix}{spec.link_id}{SEPARATOR}" if spec.link_id else prefix
        self.path = self.prefix_inside + spec.id
        self.own_key = f"={self.path}"
        self.holder = holder
        self.group = group
        self.groups: tuple[Place, ...] = (*group.groups, group) if group is not None else ()
        self.collective: bool = spec.collective or (group is not None and group.collective)
        self.categories = spec.categories
        self.primary_id = spec.primary_id
        for outer in reversed(self.groups):  # links on enclosing groups are inherited by the members
            if outer.spec.categories:
                taken = self.primary_id
                more = tuple((cid, primary and taken is None) for cid, primary in outer.spec.categories)
                self.categories += more
                self.primary_id = taken or outer.spec.primary_id
        keys = {"any": None, spec.type: None, spec.id: None, self.own_key: None}
        if spec.link_id:
            keys[spec.link_id] = None
        for outer in self.groups:
            keys[outer.spec.id] = None
            keys[f"={outer.path}"] = None
        self.keys = tuple(keys)
        self._budget: list[int] = group._budget if group is not None else [0]
        self._children: tuple[Place, ...] | None = None
        self._entries: tuple[Place, ...] | None = None
        self._merged: bool | None = None
        self.by_path: dict[str, Place] | None = None
        self.by_id: dict[str, Place] | None = None
        self.demanding: tuple[Place, ...] | None = None

    @property
    def is_group(self) -> bool:
        """Whether it is a group."""
        return self.spec.is_group

    @property
    def group_id(self) -> str | None:
        """Path of the group that directly holds it."""
        return self.group.path if self.group is not None else None

    @property
    def children(self) -> tuple["Place", ...]:
        """Entries and groups directly below, the target's first, then the link's."""
        if self._children is None:
            with self.library.lock:
                if self._children is None:
                    self._children = self._expand()
        return self._children

    def _expand(self) -> tuple["Place", ...]:
        if self.is_group and any(outer.spec.nodes[0] == self.spec.nodes[0] for outer in self.groups):
            return ()  # a group inside itself offers nothing new
        if len(self.groups) > MAX_GROUPS:
            raise TooManyEntries(f"{self.spec.name!r} ({self.path[:200]}) stands in more than {MAX_GROUPS} groups.")
        target, *link = self.spec.nodes
        found = self._below(target, self.prefix_inside)
        if link:
            found += self._below(link[0], self.prefix)
        budget = self._budget if self.is_group else [0]
        budget[0] += len(found)
        if budget[0] > MAX_OFFERED:
            name = (self.holder or self).spec.name
            raise TooManyEntries(f"{name!r} ({self.path[:200]}) offers more than {MAX_OFFERED} entries and groups.")
        if not self.is_group:
            for child in found:
                child._budget = budget
        self.library.count_places(len(found))
        return tuple(found)

    def _below(self, node: int, prefix: str) -> list["Place"]:
        library = self.library
        holder = self.holder if self.is_group else self
        group = self if self.is_group else None
        return [Place(library, spec, prefix, holder, group) for spec in child_specs(library, node)]

    @property
    def entries(self) -> tuple["Place", ...]:
        """All entries below, through groups at any depth, in order."""
        if self._entries is None:
            found: list[Place] = []
            for child in self.children:
                if child.is_group:
                    found.extend(child.entries)
                else:
                    found.append(child)
            self._entries = tuple(found)
        return self._entries

    def find(self, wanted: str) -> "Place | None":
        """The entry below with this full path; failing that, the first with this entry or link id."""
        if self.by_path is None or self.by_id is None:
            self.by_path, self.by_id = indexed(self.entries)
        return self.by_path.get(wanted) or self.by_id.get(wanted)

    def demanding_below(self) -> tuple["Place", ...]:
        """Entries and groups below whose limits may be broken by what is not taken; groups of such included."""
        if self.demanding is None:
            self.demanding = demanding(self.children)
        return self.demanding

    @property
    def merged(self) -> bool:
        """Taking it again raises the amount: everything that can be chosen below is collective (§5)."""
        if self._merged is None:
            self._merged = _all_collective(self.library, self.spec.nodes, set())
        return self._merged


def indexed(entries: tuple[Place, ...]) -> tuple[dict[str, Place], dict[str, Place]]:
    """Entries by full path, and by entry or link id (the first of each)."""
    by_path: dict[str, Place] = {}
    by_id: dict[str, Place] = {}
    for entry in entries:
        by_path.setdefault(entry.path, entry)
        by_id.setdefault(entry.spec.id, entry)
        if entry.spec.link_id:
            by_id.setdefault(entry.spec.link_id, entry)
    return by_path, by_id


def root_entries(places: tuple[Place, ...]) -> tuple[Place, ...]:
    """Root places with every group replaced by its entries."""
    return tuple(entry for place in places for entry in (place.entries if place.is_group else (place,)))


def demanding(children: tuple[Place, ...]) -> tuple[Place, ...]:
    """Places among these, and below their groups, whose limits may be broken by what is not taken."""
    return tuple(_demanding(children))


def _demanding(children: tuple[Place, ...]) -> Iterator[Place]:
    for child in children:
        if child.spec.demands or child.spec.starts:
            yield child
        if child.is_group:
            yield from child.demanding_below()


def child_specs(library: EntrySource, node: int) -> list[Spec]:
    """The entries, groups and resolved links directly below a node."""
    columns, target = library.columns, library.target
    found = []
    for child in columns.children(node):
        kind = columns.kind[child]
        if kind == NodeKind.ENTRY_LINK:
            if target[child] != NONE:
                found.append(library.spec(target[child], child))
        elif kind in _CHILDREN:
            found.append(library.spec(child))
    return found


def _all_collective(library: EntrySource, nodes: tuple[int, ...], seen: set[tuple[int, ...]]) -> bool:
    for node in nodes:
        for spec in child_specs(library, node):
            if spec.is_group and spec.collective:
                continue
            if not spec.is_group and not spec.collective:
                return False
            if spec.nodes not in seen:
                seen.add(spec.nodes)
                if not _all_collective(library, spec.nodes, seen):
                    return False
    return True


def expand_roots(library: EntrySource, head: FileHead) -> tuple[Place, ...]:
    """Root entries of a catalogue, then of what it imports, then of the game system (§4.2)."""
    columns = library.columns
    found: list[Place] = []
    seen: set[int] = set()

    def add(at: int, *, direct: bool) -> None:
        if at in seen:
            return
        seen.add(at)
        root = library.heads[at].root
        for child in columns.children(root):
            if columns.kind[child] not in {NodeKind.SELECTION_ENTRY, NodeKind.ENTRY_LINK}:
                continue
            if not direct and columns.get(child, Key.IMPORT) == "false":
                continue
            target = library.target[child] if columns.kind[child] == NodeKind.ENTRY_LINK else child
            if target == NONE:
                continue
            spec = library.spec(target, child if target != child else NONE)
            found.append(Place(library, spec, "", None, None))
        for child in columns.children(root):
            if columns.kind[child] == NodeKind.CATALOGUE_LINK and columns.get(child, Key.IMPORT_ROOT_ENTRIES) == "true":
                linked = columns.get(child, Key.TARGET_ID) or ""
                if any(other.id == linked for other in library.heads):
                    add(library.file_at(linked), direct=False)

    add(library.file_at(head.id), direct=True)
    add(library.file_at(library.system_id), direct=True)
    library.count_places(len(found))
    return tuple(found)


__all__ = [
    "InfoSource",
    "InfoSpec",
    "Modifiers",
    "Place",
    "Spec",
    "child_specs",
    "demanding",
    "expand_roots",
    "indexed",
    "root_entries",
]
