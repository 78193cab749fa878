"""How many of what was taken the data allows where it stands, what it leaves where nothing was taken, and what goes."""

from collections.abc import Iterable, Iterator
from fractions import Fraction

from armybuilder.engine.gamedata.model import Constraint, Field, Scope
from armybuilder.engine.gamedata.places import Place
from armybuilder.engine.roster.evaluation import Evaluation
from armybuilder.engine.roster.limits import limits_of
from armybuilder.engine.roster.nodes import GroupNode, Owner, SelectionNode
from armybuilder.engine.roster.shown_information import ShownInformation
from armybuilder.engine.roster.state import ProfileState, RosterState


def most_beside(state: RosterState, selection_id: str) -> int | None:
    """How many there may be in the same parent by the entry's own maximum, else by that of the nearest group with one.

    Returns:
        None where nothing limits them, or where the state was not evaluated here.
    """
    evaluation = state.evaluation
    node = evaluation.node(selection_id) if isinstance(evaluation, Evaluation) else None
    if not isinstance(evaluation, Evaluation) or not isinstance(node, SelectionNode):
        return None
    for owner, constraints in _limiting(node):
        found = (limits_of(one, owner, evaluation.counting)[1] for one in constraints if _counts_beside(one))
        least = min((int(Fraction(high)) for high in found if high is not None), default=None)
        if least is not None:
            return least
    return None


def _limiting(node: SelectionNode) -> Iterator[tuple[Owner, tuple[Constraint, ...]]]:
    """The selection and the groups around it, the innermost first."""
    yield node, node.place.spec.constraints
    for group in reversed(node.place.groups):
        yield GroupNode(group, node.parent), group.spec.constraints


def _counts_beside(constraint: Constraint) -> bool:
    return constraint.scope is Scope.PARENT and constraint.field is Field.SELECTIONS and not constraint.percent


def untouched(state: RosterState, selection_id: str) -> Iterator[tuple[str, str, tuple[ProfileState, ...]]]:
    """The defaults of groups in a selection of which nothing was taken, as nothing must be.

    Yields:
        The names of the group and of its default, and the rows of that.
    """
    for evaluation, owner, ghost in _defaults(state, selection_id):
        if not owner.members:
            yield evaluation.group_name(owner), evaluation.name(ghost), _rows(evaluation, ghost)


def exchanged(state: RosterState, selection_id: str) -> Iterator[tuple[ProfileState, ...]]:
    """The rows of defaults of groups in a selection in whose place something else was taken.

    A group with room left gives what was taken besides its default, or says nothing of it.
    """
    for evaluation, owner, ghost in _defaults(state, selection_id):
        members = owner.members
        if not members or any(member.place is ghost.place for member in members):
            continue
        found = (limits_of(one, owner, evaluation.counting)[1] for one in owner.spec.constraints if _counts_beside(one))
        room = min((int(Fraction(high)) for high in found if high is not None), default=None)
        if room is not None and sum(member.amount for member in members) >= room:
            yield _rows(evaluation, ghost)


def _rows(evaluation: Evaluation, ghost: SelectionNode) -> tuple[ProfileState, ...]:
    profiles, _ = ShownInformation(evaluation).of_selection(ghost)
    return profiles


def _defaults(state: RosterState, selection_id: str) -> Iterator[tuple[Evaluation, GroupNode, SelectionNode]]:
    """The groups in a selection that have a default which can be taken, with that as if it were."""
    evaluation = state.evaluation
    node = evaluation.node(selection_id) if isinstance(evaluation, Evaluation) else None
    if not isinstance(evaluation, Evaluation) or not isinstance(node, SelectionNode):
        return
    for group in _groups(node.place.children):
        default = next((found for wanted in group.spec.default_ids if (found := group.find(wanted))), None)
        if default is None or evaluation.group_hidden(group, node):
            continue
        ghost = node.ghost(default)
        if not evaluation.hidden(ghost):
            yield evaluation, GroupNode(group, node), ghost


def _groups(places: Iterable[Place]) -> Iterator[Place]:
    for place in places:
        if place.is_group:
            yield place
            yield from _groups(place.children)
