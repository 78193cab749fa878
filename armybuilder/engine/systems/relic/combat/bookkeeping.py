"""What needs no dice: trophies, corruption, what a hero keeps, the Warp Rift, exploration; and plain rolls."""

from functools import reduce

import numpy as np

from armybuilder.engine.combat.dice import exploding, roll_exploding
from armybuilder.engine.combat.distribution import Distribution, certain, of, uniform
from armybuilder.engine.combat.outcomes import Measured, Outcomes
from armybuilder.engine.combat.sampling import Ints
from armybuilder.engine.systems.matchups import Answer, ModelNotes
from armybuilder.engine.systems.outcome_models import OutcomeModel
from armybuilder.engine.systems.relic.combat.note_words import NOTES
from armybuilder.engine.systems.relic.combat.rolls import first_die, roll_faces
from armybuilder.engine.systems.relic.hero import ATTRIBUTES, LEVELS, POINTS_A_LEVEL, Hero, StartValues
from armybuilder.engine.systems.relic.matchup import Encounter

HIGHEST_LEVEL = LEVELS[-1]

STEPS_WITHOUT_A_ROLL = {"inner": 1, "scenario": 0}
"""Spaces a turn where no movement is rolled. Source: L369, L822-826 [text]."""


def dice_roll(encounter: Encounter, notes: ModelNotes) -> OutcomeModel:
    """Sum of dice. Source: L774-782 [text], sum [derived]; of rolled dice the variance is around the exact mean."""
    total = _sum_of_dice(encounter)

    def describe(outcomes: Outcomes) -> None:
        rolled: Measured = outcomes.either(lambda: total, lambda rng, trials: _rolled_dice(encounter, rng, trials))
        mean = float(total.mean)
        outcomes.add("total", rolled, distribution=True)
        outcomes.add(
            "total_variance",
            float(rolled.variance) if isinstance(rolled, Distribution) else (rolled - mean) ** 2,
        )

    return OutcomeModel(describe, encounter.dice)


def _rolled_dice(encounter: Encounter, rng: np.random.Generator, trials: int) -> Ints:
    """Sum of the dice in every trial."""
    shape = trials * encounter.dice
    faces = roll_exploding(rng, shape) if encounter.exploding else rng.integers(1, 7, shape)
    return np.asarray(faces.reshape(trials, encounter.dice).sum(axis=1))


def movement_roll(encounter: Encounter, notes: ModelNotes) -> OutcomeModel:
    """A movement roll does not explode; a power number may replace it. Source: L215-217, L592, L774 [text]."""
    hero = _hero(encounter)
    _note_tier(hero, notes)

    def describe(outcomes: Outcomes) -> None:
        spaces: Measured = outcomes.either(
            lambda: _movement(hero), lambda rng, trials: _rolled_movement(hero, rng, trials)
        )
        outcomes.add("spaces", spaces, distribution=True)

    return OutcomeModel(describe, hero.dice)


def _rolled_movement(hero: Hero, rng: np.random.Generator, trials: int) -> Ints:
    """Spaces moved in every trial."""
    fixed, most = STEPS_WITHOUT_A_ROLL.get(hero.tier), _rolled_again(hero)
    if fixed is not None:
        return np.full(trials, fixed, np.int64)
    if hero.power_numbers:
        return np.full(trials, max(0, hero.power_numbers[0] + hero.roll_modifier), np.int64)
    faces = roll_faces(hero, rng, trials, lambda face, others: face <= most)
    return np.asarray(np.maximum(0, faces.sum(axis=1) + hero.roll_modifier))


def spend_trophies(encounter: Encounter, notes: ModelNotes) -> Answer:
    """Six points buy a level, the rest is lost; above 12 a mission instead. Source: L353, L446, L492 [text]."""
    hero = _hero(encounter)
    trophies = [trophy.points for trophy in hero.trophies if trophy.source != "scenario"]
    if len(trophies) < len(hero.trophies):
        notes.assume(NOTES["scenario_sheet_never"])
    bought, wasted = divmod(sum(trophies), POINTS_A_LEVEL)
    level = min(HIGHEST_LEVEL, hero.level + bought)
    completed = (hero.missions.completed if hero.missions else None) or 0
    return Answer(
        {
            "levels_bought": bought,
            "points_wasted": wasted,
            "level": level,
            "completed_missions": completed + hero.level + bought - level,
        }
    )


