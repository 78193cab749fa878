"""Blows of two groups of models at each other, by Initiative steps: exactly, or with dice."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from armybuilder.engine.combat.distribution import Floats
from armybuilder.engine.combat.sampling import Ints
from armybuilder.engine.errors import LimitExceeded
from armybuilder.engine.systems.horus_heresy.combat.assault import Blows, every_party
from armybuilder.engine.systems.horus_heresy.combat.melee_attackers import FIRST_STEP, LAST_STEP, Party
from armybuilder.engine.systems.horus_heresy.combat.target_state import Unit
from armybuilder.engine.systems.horus_heresy.combat.volley import Alternative, AttackLine, TargetState

LARGEST_TABLE = 160_000
"""States of one side times states of the other that the exact method goes through."""

Rolls = tuple[int, ...]
"""Additional attacks of Rampage, one number for each group."""


@dataclass(frozen=True, slots=True)
class Strike:
    """What one side does at a step from one of its states.

    Attributes:
        weight: chance of this outcome of its psychic checks.
        state: its own state after their Perils.
        key: strikes with the same key do the same to the enemy.
    """

    weight: float
    state: int
    key: tuple[object, ...]


class MeleeSide:
    """One side of a melee: what it is as a target, and what it does at each step.

    Attributes:
        lost: what its states count for in the combat result.
        slain, destroyed: models gone in each state, and whether all are.
    """

    def __init__(
        self,
        unit: Unit,
        standing: TargetState,
        blows: Blows,
        *,
        groups: Sequence[int] | None = None,
        helpers: Blows | None = None,
    ) -> None:
        """Put together.

        Args:
            groups: place of each of its groups in the whole unit; what has none only measures wounds to spare.
            helpers: others of its side that strike with it and cannot be struck.
        """
        self.unit = unit
        self.standing = standing
        self.blows = blows
        self.groups = tuple(range(len(unit.groups))) if groups is None else tuple(groups)
        self.helpers = helpers
        real = sum(unit.groups[i].count for i in range(len(self.groups)))
        self.lost: Ints = standing.score
        self.wounds: Ints = standing.lost if real == unit.models else np.minimum(standing.lost, self._end_of(real))
        self.slain: Ints = np.minimum(standing.slain, real)
        self.destroyed = self.slain >= real

    def _end_of(self, models: int) -> int:
        return int(sum(self.standing.lineup.wounds[:models]))

    @cached_property
    def alive(self) -> list[tuple[int, ...]]:
        """Models left of each group, by state; none of those that only measure."""
        counts = [group.count for group in self.unit.groups]
        if self.standing.is_vehicle:
            first = self.unit.order_of_vehicles[0]
            rest = [sum(counts) - int(gone) for gone in self.standing.slain]
            return [tuple(left if i == first else 0 for i in range(len(counts))) for left in rest]
        rows = np.zeros((self.standing.size, len(counts)), np.int64)
        for kind, index in enumerate(self.unit.order):
            if index < len(self.groups):
                rows[:, index] = self.standing.standing_of(kind)
        return [tuple(int(n) for n in row) for row in rows]

    def parties(self, state: int, step: int) -> list[Party]:
        """Who strikes at this step."""
        return self._at(self.blows, self.alive[state], step)

    @staticmethod
    def _at(blows: Blows, alive: Sequence[int], step: int) -> list[Party]:
        return [
            party
            for party in every_party(blows, alive)
            if blows.line(party) is not None and blows.step_of(party) == step
        ]

    def alternatives(self, state: int, step: int, rampage: Rolls) -> list[Alternative]:
        """The blows at a step, from one of the side's states; empty when nobody strikes."""
        alive = self.alive[state]
        fixed = self.blows.hammer_lines(alive) if step == FIRST_STEP else []
        if step == LAST_STEP:
            fixed += self.blows.stomp_lines(alive)
        fixed += self._help(step)
        parties = self.parties(state, step)
        if not parties and not fixed:
            return []
        own = tuple(rampage[group] for group in self.groups) + (0,) * (len(self.unit.groups) - len(self.groups))
        ways = self.blows.alternatives(parties, own, position=0 if self.standing.is_vehicle else state)
        if len(ways) == 1:
            return [Alternative(1.0, (*fixed, *ways[0].lines), state)]
        return [Alternative(way.weight, (*fixed, *way.lines), way.position, way.lost) for way in ways]

    def _help(self, step: int) -> list[AttackLine]:
        if self.helpers is None:
            return []
        alive = [group.count for group in self.helpers.striker.groups]
        lines = self.helpers.hammer_lines(alive) if step == FIRST_STEP else []
        struck = (self.helpers.line(party) for party in self._at(self.helpers, alive, step))
        return [*lines, *(line for line in struck if line is not None)]

    def standing_groups(self, state: int) -> tuple[int, ...]:
        """Groups of the whole unit that still have models."""
        return tuple(self.groups[i] for i, models in enumerate(self.alive[state]) if models)


