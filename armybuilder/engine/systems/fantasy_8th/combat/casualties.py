"""Casualties: volleys of identical attacks eat their way through a unit, exactly and with dice."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from armybuilder.engine.combat.dice import Dice
from armybuilder.engine.combat.distribution import Distribution, Floats, convolved, mixture, of, power, unharmed
from armybuilder.engine.combat.exact import one_attack, packets
from armybuilder.engine.combat.sampling import rolled
from armybuilder.engine.combat.steps.damage import Lineup, transition
from armybuilder.engine.errors import LimitExceeded
from armybuilder.engine.systems.fantasy_8th.combat.attacks import EFFECTS, SLAIN, UNSAVED, WOUND, Attack, tree
from armybuilder.engine.systems.fantasy_8th.combat.experiments import drawn
from armybuilder.engine.systems.fantasy_8th.combat.rules_in_force import group_rules, unit_rules
from armybuilder.engine.systems.fantasy_8th.matchup import Side

Ints = npt.NDArray[np.int64]


MAX_WORK = 4e9
"""Multiplications of one exact attack or round the service takes; larger ones are rolled."""

NO_DICE = Dice(0, 0, 0)

FACES_OF_THE_MONSTER = 4
"""Of the die that shares wounds between a monster and its handlers. Source: L521-528 [text]."""

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

    The first half of the states still has the protection, the second has not; without protection only the first
    exists. In each of them the wounds lost count fastest, then the handlers that are gone.

    Attributes:
        handlers: of a monster; they take every third of its wounds (L521-528).
        beyond: wounds that are counted after the last one, for overkill in a challenge (L971-972).
    """

    row: Lineup
    guarded: bool = False
    handlers: int = 0
    beyond: int = 0

    @property
    def places(self) -> int:
        """Numbers of wounds that can be counted."""
        return self.row.last + self.beyond + 1

    @property
    def layer(self) -> int:
        """States with, or without, the protection."""
        return self.places * (self.handlers + 1)

    @property
    def size(self) -> int:
        """Number of states."""
        return self.layer * (2 if self.guarded else 1)

    @cached_property
    def place(self) -> Ints:
        """Wounds counted, for each state."""
        return np.arange(self.size) % self.places

    @cached_property
    def lost(self) -> Ints:
        """Wounds lost, for each state."""
        return np.asarray(np.minimum(self.place, self.row.last), np.int64)

    @cached_property
    def scored(self) -> Ints:
        """Wounds that count for the combat result: those of handlers too, and overkill."""
        return np.asarray(self.place + np.arange(self.size) // self.places % (self.handlers + 1), np.int64)

    @cached_property
    def slain(self) -> Ints:
        """Models slain, for each state; handlers are none."""
        return np.asarray(self.row.slain[self.lost], np.int64)

    @cached_property
    def destroyed(self) -> npt.NDArray[np.bool_]:
        """Whether nobody is left, for each state."""
        return np.asarray((self.lost == self.row.last) & (self.row.last > 0), np.bool_)

    @cached_property
    def whole(self) -> npt.NDArray[np.bool_]:
        """Whether the model in front is unharmed, for each state of a layer."""
        return np.isin(self.place[: self.layer], np.cumsum((0, *self.row.wounds)))

    @cached_property
    def fresh(self) -> Floats:
        """Chances of the states before the first attack."""
        return unharmed(self.size)

    def fallen(self, groups: int) -> Ints:
        """Models of each group that are gone, shape (states, groups)."""
        kinds = np.array(self.row.kinds, np.int64)[:, None] == np.arange(groups)
        gone = np.concatenate([np.zeros((1, groups), np.int64), np.cumsum(kinds, axis=0)])
        return np.asarray(gone[self.slain], np.int64)


class Losses(Protocol):
    """What is lost in each of the states of a target."""

    @property
    def lost(self) -> Ints: ...

    @property
    def slain(self) -> Ints: ...


L = TypeVar("L", bound=Losses)


class OnOneBody(Generic[L]):
    """What is done to one `body`, by its states; a rider and his monster are one too."""

    __slots__ = ()
    body: L

    @property
    def lost(self) -> Ints:
        """Wounds lost, for each state."""
        return self.body.lost

    @property
    def slain(self) -> Ints:
        """Models slain, for each state."""
        return self.body.slain

    @property
    def singled(self) -> Mapping[str, npt.NDArray[np.bool_]]:
        """Models that are told apart, with the states in which they are slain: none."""
        return {}


def body_of(side: Side, *, wounds_cap: int, guarded: bool = False, only: Sequence[int] | None = None) -> Body:
    """The unit's models from the rear: rank and file first, then the other groups, characters last.

    Args:
        wounds_cap: no more wounds than this can be lost; further models are left out of the row.
        only: groups that are in it; None for all.

    Source: L282-283, L891-892, L938 [text].
    """
    order = [index for index in row_order(side) if only is None or index in only]
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
    return Body(Lineup(tuple(wounds), tuple(kinds)), guarded, handlers_of(side, order))


def handlers_of(side: Side, groups: Sequence[int]) -> int:
    """Handlers who take wounds for the only monster among these groups. Source: L521-528 [text]."""
    models = [side.models[index] for index in groups if side.models[index].count]
    if len(models) != 1 or models[0].count != 1:
        return 0
    return (models[0].handlers or 0) if "monsters_and_handlers" in group_rules(models[0]) | unit_rules(side) else 0


def row_order(side: Side) -> list[int]:
    """Groups in the order in which they are removed."""
    main = side.main_index
    return sorted(range(len(side.models)), key=lambda i: (i != main, side.models[i].is_character, i))


def wounds_of(side: Side, index: int) -> int:
    """Wounds of a model; of monstrous cavalry the higher number of rider and mount. Source: L726-728 [text]."""
    group = side.models[index]
    own = group.body.W or 1
    if group.troop_type == "war_machine" and group.crew is not None:
        return max(1, sum(crew.count for crew in group.crews))
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
    if attack.simple and not body.guarded and not body.handlers:
        return _swept(states, hits_of(count, attack))
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
    fresh = outcomes(attack, spent=False)
    gone = outcomes(attack, spent=True)
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
    last = body.row.last + body.beyond
    if attack.row is not None:
        found = rolled(tree(attack), attacks, (WOUND, UNSAVED), rng).packets
        return Fallen(np.minimum(states + found[:, 0], last), found[:, 1], attacks)
    if attack.simple and not body.guarded and not body.handlers:
        wounds = rolled(tree(attack), attacks, (WOUND,), rng).packets[:, 0]
        return Fallen(np.minimum(states + wounds, last), wounds, attacks)
    states = states.copy()
    total = np.zeros_like(states)
    nodes = (tree(attack, spent=False), tree(attack))
    ends, slays = _ends(body)
    several = attack.hits
    for turn in range(int(attacks.max(initial=0)) * (1 if several is None else several.highest)):
        done, again = (turn, 0) if several is None else divmod(turn, several.highest)
        striking = attacks > done
        if several is not None:
            if not again:
                hits, limits = several.roll(rng, len(states)), ends[states % body.places]
            striking &= (hits > again) & (states % body.places < limits)
        fresh = (states < body.layer) if body.guarded else np.zeros(len(states), bool)
        for spent in (False, True):
            mine = np.flatnonzero(striking & (fresh != spent))
            if not len(mine):
                continue
            effects = rolled(nodes[int(spent)], np.ones(len(mine), np.int64), EFFECTS, rng).packets
            place, flag = states[mine] % body.places, states[mine] // body.layer
            handlers = states[mine] // body.places % (body.handlers + 1)
            damage = attack.damage.roll(rng, len(mine)) * attack.factor
            hurt, dead, used = (effects[:, column] > 0 for column in range(3))
            if body.handlers:
                caught = (hurt | dead) & (handlers < body.handlers) & (place < last)
                caught &= rng.integers(1, 7, len(mine)) > FACES_OF_THE_MONSTER
                handlers = handlers + caught
                hurt, dead = hurt & ~caught, dead & ~caught
                total[mine] += caught
            place = np.where(dead, slays[place], np.where(hurt, np.minimum(place + damage, ends[place]), place))
            if body.guarded:
                flag = np.where(used, 1, flag)
            states[mine] = handlers * body.places + place
            if attack.fading:
                flag = np.where(body.whole[states[mine]], 0, flag)
            states[mine] += flag * body.layer
            total[mine] += hurt | dead
    return Fallen(states, total, attacks)


def _swept(states: Floats, wounds: Floats) -> Floats:
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


def outcomes(attack: Attack, *, spent: bool) -> Floats:
    """Chance of (protection used up or not, unsaved wound or not) of one attack."""
    p = packets(tree(attack, spent=spent), EFFECTS)
    chances = np.zeros((2, 2))
    for wound, slain, used in np.ndindex(p.shape):
        chances[min(1, used), min(1, wound + slain)] += p[wound, slain, used]
    return chances


def _step(attack: Attack, body: Body) -> Floats:
    """What one attack does to the states; of one that strikes a model several times, all its hits."""
    step = _one_hit(attack, body)
    if attack.hits is None:
        return step
    numbers, total = attack.hits.distribution(), np.zeros_like(step)
    ends = _ends(body)[0][body.place]
    for end in np.unique(ends):
        lasting = step.copy()  # whoever is slain is struck no more
        lasting[body.place >= end] = np.eye(body.size)[body.place >= end]
        mine, after_hits = ends == end, np.eye(body.size)
        for value in range(numbers.high + 1):
            chance = float(numbers.probability(value)) if value >= numbers.low else 0.0
            total[mine] += chance * after_hits[mine]
            after_hits = after_hits @ lasting
    return total


def _one_hit(attack: Attack, body: Body) -> Floats:
    """What one hit or attack does to the states."""
    damage = attack.damage.distribution()
    if attack.doubled:
        damage = damage.map(lambda points: 2 * points)
    moves = _shared(_transition(body, damage), body), _shared(_slaying(body), body)
    gone = packets(tree(attack), (WOUND, SLAIN))
    if not body.guarded:
        return one_attack(gone, moves)
    fresh = packets(tree(attack, spent=False), EFFECTS)
    used = np.zeros(fresh.shape[:2]) if fresh.shape[2] == 1 else fresh[:, :, 1:].sum(axis=2)
    half = body.layer
    step = np.zeros((2 * half, 2 * half))
    step[:half, :half] = one_attack(fresh[:, :, 0], moves)
    step[:half, half:] = one_attack(used, moves)
    step[half:, half:] = one_attack(gone, moves)
    if attack.fading:  # the next model regenerates again
        unharmed = np.flatnonzero(body.whole)
        step[:, unharmed] += step[:, half + unharmed]
        step[:, half + unharmed] = 0.0
    return step


def _transition(body: Body, damage: Distribution) -> Floats:
    """Where one wound with this damage takes the body, by wounds counted."""
    if not body.beyond:
        return transition(body.row, damage)
    last = body.places - 1
    return transition(Lineup((last,), (0,)), damage)


def _slaying(body: Body) -> Floats:
    """Where a slaying blow takes the body: its victim loses what it has left, and nothing beyond."""
    matrix = np.zeros((body.places, body.places))
    matrix[np.arange(body.places), _ends(body)[1]] = 1.0
    return matrix


def _shared(move: Floats, body: Body) -> Floats:
    """The same for a monster with its handlers: one wound in three takes a handler instead."""
    if not body.handlers:
        return move
    places, last = body.places, body.row.last
    whole = np.zeros((body.layer, body.layer))
    alive = np.arange(places) < last
    for gone in range(body.handlers + 1):
        here = slice(gone * places, (gone + 1) * places)
        helped = gone < body.handlers
        whole[here, here] = move * np.where(alive & helped, 2 / 3, 1.0)[:, None]
        if helped:
            whole[here, here.stop : here.stop + places] = np.diag(np.where(alive, 1 / 3, 0.0))
    return whole


def _ends(body: Body) -> tuple[Ints, Ints]:
    """For each number of wounds counted: up to where one wound can reach, and where a slaying blow ends."""
    if not body.beyond:
        ends = np.append(body.row.ends, body.row.last)
        return ends, ends
    last = body.places - 1
    places = np.arange(body.places)
    slays = np.where(places < body.row.last, body.row.last, np.minimum(places + 1, last))
    return np.full(body.places, last), slays
