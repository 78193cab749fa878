"""A monster and its rider under fire: who is struck, with whose Toughness and saves, and what becomes of each."""

from math import comb

import pytest

from tests.engine.systems.fantasy_8th.combat.builders import Json, make_clash, make_group, make_hero, make_side, outcome

HIT = 4 / 6
SHARE = 1 / 3
ON_MONSTER, ON_RIDER = 1 / 6 * 5 / 6, 1 / 2 * 1 / 2
"""One hit of Strength 3: on Toughness 5 with scales of 6+; on Toughness 3 with heavy armour, 4+ upon a monster."""


def dragon(rider: Json | None = None, **facts: object) -> Json:
    """A lord in heavy armour upon a dragon of Toughness 5."""
    beast = {
        "name": "Dragon",
        "profile": {"WS": 5, "S": 6, "T": 5, "W": 4, "I": 4, "A": 5, "Ld": 8},
        "rules": ["Scaly Skin (6+)"],
    }
    lord = make_hero(troop_type="monster", armour=["heavy armour"], profile={"W": 1, **(rider or {})}, mount=beast)
    return make_side(lord | {"name": "Lord"} | facts)


def shot(count: int, *rules: str, weapon: object = "longbow", target: Json | None = None, **conditions: object) -> Json:
    """Archers of BS 4 in one rank shoot at a dragon."""
    archers = make_side(make_group(count, *rules, profile={"BS": 4}, weapons=[weapon]), width=count)
    return make_clash("shooting", attacker=archers, defender=target or dragon(), conditions=conditions)


def engine(weapon: str, target: Json | None = None, **conditions: object) -> Json:
    """A machine shoots at a dragon."""
    machine = make_side(make_group(1, troop_type="war_machine", weapons=[weapon]))
    return make_clash("shooting", attacker=machine, defender=target or dragon(), conditions=conditions)


def test_every_hit_strikes_one_of_the_two_with_his_own_toughness_and_saves() -> None:
    metrics = outcome(shot(10)).metrics
    assert metrics["shots"] == 10
    assert metrics["unsaved_wounds"] == pytest.approx(10 * HIT * ((1 - SHARE) * ON_MONSTER + SHARE * ON_RIDER))


def test_the_rider_is_slain_by_what_strikes_him_alone() -> None:
    metrics = outcome(shot(10)).metrics
    assert metrics["p_slain:Lord"] == pytest.approx(1 - (1 - HIT * SHARE * ON_RIDER) ** 10)


def test_wounds_to_spare_are_never_the_others() -> None:
    metrics = outcome(shot(10)).metrics
    each, other = HIT * (1 - SHARE) * ON_MONSTER, 1 - HIT * (1 - SHARE) * ON_MONSTER
    monster = sum(min(4, n) * comb(10, n) * each**n * other ** (10 - n) for n in range(11))
    assert metrics["wounds_lost"] == pytest.approx(monster + metrics["p_slain:Lord"])
    felled = 1 - sum(comb(10, n) * each**n * other ** (10 - n) for n in range(4))
    assert metrics["p_slain:Dragon"] == pytest.approx(felled)
    assert metrics["models_slain"] == pytest.approx(felled + metrics["p_slain:Lord"])


def test_nothing_is_left_when_both_are_slain_and_neither_panics_for_the_other() -> None:
    metrics = outcome(shot(60)).metrics
    both = metrics["p_destroyed"]
    assert 0 < both < min(metrics["p_slain:Lord"], metrics["p_slain:Dragon"])
    assert metrics["p_panic_test"] == 0


def test_a_sniper_picks_the_rider() -> None:
    metrics = outcome(shot(6, "Sniper", hit_by="sniper")).metrics
    assert metrics["p_slain:Dragon"] == 0
    assert metrics["unsaved_wounds"] == pytest.approx(6 * 3 / 6 * ON_RIDER)  # at -1 to hit


def test_who_does_not_pick_shares_his_hits() -> None:
    assert outcome(shot(6, hit_by="sniper")).metrics["p_slain:Dragon"] > 0


