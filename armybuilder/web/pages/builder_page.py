"""The builder's panes as values: which one is open, and what each of them shows."""

from collections import Counter
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar
from urllib.parse import urlencode

from django.http import QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _

from armybuilder.armylists import queries as list_queries
from armybuilder.armylists.documents import UNITS
from armybuilder.armylists.models import ArmyList
from armybuilder.armylists.open_choices import number_lacking, open_choices
from armybuilder.armylists.release_impact import is_offered
from armybuilder.armylists.reports import ListFinding, ListReport
from armybuilder.armylists.roster_sheet import mentioned_names
from armybuilder.armylists.rosters import ROSTERS
from armybuilder.engine.findings import Severity, Text
from armybuilder.engine.roster.state import ForceState, RosterError, SelectionState
from armybuilder.engine.systems.game import LIST_RULES, has_matchups
from armybuilder.reference import queries as reference
from armybuilder.reference.names import after_colon, inner_quotes, names_for
from armybuilder.reference.tending import plain_text, sets_up_the_army
from armybuilder.web.formatting import level_effects, localized
from armybuilder.web.pages.add_screen import FILTERS, MOST_ABSENT, AddScreen, Taste, Wanted, add_screen, why_not
from armybuilder.web.pages.available_options import Inside, options_of
from armybuilder.web.pages.facts import Candidates, FactField, knows_fact, list_facts, own_price, unit_facts
from armybuilder.web.pages.finding_lines import ChoiceLeft, FindingGroup, FindingLine, grouped, repair_query
from armybuilder.web.pages.leaders import LEADING_ROLES, OF_THE_LIST, LeaderChoice, leader_choices
from armybuilder.web.pages.own_units import OwnUnitForm, own_unit_form
from armybuilder.web.pages.profiles import ProfileTable, profile_tables
from armybuilder.web.pages.roster_view import AllianceNote, RosterView, UnitRow, numbered, roster_view_of
from armybuilder.web.pages.rule_names import rule_name
from armybuilder.web.pages.warlords import WarlordPane, warlord_pane

CAPACITY = ("Transport Capacity", "Capacity")
"""Characteristics of what carries others."""

PANES = ("warlord", "leaders", "detachments", "settings", "own")
CHOSEN_ELSEWHERE = frozenset({"allegiance", "chart", "warlord", "warlord_trait", *OF_THE_LIST})
"""Facts of a list that are chosen when it is begun, or have controls of their own."""

NO_WARLORD = frozenset({"HH-32", "W6L-13"})
"""Findings that nobody leads the army: the way out is the warlord pane, not the detachment they speak of."""

NO_GENERAL = frozenset({"WF-01"})
"""The same for the pane of those who lead."""

LEADERS_AT = tuple(f"/facts/{name}" for name in OF_THE_LIST)


@dataclass(frozen=True, slots=True)
class Focus:
    """What the detail pane shows: a unit, the add screen of a role, or one of the named panes.

    Attributes:
        kind: unit, add, one of PANES, or empty.
        node_id: the unit, or the detachment of an add screen.
    """

    kind: str = ""
    node_id: str = ""
    role_id: str = ""
    text: str = ""
    only: frozenset[str] = frozenset()

    @classmethod
    def of(cls, query: QueryDict) -> "Focus":
        """From the query of an address."""
        if unit := query.get("unit"):
            return cls("unit", unit)
        if force := query.get("add"):
            only = frozenset(query.getlist("only")).intersection(FILTERS)
            return cls("add", force, query.get("role", ""), query.get("q", "")[:100], only)
        return cls(str(query["pane"])) if query.get("pane") in PANES else cls()

    @property
    def query(self) -> str:
        """The query that opens it again."""
        if self.kind == "unit":
            return urlencode({"unit": self.node_id})
        if self.kind == "add":
            return self.wanted().query
        return urlencode({"pane": self.kind}) if self.kind else ""

    def wanted(self, taste: Taste | None = None) -> Wanted:
        """What the add screen shall show; without a taste, to whomever."""
        own = (taste.favourites, taste.owned()) if taste is not None else ()
        return Wanted(self.node_id, self.role_id, self.text, self.only, *own)

    def after(self, edit: str, node_id: str | None, report: ListReport) -> "Focus":
        """Where an edit leads: to what it made, and away from what it removed; the add screen stays open."""
        if edit == "add_unit" and self.kind == "add":
            return self.within(report)
        if edit in ("add_unit", "duplicate", "set_own_unit") and node_id is not None:
            return Focus("unit", node_id).within(report)
        if edit == "add_detachment" and node_id is not None:
            return Focus("add", node_id).within(report)
        return self.within(report)

    def within(self, report: ListReport) -> "Focus":
        """The same, or nothing when the list no longer has its node; part of a unit leads to the unit."""
        if self.kind not in ("unit", "add"):
            return self
        node = report.state.node(self.node_id)
        if self.kind == "add":
            return self if isinstance(node, ForceState) else Focus()
        if not isinstance(node, SelectionState):
            return Focus()
        for force in report.state.all_forces():
            for unit in force.selections:
                if any(part.id == self.node_id for part in unit.walk()):
                    return replace(self, node_id=unit.id)
        return Focus()