def draw_corruption(encounter: Encounter, notes: ModelNotes) -> Answer:
    """Cards are drawn up to the threshold, face up if the number is at most the cards held. Source: L614-642 [text]."""
    hero = _hero(encounter)
    held = len(hero.corruption)
    metrics: dict[str, float] = {}
    for number, card in enumerate(encounter.draw or (), start=1):
        if held >= hero.corruption_threshold:
            break
        held += 1
        metrics[f"face_up:{number}"] = float(card.activation <= held)
    return Answer({"corruption_cards": held, "p_corrupted": float(held >= hero.corruption_threshold)} | metrics)


def vanquished(encounter: Encounter, notes: ModelNotes) -> Answer:
    """Power cards, trophies and Influence are lost, Life starts anew. Source: L526-542 [text]."""
    hero = _hero(encounter)
    start = hero.character.start if hero.character else None
    life = {} if start is None or start.life is None else {"life": float(start.life)}
    return Answer(_kept(hero) | life | {"level": float(hero.level), "corruption_cards": float(len(hero.corruption))})


def corrupted(encounter: Encounter, notes: ModelNotes) -> Answer:
    """A new character inherits assets, relics and missions and starts at level 0. Source: L544-572 [text]."""
    hero, character = _hero(encounter), encounter.new_character
    assert character is not None  # the kind's needs
    start = character.start or StartValues()
    values = [("life", start.life), *((name, start.get(name)) for name in ATTRIBUTES)]
    fresh = {name: float(value) for name, value in values if value is not None}
    return Answer(_kept(hero) | {"level": 0.0, "corruption_cards": 0.0} | fresh)


def warp_rift(encounter: Encounter, notes: ModelNotes) -> Answer:
    """One space, and one more for each condition met. Source: L818-834 [text]."""
    return Answer({"spaces_forward": 1 + (encounter.conditions_met or 0)})


def exploration(encounter: Encounter, notes: ModelNotes) -> Answer:
    """One card for each icon beyond the cards of its colour on the space. Source: L243-259 [text]."""
    icons, cards = encounter.threat_icons, encounter.cards_on_space
    assert icons is not None  # the kind's needs
    return Answer(
        {
            f"cards_drawn:{color}": max(0, getattr(icons, color) - getattr(cards, color))
            for color in ("red", "blue", "yellow")
        }
    )


def _hero(encounter: Encounter) -> Hero:
    return encounter.hero or Hero()


def _kept(hero: Hero) -> dict[str, float]:
    """What a vanquished or corrupted hero has lost and kept."""
    missions = hero.missions
    return {
        "power_cards": 0.0,
        "trophies": 0.0,
        "influence": 0.0,
        "assets": float(len(hero.assets)),
        "relics": float(hero.relics),
        "active_missions": float((missions.active if missions else None) or 0),
        "completed_missions": float((missions.completed if missions else None) or 0),
    }


def _sum_of_dice(encounter: Encounter) -> Distribution:
    one = exploding() if encounter.exploding else uniform(range(1, 7))
    return reduce(Distribution.__add__, [one] * encounter.dice)


def _movement(hero: Hero) -> Distribution:
    if hero.tier in STEPS_WITHOUT_A_ROLL:
        return certain(STEPS_WITHOUT_A_ROLL[hero.tier])
    if hero.power_numbers:
        spaces = certain(hero.power_numbers[0])
    else:
        most = _rolled_again(hero)
        again = frozenset(range(1, most + 1))
        first = of(first_die(again, hero.reroll.times if hero.reroll else 0))
        spaces = reduce(Distribution.__add__, [uniform(range(1, 7))] * (hero.dice - 1), first)
    return spaces.shifted(hero.roll_modifier).clipped(low=0)


def _rolled_again(hero: Hero) -> int:
    """The highest face a movement roll re-rolls; the other policies ask for a battle or a test."""
    by_face = hero.reroll is not None and hero.reroll.policy == "face_at_most"
    return (hero.reroll.face_at_most or 0) if by_face and hero.reroll else 0


def _note_tier(hero: Hero, notes: ModelNotes) -> None:
    if hero.tier == "inner":
        notes.assume(NOTES["inner_tier_hero"])
    elif hero.tier == "scenario":
        notes.assume(NOTES["scenario_space_hero"])
