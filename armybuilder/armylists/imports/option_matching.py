"""The options of one unit, looked up by the names in its lines."""

import msgspec

from armybuilder.armylists.imports.name_matching import LIKELY, SURE, Directory, Guess, normal
from armybuilder.armylists.imports.review_lines import LineState, ReviewLine, Suggestion
from armybuilder.armylists.imports.source_list import SourceItem, SourceUnit
from armybuilder.armylists.imports.unit_tree import MODELS, Node, UnitTree, Work, at_most_one, in_models
from armybuilder.engine.gamedata.places import Place

LEVELS = 5
"""How deep below a unit an option is looked for."""
JOINED = 4
"""So many parts that a comma divides may be one name."""
FULL = 3
COUNTED = 40
"""So many things at most are one entry: "7x Chimera"."""
_WARLORD = "Warlord"


class OptionMatching:
    """The options of one unit."""

    def __init__(self, work: Work, unit: SourceUnit, key: str, node_id: str, place: Place) -> None:
        self.work = work
        self.unit = unit
        self.key = key
        self.tree = UnitTree(work, node_id, place)
        self.root = self.tree.root
        self.unplaced: list[str] = []

    def match(self) -> None:
        """Take what the lines name, and give back what they do not."""
        before = [node for node in self.root.walk() if not node.place.spec.hidden]
        self._items(self.unit.items, self.root, self.key, 1)
        if self.unplaced:
            self.work.note(self.root.id, "\n".join(self.unplaced))
        named = sum(node.touched for node in before)
        has_models = any(node.touched for node in self.tree.kinds())
        if self.unit.number > 1 and not has_models:
            self.tree.set_models(self.unit.number)
        if self.unit.is_warlord and (found := self._find(_WARLORD, self.root)) is not None:
            self.tree.take(found, 1, is_total=True)
        self.tree.prune(self.root, wholly=bool(self.unit.items) and 2 * named >= len(before))
        self.tree.part(self.root)

    def _items(self, items: tuple[SourceItem, ...], within: Node, key: str, depth: int) -> None:
        place = 0
        while place < len(items):
            item = items[place]
            at, joined = f"{key}.{place}", 1
            if within is self.root and (said := self._said(items[place:], at, depth)):
                place += said
                continue
            found = self._meant(item, within, at)
            if found is None and at not in self.work.choices:
                item, found, joined = self._joined(items, place, within)
            place += joined
            if found is None and within is self.root and self._is_once_more(item):
                if not self._is_whole_name(item, self.root.place):
                    self._items(item.items, within, at, depth)
                continue
            if found is None:
                self._unmatched(item, within, at, depth)
                continue
            (parent, entry), guess = found.meant, found.confidence
            if each := self._counts_itself(item, entry):
                item = msgspec.structs.replace(item, number=item.number // each)
            is_total = item.is_total or entry.spec.type in MODELS or not in_models(parent)
            here, others = self._shared_out(item, parent, entry)
            node = self.tree.take((parent, entry), here, is_total=is_total)
            for place_of_its_own in others:
                self.tree.take(place_of_its_own, 1, is_total=is_total)
            chosen = self.work.choices.get(at)
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
            if not self._is_whole_name(item, entry):
                self._items(item.items, node, at, depth + 1)

    def _said(self, items: tuple[SourceItem, ...], at: str, depth: int) -> int:
        """How many items state a fact of the unit; none where they are options."""
        found, count = self.work.words.stated_by(items, key=at, node_id=self.root.id)
        if found is None or at in self.work.choices or self._find(items[0].text, self.root) is not None:
            return 0
        self.work.state(found, items[0].line, depth)
        return count

    def _shared_out(self, item: SourceItem, parent: Node, entry: Place) -> tuple[int, list[tuple[Node, Place]]]:
        """How many are meant here, and where the others are: two claws may be one on each arm.

        Only what there is one of at most, in a place of which there is one, is looked for elsewhere.
        """
        if item.number < 2 or item.items or parent.number > 1 or not (at_most_one(entry) or at_most_one(entry.group)):
            return item.number, []
        names = {normal(name) for name in self.work.called(entry.spec)}
        groups, others = {entry.group_id}, []
        for other in parent.place.entries:
            called = {normal(name) for name in self.work.called(other.spec)}
            if other.group_id not in groups and names & called and self._rank(parent, other) < FULL:
                groups.add(other.group_id)
                others.append((parent, other))
        others = others[: item.number - 1]
        return item.number - len(others), others

    def _counts_itself(self, item: SourceItem, entry: Place) -> int:
        """How many the entry's name says there are: of "14x Chimera" two are meant where it is "7x Chimera"."""
        names = {normal(name) for name in self.work.called(entry.spec)}
        said = ((each, f"{each}{sign} {item.name}") for each in _parts_of(item.number) for sign in ("x", ""))
        return next((each for each, name in said if normal(name) in names), 0)

    def _is_once_more(self, item: SourceItem) -> bool:
        """Whether a single model is named below its unit, with or without what it carries."""
        return self._is_unit_itself(item) and (bool(item.items) or item.number in (1, self.unit.number))

    def _is_unit_itself(self, item: SourceItem) -> bool:
        names = (self.unit.name, *self.work.called(self.root.place.spec))
        return not {normal(item.name), normal(item.text)}.isdisjoint(normal(name) for name in names)

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

    def _joined(
        self, items: tuple[SourceItem, ...], place: int, within: Node
    ) -> tuple[SourceItem, Guess[tuple[Node, Place]] | None, int]:
        """A name with commas in it that was taken for several."""
        first = items[place]
        for count in range(2, JOINED + 1):
            parts = items[place : place + count]
            if len(parts) < count or any(part.line != first.line for part in parts):
                break
            rest = ", ".join(part.text if part.number == 1 else f"{part.number}x {part.text}" for part in parts[1:])
            whole = f"{first.number}x {first.text}" if first.number > 1 else first.text
            for number, start in dict.fromkeys(((1, whole), (first.number, first.text))):
                name = f"{start}, {rest}"
                if (found := self._find(name, within)) is not None:
                    item = SourceItem(line=first.line, text=name, name=name, number=number, is_total=first.is_total)
                    return item, Guess(found, SURE), count
        return first, None, 1

    def _meant(self, item: SourceItem, within: Node, at: str) -> Guess[tuple[Node, Place]] | None:
        chosen = self.work.choices.get(at)
        if chosen is not None:
            by_id = ((node, entry) for node in self.root.walk() for entry in node.place.entries if entry.path == chosen)
            found = next(by_id, None)
            return Guess(found, SURE) if found is not None else None
        whole = [f"{item.number}x {item.text}", f"{item.number} {item.text}"] if item.number > 1 else []
        in_parts = [f"{each}x {item.text}" for each in _parts_of(item.number) if each < item.number]
        for name in (*whole, item.text, item.name, *in_parts):
            if (exact := self._find(name, within, item.items)) is not None:
                return Guess(exact, SURE)
        if within is self.root and self._is_once_more(item):
            return None
        guesses = self._guesses(item, within)
        return guesses[0] if guesses and guesses[0].confidence >= LIKELY else None

    def _find(self, name: str, within: Node, inside: tuple[SourceItem, ...] = ()) -> tuple[Node, Place] | None:
        """What is called so: what is there already before what may be taken, near before far.

        Args:
            inside: what stands below it; of two squadrons with tanks the one is meant whose tanks may have it.
        """
        level = [within]
        best: tuple[tuple[int, int], Node, Place] | None = None
        for _ in range(LEVELS):
            for node in level:
                for entry in self.work.below(node.place).exact(name):
                    lacking = sum(not self.work.below(entry).exact(item.text) for item in inside)
                    rank = self._rank(node, entry), lacking
                    if best is None or rank < best[0]:
                        best = rank, node, entry
            if best is not None and best[0] == (0, 0):
                break
            level = [child for node in level for child in node.children]
        return best[1:] if best is not None else None

    def _rank(self, node: Node, entry: Place) -> int:
        """0 for what stands there and was not named yet, then what may be taken beside it; `FULL` for what is full."""
        touched = [child for child in node.children if child.touched]
        if at_most_one(entry.group) and any(child.place.group_id == entry.group_id for child in touched):
            return FULL
        if any(child.place.path == entry.path and not child.touched for child in node.children):
            return 0
        return 2 if any(child.place.path == entry.path for child in touched) else 1

    def _guesses(self, item: SourceItem, within: Node) -> list[Guess[tuple[Node, Place]]]:
        found: dict[str, Guess[tuple[Node, Place]]] = {}
        for node in within.walk():
            for guess in self.work.below(node.place).guesses(item.name, key=lambda entry: entry.path):
                known = found.get(guess.meant.path)
                if known is None or known.confidence < guess.confidence:
                    found[guess.meant.path] = Guess((node, guess.meant), guess.confidence)
        return sorted(found.values(), key=lambda guess: -guess.confidence)

    def _suggestions(self, item: SourceItem, within: Node) -> tuple[Suggestion, ...]:
        return tuple(
            Suggestion(guess.meant[1].path, self.work.names(guess.meant[1].spec.name), guess.confidence)
            for guess in (self._guesses(item, within) or self._guesses(item, self.root))[:5]
        )


def _parts_of(number: int) -> list[int]:
    """The numbers above one that divide this one, from itself down; a name counts no more than `COUNTED`."""
    return [each for each in range(min(number, COUNTED), 1, -1) if number % each == 0]
