"""Formations of an evaluated Epic roster as fighters: units with their characters merged in, and what is not known."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from math import ceil
from typing import Literal

from msgspec.structs import replace

from armybuilder.engine.roster.state import RosterState, SelectionState
from armybuilder.engine.systems.epic import army, boarding, criticals
from armybuilder.engine.systems.epic.combat.fighter import Fighter
from armybuilder.engine.systems.epic.combat.matrix import way_of
from armybuilder.engine.systems.epic.combat.special_rules import is_gap
from armybuilder.engine.systems.epic.matchup import FormationSide, UnitGroup
from armybuilder.engine.systems.epic.roster import army_document, rule_texts
from armybuilder.engine.systems.epic.roster import recognition as read
from armybuilder.engine.systems.epic.roster.formations import character_weapons, unit_profiles

CRITICAL = "Crit"


def sides_from_roster(state: RosterState) -> tuple[Fighter, ...]:
    """Every formation of every force as a fighter, in the order of the roster; empty ones are left out."""
    translation = army_document.Translator.translate(
        state, army_document.Facts(), points_limit=None, alliance_levels={}
    )
    nodes = {at: state.node(node_id) for at, node_id in translation.places.items()}
    found: list[Fighter] = []
    for at, formation in translation.army.places:
        if formation.own_units:
            found.append(_fighter(formation, at, nodes))
    return tuple(found)


def _fighter(formation: army.Formation, at: str, nodes: Mapping[str, object]) -> Fighter:
    units: dict[str, list[UnitGroup]] = {}
    unknown: list[str] = []
    met: Counter[str] = Counter()
    for number, unit in enumerate(formation.units):
        if not unit.is_character and unit.count:
            if (rolled := rule_texts.rolled_number(unit.name)) is not None:
                unknown.append(rolled.dice)
            group = _unit(unit, nodes.get(f"{at}/units/{number}"), unknown)
            units.setdefault(unit.id, []).extend(_shared_out(group, before=met[unit.name]))
            met[unit.name] += unit.count
    for number, character in enumerate(formation.characters):
        host = character.host if character.host in units else next(iter(units))
        node = nodes.get(f"{at}/characters/{number}")
        units[host] = _joined(units[host], character, _arms(node))
    aboard = boarding.riding(formation.own_units)
    ready: list[tuple[UnitGroup, int]] = []
    for unit_id, parts in units.items():
        for part in parts:
            seated = min(part.count, aboard.get(unit_id, 0))
            aboard[unit_id] = aboard.get(unit_id, 0) - seated
            ready.append((part, seated))
    groups, seats = _merged(ready)
    for group in groups:
        for weapon in group.weapons:
            if not isinstance(weapon.range, str) and weapon.firepower is None:
                unknown.append(weapon.name)
        written = (*group.rules, *(rule for weapon in group.weapons for rule in weapon.rules))
        unknown += [rule for rule in written if is_gap(rule)]
    root = nodes.get(at)
    borne = {weapon.name for group in groups for weapon in group.weapons}
    unknown += (name for name, is_read in _shown_weapons(root, borne) if name not in borne or not is_read)
    return Fighter(
        unit=formation.id,
        name=formation.title,
        points=Decimal(str(formation.points or 0)),
        side=FormationSide(name=formation.title, initiative=formation.initiative, units=groups),
        unknown=tuple(dict.fromkeys(unknown)),
        riding=seats if any(seats) else (),
    )


def _merged(riding: Sequence[tuple[UnitGroup, int]]) -> tuple[tuple[UnitGroup, ...], tuple[int, ...]]:
    """Units that differ in nothing but their number as one group, and how many of each may ride."""
    counts: dict[UnitGroup, int] = {}
    seats: dict[UnitGroup, int] = {}
    for group, number in riding:
        key = replace(group, count=0)
        counts[key] = counts.get(key, 0) + group.count
        seats[key] = seats.get(key, 0) + number
    return tuple(replace(group, count=count) for group, count in counts.items()), tuple(seats.values())


def _unit(unit: army.Unit, node: object, unknown: list[str]) -> UnitGroup:
    """The same unit in the documents of matchups; a type that the rulebook does not have is fought as infantry."""
    kind = unit.kind if unit.kind in army.UNIT_TYPES else "INF"
    if kind != unit.kind:
        unknown.append(unit.type)
    effect = _critical(node, unknown) if unit.is_war_engine else None
    destroyed: Literal["destroyed"] | None = "destroyed" if effect == "destroyed" else None
    rules = unit.rules
    if effect is not None and not destroyed:
        rules = (*rules, f"Critical Hit ({effect})")
    if unit.transport is not None and unit.transport.slots:
        rules = (*rules, f"Transport ({unit.transport.slots})")
    return UnitGroup(
        name=unit.name,
        type=kind,  # type: ignore[arg-type]
        count=unit.count,
        profile=unit.profile or army.Profile(),
        rules=rules,
        weapons=unit.weapons,
        aircraft_class=unit.aircraft_class,
        critical_effect=destroyed,
    )


def _shared_out(group: UnitGroup, *, before: int) -> Iterator[UnitGroup]:
    """Those without and those with a weapon that one unit in so many has, its number rounded up.

    Of weapons with half a barrage point every second one is written, rounded down.

    Args:
        before: units of this name that the formation has besides, counted first.
    """
    if any(read.HALF_A_POINT in weapon.rules for weapon in group.weapons):
        yield from _in_pairs(group, before=before)
        return
    shares = [(rule, share) for rule in group.rules if (share := read.share(rule)) is not None]
    shared = [
        (rule, share, weapon)
        for rule, share in shares
        for weapon in group.weapons
        if read.is_weapon_called(weapon.name, share.weapon)
    ]
    if not shared:  # a text about a weapon that is not there stays what nobody understands
        yield group
        return
    rule, share, _ = shared[0]
    armed = ceil(Fraction(before + group.count, share.one_in)) - ceil(Fraction(before, share.one_in))
    theirs = {weapon for _, _, weapon in shared}
    rules = tuple(other for other in group.rules if other != rule)
    if armed < group.count:
        weapons = tuple(weapon for weapon in group.weapons if weapon not in theirs)
        yield replace(group, count=group.count - armed, rules=rules, weapons=weapons)
    if armed:
        yield replace(group, count=armed, rules=rules)


def _in_pairs(group: UnitGroup, *, before: int) -> Iterator[UnitGroup]:
    """Those without and those with a weapon of which two have one barrage point."""
    others = tuple(weapon for weapon in group.weapons if read.HALF_A_POINT not in weapon.rules)
    whole = tuple(
        replace(weapon, rules=tuple(rule for rule in weapon.rules if rule != read.HALF_A_POINT))
        for weapon in group.weapons
        if weapon not in others
    )
    rules = tuple(rule for rule in group.rules if not read.is_about_halves(rule))
    armed = (before + group.count) // 2 - before // 2
    for number, weapons in ((group.count - armed, others), (armed, (*others, *whole))):
        if number:
            yield replace(group, count=number, rules=rules, weapons=weapons)


def _critical(node: object, unknown: list[str]) -> str | None:
    """What a critical hit costs a war engine, as rules write it; an effect that does more is reported as well."""
    if not isinstance(node, SelectionState):
        return None
    profiles = [profile for profile in unit_profiles(node) if profile.value(CRITICAL)]
    name = next((profile.value(CRITICAL) or "" for profile in profiles), "").strip()
    if not name or name.casefold() in read.NOTHING:
        return None
    effects: list[str] = []
    for part in name.split(", "):  # "Reactor Damage, Crippling Damage" are two, each with a text of its own
        texts = [part, *(rule.description for rule in node.rules if _explains(rule.name, part))]
        effect = next((found for text in texts if (found := criticals.described_effect(text))), None)
        if effect is None or any(criticals.says_more(text) for text in texts):
            unknown.append(f"Critical hit: {part}")
        effects += [effect] if effect is not None else []
    return next(iter(effects), None)


def _explains(rule: str, effect: str) -> bool:
    return rule.casefold().startswith(criticals.RULE) and effect.casefold() in rule.casefold()


def _joined(parts: list[UnitGroup], character: army.Character, weapons: tuple[army.Weapon, ...]) -> list[UnitGroup]:
    """The host's units with the character on one of them that has none yet. Source: L9-11, L640-644 [text]."""
    first, *rest = parts
    hosting = replace(
        first,
        name=f"{first.name} + {character.name}",
        count=1,
        rules=(*first.rules, *character.rules),
        weapons=(*first.weapons, *weapons),
    )
    left = [replace(first, count=first.count - 1)] if first.count > 1 else []
    return [*left, *rest, hosting]


