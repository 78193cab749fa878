"""What the evaluation of a roster says: effective names, costs, profiles, categories and errors, ready to be shown."""

import re
from collections.abc import Callable, Hashable, Iterator
from copy import copy
from decimal import Decimal
from enum import StrEnum

import msgspec

from armybuilder.engine.gamedata.library_facts import CostType
from armybuilder.engine.roster.model import Roster

ZERO = Decimal(0)
_BETWEEN_GROUPS = re.compile("::(?!:)")


class Cost(msgspec.Struct, frozen=True):
    """An amount of one cost type."""

    type_id: str
    name: str
    value: Decimal
    hidden: bool = False


class ProfileState(msgspec.Struct, frozen=True, kw_only=True):
    """A table row with its effective values, in the order of the profile."""

    id: str
    name: str
    type_id: str
    type_name: str
    characteristics: tuple[tuple[str, str], ...]
    characteristic_ids: tuple[str, ...] = ()
    page: str | None = None
    publication_id: str | None = None
    publication_name: str | None = None
    hidden: bool = False

    def value(self, name: str) -> str | None:
        """The value of the characteristic with this name; None when the profile has none."""
        return next((value for key, value in self.characteristics if key == name), None)


class RuleState(msgspec.Struct, frozen=True, kw_only=True):
    """A named rule with its effective text."""

    id: str
    name: str
    description: str
    page: str | None = None
    publication_id: str | None = None
    publication_name: str | None = None
    hidden: bool = False


class CategoryState(msgspec.Struct, frozen=True, kw_only=True):
    """A category of a force or a selection.

    Attributes:
        id: id of the category entry.
        minimum, maximum: limits on selections of it in this force (force categories only); None means none.
        current: selections of it in this force (force categories only).
    """

    id: str
    name: str
    primary: bool = False
    hidden: bool = False
    link_id: str | None = None
    page: str | None = None
    publication_id: str | None = None
    custom_name: str | None = None
    notes: str | None = None
    minimum: Decimal | None = None
    maximum: Decimal | None = None
    current: int = 0


class PublicationState(msgspec.Struct, frozen=True):
    """A book the data cites."""

    id: str
    name: str


class ErrorKind(StrEnum):
    """What sort of objection a roster error is."""

    MIN = "min"
    MAX = "max"
    HIDDEN = "hidden"
    LIMIT = "limit"
    CYCLE = "cycle"
    MISSING = "missing"
    MESSAGE = "message"
    """What the data itself says is wrong."""
    NOTICE = "notice"
    """What the data wants to be read; the list is no less legal for it."""


class RosterError(msgspec.Struct, frozen=True, kw_only=True):
    """One objection of the game data.

    Attributes:
        message: BattleScribe's words, English.
        owner_type: roster, force, category or selection: what is at fault.
        owner_id: id of that roster, force or selection; for a category its category id.
        owner_entry_id: id of the entry the owner was made from.
        entry_id: node the constraint is written on.
        constraint_id: id of the constraint; `hidden` for a hidden selection, the cost type for a cost limit.
        node_id: the roster node a player should look at: the owner, or the force of a category; None for the roster.
        name: what there is too much or too little of.
        owner_name: effective name of the owner.
        field: `selections`, `forces` or the name of a cost type.
        current, limit: what was counted and what is allowed; None where neither applies.
        whole: what percents are percents of, where that is the agreed size of the game.
        own_words: `message` is the data's own text.
    """

    message: str
    owner_type: str
    owner_id: str
    owner_entry_id: str
    entry_id: str
    constraint_id: str
    kind: ErrorKind
    name: str
    owner_name: str
    node_id: str | None = None
    field: str = "selections"
    current: Decimal | None = None
    limit: Decimal | None = None
    percent: bool = False
    whole: Decimal | None = None
    own_words: bool = False


