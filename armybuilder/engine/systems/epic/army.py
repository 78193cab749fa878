"""The army document of Epic: formations of units, characters, how each formation starts the game."""

from collections.abc import Iterator
from functools import cached_property
from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from armybuilder.engine import points
from armybuilder.engine.points import Exact
from armybuilder.engine.systems.epic.special_rule_rows import SPECIAL_RULES
from armybuilder.engine.systems.list_rules import Document, StrictPart
from armybuilder.engine.systems.notation import (
    MAX_COUNT,
    Characteristic,
    Count,
    Distance,
    Items,
    Name,
    Names,
    Number,
    Points,
    RuleNames,
    TargetNumber,
)
from armybuilder.engine.systems.special_rules import PrintedRule

Coordinate = Annotated[float, Meta(ge=-MAX_COUNT, le=MAX_COUNT)] | Number
Point = Annotated[tuple[Coordinate, ...], Meta(max_length=3)]
Deployment = Literal["table", "garrison", "reserve", "teleport", "space", "planetfall", "tunnel"]
_NUMBER = r"(\d+|D[36](\+\d{1,2})?)"
_SHOT = rf"(({_NUMBER}x)?(AP|AT|AA|MW)\d\+|{_NUMBER}BP)"
Firepower = Annotated[str, Meta(pattern=rf"^(small arms|{_SHOT}(/{_SHOT})*)$", max_length=60)]

UNIT_TYPES = ("CH", "INF", "LV", "AV", "WE", "AC", "SC")
NO_VALUE = ("-", "–")


class Profile(StrictPart, frozen=True):
    """Datasheet values; null is missing, "-" is printed as none."""

    nulls: ClassVar[frozenset[str] | None] = frozenset({"speed", "armour", "CC", "FF"})

    speed: Distance | Characteristic | Literal["-"] | None = None
    armour: TargetNumber = None
    CC: TargetNumber = None
    FF: TargetNumber = None
    DC: Annotated[tuple[Characteristic, ...], Meta(max_length=10)] | Characteristic | None = None

    @property
    def damage_capacity(self) -> tuple[int, ...] | None:
        """The damage track: start, damaged, critical."""
        return (self.DC,) if isinstance(self.DC, int) else self.DC


class Weapon(StrictPart, frozen=True):
    """A weapon of a unit."""

    name: Name
    range: Distance | Count | Literal["base contact", "small arms"] | None = None
    firepower: Firepower | None = None
    rules: RuleNames = ()
    count: Count = 1


class Transport(StrictPart, frozen=True):
    """What one unit can carry."""

    slots: Count | None = None
    accepts: Names | None = None

    def takes(self, unit: "Unit") -> bool:
        """Whether a unit's type or name is accepted; without a list everything is."""
        return self.accepts is None or bool(
            {unit.type.casefold(), unit.name.casefold()} & {text.casefold() for text in self.accepts}
        )


class Stand(StrictPart, frozen=True):
    """The base of a unit."""

    kind: Literal["infantry", "bike", "cavalry", "artillery"] | None = None
    sides_mm: Annotated[tuple[Coordinate, ...], Meta(min_length=2, max_length=2)] | None = None
    models: Count | None = None
    guns: Count | None = None


class Unit(StrictPart, frozen=True):
    """Identical units."""

    nulls: ClassVar[frozenset[str] | None] = frozenset({"embarked_in"})

    id: Name
    name: Name
    type: Name
    count: Count = 1
    profile: Profile | None = None
    rules: RuleNames = ()
    weapons: Items[Weapon] = ()
    aircraft_class: Name | None = None
    war_engine: bool = False
    slots: Count = 1
    transport: Transport | None = None
    embarked_in: Name | None = None
    stand: Stand | None = None

    @property
    def kind(self) -> str:
        """The unit type in capitals."""
        return self.type.strip().upper()

    @property
    def is_character(self) -> bool:
        """Whether it is a character, who is no unit."""
        return self.kind == "CH"

    @property
    def is_war_engine(self) -> bool:
        """Whether it has damage capacity: a war engine, or an aircraft that is one too."""
        return self.kind == "WE" or self.war_engine

    @property
    def speed(self) -> float | int | None:
        """Speed in cm; None when it is missing or printed as none."""
        speed = self.profile.speed if self.profile else None
        return None if isinstance(speed, str) else speed

    @property
    def starting_capacity(self) -> int:
        """What it counts for towards the break point: its damage capacity, otherwise one."""
        track = self.profile.damage_capacity if self.profile else None
        return track[0] if self.is_war_engine and track else 1

    def has_rule(self, name: str) -> bool:
        """Whether it has a special rule, whatever stands in brackets."""
        return any(rule_name(rule) == name for rule in self.rules)


class Character(StrictPart, frozen=True):
    """A character, shown on a unit of the formation that bought him."""

    nulls: ClassVar[frozenset[str] | None] = frozenset({"host"})

    name: Name
    host: Name | None = None
    rules: RuleNames = ()


