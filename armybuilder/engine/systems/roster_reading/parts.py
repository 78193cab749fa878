"""The units of an army that one root selection holds, each with the selections that are its own."""

from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass
from decimal import Decimal

from armybuilder.engine.roster.state import RosterState, SelectionState
from armybuilder.engine.systems.roster_reading.points_cost import points_type


@dataclass(frozen=True, slots=True)
class Part:
    """A unit of the army inside a root selection; a game's own rules say what is one.

    Attributes:
        node: the selection it is made of.
        role: its role in the army.
        inside: selections below that are units of their own.
        parent: the unit it was bought for; None for the units that fill slots.
        carries: it is the dedicated transport of its parent.
        slots: slots taken in the chart.
        frame: what only stands around it and other units; the first of them pays for it.
        sections: the units that stand in that frame.
    """

    node: SelectionState
    role: str
    inside: tuple[SelectionState, ...] = ()
    parent: "Part | None" = None
    carries: bool = False
    slots: int = 1
    frame: SelectionState | None = None
    sections: tuple[SelectionState, ...] = ()

    def own(self) -> Iterator[SelectionState]:
        """The selections of this unit alone, parents first."""
        return walk_without(self.node, {node.id for node in self.inside})

    def points(self, type_id: str | None) -> Decimal:
        """Its price with options, without the units inside it; nothing where no cost is points."""
        if type_id is None:
            return Decimal(0)
        own = self.node.total(type_id) - sum((node.total(type_id) for node in self.inside), Decimal(0))
        if self.frame is None or not self.is_first:
            return own
        return own + self.frame.total(type_id) - sum((node.total(type_id) for node in self.sections), Decimal(0))

    @property
    def is_first(self) -> bool:
        """Whether it is the first unit of its frame."""
        return self.frame is not None and self.node is self.sections[0]

    def around(self) -> tuple[SelectionState, ...]:
        """The selections of its frame."""
        if self.frame is None:
            return ()
        return tuple(walk_without(self.frame, {node.id for node in self.sections}))


def walk_without(node: SelectionState, others: set[str]) -> Iterator[SelectionState]:
    """A selection and what is below it, parents first, without others and what is below them.

    Args:
        others: ids of the selections to leave out.
    """
    yield node
    for child in node.selections:
        if child.id not in others:
            yield from walk_without(child, others)


def units_without_rows(
    state: RosterState, fighting: Container[str], role_of: Callable[[str], object | None]
) -> tuple[str, ...]:
    """Names of units that cost points and do not fight: the data has no row of their characteristics.

    Args:
        fighting: ids of those that do, whole units or parts of them.
        role_of: the role in the army of a category of the data, by its name; None for what is no unit.
    """
    points = points_type(state.cost_types)
    return tuple(
        selection.shown_name
        for force in state.all_forces()
        for selection in force.selections
        if selection.primary_category is not None and role_of(selection.primary_category.name) is not None
        if points is not None and selection.total(points) and not any(node.id in fighting for node in selection.walk())
    )
