"""The matchup document of the Horus Heresy as frozen Structs: sides, models, weapons and circumstances."""

import re
from functools import cached_property
from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct, field

from armybuilder.engine.combat.dice import Dice, parse
from armybuilder.engine.systems.matchups import Matchup
from armybuilder.engine.systems.notation import (
    Characteristic,
    Count,
    DiceText,
    Distance,
    Items,
    Name,
    Names,
    Number,
    Positive,
    RuleNames,
    SomeItems,
    Strength,
    TargetNumber,
)

UnitType: TypeAlias = Literal[
    "infantry", "cavalry", "automata", "dreadnought", "daemon", "primarch", "vehicle", "fortification"
]
WEAPON_TYPES = ("Assault", "Rapid Fire", "Heavy", "Pistol", "Ordnance", "Destroyer", "Bomb", "Melee")


class Part(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Any part of the document: unknown members are refused, members with their default value are not written."""


class ArmourFacings(Part, frozen=True, kw_only=True):
    """Armour values of a vehicle by facing."""

    front: Count | None = None
    side: Count | None = None
    rear: Count | None = None


class Statline(Part, frozen=True, kw_only=True):
    """Characteristics of one model; a vehicle has armour and hull points."""

    movement: Count | None = field(default=None, name="M")
    weapon_skill: Count | None = field(default=None, name="WS")
    ballistic_skill: Count | None = field(default=None, name="BS")
    strength: Count | None = field(default=None, name="S")
    toughness: Count | None = field(default=None, name="T")
    wounds: Count | None = field(default=None, name="W")
    initiative: Count | None = field(default=None, name="I")
    attacks: Count | None = field(default=None, name="A")
    leadership: Count | None = field(default=None, name="Ld")
    armour_save: TargetNumber = field(default=None, name="Sv")
    invulnerable_save: TargetNumber = field(default=None, name="Inv")
    feel_no_pain: TargetNumber = field(default=None, name="FNP")
    armour: Count | ArmourFacings | None = field(default=None, name="AV")
    hull_points: Count | None = field(default=None, name="HP")


class Override(Part, frozen=True, kw_only=True):
    """Replaces steps of an attack that has no profile behind it."""

    to_hit: TargetNumber = None
    to_wound: TargetNumber = None
    hits: DiceText | None = None
    wounds: DiceText | None = None


class Weapon(Part, frozen=True, kw_only=True):
    """One weapon profile; `count` models of the group use it, by default all."""

    name: Name
    type: Annotated[str, Meta(pattern=rf"^({'|'.join(WEAPON_TYPES)})( (\d{{1,3}}|\d{{0,3}}D(3|6)([+-]\d{{1,3}})?))?$")]
    range: Distance | Literal["Template", "Hellstorm", "-", "–"] | None = None
    strength: Strength = field(default=None, name="S")
    armour_piercing: Characteristic | Literal["-", "–"] | None = field(default=None, name="AP")
    shots: DiceText | None = None
    rules: RuleNames = ()
    count: Count | None = None
    override: Override | None = None

    @property
    def kind(self) -> str:
        """The weapon type without its number of shots."""
        return self.type.rstrip("0123456789D+- ") if self.type not in WEAPON_TYPES else self.type

    @property
    def dice(self) -> Dice:
        """Shots of one firing model (of Rapid Fire: beyond half range)."""
        if self.shots is not None:
            return parse(self.shots)
        number = self.type.removeprefix(self.kind).strip()
        return parse(number or 1)

    @property
    def ap(self) -> int | None:
        """AP, None for a dash."""
        return self.armour_piercing if isinstance(self.armour_piercing, int) else None

    @property
    def reach_inches(self) -> float | None:
        """Range in inches; None for templates and where nothing is said."""
        return self.range if isinstance(self.range, int | float) else None


class Group(Part, frozen=True, kw_only=True, dict=True):
    """Identical models.

    Attributes:
        wounds_left: of the one damaged model; hull_points_left likewise.
    """

    name: Name
    count: Count
    type: UnitType = "infantry"
    subtypes: Names = ()
    profile: Statline = Statline()
    rules: RuleNames = ()
    weapons: Items[Weapon] = ()
    cover: TargetNumber = None
    immobilised: bool = False
    wounds_left: Positive | None = None
    hull_points_left: Positive | None = None

    def is_a(self, *names: str) -> bool:
        """Whether the group has one of these types or sub-types (lower case, underscores)."""
        return not self._types.isdisjoint(names)

    @cached_property
    def _types(self) -> frozenset[str]:
        subtypes = (re.sub(r"[\s\-]+", "_", text.strip().casefold()) for text in self.subtypes)
        return frozenset((self.type, *subtypes))

    @property
    def is_zooming(self) -> bool:
        """A Flyer that does not hover (L2371, L2423)."""
        return self.is_a("flyer") and not self.is_a("hover")

    @property
    def has_armour_value(self) -> bool:
        """Vehicles and buildings: hit on armour, with hull points."""
        return self.type == "vehicle" or (self.type == "fortification" and self.profile.armour is not None)


class Side(Part, frozen=True, kw_only=True, dict=True):
    """One side of the matchup."""

    name: Name | None = None
    models: SomeItems[Group]
    rules: RuleNames = ()
    charged: bool = False
    disordered_charge: bool = False
    moved: bool = False
    cover: TargetNumber = None
    reaction: Literal["none", "evade"] = "none"
    psychic_check: Literal["not_used", "attempted"] = "not_used"

    @cached_property
    def has_character(self) -> bool:
        """Whether somebody in it can fight a challenge."""
        return any(group.count and group.is_a("character", "primarch") for group in self.models)

    @cached_property
    def count(self) -> int:
        """All models."""
        return sum(group.count for group in self.models)

    @property
    def is_lone_character(self) -> bool:
        """Whether it is one Character, all by himself."""
        return self.count == 1 and self.has_character

    @property
    def is_motley(self) -> bool:
        """Whether it matters which of its models a wound goes to."""
        present = {
            msgspec.structs.replace(group, name="", count=1)
            for group in self.models
            if group.count and not group.has_armour_value
        }
        return len(present) > 1

    @property
    def may_be_hurt(self) -> bool:
        """Whether a model in it can survive a wound with a lower Toughness (L1611, L3245)."""
        return any(
            group.count and not group.has_armour_value and group.type != "primarch" and (group.profile.wounds or 1) > 1
            for group in self.models
        )

    @property
    def makes_checks(self) -> bool:
        """Whether its psykers make psychic checks before they strike."""
        return self.psychic_check == "attempted" or any(
            "psychic focus" in rule.casefold() for group in self.models for w in group.weapons for rule in w.rules
        )

    @property
    def is_a_machine(self) -> bool:
        """Whether there are Vehicles, Dreadnoughts or Automata in it, which a Shock Pulse stuns."""
        return any(group.count and group.is_a("vehicle", "dreadnought", "automata") for group in self.models)


class Conditions(Part, frozen=True, kw_only=True):
    """Circumstances of the attack or test."""

    distance: Distance | None = None
    half_range: bool | None = None
    snap_shots: bool = False
    facing: Literal["front", "side", "rear"] | None = None
    models_covered: DiceText | None = None
    combat_round: Positive = 1
    models_in_contact: Count | None = None
    lost_combat_by: Count | None = None
    leadership_modifier: Number = field(default=0, name="Ld_modifier")
    difficult_terrain: bool = False
    multiple_combat: bool = False
    night_fighting: bool = False


Reaction = Literal["none", "return_fire", "overwatch", "hold_the_line", "death_or_glory"]


class AttackConditions(Conditions, frozen=True, kw_only=True):
    """What players of two lists state besides, and documents have no words for.

    Attributes:
        reaction: of the defender in an assault or ram; "return_fire" makes a shooting attack one (L478-L490, L1905).
        answering: the defender with the weapons that he fires in Overwatch; None fires all.
        challenge: Characters of both sides fight each other (L1713-L1757).
        game_turn: for which Daemons' Strength and Toughness have been changed (L1597); None for none.
        cruising: vehicles that moved went further than half of their Movement (L1859).
    """

    reaction: Reaction = "none"
    answering: Side | None = None
    challenge: bool = False
    game_turn: Number | None = None
    cruising: bool = False


class MatchupOptions(Part, frozen=True, kw_only=True):
    """Readings of the rules (contracts 6); the defaults hold where the document is silent."""

    sunder: Literal["failed", "failed_and_glancing"] = "failed"
    graviton_pulse: Literal["below_strength", "up_to_strength"] = "below_strength"
    haywire_vs_dreadnought: Literal["replaces_to_wound", "ignored"] = "replaces_to_wound"
    natural_six_wounds_dash: bool = False
    double_ws_needs: Literal["6+", "5+"] = "6+"

    def listed(self) -> dict[str, object]:
        """All readings in force, defaults included."""
        return {name: getattr(self, name) for name in self.__struct_fields__}


class HeresyMatchup(Matchup, frozen=True, kw_only=True):
    """A whole matchup document of this game."""

    version: Literal[1] = 1
    attacker: Side | None = None
    defender: Side | None = None
    unit: Side | None = None
    winner: Side | None = None
    loser: Side | None = None
    conditions: Conditions | None = None
    options: MatchupOptions = MatchupOptions()

    @property
    def conditions_in_force(self) -> Conditions:
        """The conditions, with their defaults where the document has none."""
        return self.conditions or Conditions()


def roll_needed(save: TargetNumber) -> int | None:
    """A save or roll as a number; a dash, null and anything that no D6 shows are None."""
    if save is None or save in ("-", "–"):
        return None
    return save if isinstance(save, int) else int(save.rstrip("+"))


def replace_group(side: Side, index: int, **changes: object) -> Side:
    """The same side with one group changed."""
    groups = list(side.models)
    groups[index] = msgspec.structs.replace(groups[index], **changes)
    return msgspec.structs.replace(side, models=tuple(groups))
