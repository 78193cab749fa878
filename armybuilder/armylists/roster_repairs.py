"""Edits of a roster that may settle a finding; `repairs` tries them out."""

import re
from collections.abc import Iterable, Iterator
from enum import StrEnum
from math import ceil
from typing import Any, Literal, get_args, get_origin

from armybuilder.armylists import edits as e
from armybuilder.armylists import limits
from armybuilder.armylists.documents import UNITS, ListDocument
from armybuilder.armylists.explaining import explanation_behind
from armybuilder.armylists.facts import list_fact_types, unit_fact_types, warlord_traits
from armybuilder.armylists.reports import ListFinding, ListReport
from armybuilder.armylists.shortfalls import filled, shortfall
from armybuilder.engine.roster.available_options import Offer, OfferGroup, flat, offers
from armybuilder.engine.roster.state import ForceState, SelectionState
from armybuilder.engine.systems.game import LIST_RULES

Candidate = tuple[e.Edit, ...]

CHEAPEST = 4
"""Units of which two and three are tried as well."""


def roster_candidates(report: ListReport, finding: ListFinding, document: ListDocument) -> Iterator[Candidate]:
    """Edits that may settle a finding, the simplest first."""
    yield from _said_by_the_data(report, finding)
    yield from _other_facts(report, finding, document)
    node = report.state.node(finding.node_id) if finding.node_id else None
    if isinstance(node, SelectionState):
        yield from _chosen(report, node, finding)
        yield from _named(report, node)
        yield from _fewer_or_more(node)
        yield from ((e.Remove(node_id=part.id),) for part in reversed(node.selections))
        yield from _options(report, node)
    else:
        yield from _named_options(report, finding)
    yield from _filled_up(report, finding)
    agreed = report.points.limit or 0
    yield from (_to_limit(limit) for limit in _limits_in(finding) if limit >= agreed)
    if node is not None and (isinstance(node, SelectionState) or len(report.state.forces) > 1):
        yield (e.Remove(node_id=node.id),)
    yield from _leaders(report)
    forces = [force for force in report.state.all_forces() if finding.force_id in (None, force.id)]
    for force in forces:
        yield from _more_detachments(force, finding)
    for force in forces:
        yield from _fewer_units(force, finding)
    for force in forces:
        yield from _more_units(report, force, finding)
    yield from (_to_limit(limit) for limit in _limits_in(finding) if limit < agreed)  # a smaller game: the last resort


def _named(report: ListReport, node: SelectionState) -> Iterator[Candidate]:
    """The unit itself for a fact that names one: it must be the warlord."""
    leader = next((part for part in node.walk() if part.type == "model" and part.number == 1), node)
    for fact in list_fact_types(report.rule_pack or ""):
        if fact.refers_to is not None:
            yield _naming(fact.name, leader)
        if fact.name == "warlord":
            yield from _with_traits(report, leader)


def _chosen(report: ListReport, node: SelectionState, finding: ListFinding) -> Iterator[Candidate]:
    """As many options as a group of the unit still asks for, the cheapest first: several of one, or several once."""
    groups = [item for item in offers(report.library, report.state, node_id=node.id) if isinstance(item, OfferGroup)]
    while groups:
        group = groups.pop(0)
        groups += [item for item in group.offers if isinstance(item, OfferGroup)]
        gap = (group.minimum or 0) - group.current
        if gap <= 0 or group.hidden or not _mentioned(group, finding.message.en.casefold()):
            continue
        free = [offer for offer in _by_price(report, flat(group.offers)) if offer.available]
        for first in free[:CHEAPEST]:
            taken: list[e.Edit] = []
            for offer in (first, *(other for other in free if other is not first)):
                number = gap if offer.room is None else min(gap, offer.room)
                if number > 0:
                    taken.append(_more_of(node, offer, number))
                    gap -= number
            gap = (group.minimum or 0) - group.current
            yield tuple(taken)


def _named_options(report: ListReport, finding: ListFinding) -> Iterator[Candidate]:
    """An option of a unit that the army lacks, for each unit that has it on offer: its general, its standard."""
    if finding.rule != "BS-01":
        return
    message = finding.message.en.casefold()
    for force in report.state.all_forces():
        parts = (part for unit in force.selections for part in unit.walk() if part is unit or part.type != "upgrade")
        for part in parts:
            for offer in flat(offers(report.library, report.state, node_id=part.id)):
                if offer.available and not offer.current and re.search(_word(offer.name), message):
                    yield (e.Select(parent_id=part.id, entry_id=offer.entry_id),)