def _arms(node: object) -> tuple[army.Weapon, ...]:
    """What a character brings to its host."""
    return tuple(character_weapons(node)) if isinstance(node, SelectionState) else ()


def _shown_weapons(root: object, borne: Collection[str]) -> Iterator[tuple[str, bool]]:
    """Every weapon that the data shows in a formation, on datasheets that nobody has too, and whether it is read.

    Left out are names of what a row of its own describes, what only has rules for its bearer, and the gun that a
    character chose another instead of.
    """
    for node in root.walk() if isinstance(root, SelectionState) else ():
        rows = [row for row in node.profiles if row.type_name in (*read.UNIT_PROFILES, read.WEAPON_PROFILE)]
        for row in rows if node.number > 0 else ():
            weapons = () if read.is_choice_of_others(row) else read.weapons(row)
            taken = {way_of(weapon) for weapon, _ in weapons if weapon.name in borne} - {None}
            for weapon, unread in weapons:
                if unread or not (way_of(weapon) in taken or _is_told_elsewhere(weapon, borne)):
                    yield weapon.name, not unread


def _is_told_elsewhere(weapon: army.Weapon, borne: Collection[str]) -> bool:
    is_idle = weapon.range is None and weapon.firepower is None
    return is_idle and (bool(weapon.rules) or any(read.is_weapon_called(weapon.name, name) for name in borne))
