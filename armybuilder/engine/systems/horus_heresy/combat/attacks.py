"""The kinds shooting, melee and hammer_of_wrath: one attack on one target, exactly and with dice."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, partial

import msgspec
import numpy as np

from armybuilder.engine.combat import exact
from armybuilder.engine.combat.distribution import Distribution
from armybuilder.engine.combat.outcomes import Measured, Outcomes, Values
from armybuilder.engine.systems.horus_heresy.combat import gets_hot, morale, vehicle_damage
from armybuilder.engine.systems.horus_heresy.combat.assault import Blows, every_party
from armybuilder.engine.systems.horus_heresy.combat.followup_tests import FollowupTests
from armybuilder.engine.systems.horus_heresy.combat.gets_hot import Bearers
from armybuilder.engine.systems.horus_heresy.combat.model_notes import note_rules, texts_of
from armybuilder.engine.systems.horus_heresy.combat.note_words import NOTES
from armybuilder.engine.systems.horus_heresy.combat.reactions import disdains
from armybuilder.engine.systems.horus_heresy.combat.shooting import Shooting
from armybuilder.engine.systems.horus_heresy.combat.special_rules import SPECIAL_RULES
from armybuilder.engine.systems.horus_heresy.combat.target_state import Unit
from armybuilder.engine.systems.horus_heresy.combat.volley import Alternative, Struck, TargetState
from armybuilder.engine.systems.horus_heresy.combat.wound_allocation import standing_for
from armybuilder.engine.systems.horus_heresy.matchup import HeresyMatchup
from armybuilder.engine.systems.matchups import MAX_DICE, ModelNotes, refuse_above
from armybuilder.engine.systems.outcome_models import OutcomeModel


@dataclass(slots=True)
class Attack:
    """An attack ready to be resolved.

    Attributes:
        hot: models that may be slain by their own weapons; None when no weapon gets hot.
        followups: tests that the attack may cause.
    """

    matchup: HeresyMatchup
    target: TargetState
    alternatives: list[Alternative]
    hot: list[Bearers] | None = None
    followups: FollowupTests | None = None
    own_losses: bool = field(default=False)

    @property
    def chances_of_a_hit(self) -> dict[str, float]:
        """Chances of one hit on a vehicle to glance and to penetrate before saves, over all lines of the attack."""
        lines = [line for way in self.alternatives[:1] for line in way.lines]
        each = [exact.expected(self.target.after_hit(line)) for line in lines]
        return {
            name: sum(means.get(name, 0.0) for means in each) / len(each) if each else 0.0
            for name in ("glancing", "penetrating")
        }


def shooting_attack(matchup: HeresyMatchup, notes: ModelNotes) -> Attack:
    """Every listed weapon of the attacker, fired once."""
    note_rules(matchup, notes)
    assert matchup.attacker is not None and matchup.defender is not None
    attacker, defender = Unit(matchup.attacker, "/attacker"), Unit(matchup.defender, "/defender")
    if matchup.defender.reaction == "evade" and disdains(defender, attacker):
        notes.assume(NOTES["machines_this_size"])
        defender = Unit(msgspec.structs.replace(matchup.defender, reaction="none"), "/defender")
    shooting = Shooting(attacker, defender, matchup.conditions_in_force, notes)
    alternatives = shooting.alternatives()
    defender.note_mixture(notes)
    charged = defender.side.charged
    if charged:
        notes.assume(NOTES["target_charges_this"])
    target = standing_for(defender, matchup.options, alternatives, charged=charged)
    return Attack(
        matchup,
        target,
        alternatives,
        hot=gets_hot.bearers_of(attacker, shooting.overheating) if gets_hot.may_overheat(attacker) else None,
        followups=FollowupTests(
            target, alternatives, matchup.conditions_in_force, panics=not charged, fear=_fear(attacker, matchup, notes)
        ),
        own_losses=any(alternative.lost for alternative in alternatives),
    )


def _fear(attacker: Unit, matchup: HeresyMatchup, notes: ModelNotes) -> int:
    """Of an attacker that is known to be within 12" (L2993)."""
    distance = matchup.conditions_in_force.distance
    if distance is None or distance > morale.REACH_OF_FEAR:
        return 0
    notes.modelled += [text for text in texts_of(attacker.side) if SPECIAL_RULES.read(text).name == "fear"]
    return morale.fear_of(attacker)


def melee_attack(matchup: HeresyMatchup, notes: ModelNotes) -> Attack:
    """The attacker's blows of one fight sub-phase, Hammer of Wrath and stomps included."""
    note_rules(matchup, notes)
    blows, defender = _blows(matchup)
    defender.note_mixture(notes)
    alive = [group.count for group in blows.striker.groups]
    fixed = (*blows.hammer_lines(alive), *blows.stomp_lines(alive))
    alternatives = []
    for weight, rampage in blows.rampages():
        for way in blows.alternatives(every_party(blows, alive), rampage):
            alternatives.append(Alternative(weight * way.weight, (*fixed, *way.lines), way.position, way.lost))
    target = standing_for(defender, matchup.options, alternatives)
    return Attack(
        matchup,
        target,
        alternatives,
        followups=FollowupTests(target, alternatives, matchup.conditions_in_force),
        own_losses=any(way.lost for way in alternatives),
    )


