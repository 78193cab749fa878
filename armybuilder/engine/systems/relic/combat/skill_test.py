"""Skill tests: roll, attribute and skill bonuses against a target; a natural 1 fails."""

from functools import lru_cache

import numpy as np

from armybuilder.engine.combat.distribution import Distribution, certain
from armybuilder.engine.combat.outcomes import Outcomes, Values
from armybuilder.engine.systems.matchups import ModelNotes
from armybuilder.engine.systems.outcome_models import OutcomeModel
from armybuilder.engine.systems.relic.combat.assets import note_test_cards, skill_choice
from armybuilder.engine.systems.relic.combat.note_words import NOTES
from armybuilder.engine.systems.relic.combat.rolls import SIX, explosions, faces_again, natural, power_roll, roll_faces
from armybuilder.engine.systems.relic.hero import Hero
from armybuilder.engine.systems.relic.matchup import Encounter

LONGEST_CHAIN = 17
"""Explosions of one die that are followed; longer chains are rarer than 1e-13."""


def skill_test(encounter: Encounter, notes: ModelNotes) -> OutcomeModel:
    """Whether the test is passed. Source: L502-512 [text]."""
    hero, needed = _prepared(encounter, notes)
    literal = encounter.options.explosion_one_fails

    def describe(outcomes: Outcomes) -> None:
        fixed = encounter.override.hero_roll
        passed: Values
        if fixed is not None:
            passed = float(fixed >= needed and not _shows_a_one(fixed, hero, literal))
        else:
            passed = outcomes.either(
                lambda: _chance(hero, needed, literal),
                lambda rng, trials: _rolled(hero, needed, literal, rng, trials),
            )
        outcomes.add("p_pass", passed)
        outcomes.add("p_fail", 1.0 - passed)

    return OutcomeModel(describe, hero.dice * 2)


def _chance(hero: Hero, needed: int, literal: bool) -> float:
    """Chance to pass."""
    if hero.power_numbers:
        played = power_roll(hero.power_numbers)
        if hero.power_numbers[played.played - 1] == 1 and (literal or played.played == 1):
            return 0.0
        return float(_extra(int(played.die_follows), literal).at_least(needed - played.total))
    again = faces_again(hero, lambda face, others: face == 1 or face + others < needed)
    return sum(
        chance * float(_extra(sixes, literal).at_least(needed - face - others))
        for chance, face, others, sixes in natural(hero, again, lowest=2)
        if face > 1
    )


def _rolled(
    hero: Hero, needed: int, literal: bool, rng: np.random.Generator, size: int
) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Which trials pass."""
    if hero.power_numbers:
        played = power_roll(hero.power_numbers)
        total = np.full(size, played.total, np.int64)
        last = hero.power_numbers[played.played - 1]
        failed = np.full(size, last == 1 and (literal or played.played == 1))
        open_dice = np.full(size, int(played.die_follows))
    else:
        reroll = hero.reroll
        if reroll is not None and reroll.policy == "face_at_most":
            most = reroll.face_at_most or 0
            faces = roll_faces(hero, rng, size, lambda face, others: face <= most)
        else:
            faces = roll_faces(hero, rng, size, lambda face, others: (face == 1) | (face + others < needed))
        total = faces.sum(axis=1)
        failed = (faces == 1).any(axis=1)
        open_dice = (faces == SIX).sum(axis=1)
    owners = np.repeat(np.arange(size), open_dice)
    while len(owners):
        more = rng.integers(1, SIX + 1, len(owners))
        np.add.at(total, owners, more)
        if literal:
            failed[owners[more == 1]] = True
        owners = owners[more == SIX]
    passed: np.ndarray[tuple[int], np.dtype[np.bool_]] = ~failed & (total >= needed)
    return passed


def _shows_a_one(roll: int, hero: Hero, literal: bool) -> bool:
    """Whether a single die that came to this shows a 1: at first, or literally also after a 6 (L510)."""
    return hero.dice == 1 and (roll % SIX == 1 if literal else roll == 1)


def _prepared(encounter: Encounter, notes: ModelNotes) -> tuple[Hero, int]:
    """The hero and what his dice must come to."""
    hero = encounter.hero
    assert hero is not None and encounter.attribute is not None and encounter.target is not None  # the kind's needs
    own = (hero.attributes.get(encounter.attribute) if hero.attributes else None) or 0
    chosen = skill_choice(hero.assets, encounter.attribute)
    bonus = sum(asset.skill_bonus.value for asset in chosen if asset.skill_bonus)
    notes.modelled += [asset.name for asset in chosen]
    note_test_cards(hero, [asset for asset in hero.assets if asset not in chosen], notes)
    notes.options["explosion_one_fails"] = encounter.options.explosion_one_fails
    notes.assume(NOTES["all_skill_bonuses"])
    return hero, encounter.target - own - bonus - hero.roll_modifier


@lru_cache(maxsize=256)
def _extra(dice: int, literal: bool) -> Distribution:
    """What extra dice add without failing the test: chances that do not add up to 1 under the literal reading."""
    if not dice:
        return certain(0)
    if not literal:
        return explosions(dice)
    one = np.zeros(SIX * LONGEST_CHAIN + SIX)
    for chain in range(LONGEST_CHAIN):
        one[SIX * chain + 2 : SIX * chain + SIX] = (1 / SIX) ** (chain + 1)
    return Distribution(0, one).times(dice)
