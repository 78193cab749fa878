"""Volleys: modifiers, ranks, special rules, templates and the panic test, worked out by hand."""

from math import comb

import pytest

from tests.engine.systems.fantasy_8th.combat.builders import Json, make_clash, make_group, make_side, metric, outcome


def volley(weapon: object, *rules: str, side: Json | None = None, target: Json | None = None, count: int = 10,
           defender: Json | None = None, **conditions: object) -> Json:  # fmt: skip
    """Ten archers of BS 4 in two ranks shoot at twenty warriors."""
    archers = make_side(make_group(count, *rules, profile={"BS": 4}, weapons=[weapon]), **{"width": 5, **(side or {})})
    shot_at = make_side(make_group(20, **(target or {})), **{"width": 5, **(defender or {})})
    return make_clash("shooting", attacker=archers, defender=shot_at, conditions=conditions)


@pytest.mark.parametrize(
    ("case", "document", "shots", "hit"),
    [
        ("short range", volley("longbow", distance=15), 10, 4 / 6),
        ("long range", volley("longbow", distance=16), 10, 3 / 6),
        ("long range by word", volley("longbow", long_range=True), 10, 3 / 6),
        ("short range by word", volley("longbow", distance=30, long_range=False), 10, 4 / 6),
        ("out of range", volley("longbow", distance=31), 0, 0),
        ("moved", volley("longbow", side={"moved": True}), 10, 3 / 6),
        ("moved, quick to fire", volley("javelin", side={"moved": True}), 10, 4 / 6),
        ("moved, move or fire", volley("crossbow", side={"moved": True}), 0, 0),
        ("machines do not move and fire", volley("bolt thrower") | {"attacker": make_side(
            make_group(1, troop_type="war_machine", weapons=["bolt thrower"]), moved=True)}, 0, 0),
        ("stand and shoot", volley("longbow", stand_and_shoot=True), 10, 3 / 6),
        ("stand and shoot, slow", volley("longbow", "Slow to Fire", stand_and_shoot=True), 0, 0),
        ("soft cover", volley("longbow", defender={"cover": "soft"}), 10, 3 / 6),
        ("hard cover", volley("longbow", defender={"cover": "hard"}), 10, 2 / 6),
        ("forest", volley("longbow", defender={"terrain": "forest"}), 10, 3 / 6),
        ("garrison", volley("longbow", defender={"terrain": "building"}), 10, 2 / 6),
        ("ignores cover", volley("longbow", "Ignores Cover", defender={"cover": "hard"}), 10, 4 / 6),
        ("large target", volley("longbow", defender={"cover": "hard", "rules": ["Large Target"]}), 10, 4 / 6),
        ("skirmishers", volley("longbow", defender={"rules": ["Skirmishers"]}), 10, 3 / 6),
        ("multiple shots", volley("sling", shooting_mode="multiple_shots"), 20, 3 / 6),
        ("one shot each", volley("sling"), 10, 4 / 6),
        ("sniper", volley("longbow", "Sniper", hit_by="sniper"), 10, 3 / 6),
        ("sniper who shoots at the unit", volley("longbow", "Sniper"), 10, 4 / 6),
        ("two ranks", volley("longbow", count=18), 10, 4 / 6),
        ("volley fire", volley("longbow", count=18, shooting_mode="volley_fire"), 14, 4 / 6),
        ("volley fire of crossbows", volley("crossbow", count=18, shooting_mode="volley_fire"), 10, 4 / 6),
        ("volley fire after a move", volley("longbow", count=18, shooting_mode="volley_fire", side={"moved": True}),
         10, 3 / 6),
        ("from a building", volley("longbow", count=18, shooting_mode="volley_fire", side={"terrain": "building"}),
         5, 4 / 6),
        ("building, two abreast", volley("longbow", count=5, side={"terrain": "building", "width": 2}), 5, 4 / 6),
        ("spell", volley("longbow", side={"effects": ["Iceshard Blizzard"]}), 10, 3 / 6),
        ("against a spell", volley("longbow", defender={"effects": ["Pha's Protection"]}), 10, 3 / 6),
    ],
)  # fmt: skip
def test_to_hit(case: str, document: Json, shots: float, hit: float) -> None:
    metrics = outcome(document).metrics
    strength = 4 / 6 if "crossbow" in str(document) or "handgun" in str(document) else 1 / 2
    assert metrics["shots"] == shots, case
    assert metrics["unsaved_wounds"] == pytest.approx(shots * hit * strength), case


@pytest.mark.parametrize(
    ("penalty", "skill", "second"),
    [("7+", 4, 3 / 6), ("8+", 3, 2 / 6), ("9+", 2, 1 / 6), ("10+", 1, 0)],
)
def test_seven_and_more(penalty: str, skill: int, second: float) -> None:
    """A 6 and then another roll; poison does nothing."""
    document = volley("longbow", "Poisoned Attacks", stand_and_shoot=True, long_range=True, defender={"cover": "hard"})
    document["attacker"]["models"][0]["profile"]["BS"] = skill
    assert metric(document) == pytest.approx(10 / 6 * second / 2), penalty


