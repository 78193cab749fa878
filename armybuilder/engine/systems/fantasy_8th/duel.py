"""A round of close combat between two units: blows in their order, with casualties before the slower side strikes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import msgspec
import numpy as np
import numpy.typing as npt

from armybuilder.engine.combat.distribution import Floats
from armybuilder.engine.errors import LimitExceeded
from armybuilder.engine.systems.fantasy_8th.attacks import Attack
from armybuilder.engine.systems.fantasy_8th.casualties import (
    MAX_WORK,
    Body,
    Count,
    after,
    body_of,
    roll_volley,
    wounds_of,
)
from armybuilder.engine.systems.fantasy_8th.formation import count_of, counts
from armybuilder.engine.systems.fantasy_8th.matchup import Conditions, Side
from armybuilder.engine.systems.fantasy_8th.special_hits import breath, impact_hits, stomps
from armybuilder.engine.systems.fantasy_8th.strikers import FIRST, LAST, Camp, Striker, fighters, strikers
from armybuilder.engine.systems.matchups import MAX_SHOTS, refuse_above

Ints = npt.NDArray[np.int64]

IMPACT = 1_000
"""Place of impact hits in the order of blows."""


@dataclass(frozen=True, slots=True)
class Blows:
    """One volley of a round.

    Attributes:
        first: the attacker strikes it.
        counts: attack dice for each state of the striking unit.
    """

    order: int
    first: bool
    counts: tuple[Count, ...]
    attack: Attack


@dataclass(frozen=True, slots=True)
class Duel:
    """Two units ready to strike.

    Attributes:
        attacker, defender: bodies that take the wounds.
        steps: volleys that are struck at the same time, step by step.
    """

    attacker: Body
    defender: Body
    steps: tuple[tuple[Blows, ...], ...]

    def exact(self) -> Floats:
        """Chances of (attacker's state, defender's state) after all blows.

        Raises:
            LimitExceeded: more work than the service takes.
        """
        self._refuse_too_much_work()
        joint = np.outer(self.attacker.fresh, self.defender.fresh)
        for step in self.steps:
            mine = [blows for blows in step if blows.first]
            theirs = [blows for blows in step if not blows.first]
            total = np.zeros_like(joint)
            for own, mask in _classes(mine, self.attacker.size):
                for other, against in _classes(theirs, self.defender.size):
                    part = joint * np.outer(mask, against)
                    if not part.any():
                        continue
                    for count, blows in zip(own, mine, strict=True):
                        part = after(part, count, blows.attack, self.defender)
                    for count, blows in zip(other, theirs, strict=True):
                        part = np.ascontiguousarray(
                            after(np.ascontiguousarray(part.T), count, blows.attack, self.attacker).T
                        )
                    total += part
            joint = total
        return joint

    def roll(self, rng: np.random.Generator, size: int) -> tuple[Ints, Ints]:
        """The states of both units after all blows, shape (size,) each, with dice."""
        a, b = np.zeros(size, np.int64), np.zeros(size, np.int64)
        for step in self.steps:
            before_a, before_b = a, b
            for blows in step:
                dice = rolled_counts(blows.counts, before_a if blows.first else before_b, rng)
                if blows.first:
                    b = roll_volley(b, dice, blows.attack, self.defender, rng).states
                else:
                    a = roll_volley(a, dice, blows.attack, self.attacker, rng).states
        return a, b

    def _refuse_too_much_work(self) -> None:
        work, cells = 0.0, self.attacker.size * self.defender.size
        for step in self.steps:
            classes = 1
            for first in (True, False):
                classes *= len(set(zip(*[blows.counts for blows in step if blows.first is first], strict=True))) or 1
            for blows in step:
                body = self.defender if blows.first else self.attacker
                each = 1 if blows.attack.simple and not body.guarded else body.size
                work += classes * cells * each * max(count.highest for count in blows.counts)
        if work > MAX_WORK:
            raise LimitExceeded(
                "This round is too large for the exact method: use montecarlo, or fewer models.", "/attacker/models"
            )


def duel(attacker: Camp, defender: Camp, *, places: int | None = None, blows_only: bool = False) -> Duel:
    """Both units with everything they strike in this round.

    Args:
        places: how many infantry models of each side may fight; None for a fight in ranks.
        blows_only: without impact hits and stomps.
    """
    volleys = _remembering(list(_volleys(attacker, defender, blows_only=blows_only)), (attacker.side, defender.side))
    caps = [0, 0]
    for _, first, striker in volleys:
        camp, enemy = (attacker, defender) if first else (defender, attacker)
        standing = [group.count for group in camp.side.models]
        count = count_of(camp, enemy.side, striker, standing, places=places)
        refuse_above(count.highest, MAX_SHOTS, "attacks", f"/{camp.name}/models/{striker.group}")
        caps[int(first)] += count.highest * _most_damage(striker.attack, enemy.side)
    bodies = [
        body_of(
            camp.side,
            wounds_cap=cap,
            guarded=any(s.attack.once or s.attack.fading for _, first, s in volleys if first == bool(index)),
        )
        for index, (camp, cap) in enumerate(((attacker, caps[0]), (defender, caps[1])))
    ]
    placed = [
        Blows(
            order,
            first,
            counts(
                attacker if first else defender,
                defender.side if first else attacker.side,
                striker,
                bodies[0] if first else bodies[1],
                places=places,
            ),
            striker.attack,
        )
        for order, first, striker in volleys
    ]
    orders = sorted({blows.order for blows in placed}, reverse=True)
    steps = tuple(tuple(blows for blows in placed if blows.order == order) for order in orders)
    return Duel(bodies[0], bodies[1], steps)


def manned(side: Side) -> Side:
    """The side as it fights hand to hand: a war machine's crew stands for the machine. Source: L1033-1045 [text]."""
    groups = []
    for group in side.models:
        if group.troop_type == "war_machine" and group.crew is not None:
            models = group.count * group.crew.count
            profile = group.crew.profile
            groups.append(msgspec.structs.replace(group, count=models, profile=profile, crew=None))
        else:
            groups.append(group)
    return msgspec.structs.replace(side, models=tuple(groups))


