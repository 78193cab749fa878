"""Leadership tests, morale checks, charges, pursuits and Perils of the Warp."""

from collections.abc import Iterable
from functools import partial

import numpy as np

from armybuilder.engine.combat import exact, sampling
from armybuilder.engine.combat.distribution import Distribution
from armybuilder.engine.combat.outcomes import Outcomes, Values
from armybuilder.engine.combat.sampling import Ints
from armybuilder.engine.combat.sequence import End, Several
from armybuilder.engine.combat.steps.saves import best_save, saved
from armybuilder.engine.errors import BadDocument
from armybuilder.engine.systems.horus_heresy.combat.model_notes import note_rules
from armybuilder.engine.systems.horus_heresy.combat.note_words import NOTES
from armybuilder.engine.systems.horus_heresy.combat.psychic import after_perils, leadership_chance, perils_of
from armybuilder.engine.systems.horus_heresy.combat.target_state import KNIGHTS, Unit
from armybuilder.engine.systems.horus_heresy.combat.vehicle_damage import HULL
from armybuilder.engine.systems.horus_heresy.combat.wounding import D3, WOUND
from armybuilder.engine.systems.horus_heresy.matchup import Conditions, HeresyMatchup, Side
from armybuilder.engine.systems.matchups import ModelNotes
from armybuilder.engine.systems.outcome_models import OutcomeModel

LONGEST_CHARGE = 12
SHORTEST_CHARGE = 2
TOTALS = np.arange(2, 13)
WAYS = 6 - abs(7 - TOTALS)
"""Totals of 2D6, and how many of 36 ways lead to each."""

REACH_OF_FEAR = 12
"""Inches within which enemies are afraid (L2993)."""


def unit_of(side: Side | None, place: str) -> Unit:
    """A side of the document as a unit."""
    assert side is not None
    return Unit(side, place)


def _highest(values: Iterable[int | None]) -> int | None:
    return max((value for value in values if value is not None), default=None)


def leadership_of(unit: Unit, standing: tuple[int, ...] | None = None) -> int:
    """The highest Leadership in the unit.

    Args:
        standing: groups that still have models; None is all of them.

    Raises:
        BadDocument: no model has one.
    """
    among = unit.present if standing is None else standing
    best = _highest(unit.groups[i].profile.leadership for i in among)
    if best is None:
        raise BadDocument("A test needs Leadership.", f"{unit.place}/models/{(among or (0,))[0]}/profile/Ld")
    return best


def test_chance(
    unit: Unit,
    conditions: Conditions,
    *,
    morale: bool,
    lost_by: int = 0,
    penalty: int = 0,
    fear: int = 0,
    added: int = 0,
    standing: tuple[int, ...] | None = None,
) -> float:
    """Chance that the unit passes a Leadership test.

    Args:
        morale: a morale check or pinning test, which Fearless passes and Stubborn takes unmodified.
        lost_by: difference of the combat result.
        penalty: of Shell Shock and the like.
        fear: of an enemy that causes it.
        added: to the roll itself, whatever the unit is (Hallucinations).

    Source: HH L301-L311, L1446-L1468, L2103, L2993-L3003, L3341, L3966-L3969 [text].
    """
    if unit.is_vehicle:
        return 1.0
    if morale and unit.has_fearless:
        return 1.0
    stubborn = unit.any_model_has("stubborn")
    modifier = conditions.leadership_modifier
    if conditions.night_fighting and not (stubborn or unit.has_fearless or _sees_at_night(unit)):
        modifier -= 1
    if morale:
        daemons = any(unit.groups[i].is_a("daemon") for i in unit.present)
        modifier -= lost_by + penalty + (0 if daemons else fear)
        if stubborn:
            modifier = max(0, modifier)
    return leadership_chance(leadership_of(unit, standing) + modifier - added)


def _sees_at_night(unit: Unit) -> bool:
    return unit.any_model_has("night vision") or any(unit.groups[i].type == "primarch" for i in unit.present)


def fear_of(unit: Unit) -> int:
    """The Fear that a unit causes: the highest version only (L2993, L1599)."""
    values = [unit.rules[i].number("fear", 1) or 0 for i in unit.present]
    daemons = any(unit.groups[i].is_a("daemon") for i in unit.present)
    return max([*values, 1 if daemons else 0], default=0)


def leadership_test(matchup: HeresyMatchup, notes: ModelNotes) -> OutcomeModel:
    """2D6 against Leadership; with `lost_combat_by` the morale check after a lost combat."""
    note_rules(matchup, notes)
    conditions = matchup.conditions_in_force
    unit = unit_of(matchup.unit, "/unit")
    lost_by = conditions.lost_combat_by
    if unit.is_vehicle:
        notes.assume(NOTES["vehicles_never_take"])
    highest = _highest_total(test_chance(unit, conditions, morale=lost_by is not None, lost_by=lost_by or 0))

    def describe(outcomes: Outcomes) -> None:
        passed = outcomes.either(lambda: TOTALS, two_dice) <= highest
        outcomes.add("p_pass", passed)
        outcomes.add("p_fail", ~passed)

    return OutcomeModel(describe, 2, WAYS, 36)


