"""A BattleScribe roster seen as a 40k 6th edition army document, with the facts that game data cannot hold.

Read are our own fixtures and the community's data of the 6th edition, and of the 7th where it is alike;
docs/recognition.md says by what. What cannot be read is a finding BS-05, never silence.
"""

import dataclasses
from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import Literal

import msgspec

from armybuilder.engine.gamedata.columns import NONE
from armybuilder.engine.roster.evaluation import Evaluation
from armybuilder.engine.roster.nodes import ForceNode
from armybuilder.engine.roster.state import ErrorKind, ForceState, RosterError, SelectionState
from armybuilder.engine.systems.roster_reading.army_reading import ArmyReading, ArmyTranslator, Consequences
from armybuilder.engine.systems.roster_reading.parts import Part
from armybuilder.engine.systems.roster_reading.stored_facts import CommonListFacts, CommonUnitFacts, UnitReference
from armybuilder.engine.systems.roster_reading.unit_reader import RosterUnit
from armybuilder.engine.systems.wh40k_6th.army import Army, Detachment, Options, Unit
from armybuilder.engine.systems.wh40k_6th.list_rules.allies import is_known
from armybuilder.engine.systems.wh40k_6th.roster import recognition as read
from armybuilder.engine.systems.wh40k_6th.roster.default_wargear import ARTILLERY, crew_of
from armybuilder.engine.systems.wh40k_6th.roster.units import SquadReader, holds_models, parts

Role = Literal["hq", "troops", "elites", "fast_attack", "heavy_support", "lord_of_war", "fortification", "no_slot"]


class UnitFacts(CommonUnitFacts, frozen=True, kw_only=True):
    """What the player states about one unit.

    Attributes:
        role: its role in the force organisation chart, where the data says none or another.
        unique: it is a named character, taken once in the army.
    """

    role: Role | None = None
    unique: bool | None = None


class Facts(CommonListFacts, frozen=True, kw_only=True):
    """What a stored list says besides its roster.

    Attributes:
        warlord: the warlord's unit, or a selection in it.
        double_chart: the units of the primary detachment fill two charts; None leaves it to the data.
        army_construction: whether the army construction rules of the published game apply.
        units: by selection id of the unit or anything in it.
    """

    warlord: UnitReference | None = None
    double_chart: bool | None = None
    army_construction: Literal["published", "not_checked"] = "published"
    units: dict[str, UnitFacts] = {}


