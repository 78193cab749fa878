"""Ordinary weapons and armour (WF-55 to WF-60) and what a unit fights with (WF-62)."""

from collections.abc import Iterator, Sequence

from armybuilder.engine.findings import Finding
from armybuilder.engine.systems.fantasy_8th.army import Army
from armybuilder.engine.systems.fantasy_8th.list_rules.rules import MOUNTINGS, finding
from armybuilder.engine.systems.fantasy_8th.reference import weapon_text


def extra_hand_weapon(army: Army) -> Iterator[Finding]:
    """WF-55 and WF-56: an additional hand weapon or brace of pistols goes with no special weapon and no mount."""
    for at, unit in army.places:
        extra = next((name for name, weapon in unit.ordinary_weapons if weapon.use == "extra"), None)
        if extra is None:
            continue
        special = ("special", "extra", "missile") if army.options.special_includes_missile else ("special", "extra")
        others = [name for name, weapon in unit.ordinary_weapons if weapon.use in special and name != extra]
        if others:
            yield finding("WF-55", at=f"{at}/weapons", name=unit.name, a=weapon_text(extra), b=weapon_text(others[0]))
        if unit.is_mounted:
            yield finding("WF-56", at=f"{at}/weapons", a=weapon_text(extra))


def shield_with_two_hands(army: Army) -> Iterator[Finding]:
    """WF-57: a weapon for two hands leaves none for the shield."""
    for at, unit in army.places:
        two_handed = next((name for name, weapon in unit.ordinary_weapons if weapon.two_hands), None)
        if two_handed is not None and unit.has_shield:
            yield finding("WF-57", at=f"{at}/weapons", name=unit.name, a=weapon_text(two_handed))


def several_weapons(army: Army) -> Iterator[Finding]:
    """WF-58 and WF-59: one missile weapon a phase; the special weapon is chosen in the first round."""
    for at, unit in army.places:
        uses = [weapon.use for _, weapon in unit.ordinary_weapons]
        if uses.count("missile") > 1:
            yield finding("WF-58", at=f"{at}/weapons", name=unit.name)
        if uses.count("special") > 1:
            yield finding("WF-59", at=f"{at}/weapons", name=unit.name)


def spear_profile(army: Army) -> Iterator[Finding]:
    """WF-60: the spear has one profile on foot and another one mounted, as the crew on a monster is."""
    for at, unit in army.places:
        mounted = unit.is_mounted or unit.troop_type == "monster"
        for _, weapon in unit.ordinary_weapons:
            if weapon.mounting is not None and weapon.mounting != mounted:
                yield finding(
                    "WF-60",
                    at=f"{at}/weapons",
                    mounting=MOUNTINGS["cavalry" if mounted else "infantry"],
                    name=unit.name,
                )


def one_weapon_and_mode(unit: str, modes: Sequence[str], *, at: str | None = None) -> Iterator[Finding]:
    """WF-62: the rank and file of a unit use one weapon and one firing mode in a phase.

    Args:
        modes: weapon and mode of each group of rank-and-file models.
    """
    if len(set(modes)) > 1:
        yield finding("WF-62", at=at, unit=unit)


CHECKS = (extra_hand_weapon, shield_with_two_hands, several_weapons, spear_profile)
