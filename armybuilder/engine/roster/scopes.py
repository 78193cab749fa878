"""Which nodes of a roster a scope and a field count (§6)."""

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Protocol

from armybuilder.engine.gamedata.model import Child, Field, Modifier, Query, Scope
from armybuilder.engine.gamedata.numbers import Number
from armybuilder.engine.roster.nodes import (
    NEAREST_KINDS,
    Categories,
    Counts,
    ForceNode,
    GroupNode,
    Holder,
    Owner,
    RosterNode,
    SelectionNode,
    ancestors,
    nearest,
    nearest_group,
    nearest_of_kind,
    node_id,
)

if TYPE_CHECKING:
    pass

_WHOLE = frozenset(
    {
        Scope.FORCE, Scope.ROSTER, Scope.CATEGORY, Scope.PRIMARY_CATEGORY, Scope.PRIMARY_CATALOGUE, Scope.FORCE_ENTRY,
    }
)  # fmt: skip
"""Scopes whose costs are those of the whole: of each matching selection with everything below it (§20)."""


class Container:
    """What a scope means for one owner.

    Attributes:
        holder: whose children are counted; None when `members` are given instead.
        members: the counted selections themselves, when they are not all children of one holder.
        factor: what per-unit counts are multiplied with: 1 for the parent scope, else how many holders there are.
        forces: further forces whose children count too.
    """

    __slots__ = ("factor", "forces", "holder", "members", "own")

    def __init__(
        self,
        holder: Holder | None = None,
        *,
        members: list[SelectionNode] | None = None,
        factor: int = 1,
        forces: Iterable[ForceNode] = (),
        own: SelectionNode | None = None,
    ) -> None:
        self.holder = holder
        self.members = members
        self.factor = factor
        self.forces = tuple(forces)
        self.own = own


class FarModifiers(Protocol):
    """Modifiers that are written on one node and change others (`reaching.py` finds them)."""

    @property
    def fields(self) -> tuple[str, ...]:
        """Every field that one of them changes."""

    def on(self, target: Owner, field: str) -> Iterator[tuple[Modifier, Owner]]:
        """Those that change a field of an entry, group or force, with the nodes they are written on."""

    def on_profile(self, target: Owner, names: tuple[str, str], field: str) -> Iterator[tuple[Modifier, Owner]]:
        """Those that change a field of a profile that an entry shows."""

    def costs_on(self, target: Owner, type_id: str) -> Iterator[tuple[Modifier, Owner]]:
        """Those that change a cost."""


