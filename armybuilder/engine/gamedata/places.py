"""Entries where they stand: seen through links, with full paths, expanded lazily as cycles are legal (§4)."""

import threading
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Final, Protocol

from armybuilder.engine.errors import GameError
from armybuilder.engine.gamedata.columns import NONE, Key, NodeKind
from armybuilder.engine.gamedata.info import InfoLibrary, InfoSource
from armybuilder.engine.gamedata.linking import FileHead
from armybuilder.engine.gamedata.model import NO_IDS, Constraint, Modifier, Modifiers, Scope, apart, fields_of, of_field
from armybuilder.engine.gamedata.numbers import Number, amounts_of, number

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


Nodes = tuple[int] | tuple[int, int]
"""An entry or group, and the link it is seen through."""


class TooManyEntries(GameError):
    """Data that offers absurdly many entries in one place."""

    code = "too-many-entries"


_ENTRIES: Final = frozenset({NodeKind.SELECTION_ENTRY, NodeKind.SHARED_ENTRY})
_GROUPS: Final = frozenset({NodeKind.GROUP, NodeKind.SHARED_GROUP})
_MINIMUMS: Final = frozenset({"min", "exactly"})
_MODIFYING: Final = frozenset({NodeKind.MODIFIER, NodeKind.MODIFIER_GROUP})
_LATE: Final = frozenset(
    {
        "category_modifiers", "constraints", "cost_modifiers", "cost_types", "hidden_modifiers", "minimums",
        "name_modifiers", "page_modifiers", "rare_modifiers", "reaching",
    }
)  # fmt: skip
"""What a Spec reads late."""

_FORCES: Final = frozenset({NodeKind.FORCE_ENTRY, NodeKind.SHARED_FORCE_ENTRY})
_FILES: Final = frozenset({NodeKind.GAME_SYSTEM, NodeKind.CATALOGUE})
_CHILDREN: Final = _ENTRIES | _GROUPS | {NodeKind.ENTRY_LINK}


class EntrySource(InfoLibrary, Protocol):
    """What places read of the linked data they stand in; `links.Library` is one.

    Attributes:
        lock: held while places are expanded, as requests share them.
        specs_below: what stands directly below each node that was asked for; `child_specs` fills it.
        categories_met: categories that entries have, each set of them once, as most entries share theirs.
    """

    heads: tuple[FileHead, ...]
    lock: threading.RLock
    specs_below: "dict[int, tuple[Spec, ...]]"
    categories_met: dict[tuple[tuple[str, bool], ...], tuple[tuple[str, bool], ...]]

    @property
    def changing_amounts(self) -> frozenset[int]:
        """Nodes on which modifiers of default amounts are written (§13)."""

    @property
    def hiding_nodes(self) -> frozenset[int]:
        """Nodes on which modifiers are written that hide or show."""

    @property
    def reaching_profiles(self) -> dict[int, tuple[int, ...]]:
        """The profiles of a node on which modifiers are written that change other nodes (§13)."""

    @property
    def system_id(self) -> str:
        """Id of the game system."""

    @property
    def cost_type_ids(self) -> frozenset[str]:
        """Ids of all cost types."""

    def spec(self, target: int, link: int = NONE) -> "Spec":
        """A node seen through a link (§4.3), or by itself; made once."""

    def barring_specs(self, node: int) -> "tuple[Spec, ...]":
        """Entries and groups directly below a node that may bar it (`barring.Barring`)."""

    def file_at(self, file_id: str) -> int:
        """Position of a file by the id of its root."""

    def root_place(self, spec: "Spec") -> "Place":
        """The place of what stands at the root: one for all catalogues that offer it."""

    def count_places(self, more: int) -> None:
        """Places were expanded."""