def _highest_total(chance: float) -> int:
    """The highest total of 2D6 that passes a test with this chance."""
    return int(TOTALS[np.abs(WAYS.cumsum() / 36 - chance).argmin()])


def two_dice(rng: np.random.Generator, trials: int) -> Ints:
    """2D6 in every trial."""
    total: Ints = rng.integers(1, 7, (2, trials)).sum(0)
    return total


def charge_bonus(unit: Unit, conditions: Conditions) -> int | None:
    """What is added to the charge roll; None when the unit cannot charge.

    Source: HH L543, L1061-L1071, L1567, L1634, L1646, L2310-L2316, L3019, L3179 [text].
    """
    groups = [unit.groups[i] for i in unit.present]
    walkers = all(group.is_a(*KNIGHTS) for group in groups)
    if any(group.is_a("artillery", "fortification") or (group.type == "vehicle" and not walkers) for group in groups):
        return None
    slowest = 5 if unit.charging_movement is None else unit.charging_movement
    if slowest == 0:
        return None
    bonus = -1 if slowest <= 4 else 0 if slowest <= 7 else 1 if slowest <= 10 else 2 if slowest <= 12 else 3
    if unit.all_models_have("fleet"):
        bonus += min(unit.rules[i].number("fleet", 0) or 0 for i in unit.present)
    if conditions.difficult_terrain and not ignores_terrain(unit):
        bonus -= 2
    return bonus


def ignores_terrain(unit: Unit) -> bool:
    """Whether difficult terrain neither slows a charge nor delays blows."""
    groups = [unit.groups[i] for i in unit.present]
    return (
        unit.all_models_have("move through cover")
        or unit.all_models_have("jump pack")
        or all(group.is_a("cavalry") or group.is_a(*KNIGHTS) for group in groups)
        or any(group.is_a("antigrav") for group in groups)
    )


def charge(matchup: HeresyMatchup, notes: ModelNotes) -> OutcomeModel:
    """Reaching the distance with the charge roll."""
    note_rules(matchup, notes)
    reaching = list(_charge_totals(matchup, notes))

    def describe(outcomes: Outcomes) -> None:
        outcomes.add("p_success", np.isin(outcomes.either(lambda: TOTALS, two_dice), reaching))

    return OutcomeModel(describe, 2, WAYS, 36)


def _charge_totals(matchup: HeresyMatchup, notes: ModelNotes) -> frozenset[int]:
    """Totals of 2D6 that reach. Source: HH L1043, L1059-L1073 [text]."""
    conditions = matchup.conditions_in_force
    unit = unit_of(matchup.unit, "/unit")
    bonus = charge_bonus(unit, conditions)
    distance = conditions.distance
    assert distance is not None
    if all(unit.groups[i].profile.movement is None for i in unit.present):
        notes.assume(NOTES["movement_not_given"])
    if bonus is None or distance > LONGEST_CHARGE:
        return frozenset()
    return frozenset(
        total for total in range(2, 13) if min(LONGEST_CHARGE, max(SHORTEST_CHARGE, total + bonus)) >= distance
    )


def initiative_of(unit: Unit, standing: tuple[int, ...] | None = None) -> int:
    """The highest unmodified Initiative in the unit.

    Raises:
        BadDocument: no model has one.
    """
    best = _highest(unit.groups[i].profile.initiative for i in (unit.present if standing is None else standing))
    if best is None:
        raise BadDocument("A Sweeping Advance needs Initiative.", f"{unit.place}/models/0/profile/I")
    return best


def caught_by_rule(winner: Unit, loser: Unit) -> float | None:
    """Pursuits that need no dice: 0 escapes, 1 is caught; None when dice decide.

    Source: HH L1348-L1350, L1601, L1647, L2091-L2099, L2346, L3317 [text].
    """
    still = ("vehicle", "fortification", "artillery")
    if any(winner.groups[i].is_a(*still) for i in winner.present) or winner.any_model_has("slow and purposeful"):
        return 0.0
    if loser.is_vehicle or any(loser.groups[i].is_a("daemon") for i in loser.present):
        return 0.0
    return 1.0 if any(loser.groups[i].is_a("artillery") for i in loser.present) else None


