"""The options of one unit, looked up by the names in its lines."""

from dataclasses import dataclass

import msgspec

from armybuilder.armylists.imports.name_matching import LIKELY, OFFERED, SURE, Directory, Guess, normal, own_and_known
from armybuilder.armylists.imports.named_items import items_of
from armybuilder.armylists.imports.review_lines import LineState, ReviewLine, Suggestion
from armybuilder.armylists.imports.source_list import SourceItem, SourceUnit
from armybuilder.armylists.imports.stated_facts import as_written
from armybuilder.armylists.imports.unit_tree import (
    MODELS,
    Node,
    Strangeness,
    UnitTree,
    Work,
    at_most_one,
    in_models,
    is_hidden_at_times,
    must_be,
)
from armybuilder.engine.gamedata.places import Place
from armybuilder.engine.systems.roster_reading.points_cost import points_type

MAY_BE = 12
"""So many options of a unit are offered at most for a line like none of them."""
LEVELS = 5
"""How deep below a unit an option is looked for."""
JOINED = 4
"""So many parts that a comma divides may be one name."""
FULL = 3
COUNTED = 40
"""So many things at most are one entry: "7x Chimera"."""
_GENERAL = "General"
"""Of some games a fact, of others an option of the data."""


@dataclass(frozen=True, slots=True)
class Namesakes:
    """What was taken for a line, and what else beside it has that name."""

    key: str
    item: SourceItem
    depth: int
    parent: Node
    node: Node
    others: tuple[Place, ...]


