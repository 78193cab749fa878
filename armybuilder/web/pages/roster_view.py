"""An evaluated list as the values a page shows, unit by unit in the roles of its detachments."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from urllib.parse import urlencode

from django.utils.translation import gettext, ngettext

from armybuilder.armylists.amounts import TIMES, counted
from armybuilder.armylists.open_choices import is_choice, lacks_only
from armybuilder.armylists.reports import ListReport
from armybuilder.armylists.roster_sheet import leaders, units_counted
from armybuilder.engine.findings import Severity, Text
from armybuilder.engine.roster.amendments import ENTRY_ID
from armybuilder.engine.roster.limits import NO_CATEGORY
from armybuilder.engine.roster.state import CategoryState, ForceState, SelectionState
from armybuilder.engine.systems.game import GAMES
from armybuilder.engine.systems.list_summary import ListSummary
from armybuilder.engine.systems.roster_reading.points_cost import points_type
from armybuilder.reference.names import Names
from armybuilder.reference.tending import model_count, sets_up_the_army
from armybuilder.web.formatting import localized
from armybuilder.web.pages.army_rules import ARMY_RULES, has_army_rules, roles_on_offer
from armybuilder.web.pages.attachments import attached_units
from armybuilder.web.pages.role_shares import RoleShare, role_kind, role_shares

_OPEN = "started"
"""The sign of what is only still to be chosen, as of a list that was just begun."""

_WORST = {str(Severity.ERROR): 0, str(Severity.WARNING): 1, _OPEN: 2, str(Severity.INFO): 3}

TOLD_OF_A_RULE = 3
"""Choices within a rule of the army that its row names; a tap shows all."""


@dataclass(frozen=True, slots=True)
class UnitRow:
    """A unit as one line.

    Attributes:
        models: how many, 0 where nothing in it is a model or the game shows other facts of it.
        summary: its models and what was paid for, in words; `whole` names everything in it.
        sign: severity of the worst finding about it or anything in it; empty without one.
        is_warlord: it is the warlord, or he stands in it.
        facts: what the game shows of it without being asked, in short words; untold: those that `whole` does not name.
        attached: where it stands or rides by the player's word, and who stands or rides with it.
        earlier, later: the unit before which it stands when it is put one place up or down in its role, empty for the
            end of the detachment; None where there is no such place.
    """

    id: str
    name: str
    points: Decimal
    models: int
    summary: str
    whole: str
    notes: str
    sign: str
    is_warlord: bool
    state: SelectionState
    facts: str = ""
    untold: str = ""
    attached: tuple[str, ...] = ()
    earlier: str | None = None
    later: str | None = None

    @property
    def is_own(self) -> bool:
        """Whether it is a unit of the owner's own, which the data does not have."""
        return self.state.entry_id == ENTRY_ID

    @property
    def shows(self) -> tuple[object, ...]:
        """Everything its row on the roll shows."""
        return (
            self.id,
            self.name,
            self.points,
            self.summary,
            self.facts,
            self.notes,
            self.sign,
            self.is_warlord,
            self.attached,
            self.earlier,
            self.later,
        )


@dataclass(frozen=True, slots=True)
class RoleBlock:
    """The units of one battlefield role in a detachment, with its slots.

    Attributes:
        current: how many units stand in it; where a limit counts others of that category too, how many it counts.
        fill: short, full, over or free.
        kind: what it is for, which decides its sign and its colour.
    """

    id: str
    force_id: str
    name: str
    kind: str
    units: tuple[UnitRow, ...]
    current: int
    minimum: int
    maximum: int | None
    fill: str
    points: Decimal
    may_add: bool

    @property
    def shows(self) -> tuple[object, ...]:
        """Everything its part of the roll shows."""
        slots = (self.id, self.name, self.current, self.minimum, self.maximum, self.may_add)
        return (*slots, *(row.shows for row in self.units))

    @property
    def is_army_rules(self) -> bool:
        """Whether it holds what sets the army up, and no units."""
        return self.id == ARMY_RULES

    @property
    def add_query(self) -> str:
        """The query that opens the add screen of this role."""
        return urlencode({"add": self.force_id, "role": self.id})


@dataclass(frozen=True, slots=True)
class AllianceNote:
    """How an allied detachment stands to the primary one; `name` is empty while the level is unknown."""

    name: str
    effects: str


