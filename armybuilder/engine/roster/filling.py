"""Takes what must be there: minimums and defaults of what is added, and minimums that fill themselves (§10, §13)."""

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from math import ceil, floor

from armybuilder.engine.gamedata.links import Library, UnknownId
from armybuilder.engine.gamedata.model import Field, Scope
from armybuilder.engine.gamedata.numbers import Number, amounts_of
from armybuilder.engine.gamedata.places import Place
from armybuilder.engine.roster.evaluation import Evaluation
from armybuilder.engine.roster.limits import bound, limits_of, measured
from armybuilder.engine.roster.model import Force, Roster, Selection
from armybuilder.engine.roster.modifiers import changed_text
from armybuilder.engine.roster.nodes import ForceNode, GroupNode, Holder, Owner, SelectionNode
from armybuilder.engine.roster.tree import (
    MAX_NESTING,
    MAX_SELECTIONS,
    RefusedEdit,
    added,
    bounded,
    no_node,
    refuse_too_many,
    replaced,
    trail,
    with_selection,
)

NewId = Callable[[], str]
MAX_FILL = 40
"""Deepest chain of entries that fill each other; deeper ones are cut."""

MAX_ROUNDS = 8
"""How often what fills itself may ask for more to be filled."""


class Filler:
    """Adds selections with minimums and defaults (§10). An evaluation is made only where a modifier may decide."""

    def __init__(
        self,
        library: Library,
        roster: Roster,
        new_id: NewId,
        created: dict[str, str],
        evaluated: Callable[[Library, Roster], Evaluation] = Evaluation,
    ) -> None:
        self.library = library
        self.roster = roster
        self._evaluated = evaluated
        self._new_id = new_id
        self._created = created
        self._evaluation: Evaluation | None = None
        self._holder: Holder | None = None
        self._taken = sum(1 for _ in roster.all_selections())

    def holder(self, node_id: str) -> Force | Selection:
        for force in self.roster.all_forces():
            if force.id == node_id:
                return force
            for selection in force.selections:
                for node in selection.walk():
                    if node.id == node_id:
                        return node
        raise no_node(node_id)

    def place_of(self, holder: Force | Selection, entry_id: str) -> Place:
        if isinstance(holder, Force):
            found = self.library.find_root(holder.catalogue_id, entry_id)
            where = holder.name or holder.entry_id
        else:
            found = self._place(holder.id).find(entry_id)
            where = holder.name or holder.entry_id
        if found is None:
            raise UnknownId(
                f"{where} does not offer an entry with the id {entry_id!r}.",
                russian=f"{where}: здесь не предлагают «{entry_id}».",
            )
        return found

    def _place(self, selection_id: str) -> Place:
        for force in self.roster.all_forces():
            way = trail(force.selections, selection_id)
            if way:
                place = self.library.find_root(force.catalogue_id, way[0].entry_id)
                for node in way[1:]:
                    place = place.find(node.entry_id) if place is not None else None
                if place is not None:
                    return place
        raise UnknownId(
            f"The data no longer has the entry of the selection {selection_id!r}.",
            russian=f"В данных игры больше нет того, что взято выбором «{selection_id}».",
        )

    def _depth(self, node_id: str) -> int:
        return max((len(trail(force.selections, node_id)) for force in self.roster.all_forces()), default=0)

    def take(
        self, parent_id: str, place: Place, amount: int, *, top: bool = False, depth: int = 0, copy: int | None = None
    ) -> str:
        """One new selection of an entry, filled; the id it got.

        Args:
            copy: which of several copies that a unit starts with it is, from 0.
        """
        self._taken += 1
        refuse_too_many(self._taken)
        if depth == 0 and self._depth(parent_id) >= MAX_NESTING:
            raise RefusedEdit(
                f"Selections can stand {MAX_NESTING} deep; this one would stand deeper.",
                russian=f"Строки стоят не глубже {MAX_NESTING} ступеней, а эта стояла бы глубже.",
            )
        node_id = self._new_id()
        selection = Selection(
            id=node_id,
            entry_id=place.path,
            group_id=place.group_id,
            amount=bounded(amount),
            name=place.spec.name,
        )
        self.roster = added(self.roster, parent_id, selection)
        self._forget()
        if not top:
            for key in (place.path, place.spec.id, place.spec.link_id):
                if key:
                    self._created.setdefault(key, node_id)
        if depth < MAX_FILL:
            self._fill(node_id, place.started, depth + 1, copy)
        return node_id

    def _fill(self, node_id: str, children: Iterable[Place], depth: int, copy: int | None) -> int:
        """Take the minimums of entries and groups; returns how many selections of them there are now."""
        total = 0
        for place in children:
            if place.is_group:
                total += self._fill_group(node_id, place, depth, copy)
            elif not place.spec.starts or not self._hidden(place, node_id):
                least = self._least(place, node_id)
                amounts = _of_copy(self._defaults(place, node_id), copy)
                for number, amount in enumerate(amounts):
                    which = number if len(amounts) > 1 else None
                    total += self._take_times(node_id, place, amount, depth, together=True, copy=which)
                    least -= amount
                total += self._take_times(node_id, place, least, depth)
        return total

    def _fill_group(self, node_id: str, group: Place, depth: int, copy: int | None) -> int:
        taken = self._fill(node_id, group.started, depth, copy) if group.spec.asks_below(self.library) else 0
        if group.spec.demands:
            missing = self._least(group, node_id) - taken
            default = self._default_of(group, node_id) if missing > 0 else None
            if missing > 0 and default is not None:
                taken += self._take_times(node_id, default, min(missing, self._room(default, node_id)), depth)
        return taken

    def _room(self, place: Place, node_id: str) -> int:
        """How many more of an entry its own maximums allow in this parent."""
        room = MAX_SELECTIONS
        owner: SelectionNode | None = None
        for constraint in place.spec.constraints:
            if constraint.kind not in {"max", "exactly"} or constraint.field is not Field.SELECTIONS:
                continue
            evaluation, holder = self._held(node_id)
            owner = owner or next((child for child in holder.children if child.place is place), holder.ghost(place))
            _, high = limits_of(constraint, owner, evaluation.counting)
            count = measured(evaluation.counting, constraint, place, owner)
            if high is not None and count is not None and not constraint.percent:
                room = min(room, max(0, floor(Fraction(high) - Fraction(count))))
        return room

    def _default_of(self, group: Place, node_id: str) -> Place | None:
        """The entry that fills a group up; None without a default."""
        wanted = next(iter(group.spec.default_ids), "")
        modifiers = group.spec.rare_modifiers.get("defaultSelectionEntryId")
        if modifiers:
            evaluation, holder = self._held(node_id)
            wanted = changed_text(wanted, modifiers, GroupNode(group, holder), evaluation.counting)
        return group.find(wanted) if wanted else None

    def _defaults(self, place: Place, node_id: str) -> tuple[int, ...]:
        """The amounts, one a copy, that an entry starts with (§13)."""
        modifiers = place.spec.rare_modifiers.get("defaultAmount")
        if not modifiers:
            return place.spec.default_amounts
        evaluation, holder = self._held(node_id)
        text = ",".join(map(str, place.spec.default_amounts)) or "0"
        return amounts_of(changed_text(text, modifiers, holder.ghost(place), evaluation.counting))

    def _hidden(self, place: Place, node_id: str) -> bool:
        """Whether an entry is hidden where it would be taken."""
        if not place.spec.hidden and not place.spec.hidden_modifiers:
            return False
        evaluation, holder = self._held(node_id)
        return evaluation.hidden(holder.ghost(place))

    def _held(self, node_id: str) -> tuple[Evaluation, Holder]:
        """The evaluation of the roster as it is now, and a node of it; most are asked for again and again."""
        if self._evaluation is None or self._holder is None or self._holder.id != node_id:
            self._holder = self._current().node(node_id)
        evaluation, holder = self._evaluation, self._holder
        assert evaluation is not None
        assert holder is not None
        return evaluation, holder

    def _take_times(
        self,
        node_id: str,
        place: Place,
        often: int,
        depth: int,
        *,
        together: bool = False,
        copy: int | None = None,
    ) -> int:
        """Take an entry so often: one selection when it is merged (or `together`), else a selection each."""
        if often <= 0:
            return 0
        if place.merged:
            holder = self.holder(node_id)
            there = next((child for child in holder.selections if child.entry_id == place.path), None)
            if there is not None:
                self.roster = with_selection(
                    self.roster, there.id, lambda node: replaced(node, amount=bounded(node.amount + often))
                )
                self._forget()
            else:
                self.take(node_id, place, often, depth=depth, copy=copy)
        elif together:
            self.take(node_id, place, often, depth=depth, copy=copy)
        else:
            for _ in range(often):
                self.take(node_id, place, 1, depth=depth)
        return often

    def _least(self, place: Place, node_id: str) -> int:
        """How many an entry or group must have in this parent."""
        least: Number = 0
        for constraint in place.spec.minimums:
            if not constraint.modifiers:
                least = max(least, constraint.value)
                continue
            evaluation, holder = self._held(node_id)
            owner: Owner = GroupNode(place, holder) if place.is_group else holder.ghost(place)
            least = max(least, bound(constraint, owner, evaluation.counting))
        starts = max((constraint.starts for constraint in place.spec.minimums), default=0)
        if starts > least and self._sets_up(place, node_id) and not self._hidden(place, node_id):
            least = max(least, min(starts, self._room(place, node_id)))
        return min(ceil(least), MAX_SELECTIONS)

    def _sets_up(self, place: Place, node_id: str) -> bool:
        """Whether it is a free part of what sets the army up. In units authors lift minimums so that one can choose."""
        above = self._held(node_id)[1]
        if place.is_group or not isinstance(above, SelectionNode) or not isinstance(above.parent, ForceNode):
            return False
        return above.spec.type == "upgrade" and not any(cost > 0 for cost in place.spec.base_costs.values())

    def _forget(self) -> None:
        """The roster is another one now."""
        if self._evaluation is not None:
            self._evaluation.let_go()
            self._evaluation = self._holder = None

    def filled(self) -> Roster:
        """The roster as it is now, after which nothing more is taken."""
        self._forget()
        return self.roster

    def _current(self) -> Evaluation:
        if self._evaluation is None:
            self._evaluation = self._evaluated(self.library, self.roster)
        return self._evaluation

    def fill_force(self, force_id: str, catalogue_id: str) -> None:
        """Auto-select: root entries that fit the force, up to their minimum in force or roster."""
        for place in self.library.demanding_roots(catalogue_id):
            if place.is_group:
                continue
            evaluation = self._current()
            force = evaluation.node(force_id)
            assert isinstance(force, Holder)
            ghost = force.ghost(place)
            if not evaluation.fits(ghost) or (_may_be_hidden(place) and self._hidden(place, force_id)):
                continue
            least = starts = 0
            most: Number = MAX_SELECTIONS
            for constraint in place.spec.constraints:
                low, high = limits_of(constraint, ghost, evaluation.counting)
                if high is not None and constraint.field is Field.SELECTIONS and not constraint.percent:
                    most = min(most, high)
                if not constraint.fills or constraint.scope not in {Scope.PARENT, Scope.FORCE, Scope.ROSTER}:
                    continue
                starts = max(starts, constraint.starts)
                container = evaluation.counting.container(constraint, ghost)
                if low is None or container is None:
                    continue
                key = place.spec.id if constraint.shared else f"={place.path}"
                there = evaluation.counting.key_count(container, key, deep=constraint.deep)
                least = max(least, ceil(low) - there)
            for amount in _of_copy(self._defaults(place, force_id), None) or (min(starts, floor(most)),):
                if amount and self._started(force_id, place, amount, demanded=least > 0):
                    least -= amount
            for _ in range(min(least, MAX_SELECTIONS)):
                self.take(force_id, place, 1)

    def _started(self, force_id: str, place: Place, amount: int, *, demanded: bool) -> bool:
        """Take what a force starts with: what no minimum demands only where it is free (§20)."""
        before = self.roster
        node_id = self.take(force_id, place, amount)
        if demanded:
            return True
        evaluation = self._current()
        taken = evaluation.node(node_id)
        assert isinstance(taken, SelectionNode)
        nodes = (taken, *taken.walk())
        if not any(evaluation.counting.cost_of(node, kind) > 0 for node in nodes for kind in node.spec.cost_types):
            return True
        self.roster = before
        self._forget()
        return False

    def fill_automatic(self) -> None:
        """Take what automatic minimums lack now; what is taken may ask for more, a few times over."""
        for _ in range(MAX_ROUNDS):
            evaluation = self._current()
            missing = [
                (holder.id, place, lack)
                for force in evaluation.top.all_forces()
                for holder in _holders(force)
                for place in _demanding(self.library, holder)
                if (lack := _lacking(evaluation, place, holder)) > 0
            ]
            before = self._taken
            for node_id, place, lack in missing:
                self._take_lacking(node_id, place, lack)
            if self._taken == before:
                return

    def _take_lacking(self, node_id: str, place: Place, lack: int) -> None:
        wanted = self._default_of(place, node_id) if place.is_group else place
        if wanted is None:
            return
        if wanted.holder is None:
            for _ in range(lack):
                self.take(node_id, wanted, 1)
        else:
            self._take_times(node_id, wanted, lack, 1)


