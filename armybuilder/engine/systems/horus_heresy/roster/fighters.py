"""Units of an evaluated roster as sides of a matchup: models, profiles, weapons, saves from wargear."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal

import msgspec

from armybuilder.engine.roster.allowance import exchanged, most_beside, untouched
from armybuilder.engine.roster.group_info import info_of_groups
from armybuilder.engine.roster.state import ProfileState, RosterState, SelectionState
from armybuilder.engine.systems.horus_heresy.combat.fighter import Fighter
from armybuilder.engine.systems.horus_heresy.combat.model_notes import texts_of, unknown_rules
from armybuilder.engine.systems.horus_heresy.combat.special_rules import SPECIAL_RULES, SpecialRules
from armybuilder.engine.systems.horus_heresy.matchup import ArmourFacings, Group, Side, Statline, UnitType, Weapon
from armybuilder.engine.systems.horus_heresy.roster.recognition import (
    is_terminator,
    left_empty,
    may_embark,
    role_of,
    types_carried,
)
from armybuilder.engine.systems.horus_heresy.roster.units import HeresyReader, parts
from armybuilder.engine.systems.horus_heresy.vocabulary import Deployment
from armybuilder.engine.systems.roster_reading.arming import Armed, joined, with_weapons
from armybuilder.engine.systems.roster_reading.counted_names import part_about
from armybuilder.engine.systems.roster_reading.loadouts import Arms, Crowd, Gear, plain_parts
from armybuilder.engine.systems.roster_reading.parts import Part, units_without_rows
from armybuilder.engine.systems.roster_reading.points_cost import points_type

UNIT_TYPES: dict[str, UnitType] = {
    "infantry": "infantry", "infanty": "infantry", "cavalry": "cavalry", "automata": "automata",
    "dreadnought": "dreadnought", "daemon": "daemon", "primarch": "primarch", "vehicle": "vehicle",
    "knight": "vehicle", "titan": "vehicle", "fortification": "fortification", "building": "fortification",
}  # fmt: skip
WEAPON_TYPE = re.compile(
    r"(assa?ult|rapid[ -]?fire|heavy|pistol|ordinance|ordnance|destroyer|bomb|melee)\b[\s(]*(\d*D[36](?:\+\d+)?|\d+)?",
    re.IGNORECASE,
)
SPELLINGS = {
    "assult": "Assault", "assault": "Assault", "rapid fire": "Rapid Fire", "rapid-fire": "Rapid Fire",
    "rapidfire": "Rapid Fire", "heavy": "Heavy", "pistol": "Pistol", "ordinance": "Ordnance", "ordnance": "Ordnance",
    "destroyer": "Destroyer", "bomb": "Bomb", "melee": "Melee",
}  # fmt: skip
SAVING_RULES = frozenset({"æthereal invulnerability", "aethereal invulnerability", "malefic aegis"})
"""Rules of game data that are an invulnerable save and nothing else [carried]; Force weapons are not told apart."""

WITHOUT_A_PART = frozenset({"frag grenades"})
"""Wargear that changes nothing where nobody charges through difficult terrain [carried]."""

ZONED = frozenset({"apocalyptic mega-blast", "mega-blast"})
"""Rules of weapons with a Strength for each zone of their marker, which are put in the brackets of the rule."""

PACKS = ("jump pack", "jet pack")
"""Wargear that is the rule of its last words (L543-L553)."""

LEAST_RANGE = re.compile(r'(?:more than\s{0,9})?(\d{1,3})["”]?\s{0,9}[-–]\s{0,9}\d', re.IGNORECASE)
"""A range that begins somewhere: `More than 18"-42"`, `12"-60"`."""

POWERS = frozenset({"Psychic Power", "Prosperine Arcana"})
"""Profiles of powers that are no attack; no simulation uses them."""

CRAFTED = "Master-crafted"
SAID_BY_NAME = (CRAFTED, "Twin-linked")
"""Rules that authors write into the name of what is chosen and not into its row: "Heavy Bolter (master-crafted)"."""

DETONATION = "detonation"
"""Charges that only work on vehicles and the like; they are no weapon for an ordinary fight [carried]."""


@dataclass(slots=True)
class _Read:
    """What gear says: saves, rules, and what of it was not understood."""

    rules: list[str] = field(default_factory=list)
    invulnerable: int | None = None
    armour: int | None = None
    unknown: list[str] = field(default_factory=list)


def sides_from_roster(state: RosterState) -> tuple[Fighter, ...]:
    """Every unit of every force as a fighter, in the order of the roster; units without a profile are left out."""
    points = points_type(state.cost_types)
    found: list[Fighter] = []
    for force in state.all_forces():
        for selection in force.selections:
            own = parts(selection, role="")
            carriers = {part.parent.node.id: part.node.id for part in own if part.carries and part.parent is not None}
            for part in own:
                fighter = _fighter(part, points, state)
                if fighter is not None:
                    found.append(msgspec.structs.replace(fighter, rides=carriers.get(fighter.unit)))
    return _seated(found, state)


def units_without_fighters(state: RosterState) -> tuple[str, ...]:
    """Names of units that cost points and are no fighters: the data has no row of their characteristics."""
    return units_without_rows(state, {fighter.unit for fighter in sides_from_roster(state)}, role_of)


def _seated(fighters: Sequence[Fighter], state: RosterState) -> tuple[Fighter, ...]:
    """The fighters, without carriers that cannot carry them, unless stated otherwise. Source: L2139-L2145 [text]."""
    by_id = {fighter.unit: fighter for fighter in fighters}

    def is_allowed(fighter: Fighter, carrier: Fighter) -> bool:
        own, transport = state.node(fighter.unit), state.node(carrier.unit)
        if not isinstance(own, SelectionState) or not isinstance(transport, SelectionState):
            return False
        types = {group.type for group in fighter.side.models if group.count}
        return may_embark(own, but_for=transport) or bool(types & types_carried(transport))

    def may_ride(fighter: Fighter) -> bool:
        carrier = by_id.get(fighter.rides or "")
        if carrier is None or not carrier.has_hull or carrier is fighter:
            return False
        groups = [group for group in fighter.side.models if group.count]
        rules = {SPECIAL_RULES.read(rule).name for group in groups for rule in (*fighter.side.rules, *group.rules)}
        flies = any(group.is_a("flyer") for group in carrier.side.models)
        dropped = any("orbital assault vehicle" in SpecialRules(group.rules) for group in carrier.side.models)
        if dropped or "orbital assault vehicle" in SpecialRules(carrier.side.rules):
            return not fighter.has_hull  # pods for Dreadnoughts say whom they hold
        on_foot = all(group.type in ("infantry", "primarch") for group in groups)
        return (on_foot and (flies or not rules.intersection(PACKS))) or is_allowed(fighter, carrier)

    return tuple(
        fighter if fighter.rides is None or may_ride(fighter) else msgspec.structs.replace(fighter, rides=None)
        for fighter in fighters
    )


def attached(fighters: Sequence[Fighter], state: RosterState, facts: Mapping[str, Any]) -> tuple[Fighter, ...]:
    """The same with how each begins a battle by the player's word: in reserve, or within another unit.

    Args:
        facts: of the stored list, as they are kept.
    """
    by_id = {fighter.unit: fighter for fighter in fighters}
    unit_of: dict[str, str] = {}
    for force in state.all_forces():
        for selection in force.selections:
            for part in parts(selection, role=""):
                if part.node.id in by_id:
                    unit_of |= {node.id: part.node.id for node in part.own()}
    for node_id, said in (facts.get("units") or {}).items():
        one = by_id.get(unit_of.get(node_id, node_id))
        if one is None:
            continue
        changes: dict[str, Any] = {}
        if (ridden := said.get("embarked_in")) is not None:
            changes["rides"] = unit_of.get(ridden, ridden)
        if (deployment := said.get("deployment")) is not None:
            changes["deployment"] = Deployment(deployment)
        by_id[one.unit] = msgspec.structs.replace(one, **changes)
    return _seated([by_id[fighter.unit] for fighter in fighters], state)


def _fighter(part: Part, points: str | None, state: RosterState) -> Fighter | None:
    """The unit without the selections in it that are units of their own: its transport, its retinue, its sections."""
    reader = HeresyReader(part, points_type=points, by_groups=partial(info_of_groups, state))
    loadout = reader.loadout(partial(most_beside, state), partial(untouched, state), partial(exchanged, state))
    if loadout is None:
        return None
    common = _read(loadout.shared)
    unknown = list(common.unknown)
    groups = []
    for crowd in loadout.crowds:
        own = _read(crowd.gear)
        group = _with_saves(_group(crowd, own), common)
        weapons = [ways for arms in loadout.carried(crowd) if (ways := _ways(arms, unknown))]
        groups.append(_crafted(group, sorted(weapons, key=_melee_order)))
        if group.profile.ballistic_skill and not any(loadout.carried(crowd)):
            unknown.append(f"Weapons: {group.name}")
        if is_terminator(part.node.name) and group.profile.invulnerable_save is None:
            unknown.append(f"Invulnerable Save: {group.name}")
        assert crowd.profile is not None
        if empty := left_empty(crowd.profile):
            unknown.append(f"{', '.join(empty)}: {group.name}")
        unknown += own.unknown
    ready, modes = with_weapons(joined(groups), is_fired=lambda weapon: weapon.kind != "Melee")
    side = Side(name=part.node.shown_name, models=ready, rules=tuple(dict.fromkeys(common.rules)))
    unknown += reader.left_out(loadout)
    unknown += guns_in_words(
        [row for node in part.own() for row in node.profiles],
        [weapon.name for armed in groups for ways in armed.weapons for weapon in ways],
    )
    unknown += [row.name for node in part.own() if node.number for row in node.profiles if row.type_name in POWERS]
    crafted = any("master-crafted" in SpecialRules(ways.rules) for group in ready for ways in group.weapons)
    unknown += [
        node.name
        for node in reader.bare()
        if not (crafted and "master-crafted" in " ".join(node.group_path).casefold())  # it is that one's
    ]
    unknown += unknown_rules(texts_of(side))
    return Fighter(
        unit=part.node.id,
        name=part.node.shown_name,
        points=part.points(points),
        side=side,
        modes=modes,
        unknown=tuple(dict.fromkeys(unknown)),
    )


def _crafted(group: Group, weapons: list[list[Weapon]]) -> Armed:
    """The models with "Master-craft one weapon" made good, a rule that hangs on the model: on what they strike with.

    Which one it is, no data says [decision].
    """
    plain = [place for place, ways in enumerate(weapons) if "master-crafted" not in SpecialRules(ways[0].rules)]
    if CRAFTED not in group.rules or not plain:
        return Armed(group, weapons)
    place = next((place for place in plain if weapons[place][0].kind == "Melee"), plain[0])
    made = [msgspec.structs.replace(way, rules=(*way.rules, CRAFTED)) for way in weapons[place]]
    others = tuple(rule for rule in group.rules if rule != CRAFTED)
    return Armed(msgspec.structs.replace(group, rules=others), [*weapons[:place], made, *weapons[place + 1 :]])


def guns_in_words(rows: Sequence[ProfileState], guns: Sequence[str]) -> list[str]:
    """Guns that a fortification's Fire Points name and nothing else does: `One Turret Mounted Missile Launcher`."""
    lines = [line for row in rows for line in (row.value("Fire Points") or "").splitlines()]
    carried = [_words(gun) for gun in guns]
    named = [(line.strip(), _words(line.rpartition("Mounted")[2])) for line in lines if "Mounted" in line]
    return [line for line, words in named if not any(gun <= words for gun in carried)]


