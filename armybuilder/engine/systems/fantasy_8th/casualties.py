"""Casualties: volleys of identical attacks eat their way through a unit, exactly and with dice."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from armybuilder.engine.combat.dice import Dice
from armybuilder.engine.combat.distribution import Distribution, Floats, convolved, mixture, of, power
from armybuilder.engine.combat.exact import one_attack, packets
from armybuilder.engine.combat.sampling import rolled
from armybuilder.engine.combat.steps.damage import SLAIN as ALL_ITS_WOUNDS
from armybuilder.engine.combat.steps.damage import Lineup, transition
from armybuilder.engine.errors import LimitExceeded
from armybuilder.engine.systems.fantasy_8th.attacks import EFFECTS, SLAIN, UNSAVED, WOUND, Attack, tree
from armybuilder.engine.systems.fantasy_8th.experiments import drawn
from armybuilder.engine.systems.fantasy_8th.matchup import Side

Ints = npt.NDArray[np.int64]


MAX_WORK = 4e9
"""Multiplications of one exact attack or round the service takes; larger ones are rolled."""

NO_DICE = Dice(0, 0, 0)

ARTILLERY_DIE = of({0: 1 / 6, 2: 1 / 6, 4: 1 / 6, 6: 1 / 6, 8: 1 / 6, 10: 1 / 6})
"""Hits by the artillery die; 0 is a misfire. Source: E-48 [carried]."""


@dataclass(frozen=True, slots=True)
class Count:
    """A number of attack dice: copies of a roll, a fixed number on top, and artillery dice."""

    copies: int = 0
    dice: Dice = NO_DICE
    fixed: int = 0
    artillery: int = 0

    @property
    def highest(self) -> int:
        """The largest number it can come to."""
        return self.copies * self.dice.highest + self.fixed + self.artillery * ARTILLERY_DIE.high

    def distribution(self) -> Distribution:
        """Chances of the number."""
        plain = self.dice.distribution().times(self.copies).shifted(self.fixed)
        return plain + ARTILLERY_DIE.times(self.artillery) if self.artillery else plain

    def roll(self, rng: np.random.Generator, size: int) -> Ints:
        """Independent numbers, shape (size,)."""
        total = np.full(size, self.fixed, np.int64)
        for _ in range(self.artillery):
            total += drawn(ARTILLERY_DIE, rng, size)
        if self.dice.fixed is not None:
            return total + self.copies * self.dice.highest
        for _ in range(self.copies):
            total += self.dice.roll(rng, size)
        return total


@dataclass(frozen=True)
class Body:
    """A unit as a target: a state says how many wounds it has lost and whether one-use protection is gone.

    So it is remembered as well that the model in front regenerates no more after a flaming wound (L576-584).

    States 0 to `row.last` still have the protection, those behind them have not; without protection only the
    first half exists.
    """

    row: Lineup
    guarded: bool = False

    @property
    def size(self) -> int:
        """Number of states."""
        return (self.row.last + 1) * (2 if self.guarded else 1)

    @cached_property
    def lost(self) -> Ints:
        """Wounds lost, for each state."""
        return np.tile(np.arange(self.row.last + 1), 2 if self.guarded else 1)

    @cached_property
    def slain(self) -> Ints:
        """Models slain, for each state."""
        return np.tile(self.row.slain, 2 if self.guarded else 1)

    @cached_property
    def destroyed(self) -> npt.NDArray[np.bool_]:
        """Whether nobody is left, for each state."""
        return np.asarray((self.lost == self.row.last) & (self.row.last > 0), np.bool_)

    @cached_property
    def whole(self) -> npt.NDArray[np.bool_]:
        """Whether the model in front is unharmed, by wounds lost."""
        return np.isin(np.arange(self.row.last + 1), np.cumsum((0, *self.row.wounds)))

    @property
    def fresh(self) -> Floats:
        """Chances of the states before the first attack."""
        start = np.zeros(self.size)
        start[0] = 1.0
        return start


def body_of(side: Side, *, wounds_cap: int, guarded: bool = False) -> Body:
    """The unit's models from the rear: rank and file first, then the other groups, characters last.

    Args:
        wounds_cap: no more wounds than this can be lost; further models are left out of the row.

    Source: L282-283, L891-892, L938 [text].
    """
    order = row_order(side)
    wounds: list[int] = []
    kinds: list[int] = []
    total = 0
    for index in order:
        group = side.models[index]
        each = wounds_of(side, index)
        for _ in range(group.count):
            if total > wounds_cap:
                break
            wounds.append(each)
            kinds.append(index)
            total += each
    return Body(Lineup(tuple(wounds), tuple(kinds)), guarded)


def row_order(side: Side) -> list[int]:
    """Groups in the order in which they are removed."""
    main = side.main_index
    return sorted(range(len(side.models)), key=lambda i: (i != main, side.models[i].is_character, i))


def wounds_of(side: Side, index: int) -> int:
    """Wounds of a model; of monstrous cavalry the higher number of rider and mount. Source: L726-728 [text]."""
    group = side.models[index]
    own = group.profile.W or 1
    if group.troop_type == "war_machine" and group.crew is not None:
        return max(1, group.crew.count)
    if group.troop_type == "monstrous_cavalry" and group.mount is not None:
        own = max(own, group.mount.profile.W or 1)
    return max(1, own)


def after(states: Floats, count: Count, attack: Attack, body: Body) -> Floats:
    """Chances of the target's states after a volley.

    Args:
        states: before it, shape (..., body.size).

    Raises:
        LimitExceeded: more work than the service takes.
    """
    if not count.highest or not body.row.last:
        return states
    if attack.simple and not body.guarded:
        return _swept(states, hits_of(count, attack), body)
    if count.highest * states.size * body.size > MAX_WORK:
        raise LimitExceeded("This attack is too large for the exact method: use montecarlo.", "/attacker/models")
    numbers = count.distribution()
    step = _step(attack, body)
    total = np.zeros_like(states)
    for value in range(numbers.high + 1):
        total += float(numbers.probability(value)) * states
        if value < numbers.high:
            states = states @ step
    return total


def hits_of(count: Count, attack: Attack) -> Floats:
    """Unsaved wounds of a volley of simple attacks: chances of 0, 1, 2 ..."""
    return compound(np.asarray(packets(tree(attack), (WOUND,)), np.float64), count)


def compound(one: Floats, count: Count) -> Floats:
    """The sum of as many independent packets as the count says: each die of the count is its own sum."""
    rolls = [(count.dice.distribution(), count.copies), (ARTILLERY_DIE, count.artillery)]
    total = power(one, count.fixed)
    for die, copies in rolls:
        if copies:
            each = mixture((float(c), Distribution(0, power(one, int(n)))) for n, c in die.as_dict().items())
            total = convolved(total, power(np.asarray(each.p, np.float64), copies))
    return np.asarray(total, np.float64)


def unsaved(count: Count, attack: Attack, *, before: Floats | None = None) -> Floats:
    """Unsaved wounds of a volley, not limited by the target: with and without its one-use protection.

    Args:
        before: unsaved wounds so far, shape (2, wounds + 1): row 0 while the protection is there.
    """
    start = np.array([[1.0], [0.0]]) if before is None else before
    if attack.row is not None:
        alone = np.asarray(packets(tree(attack), (UNSAVED,)), np.float64)
        drawn_wounds = compound(alone, count)
        return np.stack([convolved(row, drawn_wounds) for row in start])
    numbers = count.distribution()
    fresh = _outcomes(attack, spent=False)
    gone = _outcomes(attack, spent=True)
    width = start.shape[1] + numbers.high
    state = np.zeros((2, width))
    state[:, : start.shape[1]] = start
    if attack.once is None:
        total = np.zeros((2, width))
        alone = np.array([gone[0, 0] + gone[1, 0], gone[0, 1] + gone[1, 1]])
        drawn_wounds = compound(alone, count)
        for row in range(2):
            chances = convolved(start[row], drawn_wounds)
            total[row, : len(chances)] = chances
        return total
    total = np.zeros((2, width))
    for value in range(numbers.high + 1):
        total += float(numbers.probability(value)) * state
        moved = np.zeros_like(state)
        for spent in range(2):
            for wounds in range(2):
                if wounds:
                    moved[spent, 1:] += state[0, :-1] * fresh[spent, 1]
                    if spent:
                        moved[1, 1:] += state[1, :-1] * (gone[0, 1] + gone[1, 1])
                else:
                    moved[spent] += state[0] * fresh[spent, 0]
                    if spent:
                        moved[1] += state[1] * (gone[0, 0] + gone[1, 0])
        state = moved
    return total


@dataclass(slots=True)
class Fallen:
    """What a sampled volley did.

    Attributes:
        states: of the target, shape (trials,).
        unsaved: wounds after saves, each counted once.
        attacks: dice rolled.
    """

    states: Ints
    unsaved: Ints
    attacks: Ints


def roll_volley(states: Ints, attacks: Ints, attack: Attack, body: Body, rng: np.random.Generator) -> Fallen:
    """A volley with dice.

    Args:
        states: of the target before it, shape (trials,); attacks: dice of each trial.
    """
    last = body.row.last
    if attack.row is not None:
        found = rolled(tree(attack), attacks, (WOUND, UNSAVED), rng).packets
        return Fallen(np.minimum(states + found[:, 0], last), found[:, 1], attacks)
    if attack.simple and not body.guarded:
        wounds = rolled(tree(attack), attacks, (WOUND,), rng).packets[:, 0]
        return Fallen(np.minimum(states + wounds, last), wounds, attacks)
    states = states.copy()
    total = np.zeros_like(states)
    nodes = (tree(attack, spent=False), tree(attack))
    ends = np.append(body.row.ends, last)
    for done in range(int(attacks.max(initial=0))):
        fresh = (states <= last) if body.guarded else np.zeros(len(states), bool)
        for spent in (False, True):
            mine = np.flatnonzero((attacks > done) & (fresh != spent))
            if not len(mine):
                continue
            effects = rolled(nodes[int(spent)], np.ones(len(mine), np.int64), EFFECTS, rng).packets
            place = states[mine] % (last + 1)
            flag = states[mine] // (last + 1)
            damage = attack.damage.roll(rng, len(mine)) * attack.factor
            hurt, dead, used = (effects[:, column] > 0 for column in range(3))
            limit = ends[place]
            place = np.where(dead, limit, np.where(hurt, np.minimum(place + damage, limit), place))
            if body.guarded:
                flag = np.where(used, 1, flag)
            if attack.fading:
                flag = np.where(body.whole[place], 0, flag)
            states[mine] = flag * (last + 1) + place
            total[mine] += hurt | dead
    return Fallen(states, total, attacks)


def _swept(states: Floats, wounds: Floats, body: Body) -> Floats:
    """States after a number of single wounds: those beyond the last state stay there."""
    size = states.shape[-1]
    wide = size + len(wounds) - 1
    if states.ndim == 1 or states.size * len(wounds) < 4_000_000:
        rows = states.reshape(-1, size)
        moved = np.zeros((len(rows), wide))
        for number, chance in enumerate(wounds):
            if chance:
                moved[:, number : number + size] += chance * rows
    else:
        length = 1 << (wide - 1).bit_length()
        rows = states.reshape(-1, size)
        spectrum = np.fft.rfft(rows, length, axis=1) * np.fft.rfft(wounds, length)
        moved = np.maximum(np.fft.irfft(spectrum, length, axis=1)[:, :wide], 0.0)
    kept = moved[:, :size].copy()
    kept[:, -1] += moved[:, size:].sum(axis=1)
    return kept.reshape(states.shape)


def _outcomes(attack: Attack, *, spent: bool) -> Floats:
    """Chance of (protection used up or not, unsaved wound or not) of one attack."""
    p = packets(tree(attack, spent=spent), EFFECTS)
    chances = np.zeros((2, 2))
    for wound, slain, used in np.ndindex(p.shape):
        chances[min(1, used), min(1, wound + slain)] += p[wound, slain, used]
    return chances


def _step(attack: Attack, body: Body) -> Floats:
    """What one attack does to the states."""
    damage = attack.damage.distribution()
    if attack.doubled:
        damage = damage.map(lambda points: 2 * points)
    moves = (transition(body.row, damage), transition(body.row, ALL_ITS_WOUNDS))
    gone = packets(tree(attack), (WOUND, SLAIN))
    if not body.guarded:
        return one_attack(gone, moves)
    fresh = packets(tree(attack, spent=False), EFFECTS)
    used = np.zeros(fresh.shape[:2]) if fresh.shape[2] == 1 else fresh[:, :, 1:].sum(axis=2)
    half = body.row.last + 1
    step = np.zeros((2 * half, 2 * half))
    step[:half, :half] = one_attack(fresh[:, :, 0], moves)
    step[:half, half:] = one_attack(used, moves)
    step[half:, half:] = one_attack(gone, moves)
    if attack.fading:  # the next model regenerates again
        unharmed = np.flatnonzero(body.whole)
        step[:, unharmed] += step[:, half + unharmed]
        step[:, half + unharmed] = 0.0
    return step
