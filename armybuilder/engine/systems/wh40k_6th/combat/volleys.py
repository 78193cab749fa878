"""The firing side: every weapon as a volley of dice to hit and to wound, its wounds a group of the wound pool."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from armybuilder.engine.combat.dice import Dice, Reroll, chance, parse
from armybuilder.engine.combat.distribution import Distribution, binomial, mixture
from armybuilder.engine.combat.steps.to_hit import ballistic_roll, ballistic_second_roll
from armybuilder.engine.combat.steps.to_wound import wound_roll
from armybuilder.engine.findings import Text
from armybuilder.engine.systems.matchups import ModelNotes
from armybuilder.engine.systems.wh40k_6th.army import Weapon, needed
from armybuilder.engine.systems.wh40k_6th.combat.note_words import NOTES
from armybuilder.engine.systems.wh40k_6th.combat.special_rules import (
    ALLOCATION,
    MARKERS,
    REROLLS,
    find,
    is_steady,
    marker,
)
from armybuilder.engine.systems.wh40k_6th.matchup import FiringGroup, TargetGroup, Wh40kMatchup

Ints = npt.NDArray[np.int64]

SNAP_SHOT_SKILL = 1
HOPELESS_GAP = 4
"""Toughness lead that cannot be wounded at all. Source: HH L738-749 [sister]."""


@dataclass(frozen=True, slots=True)
class Volley:
    """One weapon of one group, fired.

    Attributes:
        shots: dice to hit; None when the document gives hits or wounds instead.
        hits: a given number of hits; wounds: a given number of wounds.
        to_hit, to_wound: chance of one die.
        strength: of the wounds, for instant death; None when there is none.
        armour_piercing: None never pierces.
        at_random: the nearest model is drawn from the whole unit.
    """

    weapon: str
    shots: Dice | None
    models: int
    hits: Dice | None
    wounds: Dice | None
    to_hit: Fraction
    to_wound: Fraction
    strength: int | None
    armour_piercing: int | None
    at_random: bool = False

    @property
    def most_shots(self) -> int:
        """The largest number of dice it can roll, for the service's limit."""
        dice = self.wounds or self.hits or self.shots
        return (dice.highest if dice else 0) * (1 if self.wounds or self.hits else self.models)

    def hits_exactly(self) -> Distribution | None:
        """Distribution of hits; None when the document gives the wounds."""
        if self.wounds is not None:
            return None
        if self.hits is not None:
            return self.hits.distribution()
        assert self.shots is not None
        return _thinned(self.shots.distribution().times(self.models), self.to_hit)

    def wounds_exactly(self) -> Distribution:
        """Distribution of the wounds it puts into the pool."""
        if self.wounds is not None:
            return self.wounds.distribution()
        if self.hits is not None:
            return _thinned(self.hits.distribution(), self.to_wound)
        assert self.shots is not None
        return _thinned(self.shots.distribution().times(self.models), self.to_hit * self.to_wound)

    def roll(self, rng: np.random.Generator, size: int) -> tuple[Ints | None, Ints]:
        """Hits (None when wounds are given) and wounds of each trial, shape (size,)."""
        if self.wounds is not None:
            return None, self.wounds.roll(rng, size)
        if self.hits is not None:
            hits = self.hits.roll(rng, size)
        else:
            assert self.shots is not None
            shots = self.shots.roll(rng, size * self.models).reshape(size, self.models).sum(axis=1)
            hits = rng.binomial(shots, float(self.to_hit))
        return hits, rng.binomial(hits, float(self.to_wound))


def volleys(matchup: Wh40kMatchup, notes: ModelNotes) -> list[Volley]:
    """Every weapon that fires, in the order in which its wounds are resolved."""
    attacker, defender, conditions = matchup.attacker, matchup.defender, matchup.conditions
    assert attacker is not None and defender is not None  # the kind's needs
    toughness = majority_toughness(defender.models)
    if not any(group.visible and group.in_range for group in defender.models):
        notes.assume(NOTES["no_visible_model"])
        return []
    distance = distance_to(matchup)
    fired = []
    for group in attacker.models:
        for weapon in group.weapons:
            if weapon.is_melee or weapon.range in ("-", "–"):
                notes.assume(Text(f"{weapon.name} is no ranged weapon.", f"{weapon.name}: не дистанционное оружие."))
                continue
            if weapon.reach is not None and distance is not None and weapon.reach < distance:
                notes.assume(Text(f"{weapon.name} is out of range.", f"{weapon.name}: цель вне дальности."))
                continue
            heavy = attacker.moved and weapon.is_heavy and not is_steady((*attacker.rules, *group.rules))
            snap = conditions.snap_shots or group.snap_shots or heavy
            if snap and weapon.cannot_snap:
                notes.assume(Text(f"{weapon.name} cannot fire snap shots.", f"{weapon.name}: не стреляет навскидку."))
                continue
            fired.append(
                _volley(
                    group,
                    weapon,
                    (*attacker.rules, *group.rules, *weapon.rules),
                    snap=snap,
                    toughness=toughness,
                    notes=notes,
                )
            )
    return fired


