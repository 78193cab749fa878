"""A whole round of close combat: Initiative steps, simultaneous blows, combat result, morale, Sweeping Advance."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from armybuilder.engine.combat import sampling
from armybuilder.engine.combat.distribution import Distribution, Floats
from armybuilder.engine.combat.sampling import Ints, Ledger
from armybuilder.engine.errors import LimitExceeded
from armybuilder.engine.systems.horus_heresy import morale
from armybuilder.engine.systems.horus_heresy.assault import FIRST_STEP, LAST_STEP, Blows, Party
from armybuilder.engine.systems.horus_heresy.matchup import HeresyMatchup
from armybuilder.engine.systems.horus_heresy.rules_in_play import report
from armybuilder.engine.systems.horus_heresy.target import Unit
from armybuilder.engine.systems.horus_heresy.volley import Alternative, Standing
from armybuilder.engine.systems.matchups import Answer, Basis, Run

LARGEST_TABLE = 160_000
"""States of one side times states of the other that the exact method goes through."""


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


class Fighter:
    """One side of the round: what it is as a target, and what it does at each step."""

    def __init__(self, unit: Unit, standing: Standing, blows: Blows) -> None:
        """Put together."""
        self.unit = unit
        self.standing = standing
        self.blows = blows

    @cached_property
    def alive(self) -> list[tuple[int, ...]]:
        """Models left of each group, by state."""
        counts = [group.count for group in self.unit.groups]
        if self.standing.is_vehicle:
            first = self.unit.order_of_hulks[0]
            rest = [sum(counts) - int(gone) for gone in self.standing.slain]
            return [tuple(left if i == first else 0 for i in range(len(counts))) for left in rest]
        rows = np.zeros((self.standing.size, len(counts)), np.int64)
        for kind, index in enumerate(self.unit.order):
            rows[:, index] = self.standing.lineup.standing(kind)
        return [tuple(int(n) for n in row) for row in rows]

    def parties(self, state: int, step: int) -> list[Party]:
        """Who strikes at this step."""
        alive = self.alive[state]
        return [
            party
            for index, models in enumerate(alive)
            if models
            for party in self.blows.parties(index, models)
            if self.blows.line(party) is not None and self.blows.step_of(party) == step
        ]

    def alternatives(self, state: int, step: int, rampage: tuple[int, ...]) -> list[Alternative]:
        """The blows at a step, from one of the side's states; empty when nobody strikes."""
        alive = self.alive[state]
        fixed = self.blows.hammer_lines(alive) if step == FIRST_STEP else []
        if step == LAST_STEP:
            fixed += self.blows.stomp_lines(alive)
        parties = self.parties(state, step)
        if not parties and not fixed:
            return []
        ways = self.blows.alternatives(parties, rampage, position=0 if self.standing.is_vehicle else state)
        if len(ways) == 1:
            return [Alternative(1.0, (*fixed, *ways[0].lines), state)]
        return [Alternative(way.weight, (*fixed, *way.lines), way.position, way.lost) for way in ways]

    def standing_groups(self, state: int) -> tuple[int, ...]:
        """Groups that still have models."""
        return tuple(i for i, models in enumerate(self.alive[state]) if models)


