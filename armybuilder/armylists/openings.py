"""Where a published unit can be added: the viewer's lists with a detachment that takes it, and adding it there."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from uuid import UUID

from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import queries, services
from armybuilder.armylists.copying import MOST_LISTS
from armybuilder.armylists.documents import display_name, read_document
from armybuilder.armylists.edits import AddUnit
from armybuilder.armylists.errors import EditRefused
from armybuilder.armylists.models import ArmyList, DocumentKind
from armybuilder.armylists.reports import EditResult
from armybuilder.datafiles.parsing import library_of
from armybuilder.engine.findings import Text
from armybuilder.engine.gamedata.links import Library, UnknownId
from armybuilder.engine.roster.model import Force
from armybuilder.reference.models import UnitEntry
from armybuilder.reference.reverse_search import takers


@dataclass(frozen=True, slots=True)
class Opening:
    """A detachment that takes the unit.

    Attributes:
        entry_id: path of the unit there: other army lists sell the same unit by another.
    """

    force_id: str
    name: str
    entry_id: str


@dataclass(frozen=True, slots=True)
class ListWithOpenings:
    """A list with detachments that take the unit, at least one."""

    army_list: ArmyList
    openings: tuple[Opening, ...]


def open_lists(viewer: Viewer, unit: UnitEntry) -> tuple[ListWithOpenings, ...]:
    """The viewer's lists of the unit's data set that can take it, the newest first."""
    entries = _entries(unit)
    lists = queries.on_the_shelf(queries.army_lists_of_system(viewer, unit.faction.system_id), is_archived=False)
    found = (
        ListWithOpenings(army_list, tuple(_openings(army_list, entries)))
        for army_list in lists.filter(document_kind=DocumentKind.ROSTER).defer(None)[:MOST_LISTS]
    )
    return tuple(one for one in found if one.openings)


def add_published_unit(viewer: Viewer, unit: UnitEntry, *, to_list_id: UUID, force_id: str | None = None) -> EditResult:
    """Add a unit, as it comes, to one of the viewer's lists by the ordinary edit.

    Args:
        force_id: the detachment; None for the first that takes it.

    Raises:
        NotFound: no such list, or not the viewer's own.
        EditRefused: the list has no such detachment.
        RevisionConflict: the list was changed meanwhile.
        TooLarge: it would become larger than allowed.
    """
    row = queries.own_army_list(to_list_id, viewer)
    is_fitting = row.system_id == unit.faction.system_id and row.document_kind == DocumentKind.ROSTER
    openings = tuple(_openings(row, _entries(unit))) if is_fitting else ()
    chosen = next((one for one in openings if force_id in (None, one.force_id)), None)
    if chosen is None:
        raise EditRefused(
            Text(
                en=f"“{row.name}” has no such detachment that takes {unit.name}.",
                ru=f"В ростере «{row.name}» нет такого подразделения, которое берёт {unit.name_ru or unit.name}.",
            ),
            "/force_id",
        )
    edit = AddUnit(force_id=chosen.force_id, entry_id=chosen.entry_id)
    return services.apply_edit(viewer, row.pk, edit, expected_revision=row.revision)


def _entries(unit: UnitEntry) -> Mapping[str, str]:
    """Path of the unit by catalogue; where one sells it twice, the unit itself or that of its role."""
    found: dict[str, UnitEntry] = {}
    for other in takers(unit):
        known = found.setdefault(other.faction.catalogue_id, other)
        if other.pk == unit.pk or (known.pk != unit.pk and known.role_id != unit.role_id == other.role_id):
            found[other.faction.catalogue_id] = other
    return {catalogue_id: other.entry_id for catalogue_id, other in found.items()}


def _openings(army_list: ArmyList, entries: Mapping[str, str]) -> Iterator[Opening]:
    forces = [force for force in read_document(army_list.document).roster.all_forces() if force.catalogue_id in entries]
    if forces:
        library = library_of(army_list.release_id)
        for force in forces:
            entry_id = entries[force.catalogue_id]
            if _takes(library, force, entry_id):
                yield Opening(force.id, display_name(force), entry_id)


def _takes(library: Library, force: Force, entry_id: str) -> bool:
    """Whether the data of the list has the entry, with a role that the detachment has or that may change."""
    try:
        place = library.find_root(force.catalogue_id, entry_id)
    except UnknownId:
        return False
    spec = library.force_spec(force.catalogue_id, force.entry_id)
    if place is None or spec is None:
        return False
    return place.primary_id is None or place.primary_id in spec.category_ids or bool(place.spec.category_modifiers)
