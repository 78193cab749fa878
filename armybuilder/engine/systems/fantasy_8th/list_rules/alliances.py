"""Allied armies: camps, the best level they allow, unreliable races, the supreme commander (WF-63 to WF-67)."""

from collections.abc import Iterator
from itertools import combinations

from armybuilder.engine.findings import Finding
from armybuilder.engine.systems.fantasy_8th.army import Alliance, AllianceLevel, Army
from armybuilder.engine.systems.fantasy_8th.list_rules.rules import LEVELS, finding

CAMPS = {
    "order": ("high_elves", "dwarfs", "wood_elves", "empire", "bretonnia", "lizardmen"),
    "destruction": (
        "skaven",
        "warriors_of_chaos",
        "beastmen",
        "daemons_of_chaos",
        "dark_elves",
        "vampire_counts",
        "orcs_and_goblins",
    ),
    "neutral": ("ogre_kingdoms", "tomb_kings"),
}
"""Races by camp. Source: L1440-1442 [text]."""

UNRELIABLE = ("skaven", "dark_elves")
"""Treacherous races; the text names them as examples. Source: L1478-1483 [text]."""

RANKS: tuple[AllianceLevel, ...] = ("desperate", "dubious", "firm")
GREAT_ALLIANCE_ARMIES = 3
GREAT_ALLIANCE_POINTS = 2000


def declared_level(army: Army) -> Iterator[Finding]:
    """WF-63: the declared level is not better than the worst pair of camps allows."""
    alliance = army.alliance
    best = best_level(alliance) if alliance else None
    if alliance and best is not None and RANKS.index(alliance.level) > RANKS.index(best):
        yield finding("WF-63", at="/alliance/level", level=LEVELS[best])


def unreliable(army: Army) -> Iterator[Finding]:
    """WF-64: treacherous races make an alliance unreliable."""
    for index, race in enumerate(army.alliance.races if army.alliance else ()):
        if _slug(race) in UNRELIABLE:
            yield finding("WF-64", at=f"/alliance/races/{index}")
            return


def unknown_camps(army: Army) -> Iterator[Finding]:
    """WF-65: a race of no camp, or only neutral ones: the rules say nothing."""
    if army.alliance is None:
        return
    camps = [camp_of(race) for race in army.alliance.races]
    if None in camps or set(camps) == {"neutral"}:
        at = f"/alliance/races/{camps.index(None)}" if None in camps else "/alliance/races"
        yield finding("WF-65", at=at)


def supreme_commander(army: Army) -> Iterator[Finding]:
    """WF-66 and WF-67: three armies of 2,000 points each name a supreme commander among their characters."""
    alliance = army.alliance
    if alliance is None:
        return
    points = alliance.army_points
    enough = max(len(points), len(alliance.races)) >= GREAT_ALLIANCE_ARMIES and all(
        value >= GREAT_ALLIANCE_POINTS for value in points
    )
    if alliance.supreme_commander is not None:
        chosen = army.by_id.get(alliance.supreme_commander)
        if not enough or chosen is None or not chosen.is_character:
            yield finding("WF-66", at="/alliance/supreme_commander")
    elif enough and len(points) >= GREAT_ALLIANCE_ARMIES:
        yield finding("WF-67", at="/alliance/supreme_commander")


def camp_of(race: str) -> str | None:
    """The camp of a race; None when it is in no camp."""
    return next((camp for camp, races in CAMPS.items() if _slug(race) in races), None)


def best_level(alliance: Alliance) -> AllianceLevel | None:
    """The best level all pairs of races allow; None when no pair is covered by the rules."""
    camps = [camp_of(race) for race in alliance.races]
    levels = [level for a, b in combinations(camps, 2) if (level := _pair_level({a, b})) is not None]
    return min(levels, key=RANKS.index, default=None)


def _pair_level(camps: set[str | None]) -> AllianceLevel | None:
    if None in camps or camps == {"neutral"}:
        return None
    if len(camps) == 1:
        return "firm"
    return "dubious" if "neutral" in camps else "desperate"


def _slug(race: str) -> str:
    return race.strip().casefold().replace(" ", "_").replace("-", "_")


CHECKS = (declared_level, unreliable, unknown_camps, supreme_commander)
