"""A library seen as rows: every unit of every army list in its default configuration, and the slots of the charts."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from itertools import count
from operator import itemgetter
from typing import Any, Protocol

from armybuilder.datafiles.remote import Progress
from armybuilder.engine.gamedata.dependence import UnitKeys
from armybuilder.engine.gamedata.links import Library
from armybuilder.engine.gamedata.places import Place, Spec, child_specs
from armybuilder.engine.roster.available_options import Offer, OfferGroup, flat, offers_below
from armybuilder.engine.roster.edits import add_force, new_roster, select
from armybuilder.engine.roster.evaluation import Evaluation, natural
from armybuilder.engine.roster.model import Force, Roster
from armybuilder.engine.roster.nodes import ForceNode, GroupNode, SelectionNode
from armybuilder.engine.roster.state import ZERO, SelectionState
from armybuilder.engine.systems.roster_reading.points_cost import points_type
from armybuilder.reference.closed_entries import Asked, ClosedEntries, outwards
from armybuilder.reference.collecting import collect_young
from armybuilder.reference.tending import model_count

_KNOWN_ROLES = {
    "lords": "lord",
    "heroes": "hero",
    "hq": "hq",
    "troops": "troops",
    "elites": "elites",
    "elite": "elites",
    "fast attack": "fast_attack",
    "heavy support": "heavy_support",
    "lords of war": "lord_of_war",
    "lord of war": "lord_of_war",
    "primarch": "primarch",
    "primarchs": "primarch",
    "fortification": "fortification",
    "fortifications": "fortification",
}
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
class SlotRow:
    """Limits of one category in a detachment; maximum None is no limit."""

    category_id: str
    category_name: str
    minimum: int
    maximum: int | None


@dataclass(frozen=True, slots=True)
class DetachmentRow:
    """A force entry with the limits of its categories, as an empty force of it shows them."""

    entry_id: str
    name: str
    slots: tuple[SlotRow, ...]


@dataclass(frozen=True, slots=True)
class ArmyListRow:
    """A catalogue that players choose, with its units."""

    catalogue_id: str
    name: str
    units: tuple[UnitRow, ...]
    keys: tuple[str, ...] = ()


class KnownRows(Protocol):
    """Rows that were worked out before."""

    def of_catalogue(self, catalogue_id: str) -> tuple[tuple[UnitRow, ...], tuple[str, ...]] | None:
        """The units of a catalogue with the key of each, where they are as they were."""

    def of_unit(self, key: str) -> UnitRow | None:
        """The unit of a key."""

    def keys(self, catalogue_id: str) -> UnitKeys | None:
        """What gives the units of a catalogue their keys; None where they have none."""


def army_lists(
    library: Library, *, rule_pack: str = "", known: KnownRows | None = None, progress: Progress | None = None
) -> Iterator[ArmyListRow]:
    """Every catalogue that is no mere library, with the units it offers in any detachment.

    Args:
        rule_pack: the game that reads units, and says which of their parts are models; empty where none does.
        known: what was worked out before and is not worked out again.
    """
    rows = UnitRows(library, known, rule_pack=rule_pack)
    for done, catalogue in enumerate(library.catalogues):
        if progress is not None:
            progress(done, len(library.catalogues), catalogue.name)
        if not catalogue.library:
            found = known.of_catalogue(catalogue.id) if known else None
            if found is None:
                found = _parted(rows.of(catalogue.id))
                collect_young()
            yield ArmyListRow(catalogue.id, catalogue.name, *found)


def _parted(found: Iterable[tuple[UnitRow, str]]) -> tuple[tuple[UnitRow, ...], tuple[str, ...]]:
    """Units, and the key of each."""
    pairs = tuple(found)
    return tuple(unit for unit, _ in pairs), tuple(key for _, key in pairs)


def detachments(library: Library) -> tuple[DetachmentRow, ...]:
    """The force entries of the game system, in its order, each seen as an empty force of the first catalogue."""
    catalogue = next((catalogue for catalogue in library.catalogues if not catalogue.library), None)
    if catalogue is None:
        return ()
    found = []
    for _, ghost in _open_forces(library, catalogue.id):
        spec = ghost.spec
        evaluation, node = _force(library, catalogue.id, spec.path)
        force = evaluation.force_state(node)
        slots = tuple(
            SlotRow(
                category.id,
                category.name,
                int(category.minimum or 0),
                None if category.maximum is None else int(category.maximum),
            )
            for category in force.categories
            if not category.hidden and category.link_id is not None
        )
        found.append(DetachmentRow(spec.path, spec.name, slots))
    return tuple(found)


_EVERY_FORCE = ""
"""In place of a category: what every force may offer."""

_ByCategory = dict[str, list[tuple[int, Place]]]


@dataclass(frozen=True, slots=True)
class _Offers:
    """What is known of the root entries of a catalogue: paths of those met, which others stay closed, keys of all."""

    seen: set[str]
    closed: ClosedEntries
    keys: UnitKeys | None


class UnitRows:
    """Works out the units of a library's army lists, and keeps what its catalogues have in common."""

    def __init__(self, library: Library, known: KnownRows | None = None, *, rule_pack: str = "") -> None:
        self._library = library
        self._rule_pack = rule_pack
        self._known = known
        self._points = points_type(library.cost_types)
        self._priced: dict[Spec, bool] = {}
        self._primaries: dict[Place, frozenset[str]] = {}
        self._asked = Asked(library)

    def of(self, catalogue_id: str) -> Iterator[tuple[UnitRow, str]]:
        """The units a catalogue offers in any detachment, and in detachments below those, each once, and their keys."""
        library = self._library
        keys = self._known.keys(catalogue_id) if self._known else None
        offers = _Offers(set(), ClosedEntries(self._asked, catalogue_id), keys)
        by_category = self._by_category(library.roots(catalogue_id))
        lent: dict[Spec, list[Place]] = {}
        opened: set[str] = set()

        def left_for(force: Spec) -> list[Place]:
            """Root entries not met yet that a force may offer; fewer each time."""
            places = lent[force] if force in lent else _of_force(by_category, force)
            lent[force] = places = [place for place in places if place.path not in offers.seen]
            return places

        for empty, ghost in _open_forces(library, catalogue_id):
            spec = ghost.spec
            below = [
                inner
                for nodes in spec.force_nodes
                if (inner := library.spec(*nodes)).id not in opened
                and left_for(inner)
                and not (offers.closed.tells_by_itself(inner, spec) and not _is_open(empty, inner, ghost))
            ]
            if not self._any_left(left_for(spec), offers, spec) and not any(
                self._any_left(left_for(inner), offers, inner, spec) for inner in below
            ):
                continue
            evaluation, force = _force(library, catalogue_id, spec.path)
            offers.closed.begin(evaluation)
            yield from self._units_of(evaluation, force, left_for(spec), offers)
            for inner in below:  # one of a name offers the same below every detachment
                left = left_for(inner)
                if left and inner.id not in opened and _is_open(evaluation, inner, force):
                    opened.add(inner.id)
                    if self._any_left(left, offers, inner, spec):
                        with_child, child = _child_force(evaluation, force, inner)
                        yield from self._units_of(with_child, child, left, offers)
                        with_child.let_go()
            offers.closed.end()
            evaluation.let_go()

    def _any_left(self, places: Iterable[Place], offers: "_Offers", force: Spec, *outer: Spec) -> bool:
        """Whether a force below others may offer any of these entries and groups that was not met yet."""
        for place in places:
            if not self._may_be_unit(place) or not self._may_be_of(place, force) or place.path in offers.seen:
                continue
            if offers.closed.closed(place, force, *outer):
                continue
            if not place.is_group or self._any_left(place.children, offers, force, *outer):
                return True
        return False

    def _units_of(
        self, evaluation: Evaluation, force: ForceNode, places: Iterable[Place], offers: "_Offers"
    ) -> Iterator[tuple[UnitRow, str]]:
        """The units a force offers that were not met yet, with their keys."""
        keys = offers.keys
        if keys is not None:
            begun = offers.closed.begun_with(force.catalogue_id, evaluation, force)
            keys = keys.in_force([one.spec for one in outwards(force)], begun)
        for place in self._offered(evaluation, force, places, offers):
            if place.path not in offers.seen:
                offers.seen.add(place.path)
                key = keys.of(place) if keys else ""
                row = self._known.of_unit(key) if self._known and key else None
                if row is None:
                    row = _unit(evaluation, force, place, self._points, self._rule_pack)
                if row is not None:
                    yield row, key

    def _offered(
        self, evaluation: Evaluation, force: ForceNode, places: Iterable[Place], offers: "_Offers"
    ) -> Iterator[Place]:
        """Entries that may be units, that a force offers and that were not met yet, in the order players read them."""
        entries: list[tuple[str, Place]] = []
        groups: list[tuple[str, Place]] = []
        for place in places:
            if place.path in offers.seen or not self._may_be_unit(place) or not self._may_be_of(place, force.spec):
                continue
            if place.is_group and not evaluation.group_hidden(place, force):
                groups.append((evaluation.group_name(GroupNode(place, force)), place))
            elif not place.is_group and _is_offered(evaluation, force, place):
                entries.append((evaluation.name(force.ghost(place)), place))
            else:
                offers.closed.note(place, evaluation, force)
        for _, place in sorted(entries, key=lambda pair: natural(pair[0].strip())):
            yield place
        for _, place in sorted(groups, key=lambda pair: natural(pair[0].strip())):
            yield from self._offered(evaluation, force, place.children, offers)

    def _may_be_unit(self, place: Place) -> bool:
        """Whether an entry, or one of a group, may be a unit of some force, as far as the data says of it by itself."""
        spec = place.spec
        if spec.hidden and not spec.hidden_modifiers:
            return False
        return place.is_group or spec.type in _UNITS or (spec.type == "upgrade" and self._may_cost(spec))

    def _by_category(self, places: Iterable[Place]) -> "_ByCategory":
        """Root entries and groups that may be units, each with its number, by the primary categories they may have."""
        found: _ByCategory = {}
        for number, place in enumerate(places):
            if self._may_be_unit(place):
                for category_id in {_EVERY_FORCE} if place.is_group else self._slots(place):
                    found.setdefault(category_id, []).append((number, place))
        return found

    def _slots(self, place: Place) -> frozenset[str]:
        """The primary categories that an entry may come to have."""
        found = self._primaries.get(place)
        if found is None:
            primaries = set(_possible_primaries(place))
            if None in primaries and place.spec.type in _UNITS:
                primaries.add(_EVERY_FORCE)
            found = self._primaries[place] = frozenset(one for one in primaries if one is not None)
        return found

    def _may_be_of(self, place: Place, force: Spec) -> bool:
        """Whether a force may offer an entry or group, as far as its categories say."""
        if place.is_group:
            return True
        slots = self._slots(place)
        return _EVERY_FORCE in slots or not slots.isdisjoint(force.category_ids)

    def _may_cost(self, spec: Spec) -> bool:
        """Whether an entry, or anything below it, has a price in points in any roster."""
        if spec not in self._priced:
            reached = {spec: None}
            costs = False
            for one in (waiting := [spec]):  # grows while it is read, each once, so cycles end
                costs = self._priced.get(one, False) or bool(
                    self._points and (one.base_costs.get(self._points, 0) > 0 or self._points in one.cost_modifiers)
                )
                if costs:
                    break
                for below in (inner for node in one.nodes for inner in child_specs(self._library, node)):
                    if below not in reached and self._priced.get(below, True):
                        reached[below] = None
                        waiting.append(below)
            self._priced.update({spec: True} if costs else dict.fromkeys(reached, False))
        return self._priced[spec]


