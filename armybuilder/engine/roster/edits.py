"""What a player does to a roster: every edit gives a new roster and leaves the old one as it was (§10)."""

from collections.abc import Callable, Iterable
from decimal import Decimal
from math import ceil
from typing import TypeVar

import msgspec

from armybuilder.engine.errors import GameError
from armybuilder.engine.gamedata.links import Library, UnknownId
from armybuilder.engine.gamedata.model import Constraint, Field, Number, Scope
from armybuilder.engine.gamedata.places import Place
from armybuilder.engine.roster.constraints import limits_of
from armybuilder.engine.roster.evaluate import Evaluation
from armybuilder.engine.roster.model import Force, Roster, Selection
from armybuilder.engine.roster.scopes import GroupNode, Holder, Owner

NewId = Callable[[], str]
N = TypeVar("N", Roster, Force, Selection)
MAX_AMOUNT = 10_000
"""Most of one entry that can be taken at once."""

MAX_SELECTIONS = 5_000
"""Most selections of a roster; an edit that would go beyond is refused."""

MAX_NESTING = 60
"""Deepest selection that can be taken below others."""

MAX_FILL = 40
"""Deepest chain of entries that fill each other; deeper ones are cut."""


class UnknownNode(GameError):
    """The roster has no force or selection with this id."""

    code = "unknown-node"


class RefusedEdit(GameError):
    """An edit that cannot be carried out; the message says why."""

    code = "refused-edit"


class Edit(msgspec.Struct, frozen=True):
    """The answer of an edit.

    Attributes:
        node_id: the force or selection that was added or changed; None when it is gone.
        created: what was taken besides, by entry id, link id and full path: the id of the selection.
    """

    roster: Roster
    node_id: str | None = None
    created: dict[str, str] = {}


# ---- forces and rosters ---------------------------------------------------


def new_roster(library: Library, *, name: str, new_id: NewId) -> Edit:
    """An empty roster of the library's game system, with the default cost limits of the data."""
    limits = {kind.id: kind.default_limit for kind in library.cost_types if kind.default_limit is not None}
    roster = Roster(id=new_id(), name=name, system_id=library.system_id, cost_limits=limits)
    return Edit(roster, roster.id)


def add_force(
    library: Library,
    roster: Roster,
    *,
    force_entry_id: str,
    catalogue_id: str,
    parent_id: str | None = None,
    new_id: NewId,
) -> Edit:
    """Add a force; at the top level every root entry with a minimum is taken that often, hidden ones included.

    Raises:
        UnknownId: no such catalogue, or no such force entry where it is to be added.
        UnknownNode: no force with the id `parent_id`.
    """
    library.head(catalogue_id)
    if parent_id is None:
        node = library.force_node(catalogue_id, force_entry_id)
    else:
        parent = _force(roster, parent_id)
        outer = library.force_node(parent.catalogue_id, parent.entry_id)
        below = library.spec(outer).force_nodes if outer is not None else ()
        node = next((inner for inner in below if library.spec(inner).id == force_entry_id), None)
        node = node if node is not None else library.force_node(catalogue_id, force_entry_id)
    if node is None:
        raise UnknownId(f"The data has no force entry with the id {force_entry_id!r} here.")
    force = Force(id=new_id(), entry_id=force_entry_id, catalogue_id=catalogue_id, name=library.spec(node).name)
    created: dict[str, str] = {}
    if parent_id is not None:
        changed = _in_force(roster, parent_id, lambda outer: _replace(outer, forces=(*outer.forces, force)))
        return Edit(changed, force.id)
    roster = _replace(roster, forces=(*roster.forces, force))
    filler = _Filler(library, roster, new_id, created)
    filler.fill_force(force.id, catalogue_id)
    return Edit(filler.roster, force.id, created)


# ---- selections -----------------------------------------------------------


