"""What a stored list can be: each type says how its document is read, edited, judged, compared and repaired.

Everything else about a list (ownership, revisions, links, bin, copies) is the same for all types, and asks the type
where it needs the document. The app of a type registers it when Django starts: `rosters.ROSTERS` by this app,
`heroes.list_type.HEROES` by the one above it, which this app therefore need not know. A type is imported when it is
first asked for, as it needs half of the code, and a command that touches no list needs none of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Protocol

from armybuilder.armylists.models import ArmyList, DocumentKind
from armybuilder.datafiles.models import PublishedSystem

if TYPE_CHECKING:
    from decimal import Decimal
    from uuid import UUID

    from armybuilder.armylists.checking import Levels
    from armybuilder.armylists.edits import Edit
    from armybuilder.armylists.list_sheet import ListSheet
    from armybuilder.armylists.reports import ListFinding, ListReport
    from armybuilder.engine.findings import Text


class ListDraft(Protocol):
    """A document while edits are carried out on it."""

    points_limit: Any
    node_id: Any
    state: Any
    done: list[Text]

    @property
    def document(self) -> Any:
        """What it holds now."""

    def apply(self, edits: Sequence[Edit]) -> None:
        """Carry out all edits, or raise EditRefused or TooLarge."""


@dataclass(frozen=True, slots=True)
class UnitChange:
    """A unit that is in both states, and what is different about it.

    Attributes:
        lines: e.g. "5 → 10 × Legionary", "+ 1 × Power fist", "− 1 × Bolter"; names are the data's.
    """

    node_id: str
    name: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Changes:
    """What two documents of one list differ in.

    Attributes:
        added, removed: names of units and detachments, or of a hero's assets.
        facts: facts and dials that were stated, changed or taken back, in words.
    """

    added: tuple[str, ...]
    removed: tuple[str, ...]
    changed: tuple[UnitChange, ...]
    facts: tuple[Text, ...]


@dataclass(frozen=True, slots=True)
class TextReading:
    """A document that a text tells whole, so that nothing of it is to be looked up.

    Attributes:
        unread: lines that say nothing known, with their numbers; they are in its notes.
    """

    system: PublishedSystem
    document: Any
    name: str
    unread: tuple[tuple[int, str], ...] = ()


class ListType(Protocol):
    """What the services need to know of a type of list.

    Attributes:
        kind: how rows name it.
        document_type: the class of its documents.
        rule_packs: the games whose lists are of this type; rosters are of every game that no other type names.
        follows_releases: whether a list stays with the data release it was made with, until its owner moves it.
    """

    @property
    def kind(self) -> DocumentKind:
        """How rows name it."""

    @property
    def document_type(self) -> type:
        """The class of its documents."""

    @property
    def rule_packs(self) -> frozenset[str]:
        """The games whose lists are of this type."""

    @property
    def follows_releases(self) -> bool:
        """Whether a list is moved from one data release to another."""

    def read(self, text: str) -> Any:
        """The document kept in a row."""

    def parse(self, raw: object) -> Any:
        """Parsed JSON from outside as a document. Raises BadDocument with the pointer to what is wrong."""

    def in_text(self, text: str) -> TextReading | None:
        """The document that a text tells whole; None for texts of other types, and where names are to be looked up."""

    def written(self, document: Any) -> str:
        """The JSON text to keep."""

    def title(self, document: Any) -> str:
        """The name of the list."""

    def renamed(self, document: Any, name: str) -> Any:
        """The same under another name."""

    def check_sizes(self, document: Any) -> None:
        """Refuse what is larger than a list may be. Raises TooLarge."""

    def refusal_of_catalogues(self, system: PublishedSystem) -> Text | None:
        """Why lists of a game do not begin with a catalogue; None where they do."""

    def draft(self, army_list: ArmyList, document: Any, state: Any, new_id: Any) -> ListDraft:
        """Begin to edit."""

    def report_on(
        self,
        document: Any,
        *,
        system: PublishedSystem,
        release_id: UUID,
        points_limit: int | None,
        revision: int,
        levels: Levels,
        previous: Any = None,
    ) -> ListReport:
        """The verdict; `previous` is a state of the same list."""

    def sheet(self, army_list: ArmyList, report: ListReport, document: Any) -> ListSheet:
        """Everything a reader is handed, in his language."""

    def factions(self, report: ListReport) -> Sequence[str]:
        """Whom the list is of, as rows of lists show it."""

    def role_points(self, report: ListReport) -> Sequence[tuple[str, Decimal]]:
        """What the units of each role cost, by the role's name in the data; in the order of the list."""

    def left_to_choose(self, report: ListReport) -> int:
        """How many things are still to be chosen, where nothing else is wrong; otherwise 0."""

    def has_node(self, document: Any, node_id: str | None) -> bool:
        """Whether a node is (still) there."""

    def changes(self, before: Any, after: Any, *, rule_pack: str) -> Changes:
        """What is different in the second of two documents."""

    def repair_candidates(self, report: ListReport, finding: ListFinding, document: Any) -> Iterator[tuple[Edit, ...]]:
        """Edits that may settle a finding, the simplest first; they are still to be tried."""

    def says_the_same(self, first: Edit, second: Edit) -> bool:
        """Whether of two repairs one is enough although they read differently."""


_TYPES: dict[str, Callable[[], ListType]] = {}


def register(kind: DocumentKind, load: Callable[[], ListType]) -> None:
    """Make a type known; its app does so when Django starts. It is loaded once, when it is first asked for."""
    _TYPES[kind.value] = cache(load)


def list_type_of(army_list: ArmyList) -> ListType:
    """The type of a stored list."""
    return _TYPES[army_list.document_kind]()


def list_type_of_document(document: Any) -> ListType:
    """The type of a document."""
    return next(one for one in _all_types() if isinstance(document, one.document_type))


def list_type_of_system(system: PublishedSystem) -> ListType:
    """The type of a game's lists."""
    named = (one for one in _all_types() if system.rule_pack in one.rule_packs)
    return next(named, _TYPES[DocumentKind.ROSTER.value]())


def document_of(raw: object) -> Any:
    """Parsed JSON from outside as a document of the type it is of.

    Raises:
        BadDocument: it is of none, with the pointer to what is wrong.
    """
    is_roster = isinstance(raw, dict) and "roster" in raw
    return _TYPES[(DocumentKind.ROSTER if is_roster else DocumentKind.ARMY).value]().parse(raw)


def told_in_text(text: str) -> TextReading | None:
    """The document of whatever type that a text tells whole. Raises EditRefused for one that no list can have."""
    return next((reading for one in _all_types() if (reading := one.in_text(text)) is not None), None)


def _all_types() -> Iterator[ListType]:
    return (load() for load in _TYPES.values())