def _of_force(by_category: "_ByCategory", force: Spec) -> list[Place]:
    """The root entries and groups that a force may offer, in the order of the data."""
    found = {pair for category_id in (*force.category_ids, _EVERY_FORCE) for pair in by_category.get(category_id, ())}
    return [place for _, place in sorted(found, key=itemgetter(0))]


def _possible_primaries(place: Place) -> Iterator[str | None]:
    """The primary categories an entry may come to have by its own modifiers; None for none."""
    yield place.primary_id
    waiting = list(place.spec.category_modifiers)
    for modifier in waiting:  # grows while it is read
        waiting += modifier.steps
        if modifier.kind == "set-primary":
            yield modifier.value
        elif modifier.kind in {"remove", "unset-primary"}:
            yield None


def _open_forces(library: Library, catalogue_id: str) -> Iterator[tuple[Evaluation, ForceNode]]:
    """The forces that may be added to an empty roster of a catalogue, and that roster."""
    empty = Evaluation(library, Roster(id="roster", name="", system_id=library.system_id))
    for spec in library.root_forces(catalogue_id):
        ghost = ForceNode(Force(id="", entry_id=spec.path, catalogue_id=catalogue_id), spec, None, empty.top)
        if not empty.flag(spec, ghost):
            yield empty, ghost


