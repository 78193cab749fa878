"""Every unit of a data set, alone in a frame that is legal without it: what the verdict says because of it."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import count
from pathlib import Path
from typing import Any
from uuid import uuid4
from zipfile import ZipFile

from armybuilder.armylists.checking import report_on
from armybuilder.armylists.documents import ListDocument
from armybuilder.armylists.reports import ListFinding, ListReport
from armybuilder.datafiles.models import PublishedSystem
from armybuilder.datafiles.parsing import keep_library
from armybuilder.engine.errors import GameError
from armybuilder.engine.findings import Severity
from armybuilder.engine.gamedata.links import Library, SourceFile
from armybuilder.engine.roster import edits
from armybuilder.engine.roster.available_options import Offer, OfferGroup, offers
from armybuilder.engine.roster.evaluate import evaluate
from armybuilder.engine.roster.model import Roster
from armybuilder.engine.roster.state import ErrorKind, RosterState, SelectionState
from armybuilder.engine.systems.roster_reading.points_cost import points_type
from tests.armylists.recruiting import flat
from tests.breadth import is_whole
from tests.libraries import compiled_library

Facts = Mapping[str, Any]
MOST_CANDIDATES = 6
"""Units of a role that are tried for a frame."""

ONE_IN = 10
"""One in so many units is tried where only a share is walked over."""

MOST_CHOICES = 60
"""Choices taken for one unit before it is left as it is."""

MOST_OF_A_KIND = 12
"""How often one choice is made: a squad of five has ten weapons."""


def library_in(folder: Path, names: Iterable[str] | None = None) -> Library:
    """The data of a folder, or some files of it, archives unpacked."""
    wanted = sorted(path for path in folder.iterdir() if path.suffix[:4] in (".gst", ".cat"))
    return compiled_library([_unpacked(path) for path in wanted if names is None or path.name in names])


def _unpacked(path: Path) -> SourceFile:
    if path.suffix in (".gst", ".cat"):
        return SourceFile(path.name, path.read_bytes())
    with ZipFile(path) as archive:
        (name,) = archive.namelist()
        return SourceFile(name, archive.read(name))


def open_choice(
    library: Library,
    state: RosterState,
    within: str | None,
    tried: Counter[tuple[str, str]],
    preferred: Sequence[str] = (),
    *,
    most: int = 8,
) -> tuple[str, str] | None:
    """The first choice that the data still asks for, within a selection: where, and the entry; None when there is none.

    Args:
        tried: how often each was made before; a choice that does not settle is left when it was made so often.
    """
    inside = None if within is None else {node.id for node in Bench.selection(state, within).walk()}
    for error in state.errors:
        if error.kind is not ErrorKind.MIN or error.owner_type == "category" or error.node_id is None:
            continue
        if inside is not None and error.node_id not in inside:
            continue
        key = (error.node_id, error.constraint_id)
        tried[key] += 1
        entry_id = _choice(library, state, error.node_id, error.name, preferred) if tried[key] < most else None
        if entry_id is not None:
            return error.node_id, entry_id
    return None


def _choice(library: Library, state: RosterState, node_id: str, name: str, preferred: Sequence[str]) -> str | None:
    try:
        found = offers(library, state, node_id=node_id)
    except GameError:
        return None
    named = sorted(
        (group for group in _groups(found) if group.name == name),
        key=lambda group: group.current >= (group.minimum or 0),  # a group linked twice is asked for twice
    )
    groups = [one for group in named for one in flat(group.offers)]
    open_ = [one for one in groups or [one for one in flat(found) if one.name == name] if one.available]
    return next((one.entry_id for one in open_ if one.name in preferred), open_[0].entry_id if open_ else None)


@dataclass
class Frame:
    """A legal list and the detachment that the unit joins.

    Attributes:
        errors: what is wrong with it all the same, by rule, detachment and node.
    """

    roster: Roster
    force_id: str
    facts: Facts
    errors: Counter[tuple[str, str | None, str | None]] = field(default_factory=Counter)


class Bench:
    """Puts rosters together and reads their verdicts, without a database."""

    def __init__(self, library: Library, system: str, points_limit: int, preferred: Sequence[str] = ()) -> None:
        self.library = library
        self.release_id = uuid4()
        keep_library(self.release_id, library)
        self.system = PublishedSystem(id=system, name=system, rule_pack=system, conventions=True)
        self.points_limit = points_limit
        self.preferred = preferred
        self._numbers = count()
        self._seen: RosterState | None = None

    def new_id(self) -> str:
        return f"n{next(self._numbers)}"

    def state(self, roster: Roster) -> RosterState:
        """As a player's list is evaluated: what did not change since the roster seen before is taken from that."""
        if self._seen is None or self._seen.roster is not roster:
            self._seen = evaluate(self.library, roster, self._seen)
        return self._seen

    def force(self, force_entry_id: str, catalogue_id: str, roster: Roster | None = None) -> tuple[Roster, str]:
        """A detachment with the choices its data asks for."""
        roster = roster or self._empty()
        done = edits.add_force(
            self.library, roster, force_entry_id=force_entry_id, catalogue_id=catalogue_id, new_id=self.new_id
        )
        assert done.node_id is not None
        return self.settled(done.roster), done.node_id

    def _empty(self) -> Roster:
        roster = edits.new_roster(self.library, name="Alone", new_id=self.new_id).roster
        points = points_type(self.library.cost_types)
        assert points is not None
        return edits.set_cost_limit(roster, type_id=points, value=self.points_limit).roster

    def offered(self, roster: Roster, node_id: str) -> list[Offer]:
        """What may be taken there."""
        return [one for one in flat(offers(self.library, self.state(roster), node_id=node_id)) if not one.hidden]

    def taken(self, roster: Roster, parent_id: str, entry_id: str) -> tuple[Roster, str]:
        """The roster with one more selection and everything that must be chosen for it."""
        done = edits.select(self.library, roster, parent_id=parent_id, entry_id=entry_id, new_id=self.new_id)
        assert done.node_id is not None
        return self.settled(done.roster, within=done.node_id), done.node_id

    def settled(self, roster: Roster, within: str | None = None) -> Roster:
        """The roster with open choices made: the first offer each, or a preferred one."""
        tried: Counter[tuple[str, str]] = Counter()
        for _ in range(MOST_CHOICES):
            choice = open_choice(self.library, self.state(roster), within, tried, self.preferred, most=MOST_OF_A_KIND)
            if choice is None:
                return roster
            node_id, entry_id = choice
            roster = edits.select(self.library, roster, parent_id=node_id, entry_id=entry_id, new_id=self.new_id).roster
        return roster

    @staticmethod
    def selection(state: RosterState, node_id: str) -> SelectionState:
        return next(node for node in state.all_selections() if node.id == node_id)

    def report(self, roster: Roster, facts: Facts) -> ListReport:
        return report_on(
            ListDocument(roster=roster, facts=dict(facts)),
            system=self.system,
            release_id=self.release_id,
            points_limit=self.points_limit,
            revision=1,
            levels={},
            previous=self.state(roster),
        )

    def errors(self, roster: Roster, facts: Facts, before: Frame | None = None) -> list[ListFinding]:
        """Errors of a roster that the frame before did not have."""
        left = Counter(before.errors) if before is not None else Counter[tuple[str, str | None, str | None]]()
        found = []
        for one in self.report(roster, facts).findings:
            if one.severity is not Severity.ERROR:
                continue
            if left[_key(one)] > 0:
                left[_key(one)] -= 1
            else:
                found.append(one)
        return found

    def framed(self, roster: Roster, force_id: str, facts: Facts) -> Frame:
        """The frame with what is wrong with it."""
        return Frame(roster, force_id, facts, Counter(map(_key, self.errors(roster, facts))))

    def category(self, offer: Offer) -> str:
        """The name of an offer's primary category."""
        return next((one.name for one in self.library.categories if one.id == offer.category_id), "")

    def candidates(
        self, frame: Frame, role_of: Callable[[str], str | None], suits: Callable[[SelectionState], bool]
    ) -> dict[str, list[str]]:
        """Some units for the frame by the role of their primary category, the cheapest first."""
        points = points_type(self.library.cost_types)
        assert points is not None
        found = defaultdict[str, list[tuple[Decimal, str]]](list)
        for offer in self.offered(frame.roster, frame.force_id):
            role = role_of(self.category(offer))
            if role is None or len(found[role]) >= MOST_CANDIDATES:
                continue
            roster, node_id = self.taken(frame.roster, frame.force_id, offer.entry_id)
            unit = self.selection(self.state(roster), node_id)
            if suits(unit):
                found[role].append((unit.total(points), offer.entry_id))
        return {role: [entry_id for _, entry_id in sorted(rows)] for role, rows in found.items()}

    def is_unit(self, frame: Frame, offer: Offer, holds_models: Callable[[SelectionState], bool]) -> bool:
        """Whether an offer is a unit, no choice about the whole list."""
        roster, node_id = frame.roster, next(iter(offer.selection_ids), None)
        if node_id is None:
            roster, node_id = self.taken(roster, frame.force_id, offer.entry_id)
        return holds_models(self.selection(self.state(roster), node_id))

    def fuller(self, frame: Frame, entry_id: str, **facts: str) -> Frame | None:
        """The frame with one unit more; None where that brings an error. A fact "unit" stands for the unit."""
        roster, node_id = self.taken(frame.roster, frame.force_id, entry_id)
        stated = {**frame.facts, **{name: node_id if fact == "unit" else fact for name, fact in facts.items()}}
        return None if self.errors(roster, stated, frame) else self.framed(roster, frame.force_id, stated)

    def because_of(self, entry_id: str, frames: Sequence[Frame], variants: Sequence[Facts]) -> list[ListFinding]:
        """The fewest errors that taking the entry brings to one of the frames.

        Args:
            variants: facts to try; a value of "unit" stands for the new unit.
        """
        fewest: list[ListFinding] | None = None
        for frame in frames:
            try:
                roster, node_id = self.taken(frame.roster, frame.force_id, entry_id)
            except GameError:
                continue
            for variant in variants:
                facts = {**frame.facts, **{name: node_id if fact == "unit" else fact for name, fact in variant.items()}}
                found = self.errors(roster, {name: fact for name, fact in facts.items() if fact is not None}, frame)
                if fewest is None or len(found) < len(fewest):
                    fewest = found
                if not found:
                    return []
        return fewest or []


