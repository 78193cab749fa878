"""Whole rounds: worked numbers, an oracle of every die, result and break tests, buildings, war machines."""

from itertools import product
from math import comb

import pytest

from tests.engine.systems.fantasy_8th.combat.builders import (
    Json,
    make_clash,
    make_group,
    make_side,
    metric,
    outcome,
    rolled,
)


def make_round(attacker: Json, defender: Json, **members: object) -> Json:
    """A round of combat."""
    return make_clash("combat_round", attacker=attacker, defender=defender, **members)


def test_worked_round() -> None:
    """Eighteen with Initiative 3 charge twenty-four: the worked numbers of the rules digest."""
    save = {"Sv": "6+"}
    first = make_side(make_group(18, profile=save), width=6, charged=True, command=["standard_bearer"])
    second = make_side(make_group(24, profile=save | {"I": 2}), width=6, command=["standard_bearer"])
    metrics = outcome(make_round(first, second)).metrics
    assert metrics["wounds_lost"] == pytest.approx(2.5)
    assert metrics["p_win"] == pytest.approx(0.399597, abs=1e-6)
    assert metrics["p_draw"] == pytest.approx(0.200807, abs=1e-6)
    assert metrics["p_lose"] == pytest.approx(0.399597, abs=1e-6)


def test_a_breath_weapon_is_used_once_in_ones_own_turn() -> None:
    """2D6 hits of Strength 4 on Toughness 3 beside the blow of the beast; the defender keeps his for his turn."""
    target = make_side(make_group(30), width=5)
    beast = make_side(make_group(1, troop_type="monster", profile={"W": 6}))
    breathing = make_side(make_group(1, "Breath Weapon (S4)", troop_type="monster", profile={"W": 6}))
    plain, more = (metric(make_round(side, target), "wounds_lost") for side in (beast, breathing))
    assert more - plain == pytest.approx(7 * 4 / 6)
    later = {"combat_round": 2}
    assert metric(make_round(breathing, target, conditions=later), "wounds_lost") == pytest.approx(
        metric(make_round(beast, target, conditions=later), "wounds_lost")
    )
    assert metric(make_round(target, breathing), "attacker_wounds_lost") == pytest.approx(
        metric(make_round(target, beast), "attacker_wounds_lost")
    )
    assert outcome(make_round(breathing, target)).modelled == ("Breath Weapon (S4)",)


def binomial(n: int, k: int) -> float:
    """Chance of k wounds of n blows that wound one time in four."""
    return comb(n, k) / 4**k * (3 / 4) ** (n - k)


def test_the_slower_side_strikes_with_what_is_left() -> None:
    """Three against three in one rank, I4 against I2: casualties do not strike back."""
    quick, slow = (
        make_side(make_group(3, profile={"I": 4}), width=3),
        make_side(make_group(3, profile={"I": 2}), width=3),
    )
    spread = dict.fromkeys(product(range(4), repeat=2), 0.0)
    for dead in range(4):
        for back in range(4 - dead):
            spread[back, dead] += binomial(3, dead) * binomial(3 - dead, back)
    answer = outcome(make_round(quick, slow))
    for dead in range(4):
        assert answer.distributions["wounds_lost"].get(str(dead), 0) == pytest.approx(
            sum(spread[back, dead] for back in range(4))
        )
    assert answer.metrics["attacker_wounds_lost"] == pytest.approx(sum(a * p for (a, _), p in spread.items()))
    assert answer.metrics["p_win"] == pytest.approx(sum(p for (a, b), p in spread.items() if b > a))
    assert answer.metrics["p_draw"] == pytest.approx(sum(p for (a, b), p in spread.items() if b == a))
    assert answer.metrics["p_destroyed"] == pytest.approx(spread[0, 3])


def test_equal_initiative_strikes_at_once() -> None:
    side = make_side(make_group(1), width=1)
    metrics = outcome(make_round(side, side)).metrics
    assert metrics["p_destroyed"] == pytest.approx(1 / 4)
    assert metrics["p_draw"] == pytest.approx((3 / 4) ** 2 + (1 / 4) ** 2)
    assert metrics["p_win"] == pytest.approx(3 / 16)


