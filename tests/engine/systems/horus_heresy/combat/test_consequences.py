"""What an attack leads to besides wounds: flight from losses, and the tests that blows call for."""

from fractions import Fraction as F  # noqa: N817 - many small fractions

import pytest

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

FAILS = F(15, 36)
"""2D6 above Leadership 7."""


def volley(models: int, target: Json, **conditions: object) -> Json:
    """So many sure shots that wound half the time."""
    weapon = make_weapon(AP=2)
    weapon["override"] = {"hits": models}
    return make_duel("shooting", make_side(make_group(models, weapons=[weapon])), target, **conditions)


def test_a_quarter_of_its_models_lost_to_shooting() -> None:
    """Two shots, each kills one of eight half the time: both must hit home."""
    document = volley(2, make_side(make_group(8)))
    assert metric(document, "p_panic_test") == pytest.approx(1 / 4)
    assert metric(document, "p_flees") == pytest.approx(float(F(1, 4) * FAILS))
    rolled = run(document, method="montecarlo", trials=20_000, seed=3)
    assert rolled.metrics["p_flees"] == pytest.approx(float(F(1, 4) * FAILS), abs=0.012)


@pytest.mark.parametrize(
    ("side", "expected"),
    [
        ({"rules": ["Fearless"]}, 0.0),
        ({"rules": ["Stubborn"]}, float(F(1, 4) * FAILS)),
        ({"charged": True}, None),
    ],
)  # fmt: skip
def test_who_does_not_flee(side: Json, expected: float | None) -> None:
    """Losses to Overwatch call for no test (L1466); Stubborn has nothing to ignore here."""
    found = run(volley(2, make_side(make_group(8), **side))).metrics
    assert found.get("p_flees") == (None if expected is None else pytest.approx(expected))


def test_the_destroyed_do_not_test_and_vehicles_never() -> None:
    assert metric(volley(2, make_side(make_group(1))), "p_destroyed") == pytest.approx(3 / 4)
    assert "p_flees" not in run(volley(2, make_side(make_group(1)))).metrics
    assert "p_flees" not in run(volley(2, make_side(make_tank(12)))).metrics


def blow(*rules: str, target: Json | None = None, **weapon: object) -> Json:
    """One sure blow."""
    blade = make_blade(*rules, **weapon)
    blade["override"] = {"hits": 1}
    return make_duel("melee", make_side(make_group(1, weapons=[blade])), target or make_side())


@pytest.mark.parametrize(
    ("rule", "name", "document", "expected"),
    [
        ("Concussive (2)", "p_concussed", blow("Concussive (2)"), F(1, 2) * FAILS),
        ("Blind", "p_blinded", blow("Blind"), F(2, 6)),
        ("Shock Pulse", "p_shocked", blow("Shock Pulse", S=8, AP=4, target=make_side(make_tank(12))), F(2, 3)),
    ],
)  # fmt: skip
def test_blows_that_stun(rule: str, name: str, document: Json, expected: F) -> None:
    result = run(document)
    assert result.metrics[name] == pytest.approx(float(expected))
    assert rule in result.modelled
    assert rule not in result.not_simulated
    bare = make_duel("melee", make_side(make_group(1, weapons=[make_blade()])), document["defender"])
    assert name not in run(bare).metrics


def test_dice_tell_the_blows_of_a_failed_psychic_check_from_those_of_a_passed_one() -> None:
    """Psykers who fail the check strike with their second blade, which is the concussive one."""
    blades = [make_blade("Psychic Focus"), make_blade("Concussive")]
    document = make_duel(
        "melee", make_side(make_group(2, profile={"W": 3}, subtypes=["psyker"], weapons=blades)), make_side()
    )
    rolled = run(document, method="montecarlo", trials=20_000, seed=5)
    assert metric(document, "p_concussed") > 0.05
    assert rolled.metrics["p_concussed"] == pytest.approx(metric(document, "p_concussed"), abs=0.012)


def test_men_inside_a_building() -> None:
    """One penetrating hit of Strength 12 on armour 10: D6 hits on a 4, 2D6 on a 6; with AP1 4D6 from a 5 on.

    The last hull point brings it down, too.
    """
    bunker = {"name": "Bunker", "count": 1, "type": "fortification", "profile": {"AV": 10, "HP": 3}}
    gun = make_weapon(S=10, AP=4) | {"override": {"hits": 1}}

    def hits(target: Json, **weapon: object) -> float:
        document = make_duel("shooting", make_side(make_group(1, weapons=[gun | weapon])), make_side(target))
        exact, rolled = run(document), run(document, method="montecarlo", trials=20_000, seed=4)
        error = (rolled.standard_errors or {})["occupant_hits"]
        assert rolled.metrics["occupant_hits"] == pytest.approx(exact.metrics["occupant_hits"], abs=5 * error)
        return exact.metrics["occupant_hits"]

    assert hits(bunker) == pytest.approx(float(F(1, 6) * F(7, 2) + F(1, 6) * 7))
    assert hits(bunker, AP=1) == pytest.approx(float(F(1, 6) * F(7, 2) + F(1, 6) * 7 + F(2, 6) * 14))
    assert hits(bunker | {"hull_points_left": 1}) == pytest.approx(float(14 + F(1, 6) * F(7, 2) + F(1, 6) * 7))
    tank = make_duel("shooting", make_side(make_group(1, weapons=[gun])), make_side(make_tank(10)))
    assert "occupant_hits" not in run(tank).metrics
