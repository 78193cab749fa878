"""The kinds shooting, melee and hammer_of_wrath: one attack on one target, exactly and with dice."""

from dataclasses import dataclass, field

import msgspec
import numpy as np

from armybuilder.engine.combat import exact, sampling
from armybuilder.engine.combat.distribution import Distribution
from armybuilder.engine.combat.sampling import Ints, Ledger
from armybuilder.engine.systems.horus_heresy.combat import gets_hot, morale, vehicle_damage
from armybuilder.engine.systems.horus_heresy.combat.assault import Blows, every_party
from armybuilder.engine.systems.horus_heresy.combat.followup_tests import Aftermath
from armybuilder.engine.systems.horus_heresy.combat.gets_hot import Bearers
from armybuilder.engine.systems.horus_heresy.combat.model_notes import note_rules, texts_of
from armybuilder.engine.systems.horus_heresy.combat.reactions import disdains
from armybuilder.engine.systems.horus_heresy.combat.shooting import Shooting
from armybuilder.engine.systems.horus_heresy.combat.special_rules import split_rule
from armybuilder.engine.systems.horus_heresy.combat.target_state import Unit
from armybuilder.engine.systems.horus_heresy.combat.volley import Alternative, TargetState, Thrown
from armybuilder.engine.systems.horus_heresy.combat.wound_allocation import standing_for
from armybuilder.engine.systems.horus_heresy.matchup import HeresyMatchup
from armybuilder.engine.systems.matchups import MAX_DICE, Answer, ModelNotes, Run, refuse_above


@dataclass(slots=True)
class Attack:
    """An attack ready to be resolved.

    Attributes:
        hot: models that may be slain by their own weapons; None when no weapon gets hot.
        aftermath: tests that the attack may cause.
    """

    matchup: HeresyMatchup
    target: TargetState
    alternatives: list[Alternative]
    hot: list[Bearers] | None = None
    aftermath: Aftermath | None = None
    own_losses: bool = field(default=False)


def shooting_attack(matchup: HeresyMatchup, basis: ModelNotes) -> Attack:
    """Every listed weapon of the attacker, fired once."""
    note_rules(matchup, basis)
    assert matchup.attacker is not None and matchup.defender is not None
    attacker, defender = Unit(matchup.attacker, "/attacker"), Unit(matchup.defender, "/defender")
    if matchup.defender.reaction == "evade" and disdains(defender, attacker):
        basis.assume(
            "Machines of this size do not evade so small an enemy.",
            "Машины такого размера не уклоняются от столь мелкого противника.",
        )
        defender = Unit(msgspec.structs.replace(matchup.defender, reaction="none"), "/defender")
    shooting = Shooting(attacker, defender, matchup.circumstances, basis)
    alternatives = shooting.alternatives()
    defender.note_mixture(basis)
    charged = defender.side.charged
    if charged:
        basis.assume(
            "The target charges: this is Overwatch, without cover saves.",
            "Цель нападает: это реакция «Упреждение», спас-бросков за укрытие нет.",
        )
    target = standing_for(defender, matchup.options, alternatives, charged=charged)
    return Attack(
        matchup,
        target,
        alternatives,
        hot=gets_hot.bearers_of(attacker, shooting.overheating) if gets_hot.may_overheat(attacker) else None,
        aftermath=Aftermath(
            target, alternatives, matchup.circumstances, panics=not charged, fear=_fear(attacker, matchup, basis)
        ),
        own_losses=any(alternative.lost for alternative in alternatives),
    )


def _fear(attacker: Unit, matchup: HeresyMatchup, basis: ModelNotes) -> int:
    """Of an attacker that is known to be within 12" (L2993)."""
    distance = matchup.circumstances.distance
    if distance is None or distance > morale.REACH_OF_FEAR:
        return 0
    basis.modelled += [text for text in texts_of(attacker.side) if split_rule(text)[0] == "fear"]
    return morale.fear_of(attacker)


