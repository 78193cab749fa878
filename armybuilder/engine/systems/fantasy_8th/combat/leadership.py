"""Leadership: whose value counts, what changes it, which tests pass by themselves; panic, fear and rallying."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from armybuilder.engine.combat.distribution import Distribution
from armybuilder.engine.errors import BadDocument
from armybuilder.engine.systems.fantasy_8th.combat.experiments import D6, LOWEST_TWO, Experiment, Ints, two_dice
from armybuilder.engine.systems.fantasy_8th.combat.note_words import NOTES
from armybuilder.engine.systems.fantasy_8th.combat.ranks import MOST_RANKS, ranks
from armybuilder.engine.systems.fantasy_8th.combat.rules_in_force import (
    any_rule,
    effect_modifiers,
    effects_of,
    group_rules,
    items_of,
    note_rules,
    unit_items,
    unit_rules,
)
from armybuilder.engine.systems.fantasy_8th.combat.special_rules import TABLE
from armybuilder.engine.systems.fantasy_8th.matchup import Conditions, FantasyMatchup, Side
from armybuilder.engine.systems.matchups import ModelNotes

FEARLESS = TABLE.counting_in("fearless")
"""Rules that make a model immune to psychology. Source: L465-474, L491-494, L621-626 [text]."""


@dataclass(frozen=True, slots=True)
class Courage:
    """What a unit tests on.

    Attributes:
        value: leadership; None when nobody's is known.
        reroll: a failed test is rolled again.
        fearless: every leadership test is passed.
        cold: three dice are rolled, and the highest is left out.
    """

    value: int | None
    reroll: bool
    fearless: bool = False
    cold: bool = False

    @property
    def dice(self) -> tuple[Distribution, ...]:
        """What a test and its re-roll roll."""
        return (LOWEST_TWO,) * 2 if self.cold else (D6,) * 4

    def totals(self, faces: Sequence[Ints]) -> tuple[Ints, Ints]:
        """The results of both, from what those dice show."""
        return (faces[0], faces[1]) if self.cold else (two_dice(faces), two_dice(faces[2:]))

    def rolled(self, rng: np.random.Generator, trials: int) -> tuple[Ints, Ints]:
        """Results of tests and of their re-rolls, shape (trials,) each."""
        number = 3 if self.cold else 2
        first, second = (np.sort(rng.integers(1, 7, (number, trials)), axis=0)[:2].sum(axis=0) for _ in range(2))
        return first, second

    def holds(self, minus: int = 0, *, insane: bool = False) -> float:
        """Chance of 2D6 at most leadership minus a number, insane courage as asked for; 1 if no value is known."""
        if self.fearless or self.value is None:
            return 1.0
        target = self.value - minus
        chances = LOWEST_AT_MOST if self.cold else TWO_AT_MOST
        once = float(chances[min(12, max(0, max(2, target) if insane else target))])
        return 1 - (1 - once) ** 2 if self.reroll else once

    def passes(self, first: Ints, second: Ints, minus: Ints | int = 0, *, insane: bool = False) -> np.ndarray:
        """Which rolls pass: totals of the test and of its re-roll."""
        if self.fearless or self.value is None:
            return np.ones(len(first), bool)
        target = self.value - np.asarray(minus)
        if insane:
            target = np.maximum(target, 2)
        passed = first <= target
        return passed | (second <= target) if self.reroll else passed


TWO_AT_MOST = tuple(wins / 36 for wins in (0, 0, 1, 3, 6, 10, 15, 21, 26, 30, 33, 35, 36))
"""Chance of 2D6 showing 0, 1 … 12 or less. Source: L20 [carried]."""

LOWEST_AT_MOST = tuple(sum(LOWEST_TWO.probability(total) for total in range(2, most + 1)) for most in range(13))
"""The same of the two lowest of three dice, which the cold-blooded roll. [carried]"""


def courage(side: Side, conditions: Conditions | None = None) -> Courage:
    """The unit's leadership with its General and army standard. Source: L510-513, L947-948, L1017-1031 [text]."""
    items = unit_items(side)
    effects = list(effects_of(side))
    masked = "Terrifying Mask of Eee!"
    led = [group for group in side.models if masked not in set(items_of(group))] or list(side.models)
    values = [group.profile.Ld for group in led if group.profile.Ld is not None]
    crews = [crew.profile.Ld for group in side.models for crew in group.crews if crew.profile.Ld is not None]
    own = max([*values, *crews], default=None)
    general = conditions.general if conditions is not None else None
    if (
        general is not None
        and general.Ld is not None
        and general.reaches
        and "Standard of Discipline" not in items
        and (own is None or general.Ld > own)
    ):
        own = general.Ld
    if own is not None:
        own += "Standard of Discipline" in items
        lowered = sum(modifier.add.get("Ld", 0) for modifier in effect_modifiers(side))
        own = min(10, max(1, own + lowered)) if lowered or "Standard of Discipline" in items else own
    if own is not None and any_rule(side, "strength_in_numbers"):
        own = min(10, own + int(np.clip(ranks(side, np.array([side.count]))[0] - 1, 0, MOST_RANKS)))
    standard = conditions.army_standard if conditions is not None else None
    reroll = side.army_standard or (standard is not None and standard.reaches) or "Gleaming Pennant" in items
    return Courage(own, reroll, fearless="Light of Battle" in effects, cold=any_rule(side, "cold_blooded"))


def required(side: Side, at: str, conditions: Conditions | None = None) -> Courage:
    """The same for a kind that cannot do without it.

    Raises:
        BadDocument: nobody's leadership is given.
    """
    known = courage(side, conditions)
    if known.value is None and not known.fearless:
        raise BadDocument("Missing field 'Ld': the test needs it.", f"{at}/models/0/profile/Ld")
    return known


def passes_psychology(side: Side) -> bool:
    """Whether panic, fear and terror do not touch the unit: most of its models are immune. Source: L491-494 [text]."""
    if "immune_to_psychology" in unit_rules(side):
        return True
    immune = sum(group.count for group in side.models if not FEARLESS.isdisjoint(group_rules(group)))
    return 2 * immune > side.count


def leadership_test(matchup: FantasyMatchup, notes: ModelNotes) -> Experiment:
    """2D6 against leadership. Source: L20, L369 [carried]."""
    unit, test = matchup.unit, matchup.conditions.test
    assert unit is not None  # the kind's needs
    note_rules(matchup, notes, {"unit": ("psychology",)}, items=("leadership",), effects=("leadership",))
    rules = unit_rules(unit)
    immune = (test in ("panic", "fear") and passes_psychology(unit)) or (test == "fear" and "fear" in rules)
    if immune:
        return Experiment((), lambda faces: {"p_pass": np.ones(1), "p_fail": np.zeros(1)})
    known = required(unit, "/unit", matchup.conditions)
    plus = 1 if test == "rally" and "musician" in unit.command else 0
    if test == "rally":
        notes.assume(NOTES["least_quarter_unit"])

    def outcome(faces: Sequence[Ints]) -> dict[str, np.ndarray]:
        passed = known.passes(*known.totals(faces), -plus)
        return {"p_pass": passed, "p_fail": ~passed}

    return Experiment(known.dice, outcome)
