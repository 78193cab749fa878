"""The verdict on a stored list: the findings of its data and of its rulebook, each led back to the node at fault."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any
from uuid import UUID

from armybuilder.armylists.documents import OWN_UNITS, UNITS, ListDocument, display_name
from armybuilder.armylists.explaining import objections
from armybuilder.armylists.facts import read_facts
from armybuilder.armylists.own_points import RULE as OWN_PRICE
from armybuilder.armylists.own_points import own_price_findings
from armybuilder.armylists.own_units import RULE as OWN_UNIT
from armybuilder.armylists.own_units import amended, own_unit_findings
from armybuilder.armylists.reports import ListFinding, ListReport, UncheckedPart
from armybuilder.datafiles.models import PublishedSystem
from armybuilder.datafiles.parsing import library_of
from armybuilder.engine.check import check
from armybuilder.engine.documents import escaped
from armybuilder.engine.errors import BadDocument
from armybuilder.engine.findings import Finding, Points, Text, Verdict, has_error
from armybuilder.engine.gamedata.links import Library
from armybuilder.engine.points import written
from armybuilder.engine.roster.amendments import MODELS
from armybuilder.engine.roster.evaluate import evaluate
from armybuilder.engine.roster.state import RosterError, RosterState
from armybuilder.engine.systems.game import LIST_RULES, RosterReader, roster_reader_of
from armybuilder.engine.systems.list_rules import ListRules, RuleSettings
from armybuilder.engine.systems.roster_reading.points_cost import points_type
from armybuilder.reference.tending import sets_up_the_army, tidied

NOT_RECOGNISED = {"BS-05": "entry", OWN_PRICE: "own-points", OWN_UNIT: "own-unit"}
"""Findings that, in every game, name something nobody could check, and the part they stand for."""

NOT_UNDERSTOOD = ("unsupported", "unknown-element", "unreadable-file")
"""Kinds of problems of the data that leave part of it without effect."""

_AT_MOST = re.compile(r"at most \d+")
"""The limit that a finding names, in the data's words and in the rulebook's."""

_MEMBERS = {"points_limit": "/points_limit", "detachments": "/roster/forces", "name": "/roster/name"}
"""Members of an army that are no facts; the points limit is a member of the list itself."""

FILES_NAMED = 2
"""More files that hold something not understood are counted, not named."""

NO_RULE_PACK = UncheckedPart(
    "no-rule-pack",
    Text(
        en="The rulebook of this game is not checked. Legal by the data means: every limit in its data is kept.",
        ru="Книга правил этой игры не проверяется. «Допустимо по данным» значит: все пределы из её данных соблюдены.",
    ),
)


Levels = Mapping[tuple[str, str], str]
"""Recorded alliance levels by (Primary Detachment's faction, ally)."""


def report_on(
    document: ListDocument,
    *,
    system: PublishedSystem,
    release_id: UUID,
    points_limit: int | None,
    revision: int,
    levels: Levels,
    previous: RosterState | None = None,
) -> ListReport:
    """Evaluate a list and check it.

    Args:
        levels: `reference.queries.recorded_levels` of the game.
        previous: a state of the same list; what did not change since is taken from it.
    """
    library = library_of(release_id)
    points = points_type(library.cost_types)
    state = amended(evaluate(library, document.roster, previous), document, points)
    by_data = tuple((error, _in_roster(finding, document)) for error, finding in objections(library, state))
    pack, reader = LIST_RULES.get(system.rule_pack), roster_reader_of(system.rule_pack)
    if pack is not None and reader is not None:
        judged = _by_rulebook(
            state, document, by_data, system=system, pack=pack, reader=reader, points_limit=points_limit, levels=levels
        )
    else:
        judged = _Judged(
            legal=not has_error(finding for _, finding in by_data), by_data=tuple(finding for _, finding in by_data)
        )
    findings = list(judged.findings)
    told_by_data = dict.fromkeys(judged.by_data)  # two limits may say the same in the same words
    findings += [finding for finding in told_by_data if not _is_repeat(finding, findings, pack)]
    own = document.facts.get(OWN_UNITS) or {}
    findings = [found for found in findings if not own or not _is_about(found, own)]
    told = (*own_price_findings(state, document, points), *own_unit_findings(document))
    findings += [_located(found, found.at, document, node_id=node_id) for node_id, found in told]
    legal = judged.legal
    return ListReport(
        system=system.pk,
        rule_pack=pack.system if pack is not None else None,
        revision=revision,
        verdict=Verdict.NOT_CHECKED if legal is None else Verdict.LEGAL if legal else Verdict.ILLEGAL,
        legal=legal,
        unchecked=(*_unchecked(findings, pack if reader is not None else None), *_unread(library, state)),
        points=Points(
            total=written(state.cost(points)) if points else None,
            limit=points_limit,
        ),
        findings=tuple(findings),
        state=state,
        objections=by_data,
        library=library,
        army=judged.army,
        places=judged.places,
        facts=document.facts,
        alliances=judged.alliances,
    )


@dataclass(frozen=True, slots=True)
class _Judged:
    """What a rulebook says of a list, and what is left of the objections of its data.

    Attributes:
        places: node id by pointer into the army.
        alliances: level by node id of an allied detachment.
    """

    legal: bool | None
    by_data: tuple[ListFinding, ...]
    findings: tuple[ListFinding, ...] = ()
    army: Any = None
    places: Mapping[str, str] = field(default_factory=dict)
    alliances: Mapping[str, str] = field(default_factory=dict)


def _by_rulebook(
    state: RosterState,
    document: ListDocument,
    by_data: Sequence[tuple[RosterError, ListFinding]],
    *,
    system: PublishedSystem,
    pack: ListRules,
    reader: RosterReader,
    points_limit: int | None,
    levels: Levels,
) -> _Judged:
    """The roster read as an army of its game, and that army checked; what the rulebook answers, the data need not."""
    facts = _facts_that_fit(system.rule_pack, document.facts)
    translation = reader.translator.translate(state, facts, points_limit=points_limit, alliance_levels=levels)
    army, places = translation.army, translation.places
    settings = RuleSettings(alliance_levels={system.rule_pack: levels}, conventions=system.conventions)
    answer = check(army, settings=settings)
    alliances = dict(translation.alliances or _alliances(army, places, pack, settings))
    translation = translation.beside(answer.findings)
    said = tuple(finding for finding in answer.findings if translation.tells(finding))
    said = pack.told_in_lists(army, said)
    of_roster = [finding for finding in translation.findings if system.conventions or not _is_convention(finding, pack)]
    findings = [_of_army(finding, places, document) for finding in said]
    findings += [_in_roster(finding, document) for finding in of_roster]
    left = tuple(finding for error, finding in by_data if error not in translation.answered)
    return _Judged(
        legal=False if has_error((*left, *of_roster)) else pack.legality(army, said),
        by_data=left,
        findings=tuple(findings),
        army=army,
        places=places,
        alliances=alliances,
    )


def _alliances(
    army: Any, places: Mapping[str, str], pack: ListRules, settings: RuleSettings
) -> Iterator[tuple[str, str]]:
    """Node id and level of each allied detachment; an empty level is unknown."""
    if pack.alliance_level is None:
        return
    for index, detachment in enumerate(army.detachments):
        if str(detachment.type) == "allied":
            level = pack.alliance_level(army, index, settings)
            yield places[f"/detachments/{index}"], "" if level is None else str(level)


def total_points(report: ListReport) -> Decimal | None:
    """The total as the row keeps it."""
    return None if report.points.total is None else Decimal(str(report.points.total))


def points_by_role(report: ListReport) -> tuple[tuple[str, Decimal], ...]:
    """What the units of each role cost, by the role's name in the data, in the order of detachments and roles.

    What only sets the army up is in none; roles without points are left out.
    """
    cost_type = points_type(report.library.cost_types) or ""
    spent: dict[str, Decimal] = {}
    for force in report.state.all_forces():
        for category in force.categories:
            spent.setdefault(category.name, Decimal(0))
        for selection in force.selections:
            if not sets_up_the_army(selection):
                name = selection.primary_category.name if selection.primary_category else ""
                spent[name] = spent.get(name, Decimal(0)) + selection.total(cost_type)
    return tuple((name, points) for name, points in spent.items() if points > 0)


def _in_roster(finding: Finding, document: ListDocument) -> ListFinding:
    """A finding whose pointer leads into the roster."""
    return _located(finding, f"/roster{finding.at}" if finding.at else None, document)


def _facts_that_fit(rule_pack: str, facts: Mapping[str, Any]) -> Any:
    """Stored facts; one that a newer version of the game no longer knows is left out rather than stopping the check."""
    try:
        return read_facts(rule_pack, facts)
    except BadDocument:
        fitting: dict[str, Any] = {}
        for name, value in facts.items():
            try:
                read_facts(rule_pack, {**fitting, name: value})
            except BadDocument:
                continue
            fitting[name] = value
        return read_facts(rule_pack, fitting)


def _of_army(finding: Finding, places: Mapping[str, str], document: ListDocument) -> ListFinding:
    """A finding about the army document, led back to the stored list."""
    if finding.at is None:
        return _located(finding, None, document)
    head, rest = finding.at, ""
    while head and head not in places:
        head, _, last = head.rpartition("/")
        rest = f"/{last}{rest}"
    if not head:  # a member of the army itself
        member = rest.split("/")[1]
        return _located(finding, _MEMBERS.get(member, f"/facts{rest}"), document)
    node_id = places[head]
    name = rest.split("/")[1] if rest else ""
    if name and name in document.facts_of(node_id):
        return _located(finding, f"/facts/{UNITS}/{escaped(node_id)}{rest}", document, node_id=node_id)
    if name.startswith("warlord") and name in document.facts:
        return _located(finding, f"/facts/{name}", document, node_id=node_id)
    place = document.places.get(node_id)
    return _located(finding, place.pointer if place else None, document, node_id=node_id)


def _located(finding: Finding, at: str | None, document: ListDocument, *, node_id: str | None = None) -> ListFinding:
    """A finding with its pointer into the stored list, and the node, unit and detachment a page leads to."""
    place = document.places.get(node_id) if node_id is not None else document.by_pointer.get(at or "")
    own_id = (node_id or "").removesuffix(MODELS)
    own = (document.facts.get(OWN_UNITS) or {}).get(own_id) if place is None else None
    return ListFinding(
        rule=finding.rule,
        severity=finding.severity,
        message=finding.message,
        at=at,
        source=finding.source,
        origin=finding.origin,
        node_id=place.node.id if place else own_id if own else None,
        node_name=display_name(place.node) if place else own["name"] if own else None,
        unit_id=place.unit_id if place else own_id if own else None,
        force_id=place.force_id if place else own["force_id"] if own else None,
    )


def _is_about(finding: ListFinding, own: Mapping[str, Any]) -> bool:
    """Whether a finding judges one of the owner's own units, which nobody can: they alone have no place in it."""
    return finding.node_id in own or (finding.rule in NOT_RECOGNISED and finding.at is None)


def _is_convention(finding: Finding, pack: ListRules) -> bool:
    """Whether a finding is of a rule that the administrator can switch off with the conventions."""
    rule = pack.rules.rules.get(finding.rule)
    return rule is not None and "conventions" in rule.settings


def _is_repeat(objection: ListFinding, findings: list[ListFinding], pack: ListRules | None) -> bool:
    """Whether the rulebook said the same of the same detachment and role, of the same unit, or of the total.

    Roles are recognised by their names in the message; where the data asks for something else, both are shown.
    """
    if pack is None:
        return False
    said = [finding for finding in findings if finding.rule in pack.restatements.get(objection.rule, ())]
    if objection.rule == "BS-04":
        return bool(said)
    if objection.node_id is None or not said:
        return False
    role = _singular(objection.message.en.partition(": ")[2].partition(" – ")[0].rstrip(":"))
    if objection.unit_id is not None:
        fact = f"/facts/{tidied(objection.node_name or '').casefold()}"  # a setting that asks for what the list states
        if any(
            finding.at == fact or (not role and finding.rule in pack.of_kinds and _same_kind(objection, finding))
            for finding in said
        ):
            return True
        return any(
            _speaks_of(finding, role, pack)
            for finding in said
            if finding.at == objection.at or (role and finding.unit_id == objection.unit_id)
        )
    return any(_speaks_of(finding, role, pack) for finding in said if finding.force_id in (None, objection.force_id))


def _speaks_of(finding: ListFinding, role: str, pack: ListRules) -> bool:
    """Whether a finding of the rulebook is about what the data calls so; W6L-03 about an "Extra Detachment"."""
    if ending := pack.says_of.get(finding.rule):
        return role.endswith(ending)
    return role in _singular(finding.message.en) or finding.rule in pack.roleless


def _singular(words: str) -> str:
    """Words without the endings of plurals: data counts "Lords of War", the book their slots."""
    return re.sub(r"s\b", "", words.casefold())


def _same_kind(objection: ListFinding, finding: ListFinding) -> bool:
    """Whether both allow so many units of this kind, though each stands on another of them."""
    limits = [_AT_MOST.search(one.message.en) for one in (objection, finding)]
    return (
        (objection.force_id, objection.node_name) == (finding.force_id, finding.node_name)
        and objection.node_id == objection.unit_id
        and all(limits)
        and len({found.group() for found in limits if found}) == 1
    )


def _unread(library: Library, state: RosterState) -> Iterator[UncheckedPart]:
    """Files behind the list that hold something the roster engine does not understand."""
    positions = {place for force in state.all_forces() for place in library.head(force.catalogue_id).closure}
    files = {library.heads[place].id: library.heads[place].name for place in sorted(positions)}
    counts = Counter(problem.catalogue_id for problem in library.problems if problem.kind in NOT_UNDERSTOOD)
    found = {name: number for file_id, name in files.items() if (number := counts[file_id])}
    if len(found) > FILES_NAMED:
        total = sum(found.values())
        yield UncheckedPart(
            "construct",
            Text(
                en=f"{len(found)} files of the data hold constructs that are not understood ({total} in all); "
                "the page on the quality of the data names them.",
                ru=f"В {len(found)} файлах данных есть конструкции, которые не разобраны (всего {total}); "
                "они названы на странице о качестве данных.",
            ),
        )
        return
    for name, number in found.items():
        yield UncheckedPart(
            "construct",
            Text(
                en=f"The data of “{name}” holds constructs that are not understood ({number}).",
                ru=f"В данных «{name}» есть конструкции, которые не разобраны ({number}).",
            ),
        )


def _unchecked(findings: list[ListFinding], pack: ListRules | None) -> Iterator[UncheckedPart]:
    """What the verdict does not cover, each part once; without a rule pack that reads lists, the whole rulebook."""
    if pack is None:
        yield NO_RULE_PACK
    seen = set()
    unknown = {**NOT_RECOGNISED, **(pack.unknown_parts if pack is not None else {})}
    for finding in findings:
        code = unknown.get(finding.rule)
        if code and (code, finding.message.en) not in seen:
            seen.add((code, finding.message.en))
            yield UncheckedPart(code, finding.message, finding.node_id)