def hammer_attack(matchup: HeresyMatchup, notes: ModelNotes) -> Attack:
    """Only the automatic hits of Hammer of Wrath; the attacker has charged."""
    note_rules(matchup, notes)
    blows, defender = _blows(matchup, charged=True)
    defender.note_mixture(notes)
    lines = tuple(blows.hammer_lines([group.count for group in blows.striker.groups]))
    alternatives = [Alternative(1.0, lines)]
    return Attack(matchup, standing_for(defender, matchup.options, alternatives), alternatives)


def _blows(matchup: HeresyMatchup, *, charged: bool | None = None) -> tuple[Blows, Unit]:
    assert matchup.attacker is not None and matchup.defender is not None
    side = matchup.attacker
    if charged is not None:
        side = msgspec.structs.replace(side, charged=charged)
    attacker, defender = Unit(side, "/attacker"), Unit(matchup.defender, "/defender")
    return Blows(attacker, defender, matchup.conditions_in_force, matchup.options), defender


def simulated(
    prepare: Callable[[HeresyMatchup, ModelNotes], Attack],
) -> Callable[[HeresyMatchup, ModelNotes], OutcomeModel]:
    """The simulation of attacks that are prepared in this way."""
    return lambda matchup, notes: _model(prepare(matchup, notes))


def _model(attack: Attack) -> OutcomeModel:
    target, alternatives = attack.target, attack.alternatives
    dice = max((sum(line.bearers * line.dice for line in way.lines) for way in alternatives), default=1)
    damage = cache(lambda: target.damage(alternatives))

    def describe(outcomes: Outcomes) -> None:
        struck = outcomes.either(
            lambda: damage().struck, lambda rng, trials: target.rolled(alternatives, rng, np.zeros(trials, np.int64))
        )
        _enter(attack, outcomes, struck)

    return OutcomeModel(
        describe,
        dice + sum(bearers.models for bearers in attack.hot or ()),
        ways=lambda: damage().states,
        guard=lambda trials: refuse_above(trials * dice, MAX_DICE, "dice in all trials", "/trials"),
    )


def _enter(attack: Attack, outcomes: Outcomes, struck: Struck) -> None:
    """All metrics of an attack."""
    target, state, marks = attack.target, struck.state, struck.marks
    destroyed = target.destroyed[state]
    if target.is_vehicle:
        for name, otherwise in attack.chances_of_a_hit.items():
            outcomes.add_ratio(f"p_{name}_per_hit", marks.get(name, 0), marks.get("hits", 0), otherwise)
        outcomes.add("hull_points_lost", target.lost[state], distribution=True)
        if target.unit.is_building:
            collapse: Values = outcomes.either(
                lambda: float(vehicle_damage.COLLAPSE.distribution().mean),
                vehicle_damage.COLLAPSE.roll,
            )
            inside = marks.get(vehicle_damage.INSIDE, 0) + outcomes.averaged(destroyed) * collapse
            outcomes.add(vehicle_damage.INSIDE, inside)
        if not target.unit.is_huge:
            outcomes.add("p_explodes", target.exploded[state])
        if _may_be_immobilised(target):
            outcomes.add("p_immobilised", target.immobilised[state])
    else:
        outcomes.add("unsaved_wounds", struck.unsaved, distribution=target.uniform)
        outcomes.add("wounds_lost", target.lost[state])
        outcomes.add("wounds", marks.get("wounds", 0))
    outcomes.add("models_slain", target.slain[state], distribution=True)
    outcomes.add("p_destroyed", destroyed)
    outcomes.add("hits", marks.get("hits", 0))
    for name, gone in _leaders(target).items():
        outcomes.add(name, gone[state])
    if attack.hot is not None or attack.own_losses:
        own: Measured = outcomes.either(
            partial(_own_losses, attack), lambda rng, trials: _rolled_losses(attack, struck.lost, rng, trials)
        )
        outcomes.add("attacker_models_slain", own, distribution=True)
    if attack.followups is not None:
        attack.followups.enter(outcomes, struck)


def _may_be_immobilised(target: TargetState) -> bool:
    """Whether the damage table can hold the target's vehicle fast (L2022-L2038)."""
    unit = target.unit
    return not (
        unit.is_huge or unit.is_zooming or unit.first_vehicle.immobilised or unit.first_vehicle.type == "fortification"
    )


def _leaders(target: TargetState) -> dict[str, np.ndarray]:
    """States in which a Character who leads others is slain, by the name of the metric."""
    groups = target.unit.groups
    if target.is_vehicle or len(target.unit.order) < 2:
        return {}
    return {
        f"p_slain:{groups[index].name}": target.standing_of(kind) == 0
        for kind, index in enumerate(target.unit.order)
        if groups[index].count == 1 and groups[index].is_a("character", "primarch")
    }


def _own_losses(attack: Attack) -> Distribution:
    """Models of its own that the attack costs, by overheating weapons and by Perils of the Warp."""
    total = Distribution(0, np.ones(1)) if attack.hot is None else gets_hot.slain(attack.hot)
    if attack.own_losses:
        lost = np.bincount([way.lost for way in attack.alternatives], weights=[w.weight for w in attack.alternatives])
        total = total + Distribution(0, lost)
    return total


def _rolled_losses(attack: Attack, lost: Values, rng: np.random.Generator, trials: int) -> Values:
    """The same in every trial; `lost` before striking."""
    return lost + (gets_hot.rolled(attack.hot, trials, rng) if attack.hot is not None else 0)
