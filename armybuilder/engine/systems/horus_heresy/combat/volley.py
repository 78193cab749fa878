"""Attacks as lines of identical bearers, and what a whole attack does to a target: exactly or with dice."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

import numpy as np

from armybuilder.engine.combat import exact, sampling
from armybuilder.engine.combat.distribution import (
    Chances,
    Distribution,
    Floats,
    convolved,
    folded,
    power,
    power_within,
    unharmed,
)
from armybuilder.engine.combat.outcomes import Measured, Values
from armybuilder.engine.combat.sampling import Ints
from armybuilder.engine.combat.sequence import End, Node, Roll
from armybuilder.engine.combat.steps.damage import Lineup, transition
from armybuilder.engine.systems.horus_heresy.combat import vehicle_damage, wounding
from armybuilder.engine.systems.horus_heresy.combat.target_state import Unit
from armybuilder.engine.systems.horus_heresy.combat.wounding import SLAY, WOUND, Hit
from armybuilder.engine.systems.horus_heresy.matchup import MatchupOptions

HIT = "hit"
AXES = (SLAY, WOUND)


@dataclass(frozen=True, slots=True)
class AttackLine:
    """Models that do the same thing with the same weapon.

    Attributes:
        bearers: how many of them.
        aim: tree of one bearer's whole attack, given what follows each hit, and each hit that the attacker allocates.
        facing: armour that vehicles are struck on.
        dice: rolled to hit by one bearer, at most.
        pinning: penalty to Leadership (Shell Shock) of the pinning test that a wound causes; None causes none.
        concussive: Weapon Skill lost after a failed test; None for other weapons.
        hallucinates: hits call for a pinning test, each making it harder.
        rad: wounds lower the Toughness of a model that survives them.
        picks: which hits the attacker allocates.
    """

    bearers: int
    aim: Callable[..., Node]
    hit: Hit
    facing: str = "front"
    weapon: str = ""
    dice: int = 1
    pinning: int | None = None
    concussive: int | None = None
    blind: bool = False
    hallucinates: bool = False
    rad: bool = False
    picks: Literal["none", "some", "all"] = "none"


@dataclass(frozen=True, slots=True)
class Alternative:
    """One way the preliminaries of an attack can turn out (psychic checks, Rampage), with its chance.

    Attributes:
        position: of the attacking unit in its own row after Perils of the Warp.
        lost: its models slain by them.
    """

    weight: float
    lines: tuple[AttackLine, ...]
    position: int = 0
    lost: int = 0


@dataclass(slots=True)
class Damage:
    """What an attack does to a target, exactly.

    Attributes:
        states: chances of the target's states, see `TargetState`.
        means: expected hits and wounds; penetrating and glancing likewise for vehicles.
        unsaved: wounds after saves, not limited by the target; their mean where nothing else is known.
    """

    states: Floats
    means: dict[str, float]
    unsaved: Distribution | float = 0.0

    @property
    def struck(self) -> "Struck":
        """Each state of the target as a case; what is known as a mean only is the same in all of them."""
        return Struck(np.arange(len(self.states)), self.unsaved, dict(self.means), 0)


class TargetState:
    """The states a target passes through, numbered from unharmed (0), with what each of them means.

    Attributes:
        slain, lost: models, and wounds or hull points, gone in each state; destroyed: nothing is left.
        exploded, stunned, immobilised: of vehicles, in each state.
        uniform: wounds that are not saved do not depend on who is hit, so that their number has a distribution; whole:
            nor does anything else, so that all hits are resolved together and not one by one.
    """

    def __init__(
        self,
        unit: Unit,
        options: MatchupOptions,
        *,
        charged: bool = False,
        most_score: int = 0,
        keeps_stuns: bool = False,
    ) -> None:
        """Read the target.

        Args:
            charged: the target charges the attacker (Overwatch).
            most_score: of a giant, what hits count for in the combat result is kept up to this number.
            keeps_stuns: of vehicles, which have suffered a Shock Pulse is kept.
        """
        self.unit = unit
        self.options = options
        self.is_vehicle = unit.is_vehicle
        self.charged = charged
        if self.is_vehicle:
            squadron = replace(unit.squadron, most_score=most_score, keeps_stuns=keeps_stuns)
            self.squadron_states = vehicle_damage.squadron_states(squadron, f"{unit.place}/models")
            states = self.squadron_states.states
            self.slain: Ints = np.array([squadron.slain(s) for s in states])
            self.lost: Ints = np.array([s.total for s in states])
            self.exploded = np.array([s.exploded for s in states])
            self.stunned = np.array([s.stunned and not squadron.is_destroyed(s) for s in states])
            self.immobilised = np.array([s.immobile and not squadron.is_destroyed(s) for s in states])
            self.destroyed = self.slain >= squadron.vehicles
            self.lineup = Lineup((), ())
            self.whole = False
        else:
            self.defences = unit.defences(charged=charged)
            self.lineup = unit.lineup
            self.slain = unit.slain
            self.lost = np.arange(self.lineup.last + 1)
            self.destroyed = self.slain >= len(self.lineup.wounds)
            self.uniform = len({replace(defence, place="") for defence in self.defences}) <= 1
            self.whole = self.uniform

    @property
    def score(self) -> Ints:
        """What each state counts for in the combat result: wounds lost; of giants, hits; of others, hull points."""
        if self.is_vehicle and self.squadron_states.squadron.most_score:
            return np.array([state.score for state in self.squadron_states.states])
        return np.asarray(self.lost)

    @property
    def size(self) -> int:
        """How many states there are."""
        return len(self.slain)

    @property
    def start(self) -> Floats:
        """Unharmed for certain."""
        return unharmed(self.size)

    def standing_of(self, kind: int) -> Ints:
        """Models of a kind that are left, by state."""
        return self.lineup.standing(kind)

    def in_order(self, lines: Sequence[AttackLine]) -> list[AttackLine]:
        """Lines as their wounds are resolved: those that always slay come first (L3183)."""
        if self.is_vehicle or self.whole:
            return list(lines)
        return sorted(lines, key=lambda line: not wounding.is_slaying(line.hit, self.defences[0]))

    def tree(self, line: AttackLine) -> Node:
        """The whole attack of one bearer, against the front model of a uniform target."""
        return line.aim(self.after_hit(line))

    def after_hit(self, line: AttackLine, kind: int = 0) -> Node:
        """What follows a hit of this line on a model of this kind."""
        if not line.hit.zones:
            return self._struck_by(line.hit, line.facing, kind)
        parts = [replace(line.hit, strength=strength, ap=ap, zones=()) for _, strength, ap in line.hit.zones]
        return Roll(
            tuple(share for share, _, _ in line.hit.zones),
            tuple(self._struck_by(part, line.facing, kind) for part in parts),
        )

    def _struck_by(self, hit: Hit, facing: str, kind: int) -> Node:
        if self.is_vehicle:
            return vehicle_damage.penetration(hit, self.unit.armour(facing, charged=self.charged), self.options)
        return wounding.to_wound(hit, self.defences[kind], self.options)

    def damage(self, alternatives: Sequence[Alternative]) -> Damage:
        """Resolve an attack on the unharmed target."""
        states = self.reached(alternatives)
        if not self.is_vehicle and not self.whole:
            means = self._mixed_means(alternatives)
            mean = means.get(WOUND, 0.0) + means.get(SLAY, 0.0)
            return Damage(states, means, self._unsaved(alternatives) if self.uniform else mean)
        means = {}
        for alternative in alternatives:
            for line in alternative.lines:
                added_means(means, self.means(line), alternative.weight * line.bearers)
        if self.is_vehicle:
            return Damage(states, means)
        return Damage(states, means, self._unsaved(alternatives))

    def means(self, line: AttackLine) -> dict[str, float]:
        """Expected marks and effects of one bearer, against the front model of the target."""
        return exact.expected(self.tree(line))

    def reached(self, alternatives: Sequence[Alternative]) -> Floats:
        """Where the attack leaves the unharmed target."""
        if not self.whole:
            return np.asarray(self._rows(alternatives, [0])[0])
        p = self.packets(alternatives)
        landed = np.bincount(self._landings(p.shape, 0).ravel(), weights=p.ravel(), minlength=self.size)
        return np.asarray(landed, np.float64)

    def matrix(self, alternatives: Sequence[Alternative], states: Sequence[int] | None = None) -> Floats:
        """Where the attack leads: row before, column after.

        Args:
            states: the only rows that are worked out, the others stay 0; None is all of them.
        """
        wanted = list(range(self.size)) if states is None else list(states)
        if self.whole:
            p = self.packets(alternatives)
            matrix = np.zeros((self.size, self.size))
            for start in wanted:
                landed = self._landings(p.shape, start).ravel()
                matrix[start] = np.bincount(landed, weights=p.ravel(), minlength=self.size)
            return matrix
        total = np.zeros((self.size, self.size))
        total[wanted] = self._rows(alternatives, wanted)
        return total

    def _rows(self, alternatives: Sequence[Alternative], wanted: Sequence[int]) -> Floats:
        """Where an attack whose hits go one by one leads from these states; shape (states wanted, states)."""
        start = np.zeros((len(wanted), self.size))
        start[np.arange(len(wanted)), wanted] = 1.0
        total = np.zeros_like(start)
        for alternative in alternatives:
            state = start
            for line in self.in_order(alternative.lines):
                state = self._after_line(line, state)
            total += alternative.weight * state
        return total

    def packets(self, alternatives: Sequence[Alternative]) -> Chances:
        """Slaying and ordinary unsaved wounds of the whole attack on a uniform target."""
        highest = (len(self.lineup.wounds), self.lineup.last)  # what the target can feel
        parts = []
        for alternative in alternatives:
            part: Chances = np.ones((1, 1))
            for line in alternative.lines:
                mine = power_within(exact.packets(self.tree(line), AXES), line.bearers, highest)
                part = folded(convolved(part, mine), highest)
            parts.append((alternative.weight, part))
        return _added(parts)

    def _landings(self, shape: tuple[int, ...], start: int) -> Ints:
        """Where so many slaying packets and then so many ordinary ones lead from a position: shape as the packets."""
        ends = np.append(self.lineup.ends, self.lineup.last)
        after = [start]
        for _ in range(shape[0] - 1):
            after.append(int(ends[after[-1]]))
        return np.minimum(np.array(after)[:, None] + np.arange(shape[1]), self.lineup.last)

    @cached_property
    def _steps(self) -> list[Floats]:
        """What one packet of each of AXES does."""
        one = Distribution(1, np.ones(1))
        return [transition(self.lineup, None), transition(self.lineup, one)]

    def _unsaved(self, alternatives: Sequence[Alternative]) -> Distribution:
        parts = []
        for alternative in alternatives:
            part: Chances = np.ones(1)
            for line in alternative.lines:
                part = convolved(part, power(_diagonals(exact.packets(self.tree(line), AXES)), line.bearers))
            parts.append((alternative.weight, part))
        return Distribution(0, _added(parts))

    def _after_line(self, line: AttackLine, state: Floats) -> Floats:
        """The states after all hits of a line, one by one."""
        return _unfolded(self._hits(line), self._one_hit(line), state)

    def _hits(self, line: AttackLine) -> Chances:
        return power(exact.packets(line.aim(End(HIT)), (HIT,)), line.bearers)

    def _one_hit(self, line: AttackLine) -> Floats | vehicle_damage.Step:
        """Where one hit leads from every state."""
        if self.is_vehicle:
            return self.squadron_states.step(exact.packets(self.after_hit(line), self.squadron_states.squadron.effects))
        matrix = np.zeros((self.size, self.size))
        kind_at = np.append(self.lineup.kind_at, -1)
        steps = self._steps
        for kind in range(len(self.defences)):
            rows = kind_at == kind
            if rows.any():
                one = exact.one_attack(exact.packets(self.after_hit(line, kind), AXES), steps)
                matrix[rows] = one[rows]
        matrix[-1, -1] = 1.0
        return matrix

    def _mixed_means(self, alternatives: Sequence[Alternative]) -> dict[str, float]:
        """Marks and effects where they depend on the model in front; the last kind stands for the dead."""
        kinds = np.append(self.lineup.kind_at, len(self.defences) - 1)
        means: dict[str, float] = {}
        for alternative in alternatives:
            state = self.start
            for line in self.in_order(alternative.lines):
                added_means(means, exact.expected(line.aim(End(None))), alternative.weight * line.bearers)
                each = [exact.expected(self.after_hit(line, kind)) for kind in range(len(self.defences))]
                step, hits = self._one_hit(line), self._hits(line)
                after, met = np.zeros_like(state), np.zeros(len(each))
                for n, chance in enumerate(hits):
                    after += chance * state
                    met += float(hits[n + 1 :].sum()) * np.bincount(kinds, weights=state, minlength=len(each))
                    state = state @ step
                for kind, share in zip(each, met, strict=True):
                    added_means(means, kind, alternative.weight * float(share))
                state = after
        return means

    def rolled(self, alternatives: Sequence[Alternative], rng: np.random.Generator, state: Ints) -> "Struck":
        """Roll the attack in every trial.

        Args:
            state: state of the target before, shape (trials,).
        """
        trials = len(state)
        struck = Struck(state.copy(), np.zeros(trials, np.int64), {}, np.zeros(trials, np.int64))
        drawn = np.zeros(trials, np.int64)
        if len(alternatives) > 1:
            weights = np.array([alternative.weight for alternative in alternatives])
            drawn = rng.choice(len(alternatives), trials, p=weights / weights.sum())
        first = 0
        for index, alternative in enumerate(alternatives):
            mine = drawn == index
            struck.lost[mine] = alternative.lost
            if mine.any():
                self._roll_lines(alternative.lines, first, mine, rng, struck)
            first += len(alternative.lines)
        return struck

    def _roll_lines(
        self, lines: Sequence[AttackLine], first: int, mine: np.ndarray, rng: np.random.Generator, struck: "Struck"
    ) -> None:
        """Lines of one alternative, numbered from the first on."""
        pool = np.zeros((len(mine), 2), np.int64)
        numbers = {id(line): number for number, line in enumerate(lines, first)}
        for line in self.in_order(lines):
            number = numbers[id(line)]
            counts = np.where(mine, line.bearers, 0)
            if self.whole:
                tally = sampling.rolled(self.tree(line), counts, AXES, rng)
                pool += tally.packets
                struck.note(number, tally.marks, tally.packets.sum(1))
            else:
                self._roll_line(line, number, counts, rng, struck)
        if self.whole:
            struck.unsaved += pool.sum(1)
            for column, step in enumerate((None, 1)):
                for n in range(int(min(pool[:, column].max(), self.lineup.last))):
                    struck.state = self._stepped(struck.state, pool[:, column] > n, step)

    def _roll_line(
        self, line: AttackLine, number: int, counts: Ints, rng: np.random.Generator, struck: "Struck"
    ) -> None:
        """Hits of a line, one by one.

        Args:
            counts: bearers in every trial.
        """
        tally = sampling.rolled(line.aim(End(HIT)), counts, (HIT,), rng)
        struck.note(number, tally.marks, np.zeros(len(counts), np.int64))
        self._roll_hits(line, number, tally.packets[:, 0], rng, struck)

    def _stepped(self, state: Ints, active: np.ndarray, points: int | None) -> Ints:
        ends = np.append(self.lineup.ends, self.lineup.last)
        after = ends[state] if points is None else np.minimum(state + points, ends[state])
        return np.where(active, after, state)

    def _roll_hits(self, line: AttackLine, number: int, hits: Ints, rng: np.random.Generator, struck: "Struck") -> None:
        """Hits one by one, each on the model that stands in front in its trial."""
        kinds = (
            np.zeros(self.size, np.int64) if self.is_vehicle else np.append(self.lineup.kind_at, len(self.defences) - 1)
        )
        effects = self.squadron_states.squadron.effects if self.is_vehicle else AXES
        for n in range(int(hits.max(initial=0))):
            active = hits > n
            front = kinds[struck.state]  # before the hit: a model that falls to it does not hand it on
            for kind in np.unique(front[active]):
                here = active & (front == kind)
                node = self.after_hit(line, int(kind))
                tally = sampling.rolled(node, here.astype(np.int64), effects, rng)
                struck.note(number, tally.marks, np.zeros(len(hits), np.int64))
                if self.is_vehicle:
                    struck.state = self._struck(struck.state, tally.packets, rng)
                else:
                    struck.add_unsaved(number, tally.packets.sum(1))
                    for column, step in enumerate((None, 1)):
                        for i in range(int(tally.packets[:, column].max(initial=0))):
                            struck.state = self._stepped(struck.state, tally.packets[:, column] > i, step)

    def _struck(self, state: Ints, packets: Ints, rng: np.random.Generator) -> Ints:
        """One hit on vehicles: trials in the same state with the same result move together."""
        after = state.copy()
        rows = np.flatnonzero(packets.any(1))
        keys, groups = np.unique(np.column_stack([state[rows], packets[rows]]), axis=0, return_inverse=True)
        for index, key in enumerate(keys):
            members = rows[groups.ravel() == index]
            ways = list(
                self.squadron_states.squadron.struck(
                    self.squadron_states.states[key[0]], tuple(int(n) for n in key[1:])
                )
            )
            number = np.array([self.squadron_states.number[reached] for _, reached in ways])
            if len(ways) == 1:
                after[members] = number[0]
            else:
                after[members] = number[rng.choice(len(ways), len(members), p=[share for share, _ in ways])]
        return after


@dataclass(slots=True)
class Struck:
    """What an attack did in each case: in each trial, or in each state that it can leave the target in.

    Attributes:
        state: of the target afterwards, shape (cases,).
        unsaved: wounds; marks: passages of each mark.
        lost: models the attacker lost before striking.
        by_line: of trials only: unsaved wounds, hits and wounds of each line, counted through all alternatives.
    """

    state: Ints
    unsaved: Measured
    marks: dict[str, Values]
    lost: Values
    by_line: dict[tuple[int, str], Ints] = field(default_factory=dict)

    def note(self, line: int, marks: dict[str, Ints], unsaved: Ints) -> None:
        """Add the marks of one line."""
        for name, seen in marks.items():
            self.marks[name] = self.marks[name] + seen if name in self.marks else seen
        for name, seen in (*marks.items(), ("unsaved", unsaved)):
            key = (line, name)
            self.by_line[key] = self.by_line[key] + seen if key in self.by_line else seen

    def add_unsaved(self, line: int, unsaved: Ints) -> None:
        """Add unsaved wounds that are resolved one by one."""
        assert not isinstance(self.unsaved, Distribution)  # trials have numbers
        self.unsaved += unsaved
        self.by_line[line, "unsaved"] = self.by_line[line, "unsaved"] + unsaved


def added_means(means: dict[str, float], more: dict[str, float], weight: float) -> None:
    """Add weighted means."""
    for name, mean in more.items():
        means[name] = means.get(name, 0.0) + weight * mean


def _unfolded(counts: Chances, step: Floats | vehicle_damage.Step, state: Floats) -> Floats:
    """State after a random number of equal steps (Horner's scheme)."""
    after = counts[-1] * state
    for chance in counts[-2::-1]:
        after = after @ step + chance * state
    return np.asarray(after)


def _diagonals(p: Chances) -> Chances:
    """Chances of the sum of both axes."""
    total = np.zeros(sum(p.shape) - 1)
    for i, row in enumerate(p):
        total[i : i + len(row)] += row
    return total


def _added(parts: Sequence[tuple[float, Chances]]) -> Chances:
    shape = tuple(max(p.shape[i] for _, p in parts) for i in range(parts[0][1].ndim))
    total = np.zeros(shape)
    for weight, p in parts:
        total[tuple(slice(n) for n in p.shape)] += weight * p
    return total
