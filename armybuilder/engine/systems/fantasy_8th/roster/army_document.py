"""A BattleScribe roster seen as a Fantasy army document, with the facts that game data cannot hold.

Read are our own fixtures and the community's data; docs/recognition.md says by what. What cannot be read is a finding
BS-05, never silence. Unit sizes, options and allowances are known to the data alone, so WFX-02 to WFX-04 begin here.
"""

import dataclasses
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from armybuilder.engine.findings import Text
from armybuilder.engine.points import Number, written
from armybuilder.engine.roster.available_options import Offer, OfferGroup, offers_below
from armybuilder.engine.roster.evaluation import Evaluation
from armybuilder.engine.roster.limits import limits_of
from armybuilder.engine.roster.model import pointers
from armybuilder.engine.roster.nodes import SelectionNode
from armybuilder.engine.roster.state import ErrorKind, ForceState, RosterError, SelectionState
from armybuilder.engine.systems.fantasy_8th.army import (
    CHARACTER_CATEGORIES,
    Alliance,
    AllianceLevel,
    Army,
    Category,
    Options,
    Scenario,
    TroopType,
)
from armybuilder.engine.systems.fantasy_8th.combat.saves import SHIELDS, SUITS
from armybuilder.engine.systems.fantasy_8th.list_rules.alliances import RANKS, best_level
from armybuilder.engine.systems.fantasy_8th.reference import folded, lore_key, lores
from armybuilder.engine.systems.fantasy_8th.roster import recognition as read
from armybuilder.engine.systems.fantasy_8th.roster.data_limits import limit_findings
from armybuilder.engine.systems.fantasy_8th.roster.selections import is_army_standard
from armybuilder.engine.systems.fantasy_8th.roster.units import (
    UNNAMED_CATEGORY,
    FantasyUnit,
    ListedUnit,
    RegimentReader,
    parts,
)
from armybuilder.engine.systems.notation import Count
from armybuilder.engine.systems.roster_reading.army_reading import ArmyReading, ArmyTranslator, Consequences
from armybuilder.engine.systems.roster_reading.notes import say_missing
from armybuilder.engine.systems.roster_reading.stored_facts import CommonListFacts, CommonUnitFacts, UnitReference

Name = Annotated[str, Meta(min_length=1)]
UPGRADED, OF_THE_LIST = "maxSelections", "maxInRoster"
"""Ids of limits that were attributes before 2.0: of a unit beside others, and of it in the whole list."""

RULES_OF_CHOICES = ("WF-16", "WF-26", "WF-27", "WF-29")
"""What is not asked of named characters: nobody chose their items and spells, their army book gives them."""

SWITCHES = ("army size", "points limit", "game size")
"""Selections that only switch parts of the data on and off and say nothing about the army."""


class UnitFacts(CommonUnitFacts, frozen=True, kw_only=True):
    """What the player states about one unit or character; it outranks what the data says."""

    joined_to: UnitReference | None = None
    front_rank: bool = True
    army_standard: bool | None = None
    army_standard_may_be_general: bool = False
    wizard_level: Count | None = None
    lore: str | None = None
    spells: tuple[Name, ...] = ()
    loremaster: bool | None = None
    armour_access: bool = False
    special_character: bool | None = None
    magic_items_allowed: bool | None = None
    magic_banner_allowed: bool | None = None
    troop_type: TroopType | None = None
    one_choice_group: str | None = None


class Facts(CommonListFacts, frozen=True, kw_only=True):
    """What a stored list says besides its roster.

    Attributes:
        alliance_level: declared for the armies of the list; by default what their camps allow at best.
        army_points: agreed for each army of an alliance, in the order of the list; by default what it costs.
        percent_base: whether percentages are taken of the points limit or of the list's total (E-03).
        units: by selection id of the unit or anything in it.
    """

    general: UnitReference | None = None
    scenario: Scenario | None = None
    watchtower_garrison: UnitReference | None = None
    army_book_lores: tuple[Name, ...] = ()
    alliance_level: AllianceLevel | None = None
    army_points: tuple[Annotated[int, Meta(ge=0)], ...] = ()
    supreme_commander: UnitReference | None = None
    percent_base: Literal["limit", "total"] = "limit"
    special_includes_missile: bool = False
    units: dict[str, UnitFacts] = {}


