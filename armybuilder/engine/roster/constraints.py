"""Limits: minimums, maximums, hidden selections, forces, categories and cost limits, as errors (§9)."""

import re
from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction

from armybuilder.engine.gamedata.model import Constraint, Field, Number, Scope, plain
from armybuilder.engine.gamedata.places import MESSAGES, Place, Spec
from armybuilder.engine.roster.conditions import times
from armybuilder.engine.roster.evaluation import Evaluation
from armybuilder.engine.roster.limits import (
    NO_CATEGORY,
    Measure,
    category_count,
    force_count,
    limits_of,
    measured,
    said_share,
)
from armybuilder.engine.roster.scopes import (
    ForceNode,
    GroupNode,
    Holder,
    Owner,
    SelectionNode,
    nearest,
)
from armybuilder.engine.roster.state import ErrorKind, RosterError

_PLACEHOLDER = re.compile(r"\{([^{}]{1,80})\}")


class Checks:
    """Goes over a roster and collects its errors, each limit once per scope element."""

    def __init__(self, evaluation: Evaluation) -> None:
        self._evaluation = evaluation
        self._run = evaluation.counting
        self._library = evaluation.library
        self._seen: set[tuple[object, ...]] = set()
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
        for force in top.all_forces():
            if force.spec.rare_modifiers:
                self._messages(force.spec, force)
        for node in top.nodes:
            if node.place.spec.rare_modifiers:
                self._messages(node.place.spec, node)
        self._cost_limits()
        self._loops()
        self._missing()
        return self.errors

    def _roots(self, force: ForceNode) -> None:
        demanding = self._evaluation.demanding_roots(force.catalogue_id)
        taken = _by_place(force.children)
        for place in demanding:
            if place not in taken:
                if place.is_group:
                    self._group(place, force)
                elif self._evaluation.fits(force.ghost(place)):
                    self._entry(place, force.ghost(place), force)
        for place, nodes in taken.items():
            if self._evaluation.fits(nodes[0]):
                self._entry(place, nodes[0], force)
            else:
                self._hidden(place, nodes[0], force)
        self._groups_of(taken, {place for place in demanding if place.is_group and place.group is None}, force)

    def _inside(self, node: SelectionNode) -> None:
        taken = _by_place(node.children)
        demanding = node.place.demanding_below()
        for place, nodes in taken.items():
            self._entry(place, nodes[0], node)
        asking = set()
        for place in demanding:
            if place.is_group:
                asking.add(place)
            elif place not in taken and not self._inside_hidden_group(place, node):
                self._entry(place, node.ghost(place), node)
        self._groups_of(taken, asking, node)
        for child in node.children:
            if child.children or child.place.demanding_below():
                self._inside(child)

    def _groups_of(self, taken: Iterable[Place], asking: set[Place], holder: Holder) -> None:
        groups: dict[Place, None] = {}
        for place in taken:
            for group in place.groups:
                if group.spec.constraints:
                    groups[group] = None
        for group in (*groups, *(place for place in asking if place not in groups)):
            self._group(group, holder)

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
        if not self._evaluation.hidden(node) or not self._first("hidden", place.path, holder):
            return
        name = self._evaluation.name(node)
        self.errors.append(
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
            )
        )

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
        identity = "" if constraint.shared else place.path
        if not self._first(constraint.node, kind, identity, element):
            return
        name = self._evaluation.group_name(owner) if isinstance(owner, GroupNode) else self._evaluation.name_of(owner)
        owner_type, owner_id, owner_entry, node_id, owner_name = self._owner(constraint, owner, holder, kind, element)
        per_model = constraint.scope is Scope.PARENT and isinstance(holder, SelectionNode) and holder.number > 1
        self.errors.append(
            RosterError(
                message=self._message(constraint, owner_name, name, kind, count, limit, each=per_model),
                owner_type=owner_type,
                owner_id=owner_id,
                owner_entry_id=owner_entry,
                entry_id=constraint.owner_id,
                constraint_id=constraint.id,
                kind=kind,
                name=name,
                owner_name=owner_name,
                node_id=node_id,
                field=self._field_name(constraint),
                current=_decimal(count),
                limit=Decimal(limit),
                percent=constraint.percent,
                own_words=bool(constraint.message),
            )
        )

    def _element(self, constraint: Constraint, owner: Owner, holder: Holder) -> object:
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
        self, constraint: Constraint, owner: Owner, holder: Holder, kind: ErrorKind, element: object
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
            return next(
                (node for force in self._evaluation.top.all_forces() for node in force.walk()
                 if node.place.spec.id == owner.place.spec.id),
                None,
            )  # fmt: skip
        return next(iter(owner.members), None) if isinstance(owner, GroupNode) else None

    def _force(self, force: ForceNode) -> None:
        """Limits of force entries: owned by the roster, one error for each force of the entry."""
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
        self.errors.append(
            RosterError(
                message=self._message(constraint, top.name or name, name, kind, count, limit),
                owner_type="roster" if of_forces else "force",
                owner_id=top.id if of_forces else force.id,
                owner_entry_id="" if of_forces else force.spec.id,
                entry_id=constraint.owner_id,
                constraint_id=constraint.id,
                kind=kind,
                name=name,
                owner_name=top.name,
                node_id=force.id,
                field=self._field_name(constraint),
                current=_decimal(count),
                limit=Decimal(limit),
                percent=constraint.percent,
                own_words=bool(constraint.message),
            )
        )

    def _categories(self, force: ForceNode) -> None:
        for spec in self._evaluation.category_links(force):
            if not spec.constraints or self._evaluation.category_hidden(spec, force):
                continue
            for constraint in spec.constraints:
                self._category(constraint, spec, force)

    def _category(self, constraint: Constraint, spec: Spec, force: ForceNode) -> None:
        name = self._evaluation.text(spec, force)
        low, high = (said_share(constraint, name, value) for value in self._evaluation.force_limits(constraint, force))
        if low is None and high is None:
            return
        count = category_count(self._run, constraint, spec.id, force)
        if count is None:
            return
        whole_roster = constraint.scope is Scope.ROSTER
        element: object = self._evaluation.top if whole_roster else force
        for kind, limit, broken in (
            (ErrorKind.MIN, low, low is not None and count < low),
            (ErrorKind.MAX, high, high is not None and count > high),
        ):
            if not broken or limit is None or not self._first(constraint.node, kind, "", element):
                continue
            owner_name = self._evaluation.top.model.name if whole_roster else self._evaluation.shown(force)
            self.errors.append(
                RosterError(
                    message=self._message(constraint, owner_name, name, kind, count, limit),
                    owner_type="category",
                    owner_id=spec.id,
                    owner_entry_id=spec.id,
                    entry_id=constraint.owner_id,
                    constraint_id=constraint.id,
                    kind=kind,
                    name=name,
                    owner_name=owner_name,
                    node_id=force.id,
                    field=self._field_name(constraint),
                    current=_decimal(count),
                    limit=_decimal(limit),
                    percent=constraint.percent,
                    own_words=bool(constraint.message),
                )
            )

    def _cost_limits(self) -> None:
        top = self._evaluation.top
        for type_id, limit in top.limits.items():
            total = self._evaluation.total(type_id)
            if total <= limit:
                continue
            cost_type = self._library.cost_type_by_id.get(type_id)
            name = cost_type.name if cost_type is not None else type_id
            over = _decimal(total) - limit
            self.errors.append(
                RosterError(
                    message=f"Roster is over the {name} limit by {_plain(over)}{name}",
                    owner_type="roster",
                    owner_id=top.model.id,
                    owner_entry_id="",
                    entry_id="costLimits",
                    constraint_id=type_id,
                    kind=ErrorKind.LIMIT,
                    name=name,
                    owner_name=top.model.name,
                    field=name,
                    current=_decimal(total),
                    limit=limit,
                )
            )

    def _loops(self) -> None:
        looping = self._evaluation.costs.looping
        if not looping:
            return
        node, type_id = looping[0]
        names = sorted({self._evaluation.name(member) for member, _ in looping})
        self.errors.append(
            RosterError(
                message=f"The cost of {', '.join(names)} depends on itself; its modifiers were not applied",
                owner_type="roster",
                owner_id=self._evaluation.top.model.id,
                owner_entry_id="",
                entry_id=node.place.spec.id,
                constraint_id=type_id,
                kind=ErrorKind.CYCLE,
                name=", ".join(names),
                owner_name=self._evaluation.top.model.name,
                node_id=node.id,
            )
        )

    def _missing(self) -> None:
        for node_id, name, entry_id, kind in self._evaluation.missing():
            self.errors.append(
                RosterError(
                    message=f"{name or entry_id} does not exist in this data",
                    owner_type=kind,
                    owner_id=node_id,
                    owner_entry_id=entry_id.rsplit("::", 1)[-1],
                    entry_id=entry_id,
                    constraint_id="missing",
                    kind=ErrorKind.MISSING,
                    name=name or entry_id,
                    owner_name=self._evaluation.top.model.name,
                    node_id=node_id,
                )
            )

    def _messages(self, spec: Spec, owner: SelectionNode | ForceNode) -> None:
        """What modifiers of a definition that is in the roster want to be said (§13)."""
        for field in MESSAGES:
            for modifier in spec.rare_modifiers.get(field, ()):
                if modifier.kind != "add" or not times(modifier, owner, self._run):
                    continue
                name = self._evaluation.shown(owner)
                at_selection = isinstance(owner, SelectionNode)
                self.errors.append(
                    RosterError(
                        message=_PLACEHOLDER.sub(self._named, modifier.value.replace("{this}", name)),
                        owner_type="selection" if at_selection else "force",
                        owner_id=owner.id,
                        owner_entry_id=spec.id,
                        entry_id=spec.id,
                        constraint_id=field,
                        kind=ErrorKind.MESSAGE if field == "error" else ErrorKind.NOTICE,
                        name=name,
                        owner_name=name,
                        node_id=owner.id,
                        own_words=True,
                    )
                )

    def _named(self, found: re.Match[str]) -> str:
        """The name of what an id in braces means; the braces as they stand when nothing has that id."""
        return self._library.name_of(found[1]) or found[0]

    def _own_words(self, constraint: Constraint, owner: str, name: str, count: Measure, limit: Measure) -> str:
        """A message the data brings itself, its placeholders filled (§13)."""
        values = {
            "current": _plain(_decimal(count)),
            "value": _plain(_decimal(limit)),
            "total": _plain(_decimal(limit)),
            "difference": _plain(_decimal(abs(Fraction(count) - Fraction(limit)))),
            "of": name,
            "scope": owner,
            "field": self._field_name(constraint),
            "%": "%" if constraint.percent else "",
        }
        if constraint.percent and constraint.field is Field.LIMIT:
            whole = Fraction(self._run.limit(constraint.cost_type)) * Fraction(limit) / 100
            values["total"] = _plain(_decimal(whole))
        message = constraint.message or ""
        return _PLACEHOLDER.sub(lambda found: values[found[1]] if found[1] in values else self._named(found), message)

    def _first(self, *identity: object) -> bool:
        key = tuple(part if isinstance(part, (str, int)) else id(part) for part in identity)
        if key in self._seen:
            return False
        self._seen.add(key)
        return True

    def _field_name(self, constraint: Constraint) -> str:
        if constraint.field in {Field.COST, Field.LIMIT}:
            cost_type = self._library.cost_type_by_id.get(constraint.cost_type)
            return cost_type.name if cost_type is not None else constraint.cost_type
        return "forces" if constraint.field is Field.FORCES else "selections"

    def _message(  # noqa: PLR0917
        self,
        constraint: Constraint,
        owner: str,
        name: str,
        kind: ErrorKind,
        count: Measure,
        limit: Measure,
        *,
        each: bool = False,
    ) -> str:
        sign = "%" if constraint.percent else ""
        gap = f"{_plain(_decimal(abs(Fraction(count) - Fraction(limit))))}{sign}{' each' if each else ''}"
        shown = f"{_plain(_decimal(limit))}{sign}{' each' if each else ''}"
        field = self._field_name(constraint)
        counted = constraint.field in {Field.SELECTIONS, Field.FORCES}
        if constraint.message:
            return self._own_words(constraint, owner, name, count, limit)
        if kind is ErrorKind.MAX:
            if counted:
                return f"{owner} has {gap} too many {field} of {name} (maximum {shown})"
            return f"{owner} has {gap} too much {field} of {name} (maximum {shown})"
        if counted:
            return f"{owner} must have {gap} more {field} of {name} (minimum {shown})"
        return f"{owner} must spend {gap} more {field} on {name} (minimum {shown})"


def _by_place(nodes: Iterable[SelectionNode]) -> dict[Place, list[SelectionNode]]:
    found: dict[Place, list[SelectionNode]] = {}
    for node in nodes:
        found.setdefault(node.place, []).append(node)
    return found


def _decimal(value: Measure) -> Decimal:
    """A measure as a decimal; a percentage that does not end is cut after two digits."""
    if isinstance(value, Fraction):
        return (Decimal(value.numerator) / Decimal(value.denominator)).quantize(Decimal("0.01")).normalize() + 0
    return Decimal(value)


def _plain(value: Decimal) -> str:
    return plain(int(value) if value == value.to_integral_value() else value)
