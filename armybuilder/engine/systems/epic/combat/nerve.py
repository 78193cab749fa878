"""Tests and bookkeeping of Epic: actions, rallying, regrouping, breaking, terrain, teleport, strategy, victory."""

from collections.abc import Sequence
from itertools import product

import numpy as np

from armybuilder.engine.combat.distribution import Distribution, binomial, of
from armybuilder.engine.combat.sampling import Ledger, blocks
from armybuilder.engine.systems.epic.combat.saves import made, needed
from armybuilder.engine.systems.epic.combat.special_rules import note_rules
from armybuilder.engine.systems.epic.matchup import EpicMatchup, Formation
from armybuilder.engine.systems.matchups import Answer, ModelNotes, Run

CONDITIONS_AHEAD = 2
"""Victory takes so many conditions more than the opponent met. Source: L1119 [text]."""


def action_test(clash: EpicMatchup, basis: ModelNotes) -> Answer:
    """Initiative test for an action. Source: L214-222, L652, L720, L920 [text]."""
    chance = _action_chance(clash, basis)
    return Answer({"p_pass": chance, "p_fail": 1.0 - chance})


def roll_action_test(clash: EpicMatchup, basis: ModelNotes, run: Run, ledger: Ledger) -> None:
    """The same with dice."""
    chance = _action_chance(clash, basis)
    for size in blocks(run.trials, 1, progress=run.progress, should_stop=run.should_stop):
        passed = run.rng.random(size) < chance
        ledger.add("p_pass", passed)
        ledger.add("p_fail", ~passed)
        ledger.close(size)


def rally(clash: EpicMatchup, basis: ModelNotes) -> Answer:
    """Rallying in the end phase. Source: L624-628, L684 [text]; options E-08, E-09."""
    chance, before, after = _rally(clash, basis)
    return Answer(
        {
            "p_pass": chance,
            "blast_markers_left_if_passed": float(after),
            "blast_markers_left": chance * after + (1.0 - chance) * before,
        }
    )


def roll_rally(clash: EpicMatchup, basis: ModelNotes, run: Run, ledger: Ledger) -> None:
    """The same with dice."""
    chance, before, after = _rally(clash, basis)
    for size in blocks(run.trials, 1, progress=run.progress, should_stop=run.should_stop):
        passed = run.rng.random(size) < chance
        ledger.add("p_pass", passed)
        ledger.add("blast_markers_left_if_passed", np.full(size, after))
        ledger.add("blast_markers_left", np.where(passed, after, before))
        ledger.close(size)


def regroup(clash: EpicMatchup, basis: ModelNotes) -> Answer:
    """The higher of 2D6 markers are removed, one more for each Leader. Source: L598, L684 [text]."""
    left = _regrouped(clash, basis)
    return Answer({"blast_markers_left": float(left.mean)}, {"blast_markers_left": left})


def roll_regroup(clash: EpicMatchup, basis: ModelNotes, run: Run, ledger: Ledger) -> None:
    """The same with dice."""
    formation = _formation(clash)
    leaders = _noted_leaders(clash, basis)
    for size in blocks(run.trials, 2, progress=run.progress, should_stop=run.should_stop):
        removed = run.rng.integers(1, 7, (size, 2)).max(axis=1) + leaders
        ledger.add("blast_markers_left", np.maximum(0, formation.markers - removed), distribution=True)
        ledger.close(size)


def break_check(clash: EpicMatchup, basis: ModelNotes) -> Answer:
    """Markers for a war engine destroyed by shooting, and whether the rest breaks. Source: L868-870 [text]."""
    formation, event = _formation(clash), clash.event
    assert event is not None  # the kind's needs
    note_rules(basis, formation.rules, clash.options)
    markers = 1 + (event.dc_left or 0)
    threshold = formation.strength
    broken = threshold > 0 and formation.markers + markers >= threshold
    return Answer({"blast_markers": markers, "break_threshold": threshold, "p_broken": float(broken)})


def dangerous_terrain(clash: EpicMatchup, basis: ModelNotes) -> Answer:
    """A 1 destroys the unit; caution or Walker re-rolls; an engine loses one point. Source: L270-272, L824 [text]."""
    fails = _terrain_chance(clash, basis)
    return Answer(_terrain_metrics(clash, fails))


def roll_dangerous_terrain(clash: EpicMatchup, basis: ModelNotes, run: Run, ledger: Ledger) -> None:
    """The same with dice."""
    fails = _terrain_chance(clash, basis)
    for size in blocks(run.trials, 1, progress=run.progress, should_stop=run.should_stop):
        failed = run.rng.random(size) < fails
        for name, share in _terrain_metrics(clash, 1.0).items():
            ledger.add(name, failed * share)
        ledger.close(size)


def teleport(clash: EpicMatchup, basis: ModelNotes) -> Answer:
    """A marker for every unit that rolls a 1. Source: L728-730 [text]."""
    markers = _teleport(clash, basis)
    return Answer({"blast_markers": float(markers.mean)}, {"blast_markers": markers})


def roll_teleport(clash: EpicMatchup, basis: ModelNotes, run: Run, ledger: Ledger) -> None:
    """The same with dice."""
    units = len(_teleport(clash, basis).p) - 1
    for size in blocks(run.trials, units, progress=run.progress, should_stop=run.should_stop):
        ledger.add("blast_markers", run.rng.binomial(units, 1 / 6, size), distribution=True)
        ledger.close(size)


