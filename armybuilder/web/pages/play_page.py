"""Playing from a list: what of every unit is counted down at the table, and what its owner is reminded of.

The page holds the list; what became of it stands on the player's device (`play.js`).
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from django.utils.translation import gettext as _

from armybuilder.armylists.counted_models import CountedModels, models_of
from armybuilder.armylists.list_sheet import ListSheet, SheetOption, SheetUnit
from armybuilder.engine.systems.game import GAMES
from armybuilder.engine.systems.play_guide import KnownSpell, PlayGuide, PlayPhase, Reaction
from armybuilder.web.formatting import localized

_ONCE = re.compile(
    r"\bone[- ](?:use|shot)\b|\bsingle[- ]use\b|\bonce per (?:game|battle)\b"
    r"|одноразов|раз за (?:игру|битву)|один раз за",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class ThingInPlay:
    """Something that can be spent: wargear, or a spell that is cast once a turn."""

    key: str
    name: str
    is_once: bool = False


@dataclass(frozen=True, slots=True)
class ModelsInPlay:
    """Models of one kind, and how what they take is called: the vehicle has hull points and no wounds.

    Attributes:
        measure: before the number that is left.
        lost: what the button that counts one off says.
    """

    models: CountedModels
    measure: str
    lost: str


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
            models=tuple(map(_in_play, models_of(unit))),
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


def _in_play(models: CountedModels) -> ModelsInPlay:
    measure, lost = {
        "wounds": (_("wounds:"), _("one wound or model lost")),
        "hull": (_("hull points:"), _("one hull point or model lost")),
        "damage": (_("damage capacity:"), _("one point of damage or model lost")),
        "health": (_("health:"), _("one point of health or model lost")),
    }[models.measure]
    return ModelsInPlay(models, measure, lost)


def _carried(unit: SheetUnit) -> Iterable[str]:
    """Everything in a unit that is no model, on all levels."""

    def names(options: tuple[SheetOption, ...]) -> Iterable[str]:
        for option in options:
            if not option.is_model:
                yield option.name
            yield from names(option.options)

    return names(unit.options)


def _phase(phase: PlayPhase) -> PhaseInPlay:
    return PhaseInPlay(
        name=localized(phase.name),
        reminders=tuple(localized(text) for text in phase.reminders),
        reactions=tuple(_reaction(one) for one in phase.reactions),
        is_magic=phase.is_magic,
    )


def _reaction(one: Reaction) -> tuple[str, str, str]:
    return localized(one.name), localized(one.when), one.source
