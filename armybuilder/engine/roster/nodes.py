"""The roster as a tree that can be counted: its nodes, and which of them stand above one another (§6)."""

from collections.abc import Callable, Iterator
from decimal import Decimal
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, Union

from armybuilder.engine.gamedata.columns import NONE
from armybuilder.engine.gamedata.model import Child, Query, Scope
from armybuilder.engine.gamedata.numbers import Number
from armybuilder.engine.gamedata.places import Place
from armybuilder.engine.gamedata.specs import Spec
from armybuilder.engine.roster.model import Force, Roster, Selection
from armybuilder.engine.roster.state import RosterError, SelectionState

if TYPE_CHECKING:
    from armybuilder.engine.gamedata.links import Library

Counts = dict[str, int]
Identity = tuple[object, ...]
"""What makes two objections the same one."""

Objections = tuple[tuple[str, ...], tuple[tuple[Identity, RosterError], ...]]
"""What is objected to of an entry or group in one place; before it ids of the selections that this may point at."""


class Below:
    """What is objected to directly below a selection: in all, and of each entry and group.

    Attributes:
        ids: of the selections there, in order.
        parts: of all that is taken, and where there is something to object to.
    """

    __slots__ = ("all", "ids", "parts")

    def __init__(self, ids: tuple[str, ...], found: Objections, parts: dict[Place, Objections]) -> None:
        self.ids = ids
        self.all = found
        self.parts = parts


NEAREST_KINDS = frozenset({Scope.TYPE, Scope.ROOT_ENTRY, Scope.ANY_LINK})
Categories = tuple[tuple[str, bool], ...]


class CategoryCounting(Protocol):
    """What knows the categories of selections, which depend on modifiers."""

    def in_category(self, node: "SelectionNode", category_id: str) -> bool:
        """Whether a selection is of a category."""


class Holder:
    """A force or selection: something that selections stand under.

    Attributes:
        number: of these there are; 1 for a force, 0 for an entry that is not taken.
    """

    __slots__ = ("_deep", "_ghosts", "_shallow", "children", "force", "id", "number")

    id: str
    number: int
    force: "ForceNode"

    def __init__(self) -> None:
        self.children: list[SelectionNode] = []
        self._shallow: Counts | None = None
        self._deep: Counts | None = None
        self._ghosts: dict[Place, SelectionNode] | None = None

    @property
    def shallow(self) -> Counts:
        """How many of each key stand directly below one of these."""
        counts = self._shallow
        if counts is None:
            counts = {}
            for child in self.children:
                amount = child.amount
                for key in child.place.keys:
                    counts[key] = counts.get(key, 0) + amount
            self._shallow = counts
        return counts

    @property
    def deep(self) -> Counts:
        """How many of each key stand anywhere below one of these."""
        counts = self._deep
        if counts is None:
            counts = dict(self.shallow)
            for child in self.children:
                if child.children:
                    amount = child.amount
                    for key, below in child.deep.items():
                        counts[key] = counts.get(key, 0) + below * amount
            self._deep = counts
        return counts

    def walk(self) -> Iterator["SelectionNode"]:
        """Every selection below, parents first."""
        for child in self.children:
            yield child
            yield from child.walk()

    def let_go(self) -> None:
        """Forget all that stands below, which knows what stands above it."""
        for child in self.children:
            child.let_go()
            del child.root
        self.children = []
        if self._ghosts is not None:
            for ghost in self._ghosts.values():
                del ghost.root
            self._ghosts = None

    def ghost(self, place: Place) -> "SelectionNode":
        """The would-be selection of an entry that is not taken here: amount 0 (§6.1)."""
        if self._ghosts is None:
            self._ghosts = {}
        ghost = self._ghosts.get(place)
        if ghost is None:
            ghost = self._ghosts[place] = SelectionNode(None, place, self)
        return ghost


