"""Tags for charts as pictures of their own."""

from typing import Any

from django import template

from armybuilder.simulations.chart_addresses import AT_LEAST, addresses_of
from armybuilder.simulations.models import SimulationRun
from armybuilder.web.formatting import russian

register = template.Library()


@register.inclusion_tag("charts/_addresses.html")
def picture_links(run: SimulationRun | None, name: str, *, curve: bool = False) -> dict[str, Any]:
    """Links to a chart of a stored run as PNG and SVG; nothing where there is no run.

    Args:
        curve: also to the curve of chances to reach each value, which distributions have.
    """
    if run is None:
        return {"picture": None}
    language = "ru" if russian() else "en"
    more = addresses_of(run, f"{name}{AT_LEAST}", language) if curve else None
    return {"picture": addresses_of(run, name, language), "curve": more}
