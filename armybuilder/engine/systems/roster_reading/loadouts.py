"""What the models of a unit carry, as game data hangs it on them, before a game reads the words."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from armybuilder.engine.roster.state import ProfileState, SelectionState

MOST_OF_A_WEAPON = 8
"""Copies of one weapon that a single model may carry; data with more is misread."""

CONDITIONAL = re.compile(
    r"\b(against|versus|vs\.?|whenever|when|if|while|until|once|phase|turn)(?=\W|$)", re.IGNORECASE
)
"""Words after which a description states something only under circumstances."""


@dataclass(slots=True)
class Gear:
    """What hangs on models of one kind, or on the whole unit.

    Attributes:
        weapons: of each selection the number taken, its name, and its weapon profiles, which are used one at a time.
        bare: names of selections that the data says nothing more about.
    """

    weapons: list[tuple[int, str, tuple[ProfileState, ...]]] = field(default_factory=list)
    wargear: list[ProfileState] = field(default_factory=list)
    rules: list[str] = field(default_factory=list)
    bare: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Crowd:
    """Models of one selection; `profile` is None when the data shows none."""

    name: str
    count: int
    profile: ProfileState | None
    gear: Gear


@dataclass(slots=True)
class Loadout:
    """A unit: its models, and what belongs to all of them."""

    crowds: list[Crowd]
    shared: Gear

    @property
    def models(self) -> int:
        """Models in the unit."""
        return sum(crowd.count for crowd in self.crowds)

    def carried(self, crowd: Crowd) -> Iterator[tuple[int | None, str, tuple[ProfileState, ...]]]:
        """Weapons of the models of one kind: how many of them have it (None: all), its name and profiles; a weapon
        that each has twice comes twice.

        Weapons of the whole unit arm every model when there are enough of them, else so many of the largest group.
        """
        for number, name, profiles in crowd.gear.weapons:
            copies = min(number // crowd.count, MOST_OF_A_WEAPON)
            yield from [(None, name, profiles)] * copies if copies else [(number, name, profiles)]
        largest = max(self.crowds, key=lambda one: one.count)
        for number, name, profiles in self.shared.weapons:
            if number == 1 or number >= self.models:
                yield from [(None, name, profiles)] * max(1, min(number // self.models, MOST_OF_A_WEAPON))
            elif crowd is largest:
                yield min(number, crowd.count), name, profiles


def gear_of(
    selections: Iterable[SelectionState],
    *,
    is_weapon: Callable[[ProfileState], bool],
    is_wargear: Callable[[ProfileState], bool],
) -> Gear:
    """What some selections say themselves; rules that hang on a weapon explain its profile, which names them."""
    gear = Gear()
    for selection in selections:
        if selection.number <= 0:
            continue
        weapons = tuple(profile for profile in selection.profiles if is_weapon(profile))
        if weapons:
            gear.weapons.append((selection.number, selection.name, weapons))
        if not weapons or selection.type != "upgrade":
            gear.rules += [rule.name.strip() for rule in selection.rules if rule.name.strip() not in gear.rules]
        gear.wargear += [profile for profile in selection.profiles if is_wargear(profile)]
        if selection.type == "upgrade" and not (selection.profiles or selection.rules or selection.selections):
            gear.bare.append(selection.name)
    return gear


def plain_parts(text: str) -> Iterator[tuple[str, bool]]:
    """Of each sentence of a description the part that holds unconditionally, and whether that is all of it."""
    for sentence in re.split(r"(?<=[.;])(?<!\bvs\.)\s+", text):
        part = CONDITIONAL.split(sentence)[0]
        yield part, part == sentence
