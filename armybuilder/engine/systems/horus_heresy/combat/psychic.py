"""Psychic checks before an attack, and the Perils of the Warp that follow a failed one."""

from functools import lru_cache

import numpy as np

from armybuilder.engine.combat import exact
from armybuilder.engine.combat.dice import Dice
from armybuilder.engine.combat.distribution import Distribution, Floats, binomial
from armybuilder.engine.combat.sequence import End, Node, Several
from armybuilder.engine.combat.steps.damage import transition
from armybuilder.engine.combat.steps.saves import best_save, saved
from armybuilder.engine.systems.horus_heresy.combat.target_state import Unit
from armybuilder.engine.systems.horus_heresy.combat.wounding import D3, WOUND

TWO_D6 = Dice(2, 6)


@lru_cache(maxsize=64)
def leadership_chance(leadership: int) -> float:
    """Chance of a Leadership test: 2 always passes, 12 always fails. Source: HH L301-L311 [text]."""
    return sum(1 for a in range(1, 7) for b in range(1, 7) if a + b == 2 or (a + b <= leadership and a + b < 12)) / 36


def perils_of(unit: Unit, kind: int) -> Node:
    """D3 wounds on models of a kind, invulnerable saves only, no damage mitigation; D3 hull points of a vehicle.

    Source: HH L1809, L2787 [text].
    """
    if unit.is_vehicle:
        return Several(D3, saved(best_save((unit.armour("front").invulnerable,)), End(WOUND)))
    defence = unit.defences()[kind]
    return Several(D3, saved(best_save((defence.invulnerable, defence.adamantium_will)), End(WOUND)))


def after_perils(unit: Unit, start: Floats) -> Floats:
    """Where one case of Perils leads the unit.

    Args:
        start: chances of its positions before, shape (..., positions).
    """
    lineup = unit.row
    one = transition(lineup, Distribution(1, np.ones(1)))
    kind_at = np.append(lineup.kind_at, 0)
    found = np.zeros_like(start)
    found[..., -1] = start[..., -1]
    for kind in set(lineup.kinds):
        before = np.where(kind_at == kind, start, 0.0)
        before[..., -1] = 0.0
        if before.any():
            met = before.reshape(-1, len(one)).any(axis=1).reshape(start.shape[:-1])
            found[met] += exact.resolved(exact.packets(perils_of(unit, kind), (WOUND,)), [one], before[met])
    return found


def perils_matrix(unit: Unit) -> Floats:
    """The same from every position: row = position before, column = position after."""
    return after_perils(unit, np.eye(len(unit.row.kind_at) + 1))


def checks(unit: Unit, psykers: int, leadership: int, position: int = 0) -> list[tuple[float, int, int]]:
    """How the psychic checks of several psykers turn out.

    Returns:
        (chance, checks passed, position of the unit after the Perils of the failed ones).
    """
    if not psykers:
        return [(1.0, 0, position)]
    step = perils_matrix(unit)
    outcomes: list[tuple[float, int, int]] = []
    state = np.zeros(len(step))
    state[position] = 1.0
    rows = [state]
    for _ in range(psykers):
        rows.append(rows[-1] @ step)
    for passed, chance in enumerate(binomial(psykers, leadership_chance(leadership)).p):
        after = rows[psykers - passed]
        outcomes += [(float(chance * p), passed, int(at)) for at, p in enumerate(after) if p * chance > 1e-15]
    return outcomes