def _word(name: str) -> str:
    return rf"(?<!\w){re.escape(name.strip(' :').casefold())}(?!\w)"


def _more_of(node: SelectionState, offer: Offer, number: int) -> e.Edit:
    if offer.current + number == 1:
        return e.Select(parent_id=node.id, entry_id=offer.entry_id)
    return e.SetOptionAmount(parent_id=node.id, entry_id=offer.entry_id, amount=offer.current + number)


def _filled_up(report: ListReport, finding: ListFinding) -> Iterator[Candidate]:
    """Points that are missing in a role, or in the whole army: what is there grows, or more is taken."""
    gap = shortfall(finding)
    for force in report.state.all_forces() if gap else ():
        if finding.force_id not in (None, force.id):
            continue
        message = finding.message.en.casefold()
        roles = {category.id for category in force.categories if _mentioned(category, message)}
        units = [
            unit
            for unit in force.selections
            if not roles or (unit.primary_category is not None and unit.primary_category.id in roles)
        ]
        offered = _by_price(report, flat(offers(report.library, report.state, node_id=force.id)))
        fitting = [offer for offer in offered if offer.available and (not roles or offer.category_id in roles)]
        yield from filled(report, units, force.id, fitting, gap)


def _naming(fact: str, leader: SelectionState) -> Candidate:
    return (e.SetWarlord(node_id=leader.id) if fact == "warlord" else e.SetFacts(facts={fact: leader.id}),)


def _limits_in(finding: ListFinding) -> tuple[int, ...]:
    """Numbers of the finding that a points limit could have."""
    numbers = (int(number.replace(",", "")) for number in re.findall(r"\d[\d,]*", finding.message.en))
    return tuple(number for number in numbers if 0 < number <= limits.POINTS)


def _to_limit(limit: int) -> Candidate:
    return (e.SetPointsLimit(points_limit=limit),)


def _said_by_the_data(report: ListReport, finding: ListFinding) -> Iterator[Candidate]:
    """What the explanation of an objection of the data proposes, also where a rule of the book restates it."""
    restatements = LIST_RULES[report.rule_pack].restatements if report.rule_pack is not None else {}
    for error, objection in report.objections:
        said = (objection.rule, objection.message) == (finding.rule, finding.message)
        named = error.name.rstrip(":").casefold() in finding.message.en.casefold()
        restated = named and finding.rule in restatements.get(objection.rule, ())
        if objection.at != finding.at or not (said or restated):
            continue
        gap = ceil(abs(error.current - error.limit)) if error.current is not None and error.limit is not None else 1
        for repair in explanation_behind(report, error, objection.message).repairs:
            node = report.state.node(repair.node_id) if repair.node_id else None
            if repair.action == "add" and repair.entry_id and isinstance(node, ForceState):
                yield (e.AddUnit(force_id=node.id, entry_id=repair.entry_id),) * repair.count
            elif repair.action == "add" and repair.entry_id and isinstance(node, SelectionState):
                had = sum(part.amount for part in node.selections if part.entry_id == repair.entry_id)
                yield (e.SetOptionAmount(parent_id=node.id, entry_id=repair.entry_id, amount=had + repair.count),)
            elif repair.action == "remove" and isinstance(node, SelectionState):
                yield (e.Deselect(selection_id=node.id),) * repair.count
        owner = report.state.node(error.node_id) if error.node_id else None
        if isinstance(owner, SelectionState):
            for part in (owner, *owner.selections):
                if part.amount > gap:
                    yield (e.SetAmount(selection_id=part.id, amount=part.amount - gap),)
                    yield (e.SetAmount(selection_id=part.id, amount=part.amount + gap),)


def _other_facts(report: ListReport, finding: ListFinding, document: ListDocument) -> Iterator[Candidate]:
    """A stated fact taken back or stated otherwise; a fact of the list stated that is not yet."""
    steps = (finding.at or "").split("/")
    pack = report.rule_pack or ""
    if steps[1:3] == ["facts", UNITS] and len(steps) > 4:
        node_id, name = steps[3].replace("~1", "/").replace("~0", "~"), steps[4]
        yield (e.SetUnitFacts(node_id=node_id, facts={name: None}),)
        kinds = {fact.name: fact.kind for fact in unit_fact_types(pack)}
        for value in _values(kinds.get(name)):
            yield (e.SetUnitFacts(node_id=node_id, facts={name: value}),)
        return
    if steps[1:2] == ["facts"] and len(steps) > 2 and steps[2] in document.facts:
        yield (e.SetFacts(facts={steps[2]: None}),)
    for fact in list_fact_types(pack):
        if fact.name == "allegiance":
            yield from ((e.SetFacts(facts={fact.name: side}),) for side in ("loyalist", "traitor"))
        elif len(steps) > 2 and steps[2] == fact.name:
            yield from ((e.SetFacts(facts={fact.name: value}),) for value in _values(fact.kind))