class SelectionState:
    """An evaluated selection. Profiles and rules are worked out when they are first asked for.

    Attributes:
        number: amount x the parent's number; costs are for that many.
        costs: its own, without its children (`total` includes them).
        selections: in the order players read them: by effective name.
        group_names: names of the groups it stands in, outermost first, joined by `::`.
        at_root: it stands directly under a force.
        missing: the entry does not exist in the library (the data changed); nothing else is known then.
        reading: what a game read out of it last, and how; it goes with the state, and no copy takes it along.
    """

    __slots__ = (
        "_info", "_profiles", "_rules", "amount", "at_root", "categories", "costs", "custom_name", "entry_id",
        "group_id", "group_names",
        "hidden", "id", "missing", "name", "notes", "number", "page", "publication_id", "publication_name",
        "reading", "selections", "type",
    )  # fmt: skip

    id: str
    name: str
    entry_id: str
    group_id: str | None
    group_names: str
    at_root: bool
    type: str
    number: int
    amount: int
    hidden: bool
    missing: bool
    costs: tuple[Cost, ...]
    selections: tuple["SelectionState", ...]
    categories: tuple[CategoryState, ...]
    page: str | None
    publication_id: str | None
    publication_name: str | None
    custom_name: str | None
    notes: str | None

    def __init__(self, info: "Callable[[], Info]") -> None:
        self._info: Callable[[], Info] | None = info
        self._profiles: tuple[ProfileState, ...] = ()
        self._rules: tuple[RuleState, ...] = ()
        self.reading: tuple[Hashable, object] | None = None

    def __copy__(self) -> "SelectionState":
        """The same for a change that is made to it next."""
        other = object.__new__(SelectionState)
        for name in SelectionState.__slots__:
            setattr(other, name, getattr(self, name))
        other.reading = None
        return other

    @property
    def group_path(self) -> tuple[str, ...]:
        """Names of the groups it stands in, outermost first; many a name ends with a colon."""
        return tuple(_BETWEEN_GROUPS.split(self.group_names)) if self.group_names else ()

    @property
    def profiles(self) -> tuple[ProfileState, ...]:
        """Visible profiles: of its categories first, then its own."""
        self._settle()
        return self._profiles

    @property
    def rules(self) -> tuple[RuleState, ...]:
        """Visible rules: of its categories first, then its own."""
        self._settle()
        return self._rules

    def _settle(self) -> None:
        if self._info is not None:
            self._profiles, self._rules = self._info()
            self._info = None

    def renewed(self, selections: "tuple[SelectionState, ...]", info: "Callable[[], Info]") -> "SelectionState":
        """The same with others below it; itself when they are these.

        Args:
            info: gives the same profiles and rules, from an evaluation that is alive anyway.
        """
        if self.selections == selections:
            if self._info is not None:
                self._info = info
            return self
        other = copy(self)
        other.selections = selections
        if self._info is not None:
            other._info = info
        return other

    @property
    def shown_name(self) -> str:
        """The player's name for it, or the effective one."""
        return self.custom_name or self.name

    def cost(self, type_id: str) -> Decimal:
        """Its own cost of this type, without children."""
        return next((cost.value for cost in self.costs if cost.type_id == type_id), ZERO)

    def total(self, type_id: str) -> Decimal:
        """Its cost of this type with everything below it."""
        return self.cost(type_id) + sum((child.total(type_id) for child in self.selections), ZERO)

    def walk(self) -> Iterator["SelectionState"]:
        """This selection and everything below it, parents first."""
        yield self
        for child in self.selections:
            yield from child.walk()

    @property
    def primary_category(self) -> CategoryState | None:
        """The category it fills a slot of; None when uncategorised."""
        return next((category for category in self.categories if category.primary), None)


Info = tuple[tuple[ProfileState, ...], tuple[RuleState, ...]]


class ForceOffer(msgspec.Struct, frozen=True):
    """A force that may be added below another now."""

    entry_id: str
    name: str