def _words(name: str) -> set[str]:
    return set(re.sub(r"s\b", "", re.sub(r"\W", " ", name.casefold())).split())


def _ways(arms: Arms, unknown: list[str]) -> list[Weapon]:
    """The ways to use a weapon; what cannot be read, or plays no part in a fight, is reported."""
    ways = []
    for profile in arms.profiles:
        weapon = weapon_of(profile)
        if weapon is None or DETONATION in {SPECIAL_RULES.read(rule).name for rule in weapon.rules}:
            unknown.append(profile.name)
        else:
            weapon = _with_rules_of_its_name(weapon, part_about(arms.chosen, weapon.name))
            ways.append(weapon if arms.bearers is None else msgspec.structs.replace(weapon, count=arms.bearers))
    return ways


def _with_rules_of_its_name(weapon: Weapon, name: str) -> Weapon:
    has, said = SpecialRules(weapon.rules), name.casefold()
    more = [rule for rule in SAID_BY_NAME if rule.casefold() in said and rule.casefold() not in has]
    return msgspec.structs.replace(weapon, rules=(*weapon.rules, *more)) if more else weapon


def _melee_order(profiles: list[Weapon]) -> tuple[int, int, int]:
    """Ranged weapons stay as they stand; the Melee weapon with the best AP, then Strength, comes to the front."""
    weapon = profiles[0]
    if weapon.kind != "Melee":
        return (0, 0, 0)
    strength = weapon.strength if isinstance(weapon.strength, int) else _number(str(weapon.strength)) or 0
    return (1, weapon.ap or 7, -strength)