@dataclass(frozen=True, slots=True)
class DetachmentBlock:
    """A detachment: name, faction, roles with units.

    Attributes:
        type: primary, allied, lord_of_war or other, as the rulebook sees it; empty when it does not know.
        alliance: for an allied detachment of a game with an alliance table.
        stands_below: it is part of another, as a regiment of an army.
        below: what may be added below it: regiments, allies; below_heading: what the data calls them, if it does.
    """

    id: str
    name: str
    faction: str
    type: str
    points: Decimal
    roles: tuple[RoleBlock, ...]
    sign: str
    alliance: AllianceNote | None
    notes: str
    catalogue_id: str
    stands_below: bool
    below: tuple[tuple[str, str], ...]
    below_heading: str

    @property
    def shows(self) -> tuple[object, ...]:
        """Everything its part of the roll shows."""
        head = (self.id, self.name, self.faction, self.points, self.sign, self.alliance, self.below)
        return (*head, *(role.shows for role in self.roles))

    @property
    def roll(self) -> tuple[RoleBlock, ...]:
        """Roles as the roll shows them: of a part of an army only those with units or limits, its Add has the rest."""
        if not self.stands_below:
            return self.roles
        return tuple(role for role in self.roles if role.units or role.minimum or role.maximum is not None)

    @property
    def shown_slots(self) -> tuple[RoleBlock, ...]:
        """Roles whose slots are worth a glance: limited ones, and those with units."""
        return tuple(
            role
            for role in self.roles
            if role.id != ARMY_RULES and (role.maximum is not None or role.minimum or role.current)
        )


@dataclass(frozen=True, slots=True)
class RosterView:
    """A whole list for a page.

    Attributes:
        filling: id of the detachment that "Add" opens: the first, or the last of those below it; empty without any.
        over: points above the limit, 0 or more; `left` is what may still be spent, None without a limit.
        facts: what the game shows of the whole list without being asked.
        summarised_rules: rules whose remarks only repeat the facts beside each unit.
    """

    detachments: tuple[DetachmentBlock, ...]
    points: Decimal
    limit: Decimal | None
    left: Decimal | None
    over: Decimal
    verdict: str
    errors: int
    warnings: int
    remarks: int
    filling: str = ""
    facts: str = ""
    summarised_rules: frozenset[str] = frozenset()

    @property
    def shows(self) -> tuple[object, ...]:
        """Everything the roll shows."""
        return (self.facts, *(block.shows for block in self.detachments))

    @property
    def shares(self) -> tuple[RoleShare, ...]:
        """What each role takes of the limit, or of the points of a list without one."""
        spent: dict[tuple[str, str], Decimal] = {}
        for block in self.detachments:
            for role in block.roles:
                spent[role.name, role.kind] = spent.get((role.name, role.kind), Decimal(0)) + role.points
        return role_shares([(name, kind, points) for (name, kind), points in spent.items()], self.limit)

    @property
    def fields_units(self) -> bool:
        """Whether anything is taken besides what sets the army up."""
        return any(role.units for block in self.detachments for role in block.roles if not role.is_army_rules)

    @property
    def units(self) -> tuple[UnitRow, ...]:
        """Every unit, in the order of the page, and what sets the army up."""
        return tuple(unit for block in self.detachments for role in block.roles for unit in role.units)


def roster_view_of(report: ListReport, names: Names, levels: Mapping[str, AllianceNote] | None = None) -> RosterView:
    """A report as units in their roles.

    Args:
        levels: alliance levels by key; None for a game without an alliance table.
    """
    return _Writer(report, names, levels).view()


def _summary(report: ListReport) -> ListSummary | None:
    """What the game shows of the list without being asked; None where it shows nothing."""
    game = GAMES.get(report.rule_pack or "")
    if game is None or game.summary is None or report.army is None:
        return None
    return game.summary(report.army, report.places)


