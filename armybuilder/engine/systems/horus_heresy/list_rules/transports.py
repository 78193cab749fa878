"""Dedicated transports: bought for a unit that may have them, and large enough to start the game with it inside."""

from collections.abc import Iterator

from armybuilder.engine.findings import Finding
from armybuilder.engine.systems.horus_heresy.army import Army, PlacedUnit
from armybuilder.engine.systems.horus_heresy.list_rules.rules import finding
from armybuilder.engine.systems.horus_heresy.vocabulary import word

PASSENGERS = frozenset({"infantry", "primarch"})
"""Unit types that embark: Infantry, and Primarchs as independent characters (L2139-L2141)."""


def bought_for_a_unit(army: Army) -> Iterator[Finding]:
    """HH-44: a dedicated transport belongs to a unit whose entry offers it."""
    for transport in army.units:
        if not transport.is_dedicated:
            continue
        parent = army.parent_of(transport)
        if parent is None or word(transport.name) not in map(word, parent.unit.transport_options):
            yield finding("HH-44", at=f"{transport.at}/dedicated_transport_for", transport=transport.name)


def capacity(army: Army) -> Iterator[Finding]:
    """HH-45: the unit and the characters attached to it for deployment find room.

    The list can still be fielded with the transport left out, hence a warning [decision].
    """
    for transport, parent in _with_parents(army):
        places = transport.unit.transport_capacity
        if places is None:
            continue
        needed = sum(model.count * model.size for rider in _riders(army, parent) for model in rider.models)
        if needed > places:
            yield finding(
                "HH-45",
                at=f"{transport.at}/transport_capacity",
                unit=parent.name,
                n=needed,
                transport=transport.name,
                cap=places,
            )


def able_to_embark(army: Army) -> Iterator[Finding]:
    """HH-46: only Infantry embarks, and with jump or jet packs only in Flyers.

    A transport made for another unit type, such as a Dreadnought Drop Pod, carries that type: its entry says so.
    """
    for transport, parent in _with_parents(army):
        unable = next((rider for rider in _riders(army, parent) if not _embarks(rider, transport)), None)
        if unable is not None:
            yield finding(
                "HH-46", at=f"{transport.at}/dedicated_transport_for", unit=unable.name, transport=transport.name
            )


def _embarks(rider: PlacedUnit, transport: PlacedUnit) -> bool:
    made_for = set(word(transport.name).split("_"))
    return all(
        model.type in made_for or (model.type in PASSENGERS and (transport.is_flyer or not model.has_pack))
        for model in rider.models
    )


def _with_parents(army: Army) -> Iterator[tuple[PlacedUnit, PlacedUnit]]:
    for transport in army.units:
        if transport.is_dedicated and (parent := army.parent_of(transport)) is not None:
            yield transport, parent


def _riders(army: Army, parent: PlacedUnit) -> list[PlacedUnit]:
    """The unit and the characters that join it (L2208)."""
    joined = army.joined_to.get(parent.unit.id or "", [])
    return [parent, *(character for character in joined if character is not parent)]
