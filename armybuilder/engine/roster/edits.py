"""What a player does to a roster: every edit gives a new roster and leaves the old one as it was (§10)."""

from collections.abc import Callable
from decimal import Decimal

import msgspec

from armybuilder.engine.gamedata.links import Library, UnknownId
from armybuilder.engine.roster.evaluation import Evaluation
from armybuilder.engine.roster.filling import Filler, NewId
from armybuilder.engine.roster.model import Force, Roster, Selection
from armybuilder.engine.roster.tree import (
    MAX_AMOUNT,
    MAX_SELECTIONS,
    RefusedEdit,
    UnknownNode,
    beside,
    bounded,
    force_of,
    guard_size,
    in_force,
    replaced,
    selection_of,
    with_selection,
    without_force,
)


class Edit(msgspec.Struct, frozen=True):
    """The answer of an edit.

    Attributes:
        node_id: the force or selection that was added or changed; None when it is gone.
        created: what was taken besides, by entry id, link id and full path: the id of the selection.
    """

    roster: Roster
    node_id: str | None = None
    created: dict[str, str] = {}


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
    spec = None
    if parent_id is not None:
        parent = force_of(roster, parent_id)
        outer = library.force_spec(parent.catalogue_id, parent.entry_id)
        below = [library.spec(*nodes) for nodes in outer.force_nodes] if outer is not None else []
        spec = next((inner for inner in below if force_entry_id in {inner.path, inner.id, inner.link_id}), None)
    spec = spec or library.force_spec(catalogue_id, force_entry_id)
    if spec is None:
        raise UnknownId(
            f"The data has no force entry with the id {force_entry_id!r} here.",
            russian=f"В данных игры здесь нет подразделения «{force_entry_id}».",
        )
    force = Force(id=new_id(), entry_id=spec.path, catalogue_id=catalogue_id, name=spec.name)
    created: dict[str, str] = {}
    if parent_id is not None:
        changed = in_force(roster, parent_id, lambda outer: replaced(outer, forces=(*outer.forces, force)))
        return Edit(changed, force.id)
    roster = replaced(roster, forces=(*roster.forces, force))
    filler = Filler(library, roster, new_id, created)
    filler.fill_force(force.id, catalogue_id)
    return Edit(filler.filled(), force.id, created)


def select(
    library: Library,
    roster: Roster,
    *,
    parent_id: str,
    entry_id: str,
    new_id: NewId,
    evaluated: Callable[[Library, Roster], Evaluation] = Evaluation,
) -> Edit:
    """Take an entry under a force or selection, with everything it must have.

    A merged entry that is there already gets one more instead (§5).

    Args:
        entry_id: full path, entry id or link id.
        evaluated: evaluates the roster where modifiers decide what it must have.

    Raises:
        UnknownNode: no force or selection with the id `parent_id`.
        UnknownId: the entry is not offered there.
    """
    created: dict[str, str] = {}
    filler = Filler(library, roster, new_id, created, evaluated)
    holder = filler.holder(parent_id)
    place = filler.place_of(holder, entry_id)
    if isinstance(holder, Selection) and place.merged:
        there = next((child for child in holder.selections if child.entry_id == place.path), None)
        if there is not None:
            changed = with_selection(roster, there.id, lambda node: replaced(node, amount=bounded(node.amount + 1)))
            return Edit(changed, there.id)
    node_id = filler.take(parent_id, place, 1, top=True)
    return Edit(filler.filled(), node_id, created)


def deselect(library: Library, roster: Roster, *, selection_id: str) -> Edit:
    """One less of a selection; at 0 it goes with everything below it. Minimums do not prevent it.

    Raises:
        UnknownNode: no selection with this id.
    """
    node = selection_of(roster, selection_id)
    if node.amount > 1:
        changed = with_selection(roster, selection_id, lambda one: replaced(one, amount=one.amount - 1))
        return Edit(changed, selection_id)
    return remove(library, roster, node_id=selection_id)


def remove(library: Library, roster: Roster, *, node_id: str) -> Edit:
    """Take away a force or selection with everything below it.

    Raises:
        UnknownNode: no force or selection with this id.
    """
    del library  # the same for every data set; the argument keeps the edits alike
    forces = without_force(roster.forces, node_id)
    if forces is not None:
        return Edit(replaced(roster, forces=forces))
    return Edit(with_selection(roster, node_id, lambda _: None))


