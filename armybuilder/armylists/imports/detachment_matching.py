"""The detachments of a list that is looked up: which its headings and its head name, and what each of them offers."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from armybuilder.armylists.imports.name_matching import Directory, normal, own_and_known
from armybuilder.armylists.imports.named_items import split_at_commas
from armybuilder.armylists.imports.source_list import SourceList, SourceUnit
from armybuilder.armylists.imports.unit_tree import Work
from armybuilder.engine.gamedata.places import root_entries
from armybuilder.engine.roster import edits as roster_edits
from armybuilder.engine.roster.available_options import Offer, flat, offers
from armybuilder.engine.roster.evaluate import evaluate
from armybuilder.engine.roster.state import RosterState

DETACHMENTS = 6
KINDS_WITHIN = 4
"""Kinds of detachments within another that are tried for a unit, the data's first: Age of Sigmar has eighty."""
_NUMBER = re.compile(r" #\d{1,3}$")
"""What tells detachments of one name apart."""


@dataclass(slots=True)
class Detachment:
    """A force under construction with what it offers.

    Attributes:
        there: what stood in it from the beginning and was not named yet, entry and node.
        begun: what stood in it from the beginning.
        is_part: it stands in another, as a regiment of an army.
        held: units that were put into it.
    """

    id: str
    entry_id: str
    catalogue_id: str
    names: tuple[str, ...]
    units: Directory[Offer]
    roles: dict[str, str]
    there: list[tuple[str, str]] = field(default_factory=list)
    begun: frozenset[str] = frozenset()
    is_part: bool = False
    held: int = 0


