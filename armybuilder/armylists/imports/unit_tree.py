"""The selections of one unit while a source is looked up: what stands there, what was named, and the edits of it."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import partial

import msgspec
from django.utils import translation

from armybuilder.armylists import limits
from armybuilder.armylists.imports.name_matching import SURE, Directory
from armybuilder.armylists.imports.review_lines import LineState, ReviewLine
from armybuilder.armylists.imports.stated_facts import FactWords, StatedFact
from armybuilder.engine.gamedata.links import Library
from armybuilder.engine.gamedata.model import Field, Scope
from armybuilder.engine.gamedata.places import Place
from armybuilder.engine.gamedata.specs import Spec
from armybuilder.engine.roster import edits as roster_edits
from armybuilder.engine.roster.available_options import Offer, OfferGroup, offers
from armybuilder.engine.roster.evaluate import evaluate
from armybuilder.engine.roster.model import Roster, Selection
from armybuilder.engine.roster.state import RosterState
from armybuilder.engine.roster.tree import replaced, with_selection
from armybuilder.reference.names import Names
from armybuilder.reference.tending import tidied

MODELS = ("model", "unit")
"""Types of entries whose number is always that of the whole unit."""
NAMES = 12
"""So many changes of a name are looked at."""
TRIALS = 40
"""In one list; each is an evaluation of it."""


@dataclass(slots=True)
class Work:
    """A roster under construction, with what all its units need.

    Attributes:
        choices: entry by the key of a line, as a player decided; empty for "leave it out".
        places: what may stand below an entry, by name; made once for each.
        words: names of the game's facts.
        stated: what lines state of units.
        evaluated: the roster as it was when last asked what it offers.
        trials: how many more entries of one name are tried by the price of their unit.
    """

    library: Library
    names: Names
    choices: Mapping[str, str]
    new_id: Callable[[], str]
    roster: Roster
    lines: list[ReviewLine] = field(default_factory=list)
    places: dict[str, Directory[Place]] = field(default_factory=dict)
    words: FactWords = field(default_factory=FactWords)
    stated: list[StatedFact] = field(default_factory=list)
    evaluated: RosterState | None = None
    trials: int = TRIALS

    def known_as(self, name: str) -> tuple[str, ...]:
        """A name of the data, as players write it, and what it is called in Russian."""
        with translation.override("ru"):
            return name, tidied(name), self.names(name)

    def called(self, spec: Spec) -> tuple[str, ...]:
        """Every name an entry can have: its own, and what its data makes of it, "Pintle Mounted Multi-Melta"."""
        return tuple(name for words in names_given(spec) for name in self.known_as(words))

    def below(self, place: Place) -> Directory[Place]:
        """What may stand below an entry, by name."""
        found = self.places.get(place.own_key)
        if found is None:
            found = self.places[place.own_key] = Directory()
            for entry in place.entries:
                found.add(entry, self.called(entry.spec))
        return found

    def offered(self, node_id: str) -> "Iterator[tuple[Offer, tuple[OfferGroup, ...]]]":
        """What the data offers there as the roster stands, each with the groups that it is in."""
        self.evaluated = evaluate(self.library, self.roster, self.evaluated)
        return _in_groups(offers(self.library, self.evaluated, node_id=node_id))

    def cost_of(self, node_id: str, costs: str) -> Decimal | None:
        """What a unit costs as the roster stands."""
        self.evaluated = evaluate(self.library, self.roster, self.evaluated)
        units = (one for force in self.evaluated.all_forces() for one in force.selections)
        return next((one.total(costs) for one in units if one.id == node_id), None)

    def told_as(self, key: str, entry: Place) -> None:
        """Have a line tell that another entry of its name was taken."""
        self.lines = [
            msgspec.structs.replace(line, entry_id=entry.path) if line.key == key else line for line in self.lines
        ]

    def state(self, found: StatedFact, line: int, depth: int) -> None:
        """A line that states a fact; its words are read when every unit is there."""
        self.stated.append(found)
        self.lines.append(
            ReviewLine(key=found.key, line=line, text=found.text, depth=depth, state=LineState.SURE, confidence=SURE)
        )

    def note(self, node_id: str, words: str) -> None:
        """More lines in the notes of a selection."""
        node = next(one for one in self.roster.all_selections() if one.id == node_id)
        notes = f"{node.notes}\n{words}" if node.notes else words
        made = roster_edits.customise(self.roster, node_id=node_id, notes=notes[: limits.NOTES_LENGTH])
        self.roster = made.roster


@dataclass(slots=True)
class Node:
    """A selection of the unit at hand; what the source names is `touched`."""

    id: str
    place: Place
    amount: int
    parent: "Node | None"
    touched: bool = False
    children: list["Node"] = field(default_factory=list)

    @property
    def number(self) -> int:
        return self.amount * (self.parent.number if self.parent is not None else 1)

    def walk(self) -> Iterator["Node"]:
        yield self
        for child in self.children:
            yield from child.walk()


Strangeness = Callable[[Node], tuple[int, int]]
"""How much of a selection no line tells, and of what is told it lacks; then what decides among equals."""


class UnitTree:
    """The selections of one unit; every change is carried out on the roster at once."""

    def __init__(self, work: Work, node_id: str, place: Place) -> None:
        self.work = work
        self.root = self._node(self._selection(node_id), place, None)
        self.root.touched = True

    def take(
        self, found: tuple[Node, Place], number: int, *, is_total: bool, strangeness: Strangeness | None = None
    ) -> Node:
        """Have so many of an entry; of what stands there untouched the number is set.

        Args:
            strangeness: of several that stand there, the one that is least strange to what is told is meant.
        """
        parent, entry = found
        bearers = parent.number
        amount = number // bearers if is_total and bearers > 1 and number % bearers == 0 else number
        amount = min(amount, limits.AMOUNT)
        there = self.there(parent, entry, strangeness)
        if there is None:
            made = roster_edits.select(
                self.work.library,
                self.work.roster,
                parent_id=parent.id,
                entry_id=entry.path,
                new_id=self.work.new_id,
            )
            self.work.roster = made.roster
            assert made.node_id is not None
            there = self._node(self._selection(made.node_id), entry, parent)
            parent.children.append(there)
        elif there.touched:
            is_full = at_most_one(entry) or at_most_one(entry.group)
            amount = there.amount if is_full else min(amount + there.amount, limits.AMOUNT)
        there.touched = True
        self._set_amount(there, amount)
        return there

    def exchanged(self, parent: Node, node: Node, entry: Place) -> Node:
        """Another entry in the place of one, and as many."""
        work = self.work
        work.roster = roster_edits.remove(work.library, work.roster, node_id=node.id).roster
        made = roster_edits.select(
            work.library, work.roster, parent_id=parent.id, entry_id=entry.path, new_id=work.new_id
        )
        work.roster = made.roster
        assert made.node_id is not None
        there = self._node(self._selection(made.node_id), entry, parent)
        there.touched = True
        parent.children[:] = [there if one is node else one for one in parent.children]
        self._set_amount(there, node.amount)
        return there

    def there(self, node: Node, entry: Place, strangeness: Strangeness | None = None) -> Node | None:
        same = [child for child in node.children if child.place.path == entry.path]
        if untouched := [child for child in same if not child.touched]:
            return min(untouched, key=strangeness) if strangeness is not None else untouched[0]
        return same[0] if same and entry.merged else None

    def is_open(self, node: Node, entry: Place) -> bool:
        """Whether the data shows an entry there, and its groups have room for it beside what was named."""
        offered = self._offered(node, entry)
        if offered is None or offered[0].hidden:
            return False
        return not any(
            group.hidden or (group.maximum is not None and _named_in(node, group) >= group.maximum)
            for group in offered[1]
        )

    def _is_displaced(self, node: Node, child: Node) -> bool:
        """Whether what was named fills a group that it stands in: two combi-weapons for pistol and sword."""
        offered = self._offered(node, child.place)
        groups = offered[1] if offered is not None and child.place.groups else ()
        return any(group.maximum and _named_in(node, group) >= group.maximum for group in groups)

    def is_due(self, node: Node, entry: Place) -> bool:
        """Whether the data asks for more of its groups than was named."""
        offered = self._offered(node, entry)
        return offered is not None and any((group.minimum or 0) > _named_in(node, group) for group in offered[1])

    def _offered(self, node: Node, entry: Place) -> tuple[Offer, tuple[OfferGroup, ...]] | None:
        return next((one for one in self.work.offered(node.id) if one[0].entry_id == entry.path), None)

    def _set_amount(self, node: Node, amount: int) -> None:
        if amount != node.amount and amount > 0:
            made = roster_edits.set_amount(
                self.work.library, self.work.roster, selection_id=node.id, amount=amount, new_id=self.work.new_id
            )
            self.work.roster = made.roster
            node.amount = amount

    def set_models(self, number: int) -> None:
        """So many models where the source names none of them: the kind there are most of is meant."""
        kinds = self.kinds()
        if not kinds:
            return
        most = max(kinds, key=lambda node: node.amount)
        others = sum(
            node.number
            for node in kinds
            if node.place.path != most.place.path
            or (node is not most and any(inner.touched for inner in node.walk()))  # it stays: prune() spares it
        )
        wanted = number - others
        bearers = most.parent.number if most.parent is not None else 1
        if wanted > 0 and wanted % bearers == 0:
            self._set_amount(most, wanted // bearers)
        most.touched = True

    def kinds(self) -> list[Node]:
        """Its models, kind by kind; Epic's data calls each of them a unit, that of Fantasy some of them upgrades."""
        found = [
            node
            for node in self.root.walk()
            if node is not self.root
            and node.place.spec.type in MODELS
            and not any(inner.place.spec.type in MODELS for child in node.children for inner in child.walk())
        ]
        own = set(self.work.called(self.root.place.spec))
        called = ((node, self.work.called(node.place.spec)) for node in self.root.children)
        return found or [node for node, names in called if not own.isdisjoint(names) or _are_many_of(node, names, own)]

    def prune(self, node: Node, *, wholly: bool) -> None:
        """Give back what the source does not name: what it names instead replaces it, and what need not be there."""
        for child in list(node.children):
            if child.touched or any(inner.touched for inner in child.walk()):
                self.prune(child, wholly=wholly)
                continue
            others = [other for other in node.children if other.touched]
            is_told = any(other.place.path == child.place.path for other in others)
            instead = any(other.place.group_id == child.place.group_id is not None for other in others)
            needless = wholly and not must_be(child.place) and not child.place.spec.hidden
            given = is_told or (instead and (wholly or at_most_one(child.place.group))) or needless
            if given or (wholly and others and self._is_displaced(node, child)):
                self.work.roster = roster_edits.remove(self.work.library, self.work.roster, node_id=child.id).roster
                node.children.remove(child)

    def part(self, node: Node) -> None:
        """Make single copies of what the builder counts one by one, so that each can be changed."""
        for child in node.children:
            self.part(child)
            many = child.amount
            if many > 1 and not child.place.merged and many <= limits.COPIES and self._room(child) > 0:
                single = replaced(self._selection(child.id), amount=1)
                copies = [single, *(self._copied(single) for _ in range(many - 1))]
                self.work.roster = with_selection(self.work.roster, node.id, partial(_spread, copies=copies))

    def _room(self, node: Node) -> int:
        """How many selections the list may still have when this is parted."""
        there = sum(1 for _ in self.work.roster.all_selections())
        return limits.SELECTIONS - there - node.amount * sum(1 for _ in self._selection(node.id).walk())

    def _copied(self, selection: Selection) -> Selection:
        below = tuple(self._copied(child) for child in selection.selections)
        return replaced(selection, id=self.work.new_id(), selections=below)

    def _selection(self, node_id: str) -> Selection:
        return next(one for one in self.work.roster.all_selections() if one.id == node_id)

    def _node(self, selection: Selection, place: Place, parent: Node | None) -> Node:
        node = Node(selection.id, place, selection.amount, parent)
        for child in selection.selections:
            below = place.find(child.entry_id)
            if below is not None:
                node.children.append(self._node(child, below, node))
        return node


