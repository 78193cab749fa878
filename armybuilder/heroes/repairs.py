"""Edits of a hero that may settle a finding; `armylists.repairs` tries them out."""

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import get_args

from armybuilder.armylists.edits import Edit
from armybuilder.armylists.reports import ListFinding
from armybuilder.engine.systems.relic.hero import Loadout
from armybuilder.heroes import edits as h
from armybuilder.heroes.editing import dial_value

HIGHEST_DIAL = 12
MOST_CARDS = 3
"""Cards of a hero that one repair gives back."""


def hero_candidates(finding: ListFinding, document: Loadout) -> Iterator[tuple[Edit, ...]]:
    """A card given back, or a few of its pile; a dial turned as little as it takes; another place on the board."""
    at = finding.at or ""
    steps = at.split("/")[1:]
    named = [pile for pile in get_args(h.Pile) if pile in steps]
    if named and steps[-1].isdecimal():
        yield (h.GiveBack(pile=named[0], index=int(steps[-1])),)
    for dial in get_args(h.Dial):
        if all(word in at for word in dial.split("_")):
            now = dial_value(document, dial)
            values = (value for value in range(HIGHEST_DIAL + 1) if value != now)
            yield from ((h.SetDial(dial=dial, value=value),) for value in sorted(values, key=_distance_from(now or 0)))
    if "tier" in steps:
        yield from ((h.SetTier(tier=tier),) for tier in ("outer", "middle", "inner", "scenario"))
    hero = document.hero
    for pile in named or get_args(h.Pile):
        cards = range(len(getattr(document if pile == "actions" else hero, pile, None) or ()))
        for number in range(1, min(MOST_CARDS, len(cards)) + 1):
            for some in combinations(reversed(cards), number):
                yield tuple(h.GiveBack(pile=pile, index=index) for index in some)


def _distance_from(now: int) -> Callable[[int], int]:
    return lambda value: abs(value - now)