def _with_saves(group: Group, shared: _Read) -> Group:
    """Saves that wargear of the whole unit gives."""
    profile = group.profile
    if shared.invulnerable is not None:
        profile = _better(profile, "invulnerable_save", shared.invulnerable)
    if shared.armour is not None:
        profile = _better(profile, "armour_save", shared.armour)
    return msgspec.structs.replace(group, profile=profile)


def _better(profile: Statline, name: str, save: int) -> Statline:
    own = getattr(profile, name)
    best = save if own is None or own == "-" else min(save, int(str(own).rstrip("+")))
    return msgspec.structs.replace(profile, **{name: f"{best}+"})


def _read(gear: Gear) -> _Read:
    """Saves and rules of what is carried."""
    found = _Read()
    for rule in gear.rules:
        if (save := save_of_rule(rule)) is not None:
            found.invulnerable = min(save, found.invulnerable or save)
        elif rule not in found.rules:
            found.rules.append(rule)
    for profile in gear.wargear:
        _read_wargear(profile, found)
    return found


def _read_wargear(profile: ProfileState, gear: _Read) -> None:
    """Saves and rules that a description states without conditions; what says nothing of the kind is reported."""
    text = " ".join(value for _, value in profile.characteristics)
    understood = False
    for plain, is_all in plain_parts(text):
        invulnerable = re.search(r"(\d)\+\s*Invulnerable|Invulnerable Saves? (?:of )?(\d)\+", plain, re.IGNORECASE)
        if invulnerable:
            save = int(invulnerable[1] or invulnerable[2])
            gear.invulnerable = min(save, gear.invulnerable or save)
            understood = True
        armour = re.search(r"(\d)\+\s*Armou?r Save", plain, re.IGNORECASE)
        if armour:
            save = int(armour[1])
            gear.armour = min(save, gear.armour or save)
            understood = True
        for rule in re.findall(r"(?:Feel No Pain|Shrouded|Adamantium Will|Hammer of Wrath|Fear) \(\d\+?\)", plain):
            if is_all:
                gear.rules.append(rule)
                understood = True
    if (pack := next((pack for pack in PACKS if profile.name.casefold().endswith(pack)), None)) is not None:
        gear.rules.append(pack.capitalize())
        understood = True
    if not understood and profile.name.casefold() not in WITHOUT_A_PART:
        gear.unknown.append(profile.name)


