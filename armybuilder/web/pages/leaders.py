"""Who leads an army beside a warlord or instead of one: General, bearer of the army's standard."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.utils.text import capfirst

from armybuilder.armylists.documents import UNITS
from armybuilder.armylists.facts import list_fact_types, unit_fact_types
from armybuilder.armylists.reports import ListReport
from armybuilder.armylists.wording import fact_name
from armybuilder.engine.roster.state import SelectionState
from armybuilder.reference.names import Names
from armybuilder.web.formatting import localized
from armybuilder.web.forms.edits import APPLY
from armybuilder.web.pages.role_shares import role_kind
from armybuilder.web.pages.roster_view import numbered

OF_THE_LIST = ("general",)
"""Facts of a list that name one who leads it in every game; a supreme commander is for the largest games."""

OF_A_UNIT = ("army_standard",)
"""Facts of a unit that are true of one at most."""

LEADING_ROLES = frozenset({"leader", "hero"})


@dataclass(frozen=True, slots=True)
class Leader:
    """Somebody who can be chosen; `do` is the edit that chooses him."""

    name: str
    role: str
    is_chosen: bool
    do: str


@dataclass(frozen=True, slots=True)
class LeaderChoice:
    """One post and who may fill it.

    Attributes:
        fact: its name in the list's facts.
        none_do: the edit that leaves it empty; empty where nobody is stated.
    """

    fact: str
    label: str
    leaders: tuple[Leader, ...]
    none_do: str


def leader_choices(report: ListReport, names: Names) -> tuple[LeaderChoice, ...]:
    """The posts of the game, in the order in which they are named; none where a warlord is all."""
    pack = report.rule_pack or ""
    posts = [fact.name for fact in list_fact_types(pack) if fact.name in OF_THE_LIST]
    posts += [fact.name for fact in unit_fact_types(pack) if fact.name in OF_A_UNIT]
    return tuple(_choice(report, names, fact) for fact in posts)


def _choice(report: ListReport, names: Names, fact: str) -> LeaderChoice:
    units = [unit for force in report.state.all_forces() for unit in force.selections if _leads(unit)]
    stated = _stated(report, fact)
    called = numbered([unit.custom_name or names(unit.name) for unit in units])
    chosen = stated or tuple(node_id for node_id, who in _in_army(report) if getattr(who, fact, None) is True)
    return LeaderChoice(
        fact=fact,
        label=capfirst(localized(fact_name(report.rule_pack or "", fact))),
        leaders=tuple(
            Leader(
                name=name,
                role=names.role(unit.primary_category.name) if unit.primary_category is not None else "",
                is_chosen=any(part.id in chosen for part in unit.walk()),
                do=_edits(fact, unit.id, stated),
            )
            for unit, name in zip(units, called, strict=True)
        ),
        none_do=_edits(fact, None, stated) if stated else "",
    )


def _leads(unit: SelectionState) -> bool:
    return unit.primary_category is not None and role_kind(unit.primary_category.name) in LEADING_ROLES


def _stated(report: ListReport, fact: str) -> tuple[str, ...]:
    """Node ids that the player has named."""
    if fact in OF_THE_LIST:
        return (str(report.facts[fact]),) if report.facts.get(fact) else ()
    return tuple(node_id for node_id, facts in (report.facts.get(UNITS) or {}).items() if (facts or {}).get(fact))


def _edits(fact: str, node_id: str | None, stated: tuple[str, ...]) -> str:
    """The edit of a button: this one and nobody else."""
    if fact in OF_THE_LIST:
        edits: list[dict[str, Any]] = [{"edit": "set_facts", "facts": {fact: node_id}}]
    else:
        edits = [{"edit": "set_unit_facts", "node_id": other, "facts": {fact: None}} for other in stated]
        if node_id is not None:
            edits.append({"edit": "set_unit_facts", "node_id": node_id, "facts": {fact: True}})
    return urlencode({"edit": APPLY, "edits": json.dumps(edits)})


def _in_army(report: ListReport) -> Iterator[tuple[str, Any]]:
    """Node ids with what the army document made of them."""
    for pointer, node_id in report.places.items():
        who: Any = report.army
        for step in pointer.split("/")[1:]:
            who = who[int(step)] if step.isdecimal() else getattr(who, step, None)
            if who is None:
                break
        yield node_id, who