@dataclass(slots=True)
class Detachments(Work):
    """Those of the whole list, as they are opened."""

    detachments: list[Detachment] = field(default_factory=list)
    headings: dict[tuple[int, str], Detachment] = field(default_factory=dict)
    head: str = ""
    catalogues: list[str] = field(default_factory=list)
    outer: dict[str, str] = field(default_factory=dict)
    roots: dict[str, frozenset[str]] = field(default_factory=dict)
    tried: dict[tuple[str, str, str | None], frozenset[str]] = field(default_factory=dict)
    """What a kind of detachment offered when it was first tried, by its entry, its catalogue and what it stands in."""

    def open_detachments(self, source: SourceList, catalogue_id: str, force_entry_id: str) -> None:
        """A force for every heading that is a detachment's; at least one."""
        catalogues: Directory[str] = Directory()
        for catalogue in self.library.catalogues:
            if not catalogue.library:
                catalogues.add(catalogue.id, self.known_as(catalogue.name))
        kinds: Directory[str] = Directory()
        for entry in self.library.force_entries(catalogue_id):
            kinds.add(entry.id, self.known_as(entry.name))
            for inner in entry.forces:
                kinds.add(inner.id, self.known_as(inner.name))
                self.outer[inner.id] = entry.id
        self.head = f" {normal(' '.join(source.head))} "
        self.catalogues = mentioned = self._mentioned(catalogue_id)

        def kind_in(heading: str) -> tuple[str, list[str]]:
            return next(
                ((words, found) for words, called in _kinds_in(heading) if (found := kinds.exact(called))), ("", [])
            )

        in_head = (entry_id for words in _parts_of_head(source.head) for entry_id in kinds.exact(words))
        usual = next((entry_id for entry_id in in_head if entry_id not in self.outer), force_entry_id)

        outermost = (next((one for one in unit.under if kind_in(one[1])[0]), None) for unit in source.units)
        filled = {heading for heading in outermost if heading is not None}
        for heading in sorted({*filled, *source.empty}):  # a role may be called like a detachment: Fortification
            if heading not in filled:
                self._open_empty(usual, heading[1], kinds, catalogues)
            elif len(self.detachments) < DETACHMENTS:
                words, found = kind_in(heading[1])
                stated = catalogues.exact(_parted(heading[1])[1])
                same = self._same(words, heading)
                of_it = [
                    unit
                    for unit in source.units
                    if heading in unit.under
                    or any(kind_in(one[1])[0] == words for one in unit.under if _goes_on(one[1], words))
                ]
                chosen = stated[0] if stated else self._offering(of_it, mentioned)
                self.headings[heading] = same or self._open_in(usual, found, chosen, words)
        if not self.detachments:
            self.open(usual, catalogue_id, "")

    def _open_empty(self, usual: str, heading: str, kinds: Directory[str], catalogues: Directory[str]) -> None:
        """A force without units, where a heading names both it and an army list: "Allied Detachment (Salamanders)"."""
        brackets = (at.start() for at in re.finditer(r" \(", heading) if heading.endswith(")"))
        for at in brackets:
            words, stated = heading[:at], catalogues.exact(heading[at + 2 : -1])
            found = kinds.exact(words) or kinds.exact(_NUMBER.sub("", words))
            if found and stated and len(self.detachments) < DETACHMENTS:
                self._open_in(usual, found, stated[0], words)
                return

    def _open_in(self, usual: str, kinds: list[str], catalogue_id: str, words: str) -> Detachment:
        """A new force of one of these kinds, within the one that it stands in: a Regiment in a battle pack."""
        kind = next((one for one in kinds if one not in self.outer), None)
        if kind is not None:
            return self.open(kind, catalogue_id, words)
        around = next((one for one in self.detachments if one.entry_id in map(self.outer.get, kinds)), None)
        if around is None:
            is_usual = usual in map(self.outer.get, kinds)
            around = self.open(usual if is_usual else self.outer[kinds[0]], catalogue_id, "")
        kind = next(one for one in kinds if self.outer[one] == around.entry_id)
        return self.open(kind, catalogue_id, words, within=around.id)

    def _mentioned(self, catalogue_id: str) -> list[str]:
        """The catalogue asked for, then those that the head names."""
        others = [
            one.id
            for one in self.library.catalogues
            if not one.library and any(f" {normal(name)} " in self.head for name in self.known_as(one.name))
        ]
        return list(dict.fromkeys([catalogue_id, *others]))[:DETACHMENTS]

    def _offering(self, units: list[SourceUnit], catalogues: list[str]) -> str:
        """The catalogue that has most of these units; the first of equals."""
        wanted = {normal(own_and_known(unit.name)[1] or unit.name) for unit in units}
        wanted |= {normal(unit.name) for unit in units}

        def offered(catalogue_id: str) -> int:
            return len(wanted & self._in_catalogue(catalogue_id))

        best = max(catalogues, key=offered)
        if not offered(best):
            best = max([best, *(one.id for one in self.library.catalogues if not one.library)], key=offered)
        return best

    def _in_catalogue(self, catalogue_id: str) -> frozenset[str]:
        """What the units of a catalogue are called."""
        if catalogue_id not in self.roots:
            places = root_entries(self.library.roots(catalogue_id))
            self.roots[catalogue_id] = frozenset(
                normal(name) for place in places for name in self.known_as(place.spec.name)
            )
        return self.roots[catalogue_id]

    def _open_for(self, wanted: list[str], headings: list[str]) -> tuple[Detachment, Offer] | None:
        """A detachment opened for a unit that no other one offers.

        It is one that the head names, one of the catalogue that a heading of the unit names, or one that stands in
        another: a Regiment in a battle pack.
        """
        known = {normal(name) for name in wanted}
        for catalogue_id in self.catalogues:
            if not known & self._in_catalogue(catalogue_id):
                continue
            called = {normal(name) for name in self.known_as(self._name_of(catalogue_id))}
            is_heading = any(normal(words) in called for words in headings)
            for entry in sorted(self.library.force_entries(catalogue_id), key=lambda one: not _is_of_allies(one.name)):
                is_named = any(f" {normal(name)} " in self.head for name in self.known_as(entry.name))
                is_open = any((one.catalogue_id, one.entry_id) == (catalogue_id, entry.id) for one in self.detachments)
                if is_open or not (is_named or is_heading):
                    continue
                if (found := self._opened_with(wanted, entry.id, catalogue_id)) is not None:
                    return found
        for around in [one for one in self.detachments if known & self._in_catalogue(one.catalogue_id)]:
            for kind in [kind for kind, outer in self.outer.items() if outer == around.entry_id][:KINDS_WITHIN]:
                found = self._opened_with(wanted, kind, around.catalogue_id, within=around.id)
                if found is not None:
                    return found
        return None

    def _opened_with(
        self, wanted: list[str], entry_id: str, catalogue_id: str, *, within: str | None = None
    ) -> tuple[Detachment, Offer] | None:
        """A new detachment with what it offers by one of these names; as if never opened where it does not."""
        known = self.tried.get((entry_id, catalogue_id, within))
        if len(self.detachments) >= DETACHMENTS or (known is not None and known.isdisjoint(map(normal, wanted))):
            return None
        before, opened = self.roster, self.open(entry_id, catalogue_id, "", within=within)
        self.tried.setdefault((entry_id, catalogue_id, within), opened.units.names(lambda one: not one.hidden))
        offer = next((offer for name in wanted for offer in opened.units.exact(name) if not offer.hidden), None)
        if offer is not None:
            return opened, offer
        self.roster = before
        self.detachments.remove(opened)
        return None

    def _name_of(self, catalogue_id: str) -> str:
        return next(one.name for one in self.library.catalogues if one.id == catalogue_id)

    def _same(self, words: str, heading: tuple[int, str]) -> Detachment | None:
        """The detachment that "Primary: Troops" goes on with; one with a heading of its own is another."""
        if not _goes_on(heading[1], words):
            return None
        return next((one for one in self.detachments if one.names == (words,)), None)

    def open(self, force_entry_id: str, catalogue_id: str, words: str, *, within: str | None = None) -> Detachment:
        """A new force, in which units can be looked up."""
        made = roster_edits.add_force(
            self.library,
            self.roster,
            force_entry_id=force_entry_id,
            catalogue_id=catalogue_id,
            parent_id=within,
            new_id=self.new_id,
        )
        self.roster = made.roster
        assert made.node_id is not None
        state = evaluate(self.library, self.roster)
        opened = self.with_offers(state, made.node_id, force_entry_id, catalogue_id, words)
        force = next(force for force in state.all_forces() if force.id == opened.id)
        opened.there += ((found.entry_id, found.id) for found in force.selections)
        opened.begun = frozenset(found.id for found in force.selections)
        opened.is_part = within is not None
        self.detachments.append(opened)
        return opened

    def with_offers(
        self, state: RosterState, force_id: str, force_entry_id: str, catalogue_id: str, words: str
    ) -> Detachment:
        """A force of the roster with what it offers."""
        units: Directory[Offer] = Directory()
        for offer in flat(offers(self.library, state, node_id=force_id), with_hidden_groups=True):
            place = self.library.find_root(catalogue_id, offer.entry_id)
            units.add(offer, (*self.known_as(offer.name), *(self.called(place.spec) if place is not None else ())))
        force = next(force for force in state.all_forces() if force.id == force_id)
        roles = {category.id: category.name for category in force.categories}
        return Detachment(force_id, force_entry_id, catalogue_id, (words,), units, roles)


