"""Edits that would settle a finding: each is tried out on a copy of the list before it is offered."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from itertools import islice
from typing import Any

from armybuilder.armylists import edits as e
from armybuilder.armylists.errors import NotFound
from armybuilder.armylists.list_types import ListType, list_type_of
from armybuilder.armylists.models import ArmyList
from armybuilder.armylists.reports import ListFinding, ListReport
from armybuilder.armylists.services import new_id
from armybuilder.armylists.wording import joined
from armybuilder.engine.errors import GameError
from armybuilder.engine.findings import Severity, Text, Verdict
from armybuilder.reference.queries import recorded_levels

MOST_TRIED = 80
"""Candidates looked at for one finding; each costs an evaluation and a check."""

MOST_OFFERED = 4
Candidate = tuple[e.Edit, ...]


@dataclass(frozen=True, slots=True)
class Repair:
    """An edit that settles a finding, and what else it would do.

    Attributes:
        does: what it changes, in the words of the history.
        points: change of the total; None where nothing has a price.
        settled: findings that would be gone, the one asked about among them.
        caused: findings that would be new: no more errors than are settled.
        verdict: of the list after it.
    """

    edits: Candidate
    does: Text
    points: Decimal | None
    settled: tuple[ListFinding, ...]
    caused: tuple[ListFinding, ...]
    verdict: Verdict

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
    """What would settle a finding, the simplest first; one alone is unambiguous.

    What puts another error in its place is offered only where nothing else helps.

    Args:
        report: on the list as it is stored.
    """
    kind = list_type_of(army_list)
    document = kind.read(army_list.document)
    attempt = _Attempt(army_list, report, document)
    candidates = kind.repair_candidates(report, finding, document)
    clean: list[Repair] = []
    exchanges: list[Repair] = []
    for candidate in islice(candidates, MOST_TRIED):
        if any(all(edit in candidate for edit in other.edits) for other in clean):
            continue  # less is enough
        repair = attempt.repair(candidate, finding)
        if repair is None or any(_alike(kind, repair, other) for other in (*clean, *exchanges)):
            continue
        (exchanges if repair.makes_errors else clean).append(repair)
        if len(clean) == MOST_OFFERED:
            break
    return tuple(clean or exchanges[:1])


def _alike(kind: ListType, repair: Repair, other: Repair) -> bool:
    """Whether one of the two says it all."""
    return repair.does == other.does or kind.says_the_same(repair.edits[0], other.edits[0])


class _Attempt:
    """Tries edits on a copy of one list."""

    def __init__(self, army_list: ArmyList, report: ListReport, document: Any) -> None:
        self.army_list = army_list
        self.report = report
        self.document = document
        self.kind = list_type_of(army_list)
        self.levels = recorded_levels(army_list.system_id)

    def repair(self, candidate: Candidate, finding: ListFinding) -> Repair | None:
        """What these edits would do; None when they leave the finding, make an error, or cannot be carried out."""
        draft = self.kind.draft(self.army_list, self.document, self.report.state, new_id)
        try:
            draft.apply(candidate)
        except GameError:
            return None
        if not draft.done:
            return None
        after = self.kind.report_on(
            draft.document,
            system=self.army_list.system,
            release_id=self.army_list.release_id,
            points_limit=draft.points_limit,
            revision=self.report.revision + 1,
            levels=self.levels,
            previous=draft.state or self.report.state,
        )
        settled, caused = _less(self.report.findings, after.findings), _less(after.findings, self.report.findings)
        if finding not in settled or _errors(caused) > _errors(settled):
            return None
        before, total = self.report.points.total, after.points.total
        return Repair(
            edits=candidate,
            does=joined(draft.done),
            points=None if before is None or total is None else Decimal(str(total)) - Decimal(str(before)),
            settled=settled,
            caused=caused,
            verdict=after.verdict,
        )


def _errors(findings: Iterable[ListFinding]) -> int:
    return sum(one.severity is Severity.ERROR for one in findings)


def _less(findings: Iterable[ListFinding], others: Iterable[ListFinding]) -> tuple[ListFinding, ...]:
    """Findings whose rule does not speak about the same thing among the others.

    A sum that is smaller but still too large has another message and is not settled; so only rule and node count,
    once those that say the same as before are out of the way: a chart that lacks HQ and Troops has one rule twice.
    """
    same = Counter((one.rule, one.node_id or one.at, one.message.en) for one in findings)
    same &= Counter((one.rule, one.node_id or one.at, one.message.en) for one in others)
    left = Counter((one.rule, one.node_id or one.at) for one in others)
    for (rule, place, _), often in same.items():
        left[rule, place] -= often
    found = []
    for one in findings:
        if same[one.rule, one.node_id or one.at, one.message.en]:
            same[one.rule, one.node_id or one.at, one.message.en] -= 1
            continue
        key = (one.rule, one.node_id or one.at)
        if left[key]:
            left[key] -= 1
        else:
            found.append(one)
    return tuple(found)
