"""What a unit asks beyond itself: the same entry in another army list comes to the same where the answers are the same.

All that a unit comes to is written in its own entries, but for what these ask about the force it stands in: which army
list that is, and what else stands there.
"""

from collections.abc import Iterable

from armybuilder.engine.gamedata.links import Library
from armybuilder.engine.gamedata.model import Child, Condition, Constraint, Field, Op, Query, Repeat, Scope
from armybuilder.engine.gamedata.numbers import Number
from armybuilder.engine.roster.conditions import is_instance
from armybuilder.engine.roster.evaluation import Evaluation
from armybuilder.engine.roster.model import Roster
from armybuilder.engine.roster.nodes import ForceNode, Owner, RosterNode, SelectionNode, nearest
from armybuilder.engine.roster.scopes import Container, Counting

Question = tuple[Query, str]
"""A query, and of a constraint whose: the id of the entry or group."""

Answer = bool | Number | tuple[bool, ...] | None

_WITHIN = frozenset({Scope.SELF, Scope.TYPE, Scope.ROOT_ENTRY, Scope.ANY_LINK, Scope.GROUP, Scope.ANY_GROUP})
"""Scopes that mean a part of the unit or nothing, as long as the unit stands in no group itself."""


class _Noting(Counting):
    """Notes what is asked beyond the unit."""

    def __init__(self, top: RosterNode, questions: dict[Question, None]) -> None:
        super().__init__(top)
        self._questions = questions

    def note(self, query: Query, owner: Owner) -> None:
        scope = query.scope
        if scope in _WITHIN:
            return
        if scope is Scope.PARENT:
            beyond = not isinstance(owner.parent, SelectionNode)
        elif scope is Scope.ENTRY:
            beyond = not isinstance(nearest(owner, query.scope_id), SelectionNode)
        elif scope is Scope.ANCESTOR:
            beyond = _asks_what_it_is(query)
        else:
            beyond = scope is not Scope.PRIMARY_CATEGORY or not _asks_what_it_is(query)
        if beyond:
            self._questions[query, owner.spec.id if isinstance(query, Constraint) else ""] = None

    def quick(self, query: Query, owner: Owner, key: str) -> int | None:
        self.note(query, owner)
        return super().quick(query, owner, key)

    def container(self, query: Query, owner: Owner) -> Container | None:
        self.note(query, owner)
        return super().container(query, owner)

    def count_forces(self, query: Query, owner: Owner, entry_id: str) -> int | None:
        self.note(query, owner)
        return super().count_forces(query, owner, entry_id)


class NotingEvaluation(Evaluation):
    """An evaluation that notes what a unit asks beyond itself.

    Args:
        questions: to which what is asked is added.
    """

    def __init__(self, library: Library, roster: Roster, *, questions: dict[Question, None]) -> None:
        self._questions = questions
        super().__init__(library, roster)

    def _counting(self) -> Counting:
        return _Noting(self.top, self._questions)


class Surroundings:
    """What a force answers to a unit that is not in it yet."""

    def __init__(self, evaluation: Evaluation, force: ForceNode) -> None:
        self._run = evaluation.counting
        self._force = force
        self._answers: dict[tuple[Question, str], Answer] = {}
        self._is_steady = not any(node.spec.category_modifiers for node in evaluation.top.nodes)

    def answers(self, questions: Iterable[Question], primary: str) -> tuple[Answer, ...] | None:
        """The answers to a unit of a primary category; None where the unit itself may have a part in one of them."""
        found = []
        for question in questions:
            key = (question, primary)
            if key not in self._answers:
                self._answers[key] = self._answer(*question, primary)
            if (answer := self._answers[key]) is None:
                return None
            found.append(answer)
        return tuple(found)

    def _answer(self, query: Query, owner_id: str, primary: str) -> Answer:
        forces = self._run.top.all_forces()
        if isinstance(query, Constraint):  # where nothing of it stands, only what the unit has of it counts
            counts = not query.percent and query.field in {Field.SELECTIONS, Field.FORCES, Field.LIMIT}
            return 0 if counts and not any(force.deep.get(owner_id) for force in forces) else None
        if (
            type(query) not in {Condition, Repeat}
            or query.percent
            or query.field not in {Field.SELECTIONS, Field.FORCES}
        ):
            return None  # no sum of what the force has and what the unit has
        if _asks_what_it_is(query):
            return self._is(query)
        if query.field is Field.FORCES:
            return tuple(query.child_id == "any" or query.child_id in force.ids for force in forces)
        if query.child is Child.CATEGORY and not self._is_steady:
            return None
        container = self._container(query, primary)
        count = None if container is None else self._run.measure(query, container, query.child, query.key)
        return False if count is None else count

    def _is(self, query: Query) -> bool:
        if query.child is Child.ABSENT:
            return False
        if query.scope in {Scope.PARENT, Scope.ENTRY}:
            here = query.scope is Scope.PARENT or query.scope_id in self._force.ids
            return here and query.child_id in self._force.ids
        return is_instance(query, self._force, self._run)

    def _container(self, query: Query, primary: str) -> Container | None:
        if query.child is Child.ABSENT:
            return None
        if query.scope is Scope.PARENT:
            below = list(self._force.walk_forces())[1:] if query.child_forces else []
            return Container(self._force, forces=below)
        if query.scope is Scope.PRIMARY_CATEGORY:
            return Container(None, members=self._run.roots_in(self._force, primary))
        return self._run.container(query, self._force)


def _asks_what_it_is(query: Query) -> bool:
    return isinstance(query, Condition) and query.op in {Op.INSTANCE_OF, Op.NOT_INSTANCE_OF}