@pytest.mark.parametrize(
    ("rules", "other", "attacker_lost"),
    [
        ((), (), 1 / 4 * 3 / 4),
        (("Always Strikes Last",), (), 1 / 4),
        (("Always Strikes Last", "Always Strikes First"), (), 1 / 4 * 3 / 4),
        ((), ("Always Strikes First",), 1 / 4),
    ],
)
def test_order_of_blows(rules: tuple[str, ...], other: tuple[str, ...], attacker_lost: float) -> None:
    document = make_round(make_side(make_group(1, *rules, profile={"I": 5})), make_side(make_group(1, *other)))
    assert metric(document, "attacker_wounds_lost") == pytest.approx(attacker_lost)


def test_break_test_of_the_loser() -> None:
    """One warrior who charges kills nobody or one of two; Ld 7 less the difference of the results."""
    document = make_round(
        make_side(make_group(1, profile={"I": 9}), charged=True),
        make_side(make_group(2, profile={"I": 1, "WS": 1, "S": 1})),
    )
    dead, back = 4 / 6 / 2, 2 / 6 / 6
    holds = {1: 15 / 36, 2: 10 / 36}
    by_two = dead * (1 - back)
    by_one = (1 - dead) * (1 - back) ** 2
    expected = by_two * (1 - holds[2]) + by_one * (1 - holds[1])
    assert metric(document, "p_defender_breaks") == pytest.approx(expected)


def test_unstable_units_crumble() -> None:
    attacker = make_side(make_group(1, profile={"I": 9}), charged=True, command=["standard_bearer"])
    weak = make_group(8, "Unstable", "Unbreakable", profile={"WS": 1, "A": 0})
    metrics = outcome(make_round(attacker, make_side(weak, width=4))).metrics
    assert metrics["crumbled_wounds"] == pytest.approx(2 + 1 / 3)
    assert metrics["total_wounds_lost"] == pytest.approx(2 + 2 / 3)
    assert metrics["p_defender_breaks"] == 0


def test_impact_hits_and_stomps_strike_in_a_round() -> None:
    horde = make_side(make_group(40, profile={"A": 0}), width=5)
    chariot = make_group(1, profile={"S": 5, "A": 0}, troop_type="chariot")
    assert metric(make_round(make_side(chariot, charged=True), horde), "wounds_lost") == pytest.approx(3.5 * 5 / 6)
    assert metric(make_round(make_side(chariot), horde), "wounds_lost") == 0
    giant = make_side(make_group(1, profile={"S": 5, "A": 0}, troop_type="monster"))
    assert metric(make_round(giant, horde), "wounds_lost") == pytest.approx(3.5 * 5 / 6)


def test_draws_go_to_the_musician() -> None:
    side = make_side(make_group(1), width=1)
    for first, second, draw in [([], [], 10 / 16), (["musician"], [], 1 / 16), (["musician"], ["musician"], 10 / 16)]:
        document = make_round(side | {"command": first}, side | {"command": second})
        assert metric(document, "p_draw") == pytest.approx(draw)


@pytest.mark.parametrize(
    ("case", "attacker", "defender", "expected"),
    [
        ("nothing", {}, {}, (0, 0)),
        ("wounds and charge", {"wounds_inflicted": 3, "charged": True}, {"wounds_inflicted": 2}, (4, 2)),
        ("standards", {"command": ["standard_bearer"], "army_standard": True}, {}, (2, 0)),
        ("flank", {"attacks_from": "flank"}, {}, (1, 0)),
        ("rear", {"attacks_from": "rear"}, {}, (2, 0)),
        ("higher ground only when charging", {"higher_ground": True}, {}, (0, 0)),
        ("charge from higher ground", {"higher_ground": True, "charged": True}, {}, (2, 0)),
        ("four ranks", {"width": 5, "count": 20}, {}, (3, 0)),
        ("five ranks", {"width": 5, "count": 25}, {}, (3, 0)),
        ("a rear rank of four", {"width": 5, "count": 14}, {}, (1, 0)),
        ("a rear rank of five in seven", {"width": 7, "count": 19}, {}, (2, 0)),
        ("ranks in a river", {"width": 5, "count": 20, "terrain": "river"}, {}, (0, 0)),
        ("skirmishers", {"width": 5, "count": 20, "rules": ["Skirmishers"]}, {}, (0, 0)),
        (
            "ranks lost to the flank",
            {"width": 5, "count": 20},
            {"width": 5, "count": 10, "attacks_from": "flank"},
            (0, 2),
        ),
        ("too few in the flank", {"width": 5, "count": 20}, {"width": 5, "count": 9, "attacks_from": "flank"}, (3, 1)),
        ("ogres in threes", {"width": 3, "count": 9, "troop_type": "monstrous_infantry"}, {}, (2, 0)),
        ("war banner", {"magic_items": ["War Banner"]}, {}, (1, 0)),
    ],
)
def test_combat_result(case: str, attacker: Json, defender: Json, expected: tuple[int, int]) -> None:
    def side(facts: Json) -> Json:
        group = {key: facts[key] for key in ("troop_type", "magic_items") if key in facts}
        rest = {key: value for key, value in facts.items() if key not in {"count", *group}}
        return make_side(make_group(facts.get("count", 1), **group), **{"wounds_inflicted": 0, **rest})

    metrics = outcome(make_clash("combat_result", attacker=side(attacker), defender=side(defender))).metrics
    assert (metrics["attacker_combat_result"], metrics["defender_combat_result"]) == expected, case
    assert metrics["combat_result_difference"] == expected[0] - expected[1]


