"""What an attack may cause besides wounds: flight from losses, pinning, Concussive, Blind, Shock Pulse."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from armybuilder.engine.combat import exact
from armybuilder.engine.combat.distribution import Chances, Floats, convolved, power
from armybuilder.engine.combat.outcomes import Outcomes, Values
from armybuilder.engine.combat.sequence import NOTHING, Both, End, Mark, Node, Roll, Several
from armybuilder.engine.systems.horus_heresy.combat.morale import test_chance
from armybuilder.engine.systems.horus_heresy.combat.volley import AXES, Alternative, AttackLine, Struck, TargetState
from armybuilder.engine.systems.horus_heresy.combat.wound_allocation import IRRADIATED, STUNNED, Picked
from armybuilder.engine.systems.horus_heresy.matchup import Conditions

PANIC = 0.25
"""Share of its models whose loss in one phase, other than the assault phase, calls for a morale check (L1466)."""

MARKS = {"p_irradiated": IRRADIATED, "p_shocked": STUNNED}
"""By metric: chance that a model carries the mark when the attack is over."""

MOST_ADDED = 12
"""Hits of hallucinations beyond which only a double 1 passes the test all the same (L4515)."""


@dataclass(frozen=True, slots=True)
class Test:
    """One kind of test.

    Attributes:
        metric: chance that the test has to be taken and fails.
        cause: whether a line can cause it.
        by: what a line must achieve: "unsaved", "wounds" or "hits".
        passes: chance to pass.
    """

    metric: str
    cause: Callable[[AttackLine], bool]
    by: str
    passes: float


class FollowupTests:
    """The tests that this attack can cause; none for attacks without such weapons."""

    def __init__(
        self,
        target: TargetState,
        alternatives: Sequence[Alternative],
        conditions: Conditions,
        *,
        panics: bool = False,
        fear: int = 0,
    ) -> None:
        """Find them; a test whose characteristic the document leaves out is not taken.

        Args:
            panics: losses call for a morale check, as after shooting outside the assault phase.
            fear: of an attacker within 12" (L2993).

        Source: HH L1466, L2927, L2941-L2945, L3199-L3209, L3273, L3279, L4515 [text]; Primarchs L1611.
        """
        self.target = target
        self.alternatives = alternatives
        self.tests: list[Test] = []
        self.stays: float | None = None
        self.dreads: list[float] = []
        self.marks: dict[str, np.ndarray] = {}
        if isinstance(target, Picked):
            kept = target.casualties.marks
            self.marks = {name: target.casualties.marked(mark) for name, mark in MARKS.items() if kept & mark}
        unit = target.unit
        lines = [line for way in alternatives for line in way.lines]
        if target.is_vehicle and target.squadron_states.squadron.keeps_stuns:
            self.marks = {"p_shocked": target.stunned}
        if target.is_vehicle:
            return
        known = [unit.groups[i].profile for i in unit.present]
        can_test = any(profile.leadership is not None for profile in known)
        if panics and can_test and unit.models > 1:
            self.stays = test_chance(unit, conditions, morale=True, fear=fear)
        pinned = [line.pinning for line in lines if line.pinning is not None]
        never = any(unit.groups[i].is_a("cavalry", "monstrous", "daemon") for i in unit.present)
        if pinned and can_test:
            chance = 1.0 if never else test_chance(unit, conditions, morale=True, penalty=max(pinned), fear=fear)
            self.tests.append(Test("p_pinned", lambda line: line.pinning is not None, "unsaved", chance))
        if any(line.hallucinates for line in lines) and can_test and not never:
            self.dreads = [
                test_chance(unit, conditions, morale=True, fear=fear, added=hits) for hits in range(1, MOST_ADDED + 1)
            ]
        unbent = all(unit.groups[i].type == "primarch" for i in unit.present)  # ignores lowered characteristics
        if any(line.concussive for line in lines) and can_test:
            chance = 1.0 if unbent else test_chance(unit, conditions, morale=False)
            self.tests.append(Test("p_concussed", lambda line: line.concussive is not None, "wounds", chance))
        if any(line.blind for line in lines) and any(profile.initiative is not None for profile in known):
            chance = 1.0 if unbent else self._initiative_chance()
            self.tests.append(Test("p_blinded", lambda line: line.blind, "hits", chance))

    def _initiative_chance(self) -> float:
        """D6 up to the highest Initiative; 1 passes, 6 fails (L279-L293)."""
        unit = self.target.unit
        values = [unit.groups[i].profile.initiative or 0 for i in unit.present]
        return max(1, min(5, max(values))) / 6

    @property
    def _shaken(self) -> np.ndarray:
        """States in which a quarter of the models is lost, but not the whole unit."""
        return (self.target.slain >= PANIC * self.target.unit.models) & ~self.target.destroyed

    def enter(self, outcomes: Outcomes, struck: Struck) -> None:
        """Each test that is taken and failed by a unit that is not wiped out."""
        if self.stays is not None:
            tested = outcomes.averaged(self._shaken[struck.state])
            outcomes.add("p_panic_test", tested)
            outcomes.add("p_flees", tested * (1.0 - outcomes.happens(self.stays)))
        for name, marked in self.marks.items():
            outcomes.add(name, marked[struck.state])
        failed: dict[str, Values] = {}
        for test in self.tests:
            caused = outcomes.either(partial(self._chance_of, test), partial(self._caused, test, struck))
            failed[test.metric] = caused * (1.0 - outcomes.happens(test.passes))
        if self.dreads:
            pinned = failed.get("p_pinned", 0.0)  # by other weapons, whose test is another one
            dreaded = outcomes.either(self._chance_of_dread, partial(self._dreaded, struck))
            failed["p_pinned"] = pinned + dreaded * (1.0 - pinned)
        for name, flags in failed.items():
            outcomes.add(name, flags)

    def _chance_of(self, test: Test) -> Values:
        """Chance that a unit that is not wiped out has to take the test.

        Lines that do not cause the test do nothing at all, so the rest of the attack decides about that case.
        """
        caused = 0.0
        for way in self.alternatives:
            none = 1.0
            for line in way.lines:
                if test.cause(line):
                    none *= self._none(line, test.by) ** line.bearers
            others = replace(way, weight=1.0, lines=tuple(line for line in way.lines if not test.cause(line)))
            whole = replace(way, weight=1.0)
            caused += way.weight * (self._survives(whole) - none * self._survives(others))
        return max(0.0, caused)

    def _caused(self, test: Test, struck: Struck, rng: np.random.Generator, trials: int) -> Values:
        """The trials in which such a unit has to take the test."""
        lines = [line for way in self.alternatives for line in way.lines]
        caused = np.zeros(trials, bool)
        for (number, name), seen in struck.by_line.items():
            if name == test.by and test.cause(lines[number]):
                caused |= seen > 0
        return caused & ~self.target.destroyed[struck.state]

    def _chance_of_dread(self) -> Values:
        """Chance that hallucinations pin the unit."""
        return sum(
            way.weight * (1.0 - self._bears(way)) * self._survives(replace(way, weight=1.0))
            for way in self.alternatives
        )

    def _dreaded(self, struck: Struck, rng: np.random.Generator, trials: int) -> Values:
        """The trials in which hallucinations pin the unit."""
        lines = [line for way in self.alternatives for line in way.lines]
        hits = np.zeros(trials, np.int64)
        for (number, name), seen in struck.by_line.items():
            if name == "hits" and lines[number].hallucinates:
                hits += seen
        fails = rng.random(trials) >= self._passed[np.minimum(hits, MOST_ADDED)]
        return fails & ~self.target.destroyed[struck.state]

    def _bears(self, way: Alternative) -> float:
        """Chance that the hallucinations of an attack do not pin the unit."""
        hits: Chances = np.ones(1)
        for line in way.lines:
            if line.hallucinates:
                hits = convolved(hits, power(exact.packets(line.aim(End("hits")), ("hits",)), line.bearers))
        return float(hits @ self._passed[np.minimum(np.arange(len(hits)), MOST_ADDED)])

    @property
    def _passed(self) -> Floats:
        """Chance to bear so many hallucinations; none are borne by everybody."""
        return np.array([1.0, *self.dreads])

    def _survives(self, way: Alternative) -> float:
        return 1.0 - float(self.target.reached([way])[self.target.destroyed].sum())

    def _none(self, line: AttackLine, by: str) -> float:
        """Chance that one bearer achieves nothing of the kind."""
        tree = self.target.tree(line)
        if by == "unsaved":
            return float(exact.packets(tree, AXES).flat[0])
        return float(exact.packets(_ending_at(tree, by, End(by)), (by,)).flat[0])


def _ending_at(node: Node, mark: str, end: Node) -> Node:
    """The same tree, cut where it passes a mark, with this end there; other effects are dropped."""
    memory: dict[int, Node] = {}

    def cut(node: Node) -> Node:
        if id(node) not in memory:
            memory[id(node)] = fresh(node)
        return memory[id(node)]

    def fresh(node: Node) -> Node:
        match node:
            case Mark(name, then):
                return end if name == mark else cut(then)
            case Roll(weights, branches):
                return Roll(weights, tuple(cut(branch) for branch in branches))
            case Several(count, each):
                return Several(count, cut(each))
            case Both(first, second):
                return Both(cut(first), cut(second))
            case End():
                return NOTHING

    return cut(node)
