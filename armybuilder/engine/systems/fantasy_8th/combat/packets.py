"""What one attack does to a unit of a whole battle, as chances of slaying packets and wounds, and sums of such."""

from collections.abc import Sequence

import numpy as np

from armybuilder.engine.combat import exact
from armybuilder.engine.combat.distribution import Chances, Distribution, convolved
from armybuilder.engine.systems.fantasy_8th.combat import attacks


def packets_of(attack: attacks.Attack, most: int) -> Chances:
    """What one attack does, as slaying packets and wounds; a wound worth a whole model slays it.

    Args:
        most: wounds of an ordinary model of the target.
    """
    if attack.row is not None:
        return _in_a_row(attack, most)
    p = exact.packets(attacks.tree(attack), (attacks.SLAIN, attacks.WOUND))
    total = np.zeros((2, most + 1))
    total[0, 0] = p[0, 0]
    slain = float(p[1:].sum())
    for wounds in range(1, p.shape[1]):
        for value, chance in attack.damage.distribution().as_dict().items():
            lost = int(value) * attack.factor * wounds
            if lost >= most > 1:
                slain += float(p[0, wounds]) * chance
            else:
                total[0, min(lost, most)] += float(p[0, wounds]) * chance
    if most == 1:
        total[0, 1] += slain
    else:
        total[1, 0] += slain
    return total


def _in_a_row(attack: attacks.Attack, most: int) -> Chances:
    """The same of a shot that goes on to the next model when it slays."""
    lost = exact.packets(attacks.tree(attack), (attacks.WOUND,))
    if most == 1:
        return np.asarray(lost[None, :], np.float64)
    total = np.zeros((len(lost) // most + 1, most))
    for points, chance in enumerate(lost):
        total[divmod(points, most)] += float(chance)
    return total


def repeated(base: Chances, number: Distribution) -> Chances:
    """So many attacks, one after the other."""
    parts: list[tuple[float, Chances]] = []
    power: Chances = np.ones((1, 1))
    for count in range(number.high + 1):
        chance = float(number.probability(count)) if count >= number.low else 0.0
        if chance:
            parts.append((chance, power))
        if count < number.high:
            power = convolved(power, base)
    return mean_of(parts)


def mean_of(ways: Sequence[tuple[float, Chances]]) -> Chances:
    """One of several ways, each with its chance."""
    total = np.zeros(tuple(max(p.shape[axis] for _, p in ways) for axis in range(2)))
    for chance, p in ways:
        total[: p.shape[0], : p.shape[1]] += chance * p
    return total
