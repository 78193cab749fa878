"""Puts a copy of a unit of one list into another: which lists can take it, and what they are then."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import msgspec

from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import queries
from armybuilder.armylists.documents import UNITS, ListDocument, Place, display_name, read_document
from armybuilder.armylists.errors import EditRefused, NotFound
from armybuilder.armylists.facts import merged, references, unit_fact_types
from armybuilder.armylists.models import ArmyList, DocumentKind
from armybuilder.armylists.sizes import check_sizes
from armybuilder.engine.findings import Text
from armybuilder.engine.gamedata.links import Library
from armybuilder.engine.roster import edits as roster_edits
from armybuilder.engine.roster.model import Force, Selection

MOST_LISTS = 50
"""Lists that are offered as places for a copy, the newest."""


@dataclass(frozen=True, slots=True)
class CopyTarget:
    """A list that can take a unit.

    Attributes:
        detachments: ids and names of those filled from the unit's catalogue, at least one.
    """

    army_list: ArmyList
    detachments: tuple[tuple[str, str], ...]


def unit_to_copy(army_list: ArmyList, node_id: str) -> tuple[ListDocument, Place]:
    """A unit of a list, and the document it stands in.

    Raises:
        NotFound: no such unit; heroes have none.
    """
    if army_list.document_kind == DocumentKind.ROSTER:
        document = read_document(army_list.document)
        place = document.places.get(node_id)
        if place is not None and place.is_unit:
            return document, place
    raise NotFound("There is no such unit in this list.")


def copy_targets(viewer: Viewer, army_list: ArmyList, node_id: str) -> tuple[CopyTarget, ...]:
    """The viewer's other lists of the same data set with a detachment of the unit's catalogue, newest first.

    Raises:
        NotFound: no such unit.
    """
    document, place = unit_to_copy(army_list, node_id)
    others = queries.on_the_shelf(queries.army_lists_of_system(viewer, army_list.system_id), is_archived=False)
    found = []
    for other in others.exclude(pk=army_list.pk).defer(None)[:MOST_LISTS]:
        detachments = tuple(_detachments(read_document(other.document), _catalogue(document, place)))
        if detachments:
            found.append(CopyTarget(other, detachments))
    return tuple(found)


def detachment_for(document: ListDocument, source: ListDocument, place: Place, force_id: str | None) -> str:
    """The detachment of a document that takes the unit: the one asked for, or the first of its catalogue.

    Raises:
        EditRefused: there is none.
    """
    fitting = dict(_detachments(document, _catalogue(source, place)))
    if force_id in fitting or (force_id is None and fitting):
        return force_id or next(iter(fitting))
    name, list_name = display_name(place.node), document.roster.name
    raise EditRefused(
        Text(
            en=f"“{list_name}” has no detachment for {name}: add one of the same army list first.",
            ru=f"В ростере «{list_name}» нет подходящего подразделения для {name}: сначала добавьте его.",
        ),
        "/force_id",
    )


def with_copy(
    document: ListDocument,
    source: ListDocument,
    place: Place,
    *,
    force_id: str,
    library: Library,
    rule_pack: str,
    new_id: Callable[[], str],
) -> tuple[ListDocument, str]:
    """A document with a copy of the unit in one of its detachments, and the copy's id.

    What is stated of the unit goes with it, but not whom it has joined or rides with: they stayed behind.

    Raises:
        EditRefused: the roster would become too large for the engine.
        TooLarge: or for a list.
    """
    assert isinstance(place.node, Selection)
    try:
        edit = roster_edits.paste(library, document.roster, force_id=force_id, unit=place.node, new_id=new_id)
    except roster_edits.RefusedEdit as refusal:
        raise EditRefused(
            Text(en=str(refusal), ru=refusal.russian or f"Правка невозможна: {refusal}"), "/unit"
        ) from refusal
    assert edit.node_id is not None
    left = dict.fromkeys(references(unit_fact_types(rule_pack)))
    stated = merged(source.facts_of(place.node.id), left)
    units = merged(document.facts.get(UNITS) or {}, {edit.node_id: stated or None})
    facts = merged(document.facts, {UNITS: units or None})
    copied = msgspec.structs.replace(document, roster=edit.roster, facts=facts)
    check_sizes(copied)
    return copied, edit.node_id


def _catalogue(document: ListDocument, place: Place) -> str:
    force = document.places[place.force_id].node
    assert isinstance(force, Force)
    return force.catalogue_id


def _detachments(document: ListDocument, catalogue_id: str) -> Iterator[tuple[str, str]]:
    for force in document.roster.all_forces():
        if force.catalogue_id == catalogue_id:
            yield force.id, display_name(force)