def melee_attack(matchup: HeresyMatchup, basis: ModelNotes) -> Attack:
    """The attacker's blows of one fight sub-phase, Hammer of Wrath and stomps included."""
    note_rules(matchup, basis)
    blows, defender = _blows(matchup)
    defender.note_mixture(basis)
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
        aftermath=Aftermath(target, alternatives, matchup.circumstances),
        own_losses=any(way.lost for way in alternatives),
    )


def hammer_attack(matchup: HeresyMatchup, basis: ModelNotes) -> Attack:
    """Only the automatic hits of Hammer of Wrath; the attacker has charged."""
    note_rules(matchup, basis)
    blows, defender = _blows(matchup, charged=True)
    defender.note_mixture(basis)
    lines = tuple(blows.hammer_lines([group.count for group in blows.striker.groups]))
    alternatives = [Alternative(1.0, lines)]
    return Attack(matchup, standing_for(defender, matchup.options, alternatives), alternatives)


def _blows(matchup: HeresyMatchup, *, charged: bool | None = None) -> tuple[Blows, Unit]:
    assert matchup.attacker is not None and matchup.defender is not None
    side = matchup.attacker
    if charged is not None:
        side = msgspec.structs.replace(side, charged=charged)
    attacker, defender = Unit(side, "/attacker"), Unit(matchup.defender, "/defender")
    return Blows(attacker, defender, matchup.circumstances, matchup.options), defender


# --- exactly ---------------------------------------------------------------------------------------------------------


def answer(attack: Attack) -> Answer:
    """Metrics and distributions of an attack."""
    target = attack.target
    damage = target.damage(attack.alternatives)
    states = damage.states
    slain = Distribution(0, np.bincount(target.slain, weights=states))
    metrics: dict[str, float] = {}
    distributions: dict[str, Distribution] = {}
    if target.is_vehicle:
        lost = Distribution(0, np.bincount(target.lost, weights=states))
        metrics |= _per_hit(attack, damage.means)
        metrics["hull_points_lost"] = float(lost.mean)
        distributions["hull_points_lost"] = lost
        if target.unit.is_building:
            collapses = float(states[target.destroyed].sum())
            metrics[vehicle_damage.INSIDE] = damage.means.get(vehicle_damage.INSIDE, 0.0) + collapses * float(
                vehicle_damage.COLLAPSE.distribution().mean
            )
        if not target.unit.is_huge:
            metrics["p_explodes"] = float(states[target.exploded].sum())
        if _may_be_immobilised(target):
            metrics["p_immobilised"] = float(states[target.immobilised].sum())
    else:
        metrics["unsaved_wounds"] = damage.unsaved_mean
        metrics["wounds_lost"] = float(states @ target.lost)
        if damage.unsaved is not None:
            distributions["unsaved_wounds"] = damage.unsaved
        metrics["wounds"] = damage.means.get("wounds", 0.0)
    metrics |= {
        "models_slain": float(slain.mean),
        "p_destroyed": float(states[target.destroyed].sum()),
        "hits": damage.means.get("hits", 0.0),
    }
    distributions["models_slain"] = slain
    metrics |= {name: float(states[gone].sum()) for name, gone in _leaders(target).items()}
    own = _own_losses(attack)
    if own is not None:
        metrics["attacker_models_slain"] = float(own.mean)
        distributions["attacker_models_slain"] = own
    if attack.aftermath is not None:
        metrics |= attack.aftermath.chances(states)
    return Answer(metrics, distributions)


def _may_be_immobilised(target: TargetState) -> bool:
    """Whether the damage table can hold the target's vehicle fast (L2022-L2038)."""
    unit = target.unit
    return not (unit.is_huge or unit.is_zooming or unit.hulk.immobilised or unit.hulk.type == "fortification")


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


