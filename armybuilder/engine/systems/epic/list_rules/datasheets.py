"""Datasheets of units: types, classes, damage capacity, stands, rules, weapons (EP-08, 11 to 14, 32 to 36, 39)."""

import re
from collections.abc import Iterator
from itertools import pairwise

from armybuilder.engine.findings import Finding
from armybuilder.engine.systems.epic.army import UNIT_TYPES, Army, Stand, Unit, rule_name, rule_value
from armybuilder.engine.systems.epic.list_rules.rules import finding

AIRCRAFT_CLASSES = ("fighter", "bomber", "fighter-bomber")
LONGEST_TRACK = 3
GROUND_TYPES = ("INF", "LV", "AV", "WE")
FIELDS = ("speed", "armour", "CC", "FF")
SIDES_MM = (5, 40)
ONE_SIDE_MM = 20
STAND_MODELS = {"infantry": range(3, 8), "bike": range(2, 5), "cavalry": range(2, 5)}
GUNS = range(1, 3)
MOST_CREW = 6
MISFITS = {
    "mounted": ("INF",),
    "thick rear armour": ("LV", "AV", "WE"),
    "slow and steady": ("SC",),
}
"""Rules and the unit types they fit. Source: L692, L724, L738 [text]."""

RULES_WITH_VALUE = ("invulnerable save", "extra attacks")


def unit_types(army: Army) -> Iterator[Finding]:
    """EP-08: one of the seven types."""
    for at, _, unit in army.units:
        if unit.kind not in UNIT_TYPES:
            yield finding("EP-08", at=f"{at}/type", type=unit.type, unit=unit.name)


def aircraft_classes(army: Army) -> Iterator[Finding]:
    """EP-11: an aircraft is a fighter, a bomber or a fighter-bomber."""
    for at, _, unit in army.units:
        if unit.kind == "AC" and (unit.aircraft_class or "").strip().casefold() not in AIRCRAFT_CLASSES:
            yield finding("EP-11", at=f"{at}/aircraft_class", unit=unit.name)


def damage_capacity(army: Army) -> Iterator[Finding]:
    """EP-12 and EP-13: a war engine has a strictly falling track of one to three numbers, nobody else has one."""
    for at, _, unit in army.units:
        track = unit.profile.damage_capacity if unit.profile else None
        if unit.is_war_engine:
            if not track or not _is_track(track):
                yield finding("EP-12", at=f"{at}/profile/DC", unit=unit.name)
        elif track is not None:
            yield finding("EP-13", at=f"{at}/profile/DC", unit=unit.name)


def completeness(army: Army) -> Iterator[Finding]:
    """EP-14: ground units have speed, armour, close combat and firefight."""
    for at, _, unit in army.units:
        if unit.profile is not None and unit.kind in GROUND_TYPES:
            missing = [field for field in FIELDS if getattr(unit.profile, field) is None]
            if missing:
                yield finding("EP-14", at=f"{at}/profile", unit=unit.name, fields=", ".join(missing))


def stands(army: Army) -> Iterator[Finding]:
    """EP-32: sides of 5 to 40 mm, one of 20 mm, and the right number of models."""
    for at, _, unit in army.units:
        if unit.stand is not None and not _keeps_base_rules(unit.stand):
            yield finding("EP-32", at=f"{at}/stand", unit=unit.name)


def expendable(army: Army) -> Iterator[Finding]:
    """EP-33: Expendable does nothing when the whole formation has it; Grotz, who are like it, are not meant."""
    for at, formation in army.places:
        if formation.own_units and all(map(_is_expendable, formation.own_units)):
            yield finding("EP-33", at=at, formation=formation.title)


def _is_expendable(unit: Unit) -> bool:
    return any(rule.casefold().startswith("expendable") for rule in unit.rules)


def misfits(army: Army) -> Iterator[Finding]:
    """EP-34: rules that do not fit the unit type."""
    for at, _, unit in army.units:
        for index, rule in enumerate(unit.rules):
            types = MISFITS.get(rule_name(rule))
            if types is not None and unit.kind in UNIT_TYPES and unit.kind not in types:
                yield finding("EP-34", at=f"{at}/rules/{index}", special_rule=rule, type=unit.kind)


def values(army: Army) -> Iterator[Finding]:
    """EP-35: Invulnerable Save and Extra Attacks name a value, Transport has slots."""
    for at, _, unit in army.units:
        for place, rule in _all_rules(at, unit):
            name = rule_name(rule)
            no_slots = (
                name == "transport"
                and rule_value(rule) is None
                and (not unit.transport or unit.transport.slots is None)
            )
            if no_slots or (name in RULES_WITH_VALUE and rule_value(rule) is None):
                yield finding("EP-35", at=place, special_rule=rule, unit=unit.name)


def mixed_firepower(army: Army) -> Iterator[Finding]:
    """EP-36: barrage points and to-hit values do not stand together."""
    for at, _, unit in army.units:
        for index, weapon in enumerate(unit.weapons):
            firepower = weapon.firepower or ""
            if "BP" in firepower and re.search("AP|AT|AA|MW", firepower):
                yield finding("EP-36", at=f"{at}/weapons/{index}/firepower", weapon=weapon.name)


def immobile(army: Army) -> Iterator[Finding]:
    """EP-39: a unit of speed 0 is lost when broken near the enemy."""
    for at, _, unit in army.units:
        if unit.speed == 0:
            yield finding("EP-39", at=f"{at}/profile/speed", unit=unit.name)


def _is_track(track: tuple[int, ...]) -> bool:
    falling = all(a > b for a, b in pairwise(track))
    return len(track) <= LONGEST_TRACK and falling and track[-1] > 0


def _keeps_base_rules(stand: Stand) -> bool:
    """Base rules as far as the document gives the facts. Source: L39-44 [text]."""
    sides = stand.sides_mm
    if sides and (not all(SIDES_MM[0] <= side <= SIDES_MM[1] for side in sides) or ONE_SIDE_MM not in sides):
        return False
    if stand.kind == "artillery":
        guns_fit = stand.guns is None or stand.guns in GUNS
        return guns_fit and (stand.models is None or stand.models <= MOST_CREW)
    return stand.kind is None or stand.models is None or stand.models in STAND_MODELS[stand.kind]


def _all_rules(at: str, unit: Unit) -> Iterator[tuple[str, str]]:
    for index, rule in enumerate(unit.rules):
        yield f"{at}/rules/{index}", rule
    for number, weapon in enumerate(unit.weapons):
        for index, rule in enumerate(weapon.rules):
            yield f"{at}/weapons/{number}/rules/{index}", rule


CHECKS = (
    unit_types,
    aircraft_classes,
    damage_capacity,
    completeness,
    stands,
    expendable,
    misfits,
    values,
    mixed_firepower,
    immobile,
)
