"""What can be simulated in the Horus Heresy: every kind of contracts 3.1, with its exact and its sampled form."""

import re

from armybuilder.engine.combat.dice import parse
from armybuilder.engine.errors import BadDocument
from armybuilder.engine.systems.horus_heresy.combat import attacks, combat_round, morale, ram
from armybuilder.engine.systems.horus_heresy.combat.attacks import simulated
from armybuilder.engine.systems.horus_heresy.combat.model_notes import SIDES
from armybuilder.engine.systems.horus_heresy.combat.special_rules import MODELLED, SPECIAL_RULES
from armybuilder.engine.systems.horus_heresy.matchup import Group, HeresyMatchup
from armybuilder.engine.systems.matchups import (
    MAX_DICE,
    MAX_MODELS,
    SimulationTypes,
    refuse_above,
    refuse_too_many_models,
)
from armybuilder.engine.systems.outcome_models import simulation_type

MOST_OF_A_CHARACTERISTIC = 100
MOST_WOUNDS = 1_000
MOST_DICE = 100
"""Wounds, Attacks or Hull Points of one model, wounds of a side, and shots or the value of a rule, beyond which a
document is refused."""


def within_limits(matchup: HeresyMatchup) -> None:
    """Refuse documents beyond the service's limits.

    Raises:
        LimitExceeded: pointing at the number that is too large.
        BadDocument: a side without models.
    """
    if matchup.conditions_in_force.models_covered is not None:
        covered = parse(matchup.conditions_in_force.models_covered).highest
        refuse_above(covered, MAX_MODELS, "models under a marker", "/conditions/models_covered")
    for name in SIDES:
        side = getattr(matchup, name)
        if side is None:
            continue
        refuse_too_many_models([group.count for group in side.models], f"/{name}/models")
        if not any(group.count for group in side.models) and (name != "attacker" or matchup.kind == "combat_round"):
            raise BadDocument("A side needs at least one model.", f"/{name}/models/0/count")
        wounds = 0
        _small_values(side.rules, f"/{name}/rules")
        for index, group in enumerate(side.models):
            place = f"/{name}/models/{index}"
            for letter, value in (
                ("W", group.profile.wounds), ("A", group.profile.attacks), ("HP", group.profile.hull_points)
            ):  # fmt: skip
                at = f"{place}/profile/{letter}"
                refuse_above(value or 0, MOST_OF_A_CHARACTERISTIC, f"({letter}) of one model", at)
            _small_dice(group, place)
            wounds += group.count * (group.profile.wounds or 1)
            refuse_above(wounds, MOST_WOUNDS, "wounds on one side", f"{place}/count")
            if matchup.method == "montecarlo":
                refuse_above(matchup.trials * group.count, MAX_DICE // 5, "models times trials", "/trials")


def _small_dice(group: Group, place: str) -> None:
    """Refuse dice and values of rules that no weapon has."""
    for number, weapon in enumerate(group.weapons):
        at = f"{place}/weapons/{number}"
        refuse_above(
            weapon.dice.highest,
            MOST_DICE,
            "shots of one model",
            f"{at}/type" if weapon.shots is None else f"{at}/shots",
        )
        for name in ("hits", "wounds"):
            text = getattr(weapon.override, name, None)
            if text is not None:
                refuse_above(parse(text).highest, MOST_DICE, name, f"{at}/override/{name}")
        _small_values(weapon.rules, f"{at}/rules")
    _small_values(group.rules, f"{place}/rules")


def _small_values(rules: tuple[str, ...], place: str) -> None:
    for number, text in enumerate(rules):
        for digits in re.findall(r"\d+", text):
            if SPECIAL_RULES.read(text).name in MODELLED:
                refuse_above(int(digits[:9]), MOST_DICE, "as the value of a rule", f"{place}/{number}")


BOTH_SIDES = ("attacker", "defender")

KINDS: SimulationTypes = {
    "shooting": simulation_type(HeresyMatchup, BOTH_SIDES, simulated(attacks.shooting_attack), within_limits),
    "melee": simulation_type(HeresyMatchup, BOTH_SIDES, simulated(attacks.melee_attack), within_limits),
    "hammer_of_wrath": simulation_type(HeresyMatchup, BOTH_SIDES, simulated(attacks.hammer_attack), within_limits),
    "ram": simulation_type(HeresyMatchup, BOTH_SIDES, simulated(ram.ram_attack), within_limits),
    "combat_round": simulation_type(HeresyMatchup, BOTH_SIDES, combat_round.combat_round, within_limits),
    "leadership_test": simulation_type(HeresyMatchup, ("unit",), morale.leadership_test, within_limits),
    "charge": simulation_type(HeresyMatchup, ("unit", "conditions.distance"), morale.charge, within_limits),
    "pursuit": simulation_type(HeresyMatchup, ("winner", "loser"), morale.pursuit, within_limits),
    "perils_of_the_warp": simulation_type(HeresyMatchup, ("unit",), morale.perils, within_limits),
}
