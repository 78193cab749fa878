"""Prices that the owner of a list has set himself: a fact of the unit, counted instead of the data's, always told."""

from collections.abc import Iterator, Mapping
from decimal import Decimal

from armybuilder.armylists.documents import UNITS, ListDocument
from armybuilder.armylists.wording import number
from armybuilder.engine.documents import escaped
from armybuilder.engine.findings import Finding, Origin, Severity, Text, in_figures
from armybuilder.engine.roster.amendments import original_of, repriced
from armybuilder.engine.roster.data_findings import SOURCE
from armybuilder.engine.roster.state import RosterState

OWN_POINTS = "own_points"
"""The fact of a unit that holds its own price, in whole points."""

RULE = "BS-10"


def own_prices(document: ListDocument) -> Mapping[str, Decimal]:
    """The price of each unit that has one of its own, by its node id."""
    stated = document.facts.get(UNITS) or {}
    return {
        node_id: Decimal(facts[OWN_POINTS])
        for node_id, facts in stated.items()
        if isinstance(facts.get(OWN_POINTS), int) and node_id in document.places and document.places[node_id].is_unit
    }


def with_own_prices(state: RosterState, document: ListDocument, points: str | None) -> RosterState:
    """The state of a list in which units cost what their owner says; `points` is its cost type, None for none."""
    return repriced(state, own_prices(document), points) if points else original_of(state)


def own_price_findings(state: RosterState, document: ListDocument, points: str | None) -> Iterator[tuple[str, Finding]]:
    """Node id and BS-10 of each unit with a price of its own, whatever the data says."""
    original = original_of(state)
    for node_id, price in own_prices(document).items() if points else ():
        unit = next((one for force in original.all_forces() for one in force.selections if one.id == node_id), None)
        if unit is None or not points:
            continue
        own, known = in_figures(number(price)), in_figures(number(unit.total(points)))
        yield (
            node_id,
            Finding(
                rule=RULE,
                severity=Severity.WARNING,
                message=Text(
                    en=f"{unit.shown_name}: its owner has set its price to {own.en}; by the data it costs {known.en}.",
                    ru=f"{unit.shown_name}: цену {own.ru} назначил владелец; по данным – {known.ru}.",
                ),
                at=f"/facts/{UNITS}/{escaped(node_id)}/{OWN_POINTS}",
                source=SOURCE,
                origin=Origin.DATA,
            ),
        )
