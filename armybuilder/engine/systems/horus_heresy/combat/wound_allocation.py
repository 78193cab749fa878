"""Targets whose wounds are not all the same: the attacker picks victims, or wounded models carry a mark.

Precision Shots, Precision Strikes, Sniper, hits of Primarchs; Rad-phage and Shock Pulse.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate, product

import numpy as np

from armybuilder.engine.combat import exact, sampling
from armybuilder.engine.combat.distribution import Chances, Floats, power
from armybuilder.engine.combat.sampling import Ints
from armybuilder.engine.combat.sequence import End, Node
from armybuilder.engine.errors import LimitExceeded
from armybuilder.engine.systems.horus_heresy.combat.target_state import Unit
from armybuilder.engine.systems.horus_heresy.combat.volley import (
    AXES,
    HIT,
    Alternative,
    AttackLine,
    Struck,
    TargetState,
    added_means,
)
from armybuilder.engine.systems.horus_heresy.combat.wounding import SLAY, WOUND
from armybuilder.engine.systems.horus_heresy.matchup import MatchupOptions

CHOSEN = "chosen"
IRRADIATED, STUNNED = 1, 2
"""Marks of a wounded model that lives: its Toughness is lower (L3245), it makes snap shots (L3279)."""

MACHINES = ("dreadnought", "automata")
MOST_STATES = 2_500
"""States that the exact method goes through."""


@dataclass(frozen=True, slots=True, order=True)
class Losses:
    """Where a row of models stands.

    Attributes:
        front: wounds taken from its front, where the defender allocates.
        back: wounds taken from its end, where the attacker does.
        front_marks, back_marks: of the wounded model there.
    """

    front: int = 0
    back: int = 0
    front_marks: int = 0
    back_marks: int = 0


class Casualties:
    """All states of a unit whose victims are picked at both ends of its row; state 0 is unharmed.

    The attacker goes for Characters, or without any for the group that would fall last, then for the others; the
    defender allocates to wounded models first, but for Characters. Source: HH L757-L775, L1611, L1711, L3225-L3235,
    L3321 [text]; whom the attacker picks [decision].
    """

    def __init__(self, unit: Unit, *, picks: bool, marks: int) -> None:
        """Explore them.

        Args:
            picks: whether the attacker allocates any wounds.
            marks: that wounds can leave, IRRADIATED and STUNNED.
        """
        self.unit = unit
        self.marks = marks
        row = unit.lineup
        self.wounds, self.kinds, self.last = row.wounds, row.kinds, row.last
        self.ends = list(accumulate(self.wounds))
        self.ends_from_behind = list(accumulate(reversed(self.wounds)))
        groups = [unit.groups[index] for index in unit.order]
        heroes = {kind for kind, group in enumerate(groups) if group.is_a("character", "primarch")}
        self.skips = picks and 0 < len(heroes) < len(groups)
        wanted = heroes if self.skips else {len(groups) - 1}
        self.chosen = sum(w for w, kind in zip(self.wounds, self.kinds, strict=True) if kind in wanted) if picks else 0
        self.takes = [
            marks & ((0 if group.type == "primarch" else IRRADIATED) | (STUNNED if group.is_a(*MACHINES) else 0))
            for group in groups
        ]
        self.guns = [group.is_a("artillery") for group in groups]
        self.has_crew = not all(self.guns)
        self.states = self._explored()
        self.number = {state: number for number, state in enumerate(self.states)}

    def _explored(self) -> list[Losses]:
        found = {Losses()}
        todo = [Losses()]
        combinations = sorted({mark & self.marks for mark in range(4)})
        while todo:
            state = todo.pop()
            for picks, effect, mark in product((False, True) if self.chosen else (False,), AXES, combinations):
                reached = self.after(state, effect, picks=picks, marks=mark)
                if reached not in found:
                    found.add(reached)
                    todo.append(reached)
        return sorted(found)

    def _in_front(self, state: Losses) -> tuple[int, int]:
        """The first model and the wounds it has taken there."""
        model = bisect_right(self.ends, state.front)
        return model, state.front - (self.ends[model - 1] if model else 0)

    def _behind(self, state: Losses) -> tuple[int, int]:
        """The last model and the wounds it has taken there."""
        gone = bisect_right(self.ends_from_behind, state.back)
        return len(self.wounds) - 1 - gone, state.back - (self.ends_from_behind[gone - 1] if gone else 0)

    def is_over(self, state: Losses) -> bool:
        """Whether nobody is left."""
        return state.front + state.back >= self.last

    def struck_behind(self, state: Losses, *, picks: bool) -> bool:
        """Whether the next wound goes to the end of the row."""
        (first, taken), (last, hurt) = self._in_front(state), self._behind(state)
        if first >= last:
            return False
        return state.back < self.chosen if picks else bool(hurt and not taken and not self.skips)

    def victim(self, state: Losses, *, picks: bool) -> int:
        """The model that the next wound goes to."""
        return (self._behind(state) if self.struck_behind(state, picks=picks) else self._in_front(state))[0]

    def marks_of(self, state: Losses, model: int) -> int:
        """Marks that a model carries."""
        mine = state.front_marks if model == self._in_front(state)[0] else 0
        return mine | (state.back_marks if model == self._behind(state)[0] else 0)

    def living(self, state: Losses) -> range:
        """The models that are left."""
        return range(0) if self.is_over(state) else range(self._in_front(state)[0], self._behind(state)[0] + 1)

    def after(self, state: Losses, effect: str, *, picks: bool, marks: int) -> Losses:
        """Where one packet leads."""
        if self.is_over(state):
            return state
        (first, taken), (last, hurt) = self._in_front(state), self._behind(state)
        behind = self.struck_behind(state, picks=picks)
        model = last if behind else first
        left = self.wounds[model] - (taken if model == first else 0) - (hurt if model == last else 0)
        dies = effect == SLAY or left == 1
        lost = left if dies else 1
        mark = 0 if dies else marks & self.takes[self.kinds[model]]
        if behind:
            marked = mark if dies else state.back_marks | mark
            return replace(state, back=state.back + lost, back_marks=marked)
        if state.front + state.back + lost >= self.last:
            return Losses(front=self.last)
        marked = mark if dies else state.front_marks | mark
        return replace(state, front=state.front + lost, front_marks=marked)

    @cached_property
    def slain(self) -> Ints:
        """Models gone; without crew all guns are (L1644)."""
        models = len(self.wounds)
        left = [self.living(state) for state in self.states]
        alone = [self.has_crew and all(self.guns[self.kinds[i]] for i in living) for living in left]
        return np.array([models if gone else models - len(living) for living, gone in zip(left, alone, strict=True)])

    @cached_property
    def lost(self) -> Ints:
        """Wounds taken."""
        return np.array([min(self.last, state.front + state.back) for state in self.states])

    def left_of(self, kind: int) -> Ints:
        """Models of a kind that are left."""
        return np.array([sum(self.kinds[model] == kind for model in self.living(state)) for state in self.states])

    def marked(self, mark: int) -> np.ndarray:
        """States in which a model that is left carries the mark."""
        return np.array(
            [any(self.marks_of(state, model) & mark for model in self.living(state)) for state in self.states]
        )

    @cached_property
    def weakened(self) -> np.ndarray:
        """States in which rolls to wound meet the lower Toughness: that of all who are left (L730)."""
        if not self.marks & IRRADIATED:
            return np.zeros(len(self.states), bool)
        return np.array(
            [
                bool(living) and all(self.marks_of(state, model) & IRRADIATED for model in living)
                for state in self.states
                for living in [self.living(state)]
            ]
        )

    def struck(self, *, picks: bool) -> Ints:
        """Kind of the model that the next wound goes to, and the number of kinds more if irradiated; -1: nobody."""
        found = []
        for state in self.states:
            if self.is_over(state):
                found.append(-1)
                continue
            model = self.victim(state, picks=picks)
            worse = bool(self.marks_of(state, model) & IRRADIATED)
            found.append(self.kinds[model] + len(self.takes) * worse)
        return np.array(found)

    def moves(self, effect: str, *, picks: bool, marks: int) -> Ints:
        """Where one packet leads from each state."""
        return np.array([self.number[self.after(state, effect, picks=picks, marks=marks)] for state in self.states])


class Picked(TargetState):
    """A target with `Casualties`; its kinds are numbered twice more for irradiated models and a weakened unit."""

    def __init__(self, unit: Unit, options: MatchupOptions, *, charged: bool = False, picks: bool, marks: int) -> None:
        """Read the target; see `Casualties`."""
        super().__init__(unit, options, charged=charged)
        self.casualties = Casualties(unit, picks=picks, marks=marks)
        self.slain, self.lost = self.casualties.slain, self.casualties.lost
        self.destroyed = self.slain >= len(self.lineup.wounds)
        self.whole = False
        self.kinds = len(self.defences)
        if marks & IRRADIATED:
            softer = tuple(replace(d, own_toughness=_lowered(d.own_toughness)) for d in self.defences)
            both = (*self.defences, *softer)
            self.defences = (*both, *(replace(d, toughness=_lowered(d.toughness)) for d in both))
        self._victims = [self.casualties.struck(picks=picks) for picks in (False, True)]
        self._moves: dict[tuple[str, bool, int], Ints] = {}
        self._matrices: dict[tuple[object, ...], Floats] = {}

    def standing_of(self, kind: int) -> Ints:
        """Models of a kind that are left, by state."""
        return self.casualties.left_of(kind)

    def tree(self, line: AttackLine) -> Node:
        """The whole attack of one bearer on the unharmed unit: hits meet the model in front, or the one picked."""
        front, chosen = (self.after_hit(line, int(self._victims[picks][0])) for picks in (False, True))
        if line.picks == "some":
            return line.aim(front, chosen)
        return line.aim(chosen if line.picks == "all" else front)

    def move(self, effect: str, *, picks: bool, marks: int) -> Ints:
        """Where one packet leads from each state."""
        key = (effect, picks, marks)
        if key not in self._moves:
            self._moves[key] = self.casualties.moves(effect, picks=picks, marks=marks)
        return self._moves[key]

    def _marks(self, line: AttackLine) -> int:
        return self.casualties.marks & (
            (IRRADIATED if line.rad else 0) | (STUNNED if "shock pulse" in line.hit.rules else 0)
        )

    def _codes(self, *, picks: bool, weak: bool) -> Ints:
        """Index into `defences` by state."""
        kinds = self._victims[picks]
        return np.where(kinds < 0, -1, kinds + 2 * self.kinds * weak)

    def _all_hits(self, line: AttackLine) -> Chances:
        """Hits of a line: those the defender allocates, and those the attacker does."""
        if line.picks == "some":
            return power(exact.packets(line.aim(End(HIT), End(CHOSEN)), (HIT, CHOSEN)), line.bearers)
        counts = power(exact.packets(line.aim(End(HIT)), (HIT,)), line.bearers)
        return counts[None, :] if line.picks == "all" else counts[:, None]

    def _hit_matrix(self, line: AttackLine, *, picks: bool, weak: bool) -> Floats:
        """Where one hit leads from every state."""
        key = (line.hit, line.facing, line.rad, picks, weak)
        if key not in self._matrices:
            self._matrices[key] = self._one_matrix(line, picks=picks, weak=weak)
        return self._matrices[key]

    def _one_matrix(self, line: AttackLine, *, picks: bool, weak: bool) -> Floats:
        if self.size > MOST_STATES:
            raise LimitExceeded(f"{self.size} states are too many for the exact method: use montecarlo.", "/method")
        codes, marks = self._codes(picks=picks, weak=weak), self._marks(line)
        slays, wounds = (self.move(effect, picks=picks, marks=marks) for effect in (SLAY, WOUND))
        matrix = np.zeros((self.size, self.size))
        everywhere = np.arange(self.size)
        for code in np.unique(codes[codes >= 0]):
            rows = everywhere[codes == code]
            p = exact.packets(self.after_hit(line, int(code)), AXES)
            slain = rows
            for row in p:
                reached = slain
                for chance in row:
                    np.add.at(matrix, (rows, reached), chance)
                    reached = wounds[reached]
                slain = slays[slain]
        over = everywhere[codes < 0]
        matrix[over, over] = 1.0
        return matrix

    def _after_line(self, line: AttackLine, state: Floats) -> Floats:
        """The states after all hits of a line; its rolls to wound meet the Toughness at its beginning."""
        total = np.zeros_like(state)
        for weak in (False, True):
            here = np.where(self.casualties.weakened == weak, state, 0.0)
            if here.any():
                steps = [self._hit_matrix(line, picks=picks, weak=weak) for picks in (False, True)]
                total += exact.resolved(self._all_hits(line), steps, here)
        return total

    def _mixed_means(self, alternatives: Sequence[Alternative]) -> dict[str, float]:
        """Marks and effects by the model that each hit meets."""
        means: dict[str, float] = {}
        for alternative in alternatives:
            state = self.start
            for line in self.in_order(alternative.lines):
                added_means(means, exact.expected(line.aim(End(None))), alternative.weight * line.bearers)
                hits, after = self._all_hits(line), np.zeros_like(state)
                for weak in (False, True):
                    here = np.where(self.casualties.weakened == weak, state, 0.0)
                    if not here.any():
                        continue
                    first, second = (self._hit_matrix(line, picks=picks, weak=weak) for picks in (False, True))
                    waiting = np.zeros((hits.shape[1], self.size))  # by picked hits that are still to come
                    met = [np.zeros(self.size), np.zeros(self.size)]
                    for n, row in enumerate(hits):
                        met[0] += float(hits[n + 1 :].sum()) * here
                        waiting += row[:, None] * here
                        here = here @ first
                    for n in range(len(waiting)):
                        after += waiting[n]
                        met[1] += waiting[n + 1 :].sum(0)
                        waiting[n + 1 :] = waiting[n + 1 :] @ second
                    for picks in (False, True):
                        codes = self._met(self._codes(picks=picks, weak=weak), weak=weak)
                        for code in np.unique(codes[met[picks] > 0.0]):
                            share = alternative.weight * float(met[picks][codes == code].sum())
                            added_means(means, exact.expected(self.after_hit(line, int(code))), share)
                state = after
        return means

    def _met(self, codes: Ints, *, weak: bool) -> Ints:
        """The same with the last kind in the place of the dead."""
        return np.where(codes < 0, self.kinds - 1 + 2 * self.kinds * weak, codes)

    def _roll_line(self, line: AttackLine, number: int, counts: Ints, rng: np.random.Generator, struck: Struck) -> None:
        tree = line.aim(End(HIT), End(CHOSEN)) if line.picks == "some" else line.aim(End(HIT))
        tally = sampling.rolled(tree, counts, (HIT, CHOSEN), rng)
        struck.note(number, tally.marks, np.zeros(len(counts), np.int64))
        weak = self.casualties.weakened[struck.state]
        marks = self._marks(line)
        ordinary, chosen = tally.packets[:, 0], tally.packets[:, 1]
        if line.picks == "all":
            ordinary, chosen = chosen, ordinary
        for picks, hits in ((False, ordinary), (True, chosen)):
            steps = [self.move(effect, picks=picks, marks=marks) for effect in AXES]
            by_weakness = np.array([self._met(self._codes(picks=picks, weak=w), weak=w) for w in (False, True)])
            for n in range(int(hits.max(initial=0))):
                active = hits > n
                codes = by_weakness[weak.astype(np.int64), struck.state]
                for code in np.unique(codes[active]):
                    here = active & (codes == code)
                    packets = sampling.rolled(self.after_hit(line, int(code)), here.astype(np.int64), AXES, rng)
                    struck.note(number, packets.marks, np.zeros(len(hits), np.int64))
                    struck.add_unsaved(number, packets.packets.sum(1))
                    for column, step in enumerate(steps):
                        for i in range(int(packets.packets[:, column].max(initial=0))):
                            moved = packets.packets[:, column] > i
                            struck.state = np.where(moved, step[struck.state], struck.state)


def standing_for(
    unit: Unit, options: MatchupOptions, alternatives: Sequence[Alternative], *, charged: bool = False
) -> TargetState:
    """The target as this attack needs it: `Picked` only where that makes a difference."""
    picks, marks = needs(unit, alternatives)
    if unit.is_vehicle or not (picks or marks):
        return TargetState(unit, options, charged=charged, keeps_stuns=bool(marks))
    target = Picked(unit, options, charged=charged, picks=picks, marks=marks)
    target.uniform &= not any(line.rad for way in alternatives if len(way.lines) > 1 for line in way.lines)
    return target


def needs(unit: Unit, alternatives: Sequence[Alternative]) -> tuple[bool, int]:
    """Whether the attacker's picks matter, and the marks that matter."""
    every = [line for way in alternatives for line in way.lines]
    if unit.is_vehicle:
        return False, STUNNED if any("shock pulse" in line.hit.rules for line in every) else 0
    groups = [unit.groups[index] for index in unit.present]
    picks = unit.side.is_motley and any(line.picks != "none" for line in every)
    marks = 0
    if any(line.rad for line in every) and unit.side.may_be_hurt:
        marks |= IRRADIATED
    if any("shock pulse" in line.hit.rules for line in every) and any(group.is_a(*MACHINES) for group in groups):
        marks |= STUNNED
    return picks, marks


def _lowered(toughness: int | None) -> int | None:
    return None if toughness is None else max(1, toughness - 1)