class SelectionNode(Holder):
    """A selection, or the would-be selection of an entry that is not taken.

    Attributes:
        costs: of one, by type, as far as they were asked for.
        settling: its categories are being worked out; `steady`: they were, and no modifier has a say in them.
        state: what is said of it; `objections`: what is objected to directly below it, where that may be kept.
        kept: what was said of it before an edit, while the evaluation after it decides what still holds;
            `earlier`: what was objected to below it then.
    """

    __slots__ = (
        "_categories", "_hidden", "_name", "amount", "costs", "earlier", "kept", "objections", "parent", "place",
        "root", "selection", "settling", "state", "steady",
    )  # fmt: skip

    def __init__(self, selection: Selection | None, place: Place, parent: Holder) -> None:
        super().__init__()
        self.selection = selection
        self.place = place
        self.parent = parent
        self.force = parent.force
        self.root: SelectionNode = parent.root if isinstance(parent, SelectionNode) else self
        self.amount = selection.amount if selection is not None else 0
        self.number = self.amount * parent.number
        self.id = selection.id if selection is not None else ""
        self._categories: Categories | None = None
        self._hidden: bool | None = None
        self._name: str | None = None
        self.costs: dict[str, Number] = {}
        self.settling = False
        self.steady = False
        self.state: SelectionState | None = None
        self.kept: SelectionState | None = None
        self.objections: Below | None = None
        self.earlier: Below | None = None

    @property
    def spec(self) -> Spec:
        """Its definition."""
        return self.place.spec

    def matches(self, query: Query, run: CategoryCounting) -> bool:
        """Whether the query's child id means this selection (§6.3)."""
        if query.child is Child.KEY:
            return query.key in self.place.keys
        if query.child is Child.CATEGORY:
            return run.in_category(self, query.child_id)
        return False


class GroupNode:
    """A group under a holder: the owner of its limits and modifiers."""

    __slots__ = ("force", "parent", "place", "root")

    def __init__(self, place: Place, parent: Holder) -> None:
        self.place = place
        self.parent = parent
        self.force = parent.force
        self.root: SelectionNode | None = parent.root if isinstance(parent, SelectionNode) else None

    @property
    def spec(self) -> Spec:
        """Its definition."""
        return self.place.spec

    @property
    def members(self) -> list[SelectionNode]:
        """The selections made from it, nested groups included."""
        key = f"={self.place.path}"
        return [child for child in self.parent.children if key in child.place.keys]


class ForceNode(Holder):
    """A force.

    Attributes:
        ids: those of its force entry, of the link that leads there, and of its catalogue.
        missing: its selections that the library no longer knows.
        name: after modifiers, once it was asked for.
    """

    __slots__ = ("catalogue_id", "forces", "ids", "missing", "model", "name", "parent", "roster", "spec")

    def __init__(self, model: Force, spec: Spec, parent: "ForceNode | None", roster: "RosterNode") -> None:
        super().__init__()
        self.model = model
        self.spec = spec
        self.parent = parent
        self.roster = roster
        self.force = self
        self.id = model.id
        self.number = 1
        self.catalogue_id = model.catalogue_id
        self.ids = frozenset({spec.id, spec.link_id or spec.id, model.catalogue_id})
        self.forces: list[ForceNode] = []
        self.missing: list[tuple[Selection, str]] = []
        self.name: str | None = None

    @property
    def definition(self) -> tuple[int, int]:
        """The nodes it was made from, as `Spec.force_nodes` gives them."""
        target, *link = self.spec.nodes
        return target, link[0] if link else NONE

    def walk_forces(self) -> Iterator["ForceNode"]:
        """This force and those below it."""
        yield self
        for force in self.forces:
            yield from force.walk_forces()


def _rank(order: tuple[tuple[int, int], ...], force: ForceNode) -> int:
    return order.index(force.definition) if force.definition in order else 0


class RosterNode:
    """The whole roster.

    Attributes:
        nodes: every selection, parents first, in the order of the stored roster.
        missing: forces that the library no longer knows.
    """

    __slots__ = ("_all", "forces", "limits", "missing", "model", "nodes")

    def __init__(self, model: Roster) -> None:
        self.model = model
        self.limits: dict[str, Decimal] = {key: value for key, value in model.cost_limits.items() if value >= 0}
        self.forces: list[ForceNode] = []
        self.missing: list[Force] = []
        self.nodes: list[SelectionNode] = []
        self._all: tuple[ForceNode, ...] | None = None

    def sort(self, key: Callable[[ForceNode], Any]) -> None:
        """Put forces into an order by key, and child forces into the order of their definition (§11)."""
        self.forces = sorted(self.forces, key=key)  # not sort(): names count forces, and a list empties itself
        for force in self.all_forces():
            if len(force.forces) > 1:
                force.forces = sorted(force.forces, key=partial(_rank, force.spec.force_nodes))
        self._all = None

    def let_go(self) -> None:
        """Forget all nodes; they know one another, and would stay until the collector of cycles comes by."""
        for force in self.all_forces():
            force.let_go()
            force.forces = []
            del force.force
        self.forces, self.nodes, self._all = [], [], None

    def all_forces(self) -> tuple[ForceNode, ...]:
        """Every force, nested ones after their parent."""
        if self._all is None:
            self._all = tuple(below for force in self.forces for below in force.walk_forces())
        return self._all