@pytest.mark.parametrize(
    ("case", "document", "wounds"),
    [
        ("poison", volley("longbow", "Poisoned Attacks"), 10 * (3 / 6 / 2 + 1 / 6)),
        ("handgun", volley("handgun", target={"profile": {"Sv": "4+"}}), 10 * 4 / 6 * 4 / 6 * 5 / 6),
        ("pistol", volley("pistol"), 10 * 4 / 6 * 4 / 6),
        ("throwing axes", volley("throwing axes"), 10 * 4 / 6 * 4 / 6),
        ("no parry", volley("longbow", target={"armour": ["shield"]}), 10 / 3 * 5 / 6),
        ("shield with a halberd", volley("longbow", target={"armour": ["shield"], "weapons": ["halberd"]}),
         10 / 3 * 5 / 6),
        ("shield of Ptolos", volley("longbow", target={"magic_items": ["Shield of Ptolos"]}), 10 / 3 * 4 / 6),
        ("regeneration", volley("longbow", defender={"rules": ["Regeneration (5+)"]}), 10 / 3 * 4 / 6),
        ("ethereal", volley("longbow", defender={"rules": ["Ethereal"]}), 0),
        ("flaming sword", volley("longbow", side={"effects": ["Flaming Sword of Rhuin"]}), 10 * 4 / 6 * 4 / 6),
        ("fire at a building", volley("longbow", "Flaming Attacks", defender={"terrain": "building"}),
         10 * 2 / 6 * 3 / 4),
        ("bolt thrower", volley("bolt thrower", count=1, target={"profile": {"Sv": "2+", "T": 5}},
                                defender={"width": 20}), 4 / 6 * 4 / 6),
        ("bolt through four ranks", volley("bolt thrower", count=1, target={"profile": {"Sv": "2+", "T": 5}}),
         4 / 6 * (4 / 6 * (1 + 3 / 6 * (1 + 2 / 6 * (1 + 1 / 6))))),
        ("a bolt of one's own", volley({"name": "bolt", "range": 48, "S": 5, "rules": ["Rank Penetration"]}, count=1,
                                       target={"profile": {"T": 4}}, defender={"width": 10}),
         4 / 6 * (4 / 6 * (1 + 3 / 6))),
        ("bolt at skirmishers", volley("bolt thrower", count=1, defender={"rules": ["Skirmishers"]}), 3 / 6 * 5 / 6),
        ("bolt into a building", volley("bolt thrower", count=1, defender={"terrain": "building"}), 2 / 6 * 5 / 6),
        ("bolt through ogres", volley("bolt thrower", count=1, target={"troop_type": "monstrous_infantry", "profile": {
            "T": 4, "W": 2}}, defender={"width": 10}), 4 / 6 * 5 / 6 * (1 + 2 / 3 * 4 / 6)),
        ("iron curse", volley("bolt thrower", count=1, target={"magic_items": ["Ironcurse Icon"]},
                              defender={"width": 20}), 4 / 6 * 5 / 6 * 5 / 6),
        ("cannon ball", volley("cannon", count=1, models_covered=3), 3 * 5 / 6),
        ("cannon ball at one model", volley("cannon", count=1, models_covered=3) | {
            "defender": make_side(make_group(1))}, 5 / 6),
        ("cannon ball stopped by an ogre", volley("cannon", count=1, models_covered=2, target={
            "troop_type": "monstrous_infantry", "profile": {"W": 3}}), 5 / 6 * (1 + 4 / 6 * 5 / 6)),
        ("cannon ball into a building", volley("cannon", count=1, models_covered=2, defender={"terrain": "building"}),
         3.5 * 5 / 6),
        ("stone on a building", volley("stone thrower", count=1, defender={"terrain": "building"}), 3.5 / 2),
        ("stone into a building", volley("stone thrower", count=1, centre_model_hit=True,
                                         defender={"terrain": "building"}), 3.5 * 5 / 6),
        ("stone thrower too near", volley("stone thrower", count=1, models_covered=4, distance=11), 0),
        ("out of the windows", volley("longbow", side={"terrain": "building"}), 5 * 4 / 6 / 2),
        ("grapeshot", volley("grapeshot", count=1, target={"profile": {"Sv": "2+"}}), 5 * 5 / 6 * 4 / 6),
        ("fire thrower", volley("fire thrower", count=1, models_covered=6), 5),
        ("template through ice", volley("fire thrower", count=1, models_covered=6,
                                        side={"effects": ["Iceshard Blizzard"]}), 2.5),
        ("stone thrower", volley("stone thrower", count=1, models_covered=4), 2),
        ("stone thrower's centre", volley("stone thrower", count=1, models_covered=4, centre_model_hit=True),
         5 / 6 + 3 / 2),
        ("a profile with a centre", volley(
            {"name": "thrower", "range": 60, "S": 3, "centre_S": 9, "rules": ["Multiple Wounds (D6)"]},
            count=1, models_covered=4, centre_model_hit=True), 5 / 6 + 3 / 2),
        ("given hits", volley({"name": "gun", "S": 4, "override": {"hits": "D6"}}), 3.5 * 4 / 6),
        ("given wounds", volley({"name": "gun", "override": {"wounds": 3}}, target={"profile": {"Sv": "4+"}}), 1.5),
        ("given rolls", volley({"name": "gun", "range": 12, "override": {"to_hit": "5+", "to_wound": "3+"}}),
         10 * 2 / 6 * 4 / 6),
    ],
)  # fmt: skip
def test_wounds(case: str, document: Json, wounds: float) -> None:
    assert metric(document) == pytest.approx(wounds), case