def _in_groups(
    found: Iterable[Offer | OfferGroup], groups: tuple[OfferGroup, ...] = ()
) -> Iterator[tuple[Offer, tuple[OfferGroup, ...]]]:
    for offer in found:
        if isinstance(offer, OfferGroup):
            yield from _in_groups(offer.offers, (*groups, offer))
        else:
            yield offer, groups


def names_given(spec: Spec) -> tuple[str, ...]:
    """The name of an entry, then what each change of it by the data makes of it, then all that add to it together."""
    steps = [step for modifier in spec.name_modifiers for step in (modifier.steps or (modifier,))]
    names, together = [spec.name], spec.name
    for step in steps[:NAMES]:
        if step.kind == "set":
            names.append(step.value)
        elif step.kind == "append":
            names.append(f"{spec.name}{step.join}{step.value}")
            together = f"{together}{step.join}{step.value}"
        elif step.kind == "prepend":
            names.append(f"{step.value}{step.join}{spec.name}")
            together = f"{step.value}{step.join}{together}"
    return tuple(dict.fromkeys([*names, together]))


def _are_many_of(node: Node, names: Iterable[str], own: Iterable[str]) -> bool:
    """Whether there are or may be several, and the unit is called after them: Burna Boyz of so many times Burna Boy."""
    return (node.amount > 1 or not at_most_one(node.place)) and any(
        unit.casefold().startswith(name.casefold()) for unit in own for name in names
    )


