"""Relic's simulations against closed forms, enumeration and their own dice."""

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from armybuilder.engine.documents import parse_matchup
from armybuilder.engine.errors import BadDocument, LimitExceeded
from armybuilder.engine.simulate import Result, simulate
from tests.engine.systems.relic.builders import wargear

ORK = {"attribute": "strength", "value": 5}


def run(kind: str, hero: dict[str, Any] | None = None, **members: Any) -> Result:
    document: dict[str, Any] = {"system": "relic", "kind": kind} | members
    if hero is not None:
        document["hero"] = {"attributes": {"strength": 4, "willpower": 3, "cunning": 3}} | hero
    return simulate(parse_matchup(document))


def difference(d: int) -> Fraction:
    """P(X1 - X2 = d) for two exploding dice: the closed form of the rules digest."""
    terms = (Fraction(1, 6) ** abs(m) * Fraction(max(0, 5 - abs(d - 6 * m)), 25) for m in range(-12, 13))
    return Fraction(5, 7) * sum(terms, Fraction(0))


@pytest.mark.parametrize("lead", [-7, -1, 0, 1, 4])
def test_a_plain_battle_agrees_with_the_closed_form(lead: int) -> None:
    metrics = run("battle", {"attributes": {"strength": 10 + lead}}, enemies=[ORK | {"value": 10}]).metrics
    assert metrics["p_draw"] == pytest.approx(float(difference(-lead)), abs=1e-9)
    assert metrics["p_win"] == pytest.approx(float(sum(difference(d) for d in range(-lead + 1, 70))), abs=1e-9)


def test_equal_sides_win_three_sevenths() -> None:
    metrics = run("battle", {"life": 1}, enemies=[ORK | {"value": 4}]).metrics
    assert metrics["p_win"] == pytest.approx(3 / 7)
    assert metrics["p_vanquished"] == metrics["p_lose"] == pytest.approx(3 / 7)


REROLLS = [
    ("low faces", {"policy": "face_at_most", "face_at_most": 2}),
    ("low faces twice", {"policy": "face_at_most", "face_at_most": 3, "times": 2}),
    ("unless winning", {"policy": "if_not_winning"}),
    ("unless winning, twice", {"policy": "if_not_winning", "times": 2}),
]


@pytest.mark.parametrize(("case", "reroll"), REROLLS)
def test_rerolls_agree_with_enumeration(case: str, reroll: dict[str, Any]) -> None:
    """Two hero dice against an enemy roll that fell: every natural face is listed, explosions are cut after three."""

    def exploded(dice: int) -> dict[int, Fraction]:
        totals = {0: Fraction(1)}
        for _ in range(dice):
            one = {6 * k + r: Fraction(1, 6) ** (k + 1) for k in range(8) for r in range(1, 6)}
            totals_after: dict[int, Fraction] = {}
            for (a, p), (b, q) in product(totals.items(), one.items()):
                totals_after[a + b] = totals_after.get(a + b, Fraction(0)) + p * q
            totals = totals_after
        return totals

    enemy, hero_base = 4 + 6, 1
    win = Fraction(0)

    def resolve(first: int, second: int, chance: Fraction, left: int) -> None:
        nonlocal win
        if reroll["policy"] == "face_at_most":
            again = first <= reroll["face_at_most"]
        else:
            again = first + second + hero_base <= enemy
        if left and again and first != 6:
            for face in range(1, 7):
                resolve(face, second, chance / 6, left - 1)
            return
        for extra, share in exploded((first == 6) + (second == 6)).items():
            if first + second + hero_base + extra > enemy:
                win += chance * share

    for first, second in product(range(1, 7), repeat=2):
        resolve(first, second, Fraction(1, 36), reroll.get("times", 1))
    hero = {"attributes": {"strength": hero_base}, "dice": 2, "reroll": reroll}
    metrics = run("battle", hero, enemies=[ORK | {"value": 6}], override={"enemy_roll": 4}).metrics
    assert metrics["p_win"] == pytest.approx(float(win), abs=1e-6)


