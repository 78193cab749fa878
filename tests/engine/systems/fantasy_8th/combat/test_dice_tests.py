"""Tests of a few dice: leadership, pursuit, charges, ambushes, terrain, tables, the dice of the magic phase."""

from itertools import product

import pytest

from tests.engine.systems.fantasy_8th.combat.builders import (
    Json,
    make_clash,
    make_group,
    make_hero,
    make_side,
    metric,
    outcome,
)


@pytest.mark.parametrize(
    ("case", "unit", "conditions", "passes"),
    [
        ("panic", make_side(), {"test": "panic"}, 21 / 36),
        ("panic, immune", make_side(make_group(10, "Immune to Psychology")), {"test": "panic"}, 1),
        ("other test, immune", make_side(make_group(10, "Immune to Psychology")), {"test": "other"}, 21 / 36),
        ("fear, fearsome", make_side(make_group(10, "Fear")), {"test": "fear"}, 1),
        ("panic, fearsome", make_side(make_group(10, "Fear")), {"test": "panic"}, 21 / 36),
        ("fear, frenzied", make_side(make_group(10, "Frenzy")), {"test": "fear"}, 1),
        (
            "panic, on a frenzied mount",
            make_side(make_group(mount={"profile": {}, "rules": ["Frenzy"]})),
            {"test": "panic"},
            1,
        ),
        ("panic, unbreakable", make_side(make_group(10, "Unbreakable")), {"test": "panic"}, 1),
        ("rally with a musician", make_side(command=["musician"]), {"test": "rally"}, 26 / 36),
        ("highest leadership", make_side(make_group(), make_hero(profile={"Ld": 9})), {}, 30 / 36),
        ("pennant", make_side(make_group(magic_items=["Gleaming Pennant"])), {}, 1 - (15 / 36) ** 2),
        ("mask", make_side(make_group(), make_hero("Terrifying Mask of Eee!", profile={"Ld": 9})), {}, 21 / 36),
        ("mask alone", make_side(make_hero("Terrifying Mask of Eee!", profile={"Ld": 9})), {}, 30 / 36),
        ("iceshard", make_side(effects=["Iceshard Blizzard"]), {}, 15 / 36),
    ],
)
def test_leadership(case: str, unit: Json, conditions: Json, passes: float) -> None:
    assert metric(make_clash("leadership_test", unit=unit, conditions=conditions), "p_pass") == pytest.approx(passes), (
        case
    )


def best_two(dice: tuple[int, ...]) -> int:
    return sum(sorted(dice)[-2:])


@pytest.mark.parametrize("pursuer", [2, 3])
@pytest.mark.parametrize("fleeing", [2, 3])
def test_pursuit_oracle(pursuer: int, fleeing: int) -> None:
    cases = list(product(range(1, 7), repeat=pursuer + fleeing))
    caught = sum(best_two(dice[:pursuer]) >= best_two(dice[pursuer:]) for dice in cases) / len(cases)
    quick = {2: [], 3: ["Swiftstride"]}
    document = make_clash("pursuit", winner=make_side(rules=quick[pursuer]), loser=make_side(rules=quick[fleeing]))
    assert metric(document, "p_destroyed") == pytest.approx(caught)


def test_troop_types_are_swift() -> None:
    knights = make_side(make_group(5, troop_type="cavalry"))
    swift = make_clash("pursuit", winner=knights, loser=make_side())
    named = make_clash("pursuit", winner=make_side(rules=["Swiftstride"]), loser=make_side())
    assert metric(swift, "p_destroyed") == pytest.approx(metric(named, "p_destroyed"))