class Melee:
    """Two sides that strike each other and nobody else."""

    def __init__(self, attacker: MeleeSide, defender: MeleeSide) -> None:
        """Put together."""
        self.sides = (attacker, defender)

    def joint(self, mine: Rolls, theirs: Rolls) -> Floats:
        """Chances of the states of both sides after all blows: shape (attacker states, defender states).

        Args:
            mine, theirs: what Rampage has given each side.

        Raises:
            LimitExceeded: there are too many of them.
        """
        shape = (self.sides[0].standing.size, self.sides[1].standing.size)
        if shape[0] * shape[1] > LARGEST_TABLE:
            raise LimitExceeded(
                f"{shape[0]} × {shape[1]} states are too many for the exact method: use montecarlo.", "/method"
            )
        joint = np.zeros(shape)
        joint[0, 0] = 1.0
        for step in range(FIRST_STEP, LAST_STEP - 1, -1):
            joint = self._stepped(joint, step, mine, theirs)
        return joint

    def _stepped(self, joint: Floats, step: int, mine: Rolls, theirs: Rolls) -> Floats:
        """One Initiative step: both sides strike with the models that stand at its beginning."""
        reached = np.argwhere(joint > 0.0)
        first, second = self.sides
        a_strikes, a_blows = self._strikes(first, np.unique(reached[:, 0]), step, mine)
        d_strikes, d_blows = self._strikes(second, np.unique(reached[:, 1]), step, theirs)
        if len(a_blows) <= 1 and len(d_blows) <= 1 and not any(a_blows.values()) and not any(d_blows.values()):
            return joint
        attacker, defender = first.standing, second.standing
        a_states = sorted({strike.state for strikes in a_strikes.values() for strike in strikes})
        d_states = sorted({strike.state for strikes in d_strikes.values() for strike in strikes})
        on_defender = {key: defender.matrix(ways, d_states) if ways else None for key, ways in a_blows.items()}
        on_attacker = {key: attacker.matrix(ways, a_states) if ways else None for key, ways in d_blows.items()}
        after = np.zeros_like(joint)
        for key, theirs_on_me in on_attacker.items():
            columns = [(d, s) for d, strikes in d_strikes.items() for s in strikes if s.key == key]
            for other, mine_on_them in on_defender.items():
                rows = [(a, s) for a, strikes in a_strikes.items() for s in strikes if s.key == other]
                before = np.zeros_like(joint)
                for a, strike in rows:
                    for d, counter in columns:
                        before[strike.state, counter.state] += joint[a, d] * strike.weight * counter.weight
                used_rows, used_columns = before.any(1), before.any(0)
                block = before[np.ix_(used_rows, used_columns)]
                if not block.size:
                    continue
                left = np.eye(len(joint))[used_rows] if theirs_on_me is None else theirs_on_me[used_rows]
                right = np.eye(joint.shape[1])[used_columns] if mine_on_them is None else mine_on_them[used_columns]
                after += left.T @ block @ right
        return after

    def _strikes(
        self, side: MeleeSide, states: Ints, step: int, rampage: Rolls
    ) -> tuple[dict[int, list[Strike]], dict[tuple[object, ...], list[Alternative]]]:
        """What a side does from each of its states, and the blows behind each key."""
        strikes: dict[int, list[Strike]] = {}
        blows: dict[tuple[object, ...], list[Alternative]] = {}
        known: dict[tuple[int, ...], list[Alternative]] = {}
        for state in (int(s) for s in states):
            alive = side.alive[state]
            if side.unit.side.makes_checks or alive not in known:
                known[alive] = side.alternatives(state, step, rampage)
            ways = known[alive]
            if not ways:
                strikes[state] = [Strike(1.0, state, ())]
                blows.setdefault((), [])
            elif len(ways) == 1:
                strikes[state] = [Strike(1.0, state, (alive,))]
                blows[(alive,)] = ways
            else:
                strikes[state] = []
                for number, way in enumerate(ways):
                    key = (alive, state, number)
                    strikes[state].append(Strike(way.weight, way.position, key))
                    blows[key] = [Alternative(1.0, way.lines, way.position)]
        return strikes, blows

    def rolled(
        self, trials: int, rampages: Sequence[tuple[np.ndarray, tuple[Rolls, Rolls]]], rng: np.random.Generator
    ) -> list[Ints]:
        """The states of both sides after all blows, in every trial.

        Args:
            rampages: trials with the same rolls of Rampage, and these rolls of both sides.
        """
        states = [np.zeros(trials, np.int64), np.zeros(trials, np.int64)]
        for step in range(FIRST_STEP, LAST_STEP - 1, -1):
            states = self._roll_step(step, states, rampages, rng)
        return states

    def _roll_step(
        self,
        step: int,
        states: list[Ints],
        rampages: Sequence[tuple[np.ndarray, tuple[Rolls, Rolls]]],
        rng: np.random.Generator,
    ) -> list[Ints]:
        """One step in every trial: psychic checks of both sides first, then the blows of both."""
        before = [states[0].copy(), states[1].copy()]
        blows: list[list[tuple[np.ndarray, Alternative]]] = [[], []]
        for number, side in enumerate(self.sides):
            for here, rolls in rampages:
                rampage = rolls[number]
                for state in np.unique(states[number][here]):
                    mine = np.flatnonzero(here & (states[number] == state))
                    ways = side.alternatives(int(state), step, rampage)
                    if not ways:
                        continue
                    weights = np.array([way.weight for way in ways])
                    way_of = rng.choice(len(ways), len(mine), p=weights / weights.sum()) if len(ways) > 1 else None
                    for index, way in enumerate(ways):
                        members = mine if way_of is None else mine[way_of == index]
                        before[number][members] = way.position
                        blows[number].append((members, way))
        after = [before[0].copy(), before[1].copy()]
        for number in (0, 1):
            target = self.sides[1 - number].standing
            for members, way in blows[number]:
                if len(members):
                    thrown = target.rolled([Alternative(1.0, way.lines)], rng, before[1 - number][members])
                    after[1 - number][members] = thrown.state
        return after
