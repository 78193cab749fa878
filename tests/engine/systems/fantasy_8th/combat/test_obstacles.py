"""Obstacles that are defended: flames, penalties and fear for those who attack over them."""

import pytest

from tests.engine.systems.fantasy_8th.combat.builders import (
    Json,
    make_clash,
    make_group,
    make_melee,
    make_side,
    outcome,
)

ARMOURED = 4 / 6 * 5 / 6
"""One hit of Strength 4 on Toughness 3, with light armour and shield (5+) of which 6+ is left."""

BULWARK, SLOWING = "Blessed Bulwark", "Blessed Bulwark (against Destruction)"


def storm(*effects: str, width: int = 5, charged: bool = True, round_: int = 1, **facts: object) -> Json:
    """Twenty men who cannot be hurt otherwise charge twenty who strike no blow."""
    attacker = make_group(20, armour=["light armour", "shield"], **facts)  # type: ignore[arg-type]
    idle = make_group(20, profile={"A": 0})
    return make_clash(
        "combat_round",
        attacker=make_side(attacker, width=width, charged=charged),
        defender=make_side(idle, width=5, effects=list(effects)),
        conditions={"combat_round": round_},
    )


@pytest.mark.parametrize("width", [5, 7, 20])
def test_a_burning_barricade_strikes_every_model_in_contact(width: int) -> None:
    metrics = outcome(storm("Burning Barricade", width=width)).metrics
    assert metrics["attacker_wounds_lost"] == pytest.approx(width * ARMOURED)


@pytest.mark.parametrize("facts", [{"charged": False}, {"round_": 2}])
def test_it_burns_those_who_charge_in_the_first_round_only(facts: dict[str, object]) -> None:
    metrics = outcome(storm("Burning Barricade", **facts)).metrics  # type: ignore[arg-type]
    assert metrics["attacker_wounds_lost"] == 0


def test_it_does_not_burn_the_ethereal() -> None:
    assert outcome(storm("Burning Barricade", rules=["Ethereal"])).metrics["attacker_wounds_lost"] == 0


def test_the_burnt_do_not_strike() -> None:
    thin, plain = (storm(*effects) for effects in (("Burning Barricade",), ()))
    for document in (thin, plain):
        document["attacker"]["models"][0]["count"] = 5
    burnt, whole = (outcome(document).metrics["wounds_lost"] for document in (thin, plain))
    assert burnt == pytest.approx(whole * (1 - ARMOURED))
    assert outcome(thin).metrics["p_win"] < outcome(plain).metrics["p_win"]


def test_a_blessed_bulwark_is_a_point_harder_to_hit() -> None:
    five = make_side(make_group(5), width=5)
    metrics = outcome(make_melee(five, make_side(make_group(20), width=5, effects=[BULWARK]))).metrics
    assert metrics["unsaved_wounds"] == pytest.approx(5 * 2 / 6 * 1 / 2)


@pytest.mark.parametrize(
    ("initiative", "other", "first"),
    [(5, 3, False), (7, 3, True), (5, 2, True), (6, 3, False), (3, 1, True)],
)
def test_destruction_comes_at_half_its_initiative(initiative: int, other: int, *, first: bool) -> None:
    """Halves are rounded up: those of 5 are as slow as those of 3, and strike at once with them."""
    attacker = make_group(5, profile={"I": initiative})
    defender = make_group(5, profile={"I": other, "S": 9, "WS": 9})
    losses = {}
    for effect in (BULWARK, SLOWING):
        document = make_clash(
            "combat_round",
            attacker=make_side(attacker, width=5),
            defender=make_side(defender, width=5, effects=[effect]),
        )
        losses[effect] = outcome(document).metrics["attacker_wounds_lost"]
    slower = losses[SLOWING] > losses[BULWARK] + 1e-9
    assert slower is not first


@pytest.mark.parametrize(("round_", "afraid"), [(1, True), (2, False)])
def test_a_ghost_fence_frightens_in_the_first_round(round_: int, *, afraid: bool) -> None:
    five = make_side(make_group(5, profile={"Ld": 7, "WS": 4}), width=5)
    fenced = make_side(make_group(20), width=5, effects=["Ghost Fence"])
    metrics = outcome(make_melee(five, fenced, combat_round=round_)).metrics
    fails = 15 / 36 if afraid else 0.0
    assert metrics["unsaved_wounds"] == pytest.approx(5 * ((1 - fails) * 4 / 6 + fails * 3 / 6) / 2)


def test_who_stands_behind_a_ghost_fence_fears_nobody() -> None:
    """Whoever causes fear is immune to it."""
    horror = make_side(make_group(5, "Fear"), width=5)
    losses = []
    for effects in (["Ghost Fence"], []):
        target = make_side(make_group(20, profile={"Ld": 5, "WS": 4}), width=5, effects=effects)
        document = make_clash("combat_round", attacker=horror, defender=target)
        losses.append(outcome(document).metrics["attacker_wounds_lost"])
    assert losses[0] > losses[1]


@pytest.mark.parametrize(
    ("effect", "hit"), [("Burning Barricade", 3 / 6), (BULWARK, 2 / 6), (SLOWING, 2 / 6), ("Ghost Fence", 3 / 6)]
)
def test_obstacles_are_cover(effect: str, hit: float) -> None:
    archers = make_side(make_group(5, profile={"BS": 4}, weapons=["longbow"]), width=5)
    target = make_side(make_group(20), width=5, effects=[effect])
    metrics = outcome(make_clash("shooting", attacker=archers, defender=target)).metrics
    assert metrics["unsaved_wounds"] == pytest.approx(5 * hit / 2)
