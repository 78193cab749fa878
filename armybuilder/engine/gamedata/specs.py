"""Entries with all that their links add, without a place yet; read late, as of most of them nobody asks (§4.3)."""

import threading
from collections.abc import Iterator
from typing import Final, Protocol

from armybuilder.engine.gamedata.columns import NONE, Key, NodeKind
from armybuilder.engine.gamedata.info import InfoLibrary, InfoSource
from armybuilder.engine.gamedata.linking import FileHead
from armybuilder.engine.gamedata.model import NO_IDS, Constraint, Modifier, Modifiers, Scope, apart, fields_of, of_field
from armybuilder.engine.gamedata.numbers import Number, amounts_of, number

SEPARATOR: Final = "::"
MESSAGES: Final = ("error", "warning", "info")
"""Fields to which modifiers add messages that the roster shows."""

RARE_FIELDS: Final = frozenset({*MESSAGES, "annotation", "defaultAmount", "defaultSelectionEntryId"})
"""Fields that hardly any entry changes (§13)."""

NO_MODIFIERS: Final[dict[str, Modifiers]] = {}
"""One empty mapping for all."""


Nodes = tuple[int] | tuple[int, int]
"""An entry or group, and the link it is seen through."""

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
    """What entries read of the linked data they stand in; `links.Library` is one.

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
