"""Every shooting unit of one list against every unit of another, exactly: losses, points destroyed, chances."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from msgspec.structs import replace as replace_struct

from armybuilder.engine.systems.horus_heresy.combat import vehicle_damage, wounding
from armybuilder.engine.systems.horus_heresy.combat.fighter import Fighter
from armybuilder.engine.systems.horus_heresy.combat.shooting import Shooting
from armybuilder.engine.systems.horus_heresy.combat.special_rules import SpecialRules
from armybuilder.engine.systems.horus_heresy.combat.target_state import Unit
from armybuilder.engine.systems.horus_heresy.combat.volley import Alternative, AttackLine, TargetState
from armybuilder.engine.systems.horus_heresy.combat.wound_allocation import needs, standing_for
from armybuilder.engine.systems.horus_heresy.matchup import (
    Conditions,
    Group,
    HeresyMatchup,
    MatchupOptions,
    Side,
    Weapon,
    replace_group,
)
from armybuilder.engine.systems.list_matchups import NOTHING_TO_FIRE, Effect, NoAttack, price_of
from armybuilder.engine.systems.matchups import ModelNotes

FIRES_EVERYTHING = ("dreadnought", "monstrous", "vehicle", "fortification")
"""Types that fire all their weapons in one attack (L1589, L1657, L1855); others fire one, or two pistols (L677)."""


GUNS_OF_A_FLYER = 4
"""Weapons that a zooming Flyer fires (L2391)."""


class Target:
    """A defender, read once for all attackers."""

    def __init__(self, fighter: Fighter, options: MatchupOptions) -> None:
        self.fighter = fighter
        self.unit = Unit(fighter.side, "/defender")
        self.options = options
        self.standing = TargetState(self.unit, options)
        self._picked: dict[tuple[bool, int], TargetState] = {}

    def under(self, alternatives: Sequence[Alternative]) -> TargetState:
        """The target as this attack needs it."""
        key = needs(self.unit, alternatives)
        if not any(key):
            return self.standing
        if key not in self._picked:
            self._picked[key] = standing_for(self.unit, self.options, alternatives)
        return self._picked[key]


def shooting_matrix(
    attackers: Sequence[Fighter],
    defenders: Sequence[Fighter],
    *,
    conditions: Conditions | None = None,
    options: MatchupOptions | None = None,
) -> Iterator[list[Effect | None]]:
    """Resolve every pair exactly, a row for each attacker; None where it cannot shoot at that target at all.

    Each model fires the weapon that hurts the target most: one of its weapons, all of a vehicle's, Dreadnought's or
    Monstrous model's, as many as Firing Protocols allows.
    """
    readings = options or MatchupOptions()
    targets = [Target(fighter, readings) for fighter in defenders]
    for attacker in attackers:
        unit = Unit(attacker.side, "/attacker")
        yield [_cell(attacker, unit, target, conditions or Conditions()) for target in targets]


def pair_request(
    attacker: Fighter,
    defender: Fighter,
    *,
    kind: str = "shooting",
    conditions: Conditions | None = None,
    options: MatchupOptions | None = None,
    attacker_charged: bool = False,
) -> HeresyMatchup:
    """The matchup document behind a cell, or behind an assault of one unit on another (`melee`, `combat_round`).

    Raises:
        NoAttack: there is nothing to fire at the target.
    """
    in_force, readings = conditions or Conditions(), options or MatchupOptions()
    side = attacker.side
    if kind == "shooting":
        target = Target(defender, readings)
        volley = fired_at(attacker, Unit(side, "/attacker"), target, in_force)
        if not volley:
            raise NoAttack(NOTHING_TO_FIRE, "/attacker")
        side = armed(side, volley)
    elif attacker_charged:
        side = replace_struct(side, charged=True)
    return HeresyMatchup(
        system="horus-heresy",
        kind=kind,
        name=f"{attacker.name} – {defender.name}",
        attacker=side,
        defender=defender.side,
        conditions=in_force,
        options=readings,
    )


def _cell(attacker: Fighter, unit: Unit, target: Target, conditions: Conditions) -> Effect | None:
    """One pair; None when no weapon can be fired at the target."""
    volley = fired_at(attacker, unit, target, conditions)
    if not volley:
        return None
    alternatives = [Alternative(1.0, tuple(shot.line for shot in volley))]
    fired = armed(attacker.side, volley)
    if fired.makes_checks:
        firing = Unit(fired, "/attacker")
        alternatives = Shooting(firing, target.unit, conditions, ModelNotes()).alternatives()
    standing = target.under(alternatives)
    states = standing.reached(alternatives)
    slain = float(states @ standing.slain)
    lost = float(states @ standing.lost)
    return Effect(
        models_slain=slain,
        hull_points_lost=lost if target.fighter.has_hull else None,
        wounds_lost=lost if target.fighter.has_several_wounds else None,
        points_destroyed=price_of(slain, target.fighter),
        p_destroyed=float(states[standing.destroyed].sum()),
        weapons=tuple(dict.fromkeys(shot.weapon.name for shot in volley)),
    )


@dataclass(frozen=True, slots=True)
class Shot:
    """A weapon that is fired, with how much it hurts the target."""

    group: int
    number: int
    weapon: Weapon
    line: AttackLine
    value: float


def fired_at(attacker: Fighter, unit: Unit, target: Target, conditions: Conditions) -> list[Shot]:
    """The weapons that the attacker fires at this target."""
    shooting = Shooting(unit, target.unit, conditions, ModelNotes())
    volley: list[Shot] = []
    for index, group in enumerate(unit.groups):
        offers: list[Shot] = []
        for number, weapon in enumerate(group.weapons):
            if weapon.kind == "Melee" or not group.count:
                continue
            bearers = group.count if weapon.count is None else min(weapon.count, group.count)
            line = shooting.line(index, group, weapon, bearers, f"/attacker/models/{index}/weapons/{number}")
            if line is not None and bearers:
                offers.append(Shot(index, number, weapon, line, _value(line, target)))
        volley += _choice(attacker, group, offers)
    return volley


def _choice(attacker: Fighter, group: Group, offers: list[Shot]) -> list[Shot]:
    """The weapons that are fired: of several profiles of a weapon the best, and as many weapons as the model may."""
    best = sorted(offers, key=lambda shot: (-round(shot.value, 9), -(shot.weapon.reach_inches or 0), shot.number))
    for mode in attacker.modes:
        mine = [shot for shot in best if shot.group == mode.group and shot.number in mode.weapons]
        best = [shot for shot in best if shot not in mine[1:]]
    if group.is_a(*FIRES_EVERYTHING):
        most = GUNS_OF_A_FLYER if group.is_zooming else len(best)
        return sorted(best[:most], key=lambda shot: shot.number)
    rules = SpecialRules((*attacker.side.rules, *group.rules))
    free = group.count * max(1, rules.number("firing protocols", 1) or 1)
    fired: list[Shot] = []
    for shot in best:
        second_pistol = len(fired) == 1 and fired[0].weapon.kind == shot.weapon.kind == "Pistol"
        bearers = shot.line.bearers if second_pistol else min(shot.line.bearers, free)
        if bearers:
            weapon = shot.weapon if bearers == shot.line.bearers else replace_struct(shot.weapon, count=bearers)
            fired.append(replace(shot, weapon=weapon, line=replace(shot.line, bearers=bearers)))
            free = max(0, free - bearers)
    return sorted(fired, key=lambda shot: shot.number)


def armed(side: Side, volley: Sequence[Shot]) -> Side:
    """The side with only the weapons of the volley."""
    for index in range(len(side.models)):
        weapons = tuple(shot.weapon for shot in volley if shot.group == index)
        side = replace_group(side, index, weapons=weapons)
    return side


def _value(line: AttackLine, target: Target) -> float:
    """How much a line hurts, for choosing between weapons: wounds, a whole model for a slain one."""
    means = target.standing.means(line)
    if target.standing.is_vehicle:
        points = target.unit.squadron.hull_points
        return line.bearers * (means.get(vehicle_damage.HULL, 0.0) + points * means.get(vehicle_damage.EXPLODES, 0.0))
    each = float(np.mean(target.standing.lineup.wounds))
    return line.bearers * (means.get(wounding.WOUND, 0.0) + each * means.get(wounding.SLAY, 0.0))
