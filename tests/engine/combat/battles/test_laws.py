"""Laws of whole battles: what must make an army better does, equal armies are equal, and a seed is a seed."""

from dataclasses import replace
from math import sqrt
from typing import Any

import numpy as np
import pytest

from armybuilder.engine.combat.battles import play
from armybuilder.engine.combat.battles.chronicle import Chronicle
from armybuilder.engine.combat.battles.plans import Plans
from armybuilder.engine.errors import Cancelled, LimitExceeded

from .builders import CHARGE, TERMS, Kind, fought, left, make_battle, make_kind, wins

SHOOTER = make_kind()
GUARD = make_kind(move=0.0)
FIGHTER = make_kind(shot=0.0, blow=0.5, charge=CHARGE)
ARMY = [SHOOTER, SHOOTER, FIGHTER]


def error(chronicle: Chronicle) -> float:
    return 0.5 / sqrt(chronicle.trials)


def test_equal_armies_are_equal() -> None:
    chronicle = fought(make_battle(ARMY, ARMY), trials=16_000)
    assert abs(wins(chronicle) - 0.5) < 4 * error(chronicle)
    assert left(chronicle, 0) == pytest.approx(left(chronicle, 1), rel=0.03)


@pytest.mark.parametrize(
    ("case", "mine", "theirs"),
    [
        ("range", [make_kind(reach=36.0)] * 3, [make_kind(shot=0.26)] * 3),
        ("range, against fighters", [make_kind(reach=36.0, shot=0.13, move=4.0)] * 3, [FIGHTER] * 3),
        ("speed of those who charge", [make_kind(shot=0.0, blow=0.5, charge=CHARGE, move=14.0)] * 3, [SHOOTER] * 3),
    ],
)
def test_a_longer_range_or_a_faster_unit_changes_the_winner(case: str, mine: list[Kind], theirs: list[Kind]) -> None:
    """With the ordinary range or speed the other side wins; nothing else is changed."""
    plain = [
        kind | {"reach": 24.0 if case == "range" else 12.0} if "range" in case else kind | {"move": 4.0}
        for kind in mine
    ]
    worse, better = (wins(fought(make_battle(army, theirs))) for army in (plain, mine))
    assert worse < 0.4 < 0.6 < better, case


@pytest.mark.parametrize(
    ("case", "change"),
    [
        ("better shots", {"shot": 0.25}),
        ("more models", {"models": 12}),
        ("more wounds", {"wounds": 2}),
        ("a longer range", {"reach": 30.0}),
        ("shots that slay", {"slays": 0.1}),
    ],
)
def test_what_is_better_wins_more(case: str, change: dict[str, Any]) -> None:
    theirs = [SHOOTER] * 3
    usual = [make_kind(wounds=2)] * 3 if case == "shots that slay" else theirs
    chronicle = fought(make_battle([SHOOTER | change] * 3, usual))
    equal = fought(make_battle([SHOOTER] * 3, usual))
    assert wins(chronicle) > wins(equal) + 4 * error(chronicle), case


@pytest.mark.parametrize(("case", "kinds"), [("shooters", [SHOOTER]), ("fighters", [FIGHTER]), ("both", ARMY)])
def test_more_of_the_same_wins_more(case: str, kinds: list[Kind]) -> None:
    results = [wins(fought(make_battle(kinds * number, kinds * 3))) for number in (2, 3, 4)]
    assert results == sorted(results), case
    assert results[0] < 0.4 < 0.6 < results[2], case


def test_cover_helps_whoever_stands_in_it() -> None:
    fragile = make_kind(shot_at_cover=0.05)
    results = [
        left(fought(make_battle([fragile] * 2, [fragile] * 2, replace(TERMS, cover=cover))), 0)
        for cover in (0.0, 0.3, 1.0)
    ]
    assert results == sorted(results)
    assert results[2] > results[0] + 2


def test_a_weapon_that_does_not_reach_kills_nobody() -> None:
    chronicle = fought(make_battle([make_kind(move=0.0, reach=23.0)], [GUARD]))
    assert not chronicle.slain[0].any()
    assert chronicle.slain[1][:, 0].sum() == 0, "36 inches apart, both out of reach"


def test_moving_spoils_a_heavy_weapon() -> None:
    chronicle = fought(make_battle([make_kind(shot_after_move=0.05)] * 2, [make_kind()] * 2, replace(TERMS, line=20)))
    assert wins(chronicle) < 0.5 - 4 * error(chronicle)


def test_fighters_close_in_and_shooters_do_not() -> None:
    plans = Plans(make_battle([FIGHTER, SHOOTER], [SHOOTER])).of[0]
    assert [plan.closes_in for plan in plans] == [True, False]
    assert [plan.keeps for plan in plans] == [0.0, 24.0]
    chronicle = fought(make_battle([FIGHTER | {"move": 12.0}] * 2, [SHOOTER]))
    assert chronicle.slain[0][:, 1].sum() > 0
    assert chronicle.slain[0][:, 0].sum() == 0


