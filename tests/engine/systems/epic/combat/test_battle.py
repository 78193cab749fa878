"""Whole battles of Epic: what a formation does on the table, and that ranges, speed and nerve decide."""

# ruff: noqa: E501 - a row of a table is a line
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from armybuilder.engine.combat.battles import play
from armybuilder.engine.combat.battles.plans import Plans
from armybuilder.engine.errors import BadDocument
from armybuilder.engine.systems.battle_results import results_of
from armybuilder.engine.systems.battles import prepared
from armybuilder.engine.systems.epic.army import Weapon
from armybuilder.engine.systems.epic.combat import battle
from armybuilder.engine.systems.epic.combat.fighter import Fighter
from tests.engine.systems.epic.combat.test_list_matchup import (
    CANNON,
    CRUISER,
    FIGHTERS,
    GUNS,
    MISSILE,
    RIFLES,
    ROCKETS,
    SQUADS,
    TANKS,
    TITAN,
    make_fighter,
    one,
)
from tests.engine.systems.epic.roster.test_fighters import sample


def fought(mine: list[Fighter], theirs: list[Fighter], trials: int = 2_000) -> dict[str, Any]:
    ready = prepared(battle, mine, theirs)  # type: ignore[arg-type]
    return results_of(ready, play.fought(Plans(ready.battle), trials=trials, seed=7))


def mean_loss(attacks: Any) -> float:
    """Wounds and slain units of the full formation, on average."""
    total = 0.0
    for attack in attacks:
        slain, lost = np.indices(attack.chances.shape)
        total += attack.models * float((attack.chances * (slain + lost)).sum())
    return total


@pytest.mark.parametrize(("attacker", "defender"), [(SQUADS, SQUADS), (TANKS, TITAN), (SQUADS, TANKS)])
def test_shooting_is_that_of_the_pair(attacker: Fighter, defender: Fighter) -> None:
    """On average, as long as nobody is hit twice and no engine ends early."""
    mine, theirs = battle.ready(attacker), battle.ready(defender)
    for moved, action in ((True, "advance"), (False, "sustained_fire")):
        found = mean_loss(battle.shooting(mine, theirs, distance=30, moved=moved, cover=False))
        effect = one("shooting", attacker, defender, action=action)
        assert effect is not None
        assert found == pytest.approx(effect.damage_lost or effect.models_slain, rel=0.08)


@pytest.mark.parametrize(("case", "better", "worse"), [
    ("standing still", {}, {"moved": True}), ("cover", {}, {"cover": True}), ("range", {"distance": 45}, {"distance": 46}),
])  # fmt: skip
def test_circumstances(case: str, better: dict[str, Any], worse: dict[str, Any]) -> None:
    facts: dict[str, Any] = {"distance": 30, "moved": False, "cover": False}
    squads = battle.ready(SQUADS)
    assert (
        mean_loss(battle.shooting(squads, squads, **facts | better))
        > mean_loss(battle.shooting(squads, squads, **facts | worse)) + 0.01
    ), case


def test_a_barrage_is_shared_among_its_guns() -> None:
    guns, squads = battle.ready(GUNS), battle.ready(SQUADS)
    attacks = battle.shooting(guns, squads, distance=30, moved=True, cover=False)
    effect = one("barrage", GUNS, SQUADS)
    assert effect is not None and [attack.models for attack in attacks] == [3]
    assert mean_loss(attacks) == pytest.approx(effect.models_slain, rel=0.05)
    assert battle.bands(guns) == (45.0, 90.0), "indirect fire reaches twice as far"
    assert battle.shooting(guns, squads, distance=80, moved=True, cover=False) == ()
    assert battle.shooting(guns, squads, distance=80, moved=False, cover=False) != ()


def test_an_assault_has_room_for_three_to_one() -> None:
    horde, few = battle.ready(make_fighter(RIFLES, count=20)), battle.ready(make_fighter(RIFLES, count=2))
    assert [attack.models for attack in battle.blows(horde, few, charging=True)] == [6]
    assert [attack.models for attack in battle.blows(few, horde, charging=False)] == [2]


