"""Why an entry is hidden, full or needed, what is behind a roster error, and which edits would repair it."""

from collections.abc import Iterator
from fractions import Fraction

import msgspec

from armybuilder.engine.findings import Text, in_figures
from armybuilder.engine.gamedata.links import Library
from armybuilder.engine.gamedata.model import Constraint, Field, Scope
from armybuilder.engine.gamedata.places import Place
from armybuilder.engine.gamedata.specs import Spec
from armybuilder.engine.roster.available_options import barred_by, working
from armybuilder.engine.roster.data_findings import data_findings
from armybuilder.engine.roster.evaluation import Evaluation
from armybuilder.engine.roster.limits import Measure, category_count, force_count, limits_of, measured, said_share
from armybuilder.engine.roster.nodes import ForceNode, GroupNode, Holder, Owner, SelectionNode
from armybuilder.engine.roster.reasons import Chains, Reason, Repair, gap_of, label_of, written
from armybuilder.engine.roster.state import ErrorKind, RosterError, RosterState
from armybuilder.engine.roster.tree import UnknownNode, no_node


class Explanation(msgspec.Struct, frozen=True, kw_only=True):
    """Why an entry stands as it does in one place.

    Attributes:
        blocked: it cannot be taken (once more) without an objection of the data.
    """

    entry_id: str
    name: str
    blocked: bool
    reasons: tuple[Reason, ...]
    repairs: tuple[Repair, ...]


def why(library: Library, state: RosterState, *, node_id: str, entry_id: str) -> Explanation:
    """Why an entry (or group) under a force or selection is hidden, full or needed, and what would change that.

    Args:
        entry_id: full path, entry id or link id of an entry offered there, or full path of a group; the node's own
            entry id explains the selection itself.

    Raises:
        UnknownNode: no such force or selection, or the entry is not offered there.
    """
    evaluation = working(library, state)
    holder = evaluation.node(node_id)
    if holder is None:
        raise no_node(node_id)
    place = _find(library, holder, entry_id)
    if place is None and isinstance(holder, SelectionNode) and entry_id in {holder.place.path, holder.place.spec.id}:
        place, holder = holder.place, holder.parent
    if place is None:
        raise UnknownNode(
            f"Nothing with the id {entry_id!r} is offered there.", russian=f"Там не предлагают «{entry_id}»."
        )
    return _Teller(evaluation, holder, place).explanation()


def explain_error(library: Library, state: RosterState, error: RosterError) -> Explanation | None:
    """The chain behind a roster error; None where the data has no more to say than its message."""
    if error.node_id is None:
        return None
    evaluation = working(library, state)
    node = evaluation.node(error.node_id)
    if node is None:
        return None
    if error.kind in {ErrorKind.MESSAGE, ErrorKind.NOTICE}:
        return _of_message(evaluation, node, error)
    for holder in (node, *([node.parent] if isinstance(node, SelectionNode) else [])):
        place = _with_constraint(library, holder, error)
        if place is not None:
            return _Teller(evaluation, holder, place).explanation()
    return _of_force(evaluation, node.force, error)


def _of_message(evaluation: Evaluation, node: Holder, error: RosterError) -> Explanation:
    """What makes the data speak."""
    assert isinstance(node, (SelectionNode, ForceNode))
    chains = Chains(evaluation)
    modifiers = node.spec.rare_modifiers.get(error.constraint_id, ())
    reasons = chains.modifiers(modifiers, node, wanted=None)
    return Explanation(
        entry_id=error.entry_id,
        name=error.name,
        blocked=error.kind is ErrorKind.MESSAGE,
        reasons=tuple(reason for reason in reasons if reason.holds),
        repairs=(),
    )


