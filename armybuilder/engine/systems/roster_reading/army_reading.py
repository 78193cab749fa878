"""A roster read as the army document of a game, and where each part of it came from."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from itertools import product
from typing import Any, Generic, TypeVar, cast

from msgspec import Struct
from msgspec.structs import replace

from armybuilder.engine.findings import Finding, Text
from armybuilder.engine.points import Number
from armybuilder.engine.roster.state import ForceState, RosterError, RosterState, SelectionState
from armybuilder.engine.systems.roster_reading.notes import Notes
from armybuilder.engine.systems.roster_reading.points_cost import points_type
from armybuilder.engine.systems.roster_reading.stored_facts import CommonUnitFacts
from armybuilder.engine.systems.roster_reading.unit_reader import RosterUnit

Army = TypeVar("Army")
Facts = TypeVar("Facts")
T = TypeVar("T")


class Consequences(Struct, frozen=True):
    """What is not told beside a finding, because it goes away with its cause.

    Attributes:
        rule: of the finding.
        answered, set_aside: as of `ArmyReading`.
    """

    rule: str
    answered: tuple[RosterError, ...]
    set_aside: frozenset[tuple[str, str]]


class ArmyReading(Struct, Generic[Army], frozen=True):
    """An army document made of a roster.

    Attributes:
        army: what the rulebook checks.
        places: pointer into the army -> node id, for every part of it that a finding may name.
        findings: BS-05, what was not recognised, and what a game says of the roster itself; `at` points into the
            stored roster.
        alliances: by the force of each ally, the level of the alliance, empty where the rules do not say it; only of
            games whose alliances are no detachments of one army.
        answered: objections of the data to what the rulebook judges itself, by its own reading and with facts that
            the data cannot see; they are neither told nor counted.
        set_aside: rules of the book whose question the data has answered already, each with the pointer into the army
            below which it has; empty for all of it.
        consequences: what follows from single findings and is told with them alone.
    """

    army: Army
    places: dict[str, str]
    findings: tuple[Finding, ...]
    alliances: dict[str, str] = {}
    answered: tuple[RosterError, ...] = ()
    set_aside: frozenset[tuple[str, str]] = frozenset()
    consequences: tuple[Consequences, ...] = ()

    def beside(self, findings: Iterable[Finding]) -> "ArmyReading[Army]":
        """The reading beside these findings of the rulebook: what one of them has for consequence is left out."""
        told = {finding.rule for finding in findings}
        follow = [one for one in self.consequences if one.rule in told]
        answered = (error for one in follow for error in one.answered)
        set_aside = self.set_aside.union(*(one.set_aside for one in follow))
        return replace(self, answered=(*self.answered, *answered), set_aside=set_aside)

    def tells(self, finding: Finding) -> bool:
        """Whether a finding of the rulebook is told, because the data has not answered its question."""
        at = f"{finding.at or ''}/"
        return not any(rule == finding.rule and at.startswith(f"{place}/") for rule, place in self.set_aside)


class ArmyTranslator(ABC, Generic[Facts, Army]):
    """A roster on its way to the army document of its game; a game says in `translation` how.

    Attributes:
        facts: what the stored list says besides its roster.
        points_limit: agreed for the list; None while there is none.
        alliance_levels: recorded level by (army, ally), in any spelling of their names.
        points_type: id of the cost that is points.
        places: pointer into the army -> node id, filled on the way.
        unit_of: node id of a selection -> that of its unit, filled on the way.
    """

    def __init__(
        self,
        state: RosterState,
        facts: Facts,
        points_limit: Number | None,
        alliance_levels: Mapping[tuple[str, str], str],
    ) -> None:
        self.state = state
        self.facts = facts
        self.points_limit = points_limit
        self.alliance_levels = alliance_levels
        self.points_type = points_type(state.cost_types)
        self.notes = Notes(state)
        self.unrecognised = self.notes.unrecognised
        self.places: dict[str, str] = {}
        self.unit_of: dict[str, str] = {}

    @classmethod
    def translate(
        cls,
        state: RosterState,
        facts: Facts,
        *,
        points_limit: Number | None,
        alliance_levels: Mapping[tuple[str, str], str],
    ) -> ArmyReading[Army]:
        """The roster as the army document."""
        return cls(state, facts, points_limit, alliance_levels).translation()

    def roots(
        self, force: ForceState, known: Callable[[str], T | None], holds_models: Callable[[SelectionState], bool]
    ) -> Iterator[tuple[SelectionState, T | None]]:
        """The selections of a force that hold units, with what their category is known as; the others are noted.

        Args:
            known: what a category's name stands for in the game; None where it recognises none.
            holds_models: whether there are models in a selection, whatever its category.
        """
        for selection in force.selections:
            category = selection.primary_category
            found = known(category.name) if category else None
            if found is None and not holds_models(selection):
                self.note(selection)
            else:
                yield selection, found

    def read_once(self, root: SelectionState, how: Hashable, units: Callable[[], Iterable[T]]) -> tuple[T, ...]:
        """The units of a root selection: those read before where neither it nor `how` has changed since.

        An edit leaves the states of whatever it does not touch as they are; to read them again is most of what the
        translation costs.

        Args:
            how: everything that the reading depends on besides the selection.
            units: reads them, and says what it does not recognise in them to `self.unrecognised`.
        """
        key = (type(self), self.points_type, how)
        reading = root.reading  # looked at once: another thread may read it otherwise meanwhile
        if reading is None or reading[0] != key:
            said: list[tuple[str, str, str]] = []
            self.unrecognised = lambda *words: said.append(words)
            try:
                reading = root.reading = (key, (tuple(units()), tuple(said)))
            finally:
                self.unrecognised = self.notes.unrecognised
        found, told = cast(tuple[tuple[T, ...], tuple[tuple[str, str, str], ...]], reading[1])
        for words in told:
            self.unrecognised(*words)
        return found

    def note(self, selection: SelectionState) -> None:
        """Say of a selection without models what is not checked of it; nothing, unless a game says otherwise."""

    def place_unit(self, at: str, unit: RosterUnit[Any]) -> None:
        """Note where a unit and its groups of models came from."""
        self.places[at] = unit.node_id
        self.places |= {f"{at}/models/{number}": group for number, group in enumerate(unit.groups)}

    def facts_about(
        self,
        unit: RosterUnit[Any],
        facts: Mapping[str, Struct],
        *,
        nothing: Struct,
        other_units: Collection[str],
        gone: Text,
    ) -> dict[str, object]:
        """What the player states about a unit, by the members of the game's own facts that say something.

        Args:
            facts: by the id of any selection of a unit.
            nothing: facts that say nothing.
            other_units: members that name a selection of another unit, which is looked up.
            gone: how the sentence ends that the other unit is no longer there, begun with this unit's name.
        """
        found: dict[str, object] = {}
        own = (fact for node_id, fact in facts.items() if self.unit_of.get(node_id) == unit.node_id)
        members = [member for member in nothing.__struct_fields__ if member not in CommonUnitFacts.__struct_fields__]
        for fact, member in product(own, members):
            value = getattr(fact, member)
            if value == getattr(nothing, member):
                continue
            if member not in other_units:
                found[member] = value
            elif value in self.unit_of:
                found[member] = self.unit_of[value]
            else:
                name = unit.unit.name
                self.unrecognised(unit.node_id, f"{name}: {gone.en}.", f"«{name}»: {gone.ru}.")
        return found

    @abstractmethod
    def translation(self) -> ArmyReading[Army]:
        """The army document, where its parts came from, and what was not recognised."""
