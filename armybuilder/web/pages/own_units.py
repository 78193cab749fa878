"""The form for a unit of the owner's own: what it is, and where it may stand."""

from dataclasses import dataclass

from armybuilder.armylists.documents import OWN_UNITS
from armybuilder.armylists.reports import ListReport
from armybuilder.web.pages.roster_view import RosterView


@dataclass(frozen=True, slots=True)
class OwnUnitForm:
    """What is stated of an own unit, or what a new one begins with.

    Attributes:
        node_id: empty for a new one.
        profile: as text, `WS 4, BS 4`.
        places: detachments with their roles: value of the choice, words, whether it stands there.
    """

    node_id: str
    name: str
    points: int
    models: int
    profile: str
    notes: str
    places: tuple[tuple[str, tuple[tuple[str, str, bool], ...]], ...]


def own_unit_form(report: ListReport, view: RosterView, node_id: str) -> OwnUnitForm | None:
    """The form of one of the list's own units, or for an empty id of a new one; None when there is no such unit."""
    stated = (report.facts.get(OWN_UNITS) or {}).get(node_id)
    if stated is None and node_id:
        return None
    known = stated or {}
    here = (known.get("force_id"), known.get("role", ""))
    return OwnUnitForm(
        node_id=node_id,
        name=known.get("name", ""),
        points=known.get("points", 0),
        models=known.get("models", 1),
        profile=", ".join(f"{name} {value}" for name, value in known.get("profile", ())),
        notes=known.get("notes", ""),
        places=tuple(
            (
                block.name,
                tuple(
                    (f"{block.id} {role.id}", role.name, here == (block.id, role.id))
                    for role in block.roles
                    if role.may_add and not role.is_army_rules
                ),
            )
            for block in view.detachments
        ),
    )
