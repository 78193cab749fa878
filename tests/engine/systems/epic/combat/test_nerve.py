"""Tests and bookkeeping of Epic: every row against a number worked out by hand."""

from typing import Any

import pytest

from tests.engine.systems.epic.combat.builders import run, unit


def formation(count: int = 6, **members: Any) -> dict[str, Any]:
    return {"units": [unit(members.pop("unit_type", "INF"), count, rules=members.pop("rules", []))]} | members


@pytest.mark.parametrize(
    ("case", "members", "conditions", "chance"),
    [
        ("no markers", {"initiative": "2+"}, {}, 5 / 6),
        ("markers cost one", {"initiative": "2+", "blast_markers": 4}, {}, 4 / 6),
        ("retaining", {"initiative": "2+"}, {"retaining_initiative": True}, 4 / 6),
        ("re-roll", {"initiative": "4+"}, {"supreme_commander_reroll": True}, 3 / 4),
        ("aircraft: each marker", {"initiative": "2+", "blast_markers": 3, "unit_type": "AC"}, {}, 2 / 6),
    ],
)
def test_action_test(case: str, members: dict[str, Any], conditions: dict[str, bool], chance: float) -> None:
    metrics = run("action_test", formation=formation(**members), conditions=conditions).metrics
    assert metrics["p_pass"] == pytest.approx(chance)


def test_a_combined_assault_is_hindered_by_any_marker() -> None:
    joined = [formation(blast_markers=1)]
    metrics = run("action_test", formation=formation(initiative="2+"), joined_formations=joined).metrics
    assert metrics["p_pass"] == pytest.approx(4 / 6)


@pytest.mark.parametrize(
    ("case", "members", "document", "chance", "after"),
    [
        ("unbroken", {"initiative": "2+", "blast_markers": 4}, {}, 5 / 6, 2),
        ("odd markers round up", {"initiative": "2+", "blast_markers": 5}, {}, 5 / 6, 2),
        ("or down", {"initiative": "2+", "blast_markers": 5}, {"options": {"rally_round_up": False}}, 5 / 6, 3),
        ("broken", {"initiative": "2+", "broken": True}, {}, 3 / 6, 3),
        ("enemy near", {"initiative": "2+", "blast_markers": 1}, {"conditions": {"enemy_within_30cm": True}}, 4 / 6, 0),
        (
            "penalty by option",
            {"initiative": "2+", "blast_markers": 2},
            {"options": {"rally_blast_penalty": True}},
            4 / 6,
            1,
        ),
        (
            "leader",
            {"initiative": "2+", "blast_markers": 6, "characters": [{"name": "C", "rules": ["Leader"]}]},
            {},
            5 / 6,
            2,
        ),
    ],
)
def test_rally(case: str, members: dict[str, Any], document: dict[str, Any], chance: float, after: int) -> None:
    metrics = run("rally", formation=formation(**members), **document).metrics
    assert (metrics["p_pass"], metrics["blast_markers_left_if_passed"]) == pytest.approx((chance, after))


def test_regrouping_removes_the_higher_die_and_one_for_each_leader() -> None:
    metrics = run("regroup", formation=formation(blast_markers=6)).metrics
    assert metrics["blast_markers_left"] == pytest.approx(6 - 161 / 36)
    led = run("regroup", formation=formation(blast_markers=12, rules=["Leader"], count=1)).metrics
    assert led["blast_markers_left"] == pytest.approx(11 - 161 / 36)


@pytest.mark.parametrize(("markers", "broken"), [(1, 0), (2, 1)])
def test_break_check(markers: int, broken: int) -> None:
    rest = {"units": [unit("WE", 2, DC=[3])], "blast_markers": markers}
    event = {"type": "war_engine_destroyed_by_shooting", "dc_left": 3}
    metrics = run("break_check", formation=rest, event=event).metrics
    assert metrics == {"blast_markers": 4, "break_threshold": 6, "p_broken": broken}


@pytest.mark.parametrize(
    ("case", "rules", "cautious", "chance"),
    [("plain", [], False, 1 / 6), ("Walker", ["Walker"], False, 1 / 36), ("cautious", [], True, 1 / 36)],
)
def test_dangerous_terrain(case: str, rules: list[str], cautious: bool, chance: float) -> None:
    metrics = run("dangerous_terrain", unit=unit("AV", rules=rules), conditions={"cautious": cautious}).metrics
    assert metrics["p_destroyed"] == pytest.approx(chance)


def test_an_engine_only_loses_a_point_in_dangerous_terrain() -> None:
    metrics = run("dangerous_terrain", unit=unit("WE", DC=[3])).metrics
    assert metrics == pytest.approx({"p_destroyed": 0, "dc_lost": 1 / 6})


def test_teleporting_and_strategy_rolls() -> None:
    assert run("teleport", formation=formation(6, rules=["Teleport"])).metrics["blast_markers"] == pytest.approx(1)
    roll = run("strategy_roll", player={"strategy_rating": 5}, opponent={"strategy_rating": 2}).metrics
    assert (roll["p_win"], roll["p_draw"], roll["p_lose"]) == pytest.approx((30 / 36, 3 / 36, 3 / 36))


@pytest.mark.parametrize(
    ("case", "left", "broken", "score"),
    [
        ("destroyed", 0, False, 300),
        ("broken below half", 2, True, 300),
        ("broken at half", 3, True, 150),
        ("half lost", 3, False, 150),
        ("less than half lost", 4, False, 0),
    ],
)
def test_tie_break(case: str, left: int, broken: bool, score: float) -> None:
    enemy = {"points": 300, "units_start": 6, "units_left": left, "broken": broken}
    assert run("tie_break", enemy_formations=[enemy]).metrics["score"] == score


@pytest.mark.parametrize(("own", "enemy", "result"), [(2, 0, "p_win"), (2, 1, "p_draw"), (0, 2, "p_lose")])
def test_victory(own: int, enemy: int, result: str) -> None:
    metrics = run("victory", player={"victory_conditions": own}, opponent={"victory_conditions": enemy}).metrics
    assert metrics[result] == 1


@pytest.mark.parametrize(
    ("kind", "members"),
    [
        ("action_test", {"formation": formation(initiative="3+")}),
        ("rally", {"formation": formation(initiative="3+", blast_markers=3)}),
        ("regroup", {"formation": formation(blast_markers=4)}),
        ("dangerous_terrain", {"unit": unit("AV")}),
        ("teleport", {"formation": formation(6)}),
        ("strategy_roll", {"player": {"strategy_rating": 1}, "opponent": {"strategy_rating": 2}}),
    ],
)
def test_dice_agree_with_the_exact_answer(kind: str, members: dict[str, Any]) -> None:
    exact = run(kind, **members)
    sampled = run(kind, method="montecarlo", trials=20_000, seed=2, **members)
    assert exact.metrics.keys() == sampled.metrics.keys()
    assert sampled.standard_errors is not None
    for name, value in exact.metrics.items():
        assert abs(sampled.metrics[name] - value) <= 5 * sampled.standard_errors[name] + 2e-4, name
