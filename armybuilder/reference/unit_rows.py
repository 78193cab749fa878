"""A library seen as rows: every unit of every army list in its default configuration, and the slots of the charts."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from operator import itemgetter
from typing import Protocol

from armybuilder.datafiles.remote import Progress
from armybuilder.engine.gamedata.dependence import UnitKeys
from armybuilder.engine.gamedata.links import Library
from armybuilder.engine.gamedata.places import Place
from armybuilder.engine.gamedata.specs import Spec, child_specs
from armybuilder.engine.roster.beyond import Surroundings
from armybuilder.engine.roster.edits import add_force, new_roster
from armybuilder.engine.roster.evaluation import Evaluation
from armybuilder.engine.roster.model import Force, Roster
from armybuilder.engine.roster.nodes import ForceNode, GroupNode
from armybuilder.engine.roster.state_layout import StateLayout, natural
from armybuilder.engine.systems.roster_reading.points_cost import points_type
from armybuilder.reference.closed_entries import Asked, ClosedEntries, outwards
from armybuilder.reference.collecting import collect_young
from armybuilder.reference.default_units import UNIT_TYPES, DefaultUnits, UnitRow, new_id


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
        force = StateLayout(evaluation).force(node)
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
        self._known = known
        self._points = points_type(library.cost_types)
        self._priced: dict[Spec, bool] = {}
        self._primaries: dict[Place, frozenset[str]] = {}
        self._asked = Asked(library)
        self._units = DefaultUnits(library, rule_pack=rule_pack)

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
        around = Surroundings(evaluation, force) if evaluation.counting.reaching is None else None
        for place in self._offered(evaluation, force, places, offers):
            if place.path not in offers.seen:
                offers.seen.add(place.path)
                key = keys.of(place) if keys else ""
                row = self._known.of_unit(key) if self._known and key else None
                if row is None:
                    row = self._units.row(evaluation, force, place, around)
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
        return place.is_group or spec.type in UNIT_TYPES or (spec.type == "upgrade" and self._may_cost(spec))

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
            if None in primaries and place.spec.type in UNIT_TYPES:
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


def _is_offered(evaluation: Evaluation, force: ForceNode, place: Place) -> bool:
    """Whether a force offers an entry as something to field.

    Authors of old data call many a squad an upgrade; it is one where it fills a slot and, as it comes, costs points.
    """
    ghost = force.ghost(place)
    fills = place.spec.type in UNIT_TYPES or evaluation.counting.primary_of(ghost) is not None
    return fills and evaluation.fits(ghost) and not evaluation.hidden(ghost)


def _force(library: Library, catalogue_id: str, force_entry_id: str) -> tuple[Evaluation, ForceNode]:
    """An otherwise empty roster with one force."""
    roster: Roster = new_roster(library, name="", new_id=new_id).roster
    edit = add_force(library, roster, force_entry_id=force_entry_id, catalogue_id=catalogue_id, new_id=new_id)
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
        new_id=new_id,
    )
    with_child = Evaluation(library, edit.roster)
    node = with_child.node(edit.node_id or "")
    assert isinstance(node, ForceNode)
    return with_child, node
