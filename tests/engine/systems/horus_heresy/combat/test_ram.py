"""Rams: hits on men and machines, what they do to the rammer, flight, Death or Glory."""

from fractions import Fraction as F  # noqa: N817 - many small fractions

import msgspec
import pytest

from armybuilder.engine.documents import parse_matchup
from armybuilder.engine.errors import BadDocument
from armybuilder.engine.simulate import Result, simulate
from armybuilder.engine.systems.horus_heresy.matchup import AttackConditions, HeresyMatchup
from tests.engine.systems.horus_heresy.combat.builders import (
    Json,
    make_blade,
    make_duel,
    make_group,
    make_side,
    make_tank,
    make_weapon,
    run,
)


def ram(tank: Json, target: Json, *, method: str = "exact", **stated: object) -> Result:
    """A ram, with what only lists can state."""
    matchup = parse_matchup(make_duel("ram", make_side(tank), target))
    assert isinstance(matchup, HeresyMatchup)
    conditions = AttackConditions(**msgspec.structs.asdict(matchup.conditions_in_force), **stated)  # type: ignore[arg-type]
    return simulate(msgspec.structs.replace(matchup, conditions=conditions, method=method, trials=40_000, seed=3))


def close(found: Result, rolled: Result) -> None:
    assert found.metrics.keys() == rolled.metrics.keys()
    for name, value in found.metrics.items():
        error = (rolled.standard_errors or {}).get(name, 0.0)
        assert rolled.metrics[name] == pytest.approx(value, abs=5 * error + 1e-4), name


def test_a_tank_runs_over_a_squad() -> None:
    """D6 hits of Strength 13/2 = 7, rounded up, no AP, then a morale check at Leadership 7."""
    found = ram(make_tank(13), make_side())
    assert found.metrics["hits"] == pytest.approx(3.5)
    assert found.metrics["unsaved_wounds"] == pytest.approx(float(F(7, 2) * F(5, 6) * F(1, 3)))
    assert found.metrics["p_flees"] == pytest.approx(15 / 36, abs=1e-6)
    assert run(make_duel("ram", make_side(make_tank(13)), make_side(rules=["Fearless"]))).metrics["p_flees"] == 0.0
    close(found, ram(make_tank(13), make_side(), method="montecarlo"))


def test_a_super_heavy_runs_over_a_squad() -> None:
    found = ram(make_tank(13, subtypes=["super_heavy"]), make_side())
    assert found.metrics["hits"] == pytest.approx(7.0)
    assert found.metrics["wounds"] == pytest.approx(7 * 5 / 6)


def test_tank_against_tank() -> None:
    """Front 12 against front 12: Strength 6 both ways, 7 for more hull points, 10 for a slow one."""
    found = ram(make_tank(12), make_side(make_tank(12)))
    assert found.metrics["p_glancing_per_hit"] == pytest.approx(1 / 6)
    assert found.metrics["p_penetrating_per_hit"] == 0.0
    assert found.metrics["attacker_hull_points_lost"] == pytest.approx(1 / 6)
    assert "p_flees" not in found.metrics
    bigger = ram(make_tank(12, hp=4), make_side(make_tank(12)))
    assert bigger.metrics["p_penetrating_per_hit"] == pytest.approx(1 / 6)
    assert bigger.metrics["attacker_hull_points_lost"] == pytest.approx(1 / 6)
    slow = ram(make_tank(12, subtypes=["slow"]), make_side(make_tank(12)))
    assert slow.metrics["p_penetrating_per_hit"] == pytest.approx(4 / 6)
    close(bigger, ram(make_tank(12, hp=4), make_side(make_tank(12)), method="montecarlo"))


def test_death_or_glory() -> None:
    """A melta gun (Strength 8, AP1) on front 12: 5 and 6 penetrate; stunned on 2, immobilised or worse from 4."""
    gunner = make_group(5, weapons=[make_weapon(S=8, AP=1, range=12, count=1), make_blade()])
    found = ram(make_tank(12), make_side(gunner), reaction="death_or_glory")
    passes = F(21, 36)
    tried = float(passes) * (1 - found.metrics["p_destroyed"])
    assert found.metrics["p_stopped"] == pytest.approx(tried * float(F(2, 6) * F(4, 6)), abs=1e-9)
    assert "p_stopped" not in ram(make_tank(12), make_side(gunner)).metrics
    assert any(item.rule == "Death or Glory" for item in found.approximated)
    last = ram(make_tank(12, hull_points_left=1), make_side(gunner), reaction="death_or_glory")
    assert last.metrics["p_stopped"] == pytest.approx(tried * 3 / 6, abs=1e-9), "a glancing hit wrecks it"
    automata = make_side(gunner | {"type": "automata"})
    assert "p_stopped" not in ram(make_tank(12), automata, reaction="death_or_glory").metrics
    close(found, ram(make_tank(12), make_side(gunner), reaction="death_or_glory", method="montecarlo"))


@pytest.mark.parametrize(
    ("attacker", "target"),
    [
        (make_group(1), make_side()),
        (make_tank(12, subtypes=["knight"]), make_side()),
        (make_tank(12, subtypes=["flyer"]), make_side()),
        (make_tank(12, immobilised=True), make_side()),
        (make_tank(12), make_side(make_tank(10, subtypes=["flyer"]))),
    ],
)  # fmt: skip
def test_who_does_not_ram(attacker: Json, target: Json) -> None:
    with pytest.raises(BadDocument):
        ram(attacker, target)
