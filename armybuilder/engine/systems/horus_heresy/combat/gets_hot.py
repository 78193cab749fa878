"""Gets Hot: what overheating weapons do to the models that fire them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from armybuilder.engine.combat import exact, sampling
from armybuilder.engine.combat.dice import Dice
from armybuilder.engine.combat.distribution import Distribution, binomial, certain, convolved
from armybuilder.engine.combat.sampling import Ints
from armybuilder.engine.combat.sequence import NOTHING, End, Node, d6
from armybuilder.engine.combat.steps.saves import armour_save, best_save, saved
from armybuilder.engine.systems.horus_heresy.combat.aiming import Aim, overheating
from armybuilder.engine.systems.horus_heresy.combat.special_rules import SpecialRules
from armybuilder.engine.systems.horus_heresy.combat.target_state import Unit

HOT = "hot"


@dataclass(frozen=True, slots=True)
class Overheating:
    """One weapon that gets hot: its group, its bearers, how it is fired."""

    group: int
    bearers: int
    aim: Aim
    shots: Dice
    ap: int | None


@dataclass(frozen=True, slots=True)
class Bearers:
    """Models that fire the same overheating weapons.

    Attributes:
        trees: of each weapon, ending in HOT for each wound that is not saved.
        wounds: that kill the model.
    """

    models: int
    trees: tuple[Node, ...]
    wounds: int


def may_overheat(unit: Unit) -> bool:
    """Whether any ranged weapon gets hot, fired or not."""
    return any(
        weapon.kind != "Melee" and "gets hot" in SpecialRules(weapon.rules)
        for group in unit.groups
        for weapon in group.weapons
    )


def bearers_of(unit: Unit, weapons: Sequence[Overheating]) -> list[Bearers]:
    """Who fires which overheating weapons; weapons are carried by different models where there are enough."""
    found: list[Bearers] = []
    for index in sorted({weapon.group for weapon in weapons}):
        mine = [weapon for weapon in weapons if weapon.group == index]
        group = unit.groups[index]
        if sum(weapon.bearers for weapon in mine) <= group.count:
            parties = [(weapon.bearers, [weapon]) for weapon in mine]
        else:
            steps = sorted({weapon.bearers for weapon in mine})
            parties = [
                (high - low, [weapon for weapon in mine if weapon.bearers >= high])
                for low, high in zip([0, *steps[:-1]], steps, strict=True)
            ]
        damaged = group.hull_points_left if group.has_armour_value else group.wounds_left
        whole = (group.profile.hull_points if group.has_armour_value else group.profile.wounds) or 1
        for number, (models, fired) in enumerate(parties):
            trees = tuple(overheating(w.aim, w.shots, _hurt(unit, index, w.ap)) for w in fired)
            weak = 1 if number == 0 and damaged is not None and damaged < whole else 0
            if weak:
                found.append(Bearers(1, trees, damaged or 1))
            if models > weak:
                found.append(Bearers(models - weak, trees, whole))
    return found


def _hurt(unit: Unit, index: int, ap: int | None) -> Node:
    """A wound with the weapon's AP, saved by armour, invulnerable save or Feel No Pain; for a vehicle a glancing hit.

    Source: HH L3047-L3051 [text].
    """
    if unit.groups[index].has_armour_value:
        glancing = saved(best_save((unit.armour("front").invulnerable,)), End(HOT))
        return d6(lambda face: glancing if face <= 2 else NOTHING)
    defence = unit.defences()[unit.order.index(index)]
    save = best_save((armour_save(defence.armour, ap), defence.invulnerable))
    return saved(save, saved(best_save((defence.feel_no_pain,)), End(HOT)))


def slain(bearers: Sequence[Bearers]) -> Distribution:
    """Models slain by their own weapons."""
    total = certain(0)
    for party in bearers:
        wounds = np.ones(1)
        for tree in party.trees:
            wounds = convolved(wounds, exact.packets(tree, (HOT,)))
        total = total + binomial(party.models, float(wounds[party.wounds :].sum()))
    return total


def rolled(bearers: Sequence[Bearers], trials: int, rng: np.random.Generator) -> Ints:
    """The sampled twin of `slain`: shape (trials,)."""
    total = np.zeros(trials, np.int64)
    for party in bearers:
        wounds = np.zeros(trials * party.models, np.int64)
        for tree in party.trees:
            wounds += sampling.rolled(tree, np.ones(len(wounds), np.int64), (HOT,), rng).packets[:, 0]
        total += (wounds >= party.wounds).reshape(trials, party.models).sum(1)
    return total