@pytest.mark.parametrize(
    ("case", "unit", "enemy", "conditions", "passes"),
    [
        ("plain", {}, None, {}, 10 / 36),
        ("steadfast", {}, None, {"steadfast": True}, 21 / 36),
        ("insane courage", {}, None, {"lost_combat_by": 9}, 1 / 36),
        ("stubborn", {"rules": ["Stubborn"]}, None, {}, 21 / 36),
        ("crown of command", {"magic_items": ["Crown of Command"]}, None, {}, 21 / 36),
        ("unbreakable", {"rules": ["Unbreakable"]}, None, {}, 1),
        ("more ranks", {}, (14, 5), {}, 21 / 36),
        ("as many ranks", {}, (20, 5), {}, 10 / 36),
        ("more ranks in a forest", {"terrain": "forest"}, (14, 5), {}, 10 / 36),
        ("skirmishers in a forest", {"terrain": "forest", "rules": ["Skirmishers"]}, (14, 5), {}, 21 / 36),
        ("skirmishers in the open", {"rules": ["Skirmishers"]}, (14, 5), {}, 10 / 36),
        ("in a river", {"terrain": "river"}, (14, 5), {}, 10 / 36),
        ("garrison", {"terrain": "building"}, (40, 5), {}, 21 / 36),
        ("general near", {}, None, {"general": {"Ld": 9, "distance": 12}}, 21 / 36),
        ("general too far", {}, None, {"general": {"Ld": 9, "distance": 13}}, 10 / 36),
        ("large general", {}, None, {"general": {"Ld": 9, "distance": 18, "large_target": True}}, 21 / 36),
        ("army standard", {}, None, {"army_standard": {"distance": 12}}, 1 - (26 / 36) ** 2),
        ("army standard in the unit", {"army_standard": True}, None, {}, 1 - (26 / 36) ** 2),
        ("discipline", {"magic_items": ["Standard of Discipline"]}, None, {}, 15 / 36),
        ("discipline without the general", {"magic_items": ["Standard of Discipline"]}, None,
         {"general": {"Ld": 10, "distance": 1}}, 15 / 36),
        ("doom and darkness", {"effects": ["Doom and Darkness"]}, None, {"steadfast": True}, 6 / 36),
        ("light of battle", {"effects": ["Light of Battle"]}, None, {}, 1),
    ],
)  # fmt: skip
def test_break_tests(case: str, unit: Json, enemy: tuple[int, int] | None, conditions: Json, passes: float) -> None:
    group = {key: unit[key] for key in ("magic_items",) if key in unit}
    rest = {key: value for key, value in unit.items() if key not in group}
    document = make_clash(
        "break_test",
        unit=make_side(make_group(20, **group), **{"width": 5, **rest}),
        conditions={"lost_combat_by": 2, **conditions},
    )
    if enemy is not None:
        document["enemy"] = make_side(make_group(enemy[0]), width=enemy[1])
    metrics = outcome(document).metrics
    assert metrics["p_pass"] == pytest.approx(passes), case
    assert metrics["p_fail"] == pytest.approx(1 - passes)


