"""What Epic simulates: shooting, barrages, assaults and tests between two formations, as one frozen Struct."""

from collections.abc import Iterator
from functools import cached_property
from typing import ClassVar, Literal

from msgspec import field
from msgspec.structs import replace

from armybuilder.engine.systems.epic import criticals
from armybuilder.engine.systems.epic.army import Character, Options, Profile, Weapon, rule_name
from armybuilder.engine.systems.list_rules import StrictPart
from armybuilder.engine.systems.matchups import MAX_MODELS, MAX_SHOTS, Matchup, refuse_above, refuse_too_many_models
from armybuilder.engine.systems.notation import Count, Items, Name, Number, Points, RuleNames, SomeItems, TargetNumber

Action = Literal[
    "advance",
    "engage",
    "double",
    "march",
    "marshal",
    "overwatch",
    "sustained_fire",
    "hold",
    "intercept",
    "ground_attack",
    "combat_air_patrol",
    "stand_down",
    "flak",
]
Terrain = Literal["open", "building", "fortification", "jungle", "marsh", "river", "ruins", "scrub", "woods"]

MAX_MARKERS = 10_000
MAX_CAPACITY = 100
"""The service's limits: blast markers or extra hits, damage capacity of a war engine."""

EMBARKED = "embarked"
"""The rule of units that ride in transports of their formation (units with the rule Transport)."""
SUPPORTING = "supporting fire"
"""The rule of units of other formations that give a side of an assault supporting fire (L541-L543)."""


class UnitGroup(StrictPart, frozen=True):
    """Identical units of one side."""

    nulls: ClassVar[frozenset[str] | None] = frozenset({"critical_effect"})

    name: Name
    type: Literal["INF", "LV", "AV", "WE", "AC", "SC", "CH"]
    count: Count
    profile: Profile = Profile()
    rules: RuleNames = ()
    weapons: Items[Weapon] = ()
    aircraft_class: Name | None = None
    dc_left: Count | None = None
    critical_effect: Literal["destroyed"] | None = None
    fights: Literal["CC", "FF"] | None = None
    to_hit_modifier: Number = 0
    under_template: Count = 0
    under_template_centre: bool = False

    @property
    def track(self) -> tuple[int, ...]:
        """Its damage track; empty for what is no war engine."""
        if self.type == "WE":
            return self.profile.damage_capacity or (1,)
        return self.profile.damage_capacity or () if self.type == "AC" else ()

    @property
    def capacity(self) -> int:
        """Starting damage capacity; 1 for what is no war engine."""
        return self.track[0] if self.track else 1

    @property
    def capacity_left(self) -> int:
        """Damage capacity left, at most what it started with."""
        return self.capacity if self.dc_left is None else min(self.dc_left, self.capacity)

    @property
    def damaged_at(self) -> int:
        """Damage capacity at or below which it is damaged; 0 without such a state. Source: L858 [text]."""
        return self.track[1] if len(self.track) > 1 else 0

    @property
    def critical_at(self) -> int:
        """Damage capacity at or below which it is in its critical state; 0 without one."""
        return self.track[2] if len(self.track) > 2 else 0

    @property
    def critical(self) -> criticals.Critical:
        """What a critical hit costs besides the point of damage. Source: L864 [text]."""
        return criticals.DESTROYED if self.critical_effect == "destroyed" else criticals.of_rules(self.rules)

    @property
    def shot_at_as(self) -> str:
        """The type that decides what can hurt it: a Light Vehicle is one by its type or by its rule (L686-L688)."""
        return "LV" if self.type == "AV" and self.has_rule("light vehicle") else self.type

    @property
    def is_embarked(self) -> bool:
        """Whether it rides in the formation's transports: it neither shoots nor is shot at. Source: L256 [text]."""
        return self.has_rule(EMBARKED)

    def has_rule(self, *names: str) -> bool:
        """Whether it has one of these special rules, whatever stands in brackets."""
        return any(rule_name(rule) in names for rule in self.rules)


