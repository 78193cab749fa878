"""What is counted down of a unit at the table, on a screen and in the boxes of a card: models, and wounds of each."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from armybuilder.armylists.list_sheet import SheetModels, SheetUnit

_MEASURES = {
    "wounds": ("w", "wounds", "р", "ран", "раны", "ранения"),
    "hull": ("hp", "hull points", "пк", "хп"),
    "damage": ("dc", "damage capacity"),
    "health": ("health",),
}
"""What one model takes, and the characteristics that say how much, in small letters."""

_MEASURE_OF = {name: measure for measure, names in _MEASURES.items() for name in names}


@dataclass(frozen=True, slots=True)
class CountedModels:
    """Models of one kind.

    Attributes:
        key: of their counter, within the unit.
        wounds: that one of them takes, at least 1.
        measure: what these are: wounds, hull (points of a vehicle), damage (capacity of a war engine), health.
        is_apart: they are another unit, bought for this one; its strength is told without them.
    """

    key: str
    name: str
    number: int
    wounds: int
    measure: str = "wounds"
    is_apart: bool = False

    @property
    def total(self) -> int:
        """Wounds of all of them."""
        return self.number * self.wounds


def models_of(unit: SheetUnit) -> Iterator[CountedModels]:
    """Its models kind by kind; a character whose retinue stands inside him is the first of them."""
    kinds = list(unit.models)
    own = unit.name.casefold()
    profiles = {title for title, _ in _counted(unit)}
    named = {kind.name.casefold() for kind in kinds}
    # A squad's profile that bears its name is that of all its models, or of those that have none of their own.
    are_told = all(any(title in name for title in profiles - {own}) for name in named)
    if own in profiles and profiles != {own} and own not in named and (unit.is_character or are_told):
        kinds.insert(0, SheetModels(unit.name, 1, ()))
    told = [(kind, False) for models in kinds for kind in models.kinds]
    told += [(kind, True) for models in unit.attached for kind in models.kinds]
    for place, ((number, name), is_apart) in enumerate(told):
        measure, wounds = _wounds(unit, name)
        yield CountedModels(f"m{place}", name, max(number, 1), wounds, measure, is_apart)


def _wounds(unit: SheetUnit, name: str) -> tuple[str, int]:
    """What one model takes and how much: by the profile of its name, that of the unit's, or the first there is."""
    counted = _counted(unit)
    wanted = name.casefold()
    own = unit.name.casefold()
    fits: tuple[Callable[[str], bool], ...] = (
        lambda title: title == wanted,
        lambda title: title in wanted,
        lambda title: title == own,
        lambda title: wanted in title,
    )
    for is_meant in fits:
        for title, found in counted:
            if is_meant(title):
                return found
    return counted[0][1] if counted else ("wounds", 1)


def _counted(unit: SheetUnit) -> list[tuple[str, tuple[str, int]]]:
    """Names of its profiles that tell wounds, in small letters, and how many."""
    known = ((row.name.casefold(), row.characteristics) for row in unit.profiles)
    return [(title, found) for title, values in known if (found := _number(values)) is not None]


def _number(characteristics: tuple[tuple[str, str], ...]) -> tuple[str, int] | None:
    for name, value in characteristics:
        measure = _MEASURE_OF.get(name.casefold())
        if measure and (match := re.match(r"\d{1,2}", value)):
            return measure, max(int(match[0]), 1)
    return None
