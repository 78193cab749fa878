"""Whole battles of 40k 6th edition: what a unit does on the table, and that ranges and speed decide."""

# ruff: noqa: E501 - a row of a table is a line
from dataclasses import replace
from typing import Any

import msgspec
import numpy as np
import pytest

from armybuilder.engine.combat.battles import play
from armybuilder.engine.combat.battles.plans import Plans
from armybuilder.engine.errors import BadDocument
from armybuilder.engine.systems.battle_results import results_of
from armybuilder.engine.systems.battles import prepared
from armybuilder.engine.systems.wh40k_6th.army import Profile, Weapon
from armybuilder.engine.systems.wh40k_6th.combat import battle
from armybuilder.engine.systems.wh40k_6th.combat.fighter import Fighter
from tests.engine.systems.wh40k_6th.combat.test_list_matchup import (
    BOLTGUN,
    BOYZ,
    FLAMER,
    FRAG,
    LASCANNON,
    MARINE,
    ORK,
    PLASMA,
    TANK,
    make_fighter,
    make_group,
    slain,
)
from tests.engine.systems.wh40k_6th.roster.test_fighters import FIXTURES, fighters_of, read_folder, with_detachment

SQUAD = make_fighter(make_group(BOLTGUN), name="squad")
MIXED = make_fighter(make_group(BOLTGUN, msgspec.structs.replace(PLASMA, count=1)), name="mixed")


def fought(mine: list[Fighter], theirs: list[Fighter], trials: int = 2_000) -> dict[str, Any]:
    ready = prepared(battle, mine, theirs)  # type: ignore[arg-type]
    return results_of(ready, play.fought(Plans(ready.battle), trials=trials, seed=7))


def mean_loss(attacks: Any) -> float:
    """Wounds of the full unit's attacks, on average."""
    total = 0.0
    for attack in attacks:
        dead, lost = np.indices(attack.chances.shape)
        total += attack.models * float((attack.chances * (dead + lost)).sum())
    return total


@pytest.mark.parametrize(
    "attacker", [SQUAD, MIXED, make_fighter(make_group(LASCANNON)), make_fighter(make_group(FRAG, count=2))]
)
def test_shooting_is_that_of_the_pair(attacker: Fighter) -> None:
    horde = make_fighter(make_group(count=60, profile=ORK), name="horde")
    found = battle.shooting(battle.ready(attacker), battle.ready(horde), distance=12, moved=False, cover=False)
    assert mean_loss(found) == pytest.approx(slain(attacker, horde, distance=12, gone_to_ground=True), rel=1e-6)


@pytest.mark.parametrize(("case", "fighter", "better", "worse"), [
    ("half range", SQUAD, {"distance": 12}, {"distance": 13}), ("cover", MIXED, {}, {"cover": True}),
    ("moving with heavy weapons", make_fighter(make_group(LASCANNON)), {}, {"moved": True}), ("range", SQUAD, {"distance": 24}, {"distance": 25}),
])  # fmt: skip
def test_circumstances(case: str, fighter: Fighter, better: dict[str, Any], worse: dict[str, Any]) -> None:
    facts: dict[str, Any] = {"distance": 12, "moved": False, "cover": False}
    mine, boyz = battle.ready(fighter), battle.ready(BOYZ)
    assert (
        mean_loss(battle.shooting(mine, boyz, **facts | better))
        > mean_loss(battle.shooting(mine, boyz, **facts | worse)) + 0.01
    ), case


def test_who_is_shot_at_goes_to_ground() -> None:
    naked = make_fighter(make_group(count=60, profile=Profile(T=4, W=1)))
    facts: dict[str, Any] = {"distance": 12, "moved": False}
    open_ground, cover = (
        mean_loss(battle.shooting(battle.ready(SQUAD), battle.ready(naked), cover=covered, **facts))
        for covered in (False, True)
    )
    upright = slain(SQUAD, naked, distance=12)
    assert (open_ground, cover) == (pytest.approx(upright * 5 / 6, rel=1e-6), pytest.approx(upright / 2, rel=1e-6))


def test_rare_weapons_fall_last() -> None:
    attacks = battle.shooting(battle.ready(MIXED), battle.ready(SQUAD), distance=20, moved=False, cover=False)
    assert [(attack.models, attack.after) for attack in attacks] == [(1, 0), (4, 1)]


def test_instant_death_slays() -> None:
    ogres = battle.ready(make_fighter(make_group(count=3, profile=Profile(T=4, W=3, Sv="6+"))))
    (attack,) = battle.shooting(
        battle.ready(make_fighter(make_group(LASCANNON))), ogres, distance=20, moved=False, cover=False
    )
    assert attack.chances.shape == (2, 1)


