"""How a unit stands: who of it fights, supports, and how many attack dice that makes after casualties."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from armybuilder.engine.combat.dice import Dice
from armybuilder.engine.systems.fantasy_8th.combat.casualties import Count
from armybuilder.engine.systems.fantasy_8th.combat.joined_units import Ints, JoinedUnits
from armybuilder.engine.systems.fantasy_8th.combat.melee_attackers import (
    FightingSide,
    MeleeAttacker,
    blow_rules,
    melee_arm,
)
from armybuilder.engine.systems.fantasy_8th.combat.ranks import width_of
from armybuilder.engine.systems.fantasy_8th.combat.rules_in_force import MONSTROUS, remembered
from armybuilder.engine.systems.fantasy_8th.combat.special_rules import number, worth
from armybuilder.engine.systems.fantasy_8th.matchup import Side

HORDE, MONSTROUS_HORDE = 10, 6
"""Width of a horde. Source: L267-270, L706 [text]."""

PLACES = {"monster": 5, **dict.fromkeys(MONSTROUS, 3)}
"""Models that count as several in the storm of a building or a war machine. Source: L1061-1067, L1369 [text]."""


def supporting_ranks(fighting_side: FightingSide, enemy: Side | None) -> int:
    """Ranks behind the first one that support. Source: L255-270, L449-453 [text]; flank and rear E-34 [decision]."""
    side = fighting_side.side
    if enemy is not None and enemy.attacks_from != "front":
        return 0
    if side.attacks_from != "front" and not fighting_side.options.support_into_flank_or_rear:
        return 0
    horde = MONSTROUS_HORDE if side.main.troop_type in MONSTROUS else HORDE
    extra = remembered(side, "extra_ranks", lambda: _extra_ranks(side))
    return 1 + (width_of(side) >= horde) + (0 if side.charged else extra)


def _extra_ranks(side: Side) -> int:
    rules = blow_rules(side, side.main, "rider", melee_arm(side.main)[0])
    return number(worth(rules, "fight_in_extra_ranks")) or 0


def fighting(
    fighting_side: FightingSide, enemy: Side | None, standing: Sequence[int], *, places: int | None
) -> tuple[list[int], int]:
    """Models of each group that strike with all their attacks, and supporting models of the rank and file.

    Args:
        standing: models left of each group.
        places: how many infantry models may fight at all; None for a fight in ranks.

    Source: L255-270 [text]; the model in front of a supporting one is in contact L261-262 [text].
    """
    side, main = fighting_side.side, fighting_side.side.main_index
    total, width = sum(standing), width_of(side)
    if places is None:
        given = side.models_in_contact
        contact = min(width, total, width if given is None else given)
    else:
        contact = min(total, max(1, places // PLACES.get(side.main.troop_type, 1)) + (side.main.riders or 0))
    left = contact
    front = [0] * len(standing)
    for index in (*(i for i in range(len(standing)) if i != main), main):
        front[index] = min(standing[index], left)
        left -= front[index]
    if places is not None:
        return front, 0
    ranks = min(supporting_ranks(fighting_side, enemy), total // width)
    behind = sum(min(contact, max(0, min(width, total - rank * width))) for rank in range(1, ranks + 1))
    if side.supporting_models is not None:
        behind = min(side.supporting_models, total - contact) if ranks else 0
    return front, min(behind, max(0, standing[main] - front[main]))


def counts(
    fighting_side: FightingSide,
    enemy: Side | None,
    melee_attacker: MeleeAttacker,
    joined_units: JoinedUnits,
    *,
    places: int | None = None,
    weaker: Ints | None = None,
) -> tuple[tuple[Count, ...], Ints]:
    """Attack dice of a melee attacker: the numbers there are, and which of them it has in each state of its own unit.

    Args:
        weaker: Attacks that it has lost, for each state.
    """
    whole = np.array([group.count for group in fighting_side.side.models])
    left = whole - joined_units.fallen(len(whole))
    lost = np.zeros(joined_units.size, np.int64) if weaker is None else weaker
    kinds, place = np.unique(np.column_stack([left, lost]), axis=0, return_inverse=True)
    found: dict[Count, int] = {}
    at = []
    for *standing, fewer in kinds.tolist():
        weak = replace(melee_attacker, attacks=_weakened(melee_attacker.attacks, fewer)) if fewer else melee_attacker
        number = count_of(fighting_side, enemy, weak, standing, places=places)
        at.append(found.setdefault(number, len(found)))
    return tuple(found), np.array(at, np.int64)[place.ravel()]


def _weakened(attacks: Dice, fewer: int) -> Dice:
    """Fewer Attacks, at least one; a rolled number stays."""
    return attacks if attacks.fixed is None else Dice(0, 0, max(1, attacks.highest - fewer))


def count_of(
    fighting_side: FightingSide,
    enemy: Side | None,
    melee_attacker: MeleeAttacker,
    standing: Sequence[int],
    *,
    places: int | None,
) -> Count:
    """Attack dice of a melee attacker when so many models of each group are left."""
    if melee_attacker.fixed is not None:
        return Count(1, melee_attacker.fixed) if standing[melee_attacker.group] else Count()
    front, behind = fighting(fighting_side, enemy, standing, places=places)
    support = melee_attacker.support * behind if melee_attacker.group == fighting_side.side.main_index else 0
    dice: Dice = melee_attacker.attacks
    if dice.fixed is not None:
        return Count(fixed=front[melee_attacker.group] * dice.highest + support)
    return Count(front[melee_attacker.group], dice, support)
