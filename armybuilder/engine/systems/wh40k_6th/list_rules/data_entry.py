"""Values outside the printed tables: W6-01 to W6-05 and W6-14."""

from collections.abc import Iterator

from armybuilder.engine.findings import Finding
from armybuilder.engine.systems.wh40k_6th.army import Army, Group, Weapon, needed
from armybuilder.engine.systems.wh40k_6th.list_rules.rules import CHARACTERISTIC_NAMES, finding

TABLE = range(1, 11)
"""Ballistic Skill, Strength and Toughness the tables print."""

SAVES = range(2, 7)
PENETRATIONS = range(1, 7)


def ballistic_skill(army: Army) -> Iterator[Finding]:
    """W6-01: Ballistic Skill is 1 to 10."""
    for at, group in _groups(army):
        bs = group.profile.BS if group.profile else None
        if bs is not None and bs not in TABLE:
            yield finding("W6-01", at=f"{at}/profile/BS", model=group.name, n=bs)


def strength_and_toughness(army: Army) -> Iterator[Finding]:
    """W6-02: Strength and Toughness of models, and fixed Strengths of weapons, are 1 to 10."""
    for at, group in _groups(army):
        for name, words in CHARACTERISTIC_NAMES.items():
            value = getattr(group.profile, name) if group.profile else None
            if value is not None and value not in TABLE:
                yield finding("W6-02", at=f"{at}/profile/{name}", model=group.name, characteristic=words, n=value)
    for at, weapon in _weapons(army):
        if isinstance(weapon.S, int) and weapon.S not in TABLE:
            yield finding(
                "W6-02", at=f"{at}/S", model=weapon.name, characteristic=CHARACTERISTIC_NAMES["S"], n=weapon.S
            )


def armour_save(army: Army) -> Iterator[Finding]:
    """W6-03: an armour save is none or 2+ to 6+."""
    for at, group in _groups(army):
        need = needed(group.profile.Sv) if group.profile else None
        if need is not None and need not in SAVES:
            yield finding("W6-03", at=f"{at}/profile/Sv", model=group.name, n=f"{need}+")


def armour_piercing(army: Army) -> Iterator[Finding]:
    """W6-04: AP is "-" or 1 to 6."""
    for at, weapon in _weapons(army):
        if isinstance(weapon.AP, int) and weapon.AP not in PENETRATIONS:
            yield finding("W6-04", at=f"{at}/AP", weapon=weapon.name, n=weapon.AP)


def range_and_strength(army: Army) -> Iterator[Finding]:
    """W6-05: a ranged weapon has a range above 0 and a strength; a weapon with overridden steps need not."""
    for at, weapon in _weapons(army):
        if weapon.is_melee or weapon.override is not None:
            continue
        no_range = not weapon.range or weapon.range in {"-", "–"}
        no_strength = weapon.S is None or weapon.S in {"-", "–"}
        if no_range or no_strength:
            yield finding("W6-05", at=f"{at}/range" if no_range else f"{at}/S", weapon=weapon.name)


def cover_save(army: Army) -> Iterator[Finding]:
    """W6-14: a cover save is none or 2+ to 6+."""
    for at, group in _groups(army):
        need = needed(group.cover)
        if need is not None and need not in SAVES:
            yield finding("W6-14", at=f"{at}/cover", model=group.name, n=f"{need}+")


def _groups(army: Army) -> Iterator[tuple[str, Group]]:
    for at, unit in army.all_units():
        for index, group in enumerate(unit.models):
            yield f"{at}/models/{index}", group


def _weapons(army: Army) -> Iterator[tuple[str, Weapon]]:
    for at, group in _groups(army):
        for index, weapon in enumerate(group.weapons):
            yield f"{at}/weapons/{index}", weapon