@pytest.mark.parametrize(
    ("case", "unit", "conditions", "reaches"),
    [
        ("M6 at 12", make_side(make_group(profile={"M": 6})), {"distance": 12}, 13 / 18),
        ("M8 swift at 17", make_side(make_group(profile={"M": 8}), rules=["Swiftstride"]), {"distance": 17}, 113 / 216),
        ("re-rolled", make_side(make_group(profile={"M": 6})), {"distance": 12, "reroll_failed_charge": True},
         1 - (5 / 18) ** 2),
        ("standard", make_side(make_group(profile={"M": 6}, magic_items=["Rampager's Standard"])), {"distance": 12},
         1 - (5 / 18) ** 2),
        ("banner", make_side(make_group(profile={"M": 5}, magic_items=["Banner of Swiftness"])), {"distance": 12},
         13 / 18),
        ("broken inches", make_side(make_group(profile={"M": 6})), {"distance": 11.5}, 13 / 18),
        ("flying", make_side(make_group(profile={"M": 4}), rules=["Fly"]), {"distance": 19}, 113 / 216),
        ("twice as fast", make_side(make_group(profile={"M": 3}), effects=["Birona's Timewarp"]), {"distance": 12},
         13 / 18),
        ("random movement", make_side(rules=["Random Movement (2D6)"]), {"distance": 9}, 10 / 36),
    ],
)  # fmt: skip
def test_charges(case: str, unit: Json, conditions: Json, reaches: float) -> None:
    answer = metric(make_clash("charge", unit=unit, conditions=conditions), "p_success")
    assert answer == pytest.approx(reaches), case


@pytest.mark.parametrize(("turn", "arrived"), [(1, 0), (2, 2 / 3), (3, 8 / 9), (4, 26 / 27)])
def test_ambush(turn: int, arrived: float) -> None:
    document = make_clash("ambush", unit=make_side(rules=["Ambushers"]), conditions={"by_end_of_turn": turn})
    assert metric(document, "p_arrived") == pytest.approx(arrived)


@pytest.mark.parametrize(
    ("case", "group", "terrain", "side", "wounds"),
    [
        ("infantry in a forest", make_group(12), "forest", {}, 0),
        ("infantry in a marsh", make_group(12), "marsh", {}, 2),
        ("skirmishers in a marsh", make_group(12, "Skirmishers"), "marsh", {}, 0),
        ("cavalry in a marsh", make_group(12, troop_type="cavalry"), "marsh", {}, 4),
        ("cavalry over a wall", make_group(12, troop_type="cavalry"), "obstacle", {}, 2),
        ("chariots in a forest", make_group(3, troop_type="chariot"), "forest", {}, 3.5 / 2),
        ("striders", make_group(12, "Strider (Forest)", troop_type="cavalry"), "forest", {}, 0),
        ("striders elsewhere", make_group(12, "Strider (Forest)", troop_type="cavalry"), "river", {}, 2),
        ("striders everywhere", make_group(12, "Strider", troop_type="cavalry"), "river", {}, 0),
        ("striders by name", make_group(12, "River Strider", troop_type="cavalry"), "river", {}, 0),
        ("striders by name elsewhere", make_group(12, "Лесной ходок", troop_type="cavalry"), "river", {}, 2),
        ("ethereal", make_group(12, "Ethereal"), "marsh", {}, 0),
        ("flyers in a forest", make_group(12, "Fly"), "forest", {}, 2),
        ("cursed", make_group(12), "forest", {"effects": ["The Curse of Anraheir"]}, 4),
    ],
)
def test_dangerous_terrain(case: str, group: Json, terrain: str, side: Json, wounds: float) -> None:
    document = make_clash("dangerous_terrain", unit=make_side(group, **side), conditions={"terrain": terrain})
    assert metric(document, "wounds") == pytest.approx(wounds), case


HERO = make_hero()


@pytest.mark.parametrize(
    ("case", "unit", "friends", "hit_by", "struck"),
    [
        ("among twenty", make_side(make_group(20), HERO), None, "template", 1 / 6),
        ("among five", make_side(make_group(5), HERO), None, "cannon", 1 / 6),
        ("among four", make_side(make_group(4), HERO), None, "cannon", 1),
        ("alone", make_side(HERO), None, "cannon", 1),
        ("near eight", make_side(HERO), {"count": 8, "distance": 3}, "cannon", 1 / 2),
        ("too far", make_side(HERO), {"count": 8, "distance": 4}, "cannon", 1),
        ("near four", make_side(HERO), {"count": 4, "distance": 1}, "cannon", 1),
        ("sniper", make_side(make_group(20), HERO), None, "sniper", 1),
        ("shielded from arrows", make_side(make_group(5), HERO), None, "shooting", 0),
        ("arrows at four and him", make_side(make_group(4), HERO), None, "shooting", 1 / 5),
    ],
)
def test_look_out_sir(case: str, unit: Json, friends: Json | None, hit_by: str, struck: float) -> None:
    document = make_clash("look_out_sir", unit=unit, conditions={"hit_by": hit_by})
    if friends is not None:
        document["friends"] = friends
    assert metric(document, "p_hit_on_character") == pytest.approx(struck), case


