"""Shooting of 40k 6th edition: hand-computed chances, the order of allocation, dice against the exact answer."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from armybuilder.engine.documents import parse_matchup
from armybuilder.engine.errors import LimitExceeded
from armybuilder.engine.simulate import Result, simulate


def gun(**members: Any) -> dict[str, Any]:
    return {"name": "gun", "range": 24, "S": 4, "AP": "-"} | members


def wounds(n: int, **members: Any) -> dict[str, Any]:
    return gun(override={"wounds": n}, **members)


def firers(*weapons: dict[str, Any], count: int = 1, bs: int = 4, **members: Any) -> dict[str, Any]:
    return {"models": [{"name": "firer", "count": count, "profile": {"BS": bs}, "weapons": list(weapons)}]} | members


def target(name: str = "target", count: int = 1, **members: Any) -> dict[str, Any]:
    profile = {"T": 4, "W": 1} | members.pop("profile", {})
    return {"name": name, "count": count, "profile": profile, "track": True} | members


def shoot(
    attacker: dict[str, Any], *groups: dict[str, Any], defender: dict[str, Any] | None = None, **members: Any
) -> Result:
    document = {"system": "wh40k-6th", "kind": "shooting", "attacker": attacker} | members
    return simulate(parse_matchup(document | {"defender": {"models": list(groups)} | (defender or {})}))


@pytest.mark.parametrize(
    ("case", "bs", "rules", "snap", "chance"),
    [
        ("BS 5", 5, [], False, Fraction(5, 6)),
        ("BS 6 re-rolls a 1 at 6+", 6, [], False, Fraction(31, 36)),
        ("BS 10 re-rolls a 1 at 2+", 10, [], False, Fraction(35, 36)),
        ("an existing re-roll comes first", 6, ["Master-crafted"], False, Fraction(35, 36)),
        ("re-rolled misses", 3, ["Master-crafted"], False, Fraction(3, 4)),
        ("snap shots count BS as 1", 9, [], True, Fraction(1, 6)),
    ],
)
def test_to_hit(case: str, bs: int, rules: list[str], snap: bool, chance: Fraction) -> None:
    result = shoot(firers(gun(rules=rules), bs=bs), target(count=9), conditions={"snap_shots": snap})
    assert result.metrics["hits"] == pytest.approx(float(chance))


@pytest.mark.parametrize(
    ("case", "groups", "chance"),
    [
        ("most models", [target("a", 3, profile={"T": 3}), target("b", 1, profile={"T": 5})], Fraction(2, 3)),
        ("the higher on a tie", [target("a", 1, profile={"T": 3}), target("b", 1, profile={"T": 5})], Fraction(1, 3)),
        ("out of reach", [target("a", 1, profile={"T": 8})], Fraction(0)),
    ],
)
def test_majority_toughness(case: str, groups: list[dict[str, Any]], chance: Fraction) -> None:
    result = shoot(firers(gun(override={"hits": 1})), *groups)
    assert result.metrics["wounds"] == pytest.approx(float(chance))


@pytest.mark.parametrize(
    ("case", "weapon", "group", "ground", "chance"),
    [
        ("armour", {"AP": 4}, target(profile={"Sv": "3+"}), False, Fraction(1, 3)),
        ("pierced armour", {"AP": 3}, target(profile={"Sv": "3+"}), False, Fraction(1)),
        ("invulnerable", {"AP": 2}, target(profile={"Sv": "3+", "Inv": "5+"}), False, Fraction(2, 3)),
        ("cover", {"AP": 2}, target(cover="4+", profile={"Sv": "3+"}), False, Fraction(1, 2)),
        ("gone to ground in cover", {"AP": 2}, target(cover="4+"), True, Fraction(1, 3)),
        ("gone to ground in the open", {}, target(), True, Fraction(5, 6)),
        ("never better than 2+", {}, target(cover="2+"), True, Fraction(1, 6)),
    ],
)
def test_saves(case: str, weapon: dict[str, Any], group: dict[str, Any], ground: bool, chance: Fraction) -> None:
    result = shoot(firers(wounds(1, **weapon)), group, defender={"gone_to_ground": ground})
    assert result.metrics["p_slain:target"] == pytest.approx(float(chance))


def test_the_nearest_model_takes_the_wounds() -> None:
    result = shoot(firers(wounds(1)), target("far", distance=12), target("near", distance=10))
    assert (result.metrics["p_slain:near"], result.metrics["p_slain:far"]) == (1, 0)


def test_equally_near_models_are_drawn_by_number_and_stay_picked() -> None:
    groups = [target("two", 2, distance=9, profile={"W": 2}), target("one", 1, distance=9, profile={"W": 2})]
    result = shoot(firers(wounds(2)), *groups)
    assert result.metrics["models_slain"] == 1
    assert result.metrics["p_slain:one"] == pytest.approx(1 / 3)


def test_unseen_models_get_no_wounds() -> None:
    result = shoot(firers(wounds(3)), target("seen"), target("unseen", 2, visible=False))
    assert result.metrics["models_slain"] == 1


def test_instant_death_looks_at_the_model_itself() -> None:
    strong = shoot(firers(wounds(1, S=8)), target(profile={"W": 3}))
    weak = shoot(firers(wounds(1, S=7)), target(profile={"W": 3}))
    assert (strong.metrics["p_slain:target"], weak.metrics["p_slain:target"]) == (1, 0)


CAPTAIN = target("captain", subtypes=["character"], distance=10)


@pytest.mark.parametrize(
    ("case", "comrades", "options", "slain"),
    [
        ("half of the wounds move", [target("squad", 5, distance=12)], {}, 0.5),
        ("the owner does not want", [target("squad", 5, distance=12)], {"look_out_sir": "never"}, 1.0),
        ("nobody within 6 inches", [target("squad", 5, distance=17)], {}, 1.0),
        ("onto a model nobody sees", [target("squad", 5, distance=12, visible=False)], {}, 0.5),
    ],
)
def test_look_out_sir(case: str, comrades: list[dict[str, Any]], options: dict[str, str], slain: float) -> None:
    result = shoot(firers(wounds(1)), CAPTAIN, *comrades, options=options)
    assert result.metrics["p_slain:captain"] == pytest.approx(slain)


def test_characters_of_one_group_take_wounds_for_each_other() -> None:
    nobs = target("nobs", 2, profile={"T": 5, "W": 2, "Sv": "-"}, subtypes=["character"])
    slain = {n: shoot(firers(wounds(n)), nobs).metrics["models_slain"] for n in (2, 3, 4)}
    assert slain == pytest.approx({2: 1 / 2, 3: 1, 4: 2})
    assert shoot(firers(wounds(4)), nobs).metrics["p_slain:nobs"] == pytest.approx(1)
    assert shoot(firers(wounds(2)), nobs, options={"look_out_sir": "never"}).metrics["models_slain"] == pytest.approx(1)


def test_no_more_weapons_are_fired_than_there_are_models() -> None:
    assert shoot(firers(gun(count=5), count=2), target()).metrics["hits"] == pytest.approx(4 / 3)


def test_look_out_sir_needs_a_living_comrade() -> None:
    result = shoot(firers(wounds(2)), CAPTAIN, target("squire", 1, distance=11))
    # first wound: half onto the squire; the second then always hits the captain
    assert result.metrics["p_slain:captain"] == 1
    assert result.metrics["p_slain:squire"] == 1


def test_equally_near_comrades_are_drawn_by_number() -> None:
    near = [target("three", 3, distance=12), target("one", 1, distance=12)]
    result = shoot(firers(wounds(1)), CAPTAIN, *near)
    assert (result.metrics["p_slain:one"], result.metrics["p_slain:captain"]) == pytest.approx((1 / 8, 1 / 2))
    unmeasured = [target("captain", subtypes=["character"]), target("second"), target("third")]
    result = shoot(firers(wounds(1)), *unmeasured)
    assert [result.metrics[f"p_slain:{name}"] for name in ("second", "third")] == pytest.approx([1 / 4, 1 / 4])


def test_a_character_is_no_comrade_of_his_own() -> None:
    nobs = target("nobs", 2, distance=9, subtypes=["character"])
    result = shoot(firers(wounds(1)), nobs, target("boy", 1, distance=9))
    # one time in three the boy is the nearest; else, on a 4+, he or the other nob takes it
    assert result.metrics["p_slain:boy"] == pytest.approx(1 / 3 + 2 / 3 / 2 / 2)


def test_named_comrades_replace_the_distance() -> None:
    captain = CAPTAIN | {"comrades_within_6in": ["far"]}
    result = shoot(firers(wounds(1)), captain, target("near", 1, distance=11), target("far", 1, distance=30))
    assert (result.metrics["p_slain:near"], result.metrics["p_slain:far"]) == (0, 0.5)


def test_focus_fire_skips_the_better_covered() -> None:
    groups = [target("bastion", cover="3+", distance=5), target("ruin", cover="4+", distance=9)]
    result = shoot(firers(wounds(2)), *groups, conditions={"focus_fire": "4+"})
    assert result.metrics["p_slain:bastion"] == 0
    assert result.metrics["p_slain:ruin"] == pytest.approx(0.75)


def test_heavy_weapons_snap_after_moving_and_blasts_do_not_fire_then() -> None:
    moved = firers(gun(type="Heavy 1"), moved=True)
    assert shoot(moved, target(count=9)).metrics["hits"] == pytest.approx(1 / 6)
    blast = firers(gun(type="Heavy 1", rules=["Blast"]), moved=True)
    assert shoot(blast, target(count=9)).metrics["hits"] == 0


def test_weapons_out_of_range_do_not_fire() -> None:
    attacker = firers(gun(range=12), gun(name="rifle", range=24))
    result = shoot(attacker, target(count=9), conditions={"distance": 18})
    assert result.metrics["hits"] == pytest.approx(2 / 3)


def test_unknown_rules_are_listed_also_of_who_does_not_fire_and_of_who_runs() -> None:
    unarmed = {"models": [{"name": "cook", "count": 1, "rules": ["Mob Rule"]}], "rules": ["Waaagh!"]}
    assert set(shoot(unarmed, target()).not_simulated) == {"Mob Rule", "Waaagh!"}
    assert shoot(firers(gun(range=6, rules=["Melta", "Twin-linked"])), target(distance=12)).not_simulated == ("Melta",)
    runner = {"name": "runner", "count": 3, "rules": ["Fleet"]}
    run = simulate(parse_matchup({"system": "wh40k-6th", "kind": "run", "unit": {"models": [runner]}}))
    assert run.not_simulated == ("Fleet",)


def test_unknown_rules_are_listed_and_known_ones_are_not() -> None:
    result = shoot(firers(gun(rules=["Master-crafted", "Gets Hot"])), target(rules=["Stubborn"]))
    assert result.not_simulated == ("Gets Hot", "Stubborn")
    assert result.modelled == ("Master-crafted",)


MATCHUPS: list[tuple[str, dict[str, Any], list[dict[str, Any]]]] = [
    ("plain volley", firers(gun(shots=2), count=10), [target(count=6, profile={"Sv": "4+", "W": 2})]),
    (
        "two weapons against a mixed unit",
        firers(gun(AP=2, S=8, count=3), gun(name="rifle", shots="D3", AP=5), count=6),
        [
            CAPTAIN | {"profile": {"T": 4, "W": 3, "Sv": "2+", "Inv": "4+"}},
            target("shield", 3, distance=11, profile={"W": 2, "Sv": "3+"}),
            target("sword", 3, distance=11, profile={"W": 1, "Sv": "4+"}, cover="5+"),
        ],
    ),
]


@pytest.mark.parametrize(("case", "attacker", "groups"), MATCHUPS)
def test_dice_agree_with_the_exact_answer(case: str, attacker: dict[str, Any], groups: list[dict[str, Any]]) -> None:
    exact = shoot(attacker, *groups)
    sampled = shoot(attacker, *groups, method="montecarlo", trials=30_000, seed=11)
    assert exact.metrics.keys() == sampled.metrics.keys()
    assert sampled.standard_errors is not None
    for name, value in exact.metrics.items():
        assert abs(sampled.metrics[name] - value) <= 5 * sampled.standard_errors[name] + 1e-4, name
    assert sum(exact.distributions["models_slain"].values()) == pytest.approx(1, abs=1e-12)


@given(strength=st.integers(1, 9), toughness=st.integers(1, 10), save=st.integers(2, 6))
def test_more_strength_never_kills_less_and_a_better_save_never_loses_more(
    strength: int, toughness: int, save: int
) -> None:
    def slain(s: int, sv: int) -> float:
        weapon = gun(S=s, AP="-", shots=3)
        return shoot(firers(weapon), target(count=4, profile={"T": toughness, "Sv": sv})).metrics["models_slain"]

    assert slain(strength + 1, save) >= slain(strength, save) - 1e-12
    assert slain(strength, save) <= slain(strength, min(6, save + 1)) + 1e-12


def test_a_run_is_one_die() -> None:
    result = simulate(
        parse_matchup({"system": "wh40k-6th", "kind": "run", "unit": {"models": [{"name": "m", "count": 9}]}})
    )
    assert result.metrics == {"distance": 3.5}


@pytest.mark.parametrize(
    ("case", "attacker", "count", "at"),
    [
        ("models", firers(gun()), 10**5, "/defender/models/0/count"),
        ("shots", firers(gun(shots=10**5)), 1, "/attacker/models"),
        ("firing models", firers(gun(count=10**5)), 1, "/attacker/models/0/weapons/0/count"),
    ],
)
def test_limits_are_refused_at_once(case: str, attacker: dict[str, Any], count: int, at: str) -> None:
    with pytest.raises(LimitExceeded) as refusal:
        shoot(attacker, target(count=count))
    assert refusal.value.at == at
