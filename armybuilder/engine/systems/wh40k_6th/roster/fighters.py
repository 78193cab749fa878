"""Units of an evaluated 40k 6th edition roster as fighters: models, saves from wargear, weapons, what is not known."""

import re

import msgspec

from armybuilder.engine.roster.state import ProfileState, RosterState, SelectionState
from armybuilder.engine.systems.roster_reading import parts as roster_parts
from armybuilder.engine.systems.roster_reading.counted_names import counted
from armybuilder.engine.systems.roster_reading.loadouts import (
    Crowd,
    Gear,
    Loadout,
    gear_of,
    models_in,
    plain_parts,
    rows_left_out,
)
from armybuilder.engine.systems.roster_reading.points_cost import points_type
from armybuilder.engine.systems.wh40k_6th.army import Group, Profile, Weapon, needed
from armybuilder.engine.systems.wh40k_6th.combat.fighter import CHARACTER, HULLS, Fighter, Mode, Squad, is_a
from armybuilder.engine.systems.wh40k_6th.combat.special_rules import is_gap
from armybuilder.engine.systems.wh40k_6th.roster import recognition as read
from armybuilder.engine.systems.wh40k_6th.roster.default_wargear import guns
from armybuilder.engine.systems.wh40k_6th.roster.units import RosterUnitReader, covered, holds_models, parts

GRENADE = re.compile(r"\bgrenades?\b(?! (launcher|harness))|\bstikkbomb[sz]?\b", re.IGNORECASE)
"""Grenades that are thrown: only one model of a unit may [carried], so no figure counts them."""

ARMOURS = frozenset({"power armour", "artificer armour", "terminator armour", "mega armour", "'eavy armour"})
WARDS = frozenset({"iron halo", "rosarius", "storm shield", "cybork body", "shield generator", "terminator armour"})
"""Wargear that gives a save and nothing else in a shooting attack: understood where the profile shows such a save."""

PISTOL = "Pistol"

WRITTEN_ON_THE_NAME = ("Twin-linked", "Master-crafted")
"""Rules that authors often write into the name of a weapon instead of its type."""

_INVULNERABLE = re.compile(
    r"(\d)\+\+|(\d)\+\s*inv(?:ul\w*|\.)?\s*(?:sv|save)|invul\w*\s+saves?\s+(?:of\s+)?(\d)\+", re.IGNORECASE
)
_ARMOUR = re.compile(r"(?<![\d+/])(\d)\+(?:\s*armou?r)?\s*(?:save|sv)\b|(?<![\d+/])(\d)\+/\d\+\+", re.IGNORECASE)


def sides_from_roster(state: RosterState) -> tuple[Fighter, ...]:
    """Every unit of every force as a fighter, in the order of the roster; units without a profile are left out."""
    cost = points_type(state.cost_types)
    found: list[Fighter] = []
    for force in state.all_forces():
        for root in force.selections:
            if holds_models(root, cost):
                army = read.army_name(force.catalogue_name)
                found += [fighter for part in parts(root, _role(root)) if (fighter := _fighter(part, cost, army))]
    return tuple(found)


def _role(root: SelectionState) -> str:
    names = [category.name for category in root.categories if category.primary]
    return next((role for name in names if (role := read.role_of(name))), "")