def save_of_rule(text: str) -> int | None:
    """The invulnerable save that a rule of game data is; None for any other rule."""
    name, value = SPECIAL_RULES.read(text)
    return _number(value) if name in SAVING_RULES else None


def _group(crowd: Crowd, gear: _Read) -> Group:
    assert crowd.profile is not None
    profile = crowd.profile
    kind, subtypes = unit_type(profile.value("Unit Type") or "")
    if profile.type_name in ("Vehicle", "Knights and Titans"):
        kind = "vehicle"
    elif profile.type_name == "Fortification":
        kind = "fortification"
    values = Statline(
        movement=_number(profile.value("Move")),
        weapon_skill=_number(profile.value("WS")),
        ballistic_skill=_number(profile.value("BS")),
        strength=_number(profile.value("S")),
        toughness=_number(profile.value("T")),
        wounds=_number(profile.value("W")),
        initiative=_number(profile.value("I")),
        attacks=_number(profile.value("A")),
        leadership=_number(profile.value("Ld")),
        armour_save=_save(profile.value("Save")),
        hull_points=_number(profile.value("HP")),
        armour=_armour(profile),
    )
    if gear.invulnerable is not None:
        values = _better(values, "invulnerable_save", gear.invulnerable)
    if gear.armour is not None:
        values = _better(values, "armour_save", gear.armour)
    return Group(
        name=profile.name,
        count=crowd.count,
        type=kind,
        subtypes=subtypes,
        profile=values,
        rules=tuple(dict.fromkeys(gear.rules)),
    )