class Counting:
    """Answers queries about one roster. Categories and costs depend on modifiers; the evaluation supplies them."""

    def __init__(self, top: RosterNode) -> None:
        self.top = top
        self._category_counts: dict[tuple[Holder, bool], Counts] = {}
        self._order: dict[str, int] | None = None
        self.settling = 0
        self.provisional = False
        """Whether categories were read that were still being worked out: then the order of asking decides (§8)."""
        self.asker: Owner | None = None
        """Whose local condition group is being answered; `before` compares with it (§13)."""
        self.reaching: FarModifiers | None = None
        """Modifiers that change other nodes than their own; None where the roster has none."""
        self.categories_of: Callable[[SelectionNode], Categories]
        self.cost_of: Callable[[SelectionNode, str], Number]

    def note(self, query: Query, owner: Owner) -> None:
        """A query is answered otherwise than by counting; who keeps what is asked is told here (`beyond.py`)."""

    def stands_before(self, node: Owner, other: Owner) -> bool:
        """Whether a selection was put into the roster's order before another; what is not taken comes last."""
        if self._order is None:
            self._order = {chosen.id: at for at, chosen in enumerate(self.top.nodes)}
        last = len(self._order)
        return self._order.get(node_id(node), last) < self._order.get(node_id(other), last)

    def container(self, query: Query, owner: Owner) -> Container | None:  # noqa: PLR0911 - a return for each kind
        """What the query's scope means for this owner; None when it means nothing (§6.2)."""
        scope = query.scope
        if scope is Scope.FORCE or scope is Scope.PRIMARY_CATALOGUE:
            force = owner.force
            return Container(force, forces=_below(force) if query.child_forces else ())
        if scope is Scope.PARENT:
            return self._parent(query, owner)
        if scope is Scope.ENTRY:
            return _inside(nearest(owner, query.scope_id))
        if scope is Scope.ROSTER:
            return Container(None, members=[], forces=self.top.all_forces())
        if scope is Scope.SELF:
            if isinstance(owner, GroupNode):
                return Container(None, members=owner.members, factor=owner.parent.number)
            return _inside(owner)
        if scope is Scope.GROUP:
            return _siblings(owner, query.scope_id)
        return self._rare(query, owner)

    def _parent(self, query: Query, owner: Owner) -> Container | None:
        parent = owner.parent
        if parent is None:  # a top force: its parent is the roster
            return Container(None, members=[], forces=tuple(self.top.forces))
        own = parent if isinstance(parent, SelectionNode) else None
        if isinstance(parent, ForceNode) and query.child_forces:
            return Container(parent, forces=_below(parent))
        return Container(parent, own=own)

    def _rare(self, query: Query, owner: Owner) -> Container | None:  # noqa: PLR0911 - a return for each kind
        scope = query.scope
        if scope is Scope.PRIMARY_CATEGORY:
            root = owner.root if not isinstance(owner, ForceNode) else None
            primary = self.primary_of(root) if root is not None else None
            if primary is None:
                return None
            return Container(None, members=self.roots_in(owner.force, primary))
        if scope is Scope.ANCESTOR:
            return Container(None, members=_around(query, owner))
        if scope is Scope.CATEGORY:
            return Container(None, members=self.roots_in(owner.force, query.scope_id))
        if scope is Scope.FORCE_ENTRY:
            force: ForceNode | None = owner.force
            while force is not None and query.scope_id not in force.ids:
                force = force.parent
            return Container(force, forces=_below(force) if query.child_forces else ()) if force is not None else None
        if scope in NEAREST_KINDS:
            return _inside(nearest_of_kind(owner, query))
        if scope is Scope.ANY_GROUP:
            group = nearest_group(owner, with_self=query.with_self)
            return Container(None, members=group.members) if group is not None else None
        return None

    def roots_in(self, force: ForceNode, category_id: str) -> list[SelectionNode]:
        """The force's own selections in a category."""
        return [child for child in force.children if self.in_category(child, category_id)]

    def in_category(self, node: SelectionNode, category_id: str) -> bool:
        """Whether a selection is in a category, after modifiers."""
        for found, _ in self.categories_of(node):  # noqa: SIM110 - asked so often that a generator costs
            if found == category_id:
                return True
        return False

    def primary_of(self, node: SelectionNode) -> str | None:
        """The primary category of a selection, after modifiers."""
        return next((category_id for category_id, primary in self.categories_of(node) if primary), None)

    def _in_category_below(self, holder: Holder, category_id: str, *, deep: bool) -> int:
        """How many selections below a holder are in a category, for one of it."""
        if not self.settling:
            return self.category_counts(holder, deep=deep).get(category_id, 0)
        total = 0  # what is provisional is not kept, so that only what is asked for is counted
        for child in holder.children:
            if self.in_category(child, category_id):
                total += child.amount
            if deep and child.children:
                total += child.amount * self._in_category_below(child, category_id, deep=True)
        return total

    def category_counts(self, holder: Holder, *, deep: bool) -> Counts:
        """How many selections below a holder are in each category, for one of it."""
        counts = self._category_counts.get((holder, deep))
        if counts is None:
            counts = {}
            for child in holder.children:
                for category_id in {found for found, _ in self.categories_of(child)}:
                    counts[category_id] = counts.get(category_id, 0) + child.amount
                if deep and child.children:
                    for category_id, below in self.category_counts(child, deep=True).items():
                        counts[category_id] = counts.get(category_id, 0) + child.amount * below
            if not self.settling:  # while category modifiers run, memberships are provisional (§8 rule 2)
                self._category_counts[holder, deep] = counts
        return counts

    def count(self, query: Query, owner: Owner) -> Number | None:
        """The value of a query, before percent; None when it does not resolve (§6)."""
        if query.field is Field.LIMIT:
            return self.limit(query.cost_type)
        child, key = query.child, query.key
        if child is Child.ABSENT:
            if query.scope is not Scope.ANCESTOR:
                return None
            child, key = Child.KEY, "any"  # every selection above (§20)
        if query.field is Field.FORCES:
            return self.count_forces(query, owner, query.child_id)
        if query.plain:
            found = self.quick(query, owner, query.key)
            if found is not None:
                return found
        container = self.container(query, owner)
        return None if container is None else self.measure(query, container, child, key)

    def quick(self, query: Query, owner: Owner, key: str) -> int | None:
        """Selections by key where the scope is one holder: nine of ten queries; None for the others."""
        scope = query.scope
        if scope is Scope.FORCE:
            holder: Holder | None = owner.force
        elif scope is Scope.PARENT:
            holder = owner.parent
        elif scope is Scope.ROSTER:
            forces = self.top.all_forces()
            return sum([(force.deep if query.deep else force.shallow).get(key, 0) for force in forces])
        elif scope is Scope.ENTRY:
            holder = nearest(owner, query.scope_id)
            if holder is not None:
                return (holder.deep if query.deep else holder.shallow).get(key, 0) * holder.number
        else:
            return None
        return (holder.deep if query.deep else holder.shallow).get(key, 0) if holder is not None else None

    def measure(self, query: Query, container: Container, child: Child, key: str) -> Number | None:
        """Selections or costs in a container that match `key` (an id key, or a category)."""
        if query.field is Field.SELECTIONS:
            return self._selections(container, child, key, deep=query.deep)
        if query.field is Field.COST:
            return self._cost(container, child, key, query)
        return None

    def key_count(self, container: Container, key: str, *, deep: bool) -> int:
        """Selections in a container that carry a key."""
        return self._selections(container, Child.KEY, key, deep=deep)

    def _selections(self, container: Container, child: Child, key: str, *, deep: bool) -> int:
        total = 0
        holders: list[Holder] = list(container.forces)
        if container.holder is not None:
            holders.insert(0, container.holder)
        for holder in holders:
            if child is Child.KEY:
                found = (holder.deep if deep else holder.shallow).get(key, 0)
            else:
                found = self._in_category_below(holder, key, deep=deep)
            total += found * (container.factor if holder is container.holder else 1)
        for member in container.members or ():
            hit = key in member.place.keys if child is Child.KEY else self.in_category(member, key)
            if hit:
                total += member.number
            if deep and member.children:
                if child is Child.KEY:
                    below = member.deep.get(key, 0)
                else:
                    below = self._in_category_below(member, key, deep=True)
                total += member.number * below
        return total

    def _cost(self, container: Container, child: Child, key: str, query: Query) -> Number:
        total: Number = 0
        for node in self.costing(container, child, key, query):
            total += self.cost_of(node, query.cost_type)
        if container.own is not None and query.scope is not Scope.PARENT:
            total += self.cost_of(container.own, query.cost_type)
        return total

    def costing(self, container: Container, child: Child, key: str, query: Query) -> Iterator[SelectionNode]:
        """Selections whose costs a query adds up, each once: the matching ones, and all below those.

        What stands below counts in a force, a category or the roster always (§20), else when children are included.
        """
        return self.matching(container, child, key, deep=query.deep, whole=query.deep or query.scope in _WHOLE)

    def matching(
        self, container: Container, child: Child, key: str, *, deep: bool, whole: bool
    ) -> Iterator[SelectionNode]:
        """Selections that match.

        Args:
            deep: they are looked for below the first level too.
            whole: all that stands below one comes with it, and is not looked through again.
        """
        tops: list[SelectionNode] = list(container.members or ())
        if container.holder is not None:
            tops += container.holder.children
        for force in container.forces:
            tops += force.children
        for node in tops:
            yield from self._matching_below(node, child, key, deep=deep, whole=whole)

    def _matching_below(
        self, node: SelectionNode, child: Child, key: str, *, deep: bool, whole: bool
    ) -> Iterator[SelectionNode]:
        hit = key in node.place.keys if child is Child.KEY else self.in_category(node, key)
        if hit:
            yield node
            if whole:
                yield from node.walk()
        elif deep:
            for below in node.children:
                yield from self._matching_below(below, child, key, deep=True, whole=whole)

    def spent(self, query: Query, container: Container, child: Child, key: str) -> Number:
        """The cost a `limit::` percentage measures: of what matches, with all below it."""
        total: Number = 0
        for node in self.costing(container, child, key, query):
            total += self.cost_of(node, query.cost_type)
        return total

    def count_forces(self, query: Query, owner: Owner, entry_id: str) -> int | None:
        """Forces in the scope that were made from an entry."""
        scope = query.scope
        if scope is Scope.ROSTER or (scope is Scope.PARENT and isinstance(owner, ForceNode) and owner.parent is None):
            forces: Iterable[ForceNode] = self.top.all_forces()
        elif scope is Scope.PARENT and isinstance(owner, ForceNode) and owner.parent is not None:
            forces = owner.parent.forces
        elif scope in {Scope.FORCE, Scope.PRIMARY_CATALOGUE, Scope.SELF, Scope.PARENT}:
            forces = _below(owner.force) if query.child_forces else owner.force.forces
        else:
            return None
        return sum(1 for force in forces if entry_id == "any" or entry_id in force.ids)

    def limit(self, cost_type: str) -> Number:
        """The roster's limit of a cost type; -1 when there is none."""
        value = self.top.limits.get(cost_type)
        if value is None:
            return -1
        return int(value) if value == value.to_integral_value() else value

    def total(self, query: Query, owner: Owner) -> Number | None:
        """The same query for anything at all: what a percentage is of."""
        if query.field is Field.FORCES:
            return self.count_forces(query, owner, "any")
        container = self.container(query, owner)
        return None if container is None else self.measure(query, container, Child.KEY, "any")