def select(library: Library, roster: Roster, *, parent_id: str, entry_id: str, new_id: NewId) -> Edit:
    """Take an entry under a force or selection, with everything it must have.

    A merged entry that is there already gets one more instead (§5).

    Args:
        entry_id: full path, entry id or link id.

    Raises:
        UnknownNode: no force or selection with the id `parent_id`.
        UnknownId: the entry is not offered there.
    """
    created: dict[str, str] = {}
    filler = _Filler(library, roster, new_id, created)
    holder = filler.holder(parent_id)
    place = filler.place_of(holder, entry_id)
    if isinstance(holder, Selection) and place.merged:
        there = next((child for child in holder.selections if child.entry_id == place.path), None)
        if there is not None:
            changed = _with_selection(roster, there.id, lambda node: _replace(node, amount=_bounded(node.amount + 1)))
            return Edit(changed, there.id)
    node_id = filler.take(parent_id, place, 1, top=True)
    return Edit(filler.roster, node_id, created)


def deselect(library: Library, roster: Roster, *, selection_id: str) -> Edit:
    """One less of a selection; at 0 it goes with everything below it. Minimums do not prevent it.

    Raises:
        UnknownNode: no selection with this id.
    """
    node = _selection(roster, selection_id)
    if node.amount > 1:
        changed = _with_selection(roster, selection_id, lambda one: _replace(one, amount=one.amount - 1))
        return Edit(changed, selection_id)
    return remove(library, roster, node_id=selection_id)


def remove(library: Library, roster: Roster, *, node_id: str) -> Edit:
    """Take away a force or selection with everything below it.

    Raises:
        UnknownNode: no force or selection with this id.
    """
    del library  # the same for every data set; the argument keeps the edits alike
    forces = _without_force(roster.forces, node_id)
    if forces is not None:
        return Edit(_replace(roster, forces=forces))
    return Edit(_with_selection(roster, node_id, lambda _: None))


def set_amount(library: Library, roster: Roster, *, selection_id: str, amount: int, new_id: NewId) -> Edit:
    """Set how many there are of a selection per parent model; 0 takes it away.

    Raises:
        UnknownNode: no selection with this id.
        RefusedEdit: the amount is negative or larger than MAX_AMOUNT.
    """
    del new_id  # nothing is created; the argument keeps the edits alike
    if amount < 0 or amount > MAX_AMOUNT:
        raise RefusedEdit(f"The amount {amount} is not between 0 and {MAX_AMOUNT}.")
    _selection(roster, selection_id)
    if amount == 0:
        return remove(library, roster, node_id=selection_id)
    return Edit(_with_selection(roster, selection_id, lambda node: _replace(node, amount=amount)), selection_id)


def duplicate(library: Library, roster: Roster, *, node_id: str, new_id: NewId) -> Edit:
    """Copy a force or selection beside itself: amounts, names and notes included.

    Raises:
        UnknownNode: no force or selection with this id.
        RefusedEdit: the roster would become too large.
    """
    del library
    copy_id = ""

    def copied(node: Selection) -> Selection:
        return _replace(node, id=new_id(), selections=tuple(copied(child) for child in node.selections))

    def copied_force(force: Force) -> Force:
        return _replace(
            force,
            id=new_id(),
            selections=tuple(copied(child) for child in force.selections),
            forces=tuple(copied_force(child) for child in force.forces),
        )

    def twice(forces: tuple[Force, ...]) -> tuple[Force, ...] | None:
        nonlocal copy_id
        for at, force in enumerate(forces):
            if force.id == node_id:
                copy = copied_force(force)
                copy_id = copy.id
                return (*forces[: at + 1], copy, *forces[at + 1 :])
            below = twice(force.forces)
            if below is not None:
                return (*forces[:at], _replace(force, forces=below), *forces[at + 1 :])
        return None

    forces = twice(roster.forces)
    if forces is not None:
        changed = _replace(roster, forces=forces)
    else:
        copy = copied(_selection(roster, node_id))
        copy_id = copy.id
        changed = _beside(roster, node_id, copy)
    _guard_size(changed)
    return Edit(changed, copy_id)


