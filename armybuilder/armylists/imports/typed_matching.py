"""A typed text put into the roster that it was written from: units whose lines did not change stay untouched."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from armybuilder.armylists import limits
from armybuilder.armylists.imports.matching import Detachment, Matching
from armybuilder.armylists.imports.name_matching import Directory, normal
from armybuilder.armylists.imports.review_lines import LineState, ReviewLine
from armybuilder.armylists.imports.source_list import SourceList, SourceUnit
from armybuilder.engine.roster import edits as roster_edits
from armybuilder.engine.roster.evaluate import evaluate
from armybuilder.engine.roster.model import Force, Selection
from armybuilder.engine.roster.tree import force_of, in_force, replaced, selection_of


@dataclass(frozen=True, slots=True)
class TypedUnit:
    """A unit of the text with its lines."""

    source: SourceUnit
    lines: tuple[str, ...]


@dataclass(slots=True)
class Typing(Matching):
    """The work on one text.

    Attributes:
        nodes: the node of each unit of the text, by its place there; those that were not found have none.
        facts: what the text states of units, as a list states it.
    """

    by_words: dict[str, list[Detachment]] = field(default_factory=dict)
    nodes: dict[int, str] = field(default_factory=dict)
    facts: dict[str, Any] = field(default_factory=dict)

    def adopt(self, headings: Sequence[str]) -> None:
        """Take the roster's own forces; `headings` are the words above the units of each."""
        state = evaluate(self.library, self.roster)
        for words, force in zip(headings, self.roster.all_forces(), strict=True):
            known = self.with_offers(state, force.id, force.entry_id, force.catalogue_id, "")
            self.detachments.append(known)
            self.by_words.setdefault(normal(words), []).append(known)

    def rebuild(
        self, source: SourceList, units: Sequence[TypedUnit], written: Mapping[tuple[str, ...], list[str]]
    ) -> None:
        """Make the roster what the text says.

        Args:
            written: the units that the roster has, by the lines in which they were written.
        """
        self._read_headings(source)
        left = {lines: list(ids) for lines, ids in written.items()}
        for place, unit in enumerate(units):
            same = next((one for one in left.get(unit.lines, ()) if self._may_stand(one, unit.source)), None)
            if same is not None:
                left[unit.lines].remove(same)
                self.nodes[place] = same
        untold = [one for ids in left.values() for one in ids]
        for place, unit in enumerate(units):
            if place not in self.nodes and (made := self._typed(place, unit.source, untold)) is not None:
                self.nodes[place] = made
        for node_id in untold:
            self.roster = roster_edits.remove(self.library, self.roster, node_id=node_id).roster
        self._put_in_place(units)
        self.roster = roster_edits.fill_automatic(self.library, self.roster, new_id=self.new_id).roster
        self._read_stated()
        self._keep_the_lost(source)

    def doubtful(self, source: SourceList) -> tuple[ReviewLine, ...]:
        """The lines that are not certain, in the order of the text."""
        found = [line for line in self.lines if line.state is not LineState.SURE]
        found += [
            ReviewLine(key=f"-{number}", line=number, text=text, state=LineState.UNMATCHED)
            for number, text in (*source.rest, *self.rest)
        ]
        return tuple(sorted(found, key=lambda line: line.line))

    def _read_headings(self, source: SourceList) -> None:
        """Which detachment each heading is; one that the roster has not is opened, where the data has it."""
        kinds: Directory[tuple[str, str]] = Directory()
        for catalogue_id in dict.fromkeys(one.catalogue_id for one in self.detachments):
            for entry in self.library.force_entries(catalogue_id):
                kinds.add((entry.id, catalogue_id), self.known_as(entry.name))
        catalogues: Directory[str] = Directory()
        for catalogue in self.library.catalogues:
            if not catalogue.library:
                catalogues.add(catalogue.id, self.known_as(catalogue.name))
        left = {words: list(known) for words, known in self.by_words.items()}
        for heading in dict.fromkeys(one for unit in source.units for one in unit.under):
            if known := left.get(normal(heading[1])):
                self.headings[heading] = known.pop(0)
                continue
            words, _, inside = heading[1].removesuffix(")").partition(" (")
            kind, stated = kinds.exact(words), catalogues.exact(inside)
            if kind and stated:
                self.headings[heading] = self.open(kind[0][0], stated[0], words)

    def _wanted(self, unit: SourceUnit) -> Detachment | None:
        return next((self.headings[one] for one in reversed(unit.under) if one in self.headings), None)

    def _may_stand(self, node_id: str, unit: SourceUnit) -> bool:
        """Whether a unit can stay what it is below the heading that it has now."""
        wanted = self._wanted(unit)
        return wanted is None or self._force_with(node_id).catalogue_id == wanted.catalogue_id

    def _force_with(self, node_id: str) -> Force:
        return next(force for force in self.roster.all_forces() if any(one.id == node_id for one in force.selections))

    def _typed(self, place: int, unit: SourceUnit, untold: list[str]) -> str | None:
        """A unit whose lines are new: looked up, and put where the one was that it is made of."""
        self.unit(unit, str(place))
        if str(place) not in self.built:
            return None
        made = selection_of(self.roster, self.built[str(place)][0])
        rivals = [selection_of(self.roster, one) for one in untold]
        alike = [one for one in rivals if one.entry_id == made.entry_id]
        old = next((one for one in alike if one.custom_name == made.custom_name), alike[0] if alike else None)
        if old is None:
            return made.id
        untold.remove(old.id)
        home, here = self._force_with(old.id), self._force_with(made.id)
        new = _in_place_of(old, made)
        if home.id == here.id:
            kept = (new if one.id == old.id else one for one in here.selections if one.id != made.id)
            self._hold(here.id, tuple(kept))
        else:
            self.roster = roster_edits.remove(self.library, self.roster, node_id=old.id).roster
            self._hold(here.id, tuple(new if one.id == made.id else one for one in here.selections))
        return new.id

    def _put_in_place(self, units: Sequence[TypedUnit]) -> None:
        """Units stand below the heading they were typed under, and in the order of the text where order counts."""
        for place, node_id in self.nodes.items():
            wanted, here = self._wanted(units[place].source), self._force_with(node_id)
            if wanted is None or wanted.id == here.id:
                continue
            moved = selection_of(self.roster, node_id)
            self._hold(here.id, tuple(one for one in here.selections if one.id != node_id))
            self._hold(wanted.id, (*force_of(self.roster, wanted.id).selections, moved))
        order = {node_id: place for place, node_id in self.nodes.items()}
        for force in tuple(self.roster.all_forces()):
            if force.is_arranged:
                self._hold(force.id, tuple(sorted(force.selections, key=lambda one: order.get(one.id, -1))))

    def _hold(self, force_id: str, selections: tuple[Selection, ...]) -> None:
        """Let a force have these units and no others."""
        self.roster = in_force(self.roster, force_id, lambda force: replaced(force, selections=selections))

    def _read_stated(self) -> None:
        """What the lines state of units, now that each has the node that it keeps."""
        moved = {self.built[str(place)][0]: node for place, node in self.nodes.items() if str(place) in self.built}
        self.stated = [replace(one, node_id=moved.get(one.node_id, one.node_id)) for one in self.stated]
        self.built = {str(place): (node, None) for place, node in sorted(self.nodes.items())}
        self.facts = self.read_facts(evaluate(self.library, self.roster)) if self.stated else {}

    def _keep_the_lost(self, source: SourceList) -> None:
        """What the data does not know becomes notes of the list."""
        words = [*self.lost, *(text for _, text in (*source.rest, *self.rest))]
        notes = _joined(self.roster.notes, words)
        if notes != self.roster.notes:
            self.roster = msgspec.structs.replace(self.roster, notes=notes)


def _in_place_of(old: Selection, new: Selection) -> Selection:
    """A selection that was built anew, with ids and notes of the one it replaces, down to what both have."""
    left = list(old.selections)
    inside = []
    for made in new.selections:
        part = made
        same = next((one for one in left if (one.entry_id, one.group_id) == (made.entry_id, made.group_id)), None)
        if same is not None:
            left.remove(same)
            part = _in_place_of(same, replaced(made, custom_name=made.custom_name or same.custom_name))
        inside.append(part)
    notes = _joined(old.notes, (new.notes or "").splitlines())
    return replaced(new, id=old.id, notes=notes, selections=tuple(inside))


def _joined(notes: str | None, words: Sequence[str]) -> str | None:
    """Notes with more lines, each once."""
    known = (notes or "").splitlines()
    more = [line for line in words if line and line not in known]
    return "\n".join([*known, *more])[: limits.NOTES_LENGTH] if more else notes