class ForceState:
    """An evaluated force.

    Attributes:
        categories: `(No Category)` first, then in the order of the force entry.
        selections: by category order, then effective name.
        below_heading: what the data calls the forces that may be added below it; empty where it has no word for them.
    """

    __slots__ = (
        "_available",
        "_below",
        "_info",
        "_profiles",
        "_rules",
        "below_heading",
        "catalogue_id",
        "catalogue_name",
        "categories",
        "custom_name",
        "entry_id",
        "forces",
        "hidden",
        "id",
        "missing",
        "name",
        "notes",
        "page",
        "publication_id",
        "publications",
        "selections",
    )  # fmt: skip

    id: str
    name: str
    entry_id: str
    catalogue_id: str
    catalogue_name: str
    hidden: bool
    missing: bool
    selections: tuple[SelectionState, ...]
    forces: tuple["ForceState", ...]
    categories: tuple[CategoryState, ...]
    publications: tuple[PublicationState, ...]
    page: str | None
    publication_id: str | None
    custom_name: str | None
    notes: str | None

    def __init__(
        self,
        info: Callable[[], Info],
        available: Callable[[], int],
        below: Callable[[], tuple[ForceOffer, ...]] = tuple,
    ) -> None:
        self._info: Callable[[], Info] | None = info
        self._available = available
        self._below = below
        self.below_heading = ""
        self._profiles: tuple[ProfileState, ...] = ()
        self._rules: tuple[RuleState, ...] = ()

    @property
    def profiles(self) -> tuple[ProfileState, ...]:
        """Visible profiles of the force entry, its catalogue and the game system."""
        self._settle()
        return self._profiles

    @property
    def available_entry_count(self) -> int:
        """Entries of the catalogue that may be taken now: neither hidden nor of a category the force lacks."""
        return self._available()

    @property
    def forces_on_offer(self) -> tuple[ForceOffer, ...]:
        """Forces that may be added below it now: neither hidden nor as many as are allowed, in the data's order."""
        return self._below()

    @property
    def rules(self) -> tuple[RuleState, ...]:
        """Visible rules of the force entry, its catalogue and the game system."""
        self._settle()
        return self._rules

    def _settle(self) -> None:
        if self._info is not None:
            self._profiles, self._rules = self._info()
            self._info = None

    @property
    def shown_name(self) -> str:
        """The player's name for it, or the effective one."""
        return self.custom_name or self.name

    def walk(self) -> Iterator["ForceState"]:
        """This force and every force below it, parents first."""
        yield self
        for child in self.forces:
            yield from child.walk()

    def total(self, type_id: str) -> Decimal:
        """The cost of this type of its own selections, child forces left out."""
        return sum((selection.total(type_id) for selection in self.selections), ZERO)


class RosterState:
    """The answer of `evaluate`: what the roster is worth, what it holds and what the data objects to.

    Attributes:
        costs: every type some selection has; all types at 0 while nothing is selected.
        cost_limits: the limits in force (no row for an unlimited type).
        cost_types: every type of the game data, in its order.
        forces: in the order players read them: by name.
    """

    __slots__ = ("_evaluation", "_nodes", "cost_limits", "cost_types", "costs", "errors", "forces", "roster")

    roster: Roster
    costs: tuple[Cost, ...]
    cost_limits: tuple[Cost, ...]
    cost_types: tuple[CostType, ...]
    forces: tuple[ForceState, ...]
    errors: tuple[RosterError, ...]

    def __init__(self, evaluation: object) -> None:
        self._evaluation = evaluation
        self._nodes: dict[str, ForceState | SelectionState] | None = None

    def cost(self, type_id: str) -> Decimal:
        """The whole roster's cost of this type."""
        return next((cost.value for cost in self.costs if cost.type_id == type_id), ZERO)

    def limit(self, type_id: str) -> Decimal | None:
        """The limit of this type; None when there is none."""
        return next((cost.value for cost in self.cost_limits if cost.type_id == type_id), None)

    def all_forces(self) -> Iterator[ForceState]:
        """Every force, child forces after their parent."""
        for force in self.forces:
            yield from force.walk()

    def all_selections(self) -> Iterator[SelectionState]:
        """Every selection of every force, parents first."""
        for force in self.all_forces():
            for selection in force.selections:
                yield from selection.walk()

    def node(self, node_id: str) -> ForceState | SelectionState | None:
        """The force or selection with this id; None when the roster has none."""
        if self._nodes is None:
            nodes: dict[str, ForceState | SelectionState] = {}
            for force in self.all_forces():
                nodes[force.id] = force
                for selection in force.selections:
                    nodes.update((part.id, part) for part in selection.walk())
            self._nodes = nodes
        return self._nodes.get(node_id)

    def evaluation_of(self, library: object) -> bool:
        """Whether this state was worked out with this very library."""
        return getattr(self._evaluation, "library", None) is library

    @property
    def evaluation(self) -> object:
        """The evaluator's own working state, for `offers`, `explain` and the next `evaluate`."""
        return self._evaluation
