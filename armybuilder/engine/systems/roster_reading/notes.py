"""What of a roster was not recognised, as findings BS-05."""

from collections.abc import Callable

from armybuilder.engine.findings import Finding, Origin, Severity, Text
from armybuilder.engine.roster.model import pointers
from armybuilder.engine.roster.state import RosterState, SelectionState

Unrecognised = Callable[[str, str, str], None]
"""Told what was not recognised: node id, and a sentence in English and in Russian."""


def ignored(node_id: str, en: str, ru: str) -> None:
    """Tells nobody: the army document of a roster has told it already."""


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


def say_missing(node: SelectionState, unrecognised: Unrecognised) -> None:
    """Say that a selection's entry is gone from the game data, if it is."""
    if node.missing:
        unrecognised(
            node.id,
            f"{node.shown_name}: the game data has no such entry any more.",
            f"«{node.shown_name}»: в данных игры такой статьи больше нет.",
        )
