"""Shooting of Epic: the worked examples of the rules digest, saves, markers, war engines, and every modelled rule."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from armybuilder.engine.errors import BadDocument, LimitExceeded
from tests.engine.systems.epic.combat.builders import firers, gun, run, shoot, target, unit


def test_four_shots_at_three_infantry() -> None:
    metrics = shoot(firers("AP4+", count=4), target(unit(count=3, armour="4+")))
    assert metrics["hits"] == pytest.approx(2)
    assert metrics["units_destroyed"] == pytest.approx(63 / 64)
    assert metrics["blast_markers"] == pytest.approx(123 / 64)
    assert metrics["p_destroyed"] == pytest.approx(11 / 256)
    assert metrics["p_broken"] == pytest.approx(41 / 64)


def test_large_formations_are_answered_at_once() -> None:
    """Nobody is hit twice: each of a hundred shots hits on 4+ and is saved on 5+."""
    metrics = shoot(firers("AP4+", count=100), target(unit(count=100, armour="5+")))
    assert metrics["units_destroyed"] == pytest.approx(100 / 2 * 2 / 3)
    assert metrics["blast_markers"] == pytest.approx(1 + 100 / 2 * 2 / 3)
    mixed = target(unit(count=60, armour="5+"), unit("AV", 40, armour="4+", rules=["Expendable"]))
    disrupting = {"units": [unit(count=60, weapons=[{"name": "gun", "firepower": "MW4+", "rules": ["Disrupt"]}])]}
    assert shoot(disrupting, mixed)["units_destroyed"] == pytest.approx(30)


def test_two_macro_shots_at_reinforced_vehicles() -> None:
    metrics = shoot(firers("MW4+", count=2), target(unit("AV", 3, armour="4+", rules=["Reinforced Armour"])))
    assert metrics["units_destroyed"] == pytest.approx(1 / 2)
    assert metrics["blast_markers"] == pytest.approx(5 / 4)
    assert metrics["p_broken"] == pytest.approx(7 / 16)


def test_a_titan_killer_at_an_engine_with_states() -> None:
    metrics = shoot(firers("AT4+", "Titan Killer (D3)"), target(unit("WE", armour="4+", DC=[4, 2])))
    assert metrics["dc_lost"] == pytest.approx(1)
    assert metrics["blast_markers"] == pytest.approx(3 / 2)
    assert (metrics["p_destroyed"], metrics["p_broken"], metrics["p_damaged"]) == pytest.approx((0, 1 / 6, 1 / 3))


def test_three_shots_at_an_engine_that_criticals_destroy() -> None:
    engine = unit("WE", armour="5+", DC=[3], critical_effect="destroyed")
    metrics = shoot(firers("AT4+", count=3), target(engine))
    assert metrics["p_destroyed"] == pytest.approx(29 / 162)
    assert metrics["p_broken"] == pytest.approx(25 / 162)


@pytest.mark.parametrize(
    ("case", "firepower", "attacker", "defender", "chance"),
    [
        ("plain", "AT5+", {}, {}, 2 / 6),
        ("double", "AT5+", {"action": "double"}, {}, 1 / 6),
        ("sustained fire", "AT5+", {"action": "sustained_fire"}, {}, 3 / 6),
        ("a 1 always misses", "AT2+", {"action": "sustained_fire"}, {}, 5 / 6),
        ("cover", "AT5+", {}, {"in_cover": True}, 1 / 6),
        ("7+", "AT6+", {}, {"in_cover": True}, 1 / 12),
        ("8+", "AT6+", {"action": "double"}, {"in_cover": True}, 1 / 18),
        ("marching units do not shoot", "AT5+", {"action": "march"}, {}, 0),
        ("broken units do not shoot", "AT5+", {"broken": True}, {}, 0),
    ],
)
def test_to_hit(case: str, firepower: str, attacker: dict[str, Any], defender: dict[str, Any], chance: float) -> None:
    metrics = shoot(firers(firepower, **attacker), target(unit("AV", 5, armour="4+"), **defender))
    assert metrics["hits"] == pytest.approx(chance)


def test_each_marker_stops_one_unit_and_an_engine_only_by_its_capacity() -> None:
    infantry = shoot(firers("AT4+", count=3, blast_markers=1), target(unit("AV", 9, armour="4+")))
    assert infantry["hits"] == pytest.approx(1)
    for markers, hits in ((2, 0.5), (3, 0)):
        engine = {
            "units": [unit("WE", DC=[3], weapons=[{"name": "gun", "firepower": "AT4+"}])],
            "blast_markers": markers,
        }
        assert shoot(engine, target(unit("AV", 9, armour="4+")))["hits"] == pytest.approx(hits)


@pytest.mark.parametrize(
    ("case", "rules", "terrain", "shot", "conditions", "fails"),
    [
        ("armour", [], "open", "AP1+", {}, 1 / 2),
        ("better cover save", [], "fortification", "AP1+", {}, 1 / 3),
        ("crossfire", [], "open", "AP1+", {"crossfire": True}, 2 / 3),
        ("thick rear armour", ["Thick Rear Armour"], "open", "AP1+", {"crossfire": True}, 1 / 2),
        ("reinforced", ["Reinforced Armour"], "open", "AP1+", {}, 1 / 4),
        ("invulnerable", ["Invulnerable Save (6+)"], "open", "AP1+", {}, 5 / 12),
        ("macro", [], "fortification", "MW1+", {}, 1),
        ("macro and invulnerable", ["Invulnerable Save (5+)"], "open", "MW1+", {}, 2 / 3),
        ("macro and reinforced", ["Reinforced Armour"], "open", "MW1+", {}, 1 / 2),
    ],
)
def test_saves(case: str, rules: list[str], terrain: str, shot: str, conditions: dict[str, bool], fails: float) -> None:
    metrics = shoot(
        firers(shot), target(unit(count=2, armour="4+", rules=rules), terrain=terrain), conditions=conditions
    )
    assert metrics["units_destroyed"] / metrics["hits"] == pytest.approx(fails)


def test_ignore_cover_ignores_the_modifier_and_the_save() -> None:
    defender = target(unit(count=3, armour="6+"), terrain="ruins")
    metrics = shoot(firers("AP4+", "Ignore Cover"), defender)
    assert (metrics["hits"], metrics["units_destroyed"]) == pytest.approx((1 / 2, 5 / 12))


def test_disrupt_gives_a_marker_for_every_hit_and_none_for_losses() -> None:
    defender = target(unit(count=9, armour="4+"))
    plain = shoot(firers("AP4+"), defender)["blast_markers"]
    disrupt = shoot(firers("AP4+", "Disrupt"), defender)["blast_markers"]
    assert (plain, disrupt) == pytest.approx((0.5 + 0.25, 1.0))


def test_expendable_units_leave_no_markers_unless_all_are() -> None:
    mixed = target(unit(count=4, armour="4+", rules=["Expendable"]), unit("AV", 4, armour="4+"))
    assert shoot(firers("AP4+"), mixed)["blast_markers"] == pytest.approx(0.5)
    alike = target(unit(count=4, armour="4+", rules=["Expendable"]))
    assert shoot(firers("AP4+"), alike)["blast_markers"] == pytest.approx(0.75)


def test_crossfire_gives_two_markers_for_the_first_loss() -> None:
    metrics = shoot(firers("MW4+"), target(unit(count=9)), conditions={"crossfire": True})
    assert metrics["blast_markers"] == pytest.approx(0.5 * 3)


def test_a_harmless_hit_only_leaves_a_marker() -> None:
    defender = target(unit("AV", 3, armour="4+"))
    metrics = shoot(firers("AP4+"), defender)
    assert (metrics["units_destroyed"], metrics["blast_markers"]) == pytest.approx((0, 0.5))
    silent = shoot(firers("AP4+"), defender, options={"harmless_hit_gives_marker": False})
    assert silent["blast_markers"] == 0


def test_a_weapon_uses_the_value_that_hurts() -> None:
    vehicles = shoot(firers("AP3+/AT6+"), target(unit("AV", 5)))
    assert vehicles["hits"] == pytest.approx(1 / 6)
    light = shoot(firers("AP3+/AT6+"), target(unit("LV", 5)))
    assert light["hits"] == pytest.approx(4 / 6)


def test_markers_on_a_broken_formation_are_hits_without_save() -> None:
    plain = target(unit(count=4, armour="1+"), broken=True)
    assert shoot(firers("AP4+"), plain)["units_destroyed"] == pytest.approx(0.5)
    fearless = target(unit(count=4, armour="4+", rules=["Fearless", "Reinforced Armour"]), broken=True)
    assert shoot(firers("AP4+"), fearless)["units_destroyed"] < 0.5


def test_aircraft_jink_and_take_no_markers() -> None:
    def fighters(**members: Any) -> dict[str, Any]:
        return target(unit("AC", 3, armour="6+", aircraft_class="fighter"), **members)

    flak = firers("AA4+", action="flak")
    steady, jinking = shoot(flak, fighters()), shoot(flak, fighters(jink=True))
    assert (steady["units_destroyed"], jinking["units_destroyed"]) == pytest.approx((5 / 12, 1 / 4))
    assert "blast_markers" not in steady
    moved = shoot(firers("AA4+", action="flak", moved=True), fighters())
    assert moved["hits"] == pytest.approx(2 / 6)
    assert shoot(firers("AT2+"), fighters())["hits"] == 0


def test_eight_barrage_points_at_infantry() -> None:
    defender = target(unit(count=10, armour="6+", under_template=5))
    metrics = run("barrage", attacker=firers("2BP", count=4), defender=defender).metrics
    assert metrics["units_destroyed"] == pytest.approx(25 / 12)
    assert metrics["blast_markers"] == pytest.approx(389 / 96)
    assert (metrics["extra_templates"], metrics["extra_blast_markers"], metrics["attacks"]) == (2, 1, 5)


@pytest.mark.parametrize(
    ("firepower", "hits", "templates", "markers"),
    [
        ("D6+3BP", 5 / 2, 4 / 3, 2 / 3),  # 4 to 9 points: all hit on 4+
        ("D3+1BP", (5 / 3 + 5 / 2 + 5 / 2) / 3, 1 / 3, 0),  # 2 points hit on 5+, 3 and 4 on 4+
        ("D3BP", (5 / 6 + 5 / 3 + 5 / 2) / 3, 0, 0),
    ],
)
def test_barrage_points_that_are_rolled(firepower: str, hits: float, templates: float, markers: float) -> None:
    """By hand from the barrage table; they were no barrage at all."""
    defender = target(unit(count=10, armour="6+", under_template=5))
    metrics = run("barrage", attacker=firers(firepower), defender=defender).metrics
    assert metrics["hits"] == pytest.approx(hits)
    assert metrics["extra_templates"] == pytest.approx(templates)
    assert metrics["extra_blast_markers"] == pytest.approx(markers)


def test_more_rolled_points_than_the_table_has_rows_for_cost_nothing_and_change_nothing() -> None:
    """A thousand units of forty such weapons took three seconds and the sum of each of their points."""
    defender = target(unit(count=10, armour="6+", under_template=5))
    crowd = unit("AV", 1_000, weapons=[gun("D6BP") | {"count": 20} for _ in range(40)])
    most = run("barrage", attacker={"units": [crowd]}, defender=defender).metrics
    last = run("barrage", attacker=firers("16BP"), defender=defender).metrics
    assert most == pytest.approx(last)


@pytest.mark.parametrize(
    ("points", "templates", "markers"),
    [(3, 0, 0), (4, 1, 0), (6, 1, 1), (10, 2, 2), (13, 2, 3), (16, 2, 4), (40, 2, 4)],
)
def test_the_barrage_table(points: int, templates: int, markers: int) -> None:
    defender = target(unit(count=3, armour="6+", under_template=1))
    metrics = run("barrage", attacker=firers("1BP", count=points), defender=defender).metrics
    assert (metrics["extra_templates"], metrics["extra_blast_markers"]) == (templates, markers)


@pytest.mark.parametrize("formation", [{"action": "march"}, {"broken": True}, {"blast_markers": 1}])
def test_who_does_not_fire_leaves_no_marker(formation: dict[str, Any]) -> None:
    """Being shot at marks a formation even without a hit, but only if somebody shoots."""
    options = {"fire_marker": "on_fire"}
    squad = target(unit(count=5, armour="4+", under_template=2))
    assert shoot(firers("AP6+"), squad, options=options)["blast_markers"] > 1
    assert shoot(firers("AP6+", **formation), squad, options=options)["blast_markers"] == 0
    assert run("barrage", attacker=firers("8BP", **formation), defender=squad).metrics["blast_markers"] == 0


def test_a_barrage_beside_the_formation_leaves_no_marker() -> None:
    for options in ({}, {"fire_marker": "on_fire"}):
        squad = target(unit(count=5, armour="4+", under_template=0))
        metrics = run("barrage", attacker=firers("8BP"), defender=squad, options=options).metrics
        assert (metrics["extra_blast_markers"], metrics["blast_markers"]) == (1, 0)


def test_extra_markers_of_a_barrage_may_need_a_hit() -> None:
    defender = target(unit(count=9, armour="1+", under_template=1))
    always = run("barrage", attacker=firers("6BP"), defender=defender).metrics["blast_markers"]
    options = {"barrage_marker_needs_hit": True}
    needed = run("barrage", attacker=firers("6BP"), defender=defender, options=options).metrics["blast_markers"]
    assert (always, needed) == pytest.approx((1.5, 1.0))


CASES: list[tuple[str, str, dict[str, Any], dict[str, Any]]] = [
    (
        "infantry",
        "shooting",
        firers("D3xAP4+/AT6+", count=4),
        target(unit(count=5, armour="5+"), unit("AV", 2, armour="4+")),
    ),
    (
        "dice and a number of shots",
        "shooting",
        firers("D6+3xAP5+/AA6+"),
        target(unit(count=9, armour="5+")),
    ),
    (
        "engine",
        "shooting",
        firers("2xAT4+", "Titan Killer (D3)", count=2),
        target(unit("WE", DC=[5, 2, 1], critical_effect="destroyed")),
    ),
    (
        "broken",
        "shooting",
        firers("AP4+", "Disrupt", count=4),
        target(unit(count=4, armour="4+", rules=["Fearless"]), broken=True),
    ),
    (
        "barrage",
        "barrage",
        firers("3BP", count=3),
        target(unit(count=6, armour="5+", under_template=4), terrain="woods"),
    ),
]


@pytest.mark.parametrize(("case", "kind", "attacker", "defender"), CASES)
@pytest.mark.long
def test_dice_agree_with_the_exact_answer(
    case: str, kind: str, attacker: dict[str, Any], defender: dict[str, Any]
) -> None:
    exact = run(kind, attacker=attacker, defender=defender)
    sampled = run(kind, attacker=attacker, defender=defender, method="montecarlo", trials=20_000, seed=5)
    assert exact.metrics.keys() == sampled.metrics.keys()
    assert sampled.standard_errors is not None
    for name, value in exact.metrics.items():
        assert abs(sampled.metrics[name] - value) <= 5 * sampled.standard_errors[name] + 2e-4, name
    for spread in exact.distributions.values():
        assert sum(spread.values()) == pytest.approx(1, abs=1e-12)


@given(value=st.integers(2, 6), save=st.integers(2, 6))
def test_a_better_save_never_loses_more(value: int, save: int) -> None:
    better, worse = (
        shoot(firers(f"AP{value}+", count=3), target(unit(count=3, armour=a)))["units_destroyed"]
        for a in (save, save + 1)
    )
    assert better <= worse + 1e-12


@pytest.mark.parametrize(
    ("case", "attacker", "defender", "at"),
    [
        ("units", firers("AP4+"), target(unit(count=10**5)), "/defender/units/0/count"),
    ],
)
def test_limits_are_refused_at_once(case: str, attacker: dict[str, Any], defender: dict[str, Any], at: str) -> None:
    with pytest.raises(LimitExceeded) as refusal:
        shoot(attacker, defender)
    assert refusal.value.at == at


@pytest.mark.parametrize("capacity", [0, [], [0], [3, 0], -1])
def test_a_damage_capacity_is_counted_from_one(capacity: Any) -> None:
    engine = target(unit("WE", 1, DC=capacity, weapons=[]), blast_markers=1)
    if capacity == []:
        assert shoot(engine, engine)["p_destroyed"] == 0
        return
    with pytest.raises(BadDocument) as refusal:
        shoot(firers("AT4+"), engine)
    assert refusal.value.at == "/defender/units/0/profile/DC"


@pytest.mark.parametrize("broken", [False, True])
def test_dice_are_rolled_for_targets_whose_ends_nobody_could_list(broken: bool) -> None:
    """Five kinds of war engines, shot at and, broken, worn down by the markers."""
    engines = target(*[unit("WE", 6, DC=8, armour="4+") for _ in range(5)], broken=broken)
    answer = run(
        "shooting", attacker=firers("1xAT4+", count=60), defender=engines, method="montecarlo", trials=300, seed=2
    )
    lost = answer.metrics["hits"] / 2
    assert answer.metrics["hits"] == pytest.approx(30, rel=0.05)
    assert answer.metrics["dc_lost"] == pytest.approx(
        lost + (answer.metrics["blast_markers"] if broken else 0), rel=0.1
    )
