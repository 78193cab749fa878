"""Units of an evaluated 40k 6th edition roster as fighters: models, saves from wargear, weapons, what is not known."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import msgspec

from armybuilder.engine.roster.allowance import exchanged, most_beside
from armybuilder.engine.roster.state import ProfileState, RosterState
from armybuilder.engine.systems.roster_reading.arming import Armed, joined, with_weapons
from armybuilder.engine.systems.roster_reading.counted_names import part_about
from armybuilder.engine.systems.roster_reading.loadouts import Crowd, Gear, Loadout, plain_parts
from armybuilder.engine.systems.roster_reading.parts import Part
from armybuilder.engine.systems.roster_reading.points_cost import points_type
from armybuilder.engine.systems.wh40k_6th.army import Group, Profile, Weapon, needed
from armybuilder.engine.systems.wh40k_6th.combat.fighter import CHARACTER, HULLS, Fighter, Squad, is_a
from armybuilder.engine.systems.wh40k_6th.combat.special_rules import is_gap
from armybuilder.engine.systems.wh40k_6th.roster import recognition as read
from armybuilder.engine.systems.wh40k_6th.roster.bikes import bike_among, bike_of
from armybuilder.engine.systems.wh40k_6th.roster.default_wargear import (
    ARTILLERY,
    CODEX_CHARACTERISTICS,
    chooses_guns,
    crew_of,
    guns,
    guns_on_arms,
    has_no_gun,
    is_of_codex,
    keeps_guns,
    number_of,
    readable,
    worn_by,
)
from armybuilder.engine.systems.wh40k_6th.roster.units import SquadReader, holds_models, parts, role_by_category

GRENADE = re.compile(r"\bgrenades?\b(?! (launcher|harness))|\bstikkbomb[sz]?\b", re.IGNORECASE)
BOMB = re.compile(r"\btankbusta bomb[sz]?\b", re.IGNORECASE)
"""Grenades, and bombs with a range, are thrown: only one model of a unit may [carried], so no figure counts them."""

ARMOURS = frozenset({"power armour", "artificer armour", "terminator armour", "mega armour", "'eavy armour"})
WARDS = frozenset({"iron halo", "rosarius", "storm shield", "cybork body", "shield generator", "terminator armour"})
"""Wargear that gives a save and nothing else in a shooting attack: understood where the profile shows such a save."""

PISTOL = "Pistol"
EXCHANGE = re.compile(r"\b(?:exchange|replace)s?\s{1,9}(.{1,80}?)\s{1,9}(?:for|with|w/)", re.IGNORECASE)
"""Names of options, and of groups of them, that stand for a gun: "Replace Bolt Pistol w/"."""

NO_WEAPONS = re.compile(r"wargear|equipment|armou?r|shield", re.IGNORECASE)
"""Options, and groups of them, that are taken besides the weapons of a model."""

BESIDES = re.compile(r"\bcan fire (?:his|her|its|their|the) ([^.,]{1,80}?) in addition to\b", re.IGNORECASE)
"""Text on gear of a weapon that takes no other's place: "can fire his cyclone missile launcher in addition to"."""
FIRED_BESIDES = "Fired besides"

NO_PISTOLS = "terminator armour"
"""Who puts it on leaves his bolt pistol behind [carried]."""

WRITTEN_ON_THE_NAME = ("Twin-linked", "Master-crafted")
"""Rules that authors often write into the name of a weapon instead of its type."""

WRITTEN_ON_GEAR = ("Relentless",)
"""Rules that count here and that authors write into the text of armour."""

_INVULNERABLE = re.compile(
    r"(\d)\+\+|(\d)\+\s{0,9}inv(?:ul\w{0,20}|\.)?\s{0,9}(?:sv|save)|invul\w{0,20}\s{1,9}saves?\s{1,9}(?:of\s{1,9})?(\d)\+",
    re.IGNORECASE,
)
_ARMOUR = re.compile(
    r"(?<![\d+/])(\d)\+(?:\s{0,9}armou?r)?\s{0,9}(?:save|sv)\b|(?<![\d+/])(\d)\+/\d\+\+", re.IGNORECASE
)


def sides_from_roster(state: RosterState) -> tuple[Fighter, ...]:
    """Every unit of every force as a fighter, in the order of the roster; units without a profile are left out."""
    return tuple(fighter for _, fighter in _read_units(state) if fighter is not None)