def test_a_target_is_chosen_by_what_it_is_worth() -> None:
    """Two enemies in reach: the dearer one is shot at until it is gone."""
    cheap, dear = make_kind(points=50.0, move=0.0), make_kind(points=300.0, move=0.0)
    terms = replace(TERMS, behind=0, turns=1)
    chronicle = fought(make_battle([make_kind(move=0.0, reach=90.0)], [cheap, dear], terms), trials=500)
    assert chronicle.slain[0][0, 0, 0, 0] == 0
    assert chronicle.slain[0][0, 0, 0, 1] > 0


def test_going_first_helps_those_who_reach_at_once() -> None:
    chronicle = fought(make_battle([make_kind(move=0.0, reach=90.0)] * 3, [make_kind(move=0.0, reach=90.0)] * 3))
    assert chronicle.openings.sum(0).tolist() == chronicle.outcomes.tolist()
    assert chronicle.openings.sum(1).tolist() == [2_000, 2_000]
    assert chronicle.openings[0, 0] > 1_200 > 800 > chronicle.openings[1, 0]


def test_a_hidden_unit_is_shot_at_last() -> None:
    terms = replace(TERMS, turns=2)
    battle = make_battle([make_kind(move=0.0, reach=90.0)] * 2, [make_kind(move=0.0, points=300.0), GUARD], terms)
    lord, guard = battle.armies[1]
    for hides, screens in ((True, True), (True, False), (False, True)):
        army = (replace(lord, hides=hides), replace(guard, screens=screens))
        chronicle = fought(replace(battle, armies=(battle.armies[0], army)), trials=500)
        assert bool(chronicle.slain[0][0, 0, 0, 0]) is not (hides and screens)


@pytest.mark.parametrize(
    ("case", "facts"), [("combat", {"stands": (0.2,)}), ("losses", {"panics_at": 0.25, "holds": 0.2})]
)
def test_steady_nerve_wins_more(case: str, facts: dict[str, Any]) -> None:
    steady = [kind | {"caught": 0.8} for kind in (FIGHTER, FIGHTER, FIGHTER, SHOOTER)]
    chronicle = fought(make_battle([kind | facts | {"rallies": 0.3} for kind in steady], steady))
    assert wins(chronicle) < 0.4, case
    assert chronicle.broken[0].sum() > 0


def test_who_strikes_first_wins_more() -> None:
    quick = FIGHTER | {"strikes_at": 5}
    assert wins(fought(make_battle([quick] * 2, [FIGHTER] * 2))) > 0.6


def test_pursuit_destroys() -> None:
    nervous = FIGHTER | {"stands": (0.0,)}
    results = [
        wins(fought(make_battle([nervous | {"caught": chance}] * 2, [nervous] * 2))) for chance in (0.0, 0.5, 1.0)
    ]
    assert results == sorted(results)
    assert results[2] > results[0] + 0.1


def test_a_seed_gives_the_same_counts_however_the_trials_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play, "BLOCK", 300)
    plans = Plans(make_battle(ARMY, ARMY))
    whole = play.fought(plans, trials=1_000, seed=7)
    pieces = [play.fought(plans, trials=1_000, seed=7, blocks=blocks) for blocks in ([3], [0, 2], [1])]
    merged = play.empty(plans)
    for piece in pieces:
        merged.add(Chronicle.read(piece.written()))
    assert merged.written() == whole.written()
    assert whole.trials == 1_000
    assert play.fought(plans, trials=1_000, seed=8).written() != whole.written()


def test_counts_agree_with_each_other() -> None:
    nervous = [kind | {"stands": (0.5,), "panics_at": 0.25, "holds": 0.5, "rallies": 0.3} for kind in ARMY]
    chronicle = fought(make_battle(nervous, nervous, replace(TERMS, turns=3, goes_on=(0.5, 0.3))), trials=2_000)
    assert chronicle.outcomes.sum() == chronicle.trials == chronicle.played.sum() == 2_000
    for side in (0, 1):
        lost = chronicle.standing[side][:, 0] - chronicle.standing[side][:, -1]
        assert chronicle.slain[1 - side].sum((0, 1, 2)).tolist() == lost.tolist()
        gone = chronicle.units[side][:, 0] - chronicle.units[side][:, -1]
        assert chronicle.finished[1 - side].sum((0, 1)).tolist() == gone.tolist()
        assert (np.diff(chronicle.standing[side], axis=1) <= 0).all()
        assert chronicle.points[side].sum(1).tolist() == [2_000] * 6
    shares = chronicle.played / 2_000
    assert shares[3:] == pytest.approx([0.5, 0.35, 0.15], abs=0.04)


def test_a_battle_can_be_stopped() -> None:
    told: list[float] = []
    with pytest.raises(Cancelled):
        play.fought(Plans(make_battle(ARMY, ARMY)), trials=100, seed=1, progress=told.append,
                    should_stop=lambda: len(told) > 2)  # fmt: skip
    assert told == sorted(told)
    assert 0 < told[-1] < 1


def test_a_unit_without_bounds_is_refused() -> None:
    with pytest.raises(LimitExceeded):
        Plans(make_battle([SHOOTER], [make_kind(models=200, wounds=6)]))