class Round:
    """A round of two units."""

    def __init__(self, matchup: HeresyMatchup, basis: Basis) -> None:
        """Read the document."""
        assert matchup.attacker is not None and matchup.defender is not None
        report(matchup, basis)
        self.conditions = matchup.circumstances
        attacker, defender = Unit(matchup.attacker, "/attacker"), Unit(matchup.defender, "/defender")
        options = matchup.options
        self.attacker = Fighter(
            attacker, Standing(attacker, options), Blows(attacker, defender, self.conditions, options)
        )
        self.defender = Fighter(
            defender, Standing(defender, options), Blows(defender, attacker, self.conditions, options)
        )
        for unit in (attacker, defender):
            unit.note_mixture(basis)
            if unit.is_vehicle:
                basis.approximate(
                    "vehicles in the combat result",
                    "Every hull point lost counts as one wound.",
                    "Каждый потерянный пункт корпуса считается за одно ранение.",
                )
        if self.attacker.blows.is_challenge:
            basis.assume(
                "No reactions; the two Characters fight a challenge.", "Без реакций; персонажи бьются в поединке."
            )
        else:
            basis.assume(
                "No reactions and no challenges; all models fight.", "Без реакций и поединков; сражаются все модели."
            )
        self._passes: dict[tuple[bool, int, tuple[int, ...]], float] = {}
        self._caught: dict[tuple[bool, tuple[int, ...], tuple[int, ...]], float] = {}

    @property
    def sides(self) -> tuple[Fighter, Fighter]:
        """Attacker and defender."""
        return self.attacker, self.defender

    def scenarios(self) -> Iterator[tuple[float, tuple[int, ...], tuple[int, ...]]]:
        """The rolls of Rampage of both sides, with their chance."""
        for first, mine in self.attacker.blows.rampages():
            for second, theirs in self.defender.blows.rampages():
                yield first * second, mine, theirs

    # --- exactly -------------------------------------------------------------------------------------------------

    def joint(self) -> Floats:
        """Chances of the states of both sides after all blows: shape (attacker states, defender states)."""
        shape = (self.attacker.standing.size, self.defender.standing.size)
        if shape[0] * shape[1] > LARGEST_TABLE:
            raise LimitExceeded(
                f"{shape[0]} × {shape[1]} states are too many for the exact method: use montecarlo.", "/method"
            )
        total = np.zeros(shape)
        for chance, mine, theirs in self.scenarios():
            joint = np.zeros(shape)
            joint[0, 0] = 1.0
            for step in range(FIRST_STEP, LAST_STEP - 1, -1):
                joint = self._stepped(joint, step, mine, theirs)
            total += chance * joint
        return total

    def _stepped(self, joint: Floats, step: int, mine: tuple[int, ...], theirs: tuple[int, ...]) -> Floats:
        """One Initiative step: both sides strike with the models that stand at its beginning."""
        reached = np.argwhere(joint > 0.0)
        a_strikes, a_blows = self._strikes(self.attacker, np.unique(reached[:, 0]), step, mine)
        d_strikes, d_blows = self._strikes(self.defender, np.unique(reached[:, 1]), step, theirs)
        if len(a_blows) <= 1 and len(d_blows) <= 1 and not any(a_blows.values()) and not any(d_blows.values()):
            return joint
        attacker, defender = self.attacker.standing, self.defender.standing
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
        self, side: Fighter, states: Ints, step: int, rampage: tuple[int, ...]
    ) -> tuple[dict[int, list[Strike]], dict[tuple[object, ...], list[Alternative]]]:
        """What a side does from each of its states, and the blows behind each key."""
        strikes: dict[int, list[Strike]] = {}
        blows: dict[tuple[object, ...], list[Alternative]] = {}
        known: dict[tuple[int, ...], list[Alternative]] = {}
        psychic = side.unit.side.psychic_check == "attempted" or any(
            "psychic focus" in rule.casefold() for g in side.unit.groups for w in g.weapons for rule in w.rules
        )
        for state in (int(s) for s in states):
            alive = side.alive[state]
            if psychic or alive not in known:
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

    # --- result, morale, pursuit ---------------------------------------------------------------------------------

    def passes(self, *, attacker: bool, lost_by: int, groups: tuple[int, ...]) -> float:
        """Chance that a side passes its morale check after losing by so much."""
        key = (attacker, lost_by, groups)
        if key not in self._passes:
            loser, winner = (self.attacker, self.defender) if attacker else (self.defender, self.attacker)
            self._passes[key] = morale.test_chance(
                loser.unit,
                self.conditions,
                morale=True,
                lost_by=lost_by,
                fear=morale.fear_of(winner.unit),
                standing=groups,
            )
        return self._passes[key]

    def caught(self, *, attacker: bool, mine: tuple[int, ...], theirs: tuple[int, ...]) -> float:
        """Chance that a side that breaks is caught.

        Args:
            mine: standing groups of the side that breaks; theirs of the winner.
        """
        key = (attacker, mine, theirs)
        if key not in self._caught:
            loser, winner = (self.attacker, self.defender) if attacker else (self.defender, self.attacker)
            self._caught[key] = morale.caught_chance(
                winner.unit, loser.unit, self.conditions, winners_left=theirs, losers_left=mine
            )
        return self._caught[key]

    def outcome(self, a: int, d: int) -> dict[str, float]:
        """What follows from the states of both sides. Source: HH L1316-L1350, L1468 [text]."""
        mine, theirs = self.attacker.standing, self.defender.standing
        if mine.destroyed[a] and theirs.destroyed[d]:
            return {"p_both_destroyed": 1.0}
        lead = int(theirs.lost[d]) - int(mine.lost[a])
        if theirs.destroyed[d] or mine.destroyed[a]:
            return {"p_win": 1.0} if theirs.destroyed[d] else {"p_lose": 1.0}
        if lead == 0:
            return {"p_draw": 1.0}
        loses = lead < 0
        loser, winner = (self.attacker, self.defender) if loses else (self.defender, self.attacker)
        left, others = (a, d) if loses else (d, a)
        name = "attacker" if loses else "defender"
        groups = loser.standing_groups(left)
        breaks = 1.0 - self.passes(attacker=loses, lost_by=abs(lead), groups=groups)
        found = {"p_lose" if loses else "p_win": 1.0, f"p_{name}_breaks": breaks}
        if breaks:
            caught = self.caught(attacker=loses, mine=groups, theirs=winner.standing_groups(others))
            found[f"p_{name}_caught"] = breaks * caught
        return found


