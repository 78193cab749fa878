"""Assaults of Epic: the worked example, first strikes, extra attacks, the result roll, extra hits."""

from typing import Any

import pytest

from armybuilder.engine.errors import LimitExceeded
from tests.engine.systems.epic.combat.builders import run, unit


def fight(attacker: dict[str, Any], defender: dict[str, Any], **members: Any) -> dict[str, float]:
    return run("assault", attacker=attacker, defender=defender, **members).metrics


def side(*units: dict[str, Any], **members: Any) -> dict[str, Any]:
    return {"units": list(units)} | members


def squad(count: int = 2, **members: Any) -> dict[str, Any]:
    return unit(count=count, **({"armour": "5+", "CC": "4+", "FF": "4+", "fights": "CC"} | members))


def test_the_worked_example() -> None:
    metrics = fight(side(squad(CC="3+"), blast_markers=1), side(squad(CC="5+")))
    assert metrics["units_destroyed"] == pytest.approx(8 / 9)
    assert metrics["attacker_units_destroyed"] == pytest.approx(4 / 9)
    assert metrics["p_win"] == pytest.approx(1740011 / 4251528)
    assert metrics["p_draw"] == pytest.approx(5390 / 59049)
    assert metrics["p_both_destroyed"] == pytest.approx(64 / 6561)


def test_everybody_dead_goes_to_the_defender_or_is_a_draw() -> None:
    sure = squad(1, CC="1+", armour="-")
    assert fight(side(sure), side(sure))["p_lose"] == 1
    assert fight(side(sure), side(sure), options={"both_destroyed_winner": "draw"})["p_draw"] == 1


def test_first_strike_kills_before_the_enemy_strikes() -> None:
    sure = squad(1, CC="1+", armour="-")
    quick = sure | {"rules": ["First Strike"]}
    assert fight(side(quick), side(sure))["p_attacker_destroyed"] == 0
    assert fight(side(quick), side(quick))["p_both_destroyed"] == 1


def test_extra_attacks_have_the_rules_of_their_weapon() -> None:
    sword = {"name": "sword", "range": "base contact", "rules": ["Extra Attacks (+1)", "Macro Weapon"]}
    target = side(squad(9, armour="3+"))
    plain = fight(side(squad(1, CC="1+")), target)["units_destroyed"]
    armed = fight(side(squad(1, CC="1+", weapons=[sword])), target)["units_destroyed"]
    assert (plain, armed) == pytest.approx((1 / 3, 4 / 3))
    far = fight(side(squad(1, FF="1+", fights="FF", weapons=[sword])), target)["units_destroyed"]
    assert far == pytest.approx(1 / 3)


def test_infantry_keeps_its_cover_unless_it_charged() -> None:
    attacker = side(squad(1, CC="1+"))
    stayed = fight(attacker, side(squad(9, armour="-"), terrain="ruins"))["units_destroyed"]
    charged = fight(attacker, side(squad(9, armour="-"), terrain="ruins", counter_charged=True))["units_destroyed"]
    assert (stayed, charged) == pytest.approx((1 / 2, 1))


def test_an_engine_rolls_its_starting_capacity_and_fights_worse_in_its_critical_state() -> None:
    def engine(**members: Any) -> dict[str, Any]:
        return unit("WE", CC="3+", fights="CC", DC=[4, 2, 1], **members)

    target = side(squad(9, armour="-"))
    assert fight(side(engine()), target)["units_destroyed"] == pytest.approx(4 * 2 / 3)
    assert fight(side(engine(dc_left=1)), target)["units_destroyed"] == pytest.approx(4 * 1 / 2)


MODIFIERS = [
    ("nothing", {}, {}, 1, 1),
    ("markers", {"blast_markers": 1}, {}, 0, 2),
    ("more markers than the enemy", {"blast_markers": 2}, {"blast_markers": 1}, 0, 1),
    ("broken enemy", {}, {"broken": True}, 2, 0),
    ("kills", {"kills": 3}, {}, 4, 1),
    ("inspiring character", {"characters": [{"name": "Captain", "rules": ["Inspiring"]}]}, {}, 2, 1),
]


