"""What units carry where the data does not write it as it fights: by names alone, by texts, and whose it is."""

import re
from collections.abc import Iterator

from armybuilder.engine.roster.state import ProfileState, SelectionState
from armybuilder.engine.systems.horus_heresy.roster import recognition as read
from armybuilder.engine.systems.roster_reading.counted_names import carried_in_name
from armybuilder.engine.systems.roster_reading.loadouts import CarriedWeapon, Gear, Loadout

_CHOICES = re.compile(r"\bgo to\b|\bsub-?menu\b|\bseparately\b|\bconsularis\b|\Aon foot\Z", re.IGNORECASE)
"""Words of what leads to other choices, or says what a model is; it is no gear."""

POWER_WEAPONS = {
    "axe": ("+1", "2", "Melee, Unwieldy"),
    "lance": ("+1", "3", "Melee, Reach (1)"),
    "maul": ("+2", "3", "Melee"),
    "sword": ("User", "3", "Melee, Rending (6+)"),
}
"""Strength, AP and type of power weapons, which some models carry by their name alone [carried]."""


def descriptions(node: SelectionState) -> Iterator[str]:
    """What is written of it in words: its rules, and its gear, which some authors describe in a profile."""
    yield from (rule.description for rule in node.rules)
    yield from (text for profile in node.profiles if (text := profile.value("Description")))


def is_bare(upgrade: SelectionState) -> bool:
    """Whether the data says nothing of a piece of gear but its name."""
    if upgrade.profiles or upgrade.rules or upgrade.selections:
        return False
    return not any(_CHOICES.search(text) for text in (upgrade.name, *upgrade.group_path))


def armed_by_name(model: SelectionState) -> Iterator[CarriedWeapon]:
    """The power weapon in the name of a model without any: "Custodian Guard w/ Power Sword & Vexilla"."""
    for part in carried_in_name(model.name):
        kind = re.search(r"\bpower (axe|lance|maul|sword)\Z", part, re.IGNORECASE)
        if kind is not None:
            strength, piercing, type_ = POWER_WEAPONS[kind[1].casefold()]
            row = ProfileState(
                id="",
                name=f"Power {kind[1].capitalize()}",
                type_id="",
                type_name="Weapon",
                characteristics=(("Range", "-"), ("Strength", strength), ("AP", piercing), ("Type", type_)),
            )
            yield CarriedWeapon(model.number, part, (row,))


def drop_repeated_powers(gear: Gear) -> None:
    """A psychic weapon that each discipline of a psyker names is one."""
    known: set[str] = set()
    for place, weapon in enumerate(gear.weapons):
        rows = tuple(row for row in weapon.profiles if row.name not in known)
        gear.weapons[place] = weapon._replace(profiles=rows)
        known |= {row.name for row in rows if row.type_name == read.PSYCHIC_WEAPON}
    gear.weapons = [weapon for weapon in gear.weapons if weapon.profiles]


def drop_second_weapons(loadout: Loadout) -> None:
    """Of two weapons whose bonus stands in the profile already there is one in a fight."""
    for gear, count in ((loadout.shared, 1), *((crowd.gear, crowd.count) for crowd in loadout.crowds)):
        gear.weapons = [
            weapon._replace(number=min(weapon.number, count), copies=1)
            if all(read.is_melee(row) for row in weapon.profiles)
            else weapon
            for weapon in gear.weapons
        ]


def hand_out(loadout: Loadout, unit: SelectionState) -> None:
    """Give what hangs on the unit to those whose it is: psychic weapons to psykers, a named character's to him.

    A selection of type model that holds him and his companions is called as he is.
    """
    his = [crowd for crowd in loadout.crowds if unit.type == "model" and crowd.name == unit.name]
    psykers = [crowd for crowd in loadout.crowds if crowd.profile is not None and _is_psyker(crowd.profile)]
    kept = []
    for weapon in loadout.shared.weapons:
        is_psychic = any(row.type_name == read.PSYCHIC_WEAPON for row in weapon.profiles)
        owners = (psykers if is_psychic else []) or (his if len(loadout.crowds) > 1 else [])
        for crowd in owners:
            crowd.gear.weapons.append(weapon._replace(number=crowd.count))
        if not owners:
            kept.append(weapon)
    loadout.shared.weapons = kept


def _is_psyker(row: ProfileState) -> bool:
    return "psyker" in read.unit_type(row.value("Unit Type") or "").subtypes