METRICS = (
    "p_win", "p_draw", "p_lose", "p_both_destroyed", "p_defender_breaks", "p_defender_caught", "p_attacker_breaks",
    "p_attacker_caught",
)  # fmt: skip


def combat_round(matchup: HeresyMatchup, basis: Basis) -> Answer:
    """The round, exactly."""
    fight = Round(matchup, basis)
    joint = fight.joint()
    metrics = dict.fromkeys(METRICS, 0.0)
    for a, d in np.argwhere(joint > 0.0):
        for name, share in fight.outcome(int(a), int(d)).items():
            metrics[name] += share * float(joint[a, d])
    distributions = {}
    for prefix, side, chances in (
        ("", fight.defender.standing, joint.sum(0)),
        ("attacker_", fight.attacker.standing, joint.sum(1)),
    ):
        slain = Distribution(0, np.bincount(side.slain, weights=chances))
        metrics[f"{prefix}models_slain"] = float(slain.mean)
        metrics[f"{prefix}{'hull_points_lost' if side.is_vehicle else 'wounds_lost'}"] = float(chances @ side.lost)
        metrics["p_destroyed" if not prefix else "p_attacker_destroyed"] = float(chances[side.destroyed].sum())
        distributions[f"{prefix}models_slain"] = slain
    return Answer(metrics, distributions)


def roll_combat_round(matchup: HeresyMatchup, basis: Basis, run: Run, ledger: Ledger) -> None:
    """The round with dice."""
    fight = Round(matchup, basis)
    scenarios = list(fight.scenarios())
    weights = np.array([chance for chance, _, _ in scenarios])
    size = 40 * (fight.attacker.unit.models + fight.defender.unit.models)
    for trials in sampling.blocks(run.trials, size, progress=run.progress, should_stop=run.should_stop):
        drawn = run.rng.choice(len(scenarios), trials, p=weights / weights.sum())
        rampages = [(drawn == i, (mine, theirs)) for i, (_, mine, theirs) in enumerate(scenarios)]
        states = [np.zeros(trials, np.int64), np.zeros(trials, np.int64)]
        for step in range(FIRST_STEP, LAST_STEP - 1, -1):
            states = _roll_step(fight, step, states, rampages, run.rng)
        _enter(fight, states[0], states[1], run.rng, ledger)
        ledger.close(trials)


def _roll_step(
    fight: Round,
    step: int,
    states: list[Ints],
    rampages: list[tuple[np.ndarray, tuple[tuple[int, ...], tuple[int, ...]]]],
    rng: np.random.Generator,
) -> list[Ints]:
    """One step in every trial: psychic checks of both sides first, then the blows of both.

    Args:
        rampages: trials with the same rolls of Rampage, and these rolls of both sides.
    """
    before = [states[0].copy(), states[1].copy()]
    blows: list[list[tuple[np.ndarray, Alternative]]] = [[], []]
    for number, side in enumerate(fight.sides):
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
        target = fight.sides[1 - number].standing
        for members, way in blows[number]:
            if len(members):
                thrown = target.rolled([Alternative(1.0, way.lines)], rng, before[1 - number][members])
                after[1 - number][members] = thrown.state
    return after


def _enter(fight: Round, a: Ints, d: Ints, rng: np.random.Generator, ledger: Ledger) -> None:
    """Combat result, morale checks and pursuits of a block of trials."""
    happened = {name: np.zeros(len(a), bool) for name in METRICS}
    pairs, number = np.unique(np.column_stack([a, d]), axis=0, return_inverse=True)
    for index, (x, y) in enumerate(pairs):
        mine = np.flatnonzero(number.ravel() == index)
        found = fight.outcome(int(x), int(y))
        for name in ("p_win", "p_draw", "p_lose", "p_both_destroyed"):
            happened[name][mine] = found.get(name, 0.0) == 1.0
        for name in ("defender", "attacker"):
            breaks = found.get(f"p_{name}_breaks", 0.0)
            if not breaks:
                continue
            broken = mine[rng.random(len(mine)) < breaks]
            happened[f"p_{name}_breaks"][broken] = True
            chance = found.get(f"p_{name}_caught", 0.0) / breaks
            happened[f"p_{name}_caught"][broken[rng.random(len(broken)) < chance]] = True
    for name, flags in happened.items():
        ledger.add(name, flags)
    for prefix, side, state in (("", fight.defender.standing, d), ("attacker_", fight.attacker.standing, a)):
        ledger.add(f"{prefix}models_slain", side.slain[state], distribution=True)
        ledger.add(f"{prefix}{'hull_points_lost' if side.is_vehicle else 'wounds_lost'}", side.lost[state])
        ledger.add("p_destroyed" if not prefix else "p_attacker_destroyed", side.destroyed[state])
