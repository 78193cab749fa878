"""What the numbers of an army list forbid, told as the rules EPL-01 to EPL-09: every limit comes from imported data.

Each objection that the roster engine raises is read as what it means in an Epic army: a unit outside its numbers, an
upgrade too many, a section over its share. Objections of another kind stay as the data words them.
"""

from collections.abc import Iterable, Iterator
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

from msgspec.structs import replace

from armybuilder.engine.findings import Finding, Origin
from armybuilder.engine.gamedata.columns import NONE
from armybuilder.engine.gamedata.model import Constraint, Field, Scope
from armybuilder.engine.gamedata.numbers import Number
from armybuilder.engine.gamedata.places import Place
from armybuilder.engine.points import Number as Points
from armybuilder.engine.roster.evaluation import Evaluation
from armybuilder.engine.roster.limits import limits_of
from armybuilder.engine.roster.model import pointers
from armybuilder.engine.roster.nodes import ForceNode, GroupNode, Holder, Owner, SelectionNode
from armybuilder.engine.roster.scopes import Container
from armybuilder.engine.roster.state import ErrorKind, RosterError, RosterState
from armybuilder.engine.systems.epic.list_rules import army_list

UNIT_TYPES = ("unit", "model")


class _Limited(NamedTuple):
    """What a broken limit is written on."""

    constraint: Constraint
    place: Place
    owner: Owner


def list_findings(state: RosterState, *, points_limit: Points | None) -> tuple[Finding, ...]:
    """What the army list of the data forbids in this roster, in its own words.

    Args:
        points_limit: agreed size, for shares of it.
    """
    evaluation = state.evaluation
    if not isinstance(evaluation, Evaluation):
        return ()
    reader = _Reader(evaluation, points_limit)
    at = pointers(state.roster)
    return tuple(
        replace(finding, at=at.get(error.node_id or ""), origin=Origin.DATA)
        for error in state.errors
        for finding in reader.read(error)
    )


