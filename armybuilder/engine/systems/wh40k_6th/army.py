"""The 40k 6th edition documents' common parts, and the army document: units, battle actions, detachments."""

from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from armybuilder.engine.systems.list_rules import Characteristics, Document, Override, StrictPart
from armybuilder.engine.systems.notation import (
    Characteristic,
    Count,
    DiceText,
    Items,
    Measure,
    Name,
    Names,
    Points,
    Range,
    RuleNames,
    Strength,
    TargetNumber,
)

NEVER_SNAP = ("template", "hellstorm", "blast", "ordnance", "portal of exile")
"""Words of weapons that never fire snap shots: classes the text names, and its example without BS. Source: L266."""

Penetration = Annotated[str, Meta(pattern=r"^[-–]$")] | Characteristic | None

SLOT_ROLES = ("hq", "troops", "elites", "fast_attack", "heavy_support", "lord_of_war", "fortification")
"""Roles that take a slot of a force organisation chart; any other text takes none."""


def needed(save: str | int | None) -> int | None:
    """The roll a save needs; None when there is no save."""
    if save is None or isinstance(save, int):
        return save
    return int(save[:-1]) if save.endswith("+") else None


class Profile(Characteristics, frozen=True):
    """Characteristics of one model; what plays no part is left out."""

    Inv: TargetNumber = None


class Weapon(StrictPart, frozen=True):
    """A weapon profile."""

    nulls: ClassVar[frozenset[str] | None] = frozenset({"range", "S", "AP"})

    name: Name
    range: Range = None
    S: Strength = None
    AP: Penetration = None
    type: Name | None = None
    shots: DiceText | None = None
    rules: RuleNames = ()
    count: Count | None = None
    override: Override | None = None

    @property
    def reach(self) -> float | None:
        """Maximum range in inches; None when it is not a number of inches."""
        return None if self.range is None or isinstance(self.range, str) else self.range

    @property
    def is_melee(self) -> bool:
        """Whether it is a close combat weapon, which has no range."""
        return (self.type or "").strip().casefold().startswith("melee")

    @property
    def is_heavy(self) -> bool:
        """Whether a model that moved fires it as snap shots."""
        return (self.type or "").strip().casefold().startswith("heavy")

    @property
    def cannot_snap(self) -> bool:
        """Template, blast and ordnance weapons and those that do not use BS never fire snap shots. Source: L266."""
        words = " ".join((*self.rules, self.type or "", str(self.range))).casefold()
        return any(word in words for word in NEVER_SNAP)


class Group(StrictPart, frozen=True):
    """Identical models of a unit."""

    nulls: ClassVar[frozenset[str] | None] = frozenset({"cover"})

    name: Name
    count: Count
    profile: Profile | None = None
    subtypes: Names = ()
    rules: RuleNames = ()
    weapons: Items[Weapon] = ()
    cover: TargetNumber = None

    @property
    def is_character(self) -> bool:
        """Whether the models have the sub-type character."""
        return any(subtype.casefold() == "character" for subtype in self.subtypes)


class Unit(StrictPart, frozen=True):
    """A unit of an army or of its enemy."""

    id: Name
    name: Name
    models: Items[Group]
    points: Points | None = None
    rules: RuleNames = ()
    state: Annotated[
        tuple[Literal["ran", "moved", "locked_in_combat", "gone_to_ground", "falling_back"], ...], Meta(max_length=5)
    ] = ()
    role: Name | None = None
    warlord: bool = False
    unique: bool = False

    @property
    def leadership(self) -> int | None:
        """The highest Leadership any of its profiles gives."""
        return max((g.profile.Ld for g in self.models if g.profile and g.profile.Ld is not None), default=None)


class Action(StrictPart, frozen=True):
    """A battle action to be checked."""

    nulls: ClassVar[frozenset[str] | None] = frozenset({"focus_fire"})

    action: Literal["move", "run", "shoot", "overwatch", "charge", "look_out_sir"]
    unit: Name
    target: Name | None = None
    targets: Names = ()
    weapon: Name | None = None
    snap_shots: bool = False
    distance: Measure | None = None
    line_of_sight: bool = True
    focus_fire: TargetNumber = None
    focus_fire_declared: Literal["before_to_hit", "after_to_hit"] = "before_to_hit"
    model: Name | None = None
    comrades_within_6in: Count | None = None
    attempts_for_this_wound: Count = 0
    roll: Annotated[int, Meta(ge=1, le=6)] | None = None
    gap: Measure | None = None
    nearest_enemy: Measure | None = None


class Detachment(StrictPart, frozen=True):
    """A part of the army with its own force organisation chart."""

    type: Literal["primary", "allied", "fortification", "lord_of_war", "other"]
    units: Items[Unit]
    army: Name | None = None


class Options(StrictPart, frozen=True):
    """Readings of the rules."""

    army_construction: Literal["not_checked", "published"] = "not_checked"


class Army(Document, frozen=True):
    """The army document."""

    points_limit: Points | None = None
    units: Items[Unit] = ()
    detachments: Items[Detachment] = ()
    enemies: Items[Unit] = ()
    actions: Items[Action] = ()
    options: Options = Options()

    @property
    def construction_is_checked(self) -> bool:
        """Whether the published army construction rules apply."""
        return self.options.army_construction == "published"

    def own_units(self) -> list[tuple[str, Unit]]:
        """Every unit of the army with its pointer, inside and outside detachments."""
        return [(f"/units/{index}", unit) for index, unit in enumerate(self.units)] + [
            (f"/detachments/{number}/units/{index}", unit)
            for number, detachment in enumerate(self.detachments)
            for index, unit in enumerate(detachment.units)
        ]

    def all_units(self) -> list[tuple[str, Unit]]:
        """The army's and the enemy's units with their pointers."""
        return self.own_units() + [(f"/enemies/{index}", unit) for index, unit in enumerate(self.enemies)]

    @property
    def total(self) -> int | float:
        """Sum of all prices of the army's units."""
        return sum(unit.points or 0 for _, unit in self.own_units())