def test_losses_and_panic() -> None:
    """Six hits on T3: a quarter of eight is two; whoever is left tests on Ld 7."""
    gun = {"name": "gun", "S": 3, "override": {"hits": 6}}
    document = make_clash(
        "shooting", attacker=make_side(make_group(1, weapons=[gun])), defender=make_side(make_group(8))
    )
    metrics = outcome(document).metrics
    two_or_more = sum(comb(6, k) for k in range(2, 7)) / 64
    assert metrics["models_slain"] == pytest.approx(3)
    assert metrics["p_panic_test"] == pytest.approx(two_or_more)
    assert metrics["p_flees"] == pytest.approx(two_or_more * 15 / 36)
    fearless = make_clash(
        "shooting",
        attacker=make_side(make_group(1, weapons=[gun])),
        defender=make_side(make_group(8, "Immune to Psychology")),
    )
    assert metric(fearless, "p_flees") == 0


def test_fire_alarms_whoever_loses_anybody() -> None:
    """Two hits on twenty: too few for a quarter, but they burn."""
    document = volley("fire thrower", count=1, models_covered=2)
    anybody = 1 - (1 / 6) ** 2
    assert metric(document, "p_panic_test") == pytest.approx(anybody)
    assert metric(document, "p_flees") == pytest.approx(anybody * 15 / 36)
    assert metric(volley("cannon", count=1, models_covered=2), "p_panic_test") == 0


def test_a_machine_panics_for_its_crew() -> None:
    """One of three is more than a quarter; it tests and never flees."""
    crew = {"count": 3, "profile": {"WS": 3, "S": 3, "T": 3, "W": 1, "I": 3, "A": 1, "Ld": 7}}
    machine = make_side(make_group(1, troop_type="war_machine", profile={"T": 4, "W": 3}, crew=crew))
    gun = {"name": "gun", "S": 4, "override": {"hits": 1}}
    document = make_clash("shooting", attacker=make_side(make_group(1, weapons=[gun])), defender=machine)
    assert metric(document, "p_panic_test") == pytest.approx(1 / 2)
    assert metric(document, "p_flees") == 0


def test_only_snipers_pick_out_a_character() -> None:
    hero = make_group(1, subtypes=["character"], profile={"W": 1})
    side = make_side(make_group(5, profile={"T": 9}), hero)
    for rules, hit_by, slain in [
        (("Sniper",), "sniper", 3 / 6 / 2),
        (("Sniper",), "shooting", 4 / 6 / 6),
        ((), "sniper", 4 / 6 / 6),
    ]:
        document = volley("longbow", *rules, count=1, hit_by=hit_by) | {"defender": side}
        assert metric(document, "models_slain") == pytest.approx(slain), (rules, hit_by)
    mixed = make_side(
        make_group(1, "Sniper", profile={"BS": 4}, weapons=["longbow"]), make_group(9, weapons=["longbow"])
    )
    document = make_clash("shooting", attacker=mixed, defender=side, conditions={"hit_by": "sniper"})
    assert metric(document, "shots") == 1


def test_wounds_do_not_spill_over() -> None:
    bolt = {"name": "bolt", "S": 10, "rules": ["Multiple Wounds (D6)"], "override": {"hits": 1, "to_wound": "2+"}}
    target = make_side(make_group(5, profile={"W": 3}))
    metrics = outcome(
        make_clash("shooting", attacker=make_side(make_group(1, weapons=[bolt])), defender=target)
    ).metrics
    assert metrics["wounds_lost"] == pytest.approx(5 / 6 * (1 + 2 + 3 * 4) / 6)
    assert metrics["models_slain"] == pytest.approx(5 / 6 * 4 / 6)


def test_characters_are_shielded_by_five() -> None:
    hero = make_group(1, subtypes=["character"])
    gun = {"name": "gun", "S": 10, "override": {"wounds": 9}}
    for others, destroyed in [(5, 0), (4, 1)]:
        document = make_clash(
            "shooting",
            attacker=make_side(make_group(1, weapons=[gun])),
            defender=make_side(make_group(others), hero),
        )
        assert metric(document, "p_destroyed") == destroyed