def customise(
    roster: Roster,
    *,
    node_id: str,
    name: str | None = None,
    notes: str | None = None,
    category_id: str | None = None,
) -> Edit:
    """Give a force, selection or a force's category the player's own name and notes; an empty text takes it away.

    None leaves the name or notes as they are.

    Raises:
        UnknownNode: no force or selection with this id.
    """
    if category_id is not None:

        def on_category(force: Force) -> Force:
            names, texts = dict(force.category_names), dict(force.category_notes)
            for table, value in ((names, name), (texts, notes)):
                if value:
                    table[category_id] = value
                elif value is not None:
                    table.pop(category_id, None)
            return _replace(force, category_names=names, category_notes=texts)

        return Edit(_in_force(roster, node_id, on_category), node_id)
    changes: dict[str, str | None] = {}
    if name is not None:
        changes["custom_name"] = name or None
    if notes is not None:
        changes["notes"] = notes or None
    if any(force.id == node_id for force in roster.all_forces()):
        return Edit(_in_force(roster, node_id, lambda force: _replace(force, **changes)), node_id)
    return Edit(_with_selection(roster, node_id, lambda node: _replace(node, **changes)), node_id)


def set_cost_limit(roster: Roster, *, type_id: str, value: Decimal | int | None) -> Edit:
    """Agree on a limit of a cost type; None or a negative value means no limit.

    Raises:
        RefusedEdit: the value is not finite.
    """
    limits = dict(roster.cost_limits)
    if value is not None and not Decimal(value).is_finite():
        raise RefusedEdit("A limit is a finite number.")
    if value is None or value < 0:
        limits.pop(type_id, None)
    else:
        limits[type_id] = Decimal(value)
    return Edit(_replace(roster, cost_limits=limits), roster.id)


# ---- filling in what must be there ----------------------------------------


