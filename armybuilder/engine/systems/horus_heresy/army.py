"""The Horus Heresy army document as frozen Structs, with the questions that several rules ask of an army.

The document is described in the contract (army.horus-heresy.schema.json). Words of the game that stand in free text
(sub-types, rules, wargear, roles) are compared by `word`, so that case, hyphens and spaces do not matter.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import chain
from typing import ClassVar, Literal

from msgspec import UNSET, Struct, UnsetType

from armybuilder.engine import points
from armybuilder.engine.cached_attribute import cached_attribute
from armybuilder.engine.errors import LimitExceeded
from armybuilder.engine.points import Exact
from armybuilder.engine.systems.horus_heresy import factions
from armybuilder.engine.systems.horus_heresy.vocabulary import (
    LOYALIST,
    TRAITOR,
    AllianceLevel,
    BattlefieldRole,
    Deployment,
    DetachmentType,
    PlayMode,
    are_short,
    rule_and_value,
    rules_by_name,
    word,
    words_of,
)
from armybuilder.engine.systems.list_rules import Document, Part
from armybuilder.engine.systems.notation import (
    Characteristic,
    Count,
    Items,
    Name,
    Names,
    Points,
    RuleNames,
    TargetNumber,
)

Rules = RuleNames

FLYERS = frozenset({"flyer", "hover", "lumbering"})
"""Sub-types of what flies; Hover and Lumbering are sub-classes of Flyer (L2415, L2435)."""

MAX_UNITS = 1_000
"""Larger armies are refused: some rules look at every pair of units."""


class ArmourValues(Part, frozen=True):
    """Armour of a vehicle's facings."""

    nulls: ClassVar = frozenset({"front", "side", "rear"})

    front: Characteristic | None = None
    side: Characteristic | None = None
    rear: Characteristic | None = None


class Profile(Part, frozen=True):
    """Characteristics of one model; an absent one plays no part. Movement null is printed as a dash."""

    nulls: ClassVar = frozenset({"M", "WS", "BS", "S", "T", "W", "I", "A", "Ld", "Sv", "Inv", "FNP", "AV", "HP"})

    M: Characteristic | UnsetType | None = UNSET
    WS: Characteristic | None = None
    BS: Characteristic | None = None
    S: Characteristic | None = None
    T: Characteristic | None = None
    W: Characteristic | None = None
    I: Characteristic | None = None  # noqa: E741  (Initiative)
    A: Characteristic | None = None
    Ld: Characteristic | None = None
    Sv: TargetNumber = None
    Inv: TargetNumber = None
    FNP: TargetNumber = None
    AV: Characteristic | ArmourValues | None = None
    HP: Characteristic | None = None


class ModelGroup(Part, frozen=True):
    """Identical models of a unit."""

    nulls: ClassVar = frozenset[str]()

    name: Name
    count: Count
    type: Name | None = None
    subtypes: Names = ()
    profile: Profile | None = None
    wargear: Names = ()
    rules: Rules = ()
    warlord: bool = False
    warlord_trait: Name | None = None


class Option(Part, frozen=True):
    """An option taken; its price is in the unit's points already."""

    nulls: ClassVar = frozenset[str]()

    name: Name
    count: Count = 1
    max: Count | None = None
    points: Points | None = None


