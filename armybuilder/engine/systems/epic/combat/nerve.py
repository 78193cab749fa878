"""Tests and bookkeeping of Epic: actions, rallying, regrouping, breaking, terrain, teleport, strategy, victory."""

from collections.abc import Sequence
from itertools import product

import numpy as np

from armybuilder.engine.combat.distribution import Distribution, binomial, of
from armybuilder.engine.combat.outcomes import Measured, Outcomes
from armybuilder.engine.combat.sampling import Ints
from armybuilder.engine.systems.epic.combat.saves import made, needed
from armybuilder.engine.systems.epic.combat.special_rules import note_rules
from armybuilder.engine.systems.epic.matchup import EpicMatchup, FormationSide
from armybuilder.engine.systems.matchups import Answer, ModelNotes
from armybuilder.engine.systems.outcome_models import OutcomeModel

CONDITIONS_AHEAD = 2
"""Victory takes so many conditions more than the opponent met. Source: L1119 [text]."""


def action_test(matchup: EpicMatchup, notes: ModelNotes) -> OutcomeModel:
    """Initiative test for an action. Source: L214-222, L652, L720, L920 [text]."""
    chance = _action_chance(matchup, notes)

    def describe(outcomes: Outcomes) -> None:
        passed = outcomes.happens(chance)
        outcomes.add("p_pass", passed)
        outcomes.add("p_fail", 1.0 - passed)

    return OutcomeModel(describe)


def rally(matchup: EpicMatchup, notes: ModelNotes) -> OutcomeModel:
    """Rallying in the end phase. Source: L624-628, L684 [text]; options E-08, E-09."""
    chance, before, after = _rally(matchup, notes)

    def describe(outcomes: Outcomes) -> None:
        passed = outcomes.happens(chance)
        outcomes.add("p_pass", passed)
        outcomes.add("blast_markers_left_if_passed", after)
        outcomes.add("blast_markers_left", passed * after + (1.0 - passed) * before)

    return OutcomeModel(describe)


def regroup(matchup: EpicMatchup, notes: ModelNotes) -> OutcomeModel:
    """The higher of 2D6 markers are removed, one more for each Leader. Source: L598, L684 [text]."""
    markers, leaders = _formation(matchup).markers, _noted_leaders(matchup, notes)

    def rolled(rng: np.random.Generator, trials: int) -> Ints:
        return np.asarray(np.maximum(0, markers - rng.integers(1, 7, (trials, 2)).max(axis=1) - leaders))

    def describe(outcomes: Outcomes) -> None:
        left: Measured = outcomes.either(lambda: _regrouped(markers, leaders), rolled)
        outcomes.add("blast_markers_left", left, distribution=True)

    return OutcomeModel(describe, 2)


def break_check(matchup: EpicMatchup, notes: ModelNotes) -> Answer:
    """Markers for a war engine destroyed by shooting, and whether the rest breaks. Source: L868-870 [text]."""
    formation, event = _formation(matchup), matchup.event
    assert event is not None  # the kind's needs
    note_rules(notes, formation.rules, matchup.options)
    markers = 1 + (event.dc_left or 0)
    threshold = formation.strength
    broken = threshold > 0 and formation.markers + markers >= threshold
    return Answer({"blast_markers": markers, "break_threshold": threshold, "p_broken": float(broken)})


def dangerous_terrain(matchup: EpicMatchup, notes: ModelNotes) -> OutcomeModel:
    """A 1 destroys the unit; caution or Walker re-rolls; an engine loses one point. Source: L270-272, L824 [text]."""
    unit = matchup.unit
    assert unit is not None  # the kind's needs
    note_rules(notes, unit.rules, matchup.options)
    chance = 1 / 36 if matchup.conditions.cautious or unit.has_rule("walker") else 1 / 6

    def describe(outcomes: Outcomes) -> None:
        failed = outcomes.happens(chance)
        outcomes.add("p_destroyed", failed * (not unit.track or unit.capacity_left <= 1))
        if unit.track:
            outcomes.add("dc_lost", failed)

    return OutcomeModel(describe)


def teleport(matchup: EpicMatchup, notes: ModelNotes) -> OutcomeModel:
    """A marker for every unit that rolls a 1. Source: L728-730 [text]."""
    formation = _formation(matchup)
    note_rules(notes, formation.rules, matchup.options)
    units = sum(unit.count for unit in formation.groups)

    def describe(outcomes: Outcomes) -> None:
        markers: Measured = outcomes.either(
            lambda: binomial(units, 1 / 6), lambda rng, trials: rng.binomial(units, 1 / 6, trials)
        )
        outcomes.add("blast_markers", markers, distribution=True)

    return OutcomeModel(describe, units)