class _Filler:
    """Adds selections with minimums and defaults (§10). An evaluation is made only where a modifier may decide."""

    def __init__(self, library: Library, roster: Roster, new_id: NewId, created: dict[str, str]) -> None:
        self.library = library
        self.roster = roster
        self._new_id = new_id
        self._created = created
        self._evaluation: Evaluation | None = None
        self._taken = sum(1 for _ in roster.all_selections())

    def holder(self, node_id: str) -> Force | Selection:
        for force in self.roster.all_forces():
            if force.id == node_id:
                return force
            for selection in force.selections:
                for node in selection.walk():
                    if node.id == node_id:
                        return node
        raise UnknownNode(f"The roster has no force or selection with the id {node_id!r}.")

    def place_of(self, holder: Force | Selection, entry_id: str) -> Place:
        if isinstance(holder, Force):
            found = self.library.find_root(holder.catalogue_id, entry_id)
            where = holder.name or holder.entry_id
        else:
            found = self._place(holder.id).find(entry_id)
            where = holder.name or holder.entry_id
        if found is None:
            raise UnknownId(f"{where} does not offer an entry with the id {entry_id!r}.")
        return found

    def _place(self, selection_id: str) -> Place:
        for force in self.roster.all_forces():
            trail = _trail(force.selections, selection_id)
            if trail:
                place = self.library.find_root(force.catalogue_id, trail[0].entry_id)
                for node in trail[1:]:
                    place = place.find(node.entry_id) if place is not None else None
                if place is not None:
                    return place
        raise UnknownId(f"The data no longer has the entry of the selection {selection_id!r}.")

    def _depth(self, node_id: str) -> int:
        return max((len(_trail(force.selections, node_id)) for force in self.roster.all_forces()), default=0)

    def take(self, parent_id: str, place: Place, amount: int, *, top: bool = False, depth: int = 0) -> str:
        """One new selection of an entry, filled; the id it got."""
        self._taken += 1
        if self._taken > MAX_SELECTIONS:
            raise RefusedEdit(f"A roster can hold {MAX_SELECTIONS} selections; this edit would go beyond.")
        if depth == 0 and self._depth(parent_id) >= MAX_NESTING:
            raise RefusedEdit(f"Selections can stand {MAX_NESTING} deep; this one would stand deeper.")
        node_id = self._new_id()
        selection = Selection(
            id=node_id,
            entry_id=place.path,
            group_id=place.group_id,
            amount=_bounded(amount),
            name=place.spec.name,
        )
        self.roster = _added(self.roster, parent_id, selection)
        self._evaluation = None
        if not top:
            for key in (place.path, place.spec.id, place.spec.link_id):
                if key:
                    self._created.setdefault(key, node_id)
        if depth < MAX_FILL:
            self._fill(node_id, place.children, depth + 1)
        return node_id

    def _fill(self, node_id: str, children: Iterable[Place], depth: int) -> int:
        """Take the minimums of entries and groups; returns how many selections of them there are now."""
        total = 0
        for place in children:
            if place.is_group:
                total += self._fill_group(node_id, place, depth)
            elif place.spec.demands:
                total += self._take_times(node_id, place, self._least(place, node_id), depth)
        return total

    def _fill_group(self, node_id: str, group: Place, depth: int) -> int:
        taken = self._fill(node_id, group.children, depth)
        if group.spec.demands and group.spec.default_ids:
            missing = self._least(group, node_id) - taken
            default = next((found for wanted in group.spec.default_ids if (found := group.find(wanted))), None)
            if missing > 0 and default is not None:
                taken += self._take_times(node_id, default, missing, depth)
        return taken

    def _take_times(self, node_id: str, place: Place, often: int, depth: int) -> int:
        if often <= 0:
            return 0
        if place.merged:
            holder = self.holder(node_id)
            there = next((child for child in holder.selections if child.entry_id == place.path), None)
            if there is not None:
                self.roster = _with_selection(
                    self.roster, there.id, lambda node: _replace(node, amount=_bounded(node.amount + often))
                )
                self._evaluation = None
            else:
                self.take(node_id, place, often, depth=depth)
        else:
            for _ in range(often):
                self.take(node_id, place, 1, depth=depth)
        return often

    def _least(self, place: Place, node_id: str) -> int:
        """How many an entry or group must have in this parent."""
        least: Number = 0
        for constraint in place.spec.constraints:
            if not _fills(constraint) or constraint.scope is not Scope.PARENT:
                continue
            if not constraint.modifiers:
                least = max(least, constraint.value)
                continue
            evaluation = self._current()
            holder = evaluation.node(node_id)
            assert isinstance(holder, Holder)
            owner: Owner = GroupNode(place, holder) if place.is_group else holder.ghost(place)
            low, _ = limits_of(constraint, owner, evaluation.counting)
            least = max(least, low or 0)
        return min(ceil(least), MAX_SELECTIONS)

    def _current(self) -> Evaluation:
        if self._evaluation is None:
            self._evaluation = Evaluation(self.library, self.roster)
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
            if not evaluation.fits(ghost):
                continue
            least = 0
            for constraint in place.spec.constraints:
                if not _fills(constraint) or constraint.scope not in {Scope.PARENT, Scope.FORCE, Scope.ROSTER}:
                    continue
                low, _ = limits_of(constraint, ghost, evaluation.counting)
                container = evaluation.counting.container(constraint, ghost)
                if low is None or container is None:
                    continue
                key = place.spec.id if constraint.shared else f"={place.path}"
                there = evaluation.counting.key_count(container, key, deep=constraint.deep)
                least = max(least, ceil(low) - there)
            for _ in range(min(least, MAX_SELECTIONS)):
                self.take(force_id, place, 1)


def _fills(constraint: Constraint) -> bool:
    return constraint.kind in {"min", "exactly"} and constraint.field is Field.SELECTIONS and not constraint.percent


# ---- changing one place of an immutable tree ------------------------------


def _replace(node: N, **changes: object) -> N:
    return msgspec.structs.replace(node, **changes)


def _bounded(amount: int) -> int:
    if amount > MAX_AMOUNT:
        raise RefusedEdit(f"At most {MAX_AMOUNT} of one entry can be taken at once.")
    return amount