@dataclass(frozen=True, slots=True)
class UnitPane:
    """The open unit: its options, profiles, rules, and what the rules say about it.

    Attributes:
        rules: names with their text, which is empty where the data has none.
        absent: options that the present choices hide, with the reason and the query of the page that explains it.
        other_detachments: ids and names of those it may move to.
        is_army_rule: it sets the army up and stands on no table: there is one of it, and nothing more to tell of it.
    """

    row: UnitRow
    data_name: str
    role: str
    detachment: str
    options: Inside
    tables: tuple[ProfileTable, ...]
    rules: tuple[tuple[str, str], ...]
    findings: tuple[FindingLine, ...]
    absent: tuple[tuple[str, str, str], ...]
    other_detachments: tuple[tuple[str, str], ...]
    custom_name: str
    facts: tuple[FactField, ...]
    own_price: tuple[FactField, ...] = ()
    is_army_rule: bool = False

    @property
    def facts_stated(self) -> bool:
        """Whether anything is stated that the game data does not say."""
        return any(fact.stated for fact in self.facts)


@dataclass(frozen=True, slots=True)
class DetachmentChoice:
    """A detachment that can be added, and the factions it can be filled from."""

    force_entry_id: str
    name: str
    type: str
    factions: tuple[tuple[str, str], ...]


