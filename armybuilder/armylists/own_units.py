"""Units of the owner's own: kept among the facts of the list, counted in points and slots, always told as such."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

import msgspec

from armybuilder.armylists.documents import OWN_UNITS, ListDocument
from armybuilder.armylists.edits import SetOwnUnit
from armybuilder.armylists.facts import merged
from armybuilder.armylists.own_points import with_own_prices
from armybuilder.engine.documents import escaped
from armybuilder.engine.findings import Finding, Origin, Severity, Text
from armybuilder.engine.roster.amendments import AddedUnit, with_added
from armybuilder.engine.roster.data_findings import SOURCE
from armybuilder.engine.roster.state import RosterState
from armybuilder.engine.systems.roster_reading.stored_facts import OwnUnit

RULE = "BS-11"


def own_units(document: ListDocument) -> Mapping[str, OwnUnit]:
    """The owner's own units by node id; one that a newer version no longer understands is left out."""
    found: dict[str, OwnUnit] = {}
    for node_id, stated in (document.facts.get(OWN_UNITS) or {}).items():
        try:
            found[node_id] = msgspec.convert(stated, OwnUnit)
        except msgspec.ValidationError:
            continue
    return found


def amended(state: RosterState, document: ListDocument, points: str | None) -> RosterState:
    """The state of a list with its owner's prices and units; `points` is the cost type, None for none."""
    priced = with_own_prices(state, document, points)
    added: dict[str, list[AddedUnit]] = {}
    for node_id, unit in own_units(document).items():
        added.setdefault(unit.force_id, []).append(
            AddedUnit(
                id=node_id,
                name=unit.name,
                category_id=unit.role,
                points=Decimal(unit.points),
                models=unit.models,
                profile=unit.profile,
                notes=unit.notes,
            )
        )
    return with_added(priced, added, points)


def own_unit_findings(document: ListDocument) -> Iterator[tuple[str, Finding]]:
    """Node id and BS-11 of each of the owner's own units."""
    for node_id, unit in own_units(document).items():
        yield (
            node_id,
            Finding(
                rule=RULE,
                severity=Severity.WARNING,
                message=Text(
                    en=f"{unit.name}: a unit of the owner's own, not of the data. The verdict is about the rest.",
                    ru=f"{unit.name}: собственный отряд владельца, не из данных. Вердикт – об остальном.",
                ),
                at=f"/facts/{OWN_UNITS}/{escaped(node_id)}",
                source=SOURCE,
                origin=Origin.DATA,
            ),
        )


def with_own_unit(document: ListDocument, edit: SetOwnUnit, node_id: str) -> tuple[Mapping[str, Any], Text]:
    """The facts of a list with one of its own units set, and what that did."""
    unit = OwnUnit(
        force_id=edit.force_id,
        name=edit.name.strip(),
        role=edit.role,
        points=edit.points,
        models=edit.models,
        profile=edit.profile,
        notes=edit.notes,
    )
    units = merged(document.facts.get(OWN_UNITS) or {}, {node_id: msgspec.to_builtins(unit)})
    done = (
        Text(en=f"Added an own unit: {unit.name}", ru=f"Добавлен свой отряд: {unit.name}")
        if edit.node_id is None
        else Text(en=f"Changed an own unit: {unit.name}", ru=f"Изменён свой отряд: {unit.name}")
    )
    return merged(document.facts, {OWN_UNITS: units}), done


def without_own_unit(document: ListDocument, node_id: str) -> tuple[Mapping[str, Any], Text]:
    """The facts of a list without one of its own units, and what that did."""
    units = dict(document.facts.get(OWN_UNITS) or {})
    name = units.pop(node_id)["name"]
    return merged(document.facts, {OWN_UNITS: units or None}), Text(en=f"Removed {name}", ru=f"Удалено: {name}")
