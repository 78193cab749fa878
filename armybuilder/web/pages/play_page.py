"""Playing from a list: what of every unit is counted down at the table, and what its owner is reminded of.

The page holds the list; what became of it stands on the player's device (`play.js`).
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal

from django.utils.translation import gettext as _

from armybuilder.armylists.list_sheet import ListSheet, SheetModels, SheetOption, SheetUnit
from armybuilder.engine.systems.game import GAMES
from armybuilder.engine.systems.play_guide import KnownSpell, PlayGuide, PlayPhase, Reaction
from armybuilder.web.formatting import localized

_WOUNDS = ("W", "Wounds", "HP", "Hull Points", "DC", "Р", "Ран", "ПК")
"""Characteristics that say how much one model takes."""

_ONCE = re.compile(
    r"\bone[- ](?:use|shot)\b|\bsingle[- ]use\b|\bonce per (?:game|battle)\b"
    r"|одноразов|раз за (?:игру|битву)|один раз за",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class ModelsInPlay:
    """Models of one kind.

    Attributes:
        key: of their counter, within the unit.
        wounds: that one of them takes, at least 1.
        is_apart: they are another unit, bought for this one; its strength is told without them.
    """

    key: str
    name: str
    number: int
    wounds: int
    is_apart: bool = False

    @property
    def total(self) -> int:
        """Wounds of all of them."""
        return self.number * self.wounds


@dataclass(frozen=True, slots=True)
class ThingInPlay:
    """Something that can be spent: wargear, or a spell that is cast once a turn."""

    key: str
    name: str
    is_once: bool = False


@dataclass(frozen=True, slots=True)
class UnitInPlay:
    """A unit at the table."""

    unit: SheetUnit
    models: tuple[ModelsInPlay, ...]
    things: tuple[ThingInPlay, ...]
    spells: tuple[ThingInPlay, ...]

    @property
    def points(self) -> Decimal:
        """What it is worth; 0 in a game without points."""
        return self.unit.points or Decimal(0)


@dataclass(frozen=True, slots=True)
class PhaseInPlay:
    """A phase as the page shows it."""

    name: str
    reminders: tuple[str, ...]
    reactions: tuple[tuple[str, str, str], ...]
    is_magic: bool


class PlayPage:
    """One list at the table."""

    def __init__(self, sheet: ListSheet) -> None:
        game = GAMES.get(sheet.rule_pack or "")
        self.sheet = sheet
        self.guide: PlayGuide | None = game.play if game is not None else None

    @property
    def phases(self) -> tuple[PhaseInPlay, ...]:
        """The phases of the game, or one that says nothing where the game has no guide."""
        if self.guide is None:
            return (PhaseInPlay(_("Turn"), (), (), False),)
        return tuple(_phase(phase) for phase in self.guide.phases)

    @property
    def units(self) -> tuple[UnitInPlay, ...]:
        """The units of the list, in its order."""
        return tuple(self.unit_in_play(unit) for unit in self.sheet.units)

    def unit_in_play(self, unit: SheetUnit) -> UnitInPlay:
        """A unit with what is counted of it."""
        once = {
            weapon.name.casefold() for weapon in unit.weapons if any(_ONCE.search(v) for _, v in weapon.characteristics)
        }
        once |= self.guide.one_use if self.guide is not None else frozenset()
        names = dict.fromkeys(_carried(unit))
        names.update((rule, None) for rule in unit.rules if _ONCE.search(rule))
        things = [
            ThingInPlay(f"t{number}", name, name.casefold() in once or _ONCE.search(name) is not None)
            for number, name in enumerate(names)
        ]
        return UnitInPlay(
            unit=unit,
            models=tuple(_models_of(unit)),
            things=tuple(sorted(things, key=lambda thing: not thing.is_once)),
            spells=tuple(
                ThingInPlay(f"s{number}", f"{localized(spell.name)} {spell.value}".strip())
                for number, spell in enumerate(self._spells(unit))
            ),
        )

    def _spells(self, unit: SheetUnit) -> Iterable[KnownSpell]:
        """Spells of the lores that the unit names, each lore once."""
        if self.guide is None or not self.guide.lores:
            return ()
        said = " ".join([*unit.facts, *_carried(unit), *unit.rules]).casefold()
        found: dict[KnownSpell, None] = {}
        for lore, spells in self.guide.lores.items():
            if re.search(rf"\b{re.escape(lore)}\b", said):
                found.update(dict.fromkeys(spells))
        return found


def _carried(unit: SheetUnit) -> Iterable[str]:
    """Everything in a unit that is no model, on all levels."""

    def names(options: tuple[SheetOption, ...]) -> Iterable[str]:
        for option in options:
            if not option.is_model:
                yield option.name
            yield from names(option.options)

    return names(unit.options)


def _models_of(unit: SheetUnit) -> Iterator[ModelsInPlay]:
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
        yield ModelsInPlay(f"m{place}", name, max(number, 1), _wounds(unit, name), is_apart)


def _wounds(unit: SheetUnit, name: str) -> int:
    """What one model takes: by the profile of its name, that of the unit's, or the first there is."""
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
    return counted[0][1] if counted else 1


def _counted(unit: SheetUnit) -> list[tuple[str, int]]:
    """Names of its profiles that tell wounds, in small letters, and how many."""
    known = ((row.name.casefold(), dict(row.characteristics)) for row in unit.profiles)
    return [(title, found) for title, values in known if (found := _number(values)) is not None]


def _number(values: dict[str, str]) -> int | None:
    for name in _WOUNDS:
        if match := re.match(r"\d{1,2}", values.get(name, "")):
            return max(int(match[0]), 1)
    return None


def _phase(phase: PlayPhase) -> PhaseInPlay:
    return PhaseInPlay(
        name=localized(phase.name),
        reminders=tuple(localized(text) for text in phase.reminders),
        reactions=tuple(_reaction(one) for one in phase.reactions),
        is_magic=phase.is_magic,
    )


def _reaction(one: Reaction) -> tuple[str, str, str]:
    return localized(one.name), localized(one.when), one.source