class Translator(ArmyTranslator[Facts, Army]):
    """The roster as the army document that WF-01 to WF-75 are checked on.

    Without a points limit the list's own cost stands for it, after a BS-05.
    """

    def translation(self) -> ArmyReading[Army]:
        """The whole document."""
        forces = self._forces()
        read_units = [unit for index, force in enumerate(forces) for unit in self._units(force, index)]
        found = [self._named(unit) for unit in read_units]
        for unit in found:
            self.unit_of |= dict.fromkeys(unit.ids, unit.node_id)
        units = _with_generals_of_allies(tuple(self._with_facts(unit) for unit in found))
        doubled = _doubled(found)
        told_once = tuple(error for error in self.state.errors if error.node_id in doubled and _is_of_numbers(error))
        bearers = tuple(error for error in self.state.errors if _is_of_numbers(error) and is_army_standard(error.name))
        limits = limit_findings(self.state, found, besides=(*told_once, *bearers))
        army = Army(
            system="fantasy-8th",
            name=self.state.roster.name or None,
            points_limit=self._limit(),
            race=read.race_of(forces[0].catalogue_name) if forces else None,
            scenario=self.facts.scenario,
            watchtower_garrison=self._unit(self.facts.watchtower_garrison),
            army_book_lores=self._book_lores(found),
            alliance=self._alliance(forces, units),
            options=Options(
                percent_base=self.facts.percent_base, special_includes_missile=self.facts.special_includes_missile
            ),
            units=units,
        )
        self.places |= {f"/units/{index}": unit.node_id for index, unit in enumerate(found)}
        level = self._level(army.alliance) if army.alliance is not None else None
        alliances: dict[str, str] = {force.id: level or "" for force in forces[1:]}
        named = [index for index, unit in enumerate(units) if unit.special_character]
        fixed = frozenset((rule, f"/units/{index}") for rule in RULES_OF_CHOICES for index in named)
        gear = frozenset(("WF-22", f"/units/{index}") for index, unit in enumerate(found) if unit.node_id in doubled)
        return ArmyReading(
            army,
            self.places,
            (*self.notes.findings, *limits),
            alliances,
            answered=tuple(self._answered()),
            set_aside=fixed,
            consequences=(
                Consequences("WFX-06", told_once, gear),
                Consequences("WFX-05", bearers, frozenset()),
                Consequences("WF-22", self._items_twice(found), frozenset()),
            ),
        )

    def _answered(self) -> Iterator[RosterError]:
        """A unit's limit beside others of its detachment, where the same entry allows the whole list more of it.

        Files that were upgraded from 1.15 keep `maxSelections` of units, which meant nothing there (FORMAT.md §20.2):
        one Black Coach of two in the list. WF-12 and WF-13 count them.
        """
        evaluation = self.state.evaluation
        roots = {selection.id for force in self.state.all_forces() for selection in force.selections}
        for error in self.state.errors:
            node = evaluation.node(error.node_id or "") if isinstance(evaluation, Evaluation) else None
            if error.constraint_id != UPGRADED or error.kind is not ErrorKind.MAX or error.node_id not in roots:
                continue
            if isinstance(evaluation, Evaluation) and isinstance(node, SelectionNode):
                own = (one for one in node.place.spec.constraints if one.id == OF_THE_LIST)
                most = [high for one in own if (high := limits_of(one, node, evaluation.counting)[1]) is not None]
                if error.limit is not None and any(high > error.limit for high in most):
                    yield error

    def _items_twice(self, found: Sequence[FantasyUnit]) -> tuple[RosterError, ...]:
        """What the data says of magic items that several units carry, which WF-22 tells."""
        carried = Counter(folded(item.en if item else name) for unit in found for _, name, item in unit.unit.items)
        named = ((error, read.common_item(error.name)) for error in self.state.errors if _is_of_numbers(error))
        return tuple(
            error for error, item in named if carried[folded(item.en if item else read.without_remarks(error.name))] > 1
        )

    def _forces(self) -> list[ForceState]:
        """The armies in the order of the list, allies last: the first one is the player's own."""
        order = list(pointers(self.state.roster))
        found = [force for force in self.state.all_forces() if force.selections or not force.forces]
        return sorted(found, key=lambda force: ("allied" in force.name.casefold(), order.index(force.id)))

    @cached_property
    def _levels(self) -> Mapping[tuple[str, str], str]:
        """The recorded levels by our names of the races."""
        return {(read.race_of(army), read.race_of(ally)): level for (army, ally), level in self.alliance_levels.items()}

    def _limit(self) -> Number:
        """The points limit; the list's own cost where none is agreed."""
        if self.points_limit is not None:
            return self.points_limit
        self.unrecognised(
            self.state.roster.id,
            "No points limit is agreed; percentages are taken of what the list costs.",
            "Предел очков не указан; доли считаются от стоимости списка.",
        )
        return written(self.state.cost(self.points_type)) if self.points_type else 0

    # Units

    def _units(self, force: ForceState, army: int) -> Iterator[FantasyUnit]:
        roots: Iterator[tuple[SelectionState, Category | None]] = self.roots(force, read.category_of, _holds_models)
        for selection, category in roots:
            if category is None:
                stated = f" ({selection.primary_category.name})" if selection.primary_category else ""
                self.unrecognised(
                    selection.id,
                    f"{selection.name}: its category is not recognised{stated}; it is checked as a Special unit.",
                    f"«{selection.name}»: категория не распознана{stated}; проверяется как специальный отряд.",
                )
            how = (category or UNNAMED_CATEGORY, army)
            yield from self.read_once(selection, how, partial(self._read_root, selection, *how))

    def _read_root(self, root: SelectionState, category: Category, army: int) -> Iterator[FantasyUnit]:
        for part in parts(root, category):
            say_missing(part.node, self.unrecognised)
            reader = RegimentReader(part, army=army, points_type=self.points_type, unrecognised=self.unrecognised)
            yield reader.army_unit()

    def note(self, selection: SelectionState) -> None:
        """A selection that is no unit: switches of the data say nothing, whatever else was chosen is not checked."""
        name = selection.name.strip(" -–").casefold()
        if name.startswith(SWITCHES):
            return
        self.unrecognised(
            selection.id,
            f"{selection.name}: not part of the rulebook's checks.",
            f"«{selection.name}»: проверки по книге правил этого не учитывают.",
        )

    def _unit(self, node_id: str | None) -> str | None:
        """The unit a fact names; its own id where the unit is gone, which the rules then object to."""
        return None if node_id is None else self.unit_of.get(node_id, node_id)

    def _named(self, found: FantasyUnit) -> FantasyUnit:
        """A Lord or Hero of whom the data allows one is a named character, also where his type does not say so."""
        unit = found.unit
        if unit.category not in CHARACTER_CATEGORIES or unit.special_character or unit.name not in self._one_of_a_kind:
            return found
        return dataclasses.replace(found, unit=msgspec.structs.replace(unit, special_character=True))

    @cached_property
    def _one_of_a_kind(self) -> frozenset[str]:
        """Names of what stands in the list more often than the one time that its own entry allows."""
        return frozenset(
            error.name
            for error in self.state.errors
            if _is_of_numbers(error) and error.limit == 1 and error.entry_id == error.owner_entry_id
        )

    def _with_facts(self, found: FantasyUnit) -> ListedUnit:
        """The unit with what the player stated about it."""
        general = self.facts.general in found.ids if self.facts.general is not None else found.leads
        changes = self.facts_about(found, self.facts.units, nothing=NO_FACTS, other_units=("joined_to",), gone=GONE)
        access = {"armour_access": True} if self._may_take_armour(found) else {}
        return msgspec.structs.replace(found.unit, **({"general": general} | access | changes))

    def _may_take_armour(self, found: FantasyUnit) -> bool:
        """Whether the data offers ordinary armour to a wizard who wears magic armour instead (L2134-L2139)."""
        evaluation = self.state.evaluation
        wears = any(item is not None and item.category == "armour" for _, _, item in found.unit.items)
        if not (found.unit.wizard_level and wears and isinstance(evaluation, Evaluation)):
            return False
        holders = (evaluation.node(node_id) for node_id in found.ids)
        offered = (
            one
            for holder in holders
            if isinstance(holder, SelectionNode)
            for one in _open(offers_below(evaluation, holder))
        )
        return any(folded(read.without_remarks(one.name)) in (SUITS.keys() | SHIELDS) for one in offered)

    def _book_lores(self, found: list[FantasyUnit]) -> tuple[str, ...]:
        """Lores that the army book adds: those its data offers, and those the player states."""
        offered = (unit.unit.lore for unit in found)
        own = [lore for lore in offered if lore and lore_key(lore) not in lores()]
        return tuple(dict.fromkeys((*self.facts.army_book_lores, *own)))

    # Allies

    def _alliance(self, forces: list[ForceState], units: tuple[ListedUnit, ...]) -> Alliance | None:
        if len(forces) < 2:
            return None
        races = tuple(read.race_of(force.catalogue_name) for force in forces)
        costs = [sum(unit.points for unit in units if unit.army == index) for index in range(len(forces))]
        stated = dict(enumerate(self.facts.army_points))
        points = tuple(stated.get(index, cost) for index, cost in enumerate(costs))
        alliance = Alliance(
            level="desperate",
            races=races,
            army_points=points,
            supreme_commander=self._unit(self.facts.supreme_commander),
        )
        return msgspec.structs.replace(alliance, level=self._level(alliance) or alliance.level)

    def _level(self, alliance: Alliance) -> AllianceLevel | None:
        """The level declared, else the one recorded, else the best that camps allow; None where nothing says it."""
        return self.facts.alliance_level or self._recorded(alliance.races) or best_level(alliance)

    def _recorded(self, races: tuple[str, ...]) -> AllianceLevel | None:
        """The worst recorded level among the races; None when a pair has none."""
        levels: list[AllianceLevel] = []
        for index, race in enumerate(races):
            for ally in races[index + 1 :]:
                level = self._levels.get((race, ally)) or self._levels.get((ally, race))
                known = next((rank for rank in RANKS if rank == level), None)
                if known is None:
                    return None
                levels.append(known)
        return min(levels, key=RANKS.index, default=None)