def _of_force(evaluation: Evaluation, force: ForceNode, error: RosterError) -> Explanation | None:
    """The chain behind a limit of a force or of one of its categories."""
    limits = _Limits(evaluation, force)
    for spec in (force.spec, *force.spec.category_specs):
        constraint = next((one for one in spec.constraints if one.id == error.constraint_id), None)
        if constraint is None or constraint.owner_id != error.entry_id:
            continue
        if spec is force.spec:
            limits.of_force(constraint)
        else:
            limits.of_category(constraint, spec)
        return Explanation(
            entry_id=spec.id,
            name=evaluation.text(spec, force),
            blocked=limits.full,
            reasons=tuple(limits.reasons),
            repairs=tuple(dict.fromkeys(limits.chains.repairs)),
        )
    return None


def _with_constraint(library: Library, holder: Holder, error: RosterError) -> Place | None:
    for place in _places(library, holder):
        if error.kind is ErrorKind.HIDDEN and place.spec.id == error.entry_id:
            return place
        for constraint in place.spec.constraints:
            if constraint.id == error.constraint_id and constraint.owner_id == error.entry_id:
                return place
    return None


def _places(library: Library, holder: Holder) -> Iterator[Place]:
    todo = list(library.roots(holder.catalogue_id) if isinstance(holder, ForceNode) else _place_of(holder).children)
    for place in todo:
        yield place
        if place.is_group:
            todo.extend(place.children)


def _place_of(holder: Holder) -> Place:
    assert isinstance(holder, SelectionNode)
    return holder.place


def _find(library: Library, holder: Holder, wanted: str) -> Place | None:
    if isinstance(holder, ForceNode):
        found = library.find_root(holder.catalogue_id, wanted)
    else:
        found = _place_of(holder).find(wanted)
    if found is not None:
        return found
    return next((place for place in _places(library, holder) if place.is_group and wanted == place.path), None)