def test_a_cannon_ball_strikes_both() -> None:
    metrics = outcome(engine("cannon", dragon({"W": 1}), models_covered=1)).metrics
    assert metrics["shots"] == 2
    assert metrics["unsaved_wounds"] == pytest.approx(2 * 5 / 6)  # S10, no armour
    assert metrics["p_slain:Lord"] == pytest.approx(5 / 6)
    assert metrics["p_slain:Dragon"] == pytest.approx(5 / 6 * 3 / 6)  # D6 wounds, four are enough


def test_the_centre_of_a_stone_strikes_one_of_them_harder() -> None:
    metrics = outcome(engine("stone thrower", models_covered=1, centre_model_hit=True)).metrics
    soft, hard = 1 / 2 * 1 / 2, 5 / 6
    assert metrics["p_slain:Lord"] == pytest.approx(SHARE * hard + (1 - SHARE) * soft)
    plain = outcome(engine("stone thrower", models_covered=1)).metrics
    assert plain["p_slain:Lord"] == pytest.approx(soft)
    assert metrics["p_slain:Dragon"] == pytest.approx((1 - SHARE) * hard * 3 / 6)
    assert plain["p_slain:Dragon"] == 0


def test_grapeshot_is_shared_out() -> None:
    metrics = outcome(engine("grapeshot")).metrics
    assert metrics["shots"] == pytest.approx(5)  # a misfire is no shot
    assert metrics["unsaved_wounds"] == pytest.approx(5 * ((1 - SHARE) * 1 / 2 + SHARE * 5 / 6))


def test_a_spell_is_shared_out() -> None:
    found = outcome(make_clash("spell", spell="Fireball", defender=dragon()))
    each = (1 - SHARE) * 1 / 3 + SHARE * 4 / 6 * 4 / 6  # S4: scales of 6+ are gone, armour of 4+ is 5+
    assert found.metrics["hits"] == pytest.approx(3.5)
    assert found.metrics["unsaved_wounds"] == pytest.approx(3.5 * each)
    assert found.metrics["p_panic_test"] == 0


def test_a_spell_with_a_template_strikes_both() -> None:
    document = make_clash("spell", spell="Flame Storm", defender=dragon(), conditions={"models_covered": 1})
    metrics = outcome(document).metrics
    assert metrics["hits"] == 2
    assert metrics["p_slain:Lord"] == pytest.approx(4 / 6 * 4 / 6)
    assert metrics["unsaved_wounds"] == pytest.approx(4 / 6 * 4 / 6 + 1 / 3)


def test_a_breath_from_afar_strikes_both() -> None:
    document = make_clash(
        "breath_weapon",
        attacker=make_side(make_group(1, "Breath Weapon (4)")),
        defender=dragon(),
        conditions={"in_close_combat": False, "models_covered": 1},
    )
    metrics = outcome(document).metrics
    assert metrics["hits"] == 2
    assert metrics["p_slain:Lord"] == pytest.approx(4 / 6 * 4 / 6)
    assert metrics["unsaved_wounds"] == pytest.approx(4 / 6 * 4 / 6 + 1 / 3)


def test_a_luckstone_saves_its_bearer_once() -> None:
    plain, lucky = shot(1), shot(1, target=dragon(magic_items=["Luckstone"]))
    assert outcome(plain).metrics["p_slain:Lord"] == pytest.approx(HIT * SHARE * ON_RIDER)
    assert outcome(lucky).metrics["p_slain:Lord"] == pytest.approx(HIT * SHARE * ON_RIDER / 2)
    two = outcome(shot(2, target=dragon(magic_items=["Luckstone"]))).metrics
    wounds = HIT * SHARE * 1 / 2
    twice = 1 / 4 + 1 / 2 * 1 / 2  # two saves fail, or one of them and its second roll
    assert two["p_slain:Lord"] == pytest.approx(2 * wounds * (1 - wounds) / 4 + wounds**2 * twice)


def test_a_monster_without_a_rider_is_struck_as_before() -> None:
    beast = make_side(make_group(1, "Scaly Skin (6+)", troop_type="monster", profile={"T": 5, "W": 4}))
    metrics = outcome(shot(10, target=beast)).metrics
    assert metrics["unsaved_wounds"] == pytest.approx(10 * HIT * ON_MONSTER)
    assert not any(name.startswith("p_slain") for name in metrics)