Owner = Union[SelectionNode, GroupNode, ForceNode]  # noqa: UP007 - forward names


def build(library: "Library", roster: Roster) -> RosterNode:
    """The roster as nodes. What the library does not know is kept aside under `missing`."""
    top = RosterNode(roster)
    for force in roster.forces:
        node = _force(library, force, None, top)
        if node is not None:
            top.forces.append(node)
    return top


def _force(library: "Library", force: Force, parent: ForceNode | None, top: RosterNode) -> ForceNode | None:
    known = any(force.catalogue_id == head.id for head in library.heads)
    spec = library.force_spec(force.catalogue_id, force.entry_id) if known else None
    if spec is None:
        top.missing.append(force)
        return None
    node = ForceNode(force, spec, parent, top)
    for selection in force.selections:
        place = library.find_root(force.catalogue_id, selection.entry_id)
        if place is None:
            node.missing.append((selection, force.id))
        else:
            node.children.append(_selection(selection, place, node, node))
    for below in force.forces:
        child = _force(library, below, node, top)
        if child is not None:
            node.forces.append(child)
    return node


def _selection(selection: Selection, place: Place, parent: Holder, force: ForceNode) -> SelectionNode:
    node = SelectionNode(selection, place, parent)
    force.roster.nodes.append(node)
    for below in selection.selections:
        found = place.find(below.entry_id)
        if found is None:
            force.missing.append((below, selection.id))
        else:
            node.children.append(_selection(below, found, node, force))
    return node


def members_of(place: Place, first: SelectionNode | None, holder: Holder) -> tuple[str, ...]:
    """Ids of the selections that an objection to an entry or group may point at."""
    if place.is_group:
        return tuple(child.id for child in holder.children if place in child.place.groups)
    return (first.id,) if first is not None else ()


def node_id(owner: Owner) -> str:
    """Id of the selection or force an owner is; of the one it stands in for a group."""
    return owner.parent.id if isinstance(owner, GroupNode) else owner.id


def ancestors(owner: Owner) -> Iterator[SelectionNode]:
    """The selections above an owner, nearest first."""
    node = owner.parent
    while isinstance(node, SelectionNode):
        yield node
        node = node.parent


def above(owner: Owner, *, with_self: bool, fits: Callable[[SelectionNode], bool]) -> SelectionNode | None:
    """The nearest selection above an owner that fits."""
    if with_self and isinstance(owner, SelectionNode) and fits(owner):
        return owner
    return next((node for node in ancestors(owner) if fits(node)), None)


def nearest_of_kind(owner: Owner, query: Query) -> SelectionNode | None:
    """The nearest selection above an owner that is a root entry, reached by a link, or of some types (§13)."""
    if query.scope is Scope.ROOT_ENTRY:
        return above(owner, with_self=query.with_self, fits=lambda node: node.root is node)
    if query.scope is Scope.ANY_LINK:
        return above(owner, with_self=query.with_self, fits=lambda node: bool(node.place.spec.link_id))
    return above(owner, with_self=query.with_self, fits=lambda node: node.spec.type in query.types)


def nearest_group(owner: Owner, *, with_self: bool) -> GroupNode | None:
    """The innermost group that an owner, or a selection above it, stands in."""
    if isinstance(owner, GroupNode) and with_self:
        return owner
    node: Owner | Holder | None = owner
    while isinstance(node, (SelectionNode, GroupNode)):
        if node.place.group is not None:
            return GroupNode(node.place.group, node.parent)
        node = node.parent
    return None


def nearest(owner: Owner, node_id: str) -> SelectionNode | ForceNode | None:
    """The nearest node upwards, the owner included, whose entry or link id it is."""
    node: Holder | None = owner if isinstance(owner, Holder) else owner.parent
    while isinstance(node, SelectionNode):
        spec = node.place.spec
        if node_id in {spec.id, spec.link_id}:
            return node
        node = node.parent
    force = owner.force
    return force if node_id in force.ids else None
