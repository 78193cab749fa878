"""What the data of an entry may ask of a roster: the words by which an evaluation after an edit knows what it keeps.

A word stands for whatever has a key, is in a category or costs something: the key, the id of the category, the id of
the cost type. They are read off the data alone, so there may be too many of them, never too few.
"""

from collections.abc import Iterable, Iterator
from enum import IntEnum
from typing import Final

from armybuilder.engine.gamedata.info import InfoSource
from armybuilder.engine.gamedata.links import Library
from armybuilder.engine.gamedata.model import (
    Child,
    Condition,
    ConditionGroup,
    Constraint,
    Field,
    Modifier,
    Op,
    Query,
    Scope,
    fields_of,
)
from armybuilder.engine.gamedata.places import Place
from armybuilder.engine.gamedata.specs import Spec
from armybuilder.engine.roster.nodes import Categories

Words = frozenset[str]
NOTHING: Final[Words] = frozenset()
ORDER: Final = "(order)"
"""Which selection stands before which."""

PRIMARY: Final = "(primary)"
"""The primary category of any selection that stands directly under a force."""

_FAR: Final = frozenset(
    {
        Scope.FORCE, Scope.ROSTER, Scope.PRIMARY_CATALOGUE, Scope.FORCE_ENTRY, Scope.CATEGORY, Scope.PRIMARY_CATEGORY,
        Scope.GROUP, Scope.ANY_GROUP,
    }
)  # fmt: skip
_INSTANCE: Final = frozenset({Op.INSTANCE_OF, Op.NOT_INSTANCE_OF})


class At(IntEnum):
    """Where a definition is asked from."""

    BELOW = 0
    """A selection, or a group of one."""
    ROOT = 1
    ROOT_GROUP = 2
    FORCE = 3
    CATEGORY = 4
    """Of a force."""


_ROOMS: Final = frozenset({At.ROOT_GROUP, At.FORCE, At.CATEGORY})
"""What means the selections of a force by itself."""

_ROOTS: Final = frozenset({At.ROOT, At.ROOT_GROUP})


class Range(IntEnum):
    """How far what is asked may lie from who asks."""

    BESIDE = 0
    """Below the selection or force that holds the entry."""
    UNIT = 1
    """In the unit it belongs to."""
    FAR = 2
    """Anywhere."""


Word = tuple[str, Range]


class Layer:
    """Words of one sort of answer, by where something has to change that the answer does.

    Attributes:
        far: asked of other units; `unit`: those, and asked of the unit; `all`: those, and asked of what stands beside.
    """

    __slots__ = ("all", "far", "unit")

    def __init__(self, found: Iterable[Word]) -> None:
        words = dict.fromkeys(found)
        self.far: Words = frozenset(word for word, away in words if away is Range.FAR) or NOTHING
        self.unit: Words = frozenset(word for word, away in words if away is not Range.BESIDE) or NOTHING
        self.all: Words = frozenset(word for word, _ in words) or NOTHING

    def __iter__(self) -> Iterator[Word]:
        """Every word at its farthest."""
        for word in self.all:
            yield word, Range.FAR if word in self.far else Range.UNIT if word in self.unit else Range.BESIDE


