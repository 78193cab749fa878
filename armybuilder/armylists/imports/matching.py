"""A list that was read is looked up in the data of one catalogue: each line gets its entry, or what it may be.

Units are looked up among what the detachment offers, options among what stands or may be taken in their unit. What is
certain is taken, what is likely is taken and marked, everything else is kept as a note on the unit or the list.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import msgspec

from armybuilder.armylists import limits
from armybuilder.armylists.documents import ListDocument
from armybuilder.armylists.imports.detachment_matching import Detachment, Detachments
from armybuilder.armylists.imports.name_matching import LIKELY, SURE, Directory, Guess, normal, own_and_known
from armybuilder.armylists.imports.named_items import split_at_commas
from armybuilder.armylists.imports.option_matching import OptionMatching
from armybuilder.armylists.imports.review_lines import LineState, ReviewLine, Suggestion
from armybuilder.armylists.imports.source_list import SourceItem, SourceList, SourceUnit
from armybuilder.armylists.imports.stated_facts import FactWords, StatedFact, read_stated
from armybuilder.armylists.own_points import with_own_prices
from armybuilder.armylists.roster_sheet import leads_by_data
from armybuilder.armylists.sizes import refuse_more_selections
from armybuilder.engine.gamedata.links import Library
from armybuilder.engine.roster import edits as roster_edits
from armybuilder.engine.roster.available_options import Offer
from armybuilder.engine.roster.evaluate import evaluate
from armybuilder.engine.roster.model import Force, Roster, Selection
from armybuilder.engine.roster.state import RosterState, SelectionState
from armybuilder.engine.systems.roster_reading.points_cost import points_type
from armybuilder.reference.names import Names
from armybuilder.reference.tending import role_in_russian

MOST_IN_A_PART = 30
"""Units in a part of an army; regiments are of five. Who is one of them hangs on all others, and so does the time."""
AT_HAND = 120
"""Selections that every unit is looked up beside; of a longer list what is done is put by, or its time would grow with
the square of its length."""
ROLE_WORDS = 2


@dataclass(frozen=True, slots=True)
class Matched:
    """The roster that was built, with every line of the source.

    Attributes:
        stated: facts of units, and of the list where they name one, as a list states them.
    """

    roster: Roster
    state: RosterState
    lines: tuple[ReviewLine, ...]
    warlord: str | None
    warlord_trait: str
    stated: dict[str, Any]


def matched(
    source: SourceList,
    library: Library,
    *,
    catalogue_id: str,
    force_entry_id: str,
    names: Names,
    words: FactWords,
    choices: Mapping[str, str],
    new_id: Callable[[], str],
) -> Matched:
    """Build the roster of a source.

    Args:
        force_entry_id: the detachment that units belong to whose heading names none.
        choices: entry by the key of a line, as a player decided; empty for "leave it out".

    Raises:
        TooLarge: it becomes larger than a list may be.
    """
    roster = roster_edits.new_roster(library, name=source.name or "List", new_id=new_id).roster
    work = Matching(library, names, choices, new_id, roster, words=words)
    work.is_of_names = source.is_of_names
    work.open_detachments(source, catalogue_id, force_entry_id)
    for number, unit in enumerate(source.units):
        work.unit(unit, str(number))
        work.put_by()
    work.gather()
    work.give_back()
    work.roster = roster_edits.fill_automatic(library, work.roster, new_id=new_id).roster
    return work.finished(source)


@dataclass(slots=True)
class Matching(Detachments):
    """The whole list."""

    built: dict[str, tuple[str, Decimal | None]] = field(default_factory=dict)
    lost: list[str] = field(default_factory=list)
    warlord: tuple[str, str] | None = None
    rest: list[tuple[int, str]] = field(default_factory=list)
    done: dict[str, list[Selection]] = field(default_factory=dict)
    size: int = 0
    is_of_names: bool = False

    def give_back(self) -> None:
        """Units that stood in a detachment from the beginning, cost points, and are not named."""
        state, costs = evaluate(self.library, self.roster), points_type(self.library.cost_types)
        unnamed = {node_id for one in self.detachments for _, node_id in one.there}
        for unit in [unit for force in state.all_forces() for unit in force.selections if unit.id in unnamed]:
            if costs is not None and unit.total(costs):
                self.roster = roster_edits.remove(self.library, self.roster, node_id=unit.id).roster

    def put_by(self) -> None:
        """Take what is done out of a roster that has become large. Raises TooLarge beyond the size of a list."""
        at_hand = sum(1 for _ in self.roster.all_selections())
        refuse_more_selections(self.size + at_hand, len(self.detachments))
        if at_hand <= AT_HAND:
            return
        unnamed = {node_id for one in self.detachments for _, node_id in one.there}

        def without_what_is_done(force: Force) -> tuple[Selection, ...]:
            done = [one for one in force.selections if one.id not in unnamed]
            self.done.setdefault(force.id, []).extend(done)
            self.size += sum(1 for one in done for _ in one.walk())
            return tuple(one for one in force.selections if one.id in unnamed)

        self.roster = _with_selections(self.roster, without_what_is_done)

    def gather(self) -> None:
        """Put what was put by back, behind what the detachments began with."""
        begun = {node_id for one in self.detachments for node_id in one.begun}

        def whole(force: Force) -> tuple[Selection, ...]:
            together = (*self.done.pop(force.id, ()), *force.selections)
            return tuple(sorted(together, key=lambda one: one.id not in begun))

        self.roster = _with_selections(self.roster, whole)

    def unit(self, unit: SourceUnit, key: str) -> None:
        """Add a unit, or keep its lines as notes."""
        where, meant, suggestions = self._meant(unit, key)
        if where.is_part and where.held >= MOST_IN_A_PART:
            meant = None
        chosen = self.choices.get(key)
        if meant is None:
            state = LineState.LEFT_OUT if chosen == "" else LineState.UNMATCHED
            self._line(key, unit.line, unit.text, state, is_unit=True, suggestions=suggestions, stated=unit.points)
            self.lost.append(unit.text)
            for number, item in enumerate(unit.items):
                self._lose(item, f"{key}.{number}", 1)
            return
        offer, confidence = meant.meant, meant.confidence
        node_id = self._taken(where, offer)
        where.held += 1
        state = LineState.CHOSEN if chosen else LineState.SURE if confidence >= SURE else LineState.LIKELY
        self._line(
            key,
            unit.line,
            unit.text,
            state,
            is_unit=True,
            entry_id=offer.entry_id,
            name=self.names(offer.name),
            confidence=confidence,
            suggestions=suggestions,
            stated=unit.points,
        )
        self.built[key] = (node_id, unit.points)
        told = [(line, self.words.stated(text, key=f"{key}.told.{line}", node_id=node_id)) for line, text in unit.told]
        unsaid = [pair for pair, (_, said) in zip(unit.told, told, strict=True) if said is None]
        entry = self.library.find_root(where.catalogue_id, offer.entry_id)
        if entry is not None:
            unsaid = OptionMatching(self, unit, key, node_id, entry).match(unsaid)
        for line, said in told:
            if said is not None:
                self.state(said, line, 1)
        self.rest += unsaid
        if unit.is_warlord and self.warlord is None:
            self.warlord = (node_id, unit.warlord_trait)
        self._customise(unit, node_id, offer)

    def _taken(self, where: Detachment, offer: Offer) -> str:
        """The node of a unit: what the detachment began with before a new one."""
        for found in where.there:
            if found[0] == offer.entry_id:
                where.there.remove(found)
                return found[1]
        made = roster_edits.select(
            self.library, self.roster, parent_id=where.id, entry_id=offer.entry_id, new_id=self.new_id
        )
        self.roster = made.roster
        assert made.node_id is not None
        return made.node_id

    def _customise(self, unit: SourceUnit, node_id: str, offer: Offer) -> None:
        """The player's own name in front of the data's, and notes."""
        own, inside = own_and_known(unit.name)
        if own and not self._is(unit.name, offer) and self._is(inside, offer):
            made = roster_edits.customise(self.roster, node_id=node_id, name=own[: limits.NAME_LENGTH])
            self.roster = made.roster
        if unit.notes:
            self.note(node_id, unit.notes)

    def _is(self, name: str, offer: Offer) -> bool:
        return any(found.entry_id == offer.entry_id for one in self.detachments for found in one.units.exact(name))

    def _meant(self, unit: SourceUnit, key: str) -> tuple[Detachment, Guess[Offer] | None, tuple[Suggestion, ...]]:
        """The detachment, the entry and what else it may be."""
        under = next((self.headings[one] for one in reversed(unit.under) if one in self.headings), None)
        order = [under] if under is not None else []
        order += [one for one in self.detachments if one is not under]
        own, inside = own_and_known(unit.name)
        wanted = [unit.name, unit.text.split(" [")[0], inside, own, behind_its_role(unit.name)]
        if unit.number > 1:
            wanted.insert(1, f"{unit.number}x {unit.name}")
        roles = [words for _, words in unit.under]
        guesses: list[tuple[Detachment, Guess[Offer]]] = []
        for where in order:
            for name in wanted:
                for offer in sorted(
                    where.units.exact(name), key=lambda one: (one.hidden, not self._has_role(one, where, roles))
                ):
                    guesses.append((where, Guess(offer, SURE)))
        if (
            not guesses
            and (opened := self._open_for([name for name in wanted if name], [words for _, words in unit.under]))
            is not None
        ):
            guesses = [(opened[0], Guess(opened[1], SURE))]
        if not guesses:
            found = [
                (where, guess) for where in order for guess in where.units.guesses(unit.name, key=lambda o: o.entry_id)
            ]
            guesses = sorted(found, key=lambda pair: -pair[1].confidence)
        guesses = self._with_doubt(guesses, roles)
        if self.is_of_names:
            guesses = [(where, Guess(one.meant, min(one.confidence, SURE - 1))) for where, one in guesses]
        suggestions = tuple(
            {
                guess.meant.entry_id: Suggestion(
                    guess.meant.entry_id, self._shown(guess.meant, where, guesses), guess.confidence
                )
                for where, guess in guesses[:8]
            }.values()
        )
        if (chosen := self.choices.get(key)) is not None:
            for where in order:
                for offer in where.units.things():
                    if offer.entry_id == chosen:
                        return where, Guess(offer, SURE), suggestions
            return order[0], None, suggestions
        if guesses and guesses[0][1].confidence >= LIKELY:
            return (*guesses[0], suggestions)
        return order[0], None, suggestions

    def _with_doubt(
        self, guesses: list[tuple[Detachment, Guess[Offer]]], roles: list[str]
    ) -> list[tuple[Detachment, Guess[Offer]]]:
        """The same, not sure of the first where its name stands in several roles and no heading says in which."""
        if not guesses or guesses[0][1].confidence < SURE:
            return guesses
        where, first = guesses[0]
        alike = [
            guess.meant
            for other, guess in guesses
            if other is where and guess.confidence >= SURE and not guess.meant.hidden
        ]
        fitting = [one for one in alike if self._has_role(one, where, roles)] or alike
        if len({one.category_id for one in fitting}) < 2 or first.meant not in fitting:
            return guesses
        others = [one for one in guesses if one[1].meant not in fitting]
        return [*((where, Guess(one, SURE - 1)) for one in fitting), *others]

    def _shown(self, offer: Offer, where: Detachment, guesses: list[tuple[Detachment, Guess[Offer]]]) -> str:
        """Its name, with its role where that tells it from another one."""
        name = self.names(offer.name)
        role = where.roles.get(offer.category_id or "", "")
        others = (guess.meant for _, guess in guesses if guess.meant.name == offer.name)
        is_told = role and any(other.category_id != offer.category_id for other in others)
        return f"{name} ({self.names.role(role)})" if is_told else name

    def _has_role(self, offer: Offer, where: Detachment, headings: list[str]) -> bool:
        """Whether one of the headings names its role."""
        name = where.roles.get(offer.category_id or "", "")
        directory: Directory[str] = Directory()
        directory.add(name, (*self.known_as(name), role_in_russian(name)))
        return any(directory.exact(part) for words in headings for part in (words, words.rsplit(": ", maxsplit=1)[-1]))

    def _line(self, key: str, line: int, text: str, state: LineState, **more: object) -> None:
        self.lines.append(ReviewLine(key=key, line=line, text=text, state=state, **more))  # type: ignore[arg-type]

    def _lose(self, item: SourceItem, key: str, depth: int) -> None:
        self._line(key, item.line, item.text, LineState.UNMATCHED, depth=depth)
        self.lost.append(f"  {item.text}")

    def read_facts(self, state: RosterState) -> dict[str, Any]:
        """What was stated of units; words that say nothing become notes."""
        nodes = {part.id: part for part in state.all_selections()}
        units = [nodes[node_id] for node_id, _ in self.built.values() if node_id in nodes]

        def names(part: SelectionState, *, own: bool) -> set[str]:
            return set(map(normal, (part.custom_name,) if own and part.custom_name else self.known_as(part.name)))

        def called(parts: Iterable[SelectionState], *, own: bool) -> dict[str, list[str]]:
            found: dict[str, list[str]] = {}
            for part in parts:
                for name in names(part, own=own):
                    found.setdefault(name, []).append(part.id)
            return found

        inside = (part for unit in units for part in unit.walk())
        by_name = called(units, own=True), called(units, own=False), called(inside, own=True)

        def refer(words: str, of: str) -> str | None:
            name, _, number = words.rpartition(" #") if re.search(r" #\d{1,3}$", words) else (words, "", "1")
            wanted = normal(name)
            hits = next((ids[wanted] for ids in by_name if wanted in ids), None)
            if hits is None:
                return None
            others = [one for one in hits if one != of] if "#" not in words else []
            return (others or hits)[min(int(number), len(others or hits)) - 1]

        def part_of(node_id: str, name: str) -> list[str]:
            wanted = normal(name)
            return [part.id for part in nodes[node_id].walk() if wanted in names(part, own=True)]

        stated = [one for one in self.stated if not _is_of_data(one, nodes.get(one.node_id))]
        found = read_stated(self.words, stated, refer=refer, part_of=part_of)
        lost = {one.key: one for one in found.unread}
        for one in found.unread:
            self.note(one.node_id, one.text)
        self.lines = [
            msgspec.structs.replace(line, state=LineState.UNMATCHED, confidence=0) if line.key in lost else line
            for line in self.lines
        ]
        return found.all

    def finished(self, source: SourceList) -> Matched:
        """The roster with what was not placed in its notes, and the price of every unit."""
        stated = self.read_facts(evaluate(self.library, self.roster))
        notes = "\n".join(part for part in (source.notes, *self.lost) if part)[: limits.NOTES_LENGTH]
        if notes:
            self.roster = msgspec.structs.replace(self.roster, notes=notes)
        costs = points_type(self.library.cost_types)
        document = ListDocument(roster=self.roster, facts=stated)
        state = with_own_prices(evaluate(self.library, self.roster), document, costs)
        totals = {one.id: one.total(costs) for force in state.all_forces() for one in force.selections} if costs else {}
        lines = [
            msgspec.structs.replace(line, points=totals.get(self.built[line.key][0]))
            if line.key in self.built
            else line
            for line in self.lines
        ]
        lines += [
            ReviewLine(key=f"-{number}", line=number, text=text, state=LineState.NO_PART)
            for number, text in sorted([*source.rest, *self.rest])
        ]
        who, trait = self.warlord or (None, "")
        led = next((one for force in state.all_forces() for one in force.selections if one.id == who), None)
        if not self.words.rule_pack and led is not None and leads_by_data(led):
            who = None  # the option of the data says it
        return Matched(self.roster, state, tuple(lines), who, self._called_in_data(trait, state), stated)

    def _called_in_data(self, words: str, state: RosterState) -> str:
        """The name in the data of what stands in the list, where a text told it in another language."""
        parts = list(state.all_selections())
        shown = (
            name
            for part in parts
            for name in (part.name, *(one.name for one in part.rules), *(one.name for one in part.profiles))
        )
        return next((name for name in shown if words and normal(words) in map(normal, self.known_as(name))), words)


def _is_of_data(stated: StatedFact, unit: SelectionState | None) -> bool:
    """Whether a line tells what the data says anyway of what the models stand on."""
    if stated.fact.name != "base_size" or unit is None:
        return False
    rows = (row for part in unit.walk() for profile in part.profiles for row in profile.characteristics)
    sizes = {normal(value) for name, value in rows if name.casefold() == "base size" and value}
    return normal(stated.words) in sizes or {normal(words) for words in split_at_commas(stated.words)} <= sizes


def behind_its_role(name: str) -> str:
    """The unit in "HQ: Captain"; empty where no word stands before a colon."""
    role, _, unit = name.partition(": ")
    return unit if unit and len(role.split()) <= ROLE_WORDS else ""


def _with_selections(roster: Roster, selections: Callable[[Force], tuple[Selection, ...]]) -> Roster:
    """A roster with other selections in each of its forces."""

    def changed(forces: tuple[Force, ...]) -> tuple[Force, ...]:
        return tuple(
            msgspec.structs.replace(force, selections=selections(force), forces=changed(force.forces))
            for force in forces
        )

    return msgspec.structs.replace(roster, forces=changed(roster.forces))