def test_worked_break_tests() -> None:
    for leadership, lost, conditions, expected in [
        (9, 1, {}, 13 / 18),
        (5, 3, {"steadfast": True, "army_standard": {"distance": 6}}, 155 / 324),
    ]:
        unit = make_side(make_group(20, profile={"Ld": leadership}))
        document = make_clash("break_test", unit=unit, conditions={"lost_combat_by": lost, **conditions})
        assert metric(document, "p_pass") == pytest.approx(expected)


def test_a_building_is_fought_for_by_ten() -> None:
    weak = make_side(make_group(30, profile={"A": 0, "Ld": 8}), width=10, command=["standard_bearer"])
    storming = make_side(make_group(30, weapons=["lance"]), width=10, charged=True, command=["standard_bearer"])
    metrics = outcome(make_clash("building_assault", attacker=storming, defender=weak)).metrics
    assert metrics["wounds_lost"] == pytest.approx(10 / 4)
    assert metrics["p_draw"] == pytest.approx((3 / 4) ** 10)
    assert metrics["p_defender_breaks"] == pytest.approx((1 - (3 / 4) ** 10) * 10 / 36)
    assert metrics["p_attacker_breaks"] == 0
    ogres = make_side(make_group(6, profile={"A": 3}, troop_type="monstrous_infantry"), width=6)
    stomps = 3 / 2
    lost = metric(make_clash("building_assault", attacker=ogres, defender=weak), "wounds_lost")
    assert lost == pytest.approx(9 / 4 + stomps)


@pytest.mark.parametrize(("wounds", "lost"), [(1, [0, 1, 1, 1, 1, 1, 1]), (2, [0, 1, 2, 2, 2, 2, 2]), (9, [*range(7)])])
def test_a_thunderstomp_in_a_building_strikes_one_model(wounds: int, lost: list[int]) -> None:
    garrison = make_side(make_group(10, profile={"A": 0, "W": wounds, "Ld": 8}))
    giant = make_side(make_group(1, "Thunderstomp", profile={"A": 0}, troop_type="monster"))
    metrics = outcome(make_clash("building_assault", attacker=giant, defender=garrison)).metrics
    expected = sum(comb(hits, k) / 2**hits * lost[k] / 6 for hits in range(1, 7) for k in range(hits + 1))
    assert metrics["wounds_lost"] == pytest.approx(expected)


def test_every_stomp_strikes_another_model() -> None:
    garrison = make_side(make_group(10, profile={"A": 0, "Ld": 8}))
    giants = make_side(make_group(4, "Thunderstomp", profile={"A": 0}, troop_type="monster"))  # two of them get in
    metrics = outcome(make_clash("building_assault", attacker=giants, defender=garrison)).metrics
    one = 1 - sum(0.5**hits / 6 for hits in range(1, 7))
    assert metrics["wounds_lost"] == pytest.approx(2 * one)


def test_a_breath_in_a_building_strikes_one_model() -> None:
    garrison = make_side(make_group(10, profile={"A": 0, "Ld": 8}))
    dragon = make_side(make_group(1, "Breath Weapon (3)", profile={"A": 0}))
    document = make_clash("building_assault", attacker=dragon, defender=garrison)
    two_dice = {total: 6 - abs(7 - total) for total in range(2, 13)}
    missed = sum(ways / 36 * 0.5**hits for hits, ways in two_dice.items())
    assert metric(document, "wounds_lost") == pytest.approx(1 - missed)
    later = document | {"conditions": {"combat_round": 2}}
    assert metric(later, "wounds_lost") == 0


def test_nobody_rides_down_the_garrison() -> None:
    """Neither impact hits nor the stomps of those who have dismounted."""
    mount = {"profile": {"M": 7, "WS": 3, "S": 5, "I": 2, "A": 3}}
    riders = make_side(
        make_group(3, "Impact Hits (D6)", profile={"A": 0}, troop_type="monstrous_cavalry", mount=mount), charged=True
    )
    garrison = make_side(make_group(10, profile={"A": 0, "Ld": 8}))
    document = make_clash("building_assault", attacker=riders, defender=garrison)
    assert metric(document, "wounds_lost") == 0