def test_a_unit_on_the_table() -> None:
    unit = battle.unit(battle.ready(make_fighter(make_group(count=2), make_group(count=1, profile=Profile(T=4, W=3)))))
    assert (unit.wounds, unit.move, unit.charge, unit.screens) == ((1, 1, 3), 6, None, True)
    assert battle.unit(battle.ready(make_fighter(make_group(subtypes=("bike",))))).move == 12
    hero = battle.unit(battle.ready(make_fighter(make_group(count=1, subtypes=("infantry", "character")))))
    assert hero.hides and not hero.screens
    assert battle.bands(battle.ready(SQUAD)) == (12.0, 24.0)
    assert battle.bands(battle.ready(make_fighter(make_group(FLAMER)))) == (8.0, 16.0)
    assert battle.steady(battle.ready(SQUAD)) and not battle.steady(battle.ready(make_fighter(make_group(LASCANNON))))


def test_vehicles_stay_out() -> None:
    with pytest.raises(BadDocument, match="damaged"):
        battle.ready(TANK)
    assert prepared(battle, [SQUAD, TANK], [BOYZ]).left_out == (("tank",), ())  # type: ignore[arg-type]


def test_a_longer_range_wins() -> None:
    long, short = (
        make_fighter(make_group(Weapon(name="gun", range=reach, S=4, AP=5, type="Assault", shots=2)))
        for reach in (36, 18)
    )
    metrics = fought([long] * 3, [short] * 3)["metrics"]
    assert metrics["attacker_points_left"] > metrics["defender_points_left"] + 50


def test_more_speed_helps_those_who_must_come_near() -> None:
    guns = [make_fighter(make_group(BOLTGUN, count=8))] * 3
    near = Weapon(name="gun", range=12, S=5, AP=3, type="Assault", shots=3)
    foot, bikes = (
        make_fighter(make_group(near, count=8, subtypes=(kind,), profile=MARINE)) for kind in ("infantry", "bike")
    )
    slowly, quickly = (fought([fighter] * 3, guns)["metrics"]["attacker_points_left"] for fighter in (foot, bikes))
    assert quickly > slowly + 20


def test_weapons_of_one_use_are_fired_in_every_turn() -> None:
    missile = make_fighter(make_group(Weapon(name="missile", range=48, S=8, AP=3, type="Heavy", shots=1, rules=("One Use Only", "Melta"))))  # fmt: skip
    ready = prepared(battle, [missile], [BOYZ])  # type: ignore[arg-type]
    assert "One Use Only" in {item.rule for item in ready.notes.approximated}
    assert "Melta" in ready.notes.not_simulated and "One Use Only" not in ready.notes.not_simulated


def test_who_cannot_reach_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    guns = [make_fighter(make_group(BOLTGUN, count=8))] * 3
    near = Weapon(name="gun", range=12, S=5, AP=3, type="Assault", shots=3)
    foot = [make_fighter(make_group(near, count=8))] * 3
    running = fought(foot, guns)["metrics"]["p_win"]
    assert battle.unit(battle.ready(foot[0])).runs is not None
    unit = battle.unit
    monkeypatch.setattr(battle, "unit", lambda ready: replace(unit(ready), runs=None))
    assert running > fought(foot, guns)["metrics"]["p_win"] + 0.02


def test_our_own_lists_fight() -> None:
    marines, orks = (with_detachment(read_folder(FIXTURES), name) for name in ("Space Marines", "Orks"))
    for army, names in (
        (marines, ("Captain", "Tactical Squad", "Terminator Squad", "Predator")),
        (orks, ("Warboss", "Ork Boyz", "Lootas")),
    ):
        for name in names:
            army.add(name)
    ready = prepared(battle, list(fighters_of(marines).values()), list(fighters_of(orks).values()))  # type: ignore[arg-type]
    assert ready.left_out == (("Predator",), ())
    assert not any("Vehicles and buildings shoot" in text.en for text in ready.notes.assumptions), "they are left out"
    assert {"vehicles", "assaults", "morale"} <= set(ready.notes.not_simulated)
    assert {"running", "going to ground", "terrain", "victory points"} <= {
        item.rule for item in ready.notes.approximated
    }
    metrics = results_of(ready, play.fought(Plans(ready.battle), trials=500, seed=1))["metrics"]
    assert metrics["p_win"] + metrics["p_draw"] + metrics["p_lose"] == pytest.approx(1)
    assert 5 <= metrics["turns"] <= 7