class Reads:
    """What an entry or group in its place, or a category of a force, may ask of the roster.

    Attributes:
        settles: its categories ask for categories or costs, so that they are worked out anew each time.
        prices: its costs ask for costs, likewise.
        whole: flags, names and limits; the categories and costs are in it.
        regroups: its modifiers change the categories of other nodes; `unsettled`: they ask for categories or costs;
        reaching: its modifiers change something else of other nodes; `beyond`: of nodes outside its unit.
    """

    __slots__ = ("beyond", "categories", "costs", "prices", "reaching", "regroups", "settles", "unsettled", "whole")

    def __init__(self, library: Library, spec: Spec, groups: Iterable[Spec] = (), *, at: At) -> None:
        asker = _Asker(library, spec, at)
        outer = [_Asker(library, group, At.ROOT_GROUP if at in _ROOTS else At.BELOW) for group in groups]
        self.settles = any(_depends(query) for query in asker.queries(spec.category_modifiers))
        prices = [modifier for modifiers in spec.cost_modifiers.values() for modifier in modifiers]
        self.prices = any(query.field is Field.COST for query in asker.queries(prices))
        self.categories = Layer(asker.of_modifiers(spec.category_modifiers))
        self.costs = Layer(asker.of_modifiers(prices))
        self.whole = Layer(word for one in (asker, *outer) for word in one.everything())
        changes = [(modifier, fields_of([modifier])) for modifier in spec.reaching]
        others = [modifier for modifier, fields in changes if fields != ["category"]]
        regrouping = [modifier for modifier, fields in changes if "category" in fields]
        self.regroups = bool(regrouping)
        self.unsettled = any(_depends(query) for query in asker.queries(regrouping))
        self.reaching = bool(others)
        self.beyond = any(one.reach is not None and asker.range_of(one.reach.start) is Range.FAR for one in others)


def reads_of(library: Library, place: Place) -> Reads:
    """What an entry or group in its place may ask, the groups it stands in included; worked out once."""
    found = library.reads.get(place)
    if found is None:
        groups = [group.spec for group in place.groups]
        at = At.BELOW if place.holder is not None else At.ROOT_GROUP if place.is_group else At.ROOT
        found = Reads(library, place.spec, groups, at=at)
        library.reads[place] = found
    assert isinstance(found, Reads)
    return found


def reads_below(library: Library, place: Place) -> Layer:
    """What the entries and groups below one may ask that object although nothing of them is taken."""
    found = library.reads_below.get(place)
    if found is None:
        parts = [reads_of(library, below).whole for below in place.demanding_below()]
        found = library.reads_below[place] = Layer(word for part in parts for word in part)
    assert isinstance(found, Layer)
    return found


def reads_of_force(library: Library, spec: Spec) -> Words:
    """What a force may ask."""
    return _all_of(library, spec, At.FORCE)


def reads_of_category(library: Library, spec: Spec) -> Words:
    """What a category of a force may ask."""
    return _all_of(library, spec, At.CATEGORY)


def _all_of(library: Library, spec: Spec, at: At) -> Words:
    found = library.reads.get((spec, at))
    if found is None:
        found = library.reads[spec, at] = Reads(library, spec, at=at).whole.all
    assert isinstance(found, frozenset)
    return found


def reads_of_profiles(library: Library, place: Place, categories: Categories, catalogue_id: str) -> Layer:
    """What the profiles and rules of an entry in some categories may ask, theirs included; worked out once."""
    key = (place, categories, catalogue_id)
    found = library.reads.get(key)
    if found is None:
        sources = [place.spec.info]
        for category_id, _ in categories:
            entry = library.category_node(catalogue_id, category_id)
            if entry is not None:
                sources.append(library.info_source(entry))
        asker = _Asker(library, None, At.ROOT if place.holder is None else At.BELOW)
        words = (word for source in sources for word in asker.of_modifiers(_info_modifiers(source)))
        found = library.reads[key] = Layer(words)
    assert isinstance(found, Layer)
    return found


def _info_modifiers(source: InfoSource) -> Iterator[Modifier]:
    for item in source.items:
        yield from item.hidden_modifiers
        for modifiers in item.field_modifiers.values():
            yield from modifiers
        if item.members is not None:
            yield from _info_modifiers(item.members)


def _depends(query: Query) -> bool:
    return (
        query.child is Child.CATEGORY
        or query.field is Field.COST
        or query.scope in {Scope.CATEGORY, Scope.PRIMARY_CATEGORY}
    )


def _must_be(group: ConditionGroup) -> str | None:
    """What each selection that a local group counts must be itself: a key or category; None when nothing says."""
    return next(
        (
            condition.key
            for condition in group.conditions
            if condition.op is Op.INSTANCE_OF
            and condition.scope is Scope.SELF
            and condition.child in {Child.KEY, Child.CATEGORY}
        ),
        None,
    )