def distance_to(matchup: Wh40kMatchup) -> float | None:
    """Inches to the target: those stated, or those to its nearest visible group. Source: L190 [text]."""
    defender, distance = matchup.defender, matchup.conditions.distance
    if distance is not None or defender is None:
        return distance
    seen = [group.distance for group in defender.models if group.visible and group.in_range]
    return min((distance for distance in seen if distance is not None), default=None)


def majority_toughness(groups: tuple[TargetGroup, ...]) -> int:
    """Toughness of most models of the target, the higher one on a tie. Source: L354-358 [text]."""
    counts: dict[int, int] = {}
    for group in groups:
        if group.profile.T is not None:
            counts[group.profile.T] = counts.get(group.profile.T, 0) + group.count
    return max(counts, key=lambda value: (counts[value], value), default=4)


def strength_of(weapon: Weapon, user: int | None) -> int | None:
    """The Strength of a hit: a number, or a change of the model's own."""
    text = weapon.S
    if text is None or isinstance(text, int):
        return text
    if text in {"-", "–"} or user is None:
        return None
    if text == "User":
        return user
    return user + int(text[1:]) if text.startswith("+") else user * int(text[1:])


def _volley(
    group: FiringGroup, weapon: Weapon, rules: tuple[str, ...], *, snap: bool, toughness: int, notes: ModelNotes
) -> Volley:
    override = weapon.override
    models = group.count if weapon.count is None else min(weapon.count, group.count)
    hits_are_given = override is not None and (override.hits is not None or override.wounds is not None)
    again = _rerolls(rules, notes, hits_are_given=hits_are_given)
    if isinstance(weapon.range, str) and not hits_are_given and not any(marker(rule) for rule in rules):
        notes.not_simulated.append(weapon.range)
    skill = SNAP_SHOT_SKILL if snap and group.profile.BS != 0 else group.profile.BS
    fixed_hit = needed(override.to_hit) if override else None
    if fixed_hit is not None:
        to_hit = chance(fixed_hit, reroll=again)
    elif skill is None:
        to_hit = Fraction(0)
    elif again is not Reroll.NONE or ballistic_second_roll(skill) is None:
        to_hit = chance(ballistic_roll(skill), reroll=again)
    else:
        to_hit = chance(ballistic_roll(skill), reroll=Reroll.ONES, second=ballistic_second_roll(skill))
    strength = strength_of(weapon, group.profile.S)
    fixed_wound = needed(override.to_wound) if override else None
    need = (
        fixed_wound
        if fixed_wound is not None
        else None
        if strength is None
        else wound_roll(strength, toughness, hopeless_gap=HOPELESS_GAP)
    )
    return Volley(
        weapon=weapon.name,
        shots=parse(1 if weapon.shots is None else weapon.shots),
        models=models,
        hits=parse(override.hits) if override and override.hits is not None else None,
        wounds=parse(override.wounds) if override and override.wounds is not None else None,
        to_hit=to_hit,
        to_wound=chance(need),
        strength=strength,
        armour_piercing=weapon.AP if isinstance(weapon.AP, int) else None,
        at_random=any(rule is not None and rule.counts_in(ALLOCATION) for rule in map(find, rules)),
    )


def _rerolls(rules: tuple[str, ...], notes: ModelNotes, *, hits_are_given: bool) -> Reroll:
    """Which rolls to hit are made again; every rule that is not known here is listed."""
    again = Reroll.NONE
    for text in rules:
        rule = find(text)
        if rule is None or not rule.is_in_figures or (rule.counts_in(MARKERS) and not hits_are_given):
            notes.not_simulated.append(text)
        elif rule.how is not None:
            notes.approximate(text, rule.how)
        else:
            notes.modelled.append(text)
            if rule.counts_in(REROLLS):
                again = Reroll.FAILURES
    return again


def _thinned(attempts: Distribution, share: Fraction) -> Distribution:
    """How many of a random number of attempts succeed."""
    return mixture(_successes(attempts, float(share)))


def _successes(attempts: Distribution, share: float) -> Iterator[tuple[float, Distribution]]:
    for count, weight in zip(attempts.values, attempts.p, strict=True):
        if weight:
            yield float(weight), binomial(int(count), share)
