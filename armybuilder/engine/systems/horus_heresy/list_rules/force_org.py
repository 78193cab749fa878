"""The Crusade force organisation chart: which detachments an army has, and which slots they fill."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from armybuilder.engine.findings import Finding
from armybuilder.engine.systems.horus_heresy import words
from armybuilder.engine.systems.horus_heresy.army import Army, PlacedDetachment
from armybuilder.engine.systems.horus_heresy.list_rules.rules import composition, finding
from armybuilder.engine.systems.horus_heresy.vocabulary import BattlefieldRole, DetachmentType


@dataclass(frozen=True, slots=True)
class Slots:
    """Slots of one battlefield role: so many must be filled, so many may."""

    minimum: int
    maximum: int


NO_SLOT = Slots(0, 0)

CRUSADE: Mapping[DetachmentType, Mapping[str, Slots]] = {
    DetachmentType.PRIMARY: {
        BattlefieldRole.HQ: Slots(1, 3),
        BattlefieldRole.TROOPS: Slots(2, 6),
        BattlefieldRole.ELITES: Slots(0, 4),
        BattlefieldRole.FAST_ATTACK: Slots(0, 3),
        BattlefieldRole.HEAVY_SUPPORT: Slots(0, 3),
        BattlefieldRole.FORTIFICATION: Slots(0, 1),
        BattlefieldRole.PRIMARCH: Slots(0, 1),
    },
    DetachmentType.ALLIED: {
        BattlefieldRole.HQ: Slots(1, 1),
        BattlefieldRole.TROOPS: Slots(1, 4),
        BattlefieldRole.ELITES: Slots(0, 2),
        BattlefieldRole.FAST_ATTACK: Slots(0, 1),
        BattlefieldRole.HEAVY_SUPPORT: Slots(0, 1),
    },
    DetachmentType.LORD_OF_WAR: {BattlefieldRole.LORD_OF_WAR: Slots(1, 1)},
}
"""Compulsory and optional slots. Source: HH L3554-L3570 [text]."""

COMPULSORY = {
    kind: tuple((role, slots.minimum) for role, slots in chart.items() if slots.minimum)
    for kind, chart in CRUSADE.items()
}
"""The roles of which some slots must be filled, with their number."""

ONCE = (DetachmentType.ALLIED, DetachmentType.LORD_OF_WAR)
"""Optional detachments that the chart prints once."""


def compulsory_roles(detachment: PlacedDetachment) -> Iterator[tuple[str, int, int, int]]:
    """Role, slots that must be filled, slots filled, and slots filled by units that may fill them (L3345)."""
    for role, minimum in COMPULSORY[detachment.type]:
        filled = detachment.slots_used(role)
        yield role, minimum, filled, filled - detachment.slots_of_support_squads(role)


@composition
def one_primary_detachment(army: Army) -> Iterator[Finding]:
    """HH-09: exactly one Primary Detachment."""
    primaries = [detachment for detachment in army.placed_detachments if detachment.is_primary]
    if not primaries:
        yield finding("HH-09", at="/detachments", n=0)
    for extra in primaries[1:]:
        yield finding("HH-09", at=f"{extra.at}/type", n=len(primaries))


@composition
def optional_detachments_once(army: Army) -> Iterator[Finding]:
    """HH-10: at most one Allied and one Lord of War Detachment."""
    if not army.follows_crusade_chart:
        return
    for kind in ONCE:
        of_this_kind = [detachment for detachment in army.placed_detachments if detachment.type is kind]
        for extra in of_this_kind[1:]:
            yield finding("HH-10", at=f"{extra.at}/type", detachment=words.DETACHMENTS[kind])


@composition
def compulsory_slots(army: Army) -> Iterator[Finding]:
    """HH-11, HH-13, HH-14: a detachment fills its compulsory slots; HH-17: and not with Support Squads.

    Where counting Support Squads alone reaches the minimum, HH-17 speaks and the others are silent.
    """
    if not army.follows_crusade_chart:
        return
    for detachment in army.placed_detachments:
        for role, minimum, filled, allowed in compulsory_roles(detachment):
            if filled < minimum:
                yield from _unfilled(detachment, role, minimum, filled)
            elif allowed < minimum:
                for placed in detachment.in_slots(role):
                    if placed.is_support_squad:
                        yield finding("HH-17", at=placed.at, unit=placed.name, role=words.role(role))


def _unfilled(detachment: PlacedDetachment, role: str, minimum: int, filled: int) -> Iterator[Finding]:
    match detachment.type:
        case DetachmentType.PRIMARY:
            yield finding("HH-11", at=detachment.at, role=words.role(role), n=filled, min=minimum)
        case DetachmentType.ALLIED:
            yield finding("HH-13", at=detachment.at, role=words.role(role), n=filled, min=minimum)
        case DetachmentType.LORD_OF_WAR if not detachment.in_slots(role):
            yield finding("HH-14", at=detachment.at)


@composition
def primary_filled_first(army: Army) -> Iterator[Finding]:
    """HH-12: optional detachments come after the Primary's compulsory slots, Support Squads not counted."""
    if not army.follows_crusade_chart:
        return
    unfilled = any(
        allowed < minimum
        for detachment in army.placed_detachments
        if detachment.is_primary
        for _, minimum, _, allowed in compulsory_roles(detachment)
    )
    if unfilled:
        for detachment in army.placed_detachments:
            if not detachment.is_primary:
                yield finding("HH-12", at=detachment.at, detachment=words.DETACHMENTS[detachment.type])


@composition
def slots_available(army: Army) -> Iterator[Finding]:
    """HH-15: no more choices of a role than the chart has slots; HH-16: none of a role without a slot."""
    if not army.follows_crusade_chart:
        return
    for detachment in army.placed_detachments:
        chart = CRUSADE[detachment.type]
        for role in detachment.roles:
            slots = chart.get(role, NO_SLOT)
            used = detachment.slots_used(role)
            if used <= slots.maximum:
                continue
            if slots.maximum:
                yield finding(
                    "HH-15",
                    at=detachment.at,
                    detachment=words.DETACHMENTS[detachment.type],
                    role=words.role(role),
                    n=used,
                    max=slots.maximum,
                )
                continue
            for placed in detachment.in_slots(role):
                if placed.unit.slots_used:
                    yield finding(
                        "HH-16",
                        at=f"{placed.at}/role",
                        unit=placed.name,
                        role=words.role(role),
                        detachment=words.DETACHMENTS[detachment.type],
                    )
