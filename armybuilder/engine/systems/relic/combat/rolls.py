"""The hero's roll: exploding dice, re-rolls of the first die, power numbers instead of dice; exact and sampled."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from armybuilder.engine.combat.dice import exploding, roll_exploding
from armybuilder.engine.combat.distribution import Distribution, certain, of
from armybuilder.engine.systems.relic.hero import Hero

SIX = 6
FACES = range(1, SIX + 1)

Ints = npt.NDArray[np.int64]
Again = Callable[[int, int], bool]
"""Whether the first die is rolled again: its face and the natural sum of the other dice."""


@dataclass(frozen=True, slots=True)
class PowerRoll:
    """Power numbers in the place of a die: what they come to, how many were played, and whether a die follows."""

    total: int
    played: int
    die_follows: bool


def power_roll(numbers: tuple[int, ...]) -> PowerRoll:
    """The first number replaces the die; after a 6 the next one replaces the extra die. Source: L592-596 [text]."""
    total = 0
    for played, number in enumerate(numbers, start=1):
        total += number
        if number != SIX:
            return PowerRoll(total, played, die_follows=False)
    return PowerRoll(total, len(numbers), die_follows=True)


def first_die(again: frozenset[int], times: int) -> dict[int, float]:
    """Chance of each face the first die keeps, when the faces in `again` are re-rolled up to `times` times.

    A natural 6 is never re-rolled, so it is never in `again`. Source: L790 [text], first die only [decision].
    """
    share = len(again) / SIX
    reached = sum(share**n for n in range(times + 1))
    return {face: (share**times if face in again else reached) / SIX for face in FACES}


@lru_cache(maxsize=512)
def explosions(dice: int) -> Distribution:
    """What so many extra dice add, each of them exploding."""
    return exploding().times(dice) if dice else certain(0)


@lru_cache(maxsize=256)
def other_dice(dice: int, lowest: int = 1) -> dict[tuple[int, int], float]:
    """Chances of (natural sum, number of sixes) of the dice beside the first one; faces below `lowest` are left out."""
    chances = {(0, 0): 1.0}
    for _ in range(dice):
        after: dict[tuple[int, int], float] = {}
        for (total, sixes), chance in chances.items():
            for face in range(lowest, SIX + 1):
                key = (total + face, sixes + (face == SIX))
                after[key] = after.get(key, 0.0) + chance / SIX
        chances = after
    return chances


def faces_again(hero: Hero, failing: Again) -> Again:
    """The hero's re-roll policy as a question about a face; without a re-roll always no."""
    reroll = hero.reroll
    if reroll is None:
        return lambda face, others: False
    if reroll.policy == "face_at_most":
        most = reroll.face_at_most or 0
        return lambda face, others: face <= most and face != SIX
    return lambda face, others: face != SIX and failing(face, others)


def natural(hero: Hero, again: Again, *, lowest: int = 1) -> Iterator[tuple[float, int, int, int]]:
    """Every way the dice can lie before they explode: chance, first face, sum of the others, sixes in all."""
    times = hero.reroll.times if hero.reroll else 0
    for (others, sixes), chance in other_dice(hero.dice - 1, lowest).items():
        rolled_again = frozenset(face for face in FACES if again(face, others))
        for face, share in first_die(rolled_again, times).items():
            if share:
                yield chance * share, face, others, sixes + (face == SIX)


def roll_total(hero: Hero) -> Distribution:
    """The hero's roll when the re-roll asks for nothing but the face."""
    totals: dict[int, float] = {}
    for chance, face, others, sixes in natural(hero, faces_again(hero, lambda face, others: False)):
        extra = explosions(sixes)
        for value, share in zip(extra.values, extra.p, strict=True):
            key = face + others + int(value)
            totals[key] = totals.get(key, 0.0) + chance * float(share)
    return of(totals)


def roll_faces(
    hero: Hero, rng: np.random.Generator, size: int, again: Callable[[Ints, Ints], npt.NDArray[np.bool_]]
) -> Ints:
    """Natural faces after re-rolls of the first die; shape (size, dice).

    Args:
        again: faces of the first die and sums of the others, shape (size,) each, to which are rolled again.
    """
    faces = rng.integers(1, SIX + 1, (size, hero.dice))
    others = faces[:, 1:].sum(axis=1)
    for _ in range(hero.reroll.times if hero.reroll else 0):
        wanted = np.flatnonzero(again(faces[:, 0], others) & (faces[:, 0] != SIX))
        if not len(wanted):
            break
        faces[wanted, 0] = rng.integers(1, SIX + 1, len(wanted))
    return faces


def add_explosions(faces: Ints, rng: np.random.Generator) -> Ints:
    """Totals of dice that lie like this: every natural 6 adds an exploding die; shape (size,)."""
    totals: Ints = faces.sum(axis=1)
    owners = np.repeat(np.arange(len(faces)), (faces == SIX).sum(axis=1))
    np.add.at(totals, owners, roll_exploding(rng, len(owners)))
    return totals