@pytest.mark.parametrize(
    ("case", "kind", "hero", "members"),
    [
        ("battle", "battle", {"dice": 2, "life": 1}, {"enemies": [ORK]}),
        ("battle with a re-roll", "battle", {"reroll": {"policy": "if_not_winning"}}, {"enemies": [ORK]}),
        (
            "battle with power numbers",
            "battle",
            {"power_numbers": [6], "power_cards_in_hand": 1},
            {"enemies": [ORK | {"value": 9}]},
        ),
        (
            "sequence",
            "battle_sequence",
            {},
            {"battles": [{"enemies": [ORK]}, {"enemies": [ORK | {"attribute": "cunning"}]}]},
        ),
        ("test", "skill_test", {}, {"attribute": "strength", "target": 9}),
        ("test, two dice", "skill_test", {"dice": 2}, {"attribute": "strength", "target": 13}),
        (
            "test with a re-roll",
            "skill_test",
            {"reroll": {"policy": "if_failing", "times": 2}},
            {"attribute": "cunning", "target": 7},
        ),
        (
            "lenient test",
            "skill_test",
            {},
            {"attribute": "strength", "target": 13, "options": {"explosion_one_fails": False}},
        ),
        ("dice", "dice_roll", None, {"dice": 3}),
        ("plain dice", "dice_roll", None, {"dice": 3, "exploding": False}),
        ("movement", "movement_roll", {"dice": 2}, {}),
    ],
)
def test_dice_agree_with_the_exact_answer(
    case: str, kind: str, hero: dict[str, Any] | None, members: dict[str, Any]
) -> None:
    exact = run(kind, hero, **members)
    sampled = run(kind, hero, method="montecarlo", trials=40_000, seed=7, **members)
    assert exact.metrics.keys() == sampled.metrics.keys()
    assert sampled.standard_errors is not None
    for name, value in exact.metrics.items():
        assert abs(sampled.metrics[name] - value) <= 5 * sampled.standard_errors[name] + 1e-4, name


def test_the_same_seed_gives_the_same_answer() -> None:
    runs = [run("battle", {}, enemies=[ORK], method="montecarlo", trials=500, seed=3) for _ in range(2)]
    assert runs[0] == runs[1]


def wins(**hero: Any) -> float:
    return run("battle", hero, enemies=[ORK]).metrics["p_win"]


def test_assets_count_as_far_as_they_are_legal() -> None:
    axe = wargear("Axe", "weapon", battle_bonus={"color": "red", "value": 2})
    sword = wargear("Sword", "weapon", battle_bonus={"color": "grey", "value": 1})
    plate = wargear("Plate", "armour", battle_bonus={"color": "grey", "value": 1})
    blue = wargear("Charm", "equipment", battle_bonus={"color": "blue", "value": 3})
    empty = wargear("Flare", "equipment", battle_bonus={"color": "red", "value": 3}, charge_value=1, charges=0)
    relic = {"name": "Blade", "kind": "relic", "class": "weapon", "battle_bonus": {"color": "grey", "value": 1}}
    assert wins(assets=[axe, sword]) == wins(attributes={"strength": 6})
    assert wins(assets=[axe, plate]) == wins(attributes={"strength": 7})
    assert wins(assets=[axe, relic]) == wins(attributes={"strength": 7})
    assert wins(assets=[blue, empty]) == wins()


def test_a_charged_card_serves_one_battle_of_a_sequence() -> None:
    sword = wargear("Sword", "weapon", battle_bonus={"color": "grey", "value": 3}, charge_value=2, charges=2)
    battles = [{"enemies": [ORK]}, {"enemies": [ORK]}]
    armed = run("battle_sequence", {"assets": [sword]}, battles=battles).metrics
    assert armed["p_all_won"] == pytest.approx(wins(assets=[sword]) * wins())


def test_power_cards_in_hand_help_the_enemy_until_played() -> None:
    enemy = ORK | {"value": 3, "modifier_per_power_card_in_hand": 1}
    held = run("battle", {"power_cards_in_hand": 2}, enemies=[enemy]).metrics["p_win"]
    assert held == wins()
    played = run("battle", {"power_cards_in_hand": 2, "power_numbers": [3, 5]}, enemies=[enemy]).metrics["p_win"]
    assert played == pytest.approx(1 / 3)  # 3 + 4 beats a die below 3 plus 3 + 1: the unplayed card stays in the hand


def test_evaded_enemies_and_scenario_sheets() -> None:
    evaded = run("battle", {}, enemies=[ORK, ORK | {"evaded": True, "value": 9}]).metrics
    assert evaded == run("battle", {}, enemies=[ORK]).metrics
    assert run("battle", {}, enemies=[ORK | {"scenario_sheet": True}]).metrics["trophy_points"] == 0
    nobody = run("battle", {}, enemies=[ORK | {"evaded": True}]).metrics
    assert nobody["p_win"] == nobody["p_draw"] == nobody["p_lose"] == 0


@pytest.mark.parametrize(
    ("need", "literal", "chance"),
    [(1, True, Fraction(4, 5)), (1, False, Fraction(5, 6)), (6, True, Fraction(2, 15)), (6, False, Fraction(1, 6))],
)
def test_skill_tests_agree_with_the_closed_forms(need: int, literal: bool, chance: Fraction) -> None:
    options = {"explosion_one_fails": literal}
    metrics = run("skill_test", {}, attribute="strength", target=4 + need, options=options).metrics
    assert metrics["p_pass"] == pytest.approx(float(chance), abs=1e-9)


def test_weapons_do_not_help_in_skill_tests() -> None:
    bonus = {"skill_bonus": {"color": "red", "value": 2}}
    plain = run("skill_test", {}, attribute="strength", target=10).metrics
    weapon = run("skill_test", {"assets": [wargear("Axe", "weapon", **bonus)]}, attribute="strength", target=10).metrics
    kit = run("skill_test", {"assets": [wargear("Kit", **bonus)]}, attribute="strength", target=10).metrics
    assert weapon == plain
    assert kit["p_pass"] > plain["p_pass"]


