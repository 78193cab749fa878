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


def perils_matrix(unit: Unit) -> Floats:
    """Where one case of Perils leads the unit: row = position before, column = position after."""
    lineup = unit.row
    one = transition(lineup, Distribution(1, np.ones(1)))
    matrix = np.zeros_like(one)
    kind_at = np.append(lineup.kind_at, 0)
    for kind in set(lineup.kinds):
        p = exact.packets(perils_of(unit, kind), (WOUND,))
        moved = exact.one_attack(p, [one])
        matrix[kind_at == kind] = moved[kind_at == kind]
    matrix[-1] = 0.0
    matrix[-1, -1] = 1.0
    return matrix


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
