"""Rosters as a type of list: built from game data, with facts that the data does not hold."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any

import msgspec

from armybuilder.armylists import checking, documents, editing, sizes
from armybuilder.armylists.documents import ListDocument
from armybuilder.armylists.edits import Edit
from armybuilder.armylists.list_types import ListDraft, TextReading
from armybuilder.armylists.models import ArmyList, DocumentKind
from armybuilder.armylists.open_choices import lacks_only
from armybuilder.armylists.reports import ListFinding, ListReport
from armybuilder.armylists.roster_changes import changes_between
from armybuilder.armylists.roster_repairs import roster_candidates
from armybuilder.armylists.roster_sheet import roster_sheet
from armybuilder.armylists.validation import shaped
from armybuilder.datafiles.models import PublishedSystem
from armybuilder.datafiles.parsing import library_of
from armybuilder.engine.findings import Severity, Text


class RosterLists:
    """Lists built from game data."""

    kind = DocumentKind.ROSTER
    document_type = ListDocument
    rule_packs: frozenset[str] = frozenset()
    follows_releases = True
    read = staticmethod(documents.read_document)
    written = staticmethod(documents.written)
    check_sizes = staticmethod(sizes.check_sizes)
    report_on = staticmethod(checking.report_on)
    changes = staticmethod(changes_between)
    sheet = staticmethod(roster_sheet)

    def parse(self, raw: object) -> ListDocument:
        """Roster and facts as an object."""
        return shaped(raw, ListDocument)

    def in_text(self, text: str) -> TextReading | None:
        """None: the names in a text are looked up one by one (`imports.review`)."""
        return None

    def title(self, document: ListDocument) -> str:
        """The roster's name."""
        return document.roster.name

    def renamed(self, document: ListDocument, name: str) -> ListDocument:
        """The same roster under another name."""
        return msgspec.structs.replace(document, roster=msgspec.structs.replace(document.roster, name=name))

    def refusal_of_catalogues(self, system: PublishedSystem) -> Text | None:
        """None: every roster begins with a catalogue."""
        return None

    def draft(self, army_list: ArmyList, document: ListDocument, state: Any, new_id: Any) -> ListDraft:
        """A draft on the list's own data release."""
        return editing.Draft(
            library=library_of(army_list.release_id),
            rule_pack=army_list.system.rule_pack,
            document=document,
            points_limit=army_list.points_limit,
            new_id=new_id,
            state=state,
        )

    def factions(self, report: ListReport) -> Sequence[str]:
        """The catalogues of its detachments."""
        return tuple(dict.fromkeys(force.catalogue_name for force in report.state.all_forces()))

    def role_points(self, report: ListReport) -> Sequence[tuple[str, Decimal]]:
        """The points of every role that has any, detachments together."""
        return checking.points_by_role(report)

    def left_to_choose(self, report: ListReport) -> int:
        """Compulsory units and choices, and what else an army has to state."""
        return report.count(Severity.ERROR) if lacks_only(report) else 0

    def has_node(self, document: ListDocument, node_id: str | None) -> bool:
        """Whether a force, a selection or one of the owner's own units has this id."""
        return node_id in document.places or node_id in (document.facts.get(documents.OWN_UNITS) or {})

    def repair_candidates(
        self, report: ListReport, finding: ListFinding, document: ListDocument
    ) -> Iterator[tuple[Edit, ...]]:
        """Units, options, facts and limits changed one at a time."""
        return roster_candidates(report, finding, document)

    def says_the_same(self, first: Edit, second: Edit) -> bool:
        """Never: other words are another deed."""
        return False


ROSTERS = RosterLists()
