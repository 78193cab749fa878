"""A BattleScribe roster seen as an Epic army document, with the facts that game data cannot hold.

Read are our own fixtures and the community's data; docs/recognition.md says by what. What cannot be read is a finding
BS-05, never silence; what the army list's own numbers forbid is said as EPL-01 to EPL-09.
"""

import dataclasses
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from math import ceil
from typing import Annotated, Literal

from msgspec import Meta
from msgspec.structs import replace

from armybuilder.engine import points
from armybuilder.engine.findings import Finding, Origin
from armybuilder.engine.points import Exact, Number, written
from armybuilder.engine.roster.evaluation import Evaluation
from armybuilder.engine.roster.model import pointers
from armybuilder.engine.roster.state import ErrorKind, ForceState, RuleState
from armybuilder.engine.systems.epic.army import (
    Army,
    Character,
    Deployment,
    Formation,
    Options,
    Plan,
    Point,
    Stand,
    Transport,
    Unit,
)
from armybuilder.engine.systems.epic.boarding import board
from armybuilder.engine.systems.epic.list_rules.army_list import formation_number
from armybuilder.engine.systems.epic.list_rules.list_limits import UNIT_TYPES, list_findings
from armybuilder.engine.systems.epic.roster import recognition, rule_texts
from armybuilder.engine.systems.epic.roster.formations import (
    EpicUnit,
    ReadFormation,
    formations,
    lone_characters,
    with_lone_characters,
)
from armybuilder.engine.systems.notation import Count
from armybuilder.engine.systems.roster_reading.army_reading import ArmyReading, ArmyTranslator
from armybuilder.engine.systems.roster_reading.stored_facts import (
    CommonListFacts,
    CommonUnitFacts,
    PlayerFacts,
    UnitReference,
)

Spot = Annotated[str, Meta(pattern=r"^\s*\d+([.,]\d+)?\s*[xхX×]\s*\d+([.,]\d+)?\s*$")]
"""A point of the table as a player writes it: 60x30, in centimetres from the left and from the own edge."""


_UNITS_INITIATIVE = re.compile(r"initiative ([1-6]\+)", re.IGNORECASE)
"""The rule of a unit whose whole formation has it."""


class PlanFacts(PlayerFacts, frozen=True, kw_only=True):
    """What is written down before the game."""

    turn: Count | None = None
    drop_point: Spot | None = None
    bombardment_points: tuple[Spot, ...] = ()
    surface_point: Spot | None = None
    surface_half: Literal["own", "enemy"] | None = None


class StandFacts(PlayerFacts, frozen=True, kw_only=True):
    """The bases of a player's own models."""

    kind: Literal["infantry", "bike", "cavalry", "artillery"] | None = None
    width_mm: Count | None = None
    depth_mm: Count | None = None
    models: Count | None = None
    guns: Count | None = None


class UnitFacts(CommonUnitFacts, frozen=True, kw_only=True):
    """What the player states about one formation, or about one unit or character in it.

    Attributes:
        initiative: as the list prints it, 1 for 1+.
        carrier: the formation with the spacecraft that lands this one.
        embarked_in: the formation, or the unit, it starts the game in.
        in_own_transports: it starts the game in its own transports.
        host: the unit a character is shown on.
        transport_slots: places of each of its carriers, where the data does not say.
        stand: bases of its infantry.
    """

    initiative: Count | None = None
    deployment: Deployment | None = None
    overwatch_at_start: bool = False
    carrier: UnitReference | None = None
    embarked_in: UnitReference | None = None
    in_own_transports: bool = False
    host: UnitReference | None = None
    transport_slots: Count | None = None
    plan: PlanFacts | None = None
    stand: StandFacts | None = None


class ListedArmy(Army, frozen=True):
    """An army read from a roster.

    Attributes:
        besides: points of the list that are in no formation.
    """

    besides: Number = 0

    @property
    def total(self) -> Exact:
        """What the list costs."""
        return points.total((*(formation.points or 0 for formation in self.formations), self.besides))


class Facts(CommonListFacts, frozen=True, kw_only=True):
    """What a stored list says besides its roster.

    Attributes:
        units: by selection id of the formation, or of a unit or character in it.
    """

    strategy_rating: int | None = None
    garrison_strict: bool = True
    spacecraft_turn_one: bool = False
    units: dict[str, UnitFacts] = {}


