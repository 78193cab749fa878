"""A BattleScribe roster seen as a Horus Heresy army document, with the facts that game data cannot hold.

Read are our own fixtures and the community's data; docs/recognition.md says by what. What cannot be read is a finding
BS-05, never silence.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from armybuilder.engine.findings import Text
from armybuilder.engine.points import Number
from armybuilder.engine.roster.group_info import info_of_groups
from armybuilder.engine.roster.state import ErrorKind, ForceState, RosterError, SelectionState
from armybuilder.engine.systems.horus_heresy import factions
from armybuilder.engine.systems.horus_heresy.army import ArmourValues, Army, Detachment, Opponent, Unit
from armybuilder.engine.systems.horus_heresy.list_rules.datasheets import LEAST_ARMOUR
from armybuilder.engine.systems.horus_heresy.roster import recognition as read
from armybuilder.engine.systems.horus_heresy.roster.data_limits import joining_findings, limit_findings
from armybuilder.engine.systems.horus_heresy.roster.units import (
    SIDES,
    HeresyReader,
    HeresyUnit,
    Leader,
    data_warlord,
    parts,
)
from armybuilder.engine.systems.horus_heresy.vocabulary import AllianceLevel, Deployment, DetachmentType, PlayMode, word
from armybuilder.engine.systems.notation import Count
from armybuilder.engine.systems.roster_reading.army_reading import ArmyReading, ArmyTranslator, Consequences
from armybuilder.engine.systems.roster_reading.parts import Part
from armybuilder.engine.systems.roster_reading.stored_facts import (
    CarrierReference,
    CommonListFacts,
    CommonUnitFacts,
    PlayerFacts,
    UnitReference,
)

Name = Annotated[str, Meta(min_length=1)]

Side = Literal["loyalist", "traitor"]
"""What a list states its allegiance to be; what data prints is read more kindly."""


class OpponentFacts(PlayerFacts, frozen=True, kw_only=True):
    """The other army, for the rules that concern both."""

    allegiance: Side | None = None
    points_limit: Number | None = None
    asymmetry_agreed: bool = False


class UnitFacts(CommonUnitFacts, frozen=True, kw_only=True):
    """What the player states about one unit; other units are named by a selection of theirs."""

    deployment: Deployment | None = None
    joined_to: UnitReference | None = None
    embarked_in: CarrierReference | None = None
    dedicated_transport_for: UnitReference | None = None
    psychic_disciplines: tuple[Name, ...] = ()
    psychic_powers: tuple[Name, ...] = ()
    predetermined_warlord_trait: str | None = None
    must_be_warlord: bool = False
    allegiance: Side | None = None
    slots_used: Count | None = None


class Facts(CommonListFacts, frozen=True, kw_only=True):
    """What a stored list says besides its roster.

    Attributes:
        warlord: a selection of the warlord's unit, his model or the unit itself.
        units: by selection id of the unit or anything in it.
    """

    allegiance: Side | None = None
    play_mode: PlayMode = PlayMode.NARRATIVE
    chart: str | None = "crusade"
    warlord: UnitReference | None = None
    warlord_trait: str | None = None
    allowed_warlord_traits: tuple[Name, ...] = ()
    must_be_warlord_exception: bool = False
    cap_override: bool = False
    base_reactions: Count | None = None
    deep_strike_assaults: Count | None = None
    flanking_assaults: Count | None = None
    opponent: OpponentFacts | None = None
    units: dict[str, UnitFacts] = {}


class Translator(ArmyTranslator[Facts, Army]):
    """The roster as the army document that HH-01 to HH-64 are checked on."""

    @cached_property
    def sides(self) -> list[str]:
        """Allegiances that selections name, in their order."""
        return []

    @cached_property
    def traits(self) -> dict[str, None]:
        """Warlord traits that units bring."""
        return {}

    def translation(self) -> ArmyReading[Army]:
        forces = self._forces()
        chart = self._chart(forces)
        read_units = {force.id: list(self._units(force)) for force, _ in forces}
        units = [unit for found in read_units.values() for unit in found]
        own = next((read.army_list(force.catalogue_name) for force, type_ in forces if type_ == "primary"), None)
        detachments = []
        for index, (force, type_) in enumerate(forces):
            at = f"/detachments/{index}"
            self.places[at] = force.id
            detachments.append(self._detachment(force, type_, read_units[force.id], at, own))
        army = Army(
            system="horus-heresy",
            name=self.state.roster.name or None,
            play_mode=self.facts.play_mode,
            allegiance=self.facts.allegiance or next(iter(self.sides), None),
            points_limit=self.points_limit,
            chart=self.facts.chart if chart is None else read.plain(chart),
            alliances=self._alliances(detachments),
            detachments=tuple(detachments),
            deep_strike_assaults=self.facts.deep_strike_assaults,
            flanking_assaults=self.facts.flanking_assaults,
            allowed_warlord_traits=tuple(dict.fromkeys((*self.facts.allowed_warlord_traits, *self.traits))),
            must_be_warlord_exception=self.facts.must_be_warlord_exception,
            base_reactions=self.facts.base_reactions,
            cap_override=self.facts.cap_override or chart is not None,
            opponent=_opponent(self.facts.opponent),
        )
        answered = (*self._answered(of_the_book=chart is None), *self._second_legions(army))
        joined = {node_id: one.joined_to for node_id, one in self.facts.units.items() if one.joined_to}
        return ArmyReading(
            army,
            self.places,
            (
                *self.notes.findings,
                *limit_findings(self.state, units, [error for error in self.state.errors if error not in answered]),
                *joining_findings(self.state, units, joined),
            ),
            answered=answered,
            set_aside=(CHART_RULES if chart is not None else frozenset())
            | frozenset(_gifted(army, read_units))
            | frozenset(_of_their_entry(army, read_units))
            | frozenset(_of_thick_armour(army))
            | frozenset(self._allowed_aboard(army))
            | frozenset(self._other_agents(forces))
            | frozenset(_of_no_primary(forces)),
            consequences=self._consequences(),
        )

    def _consequences(self) -> tuple[Consequences, ...]:
        of_the_other_side = tuple(self._side_missing())
        return (
            Consequences("HH-32", (), frozenset({("HH-43", "")})),
            Consequences("HH-02", of_the_other_side, frozenset()),
            Consequences("HH-03", of_the_other_side, frozenset()),
            Consequences("HH-37", tuple(self._trait_missing()), OF_WHO_LEADS),
        )

    def _side_missing(self) -> Iterator[RosterError]:
        """What the data says of the only side that its army knows: HH-02 and HH-03 tell that it serves no other."""
        lists = tuple(force.catalogue_name for force in self.state.all_forces())
        for error in self.state.errors:
            of_a_side = error.kind is ErrorKind.MIN and word(read.plain(error.name)) in SIDES
            of_no_list = error.kind is ErrorKind.MAX and not error.limit
            if of_a_side or (of_no_list and any(name.endswith(error.name) for name in lists)):
                yield error

    def _trait_missing(self) -> Iterator[RosterError]:
        """What the data misses of who leads instead of the one who must: HH-37 tells that he does not."""
        for error in self.state.errors:
            if error.kind is ErrorKind.MIN and read.is_of_trait(error.name):
                yield error

    def _second_legions(self, army: Army) -> Iterator[RosterError]:
        """What the data says of a unit of several Legions: HH-21 names them."""
        mixed = {placed.unit.id for placed in army.units if len(placed.legions) > 1}
        for error in self.state.errors:
            if error.kind is ErrorKind.MAX and error.node_id in mixed and read.is_of_legion(error.name):
                yield error

    def _allowed_aboard(self, army: Army) -> Iterator[tuple[str, str]]:
        """HH-46 of passengers whom their own entry or the transport's allows to embark (L2141 [text])."""
        units = {unit.id: unit for detachment in army.detachments for unit in detachment.units}
        joined = {unit.joined_to for unit in units.values()}
        for number, detachment in enumerate(army.detachments):
            for index, unit in enumerate(detachment.units):
                rider = units.get(unit.dedicated_transport_for)
                if rider is None or rider.id in joined:
                    continue
                own, carrier = self.state.node(rider.id or ""), self.state.node(unit.id or "")
                if not isinstance(own, SelectionState) or not isinstance(carrier, SelectionState):
                    continue
                types = {group.type for group in rider.models} if isinstance(rider.models, tuple) else {rider.type}
                if read.may_embark(own, but_for=carrier) or types & read.types_carried(carrier):
                    yield "HH-46", f"/detachments/{number}/units/{index}"

    def _other_agents(self, forces: Sequence[tuple[ForceState, DetachmentType]]) -> Iterator[tuple[str, str]]:
        """HH-19 of Agents beside Agents of another army list, as Sisters of Silence beside Custodes.

        The book speaks of factions of Agents (L3578, L3644 [text]), and leaves to the players which lists are which
        (L3606).
        """
        lists = [read.army_list(force.catalogue_name) for force, _ in forces]
        for number, (mine, (_, type_)) in enumerate(zip(lists, forces, strict=True)):
            of_agents = factions.canonical(mine.faction or "") in factions.AGENTS
            if type_ is DetachmentType.ALLIED and of_agents and mine.name != lists[0].name:
                yield "HH-19", f"/detachments/{number}/faction"

    def _answered(self, *, of_the_book: bool) -> Iterator[RosterError]:
        """What the data objects to and the book's rules answer: the warlord and his stated trait; 25 % and detachments.

        And the name of an army list in a detachment of allies: data allows it by counting selections of a detachment,
        which are none (Bound Daemons). And compulsory choices, where a character whom the data counts among the others
        leads all the same. Shares and detachments are the book's on its own chart alone.
        """
        forces = [one for one in self.state.all_forces() if read.detachment_type(one) is DetachmentType.ALLIED]
        detachments = {force.name for force in self.state.all_forces()}
        of_allies = {node.id for force in forces for node in force.selections}
        led = {
            (force.id, role)
            for force in self.state.all_forces()
            for node in force.selections
            if node.primary_category is not None and read.may_be_compulsory(node)
            if (role := read.role_of(node.primary_category.name)) is not None
        }
        for error in self.state.errors:
            if error.kind in (ErrorKind.MIN, ErrorKind.MAX) and (
                read.is_of_warlord(error.name)
                or (error.name in read.ONLY_ALLIES and error.node_id in of_allies)
                or (of_the_book and (read.is_of_cap(error.name) or error.name in detachments))
                or (self.facts.warlord_trait is not None and read.is_of_trait(error.name))
            ):
                yield error
            elif error.kind is ErrorKind.MIN and of_the_book and error.limit == 1:
                role = read.compulsory_role(error.name)
                if role is not None and (error.node_id, role) in led:
                    yield error

    # Detachments

    def _forces(self) -> list[tuple[ForceState, DetachmentType]]:
        """The forces with what they are, the Primary Detachment first."""
        found = []
        for force in self.state.all_forces():
            found.append((force, read.detachment_type(force) or DetachmentType.PRIMARY))
        return sorted(found, key=lambda pair: list(DetachmentType).index(pair[1]))

    def _chart(self, forces: list[tuple[ForceState, DetachmentType]]) -> str | None:
        """The chart of the data that the army is built on; None for the Crusade chart, the only one of the book."""
        others = [force for force, _ in forces if read.detachment_type(force) is None]
        for force in others:
            self.unrecognised(
                force.id,
                f"{force.name} is no detachment of the Crusade chart; its slots are checked by the data alone.",
                f"«{force.name}» – не подразделение крестоносной таблицы; его слоты проверяются только по данным.",
            )
        return others[0].name if others else None

    def _detachment(
        self, force: ForceState, type_: DetachmentType, units: list[HeresyUnit], at: str, own: read.ArmyList | None
    ) -> Detachment:
        army_list = read.army_list(force.catalogue_name)
        if army_list.of_primary and own is not None:
            army_list = own
        if army_list.faction is None:
            self.unrecognised(
                force.id,
                f"{force.catalogue_name}: no faction of the rulebook is recognised.",
                f"«{force.catalogue_name}»: фракция из книги правил не распознана.",
            )
        for index, unit in enumerate(units):
            self.place_unit(f"{at}/units/{index}", unit)
        return Detachment(
            type=type_,
            faction=army_list.faction or army_list.name,
            legion=army_list.legion,
            units=tuple(self._with_facts(unit) for unit in units),
        )

    def _alliances(self, detachments: list[Detachment]) -> dict[str, AllianceLevel]:
        """Recorded levels of the other detachments' factions with the Primary Detachment's."""
        own = next((d.faction for d in detachments if d.type is DetachmentType.PRIMARY), None)
        if own is None:
            return {}
        recorded = {
            (factions.canonical(primary), factions.canonical(ally)): level
            for (primary, ally), level in self.alliance_levels.items()
        }
        found: dict[str, AllianceLevel] = {}
        for detachment in detachments:
            level = recorded.get((factions.canonical(own), factions.canonical(detachment.faction)))
            if level is None or detachment.faction == own:
                continue
            try:
                found[detachment.faction] = AllianceLevel(level)
            except ValueError:
                force_id = self.places[f"/detachments/{detachments.index(detachment)}"]
                self.unrecognised(
                    force_id,
                    f"The alliance level {level!r} between {own} and {detachment.faction} is not in the rulebook.",
                    f"Уровня союза «{level}» между {own} и {detachment.faction} в книге правил нет.",
                )
        return found

    # Units

    def _units(self, force: ForceState) -> Iterator[HeresyUnit]:
        for selection, role in self.roots(force, read.role_of, _holds_units):
            category = selection.primary_category
            shown = read.plain(category.name) if category else None
            if role is None:
                stated = f" ({shown})" if shown is not None else ""
                self.unrecognised(
                    selection.id,
                    f"{selection.name}: its battlefield role is not recognised{stated}.",
                    f"«{selection.name}»: роль на поле боя не распознана{stated}.",
                )
            known = role or (read.NO_ROLE if shown is None else shown)
            for unit in self._read_once(selection, known, force):
                self.unit_of |= dict.fromkeys(unit.ids, unit.node_id)
                self.traits |= dict.fromkeys(unit.traits)
                yield unit

    def _read_once(self, root: SelectionState, role: str, force: ForceState) -> tuple[HeresyUnit, ...]:
        type_, leader = read.detachment_type(force), (self.facts.warlord, self.stated_trait)
        how = (role, force.catalogue_name, type_, leader)
        return self.read_once(root, how, partial(self._read_root, root, role, force))

    def _read_root(self, root: SelectionState, role: str, force: ForceState) -> Iterator[HeresyUnit]:
        army_list = read.army_list(force.catalogue_name)
        found = parts(root, role)
        for part in found:
            leader = self._leader(part)
            reader = HeresyReader(
                part,
                points_type=self.points_type,
                legion=army_list.legion,
                leader=leader,
                in_primary=read.detachment_type(force) in (None, DetachmentType.PRIMARY),
                by_groups=partial(info_of_groups, self.state),
                unrecognised=self.unrecognised,
            )
            transports = tuple(
                dict.fromkeys(other.node.shown_name for other in found if other.carries and other.parent is part)
            )
            carrier_of = part.parent.node.id if part.carries and part.parent is not None else None
            several_lists = army_list.faction is not None and army_list.faction != army_list.name
            yield reader.army_unit(
                army_list=army_list.name if several_lists else None, transports=transports, carrier_of=carrier_of
            )

    @property
    def stated_trait(self) -> str | None:
        """The trait that the player stated, called as the traits of his models are: the data adds "(Warlord Trait)"."""
        trait = self.facts.warlord_trait
        return read.trait_name(trait) if trait is not None else None

    def _leader(self, part: Part) -> Leader | None:
        """The warlord as far as this unit is concerned: the one the player named, else the one the data marks."""
        if self.facts.warlord is not None:
            return Leader(self.facts.warlord, self.stated_trait)
        marked = data_warlord(part)
        return Leader(marked, self.stated_trait) if marked is not None else None

    def note(self, selection: SelectionState) -> None:
        """A selection that is no unit: the allegiance is read, whatever else was chosen is not checked."""
        if word(read.plain(selection.name)) in _SWITCHES:
            return
        chosen = [part for part in selection.walk() if part is not selection]
        for part in chosen:
            if word(part.name) in SIDES:
                self.sides.append(word(part.name))
        unknown = [
            part
            for part in chosen
            if part.type == "upgrade" and word(part.name) not in SIDES and not read.is_open_choice(part.name)
        ]
        if unknown and not any(factions.legion(part.name) for part in (selection, *chosen)):
            names = ", ".join(dict.fromkeys(part.shown_name for part in unknown))
            of_what = read.plain(selection.name)
            limits = sum(read.limitations(rule.description) for part in unknown for rule in part.rules)
            if limits:
                self.unrecognised(
                    selection.id,
                    f"{of_what}: {names}: its limitations ({limits}) stand in words; only those that the data counts "
                    "are checked.",
                    f"«{of_what}»: {names}: ограничения ({limits}) даны словами; проверяются лишь те, что считают "
                    "данные.",
                )
                return
            self.unrecognised(
                selection.id,
                f"{of_what}: {names}: not part of the rulebook's checks.",
                f"«{of_what}»: {names}: проверки по книге правил этого не учитывают.",
            )

    def _with_facts(self, unit: HeresyUnit) -> Unit:
        """The unit with what the player stated about it."""
        changes = self.facts_about(
            unit,
            self.facts.units,
            nothing=_NO_FACTS,
            other_units=("joined_to", "embarked_in", "dedicated_transport_for"),
            gone=_GONE,
        )
        return msgspec.structs.replace(unit.unit, **changes)


