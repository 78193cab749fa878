"""Objectives: who makes for them, who holds them, what that changes."""

from dataclasses import replace

import pytest

from armybuilder.engine.combat.battles.forces import Battle, Worth
from armybuilder.engine.combat.battles.plans import Plans

from .builders import CHARGE, TERMS, fought, make_battle, make_kind, wins

PLACES = ((36.0, 24.0), (36.0, 12.0), (36.0, 36.0))
GUARD = make_kind(shot=0.0001, reach=1.0)


def on_objectives(battle: Battle, *, mine: bool, theirs: bool, denies: bool = False) -> Battle:
    """The same battle for nothing but three places in a row between the armies."""
    armies = [
        tuple(replace(u, scores=scores, denies=denies, worth=Worth()) for u in army)
        for army, scores in zip(battle.armies, (mine, theirs), strict=True)
    ]
    terms = replace(TERMS, objectives=PLACES, near=6.0, objective_points=(1.0, 2.0))
    return replace(battle, armies=(armies[0], armies[1]), terms=terms)


def test_the_nearest_objective_comes_first_and_each_has_his_own() -> None:
    plans = Plans(on_objectives(make_battle([GUARD] * 4, [GUARD] * 2), mine=True, theirs=True))
    assert [plan.goal for plan in plans.of[0]] == [PLACES[1], PLACES[0], PLACES[2], PLACES[1]]
    assert [plan.goal for plan in plans.of[1]] == [PLACES[2], PLACES[0]]


def test_who_alone_can_hold_wins() -> None:
    """Two units take the two nearest places: three points on the average."""
    chronicle = fought(on_objectives(make_battle([GUARD] * 2, [GUARD] * 2), mine=True, theirs=False))
    assert wins(chronicle) == 1.0
    assert chronicle.sums[0][1] / chronicle.trials / 100 == pytest.approx(3.0, abs=0.05)
    nobody = fought(on_objectives(make_battle([GUARD] * 2, [GUARD] * 2), mine=False, theirs=False))
    assert nobody.outcomes[1] == nobody.trials


def test_an_enemy_who_stands_there_denies_it() -> None:
    """Both stop at the middle; the other places are each side's own."""
    battle = make_battle([GUARD] * 2, [GUARD] * 2)
    both = fought(on_objectives(battle, mine=True, theirs=True))
    assert both.sums[0][1] / both.trials / 100 == pytest.approx(1.5, abs=0.05)
    assert wins(both) == pytest.approx(0.5, abs=0.03)
    crowd = make_battle([GUARD] * 3, [make_kind(shot=0.0001, reach=1.0, blow=0.001, charge=CHARGE)] * 3)
    denied = fought(on_objectives(crowd, mine=True, theirs=False, denies=True))
    free = fought(on_objectives(crowd, mine=True, theirs=False))
    assert denied.sums[0][1] < free.sums[0][1]


def test_a_pinned_unit_holds_nothing() -> None:
    """Who is shot at in every turn is free of it at the end only where his own side acts last."""
    steadfast, sniper = make_kind(shot=0.0001, reach=1.0, wounds=9), make_kind(shot=1.0, models=1, reach=99.0)
    battle = on_objectives(make_battle([steadfast], [sniper]), mine=True, theirs=False)
    battle = replace(battle, terms=replace(battle.terms, near=99.0))
    armies = (tuple(replace(unit, unpinned=0.0) for unit in battle.armies[0]), battle.armies[1])
    pinning = tuple(tuple(tuple(replace(v, pins=True) for v in each) for each in row) for row in battle.volleys[1])
    pinned = fought(replace(battle, armies=armies, volleys=(battle.volleys[0], pinning)))
    free = fought(battle)
    assert free.sums[0][1] / free.trials / 100 == pytest.approx(4.5, abs=0.05)
    assert pinned.sums[0][1] / pinned.trials / 100 == pytest.approx(2.25, abs=0.05)


def test_objectives_change_the_winner() -> None:
    """Fewer models that hold the places against more that only shoot a little."""
    few, many = make_kind(models=8, shot=0.1), make_kind(models=12, shot=0.1)
    battle = make_battle([few] * 3, [many] * 3)
    assert wins(fought(battle)) < 0.3
    assert wins(fought(on_objectives(battle, mine=True, theirs=False))) > 0.6
