"""What reading a roster is to every game: which cost counts as points, and saying what was not recognised (BS-05)."""

from collections.abc import Callable
from decimal import Decimal

from armybuilder.engine.findings import Finding, Origin, Severity, Text
from armybuilder.engine.roster.model import pointers
from armybuilder.engine.roster.state import RosterState

Unrecognised = Callable[[str, str, str], None]
"""Told what was not recognised: node id, and a sentence in English and in Russian."""


class Notes:
    """What of a roster was not recognised, each once for the same words about the same node."""

    def __init__(self, state: RosterState) -> None:
        self._at = pointers(state.roster)
        self._findings: dict[Finding, None] = {}

    def unrecognised(self, node_id: str, en: str, ru: str) -> None:
        """Record a BS-05 that points at the node."""
        found = Finding(
            rule="BS-05",
            severity=Severity.WARNING,
            message=Text(en=en, ru=ru),
            at=self._at.get(node_id),
            source="",
            origin=Origin.DATA,
        )
        self._findings[found] = None

    @property
    def findings(self) -> tuple[Finding, ...]:
        """In the order they were found."""
        return tuple(self._findings)


def points_type(state: RosterState) -> str | None:
    """The cost type that counts as points; None while nothing has a price and no limit names one."""
    for cost in (*state.costs, *state.cost_limits):
        if cost.name.strip().casefold().rstrip(".") in ("pts", "points", "очки"):
            return cost.type_id
    return next((cost.type_id for cost in (*state.costs, *state.cost_limits) if not cost.hidden), None)


def plain_number(value: Decimal) -> int | float:
    """Points as a document writes them: a whole number where it is one."""
    return int(value) if value == value.to_integral_value() else float(value)