def units_without_fighters(state: RosterState) -> tuple[str, ...]:
    """Names of the units that were left out: the data has no characteristics of their models."""
    return tuple(part.node.shown_name for part, fighter in _read_units(state) if fighter is None)


def _read_units(state: RosterState) -> Iterator[tuple[Part, Fighter | None]]:
    cost = points_type(state.cost_types)
    for force in state.all_forces():
        army = read.army_name(force.catalogue_name)
        for root in force.selections:
            if holds_models(root, cost):
                yield from ((part, _fighter(part, cost, army, state)) for part in parts(root, role_by_category(root)))


def _fighter(part: Part, cost: str | None, army: str, state: RosterState) -> Fighter | None:
    unknown: list[str] = []
    names = {node.id: node.shown_name for node in part.own()}
    reader = SquadReader(part, points_type=cost, unrecognised=lambda node_id, en, ru: unknown.append(names[node_id]))
    loadout = reader.loadout(partial(most_beside, state), exchanged=partial(exchanged, state))
    if loadout is None:
        return None
    for crowd in loadout.crowds:
        crowd.gear.wargear += worn_by(army, part.node.name)
    shared = _saves(loadout.shared, unknown, None)
    led = _leads(loadout.shared)
    groups = [_group(loadout, crowd, shared, unknown, leads=led and crowd.count == 1) for crowd in loadout.crowds]
    crew = _with_gunners(groups, army, part.node.name)
    for place, crowd in enumerate(loadout.crowds):
        group, weapons = groups[place]
        weapons = _with_default_guns(loadout, crowd, groups[place], army, part, cost=cost)
        groups[place] = Armed(group, weapons)
        shoots = group.profile is not None and group.profile.BS is not None
        is_armed = bool(weapons) or any(loadout.carried(crowd)) or has_no_gun(army, part.node.name, group.name)
        if shoots and not is_armed:
            unknown.append(f"Weapons: {group.name}")
        if group.profile is not None and group.profile.BS is None:  # nobody whom the data tells of can aim it
            unknown += [gun.name for profiles in weapons for gun in profiles if isinstance(gun.range, int)]
    groups += crew
    everybody = [armed.weapons for armed in groups]
    unknown[:0] = [name for name in loadout.shared.bare if not all(_has(weapons, name) for weapons in everybody)]
    in_order = sorted(joined(groups), key=lambda armed: (is_a(armed.group, CHARACTER), -armed.group.count))
    ready, modes = with_weapons(in_order, is_fired=lambda _: True)
    unknown += reader.left_out(loadout)
    unknown += [row.name for _, row in reader.left_on_frame]
    rules = tuple(dict.fromkeys((*loadout.shared.rules, *reader.rules_of_frame)))
    written = [rule for group in ready for rule in (*group.rules, *(r for w in group.weapons for r in w.rules))]
    return Fighter(
        unit=part.node.id,
        name=part.node.shown_name,
        points=part.points(cost),
        side=Squad(models=ready, rules=rules),
        modes=modes,
        unknown=tuple(dict.fromkeys([*unknown, *(rule for rule in (*rules, *written) if is_gap(rule))])),
    )


def _with_gunners(groups: list[Armed], army: str, unit: str) -> list[Armed]:
    """Who serves the guns among some models, as our facts know; the guns are aimed with their Ballistic Skill.

    So they are with that of a crew whose row the data has.
    """
    guns = [place for place, (group, _) in enumerate(groups) if is_a(group, ARTILLERY) and not _aims(group)]
    crew = crew_of(army, unit, sum(groups[place].group.count for place in guns))
    gunner = crew or next((group for group, _ in groups if _aims(group)), None)
    if gunner is None or gunner.profile is None or not guns:
        return []
    for place in guns:
        group, weapons = groups[place]
        aimed = msgspec.structs.replace(group.profile, BS=gunner.profile.BS)
        groups[place] = Armed(msgspec.structs.replace(group, profile=aimed), weapons)
    return [] if crew is None else [Armed(crew, [])]


def _aims(group: Group) -> bool:
    return group.profile is not None and group.profile.BS is not None


