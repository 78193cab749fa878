"""A round of combat where lists meet: challenges, Overwatch, Hold the Line; Daemons dissolve, giants score."""

from fractions import Fraction as F  # noqa: N817 - many small fractions

import msgspec
import pytest

from armybuilder.engine.documents import parse_matchup
from armybuilder.engine.simulate import Result, simulate
from armybuilder.engine.systems.horus_heresy.matchup import AttackConditions, HeresyMatchup
from tests.engine.systems.horus_heresy.combat.builders import (
    Json,
    make_blade,
    make_duel,
    make_group,
    make_side,
    make_tank,
    make_weapon,
    metric,
    run,
)


def met(document: Json, *, method: str = "exact", **stated: object) -> Result:
    """The document with what only lists can state."""
    matchup = parse_matchup(document)
    assert isinstance(matchup, HeresyMatchup)
    conditions = AttackConditions(**msgspec.structs.asdict(matchup.conditions_in_force), **stated)  # type: ignore[arg-type]
    return simulate(msgspec.structs.replace(matchup, conditions=conditions, method=method, trials=40_000, seed=5))


def hero(*, wounds: int = 1, attacks: int = 1, name: str = "Hero", skill: int = 5, **facts: object) -> Json:
    """A Character whose blows wound on 2+ and are never saved; WS 5 is hit on 5+ by the men, and hits them on 3+."""
    profile = {"WS": skill, "W": wounds, "A": attacks, "S": 6, "T": 4, "I": 5}
    blade = make_blade(AP=2)
    return make_group(1, profile=profile, weapons=[blade], subtypes=["character"], name=name, **facts)


def men(count: int = 5, **profile: object) -> Json:
    return make_group(count, profile=profile, weapons=[make_blade(AP=2)])


def close(found: Result, rolled: Result) -> None:
    """The sampled answer is the exact one within five standard errors."""
    assert found.metrics.keys() == rolled.metrics.keys()
    for name, value in found.metrics.items():
        error = (rolled.standard_errors or {}).get(name, 0.0)
        assert rolled.metrics[name] == pytest.approx(value, abs=5 * error + 1e-4), name


def test_two_heroes_fight_while_their_men_do() -> None:
    """Equal skill: each of one blow hits on 4+ and wounds on 2+, both at the same time."""
    document = make_duel("combat_round", make_side(hero(name="Mine"), men()), make_side(hero(name="Theirs"), men()))
    found = met(document, challenge=True)
    falls = F(1, 2) * F(5, 6)
    assert found.metrics["p_slain:Theirs"] == pytest.approx(float(falls))
    assert found.metrics["p_attacker_slain:Mine"] == pytest.approx(float(falls))
    each = F(1, 4)  # of five men: hit on 4+, wound on 4+, no save
    assert found.metrics["models_slain"] == pytest.approx(float(5 * each + falls), abs=1e-9)
    assert "challenges" in {item.rule for item in found.approximated}
    assert sum(found.metrics[f"p_{end}"] for end in ("win", "draw", "lose", "both_destroyed")) == pytest.approx(1.0)
    close(found, met(document, method="montecarlo", challenge=True))
    assert "p_slain:Theirs" not in run(document).metrics


def test_wounds_to_spare_count_but_do_not_spill() -> None:
    """Six sure blows at a hero of one wound: he falls, nobody else does, and the difference is ruinous."""
    champion = hero(name="Champion", attacks=6)
    champion["weapons"] = [make_blade(AP=1, S=7) | {"override": {"hits": 6}}]
    document = make_duel("combat_round", make_side(champion), make_side(hero(name="Sergeant"), men(4, A=0)))
    found = met(document, challenge=True)
    assert found.metrics["p_slain:Sergeant"] == pytest.approx(1 - (1 / 6) ** 6)
    assert found.metrics["models_slain"] == pytest.approx(1 - (1 / 6) ** 6)
    lone = run(document).metrics["models_slain"]
    assert lone > 4.5, "without a challenge the blows reach the men"
    weak = make_duel("combat_round", make_side(champion), make_side(hero(name="Sergeant", wounds=6), men(4, A=0)))
    by_one = met(weak, challenge=True).metrics["p_defender_breaks"]
    assert found.metrics["p_defender_breaks"] == pytest.approx(by_one), "spare wounds count as others do"


def test_a_squad_strikes_the_hero_who_stands_alone() -> None:
    """The men behind the sergeant reach the lone hero, and he cannot reach them."""
    document = make_duel("combat_round", make_side(hero(name="Mine", wounds=4)), make_side(hero(skill=4), men(4)))
    found = met(document, challenge=True)
    alone = met(
        make_duel("combat_round", make_side(hero(name="Mine", wounds=4)), make_side(hero(skill=4), men(4, A=0))),
        challenge=True,
    )
    assert found.metrics["attacker_wounds_lost"] > alone.metrics["attacker_wounds_lost"] + 0.5
    assert found.metrics["models_slain"] <= 1.0
    assert found.metrics["p_destroyed"] == 0.0
    close(found, met(document, method="montecarlo", challenge=True))


def test_no_challenge_without_characters() -> None:
    document = make_duel("combat_round", make_side(men()), make_side(hero(), men()))
    found = met(document, challenge=True)
    assert found.metrics == run(document).metrics
    assert any("challenge" in text.en for text in found.assumptions)


GUNNERS = make_group(5, profile={"A": 0}, weapons=[make_weapon(AP=2, range=24)])


