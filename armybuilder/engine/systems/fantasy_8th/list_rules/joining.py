"""Characters that join units (WF-46 to WF-54) and stand in the front rank (WF-61)."""

from collections.abc import Iterator

from armybuilder.engine.findings import Finding
from armybuilder.engine.systems.fantasy_8th.army import Army
from armybuilder.engine.systems.fantasy_8th.list_rules.rules import LEVELS, TROOP_TYPES, finding

CLOSED_TYPES = ("monster", "chariot", "swarm", "war_machine")
"""Troop types nobody joins. Source: L912-914 [text]."""

KINDRED = {"WF-47": "ethereal", "WF-48": "unbreakable", "WF-49": "unstable"}
"""Units with these rules are joined only by characters who have them too."""


def unit_takes_characters(army: Army) -> Iterator[Finding]:
    """WF-46: nobody joins a monster, a flying unit, a chariot, a swarm or a war machine."""
    for at, character, unit in army.joined():
        flies = unit.has_rule("fly", "flying cavalry", "flying")
        if unit.troop_type in CLOSED_TYPES or flies:
            kind = TROOP_TYPES[unit.troop_type if unit.troop_type in CLOSED_TYPES else "flying"]
            yield finding("WF-46", at=f"{at}/joined_to", name=character.name, unit=unit.name, kind=kind)


def kindred(army: Army) -> Iterator[Finding]:
    """WF-47 to WF-49: ethereal, unbreakable and unstable units are joined only by their like."""
    for at, character, unit in army.joined():
        for rule, name in KINDRED.items():
            if unit.has_rule(name) and not character.has_rule(name):
                yield finding(rule, at=f"{at}/joined_to", unit=unit.name)


def mounted_among_skirmishers(army: Army) -> Iterator[Finding]:
    """WF-50: a mounted character cannot join skirmishers."""
    for at, character, unit in army.joined():
        if character.is_mounted and unit.has_rule("skirmishers", "skirmish"):
            yield finding("WF-50", at=f"{at}/joined_to")


def chariot_riders(army: Army) -> Iterator[Finding]:
    """WF-51: a character on a chariot joins nobody."""
    for at, character, _ in army.joined():
        if character.troop_type == "chariot":
            yield finding("WF-51", at=f"{at}/joined_to")


def fast_cavalry(army: Army) -> Iterator[Finding]:
    """WF-52: a unit is no Fast Cavalry while a character without the rule is in it."""
    for at, character, unit in army.joined():
        if unit.has_rule("fast cavalry") and not character.has_rule("fast cavalry"):
            yield finding("WF-52", at=f"{at}/joined_to", unit=unit.name, name=character.name)


def base_fits(
    name: str, unit: str, *, base_mm: tuple[int, int], unit_base_mm: tuple[int, int], ranks: int, at: str | None = None
) -> Iterator[Finding]:
    """WF-53: the base takes whole places of the front rank, or stands beside it.

    Args:
        base_mm, unit_base_mm: width and length of the character's base and of one rank-and-file base, millimetres.
        ranks: of the unit.
    """
    width, length = base_mm
    unit_width, unit_length = unit_base_mm
    inside = width % unit_width == 0 and length % unit_length == 0 and length <= unit_length * ranks
    beside = length >= unit_length
    if not inside and not beside:
        yield finding("WF-53", at=at, name=name, unit=unit)


def allied_units(army: Army) -> Iterator[Finding]:
    """WF-54: in a dubious or desperate alliance characters do not join units of another army."""
    if army.alliance is None or army.alliance.level == "firm":
        return
    for at, character, unit in army.joined():
        if character.army != unit.army:
            yield finding("WF-54", at=f"{at}/joined_to", level=LEVELS[army.alliance.level])


def front_rank(army: Army) -> Iterator[Finding]:
    """WF-61: characters stand in the front rank of the unit they join."""
    for at, character, unit in army.joined():
        if not character.front_rank:
            yield finding("WF-61", at=f"{at}/front_rank", unit=unit.name)


CHECKS = (
    unit_takes_characters,
    kindred,
    mounted_among_skirmishers,
    chariot_riders,
    fast_cavalry,
    allied_units,
    front_rank,
)