def caught_chance(
    winner: Unit,
    loser: Unit,
    conditions: Conditions,
    *,
    winners_left: tuple[int, ...] | None = None,
    losers_left: tuple[int, ...] | None = None,
) -> float:
    """Chance that the loser is destroyed in the Sweeping Advance. Source: HH L1340-L1344, L1426, L2959 [text]."""
    certain = caught_by_rule(winner, loser)
    if certain is not None:
        return certain
    lead = initiative_of(winner, winners_left) - initiative_of(loser, losers_left)
    difference = _pursuit_die(winner).p[:, None] * _pursuit_die(loser).p[None, :]
    gap = np.arange(1, 7)[:, None] - np.arange(1, 7)[None, :] + lead
    wins = gap >= 0 if conditions.multiple_combat else gap > 0
    return float(difference[wins].sum())


def _pursuit_die(unit: Unit) -> Distribution:
    """One D6, or with Crusader the better of two."""
    if unit.any_model_has("crusader"):
        return Distribution(1, np.array([2 * face - 1 for face in range(1, 7)]) / 36)
    return Distribution(1, np.ones(6) / 6)


def pursuit(matchup: HeresyMatchup, notes: ModelNotes) -> OutcomeModel:
    """Sweeping Advance: the loser is caught."""
    note_rules(matchup, notes)
    pursuit = unit_of(matchup.winner, "/winner"), unit_of(matchup.loser, "/loser"), matchup.conditions_in_force

    def describe(outcomes: Outcomes) -> None:
        caught: Values = outcomes.either(partial(caught_chance, *pursuit), partial(roll_caught, *pursuit))
        outcomes.add("p_destroyed", caught)

    return OutcomeModel(describe, 4)


def roll_caught(winner: Unit, loser: Unit, conditions: Conditions, rng: np.random.Generator, trials: int) -> np.ndarray:
    """Whether the loser is caught, in every trial."""
    certain = caught_by_rule(winner, loser)
    if certain is not None:
        return np.full(trials, certain == 1.0)
    totals = []
    for unit in (winner, loser):
        dice = rng.integers(1, 7, (2 if unit.any_model_has("crusader") else 1, trials)).max(0)
        totals.append(dice + initiative_of(unit))
    return np.asarray(totals[0] >= totals[1] if conditions.multiple_combat else totals[0] > totals[1])


def perils(matchup: HeresyMatchup, notes: ModelNotes) -> OutcomeModel:
    """D3 wounds on the psyker's unit; D3 hull points on a vehicle."""
    note_rules(matchup, notes)
    unit = unit_of(matchup.unit, "/unit")
    return _perils_of_hull(unit) if unit.is_vehicle else _perils_of_wounds(unit)


def _perils_of_hull(unit: Unit) -> OutcomeModel:
    each = Several(D3, saved(best_save((unit.armour("front").invulnerable,)), End(HULL)))
    chances = exact.packets(each, (HULL,))
    left = unit.squadron.hull_points - unit.squadron.lost

    def roll(rng: np.random.Generator, trials: int) -> Ints:
        return sampling.rolled(each, np.ones(trials, np.int64), (HULL,), rng).packets[:, 0]

    def describe(outcomes: Outcomes) -> None:
        points = outcomes.either(lambda: np.arange(len(chances)), roll)
        wrecked = points >= left
        outcomes.add("hull_points_lost", np.minimum(points, left), distribution=True)
        outcomes.add("models_slain", wrecked.astype(np.int64), distribution=True)
        outcomes.add("p_destroyed", wrecked & (unit.models == 1))

    return OutcomeModel(describe, 4, chances)


def _perils_of_wounds(unit: Unit) -> OutcomeModel:
    chances = after_perils(unit, np.eye(1, len(unit.row.kind_at) + 1)[0])

    def describe(outcomes: Outcomes) -> None:
        position, unsaved = outcomes.either(
            lambda: (np.arange(len(chances)), exact.expected(perils_of(unit, 0)).get(WOUND, 0.0)),
            partial(_roll_perils, unit),
        )
        outcomes.add("unsaved_wounds", unsaved)
        outcomes.add("wounds_lost", position)
        outcomes.add("models_slain", unit.lineup.slain[position], distribution=True)
        outcomes.add("p_destroyed", position >= unit.lineup.last)

    return OutcomeModel(describe, 4, chances)


def _roll_perils(unit: Unit, rng: np.random.Generator, trials: int) -> tuple[Ints, Values]:
    """One case of Perils in every trial: position of the unit afterwards, and unsaved wounds."""
    lineup, defences = unit.lineup, unit.defences()
    kinds = np.append(lineup.kind_at, 0)
    wounds = (rng.integers(1, 7, trials) + 1) // 2
    position, unsaved = np.zeros(trials, np.int64), np.zeros(trials, np.int64)
    needs = np.array([best_save((d.invulnerable, d.adamantium_will)) or 7 for d in defences])
    kind = kinds[position]
    for n in range(3):
        fails = (wounds > n) & (rng.integers(1, 7, trials) < needs[kind])
        unsaved += fails
        position = np.minimum(position + fails, lineup.last)
    return position, unsaved