class OptionMatching:
    """The options of one unit."""

    def __init__(self, work: Work, unit: SourceUnit, key: str, node_id: str, place: Place) -> None:
        self.work = work
        self.unit = unit
        self.key = key
        self.tree = UnitTree(work, node_id, place)
        self.root = self.tree.root
        self.told = frozenset(normal(inner.name) for first in unit.items for inner in first.walk())
        self.unplaced: list[str] = []
        self.namesakes: list[Namesakes] = []

    def match(self, told: list[tuple[int, str]]) -> list[tuple[int, str]]:
        """Take what the lines name, and give back what they do not.

        Args:
            told: lines with their numbers that may name an option, and else are sentences.

        Returns:
            the sentences.
        """
        before = [node for node in self.root.walk() if not node.place.spec.hidden]
        sentences = [(line, text) for line, text in told if not self._is_option(line, text)]
        self._take_unnamed_models()
        self._items(self.unit.items, self.root, self.key, 1)
        if self.unplaced:
            self.work.note(self.root.id, "\n".join(self.unplaced))
        named = sum(node.touched for node in before)
        has_models = any(node.touched for node in self.tree.kinds())
        if self.unit.number > 1 and not has_models:
            self.tree.set_models(self.unit.number)
        for name in self.unit.badges:
            is_stated = name == _GENERAL and normal(name) in self.work.words.list_facts
            if not is_stated and (found := self._find(name, self.root)) is not None:
                self.tree.take(found, 1, is_total=True)
        wholly = bool(self.unit.items) and 2 * named >= len(before)
        self.tree.prune(self.root, wholly=wholly)
        self._choose_by_price(wholly=wholly)
        self.tree.part(self.root)
        return sentences

    def _take_unnamed_models(self) -> None:
        """Have the models that the unit is called after and begins without: "Valkyrie Squadron" is of Valkyries."""
        if self.root.place.spec.type == "model" or self.tree.kinds():
            return
        names = [normal(name) for name in (self.unit.name, *self.work.called(self.root.place.spec))]
        for entry in self.root.place.entries:
            called = [normal(name) for name in self.work.called(entry.spec)]
            is_meant = entry.spec.type in MODELS and any(name.startswith(f"{one} ") for one in called for name in names)
            if is_meant and not any(normal(item.name) in called for item in self.unit.items):
                self.tree.take((self.root, entry), self.unit.number, is_total=True)
                return

    def _is_option(self, line: int, text: str) -> bool:
        """Take what a line names exactly, "attached Mortar (Mortar)", "power fist, iron halo"; False for a sentence."""
        items = items_of(text, line)
        known = (any(self._find(name, self.root) is not None for name in (item.text, item.name)) for item in items)
        if not items or not all(known):
            return False
        self._items(items, self.root, f"{self.key}.told.{line}", 1)
        return True

    def _items(self, items: tuple[SourceItem, ...], within: Node, key: str, depth: int, line: int = -1) -> None:
        """Take what is named below something.

        Args:
            line: where that stands; what a model or squad has in the same line is said of each.
        """
        place = 0
        while place < len(items):
            item = items[place]
            at, joined = f"{key}.{place}", 1
            if within is self.root and (said := self._said(items[place:], at, depth)):
                place += said
                continue
            found = None
            is_open = at not in self.work.choices
            if is_open:  # "Command Squad, Tartaros" before "Command Squad"
                item, found, joined = self._joined(items, place, within)
            found = found or self._named(item, within, at)
            if found is None and is_open:
                item, found = self._with_colon(item, within)
                found = found or self._of_unit(item, within) or self._likely(item, within)
            place += joined
            if found is None:
                self._without_a_place(item, within, at, depth)
                continue
            (parent, entry), guess = found.meant, found.confidence
            if each := self._counts_itself(item, entry):
                item = msgspec.structs.replace(item, number=item.number // each)
            is_total = item.is_total or entry.spec.type in MODELS or not in_models(parent)
            if item.line == line and parent is within and _is_counted_as_one(parent):
                is_total = item.is_total
            shares = self._shared_out(item, parent, entry)
            if len(shares) > 1:
                item = _share_of(item, len(shares))
            alike = self._strangeness(item)
            nodes = [
                self.tree.take((parent, place), many, is_total=is_total, strangeness=alike) for place, many in shares
            ]
            chosen = self.work.choices.get(at)
            self._note_namesakes(item, parent, nodes, (at, depth))
            self.work.lines.append(
                ReviewLine(
                    key=at,
                    line=item.line,
                    text=item.text,
                    depth=depth,
                    state=LineState.CHOSEN if chosen else LineState.SURE if guess >= SURE else LineState.LIKELY,
                    entry_id=entry.path,
                    name=self.work.names(entry.spec.name),
                    confidence=guess,
                    suggestions=() if guess >= SURE and not chosen else self._suggestions(item, within),
                )
            )
            below = item.items
            if self._is_whole_name(item, entry):
                below = tuple(inner for inner in below if inner.line != item.line)
            self._items(below, nodes[0], at, depth + 1, item.line)
            for node in nodes[1:]:
                self._quietly(below, node, at, depth + 1, item.line)

    def _without_a_place(self, item: SourceItem, within: Node, at: str, depth: int) -> None:
        """What names no option: the unit once more, what is said again, or something unknown."""
        if within is self.root and self._is_once_more(item):
            if not self._is_whole_name(item, self.root.place) and not self._is_unit_itself(item, whole=True):
                self._items(item.items, within, at, depth)
        elif not self._is_said_again(item, within):
            self._unmatched(item, within, at, depth)

    def _quietly(self, items: tuple[SourceItem, ...], within: Node, key: str, depth: int, line: int) -> None:
        """Take items of a line once more where it speaks of several places, without a second line in the review."""
        told = len(self.work.lines)
        self._items(items, within, key, depth, line)
        del self.work.lines[told:]

    def _said(self, items: tuple[SourceItem, ...], at: str, depth: int) -> int:
        """How many items state a fact of the unit; none where they are options."""
        found, count = self.work.words.stated_by(items, key=at, node_id=self.root.id)
        if found is None or at in self.work.choices or self._is_so_called(items[0]):
            return 0
        if items[0].items and self._is_unit_itself(items[0]):  # "Allegiance: Loyalist" below the unit Allegiance
            return 0
        self.work.state(found, items[0].line, depth)
        return count

    def _is_so_called(self, item: SourceItem) -> bool:
        """Whether an option has the words of an item, and its brackets: "wizard level (2)" is no "Wizard Level 2"."""
        found = self._find(item.text, self.root)
        return found is not None and (
            item.text == item.name or any("(" in name for name in self.work.called(found[1].spec))
        )

    def _shared_out(self, item: SourceItem, parent: Node, entry: Place) -> list[tuple[Place, int]]:
        """Where what is counted together stands, and how many: two claws may be one on each arm.

        Only places of which there is one are looked for: there each of the others has at most one, or, where one of
        them takes many, what it has to have: of 20 lasguns 19 are the squad's and one the sergeant's.
        """
        if item.number < 2 or parent.number > 1:
            return [(entry, item.number)]
        names = {normal(name) for name in self.work.called(entry.spec)}
        places = {entry.group_id or entry.path: entry}
        for other in parent.place.entries:
            called = {normal(name) for name in self.work.called(other.spec)}
            where = other.group_id or other.path
            if where not in places and names & called and self._rank(parent, other) < FULL:
                places[where] = other
        main = entry if not _is_single(entry) else next((one for one in places.values() if not _is_single(one)), entry)
        others = [one for one in places.values() if one is not main]
        if not _is_single(main):
            others = [one for one in others if _is_single(one) and self._has_to_be(one, parent, entry)]
        others = others[: item.number - 1]
        if any(inner.number % (1 + len(others)) for first in item.items for inner in first.walk()):
            others = []
        return [(main, item.number - len(others)), *((one, 1) for one in others)]

    def _has_to_be(self, place: Place, parent: Node, found: Place) -> bool:
        return place is found or must_be(place) or self.tree.is_due(parent, place)

    def _counts_itself(self, item: SourceItem, entry: Place) -> int:
        """How many the entry's name says there are: of "14x Chimera" two are meant where it is "7x Chimera"."""
        names = {normal(name) for name in self.work.called(entry.spec)}
        said = ((each, f"{each}{sign} {item.name}") for each in _parts_of(item.number) for sign in ("x", ""))
        return next((each for each, name in said if normal(name) in names), 0)

    def _is_once_more(self, item: SourceItem) -> bool:
        """Whether a single model is named below its unit, with or without what it carries."""
        return self._is_unit_itself(item) and (bool(item.items) or item.number in (1, self.unit.number))

    def _is_unit_itself(self, item: SourceItem, *, whole: bool = False) -> bool:
        """Whether it is called like its unit; as a whole with a colon in its name: "Tercio: Lasrifle"."""
        names = (self.unit.name, *self.work.called(self.root.place.spec))
        said = {normal(as_written(item))} if whole else {normal(item.name), normal(item.text), normal(as_written(item))}
        return not said.isdisjoint(map(normal, names)) and (not whole or bool(item.items))

    def _is_name_of_unit(self, name: str) -> bool:
        return normal(name) in map(normal, (self.unit.name, *self.work.called(self.root.place.spec)))

    def _is_said_again(self, item: SourceItem, within: Node) -> bool:
        """Whether a line repeats what one above it says in brackets: the lore behind "Level 2 (Lore of Life)".

        Or what it stands in: BattleScribe has "Power Fist: Power Fist" where a choice holds one thing.
        """
        if item.items or item.number > 1:
            return False
        if within is not self.root and normal(item.text) in map(normal, self.work.called(within.place.spec)):
            return True
        above = (other for first in self.unit.items for other in first.walk() if other.line < item.line)
        return any(normal(own_and_known(other.text)[1]) == normal(item.text) for other in above)

    def _is_whole_name(self, item: SourceItem, entry: Place) -> bool:
        """Whether the brackets of the text belong to the name of the entry."""
        directory: Directory[int] = Directory()
        directory.add(1, self.work.called(entry.spec))
        return bool(item.items) and item.text != item.name and bool(directory.exact(item.text))

    def _unmatched(self, item: SourceItem, within: Node, at: str, depth: int) -> None:
        left_out = self.work.choices.get(at) == ""
        self.work.lines.append(
            ReviewLine(
                key=at,
                line=item.line,
                text=item.text,
                depth=depth,
                state=LineState.LEFT_OUT if left_out else LineState.UNMATCHED,
                suggestions=self._suggestions(item, within),
            )
        )
        self.unplaced.append(item.text)

    def _with_colon(self, item: SourceItem, within: Node) -> tuple[SourceItem, Guess[tuple[Node, Place]] | None]:
        """A name with a colon in it that was taken for a thing and what it has."""
        if not item.items or item.text != item.name or (found := self._find(as_written(item), within)) is None:
            return item, None
        name = as_written(item)
        return msgspec.structs.replace(item, text=name, name=name, items=()), Guess(found, SURE)

    def _of_unit(self, item: SourceItem, within: Node) -> Guess[tuple[Node, Place]] | None:
        """What the source says of a model, and the data offers to its unit: one Flamer for four Space Marines."""
        if within is self.root or item.items:
            return None
        open_ = (entry for entry in self.work.below(self.root.place).exact(item.name) if entry.spec.type not in MODELS)
        entry = next((entry for entry in open_ if self._rank(self.root, entry) < FULL), None)
        return Guess((self.root, entry), SURE) if entry is not None else None

    def _joined(
        self, items: tuple[SourceItem, ...], place: int, within: Node
    ) -> tuple[SourceItem, Guess[tuple[Node, Place]] | None, int]:
        """A name with commas in it that was taken for several."""
        first = items[place]
        for count in range(2, JOINED + 1):
            parts = items[place : place + count]
            if len(parts) < count or any(part.line != first.line for part in parts):
                break
            for number, start in ((1, f"{first.number}x {first.text}"), (first.number, first.text)):
                for ending, inner in ((parts[-1].text, ()), (parts[-1].name, parts[-1].items)):
                    name = ", ".join([start, *map(_with_number, parts[1:-1]), _with_number(parts[-1], ending)])
                    found = self._find(name, within)
                    if found is not None or (within is self.root and self._is_name_of_unit(name)):
                        item = SourceItem(
                            line=first.line, text=name, name=name, number=number, is_total=first.is_total, items=inner
                        )
                        return item, Guess(found, SURE) if found is not None else None, count
        return first, None, 1

    def _named(self, item: SourceItem, within: Node, at: str) -> Guess[tuple[Node, Place]] | None:
        """What was chosen for a line, or what is called exactly so."""
        chosen = self.work.choices.get(at)
        if chosen is not None:
            by_id = ((node, entry) for node in self.root.walk() for entry in node.place.entries if entry.path == chosen)
            found = next(by_id, None)
            return Guess(found, SURE) if found is not None else None
        said = dict.fromkeys((item.text, item.name)) if item.number > 1 else ()
        whole = [f"{item.number}{sign} {name}" for name in said for sign in ("x", "")]
        in_parts = [f"{each}x {item.text}" for each in _parts_of(item.number) if each < item.number]
        for name in (*whole, item.text, item.name, *in_parts, f"{item.number}x {item.text}"):
            exact = self._find(name, within, item.items)
            if exact is not None and not self._is_rather_the_unit(item, exact[1], within):
                return Guess(exact, SURE)
        return None

    def _is_rather_the_unit(self, item: SourceItem, entry: Place, within: Node) -> bool:
        """Whether an option has the name of its unit, and the unit has what is named below it, but not the option."""
        if within is not self.root or not item.items or not self._is_unit_itself(item):
            return False
        return self._lacking(item.items, entry) > self._lacking(item.items, self.root.place)

    def _lacking(self, items: tuple[SourceItem, ...], place: Place) -> int:
        """How many of these names nothing below an entry has."""
        below = self.work.below(place)
        return sum(not (below.exact(item.text) or below.exact(item.name)) for item in items)

    def _likely(self, item: SourceItem, within: Node) -> Guess[tuple[Node, Place]] | None:
        """What is called nearly so."""
        if within is self.root and self._is_once_more(item):
            return None
        guesses = self._guesses(item, within)
        return guesses[0] if guesses and guesses[0].confidence >= LIKELY else None

    def _find(self, name: str, within: Node, inside: tuple[SourceItem, ...] = ()) -> tuple[Node, Place] | None:
        """What is called so: what may have what is inside, what is there before what may be taken, near before far.

        Args:
            inside: what stands below it; of two squadrons with tanks the one is meant whose tanks may have it. Then
                what is called so goes before what the data calls so at times: a Centurion raised to "Librarian".
        """
        level = [within]
        found: list[tuple[tuple[bool, int, bool, int], Node, Place]] = []
        for _ in range(LEVELS):
            for node in level:
                for entry in self.work.below(node.place).exact(name):
                    rank = self._rank(node, entry)
                    renamed = normal(name) not in map(normal, self.work.known_as(entry.spec.name))
                    found.append(((rank == FULL, self._lacking(inside, entry), renamed, rank), node, entry))
            if any(fitness == (False, 0, False, 0) for fitness, _, _ in found):
                break
            level = [child for node in level for child in node.children]
        best = min((fitness for fitness, _, _ in found), default=(False, 0, False, 0))
        alike = [(node, entry) for fitness, node, entry in found if fitness == best]
        if alike and all(node.place.path == alike[0][0].place.path for node, _ in alike):  # models of one kind
            alike.sort(key=lambda one: self._untold(one[0], self.told))
        is_open_question = any(is_hidden_at_times(entry) or self._is_awaited(node, entry) for node, entry in alike)
        if len(alike) > 1 and is_open_question:
            return next((one for one in alike if self.tree.is_open(*one)), alike[0])
        return alike[0] if alike else None

    def _strangeness(self, item: SourceItem) -> Strangeness | None:
        """Which of several models of one kind a line means: a champion is one, and told by what he has.

        None for one of whom nothing is told: he is the first.
        """
        told = frozenset(normal(inner.name) for first in item.items for inner in first.walk())
        if told:
            return lambda node: (self._untold(node, told) + _absent(told, self.work, node), 0)
        return (lambda node: (self._untold(node, self.told), -node.amount)) if item.number > 1 else None

    def _untold(self, node: Node, told: frozenset[str]) -> int:
        """How much of what stands below something need not be there and is not told."""
        return sum(
            told.isdisjoint(map(normal, self.work.called(inner.place.spec))) and not must_be(inner.place)
            for child in node.children
            for inner in child.walk()
        )

    def _note_namesakes(self, item: SourceItem, parent: Node, nodes: list[Node], place: tuple[str, int]) -> None:
        """What else is called so beside what was taken; the price of the unit may tell which is meant."""
        at, depth = place
        if self.work.choices.get(at) or len(nodes) > 1:
            return
        others = {
            entry.path: entry
            for name in (item.text, item.name)
            for entry in self.work.below(parent.place).exact(name)
            if entry.path != nodes[0].place.path
        }
        if others:
            self.namesakes.append(Namesakes(at, item, depth, parent, nodes[0], tuple(others.values())))

    def _choose_by_price(self, *, wholly: bool) -> None:
        """Of two entries of one name have the one with which the unit costs what the source says."""
        costs, wanted = points_type(self.work.library.cost_types), self.unit.points
        if costs is None or wanted is None or not self.namesakes or self.work.cost_of(self.root.id, costs) == wanted:
            return
        for found in self.namesakes:
            for other in found.others:
                if self.work.trials <= 0:
                    return
                self.work.trials -= 1
                before = self.work.roster
                there = [(node, list(node.children)) for node in found.parent.walk()]
                made = self.tree.exchanged(found.parent, found.node, other)
                self._quietly(found.item.items, made, found.key, found.depth + 1, found.item.line)
                self.tree.prune(found.parent, wholly=wholly)
                if self.work.cost_of(self.root.id, costs) == wanted:
                    self.work.told_as(found.key, other)
                    return
                self.work.roster = before
                for node, children in there:
                    node.children[:] = children

    def _is_awaited(self, node: Node, entry: Place) -> bool:
        """Whether something that was named still lacks this, which it must have."""
        return node is not self.root and node.touched and must_be(entry)

    def _rank(self, node: Node, entry: Place) -> int:
        """0 for what stands there and was not named yet, then what may be taken beside it; `FULL` for what is full."""
        touched = [child for child in node.children if child.touched]
        if self._is_given_up(node):
            return FULL
        if at_most_one(entry.group) and any(child.place.group_id == entry.group_id for child in touched):
            return FULL
        if any(child.place.path == entry.path and not child.touched for child in node.children):
            return 0
        return 2 if any(child.place.path == entry.path for child in touched) else 1

    def _is_given_up(self, node: Node) -> bool:
        """Whether something else was named that stands instead of it: "Big" of the mob that was "Normal"."""
        if node.touched or node.parent is None or not at_most_one(node.place.group):
            return False
        same = (other for other in node.parent.children if other.place.group_id == node.place.group_id)
        return any(other.touched for other in same) and not any(inner.touched for inner in node.walk())

    def _guesses(self, item: SourceItem, within: Node) -> list[Guess[tuple[Node, Place]]]:
        found: dict[str, Guess[tuple[Node, Place]]] = {}
        for node in within.walk():
            for guess in self.work.below(node.place).guesses(item.name, key=lambda entry: entry.path, takes_short=True):
                known = found.get(guess.meant.path)
                if known is None or known.confidence < guess.confidence:
                    found[guess.meant.path] = Guess((node, guess.meant), guess.confidence)
        return sorted(found.values(), key=lambda guess: -guess.confidence)

    def _suggestions(self, item: SourceItem, within: Node) -> tuple[Suggestion, ...]:
        """What a line may mean, each name once; where nothing is called nearly so, what may be taken there."""
        guesses = self._guesses(item, within) or self._guesses(item, self.root)
        found: dict[str, Suggestion] = {}
        for guess in guesses:
            name = self.work.names(guess.meant[1].spec.name)
            found.setdefault(name, Suggestion(guess.meant[1].path, name, guess.confidence))
        if found:
            return tuple(found.values())[:OFFERED]
        open_ = [entry for node in (within, self.root) for entry in node.place.entries if not entry.spec.hidden]
        names = {self.work.names(entry.spec.name): entry.path for entry in open_}
        return tuple(Suggestion(path, name, 0) for name, path in names.items())[:MAY_BE]


def _absent(told: frozenset[str], work: Work, node: Node) -> int:
    """How many of these names nothing has that stands below it."""
    there = {
        normal(name) for child in node.children for inner in child.walk() for name in work.called(inner.place.spec)
    }
    return len(told - there)


def _is_counted_as_one(node: Node) -> bool:
    """Whether texts count a squad like a model, as none stand in it by the data."""
    return node.place.spec.type in MODELS and not any(inner.place.spec.type in MODELS for inner in node.children)


def _with_number(item: SourceItem, name: str = "") -> str:
    """`3x Scout Squads`, and one by its name alone."""
    return (name or item.text) if item.number == 1 else f"{item.number}x {name or item.text}"


def _is_single(entry: Place) -> bool:
    """Whether there is one of it at most, or of its group."""
    return at_most_one(entry) or at_most_one(entry.group)


def _share_of(item: SourceItem, places: int) -> SourceItem:
    """An item with what one of several places has of all that stands below it."""
    return msgspec.structs.replace(item, items=tuple(_divided(inner, places) for inner in item.items))


def _divided(item: SourceItem, places: int) -> SourceItem:
    inner = tuple(_divided(one, places) for one in item.items)
    return msgspec.structs.replace(item, number=item.number // places, items=inner)


def _parts_of(number: int) -> list[int]:
    """The numbers above one that divide this one, from itself down; a name counts no more than `COUNTED`."""
    return [each for each in range(min(number, COUNTED), 1, -1) if number % each == 0]
