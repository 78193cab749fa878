"""Who has joined whom and who rides in what, by the player's word, for the rows of both."""

from collections.abc import Mapping

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from armybuilder.armylists.documents import UNITS
from armybuilder.armylists.facts import references, unit_fact_types
from armybuilder.armylists.reports import ListReport
from armybuilder.armylists.wording import fact_name
from armybuilder.reference.names import Names
from armybuilder.web.formatting import localized


def attached_units(report: ListReport, names: Names) -> Mapping[str, tuple[str, ...]]:
    """Lines by the id of the unit: "Joined to: Tactical Squad" at the character, "With: Praetor" at the squad."""
    unit_of: dict[str, str] = {}
    name_of: dict[str, str] = {}
    for force in report.state.all_forces():
        for unit in force.selections:
            name_of[unit.id] = unit.custom_name or names(unit.name)
            unit_of |= {part.id: unit.id for part in unit.walk()}
    facts = references(unit_fact_types(report.rule_pack or ""))
    lines: dict[str, tuple[str, ...]] = {}
    for node_id, stated in (report.facts.get(UNITS) or {}).items():
        guest = unit_of.get(node_id, "")
        for fact in facts:
            host = unit_of.get(str((stated or {}).get(fact) or ""), "")
            if guest and host and guest != host:
                label = capfirst(localized(fact_name(report.rule_pack or "", fact)))
                lines[guest] = (*lines.get(guest, ()), f"{label}: {name_of[host]}")
                lines[host] = (*lines.get(host, ()), _("With: %(unit)s") % {"unit": name_of[guest]})
    return lines