def strategy_roll(clash: EpicMatchup, basis: ModelNotes) -> Answer:
    """D6 and strategy rating each; a tie is a draw. Source: L156 [text]."""
    lead = _lead(clash)
    margins = [a - b + lead for a, b in product(range(1, 7), repeat=2)]
    shares = [sum(test) / 36 for test in zip(*((m > 0, m == 0, m < 0) for m in margins), strict=True)]
    return Answer(dict(zip(("p_win", "p_draw", "p_lose"), shares, strict=True)))


def roll_strategy_roll(clash: EpicMatchup, basis: ModelNotes, run: Run, ledger: Ledger) -> None:
    """The same with dice."""
    lead = _lead(clash)
    for size in blocks(run.trials, 2, progress=run.progress, should_stop=run.should_stop):
        dice = run.rng.integers(1, 7, (size, 2))
        margin = dice[:, 0] - dice[:, 1] + lead
        ledger.add("p_win", margin > 0)
        ledger.add("p_draw", margin == 0)
        ledger.add("p_lose", margin < 0)
        ledger.close(size)


def tie_break(clash: EpicMatchup, basis: ModelNotes) -> Answer:
    """Tie-break points for enemy formations. Source: L1143-1150 [text]; broken at half strength E-23."""
    score = 0.0
    for formation in clash.enemy_formations or ():
        half = 2 * formation.units_left
        whole = formation.units_left <= 0 or (formation.broken and half < formation.units_start)
        part = formation.broken or half <= formation.units_start
        score += formation.points if whole else formation.points / 2 if part else 0.0
    return Answer({"score": score})


def victory(clash: EpicMatchup, basis: ModelNotes) -> Answer:
    """Two conditions more than the opponent met win. Source: L1119 [text]."""
    player, opponent = clash.player, clash.opponent
    assert player is not None and opponent is not None  # the kind's needs
    lead = (player.victory_conditions or 0) - (opponent.victory_conditions or 0)
    win, lose = lead >= CONDITIONS_AHEAD, -lead >= CONDITIONS_AHEAD
    return Answer({"p_win": float(win), "p_draw": float(not win and not lose), "p_lose": float(lose)})


def leaders_of(formation: Formation) -> int:
    """Leaders, Supreme Commanders included (L718)."""
    return formation.bearers("leader", "supreme commander")


def _formation(clash: EpicMatchup) -> Formation:
    assert clash.formation is not None  # the kind's needs
    return clash.formation


def _passed(need: int, *, reroll: bool) -> float:
    chance = made(need)
    return 1.0 - (1.0 - chance) ** 2 if reroll else chance


def _action_chance(clash: EpicMatchup, basis: ModelNotes) -> float:
    formations: Sequence[Formation] = (_formation(clash), *clash.joined_formations)
    for formation in formations:
        note_rules(basis, formation.rules, clash.options)
    first = formations[0]
    need = needed(first.initiative)
    if need is None:
        return 0.0
    if first.is_aircraft:
        need += first.markers
    else:
        need += any(formation.markers > 0 for formation in formations)
    need += clash.conditions.retaining_initiative
    return _passed(need, reroll=clash.conditions.supreme_commander_reroll)


def _rally(clash: EpicMatchup, basis: ModelNotes) -> tuple[float, int, int]:
    """Chance to rally, markers before, markers after a success."""
    formation, options = _formation(clash), clash.options
    leaders = _noted_leaders(clash, basis)
    before = formation.markers
    half = (before + 1) // 2 if options.rally_round_up else max(before // 2, int(before == 1))
    after = max(0, before - half - leaders)
    need = needed(formation.initiative)
    if need is None:
        return 0.0, before, after
    need += 2 * formation.broken + clash.conditions.enemy_within_30cm
    need += options.rally_blast_penalty and before > 0
    return _passed(need, reroll=clash.conditions.supreme_commander_reroll), before, after


def _noted_leaders(clash: EpicMatchup, basis: ModelNotes) -> int:
    formation = _formation(clash)
    note_rules(basis, formation.rules, clash.options)
    return leaders_of(formation)


def _regrouped(clash: EpicMatchup, basis: ModelNotes) -> Distribution:
    markers, leaders = _formation(clash).markers, _noted_leaders(clash, basis)
    left: dict[int, float] = {}
    for high in range(1, 7):
        value = max(0, markers - high - leaders)
        left[value] = left.get(value, 0.0) + (2 * high - 1) / 36
    return of(left)


def _terrain_chance(clash: EpicMatchup, basis: ModelNotes) -> float:
    unit = clash.unit
    assert unit is not None  # the kind's needs
    note_rules(basis, unit.rules, clash.options)
    return 1 / 36 if clash.conditions.cautious or unit.has_rule("walker") else 1 / 6


def _terrain_metrics(clash: EpicMatchup, fails: float) -> dict[str, float]:
    unit = clash.unit
    assert unit is not None  # the kind's needs
    if not unit.track:
        return {"p_destroyed": fails}
    return {"p_destroyed": fails if unit.capacity_left <= 1 else 0.0, "dc_lost": fails}


def _teleport(clash: EpicMatchup, basis: ModelNotes) -> Distribution:
    formation = _formation(clash)
    note_rules(basis, formation.rules, clash.options)
    return binomial(sum(unit.count for unit in formation.groups), 1 / 6)


def _lead(clash: EpicMatchup) -> int:
    player, opponent = clash.player, clash.opponent
    assert player is not None and opponent is not None  # the kind's needs
    return (player.strategy_rating or 0) - (opponent.strategy_rating or 0)
