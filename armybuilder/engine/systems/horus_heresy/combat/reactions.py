"""Reactions before an assault: Overwatch, and Hold the Line; who may react at all."""

from collections.abc import Iterator
from dataclasses import dataclass

import msgspec

from armybuilder.engine.systems.horus_heresy.combat import morale
from armybuilder.engine.systems.horus_heresy.combat.note_words import NOTES
from armybuilder.engine.systems.horus_heresy.combat.shooting import Shooting
from armybuilder.engine.systems.horus_heresy.combat.special_rules import SPECIAL_RULES
from armybuilder.engine.systems.horus_heresy.combat.target_state import GIANTS, Unit
from armybuilder.engine.systems.horus_heresy.combat.volley import TargetState
from armybuilder.engine.systems.horus_heresy.matchup import AttackConditions, Conditions, HeresyMatchup, Side
from armybuilder.engine.systems.matchups import ModelNotes

RARE = 1e-12
"""Ends of Overwatch less likely than this are left out."""

GIANT_WOUNDS = 8
"""Whom super-heavies, Knights and Titans may react to: one another, and models with so many Wounds (L2264, L2296)."""


@dataclass(frozen=True, slots=True)
class Beginning:
    """How a combat begins after the defender's reaction.

    Attributes:
        attacker: who arrives; None when nobody is left.
        slain, lost: models, and wounds or hull points, that the reaction has cost him.
    """

    weight: float
    attacker: Side | None
    defender: Side
    slain: int = 0
    lost: int = 0


def may_react(unit: Unit, enemy: Unit) -> bool:
    """Whether a unit may react to what this enemy does.

    Source: HH L1577, L1645, L2264, L2296, L2371, L3317 [text].
    """
    groups = [unit.groups[i] for i in unit.present]
    if any(group.is_a("automata", "artillery", "flyer") for group in groups):
        return False
    if unit.any_model_has("slow and purposeful"):
        return False
    return not disdains(unit, enemy)


def disdains(unit: Unit, enemy: Unit) -> bool:
    """Whether the unit holds giants that do not react to so small an enemy. Source: HH L2264, L2296 [text]."""
    if not any(unit.groups[i].is_a(*GIANTS) for i in unit.present):
        return False
    others = [enemy.groups[i] for i in enemy.present]
    return not any(group.is_a(*GIANTS) or (group.profile.wounds or 1) >= GIANT_WOUNDS for group in others)


def beginnings(matchup: HeresyMatchup, notes: ModelNotes) -> Iterator[Beginning]:
    """Every way a combat can begin; as the document has it where no reaction is stated."""
    attacker, defender = matchup.attacker, matchup.defender
    assert attacker is not None and defender is not None
    conditions = matchup.conditions_in_force
    reaction = conditions.reaction if isinstance(conditions, AttackConditions) and attacker.charged else "none"
    if reaction not in ("overwatch", "hold_the_line"):
        notes.assume(NOTES["no_reactions"])
        yield Beginning(1.0, attacker, defender)
    elif not may_react(Unit(defender, "/defender"), Unit(attacker, "/attacker")):
        notes.assume(NOTES["target_may_not"])
        yield Beginning(1.0, attacker, defender)
    elif reaction == "overwatch":
        yield from _after_overwatch(attacker, defender, matchup, notes)
    else:
        yield from _after_holding(attacker, defender, conditions, notes)


def _after_holding(attacker: Side, defender: Side, conditions: Conditions, notes: ModelNotes) -> Iterator[Beginning]:
    """A passed morale check makes the charge disordered; there is no Counter-attack. Source: HH L490, L2951 [text]."""
    unit = Unit(defender, "/defender")
    if unit.is_vehicle:
        notes.assume(NOTES["vehicles_take_no"])
        yield Beginning(1.0, attacker, defender)
        return
    holding = _without(defender, "counter-attack")
    holds = morale.test_chance(unit, conditions, morale=True, fear=morale.fear_of(Unit(attacker, "/attacker")))
    if holds > 0.0:
        yield Beginning(holds, msgspec.structs.replace(attacker, disordered_charge=True), holding)
    if holds < 1.0:
        yield Beginning(1.0 - holds, attacker, holding)


def _without(side: Side, rule: str) -> Side:
    """The side without a rule of its own or of its models."""
    replace = msgspec.structs.replace

    def kept(texts: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(text for text in texts if SPECIAL_RULES.read(text).name != rule)

    models = tuple(replace(group, rules=kept(group.rules)) for group in side.models)
    return replace(side, rules=kept(side.rules), models=models)


def _after_overwatch(attacker: Side, defender: Side, matchup: HeresyMatchup, notes: ModelNotes) -> Iterator[Beginning]:
    """The chargers that are left by each end of the volley; its losses do not count for the result (L488, L1318)."""
    conditions = matchup.conditions_in_force
    assert isinstance(conditions, AttackConditions)
    answering = conditions.answering or defender
    target = Unit(attacker, "/attacker")
    shooting = Shooting(Unit(answering, "/defender"), target, conditions, notes)
    standing = TargetState(target, matchup.options, charged=True)
    states = standing.reached(shooting.alternatives())
    for state, chance in enumerate(states):
        if chance > RARE:
            lost, slain = int(standing.lost[state]), int(standing.slain[state])
            left = None if standing.destroyed[state] else _left(target, standing, state)
            yield Beginning(float(chance), left, defender, slain, lost)


def _left(unit: Unit, standing: TargetState, state: int) -> Side:
    """A side after losses: fewer models, the one in front wounded."""
    replace = msgspec.structs.replace
    groups = list(unit.groups)
    if standing.is_vehicle:
        index, vehicle = unit.order_of_vehicles[0], standing.squadron_states.states[state]
        points = groups[index].profile.hull_points or 0
        here = groups[index].count - vehicle.gone
        groups[index] = replace(groups[index], count=max(0, here), hull_points_left=max(1, points - vehicle.lost))
        return replace(unit.side, models=tuple(groups))
    lineup = standing.lineup
    front, place = int(standing.slain[state]), 0
    for kind, index in enumerate(unit.order):
        count = int(lineup.standing(kind)[state])
        wounds = None
        if place <= front < place + groups[index].count:
            before = sum(lineup.wounds[:front])
            wounds = lineup.wounds[front] - (state - before)
        place += groups[index].count
        groups[index] = replace(groups[index], count=count, wounds_left=wounds)
    return replace(unit.side, models=tuple(groups))
