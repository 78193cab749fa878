"""What a player picked: Roster > Force > Selection, an immutable tree whose JSON (msgspec) is the stored form."""

from collections.abc import Iterator
from decimal import Decimal

import msgspec


class Selection(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One entry that was taken.

    Attributes:
        id: unique in its roster, stable over edits.
        entry_id: full path of the entry, link ids first (`L1::L2::entry`).
        group_id: path of the group that directly holds the entry; None outside groups.
        amount: how many there are per parent model; the displayed number is amount x the parent's number.
        name: cache for readers without data.
        custom_name: what the player calls it.
    """

    id: str
    entry_id: str
    group_id: str | None = None
    amount: int = 1
    selections: tuple["Selection", ...] = ()
    name: str = ""
    custom_name: str | None = None
    notes: str | None = None

    def walk(self) -> Iterator["Selection"]:
        """This selection and everything below it, parents first."""
        yield self
        for child in self.selections:
            yield from child.walk()


class Force(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A detachment: a force entry of the game system filled from one catalogue.

    Attributes:
        entry_id: id of the force entry.
        category_notes: what the player wrote on a category, by category id.
        category_names: what the player calls a category, by category id.
        is_arranged: its units stand, within their categories, in the order of `selections` and not by name.
    """

    id: str
    entry_id: str
    catalogue_id: str
    selections: tuple[Selection, ...] = ()
    forces: tuple["Force", ...] = ()
    name: str = ""
    custom_name: str | None = None
    notes: str | None = None
    category_notes: dict[str, str] = {}
    category_names: dict[str, str] = {}
    is_arranged: bool = False

    def walk(self) -> Iterator["Force"]:
        """This force and every force below it, parents first."""
        yield self
        for child in self.forces:
            yield from child.walk()


class Tag(msgspec.Struct, frozen=True, omit_defaults=True):
    """A mark that another program has put on a roster; kept as it is."""

    id: str = ""
    name: str = ""


class Roster(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A whole list as the game data sees it.

    Attributes:
        cost_limits: agreed maximum by cost type id; a missing type or a negative value is no limit.
    """

    id: str
    name: str
    system_id: str
    forces: tuple[Force, ...] = ()
    cost_limits: dict[str, Decimal] = {}
    notes: str | None = None
    tags: tuple[Tag, ...] = ()

    def all_forces(self) -> Iterator[Force]:
        """Every force, child forces after their parent."""
        for force in self.forces:
            yield from force.walk()

    def all_selections(self) -> Iterator[Selection]:
        """Every selection of every force, parents first."""
        for force in self.all_forces():
            for selection in force.selections:
                yield from selection.walk()


def pointers(roster: Roster) -> dict[str, str]:
    """JSON pointer into the stored roster for the id of every force and selection."""
    found: dict[str, str] = {}

    def selections(items: tuple[Selection, ...], at: str) -> None:
        for index, selection in enumerate(items):
            here = f"{at}/selections/{index}"
            found[selection.id] = here
            selections(selection.selections, here)

    def forces(items: tuple[Force, ...], at: str) -> None:
        for index, force in enumerate(items):
            here = f"{at}/forces/{index}"
            found[force.id] = here
            selections(force.selections, here)
            forces(force.forces, here)

    forces(roster.forces, "")
    return found