def _values(kind: Any) -> tuple[Any, ...]:
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return tuple(item.value for item in kind)
    if get_origin(kind) is Literal:
        return get_args(kind)
    return (True,) if kind is bool else ()  # what is not stated is no


def _fewer_or_more(node: SelectionState) -> Iterator[Candidate]:
    """One model or copy less, one more: of the selection itself, then of its parts."""
    for part in (node, *node.selections):
        if part.amount > 1:
            yield (e.SetAmount(selection_id=part.id, amount=part.amount - 1),)
            yield (e.SetAmount(selection_id=part.id, amount=part.amount + 1),)


def _options(report: ListReport, node: SelectionState) -> Iterator[Candidate]:
    """Options the unit does not have, the cheapest first."""
    for offer in _by_price(report, flat(offers(report.library, report.state, node_id=node.id))):
        if offer.current == 0 and offer.available:
            yield (e.Select(parent_id=node.id, entry_id=offer.entry_id),)


def _leaders(report: ListReport) -> Iterator[Candidate]:
    """A unit named for a fact that names one and is not stated: the warlord with each of his traits, the general."""
    for fact in list_fact_types(report.rule_pack or ""):
        if fact.refers_to is None or fact.name in report.facts:
            continue
        leaders = [
            next((part for part in unit.walk() if part.type == "model" and part.number == 1), unit)
            for force in report.state.all_forces()
            for unit in sorted(force.selections, key=lambda unit: _place_in_chart(force, unit))
        ]
        yield from (_naming(fact.name, leader) for leader in leaders)
        if fact.name == "warlord":
            for leader in leaders:
                yield from _with_traits(report, leader)


def _with_traits(report: ListReport, leader: SelectionState) -> Iterator[Candidate]:
    for trait in warlord_traits(report.rule_pack or ""):
        yield (e.SetWarlord(node_id=leader.id, trait=trait),)


def _place_in_chart(force: ForceState, unit: SelectionState) -> int:
    roles = [category.id for category in force.categories]
    role = unit.primary_category.id if unit.primary_category is not None else ""
    return roles.index(role) if role in roles else len(roles)


def _fewer_units(force: ForceState, finding: ListFinding) -> Iterator[Candidate]:
    """A unit less, the last first: of those whose role the finding mentions, else of all."""
    message = finding.message.en.casefold()
    units = [unit for unit in force.selections if _mentioned(unit.primary_category, message)] or list(force.selections)
    yield from ((e.Remove(node_id=unit.id),) for unit in reversed(units))


def _more_units(report: ListReport, force: ForceState, finding: ListFinding) -> Iterator[Candidate]:
    """A unit more, the cheapest first: of the role of the unit at fault, or of one that the finding mentions.

    Then two and three of the cheapest, for a chart of which nothing is filled yet.
    """
    unit = report.state.node(finding.unit_id) if finding.unit_id else None
    message = finding.message.en.casefold()
    roles = {category.id for category in force.categories if _mentioned(category, message)}
    if isinstance(unit, SelectionState) and unit.primary_category is not None:
        roles.add(unit.primary_category.id)
    offered = [offer for offer in flat(offers(report.library, report.state, node_id=force.id)) if offer.available]
    fitting = [offer for offer in offered if offer.category_id in roles] or offered
    ranked = _by_price(report, fitting)
    for often, some in ((1, ranked), (2, ranked[:CHEAPEST]), (3, ranked[:CHEAPEST])):
        for offer in some:
            yield (e.AddUnit(force_id=force.id, entry_id=offer.entry_id),) * often


def _more_detachments(force: ForceState, finding: ListFinding) -> Iterator[Candidate]:
    """A detachment more below this one, of a kind that the finding names: "you need to add a regiment"."""
    message = finding.message.en.casefold()
    for offer in force.forces_on_offer:
        if offer.name.casefold() in message:
            yield (e.AddDetachment(force_entry_id=offer.entry_id, catalogue_id=force.catalogue_id, parent_id=force.id),)


def _mentioned(category: Any, message: str) -> bool:
    return category is not None and category.name.rstrip(": ").casefold() in message


def _by_price(report: ListReport, offered: Iterable[Offer]) -> list[Offer]:
    kinds = [cost.type_id for cost in report.state.costs]
    return sorted(offered, key=lambda offer: [offer.cost(kind) for kind in kinds])