def _is_open(evaluation: Evaluation, spec: Spec, parent: ForceNode) -> bool:
    """Whether a force may be added below another."""
    force = Force(id="", entry_id=spec.path, catalogue_id=parent.catalogue_id)
    return not evaluation.flag(spec, ForceNode(force, spec, parent, evaluation.top))


def _unit(before: Evaluation, force: ForceNode, place: Place, points: str | None, rule_pack: str) -> UnitRow | None:
    """An entry taken in its default configuration; None when it is no unit: an upgrade that costs nothing.

    Only the unit itself is worked out, of names, costs and profiles what it shows: no limits and no other selections,
    as prices and rows need none of them.
    """
    library = before.library
    edit = select(library, before.top.model, parent_id=force.id, entry_id=place.path, new_id=_new_id)
    evaluation = Evaluation(library, edit.roster)
    node = evaluation.node(edit.node_id or "")
    if not isinstance(node, SelectionNode):
        return None
    unit = evaluation.selection_state(node)
    totals = _totals(unit)
    is_unit = unit.type in _UNITS or bool(points and totals.get(points, ZERO) > 0)
    row = _unit_row(evaluation, node, unit, totals, points=points, rule_pack=rule_pack) if is_unit else None
    evaluation.let_go()
    return row


_UNITS = ("unit", "model")
"""Types of what is a unit whatever it costs."""


