"""Tags for charts as pictures of their own."""

from typing import Any

from django import template

from armybuilder.simulations.models import SimulationRun
from armybuilder.web.pictures import addresses_of

register = template.Library()


@register.inclusion_tag("charts/_addresses.html")
def picture_links(run: SimulationRun | None, name: str) -> dict[str, Any]:
    """Links to a chart of a stored run as PNG and SVG; nothing where there is no run."""
    return {"picture": addresses_of(run, name) if run else None}
