"""Which trophies to spend: as many levels as possible, and as little as possible lost."""

from collections.abc import Sequence

from armybuilder.engine.systems.relic.hero import POINTS_A_LEVEL


def worth_spending(points: Sequence[int]) -> tuple[int, ...]:
    """Places of the trophies that buy all the levels there are, with the least waste; none if they buy no level.

    The sum left over is less than a level, so what is kept is the largest sum of trophies within it.
    Source: L353 [text]; the choice is the player's.
    """
    levels, over = divmod(sum(points), POINTS_A_LEVEL)
    if levels < 1:
        return ()
    kept: dict[int, frozenset[int]] = {0: frozenset()}
    for place, worth in enumerate(points):
        if 0 <= worth <= over:
            for total, places in list(kept.items()):
                if total + worth <= over and len(places) >= len(kept.get(total + worth, ())):
                    kept[total + worth] = places | {place}
    most = kept[max(kept)]
    return tuple(place for place in range(len(points)) if place not in most)
