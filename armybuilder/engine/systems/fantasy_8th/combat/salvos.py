"""Salvos: volleys at a unit that falls model by model, and at a monster with its rider, who share the hits."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from armybuilder.engine.combat.distribution import Distribution, Floats
from armybuilder.engine.combat.outcomes import Measured, Outcomes, Values
from armybuilder.engine.errors import LimitExceeded
from armybuilder.engine.findings import Text
from armybuilder.engine.systems.fantasy_8th.combat.attacks import Attack
from armybuilder.engine.systems.fantasy_8th.combat.casualties import (
    MAX_WORK,
    Body,
    Count,
    OnOneBody,
    after,
    body_of,
    outcomes,
    roll_volley,
    unsaved,
    wounds_of,
)
from armybuilder.engine.systems.fantasy_8th.combat.experiments import drawn
from armybuilder.engine.systems.fantasy_8th.combat.joined_units import JoinedUnits, parts_of
from armybuilder.engine.systems.fantasy_8th.combat.melee import dismounted
from armybuilder.engine.systems.fantasy_8th.combat.melee_attackers import FightingSide
from armybuilder.engine.systems.fantasy_8th.matchup import MAX_WOUNDS, Side

Ints = npt.NDArray[np.int64]

MONSTER, RIDER = 0, 1
"""Places of the two in their joined units."""

FOR_THE_RIDER = 1 / 3
"""Share of the hits: 5-6 on a D6. Source: L991-997 [text]."""

SHARED_OUT = Text(
    "A hit strikes the rider on a 5-6, else his monster; a template strikes both. Hits on the slain are lost.",
    "На 5-6 попадание приходится во всадника, иначе в чудовище; шаблон поражает обоих. Попадания в убитого пропадают.",
)

Volley = tuple[Count, Attack]
"""Shots or automatic hits of one group."""

Hits = tuple[tuple[int, Attack], ...]
"""What one shot or template strikes, one after the other."""


@dataclass(frozen=True, slots=True)
class Salvo(OnOneBody[Body]):
    """Volleys at a unit whose models fall one after the other."""

    fired: tuple[Volley, ...]
    body: Body

    @property
    def highest(self) -> int:
        """Most dice that are rolled."""
        return sum(count.highest for count, _ in self.fired)

    @property
    def shots(self) -> float:
        """Shots or hits on average."""
        return sum(float(count.distribution().mean) for count, _ in self.fired)

    def after(self) -> Floats:
        """Chances of the target's states."""
        at = self.body.fresh
        for count, attack in self.fired:
            at = after(at, count, attack, self.body)
        return at

    def unsaved(self) -> Floats:
        """Chances of 0, 1, 2 ... unsaved wounds."""
        wounds: Floats = np.array([[1.0], [0.0]])
        for count, attack in self.fired:
            wounds = unsaved(count, attack, before=wounds)
        return np.asarray(wounds.sum(axis=0))

    def roll(self, rng: np.random.Generator, trials: int) -> tuple[Ints, Ints, Ints]:
        """States, unsaved wounds and dice with dice, shape (trials,) each."""
        at, wounds, shots = (np.zeros(trials, np.int64) for _ in range(3))
        for count, attack in self.fired:
            fallen = roll_volley(at, count.roll(rng, trials), attack, self.body, rng)
            at, wounds, shots = fallen.states, wounds + fallen.unsaved, shots + fallen.attacks
        return at, wounds, shots


def salvo(side: Side, fired: Sequence[Volley]) -> Salvo:
    """Volleys at a unit, with as much of it in the states as they can fell."""
    most = max(wounds_of(side, index) for index in range(len(side.models)))
    worst = 0
    for count, attack in fired:
        length = 1 if attack.row is None else attack.row.length
        damage = attack.damage.highest * attack.factor
        worst += count.highest * length * (most if attack.killing_blow else min(damage, most))
    guarded = any(attack.once for _, attack in fired)
    return Salvo(tuple(fired), body_of(side, wounds_cap=worst, guarded=guarded))


@dataclass(frozen=True, slots=True)
class Burst:
    """Shots or templates that are shared out alike.

    Attributes:
        ways: chances of what each of them strikes.
    """

    number: Distribution
    ways: tuple[tuple[float, Hits], ...]