def _with_default_guns(
    loadout: Loadout, crowd: Crowd, armed: Armed, army: str, part: Part, *, cost: str | None
) -> list[list[Weapon]]:
    """The guns of the models, with those of their codex that the data does not name.

    Vehicles fire all they have: theirs are only where nothing else is named, but for those that exchange no gun, which
    have theirs besides what was bought for points. Models whose weapons are chosen one by one have what was chosen; a
    pistol goes with the armour that it is drawn in. Two pistols are fired together, so that who has one gets no other.
    """
    group, weapons = armed
    unit = part.node.name
    weapons = [ways for ways in weapons for _ in range(number_of(army, unit, ways[0].name))]
    taken = {node.group_names for node in part.own()}
    issued = guns(army, unit, group.name)
    if not issued and part.frame is not None:
        gone = guns_on_arms(army, part.frame.name, taken, taken=True)
        issued = tuple(gun for gun in guns(army, part.frame.name, group.name) if gun not in gone)
    if weapons and is_a(group, *HULLS):
        kept = issued if keeps_guns(army, unit) and _paid(part, cost) else guns_on_arms(army, unit, taken)
        return [*weapons, *([gun] for gun in kept)]
    if chooses_guns(army, unit, group.name) and (choices := _chosen(part, crowd)):
        issued = _still_carried(issued, choices, weapons)
    named = {name for profiles in weapons for weapon in profiles for name in _names_of(weapon)}
    pistols = [profiles[0] for profiles in weapons if profiles[0].type == PISTOL]
    without = group.count - sum(group.count if one.count is None else one.count for one in pistols)
    if any(profile.name.casefold() == NO_PISTOLS for profile in crowd.gear.wargear):
        without = 0
    more: list[list[Weapon]] = []
    for gun in issued:
        left = group.count - _exchanged(gun, loadout, crowd)
        if gun.type == PISTOL:
            left = min(left, without)
        if read.plain_name(gun.name) not in named and left > 0:
            more.append([gun if left == group.count else msgspec.structs.replace(gun, count=left)])
    return [*weapons, *more]


def _chosen(part: Part, crowd: Crowd) -> dict[str, int]:
    """What was chosen for a model instead of its weapons, each by the name of its group, and how many in that group."""
    taken = {weapon.taken for weapon in crowd.gear.weapons}
    found: dict[tuple[str, str], int] = {}
    for node in part.own():
        group = node.group_names
        is_choice = group and not NO_WEAPONS.search(node.group_path[-1]) and not NO_WEAPONS.search(node.name)
        if (is_choice or EXCHANGE.search(node.name)) and (node.id in taken or node.name in crowd.gear.bare):
            key = (group or node.name, node.name)  # of several alike models each chose for himself
            found[key] = max(found.get(key, 0), node.number)
    choices: dict[str, int] = {}
    for (group, _), number in found.items():
        choices[group] = choices.get(group, 0) + number
    return choices


def _still_carried(
    issued: Sequence[Weapon], choices: Mapping[str, int], weapons: Sequence[Sequence[Weapon]]
) -> tuple[Weapon, ...]:
    """Which guns are left where some weapons were chosen: of two that are picked ("Pick 2 Weapons") one, after one."""
    if any(EXCHANGE.search(group) for group in choices):
        return ()
    picked = max((int(found[0]) for group in choices if (found := re.search(r"\d", group))), default=1)
    named = {read.plain_name(way.name) for ways in weapons for way in ways}
    others = [gun for gun in issued if read.plain_name(gun.name) not in named]
    return tuple(others[: max(0, picked - sum(choices.values()))])


def _names_of(weapon: Weapon) -> Iterator[str]:
    """What a weapon may be called: a "Boltgun" of type "Rapid Fire, Twin-Linked" is a twin-linked boltgun."""
    yield read.plain_name(weapon.name)
    if any(rule.casefold() == "twin-linked" for rule in weapon.rules):
        yield read.plain_name(f"Twin-linked {weapon.name}")


def _exchanged(gun: Weapon, loadout: Loadout, crowd: Crowd) -> int:
    """How many models gave a gun away for what they carry: that of "Exchange Boltgun for:", a group or an option."""
    carried = [arms.profiles for arms in loadout.carried(crowd)]
    return sum(
        weapon.number
        for weapon in (*crowd.gear.weapons, *loadout.shared.weapons)
        if weapon.profiles in carried
        and (found := EXCHANGE.search(weapon.holders) or EXCHANGE.search(weapon.name))
        and read.plain_name(found[1]) == read.plain_name(gun.name)
    )


def _paid(part: Part, cost: str | None) -> bool:
    """Whether every weapon that the data names on a unit was bought for points."""
    return all(
        any(price.type_id == cost and price.value > 0 for price in node.costs)
        for node in part.own()
        if any(map(read.is_weapon, node.profiles))
    )