@pytest.mark.parametrize(("troop_type", "attacks"), [("infantry", 6), ("monstrous_infantry", 2), ("monster", 1)])
def test_six_models_fight_a_war_machine(troop_type: str, attacks: int) -> None:
    crew = {"count": 3, "profile": {"WS": 3, "T": 3, "W": 1}}
    machine = make_side({"name": "Cannon", "count": 1, "troop_type": "war_machine", "crew": crew})
    fighters = make_side(make_group(10, profile={"S": 3, "A": 1}, troop_type=troop_type))
    metrics = outcome(make_clash("war_machine_melee", attacker=fighters, defender=machine)).metrics
    assert metrics["attacks"] == attacks
    blows = sum(comb(attacks, k) / 4**k * (3 / 4) ** (attacks - k) for k in range(3, attacks + 1))
    if troop_type == "infantry":
        assert metrics["p_destroyed"] == pytest.approx(blows)


def test_a_machine_that_flees_is_destroyed() -> None:
    crew = {"count": 3, "profile": {"WS": 3, "T": 3, "W": 1, "Ld": 7}}
    machine = make_side({"name": "Cannon", "count": 1, "troop_type": "war_machine", "crew": crew})
    document = make_clash("war_machine_melee", attacker=make_side(make_group(10)), defender=machine)
    metrics = outcome(document).metrics
    assert metrics["p_destroyed"] == pytest.approx(0.16943359375 + metrics["p_defender_breaks"])
    assert metrics["p_defender_breaks"] > 0.1


def test_a_distribution_of_no_machines_adds_up() -> None:
    crew = {"count": 3, "profile": {"WS": 3, "T": 3, "W": 1}}
    machine = make_side({"name": "Cannon", "count": 0, "troop_type": "war_machine", "crew": crew})
    answer = outcome(make_clash("war_machine_melee", attacker=make_side(make_group(10)), defender=machine))
    assert answer.distributions["models_slain"] == {"0": 1.0}


def trolls_on_fire(*rules: str, models: int = 1) -> Json:
    """One torch strikes before a club; both wound Trolls on 2+, who regenerate on 4+."""
    strong = {"WS": 9, "S": 10, "A": 1}
    torch = make_group(1, *rules, profile=strong | {"I": 9})
    club = make_group(1, profile=strong | {"I": 8})
    trolls = make_group(models, "Regeneration", profile={"W": 2, "T": 3, "A": 0, "WS": 3})
    return make_round(make_side(torch, club, width=2), make_side(trolls, width=3))


def test_a_model_that_burns_regenerates_no_more() -> None:
    """Hits on 3+, wounds on 2+: 5/9 each. The club's wound is regenerated unless the torch has burnt the Troll."""
    hurt = 5 / 9
    burning = trolls_on_fire("Flaming Attacks")
    assert metric(burning, "wounds_lost") == pytest.approx(hurt + hurt * hurt + (1 - hurt) * hurt / 2)
    assert metric(burning, "p_destroyed") == pytest.approx(hurt * hurt)
    assert metric(trolls_on_fire(), "wounds_lost") == pytest.approx(hurt)
    assert not [item for item in outcome(burning).approximated if item.rule == "Regeneration"]
    answer = rolled(burning)
    error = (answer.standard_errors or {})["wounds_lost"]
    assert answer.metrics["wounds_lost"] == pytest.approx(metric(burning, "wounds_lost"), abs=5 * error)


def test_the_next_model_regenerates_again() -> None:
    """Two blows of the torch can slay a Troll; the one behind it has not burnt."""
    document = trolls_on_fire("Flaming Attacks", "Extra Attack", models=2)
    hurt = 5 / 9
    none, one, both = (1 - hurt) ** 2, 2 * hurt * (1 - hurt), hurt * hurt
    assert metric(document, "wounds_lost") == pytest.approx(one + 2 * both + (none + both) * hurt / 2 + one * hurt)
    answer = rolled(document)
    error = (answer.standard_errors or {})["wounds_lost"]
    assert answer.metrics["wounds_lost"] == pytest.approx(metric(document, "wounds_lost"), abs=5 * error)


