"""Edits that would settle a finding: each is tried out on a copy of the list before it is offered."""

from collections import Counter
from collections.abc import Iterable, Iterator, Set
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from itertools import islice
from time import thread_time
from typing import Any, cast

from django.conf import settings

from armybuilder.armylists import edits as e
from armybuilder.armylists.errors import NotFound, RepairsBusy
from armybuilder.armylists.list_types import ListDraft, ListType, list_type_of
from armybuilder.armylists.models import ArmyList
from armybuilder.armylists.open_choices import open_choices
from armybuilder.armylists.reports import ListFinding, ListReport
from armybuilder.armylists.services import new_id
from armybuilder.armylists.wording import joined, told_once
from armybuilder.engine.errors import GameError
from armybuilder.engine.findings import Severity, Text, Verdict
from armybuilder.engine.roster.state import RosterState
from armybuilder.held_threads import ALL, HeldThreads
from armybuilder.reference.queries import recorded_levels
from armybuilder.shelf import Shelf

MOST_TRIED = 80
"""Candidates looked at for one finding; each costs an evaluation and a check."""

MOST_OFFERED = 4
MOST_FIRST_STEPS, MOST_SECOND_STEPS = 3, 20
"""First steps that another one follows, and second steps that are tried after each."""

MOST_TRIED_IN_ALL = 200
"""Candidates tried to settle everything; more would keep a player waiting."""

LONGEST_SECONDS = 6.0
"""Of a processor, for all that is tried: of a list that is far too large each try takes a tenth of a second."""

Candidate = tuple[e.Edit, ...]


