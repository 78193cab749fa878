"""A unit as a row: what an entry comes to in its default configuration."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache, partial
from itertools import count
from typing import Any

from armybuilder.engine.gamedata.links import Library
from armybuilder.engine.gamedata.places import Place
from armybuilder.engine.gamedata.specs import Spec
from armybuilder.engine.roster.available_options import Offer, OfferGroup, flat, offers_below
from armybuilder.engine.roster.beyond import Answer, NotingEvaluation, Question, Surroundings
from armybuilder.engine.roster.edits import select
from armybuilder.engine.roster.evaluation import Evaluation
from armybuilder.engine.roster.nodes import ForceNode, SelectionNode
from armybuilder.engine.roster.state import ZERO, SelectionState
from armybuilder.engine.roster.state_layout import StateLayout
from armybuilder.engine.systems.roster_reading.points_cost import points_type
from armybuilder.engine.systems.roster_reading.role_names import CHART_ROLES
from armybuilder.reference.tending import model_count

_KNOWN_ROLES = {**CHART_ROLES, "lords": "lord", "heroes": "hero", "primarch": "primarch", "primarchs": "primarch"}
"""Keys of army documents by the names that data authors give the categories."""

FORTIFICATION = "fortification"
"""Key of the role whose units belong to no faction."""


@lru_cache(maxsize=4096)
def role_key(category_name: str) -> str:
    """The key of the battlefield role a category stands for, e.g. `heavy_support` for "Heavy Support:"."""
    words = " ".join(re.findall(r"[\w']+", category_name.casefold()))
    return _KNOWN_ROLES.get(words, re.sub(r"\W+", "_", words)[:60])


@dataclass(frozen=True, slots=True)
class UnitRow:
    """A unit as its army list offers it.

    Attributes:
        options, dearest: of a fortification: what may be taken with it, and points with the dearest of that; None when
            one may be taken without end. Other rows do not show them.
    """

    entry_id: str
    name: str
    category_id: str
    category_name: str
    points: Decimal
    models_count: int
    profiles: list[dict[str, Any]]
    rules: list[str]
    costs: dict[str, str]
    options: list[dict[str, Any]]
    dearest: Decimal | None


@dataclass(frozen=True, slots=True)
class _WorkedOut:
    """A unit of some army list: it is the same in each that answers the same to what it asks beyond itself.

    Attributes:
        primary: id of its primary category; empty without one.
        row: None where it is no unit.
    """

    questions: tuple[Question, ...]
    answers: tuple[Answer, ...]
    primary: str
    row: UnitRow | None


UNIT_TYPES = ("unit", "model")
"""Types of what is a unit whatever it costs."""


class DefaultUnits:
    """Entries taken in their default configuration; what is the same in several army lists is worked out once.

    Args:
        rule_pack: the game that reads units, and says which of their parts are models; empty where none does.
    """

    def __init__(self, library: Library, *, rule_pack: str = "") -> None:
        self._library = library
        self._points = points_type(library.cost_types)
        self._rule_pack = rule_pack
        self._known: dict[Spec, list[_WorkedOut]] = {}

    def row(
        self, evaluation: Evaluation, force: ForceNode, place: Place, around: Surroundings | None
    ) -> UnitRow | None:
        """The row of an entry; None when it is no unit: an upgrade that costs nothing.

        Args:
            evaluation: of a roster in which the entry is not taken; `force`: one of its forces, which offers the entry.
            around: what that force answers; None where something else changes what it offers.
        """
        if around is None or place.groups:
            return self._work_out(evaluation, force, place, {})[0]
        known = self._known.setdefault(place.spec, [])
        for one in known:
            if around.answers(one.questions, one.primary) == one.answers:
                return replace(one.row, entry_id=place.path) if one.row is not None else None
        asked: dict[Question, None] = {}
        row, categories = self._work_out(evaluation, force, place, asked)
        primary = row.category_id if row is not None else ""
        answers = around.answers(asked, primary)
        if answers is not None and self._library.ambiguous_categories.isdisjoint(categories):
            known.append(_WorkedOut(tuple(asked), answers, primary, row))
        return row

    def _work_out(
        self, before: Evaluation, force: ForceNode, place: Place, asked: dict[Question, None]
    ) -> tuple[UnitRow | None, frozenset[str]]:
        """The row, and the ids of the categories of all parts of the unit.

        Only the unit itself is worked out, of names, costs and profiles what it shows: no limits and no other
        selections, as prices and rows need none of them.

        Args:
            asked: gets what it asks beyond itself.
        """
        library, points = self._library, self._points
        evaluated = partial(NotingEvaluation, questions=asked)
        taken = select(
            library, before.top.model, parent_id=force.id, entry_id=place.path, new_id=new_id, evaluated=evaluated
        )
        evaluation = evaluated(library, taken.roster)
        node = evaluation.node(taken.node_id or "")
        assert isinstance(node, SelectionNode)
        unit = StateLayout(evaluation).selection(node)
        totals = _totals(unit)
        is_unit = unit.type in UNIT_TYPES or bool(points and totals.get(points, ZERO) > 0)
        row = _unit_row(evaluation, node, unit, totals, points=points, rule_pack=self._rule_pack) if is_unit else None
        parts = (node, *node.walk())
        categories = frozenset(category_id for part in parts for category_id, _ in evaluation.categories(part))
        evaluation.let_go()
        return row, categories


def _totals(unit: SelectionState) -> dict[str, Decimal]:
    """What a unit costs of each type with everything below it, as `SelectionState.total` gives it, in one pass."""
    found: dict[str, Decimal] = {}
    for part in unit.walk():
        for type_id, value in {cost.type_id: cost.value for cost in reversed(part.costs)}.items():
            found[type_id] = found.get(type_id, ZERO) + value
    return found


def _unit_row(
    evaluation: Evaluation,
    node: SelectionNode,
    unit: SelectionState,
    totals: Mapping[str, Decimal],
    *,
    points: str | None,
    rule_pack: str,
) -> UnitRow:
    profiles: dict[tuple[str, str], dict[str, Any]] = {}
    models: Counter[tuple[str, str]] = Counter()
    own_types: dict[str, None] = {}
    rules: dict[str, None] = {}
    for part in unit.walk():
        for profile in part.profiles:
            if profile.name in {part.name, unit.name} and part.type in UNIT_TYPES:
                own_types[profile.type_name] = None
            if part.type == "model":
                models[profile.type_name, profile.name] += part.number
            profiles.setdefault(
                (profile.type_name, profile.name),
                {
                    "type": profile.type_name,
                    "name": profile.name,
                    "characteristics": [list(pair) for pair in profile.characteristics],
                },
            )
        rules |= dict.fromkeys(rule.name for rule in part.rules)
    category = unit.primary_category
    total = totals.get(points, ZERO) if points else ZERO
    fortification = category is not None and role_key(category.name) == FORTIFICATION
    found = offers_below(evaluation, node) if fortification else ()
    return UnitRow(
        entry_id=unit.entry_id,
        name=unit.name,
        category_id=category.id if category else "",
        category_name=category.name if category else "",
        points=total,
        models_count=model_count(unit, rule_pack) or 1,
        profiles=_in_order(profiles, own_types, models),
        rules=list(rules),
        costs={cost.name: str(totals.get(cost.id, ZERO)) for cost in evaluation.library.cost_types},
        options=[_option(offer, points) for offer in flat(found) if not offer.hidden],
        dearest=_dearest(found, points, total) if points and fortification else total,
    )


def _in_order(
    profiles: Mapping[tuple[str, str], dict[str, Any]], own_types: Iterable[str], models: Mapping[tuple[str, str], int]
) -> list[dict[str, Any]]:
    """The profiles as players look for them.

    Of one type, what most models are stands before their leader; the type of a profile that is called as the unit or
    a model of it, its own figures, stands before spells and weapons.
    """
    by_type: dict[str, list[tuple[str, str]]] = {}
    for key in profiles:
        by_type.setdefault(key[0], []).append(key)
    in_order = {name: iter(sorted(keys, key=lambda key: -models.get(key, 0))) for name, keys in by_type.items()}
    found = [profiles[next(in_order[type_name])] for type_name, _ in profiles]
    first = next((name for name in own_types if _has_figures(profiles, by_type[name])), None)
    return sorted(found, key=lambda profile: profile["type"] != first) if first is not None else found


def _has_figures(profiles: Mapping[tuple[str, str], dict[str, Any]], keys: Iterable[tuple[str, str]]) -> bool:
    """Whether profiles are rows of figures, and no ability that is called as its unit."""
    return any(len(profiles[key]["characteristics"]) > 1 for key in keys)


def _option(offer: Offer, points: str | None) -> dict[str, Any]:
    return {
        "name": offer.name,
        "points": str(next((cost.value for cost in offer.costs if cost.type_id == points), Decimal(0))),
        "maximum": None if offer.maximum is None else int(offer.maximum),
    }


def _dearest(found: tuple[Offer | OfferGroup, ...], points: str, total: Decimal) -> Decimal | None:
    """The price with every option in place of what is taken that makes it dearest, each group within its limit."""
    choice = _priced(found, points, None)
    if any(number is None for _, number in choice):
        return None
    taken = sum((offer.cost(points) * offer.current for offer in flat(found)), Decimal(0))
    return total - taken + sum((price * (number or 0) for price, number in choice), Decimal(0))


def _priced(found: tuple[Offer | OfferGroup, ...], points: str, most: int | None) -> list[tuple[Decimal, int | None]]:
    """The dearest options with how often each may be taken, together at most so many; None is without end."""
    priced: list[tuple[Decimal, int | None]] = []
    for item in found:
        if isinstance(item, OfferGroup):
            priced += _priced(item.offers, points, item.maximum) if not item.hidden else []
        elif not item.hidden and item.cost(points) > 0:
            priced.append((item.cost(points), item.maximum))
    if most is None:
        return priced
    kept: list[tuple[Decimal, int | None]] = []
    for price, number in sorted(priced, key=lambda pair: pair[0], reverse=True):
        taken = most if number is None else min(number, most)
        most -= taken
        kept.append((price, taken))
    return kept


def new_id() -> str:
    """Ids of rosters that nobody sees: theirs need to differ from one another only."""
    return f"n{next(_numbers)}"


_numbers = count(1)


def search_text(row: UnitRow, names: Mapping[str, str]) -> str:
    """All words a unit is found by, in both languages, in small letters."""
    words = [row.name, row.category_name, *row.rules, *(profile["name"] for profile in row.profiles)]
    return " ".join([*words, *(_russian(word, names) for word in words)]).casefold()


def _russian(name: str, names: Mapping[str, str]) -> str:
    """The Russian name; that of "Rending" for "Rending (6+)"; nothing when there is none."""
    return names.get(name) or names.get(name.partition(" (")[0], "")