CHART_RULES = frozenset({("HH-08", ""), ("HH-36", "")})
"""What an army on another chart of the data is not asked: it has one (L3530), which may hold vehicles alone."""

OF_WHO_LEADS = frozenset((rule, "") for rule in ("HH-34", "HH-35", "HH-36", "HH-39"))
"""What is asked of a warlord, and not of who is named while another one must lead (HH-37)."""

THICKEST = 15
"""Armour of Warlord Titans and of the Gorgon."""

_NO_FACTS = UnitFacts()
_GONE = Text(
    en="the unit it was to go with is no longer in the list",
    ru="боевой единицы, с которой она связана, больше нет в списке",
)
_SWITCHES = frozenset({"expanded_army_list_profiles"})
"""Selections that only switch parts of the data on and off and say nothing about the army."""


def _holds_units(selection: SelectionState) -> bool:
    """A unit, or an upgrade around units or models, as the community writes some batteries."""
    return any(
        part.type in ("unit", "model") or any(profile.type_name in read.MODEL_PROFILES for profile in part.profiles)
        for part in selection.walk()
    )


def _opponent(facts: OpponentFacts | None) -> Opponent | None:
    if facts is None:
        return None
    return Opponent(
        allegiance=facts.allegiance, points_limit=facts.points_limit, asymmetry_agreed=facts.asymmetry_agreed
    )