def _guard_size(roster: Roster) -> None:
    if sum(1 for _ in roster.all_selections()) > MAX_SELECTIONS:
        raise RefusedEdit(f"A roster can hold {MAX_SELECTIONS} selections; this edit would go beyond.")


def _force(roster: Roster, force_id: str) -> Force:
    for force in roster.all_forces():
        if force.id == force_id:
            return force
    raise UnknownNode(f"The roster has no force with the id {force_id!r}.")


def _selection(roster: Roster, selection_id: str) -> Selection:
    for selection in roster.all_selections():
        if selection.id == selection_id:
            return selection
    raise UnknownNode(f"The roster has no selection with the id {selection_id!r}.")


def _trail(selections: tuple[Selection, ...], selection_id: str) -> list[Selection]:
    for selection in selections:
        if selection.id == selection_id:
            return [selection]
        below = _trail(selection.selections, selection_id)
        if below:
            return [selection, *below]
    return []


def _in_force(roster: Roster, force_id: str, change: Callable[[Force], Force]) -> Roster:
    def changed(forces: tuple[Force, ...]) -> tuple[Force, ...] | None:
        for at, force in enumerate(forces):
            if force.id == force_id:
                return (*forces[:at], change(force), *forces[at + 1 :])
            below = changed(force.forces)
            if below is not None:
                return (*forces[:at], _replace(force, forces=below), *forces[at + 1 :])
        return None

    forces = changed(roster.forces)
    if forces is None:
        raise UnknownNode(f"The roster has no force with the id {force_id!r}.")
    return _replace(roster, forces=forces)


def _without_force(forces: tuple[Force, ...], force_id: str) -> tuple[Force, ...] | None:
    for at, force in enumerate(forces):
        if force.id == force_id:
            return (*forces[:at], *forces[at + 1 :])
        below = _without_force(force.forces, force_id)
        if below is not None:
            return (*forces[:at], _replace(force, forces=below), *forces[at + 1 :])
    return None


Splice = Callable[[Selection], tuple[Selection, ...]]


def _splice(selections: tuple[Selection, ...], selection_id: str, splice: Splice) -> tuple[Selection, ...] | None:
    for at, selection in enumerate(selections):
        if selection.id == selection_id:
            return (*selections[:at], *splice(selection), *selections[at + 1 :])
        below = _splice(selection.selections, selection_id, splice) if selection.selections else None
        if below is not None:
            return (*selections[:at], _replace(selection, selections=below), *selections[at + 1 :])
    return None


def _spliced(roster: Roster, selection_id: str, splice: Splice) -> Roster:
    def changed(forces: tuple[Force, ...]) -> tuple[Force, ...] | None:
        for at, force in enumerate(forces):
            selections = _splice(force.selections, selection_id, splice)
            if selections is not None:
                return (*forces[:at], _replace(force, selections=selections), *forces[at + 1 :])
            below = changed(force.forces)
            if below is not None:
                return (*forces[:at], _replace(force, forces=below), *forces[at + 1 :])
        return None

    forces = changed(roster.forces)
    if forces is None:
        raise UnknownNode(f"The roster has no selection with the id {selection_id!r}.")
    return _replace(roster, forces=forces)


def _with_selection(roster: Roster, selection_id: str, change: Callable[[Selection], Selection | None]) -> Roster:
    def splice(selection: Selection) -> tuple[Selection, ...]:
        changed = change(selection)
        return () if changed is None else (changed,)

    return _spliced(roster, selection_id, splice)


def _beside(roster: Roster, selection_id: str, copy: Selection) -> Roster:
    return _spliced(roster, selection_id, lambda selection: (selection, copy))


def _added(roster: Roster, parent_id: str, selection: Selection) -> Roster:
    if any(force.id == parent_id for force in roster.all_forces()):
        return _in_force(roster, parent_id, lambda force: _replace(force, selections=(*force.selections, selection)))
    return _with_selection(roster, parent_id, lambda node: _replace(node, selections=(*node.selections, selection)))