def test_shares_of_hits() -> None:
    dragon = make_side({"name": "Dragon", "count": 1, "troop_type": "monster", "riders": 1})
    assert metric(make_clash("ridden_monster", unit=dragon, hits=6), "hits_on_rider") == pytest.approx(2)
    template = make_clash("ridden_monster", unit=dragon, hits=6, conditions={"hit_by": "template"})
    assert metric(template, "hits_on_rider") == pytest.approx(6)
    hydra = make_side({"name": "Hydra", "count": 1, "troop_type": "monster", "handlers": 1})
    metrics = outcome(make_clash("monster_and_handlers", unit=hydra, unsaved_wounds=3)).metrics
    assert metrics["handlers_slain"] == pytest.approx(1 - (2 / 3) ** 3)
    assert metrics["monster_wounds"] == pytest.approx(2 + (2 / 3) ** 3)


def test_misfires() -> None:
    powder = outcome(make_clash("misfire", machine="black_powder")).metrics
    assert powder == pytest.approx({"p_destroyed": 1 / 3, "p_can_fire_next_turn": 1 / 3})
    stone = outcome(make_clash("misfire", machine="stone_thrower")).metrics
    assert stone == pytest.approx({"p_destroyed": 1 / 6, "p_crewman_lost": 1 / 3, "p_can_fire_next_turn": 1 / 2})


@pytest.mark.parametrize(
    ("dice", "sixes"), [(2, 1 / 36), (3, 2 / 27), (4, 19 / 144), (5, 763 / 3888), (6, 12281 / 46656)]
)
def test_irresistible_force(dice: int, sixes: float) -> None:
    document = make_clash("cast_spell", caster={"wizard_level": 1}, dice=dice, casting_value=60)
    metrics = outcome(document).metrics
    assert metrics["p_irresistible"] == metrics["p_cast"] == pytest.approx(sixes)


def test_casting_and_dispelling() -> None:
    cast = make_clash("cast_spell", caster={"wizard_level": 2}, dice=3, casting_value=12)
    assert metric(cast, "p_cast") == pytest.approx(5 / 8)
    low = make_clash("cast_spell", caster={"wizard_level": 4}, dice=1, casting_value=5)
    assert metric(low, "p_cast") == pytest.approx(4 / 6)
    for dispeller, expected in [
        ({"wizard_level": 1}, 7 / 12),
        ({"race": "Dwarfs"}, 26 / 36),
        ({"race": "Dwarfs", "wizard_level": 1}, 7 / 12),
        ({}, 15 / 36),
    ]:
        document = make_clash("dispel", dispeller=dispeller, dice=2, casting_total=8)
        assert metric(document, "p_dispel") == pytest.approx(expected)
        assert metric(document | {"conditions": {"irresistible_cast": True}}, "p_dispel") == 0


def test_winds_and_miscasts() -> None:
    plain = outcome(make_clash("winds_of_magic")).metrics
    assert plain["power_dice"] == pytest.approx(7)
    assert plain["dispel_dice"] == pytest.approx(161 / 36)
    many = outcome(make_clash("winds_of_magic", caster={"wizards": 60}))
    assert max(map(int, many.distributions["power_dice"])) == 12
    most = outcome(make_clash("winds_of_magic", caster={"wizards": 1000}, dispeller={"wizards": 1000}))
    assert most.metrics["power_dice"] == pytest.approx(12)
    assert most.metrics["dispel_dice"] == pytest.approx(12)
    answer = outcome(make_clash("miscast"))
    assert answer.metrics == pytest.approx({"p_wizard_lost": 1 / 12})
    assert answer.distributions["miscast_result"] == pytest.approx(
        {"2-4": 6 / 36, "5-6": 9 / 36, "7": 6 / 36, "8-9": 9 / 36, "10-12": 6 / 36}
    )