def strategy_roll(matchup: EpicMatchup, notes: ModelNotes) -> OutcomeModel:
    """D6 and strategy rating each; a tie is a draw. Source: L156 [text]."""
    player, opponent = matchup.player, matchup.opponent
    assert player is not None and opponent is not None  # the kind's needs
    lead = (player.strategy_rating or 0) - (opponent.strategy_rating or 0)

    def describe(outcomes: Outcomes) -> None:
        dice: Ints = outcomes.either(
            lambda: np.array(list(product(range(1, 7), repeat=2))), lambda rng, trials: rng.integers(1, 7, (trials, 2))
        )
        margin = dice[:, 0] - dice[:, 1] + lead
        outcomes.add("p_win", margin > 0)
        outcomes.add("p_draw", margin == 0)
        outcomes.add("p_lose", margin < 0)

    return OutcomeModel(describe, 2, ways=np.ones(36, np.int64), whole=36)


def tie_break(matchup: EpicMatchup, notes: ModelNotes) -> Answer:
    """Tie-break points for enemy formations. Source: L1143-1150 [text]; broken at half strength E-23."""
    score = 0.0
    for formation in matchup.enemy_formations or ():
        half = 2 * formation.units_left
        whole = formation.units_left <= 0 or (formation.broken and half < formation.units_start)
        part = formation.broken or half <= formation.units_start
        score += formation.points if whole else formation.points / 2 if part else 0.0
    return Answer({"score": score})


def victory(matchup: EpicMatchup, notes: ModelNotes) -> Answer:
    """Two conditions more than the opponent met win. Source: L1119 [text]."""
    player, opponent = matchup.player, matchup.opponent
    assert player is not None and opponent is not None  # the kind's needs
    lead = (player.victory_conditions or 0) - (opponent.victory_conditions or 0)
    win, lose = lead >= CONDITIONS_AHEAD, -lead >= CONDITIONS_AHEAD
    return Answer({"p_win": float(win), "p_draw": float(not win and not lose), "p_lose": float(lose)})


def leaders_of(formation: FormationSide) -> int:
    """Leaders, Supreme Commanders included (L718)."""
    return formation.bearers("leader", "supreme commander")


def _formation(matchup: EpicMatchup) -> FormationSide:
    assert matchup.formation is not None  # the kind's needs
    return matchup.formation


def _passed(need: int, *, reroll: bool) -> float:
    chance = made(need)
    return 1.0 - (1.0 - chance) ** 2 if reroll else chance


def _action_chance(matchup: EpicMatchup, notes: ModelNotes) -> float:
    formations: Sequence[FormationSide] = (_formation(matchup), *matchup.joined_formations)
    for formation in formations:
        note_rules(notes, formation.rules, matchup.options)
    first = formations[0]
    need = needed(first.initiative)
    if need is None:
        return 0.0
    if first.is_aircraft:
        need += first.markers
    else:
        need += any(formation.markers > 0 for formation in formations)
    need += matchup.conditions.retaining_initiative
    return _passed(need, reroll=matchup.conditions.supreme_commander_reroll)


def _rally(matchup: EpicMatchup, notes: ModelNotes) -> tuple[float, int, int]:
    """Chance to rally, markers before, markers after a success."""
    formation, options = _formation(matchup), matchup.options
    leaders = _noted_leaders(matchup, notes)
    before = formation.markers
    half = (before + 1) // 2 if options.rally_round_up else max(before // 2, int(before == 1))
    after = max(0, before - half - leaders)
    need = needed(formation.initiative)
    if need is None:
        return 0.0, before, after
    need += 2 * formation.broken + matchup.conditions.enemy_within_30cm
    need += options.rally_blast_penalty and before > 0
    return _passed(need, reroll=matchup.conditions.supreme_commander_reroll), before, after


def _noted_leaders(matchup: EpicMatchup, notes: ModelNotes) -> int:
    formation = _formation(matchup)
    note_rules(notes, formation.rules, matchup.options)
    return leaders_of(formation)


def _regrouped(markers: int, leaders: int) -> Distribution:
    left: dict[int, float] = {}
    for high in range(1, 7):
        value = max(0, markers - high - leaders)
        left[value] = left.get(value, 0.0) + (2 * high - 1) / 36
    return of(left)
