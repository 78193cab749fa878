"""Why an entry is hidden, greyed or full in a stored list, and what stands behind each objection of its data."""

from dataclasses import dataclass
from itertools import count
from math import ceil
from typing import Final

from armybuilder.armylists.errors import NotFound
from armybuilder.armylists.plain_reasons import allowed_with
from armybuilder.armylists.reports import ListReport
from armybuilder.engine.findings import Finding, Text
from armybuilder.engine.gamedata.links import Library
from armybuilder.engine.roster.data_findings import data_findings
from armybuilder.engine.roster.edits import UnknownNode
from armybuilder.engine.roster.explain import Explanation, Reason, Repair, explain_error, why
from armybuilder.engine.roster.state import ErrorKind, RosterError, RosterState

MOST_EXPLAINED: Final = 40
"""Objections of one list that say what would allow what they object to."""


@dataclass(frozen=True, slots=True)
class ErrorExplanation:
    """The chain behind one objection of the data.

    Attributes:
        at: JSON pointer into the stored document; None for the whole list.
    """

    rule: str
    message: Text
    at: str | None
    node_id: str | None
    explanation: Explanation


def explanation_of(report: ListReport, *, node_id: str, entry_id: str) -> Explanation:
    """Why an entry or group under a detachment or selection stands as it does.

    Raises:
        NotFound: the list has no such node, or nothing of that id is offered there.
    """
    if report.state is None:
        raise NotFound("This list is no roster; there is nothing to explain.")
    try:
        return why(report.library, report.state, node_id=node_id, entry_id=entry_id)
    except UnknownNode as unknown:
        raise NotFound(str(unknown)) from unknown


def objections(library: Library, state: RosterState) -> tuple[tuple[RosterError, Finding], ...]:
    """What the data objects to, with the findings made of it.

    The first MOST_EXPLAINED that can be allowed say what would allow them: each takes milliseconds, and a file with
    every forbidden unit of a large data set would hold its reader for seconds.
    """
    numbers = count(1)

    def allowed(error: RosterError) -> Text | None:
        if next(numbers) > MOST_EXPLAINED:
            return None
        found = explain_error(library, state, error)
        return allowed_with(found, error.constraint_id) if found is not None else None

    return tuple(zip(state.errors, data_findings(state, allowed), strict=True))


def explanations_of_errors(report: ListReport) -> tuple[ErrorExplanation, ...]:
    """What stands behind every objection of the data, in their order.

    Of the first MOST_EXPLAINED the whole chain, of the others the limit itself: see `objections`.
    """
    return tuple(
        ErrorExplanation(
            rule=finding.rule,
            message=finding.message,
            at=finding.at,
            node_id=error.node_id,
            explanation=explanation_behind(report, error, finding.message)
            if number < MOST_EXPLAINED
            else _in_short(error, finding.message),
        )
        for number, (error, finding) in enumerate(report.objections)
    )


def explanation_behind(report: ListReport, error: RosterError, message: Text) -> Explanation:
    """The chain behind one of the report's objections; where the data knows none, the limit itself in those words."""
    return explain_error(report.library, report.state, error) or _in_short(error, message)


def _in_short(error: RosterError, message: Text) -> Explanation:
    """The limit itself as the reason: of a slot of a detachment, or of the whole list."""
    gap = 0
    if error.current is not None and error.limit is not None:
        gap = ceil(abs(error.current - error.limit))
    words = {
        ErrorKind.MIN: ("add", f"Add {gap} × {error.name}.", f"Добавьте {gap} × {error.name}."),
        ErrorKind.MAX: ("remove", f"Remove {gap} × {error.name}.", f"Уберите {gap} × {error.name}."),
        ErrorKind.LIMIT: (
            "raise_limit",
            f"Raise the limit by {gap} {error.name}, or remove as much.",
            f"Поднимите предел на {gap} {error.name} или уберите столько же.",
        ),
        ErrorKind.HIDDEN: ("remove", f"Remove {error.name}.", f"Уберите {error.name}."),
        ErrorKind.MISSING: ("remove", f"Remove {error.name}.", f"Уберите {error.name}."),
    }.get(error.kind)
    repairs: tuple[Repair, ...] = ()
    if words is not None:
        action, en, ru = words
        repairs = (Repair(action=action, text=Text(en=en, ru=ru), node_id=error.node_id, count=max(1, gap)),)
    kind = {ErrorKind.MIN: "minimum", ErrorKind.HIDDEN: "hidden"}.get(error.kind, "maximum")
    return Explanation(
        entry_id=error.entry_id,
        name=error.name,
        blocked=error.kind is not ErrorKind.MIN,
        reasons=(Reason(kind=kind, text=message, holds=True, id=error.constraint_id or None),),
        repairs=repairs,
    )