class _Writer:
    """Makes the view of one report."""

    def __init__(self, report: ListReport, names: Names, levels: Mapping[str, AllianceNote] | None) -> None:
        self.report = report
        self.names = names
        self.levels = levels
        self.cost_type = points_type(report.library.cost_types) or ""
        self.signs = _signs(report)
        self.warlords = _warlords(report)
        self.list_summary = _summary(report)
        self.attached = attached_units(report, names)
        self.summarised_rules = self.list_summary.summarised_rules if self.list_summary is not None else frozenset()
        self.parts = {part.id for force in report.state.all_forces() for part in force.forces}
        self.in_army = {node_id: pointer for pointer, node_id in report.places.items() if pointer.count("/") == 2}

    def view(self) -> RosterView:
        points = Decimal(str(self.report.points.total or 0))
        limit = None if self.report.points.limit is None else Decimal(str(self.report.points.limit))
        return RosterView(
            detachments=tuple(_numbered([self._detachment(force) for force in self._forces()])),
            points=points,
            limit=limit,
            left=None if limit is None else max(Decimal(0), limit - points),
            over=Decimal(0) if limit is None else max(Decimal(0), points - limit),
            verdict=str(self.report.verdict),
            errors=self.report.count(Severity.ERROR),
            warnings=self.report.count(Severity.WARNING),
            remarks=sum(
                f.severity is Severity.INFO and f.rule not in self.summarised_rules for f in self.report.findings
            ),
            filling=self._filling(),
            facts=_joined(self.list_summary.army) if self.list_summary is not None else "",
            summarised_rules=self.summarised_rules,
        )

    def _forces(self) -> list[ForceState]:
        """Detachments in the order they were added, so that the Primary one comes first."""
        order = {force.id: number for number, force in enumerate(self.report.state.roster.all_forces())}
        return sorted(self.report.state.all_forces(), key=lambda force: order[force.id])

    def _filling(self) -> str:
        """The first detachment; where an army is parted below it (regiments), the part that was begun last."""
        forces = self._forces()
        if not forces:
            return ""
        force = forces[0]
        while force.forces:
            force = force.forces[-1]
        return force.id

    def _detachment(self, force: ForceState) -> DetachmentBlock:
        in_army = self._in_army(force.id)
        kind = str(in_army.type) if in_army is not None else ""
        return DetachmentBlock(
            id=force.id,
            name=force.custom_name or self.names(force.name),
            faction=self.names(force.catalogue_name),
            type=kind,
            points=force.total(self.cost_type),
            roles=tuple(self._roles(force)),
            sign=self.signs.get(force.id, ""),
            alliance=self._alliance(force.id),
            notes=force.notes or "",
            catalogue_id=force.catalogue_id,
            stands_below=force.id in self.parts,
            below=tuple((offer.entry_id, self.names(offer.name)) for offer in force.forces_on_offer),
            below_heading=self.names(force.below_heading),
        )

    def _in_army(self, node_id: str):
        """The detachment of the army document that a force became; None when there is none."""
        pointer = self.in_army.get(node_id, "")
        if self.report.army is None or not pointer.startswith("/detachments/"):
            return None
        return self.report.army.detachments[int(pointer.rsplit("/", 1)[1])]

    def _alliance(self, force_id: str) -> AllianceNote | None:
        if self.levels is None or force_id not in self.report.alliances:
            return None
        return self.levels.get(self.report.alliances[force_id], AllianceNote("", ""))

    def _roles(self, force: ForceState) -> Iterator[RoleBlock]:
        settings = [selection for selection in force.selections if sets_up_the_army(selection)]
        if settings or has_army_rules(self.report, force):
            yield self._army_rules(force, settings)
        units: dict[str, list[SelectionState]] = {}
        for selection in force.selections:
            if selection not in settings:
                category = selection.primary_category
                units.setdefault(category.id if category else NO_CATEGORY, []).append(selection)
        for category in sorted(force.categories, key=lambda category: category.id == NO_CATEGORY):
            block = self._role(force, category, units.pop(category.id, []))
            if block.units or (
                not category.hidden and block.maximum != 0 and category.id in roles_on_offer(self.report, force)
            ):
                yield block
        for rest in units.values():
            category = rest[0].primary_category or CategoryState(id=NO_CATEGORY, name="")
            yield self._role(force, category, rest)

    def _army_rules(self, force: ForceState, settings: list[SelectionState]) -> RoleBlock:
        """What sets the army up: it is on no chart, and no unit."""
        return RoleBlock(
            id=ARMY_RULES,
            force_id=force.id,
            kind="other",
            name=gettext("Army rules"),
            units=tuple(replace(self._unit(state), summary=self._first_of(state)) for state in settings),
            current=len(settings),
            minimum=0,
            maximum=None,
            fill="free",
            points=Decimal(0),
            may_add=has_army_rules(self.report, force),
        )

    def _first_of(self, state: SelectionState) -> str:
        """What was chosen there; of a dozen switches that data begins with the first, and how many more."""
        chosen = list(self._chosen(state))
        more = len(chosen) - TOLD_OF_A_RULE
        if more < 2:
            return ", ".join(chosen)
        rest = ngettext("and %(n)s more", "and %(n)s more", more) % {"n": more}
        return f"{', '.join(chosen[:TOLD_OF_A_RULE])} {rest}"

    def _role(self, force: ForceState, category: CategoryState, selections: list[SelectionState]) -> RoleBlock:
        rows = tuple(_with_neighbours([self._unit(selection) for selection in selections]))
        minimum = int(category.minimum or 0)
        maximum = None if category.maximum is None or category.maximum < 0 else int(category.maximum)
        current = units_counted(category, len(rows))
        return RoleBlock(
            id=category.id,
            force_id=force.id,
            kind=role_kind(category.name),
            name=category.custom_name
            or (gettext("Without a role") if category.id == NO_CATEGORY else self.names.role(category.name)),
            units=rows,
            current=current,
            minimum=minimum,
            maximum=maximum,
            fill=_fill(current, minimum, maximum),
            points=sum((row.points for row in rows), Decimal(0)),
            may_add=bool(category.id) and not category.hidden,
        )

    def _unit(self, state: SelectionState) -> UnitRow:
        ids = [part.id for part in state.walk()]
        signs = [self.signs[id_] for id_ in ids if id_ in self.signs]
        shown = self.list_summary.units.get(state.id, ()) if self.list_summary is not None else ()
        facts, named = _joined(shown), {self.names(part.name) for part in state.walk()}
        if facts:  # remarks of the rules say the same of every unit
            signs = [sign for sign in signs if sign != Severity.INFO]
        return UnitRow(
            id=state.id,
            name=state.custom_name or self.names(state.name),
            points=state.total(self.cost_type),
            models=0 if facts else model_count(state, self.report.rule_pack),
            summary=", ".join(self._chosen(state, paid_only=True)),
            whole=", ".join(self._chosen(state)),
            notes=state.notes or "",
            sign=min(signs, key=lambda sign: _WORST[sign], default=""),
            is_warlord=any(id_ in self.warlords for id_ in ids),
            state=state,
            facts=facts,
            untold=_joined(tuple(fact for fact in shown if localized(fact) not in named)),
            attached=self.attached.get(state.id, ()),
        )

    def _chosen(self, state: SelectionState, *, paid_only: bool = False) -> Iterator[str]:
        """What stands under a unit, in words: counts, options in brackets; equal ones together."""
        of = self.names(state.name)
        counts: dict[tuple[str, str, bool], int] = {}
        for part in self._told(state) if paid_only else state.selections:
            if part.hidden:
                continue
            inside = ", ".join(self._chosen(part, paid_only=paid_only))
            key = (part.custom_name or self.names(part.name), inside, part.type == "model")
            counts[key] = counts.get(key, 0) + part.number
        for (name, inside, is_model), number in counts.items():
            if is_model and number == 1 and name == of:  # a unit that is one model is told once
                yield from (inside,) if inside else ()
                continue
            shown = counted(number, name).replace(" ×", TIMES, 1) if number > 1 or is_model else name
            yield f"{shown} ({inside})" if inside else shown

    def _told(self, state: SelectionState) -> Iterator[SelectionState]:
        """What stands under a unit and is a model or costs points; of a free choice of models these instead of it."""
        for part in state.selections:
            if part.type != "upgrade" or part.total(self.cost_type):
                yield part
            elif not part.hidden and any(inner.type == "model" for inner in part.walk()):
                yield from self._told(part)