@dataclass(frozen=True)
class _Aboard:
    """A formation with its units as they may ride.

    Attributes:
        parts: unit in the document -> selection it was made of.
    """

    read: ReadFormation
    units: tuple[Unit, ...]
    parts: Mapping[str, str]

    @property
    def carriers(self) -> frozenset[str]:
        """Units whose datasheets say that they carry others."""
        return frozenset(read.unit.id for read in self.read.units if read.carries)


class Translator(ArmyTranslator[Facts, Army]):
    """The roster as the army document that the rules of the book are checked on, and what its army list forbids.

    Allied formations are a matter of each army list's data.
    """

    def translation(self) -> ArmyReading[Army]:
        self._say_unread_shares()
        rolled_strategy = self._rolled_strategy()
        aboard = [self._aboard(read) for read in self.read]
        made = []
        for index, formation in enumerate(aboard):
            at = f"/formations/{index}"
            self.places[at] = formation.read.node.id
            for number, unit in enumerate(formation.units):
                self.places[f"{at}/units/{number}"] = formation.parts[unit.id]
            for number, (_, node_id) in enumerate(formation.read.characters):
                self.places[f"{at}/characters/{number}"] = node_id
            made.append(self._formation(formation))
        army = ListedArmy(
            system="epic",
            name=self.state.roster.name or None,
            points_limit=self.points_limit,
            strategy_rating=self._strategy(),
            formations=tuple(made),
            options=Options(
                garrison_strict=self.facts.garrison_strict, spacecraft_turn_one=self.facts.spacecraft_turn_one
            ),
            besides=self._besides(),
        )
        unknown_room = frozenset(  # which is said, and nobody can say that it is too little
            ("EP-15", f"/formations/{index}/units/{number}")
            for index, formation in enumerate(aboard)
            for number, unit in enumerate(formation.units)
            if unit.transport is None and unit.id in formation.carriers
        )
        unknown_damage = frozenset(
            ("EP-12", f"/formations/{index}/units/{number}/profile/DC")
            for index, formation in enumerate(aboard)
            for number, unit in enumerate(formation.units)
            if unit.is_war_engine and unit.profile is not None and unit.profile.damage_capacity is None
        )
        return ArmyReading(
            army,
            self.places,
            (
                *self.notes.findings,
                *list_findings(self.state, points_limit=self.points_limit),
                *self._demanded(),
                *self._shares_asked(),
            ),
            set_aside=unknown_room
            | unknown_damage
            | rolled_strategy
            | self._told_of_empty(aboard)
            | _told_of_fliers(made),
        )

    def _told_of_empty(self, formations: Sequence[_Aboard]) -> frozenset[tuple[str, str]]:
        """What goes without saying of formations without units.

        Their characters have nobody to join; and where the army list asks for units, or those chosen have no datasheet,
        that is said instead.
        """
        asked = {error.node_id for error in self.state.errors if error.kind is ErrorKind.MIN}
        found: set[tuple[str, str]] = set()
        for index, formation in enumerate(formations):
            if not formation.units:
                at = f"/formations/{index}"
                found.add(("EP-09", at))
                if formation.read.without_datasheet or asked & formation.read.node_ids:
                    found.add(("EP-06", at))
        return frozenset(found)

    def _demanded(self) -> Iterator[Finding]:
        """EPL-04: a formation that the army list offers and asks for in words alone, and that nobody took."""
        evaluation = self.state.evaluation
        if not isinstance(evaluation, Evaluation):
            return
        at = pointers(self.state.roster)
        for force in self.state.all_forces():
            asked = rule_texts.demanded(force.rules)
            taken = [_words(node.name) for root in force.selections for node in root.walk()] if asked else []
            for name in asked:
                offered = (place.spec for place in evaluation.library.roots(force.catalogue_id))
                is_offered = any(_words(name) <= _words(spec.name) for spec in offered if spec.type in UNIT_TYPES)
                if is_offered and not any(_words(name) <= words for words in taken):
                    for found in formation_number(name, 0, least=1, most=None):
                        yield replace(found, at=at.get(force.id), origin=Origin.DATA)

    def _shares_asked(self) -> Iterator[Finding]:
        """EPL-04: formations that shall be a part of all, which the army list says in words alone."""
        at = pointers(self.state.roster)
        for force in self.state.all_forces():
            for share in rule_texts.asked_shares(force.rules):
                own = [read for read in self.read if read.node.id in {root.id for root in force.selections}]
                there = sum(_words(share.formation) <= _words(read.node.name) for read in own)
                for found in formation_number(share.formation, there, least=ceil(len(own) * share.part), most=None):
                    yield replace(found, at=at.get(force.id), origin=Origin.DATA)

    def _say_unread_shares(self) -> None:
        """Shares in words that no section of the data limits, as sections have a most and never a least."""
        evaluation = self.state.evaluation
        if not isinstance(evaluation, Evaluation):
            return
        names = {category.id: category.name.casefold() for category in evaluation.library.categories}
        for force in self.state.all_forces():
            unread = list(rule_texts.unread_shares(force.rules))
            roots = evaluation.library.roots(force.catalogue_id) if unread else ()
            sections = " ".join({names.get(category_id, "") for root in roots for category_id, _ in root.categories})
            for name, sentence, part in unread:
                if not part or part not in sections or "at least" in sentence.casefold():
                    self.unrecognised(
                        force.id,
                        f"{name}: “{sentence}”: the army list asks for it in words, and it is not checked.",
                        f"«{name}»: “{sentence}”: список армии требует этого словами, и это не проверяется.",
                    )

    def _besides(self) -> Number:
        """What the list pays for and no formation does: a barrage, an option of the whole army."""
        if self.points_type is None:
            return 0
        counted = sum(Decimal(str(formation.points)) for formation in self.read)
        return written(self.state.cost(self.points_type) - counted)

    # What the data says

    @cached_property
    def read(self) -> tuple[ReadFormation, ...]:
        """The formations of all forces, with what each carrier accepts and how much room each unit needs."""
        found = [
            formation
            for force in self.state.all_forces()
            for formation in formations(
                force, points_type=self.points_type, unrecognised=self.unrecognised, common=self._common_rules
            )
        ]
        loose = [
            lone
            for force in self.state.all_forces()
            for lone in lone_characters(force, points_type=self.points_type, unrecognised=self.unrecognised)
        ]
        if found:
            found = list(with_lone_characters(found, loose, self._host_of))
        else:
            for lone in loose:
                self._say_it_is_loose(lone)
        everybody = [read for formation in found for read in formation.units]
        return tuple(dataclasses.replace(formation, units=self._boardable(formation, everybody)) for formation in found)

    def _host_of(self, node_id: str) -> str | None:
        facts = self.facts.units.get(node_id)
        return facts.host if facts is not None else None

    def _say_it_is_loose(self, lone: ReadFormation) -> None:
        self.unrecognised(
            lone.node.id,
            f"{lone.node.shown_name}: there is no formation yet to join.",
            f"«{lone.node.shown_name}»: пока нет формации, к которой можно присоединиться.",
        )

    def _boardable(self, formation: ReadFormation, everybody: list[EpicUnit]) -> tuple[EpicUnit, ...]:
        return tuple(self._with_room(formation, unit, everybody) for unit in formation.units)

    def _with_room(self, formation: ReadFormation, read: EpicUnit, everybody: list[EpicUnit]) -> EpicUnit:
        slots = self._fact(formation.node.id, read.node_id, "transport_slots") if read.carries else None
        transport = read.unit.transport
        if read.capacity is not None and transport is not None:
            named = {other.unit.name for other in everybody if read.capacity.takes(other.unit, other.names)}
            if read.unit.kind == "AC":  # an army list that sells aircraft with a formation has them carry it
                named |= {own.unit.name for own in formation.units if own.unit.kind == "INF"}
            transport = Transport(slots=transport.slots, accepts=tuple(sorted(named)))
        if isinstance(slots, int):
            transport = Transport(slots=slots, accepts=transport.accepts if transport else None)
        told = (other.capacity.places_of(read.sorts) for other in everybody if other.capacity)
        slots = max((places for places in told if places is not None), default=1)
        if read.carries and transport is None:
            self.unrecognised(
                read.node_id,
                f"{read.unit.name}: the data does not say how many it carries; state its transport places.",
                f"«{read.unit.name}»: в данных не сказано, сколько мест в транспорте; укажите их.",
            )
        return dataclasses.replace(read, unit=replace(read.unit, transport=transport, slots=slots))

    @property
    def _common_rules(self) -> Mapping[str, str]:
        evaluation = self.state.evaluation
        return evaluation.library.shared_rules if isinstance(evaluation, Evaluation) else {}

    @cached_property
    def ratings(self) -> dict[str, rule_texts.Ratings]:
        """What each force's rules, and those of what was chosen for the whole force, say of strategy and initiative."""
        return {
            force.id: rule_texts.ratings(map(self._in_english, (*force.rules, *_rules_of_choices(force))))
            for force in self.state.all_forces()
        }

    def _in_english(self, rule: RuleState) -> RuleState:
        """The rule of ratings in the words it has where nobody chose another language of the data."""
        if not rule_texts.is_about_ratings(rule) or rule_texts.ratings((rule,)).strategy is not None:
            return rule
        return replace(rule, description=self._common_rules.get(rule.name.casefold(), rule.description))

    def _strategy(self) -> int | None:
        if self.facts.strategy_rating is not None:
            return self.facts.strategy_rating
        found = next((found for found in self.ratings.values() if found.strategy is not None), None)
        if found is None or found.led_by is None:
            return found.strategy if found is not None else None
        leader, rating = found.led_by
        there = {recognition.stem(name) for read in self.read for name in _members(read)}
        return rating if leader in there else found.strategy

    def _rolled_strategy(self) -> frozenset[tuple[str, str]]:
        """That an army has no rating of which the list says that it is rolled: it is told as such."""
        for force_id, found in self.ratings.items():
            if found.rolled is not None and self._strategy() is None:
                self.unrecognised(
                    force_id,
                    f"The strategy rating is rolled ({found.rolled}); state it once it is known.",
                    f"Стратегический рейтинг бросается ({found.rolled}); укажите его, когда он будет известен.",
                )
                return frozenset({("EP-04", "/strategy_rating")})
        return frozenset()

    def _initiative(self, formation: ReadFormation) -> int | str | None:
        initiative = self._fact(formation.node.id, formation.node.id, "initiative")
        if isinstance(initiative, int):
            return initiative
        types = {unit.unit.kind for unit in formation.units}
        read = self.ratings[formation.force.id].initiative(
            formation.names,
            aircraft="AC" in types,
            spacecraft="SC" in types,
            sections=(category.name for category in formation.node.categories),
            has_characters=bool(formation.characters),
        )
        own = (_UNITS_INITIATIVE.fullmatch(rule) for unit in formation.units for rule in unit.unit.rules)
        return min([found[1] for found in own if found] + ([read] if read else []), default=None)

    # What the player says

    def _fact(self, formation_id: str, node_id: str, member: str) -> object:
        """A fact of one unit, or else of its formation; None or the usual value where neither is stated."""
        for key in (node_id, formation_id):
            facts = self.facts.units.get(key)
            if facts is not None and getattr(facts, member) != getattr(_NO_FACTS, member):
                return getattr(facts, member)
        return getattr(_NO_FACTS, member)

    def _unit_named(self, node_id: str) -> tuple[ReadFormation, tuple[EpicUnit, ...]] | None:
        """The formation behind a selection, and the units it means: all of them when it names the formation."""
        for formation in self.read:
            if node_id == formation.node.id:
                return formation, formation.units
            if node_id in formation.node_ids:
                return formation, tuple(unit for unit in formation.units if unit.node_id == node_id)
        return None

    def _aboard(self, formation: ReadFormation) -> _Aboard:
        """The units of a formation, those that ride split by what they ride in."""
        units: list[Unit] = []
        parts: dict[str, str] = {}
        waiting: dict[tuple[str, ...], list[EpicUnit]] = defaultdict(list)
        carriers_of: dict[tuple[str, ...], list[Unit]] = {}
        for read in formation.units:
            carriers = self._carriers_for(formation, read)
            if carriers is None:
                units.append(self._with_stand(formation, read))
                parts[read.unit.id] = read.node_id
                continue
            key = tuple(carrier.id for carrier in carriers)
            waiting[key].append(read)
            carriers_of[key] = carriers
        for key, riders in waiting.items():
            own = {read.unit.id: read for read in riders}
            for unit in board(
                [self._with_stand(formation, read) for read in riders], carriers_of[key], taken=self._taken
            ):
                units.append(unit)
                parts[unit.id] = next(read.node_id for name, read in own.items() if unit.id.startswith(name))
                if unit.embarked_in is not None:
                    self._taken[unit.embarked_in] += unit.count * unit.slots
        return _Aboard(formation, tuple(units), parts)

    @cached_property
    def _taken(self) -> dict[str, int]:
        return defaultdict(int)

    def _carriers_for(self, formation: ReadFormation, read: EpicUnit) -> list[Unit] | None:
        """What a unit starts the game in; None for one that is on foot."""
        target = self._fact(formation.node.id, read.node_id, "embarked_in")
        if isinstance(target, str):
            named = self._unit_named(target)
            if named is not None:
                carriers = [unit.unit for unit in named[1] if unit.carries]
                return carriers or [unit.unit for unit in named[1]]
            self.unrecognised(
                read.node_id,
                f"{read.unit.name}: what it was to ride in is no longer in the list.",
                f"«{read.unit.name}»: того, в чём ехал юнит, больше нет в списке.",
            )
        inside = self._fact(formation.node.id, read.node_id, "in_own_transports")
        if not inside and read.unit.kind != "AC":  # with its aircraft it starts in reserve, and so aboard (L1111)
            inside = any(unit.carries and unit.unit.kind == "AC" for unit in formation.units)
        if inside is True and not read.carries:
            own = [unit.unit for unit in formation.units if unit.carries]
            fitting = [carrier for carrier in own if carrier.transport is None or carrier.transport.takes(read.unit)]
            return fitting or None
        return None

    def _with_stand(self, formation: ReadFormation, read: EpicUnit) -> Unit:
        stand = self._fact(formation.node.id, read.node_id, "stand")
        if not isinstance(stand, StandFacts) or (read.unit.kind != "INF" and read.node_id not in self.facts.units):
            return read.unit
        sides = (stand.width_mm, stand.depth_mm)
        return replace(
            read.unit,
            stand=Stand(
                kind=stand.kind,
                sides_mm=tuple(side for side in sides if side is not None) if None not in sides else None,
                models=stand.models,
                guns=stand.guns,
            ),
        )

    # Formations

    def _formation(self, aboard: _Aboard) -> Formation:
        read = aboard.read
        facts = self.facts.units.get(read.node.id, _NO_FACTS)
        carrier = self._unit_named(facts.carrier) if facts.carrier is not None else None
        return Formation(
            id=read.node.id,
            name=read.node.shown_name,
            points=read.points,
            initiative=self._initiative(read),
            deployment=facts.deployment or self._usual_deployment(aboard),
            overwatch_at_start=facts.overwatch_at_start,
            carrier=carrier[0].node.id if carrier is not None else facts.carrier,
            plan=_plan(facts.plan),
            units=aboard.units,
            characters=tuple(self._characters(aboard)),
        )

    def _usual_deployment(self, aboard: _Aboard) -> Deployment:
        """Where a formation starts when nobody says: what may not stand on the table starts elsewhere (L1095-1111)."""
        types = {unit.kind for unit in aboard.units}
        if "SC" in types:
            return "space"
        flying = {unit.unit.id for other in self.read for unit in other.units if unit.unit.kind == "AC"}
        rides = [unit.embarked_in in flying for unit in aboard.units]
        return "reserve" if "AC" in types or (rides and all(rides)) else "table"

    def _characters(self, aboard: _Aboard) -> Iterator[Character]:
        """Each with his host: the one that is stated, the unit he stands under, else the first that carries nobody.

        Infantry comes before the vehicles that were bought with it. [decision]
        """
        read = aboard.read
        usual = sorted(read.units, key=lambda unit: (unit.carries, unit.unit.kind != "INF"))
        for character, node_id in read.characters:
            fact = self._fact(read.node.id, node_id, "host")
            named = self._unit_named(fact) if isinstance(fact, str) else None
            if named is not None:
                host = named[1][0].unit.id if named[1] else None
            else:
                host = character.host or next((unit.unit.id for unit in usual), None)
            yield replace(character, host=host)


