"""Runs a sequence exactly: chances of a tree, packets of many attacks, casualties; one pair or many at once."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache

import numpy as np

from armybuilder.engine.combat.distribution import (
    Chances,
    Distribution,
    Floats,
    binomial_chances,
    convolved,
    folded,
    power,
)
from armybuilder.engine.combat.sequence import Both, End, Mark, Node, Roll, Several
from armybuilder.engine.combat.steps.damage import Lineup, transition


def packets(node: Node, effects: Sequence[str], *, fractions: bool = False) -> Chances:
    """How many packets of each effect one attack makes.

    Args:
        effects: names of the axes; effects of the tree that are not named are dropped.
        fractions: an object array of Fractions instead of float64.

    Returns:
        One axis an effect: p[2, 1] is the chance of two of the first and one of the second.
    """
    axes = {name: i for i, name in enumerate(effects)}
    memory: dict[int, Chances] = {}

    def of(node: Node) -> Chances:
        known = memory.get(id(node))
        if known is None:
            known = memory[id(node)] = fresh(node)
        return known

    def fresh(node: Node) -> Chances:
        match node:
            case End(effect):
                axis = axes.get(effect) if effect is not None else None
                shape = tuple(2 if i == axis else 1 for i in range(len(axes)))
                p = np.full(shape, Fraction(0), dtype=object) if fractions else np.zeros(shape)
                p.flat[-1] = Fraction(1) if fractions else 1.0
                return p
            case Mark(_, then):
                return of(then)
            case Roll(weights, branches):
                total = sum(weights)
                return _sum([(_share(w, total, fractions), of(b)) for w, b in zip(weights, branches, strict=True)])
            case Several(count, each):
                one, drawn = of(each), count.distribution(exact=fractions)
                return _sum([(c, power(one, int(n))) for n, c in zip(drawn.values, drawn.p, strict=True) if c])
            case Both(first, second):
                return convolved(of(first), of(second))

    return of(node)


def expected(node: Node) -> dict[str, float]:
    """Mean number of passages of each mark and of each effect (under its own name) in one attack."""
    memory: dict[int, dict[str, float]] = {}

    def of(node: Node) -> dict[str, float]:
        known = memory.get(id(node))
        if known is None:
            known = memory[id(node)] = fresh(node)
        return known

    def fresh(node: Node) -> dict[str, float]:
        match node:
            case End(effect):
                return {} if effect is None else {effect: 1.0}
            case Mark(name, then):
                means = dict(of(then))
                means[name] = means.get(name, 0.0) + 1.0
                return means
            case Roll(weights, branches):
                total = sum(weights)
                return _weighted([(w / total, of(b)) for w, b in zip(weights, branches, strict=True)])
            case Several(count, each):
                return _weighted([(float(count.distribution().mean), of(each))])
            case Both(first, second):
                return _weighted([(1.0, of(first)), (1.0, of(second))])

    return of(node)


def attacks(one: Chances, count: Distribution) -> Chances:
    """Packets of a random number of independent attacks (see `packets` for the axes)."""
    drawn = [(c, power(one, int(n))) for n, c in zip(count.values, count.p, strict=True) if c]
    return drawn[0][1] * drawn[0][0] if len(drawn) == 1 else _sum(drawn)


def together(parts: Sequence[Chances], *, highest: tuple[int, ...] | None = None) -> Chances:
    """Packets of several independent volleys added up; beyond `highest` of an axis they count as `highest`."""
    total = parts[0]
    for part in parts[1:]:
        total = convolved(total, part)
        if highest is not None:
            total = folded(total, highest)
    return total if highest is None else folded(total, highest)


def one_attack(p: Chances, transitions: Sequence[Floats]) -> Floats:
    """What one attack with these packets does to the target: the first axis works first.

    Args:
        transitions: matrix of one packet of each axis.
    """
    size = len(transitions[0])
    matrix = np.zeros((size, size))
    for counts in np.argwhere(p):
        product = np.eye(size)
        for count, step in zip(counts, transitions, strict=True):
            if count:
                product = product @ np.linalg.matrix_power(step, int(count))
        matrix += p[tuple(counts)] * product
    return matrix


def resolved(p: Chances, transitions: Sequence[Floats], start: Floats) -> Floats:
    """Where the target stands after all packets of the first axis, then all of the second, and so on.

    Args:
        p: packets of the whole attack, one axis an effect.
        transitions: matrix of one packet of each axis.
        start: chances of the positions before, shape (..., positions).
    """
    lead = start.shape[:-1]
    state = np.broadcast_to(start, (*lead, start.shape[-1]))
    # rest: the chances still to be unfolded, with the axes of later packets in front of (..., positions)
    first, rest = np.asarray(p, np.float64), None
    for axis, step in enumerate(transitions):
        count = p.shape[axis]
        if rest is None:
            rows = np.empty((count, *state.shape))
            rows[0] = state
            for n in range(1, count):
                rows[n] = rows[n - 1] @ step
            rest = np.tensordot(np.moveaxis(first, 0, -1), rows, axes=1)
        else:
            unfolded = rest[count - 1]
            for n in range(count - 2, -1, -1):
                unfolded = unfolded @ step + rest[n]
            rest = unfolded
    assert rest is not None
    return rest


class Evolution:
    """How packets of one damage eat their way through endless models of one number of wounds.

    Rows depend on nothing else, neither on skill nor on unit size, so they are kept and shared by all pairs.
    """

    def __init__(self, damage: Distribution, wounds: int) -> None:
        """Damage of a packet (0 is allowed) and wounds of a model."""
        self.damage = damage
        self.wounds = wounds
        self._slain: dict[tuple[int, int], Floats] = {}
        self._taken: dict[tuple[int, int], Floats] = {}

    def positions(self, count: int, models: int) -> Floats:
        """Wounds taken from `models` models after 0 to `count` packets: shape (count + 1, models * wounds + 1)."""
        known = self._taken.get((count, models))
        if known is None:
            row = Lineup((self.wounds,) * models, (0,) * models)
            step = transition(row, self.damage)
            rows = np.zeros((count + 1, row.last + 1))
            rows[0, 0] = 1.0
            done = 1
            while done <= count:  # rows[done : 2 * done] = rows[: done] @ step ** done
                more = min(done, count + 1 - done)
                rows[done : done + more] = rows[:more] @ step
                done *= 2
                if done <= count:
                    step = step @ step
            known = self._taken[count, models] = rows
        return known

    def slain(self, count: int, models: int) -> Floats:
        """Models slain, at most `models`, after 0 to `count` packets: shape (count + 1, models + 1)."""
        if (count, models) not in self._slain:
            prepare([self], count, models)
        return self._slain[count, models]

    def packets_to_kill(self, count: int) -> Floats:
        """Chance that a fresh model dies of exactly the n-th packet, n up to `count`: shape (count + 1,)."""
        hurt = transition(Lineup((self.wounds,), (0,)), self.damage)[:-1, :-1]  # among the wounds it survives
        alive = np.zeros((count + 1, self.wounds))
        alive[0, 0] = 1.0
        done = 1
        while done <= count:  # alive[done : 2 * done] = alive[:done] @ hurt ** done
            more = min(done, count + 1 - done)
            alive[done : done + more] = alive[:more] @ hurt
            done *= 2
            hurt = hurt @ hurt
        return np.asarray(-np.diff(alive.sum(1), prepend=1.0))


def prepare(effects: Sequence[Evolution], count: int, models: int) -> None:
    """Work out `Evolution.slain` of many evolutions at once.

    A unit loses k models when the packets that kill one model, added up k times, are no more than the packets that
    came: k convolutions of short rows instead of powers of large matrices (four times as fast on 66 evolutions).
    """
    missing = [effect for effect in effects if (count, models) not in effect._slain]
    if not missing:
        return
    length = 1 << int(2 * count + 1).bit_length()
    kills = np.fft.rfft(np.array([effect.packets_to_kill(count) for effect in missing]), length, axis=1)
    at_least = np.ones((len(missing), count + 1, models + 1))
    last = np.zeros((len(missing), count + 1))  # packets that killed the k-th model
    last[:, 0] = 1.0
    for k in range(1, models + 1):
        last = np.fft.irfft(np.fft.rfft(last, length, axis=1) * kills, length, axis=1)[:, : count + 1]
        at_least[:, :, k] = np.cumsum(last, axis=1)
    at_least[:, :, :-1] -= at_least[:, :, 1:]
    for effect, table in zip(missing, np.maximum(at_least, 0.0), strict=True):
        effect._slain[count, models] = table


def evolution(damage: Distribution, wounds: int) -> Evolution:
    """The shared evolution of this damage on models with this many wounds."""
    return _evolution(damage.low, damage.p.tobytes(), wounds)


def slain_by_hits(count: int, chance: float, models: int) -> list[float]:
    """Models slain when each of `count` attacks slays one model with this chance: the closed form, 2 µs."""
    chances = binomial_chances(count, chance)
    if count > models:
        chances[models] = sum(chances[models:])
        del chances[models + 1 :]
    return chances


def slain(p: Chances, effect: Evolution, models: int) -> Floats:
    """Models slain by a random number of packets.

    Args:
        p: chances of 0, 1, 2 ... packets, shape (packets + 1,).

    Returns:
        shape (models + 1,).
    """
    taken: Floats = p @ effect.slain(len(p) - 1, models)
    return taken


def slain_matrix(
    p: Floats, count: Sequence[int] | np.ndarray, effects: Sequence[Sequence[Evolution]], models: Sequence[int]
) -> Floats:
    """Models slain in every pair of attackers and defenders at once.

    Args:
        p: packets of one attack in each pair, shape (attackers, defenders, packets + 1).
        count: attacks of each attacker.
        effects: evolution of each pair.
        models: size of each defender.

    Returns:
        shape (attackers, defenders, largest defender + 1).
    """
    number = np.asarray(count, np.int64)
    highest = (p.shape[2] - 1) * int(number.max())
    length = 1 << int(highest).bit_length()
    drawn = np.fft.irfft(np.fft.rfft(p, length, axis=-1) ** number[:, None, None], length, axis=-1)[..., : highest + 1]
    flat = np.maximum(drawn, 0.0).reshape(-1, highest + 1)
    largest = max(models)
    out = np.zeros((len(flat), largest + 1))
    groups: dict[int, tuple[Evolution, list[int]]] = {}
    for i, row in enumerate(effects):
        for j, effect in enumerate(row):
            groups.setdefault(id(effect), (effect, []))[1].append(i * len(row) + j)
    prepare([effect for effect, _ in groups.values()], highest, largest)
    for effect, members in groups.values():
        out[members] = flat[members] @ effect.slain(highest, largest)
    cube = out.reshape(p.shape[0], p.shape[1], largest + 1)
    cap = np.asarray(models)[None, :, None]
    kept = np.where(np.arange(largest + 1) < cap, cube, 0.0)
    np.put_along_axis(kept, np.broadcast_to(cap, (*cube.shape[:2], 1)), 1.0 - kept.sum(-1, keepdims=True), axis=-1)
    return kept


@lru_cache(maxsize=4096)
def _evolution(low: int, chances: bytes, wounds: int) -> Evolution:
    return Evolution(Distribution(low, np.frombuffer(chances)), wounds)


def _share(weight: int, total: int, fractions: bool) -> float | Fraction:
    return Fraction(weight, total) if fractions else weight / total


def _sum(parts: Sequence[tuple[float | Fraction, Chances]]) -> Chances:
    shape = tuple(max(p.shape[i] for _, p in parts) for i in range(parts[0][1].ndim))
    exact = parts[0][1].dtype == object
    out: Chances = np.full(shape, Fraction(0), dtype=object) if exact else np.zeros(shape)
    for chance, p in parts:
        window = tuple(slice(n) for n in p.shape)
        out[window] = out[window] + chance * p
    return out


def _weighted(parts: Sequence[tuple[float, Mapping[str, float]]]) -> dict[str, float]:
    means: dict[str, float] = {}
    for weight, part in parts:
        for name, mean in part.items():
            means[name] = means.get(name, 0.0) + weight * mean
    return means