def _has(weapons: list[list[Weapon]], name: str) -> bool:
    """Whether a gun is among these under its name."""
    return any(read.plain_name(weapon.name) == read.plain_name(name) for profiles in weapons for weapon in profiles)


def _leads(gear: Gear) -> bool:
    return any(rule.casefold() == "independent character" for rule in gear.rules)


def _group(
    loadout: Loadout, crowd: Crowd, shared: tuple[int | None, int | None], unknown: list[str], *, leads: bool
) -> Armed:
    """The models with their saves, and their weapons: of each the profiles it can be fired with."""
    assert crowd.profile is not None  # others are left out
    profile = read.model_profile(crowd.profile)
    own = _saves(crowd.gear, unknown, profile)
    unknown += [name for name in crowd.gear.bare if name != crowd.name]
    profile = _better(profile, armour=own[0], invulnerable=own[1])
    profile = _better(profile, armour=shared[0], invulnerable=shared[1])
    subtypes = read.unit_type(crowd.profile)
    if (leads or _leads(crowd.gear)) and CHARACTER not in subtypes:
        subtypes = (*subtypes, CHARACTER)
    weapons: list[list[Weapon]] = []
    for arms in loadout.carried(crowd):
        rows = [row for one in arms.profiles for row in readable(one)]
        found = [weapon for one in rows if (weapon := _weapon(one, arms.name, unknown))]
        if found:
            weapons.append([msgspec.structs.replace(weapon, count=arms.bearers) for weapon in found])
    bike = bike_among((*crowd.gear.wargear, *loadout.shared.wargear))
    if bike is not None:
        profile, subtypes = bike.ridden_by(profile, subtypes)
        named = {name for found in weapons for gun in found for name in _names_of(gun)}
        built_in = filter(None, (read.weapon_of(row).weapon for row in bike.gun))
        weapons += [[gun] for gun in built_in if read.plain_name(gun.name) not in named]
    told = " ".join(value for row in crowd.gear.wargear for _, value in row.characteristics)
    besides = tuple(read.plain_name(found[1]) for found in BESIDES.finditer(told))
    weapons = [[_besides(gun) if read.plain_name(gun.name).startswith(besides) else gun for gun in w] for w in weapons]
    rules = tuple(dict.fromkeys((*crowd.gear.rules, *(rule for rule in WRITTEN_ON_GEAR if rule in told))))
    if is_of_codex(crowd.profile):
        rules = (*rules, CODEX_CHARACTERISTICS)
    return Armed(Group(name=crowd.name, count=crowd.count, profile=profile, subtypes=subtypes, rules=rules), weapons)


def _weapon(profile: ProfileState, name: str, unknown: list[str]) -> Weapon | None:
    """A weapon that is shot with; close combat weapons play no part, what cannot be read is reported."""
    if GRENADE.search(profile.name):
        unknown.append(profile.name)
        return None
    shown = read.without_dice(profile)
    if shown is not profile:  # by its average, as is said
        unknown.append(profile.name)
    weapon = read.weapon_of(shown).weapon
    if weapon is None or not read.is_printed(weapon):
        unknown.append(profile.name)
        return None
    if weapon.is_melee or weapon.range == "-":
        return None
    if read.has_least_range(profile):  # it is fired at whatever is nearer too, as is said
        unknown.append(profile.name)
    if BOMB.search(profile.name):
        unknown.append(profile.name)
        return None
    written = f"{part_about(name, profile.name)} {profile.name}".casefold().replace("twin linked", "twin-linked")
    known = {rule.casefold() for rule in weapon.rules}
    more = [rule for rule in WRITTEN_ON_THE_NAME if rule.casefold() in written and rule.casefold() not in known]
    return msgspec.structs.replace(weapon, rules=(*weapon.rules, *more)) if more else weapon


def _besides(weapon: Weapon) -> Weapon:
    return msgspec.structs.replace(weapon, rules=(*weapon.rules, FIRED_BESIDES))


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
        if not understood and not BESIDES.search(text) and bike_of(profile) is None:
            unknown.append(profile.name)
    return armour, invulnerable


def _better(profile: Profile, *, armour: int | None, invulnerable: int | None) -> Profile:
    return msgspec.structs.replace(profile, Sv=_best(profile.Sv, armour), Inv=_best(profile.Inv, invulnerable))


def _best(own: int | str | None, other: int | None) -> int | str | None:
    mine = needed(own)
    return own if other is None or (mine is not None and mine <= other) else f"{other}+"