def _groups(found: Iterable[Offer | OfferGroup]) -> Iterator[OfferGroup]:
    for one in found:
        if isinstance(one, OfferGroup):
            yield one
            yield from _groups(one.offers)


def _key(finding: ListFinding) -> tuple[str, str | None, str | None]:
    return finding.rule, finding.force_id, finding.node_id


@dataclass
class Tally:
    """Units tried, and those with errors by rule."""

    tried: int = 0
    without: int = 0
    reasons: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    def add(self, catalogue: str, name: str, found: Sequence[ListFinding]) -> None:
        self.tried += 1
        self.without += not found
        for one in found:
            self.reasons[one.rule].append(f"{catalogue} | {name} | {one.message.en}")

    def disagrees(self, *, without: int, tried: int, by_rule: Mapping[str, int]) -> bool:
        """Whether it differs from what all units come to; or, of a share, whether a rule objects to more than of all.

        Args:
            without: units without an error, of so many `tried`; by_rule: those with one of each rule.
        """
        if is_whole():
            return (self.without, self.tried, self.units_by_rule) != (without, tried, by_rule)
        more = Counter(self.units_by_rule) - Counter(by_rule)
        return more.total() > 0 or not tried > self.tried >= self.without >= self.tried - sum(by_rule.values()) > 0

    @property
    def units_by_rule(self) -> dict[str, int]:
        """Units with an error of each rule."""
        return {
            rule: len({told.rpartition(" | ")[0] for told in reasons}) for rule, reasons in sorted(self.reasons.items())
        }

    @property
    def told(self) -> str:
        """Every reason, for whoever works on them."""
        lines = [f"{self.without} of {self.tried} units without an error"]
        for rule, reasons in sorted(self.reasons.items(), key=lambda row: -len(row[1])):
            lines += [rule, *(f"    {reason}" for reason in reasons)]
        return "\n".join(lines)