def test_a_formation_on_the_table() -> None:
    unit = battle.unit(battle.ready(SQUADS))
    assert (unit.models, unit.move, unit.acts, unit.recovers) == (6, 15, (5 / 6, 4 / 6), (5 / 6, 4 / 6, 3 / 6, 2 / 6))
    assert (unit.strength, unit.marks_a_model) == (tuple(range(7)), 1)
    assert unit.charge is not None and float(unit.charge.probability(15)) == 1.0
    assert unit.flees.mean == 30, "two moves"
    sneaking = battle.unit(battle.ready(make_fighter(MISSILE, RIFLES, rules=("Infiltrators",)))).charge
    assert sneaking is not None and sneaking.mean == 30
    titan = battle.unit(battle.ready(TITAN))
    assert (titan.strength, titan.marks_a_model) == ((0, 3), 3)
    assert battle.unit(battle.ready(TITAN)).wounds == (3,)
    assert battle.unit(battle.ready(make_fighter(speed=0))).charge is None
    inspired = battle.unit(battle.ready(make_fighter(rules=("Inspiring",), count=2)))
    assert inspired.combat_bonus == (0, 2, 2)


@pytest.mark.parametrize("fighter", [FIGHTERS, CRUISER])
def test_what_flies_stays_out(fighter: Fighter) -> None:
    with pytest.raises(BadDocument):
        battle.ready(fighter)


def test_a_longer_range_wins() -> None:
    long = make_fighter(Weapon(name="missile", range=75, firepower="2xAP4+"), speed=15, CC="6+", FF="6+")
    short = make_fighter(Weapon(name="missile", range=30, firepower="2xAP4+"), speed=15, CC="6+", FF="6+")
    metrics = fought([long] * 3, [short] * 3)["metrics"]
    assert metrics["p_win"] > 0.9 > 0.05 > metrics["p_lose"]


def test_more_speed_wins_for_those_who_close_in() -> None:
    guns = [make_fighter(MISSILE, CC="6+", FF="6+", armour="6+")] * 3
    slow, quick = (make_fighter(RIFLES, CC="2+", armour="4+", speed=speed) for speed in (10, 30))
    slowly, quickly = (fought([fighter] * 3, guns)["metrics"]["p_win"] for fighter in (slow, quick))
    assert quickly > slowly + 0.2


def marks(attacks: Any) -> float:
    """Chance that the full formation hits at all."""
    missed = 1.0
    for attack in attacks:
        missed *= (1.0 - attack.touch) ** attack.models
    return 1.0 - missed


def test_fire_leaves_markers() -> None:
    squads, tanks = battle.ready(SQUADS), battle.ready(TANKS)
    fire = battle.shooting(squads, squads, distance=30, moved=True, cover=False)
    assert marks(fire) == pytest.approx(1 - (2 / 3) ** 6)
    harmless = battle.ready(make_fighter(Weapon(name="bolter", range=45, firepower="AP4+")))
    only_marks = battle.shooting(harmless, tanks, distance=30, moved=True, cover=False)
    assert (mean_loss(only_marks), marks(only_marks)) == pytest.approx((0.0, 1 - 0.5**6))
    disrupting = battle.ready(make_fighter(Weapon(name="gas", range=45, firepower="AP4+", rules=("Disrupt",))))
    extra = battle.shooting(disrupting, squads, distance=30, moved=True, cover=False)
    assert sum(a.extra * a.models for a in extra) == pytest.approx(6 * 0.5 * 2 / 6), "a marker for each saved hit"
    barrage = battle.shooting(battle.ready(GUNS), squads, distance=30, moved=True, cover=False)
    assert sum(a.extra * a.models for a in barrage) == pytest.approx(1), "six points: one besides"