def total_wounds(side: Side) -> int:
    """Wounds of all models of a side."""
    return sum(group.count * wounds_of(side, index) for index, group in enumerate(side.models))


def rolled_counts(counts_by_state: Sequence[Count], states: Ints, rng: np.random.Generator) -> Ints:
    """Attack dice of each trial, by the state its striking unit is in."""
    dice = np.zeros(len(states), np.int64)
    by_count: dict[Count, list[int]] = {}
    for state in np.unique(states):
        by_count.setdefault(counts_by_state[int(state)], []).append(int(state))
    for count, members in by_count.items():
        mine = np.flatnonzero(np.isin(states, members))
        dice[mine] = count.roll(rng, len(mine))
    return dice


def _volleys(attacker: Camp, defender: Camp, *, blows_only: bool) -> Iterator[tuple[int, bool, Striker]]:
    for first, camp, enemy in ((True, attacker, defender), (False, defender, attacker)):
        if not blows_only:
            for striker in impact_hits(camp, enemy):
                yield IMPACT, first, striker
            for striker in stomps(camp, enemy):
                yield LAST, first, striker
            if first and camp.combat_round == 1 and not camp.building:  # once a game, in one's own turn (L401-L413)
                for striker in breath(camp, enemy, Conditions()):
                    yield _initiative(camp, striker.group), first, striker
        for striker in strikers(camp, enemy):
            yield striker.order, first, striker


def _remembering(volleys: list[tuple[int, bool, Striker]], sides: tuple[Side, Side]) -> list[tuple[int, bool, Striker]]:
    """The volleys, where fire and other blows strike models that survive a wound and could regenerate.

    A model that has suffered a flaming wound regenerates no more in this phase. Source: L576-584 [text].
    """
    fading = set()
    for first in (True, False):
        attacks = [striker.attack for _, own, striker in volleys if own is first]
        target = sides[1] if first else sides[0]
        if (
            any(attack.scorches for attack in attacks)
            and any(attack.regeneration is not None for attack in attacks)
            and survives_wounds(target)
            and not any(attack.once for attack in attacks)
        ):
            fading.add(first)
    return [
        (order, first, replace(striker, attack=replace(striker.attack, fading=True)) if first in fading else striker)
        for order, first, striker in volleys
    ]


def survives_wounds(side: Side) -> bool:
    """Whether somebody in it has several wounds."""
    return any(wounds_of(side, index) > 1 for index, group in enumerate(side.models) if group.count)


def _initiative(camp: Camp, group: int) -> int:
    """When the models of a group act by their Initiative."""
    place = f"/{camp.name}/models/{group}"
    found = next(fighters(camp, camp.side.models[group], place), None)
    return min(found.initiative, FIRST - 1) if found is not None else 1


def _most_damage(attack: Attack, target: Side) -> int:
    worst = max((wounds_of(target, index) for index in range(len(target.models))), default=1)
    return worst if attack.killing_blow else min(worst, attack.damage.highest * attack.factor)


def _classes(blows: Sequence[Blows], size: int) -> list[tuple[tuple[Count, ...], npt.NDArray[np.bool_]]]:
    """States of the striking unit that strike with the same number of dice, as masks."""
    if not blows:
        return [((), np.ones(size, bool))]
    masks: dict[tuple[Count, ...], npt.NDArray[np.bool_]] = {}
    for state in range(size):
        key = tuple(volley.counts[state] for volley in blows)
        masks.setdefault(key, np.zeros(size, bool))[state] = True
    return list(masks.items())