class Spec:
    """An entry, group, link or force entry with everything its links add (§4.3), without a place yet.

    Constraints and modifiers are read when they are first asked for.

    Attributes:
        id: of the target; link_id: of the link it is seen through.
        demands: a minimum may ask for some of it though none is there.
        base_costs: value by type id, in order, the link's value replacing the target's.
        category_ids: of a force entry, what its links lead to; empty for others.
        cost_types: those of `base_costs`, then those only a modifier gives (§5).
        default_amounts: how many of it are taken with its parent: one number a copy or, where the parent itself comes
            in several copies, one for each of those (§13); empty where nothing says.
        force_nodes: force entries that may stand below it: (target, link or NONE).
        minimums: constraints by which its parent is filled with some of it.
        rare_modifiers: those of RARE_FIELDS, by field.
        type: what a query counts it as: a model that is a mount or of a crew is counted as that and not as a model
            (`subType`, §13).
        reaching: modifiers written on it that change other nodes (§13).
        categories: (category id, primary) of the links in order, only the effective primary marked.
    """

    __slots__ = (
        "_asks_below", "_category_specs", "_holds", "_info", "_library", "_merged", "_starts", "base_costs",
        "categories", "category_ids", "category_link_nodes", "category_modifiers", "collective", "constraints",
        "cost_modifiers", "cost_types", "default_amounts", "default_ids", "demands", "force_nodes", "hidden",
        "hidden_modifiers", "id", "is_group", "link_id", "minimums", "name", "name_modifiers", "nodes", "page",
        "page_modifiers", "primary_id", "publication_id", "rare_modifiers", "reaching", "type",
    )  # fmt: skip

    category_modifiers: Modifiers
    constraints: tuple[Constraint, ...]
    cost_modifiers: dict[str, Modifiers]
    cost_types: tuple[str, ...]
    hidden_modifiers: Modifiers
    minimums: tuple[Constraint, ...]
    name_modifiers: Modifiers
    page_modifiers: Modifiers
    rare_modifiers: dict[str, Modifiers]
    reaching: Modifiers

    def __init__(self, library: EntrySource, target: int, link: int = NONE) -> None:
        columns = library.columns
        self._library = library
        self.nodes: Nodes = (target,) if link == NONE else (target, link)
        row = columns.attributes(target)
        link_row = columns.attributes(link) if link != NONE else {}
        self.id = row.get(Key.ID, "")
        self.link_id = link_row.get(Key.ID, "")
        self.name = row.get(Key.NAME, "")
        self.type = row.get(Key.SUB_TYPE) or row.get(Key.TYPE, "upgrade")
        self.is_group = columns.kind[target] in _GROUPS
        self.page = row.get(Key.PAGE)
        self.publication_id = row.get(Key.PUBLICATION_ID)
        self.hidden = "true" in {row.get(Key.HIDDEN), link_row.get(Key.HIDDEN)}
        self.collective = "true" in {row.get(Key.COLLECTIVE), link_row.get(Key.COLLECTIVE)}
        self.default_amounts = amounts_of(link_row.get(Key.DEFAULT_AMOUNT) or row.get(Key.DEFAULT_AMOUNT))
        default = link_row.get(Key.DEFAULT_SELECTION_ENTRY_ID) or row.get(Key.DEFAULT_SELECTION_ENTRY_ID)
        self.default_ids = frozenset({default}) if default else NO_IDS
        self._read_children(library)
        self.categories = _categories(library, self.category_link_nodes, link)
        is_force = columns.kind[target] in _FORCES
        self.category_ids = frozenset([found for found, _ in self.categories]) if is_force else NO_IDS
        self.primary_id = next((category_id for category_id, primary in self.categories if primary), None)
        self._info: InfoSource | None = None
        self._asks_below: bool | None = None
        self._category_specs: tuple[Spec, ...] | None = None
        self._holds: bool | None = None
        self._merged: bool | None = None
        self._starts: bool | None = None

    def _read_children(self, library: EntrySource) -> None:
        """Costs, category links and force entries, and whether a constraint may ask for something."""
        columns = library.columns
        costs: dict[str, Number] = {}
        self.category_link_nodes: tuple[int, ...] = ()
        self.force_nodes: tuple[tuple[int, int], ...] = ()
        modified = minimum = False
        self.demands = False
        for node in self.nodes:
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
                elif kind == NodeKind.CONSTRAINT and columns.get(child, Key.TYPE) in _MINIMUMS:
                    minimum = True
                    self.demands = self.demands or number(columns.get(child, Key.VALUE)) > 0
                elif kind in _MODIFYING:
                    modified = True
        self.demands = self.demands or (minimum and modified)
        self.base_costs = costs

    def __getattr__(self, name: str) -> object:
        """Constraints and modifiers, all read when one is first asked for: of most entries nobody asks."""
        if name not in _LATE:
            raise AttributeError(name)
        self._read_late(self._library)
        return object.__getattribute__(self, name)

    def _read_late(self, library: EntrySource) -> None:
        columns, view = library.columns, library.view
        at_root = not self.is_group and columns.kind[columns.parent[self.nodes[-1]]] in _FILES
        modifiers: list[Modifier] = []
        by_node: list[list[Modifier]] = []
        reaching: list[Modifier] = []
        constraints: list[Constraint] = []
        for node in self.nodes:
            own, others = apart(view.modifiers(node))
            reaching += others
            for profile in library.reaching_profiles.get(node, ()):
                reaching += apart(view.modifiers(profile))[1]
            by_node.append(own)
            modifiers += own
            constraints += [one for one in view.constraints(node) if not (at_root and one.below_root)]
        _bind(constraints, by_node, self.nodes, columns.parent)
        self.constraints = tuple(constraints)
        self.minimums = tuple([one for one in constraints if one.fills and one.scope is Scope.PARENT])
        self.reaching = tuple(reaching)
        self.name_modifiers = of_field(modifiers, "name")
        self.hidden_modifiers = of_field(modifiers, "hidden")
        self.category_modifiers = of_field(modifiers, "category")
        self.page_modifiers = of_field(modifiers, "page")
        fields = fields_of(modifiers)
        rare = [field for field in fields if field in RARE_FIELDS]
        self.rare_modifiers = {field: of_field(modifiers, field) for field in rare} if rare else NO_MODIFIERS
        self.cost_modifiers = {
            field: of_field(modifiers, field) for field in fields if field in library.cost_type_ids
        } or NO_MODIFIERS
        self.cost_types = (*self.base_costs, *(kind for kind in self.cost_modifiers if kind not in self.base_costs))

    @property
    def info(self) -> InfoSource:
        """The profiles and rules it shows itself."""
        if self._info is None:
            self._info = InfoSource(self._library, self.nodes)
        return self._info

    def asks_below(self, library: EntrySource) -> bool:
        """Whether anything in a group, or in the groups inside it, may have to be taken."""
        known = self._asks_below
        if known is None:
            reached: dict[Spec, None] = {self: None}
            known = False
            for group in (waiting := [self]):  # grows while it is read, each once, so cycles end
                for spec in (one for node in group.nodes for one in child_specs(library, node)):
                    known = known or spec.demands or spec.starts or bool(spec._asks_below)
                    if spec.is_group and spec._asks_below is None and spec not in reached:
                        reached[spec] = None
                        waiting.append(spec)
                if known:
                    break
            for group in (self,) if known else reached:  # where nothing asks, nothing does in any of them
                group._asks_below = known
        return known

    def merged(self, library: EntrySource) -> bool:
        """Whether everything that can be chosen below it is collective (§5)."""
        known = self._merged
        if known is None:
            known = self._merged = _all_collective(library, self.nodes, set())
        return known

    @property
    def category_specs(self) -> "tuple[Spec, ...]":
        """The categories as its links make them; links to nothing are left out."""
        found = self._category_specs
        if found is None:
            library = self._library
            pairs = [(library.target[link], link) for link in self.category_link_nodes]
            found = self._category_specs = tuple(library.spec(*pair) for pair in pairs if pair[0] != NONE)
        return found

    @property
    def holds(self) -> bool:
        """Whether any entry or group stands directly below it; none of them is made for the answer."""
        known = self._holds
        if known is None:
            known = self._holds = any(_holds(self._library, node) for node in self.nodes)
        return known

    @property
    def starts(self) -> bool:
        """Whether its parent may start with some of it although no minimum asks for them (§13)."""
        known = self._starts
        if known is None:
            changing = self._library.changing_amounts
            changed = any(node in changing for node in self.nodes) and "defaultAmount" in self.rare_modifiers
            known = self._starts = changed or any(self.default_amounts)
        return known

    @property
    def may_be_taken(self) -> bool:
        """Whether some of it, or of what is in a group, may be there from the start."""
        return self.demands or self.starts or (self.is_group and self.asks_below(self._library))

    @property
    def path(self) -> str:
        """Its id, behind the id of the link it is seen through: what a force made from it stores."""
        return f"{self.link_id}{SEPARATOR}{self.id}" if self.link_id else self.id


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
    found = tuple((columns.get(node, Key.TARGET_ID) or "", node == primary) for node in links)
    return library.categories_met.setdefault(found, found)