class Model(Struct, frozen=True, kw_only=True, dict=True):
    """Some identical models of a unit, with what unit and group say about them together.

    Attributes:
        gear: as the unit lists it, and as the group does.
        at: pointer to the group, or to the unit where it has no groups.
    """

    name: Name
    count: int
    type: Name
    subtypes: frozenset[str]
    rules: Mapping[Name, Name | None]
    gear: tuple[Names, Names]
    profile: Profile | None
    warlord: bool
    warlord_trait: Name | None
    at: Name

    @cached_attribute
    def is_character(self) -> bool:
        """Primarchs always count as Characters (L1610, L1683)."""
        return "character" in self.subtypes or self.type == "primarch"

    @cached_attribute
    def wargear(self) -> frozenset[str]:
        """Words of what it bears: half of a document's names, asked of few of its models."""
        of_unit, of_group = self.gear
        return words_of(of_unit) | words_of(of_group)

    @cached_attribute
    def has_pack(self) -> bool:
        """Wears a jump or jet pack."""
        return any("jump_pack" in item or "jet_pack" in item for item in self.wargear)

    @cached_attribute
    def size(self) -> int:
        """Places a model takes in a transport: X of Bulky (X); a pack gives Bulky (2), or (3) for (2) (L545, L551)."""
        value = self.rules.get("bulky")
        bulky = int(value) if value is not None and value.isdecimal() and len(value) < 5 else 1
        if self.type == "primarch":  # every Primarch is Bulky (4) (L1610)
            bulky = max(bulky, 4)
        if self.has_pack:
            return 3 if bulky == 2 else max(bulky, 2)
        return bulky

    def has(self, rule: str) -> bool:
        """Has this special rule, printed or given by its type or wargear."""
        if rule in self.rules:
            return True
        if rule == "deep_strike":
            return self.has_pack
        return rule == "independent_character" and self.type == "primarch"


class Unit(Part, frozen=True):
    """A unit of the army list."""

    nulls: ClassVar = frozenset({"allegiance", "warlord_trait", "dedicated_transport_for"})

    name: Name
    role: Name
    points: Points
    id: Name | None = None
    slots_used: Count = 1
    type: Name = "infantry"
    subtypes: Names = ()
    models: Count | Items[ModelGroup] = 1
    profile: Profile | None = None
    rules: Rules = ()
    wargear: Names = ()
    options: Items[Option] = ()
    faction: Name | None = None
    allegiance: Name | None = None
    army_list: Name | None = None
    warlord: bool = False
    warlord_trait: Name | None = None
    predetermined_warlord_trait: Name | None = None
    must_be_warlord: bool = False
    dedicated_transport_for: Name | None = None
    transport_options: Names = ()
    transport_capacity: Count | None = None
    embarked_in: Name | None = None
    joined_to: Name | None = None
    deployment: Deployment | None = None
    psychic_disciplines: Names = ()
    psychic_powers: Names = ()


class Detachment(Part, frozen=True):
    """A detachment of the chart."""

    nulls: ClassVar = frozenset[str]()

    type: DetachmentType
    faction: Name
    units: Items[Unit]
    legion: Name | None = None


class Opponent(Part, frozen=True):
    """The other army, for the rules that concern both."""

    nulls: ClassVar = frozenset[str]()

    allegiance: Name | None = None
    points_limit: Points | None = None
    asymmetry_agreed: bool = False


class Options(Part, frozen=True):
    """Readings of the rules that a document may choose: none yet."""


class PlacedDetachment:
    """A detachment with its place in the document and what its fields mean together.

    Attributes:
        faction: canonical name (`factions.canonical`); a Legion where `legion` says which.
        legion: canonical name of its Legion, None for other factions.
    """

    def __init__(self, detachment: Detachment, at: str) -> None:
        self.detachment = detachment
        self.type = detachment.type
        self.at = at
        self.legion = factions.legion(detachment.legion or detachment.faction)
        named = factions.canonical(detachment.faction)
        by_legion = self.legion is not None and named == factions.LEGIONES_ASTARTES
        self.faction = self.legion if by_legion and self.legion else named
        self.faction_words = factions.words(
            detachment.legion if by_legion and detachment.legion else detachment.faction
        )
        self.units = tuple(PlacedUnit(unit, self, f"{at}/units/{index}") for index, unit in enumerate(detachment.units))

    @property
    def is_primary(self) -> bool:
        """The Primary Detachment, or one of several by mistake."""
        return self.type is DetachmentType.PRIMARY

    @cached_attribute
    def _by_role(self) -> dict[str, list["PlacedUnit"]]:
        by_role: dict[str, list[PlacedUnit]] = {}
        for placed in self.units:
            if not placed.is_dedicated:  # dedicated transports stand outside the chart (L2200, L3540)
                by_role.setdefault(placed.role, []).append(placed)
        return by_role

    @property
    def roles(self) -> Iterable[str]:
        """The battlefield roles of its units."""
        return self._by_role.keys()

    def in_slots(self, role: str) -> list["PlacedUnit"]:
        """Its units of a role, without dedicated transports."""
        return self._by_role.get(role, [])

    @cached_attribute
    def _slots(self) -> dict[str, int]:
        return {role: sum([placed.unit.slots_used for placed in units]) for role, units in self._by_role.items()}

    def slots_used(self, role: str) -> int:
        """Slots its units of a role take."""
        return self._slots.get(role, 0)

    @cached_attribute
    def _support_slots(self) -> dict[str, int]:
        slots: dict[str, int] = {}
        for placed in self.units:
            if placed.is_support_squad and not placed.is_dedicated:
                slots[placed.role] = slots.get(placed.role, 0) + placed.unit.slots_used
        return slots

    def slots_of_support_squads(self, role: str) -> int:
        """Slots taken by Support Squads, which fill no compulsory slot (L3345)."""
        return self._support_slots.get(role, 0)


