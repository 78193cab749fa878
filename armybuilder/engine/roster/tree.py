"""Finding and changing one place of an immutable roster: every change gives a new roster, within limits of size."""

from collections.abc import Callable
from typing import TypeVar

import msgspec

from armybuilder.engine.errors import GameError
from armybuilder.engine.roster.model import Force, Roster, Selection

N = TypeVar("N", Roster, Force, Selection)
MAX_AMOUNT = 10_000
"""Most of one entry that can be taken at once."""

MAX_SELECTIONS = 5_000
"""Most selections of a roster; an edit that would go beyond is refused."""

MAX_NESTING = 60
"""Deepest selection that can be taken below others."""


class UnknownNode(GameError):
    """The roster has no force or selection with this id."""

    code = "unknown-node"


class RefusedEdit(GameError):
    """An edit that cannot be carried out; the message says why."""

    code = "edit-refused"


def replaced(node: N, **changes: object) -> N:
    """A node with some of its fields changed."""
    return msgspec.structs.replace(node, **changes)


def bounded(amount: int) -> int:
    """The amount itself.

    Raises:
        RefusedEdit: it is larger than MAX_AMOUNT.
    """
    if amount > MAX_AMOUNT:
        raise RefusedEdit(
            f"At most {MAX_AMOUNT} of one entry can be taken at once.",
            russian=f"За раз берут не больше {MAX_AMOUNT} одинаковых.",
        )
    return amount


def guard_size(roster: Roster) -> None:
    """Let a roster pass.

    Raises:
        RefusedEdit: it holds more than MAX_SELECTIONS.
    """
    refuse_too_many(sum(1 for _ in roster.all_selections()))


def refuse_too_many(selections: int) -> None:
    """Raise RefusedEdit for more than MAX_SELECTIONS."""
    if selections > MAX_SELECTIONS:
        raise RefusedEdit(
            f"A roster can hold {MAX_SELECTIONS} selections; this edit would go beyond.",
            russian=f"В ростере бывает до {MAX_SELECTIONS} строк; с этой правкой их станет больше.",
        )


def force_of(roster: Roster, force_id: str) -> Force:
    """The force with an id.

    Raises:
        UnknownNode: there is none.
    """
    for force in roster.all_forces():
        if force.id == force_id:
            return force
    raise _no_force(force_id)


def selection_of(roster: Roster, selection_id: str) -> Selection:
    """The selection with an id.

    Raises:
        UnknownNode: there is none.
    """
    for selection in roster.all_selections():
        if selection.id == selection_id:
            return selection
    raise _no_selection(selection_id)


def no_node(node_id: str) -> UnknownNode:
    """What is said of an id that nothing in a roster has."""
    return UnknownNode(
        f"The roster has no force or selection with the id {node_id!r}.",
        russian=f"В ростере нет ни подразделения, ни выбора «{node_id}».",
    )


def _no_force(force_id: str) -> UnknownNode:
    return UnknownNode(
        f"The roster has no force with the id {force_id!r}.", russian=f"В ростере нет подразделения «{force_id}»."
    )


def _no_selection(selection_id: str) -> UnknownNode:
    return UnknownNode(
        f"The roster has no selection with the id {selection_id!r}.", russian=f"В ростере нет выбора «{selection_id}»."
    )


def trail(selections: tuple[Selection, ...], selection_id: str) -> list[Selection]:
    """The way down to a selection, itself last; empty when it is not among these."""
    for selection in selections:
        if selection.id == selection_id:
            return [selection]
        below = trail(selection.selections, selection_id)
        if below:
            return [selection, *below]
    return []


def in_force(roster: Roster, force_id: str, change: Callable[[Force], Force]) -> Roster:
    """The roster with one force changed.

    Raises:
        UnknownNode: there is no such force.
    """

    def changed(forces: tuple[Force, ...]) -> tuple[Force, ...] | None:
        for at, force in enumerate(forces):
            if force.id == force_id:
                return (*forces[:at], change(force), *forces[at + 1 :])
            below = changed(force.forces)
            if below is not None:
                return (*forces[:at], replaced(force, forces=below), *forces[at + 1 :])
        return None

    forces = changed(roster.forces)
    if forces is None:
        raise _no_force(force_id)
    return replaced(roster, forces=forces)


def without_force(forces: tuple[Force, ...], force_id: str) -> tuple[Force, ...] | None:
    """Forces without the one with an id; None when it is not among them."""
    for at, force in enumerate(forces):
        if force.id == force_id:
            return (*forces[:at], *forces[at + 1 :])
        below = without_force(force.forces, force_id)
        if below is not None:
            return (*forces[:at], replaced(force, forces=below), *forces[at + 1 :])
    return None


Splice = Callable[[tuple[Selection, ...], int], tuple[Selection, ...]]


def _splice(selections: tuple[Selection, ...], selection_id: str, splice: Splice) -> tuple[Selection, ...] | None:
    for at, selection in enumerate(selections):
        if selection.id == selection_id:
            return splice(selections, at)
        below = _splice(selection.selections, selection_id, splice) if selection.selections else None
        if below is not None:
            return (*selections[:at], replaced(selection, selections=below), *selections[at + 1 :])
    return None


def _spliced(roster: Roster, selection_id: str, splice: Splice) -> Roster:
    def changed(forces: tuple[Force, ...]) -> tuple[Force, ...] | None:
        for at, force in enumerate(forces):
            selections = _splice(force.selections, selection_id, splice)
            if selections is not None:
                return (*forces[:at], replaced(force, selections=selections), *forces[at + 1 :])
            below = changed(force.forces)
            if below is not None:
                return (*forces[:at], replaced(force, forces=below), *forces[at + 1 :])
        return None

    forces = changed(roster.forces)
    if forces is None:
        raise _no_selection(selection_id)
    return replaced(roster, forces=forces)


def with_selection(roster: Roster, selection_id: str, change: Callable[[Selection], Selection | None]) -> Roster:
    """The roster with one selection changed, or taken away when `change` gives None.

    Raises:
        UnknownNode: there is no such selection.
    """

    def splice(siblings: tuple[Selection, ...], at: int) -> tuple[Selection, ...]:
        changed = change(siblings[at])
        return (*siblings[:at], *(() if changed is None else (changed,)), *siblings[at + 1 :])

    return _spliced(roster, selection_id, splice)


def beside(roster: Roster, selection_id: str, copy: Selection) -> Roster:
    """The roster with a copy of a selection, behind the last of its siblings that bears its name (§20)."""

    def splice(siblings: tuple[Selection, ...], at: int) -> tuple[Selection, ...]:
        name = siblings[at].name
        behind = max(number for number, one in enumerate(siblings) if one.name == name) + 1
        return (*siblings[:behind], copy, *siblings[behind:])

    return _spliced(roster, selection_id, splice)


def added(roster: Roster, parent_id: str, selection: Selection) -> Roster:
    """The roster with a selection more under a force or selection."""
    if any(force.id == parent_id for force in roster.all_forces()):
        return in_force(roster, parent_id, lambda force: replaced(force, selections=(*force.selections, selection)))
    return with_selection(roster, parent_id, lambda node: replaced(node, selections=(*node.selections, selection)))
