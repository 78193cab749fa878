"""Lords of War and Primarchs: from which size of army on, and for which share of its points."""

from collections.abc import Iterator

from armybuilder.engine import points
from armybuilder.engine.findings import Finding
from armybuilder.engine.systems.horus_heresy.army import Army, PlacedUnit
from armybuilder.engine.systems.horus_heresy.list_rules.rules import composition, finding
from armybuilder.engine.systems.horus_heresy.vocabulary import BattlefieldRole

CAPPED = (BattlefieldRole.LORD_OF_WAR, BattlefieldRole.PRIMARCH)
SMALLEST_ARMY = 2000
PERCENT = 25


def _capped_units(army: Army) -> list[PlacedUnit]:
    return [placed for placed in army.units if placed.role in CAPPED and not placed.is_dedicated]


@composition
def army_large_enough(army: Army) -> Iterator[Finding]:
    """HH-28: Lords of War and Primarchs need an agreed limit of 2,000 points.

    The text asks for the total cost (L3513); the verdict uses the limit, HH-29 reports the literal reading.
    """
    if army.agreed_limit is not None and army.agreed_limit < SMALLEST_ARMY:
        for placed in _capped_units(army):
            yield finding("HH-28", at=placed.at, unit=placed.name)


@composition
def total_large_enough(army: Army) -> Iterator[Finding]:
    """HH-29: read literally, the army must cost 2,000 points; below that limit HH-28 speaks."""
    if army.agreed_limit is None or army.agreed_limit < SMALLEST_ARMY or army.total >= SMALLEST_ARMY:
        return
    if _capped_units(army):
        yield finding("HH-29", at="/detachments", total=points.written(army.total))


@composition
def lords_of_war_cap(army: Army) -> Iterator[Finding]:
    """HH-30: Lords of War and Primarchs together cost at most a quarter of the points limit.

    The quarter rounds up, as every division in this book does (L182): 563 of 2,250 points.
    """
    if army.agreed_limit is None or army.cap_override:  # HH-04 speaks of the first; some missions lift the cap (L3515)
        return
    spent, cap = army.points_of(*CAPPED), points.share(army.agreed_limit, percent=PERCENT)
    if spent > cap:
        yield finding("HH-30", at="/detachments", n=points.written(spent), cap=cap)


@composition
def lords_of_war_cap_of_total(army: Army) -> Iterator[Finding]:
    """HH-31: read literally, the quarter is of what the army costs; silent where HH-30 speaks."""
    if army.cap_override:
        return
    spent = army.points_of(*CAPPED)
    if army.agreed_limit is not None and spent > points.share(army.agreed_limit, percent=PERCENT):
        return
    cap = points.share(army.total, percent=PERCENT)
    if spent > cap:
        yield finding("HH-31", at="/detachments", total=points.written(army.total), cap=cap, n=points.written(spent))