class _Limits:
    """Tells of limits in one place; `full` once one of them leaves no room for more."""

    def __init__(self, evaluation: Evaluation, holder: Holder) -> None:
        self.chains = Chains(evaluation)
        self.reasons: list[Reason] = []
        self.full = False
        self._evaluation = evaluation
        self._holder = holder

    def of_place(self, constraint: Constraint, place: Place, owner: Owner) -> None:
        """A limit of an entry or group."""
        subject = _Subject(
            name=self._evaluation.name_of(owner),
            where=self._where(constraint, owner),
            nodes=tuple(owner.members)
            if isinstance(owner, GroupNode)
            else (owner,)
            if isinstance(owner, SelectionNode)
            else (),
            entry_id=None if place.is_group else place.path,
        )
        self._tell(constraint, owner, measured(self._evaluation.counting, constraint, place, owner), subject)

    def of_category(self, constraint: Constraint, spec: Spec, *, only_full: bool = False) -> None:
        """A limit of one of the force's categories.

        Args:
            only_full: it is of interest only where it leaves no room for more.
        """
        force = self._holder.force
        where = self.chains.scope_words(constraint, force)
        if constraint.scope is Scope.PARENT:
            name = self._evaluation.shown(force)
            where = Text(f"in {name}", f"в «{name}»")
        inside = tuple(self._evaluation.counting.roots_in(force, spec.id))
        subject = _Subject(name=self._evaluation.text(spec, force), where=where, nodes=inside)
        count = category_count(self._evaluation.counting, constraint, spec.id, force)
        if only_full and (count is None or not self._is_full(constraint, force, count, subject.name)):
            return
        self._tell(constraint, force, count, subject)

    def of_force(self, constraint: Constraint) -> None:
        """A limit on how many forces of an entry there may be, or on what stands in one."""
        force = self._holder.force
        subject = _Subject(name=self._evaluation.shown(force), where=self.chains.scope_words(constraint, force))
        self._tell(constraint, force, force_count(self._evaluation.counting, constraint, force), subject)

    def _where(self, constraint: Constraint, owner: Owner) -> Text:
        if constraint.scope is Scope.PARENT:
            name = self._evaluation.shown(self._holder)
            return Text(f"in {name}", f"в «{name}»")
        return self.chains.scope_words(constraint, owner)

    def _bounds(self, constraint: Constraint, owner: Owner, name: str) -> tuple[Measure | None, Measure | None]:
        low, high = limits_of(constraint, owner, self._evaluation.counting)
        return said_share(constraint, name, low), said_share(constraint, name, high)

    def _is_full(self, constraint: Constraint, owner: Owner, count: Measure, name: str) -> bool:
        _, high = self._bounds(constraint, owner, name)
        step = 1 if constraint.field is Field.SELECTIONS and not constraint.percent else 0
        return high is not None and Fraction(count) + step > high

    def _tell(self, constraint: Constraint, owner: Owner, count: Measure | None, subject: "_Subject") -> None:
        low, high = self._bounds(constraint, owner, subject.name)
        if count is None or (low is None and high is None):
            return
        chain = self.chains.modifiers(constraint.modifiers, owner, wanted=None)
        chain += self.chains.of_others(owner, constraint.id, wanted=None)
        sign = "%" if constraint.percent else ""
        have = in_figures(written(count))
        name, where = subject.name, subject.where
        if high is not None:
            full, most = self._is_full(constraint, owner, count, subject.name), in_figures(written(high))
            text = Text(
                f"At most {most.en}{sign} of {name} {where.en}; there are {have.en}{sign}.",
                f"Не больше {most.ru}{sign} «{name}» {where.ru}; сейчас {have.ru}{sign}.",
            )
            if full or chain:
                limit = float(high)
                self.reasons.append(
                    Reason(
                        kind="maximum",
                        text=text,
                        holds=full,
                        id=constraint.id,
                        wants="" if constraint.percent else "most",
                        name=name,
                        number=limit,
                        have=float(count),
                        reasons=chain,
                    )
                )
            if count > high:
                self._excess(subject, gap_of(count, high) if _is_number(constraint) else None)
            self.full = self.full or full
        if low is not None and count < low:
            least = in_figures(written(low))
            text = Text(
                f"At least {least.en}{sign} of {name} {where.en}; there are {have.en}{sign}.",
                f"Не меньше {least.ru}{sign} «{name}» {where.ru}; сейчас {have.ru}{sign}.",
            )
            self.reasons.append(
                Reason(
                    kind="minimum",
                    text=text,
                    holds=True,
                    id=constraint.id,
                    wants="" if constraint.percent else "least",
                    name=name,
                    number=float(low),
                    have=float(count),
                    reasons=chain,
                )
            )
            self._shortage(subject, gap_of(low, count) if _is_number(constraint) else None)

    def _excess(self, subject: "_Subject", gap: int | None) -> None:
        """That something is to go: so many of it; one, where a price or a share is too high."""
        often = max(1, gap or 1)
        for node in subject.nodes:
            if node.amount:
                label = self._evaluation.name(node)
                fewer = min(often, node.amount)
                self.chains.repairs.append(
                    Repair(
                        action="remove",
                        text=Text(f"Remove {fewer} of {label}.", f"Уберите {fewer}: «{label}»."),
                        node_id=node.id,
                        entry_id=subject.entry_id,
                        count=fewer,
                    )
                )
        if not subject.nodes:
            text = Text(f"Remove {often} of {subject.name}.", f"Уберите {often}: «{subject.name}».")
            self.chains.repairs.append(Repair(action="remove", text=text, count=often))

    def _shortage(self, subject: "_Subject", gap: int | None) -> None:
        """That so many more of something are to come; how many is open, where a price or a share is too low."""
        name, often = subject.name, max(1, gap or 1)
        text = Text(f"Add {often} more of {name}.", f"Добавьте ещё {often}: «{name}».")
        if gap is None:
            text = Text(f"Take more of {name}.", f"Возьмите больше: «{name}».")
        self.chains.repairs.append(
            Repair(action="add", text=text, node_id=self._holder.id, entry_id=subject.entry_id, count=often)
        )