def _fighter(part: roster_parts.Part, cost: str | None, army: str) -> Fighter | None:
    unknown: list[str] = []
    own = list(part.own())
    ids = {node.id for node in own}
    crowds: list[Crowd] = []
    taken: set[str] = set()
    names = {node.id: node.shown_name for node in own}
    reader = RosterUnitReader(
        part, points_type=None, unrecognised=lambda node_id, en, ru: unknown.append(names[node_id])
    )
    for node, profile in reader.models():
        below = [inner for inner in covered(node) if inner.id in ids]
        taken |= {inner.id for inner in below}
        if node.number > 0:
            times = counted(node.name)[0].number
            crowds.append(Crowd(node.shown_name, models_in(node), profile, _gear(below, times)))
    crowds = [crowd for crowd in crowds if crowd.profile is not None]
    if not crowds:
        return None
    loadout = Loadout(crowds, _gear([node for node in own if node.id not in taken]))
    unknown += loadout.shared.bare
    shared = _saves(loadout.shared, unknown, None)
    led = _leads(loadout.shared)
    groups = [_group(loadout, crowd, shared, unknown, leads=led and crowd.count == 1) for crowd in crowds]
    for place, crowd in enumerate(crowds):
        group, weapons = groups[place]
        weapons = _with_default_guns(group, weapons, army, part.node.name)
        groups[place] = (group, weapons)
        shoots = group.profile is not None and group.profile.BS is not None
        if shoots and not weapons and not any(loadout.carried(crowd)):
            unknown.append(f"Weapons: {group.name}")
    merged = _merged(groups)
    merged.sort(key=lambda pair: (is_a(pair[0], CHARACTER), -pair[0].count))
    ready: list[Group] = []
    modes: list[Mode] = []
    for group, weapons in merged:
        flat: list[Weapon] = []
        for profiles in weapons:
            if len(profiles) > 1:
                modes.append(Mode(len(ready), tuple(range(len(flat), len(flat) + len(profiles)))))
            flat += profiles
        ready.append(msgspec.structs.replace(group, weapons=tuple(flat)))
    used = {profile.name for crowd in crowds for arms in loadout.carried(crowd) for profile in arms.profiles}
    used |= {crowd.profile.name for crowd in crowds if crowd.profile is not None}
    unknown += rows_left_out(own, lambda row: read.is_model(row) or row.type_name == read.WEAPON_PROFILE, used)
    rules = tuple(dict.fromkeys(loadout.shared.rules))
    written = [rule for group in ready for rule in (*group.rules, *(r for w in group.weapons for r in w.rules))]
    return Fighter(
        unit=part.node.id,
        name=part.node.shown_name,
        points=part.points(cost),
        side=Squad(models=tuple(ready), rules=rules),
        modes=tuple(modes),
        unknown=tuple(dict.fromkeys([*unknown, *(rule for rule in (*rules, *written) if is_gap(rule))])),
    )


def _with_default_guns(group: Group, weapons: list[list[Weapon]], army: str, unit: str) -> list[list[Weapon]]:
    """The guns of the models, with those of their codex that the data does not name.

    A model fires one gun, so that one it has given away for another does no harm; but vehicles fire all they have, and
    two pistols are fired together.
    """
    if weapons and is_a(group, *HULLS):
        return weapons
    named = {read.plain_name(weapon.name) for profiles in weapons for weapon in profiles}
    pistols = [profiles[0] for profiles in weapons if profiles[0].type == PISTOL]
    without = group.count - sum(group.count if one.count is None else one.count for one in pistols)
    more: list[list[Weapon]] = []
    for gun in guns(army, unit, group.name):
        if read.plain_name(gun.name) in named or (gun.type == PISTOL and without <= 0):
            continue
        bearers = without if gun.type == PISTOL and pistols else None
        more.append([gun if bearers is None else msgspec.structs.replace(gun, count=bearers)])
    return [*weapons, *more]


def _leads(gear: Gear) -> bool:
    return any(rule.casefold() == "independent character" for rule in gear.rules)


def _gear(nodes: list[SelectionState], times: int = 1) -> Gear:
    return gear_of(
        nodes,
        is_weapon=lambda profile: profile.type_name == read.WEAPON_PROFILE,
        is_wargear=lambda profile: profile.type_name != read.WEAPON_PROFILE and not read.is_model(profile),
        times=times,
    )