@pytest.mark.parametrize(("case", "initiative", "rules"), [
    ("better initiative", "1+", ()), ("a Supreme Commander", "2+", ("Supreme Commander",)), ("leaders", "2+", ("Leader",)),
])  # fmt: skip
def test_what_helps_against_markers_wins_more(case: str, initiative: str, rules: tuple[str, ...]) -> None:
    plain = make_fighter(MISSILE, RIFLES, count=8)
    better = make_fighter(MISSILE, RIFLES, count=8, rules=rules)
    better = replace(better, side=replace(better.side, initiative=initiative))
    metrics = fought([better] * 4, [plain] * 4, 16_000)["metrics"]
    assert metrics["p_win"] + metrics["p_draw"] / 2 > 0.515, case


def test_a_crossfire_spoils_saves() -> None:
    squads = battle.ready(SQUADS)
    plain, worse = (
        mean_loss(fire(squads, squads, distance=30, moved=True, cover=False))
        for fire in (battle.shooting, battle.crossed)
    )
    assert (plain, worse) == pytest.approx((6 * (2 / 6) * (4 / 6), 6 * (2 / 6) * (5 / 6)))


def test_supporting_fire_and_fearless_units() -> None:
    squads, tanks = battle.ready(SQUADS), battle.ready(TANKS)
    support = battle.supports(squads, tanks)
    assert [attack.models for attack in support] == [3], "half of the six"
    assert mean_loss(support) == pytest.approx(3 * (2 / 6) * (3 / 6)), "FF 5+ against armour 4+"
    assert battle.unit(squads).resists == 0.0
    fearless = battle.unit(battle.ready(make_fighter(RIFLES, rules=("Fearless",), armour="4+")))
    assert fearless.resists == pytest.approx(1 / 2)
    horde = make_fighter(RIFLES, CC="3+", armour="6+", speed=30)
    brave = make_fighter(RIFLES, CC="3+", armour="3+", speed=30, rules=("Fearless",))
    timid = make_fighter(RIFLES, CC="3+", armour="3+", speed=30)
    wins = [fought([fighter] * 3, [horde] * 5, 8_000)["metrics"] for fighter in (brave, timid)]
    assert wins[0]["attacker_points_left"] > wins[1]["attacker_points_left"] + 5


def test_half_the_points_in_one_formation_do_not_fight_like_two() -> None:
    """Markers wear a large formation down no faster than small ones; its one action a turn is what it pays with."""
    small = make_fighter(MISSILE, RIFLES, count=6)
    large = replace(make_fighter(MISSILE, RIFLES, count=12), points=2 * small.points)
    metrics = fought([large] * 2, [small] * 4, 4_000)["metrics"]
    assert 0.2 < metrics["p_win"] + metrics["p_draw"] / 2 < 0.8


@pytest.mark.long
def test_our_own_lists_fight() -> None:
    result = fought(sample("strike-force-damocles"), sample("hades-hive-relief"), 1_000)
    metrics = result["metrics"]
    assert metrics["p_win"] + metrics["p_draw"] + metrics["p_lose"] == pytest.approx(1)
    assert 0 < metrics["attacker_points_left"] < 2500 and 4 <= metrics["turns"] <= 5
    assert fought(sample("strike-force-damocles"), sample("hades-hive-relief"), 1_000) == result


def test_what_a_battle_rests_on() -> None:
    sharp = make_fighter(
        MISSILE, RIFLES, ROCKETS, rules=("Leader", "Reinforced Armour", "Guided Missiles", "Commander", "Transport (2)")
    )
    notes = prepared(battle, [sharp, FIGHTERS], [make_fighter(CANNON)]).notes  # type: ignore[arg-type]
    assert "Reinforced Armour" in notes.modelled
    assert "Leader" in notes.modelled
    assert {"Guided Missiles", "aircraft", "overwatch", "Commander", "Transport (2)"} <= set(notes.not_simulated)
    assert {"blast markers", "assault result", "Indirect Fire"} <= {item.rule for item in notes.approximated}
