"""What a stored list can be, a roster with facts or a hero: the one place that tells the two apart."""

from collections.abc import Sequence
from typing import Any, Protocol, TypeVar
from uuid import UUID

import msgspec

from armybuilder.armylists import checking, editing, hero_editing, heroes
from armybuilder.armylists.checking import Levels
from armybuilder.armylists.documents import ListDocument, read_document, written
from armybuilder.armylists.edits import Edit
from armybuilder.armylists.models import ArmyList, DocumentKind
from armybuilder.armylists.reports import ListReport
from armybuilder.armylists.validation import shaped
from armybuilder.datafiles.models import PublishedSystem
from armybuilder.datafiles.parsing import library_of
from armybuilder.engine.documents import without_extensions
from armybuilder.engine.findings import Text
from armybuilder.engine.systems.relic.hero import Loadout

StoredDocument = ListDocument | Loadout
D = TypeVar("D", ListDocument, Loadout)


class Draft(Protocol):
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


class ListType(Protocol[D]):
    """What services need to know about a kind of document."""

    name: DocumentKind

    def read(self, text: str) -> D:
        """The document kept in a row."""

    def written(self, document: D) -> str:
        """The JSON text to keep."""

    def title(self, document: D) -> str:
        """The name of the list."""

    def renamed(self, document: D, name: str) -> D:
        """The same under another name."""

    def check_sizes(self, document: D) -> None:
        """Refuse what is larger than a list may be. Raises TooLarge."""

    def draft(self, army_list: ArmyList, document: D, state: Any, new_id: Any) -> Draft:
        """Begin to edit."""

    def report_on(
        self,
        document: D,
        *,
        system: PublishedSystem,
        release_id: UUID,
        points_limit: int | None,
        revision: int,
        levels: Levels,
        previous: Any = None,
    ) -> ListReport:
        """The verdict; `previous` is a state of the same list."""

    def factions(self, report: ListReport) -> Sequence[str]:
        """Whom the list is of, as rows of lists show it."""

    def has_node(self, document: D, node_id: str | None) -> bool:
        """Whether a node is (still) there."""


class _Rosters:
    """Lists built from game data."""

    name = DocumentKind.ROSTER
    read = staticmethod(read_document)
    written = staticmethod(written)
    check_sizes = staticmethod(editing.check_sizes)
    report_on = staticmethod(checking.report_on)

    def title(self, document: ListDocument) -> str:
        return document.roster.name

    def renamed(self, document: ListDocument, name: str) -> ListDocument:
        return msgspec.structs.replace(document, roster=msgspec.structs.replace(document.roster, name=name))

    def draft(self, army_list: ArmyList, document: ListDocument, state: Any, new_id: Any) -> Draft:
        return editing.Draft(
            library=library_of(army_list.release_id),
            rule_pack=army_list.system.rule_pack,
            document=document,
            points_limit=army_list.points_limit,
            new_id=new_id,
            state=state,
        )

    def factions(self, report: ListReport) -> Sequence[str]:
        return tuple(dict.fromkeys(force.catalogue_name for force in report.state.all_forces()))

    def has_node(self, document: ListDocument, node_id: str | None) -> bool:
        return node_id in document.places


class _Heroes:
    """Heroes of Relic: the stored document is the army document."""

    name = DocumentKind.ARMY
    read = staticmethod(heroes.read_hero)
    written = staticmethod(heroes.written_hero)
    check_sizes = staticmethod(hero_editing.check_hero_sizes)

    def title(self, document: Loadout) -> str:
        return document.name or ""

    def renamed(self, document: Loadout, name: str) -> Loadout:
        return msgspec.structs.replace(document, name=name)

    def draft(self, army_list: ArmyList, document: Loadout, state: Any, new_id: Any) -> Draft:
        return hero_editing.HeroDraft(document)

    def report_on(
        self,
        document: Loadout,
        *,
        system: PublishedSystem,
        release_id: UUID,
        points_limit: int | None,
        revision: int,
        levels: Levels,
        previous: Any = None,
    ) -> ListReport:
        return heroes.report_on_hero(document, system=system, revision=revision, levels=levels)

    def factions(self, report: ListReport) -> Sequence[str]:
        character = report.army.hero.character
        return (character.name,) if character is not None and character.name else ()

    def has_node(self, document: Loadout, node_id: str | None) -> bool:
        return False


ROSTERS: ListType[ListDocument] = _Rosters()
HEROES: ListType[Loadout] = _Heroes()


def list_type_of(army_list: ArmyList) -> ListType[Any]:
    """The kind of a stored list."""
    return HEROES if army_list.document_kind == DocumentKind.ARMY else ROSTERS


def kind_of_document(document: StoredDocument) -> ListType[Any]:
    """The kind of a document."""
    return HEROES if isinstance(document, Loadout) else ROSTERS


def document_of(raw: object) -> StoredDocument:
    """Parsed JSON from outside as a document of either kind.

    Raises:
        BadDocument: it is neither, with the pointer to what is wrong.
    """
    if isinstance(raw, dict) and "roster" in raw:
        return shaped(raw, ListDocument)
    return heroes.parse_hero(without_extensions(raw))


def builds_heroes(system: PublishedSystem) -> bool:
    """Whether lists of a game are heroes."""
    return system.rule_pack == heroes.SYSTEM
