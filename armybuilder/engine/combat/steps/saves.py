"""Saves: which one a model may use, which one is best, and the roll."""

from collections.abc import Iterable
from fractions import Fraction

from armybuilder.engine.combat.dice import Reroll, chance
from armybuilder.engine.combat.sequence import NOTHING, Node, check


def armour_save(save: int | None, armour_piercing: int | None) -> int | None:
    """The armour save that is left against this AP, all or nothing; None when there is none.

    Args:
        armour_piercing: None (printed as a dash) never pierces.

    Source: HH L803-811, cap L855 [text].
    """
    if save is None or (armour_piercing is not None and armour_piercing <= save):
        return None
    return max(2, save)


def best_save(saves: Iterable[int | None]) -> int | None:
    """The lowest of several rolls needed, never better than 2+; None when there is none at all.

    Source: HH L851-855 [text].
    """
    offered = [max(2, save) for save in saves if save is not None and save <= 6]
    return min(offered, default=None)


def save_chance(save: int | None, *, reroll: Reroll = Reroll.NONE) -> Fraction:
    """Chance that the save is made."""
    return chance(save, reroll=reroll)


def saved(save: int | None, failed: Node, *, reroll: Reroll = Reroll.NONE, made: Node = NOTHING) -> Node:
    """The save as part of a sequence: `failed` follows when it is not made."""
    return check(save, made, failed, reroll=reroll)