PLACES = HeldThreads(settings.WEB_THREADS // 2, within=ALL)
"""A page asks for one thing at a time; who asks for eight at once gets no more threads than these."""

LISTS = 1_000
"""Lists of which a process remembers the last state that somebody asked about."""
_asked_of: Shelf[int] = Shelf(LISTS)


@dataclass(frozen=True, slots=True)
class Repair:
    """An edit that settles a finding, and what else it would do.

    Attributes:
        does: what it changes, in the words of the history.
        points: change of the total; None where nothing has a price.
        settled: findings that would be gone, the one asked about among them.
        caused: findings that would be new: no more errors than are settled.
        verdict: of the list after it; `unchecked` parts are not covered by it.
        errors_left: how many errors it then has; of them `choices_left` only say that something is still to be chosen
            in a unit.
        left_to_choose: how many errors, where none says more than what the list lacks; else 0.
        leaves_the_rest: whether errors that stay say what they said, so that no sum is further over its limit.
        state: the roster after it; None of a list without one.
    """

    edits: Candidate
    does: Text
    points: Decimal | None
    settled: tuple[ListFinding, ...]
    caused: tuple[ListFinding, ...]
    verdict: Verdict
    unchecked: int
    errors_left: int
    choices_left: int
    left_to_choose: int
    leaves_the_rest: bool
    state: RosterState | None

    @property
    def gains(self) -> bool:
        """Whether it leads on: it settles more errors than it makes, so that the next repair cannot lead back.

        A detachment leads on although it asks for its leader: only what takes away would lead back from it.
        """
        opens = any(isinstance(edit, e.AddDetachment) for edit in self.edits)
        return opens or _errors(self.settled) > _errors(self.caused)

    @property
    def takes_away(self) -> bool:
        """Whether something goes that the player has taken: offered last, whatever it settles on the way."""
        return any(isinstance(edit, e.Remove) for edit in self.edits)

    @property
    def states_facts(self) -> bool:
        """Whether it only says what the game data does not: who leads the army, how a unit starts."""
        return all(isinstance(edit, e.SetFacts | e.SetUnitFacts | e.SetWarlord) for edit in self.edits)

    @property
    def makes_errors(self) -> bool:
        """Whether it puts another error in the place of the one it settles: a warlord who has no trait yet."""
        return _errors(self.caused) > 0


def finding_of(report: ListReport, *, rule: str, at: str | None, says: str = "") -> ListFinding:
    """The finding of a rule about a place. Raises NotFound when the list has none (any more).

    Args:
        says: its English message, where the rule says more than one thing about the place; else the first is meant.
    """
    found = [one for one in report.findings if one.rule == rule and (one.at or None) == (at or None)]
    if not found:
        raise NotFound(f"The list has no finding {rule} there (any more).")
    return next((one for one in found if one.message.en == says), found[0])


def repairs_of(army_list: ArmyList, report: ListReport, finding: ListFinding) -> tuple[Repair, ...]:
    """What would settle a finding, ranked by the errors that remain, then the simplest; what takes away comes last.

    What puts another error in its place is offered only where nothing else helps, or nothing but a second step that
    changes other errors: an army over its points is not mended by one more formation.

    Args:
        report: on the list as it is stored.

    Raises:
        RepairsBusy: those of too many lists are being tried out.
    """
    with _place(army_list):
        return _Attempt(army_list, report).repairs(finding)


def repair_of_everything(army_list: ArmyList, report: ListReport) -> Repair | None:
    """Change after change, each with fewer errors than before, until none is left or none more can be settled.

    Nothing agreed on is touched (the points limit), and nothing is taken away while something else helps.

    Returns:
        All of them as one; None where nothing at all can be settled.

    Raises:
        RepairsBusy: those of too many lists are being tried out.
    """
    with _place(army_list):
        attempt = _Attempt(army_list, report)
        found: tuple[Candidate, ListDraft, ListReport] | None = None
        for step in attempt.steps():
            found = step
        for step in attempt.last_steps(found):
            found = step
        return None if found is None else attempt.outcome(*attempt.without_needless(found))


def _alike(kind: ListType, repair: Repair, other: Repair) -> bool:
    """Whether one of the two says it all."""
    return repair.does == other.does or kind.says_the_same(repair.edits[0], other.edits[0])


@contextmanager
def _place(army_list: ArmyList) -> Iterator[None]:
    """A thread for a list; what was asked of its earlier states is given up, as edits come faster than repairs."""
    if not _is_past(army_list):
        _asked_of.keep(army_list.pk, army_list.revision, 1)
    with PLACES.one() as has_one:
        if not has_one:
            raise RepairsBusy
        yield


def _is_past(army_list: ArmyList) -> bool:
    """Whether somebody has asked about a later state of the list since."""
    return (_asked_of.get(army_list.pk) or 0) > army_list.revision


class _Attempt:
    """Tries edits on a copy of one list."""

    def __init__(
        self, army_list: ArmyList, report: ListReport, document: Any = None, until: float | None = None
    ) -> None:
        self.army_list = army_list
        self.report = report
        self.kind = list_type_of(army_list)
        self.document = self.kind.read(army_list.document) if document is None else document
        self.levels = recorded_levels(army_list.system.home_id)
        self.until = thread_time() + LONGEST_SECONDS if until is None else until

    def repairs(self, finding: ListFinding) -> tuple[Repair, ...]:
        """What `repairs_of` promises."""
        clean: list[Repair] = []
        exchanges: list[Repair] = []
        for candidate in islice(self.kind.repair_candidates(self.report, finding, self.document), MOST_TRIED):
            if any(all(edit in candidate for edit in other.edits) for other in clean):
                continue  # less is enough
            repair = self.repair(candidate, finding)
            if repair is None or any(_alike(self.kind, repair, other) for other in (*clean, *exchanges)):
                continue
            (exchanges if repair.makes_errors else clean).append(repair)
            if len(clean) == MOST_OFFERED:
                break
        if not clean:
            pairs = list(islice(self.second_steps(exchanges, finding), MOST_OFFERED))
            gaining = [repair for repair in exchanges if repair.gains][:1]
            clean = [repair for repair in pairs if repair.leaves_the_rest and not repair.takes_away] or gaining or pairs
        clean.sort(key=lambda repair: (repair.takes_away, repair.errors_left))
        return tuple(clean)

    def repair(self, candidate: Candidate, finding: ListFinding) -> Repair | None:
        """What these edits would do; None when they leave the finding, make an error, or cannot be carried out."""
        tried = self._tried(candidate)
        if tried is None:
            return None
        repair = self.outcome(candidate, *tried)
        if finding not in repair.settled or _errors(repair.caused) > _errors(repair.settled):
            return None
        return repair

    def outcome(self, candidate: Candidate, draft: ListDraft, after: ListReport) -> Repair:
        """What edits have led to."""
        settled, caused = _less(self.report.findings, after.findings), _less(after.findings, self.report.findings)
        before, total = self.report.points.total, after.points.total
        return Repair(
            edits=candidate,
            does=joined(told_once(draft.done)),
            points=None if before is None or total is None else Decimal(str(total)) - Decimal(str(before)),
            settled=settled,
            caused=caused,
            verdict=after.verdict,
            unchecked=len(after.unchecked),
            errors_left=_errors(after.findings),
            choices_left=len(open_choices(after)),
            left_to_choose=self.kind.left_to_choose(after),
            leaves_the_rest=_errors(after.findings) == _errors(caused) + _repeated(after, self.report),
            state=after.state,
        )

    def second_steps(self, firsts: Iterable[Repair], finding: ListFinding) -> Iterator[Repair]:
        """Repairs of two steps: the second settles what the first puts in the place of the finding."""
        for first in islice(firsts, MOST_FIRST_STEPS):
            tried = self._tried(first.edits)
            fault = next((one for one in first.caused if one.severity is Severity.ERROR), None)
            if tried is None or fault is None:
                continue
            draft, after = tried
            found: list[Repair] = []
            for second in islice(self.kind.repair_candidates(after, fault, draft.document), MOST_SECOND_STEPS):
                repair = self.repair((*first.edits, *second), finding)
                if repair is not None and not repair.makes_errors:
                    found.append(repair)
                    if repair.leaves_the_rest:
                        break
            yield from found[-1:] if found and found[-1].leaves_the_rest else found[:1]

    def steps(self) -> Iterator[tuple[Candidate, ListDraft, ListReport]]:
        """All changes so far and what they lead to, each time with one more that leaves fewer errors."""
        edits, document, report, tries = cast(Candidate, ()), self.document, self.report, MOST_TRIED_IN_ALL
        for may_take_away in (False, True):
            barren: set[tuple[str, str | None, str]] = set()
            while (fault := _first_error(report, barren)) is not None:
                best: tuple[Candidate, ListDraft, ListReport] | None = None
                for candidate in islice(self.kind.repair_candidates(report, fault, document), MOST_TRIED):
                    if not _is_asked(candidate, may_take_away=may_take_away):
                        continue
                    tried = self._tried((*edits, *candidate)) if tries else None
                    tries -= tries > 0
                    if tried is None or _errors(tried[1].findings) >= _errors((best[2] if best else report).findings):
                        continue
                    best = ((*edits, *candidate), *tried)
                    if not _errors(_less(tried[1].findings, report.findings)):
                        break
                if best is None:
                    barren.add(_identity(fault))
                else:
                    edits, document, report = best[0], best[1].document, best[2]
                    yield best

    def last_steps(
        self, so_far: tuple[Candidate, ListDraft, ListReport] | None
    ) -> Iterator[tuple[Candidate, ListDraft, ListReport]]:
        """What is left once single changes help no more: pairs, the second for what the first makes; and again."""
        edits: Candidate = ()
        rest: _Attempt | None = self
        if so_far is not None:
            edits = so_far[0]
            rest = _Attempt(self.army_list, so_far[2], so_far[1].document, self.until)
        while rest is not None:
            faults = [one for one in rest.report.findings if one.severity is Severity.ERROR]
            step = next(
                filter(None, (self._last_step(rest, fault, edits) for fault in faults[:MOST_FIRST_STEPS])), None
            )
            rest = None
            if step is not None:
                yield step
                edits = step[0]
                rest = _Attempt(self.army_list, step[2], step[1].document, self.until)

    def without_needless(
        self, found: tuple[Candidate, ListDraft, ListReport]
    ) -> tuple[Candidate, ListDraft, ListReport]:
        """The same without changes that lead nowhere: a lore for a wizard whom a later step takes away."""
        edits, _, after = found
        kept = [edit for edit in edits if isinstance(edit, e.Remove)]
        for edit in edits if kept else ():
            fewer = tuple(one for one in found[0] if one is not edit)
            tried = None if edit in kept else self._tried(fewer)
            if tried is not None and _errors(tried[1].findings) <= _errors(after.findings):
                found = (fewer, *tried)
        return found

    def _last_step(
        self, rest: "_Attempt", fault: ListFinding, edits: Candidate
    ) -> tuple[Candidate, ListDraft, ListReport] | None:
        found = next((one for one in rest.repairs(fault) if not _changes_the_agreed(one.edits)), None)
        if found is None or not found.gains:
            return None
        tried = self._tried((*edits, *found.edits))
        return None if tried is None else ((*edits, *found.edits), *tried)

    def _tried(self, candidate: Candidate) -> tuple[ListDraft, ListReport] | None:
        """The list with these edits and what is said of it.

        None when they cannot be carried out or change nothing, or when enough was tried, or the list has changed.
        """
        if thread_time() > self.until or _is_past(self.army_list):
            return None
        draft = self.kind.draft(self.army_list, self.document, self.report.state, new_id)
        try:
            draft.apply(candidate)
        except GameError:
            return None
        if not draft.done:
            return None
        return draft, self.kind.report_on(
            draft.document,
            system=self.army_list.system,
            release_id=self.army_list.release_id,
            points_limit=draft.points_limit,
            revision=self.report.revision + 1,
            levels=self.levels,
            previous=draft.state or self.report.state,
        )


def _first_error(report: ListReport, passed: Set[tuple[str, str | None, str]]) -> ListFinding | None:
    """The first error that was not passed over yet."""
    errors = (one for one in report.findings if one.severity is Severity.ERROR)
    return next((one for one in errors if _identity(one) not in passed), None)


def _identity(finding: ListFinding) -> tuple[str, str | None, str]:
    return finding.rule, finding.node_id or finding.at, finding.message.en


def _is_asked(candidate: Candidate, *, may_take_away: bool) -> bool:
    """Whether a change may be one of many: what takes away only in its turn, what was agreed on never."""
    takes_away = any(isinstance(edit, e.Remove) for edit in candidate)
    return takes_away is may_take_away and not _changes_the_agreed(candidate)


def _changes_the_agreed(candidate: Candidate) -> bool:
    """Whether the size of the game is another one, which two players have agreed on."""
    return any(isinstance(edit, e.SetPointsLimit) for edit in candidate)


def _errors(findings: Iterable[ListFinding]) -> int:
    return sum(one.severity is Severity.ERROR for one in findings)


def _repeated(report: ListReport, other: ListReport) -> int:
    """How many errors the other report has in the same words about the same thing."""
    counts = (
        Counter(_identity(one) for one in found if one.severity is Severity.ERROR)
        for found in (report.findings, other.findings)
    )
    return (next(counts) & next(counts)).total()


def _less(findings: Iterable[ListFinding], others: Iterable[ListFinding]) -> tuple[ListFinding, ...]:
    """Findings whose rule does not speak about the same thing among the others.

    A sum that is smaller but still too large has another message and is not settled; so only rule and node count,
    once those that say the same as before are out of the way: a chart that lacks HQ and Troops has one rule twice.
    """
    same = Counter(_identity(one) for one in findings)
    same &= Counter(_identity(one) for one in others)
    left = Counter((one.rule, one.node_id or one.at) for one in others)
    for (rule, place, _), often in same.items():
        left[rule, place] -= often
    found = []
    for one in findings:
        if same[_identity(one)]:
            same[_identity(one)] -= 1
            continue
        key = (one.rule, one.node_id or one.at)
        if left[key]:
            left[key] -= 1
        else:
            found.append(one)
    return tuple(found)
