"""Ranks of a unit: how wide it stands, and how many it has."""

import numpy as np

from armybuilder.engine.systems.fantasy_8th.combat.experiments import Ints
from armybuilder.engine.systems.fantasy_8th.combat.rules_in_force import MONSTROUS, unit_rules
from armybuilder.engine.systems.fantasy_8th.matchup import Side

MOST_RANKS = 3
"""Extra ranks that count for the combat result. Source: L287 [text]."""

RANKLESS = frozenset({"swarm", "monster", "war_machine"})


def rank_size(side: Side) -> int:
    """Models of a full rank. Source: L287, L706, L729, L738 [text]; monstrous units E-35 [decision]."""
    return 3 if side.main.troop_type in MONSTROUS else 5


def width_of(side: Side) -> int:
    """Models in the front rank; a unit that names none stands as wide as a full rank [decision]."""
    width = side.width if side.width is not None else rank_size(side)
    return max(1, min(width, max(1, side.count)))


def ranks(side: Side, models: Ints) -> Ints:
    """Ranks with enough models, for each number of models left."""
    if not has_ranks(side):
        return np.zeros_like(models)
    width, size = width_of(side), rank_size(side)
    if width < size:
        return np.zeros_like(models)
    return np.asarray(models // width + (models % width >= size), np.int64)


def has_ranks(side: Side) -> bool:
    """Whether the unit forms ranks at all. Source: L642-643, L731-733 [text]; a lone model E-36 [decision]."""
    return side.main.troop_type not in RANKLESS and "skirmishers" not in unit_rules(side)