class PlacedUnit:
    """A unit with its place in the document and what its fields mean together.

    Attributes:
        at: pointer to the unit.
        type: word of its unit type.
        role: word of its battlefield role; of a dedicated transport, still its own (see `Army.role_of`).
        is_dedicated: bought as a dedicated transport for another unit.
        is_fortification: has no faction, cannot be in reserve.
    """

    def __init__(self, unit: Unit, detachment: PlacedDetachment, at: str) -> None:
        self.unit = unit
        self.detachment = detachment
        self.at = at
        self.name = unit.name
        self.type = word(unit.type)
        self.role = word(unit.role)
        self.is_dedicated = unit.dedicated_transport_for is not None
        self.is_fortification = self.type == "fortification"

    @cached_attribute
    def faction(self) -> str | None:
        """Canonical faction; None for fortifications, which have none."""
        if self.is_fortification:
            return None
        if self.unit.faction is None:
            return self.detachment.faction
        named = factions.canonical(self.unit.faction)
        if named != factions.LEGIONES_ASTARTES:
            return named
        return next(iter(self.legions), None) or self.detachment.legion or named

    @cached_attribute
    def models(self) -> tuple[Model, ...]:
        """Its models by group; groups of no models are left out."""
        return tuple(self._models())

    def _models(self) -> Iterator[Model]:
        unit = self.unit
        subtypes = words_of(unit.subtypes)
        rules = rules_by_name(unit.rules)
        if isinstance(unit.models, int):
            yield Model(
                name=unit.name,
                count=unit.models,
                type=self.type,
                subtypes=subtypes,
                rules=rules,
                gear=(unit.wargear, ()),
                profile=unit.profile,
                warlord=unit.warlord,
                warlord_trait=unit.warlord_trait,
                at=self.at,
            )
            return
        for index, group in enumerate(unit.models):
            if group.count:
                yield Model(
                    name=group.name,
                    count=group.count,
                    type=word(group.type) if group.type is not None else self.type,
                    subtypes=subtypes | words_of(group.subtypes) if group.subtypes else subtypes,
                    rules=rules_by_name((*unit.rules, *group.rules)) if group.rules else rules,
                    gear=(unit.wargear, group.wargear),
                    profile=group.profile,
                    warlord=group.warlord,
                    warlord_trait=group.warlord_trait,
                    at=f"{self.at}/models/{index}",
                )

    @cached_attribute
    def groups(self) -> tuple[Model, ...]:
        """Its models where the document lists them by groups; nothing where it only counts them."""
        return self.models if isinstance(self.unit.models, tuple) else ()

    @cached_attribute
    def legions(self) -> tuple[str, ...]:
        """X of every Legiones Astartes (X) rule of the unit and its groups, canonical and each once."""
        unit = self.unit
        if isinstance(unit.models, int):
            return _legions_of(unit.rules)
        return _legions_of((*unit.rules, *chain.from_iterable([group.rules for group in unit.models])))

    @cached_attribute
    def legion_rules(self) -> tuple[tuple[str, str], ...]:
        """Pointer and X of each Legiones Astartes (X) rule."""
        found = [(f"{self.at}/{at}", x) for at, x in _legion_rules(self.unit.rules)]
        if isinstance(self.unit.models, tuple):
            for index, group in enumerate(self.unit.models):
                if group.rules:
                    found += [(f"{self.at}/models/{index}/{at}", x) for at, x in _legion_rules(group.rules)]
        return tuple(found)

    @cached_attribute
    def is_flyer(self) -> bool:
        """Holds a Flyer."""
        return any(not model.subtypes.isdisjoint(FLYERS) for model in self.models)

    @cached_attribute
    def is_primarch(self) -> bool:
        """A Primarch, by role or by unit type."""
        return self.role == BattlefieldRole.PRIMARCH or any(model.type == "primarch" for model in self.models)

    @property
    def must_be_warlord(self) -> bool:
        """Its entry says so, or it is a Primarch (L1613, L3650)."""
        return self.unit.must_be_warlord or self.is_primarch

    @cached_attribute
    def is_support_squad(self) -> bool:
        """Has the rule Support Squad (L3345)."""
        return any("support_squad" in model.rules for model in self.models)