def _group(
    loadout: Loadout, crowd: Crowd, shared: tuple[int | None, int | None], unknown: list[str], *, leads: bool
) -> tuple[Group, list[list[Weapon]]]:
    """The models with their saves, and their weapons: of each the profiles it can be fired with."""
    assert crowd.profile is not None  # others are left out
    profile = read.model_profile(crowd.profile)
    own = _saves(crowd.gear, unknown, profile)
    unknown += crowd.gear.bare
    profile = _better(profile, armour=own[0], invulnerable=own[1])
    profile = _better(profile, armour=shared[0], invulnerable=shared[1])
    subtypes = read.unit_type(crowd.profile)
    if (leads or _leads(crowd.gear)) and CHARACTER not in subtypes:
        subtypes = (*subtypes, CHARACTER)
    weapons = []
    for bearers, name, profiles in loadout.carried(crowd):
        found = [weapon for one in profiles if (weapon := _weapon(one, name, unknown))]
        if found:
            weapons.append([msgspec.structs.replace(weapon, count=bearers) for weapon in found])
    rules = tuple(dict.fromkeys(crowd.gear.rules))
    return Group(name=crowd.name, count=crowd.count, profile=profile, subtypes=subtypes, rules=rules), weapons


def _weapon(profile: ProfileState, name: str, unknown: list[str]) -> Weapon | None:
    """A weapon that is shot with; close combat weapons play no part, what cannot be read is reported."""
    if GRENADE.search(profile.name):
        unknown.append(profile.name)
        return None
    weapon = read.weapon_of(profile).weapon
    if weapon is None or not read.is_printed(weapon):
        unknown.append(profile.name)
        return None
    if weapon.is_melee or weapon.range == "-":
        return None
    written = f"{name} {profile.name}".casefold()
    known = {rule.casefold() for rule in weapon.rules}
    more = [rule for rule in WRITTEN_ON_THE_NAME if rule.casefold() in written and rule.casefold() not in known]
    return msgspec.structs.replace(weapon, rules=(*weapon.rules, *more)) if more else weapon


def _saves(gear: Gear, unknown: list[str], wearer: Profile | None) -> tuple[int | None, int | None]:
    """Armour and invulnerable save that wargear gives without conditions; what gives neither is reported."""
    armour: int | None = None
    invulnerable: int | None = None
    for profile in gear.wargear:
        name = profile.name.casefold()
        understood = wearer is not None and (
            (name in ARMOURS and wearer.Sv is not None) or (name in WARDS and wearer.Inv is not None)
        )
        text = " ".join(value for kind, value in profile.characteristics if kind != "Pg")
        for part, _ in plain_parts(text):
            for found in _INVULNERABLE.finditer(part):
                save = int(next(filter(None, found.groups())))
                invulnerable, understood = min(save, invulnerable or save), True
            for found in _ARMOUR.finditer(part):
                save = int(next(filter(None, found.groups())))
                armour, understood = min(save, armour or save), True
        if not understood:
            unknown.append(profile.name)
    return armour, invulnerable


def _better(profile: Profile, *, armour: int | None, invulnerable: int | None) -> Profile:
    return msgspec.structs.replace(profile, Sv=_best(profile.Sv, armour), Inv=_best(profile.Inv, invulnerable))


def _best(own: int | str | None, other: int | None) -> int | str | None:
    mine = needed(own)
    return own if other is None or (mine is not None and mine <= other) else f"{other}+"


def _merged(groups: list[tuple[Group, list[list[Weapon]]]]) -> list[tuple[Group, list[list[Weapon]]]]:
    """Groups that differ in nothing but their number as one."""
    found: dict[object, tuple[Group, list[list[Weapon]]]] = {}
    for group, weapons in groups:
        armed_alike = all(weapon.count is None for profiles in weapons for weapon in profiles)
        key = (msgspec.structs.replace(group, count=0), tuple(map(tuple, weapons)), None if armed_alike else len(found))
        if key in found:
            first, kept = found[key]
            found[key] = (msgspec.structs.replace(first, count=first.count + group.count), kept)
        else:
            found[key] = (group, weapons)
    return list(found.values())
