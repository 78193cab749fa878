"""The detachment that a list begins with, or an ally joins with."""

from typing import Any

from armybuilder.armylists.editing import refuse_unknown_catalogue
from armybuilder.armylists.errors import EditRefused
from armybuilder.engine.findings import Text
from armybuilder.engine.gamedata.links import Library
from armybuilder.reference.queries import force_organisations


def primary_force_entry(system_id: str, library: Library, catalogue_id: str) -> str:
    """The detachment that a list of this catalogue begins with. Raises EditRefused where the data has none."""
    return force_entry_of(system_id, "primary", library, catalogue_id)


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