class Plan(StrictPart, frozen=True):
    """What is written down before the game."""

    turn: Number | None = None
    drop_point: Point | None = None
    bombardment_points: Items[Point] = ()
    surface_point: Point | None = None
    surface_half: Literal["own", "enemy"] | None = None


class Formation(StrictPart, frozen=True):
    """A formation."""

    nulls: ClassVar[frozenset[str] | None] = frozenset({"points", "initiative", "carrier"})

    id: Name
    units: Items[Unit]
    name: Name | None = None
    points: Points | None = None
    initiative: TargetNumber = None
    deployment: Deployment = "table"
    overwatch_at_start: bool = False
    carrier: Name | None = None
    plan: Plan = Plan()
    characters: Items[Character] = ()

    @property
    def title(self) -> str:
        """Its name, or its id."""
        return self.name or self.id

    @cached_property
    def own_units(self) -> tuple[Unit, ...]:
        """Its units; characters do not count (L11)."""
        return tuple(unit for unit in self.units if not unit.is_character and unit.count)

    @property
    def size(self) -> int:
        """How many units it has."""
        return sum(unit.count for unit in self.own_units)

    @property
    def break_point(self) -> int:
        """Blast markers that break it at the start. Source: L406, L870 [text]."""
        return sum(unit.count * unit.starting_capacity for unit in self.own_units)


class Options(StrictPart, frozen=True):
    """Readings of the rules; those of battles are known to matchups, here they are only accepted."""

    fire_marker: Literal["on_hit", "on_fire"] = "on_hit"
    ra_reroll_vs_mw: bool = False
    rally_blast_penalty: bool = False
    rally_round_up: bool = True
    outnumber_cumulative: bool = True
    barrage_modifiers: bool = True
    barrage_marker_needs_hit: bool = False
    spacecraft_turn_one: bool = False
    garrison_strict: bool = True
    crossfire_affects_cover_saves: bool = True
    disrupt_replaces_hit_marker: bool = False
    harmless_hit_gives_marker: bool = True
    titan_killer_saves: Literal["per_damage_point", "per_hit"] = "per_damage_point"
    critical_roll_on: Literal["unsaved_hits", "all_hits"] = "unsaved_hits"
    both_destroyed_winner: Literal["defender", "draw"] = "defender"


class Army(Document, frozen=True):
    """The army document."""

    nulls: ClassVar[frozenset[str] | None] = frozenset({"points_limit", "strategy_rating"})

    formations: Items[Formation]
    points_limit: Points | None = None
    strategy_rating: Number | None = None
    loose_units: Items[Unit] = ()
    options: Options = Options()

    @cached_property
    def places(self) -> tuple[tuple[str, Formation], ...]:
        """Every formation with its pointer."""
        return tuple((f"/formations/{index}", formation) for index, formation in enumerate(self.formations))

    @cached_property
    def units(self) -> tuple[tuple[str, Formation, Unit], ...]:
        """Every unit in a formation with its pointer, characters listed as units included."""
        return tuple(
            (f"{at}/units/{index}", formation, unit)
            for at, formation in self.places
            for index, unit in enumerate(formation.units)
        )

    @cached_property
    def by_id(self) -> dict[str, tuple[Formation, Unit]]:
        """Unit and its formation by the unit's id."""
        return {unit.id: (formation, unit) for _, formation, unit in self.units}

    @property
    def total(self) -> Exact:
        """Sum of the formations' costs, as far as they are known."""
        return points.total(f.points for f in self.formations if f.points is not None)

    def carriers(self, unit: Unit) -> Iterator[tuple[Formation, Unit]]:
        """What a unit rides in, and what that rides in, outwards; a circle ends it."""
        seen = {unit.id}
        while unit.embarked_in in self.by_id and unit.embarked_in not in seen:
            formation, unit = self.by_id[unit.embarked_in]
            seen.add(unit.id)
            yield formation, unit

    def contradictions(self) -> Iterator[tuple[str, str]]:
        """Ids stand for one formation or unit only."""
        for rows in (
            [(f"{at}/id", formation.id) for at, formation in self.places],
            [(f"{at}/id", unit.id) for at, _, unit in self.units],
        ):
            seen: set[str] = set()
            for at, name in rows:
                if name in seen:
                    yield f"The id {name!r} stands twice.", at
                seen.add(name)


def rule_name(rule: str) -> str:
    """A special rule as it is compared: the id of its row, whatever number it is written in; else its normal name."""
    return _parsed(rule).name


def rule_value(rule: str) -> str | None:
    """The value in brackets; None without one."""
    return _parsed(rule).value


def _parsed(rule: str) -> PrintedRule:
    """A printed rule; what stands behind its brackets is a remark."""
    return SPECIAL_RULES.read(rule[: rule.find(")") + 1] or rule)