class _Reader:
    def __init__(self, evaluation: Evaluation, points_limit: Points | None) -> None:
        self.evaluation = evaluation
        self.points_limit = points_limit

    def read(self, error: RosterError) -> Iterable[Finding]:
        """The objection as a rule of army lists; nothing where it is none."""
        if error.kind is ErrorKind.HIDDEN:
            return self._hidden(error)
        counted = error.current is not None and error.limit is not None
        if error.kind not in (ErrorKind.MIN, ErrorKind.MAX) or not counted or error.own_words:
            return ()
        if error.percent:
            return self._share(error)
        return self._number(error) if error.field in ("selections", "forces") else ()

    def _number(self, error: RosterError) -> Iterable[Finding]:
        """A number of formations, units or upgrades."""
        assert error.current is not None
        if error.owner_type == "category" and (category := self._category(error)) is not None:
            return self._section(error, category)
        limited = self._limited(error)
        if limited is None or _is_option_of_the_list(limited.owner):
            return ()
        if isinstance(limited.owner.parent, ForceNode):
            least, most = self._bounds(limited)
            return army_list.formation_number(error.name, int(error.current), least=least, most=most)
        return self._inside_formation(error, limited)

    # Formations and sections

    def _hidden(self, error: RosterError) -> Iterable[Finding]:
        node = self.evaluation.node(error.node_id or "")
        if not isinstance(node, SelectionNode) or _is_option_of_the_list(node):
            return ()
        if isinstance(node.parent, ForceNode):
            name = self._list_of(node.force)
            return army_list.listed_formations((error.name,), offered=frozenset(), army_list=name)
        return army_list.upgrades((error.name,), offered={})

    def _list_of(self, force: ForceNode) -> str:
        return self.evaluation.library.head(force.catalogue_id).title

    def _share(self, error: RosterError) -> Iterable[Finding]:
        """A section and its share of the agreed points; the engine counts in percent of them."""
        assert error.current is not None and error.limit is not None
        if self.points_limit is None:
            return ()
        whole = Decimal(str(self.points_limit))
        spent, allowed = (_whole(whole * percent / 100) for percent in (error.current, error.limit))
        return army_list.section_share(error.name, spent, limit=allowed)

    def _section(self, error: RosterError, constraint: Constraint) -> Iterable[Finding]:
        """A section in its number: for each core formation where the data counts those, else for the army."""
        assert error.current is not None and error.limit is not None
        force = self.evaluation.node(error.node_id or "")
        core = self._core(constraint, force) if isinstance(force, ForceNode) else None
        n = int(error.current)
        if error.kind is ErrorKind.MAX and core is not None:
            per_core = Fraction(int(error.limit), core) if core else 0
            return army_list.section_per_core(error.name, n, core=core, per_core=per_core)
        least, most = (int(error.limit), None) if error.kind is ErrorKind.MIN else (0, int(error.limit))
        return army_list.formation_number(error.name, n, least=least, most=most)

    def _core(self, constraint: Constraint, force: ForceNode) -> int | None:
        """How many formations a limit grows with; None where it grows with none."""
        run = self.evaluation.counting
        for modifier in constraint.modifiers:
            for repeat in modifier.repeats:
                counted = run.measure(repeat, Container(force), repeat.child, repeat.key or repeat.child_id)
                if counted is not None:
                    return int(counted)
        return None

    def _category(self, error: RosterError) -> Constraint | None:
        """The limit of a section that is broken."""
        force = self.evaluation.node(error.node_id or "")
        library = self.evaluation.library
        for link in force.spec.category_link_nodes if isinstance(force, ForceNode) else ():
            if library.target[link] == NONE:
                continue
            spec = library.spec(library.target[link], link)
            for constraint in spec.constraints:
                if constraint.id == error.constraint_id and constraint.owner_id == error.entry_id:
                    return constraint
        return None

    # Units and upgrades

    def _inside_formation(self, error: RosterError, limited: _Limited) -> Iterable[Finding]:
        assert error.current is not None and error.limit is not None
        least, most = self._bounds(limited)
        n = int(error.current)
        if error.kind is ErrorKind.MIN:
            return army_list.unit_number(error.name, n, least=least, most=most)
        taken = [error.name] * n
        offered: dict[str, int | None] = {error.name: most} if most else {}
        core = self._core(limited.constraint, limited.owner.force) if limited.constraint.scope is Scope.FORCE else None
        if core is not None:  # authors mark the formations of a section by an option that they all have
            per_core = Fraction(int(error.limit), core) if core else 0
            return army_list.section_per_core(error.name, n, core=core, per_core=per_core)
        if limited.constraint.scope is not Scope.PARENT or not most:
            once = army_list.unique_choices(taken, unique=frozenset({error.name}))
            return once if most == 1 else army_list.upgrades(taken, offered=offered)
        replaced = self._replaced(limited)
        if replaced is not None and replaced > most:
            return army_list.replaced_units(replaced, have=most)
        if _is_units(limited.place) and "upgrade" not in error.name.casefold():
            return army_list.unit_number(error.name, n, least=least, most=most)
        return army_list.upgrades(taken, offered=offered)

    def _replaced(self, limited: _Limited) -> int | None:
        """Units that take the place of the usual ones, where a choice of units has a fixed size and a default."""
        place, owner = limited.place, limited.owner
        least, most = self._bounds(limited)
        usual = place.spec.default_ids
        if not isinstance(owner, GroupNode) or not usual or least != most or (most or 0) < 2 or not _is_units(place):
            return None
        return sum(node.amount for node in owner.members if not usual & {node.place.spec.id, node.place.spec.link_id})

    def _bounds(self, limited: _Limited) -> tuple[int, int | None]:
        """Minimum and maximum of the same thing in the same scope."""
        low: list[Number] = []
        high: list[Number] = []
        for constraint in limited.place.spec.constraints:
            if constraint.field is Field.SELECTIONS and constraint.scope is limited.constraint.scope:
                least, most = limits_of(constraint, limited.owner, self.evaluation.counting)
                low += [] if least is None else [least]
                high += [] if most is None else [most]
        return int(max(low, default=0)), int(min(high)) if high else None

    def _limited(self, error: RosterError) -> _Limited | None:
        """The place a broken limit is written on: below the node at fault, at it, or around it."""
        node = self.evaluation.node(error.node_id or "")
        if node is None:
            return None
        for place, owner in self._candidates(node):
            for constraint in place.spec.constraints:
                if constraint.id == error.constraint_id and constraint.owner_id == error.entry_id:
                    return _Limited(constraint, place, owner)
        return None

    def _candidates(self, node: Holder) -> Iterator[tuple[Place, Owner]]:
        library = self.evaluation.library
        below = library.roots(node.catalogue_id) if isinstance(node, ForceNode) else _children(node)
        todo = list(below)
        taken: dict[Place, SelectionNode] = {child.place: child for child in node.children}
        for place in todo:
            if place.is_group:
                todo.extend(place.children)
                yield place, GroupNode(place, node)
            else:
                yield place, taken.get(place) or node.ghost(place)
        if isinstance(node, SelectionNode):
            yield node.place, node
            for group in node.place.groups:
                yield group, GroupNode(group, node.parent)


def _is_option_of_the_list(owner: Owner) -> bool:
    """Whether something stands in no formation, but among what is chosen for the whole list."""
    root = None if isinstance(owner, ForceNode) else owner.root
    return root is not None and root.spec.type not in UNIT_TYPES


def _children(node: Holder) -> tuple[Place, ...]:
    return node.place.children if isinstance(node, SelectionNode) else ()


def _is_units(place: Place) -> bool:
    """Whether an entry is a unit, or a group holds units only."""
    if not place.is_group:
        return place.spec.type in UNIT_TYPES
    return bool(place.children) and all(_is_units(child) for child in place.children)


def _whole(value: Decimal) -> int:
    return int(value.to_integral_value())