class FormationSide(StrictPart, frozen=True):
    """A formation in the middle of the game."""

    nulls: ClassVar[frozenset[str] | None] = frozenset({"initiative", "cover_save"})

    units: SomeItems[UnitGroup] | None = None
    name: Name | None = None
    initiative: TargetNumber = None
    action: Action = "advance"
    moved: bool = False
    blast_markers: Count = 0
    broken: bool = False
    characters: Items[Character] = ()
    terrain: Terrain = "open"
    in_cover: bool = False
    cover_save: TargetNumber = None
    overwatch: bool = False
    jink: bool = False
    counter_charged: bool = False
    kills: Count = 0

    @cached_property
    def groups(self) -> tuple[UnitGroup, ...]:
        """Its units; characters do not count (L11), nor those of others that support it."""
        return tuple(unit for unit in self.units or () if unit.type != "CH" and not unit.has_rule(SUPPORTING))

    @cached_property
    def supporters(self) -> tuple[UnitGroup, ...]:
        """Units of other formations that fire in its support."""
        return tuple(unit for unit in self.units or () if unit.has_rule(SUPPORTING))

    @property
    def strength(self) -> int:
        """Units, war engines by their starting damage capacity: what breaks it. Source: L406, L870 [text]."""
        return sum(unit.count * unit.capacity for unit in self.groups)

    @property
    def markers(self) -> int:
        """Blast markers; a broken formation counts one for each unit. Source: L604, L872 [text]."""
        return self.strength if self.broken else self.blast_markers

    @property
    def is_aircraft(self) -> bool:
        """Whether it flies."""
        return bool(self.groups) and all(unit.type == "AC" for unit in self.groups)

    def bearers(self, *names: str) -> int:
        """How many units and characters have one of these rules."""
        units = sum(unit.count for unit in self.groups if unit.has_rule(*names))
        return units + sum(any(rule_name(rule) in names for rule in c.rules) for c in self.characters)

    def joined_by(self, others: tuple["FormationSide", ...]) -> "FormationSide":
        """This formation and others as one side of an assault; their markers add up. Source: L590, L650-656 [text]."""
        if not others:
            return self
        every = (self, *others)
        return replace(
            self,
            units=tuple(unit for formation in every for unit in formation.units or ()),
            characters=tuple(character for formation in every for character in formation.characters),
            blast_markers=sum(formation.markers for formation in every),
            broken=all(formation.broken for formation in every),
            kills=sum(formation.kills for formation in every),
        )

    @property
    def rules(self) -> Iterator[str]:
        """Every special rule of its units and characters, as written."""
        for unit in self.units or ():
            yield from unit.rules
        for character in self.characters:
            yield from character.rules


class Player(StrictPart, frozen=True):
    """One player."""

    strategy_rating: Number | None = None
    victory_conditions: Number | None = None


class EnemyFormation(StrictPart, frozen=True):
    """A formation that scores tie-break points."""

    points: Points
    units_start: Number
    units_left: Number
    name: Name | None = None
    broken: bool = False


class Event(StrictPart, frozen=True):
    """What happens before a break check."""

    type: Literal["war_engine_destroyed_by_shooting"]
    dc_left: Number | None = None


class Override(StrictPart, frozen=True):
    """Replaces the counting of assault modifiers."""

    modifier_difference: Number | None = None


class Conditions(StrictPart, frozen=True):
    """Circumstances."""

    crossfire: bool = False
    retaining_initiative: bool = False
    supreme_commander_reroll: bool = False
    enemy_within_30cm: bool = False
    cautious: bool = False


class EpicMatchup(Matchup, frozen=True, kw_only=True):
    """The matchup document of Epic."""

    attacker: FormationSide | None = None
    defender: FormationSide | None = None
    formation: FormationSide | None = None
    loser: FormationSide | None = None
    joined_formations: Items[FormationSide] = ()
    unit: UnitGroup | None = None
    player: Player | None = None
    opponent: Player | None = None
    enemy_formations: Items[EnemyFormation] | None = None
    extra_hits: Count | None = None
    event: Event | None = None
    override: Override = Override()
    conditions: Conditions = Conditions()
    options: Options = field(default_factory=Options)

    def contradictions(self) -> Iterator[tuple[str, str]]:
        """A war engine has something to lose: its damage capacity is counted from 1."""
        for at, formation in self.formations():
            for index, unit in enumerate(formation.units or ()):
                yield from _without_capacity(unit, f"{at}/units/{index}")
        if self.unit is not None:
            yield from _without_capacity(self.unit, "/unit")

    def formations(self) -> Iterator[tuple[str, FormationSide]]:
        """Every formation of the document, with its place."""
        for side in ("attacker", "defender", "formation", "loser"):
            formation = getattr(self, side)
            if formation is not None:
                yield f"/{side}", formation
        for index, joined in enumerate(self.joined_formations):
            yield f"/joined_formations/{index}", joined


def _without_capacity(unit: UnitGroup, at: str) -> Iterator[tuple[str, str]]:
    if any(points < 1 for points in unit.profile.damage_capacity or ()):
        yield "A damage capacity is at least 1.", f"{at}/profile/DC"


def within_limits(matchup: EpicMatchup) -> None:
    """Refuse more units, weapons or markers than the service takes.

    Raises:
        LimitExceeded: naming the number and the place.
    """
    for side, formation in matchup.formations():
        if formation.units is None:
            continue
        refuse_too_many_models([unit.count for unit in formation.units], f"{side}/units")
        refuse_above(formation.blast_markers, MAX_MARKERS, "blast markers", f"{side}/blast_markers")
        for index, unit in enumerate(formation.units):
            at = f"{side}/units/{index}"
            refuse_above(unit.capacity, MAX_CAPACITY, "points of damage capacity", f"{at}/profile/DC")
            for number, weapon in enumerate(unit.weapons):
                refuse_above(unit.count * weapon.count, MAX_SHOTS, "weapons", f"{at}/weapons/{number}/count")
    together = (matchup.attacker or FormationSide(), *matchup.joined_formations)
    joined = sum(unit.count for formation in together for unit in formation.units or ())
    refuse_above(joined, MAX_MODELS, "models on one side", "/joined_formations")
    refuse_above(matchup.extra_hits or 0, MAX_MARKERS, "extra hits", "/extra_hits")