def _legion_rules(rules: Rules) -> list[tuple[str, str]]:
    """Pointer and X of each Legiones Astartes (X) among the rules of one holder."""
    split = map(rule_and_value, rules)
    return [(f"rules/{index}", x) for index, (name, x) in enumerate(split) if x and name == "legiones_astartes"]


def _legions_of(rules: Rules) -> tuple[str, ...]:
    """The same X, canonical and each once."""
    if not rules:
        return ()
    return _known_legions(rules) if are_short(rules) else _legions(rules)


def _legions(rules: Rules) -> tuple[str, ...]:
    return tuple(dict.fromkeys([factions.canonical(x) for _, x in _legion_rules(rules)]))


_known_legions = lru_cache(maxsize=1024)(_legions)


class Army(Document, frozen=True, kw_only=True):
    """An army list."""

    nulls: ClassVar = frozenset({"allegiance", "points_limit", "chart"})

    system: Literal["horus-heresy"]
    detachments: Items[Detachment]
    play_mode: PlayMode = PlayMode.NARRATIVE
    allegiance: Name | None = None
    points_limit: Points | None = None
    chart: Name | None = "crusade"
    alliances: dict[Name, AllianceLevel] = {}
    deep_strike_assaults: Count | None = None
    flanking_assaults: Count | None = None
    allowed_warlord_traits: Names = ()
    must_be_warlord_exception: bool = False
    base_reactions: Count | None = None
    cap_override: bool = False
    opponent: Opponent | None = None
    options: Options = Options()

    def contradictions(self) -> Iterator[tuple[str, str]]:
        """Ids are unique, and `joined_to` and `embarked_in` name units of the army.

        Raises:
            LimitExceeded: more units than any table holds.
        """
        if sum(len(detachment.units) for detachment in self.detachments) > MAX_UNITS:
            raise LimitExceeded(f"An army of more than {MAX_UNITS} units is not checked.", "/detachments")
        seen: set[str] = set()
        for placed in self.units:
            if (own := placed.unit.id) is not None:
                if own in seen:
                    yield f"The id {own!r} stands twice.", f"{placed.at}/id"
                seen.add(own)
        for placed in self.units:
            for member, id_ in (("joined_to", placed.unit.joined_to), ("embarked_in", placed.unit.embarked_in)):
                if id_ is not None and id_ not in seen:
                    yield f"No unit has the id {id_!r}.", f"{placed.at}/{member}"

    @cached_attribute
    def side(self) -> str | None:
        """The army's allegiance, loyalist or traitor; None while it is not chosen."""
        chosen = word(self.allegiance or "")
        return chosen if chosen in {LOYALIST, TRAITOR} else None

    @property
    def follows_crusade_chart(self) -> bool:
        """Whether it is built on the one chart of the rulebook (L3532)."""
        return word(self.chart or "") == "crusade"

    @cached_attribute
    def agreed_limit(self) -> Exact | None:
        """The points limit; None while none is agreed (HH-04)."""
        return points.exact(self.points_limit) if self.points_limit is not None and self.points_limit > 0 else None

    @cached_attribute
    def total(self) -> Exact:
        """What all units cost together."""
        return points.total(placed.unit.points for placed in self.units)

    @cached_attribute
    def placed_detachments(self) -> tuple[PlacedDetachment, ...]:
        """All detachments with their places."""
        return tuple(
            PlacedDetachment(detachment, f"/detachments/{index}") for index, detachment in enumerate(self.detachments)
        )

    @cached_attribute
    def units(self) -> tuple[PlacedUnit, ...]:
        """All units of all detachments with their places."""
        return tuple(placed for detachment in self.placed_detachments for placed in detachment.units)

    @cached_attribute
    def primary(self) -> PlacedDetachment | None:
        """The (first) Primary Detachment."""
        return next((detachment for detachment in self.placed_detachments if detachment.is_primary), None)

    @cached_attribute
    def by_id(self) -> dict[str, PlacedUnit]:
        """Units by id."""
        return {placed.unit.id: placed for placed in self.units if placed.unit.id is not None}

    @cached_attribute
    def transports_of(self) -> dict[str, list[PlacedUnit]]:
        """Dedicated transports by the id of the unit they were bought for."""
        return self._by("dedicated_transport_for")

    @cached_attribute
    def joined_to(self) -> dict[str, list[PlacedUnit]]:
        """Characters by the id of the unit they join."""
        return self._by("joined_to")

    @cached_attribute
    def attachments(self) -> tuple[tuple[PlacedUnit, PlacedUnit], ...]:
        """Host and character of every character that joins a unit of the army."""
        return tuple(
            (self.by_id[host], character)
            for host, characters in self.joined_to.items()
            if host in self.by_id
            for character in characters
        )

    def carrier_of(self, placed: PlacedUnit) -> PlacedUnit | None:
        """The transport it starts the game in, where the document says so."""
        return self.by_id.get(placed.unit.embarked_in) if placed.unit.embarked_in is not None else None

    def _by(self, member: str) -> dict[str, list[PlacedUnit]]:
        found: dict[str, list[PlacedUnit]] = {}
        for placed in self.units:
            id_ = getattr(placed.unit, member)
            if id_ is not None:
                found.setdefault(id_, []).append(placed)
        return found

    def parent_of(self, transport: PlacedUnit) -> PlacedUnit | None:
        """The unit a dedicated transport was bought for."""
        parent = self.by_id.get(transport.unit.dedicated_transport_for or "")
        return parent if parent is not transport else None

    def role_of(self, placed: PlacedUnit) -> str:
        """The battlefield role; a dedicated transport has its parent's (L2200, L3540)."""
        if placed.is_dedicated and (parent := self.parent_of(placed)) is not None and not parent.is_dedicated:
            return parent.role
        return placed.role

    def points_of(self, *roles: BattlefieldRole) -> Exact:
        """What the units of these roles cost together, their dedicated transports included."""
        return points.total([placed.unit.points for placed in self.units if self.role_of(placed) in roles])

    @cached_attribute
    def bound_warlords(self) -> tuple[PlacedUnit, ...]:
        """Units whose model must be the warlord."""
        return tuple(placed for placed in self.units if placed.must_be_warlord)

    @cached_attribute
    def recorded_levels(self) -> dict[str, AllianceLevel]:
        """Recorded alliance levels with the Primary Detachment's faction, by canonical faction."""
        return {factions.canonical(name): level for name, level in self.alliances.items()}

    def level_between(self, first: str, second: str) -> AllianceLevel | None:
        """How two factions get on; None when nothing is recorded for the pair.

        Agents are Sworn Brothers of everyone (L3644). Recorded are levels with the Primary Detachment's faction.
        """
        if first == second or first in factions.AGENTS or second in factions.AGENTS:
            return AllianceLevel.SWORN_BROTHERS
        own = self.primary.faction if self.primary else None
        if own not in (first, second):
            return None
        return self.recorded_levels.get(second if first == own else first)