def _own_losses(attack: Attack) -> Distribution | None:
    if attack.hot is None and not attack.own_losses:
        return None
    total = Distribution(0, np.ones(1)) if attack.hot is None else gets_hot.slain(attack.hot)
    if attack.own_losses:
        lost = np.bincount([way.lost for way in attack.alternatives], weights=[w.weight for w in attack.alternatives])
        total = total + Distribution(0, lost)
    return total


def _per_hit(attack: Attack, means: dict[str, float]) -> dict[str, float]:
    """Chances of one hit before saves, over all hits of the attack."""
    hits = means.get("hits", 0.0)
    if hits:
        return {f"p_{name}_per_hit": means.get(name, 0.0) / hits for name in ("glancing", "penetrating")}
    lines = [line for way in attack.alternatives[:1] for line in way.lines]
    each = [exact.expected(attack.target.after_hit(line)) for line in lines]
    return {
        f"p_{name}_per_hit": sum(means.get(name, 0.0) for means in each) / len(each) if each else 0.0
        for name in ("glancing", "penetrating")
    }


# --- with dice -------------------------------------------------------------------------------------------------------


def roll(attack: Attack, run: Run, ledger: Ledger) -> None:
    """Roll the attack in every trial and enter it into the ledger."""
    target = attack.target
    size = max((sum(line.bearers * line.dice for line in way.lines) for way in attack.alternatives), default=1)
    refuse_above(run.trials * size, MAX_DICE, "dice in all trials", "/trials")
    own_models = sum(party.models for party in attack.hot or ())
    per_hit = _per_hit(attack, {}) if target.is_vehicle else {}
    for trials in sampling.blocks(run.trials, size + own_models, progress=run.progress, should_stop=run.should_stop):
        thrown = target.rolled(attack.alternatives, run.rng, np.zeros(trials, np.int64))
        _enter(attack, thrown, run.rng, ledger, per_hit)
        ledger.close(trials)


def _enter(attack: Attack, thrown: Thrown, rng: np.random.Generator, ledger: Ledger, per_hit: dict[str, float]) -> None:
    target, state, trials = attack.target, thrown.state, len(thrown.state)
    nothing: Ints = np.zeros(trials, np.int64)
    destroyed = target.destroyed[state]
    if target.is_vehicle:
        ledger.add("hull_points_lost", target.lost[state], distribution=True)
        if target.unit.is_building:
            collapse = np.where(destroyed, vehicle_damage.COLLAPSE.roll(rng, trials), 0)
            ledger.add(vehicle_damage.INSIDE, thrown.marks.get(vehicle_damage.INSIDE, nothing) + collapse)
        if not target.unit.is_huge:
            ledger.add("p_explodes", target.exploded[state])
        if _may_be_immobilised(target):
            ledger.add("p_immobilised", target.immobilised[state])
        hits = thrown.marks.get("hits", nothing)
        for name in ("glancing", "penetrating"):
            ledger.add_ratio(f"p_{name}_per_hit", thrown.marks.get(name, nothing), hits, per_hit[f"p_{name}_per_hit"])
    else:
        ledger.add("unsaved_wounds", thrown.unsaved, distribution=target.uniform)
        ledger.add("wounds_lost", target.lost[state])
        ledger.add("wounds", thrown.marks.get("wounds", nothing))
    ledger.add("models_slain", target.slain[state], distribution=True)
    ledger.add("p_destroyed", destroyed)
    ledger.add("hits", thrown.marks.get("hits", nothing))
    for name, gone in _leaders(target).items():
        ledger.add(name, gone[state])
    if attack.hot is not None or attack.own_losses:
        own = thrown.lost + (gets_hot.rolled(attack.hot, trials, rng) if attack.hot is not None else 0)
        ledger.add("attacker_models_slain", own, distribution=True)
    if attack.aftermath is not None:
        for name, happened in attack.aftermath.rolled(thrown, destroyed, rng).items():
            ledger.add(name, happened)