def _parts_of_head(head: tuple[str, ...]) -> Iterator[str]:
    """What the head of a list names, from its end: "DETACHMENT: Allied Detachment", or its game, factions and that."""
    for line in reversed(head):
        for words in (line.partition(": ")[2], line):
            yield from reversed([words, *split_at_commas(words.replace(" · ", ", "))])


def _is_of_allies(name: str) -> bool:
    """Whether a detachment is called one of allies."""
    return "allied" in name.casefold() or "allies" in name.casefold()


def _parted(heading: str) -> tuple[str, str]:
    """What stands before the brackets in "Primary (Sons of Horus)", and in them."""
    words, _, inside = heading.rstrip(")").partition(" (")
    return words, inside


def _kinds_in(heading: str) -> Iterator[tuple[str, str]]:
    """The detachment that a heading may be, and by what name: "Primary: Troops", "Primary (Sons of Horus)".

    The longest is first, as some have a colon in their own name: "Zone Mortalis: Attacker".
    """
    parts = _parted(heading)[0].split(": ")
    until = [": ".join(parts[:count]) for count in range(len(parts), 0, -1)]
    yield until[0], heading
    for words in until:
        yield words, words
        yield words, _NUMBER.sub("", words)


def _goes_on(heading: str, words: str) -> bool:
    """Whether a heading says more than its detachment: "Primary: Troops"."""
    return _parted(heading)[0].startswith(f"{words}: ")
