"""Limits: minimums, maximums, hidden selections, forces, categories and cost limits, as errors (§9)."""

from collections.abc import Iterable, Sequence
from decimal import Decimal

from armybuilder.engine.gamedata.model import Constraint, Field, Scope
from armybuilder.engine.gamedata.numbers import Number
from armybuilder.engine.gamedata.places import Place
from armybuilder.engine.gamedata.specs import Spec
from armybuilder.engine.roster.evaluation import Evaluation
from armybuilder.engine.roster.limit_words import LimitWords, decimal_of
from armybuilder.engine.roster.limits import (
    NO_CATEGORY,
    Measure,
    category_count,
    force_count,
    limits_of,
    measured,
    said_share,
    size_of_game,
)
from armybuilder.engine.roster.nodes import (
    Below,
    ForceNode,
    GroupNode,
    Holder,
    Identity,
    Objections,
    Owner,
    RosterNode,
    SelectionNode,
    members_of,
    nearest,
)
from armybuilder.engine.roster.renewal import Renewal
from armybuilder.engine.roster.roster_objections import RosterObjections
from armybuilder.engine.roster.state import ErrorKind, RosterError

Element = Owner | Holder | RosterNode | None
"""What a limit is counted in."""


class Checks:
    """Goes over a roster and collects its errors, each limit once per scope element."""

    def __init__(self, evaluation: Evaluation, renewal: Renewal | None = None) -> None:
        self._evaluation = evaluation
        self._renewal = renewal
        self._run = evaluation.counting
        self._words = LimitWords(evaluation.library, evaluation.counting)
        self._seen: set[Identity] = set()
        self._found: list[tuple[Identity, RosterError]] = []
        self._lasting = True
        self.errors: list[RosterError] = []

    def run(self) -> list[RosterError]:
        """Every error of the roster: forces, categories, entries, hidden selections, cost limits, loops."""
        top = self._evaluation.top
        for force in top.all_forces():
            self._force(force)
        for force in top.all_forces():
            self._categories(force)
            self._roots(force)
            for child in force.children:
                self._inside(child)
        return [*self.errors, *RosterObjections(self._evaluation, self._words).run()]

    def _told(self, known: Objections) -> None:
        """Take objections into the answer, each once."""
        for identity, error in known[1]:
            if identity not in self._seen:
                self._seen.add(identity)
                self.errors.append(error)

    def _collected(self, members: tuple[str, ...]) -> tuple[Objections, bool]:
        """What was found since this was last asked, and whether it may be kept for the next evaluation."""
        found: Objections = (members, tuple(self._found))
        lasting, self._lasting, self._found = self._lasting, True, []
        return found, lasting

    def _roots(self, force: ForceNode) -> None:
        demanding = self._evaluation.demanding_roots(force.catalogue_id)
        taken = _by_place(force.children)
        for place in demanding:
            if place not in taken:
                self._root(place, None, force)
        for place, nodes in taken.items():
            self._root(place, nodes[0], force)
        for group in _groups_of(taken, [place for place in demanding if place.is_group and place.group is None]):
            self._root(group, None, force)

    def _root(self, place: Place, first: SelectionNode | None, force: ForceNode) -> None:
        """A root entry, with the first selection of it, or a root group."""
        members = members_of(place, first, force)
        renewal = self._renewal
        known = renewal.root_objections(place, first, members, force) if renewal is not None else None
        lasting = True
        if known is None:
            if place.is_group:
                self._group(place, force)
            elif self._evaluation.fits(node := first or force.ghost(place)):
                self._entry(place, node, force)
            elif first is not None:
                self._hidden(place, first, force)
            known, lasting = self._collected(members)
        if lasting:
            self._evaluation.objections[force.id, place] = known
        self._told(known)

    def _inside(self, node: SelectionNode) -> None:
        ids = tuple([child.id for child in node.children])
        renewal = self._renewal
        known = renewal.below(node, ids) if renewal is not None else None
        if known is None:
            known = self._below(node, ids)
        self._told(known)
        for child in node.children:
            if child.children or child.place.demanding_below():
                self._inside(child)

    def _below(self, node: SelectionNode, ids: tuple[str, ...]) -> Objections:
        taken = _by_place(node.children)
        parts: dict[Place, Objections] = {}
        for place, nodes in taken.items():
            self._part(place, nodes[0], node, parts)
        asking: list[Place] = []
        for place in node.place.demanding_below():
            if place.is_group:
                asking.append(place)
            elif place not in taken:
                self._part(place, None, node, parts)
        for group in _groups_of(taken, asking):
            self._part(group, None, node, parts)
        known, lasting = self._collected(ids)
        node.objections = Below(ids, known, parts) if lasting else None
        return known

    def _part(
        self, place: Place, first: SelectionNode | None, holder: SelectionNode, parts: dict[Place, Objections]
    ) -> None:
        """An entry below a selection, with the first selection of it, or a group."""
        renewal = self._renewal
        known = renewal.part(place, first, holder) if renewal is not None else None
        if known is None:
            start = len(self._found)
            if place.is_group:
                self._group(place, holder)
            elif first is not None:
                self._entry(place, first, holder)
            elif not self._inside_hidden_group(place, holder):
                self._entry(place, holder.ghost(place), holder)
            found = tuple(self._found[start:])
            known = (members_of(place, first, holder) if found else (), found)
        else:
            self._found += known[1]
        if first is not None or known[1]:
            parts[place] = known

    def _inside_hidden_group(self, place: Place, holder: Holder) -> bool:
        return any(self._evaluation.group_hidden(group, holder) for group in place.groups)

    def _entry(self, place: Place, node: SelectionNode, holder: Holder) -> None:
        if self._evaluation.hidden(node):
            if node.amount:
                self._hidden(place, node, holder)
            return
        broken: set[tuple[object, ...]] = set()
        for constraint in place.spec.constraints:
            if node.amount or constraint.can_demand():
                self._limit(constraint, place, node, holder, broken)

    def _group(self, place: Place, holder: Holder) -> None:
        if self._inside_hidden_group(place, holder) or self._evaluation.group_hidden(place, holder):
            return
        node = GroupNode(place, holder)
        broken: set[tuple[object, ...]] = set()
        for constraint in place.spec.constraints:
            self._limit(constraint, place, node, holder, broken)

    def _hidden(self, place: Place, node: SelectionNode, holder: Holder) -> None:
        if not self._evaluation.hidden(node):
            return
        name = self._evaluation.name(node)
        self._object(
            ("hidden", place.path, _key(holder)),
            RosterError(
                message=f"{self._evaluation.shown(holder)} cannot have any selections of {name} (hidden)",
                owner_type="selection",
                owner_id=node.id,
                owner_entry_id=place.spec.id,
                entry_id=place.spec.id,
                constraint_id="hidden",
                kind=ErrorKind.HIDDEN,
                name=name,
                owner_name=self._evaluation.shown(holder),
                node_id=node.id,
                current=Decimal(node.amount),
                limit=Decimal(0),
            ),
        )

    def _object(self, identity: Identity, error: RosterError) -> None:
        self._found.append((identity, error))

    def _limit(
        self, constraint: Constraint, place: Place, owner: Owner, holder: Holder, broken: set[tuple[object, ...]]
    ) -> None:
        """Check one constraint; `broken` are the limits of this place that are broken already.

        When a link and its target both limit the same thing and both are broken, only the target's is reported (§14).
        """
        low, high = limits_of(constraint, owner, self._run)
        if low is None and high is None:
            return
        count = measured(self._run, constraint, place, owner)
        if count is None:
            return
        for kind, limit in ((ErrorKind.MIN, low), (ErrorKind.MAX, high)):
            if limit is None or not (count < limit if kind is ErrorKind.MIN else count > limit):
                continue
            what = (kind, constraint.text_field, constraint.scope, constraint.scope_id)
            if constraint.owner_id == place.spec.link_id and what in broken:
                continue
            broken.add(what)
            self._report(constraint, place, owner, holder, kind, count, limit)

    def _report(  # noqa: PLR0917
        self,
        constraint: Constraint,
        place: Place,
        owner: Owner,
        holder: Holder,
        kind: ErrorKind,
        count: Measure,
        limit: Number,
    ) -> None:
        element = self._element(constraint, owner, holder)
        path = "" if constraint.shared else place.path
        name = self._evaluation.group_name(owner) if isinstance(owner, GroupNode) else self._evaluation.name_of(owner)
        owner_type, owner_id, owner_entry, node_id, owner_name = self._owner(constraint, owner, holder, kind, element)
        per_model = constraint.scope is Scope.PARENT and isinstance(holder, SelectionNode) and holder.number > 1
        self._object(
            (constraint.node, kind, path, _key(element)),
            RosterError(
                message=self._words.message(constraint, owner_name, name, kind, count, limit, each=per_model),
                owner_type=owner_type,
                owner_id=owner_id,
                owner_entry_id=owner_entry,
                entry_id=constraint.owner_id,
                constraint_id=constraint.id,
                kind=kind,
                name=name,
                owner_name=owner_name,
                node_id=node_id,
                field=self._words.field_name(constraint),
                current=decimal_of(count),
                limit=Decimal(limit),
                percent=constraint.percent,
                whole=size_of_game(self._run, constraint),
                own_words=bool(constraint.message),
            ),
        )

    def _element(self, constraint: Constraint, owner: Owner, holder: Holder) -> Element:
        scope = constraint.scope
        if scope is Scope.ROSTER:
            return self._evaluation.top
        if scope in {Scope.FORCE, Scope.PRIMARY_CATALOGUE, Scope.PRIMARY_CATEGORY, Scope.CATEGORY}:
            return owner.force
        if scope is Scope.ENTRY:
            return nearest(owner, constraint.scope_id)
        if scope is Scope.FORCE_ENTRY:
            return owner.force
        if scope is Scope.SELF:
            return owner
        return holder

    def _owner(
        self, constraint: Constraint, owner: Owner, holder: Holder, kind: ErrorKind, element: Element
    ) -> tuple[str, str, str, str | None, str]:
        """(type, id, entry id, node to look at, name in the message) of what is at fault (§9)."""
        show = self._evaluation.shown
        if isinstance(element, SelectionNode):
            return "selection", element.id, element.place.spec.id, element.id, show(element)
        name = show(owner.force) if element is not self._evaluation.top else self._evaluation.top.model.name
        if kind is ErrorKind.MAX and (taken := self._taken(owner)) is not None:
            return "selection", taken.id, taken.place.spec.id, taken.id, name
        if element is self._evaluation.top:
            return "roster", self._evaluation.top.model.id, "", None, name
        if element is holder and isinstance(holder, ForceNode) and constraint.scope is Scope.PARENT:
            category = NO_CATEGORY
            if isinstance(owner, SelectionNode):
                category = self._run.primary_of(owner) or NO_CATEGORY
            return "category", category, category, holder.id, self._evaluation.category_name(category, holder)
        force = owner.force
        return "force", force.id, force.spec.id, force.id, name

    def _taken(self, owner: Owner) -> SelectionNode | None:
        """The selection that a broken maximum is shown at."""
        if isinstance(owner, SelectionNode):
            if owner.amount:
                return owner
            self._lasting = False  # which selection that is hangs on all others
            return next(
                (node for force in self._evaluation.top.all_forces() for node in force.walk()
                 if node.place.spec.id == owner.place.spec.id),
                None,
            )  # fmt: skip
        return next(iter(owner.members), None) if isinstance(owner, GroupNode) else None

    def _force(self, force: ForceNode) -> None:
        """Limits of force entries: owned by the roster, one error for each force of the entry."""
        if not force.spec.constraints:
            return
        renewal = self._renewal
        known = renewal.force_objections(force) if renewal is not None else None
        if known is None:
            self._force_limits(force)
            known, _ = self._collected(())
        self._evaluation.objections[force.id, force.spec] = known
        self._told(known)

    def _force_limits(self, force: ForceNode) -> None:
        for constraint in force.spec.constraints:
            low, high = self._evaluation.force_limits(constraint, force)
            if low is None and high is None:
                continue
            count = force_count(self._run, constraint, force)
            if count is None:
                continue
            for kind, limit, broken in (
                (ErrorKind.MIN, low, low is not None and count < low),
                (ErrorKind.MAX, high, high is not None and count > high),
            ):
                if broken and limit is not None:
                    self._force_error(constraint, force, kind, count, limit)

    def _force_error(
        self, constraint: Constraint, force: ForceNode, kind: ErrorKind, count: Measure, limit: Number
    ) -> None:
        top = self._evaluation.top.model
        of_forces = constraint.field is Field.FORCES
        name = self._evaluation.shown(force)
        self._object(
            (constraint.node, kind, "", force.id),
            RosterError(
                message=self._words.message(constraint, top.name or name, name, kind, count, limit),
                owner_type="roster" if of_forces else "force",
                owner_id=top.id if of_forces else force.id,
                owner_entry_id="" if of_forces else force.spec.id,
                entry_id=constraint.owner_id,
                constraint_id=constraint.id,
                kind=kind,
                name=name,
                owner_name=top.name,
                node_id=force.id,
                field=self._words.field_name(constraint),
                current=decimal_of(count),
                limit=Decimal(limit),
                percent=constraint.percent,
                whole=size_of_game(self._run, constraint),
                own_words=bool(constraint.message),
            ),
        )

    def _categories(self, force: ForceNode) -> None:
        for spec in force.spec.category_specs:
            if not spec.constraints:
                continue
            renewal = self._renewal
            known = renewal.category_objections(spec, force) if renewal is not None else None
            if known is None:
                if not self._evaluation.category_hidden(spec, force):
                    for constraint in spec.constraints:
                        self._category(constraint, spec, force)
                known, _ = self._collected(())
            self._evaluation.objections[force.id, spec] = known
            self._told(known)

    def _category(self, constraint: Constraint, spec: Spec, force: ForceNode) -> None:
        name = self._evaluation.text(spec, force)
        low, high = (said_share(constraint, name, value) for value in self._evaluation.force_limits(constraint, force))
        if low is None and high is None:
            return
        count = category_count(self._run, constraint, spec.id, force)
        if count is None:
            return
        whole_roster = constraint.scope is Scope.ROSTER
        element: Element = self._evaluation.top if whole_roster else force
        for kind, limit, broken in (
            (ErrorKind.MIN, low, low is not None and count < low),
            (ErrorKind.MAX, high, high is not None and count > high),
        ):
            if not broken or limit is None:
                continue
            owner_name = self._evaluation.top.model.name if whole_roster else self._evaluation.shown(force)
            self._object(
                (constraint.node, kind, "", _key(element)),
                RosterError(
                    message=self._words.message(constraint, owner_name, name, kind, count, limit),
                    owner_type="category",
                    owner_id=spec.id,
                    owner_entry_id=spec.id,
                    entry_id=constraint.owner_id,
                    constraint_id=constraint.id,
                    kind=kind,
                    name=name,
                    owner_name=owner_name,
                    node_id=force.id,
                    field=self._words.field_name(constraint),
                    current=decimal_of(count),
                    limit=decimal_of(limit),
                    percent=constraint.percent,
                    whole=size_of_game(self._run, constraint),
                    own_words=bool(constraint.message),
                ),
            )


def _key(element: Element) -> object:
    """What tells one element of a roster from the others, in the next evaluation as in this one."""
    if isinstance(element, RosterNode):
        return ""
    if element is None:
        return None
    if isinstance(element, GroupNode) or (isinstance(element, SelectionNode) and not element.id):  # or not taken
        return _key(element.parent), element.place.path
    return element.id


def _groups_of(taken: Iterable[Place], asking: Sequence[Place]) -> tuple[Place, ...]:
    """The groups that anything was taken of and that limit it, then those that ask for something."""
    groups = dict.fromkeys(group for place in taken for group in place.groups if group.spec.constraints)
    return (*groups, *(place for place in asking if place not in groups))


def _by_place(nodes: Iterable[SelectionNode]) -> dict[Place, list[SelectionNode]]:
    found: dict[Place, list[SelectionNode]] = {}
    for node in nodes:
        found.setdefault(node.place, []).append(node)
    return found
