"""Combat result, ranks and steadfast units; break tests."""

from collections.abc import Sequence

import numpy as np

from armybuilder.engine.errors import BadDocument
from armybuilder.engine.systems.fantasy_8th.combat.experiments import Experiment, Ints
from armybuilder.engine.systems.fantasy_8th.combat.leadership import Courage, required
from armybuilder.engine.systems.fantasy_8th.combat.note_words import NOTES
from armybuilder.engine.systems.fantasy_8th.combat.ranks import MOST_RANKS, ranks
from armybuilder.engine.systems.fantasy_8th.combat.rules_in_force import any_rule, note_rules, unit_items, unit_rules
from armybuilder.engine.systems.fantasy_8th.matchup import FantasyMatchup, Side
from armybuilder.engine.systems.matchups import ModelNotes


def rank_bonus(side: Side, models: Ints, enemy: Side, enemy_models: Ints) -> Ints:
    """Points for extra ranks at the end of combat. Source: L287-289, L1212-1213 [text]."""
    if side.terrain == "river":
        return np.zeros(np.broadcast_shapes(models.shape, enemy_models.shape), np.int64)
    points = np.clip(ranks(side, models) - 1, 0, MOST_RANKS)
    if enemy.attacks_from == "front":
        return points + 0 * enemy_models
    return np.where(ranks(enemy, enemy_models) >= 2, 0, points)


def standing_points(side: Side) -> int:
    """Points that casualties do not change. Source: L284-298 [text]."""
    points = int(side.charged) + int(side.charged and side.higher_ground)
    points += "standard_bearer" in side.command
    points += side.army_standard
    points += {"front": 0, "flank": 1, "rear": 2}[side.attacks_from]
    return points + ("War Banner" in unit_items(side))


def steadfast(side: Side, own: Ints, enemy: Ints, given: bool | None = None) -> np.ndarray:
    """Whether the loser tests on unmodified leadership.

    Args:
        own, enemy: ranks of both units.
        given: what the document says; None lets ranks, terrain and rules decide.

    Source: L300-303, L616-620, L643, L1188-1190, L1212, L1379 [text].
    """
    shape = np.broadcast_shapes(own.shape, enemy.shape)
    if given is not None:
        return np.full(shape, given)
    rules = unit_rules(side)
    if any_rule(side, "stubborn") or side.terrain == "building":
        return np.full(shape, True)
    if side.terrain == "forest":
        return np.full(shape, "skirmishers" in rules)
    if side.terrain == "river":
        return np.full(shape, False)
    return np.asarray(np.broadcast_to(own > enemy, shape))


def combat_result(matchup: FantasyMatchup, notes: ModelNotes) -> Experiment:
    """Adding up the combat result; no dice."""
    attacker, defender = matchup.attacker, matchup.defender
    assert attacker is not None and defender is not None  # the kind's needs
    played = {"attacker": ("combat_result",), "defender": ("combat_result",)}
    note_rules(matchup, notes, played, items=("combat_result",), effects=())
    for name, side in (("attacker", attacker), ("defender", defender)):
        if side.wounds_inflicted is None:
            raise BadDocument("Missing field 'wounds_inflicted': combat_result needs it.", f"/{name}/wounds_inflicted")
    own, theirs = np.array([attacker.count]), np.array([defender.count])
    points = (attacker.wounds_inflicted or 0) + standing_points(attacker) + rank_bonus(attacker, own, defender, theirs)
    others = (defender.wounds_inflicted or 0) + standing_points(defender) + rank_bonus(defender, theirs, attacker, own)

    def outcome(faces: Sequence[Ints]) -> dict[str, Ints]:
        return {
            "attacker_combat_result": points,
            "defender_combat_result": others,
            "combat_result_difference": points - others,
        }

    return Experiment((), outcome)


def break_test(matchup: FantasyMatchup, notes: ModelNotes) -> Experiment:
    """The loser's break test. Source: L299-304 [text]."""
    unit, enemy, conditions = matchup.unit, matchup.enemy, matchup.conditions
    assert unit is not None and conditions.lost_combat_by is not None  # the kind's needs
    note_rules(
        matchup,
        notes,
        {"unit": ("combat_result", "break_test"), "enemy": ("combat_result",)},
        items=("leadership",),
        effects=("leadership",),
    )
    own = ranks(unit, np.array([unit.count]))
    theirs = ranks(enemy, np.array([enemy.count])) if enemy is not None else np.array([1_000_000])
    firm = bool(steadfast(unit, own, theirs, conditions.steadfast)[0])
    counted: dict[str, Ints] = {}
    if enemy is not None:
        counted = {"ranks": own, "enemy_ranks": theirs}
    elif conditions.steadfast is None:
        notes.assume(NOTES["no_enemy_given"])
    always = "unbreakable" in unit_rules(unit)
    known = Courage(None, reroll=False, fearless=True) if always else required(unit, "/unit", conditions)
    minus = 0 if firm else conditions.lost_combat_by
    if "unstable" in unit_rules(unit):
        notes.assume(NOTES["extra_wounds_unstable"])

    def outcome(faces: Sequence[Ints]) -> dict[str, np.ndarray]:
        passed = known.passes(*known.totals(faces), minus, insane=True)
        return {"p_pass": passed, "p_fail": ~passed, "steadfast": np.array(float(firm)), **counted}

    return Experiment(known.dice, outcome)
