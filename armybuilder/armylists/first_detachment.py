"""The detachment that a list begins with, or an ally joins with."""

from itertools import count
from typing import Any

from armybuilder.armylists.editing import refuse_unknown_catalogue
from armybuilder.armylists.errors import EditRefused
from armybuilder.engine.findings import Text
from armybuilder.engine.gamedata.links import Library
from armybuilder.engine.roster.available_options import compulsory
from armybuilder.engine.roster.edits import add_force, new_roster
from armybuilder.engine.roster.evaluate import evaluate
from armybuilder.reference.models import Detachment
from armybuilder.reference.queries import force_organisations
from armybuilder.shelf import Shelf

BESIDE_OTHERS = {Detachment.Type.ALLIED, Detachment.Type.LORD_OF_WAR}
"""Types of detachments that lead no army."""

ANSWERS = 1_000
"""Detachments of catalogues of which a process remembers whether they can be filled."""
_filled: Shelf[tuple[bool, bool]] = Shelf(ANSWERS)


def primary_force_entry(system_id: str, library: Library, catalogue_id: str) -> str:
    """The detachment that a list of this catalogue begins with.

    It is that of the system's chart, unless the catalogue has no units for what it asks for, and has some for what
    another asks for that may lead an army: Titans stand in a maniple.

    Raises:
        EditRefused: the data has no such catalogue, or no detachment to begin with in it.
    """
    refuse_unknown_catalogue(library, catalogue_id, "/catalogue_id")
    usual = force_entry_of(system_id, "primary", library, catalogue_id)
    if _asked_for(library, catalogue_id, usual)[1]:
        return usual
    types = {one.entry_id: one.type for chart in force_organisations(system_id) for one in chart.detachments.all()}
    entries = (one.id for one in library.force_entries(catalogue_id))
    leading = (one for one in entries if types.get(one) not in BESIDE_OTHERS)
    return next((one for one in leading if _asked_for(library, catalogue_id, one) == (True, True)), usual)


def _asked_for(library: Library, catalogue_id: str, force_entry_id: str) -> tuple[bool, bool]:
    """Whether a detachment asks for units, and whether the catalogue has them."""
    if library.force_spec(catalogue_id, force_entry_id) is None:
        return False, True  # a chart of other data; whoever adds it is refused
    key = (library.content_hash, catalogue_id, force_entry_id)
    known = _filled.get(key)
    if known is None:
        ids = (f"n{number}" for number in count())
        roster = new_roster(library, name="", new_id=lambda: next(ids)).roster
        begun = add_force(
            library, roster, force_entry_id=force_entry_id, catalogue_id=catalogue_id, new_id=lambda: next(ids)
        )
        assert begun.node_id is not None
        known = compulsory(library, evaluate(library, begun.roster), force_id=begun.node_id)
        _filled.keep(key, known, 1)
    return known


def force_entry_of(system_id: str, kind: str, library: Any, catalogue_id: str, at: str = "/catalogue_id") -> str:
    """The detachment of this type in the chart of the system; without a chart, the first force entry there is.

    Raises:
        EditRefused: the data has no such catalogue, or none to begin with in it.
    """
    for chart in force_organisations(system_id):
        for detachment in chart.detachments.all():
            if detachment.type == kind:
                return detachment.entry_id
    refuse_unknown_catalogue(library, catalogue_id, at)
    entries = library.force_entries(catalogue_id)
    if not entries:
        raise EditRefused(
            Text(
                en=f"The catalogue '{catalogue_id}' has no detachment to begin with.",
                ru=f"В каталоге «{catalogue_id}» нет подразделения, с которого можно начать.",
            ),
            at,
        )
    entry_id: str = entries[0].id
    return entry_id
