"""Magic in whole battles, played plainly: dice by level, spells that hurt, a dispel attempt against each.

An army has the dice that the winds bring on average, shared out among its wizards by their levels. Each wizard spends
his share in attempts with as many dice each as pay most against the target; part of an attempt is made that often. He
knows the spell every wizard of his lore knows, and as many others as his level, each choice of them equally likely
(L1675-L1698). Against every attempt the enemy has dispel dice in the proportion of both pools, and the level of his
best wizard (L167-L180).
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from itertools import combinations

import numpy as np
from msgspec.structs import replace

from armybuilder.engine.combat.battles.forces import Attack
from armybuilder.engine.combat.distribution import Chances, convolved
from armybuilder.engine.errors import BadDocument
from armybuilder.engine.systems.fantasy_8th.combat.casualties import wounds_of
from armybuilder.engine.systems.fantasy_8th.combat.fighter import Fighter
from armybuilder.engine.systems.fantasy_8th.combat.list_matchup import FantasyConditions, cast
from armybuilder.engine.systems.fantasy_8th.combat.magic_phase import (
    POOL,
    Casting,
    Dispelling,
    casting,
    dispel_bonus,
    whole_attempt,
)
from armybuilder.engine.systems.fantasy_8th.combat.packets import mean_of, packets_of, repeated
from armybuilder.engine.systems.fantasy_8th.combat.spell_book import REACH, SPELLS, Damage
from armybuilder.engine.systems.fantasy_8th.combat.spells import Cast, Hits, Removed, ways_of
from armybuilder.engine.systems.fantasy_8th.matchup import FantasyMatchup, Group, Wizard
from armybuilder.engine.systems.fantasy_8th.reference import lores, magic_item
from armybuilder.engine.systems.matchups import ModelNotes

WINDS, ANSWER = 7.0, 161 / 36
"""Power dice and dispel dice that the winds bring on average: two dice, and the higher of them (L100-L111)."""

CHANNELS = 1 / 6
"""Dice that each wizard adds to a pool, on average (L100-L111)."""

MOST_DICE = 6
"""Of an attempt (L137-L151)."""


@dataclass(frozen=True, slots=True)
class Share:
    """What a wizard has of a magic phase.

    Attributes:
        dice: power dice that he spends in a turn, on average.
        answer: dispel dice against each of them; level: added to the dispel roll.
    """

    dice: float
    answer: float
    level: int


@dataclass(frozen=True, slots=True)
class _Option:
    """A spell at a target: the chance that it takes effect, and what it does then."""

    chance: float
    chances: Chances
    harm: float


def shares(fighters: Sequence[Fighter], enemies: Sequence[Fighter]) -> list[Share | None]:
    """What each unit of an army has of its magic phase; None for units without a wizard who knows a lore."""
    levels = [one.wizard_level if one.lore is not None else 0 for one in fighters]
    power = min(float(POOL), WINDS + CHANNELS * sum(one.wizard_level > 0 for one in fighters))
    against = [one.wizard_level for one in enemies if one.wizard_level]
    answer = min(float(POOL), ANSWER + CHANNELS * len(against)) / power
    level = dispel_bonus(Wizard(wizard_level=max(against, default=0)))
    return [Share(power * own / sum(levels), answer, level) if own else None for own in levels]


def ranges(lore: str) -> set[float]:
    """Inches at which fewer spells of the lore reach."""
    return {float(reach) for _, _, reach in _castable(lore)}


def spells(wizard: Fighter, share: Share, target: Fighter, *, distance: float) -> tuple[Attack, ...]:
    """What a wizard's unit casts at a target in one turn: an attack for each attempt, made by the last model left."""
    found = _attempts(replace(wizard, unit="", name=""), share, replace(target, unit="", name=""), distance)
    return tuple(Attack(1, chances) for chances in found)


@lru_cache(maxsize=4096)
def _attempts(wizard: Fighter, share: Share, target: Fighter, distance: float) -> tuple[Chances, ...]:
    best: tuple[float, tuple[Chances, ...]] = (0.0, ())
    for dice in range(1, MOST_DICE + 1):
        offered = _offered(wizard, share, target, dice=dice, distance=distance)
        best = max(best, _planned(wizard, offered, share.dice / dice), key=lambda one: one[0])
    return best[1]