def set_amount(library: Library, roster: Roster, *, selection_id: str, amount: int, new_id: NewId) -> Edit:
    """Set how many there are of a selection per parent model; 0 takes it away.

    Raises:
        UnknownNode: no selection with this id.
        RefusedEdit: the amount is negative or larger than MAX_AMOUNT.
    """
    del new_id  # nothing is created; the argument keeps the edits alike
    if amount < 0 or amount > MAX_AMOUNT:
        raise RefusedEdit(
            f"The amount {amount} is not between 0 and {MAX_AMOUNT}.",
            russian=f"Число {amount} не от 0 до {MAX_AMOUNT}.",
        )
    selection_of(roster, selection_id)
    if amount == 0:
        return remove(library, roster, node_id=selection_id)
    return Edit(with_selection(roster, selection_id, lambda node: replaced(node, amount=amount)), selection_id)


def duplicate(library: Library, roster: Roster, *, node_id: str, new_id: NewId) -> Edit:
    """Copy a force or selection beside itself: amounts, names and notes included.

    Raises:
        UnknownNode: no force or selection with this id.
        RefusedEdit: the roster would become too large.
    """
    del library
    copy_id = ""

    def copied_force(force: Force) -> Force:
        return replaced(
            force,
            id=new_id(),
            selections=tuple(_copied(child, new_id) for child in force.selections),
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
                return (*forces[:at], replaced(force, forces=below), *forces[at + 1 :])
        return None

    forces = twice(roster.forces)
    if forces is not None:
        changed = replaced(roster, forces=forces)
    else:
        copy = _copied(selection_of(roster, node_id), new_id)
        copy_id = copy.id
        changed = beside(roster, node_id, copy)
    guard_size(changed)
    return Edit(changed, copy_id)


def _copied(node: Selection, new_id: NewId) -> Selection:
    return replaced(node, id=new_id(), selections=tuple(_copied(child, new_id) for child in node.selections))


def paste(library: Library, roster: Roster, *, force_id: str, unit: Selection, new_id: NewId) -> Edit:
    """Add a copy of a selection of another roster to a force, with all that is below it; then what fills itself.

    What the library does not know is kept, and reported as missing when the roster is evaluated.

    Raises:
        UnknownNode: no force with this id.
        RefusedEdit: the roster would become too large.
    """
    copy = _copied(unit, new_id)
    changed = in_force(roster, force_id, lambda force: replaced(force, selections=(*force.selections, copy)))
    guard_size(changed)
    return Edit(fill_automatic(library, changed, new_id=new_id).roster, copy.id)


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
            return replaced(force, category_names=names, category_notes=texts)

        return Edit(in_force(roster, node_id, on_category), node_id)
    changes: dict[str, str | None] = {}
    if name is not None:
        changes["custom_name"] = name or None
    if notes is not None:
        changes["notes"] = notes or None
    if any(force.id == node_id for force in roster.all_forces()):
        return Edit(in_force(roster, node_id, lambda force: replaced(force, **changes)), node_id)
    return Edit(with_selection(roster, node_id, lambda node: replaced(node, **changes)), node_id)


def set_cost_limit(roster: Roster, *, type_id: str, value: Decimal | int | None) -> Edit:
    """Agree on a limit of a cost type; None or a negative value means no limit.

    Raises:
        RefusedEdit: the value is not finite.
    """
    limits = dict(roster.cost_limits)
    if value is not None and not Decimal(value).is_finite():
        raise RefusedEdit("A limit is a finite number.", russian="Предел – конечное число.")
    if value is None or value < 0:
        limits.pop(type_id, None)
    else:
        limits[type_id] = Decimal(value)
    return Edit(replaced(roster, cost_limits=limits), roster.id)


def fill_automatic(library: Library, roster: Roster, *, new_id: NewId) -> Edit:
    """Take what minimums that fill themselves ask for by now; to be done after every other edit (§13)."""
    created: dict[str, str] = {}
    if library.fills_itself:
        filler = Filler(library, roster, new_id, created)
        filler.fill_automatic()
        roster = filler.filled()
    return Edit(roster, roster.id, created)


__all__ = [
    "MAX_AMOUNT",
    "MAX_SELECTIONS",
    "Edit",
    "NewId",
    "RefusedEdit",
    "UnknownNode",
    "add_force",
    "customise",
    "deselect",
    "duplicate",
    "fill_automatic",
    "new_roster",
    "paste",
    "remove",
    "select",
    "set_amount",
    "set_cost_limit",
]
