"""Which cost of game data is points: the one answer for totals, limits, army documents and fighters."""

from collections.abc import Iterable

from armybuilder.engine import points
from armybuilder.engine.gamedata.library_facts import CostType


def points_type(cost_types: Iterable[CostType]) -> str | None:
    """Id of the cost type that players mean by points; None where game data has no cost types.

    It is the type named so, a plain name ("pts", "Points.") before one with more behind it ("Points (2000)"). Types
    that the data hides count only where it shows none; without a name that says it, the first type is meant.

    Args:
        cost_types: those of the library, in the order of the data.
    """
    best = min(cost_types, key=_unlikeness, default=None)  # the first of equals
    return best.id if best is not None else None


def _unlikeness(cost_type: CostType) -> tuple[bool, bool, bool]:
    named = points.NAME.match(cost_type.name.strip())
    return cost_type.hidden, named is None, named is None or named["more"].strip() not in ("", ".")