class Place:
    """An entry or group in one place of one catalogue.

    Attributes:
        path: the full id path (§4.4).
        holder: place of the entry that holds it; None at the root.
        group: place of the group that directly holds it.
        keys: what counters count a selection of it under: `any`, its type, entry, link and group ids, `=` + paths.
        own_key: the one of its own path.
    """

    __slots__ = (
        "_barring", "_budget", "_by_id", "_children", "_entries", "_found", "_inside", "_started", "categories",
        "collective", "demanding", "group", "groups", "holder", "keys", "library", "own_key", "path", "prefix",
        "prefix_inside", "primary_id", "spec",
    )  # fmt: skip

    keys: tuple[str, ...]
    own_key: str

    def __init__(
        self, library: EntrySource, spec: Spec, prefix: str, holder: "Place | None", group: "Place | None"
    ) -> None:
        self.library = library
        self.spec = spec
        self.prefix = prefix
        self.prefix_inside = f"{prefix}{spec.link_id}{SEPARATOR}" if spec.link_id else prefix
        self.path = self.prefix_inside + spec.id
        self.holder = holder
        self.group = group
        self.groups: tuple[Place, ...] = group.inside if group is not None else ()
        self.collective: bool = spec.collective or (group is not None and group.collective)
        self.categories = spec.categories
        self.primary_id = spec.primary_id
        for outer in reversed(self.groups):  # links on enclosing groups are inherited by the members
            if outer.spec.categories:
                taken = self.primary_id
                more = tuple((cid, primary and taken is None) for cid, primary in outer.spec.categories)
                self.categories += more
                self.primary_id = taken or outer.spec.primary_id
        self._budget: list[int] | None = group._budget if group is not None else None
        self._barring: tuple[Place, ...] | None = None
        self._inside: tuple[Place, ...] | None = None
        self._children: tuple[Place, ...] | None = None
        self._entries: tuple[Place, ...] | None = None
        self._found: dict[str, Place] | None = None
        self._by_id: dict[str, Place] | None = None
        self.demanding: tuple[Place, ...] | None = None
        self._started: tuple[Place, ...] | None = None

    def __getattr__(self, name: str) -> object:
        """Its keys, made when they are first asked for: of most places nothing is ever taken, and nobody counts."""
        if name == "own_key":
            self.own_key = f"={self.path}"
        elif name == "keys":
            self.keys = self._all_keys()
        else:
            raise AttributeError(name)
        return object.__getattribute__(self, name)

    def has_key(self, key: str) -> bool:
        """Whether it is counted under a key; its keys are not made for the answer."""
        spec = self.spec
        if key in {"any", spec.type, spec.id, spec.link_id} and key:
            return True
        own = key[1:] if key.startswith("=") else None
        return own == self.path or any(key == outer.spec.id or own == outer.path for outer in self.groups)

    def _all_keys(self) -> tuple[str, ...]:
        spec = self.spec
        keys = {"any": None, spec.type: None, spec.id: None, self.own_key: None}
        if spec.link_id:
            keys[spec.link_id] = None
        for outer in self.groups:
            keys[outer.spec.id] = None
            keys[outer.own_key] = None
        return tuple(keys)

    @property
    def inside(self) -> tuple["Place", ...]:
        """The groups that a member of this group stands in."""
        if self._inside is None:
            self._inside = (*self.groups, self)
        return self._inside

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
                    self._children = self._expand(partial(child_specs, self.library))
        return self._children

    @property
    def barring(self) -> tuple["Place", ...]:
        """Entries and groups directly below that may bar it; no others are made for the answer."""
        if self._barring is None:
            with self.library.lock:
                if self._barring is None:
                    self._barring = self._expand(self.library.barring_specs)
        return self._barring

    def _expand(self, below: Callable[[int], Iterable[Spec]]) -> tuple["Place", ...]:
        """Places of what stands below each of its nodes."""
        if self.is_group and any(outer.spec.nodes[0] == self.spec.nodes[0] for outer in self.groups):
            return ()  # a group inside itself offers nothing new
        if len(self.groups) > MAX_GROUPS:
            raise TooManyEntries(f"{self.spec.name!r} ({self.path[:200]}) stands in more than {MAX_GROUPS} groups.")
        target, *link = self.spec.nodes
        found = self._below(below(target), self.prefix_inside)
        if link:
            found += self._below(below(link[0]), self.prefix)
        budget = (self._budget if self.is_group else None) or [0]
        budget[0] += len(found)
        if budget[0] > MAX_OFFERED:
            name = (self.holder or self).spec.name
            raise TooManyEntries(f"{name!r} ({self.path[:200]}) offers more than {MAX_OFFERED} entries and groups.")
        for child in found:
            child._budget = budget
        self.library.count_places(len(found))
        return tuple(found)

    def _below(self, specs: Iterable[Spec], prefix: str) -> list["Place"]:
        holder = self.holder if self.is_group else self
        group = self if self.is_group else None
        return [Place(self.library, spec, prefix, holder, group) for spec in specs]

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
        if self._found is None:
            self._found = {}
        found = self._found.get(wanted)
        if found is None:
            found = self._at(wanted)
            if found is None:
                if self._by_id is None:
                    self._by_id = indexed(self.entries)[1]
                found = self._by_id.get(wanted)
            if found is not None:
                self._found[wanted] = found
        return found

    def _at(self, path: str) -> "Place | None":
        """The first entry below with a full path; groups that its link ids do not lead through stay unexpanded."""
        for child in self.children:
            if not child.is_group:
                if child.path == path:
                    return child
            elif path.startswith(child.prefix_inside) or any(
                child_specs(self.library, link) for link in child.spec.nodes[1:]
            ):
                found = child._at(path)
                if found is not None:
                    return found
        return None

    @property
    def started(self) -> tuple["Place", ...]:
        """Entries and groups directly below of which some may be there from the start."""
        found = self._started
        if found is None:
            found = self._started = tuple([child for child in self.children if child.spec.may_be_taken])
        return found

    def demanding_below(self) -> tuple["Place", ...]:
        """Entries and groups below whose limits may be broken by what is not taken; groups of such included."""
        if self.demanding is None:
            self.demanding = demanding(self.children)
        return self.demanding

    @property
    def merged(self) -> bool:
        """Taking it again raises the amount: everything that can be chosen below is collective (§5)."""
        return self.spec.merged(self.library)


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
        if child.is_group and child.spec.asks_below(child.library):
            yield from child.demanding_below()


def child_specs(library: EntrySource, node: int) -> tuple[Spec, ...]:
    """The entries, groups and resolved links directly below a node."""
    found = library.specs_below.get(node)
    if found is None:
        found = library.specs_below[node] = tuple(library.spec(*nodes) for nodes in nodes_below(library, node))
    return found


def _holds(library: EntrySource, node: int) -> bool:
    known = library.specs_below.get(node)
    if known is not None:
        return bool(known)
    return any(True for _ in nodes_below(library, node))


def nodes_below(library: EntrySource, node: int) -> Iterator[Nodes]:
    """The nodes of the entries and groups directly below a node; links to nothing are left out."""
    columns, target = library.columns, library.target
    for child in columns.children(node):
        kind = columns.kind[child]
        if kind == NodeKind.ENTRY_LINK:
            if target[child] != NONE:
                yield target[child], child
        elif kind in _CHILDREN:
            yield (child,)


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