def unit_type(text: str) -> tuple[UnitType, tuple[str, ...]]:
    """A printed unit type, e.g. "Infantry (Heavy, Character)", as type and sub-types."""
    name, inside = SPECIAL_RULES.read(text.strip() or "Infantry")
    subtypes = [part.strip().casefold().replace("-", "_").replace(" ", "_") for part in (inside or "").split(",")]
    words = name.replace("/", " ").split()
    kind: UnitType = next((UNIT_TYPES[word] for word in words if word in UNIT_TYPES), "infantry")
    subtypes += [word for word in ("knight", "titan") if word in words]
    return kind, tuple(part for part in subtypes if part)


def weapon_of(profile: ProfileState) -> Weapon | None:
    """A weapon profile of game data; None when its type cannot be read."""
    text = re.sub(r"\s+", " ", (profile.value("Type") or "").replace("†", "").replace("*", "")).strip()
    match = WEAPON_TYPE.match(text)
    if match is None:
        return None
    kind = SPELLINGS[match[1].casefold().replace("  ", " ")]
    number = match[2].upper() if match[2] else None
    rest = text[match.end() :].lstrip(" ).,")
    rules = [part.strip(" .") for part in re.split(r"[,.](?![^(]*\))", rest)]
    strengths, piercing = (profile.value(name) or "" for name in ("Strength", "AP"))
    if "/" in strengths:
        rules = [f"{rule} ({strengths}, {piercing})" if rule.casefold() in ZONED else rule for rule in rules]
    if least := LEAST_RANGE.match((profile.value("Range") or "").strip()):
        rules.append(f"Minimum Range ({least[1]})")
    return Weapon(
        name=profile.name,
        type=f"{kind} {number}" if number and kind != "Melee" else kind,
        range=_range(profile.value("Range") or ""),
        strength=_strength(profile.value("Strength") or ""),
        armour_piercing=_number(profile.value("AP")),
        rules=tuple(rule for rule in rules if rule),
    )


def _range(text: str) -> float | Literal["Template", "Hellstorm", "-"]:
    plain = text.strip().casefold()
    if plain.startswith("template"):
        return "Template"
    if plain.startswith("hel"):
        return "Hellstorm"
    inches = [int(number) for number in re.findall(r"\d+", plain)]
    return float(max(inches)) if inches else "-"


def _strength(text: str) -> int | str | None:
    plain = text.strip()
    if plain.isdecimal():
        return int(plain)
    if match := re.fullmatch(r"(?:User\s*)?([+]\d+)", plain, re.IGNORECASE):
        return match[1]
    if match := re.fullmatch(r"[x×](\d)|(\d)[x×]", plain, re.IGNORECASE):
        return f"x{match[1] or match[2]}"
    if match := re.match(r"(\d+)/", plain):
        return int(match[1])
    return "User" if plain.casefold() == "user" else "-"


def _number(text: str | None) -> int | None:
    digits = re.search(r"\d+", text or "")
    return int(digits[0]) if digits else None


def _save(text: str | None) -> str | None:
    number = _number(text)
    return None if number is None else f"{number}+"


def _armour(profile: ProfileState) -> ArmourFacings | None:
    front = _number(profile.value("Front"))
    if front is None:
        return None
    return ArmourFacings(front=front, side=_number(profile.value("Side")), rear=_number(profile.value("Rear")))
