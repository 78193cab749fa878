"""Formations of an evaluated Epic roster as fighters: units with their characters merged in, and what is not known."""

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Literal

import msgspec
from msgspec.structs import replace

from armybuilder.engine.roster.state import RosterState, SelectionState
from armybuilder.engine.systems.epic import army, from_roster
from armybuilder.engine.systems.epic import recognition as read
from armybuilder.engine.systems.epic.known_rules import is_known
from armybuilder.engine.systems.epic.matchup import Formation, Unit
from armybuilder.engine.systems.epic.roster_formations import unit_profiles

CRITICAL = "Crit"
CRITICAL_RULE = "critical hit"
_DESTROYED = re.compile(r"destroyed\b|the unit( and all [^.]*?)? (is|are) destroyed", re.IGNORECASE)
"""How the text of a critical effect begins that ends the engine at once."""
_NEARBY = re.compile(r"\bwithin\b")
"""A critical effect that also does something to others, which no figure knows."""


class Fighter(msgspec.Struct, frozen=True, kw_only=True):
    """A formation of a list, ready to fight.

    Attributes:
        unit: id of its selection in the roster.
        points: what it costs with its upgrades.
        unknown: special rules, critical effects and weapons that are in no figure, as the data writes them.
    """

    unit: str
    name: str
    points: Decimal
    side: Formation
    unknown: tuple[str, ...] = ()

    @property
    def models(self) -> int:
        """Units in the formation."""
        return sum(unit.count for unit in self.side.groups)

    @property
    def is_in_space(self) -> bool:
        """Whether some of it is off the table for good: the rules text lets nobody shoot at spacecraft."""
        return any(unit.type == "SC" for unit in self.side.groups)


def sides_from_roster(state: RosterState) -> tuple[Fighter, ...]:
    """Every formation of every force as a fighter, in the order of the roster; empty ones are left out."""
    translation = from_roster.translate(state, from_roster.Facts(), points_limit=None, alliance_levels={})
    nodes = {at: state.node(node_id) for at, node_id in translation.places.items()}
    found: list[Fighter] = []
    for at, formation in translation.army.places:
        if formation.own_units:
            found.append(_fighter(formation, at, nodes))
    return tuple(found)


def _fighter(formation: army.Formation, at: str, nodes: Mapping[str, object]) -> Fighter:
    units: dict[str, list[Unit]] = {}
    unknown: list[str] = []
    for number, unit in enumerate(formation.units):
        if not unit.is_character and unit.count:
            node = nodes.get(f"{at}/units/{number}")
            units.setdefault(unit.id, []).append(_unit(unit, node, unknown))
    for number, character in enumerate(formation.characters):
        host = character.host if character.host in units else next(iter(units))
        node = nodes.get(f"{at}/characters/{number}")
        units[host] = _joined(units[host], character, _arms(node))
    groups = _merged([group for parts in units.values() for group in parts])
    for group in groups:
        for weapon in group.weapons:
            if isinstance(weapon.range, int | float) and weapon.firepower is None:
                unknown.append(weapon.name)
        written = (*group.rules, *(rule for weapon in group.weapons for rule in weapon.rules))
        unknown += [rule for rule in written if not is_known(rule)]
    return Fighter(
        unit=formation.id,
        name=formation.title,
        points=Decimal(str(formation.points or 0)),
        side=Formation(name=formation.title, initiative=formation.initiative, units=groups),
        unknown=tuple(dict.fromkeys(unknown)),
    )


def _merged(groups: list[Unit]) -> tuple[Unit, ...]:
    """Units that differ in nothing but their number as one group."""
    counts: dict[Unit, int] = {}
    for group in groups:
        key = replace(group, count=0)
        counts[key] = counts.get(key, 0) + group.count
    return tuple(replace(group, count=count) for group, count in counts.items())


def _unit(unit: army.Unit, node: object, unknown: list[str]) -> Unit:
    """The same unit in the documents of matchups; a type that the rulebook does not have is fought as infantry."""
    kind = unit.kind if unit.kind in army.UNIT_TYPES else "INF"
    if kind != unit.kind:
        unknown.append(unit.type)
    return Unit(
        name=unit.name,
        type=kind,  # type: ignore[arg-type]
        count=unit.count,
        profile=unit.profile or army.Profile(),
        rules=unit.rules,
        weapons=unit.weapons,
        aircraft_class=unit.aircraft_class,
        critical_effect=_critical(unit, node, unknown) if unit.is_war_engine else None,
    )


def _critical(unit: army.Unit, node: object, unknown: list[str]) -> Literal["destroyed"] | None:
    """The critical effect of a war engine: the one the dice know, or a name that is reported."""
    if not isinstance(node, SelectionState):
        return None
    profiles = [profile for profile in unit_profiles(node) if profile.value(CRITICAL)]
    name = next((profile.value(CRITICAL) or "" for profile in profiles), "").strip()
    if not name or name.casefold() in read.NOTHING:
        return None
    texts = [name, *(rule.description for rule in node.rules if _explains(rule.name, name))]
    destroyed = any(_DESTROYED.match(text.strip()) for text in texts)
    if not destroyed or any(_NEARBY.search(text) for text in texts):
        unknown.append(f"Critical hit: {name}")
    return "destroyed" if destroyed else None


def _explains(rule: str, effect: str) -> bool:
    return rule.casefold().startswith(CRITICAL_RULE) and effect.casefold() in rule.casefold()


def _joined(parts: list[Unit], character: army.Character, weapons: tuple[army.Weapon, ...]) -> list[Unit]:
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
    return tuple(_weapons(node)) if isinstance(node, SelectionState) else ()


def _weapons(node: SelectionState) -> Iterator[army.Weapon]:
    for profile in unit_profiles(node):
        if read.unit_kind(profile.value("Type") or "").type == "CH":
            for line in read.weapon_lines(profile):
                yield read.weapon(line)[0]