@dataclass(frozen=True, slots=True)
class Shared(OnOneBody[JoinedUnits]):
    """Bursts at a monster and its rider: hits on the one are lost when he is slain, and never the other's.

    Source: L987-1001 [text].
    """

    side: Side
    body: JoinedUnits
    bursts: tuple[Burst, ...]

    @property
    def highest(self) -> int:
        """Most dice that are rolled."""
        return sum(burst.number.high for burst in self.bursts)

    @property
    def shots(self) -> float:
        """Shots or hits on average; a template is one on each of the two."""
        return sum(float(burst.number.mean) * len(burst.ways[0][1]) for burst in self.bursts)

    @property
    def singled(self) -> Mapping[str, npt.NDArray[np.bool_]]:
        """Both by their names, with the states in which they are slain."""
        return {self.side.models[group].name: slain for group, slain in self.body.singled().items()}

    def after(self) -> Floats:
        """Chances of the states of both.

        Raises:
            LimitExceeded: more work than the service takes.
        """
        size = self.body.size
        if (self.highest + 4) * size**2 > MAX_WORK:
            raise LimitExceeded("This attack is too large for the exact method: use montecarlo.", "/defender/models")
        at = self.body.fresh
        for burst in self.bursts:
            step = np.zeros((size, size))
            for chance, hits in burst.ways:
                moved = np.eye(size)
                for part, attack in hits:
                    moved = self.body.after(moved, Count(fixed=1), attack, part)
                step += chance * moved
            total = np.zeros(size)
            for chance, left in _counted(burst.number):
                total += chance * at
                at = at @ step if left else at
            at = total
        return at

    def unsaved(self) -> Floats:
        """Chances of 0, 1, 2 ... unsaved wounds of both, not limited by what they have."""
        state = np.zeros((2, 2, 1))  # the one-use protection of the monster, of its rider, wounds so far
        state[0, 0, 0] = 1.0
        for burst in self.bursts:
            longest = max(len(hits) for _, hits in burst.ways)
            total = np.zeros((2, 2, state.shape[2] + longest * burst.number.high))
            for chance, left in _counted(burst.number):
                total[:, :, : state.shape[2]] += chance * state
                state = _struck_once(state, burst, longest) if left else state
            state = total
        return np.asarray(state.sum(axis=(0, 1)))

    def roll(self, rng: np.random.Generator, trials: int, works: Ints | None = None) -> tuple[Ints, Ints, Ints]:
        """States, unsaved wounds and hits with dice, shape (trials,) each.

        Args:
            works: 0 in the trials in which nothing is fired.
        """
        at, wounds, shots = (np.zeros(trials, np.int64) for _ in range(3))
        for burst in self.bursts:
            numbers = drawn(burst.number, rng, trials) * (1 if works is None else works)
            chances = np.array([chance for chance, _ in burst.ways])
            for done in range(int(numbers.max(initial=0))):
                mine = np.flatnonzero(numbers > done)
                way = rng.choice(len(chances), size=len(mine), p=chances)
                for number, (_, hits) in enumerate(burst.ways):
                    those = mine[way == number]
                    for part, attack in hits:
                        one = np.ones(len(those), np.int64)
                        at[those], lost = self.body.roll(at[those], one, attack, part, rng)
                        wounds[those] += lost
                        shots[those] += 1
        return at, wounds, shots


Fire = Salvo | Shared
"""Everything that is fired at a target at once."""


def shared(side: Side, bursts: Sequence[Burst]) -> Shared:
    """Bursts at a monster and its rider.

    Args:
        side: as `told_apart` gives it.
    """
    bodies, parts = [], parts_of(side)
    for part, groups in enumerate(parts):
        struck = [attack for burst in bursts for _, hits in burst.ways for at, attack in hits if at == part]
        guarded = any(attack.once for attack in struck)
        bodies.append(body_of(side, wounds_cap=MAX_WOUNDS, guarded=guarded, only=groups))
    return Shared(side, JoinedUnits(tuple(bodies), parts), tuple(bursts))


class Fired(Protocol):
    """What something that is fired has done to its target, for each state of it."""

    @property
    def lost(self) -> Ints:
        """Wounds lost."""

    @property
    def slain(self) -> Ints:
        """Models slain."""

    @property
    def singled(self) -> Mapping[str, npt.NDArray[np.bool_]]:
        """Models that are told apart, with the states in which they are slain."""