def _of_copy(amounts: tuple[int, ...], copy: int | None) -> tuple[int, ...]:
    """What of a list of amounts is meant for one copy of the parent: a list with a 0 is always one for its copies."""
    if copy is not None and len(amounts) > 1:
        return amounts[copy : copy + 1]
    return amounts[:1] if 0 in amounts else amounts


def _may_be_hidden(place: Place) -> bool:
    """Whether a force starts without a root entry as long as it is hidden, though a minimum asks for it.

    What is always hidden and only has a minimum is taken (§10). What a condition hides, such as the oath of one army
    in the army list of another that may take it as an ally, would only be objected to; and data with default amounts
    is written for New Recruit, which takes none that is hidden (§13).
    """
    return place.spec.starts or bool(place.spec.hidden_modifiers)


def _holders(force: ForceNode) -> Iterator[ForceNode | SelectionNode]:
    yield force
    yield from force.walk()


def _demanding(library: Library, holder: ForceNode | SelectionNode) -> tuple[Place, ...]:
    return (
        library.demanding_roots(holder.catalogue_id)
        if isinstance(holder, ForceNode)
        else holder.place.demanding_below()
    )


def _lacking(evaluation: Evaluation, place: Place, holder: Holder) -> int:
    """How many more of an entry or group its automatic minimums ask for in this place; 0 while it is hidden."""
    owner: Owner | None = None
    lack = 0
    for constraint in place.spec.constraints:
        if not constraint.automatic or not constraint.fills or constraint.scope is not Scope.PARENT:
            continue
        if owner is None:
            taken = next((child for child in holder.children if child.place is place), None)
            owner = GroupNode(place, holder) if place.is_group else taken or holder.ghost(place)
        low, _ = limits_of(constraint, owner, evaluation.counting)
        count = measured(evaluation.counting, constraint, place, owner)
        if low is not None and count is not None:
            lack = max(lack, ceil(low) - int(count))
    if lack <= 0 or owner is None or any(evaluation.group_hidden(group, holder) for group in place.groups):
        return 0
    if isinstance(owner, SelectionNode):
        return 0 if evaluation.hidden(owner) or (owner.root is owner and not evaluation.fits(owner)) else lack
    return 0 if evaluation.group_hidden(place, holder) else lack