def test_overwatch_thins_the_charge_and_does_not_count_for_the_result() -> None:
    """Five shots at five chargers, each slays with 1/3; the fallen neither strike nor are counted."""
    charge = make_duel("combat_round", make_side(men(), charged=True), make_side(GUNNERS))
    plain, found = met(charge), met(charge, reaction="overwatch")
    assert found.metrics["attacker_models_slain"] == pytest.approx(5 / 3)
    assert plain.metrics["attacker_models_slain"] == 0.0
    assert found.metrics["models_slain"] < plain.metrics["models_slain"]
    assert found.metrics["p_lose"] == pytest.approx((1 / 3) ** 5), "only if nobody arrives"
    close(found, met(charge, method="montecarlo", reaction="overwatch"))


def test_chargers_with_wounds_arrive_wounded() -> None:
    brutes = make_side(men(3, W=2), charged=True)
    found = met(make_duel("combat_round", brutes, make_side(GUNNERS)), reaction="overwatch")
    assert found.metrics["attacker_wounds_lost"] == pytest.approx(5 / 3)
    assert found.metrics["attacker_models_slain"] < 5 / 6


@pytest.mark.parametrize("who", [{"type": "automata"}, {"subtypes": ["artillery"]}, {"rules": ["Slow and Purposeful"]}])
def test_who_does_not_react(who: Json) -> None:
    document = make_duel("combat_round", make_side(men(), charged=True), make_side(GUNNERS | who))
    assert met(document, reaction="overwatch").metrics["attacker_models_slain"] == 0.0


def test_hold_the_line_takes_the_charge_its_edge() -> None:
    """Leadership 7 passes with 21/36: then no attack for charging; Counter-attack is lost either way."""
    charge = make_duel("combat_round", make_side(men(2), charged=True), make_side(men(20, A=0)))
    found = met(charge, reaction="hold_the_line")
    assert met(charge).metrics["models_slain"] == pytest.approx(2 * 2 / 4)
    assert found.metrics["models_slain"] == pytest.approx(float(F(21, 36) * F(1, 2) + F(15, 36)))
    counter = make_side(men(5), rules=["Counter-attack (2)"])
    document = make_duel("combat_round", make_side(men(20), charged=True), counter)
    bare = make_duel("combat_round", make_side(men(20), charged=True), make_side(men(5)))
    held = met(document, reaction="hold_the_line").metrics
    assert held["attacker_models_slain"] == pytest.approx(
        met(bare, reaction="hold_the_line").metrics["attacker_models_slain"]
    )
    assert met(document).metrics["attacker_models_slain"] > held["attacker_models_slain"]
    close(found, met(charge, method="montecarlo", reaction="hold_the_line"))


def test_daemons_take_wounds_instead_of_fleeing() -> None:
    """One sure blow that always slays: the Daemons lose by one, fail with 21/36 at Leadership 6, and lose D3 wounds."""
    slayer = make_group(1, weapons=[make_blade(AP=1, S=10) | {"override": {"hits": 1, "to_wound": "2+"}}])
    daemons = make_group(5, type="daemon", profile={"A": 0})
    found = run(make_duel("combat_round", make_side(slayer), make_side(daemons)))
    fails = F(5, 6) * F(21, 36)
    assert found.metrics["p_defender_breaks"] == pytest.approx(float(fails))
    assert found.metrics["p_defender_caught"] == 0.0
    assert found.metrics["crumbled_wounds"] == pytest.approx(float(fails * 2))
    two = make_group(2, type="daemon", profile={"A": 0})
    left_one = run(make_duel("combat_round", make_side(slayer), make_side(two)))
    assert left_one.metrics["crumbled_wounds"] == pytest.approx(float(fails)), "one wound is left to lose"
    assert "crumbled_wounds" not in run(make_duel("combat_round", make_side(slayer), make_side(men()))).metrics
    document = make_duel("combat_round", make_side(slayer), make_side(daemons))
    close(found, run(document, method="montecarlo", trials=40_000, seed=2))


def test_a_penetrating_hit_on_a_knight_counts_twice() -> None:
    """Strength 8 on armour 12: 4 glances for one, 5 and 6 penetrate for two; the Knight's one wound makes a draw."""
    walker = make_tank(12, hp=6, subtypes=["knight"], weapons=[make_blade(AP=1, S=8) | {"override": {"wounds": 1}}])
    walker["profile"] |= {"WS": 4, "S": 8, "I": 4, "A": 1}
    giant = make_group(1, profile={"WS": 4, "W": 8, "T": 8, "S": 8, "Sv": None}, weapons=[
        make_blade(AP=3, S=8) | {"override": {"hits": 1}}
    ])  # fmt: skip
    found = run(make_duel("combat_round", make_side(giant), make_side(walker)))
    assert found.metrics["p_win"] == pytest.approx(2 / 6)
    assert found.metrics["p_draw"] == pytest.approx(1 / 6)
    assert found.metrics["p_lose"] == pytest.approx(3 / 6)
    assert found.metrics["hull_points_lost"] == pytest.approx(3 / 6)
    assert not any("hull point" in item.how.en for item in found.approximated)


def test_an_ordinary_tank_loses_to_whoever_hurts_it() -> None:
    document = make_duel("combat_round", make_side(men(3, S=6)), make_side(make_tank(12)))
    found = run(document).metrics
    assert found["p_win"] == pytest.approx(1 - (1 - 5 / 6 * 3 / 6) ** 3)
    assert found["p_defender_breaks"] == 0.0
    assert metric(document, "p_draw") == pytest.approx(1 - found["p_win"])
