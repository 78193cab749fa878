"""What the services answer: the report on a list, and the result of an edit."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from armybuilder.engine.findings import Finding, Points, Severity, Text, Verdict

if TYPE_CHECKING:
    from armybuilder.armylists.models import ArmyList
    from armybuilder.engine.gamedata.links import Library
    from armybuilder.engine.roster.state import RosterError, RosterState


class ListFinding(Finding, frozen=True, kw_only=True):
    """A finding about a stored list.

    Attributes:
        at: JSON pointer into the stored document ("/roster/forces/0/selections/2", "/facts/allegiance").
        node_id: the force or selection it speaks of; None for the whole list.
        node_name: its name as the player sees it.
        unit_id, force_id: the unit and the detachment the node stands in, so that a page can open them.
    """

    node_id: str | None = None
    node_name: str | None = None
    unit_id: str | None = None
    force_id: str | None = None


class UncheckedPart(msgspec.Struct, frozen=True):
    """Something the verdict does not cover.

    Attributes:
        code: no-rule-pack, alliance, entry, own-points, own-unit or construct.
        node_id: the force or selection concerned, if it is one.
    """

    code: str
    text: Text
    node_id: str | None = None


class ListReport(msgspec.Struct, frozen=True, kw_only=True):
    """Everything known about a stored list at one revision.

    Attributes:
        legal: by the data's own limits alone where no rule pack reads the list; None where the pack cannot say.
        unchecked: a legal list with any is "legal, with parts not checked".
        findings: the rulebook's first, then the data's; each in the order of its rules.
        state: the evaluated roster, for rendering. None for an army document.
        objections: of the data, each error of the state with the finding made of it, answered by the rulebook or not.
        army: the army document the rulebook checked; None without a pack.
        places: pointer into `army` -> node id of the roster.
        facts: what the list states besides its roster, as plain values by name.
        alliances: by the node id of each allied detachment, the key of its level with the primary one; empty where
            nobody recorded it.
    """

    system: str
    rule_pack: str | None
    revision: int
    verdict: Verdict
    legal: bool | None
    unchecked: tuple[UncheckedPart, ...]
    points: Points
    findings: tuple[ListFinding, ...]
    state: "RosterState | Any"
    objections: "tuple[tuple[RosterError, ListFinding], ...]" = ()
    library: "Library | Any"
    army: Any
    places: Mapping[str, str]
    facts: Mapping[str, Any]
    alliances: Mapping[str, str] = {}

    def count(self, severity: Severity) -> int:
        """Findings of one severity."""
        return sum(finding.severity is severity for finding in self.findings)

    def about(self, node_id: str) -> tuple[ListFinding, ...]:
        """Findings about one node itself."""
        return tuple(finding for finding in self.findings if finding.node_id == node_id)


class EditResult(msgspec.Struct, frozen=True, kw_only=True):
    """What an edit, undo or redo led to.

    Attributes:
        node_id: the node the (last) edit made or touched; None when it concerned the whole list or is gone.
        summary: of the new revision; None when nothing had to change.
    """

    army_list: "ArmyList | Any"
    report: ListReport
    node_id: str | None
    summary: Text | None