class BuilderPage:
    """Everything the builder's templates need; the parts that a fragment does not show are never worked out."""

    has_game_data: ClassVar[bool] = True
    """Whether findings come from game data too, and can be explained and repaired."""

    def __init__(self, army_list: ArmyList, report: ListReport, focus: Focus, taste: Taste) -> None:
        self.taste = taste
        self.have: frozenset[str] = frozenset()
        """Stamps of the parts that the browser shows already (`templatetags.parts`)."""
        self.army_list = army_list
        self.report = report
        self.focus = focus.within(report)
        self.names = names_for(army_list.system.rule_pack, army_list.release_id)

    @cached_property
    def roster_view(self) -> RosterView:
        """The units in their roles."""
        levels = alliance_notes(self.army_list.system.home_id) if self.report.alliances else None
        return roster_view_of(self.report, self.names, levels)

    @cached_property
    def edit_url(self) -> str:
        """Where edits are sent."""
        return reverse("web:list-edit", args=[self.army_list.id])

    @cached_property
    def why_url(self) -> str:
        """Where it is told why something is offered or not: looked up once for all options of a page."""
        return reverse("web:list-why", args=[self.army_list.id])

    @cached_property
    def steps(self) -> list_queries.Steps:
        """Whether undo and redo lead anywhere."""
        return list_queries.steps_of(self.army_list)

    @property
    def verdict(self) -> str:
        """legal, illegal or not_checked."""
        return self.roster_view.verdict

    @property
    def error_count(self) -> int:
        """How many errors are left; what is only still to be chosen is none, and stands under `choices`."""
        return sum(finding.severity == Severity.ERROR for finding in self.findings)

    @property
    def choice_count(self) -> int:
        """How many errors only say that something is still to be chosen."""
        return len(self._open)

    @property
    def unsettled(self) -> int:
        """How many things keep the list from being legal: errors, and what is still to be chosen."""
        return self.error_count + self.choice_count

    @property
    def to_do(self) -> int:
        """How many things are to be done in a list that was just begun or only lacks something; else 0."""
        if self.steps.just_begun or not self.roster_view.fields_units:
            return self.unsettled
        return ROSTERS.left_to_choose(self.report)

    @property
    def newer_data(self) -> bool:
        """Whether the owner should be told of a newer release of the game's data."""
        return is_offered(self.army_list)

    @property
    def can_compare(self) -> bool:
        """Whether an option of this game can be measured against targets."""
        return has_matchups(self.army_list.system.rule_pack)

    @cached_property
    def version(self) -> Hashable:
        """Changes whenever the list, its data, or anything that is said of it does."""
        told = tuple(
            (finding.rule, finding.node_id, finding.severity, finding.message.en) for finding in self.report.findings
        )
        unchecked = tuple(part.text.en for part in self.report.unchecked)
        row = self.army_list
        return (
            row.pk,
            self.report.revision,
            row.release_id,
            row.name,
            row.points_limit,
            row.system.home_id,
            self.report.rule_pack,
            str(self.report.verdict),
            tuple(self.report.alliances.items()),
            told,
            unchecked,
        )

    @cached_property
    def unchecked(self) -> tuple[str, ...]:
        """What the verdict does not cover, in words."""
        return tuple(self.describe(part.text) for part in self.report.unchecked)

    @cached_property
    def _texts_unchecked(self) -> frozenset[Text]:
        return frozenset(part.text for part in self.report.unchecked)

    @cached_property
    def unchecked_besides(self) -> tuple[str, ...]:
        """Those parts of it that no finding tells of."""
        told = {finding.message for finding in self._shown}
        return tuple(self.describe(part.text) for part in self.report.unchecked if part.text not in told)

    @cached_property
    def findings(self) -> tuple[FindingLine, ...]:
        """All findings, errors first; not the remarks that only repeat what stands beside each unit."""
        return tuple(self._line(finding) for finding in self._shown)

    @cached_property
    def _shown(self) -> tuple[ListFinding, ...]:
        order = (Severity.ERROR, Severity.WARNING, Severity.INFO)
        summarised = self.roster_view.summarised_rules
        shown = (
            f
            for f in self.report.findings
            if (f.severity is not Severity.INFO or f.rule not in summarised) and id(f) not in self._left_open
        )
        return tuple(sorted(shown, key=lambda finding: order.index(finding.severity)))

    @property
    def finding_groups(self) -> tuple[FindingGroup, ...]:
        """The findings by unit."""
        return grouped(self.findings)

    @cached_property
    def choices(self) -> tuple[ChoiceLeft, ...]:
        """What is still to be chosen in units, unit by unit: their data leaves it open. Equal ones make one line."""
        names = {unit.id: unit.name for unit in self.roster_view.units}
        lines: dict[tuple[str, str], ChoiceLeft] = {}
        for finding, error in self._open:
            unit_id, what = finding.unit_id or "", self.names(error.name)
            known = lines.get((unit_id, what))
            lines[unit_id, what] = (
                ChoiceLeft(
                    names[unit_id],
                    urlencode({"unit": unit_id}),
                    number_lacking(error),
                    what,
                    repair_query(finding),
                )
                if known is None
                else replace(known, number=known.number + number_lacking(error))
            )
        order = {unit_id: number for number, unit_id in enumerate(names)}
        return tuple(lines[key] for key in sorted(lines, key=lambda key: order[key[0]]))

    @cached_property
    def _left_open(self) -> frozenset[int]:
        return frozenset(id(finding) for finding, _ in self._open)

    @cached_property
    def _open(self) -> list[tuple[ListFinding, RosterError]]:
        on_roll = {unit.id for unit in self.roster_view.units}
        return [pair for pair in open_choices(self.report) if pair[0].unit_id in on_roll]

    @cached_property
    def unit(self) -> UnitPane | None:
        """The open unit."""
        if self.focus.kind != "unit":
            return None
        for block in self.roster_view.detachments:
            for role in block.roles:
                for row in role.units:
                    if row.id == self.focus.node_id and not row.is_own:
                        return self._unit_pane(row, role.name, block.name)
        return None

    @cached_property
    def own_unit(self) -> OwnUnitForm | None:
        """The open unit of the owner's own, or the form for a new one."""
        if self.focus.kind not in ("unit", "own"):
            return None
        return own_unit_form(self.report, self.roster_view, self.focus.node_id)

    @cached_property
    def adding(self) -> AddScreen | None:
        """The add screen of the detachment that is open."""
        if self.focus.kind != "add":
            return None
        return add_screen(self.army_list, self.report, self.names, self.roster_view, self.focus.wanted(self.taste))

    @cached_property
    def warlord(self) -> WarlordPane:
        """Who may lead the army, and which traits there are."""
        return warlord_pane(self.report, self.names)

    @cached_property
    def leaders(self) -> tuple[LeaderChoice, ...]:
        """Who leads beside or instead of a warlord: the General, the bearer of the army's standard."""
        return leader_choices(self.report, self.names)

    @cached_property
    def leading_roles(self) -> tuple[tuple[str, str], ...]:
        """Roles of those who may lead the army with the queries that add them; none once there is somebody."""
        first = self.roster_view.detachments[:1]
        roles = [role for block in first for role in block.roles if role.kind in LEADING_ROLES]
        if any(role.current for role in roles):
            return ()
        return tuple((role.name, role.add_query) for role in roles if role.may_add and role.maximum != 0)

    @cached_property
    def detachment_choices(self) -> tuple[DetachmentChoice, ...]:
        """Detachments of the chart that the list does not have yet, or may have once more.

        The list's own faction is offered first, to allies last.
        """
        present = Counter(force.entry_id for force in self.report.state.all_forces())
        pack = LIST_RULES.get(self.report.rule_pack or "")
        most = pack.most_detachments(self.report.army) if pack is not None and pack.most_detachments else {}
        own = next((force.catalogue_id for force in self.report.state.roster.forces), "")
        factions = [(faction.catalogue_id, faction.label) for faction in reference.factions(self.army_list.system_id)]
        mine, others = [row for row in factions if row[0] == own], [row for row in factions if row[0] != own]
        return tuple(
            DetachmentChoice(
                detachment.entry_id,
                self.names(detachment.label),
                detachment.type,
                tuple([*others, *mine] if detachment.type == "allied" else [*mine, *others]),
            )
            for chart in reference.force_organisations(self.army_list.system_id)
            for detachment in chart.detachments.all()
            if present[detachment.entry_id] < most.get(detachment.type, 1)
        )

    @property
    def allegiance(self) -> str:
        """loyalist, traitor or empty."""
        stated = self.report.facts.get("allegiance") or getattr(self.report.army, "allegiance", "")
        return str(stated or "")

    @cached_property
    def has_warlord(self) -> bool:
        """Whether armies of this game are led by a warlord."""
        return knows_fact(self.report.rule_pack, "warlord")

    @cached_property
    def takes_sides(self) -> bool:
        """Whether armies of this game have an allegiance."""
        return knows_fact(self.report.rule_pack, "allegiance")

    @cached_property
    def facts(self) -> tuple[FactField, ...]:
        """What the player states of the whole list, apart from what has controls of its own."""
        return list_facts(self.report.rule_pack, self.report.facts, self._candidates(), without=CHOSEN_ELSEWHERE)

    @property
    def facts_asked(self) -> tuple[FactField, ...]:
        """Those of them that a finding speaks of."""
        spoken_of = {(finding.at or "").removeprefix("/facts/").split("/")[0] for finding in self.report.findings}
        return tuple(fact for fact in self.facts if fact.root in spoken_of)

    @property
    def facts_unasked(self) -> tuple[FactField, ...]:
        """The others: no rule needs them now."""
        return tuple(fact for fact in self.facts if fact not in self.facts_asked)

    @property
    def facts_stated(self) -> bool:
        """Whether anything is stated that no rule asks for now."""
        return any(fact.stated for fact in self.facts_unasked)

    @cached_property
    def _mentioned(self) -> frozenset[str]:
        """Names of the data that a sentence about this list may hold."""
        return mentioned_names(self.report.state)

    @cached_property
    def _proper(self) -> frozenset[str]:
        """Names of units and what they carry, in the language of the page; roles are no proper names."""
        return frozenset(self.names(part.name) for part in self.report.state.all_selections())

    def describe(self, text: Text) -> str:
        """A sentence about this list in the language of the page, names of the data included."""
        return self.names.within(localized(text), self._mentioned)

    def _line(self, finding: ListFinding) -> FindingLine:
        if finding.unit_id:
            href, anchor = urlencode({"unit": finding.unit_id}), f"unit-{finding.unit_id}"
        elif (finding.at or "").startswith("/facts/warlord") or finding.rule in NO_WARLORD:
            href, anchor = urlencode({"pane": "warlord"}), ""
        elif finding.rule in NO_GENERAL or (finding.at or "").startswith(
            tuple(f"/facts/{name}" for name in OF_THE_LIST)
        ):
            href, anchor = urlencode({"pane": "leaders"}), ""
        elif (finding.at or "").startswith("/facts") or finding.at == "/points_limit":
            href, anchor = urlencode({"pane": "settings"}), ""
        elif finding.force_id:
            href, anchor = "", f"force-{finding.force_id}"
        else:
            href, anchor = "", ""
        name, text = self._name_of(finding, href), self.describe(finding.message)
        text = text if href or anchor else text.removeprefix(f"{self.report.state.roster.name}: ")
        # A message that begins with its unit goes on from there; any other is set off by a colon.
        rest = self._after(text, name)
        text = f": {after_colon(text, self._proper)}" if rest is None else rest
        return FindingLine(
            severity=str(finding.severity),
            name=name,
            text=text,
            rule=finding.rule,
            source=finding.source,
            href=href,
            anchor=anchor,
            origin=str(finding.origin),
            repair=repair_query(finding),
            is_unchecked=finding.message in self._texts_unchecked,
            place=finding.at or finding.node_id or "",
            rule_name=rule_name(self.report.rule_pack, finding.rule),
            adds=self.leading_roles if finding.rule in NO_GENERAL | NO_WARLORD else self._categories_short(finding),
        )

    def _categories_short(self, finding: ListFinding) -> tuple[tuple[str, str], ...]:
        """Categories the data asks more of that units of several roles share: no place on the roll adds to them."""
        force = self.report.state.node(finding.force_id or "")
        if finding.rule != "BS-01" or finding.unit_id or not isinstance(force, ForceState):
            return ()
        on_roll = {role.id for block in self.roster_view.detachments for role in block.roles if block.id == force.id}
        return tuple(
            (self.names(category.name), urlencode({"add": force.id, "role": category.id}))
            for category in force.categories
            if category.id not in on_roll
            and category.current < (category.minimum or 0)
            and category.name in finding.message.en
        )

    def _after(self, text: str, name: str) -> str | None:
        """What follows this name at the beginning of a sentence, in quotes or not; None where it does not stand there.

        A longer name of the list is another name: "Tactical Squad: 5".
        """
        for whole in (name, inner_quotes(f"«{name}»"), f"“{name}”"):
            if text.casefold().startswith(whole.casefold()):
                longer = (known for known in map(self.names, self._mentioned) if known != name)
                if not any(text.startswith(known) for known in longer if known.startswith(name)):
                    return text[len(whole) :]
        return None

    def _name_of(self, finding: ListFinding, href: str) -> str:
        if not finding.unit_id and (pane := QueryDict(href).get("pane")):
            return {"warlord": _("Warlord"), "leaders": _("Who leads")}.get(pane, _("Name, limit, facts"))
        node = self.report.state.node(finding.unit_id or finding.node_id or finding.force_id or "")
        if node is None:
            return _("Whole list")
        return node.custom_name or self.names(node.name)

    def _unit_pane(self, row: UnitRow, role: str, detachment: str) -> UnitPane:
        parts = [part for part in row.state.walk() if not part.hidden]
        profiles = [
            {"type": profile.type_name, "name": profile.name, "characteristics": profile.characteristics}
            for part in parts
            for profile in part.profiles
        ]
        rules = {
            self.names(rule.name or part.name): plain_text(rule.description) for part in parts for rule in part.rules
        }
        options = options_of(self.report, self.names, row.id)
        ids = {part.id for part in row.state.walk()}
        stated = (self.report.facts.get(UNITS) or {}).get(row.id) or {}
        return UnitPane(
            row=row,
            data_name=self.names(row.state.name),
            role=role,
            detachment=detachment,
            options=options,
            tables=profile_tables(profiles, self.names),
            rules=tuple(rules.items()),
            absent=tuple((name, self._why_absent(why), why) for name, why in options.all_absent[:MOST_ABSENT]),
            other_detachments=self._other_detachments(row),
            findings=tuple(
                self._line(finding)
                for finding in self.report.findings
                if finding.node_id in ids and id(finding) not in self._left_open
            ),
            custom_name=row.state.custom_name or "",
            facts=unit_facts(self.report.rule_pack, stated, self._candidates(without=row.id)),
            own_price=own_price(self.report.rule_pack, stated) if self.report.points.total is not None else (),
            is_army_rule=sets_up_the_army(row.state),
        )

    def _why_absent(self, why: str) -> str:
        asked = QueryDict(why)
        reasons = why_not(self.report, self.names, node_id=asked["node"], entry_id=asked["entry"])
        return ". ".join(reasons)

    def _other_detachments(self, row: UnitRow) -> tuple[tuple[str, str], ...]:
        """Those of the same catalogue."""
        blocks = self.roster_view.detachments
        own = next(
            (block for block in blocks for role in block.roles if row.id in {unit.id for unit in role.units}), None
        )
        same = (block for block in blocks if own and block.id != own.id and block.catalogue_id == own.catalogue_id)
        return tuple((block.id, block.name) for block in same)

    def _candidates(self, *, without: str = "") -> Candidates:
        """The units that a fact may name, twins by number, and those of their parts that carry others."""
        units = [unit for unit in self.roster_view.units if not unit.is_own]
        called = zip(units, numbered([unit.name for unit in units]), strict=True)
        return Candidates(
            units=[(unit.id, name) for unit, name in called if unit.id != without],
            carriers=[
                (part.id, part.custom_name or self.names(part.name))
                for unit in self.roster_view.units
                for part in unit.state.walk()
                if part.id != without
                and part.type in ("unit", "model")
                and any(profile.value(name) for profile in part.profiles for name in CAPACITY)
            ],
        )


def builder_page(army_list: ArmyList, report: ListReport, focus: Focus, taste: Taste) -> BuilderPage:
    """The page of a list with one pane open, or none where its game has no such pane.

    Args:
        taste: what is the visitor's own.
    """
    page = BuilderPage(army_list, report, focus, taste)
    is_none_of_it = (focus.kind == "warlord" and not page.has_warlord) or (focus.kind == "leaders" and not page.leaders)
    return BuilderPage(army_list, report, Focus(), taste) if is_none_of_it else page


def alliance_notes(system_id: str) -> Mapping[str, AllianceNote] | None:
    """Levels of alliance by key, with what they mean; None for a game without any."""
    levels = {
        level.key: AllianceNote(level.label, level_effects(level)) for level in reference.alliance_levels(system_id)
    }
    return levels or None