class _Asker:
    """The words of the queries of one definition, each with how far it is asked."""

    def __init__(self, library: Library, spec: Spec | None, at: At) -> None:
        self._forces = library.ids_of_forces
        self._spec = spec
        self._at = at

    def range_of(self, query: Query) -> Range:
        """How far the scope of a query may lead."""
        scope = query.scope
        if scope is Scope.PARENT:
            return Range.BESIDE if self._at is At.BELOW else Range.FAR
        if scope is Scope.SELF:
            return Range.FAR if self._at in _ROOMS else Range.BESIDE
        if scope is Scope.ENTRY:
            return Range.FAR if query.scope_id in self._forces else Range.UNIT
        return Range.FAR if scope in _FAR else Range.UNIT

    def everything(self) -> Iterator[Word]:
        spec = self._spec
        assert spec is not None
        for modifiers in (spec.hidden_modifiers, spec.name_modifiers, spec.page_modifiers, spec.category_modifiers):
            yield from self.of_modifiers(modifiers)
        yield from self.of_modifiers(spec.reaching)
        for by_field in (spec.cost_modifiers, spec.rare_modifiers):
            for modifiers in by_field.values():
                yield from self.of_modifiers(modifiers)
        for constraint in spec.constraints:
            yield from self._of_constraint(constraint)

    def queries(self, modifiers: Iterable[Modifier]) -> Iterator[Query]:
        for modifier in modifiers:
            yield from modifier.queries()

    def of_modifiers(self, modifiers: Iterable[Modifier]) -> Iterator[Word]:
        for modifier in modifiers:
            for query in (*modifier.conditions, *modifier.repeats):
                yield from self._of_query(query)
            for group in modifier.groups:
                yield from self._of_group(group)
            yield from self.of_modifiers(modifier.steps)

    def _of_group(self, group: ConditionGroup, least: Range = Range.BESIDE) -> Iterator[Word]:
        """Words of a condition group; members of a local one are asked of the selections it finds."""
        if group.local is not None:
            least = max(least, self.range_of(group.local), Range.UNIT)
            wanted = _must_be(group) if group.local.key == "any" else None
            if wanted is None:
                yield from self._of_query(group.local, least)
            else:
                yield wanted, least
        for query in (*group.conditions, *group.repeats):
            yield from self._of_query(query, least)
        for inner in group.groups:
            yield from self._of_group(inner, least)

    def _of_query(self, query: Query, least: Range = Range.BESIDE) -> Iterator[Word]:
        away = max(least, self.range_of(query))
        op = query.op if isinstance(query, Condition) else None
        if op is Op.BEFORE:
            yield ORDER, Range.FAR
        elif op in _INSTANCE:  # keys of what stands above never change
            if query.child is Child.CATEGORY:
                yield query.child_id, max(least, Range.FAR if query.scope is Scope.FORCE else Range.UNIT)
        elif query.field in {Field.SELECTIONS, Field.COST}:
            whole = query.percent or query.child is Child.ABSENT
            if query.child is not Child.ABSENT and query.key != "any":
                yield query.key, away
            if query.field is Field.SELECTIONS and (whole or query.key == "any"):
                yield "any", away  # what costs nothing changes no sum, and what does is known by its cost type
            yield from self._around(query, away)

    def _of_constraint(self, constraint: Constraint) -> Iterator[Word]:
        away = self.range_of(constraint)
        assert self._spec is not None
        yield self._spec.id, away
        if constraint.field is Field.SELECTIONS and (constraint.percent or self._at is At.FORCE):
            yield "any", away
        if constraint.percent and constraint.scope is Scope.PARENT:
            yield PRIMARY, away
        yield from self._around(constraint, away)
        yield from self.of_modifiers(constraint.modifiers)

    def _around(self, query: Query, away: Range) -> Iterator[Word]:
        """What a count depends on besides what it counts."""
        if query.field in {Field.COST, Field.LIMIT}:
            yield query.cost_type, away
        if query.scope is Scope.CATEGORY:
            yield query.scope_id, away
        elif query.scope is Scope.PRIMARY_CATEGORY:
            yield PRIMARY, away