@pytest.mark.parametrize(("number", "literal", "passes"), [(1, True, 0.0), (2, True, 1.0), (1, False, 0.0)])
def test_a_power_number_of_one_fails_a_test(number: int, literal: bool, passes: float) -> None:
    hero = {"power_numbers": [number]}
    options = {"explosion_one_fails": literal}
    assert run("skill_test", hero, attribute="strength", target=5, options=options).metrics["p_pass"] == passes


def test_trophies_above_level_twelve_become_missions() -> None:
    hero = {"level": 11, "trophies": [{"points": 20}], "missions": {"completed": 1}}
    assert run("spend_trophies", hero).metrics == {
        "levels_bought": 3,
        "points_wasted": 2,
        "level": 12,
        "completed_missions": 3,
    }


def test_a_scenario_sheet_is_no_trophy() -> None:
    trophies = [{"points": 7}, {"points": 5, "source": "scenario"}]
    metrics = run("spend_trophies", {"trophies": trophies}).metrics
    assert (metrics["levels_bought"], metrics["points_wasted"]) == (1, 1)


@pytest.mark.parametrize(
    ("hero", "spaces"),
    [
        ({}, 7 / 2),
        ({"tier": "inner", "power_numbers": [5]}, 1),
        ({"tier": "scenario"}, 0),
        ({"power_numbers": [5], "roll_modifier": 1}, 6),
        ({"reroll": {"policy": "face_at_most", "face_at_most": 3}}, (3 * 7 / 2 + 4 + 5 + 6) / 6),
        ({"dice": 2, "reroll": {"policy": "face_at_most", "face_at_most": 3}}, 7 / 2 + (3 * 7 / 2 + 4 + 5 + 6) / 6),
        ({"reroll": {"policy": "if_failing"}}, 7 / 2),
    ],
)
def test_movement_follows_the_tier_and_the_reroll(hero: dict[str, Any], spaces: float) -> None:
    assert run("movement_roll", hero).metrics["spaces"] == pytest.approx(spaces)
    sampled = run("movement_roll", hero, method="montecarlo", trials=20_000)
    assert sampled.metrics["spaces"] == pytest.approx(spaces, abs=0.1)


@pytest.mark.parametrize(
    ("roll", "literal", "passes"),
    [(1, True, 0), (1, False, 0), (7, True, 0), (7, False, 1), (8, True, 1), (2, True, 1)],
)
def test_dice_that_fell_fail_a_test_on_a_one(roll: int, literal: bool, passes: float) -> None:
    options = {"explosion_one_fails": literal}
    members = {"attribute": "strength", "target": 5, "override": {"hero_roll": roll}, "options": options}
    for method in ("exact", "montecarlo"):
        assert run("skill_test", {}, method=method, **members).metrics["p_pass"] == passes


def test_bookkeeping_does_not_mind_power_numbers_beside_several_dice() -> None:
    assert run("vanquished", {"dice": 2, "power_numbers": [3]}).metrics["power_cards"] == 0


def test_corruption_stops_at_the_threshold() -> None:
    hero = {"corruption": [{"activation": 1}] * 4}
    draw = [{"activation": 5}, {"activation": 7}, {"activation": 1}]
    assert run("draw_corruption", hero, draw=draw).metrics == {
        "corruption_cards": 6,
        "p_corrupted": 1,
        "face_up:1": 1,
        "face_up:2": 0,
    }


@given(strength=st.integers(1, 12), value=st.integers(1, 12))
def test_more_strength_never_wins_less(strength: int, value: int) -> None:
    weaker, stronger = (
        run("battle", {"attributes": {"strength": s}}, enemies=[ORK | {"value": value}]).metrics
        for s in (strength, strength + 1)
    )
    assert stronger["p_win"] >= weaker["p_win"] - 1e-12
    assert sum(weaker[name] for name in ("p_win", "p_draw", "p_lose")) == pytest.approx(1)


@pytest.mark.parametrize(
    ("case", "error", "members", "at"),
    [
        ("mixed attributes", BadDocument, {"enemies": [ORK, ORK | {"attribute": "cunning"}]}, "/enemies/1/attribute"),
        ("no enemies", BadDocument, {}, "/enemies"),
        ("too many dice", LimitExceeded, {"enemies": [ORK], "hero": {"dice": 13}}, "/hero/dice"),
        (
            "numbers for two dice",
            BadDocument,
            {"enemies": [ORK], "hero": {"dice": 2, "power_numbers": [3]}},
            "/hero/power_numbers",
        ),
    ],
)
def test_refusals_name_the_place(case: str, error: type[BadDocument], members: dict[str, Any], at: str) -> None:
    with pytest.raises(error) as refusal:
        simulate(parse_matchup({"system": "relic", "kind": "battle", "hero": {}} | members))
    assert refusal.value.at == at
