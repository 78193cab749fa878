"""The sheet of a list that is a roster: what its report, its army document and the game's summary say of each unit."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import msgspec

from armybuilder.armylists.documents import OWN_UNITS, UNITS, ListDocument, display_name
from armybuilder.armylists.facts import list_fact_types, references, stated, warlord_traits
from armybuilder.armylists.list_sheet import (
    ListSheet,
    SheetCost,
    SheetDetachment,
    SheetOption,
    SheetProfile,
    SheetRelease,
    SheetRole,
    SheetUnit,
    in_language,
    told_findings,
    unbroken,
    visible,
    visible_lines,
)
from armybuilder.armylists.own_points import RULE as OWN_PRICE
from armybuilder.armylists.own_units import RULE as OWN_UNIT
from armybuilder.armylists.reports import ListReport
from armybuilder.armylists.wording import fact_name
from armybuilder.engine.findings import Severity, Text
from armybuilder.engine.roster.amendments import ENTRY_ID as OWN_ENTRY
from armybuilder.engine.roster.limits import NO_CATEGORY
from armybuilder.engine.roster.state import CategoryState, ForceState, ProfileState, RosterState, SelectionState
from armybuilder.engine.systems.game import GAMES
from armybuilder.engine.systems.list_summary import ListSummary
from armybuilder.engine.systems.roster_reading.parts import walk_without
from armybuilder.engine.systems.roster_reading.points_cost import points_type
from armybuilder.engine.systems.roster_reading.unit_reader import Standing
from armybuilder.reference.names import Names, names_for, russian
from armybuilder.reference.tending import is_bookkeeping, is_model, sets_up_the_army, shows_model, standing

if TYPE_CHECKING:
    from armybuilder.armylists.models import ArmyList


def roster_sheet(army_list: "ArmyList", report: ListReport, document: ListDocument) -> ListSheet:
    """The sheet of a list that is a roster, in the language of the reader."""
    names = names_for(army_list.system.rule_pack, army_list.release_id)
    costs = points_type(report.library.cost_types)
    limit = None if report.points.limit is None else Decimal(str(report.points.limit))
    units = _UnitReading(report, document, names, costs, limit)
    state = report.state
    mentioned = mentioned_names(state)
    return ListSheet(
        name=visible(army_list.name),
        language="ru" if russian() else "en",
        game=visible(army_list.system.label),
        rule_pack=report.rule_pack,
        points=None if report.points.total is None else Decimal(str(report.points.total)),
        limit=limit,
        costs=tuple(
            SheetCost(
                visible(names(cost.name)), cost.value, limit if cost.type_id == costs else state.limit(cost.type_id)
            )
            for cost in state.costs
            if not cost.hidden
        ),
        detachments=tuple(units.detachment(force) for force in _in_order(report)),
        warlord=units.warlord(),
        facts=tuple(units.facts(document.facts)),
        army_facts=tuple(units.facts(units.beside_no_unit)),
        summary=units.told(units.summary.army) if units.summary is not None else (),
        notes=visible_lines(document.roster.notes),
        verdict=report.verdict,
        findings=told_findings(
            report,
            names,
            mentioned=mentioned,
            beside_units=units.summary.summarised_rules if units.summary else frozenset(),
        ),
        unchecked=tuple(visible(names.within(in_language(part.text), mentioned)) for part in report.unchecked),
        release=SheetRelease.of(army_list.release),
        revision=report.revision,
    )


def units_counted(category: CategoryState, standing: int) -> int:
    """How many units a role of a detachment has: what its limits count, if it has some, else those standing there."""
    has_maximum = category.maximum is not None and category.maximum >= 0
    limited = category.id != NO_CATEGORY and (bool(category.minimum) or has_maximum)
    return (category.current if limited else 0) or standing


def leaders(report: ListReport) -> Iterator[tuple[str, str]]:
    """Node id and trait of every warlord in the army document, which knows facts and data alike."""
    for pointer, who, at in _in_army(report):
        if getattr(who, "warlord", False):
            yield report.places.get(pointer, report.places.get(at, "")), getattr(who, "warlord_trait", "") or ""


class _UnitReading:
    def __init__(
        self, report: ListReport, document: ListDocument, names: Names, costs: str | None, limit: Decimal | None
    ) -> None:
        self.report = report
        self.document = document
        self.names = names
        self.costs = costs
        self.limit = limit
        self.summary = _summary(report)
        self.leaders = dict(leaders(report))
        if (chosen := str(report.facts.get("warlord") or "")) in document.places and chosen not in self.leaders:
            self.leaders[chosen] = str(report.facts.get("warlord_trait") or "")
        if not report.rule_pack and not self.leaders:  # without rules the data's own option says who leads
            self.leaders = {
                unit.id: "" for force in report.state.all_forces() for unit in force.selections if leads_by_data(unit)
            }
        self.at_units = references(list_fact_types(report.rule_pack or ""))
        self.called = dict(_called(report, names))
        self.secrets = _magic_items(report)
        self.objected = {found.node_id for found in report.findings if found.severity is Severity.ERROR}
        self.not_of_data = {
            found.node_id: found.message for found in report.findings if found.rule in (OWN_PRICE, OWN_UNIT)
        }

    @property
    def beside_no_unit(self) -> dict[str, Any]:
        """Facts of the list that are told in its head: not those that name a unit, which are told there."""
        told_there = (*self.at_units, "warlord_trait")
        return {name: value for name, value in self.document.facts.items() if name not in told_there}

    def detachment(self, force: ForceState) -> SheetDetachment:
        return SheetDetachment(
            name=visible(force.custom_name or self.names(force.name)),
            faction=visible(self.names(force.catalogue_name)),
            points=self._points(force),
            roles=tuple(self._roles(force)),
            alliance=self.report.alliances.get(force.id, ""),
            notes=visible_lines(force.notes),
        )

    def _roles(self, force: ForceState) -> Iterator[SheetRole]:
        for category, selections in _by_role(force):
            if category is None:
                yield self._army_rules(selections)
                continue
            role = self._role(category, selections)
            if role.units or (not category.hidden and (role.minimum or role.maximum)):
                yield role

    def _army_rules(self, settings: list[SelectionState]) -> SheetRole:
        """What sets the army up; it counts as no unit."""
        name = in_language(_ARMY_RULES)
        units = tuple(self._unit(selection, name) for selection in settings)
        return SheetRole(name=name, units=units, current=len(units), sets_up=True)

    def _role(self, category: CategoryState, selections: list[SelectionState]) -> SheetRole:
        name = in_language(_WITHOUT_ROLE) if category.id == NO_CATEGORY else self.names.role(category.name)
        name = visible(category.custom_name or name)
        units = tuple(self._unit(selection, name) for selection in selections)
        points = sum((unit.points or Decimal(0) for unit in units), Decimal(0)) if self.costs else None
        return SheetRole(
            name=name,
            units=units,
            current=units_counted(category, len(units)),
            minimum=int(category.minimum or 0),
            maximum=None if category.maximum is None or category.maximum < 0 else int(category.maximum),
            points=points,
            percent=None if points is None or not self.limit else (points * 100 / self.limit).quantize(Decimal("0.1")),
            category="" if category.id == NO_CATEGORY else visible(category.name),
        )

    def _unit(self, state: SelectionState, role: str) -> SheetUnit:
        # what stands in the list though the data offers it no more is told with all it has
        shown = tuple(part for part in state.walk() if not part.hidden or part is state or part.id in self.objected)
        rows = [row for part in shown for row in part.profiles if not row.hidden]
        rows.sort(key=lambda row: not shows_model(row))  # some data tells what a unit can before what it is
        profiles = tuple(dict.fromkeys(map(self._profile, rows)))
        rules = dict.fromkeys(
            visible(self.names(rule.name)) for part in shown for rule in part.rules if not rule.hidden
        )
        traits = [self.leaders.get(part.id, "") for part in state.walk()]
        said = tuple(self._stated_of(state))
        stands = standing(state, self.report.rule_pack)
        options = self._options(state, stands)
        taken = {option.name.casefold() for option in options}
        shown_by_game = self.told(self.summary.units.get(state.id, ())) if self.summary else ()
        told = (
            *(f"{name}: {value}" if value else name for name, value in said),
            *self._base_of_data(state, profiles),
            *(words for words in shown_by_game if words.casefold() not in taken),
        )
        return SheetUnit(
            id=state.id,
            name=visible(self.names(state.name)),
            own_name=visible(state.custom_name),
            role=role,
            points=self._points(state),
            is_model=_is_model(state, stands),
            is_character=_is_character(list(walk_without(state, set(stands.apart))), stands),
            is_own=state.entry_id == OWN_ENTRY,
            warlord_trait=visible(next((self._trait(trait) for trait in traits if trait), "")),
            not_of_data=visible(in_language(own)) if (own := self.not_of_data.get(state.id)) else "",
            is_warlord=any(part.id in self.leaders for part in state.walk()),
            notes=visible_lines(state.notes),
            stated=said,
            facts=tuple(dict.fromkeys(told)),
            options=options,
            profiles=tuple(row for row in profiles if not row.is_weapon),
            weapons=tuple(row for row in profiles if row.is_weapon),
            rules=tuple(rules),
        )

    def _options(self, state: SelectionState, stands: Standing) -> tuple[SheetOption, ...]:
        """What stands below, equal things together."""
        found: dict[SheetOption, tuple[int, int, Decimal | None]] = {}
        for part in state.selections:
            if part.hidden and part.id not in self.objected:
                continue
            option = SheetOption(
                name=visible(part.custom_name or self.names(part.name)),
                number=0,
                points=None,
                is_model=_is_model(part, stands),
                is_crew=part.id not in stands.models and _is_model(part, stands),
                is_unit=part.id in stands.apart,
                is_secret=self._is_magic_item(part),
                notes=visible_lines(part.notes),
                options=self._options(part, stands),
            )
            parts, number, points = found.get(option, (0, 0, None))
            found[option] = parts + 1, number + part.number, _sum(points, self._points(part))
        return tuple(
            msgspec.structs.replace(option, number=number, points=points, options=_times(option.options, parts))
            for option, (parts, number, points) in found.items()
        )

    def _is_magic_item(self, part: SelectionState) -> bool:
        """Whether the army document has it among its magic items, it stands in a group of them, or holds some."""
        if self.secrets is None:
            return False
        if part.name.casefold() in self.secrets or _MAGIC_WRAPPER.fullmatch(part.name) is not None:
            return True
        return _MAGIC_GROUP.search(part.group_names or "") is not None

    def _profile(self, row: ProfileState) -> SheetProfile:
        return SheetProfile(
            type=visible(self.names(row.type_name)),
            name=visible(self.names(row.name)),
            characteristics=tuple(
                (visible(name), self._value(value)) for name, value in row.characteristics if not is_bookkeeping(name)
            ),
        )

    def _value(self, value: str) -> str:
        """A value on one line; those that its author writes below each other stand beside each other."""
        return " / ".join(line for line in map(visible, self.names.lines(value)) if line)

    def _points(self, state: ForceState | SelectionState) -> Decimal | None:
        return state.total(self.costs) if self.costs else None

    def told(self, texts: Iterable[Text]) -> tuple[str, ...]:
        """Short facts of the game, in words."""
        return tuple(unbroken(in_language(text)) for text in texts)

    def facts(self, facts: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        """Facts of the list or a unit, in words; those of single units are told there."""
        plain = {
            name: value
            for name, value in facts.items()
            if name not in (UNITS, OWN_UNITS) and value not in (None, "", [], {})
        }
        if "warlord_trait" in plain:
            plain["warlord_trait"] = self._trait(str(plain["warlord_trait"]))
        for fact, held in plain.items():
            if isinstance(held, list | tuple):  # spells and the like, which are names of the rulebook
                plain[fact] = [self.names(one) if isinstance(one, str) else one for one in held]
        for name, value in stated(self.document, plain, rule_pack=self.report.rule_pack or "", name_of=self._name_of):
            yield visible(in_language(name)), visible(in_language(value))

    def _stated_of(self, state: SelectionState) -> Iterator[tuple[str, str]]:
        """What the list states of a unit: that it is the General; of something in it with the name of that."""
        yes = in_language(_YES)
        for part in state.walk():
            for name in self.at_units:
                if name != "warlord" and self.document.facts.get(name) == part.id:
                    yield visible(in_language(fact_name(self.report.rule_pack or "", name))), ""
            whose = "" if part.id == state.id else f"{visible(self._name_of(part.id))} – "
            for name, value in self.facts(self.document.facts_of(part.id)):
                yield f"{whose}{name}", "" if value == yes else value

    def _base_of_data(self, state: SelectionState, profiles: tuple[SheetProfile, ...]) -> Iterator[str]:
        """What its models stand on by the data, where it says so and the player does not."""
        if self.document.facts_of(state.id).get("base_size"):
            return
        sizes = (value for row in profiles for name, value in row.characteristics if name.casefold() == "base size")
        if told := ", ".join(dict.fromkeys(filter(None, sizes))):
            yield f"{visible(in_language(fact_name(self.report.rule_pack or '', 'base_size')))}: {told}"

    def warlord(self) -> str:
        """Who leads, and his trait."""
        for node_id, trait in self.leaders.items():
            place = self.document.places.get(node_id)
            if place is not None:
                name = visible(self._name_of(node_id))
                return f"{name} ({visible(self._trait(trait))})" if trait else name
        return ""

    def _trait(self, trait: str) -> str:
        known = warlord_traits(self.report.rule_pack or "")
        found = next((text for key, text in known.items() if key.casefold() == trait.casefold()), None)
        return in_language(found) if found is not None else self.names(trait)

    def _name_of(self, node_id: str) -> str:
        """What a unit, or something in one, is called; with its number where several units are called so."""
        if (unit := self.called.get(node_id)) is not None:
            return unit
        place = self.document.places.get(node_id)
        if place is None:
            return node_id
        return place.node.custom_name or self.names(display_name(place.node))


_MAGIC_GROUP = re.compile(r"\b(magic|arcane|enchanted|talismans?|runes?|runic)\b", re.IGNORECASE)
"""In the name of a group that holds magic items."""

_MAGIC_WRAPPER = re.compile(r"(magic|arcane|enchanted) items?|(.*\b)?(talismans|runes)", re.IGNORECASE)
"""The name of an option that tells only that there are magic items below it: "Ancestral Heirlooms and Runes"."""

_YES = Text("yes", "да")
_WITHOUT_ROLE = Text("Without a role", "Без роли")
_ARMY_RULES = Text("Army rules", "Правила армии")


def _is_model(part: SelectionState, stands: Standing) -> bool:
    """Whether a selection stands for models: those of its unit, or others, as a crew, with none of them inside."""
    return part.id in stands.models or (is_model(part) and not any(below.id in stands.models for below in part.walk()))


def _is_character(parts: Sequence[SelectionState], stands: Standing) -> bool:
    """Whether it is one model, and rules or unit types in the data say character; they are English."""
    if sum(part.number for part in parts if part.id in stands.models) > 1:
        return False
    shown = [part for part in parts if not part.hidden]
    types = (value for part in shown for row in part.profiles for name, value in row.characteristics if "Type" in name)
    rules = (rule.name for part in shown for rule in part.rules)
    return any("character" in words.casefold() for words in (*types, *rules))


def _times(options: tuple[SheetOption, ...], parts: int) -> tuple[SheetOption, ...]:
    """What stands below one of several equal things, for all of them."""
    if parts == 1:
        return options
    return tuple(
        msgspec.structs.replace(
            option,
            number=option.number * parts,
            points=None if option.points is None else option.points * parts,
            options=_times(option.options, parts),
        )
        for option in options
    )


def _by_role(force: ForceState) -> Iterator[tuple[CategoryState | None, list[SelectionState]]]:
    """The units of a detachment in the order of its sheet; None stands for the settings of the army."""
    settings = [selection for selection in force.selections if sets_up_the_army(selection)]
    if settings:
        yield None, settings
    units: dict[str, list[SelectionState]] = {}
    for selection in force.selections:
        if selection not in settings:
            category = selection.primary_category
            units.setdefault(category.id if category else NO_CATEGORY, []).append(selection)
    for category in force.categories:
        yield category, units.pop(category.id, [])
    for rest in units.values():
        yield rest[0].primary_category or CategoryState(id=NO_CATEGORY, name=""), rest


def leads_by_data(unit: SelectionState) -> bool:
    """Whether the option of the data is taken that makes somebody in a unit the one who leads."""
    return any(part.type == "upgrade" and part.name.casefold() in ("warlord", "general") for part in unit.walk())


def _called(report: ListReport, names: Names) -> Iterator[tuple[str, str]]:
    """What each unit is called where another one names it: "Tactical Squad #2" is the second of several."""
    units = [unit for force in _in_order(report) for _, taken in _by_role(force) for unit in taken]
    called = [unit.custom_name or names(unit.name) for unit in units]
    met: Counter[str] = Counter()
    for unit, name in zip(units, called, strict=True):
        met[name] += 1
        yield unit.id, f"{name} #{met[name]}" if called.count(name) > 1 else name


def _in_order(report: ListReport) -> list[ForceState]:
    """Detachments in the order they were added, so that the Primary one comes first."""
    order = {force.id: number for number, force in enumerate(report.state.roster.all_forces())}
    return sorted(report.state.all_forces(), key=lambda force: order[force.id])


def mentioned_names(state: RosterState | None) -> frozenset[str]:
    """Names of the data that a sentence about this list may hold; none for a list without a roster."""
    if state is None:
        return frozenset()
    found = {part.name for part in state.all_selections()} | {error.name for error in state.errors}
    for force in state.all_forces():
        found |= {force.name, force.catalogue_name, *(category.name for category in force.categories)}
    return frozenset(found)


def _summary(report: ListReport) -> ListSummary | None:
    """What the game shows of the list without being asked; None where it shows nothing."""
    game = GAMES.get(report.rule_pack or "")
    if game is None or game.summary is None or report.army is None:
        return None
    return game.summary(report.army, report.places)


def _in_army(report: ListReport) -> Iterator[tuple[str, Any, str]]:
    """Pointer, unit or group of models, and the pointer of the unit, of the army document."""
    for at, unit in _units_of(report.army):
        groups = unit.models if isinstance(getattr(unit, "models", None), tuple) else ()
        yield at, unit, at
        for place, group in enumerate(groups):
            yield f"{at}/models/{place}", group, at


def _units_of(army: Any) -> Iterator[tuple[str, Any]]:
    """Pointer and unit of an army document: some games have detachments, others only units."""
    if "units" in getattr(army, "__struct_fields__", ()):  # elsewhere a property gathers those of the detachments
        for number, unit in enumerate(army.units):
            yield f"/units/{number}", unit
    for index, detachment in enumerate(getattr(army, "detachments", ())):
        for number, unit in enumerate(getattr(detachment, "units", ())):
            yield f"/detachments/{index}/units/{number}", unit


def _magic_items(report: ListReport) -> frozenset[str] | None:
    """Names of the magic items in the army document, in small letters; None in a game without any."""
    bearers = [who for _, who, _ in _in_army(report) if hasattr(who, "magic_items")]
    return frozenset(item.casefold() for who in bearers for item in who.magic_items) if bearers else None


def _sum(first: Decimal | None, second: Decimal | None) -> Decimal | None:
    return second if first is None or second is None else first + second
