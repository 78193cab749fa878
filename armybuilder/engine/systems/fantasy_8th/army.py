"""The army document of Fantasy 8th edition: one flat list of units and characters."""

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Annotated, Literal

from msgspec import Meta

from armybuilder.engine import points
from armybuilder.engine.points import Exact
from armybuilder.engine.systems.fantasy_8th.reference import MagicItem, Weapon, folded, magic_item, weapon
from armybuilder.engine.systems.list_rules import Characteristics, Document, StrictPart
from armybuilder.engine.systems.notation import Count, Items, Name, Names, Points, RuleNames, TargetNumber

Category = Literal["lord", "hero", "core", "special", "rare"]
TroopType = Literal[
    "infantry",
    "monstrous_infantry",
    "cavalry",
    "monstrous_cavalry",
    "swarm",
    "war_beast",
    "monstrous_beast",
    "monster",
    "chariot",
    "war_machine",
    "unique",
]
CommandRole = Literal["champion", "standard_bearer", "musician"]
AllianceLevel = Literal["firm", "dubious", "desperate"]
Scenario = Literal[
    "battleline", "dawn_attack", "battle_for_the_pass", "blood_and_glory", "meeting_engagement", "watchtower"
]

MAX_RACES = 20
"""Armies in one alliance."""

CHARACTER_CATEGORIES = ("lord", "hero")
UNIT_CATEGORIES = ("core", "special", "rare")


class Profile(Characteristics, frozen=True):
    """Characteristics of one model."""

    Ward: TargetNumber = None


class Unit(StrictPart, frozen=True):
    """A unit or a character."""

    id: Name
    name: Name
    category: Category
    points: Points
    entry: Name | None = None
    models: Count = 1
    troop_type: TroopType = "infantry"
    profile: Profile = Profile()
    general: bool = False
    army_standard: bool = False
    army_standard_may_be_general: bool = False
    special_character: bool = False
    mounted: bool = False
    command: Items[CommandRole] = ()
    wizard_level: Count = 0
    lore: Name | None = None
    spells: Names = ()
    loremaster: bool = False
    armour_access: bool = False
    magic_items: Names = ()
    magic_items_allowed: bool | None = None
    magic_banner_allowed: bool = False
    weapons: Names = ()
    armour: Names = ()
    rules: RuleNames = ()
    joined_to: Name | None = None
    one_choice_group: Name | None = None
    army: Count = 0
    front_rank: bool = True

    @property
    def is_character(self) -> bool:
        """Whether it is a Lord or a Hero."""
        return self.category in CHARACTER_CATEGORIES

    @property
    def kind(self) -> str:
        """Which army-book entry it is: what the limits on duplicates count."""
        return self.entry or self.name

    @property
    def is_mounted(self) -> bool:
        """Whether it rides anything."""
        return self.mounted or self.troop_type in {"cavalry", "monstrous_cavalry", "chariot"}

    @cached_property
    def items(self) -> tuple[tuple[int, str, MagicItem | None], ...]:
        """Its magic items: place in the list, name as written, and the common item if it is one."""
        return tuple((index, name, magic_item(name)) for index, name in enumerate(self.magic_items))

    @cached_property
    def ordinary_weapons(self) -> tuple[tuple[str, Weapon], ...]:
        """Its weapons that the rulebook lists."""
        return tuple((name, known) for name in self.weapons if (known := weapon(name)))

    def carries(self, slug_name: str) -> bool:
        """Whether it has this common magic item."""
        return any(item is not None and item.en == slug_name for _, _, item in self.items)

    def items_of(self, *categories: str) -> Iterator[tuple[int, str, MagicItem]]:
        """Its common magic items of some categories."""
        for index, name, item in self.items:
            if item is not None and item.category in categories:
                yield index, name, item

    def has_rule(self, *names: str) -> bool:
        """Whether it has one of these special rules, whatever stands in brackets."""
        return any(rule in names for rule in self.rule_names)

    @cached_property
    def rule_names(self) -> frozenset[str]:
        """Its special rules without values, those in the singular in the plural too; swarms have those of their type.

        Source: L731-733 [text].
        """
        own = {folded(rule.split("(")[0]) for rule in self.rules}
        own |= {f"{rule}s" for rule in own}
        return frozenset(own | ({"skirmishers", "unbreakable", "unstable"} if self.troop_type == "swarm" else set()))

    @property
    def has_shield(self) -> bool:
        """Whether it carries an ordinary or a magic shield."""
        return any("shield" in folded(piece) for piece in self.armour) or any(
            item.slot == "shield" for _, _, item in self.items_of("armour")
        )


class Alliance(StrictPart, frozen=True):
    """Several armies on one side."""

    level: AllianceLevel
    races: Annotated[tuple[Name, ...], Meta(max_length=MAX_RACES)]
    army_points: Annotated[tuple[Points, ...], Meta(max_length=MAX_RACES)] = ()
    supreme_commander: Name | None = None


class Options(StrictPart, frozen=True):
    """Readings of the rules."""

    percent_base: Literal["limit", "total"] = "limit"
    special_includes_missile: bool = False


class Army(Document, frozen=True):
    """The army document."""

    points_limit: Points
    units: Items[Unit]
    race: Name | None = None
    scenario: Scenario | None = None
    watchtower_garrison: Name | None = None
    army_book_lores: Names = ()
    alliance: Alliance | None = None
    options: Options = Options()

    @cached_property
    def places(self) -> tuple[tuple[str, Unit], ...]:
        """Every unit with its pointer."""
        return tuple((f"/units/{index}", unit) for index, unit in enumerate(self.units))

    @cached_property
    def by_id(self) -> dict[str, Unit]:
        """Units by identifier."""
        return {unit.id: unit for unit in self.units}

    @property
    def characters(self) -> list[tuple[str, Unit]]:
        """Lords and Heroes with their pointers."""
        return [(at, unit) for at, unit in self.places if unit.is_character]

    @property
    def total(self) -> Exact:
        """Sum of all prices."""
        return cost(self.units)

    @property
    def percent_base(self) -> Exact:
        """What the percentages are taken of: the limit, or the list's total (E-03)."""
        return points.exact(self.points_limit) if self.options.percent_base == "limit" else self.total

    def joined(self) -> Iterator[tuple[str, Unit, Unit]]:
        """Characters that join a unit of the list: pointer, character, unit."""
        for at, unit in self.places:
            target = self.by_id.get(unit.joined_to) if unit.joined_to is not None else None
            if target is not None and target is not unit:
                yield at, unit, target

    def contradictions(self) -> Iterator[tuple[str, str]]:
        """An id stands for one unit only."""
        seen: set[str] = set()
        for at, unit in self.places:
            if unit.id in seen:
                yield f"The id {unit.id!r} stands twice.", f"{at}/id"
            seen.add(unit.id)


def cost(units: Iterable[Unit]) -> Exact:
    """Sum of prices, exactly."""
    return points.total(unit.points for unit in units)