def enter(
    outcomes: Outcomes,
    fire: Fired,
    fired: tuple[Ints, Measured, Values],
    destroyed: npt.NDArray[np.bool_],
    *,
    counted: str = "hits",
) -> None:
    """The metrics of what is fired at a target.

    Args:
        fired: state of the target in each case, unsaved wounds, and what is `counted` by that name.
        destroyed: whether nothing of the target is left, for each state.
    """
    at, wounds, number = fired
    outcomes.add(counted, number)
    outcomes.add("unsaved_wounds", wounds, distribution=True)
    outcomes.add("wounds_lost", fire.lost[at])
    outcomes.add("models_slain", fire.slain[at], distribution=True)
    for name, slain in fire.singled.items():
        outcomes.add(f"p_slain:{name}", slain[at])
    outcomes.add("p_destroyed", destroyed[at])


def exactly(fire: Fire) -> tuple[Ints, Measured, Values]:
    """Every state of the target, the distribution of unsaved wounds, and shots or hits on average."""
    return np.arange(len(fire.lost)), Distribution(0, fire.unsaved()), fire.shots


def told_apart(fighting_side: FightingSide) -> tuple[FightingSide, FightingSide] | None:
    """The target as the monster is struck, and as its rider is; None for anything but a lone rider with his monster."""
    if not is_ridden(fighting_side.side):
        return None
    side = dismounted(fighting_side.side)
    (monster,), (rider,) = parts_of(side)
    return _struck_at(fighting_side, side, monster), _struck_at(fighting_side, side, rider)


def is_ridden(side: Side) -> bool:
    """Whether it is a rider with his monster and nobody else."""
    present = [group for group in side.models if group.count]
    return len(present) == 1 and present[0].count == 1 and present[0].rides_a_monster


def by_die(monster: Attack, rider: Attack) -> tuple[tuple[float, Hits], ...]:
    """A shot or hit of which a D6 says whom it strikes."""
    return ((1 - FOR_THE_RIDER, ((MONSTER, monster),)), (FOR_THE_RIDER, ((RIDER, rider),)))


def both(monster: Attack, rider: Attack) -> tuple[tuple[float, Hits], ...]:
    """A template, which strikes them both."""
    return ((1.0, ((MONSTER, monster), (RIDER, rider))),)


def centred(monster: tuple[Attack, Attack], rider: tuple[Attack, Attack]) -> tuple[tuple[float, Hits], ...]:
    """A template whose centre strikes one of them harder, as a D6 says.

    Args:
        monster, rider: struck by the centre, and struck as all others.
    """
    return (
        (1 - FOR_THE_RIDER, ((MONSTER, monster[0]), (RIDER, rider[1]))),
        (FOR_THE_RIDER, ((MONSTER, monster[1]), (RIDER, rider[0]))),
    )


def _struck_at(fighting_side: FightingSide, side: Side, group: int) -> FightingSide:
    return FightingSide(side, fighting_side.name, fighting_side.options, shift=fighting_side.shift, struck=group)


def _counted(number: Distribution) -> Iterator[tuple[float, bool]]:
    """For 0, 1, 2 ... dice: the chance of so many, and whether there may be more."""
    for value in range(number.high + 1):
        yield (float(number.probability(value)) if value >= number.low else 0.0), value < number.high


def _struck_once(state: Floats, burst: Burst, longest: int) -> Floats:
    """Unsaved wounds after one more shot or template."""
    total = np.zeros((2, 2, state.shape[2] + longest))
    for chance, hits in burst.ways:
        now = state
        for part, attack in hits:
            now = _struck_part(now, part, attack)
        total[:, :, : now.shape[2]] += chance * now
    return total


def _struck_part(state: Floats, part: int, attack: Attack) -> Floats:
    """Unsaved wounds after one more hit on one of the two."""
    state = np.moveaxis(state, part, 0)
    moved = np.zeros((2, 2, state.shape[2] + 1))
    for spent in range(2):
        found = outcomes(attack, spent=bool(spent) or attack.once is None)
        for used, wound in np.ndindex(found.shape):
            width = slice(wound, wound + state.shape[2])
            moved[spent or (used if attack.once else 0), :, width] += found[used, wound] * state[spent]
    return np.moveaxis(moved, 0, part)