def _is_offered(evaluation: Evaluation, force: ForceNode, place: Place) -> bool:
    """Whether a force offers an entry as something to field.

    Authors of old data call many a squad an upgrade; it is one where it fills a slot and, as it comes, costs points.
    """
    ghost = force.ghost(place)
    fills = place.spec.type in _UNITS or evaluation.counting.primary_of(ghost) is not None
    return fills and evaluation.fits(ghost) and not evaluation.hidden(ghost)


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
            if profile.name in {part.name, unit.name} and part.type in _UNITS:
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


def _force(library: Library, catalogue_id: str, force_entry_id: str) -> tuple[Evaluation, ForceNode]:
    """An otherwise empty roster with one force."""
    roster: Roster = new_roster(library, name="", new_id=_new_id).roster
    edit = add_force(library, roster, force_entry_id=force_entry_id, catalogue_id=catalogue_id, new_id=_new_id)
    evaluation = Evaluation(library, edit.roster)
    force = evaluation.node(edit.node_id or "")
    assert isinstance(force, ForceNode)
    return evaluation, force


def _child_force(evaluation: Evaluation, parent: ForceNode, spec: Spec) -> tuple[Evaluation, ForceNode]:
    """The roster of an evaluation with a force more below one of its forces."""
    library = evaluation.library
    edit = add_force(
        library,
        evaluation.top.model,
        force_entry_id=spec.path,
        catalogue_id=parent.catalogue_id,
        parent_id=parent.id,
        new_id=_new_id,
    )
    with_child = Evaluation(library, edit.roster)
    node = with_child.node(edit.node_id or "")
    assert isinstance(node, ForceNode)
    return with_child, node


def _new_id() -> str:
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