@pytest.mark.parametrize(("case", "own", "enemy", "attacker", "defender"), MODIFIERS)
def test_assault_modifiers(case: str, own: dict[str, Any], enemy: dict[str, Any], attacker: int, defender: int) -> None:
    metrics = run("assault_result", attacker=side(squad(4), **own), defender=side(squad(4), **enemy)).metrics
    assert (metrics["attacker_modifier"], metrics["defender_modifier"]) == (attacker, defender)


@pytest.mark.parametrize(("count", "cumulative", "modifier"), [(5, True, 2), (8, True, 3), (8, False, 2)])
def test_outnumbering(count: int, cumulative: bool, modifier: int) -> None:
    options = {"outnumber_cumulative": cumulative}
    metrics = run("assault_result", attacker=side(squad(count)), defender=side(squad(4)), options=options).metrics
    assert metrics["attacker_modifier"] == modifier


@pytest.mark.parametrize(
    ("case", "members", "destroyed"),
    [
        ("in the open", {}, 1),
        ("on Overwatch", {"overwatch": True}, 2 / 3),
        ("on Overwatch, but counter-charged", {"overwatch": True, "counter_charged": True}, 1),
        ("behind something", {"cover_save": "4+"}, 1 / 2),
    ],
)
@pytest.mark.parametrize("unit_type", ["INF", "AV"])
def test_who_stays_put_keeps_his_cover(case: str, members: dict[str, Any], destroyed: float, unit_type: str) -> None:
    attacker = side(squad(2, CC="4+"))
    waiting = unit(unit_type, 6, CC="6+", FF="6+", fights="FF")
    expected = 1 if unit_type == "AV" and "overwatch" in members else destroyed
    assert fight(attacker, side(waiting, **members))["units_destroyed"] == pytest.approx(expected)


def test_vehicles_that_counter_charge_leave_their_cover() -> None:
    waiting = unit("AV", 6, CC="6+", FF="6+", fights="FF")
    leaving = side(waiting, cover_save="4+", counter_charged=True)
    assert fight(side(squad(2, CC="4+")), leaving)["units_destroyed"] == pytest.approx(1)


def test_a_result_roll_says_which_rules_count() -> None:
    sides = {"attacker": side(squad(rules=["Inspiring"])), "defender": side(squad(rules=["Strange"]))}
    answer = run("assault_result", **sides)
    assert (answer.modelled, answer.not_simulated) == (("Inspiring",), ("Strange",))
    stated = run("assault_result", **sides, override={"modifier_difference": 1})
    assert (stated.modelled, stated.not_simulated) == ((), ())


def test_the_result_roll_is_symmetric() -> None:
    for difference in range(6):
        ahead = run("assault_result", override={"modifier_difference": difference}).metrics
        behind = run("assault_result", override={"modifier_difference": -difference}).metrics
        assert ahead["p_win"] == behind["p_lose"]
        assert ahead["p_draw"] == behind["p_draw"]


@pytest.mark.parametrize(
    ("case", "members", "destroyed"),
    [("no saves", {}, 2), ("fearless", {"rules": ["Fearless"]}, 4 / 3), ("all of them", {"count": 1}, 1)],
)
def test_extra_hits_on_the_loser(case: str, members: dict[str, Any], destroyed: float) -> None:
    loser = side(squad(**({"count": 4} | members)))
    assert run("assault_extra_hits", loser=loser, extra_hits=2).metrics["units_destroyed"] == pytest.approx(destroyed)