def _planned(wizard: Fighter, offered: dict[int, _Option], attempts: float) -> tuple[float, tuple[Chances, ...]]:
    """What so many attempts do on average, the best known spell first, and the chances of each of them.

    Args:
        offered: the best way to cast each spell that reaches the target, by its number in the lore.
    """
    known = list(combinations(range(1, MOST_DICE + 1), min(wizard.wizard_level, MOST_DICE)))
    ranked = [sorted((offered[n] for n in (0, *each) if n in offered), key=lambda one: -one.harm) for each in known]
    total, found = 0.0, []
    for number in range(max(map(len, ranked), default=0)):
        made = min(1.0, attempts - number)
        if made <= 0.0:
            break
        parts: list[tuple[float, Chances]] = []
        left = 1.0
        for options in ranked:
            if number < len(options):
                chance = made * options[number].chance / len(ranked)
                parts.append((chance, options[number].chances))
                total += made * options[number].harm / len(ranked)
                left -= chance
        found.append(mean_of([(left, np.ones((1, 1))), *parts]))
    return total, tuple(found)


def _offered(wizard: Fighter, share: Share, target: Fighter, *, dice: int, distance: float) -> dict[int, _Option]:
    assert wizard.lore is not None  # whoever has a share knows a lore
    found: dict[int, list[_Option]] = defaultdict(list)
    for number, value, reach in _castable(wizard.lore):
        if distance > reach:
            continue
        done = _effect(wizard, target, number, value)
        if done is None:
            continue
        chances, attempt = done
        chance = _takes_effect(wizard, share, attempt, dice)
        slain, lost = np.indices(chances.shape)
        wounds = float((chances * (slain * wounds_of(target.side, target.side.main_index) + lost)).sum())
        found[number].append(_Option(chance, chances, chance * wounds))
    return {number: max(options, key=lambda one: one.harm) for number, options in found.items()}


def _castable(lore: str) -> Iterator[tuple[int, int, int]]:
    """Spells of a lore that are cast at an enemy from afar: number, casting value, inches."""
    for spell in lores()[lore].spells:
        for value, reach in REACH.get(spell.en, ()):
            yield spell.number, value, reach


@lru_cache(maxsize=8192)
def _effect(wizard: Fighter, target: Fighter, number: int, value: int) -> tuple[Chances, FantasyMatchup] | None:
    """What the spell does to the target when it takes effect; None where it can do nothing."""
    assert wizard.lore is not None
    name = next(spell.en for spell in lores()[wizard.lore].spells if spell.number == number)
    models = tuple(_without_one_use(one) for one in wizard.side.models)
    lasting = replace(wizard, side=replace(wizard.side, models=models))
    document = cast(name, value, lasting, target, FantasyConditions(distance=0))
    try:
        found = [(chance, _packets(one, name, target)) for chance, one in ways_of(document, ModelNotes())]
    except BadDocument:
        return None
    return mean_of(found), document


def _without_one_use(group: Group) -> Group:
    """A model without the items that help a single attempt of the battle."""
    items = ((text, magic_item(text)) for text in group.magic_items)
    kept = tuple(text for text, item in items if item is None or not (item.category == "arcane" and item.one_use))
    return replace(group, magic_items=kept)


def _packets(one: Cast, name: str, target: Fighter) -> Chances:
    """Slaying packets and wounds of a spell; one at a single model, or at a monster with its rider, is wounds alone."""
    fire, effect = one.fire, SPELLS[name]
    if isinstance(fire, Removed):
        return fire.unsaved()[:, None]
    if isinstance(fire, Hits) and not (isinstance(effect, Damage) and effect.one_model):
        most = wounds_of(target.side, target.side.main_index)
        each = [repeated(packets_of(attack, most), number) for number, attack in fire.volleys]
        return reduce(convolved, each)
    lost = np.zeros((1, int(fire.lost.max(initial=0)) + 1))
    np.add.at(lost[0], fire.lost, fire.after())
    return lost


def _takes_effect(wizard: Fighter, share: Share, document: FantasyMatchup, dice: int) -> float:
    """Chance that an attempt with so many dice is cast and not dispelled; dispel dice of the mean are rolled or not."""
    against = min(float(POOL), share.answer * dice)
    low = int(against)
    attempt = casting(document, ModelNotes(), dice=dice, value=document.casting_value or 0)
    parts = ((1.0 - (against - low), low), (against - low, low + 1))
    return sum(part * _chance(attempt, number, share.level) for part, number in parts if part > 0.0)


@lru_cache(maxsize=4096)
def _chance(attempt: Casting, dice: int, level: int) -> float:
    dispels = Dispelling(dice, level, sceptre=False, scroll=False) if dice else None
    return float(whole_attempt(attempt, dispels).model().exact().metrics["p_takes_effect"])