def test_whoever_is_charged_by_something_terrible_may_flee() -> None:
    """Leadership 7 fails 15 times of 36; those who cause fear, and a combat that goes on, know no such test."""
    dragon = make_side(make_group(1, "Terror", profile={"W": 6}, troop_type="monster"), charged=True)
    men = make_side(make_group(20), width=5)
    document = make_round(dragon, men)
    assert metric(document, "p_defender_flees") == pytest.approx(15 / 36)
    answer = rolled(document)
    assert answer.metrics["p_defender_flees"] == pytest.approx(15 / 36, abs=0.02)
    assert [item.rule for item in outcome(document).approximated] == ["Terror"]
    ghosts = make_side(make_group(20, "Fear"), width=5)
    assert metric(make_round(dragon, ghosts), "p_defender_flees") == 0.0
    assert metric(make_round(dragon, make_side(make_group(20, "Unbreakable"), width=5)), "p_defender_flees") == 0.0
    for calm in (
        make_round(dragon | {"charged": False}, men),
        make_round(dragon, men, conditions={"combat_round": 2}),
        make_round(men | {"charged": True}, dragon | {"charged": False}),
    ):
        assert "p_defender_flees" not in outcome(calm).metrics


def test_handlers_take_a_third_of_the_wounds_while_they_live() -> None:
    """Two blows that always wound; the only handler takes the first 5 or 6, and counts for the combat result."""
    monster = make_side(
        make_group(1, "Monsters and Handlers", handlers=1, profile={"W": 6, "A": 0, "I": 1}, troop_type="unique")
    )
    melee_attacker = [{"name": "Claw", "override": {"wounds": 2}}]
    document = make_round(make_side(make_group(1, weapons=melee_attacker)), monster)
    assert metric(document, "wounds_lost") == pytest.approx(2 - (1 - 4 / 9))
    assert outcome(document).distributions["wounds_lost"] == pytest.approx({"1": 5 / 9, "2": 4 / 9})
    assert metric(document, "p_win") == pytest.approx(1)


def test_whoever_breaks_may_be_caught() -> None:
    """Two dice reach two dice in 721 of 1296 cases; cavalry, with the best two of three, more often."""
    strong = make_side(make_group(10, profile={"A": 3, "S": 5}), width=5, charged=True)
    on_foot = outcome(make_round(strong, make_side(make_group(10, profile={"Ld": 5}), width=5))).metrics
    assert on_foot["p_defender_breaks"] > 0.5
    assert on_foot["p_defender_caught"] == pytest.approx(on_foot["p_defender_breaks"] * 721 / 1296)
    assert on_foot["p_attacker_caught"] == pytest.approx(on_foot["p_attacker_breaks"] * 721 / 1296)
    swift = outcome(
        make_round(strong | {"rules": ["Swiftstride"]}, make_side(make_group(10, profile={"Ld": 5})))
    ).metrics
    assert swift["p_defender_caught"] > swift["p_defender_breaks"] * 721 / 1296
    assert "p_defender_caught" not in outcome(make_round(strong, strong) | {"kind": "building_assault"}).metrics


def test_beasts_of_a_chariot_strike_to_the_front_alone() -> None:
    beasts = {"profile": {"WS": 3, "S": 3, "A": 2, "I": 3}}
    chariot = make_side(make_group(1, troop_type="chariot", mount=beasts, profile={"A": 1, "W": 4, "T": 5}))
    target = make_group(20, profile={"A": 0})
    ahead, flank = (make_side(target, width=5, attacks_from=side) for side in ("front", "flank"))
    assert metric(make_round(chariot, ahead), "wounds_lost") == pytest.approx(3 / 4)
    assert metric(make_round(chariot, flank), "wounds_lost") == pytest.approx(1 / 4)


def test_most_of_a_unit_must_be_immune_to_psychology() -> None:
    """Four of ten do not save a unit from fear, six of ten do."""
    scary = make_side(make_group(1, "Fear", profile={"WS": 4, "A": 0}))
    for immune, afraid in ((4, True), (6, False)):
        unit = make_side(
            make_group(10 - immune, profile={"WS": 5}),
            make_group(immune, "Immune to Psychology", name="Brave", profile={"WS": 5}),
            width=10,
        )
        brave = make_side(make_group(10, "Immune to Psychology", profile={"WS": 5}), width=10)
        numbers = [metric(make_round(one, scary), "wounds_lost") for one in (unit, brave)]
        assert (numbers[0] < numbers[1] - 1e-9) is afraid