def _of_no_primary(forces: Sequence[tuple[ForceState, DetachmentType]]) -> Iterator[tuple[str, str]]:
    """HH-18 of what goes with the Primary Detachment's faction where there is none: HH-09 tells that it is missing."""
    if all(type_ is not DetachmentType.PRIMARY for _, type_ in forces):
        for number, (force, _) in enumerate(forces):
            if read.army_list(force.catalogue_name).of_primary:
                yield "HH-18", f"/detachments/{number}"


def _gifted(army: Army, read_units: Mapping[str, Sequence[HeresyUnit]]) -> Iterator[tuple[str, str]]:
    """HH-58 of Psykers to whom their entry gives powers instead of a choice of disciplines, as Erebus."""
    known = [found.unit for units in read_units.values() for found in units]
    own = {unit.id for unit in known if unit.psychic_powers and not unit.psychic_disciplines}
    for number, detachment in enumerate(army.detachments):
        for index, unit in enumerate(detachment.units):
            if unit.id in own:
                yield "HH-58", f"/detachments/{number}/units/{index}"


def _of_their_entry(army: Army, read_units: Mapping[str, Sequence[HeresyUnit]]) -> Iterator[tuple[str, str]]:
    """HH-57 of disciplines and powers that an entry gives, though its type does not say Psyker (Tylos Rubio)."""
    own = {found.unit.id: found.unit for units in read_units.values() for found in units}
    for number, detachment in enumerate(army.detachments):
        for index, unit in enumerate(detachment.units):
            found = own.get(unit.id)
            if found is not None and unit.psychic_disciplines == found.psychic_disciplines:
                yield "HH-57", f"/detachments/{number}/units/{index}/psychic_disciplines"
            if found is not None and unit.psychic_powers == found.psychic_powers:
                yield "HH-57", f"/detachments/{number}/units/{index}/psychic_powers"


def _of_thick_armour(army: Army) -> Iterator[tuple[str, str]]:
    """HH-60 of what the data prints with armour of 15: values are usually, not always, 10 to 14 (L1835-1839)."""
    for number, detachment in enumerate(army.detachments):
        for index, unit in enumerate(detachment.units):
            groups = unit.models if isinstance(unit.models, tuple) else ()
            profiles = [one for one in (unit.profile, *(group.profile for group in groups)) if one is not None]
            armour = [one.AV for one in profiles if isinstance(one.AV, ArmourValues)]
            values = [value for one in armour for value in (one.front, one.side, one.rear) if value is not None]
            whole = all(one.HP is None or one.HP > 0 for one in profiles)
            if whole and THICKEST in values and all(value in range(LEAST_ARMOUR, THICKEST + 1) for value in values):
                yield "HH-60", f"/detachments/{number}/units/{index}"