def _with_generals_of_allies(units: tuple[ListedUnit, ...]) -> tuple[ListedUnit, ...]:
    """The units, where each allied army is led by whom its leadership makes its General (L1017).

    A list names the General of the player's own army only.
    """
    led = {unit.army for unit in units if unit.general}
    if 0 not in led:
        return units
    best: dict[int, ListedUnit] = {}
    for unit in units:
        if unit.army not in led and unit.is_character and not unit.army_standard:
            first = best.setdefault(unit.army, unit)
            if (unit.profile.Ld or 0) > (first.profile.Ld or 0):
                best[unit.army] = unit
    leading = {unit.id for unit in best.values()}
    return tuple(msgspec.structs.replace(unit, general=True) if unit.id in leading else unit for unit in units)


NO_FACTS = UnitFacts()
GONE = Text(
    en="the unit it was to join is no longer in the list",
    ru="отряда, к которому он присоединялся, больше нет в списке",
)


def _doubled(found: Sequence[FantasyUnit]) -> frozenset[str]:
    """Selections of named characters of whom there are several: WFX-06 says it, and of their gear nothing more."""
    names = Counter(unit.unit.name for unit in found if unit.unit.special_character)
    several = (unit for unit in found if unit.unit.special_character and names[unit.unit.name] > 1)
    return frozenset(node_id for unit in several for node_id in unit.ids)


def _is_of_numbers(error: RosterError) -> bool:
    return error.kind is ErrorKind.MAX and error.field == "selections"


def _open(rows: Iterable[Offer | OfferGroup]) -> Iterator[Offer]:
    """What is offered, in groups too."""
    for row in rows:
        if not row.hidden:
            yield from (row,) if isinstance(row, Offer) else _open(row.offers)


def _holds_models(selection: SelectionState) -> bool:
    return any(profile.type_name == read.MODEL for part in selection.walk() for profile in part.profiles)
