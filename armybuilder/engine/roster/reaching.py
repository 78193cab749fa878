"""Modifiers that are written on one node and change others: which of them change a node (§13)."""

from collections.abc import Iterator
from operator import itemgetter

from armybuilder.engine.gamedata.model import Child, Field, Modifier, Reach, Scope, fields_of
from armybuilder.engine.gamedata.places import Place
from armybuilder.engine.roster.nodes import (
    NEAREST_KINDS,
    ForceNode,
    GroupNode,
    Holder,
    Owner,
    RosterNode,
    SelectionNode,
    nearest,
    nearest_of_kind,
)

Source = tuple[Modifier, Owner]
"""A modifier and the node it is written on, which its conditions are asked of."""

_Numbered = tuple[int, Modifier, Owner]
"""The same with its place in the order of the roster."""

_number = itemgetter(0)


class Reaching:
    """All such modifiers of one roster, by what they change.

    Args:
        memo: of the library; which entries pass which filters is kept there.
    """

    def __init__(self, top: RosterNode, memo: dict[object, object]) -> None:
        self._memo = memo
        self._along: dict[str, list[_Numbered]] = {}
        self._at: dict[tuple[str, Owner | Holder], list[_Numbered]] = {}
        number = 0
        for owner in _sources(top):
            for modifier in owner.spec.reaching:
                number += 1
                for field in fields_of([modifier]):
                    self._enter(field, number, modifier, owner)

    def _enter(self, field: str, number: int, modifier: Modifier, source: Owner) -> None:
        """Those that change one node stand with it, the others with all that walk along a path."""
        reach = modifier.reach
        assert reach is not None
        self._along.setdefault(field, [])
        if reach.below or reach.start.scope is Scope.ROSTER:
            self._along[field].append((number, modifier, source))
        elif (start := _start(modifier, source)) is not None:
            self._at.setdefault((field, start), []).append((number, modifier, source))

    def __bool__(self) -> bool:
        """Whether there are any."""
        return bool(self._along)

    @property
    def fields(self) -> tuple[str, ...]:
        """Every field that one of them changes."""
        return tuple(self._along)

    def on(self, target: Owner, field: str) -> Iterator[Source]:
        """Those that change a field of an entry, group or force, in the order of the roster."""
        for modifier, source in self._reaching(target, field):
            if modifier.reach is not None and modifier.reach.profile_type is None:
                yield modifier, source

    def on_profile(self, target: Owner, names: tuple[str, str], field: str) -> Iterator[Source]:
        """Those that change a field of a profile that an entry shows.

        Args:
            names: id and name of the profile's type.
        """
        for modifier, source in self._reaching(target, field):
            if modifier.reach is not None and modifier.reach.profile_type in {*names, ""}:
                yield modifier, source

    def costs_on(self, target: Owner, type_id: str) -> Iterator[Source]:
        """Those that change a cost, unless they read costs themselves: such a chain could be a loop."""
        for modifier, source in self.on(target, type_id):
            if not any(query.field is Field.COST and query.child is not Child.ABSENT for query in modifier.queries()):
                yield modifier, source

    def _reaching(self, target: Owner, field: str) -> Iterator[Source]:
        """All that change a field of a node, or of the profiles it shows, in the order of the roster."""
        along = self._along.get(field)
        if along is None:
            return
        found = [one for one in along if self._covers(one[1], one[2], target)]
        for one in self._at.get((field, target), ()):
            assert one[1].reach is not None
            if not one[1].reach.filters or self._passes(one[1].reach, target):
                found.append(one)
        found.sort(key=_number)
        for _, modifier, source in found:
            yield modifier, source

    def _covers(self, modifier: Modifier, source: Owner, target: Owner) -> bool:
        """Whether a path that leads down from where its scope leads up to passes a node."""
        reach = modifier.reach
        assert reach is not None
        if reach.filters and not self._passes(reach, target):
            return False
        if reach.start.scope is Scope.ROSTER:
            return reach.below and (reach.deep or isinstance(target.parent, ForceNode))
        start = _start(modifier, source)
        if start is None:
            return False
        above: Holder | None = target.parent
        while reach.deep and above is not None and above is not start:
            above = above.parent if isinstance(above, (SelectionNode, ForceNode)) else None
        return above is start

    def _passes(self, reach: Reach, target: Owner) -> bool:
        """Whether a node passes the filters of a path; of a selection its entry decides."""
        if not isinstance(target, SelectionNode):
            return all(_fits(target, wanted) for wanted in reach.filters)
        known = self._memo.setdefault(reach, {})
        assert isinstance(known, dict)
        found: bool | None = known.get(target.place)
        if found is None:
            found = known[target.place] = all(_fits(target, wanted) for wanted in reach.filters)
        return found


def _sources(top: RosterNode) -> Iterator[Owner]:
    """Forces, selections, and the groups that anything is taken of, once in each place."""
    yield from top.all_forces()
    seen: set[tuple[Place, Holder]] = set()
    for node in top.nodes:
        for group in node.place.groups:
            if (group, node.parent) not in seen:
                seen.add((group, node.parent))
                yield GroupNode(group, node.parent)
        yield node


def _start(modifier: Modifier, source: Owner) -> Owner | Holder | None:
    """The node its scope leads up to."""
    assert modifier.reach is not None
    query = modifier.reach.start
    if query.scope is Scope.SELF:
        return source
    if query.scope is Scope.PARENT:
        return source.parent
    if query.scope is Scope.FORCE:
        return source.force
    if query.scope is Scope.ENTRY:
        return nearest(source, query.scope_id)
    return nearest_of_kind(source, query) if query.scope in NEAREST_KINDS else None


def _fits(target: Owner, wanted: str) -> bool:
    """Whether an id, type or category (as the data writes it, before modifiers) means a node."""
    if isinstance(target, ForceNode):
        return wanted in target.ids
    if isinstance(target, GroupNode):
        return wanted in {target.spec.id, target.spec.link_id}
    return target.place.has_key(wanted) or any(wanted == category_id for category_id, _ in target.place.categories)