def _around(query: Query, owner: Owner) -> list[SelectionNode]:
    """The selections above an owner and what stands in them, each once.

    Real data asks there for what its owner is part of (a Prince, for his honours) and for what stands beside it: a
    mount, for a lance. Players of the program that this data is written for have both.
    """
    above = list(ancestors(owner))
    if query.child is Child.ABSENT:  # every selection above (§20)
        return above
    if query.deep:
        return above[-1:]  # whose contents are looked through
    return list(dict.fromkeys([*above, *(child for node in above for child in node.children)]))


def _below(force: ForceNode) -> list[ForceNode]:
    return [below for child in force.forces for below in child.walk_forces()]


def _inside(node: "Holder | GroupNode | None") -> Container | None:
    if node is None:
        return None
    if isinstance(node, GroupNode):
        return Container(None, members=node.members)
    own = node if isinstance(node, SelectionNode) else None
    return Container(node, factor=node.number, own=own)


def _siblings(owner: Owner, group_id: str) -> Container | None:
    """The owner's siblings (or those of a node above it) inside the group with this id."""
    node: Owner | Holder | None = owner
    while isinstance(node, (SelectionNode, GroupNode)):
        groups = node.place.groups + ((node.place,) if node.place.is_group else ())
        for group in reversed(groups):
            if group_id in {group.spec.id, group.spec.link_id}:
                key = f"={group.path}"
                members = [child for child in node.parent.children if key in child.place.keys]
                return Container(None, members=members)
        node = node.parent
    return None