def in_models(node: Node | None) -> bool:
    """Whether what stands here is said of each model."""
    while node is not None and node.parent is not None:
        if node.place.spec.type == "model":
            return True
        node = node.parent
    return False


def _spread(parent: Selection, *, copies: list[Selection]) -> Selection:
    """The parent with these in the place of the first of them."""
    below: list[Selection] = []
    for child in parent.selections:
        below += copies if child.id == copies[0].id else [child]
    return replaced(parent, selections=tuple(below))


def at_most_one(group: Place | None) -> bool:
    return group is not None and any(
        one.kind in {"max", "exactly"}
        and one.value == 1
        and one.scope is Scope.PARENT
        and one.field is Field.SELECTIONS
        for one in group.spec.constraints
    )


def _named_in(node: Node, group: OfferGroup) -> int:
    """How many of what was named below a node stand in a group."""
    named = (child for child in node.children if child.touched)
    return sum(child.amount for child in named if any(outer.path == group.id for outer in child.place.groups))


def is_hidden_at_times(place: Place) -> bool:
    """Whether an entry, or a group that it stands in, is shown under conditions only."""
    return any(owner.spec.hidden or owner.spec.hidden_modifiers for owner in (place, *place.groups))


def must_be(place: Place) -> bool:
    """Whether the data asks for it, or for something of its group, as it stands."""
    owners = [place, *([place.group] if place.group is not None else [])]
    return any(
        one.kind in {"min", "exactly"} and one.value > 0 and one.scope is Scope.PARENT
        for owner in owners
        for one in owner.spec.constraints
    )