class Translator(ArmyTranslator[Facts, Army]):
    """The roster as the army document that the W6 and W6L rules are checked on.

    Its settings tell the check the levels of alliances.
    """

    def translation(self) -> ArmyReading[Army]:
        detachments: list[Detachment] = []
        forces = self._forces()
        for force, type_ in forces:
            army_name = read.army_name(force.catalogue_name)
            units = [
                with_gunners(read_unit, army_name)
                for selection in force.selections
                for read_unit in self._units(selection, type_)
            ]
            for share in self._charts(force, type_, units):
                detachments.append(self._detachment(force, type_, share, f"/detachments/{len(detachments)}"))
        army = Army(
            system="wh40k-6th",
            name=self.state.roster.name or None,
            points_limit=self.points_limit,
            detachments=tuple(detachments),
            options=Options(army_construction=self.facts.army_construction),
        )
        told_once = tuple(error for error in self.state.errors if self._is_of_a_unique_unit(error, detachments))
        return ArmyReading(
            army,
            self.places,
            self.notes.findings,
            set_aside=self._of_another_chart(forces),
            consequences=(Consequences("W6L-16", told_once, frozenset()),),
        )

    @staticmethod
    def _of_another_chart(forces: list[tuple[ForceState, read.DetachmentType]]) -> frozenset[tuple[str, str]]:
        """What the standard chart asks of a primary detachment, where one of another chart stands in its place.

        That its slots are not checked is said.
        """
        types = [type_ for _, type_ in forces]
        own = sum(read.is_a_chart_of_its_own(force.name) for force, _ in forces)
        if not own or "primary" in types:
            return frozenset()
        rules = {"W6L-03", "W6L-14"}
        if types.count("allied") <= own:
            rules.add("W6L-09")
        return frozenset((rule, "") for rule in rules)

    @staticmethod
    def _is_of_a_unique_unit(error: RosterError, detachments: list[Detachment]) -> bool:
        """Whether the data objects to how often somebody is taken of whom there is one: W6L-16 says so."""
        return (
            error.kind is ErrorKind.MAX
            and error.field == "selections"
            and any(unit.unique and unit.name == error.name for detachment in detachments for unit in detachment.units)
        )

    # Detachments

    def _forces(self) -> list[tuple[ForceState, read.DetachmentType]]:
        """The forces with what they are, primary detachments first."""
        found: list[tuple[ForceState, read.DetachmentType]] = []
        for force in self.state.all_forces():
            type_ = read.detachment_type(force.name)
            if type_ is None:
                type_ = "other"
                if not self._has_slots_of_its_own(force):
                    self.notes.unrecognised(
                        force.id,
                        f"{force.name} is no detachment of the standard chart; its slots are not checked.",
                        f"«{force.name}» – не подразделение стандартной схемы; слоты не проверяются.",
                    )
            found.append((force, type_))
        order = ("primary", "allied", "fortification", "lord_of_war", "other")
        return sorted(found, key=lambda pair: order.index(pair[1]))

    def _has_slots_of_its_own(self, force: ForceState) -> bool:
        """Whether the data limits the roles of a detachment of another chart, three to six Knights, and checks them."""
        evaluation = self.state.evaluation
        node = evaluation.node(force.id) if isinstance(evaluation, Evaluation) else None
        if not isinstance(evaluation, Evaluation) or not isinstance(node, ForceNode):
            return False
        library = evaluation.library
        links = (link for link in node.spec.category_link_nodes if library.target[link] != NONE)
        return any(library.spec(library.target[link], link).constraints for link in links)

    def _charts(
        self, force: ForceState, type_: read.DetachmentType, units: list[RosterUnit[Unit]]
    ) -> list[list[RosterUnit[Unit]]]:
        """The units of a force by the charts they fill: two where the chart is doubled, role by role half in each.

        Halves keep the limits of both charts exactly when the whole keeps the doubled ones.
        """
        if type_ == "primary" and self.facts.double_chart is not None:
            doubled = self.facts.double_chart
        else:
            doubled = any(read.is_extra_chart(selection.name) for selection in force.selections)
        if not doubled or type_ not in ("primary", "allied"):
            return [units]
        shares: list[list[RosterUnit[Unit]]] = [[], []]
        met: Counter[str | None] = Counter()
        for unit in units:
            shares[met[unit.unit.role] % 2].append(unit)
            met[unit.unit.role] += 1
        return shares

    def _detachment(
        self, force: ForceState, type_: read.DetachmentType, units: list[RosterUnit[Unit]], at: str
    ) -> Detachment:
        self.places[at] = force.id
        army = read.army_name(force.catalogue_name) if type_ != "fortification" else None
        if type_ in ("primary", "allied") and army is not None and not is_known(army):
            self.notes.unrecognised(
                force.id,
                f"{force.catalogue_name}: no army of the allies table is recognised.",
                f"«{force.catalogue_name}»: армия из таблицы союзов не распознана.",
            )
        for index, unit in enumerate(units):
            self.place_unit(f"{at}/units/{index}", unit)
        return Detachment(type=type_, army=army, units=tuple(unit.unit for unit in units))

    # Units

    def _units(self, selection: SelectionState, type_: read.DetachmentType) -> Iterator[RosterUnit[Unit]]:
        category = selection.primary_category
        role = read.role_of(category.name) if category else read.NO_SLOT
        if not holds_models(selection, self.points_type) and role in (None, read.NO_SLOT):
            self._note(selection)
            return
        facts = self._facts_about(frozenset(node.id for node in selection.walk()))
        if role is None and category is not None and facts.role is None and type_ != "other":
            self.notes.unrecognised(
                selection.id,
                f"{selection.name}: its battlefield role is not recognised ({category.name}).",
                f"«{selection.name}»: роль на поле боя не распознана ({category.name}).",
            )
        known = role or (category.name if category else read.NO_SLOT)
        for part, unit in self.read_once(selection, known, partial(self._read_root, selection, known)):
            yield self._with_facts(unit, part)

    def _read_root(self, root: SelectionState, role: str) -> Iterator[tuple[Part, RosterUnit[Unit]]]:
        for part in parts(root, role):
            reader = SquadReader(part, points_type=self.points_type, unrecognised=self.unrecognised)
            yield part, reader.army_unit()

    def _note(self, selection: SelectionState) -> None:
        """A selection that is no unit; whatever was chosen in it is not checked."""
        if read.is_extra_chart(selection.name):
            return
        chosen = [node.shown_name for node in selection.walk() if node is not selection]
        names = ": ".join([selection.shown_name, *filter(None, [", ".join(dict.fromkeys(chosen))])])
        self.notes.unrecognised(
            selection.id,
            f"{names}: not part of the rulebook's checks.",
            f"«{names}»: проверки по книге правил этого не учитывают.",
        )

    def _facts_about(self, ids: frozenset[str]) -> UnitFacts:
        """What the player stated about the unit of these selections."""
        return next((facts for node_id, facts in self.facts.units.items() if node_id in ids), _NO_FACTS)

    def _with_facts(self, found: RosterUnit[Unit], part: Part) -> RosterUnit[Unit]:
        """The unit with what the player stated about it; the warlord is the one the player named, else the data's."""
        facts = self._facts_about(found.ids)
        leads = self.facts.warlord in found.ids if self.facts.warlord is not None else found.leads
        changes: dict[str, object] = {}
        if facts.role is not None and part.role != read.TRANSPORT:
            changes["role"] = facts.role
        if facts.unique is not None:
            changes["unique"] = facts.unique
        if leads:
            changes["warlord"] = True
        if not changes:
            return found
        unit: Unit = msgspec.structs.replace(found.unit, **changes)
        return dataclasses.replace(found, unit=unit)


def with_gunners(found: RosterUnit[Unit], army: str) -> RosterUnit[Unit]:
    """The unit with who serves its guns, where our facts know it and the data has no row of them."""
    guns = sum(group.count for group in found.unit.models if ARTILLERY in group.subtypes)
    crew = crew_of(army, found.unit.name, guns) if guns else None
    if crew is None:
        return found
    unit: Unit = msgspec.structs.replace(found.unit, models=(*found.unit.models, crew))
    return dataclasses.replace(found, unit=unit, groups=(*found.groups, found.node_id))


_NO_FACTS = UnitFacts()