def _is_number(constraint: Constraint) -> bool:
    """Whether a limit is a number of things, and neither a price nor a share."""
    return constraint.field in {Field.SELECTIONS, Field.FORCES} and not constraint.percent


class _Subject(msgspec.Struct, frozen=True, kw_only=True):
    """What a limit is about: its name, where it is counted, and what of it could be taken away."""

    name: str
    where: Text
    nodes: tuple[SelectionNode, ...] = ()
    entry_id: str | None = None


class _Teller:
    """Tells why one entry or group stands as it does in one place."""

    def __init__(self, evaluation: Evaluation, holder: Holder, place: Place) -> None:
        self._evaluation = evaluation
        self._run = evaluation.counting
        self._holder = holder
        self._place = place
        taken = [child for child in holder.children if child.place is place]
        self._owner: Owner = GroupNode(place, holder) if place.is_group else (taken or [holder.ghost(place)])[0]
        self._limits = _Limits(evaluation, holder)

    def explanation(self) -> Explanation:
        place, owner = self._place, self._owner
        reasons: list[Reason] = [
            self._hidden(group, GroupNode(group, self._holder), "group-hidden")
            for group in place.groups
            if self._evaluation.group_hidden(group, self._holder)
        ]
        hidden = (
            self._evaluation.hidden(owner)
            if isinstance(owner, SelectionNode)
            else self._evaluation.group_hidden(place, self._holder)
        )
        if hidden:
            reasons.append(self._hidden(place, owner, "hidden"))
        if isinstance(owner, SelectionNode) and isinstance(self._holder, ForceNode):
            barred = barred_by(self._evaluation, owner)
            if barred is not None:
                reasons.append(self._hidden(barred.place, barred, "hidden"))
            if not self._evaluation.fits(owner):
                reasons.append(self._category(owner))
            for spec in self._holder.spec.category_specs:
                if self._run.in_category(owner, spec.id) and not self._evaluation.category_hidden(spec, self._holder):
                    for constraint in spec.constraints:
                        self._limits.of_category(constraint, spec, only_full=True)
        blocked = bool(reasons)
        for group in place.groups:
            for constraint in group.spec.constraints:
                self._limits.of_place(constraint, group, GroupNode(group, self._holder))
        for constraint in place.spec.constraints:
            self._limits.of_place(constraint, place, owner)
        return Explanation(
            entry_id=place.path,
            name=self._evaluation.name_of(owner),
            blocked=blocked or self._limits.full,
            reasons=(*reasons, *self._limits.reasons),
            repairs=tuple(dict.fromkeys(self._limits.chains.repairs)),
        )

    def _hidden(self, place: Place, owner: Owner, kind: str) -> Reason:
        name = self._evaluation.name_of(owner)
        chains = self._limits.chains
        chain = chains.modifiers(place.spec.hidden_modifiers, owner, wanted=False)
        chain += chains.of_others(owner, "hidden", wanted=False)
        base = place.spec.hidden
        text = (
            Text(f"{name} is hidden unless the data unlocks it.", f"{name} скрыто, пока данные не откроют доступ.")
            if base
            else Text(f"{name} is hidden by a condition.", f"{name} скрыто условием.")
        )
        return Reason(kind=kind, text=text, holds=True, reasons=chain)

    def _category(self, owner: SelectionNode) -> Reason:
        primary = self._run.primary_of(owner) or ""
        name = self._evaluation.category_name(primary, owner.force)
        force = self._evaluation.shown(owner.force)
        return Reason(
            kind="category",
            text=Text(f"{force} has no place for {name}.", f"В «{force}» нет места для «{name}»."),
            holds=True,
        )


__all__ = ["Explanation", "Reason", "Repair", "data_findings", "explain_error", "label_of", "why"]
