"""What dice of one model come to, as chances of slaying packets and wounds, put together die by die."""

from collections.abc import Iterable
from typing import TypeAlias

import numpy as np

from armybuilder.engine.combat.dice import Dice
from armybuilder.engine.combat.distribution import Chances

Outcomes: TypeAlias = dict[tuple[int, int], float]
"""Chances of so many slaying packets and so many wounds."""

NOTHING: Outcomes = {(0, 0): 1.0}


def together(first: Outcomes, second: Outcomes) -> Outcomes:
    """Both, one after the other."""
    found: Outcomes = {}
    for (slain, lost), p in first.items():
        for (more_slain, more_lost), q in second.items():
            if p * q > 0.0:
                key = (slain + more_slain, lost + more_lost)
                found[key] = found.get(key, 0.0) + p * q
    return found


def power(each: Outcomes, number: int) -> Outcomes:
    """So many of the same."""
    found = NOTHING
    for _ in range(number):
        found = together(found, each)
    return found


def repeated(each: Outcomes, dice: Dice) -> Outcomes:
    """As many of the same as the dice show."""
    return mixed((float(share), power(each, int(number))) for number, share in dice.distribution().as_dict().items())


def mean_repeated(each: Outcomes, mean: float) -> Outcomes:
    """So many of the same on average: the whole number below, or the one above."""
    low = int(mean)
    return mixed(((1.0 - (mean - low), power(each, low)), (mean - low, power(each, low + 1))))


def mixed(parts: Iterable[tuple[float, Outcomes]]) -> Outcomes:
    """One of several, each with its chance."""
    found: Outcomes = {}
    for share, outcomes in parts:
        for key, chance in outcomes.items():
            if share * chance > 0.0:
                found[key] = found.get(key, 0.0) + share * chance
    return found


def array(outcomes: Outcomes) -> Chances:
    """As an `Attack` holds them: the chance of s slaying packets and w wounds at [s, w]."""
    shape = tuple(1 + max(key[axis] for key in outcomes) for axis in (0, 1))
    found = np.zeros(shape)
    for key, chance in outcomes.items():
        found[key] = chance
    return found