def _rules_of_choices(force: ForceState) -> Iterator[RuleState]:
    for selection in force.selections:
        if selection.type == "upgrade":
            for part in selection.walk():
                yield from part.rules


def _members(read: ReadFormation) -> Iterator[str]:
    """Names of its units and characters."""
    yield from (name for unit in read.units for name in unit.names)
    yield from (character.name for character, _ in read.characters)


def _plan(facts: PlanFacts | None) -> Plan:
    if facts is None:
        return Plan()
    return Plan(
        turn=facts.turn,
        drop_point=_point(facts.drop_point),
        bombardment_points=tuple(point for text in facts.bombardment_points if (point := _point(text)) is not None),
        surface_point=_point(facts.surface_point),
        surface_half=facts.surface_half,
    )


def _point(text: str | None) -> Point | None:
    if text is None:
        return None
    folded = text.casefold().replace(",", ".").replace("х", "x").replace("×", "x")
    return tuple(float(number) for number in folded.split("x"))


def _words(name: str) -> frozenset[str]:
    return frozenset(recognition.stem(name).split())


def _told_of_fliers(formations: Sequence[Formation]) -> frozenset[tuple[str, str]]:
    """That aircraft and ships are no garrison goes without saying: EP-20 and EP-21 tell where they start."""
    return frozenset(
        ("EP-22", f"/formations/{index}/deployment")
        for index, formation in enumerate(formations)
        if any(unit.kind in ("AC", "SC") for unit in formation.own_units)
    )


_NO_FACTS = UnitFacts()