def _with_neighbours(rows: list[UnitRow]) -> Iterator[UnitRow]:
    """Units of a role that know before whom they stand one place up or down; those of the owner's own stand last."""
    movable = [row for row in rows if not row.is_own]
    ids = [row.id for row in movable]
    for place, row in enumerate(movable):
        later = "".join(ids[place + 2 : place + 3]) if place + 1 < len(movable) else None
        yield replace(row, earlier=ids[place - 1] if place else None, later=later)
    yield from (row for row in rows if row.is_own)


def _numbered(blocks: list[DetachmentBlock]) -> Iterator[DetachmentBlock]:
    """Detachments of one name with a number, so that regiments can be told apart."""
    for block, name in zip(blocks, numbered([block.name for block in blocks]), strict=True):
        yield replace(block, name=name)


def numbered(names: Sequence[str]) -> tuple[str, ...]:
    """Names as they stand, those that are there more than once with a number."""
    often, met = Counter(names), Counter[str]()
    told = []
    for name in names:
        met[name] += 1
        told.append(f"{name} {met[name]}" if often[name] > 1 else name)
    return tuple(told)


def _joined(facts: tuple[Text, ...]) -> str:
    """Short facts side by side, in the language of the page; no line begins with the point between them."""
    return "\N{NO-BREAK SPACE}· ".join(localized(fact) for fact in facts)


def _fill(current: int, minimum: int, maximum: int | None) -> str:
    if current < minimum:
        return "short"
    if maximum is not None and current > maximum:
        return "over"
    return "full" if maximum is not None and current == maximum else "free"


def _signs(report: ListReport) -> dict[str, str]:
    """The worst sign by node: its severity, or that a choice is open, as is every error of a list that only lacks."""
    signs: dict[str, str] = {}
    only_lacks = lacks_only(report)
    for finding in report.findings:
        if finding.node_id is not None:
            is_open = is_choice(finding) or (only_lacks and finding.severity is Severity.ERROR)
            sign = _OPEN if is_open else str(finding.severity)
            known = signs.get(finding.node_id, sign)
            signs[finding.node_id] = min(known, sign, key=lambda sign: _WORST[sign])
    return signs


def _warlords(report: ListReport) -> frozenset[str]:
    """Nodes that the army document marks as warlord, and the node a fact names."""
    return frozenset({str(report.facts.get("warlord") or ""), *(node_id for node_id, _ in leaders(report))} - {""})