@pytest.mark.parametrize(
    ("case", "kind", "members"),
    [
        (
            "assault",
            "assault",
            {"attacker": side(squad(3), blast_markers=1), "defender": side(squad(4, rules=["First Strike"]))},
        ),
        ("result", "assault_result", {"override": {"modifier_difference": 2}}),
        ("extra hits", "assault_extra_hits", {"loser": side(squad(4, rules=["Fearless"])), "extra_hits": 3}),
    ],
)
@pytest.mark.long
def test_dice_agree_with_the_exact_answer(case: str, kind: str, members: dict[str, Any]) -> None:
    exact = run(kind, **members)
    sampled = run(kind, method="montecarlo", trials=8_000, seed=9, **members)
    assert exact.metrics.keys() == sampled.metrics.keys()
    assert sampled.standard_errors is not None
    for name, value in exact.metrics.items():
        assert abs(sampled.metrics[name] - value) <= 5 * sampled.standard_errors[name] + 5e-4, name


def test_a_loser_has_no_cover() -> None:
    """Fearless units save by their armour alone, and the answer says so."""
    woods = run("assault_extra_hits", loser=side(squad(4, rules=["Fearless"]), terrain="fortification"), extra_hits=2)
    assert woods.metrics["units_destroyed"] == pytest.approx(4 / 3)
    assert any("cover does not help a loser" in text.en for text in woods.assumptions)
    others = run("assault_extra_hits", loser=side(squad(4)), extra_hits=2)
    assert not any("cover" in text.en for text in others.assumptions)


def test_hundreds_fight_at_once() -> None:
    """Each of three hundred hits on 4+ and is saved on 5+; of equal sides both win equally often."""
    metrics = fight(side(squad(300)), side(squad(300)))
    assert metrics["units_destroyed"] == pytest.approx(300 / 2 * 2 / 3)
    assert metrics["p_win"] == pytest.approx(metrics["p_lose"])
    assert metrics["p_win"] + metrics["p_draw"] + metrics["p_lose"] == pytest.approx(1, abs=1e-9)


def test_dice_are_rolled_for_formations_whose_ends_nobody_could_list() -> None:
    """Thirty war engines of five kinds: one trial of listing all ends took more than a minute."""
    engines = side(*[unit("WE", 6, DC=8, armour="4+", CC="4+", FF="4+") for _ in range(5)])
    metrics = fight(engines, engines, method="montecarlo", trials=300, seed=5)
    hits = 30 * 8 / 2  # each die hits on 4+, each hit is saved on 4+; a sixth of the rest costs no further point here
    assert metrics["dc_lost"] == pytest.approx(hits / 2, rel=0.05)
    assert metrics["dc_lost"] == pytest.approx(metrics["attacker_dc_lost"], rel=0.05)


@pytest.mark.long
def test_dice_of_many_kinds_of_units_agree_with_the_exact_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rolled group by group, casualties have the chances that listing all ends gives them."""
    attacker = side(squad(3), unit("LV", 2, armour="5+", CC="3+", FF="4+", rules=["First Strike"]))
    defender = side(squad(2), unit("WE", 2, DC=3, armour="5+", CC="4+", FF="4+"), unit("AV", 2, armour="4+", FF="5+"))
    exact = run("assault", attacker=attacker, defender=defender)
    monkeypatch.setattr("armybuilder.engine.systems.epic.combat.casualties.MAX_LISTED_ENDS", 0)
    sampled = run("assault", attacker=attacker, defender=defender, method="montecarlo", trials=8_000, seed=3)
    assert sampled.standard_errors is not None
    for name, value in exact.metrics.items():
        assert abs(sampled.metrics[name] - value) <= 5 * sampled.standard_errors[name] + 5e-4, name


def test_more_units_and_trials_than_a_worker_should_roll_are_refused() -> None:
    with pytest.raises(LimitExceeded, match="units in all trials"):
        fight(side(squad(200)), side(squad(200)), method="montecarlo", trials=250_000)


def test_too_many_ends_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("armybuilder.engine.systems.epic.combat.assault.MAX_ENDS", 8)
    with pytest.raises(LimitExceeded):
        fight(side(squad(3)), side(squad(3)))
    assert fight(side(squad(2)), side(squad(1)))["p_win"] > 0
