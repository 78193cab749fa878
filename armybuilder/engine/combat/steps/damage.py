"""Damage: packets of wounds on models that stand in a row, with no wound spilling over from one model to the next."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from armybuilder.engine.combat.distribution import Distribution, Floats

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Lineup:
    """The models of a target in the order in which they are removed.

    A position counts the wounds taken from the front of the row: 0 is unharmed, the last position is destroyed.

    Attributes:
        wounds: wounds left of each model.
        kinds: to which kind (profile) each model belongs, counted from 0.
    """

    wounds: tuple[int, ...]
    kinds: tuple[int, ...]

    @property
    def last(self) -> int:
        """The position at which nobody is left."""
        return sum(self.wounds)

    @property
    def ends(self) -> Ints:
        """For each position but the last: where the model that stands there is dead."""
        return _ends(self)

    @property
    def kind_at(self) -> Ints:
        """For each position but the last: the kind of the model that takes the next wound."""
        return np.repeat(np.array(self.kinds, np.int64), self.wounds)

    @property
    def slain(self) -> Ints:
        """For each position: how many models are gone."""
        taken = np.searchsorted(np.cumsum(self.wounds), np.arange(self.last + 1), side="right")
        return np.asarray(taken, np.int64)

    def standing(self, kind: int) -> Ints:
        """For each position: how many models of this kind are left."""
        gone = np.concatenate([[0], np.cumsum(np.array(self.kinds) == kind)])
        return np.asarray((gone[-1] - gone)[self.slain], np.int64)


def lineup(models: int, wounds: int, *, first: int | None = None) -> Lineup:
    """Identical models; the first one may have fewer wounds left."""
    row = [wounds] * models
    if first is not None and row:
        row[0] = min(first, wounds)
    return Lineup(tuple(row), (0,) * models)


SLAIN = None
"""As damage: the model that is hit dies, however many wounds it has left."""


def transition(target: Lineup, damage: Distribution | None, chances: tuple[float, ...] = (1.0,)) -> Floats:
    """What one packet does: row = position before, column = position after.

    Args:
        damage: points the packet takes from one model; SLAIN for all it has.
        chances: per kind of model, the chance that the packet has any effect (its save fails).
    """
    size = target.last
    matrix = np.zeros((size + 1, size + 1))
    matrix[size, size] = 1.0
    if not size:
        return matrix
    here = np.arange(size)
    works = np.array(chances)[target.kind_at] if len(chances) > 1 else np.full(size, chances[0])
    matrix[here, here] += 1.0 - works
    if damage is None:
        np.add.at(matrix, (here, target.ends), works)
    else:
        for points, share in zip(damage.values, damage.p, strict=True):
            np.add.at(matrix, (here, np.minimum(here + points, target.ends)), works * share)
    return matrix


@lru_cache(maxsize=512)
def _ends(target: Lineup) -> Ints:
    return np.repeat(np.cumsum(np.array(target.wounds, np.int64)), target.wounds)
