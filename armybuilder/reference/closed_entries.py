"""Root entries that a force does not offer, so that the next one need not be asked.

A data set has dozens of kinds of forces, and each lends its units to one or two of them. What decides whether a force
offers an entry is read off the data (`Asked`): where that asks neither for the force nor for anything that may stand in
the roster, what one force said holds for all forces of the catalogue.
"""

from collections.abc import Iterable, Iterator

from armybuilder.engine.gamedata.links import Library
from armybuilder.engine.gamedata.model import Condition, Field, Modifier, Op, Query, fields_of
from armybuilder.engine.gamedata.places import Place
from armybuilder.engine.gamedata.specs import Spec, child_specs
from armybuilder.engine.roster.evaluation import Evaluation
from armybuilder.engine.roster.nodes import ForceNode

Ids = frozenset[str]

_FLAGS = frozenset({"hidden", "category"})
"""Fields by which a force offers an entry or not."""

_MOST_STARTED = 2_000
"""Entries that are looked through for what one root entry may bring along; beyond that it may be anything."""


class Asked:
    """What the entries of a library ask for, by ids: of entries, groups, categories, types, cost types and forces."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._of_roster: dict[Spec, Ids] = {}
        self._counting: dict[Spec, bool] = {}
        self._of_forces: dict[Spec, Ids | None] = {}
        self._below: dict[Spec, Ids | None] = {}

    def of_roster(self, spec: Spec) -> Ids:
        """What must stand somewhere for it to make a difference to whether a force offers an entry."""
        found = self._of_roster.get(spec)
        if found is None:
            found = frozenset(one for query in _flag_queries(spec) for one in _ids(query) if one)
            self._of_roster[spec] = found
        return found

    def _of_forces_of(self, spec: Spec) -> Ids | None:
        """Ids of the forces that make such a difference, among others; None where each force does."""
        if spec not in self._of_forces:
            queries = list(_flag_queries(spec))
            counted = any(query.field is Field.FORCES and query.child_id in {"", "any"} for query in queries)
            asking = [query for query in queries if query.field is Field.FORCES or _asks_what_it_is(query)]
            ids = {*(query.scope_id for query in queries), *(query.child_id for query in asking)}
            self._of_forces[spec] = None if counted else frozenset(ids - {""})
        return self._of_forces[spec]

    def concerns(self, spec: Spec, forces: Iterable[Spec]) -> bool:
        """Whether one of these forces may decide whether an entry is offered."""
        asked = self._of_forces_of(spec)
        return asked is None or any(force.id in asked or force.link_id in asked or force.reaching for force in forces)

    def counts_forces(self, spec: Spec) -> bool:
        """Whether its flags hang on how many forces there are."""
        found = self._counting.get(spec)
        if found is None:
            found = self._counting[spec] = any(query.field is Field.FORCES for query in _flag_queries(spec))
        return found

    def started(self, catalogue_id: str) -> Ids | None:
        """What may stand in a force of a catalogue from the start; None where that may change flags of its own."""
        ids: set[str] = set()
        for place in self._library.demanding_roots(catalogue_id):
            if not _may_start(place.spec):
                continue
            below = self._of_all_below(place.spec)
            if below is None:
                return None
            ids |= below
            ids |= {group.spec.id for group in place.groups}
        return frozenset(ids)

    def _of_all_below(self, spec: Spec) -> Ids | None:
        if spec not in self._below:
            ids = {"any"}
            reached = {spec: None}
            for one in (waiting := [spec]):  # grows while it is read, each once, so cycles end
                if len(reached) > _MOST_STARTED or _is_unsteady(one):
                    self._below[spec] = None
                    return None
                ids |= {one.id, one.link_id, one.type, *(category_id for category_id, _ in one.categories)}
                ids |= {kind for kind, cost in one.base_costs.items() if cost}
                ids |= {*one.cost_modifiers, *_values(one.category_modifiers)}
                ids |= {*fields_of(one.reaching), *_values(one.reaching)}  # costs and categories it lends to others
                for below in (inner for node in one.nodes for inner in child_specs(self._library, node)):
                    if below not in reached and (below.may_be_taken or (one.is_group and not below.is_group)):
                        reached[below] = None
                        waiting.append(below)
            self._below[spec] = frozenset(ids)
        return self._below[spec]


class ClosedEntries:
    """What the forces of one catalogue say of root entries, while nothing is taken but what a force starts with."""

    def __init__(self, asked: Asked, catalogue_id: str) -> None:
        self._asked = asked
        self._started = asked.started(catalogue_id)
        self._always: dict[Place, str | None] = {}
        self._here: dict[Place, str | None] = {}
        self._telling: dict[tuple[Spec, Spec], bool] = {}
        self._is_steady = False
        self._lent: Ids = frozenset()

    def begin(self, evaluation: Evaluation) -> None:
        """A roster is asked from here on: one with a single force, and forces below that one by one."""
        places = [place for node in evaluation.top.nodes for place in (node.place, *node.place.groups)]
        sources = {place.spec for place in places}
        self._is_steady = not any(_is_unsteady(spec) for spec in sources)
        self._lent = frozenset(category for spec in sources for category in _values(spec.reaching))

    def end(self) -> None:
        """The next force is asked for all that hangs on what stands in the roster."""
        self._here = {}

    def tells_by_itself(self, inner: Spec, outer: Spec) -> bool:
        """Whether a force may be added below another as it may below an empty one, whatever that starts with."""
        known = self._telling.get((inner, outer))
        if known is None:
            known = (
                self._started is not None
                and not outer.reaching
                and not self._asked.counts_forces(inner)
                and self._asked.of_roster(inner).isdisjoint(self._started)
            )
            self._telling[inner, outer] = known
        return known

    def closed(self, place: Place, force: Spec, *outer: Spec) -> bool:
        """Whether a force below others is known not to offer an entry or group."""
        known = self._here if place in self._here else self._always
        if place not in known:
            return False
        primary = known[place]
        shut = primary is None or primary not in force.category_ids
        return shut and not self._asked.concerns(place.spec, (force, *outer))

    def begun_with(self, catalogue_id: str, evaluation: Evaluation, force: ForceNode) -> Iterator[Place]:
        """What stands in a force from the start, and what it may have begun with and given back for its price (§20)."""
        for node in evaluation.top.nodes:
            yield node.place
            yield from node.place.groups
        for place in evaluation.library.demanding_roots(catalogue_id):
            if place.spec.starts and any(self._may_have_begun(place, evaluation, one) for one in outwards(force)):
                yield place
                yield from place.groups

    def _may_have_begun(self, place: Place, evaluation: Evaluation, force: ForceNode) -> bool:
        """Whether a force, before anything stood in it, may have offered what it starts with where that is free."""
        spec = place.spec
        if self._started is None or place.groups or not self._asked.of_roster(spec).isdisjoint(self._started):
            return True
        if force.parent is not None and self._asked.counts_forces(spec):
            return True
        ghost = force.ghost(place)
        return evaluation.fits(ghost) and not evaluation.hidden(ghost)

    def note(self, place: Place, evaluation: Evaluation, force: ForceNode) -> None:
        """Keep that a force of the roster does not offer an entry or group."""
        if self._asked.concerns(place.spec, (one.spec for one in outwards(force))):
            return
        asked = self._asked.of_roster(place.spec)
        always = self._started is not None and asked.isdisjoint(self._started)
        if not always and not (self._is_steady and asked.isdisjoint(self._lent)):
            return
        primary = None
        if not place.is_group:
            ghost = force.ghost(place)
            primary = None if evaluation.hidden(ghost) else evaluation.counting.primary_of(ghost)
        (self._always if always else self._here)[place] = primary


def outwards(force: ForceNode) -> Iterator[ForceNode]:
    """A force and those it stands below."""
    outer: ForceNode | None = force
    while outer is not None:
        yield outer
        outer = outer.parent


def _may_start(spec: Spec) -> bool:
    """Whether a force may begin with some of a root entry, as far as its own minimums and default amounts say.

    Groups are not filled at the root, only the entries in them, which are asked by themselves.
    """
    if spec.is_group:
        return False
    return spec.starts or any(one.fills and (one.value > 0 or bool(one.modifiers)) for one in spec.constraints)


def _flag_queries(spec: Spec) -> Iterator[Query]:
    for modifier in (*spec.hidden_modifiers, *spec.category_modifiers):
        yield from modifier.queries()


def _asks_what_it_is(query: Query) -> bool:
    return isinstance(query, Condition) and query.op in {Op.INSTANCE_OF, Op.NOT_INSTANCE_OF}


def _ids(query: Query) -> Iterator[str]:
    """What a query asks for; of costs their type is enough, as nothing else adds to them."""
    yield query.scope_id
    yield query.cost_type
    if query.field is not Field.COST or query.percent:
        yield query.child_id
        yield query.key.removeprefix("=").rsplit("::", 1)[-1]
        if query.percent or not query.child_id:
            yield "any"


def _is_unsteady(spec: Spec) -> bool:
    """Whether more than its ids tells of it: what it is hangs on which forces there are, or it changes other nodes.

    It may lend them a category, though: that is an id which they ask for or not.
    """
    modifiers = (*spec.category_modifiers, *(one for some in spec.cost_modifiers.values() for one in some))
    if any(query.field is Field.FORCES for one in modifiers for query in one.queries()):
        return True
    return any(_reaches_more(one) for one in spec.reaching)


def _reaches_more(modifier: Modifier) -> bool:
    if modifier.steps:
        return any(_reaches_more(step) for step in modifier.steps)
    return modifier.field in _FLAGS and (modifier.field, modifier.kind) != ("category", "add")


def _values(modifiers: Iterable[Modifier]) -> Iterator[str]:
    for modifier in modifiers:
        yield modifier.value
        yield from _values(modifier.steps)
