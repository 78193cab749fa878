"""A unit of a roster, read once: its models, what they carry, what hangs on all of them, and what is not understood.

A game says which rows of its data are models, weapons and wargear, and which selections are models. It makes two things
of a unit that is read so: the unit of its army document, and the fighter.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, NamedTuple, TypeVar

from armybuilder.engine.roster.state import ProfileState, SelectionState
from armybuilder.engine.systems.roster_reading.counted_names import carried_in_name, counted, words
from armybuilder.engine.systems.roster_reading.loadouts import (
    Crowd,
    Exchanged,
    Gear,
    Key,
    Loadout,
    Most,
    Untouched,
    alike,
    gear_of,
    given_by_nobody,
    key_of,
    models_in,
    none_exchanged,
    none_untouched,
    rows_left_out,
    unlimited,
)
from armybuilder.engine.systems.roster_reading.notes import Unrecognised, ignored, say_missing
from armybuilder.engine.systems.roster_reading.parts import Part

U = TypeVar("U")


@dataclass(frozen=True, slots=True)
class RosterUnit(Generic[U]):
    """A unit of an army document with the selections it was made of.

    Attributes:
        ids: every selection that is part of it.
        groups: the node of each group of models, where the document tells them apart.
        leads: the data marks the warlord or General in it.
    """

    unit: U
    node_id: str
    ids: frozenset[str]
    groups: tuple[str, ...] = ()
    leads: bool = False


class Standing(NamedTuple):
    """What of a root selection stands on the table.

    Attributes:
        models: ids of the selections that are models, of its unit or of one inside it.
        apart: ids of the selections inside that are units of their own, bought for it: its transport, a detachment.
    """

    models: frozenset[str]
    apart: frozenset[str]


class ModelRow(NamedTuple):
    """The models of one selection.

    Attributes:
        profile: their characteristics; None where the data shows none.
        own: their selections, that of the models first.
        name: what a fight calls them.
        is_gun: a gun with a crew beside it.
    """

    node: SelectionState
    profile: ProfileState | None
    own: tuple[SelectionState, ...]
    name: str
    is_gun: bool = False


class UnitReader(ABC):
    """Reads one unit of a roster: its selections, and what of them is not recognised.

    Args:
        points_type: id of the cost that is points; None for none.
        unrecognised: told what is not recognised.
    """

    def __init__(self, part: Part, *, points_type: str | None, unrecognised: Unrecognised = ignored) -> None:
        self.part = part
        self.node = part.node
        self.points_type = points_type
        self.unrecognised = unrecognised
        self.own = tuple(part.own())
        self.ids = frozenset(node.id for node in self.own)

    @staticmethod
    @abstractmethod
    def is_model(row: ProfileState, /) -> bool:
        """Whether a row of game data holds the characteristics of a model."""

    @classmethod
    def model_rows(cls, node: SelectionState) -> list[ProfileState]:
        """The rows of characteristics that a selection shows."""
        return [row for row in node.profiles if cls.is_model(row)]

    @classmethod
    def model_row(cls, node: SelectionState) -> ProfileState | None:
        """The first of them."""
        return next((row for row in node.profiles if cls.is_model(row)), None)

    def say(self, node: SelectionState, en: str, ru: str) -> None:
        """Say what of a selection is not recognised, as the rest of a sentence about it."""
        self.unrecognised(node.id, f"{node.shown_name}: {en}.", f"«{node.shown_name}»: {ru}.")

    def say_missing(self) -> None:
        """Say which of its entries are gone from the game data."""
        for node in self.own:
            say_missing(node, self.unrecognised)

    def say_unreadable(self, node: SelectionState, row: ProfileState, texts: Iterable[str]) -> None:
        """Say which characteristics of a row are no numbers."""
        for text in texts:
            self.unrecognised(
                node.id,
                f"{row.name}: the characteristic {text!r} is no number and is not checked.",
                f"«{row.name}»: характеристика «{text}» не число и не проверяется.",
            )

    def say_empty(self, node: SelectionState, row: ProfileState, names: Sequence[str]) -> None:
        """Say which characteristics of a row the data leaves empty."""
        if names:
            self.unrecognised(
                node.id,
                f"{row.name}: the game data leaves {', '.join(names)} empty; nothing is checked by it.",
                f"«{row.name}»: в данных игры не заполнено: {', '.join(names)}; это не проверяется.",
            )


def standing(parts: Iterable[Part], models_in_part: Callable[[Part], Iterable[SelectionState]]) -> Standing | None:
    """What of a root selection stands on the table; None where no models of its own are recognised.

    Args:
        parts: the units in it, its own first.
        models_in_part: the selections of a unit that are its models.
    """
    models: set[str] = set()
    apart: set[str] = set()
    for part in parts:
        found = {node.id for node in models_in_part(part)}
        if part.parent is not None:
            apart.add(part.node.id)
        elif not found:
            return None
        models |= found
    return Standing(frozenset(models), frozenset(apart))


def is_promotion(before: str, after: str) -> bool:
    """Whether one row is what an upgrade makes of another: "Space Marine Vet Sgt." of a "Space Marine Sgt."."""
    return set(before.casefold().split()) < set(after.casefold().split())


class LoadoutReader(UnitReader):
    """Reads a unit of a game whose data hangs weapons and other gear on models, or on the whole unit."""

    @staticmethod
    @abstractmethod
    def is_weapon(row: ProfileState, /) -> bool:
        """Whether it is a weapon."""

    @staticmethod
    @abstractmethod
    def is_wargear(row: ProfileState, /) -> bool:
        """Whether it tells what other gear does."""

    @abstractmethod
    def find_models(self) -> Iterator[ModelRow]:
        """The selections that are models; what cannot be read is said."""

    @cached_property
    def models(self) -> tuple[ModelRow, ...]:
        """Its models, in the order of the roster."""
        return tuple(self.find_models())

    @cached_property
    def shared(self) -> tuple[SelectionState, ...]:
        """The selections that hang on no model: they are the whole unit's."""
        on_models = {node.id for row in self.models for node in row.own}
        return tuple(node for node in self.own if node.id not in on_models)

    @cached_property
    def of_unit(self) -> tuple[SelectionState, ...]:
        """The same with the selection of the unit itself, though it be the model."""
        inside = {node.id for row in self.models if row.node is not self.node for node in row.own}
        return tuple(node for node in self.own if node.id not in inside)

    def known(self, name: str) -> tuple[ProfileState, ...]:
        """The rows of a selection of which the data has the name alone, where a game has facts of its own."""
        return ()

    def _known_weapons(self, name: str) -> tuple[ProfileState, ...]:
        return tuple(filter(self.is_weapon, self.known(name)))

    def gear(
        self,
        selections: Iterable[SelectionState],
        times: int = 1,
        most: Most = unlimited,
        *,
        gave: frozenset[Key] = frozenset(),
        worn: bool = True,
    ) -> Gear:
        """What some selections carry, each for so many models.

        Args:
            gave: weapons in whose place others were chosen.
            worn: they are on models, so that what protects counts though the data has its name alone.
        """
        nodes = tuple(selections)
        found = gear_of(
            nodes,
            is_weapon=self.is_weapon,
            is_wargear=self.is_wargear,
            times=times,
            most=most,
            known=self.known if worn else self._known_weapons,
            gave=gave,
        )
        return self.completed(found, nodes, worn=worn)

    def completed(self, gear: Gear, nodes: tuple[SelectionState, ...], *, worn: bool) -> Gear:
        """What a game adds to the gear that these selections carry, or takes from it."""
        return gear

    def _gave(self, exchanged: Exchanged, selections: Iterable[SelectionState]) -> frozenset[Key]:
        """The weapons in whose place something else was taken in some selections."""
        rows = (found for node in selections for found in exchanged(node.id))
        return frozenset(key for found in rows if (key := key_of(filter(self.is_weapon, found))))

    def loadout(
        self,
        most: Most = unlimited,
        untouched: Untouched = none_untouched,
        exchanged: Exchanged = none_exchanged,
    ) -> Loadout | None:
        """Its models with what they carry; None where no model has characteristics.

        Args:
            most: how many of a selection, by its id, the data allows beside it; None for any number.
            untouched: the defaults in a selection of which nothing was taken.
            exchanged: those in whose place something else was taken.
        """
        crowds = []
        for row in self.models:
            if row.node.number <= 0 or row.profile is None:
                continue
            gave = self._gave(exchanged, row.own)
            gear = self.gear(row.own, counted(row.node.name)[0].number, gave=gave)
            crowd = Crowd(row.name, models_in(row.node), row.profile, gear, row.is_gun, gave)
            kept = given_by_nobody(row.node, untouched, self.is_weapon)
            gear.weapons += [weapon for weapon in kept if not crowd.has(weapon)]
            crowds.append(crowd)
        if not crowds:
            return None
        gave = self._gave(exchanged, self.shared)
        return self.in_a_fight(Loadout(alike(crowds), self.gear(self.shared, most=most, gave=gave, worn=False), gave))

    def in_a_fight(self, loadout: Loadout) -> Loadout:
        """How a game counts what is carried where that is not what fights."""
        return loadout

    def left_out(self, loadout: Loadout) -> Iterator[str]:
        """Names of the rows of models and weapons that are nowhere in what it fights with.

        Models without characteristics do not fight, and are named as well.
        """
        yield from (row.name for row in self.models if row.profile is None and row.node.number > 0)
        yield from self._named_alone(loadout)
        used = {row.name for one in loadout.crowds for arms in loadout.carried(one) for row in arms.profiles}
        used |= {one.profile.name for one in loadout.crowds if one.profile is not None}
        used |= {
            before.name
            for row in self.models
            for before in self.model_rows(row.node)
            if row.profile is not None and is_promotion(before.name, row.profile.name)
        }
        left = rows_left_out(self.own, lambda row: self.is_model(row) or self.is_weapon(row), used)
        yield from (name for name in left if not loadout.was_given(name))

    def _named_alone(self, loadout: Loadout) -> Iterator[str]:
        """What models carry by their name alone: "Guard w/ Power Lance & Vexilla", of which the data has no row."""
        issued = {word for weapon in loadout.shared.weapons for word in words(weapon.name)}
        exchanged = " ".join(weapon.holders for weapon in loadout.shared.weapons)
        known = {weapon.name for crowd in loadout.crowds for weapon in crowd.gear.weapons}
        for row in self.models:
            if row.node.number <= 0 or any(map(self.is_weapon, self._rows_on(row))):
                continue
            for part in carried_in_name(row.node.name):
                named = words(part)
                if part in known or not named or "option" in named or named & issued or named <= words(exchanged):
                    continue
                yield part

    @staticmethod
    def _rows_on(row: ModelRow) -> Iterator[ProfileState]:
        yield from (profile for node in row.own for profile in node.profiles)
