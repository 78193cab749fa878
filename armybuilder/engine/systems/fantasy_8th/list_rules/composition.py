"""Army composition: General, number of units, percentages, duplicates, army standard (WF-01 to WF-15)."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal

from armybuilder.engine.findings import Finding, Text
from armybuilder.engine.points import Exact, Number, written
from armybuilder.engine.systems.fantasy_8th.army import UNIT_CATEGORIES, Army, Unit, cost
from armybuilder.engine.systems.fantasy_8th.list_rules.rules import finding

UNITS_BESIDES_CHARACTERS = 3
LARGE_ARMY = 3000
"""Points from which more duplicates are allowed. Source: L1437 [text]."""

SHARES = {"lord": ("WF-07", 25), "hero": ("WF-08", 25), "special": ("WF-10", 50), "rare": ("WF-11", 25)}
"""Largest share of a category in percent. Source: L1429-1434 [text], maxima [decision]."""

CORE_SHARE = 25
DUPLICATES = {"special": ("WF-12", 3, 6), "rare": ("WF-13", 2, 4)}
"""Rule, and most choices of one kind in an ordinary and in a large army."""

APPOINT = Text(en="choose one Lord or Hero", ru="назначьте одного лорда или героя")
TAKE = Text(en="take a Lord or a Hero", ru="возьмите лорда или героя")
"""What to do about an army that nobody leads."""

NEVER_GENERAL = ("a killer, not a leader", "a killer not a leader", "army general", "cannot be army general", "loner")
"""Rules of army books whose bearers are no army's General, so that nobody is compared with them [carried]."""


def general(army: Army) -> Iterator[Finding]:
    """WF-01 to WF-05: one Lord or Hero is the General, the one with the highest leadership."""
    flagged = [(at, unit) for at, unit in army.places if unit.general]
    if not flagged:
        yield finding("WF-01", what=APPOINT if army.characters else TAKE)
    for at, unit in flagged:
        if not unit.is_character:
            yield finding("WF-02", at=f"{at}/general", name=unit.name)
    per_army = defaultdict(list)
    for at, unit in flagged:
        per_army[unit.army].append(at)
    for places in per_army.values():
        if len(places) > 1:
            yield finding("WF-03", at=f"{places[1]}/general", n=len(places))
    leading = Counter(unit.army for _, unit in flagged)
    for _, unit in flagged:
        if leading[unit.army] == 1 and unit.is_character:
            yield from _highest_leadership(army, unit)
    yield from _shared_leadership(army)


def enough_units(army: Army) -> Iterator[Finding]:
    """WF-06: at least three units besides characters; a pair bought as one choice counts once."""
    n = _choices(unit for unit in army.units if unit.category in UNIT_CATEGORIES)
    if n < UNITS_BESIDES_CHARACTERS:
        yield finding("WF-06", n=n)


def percentages(army: Army) -> Iterator[Finding]:
    """WF-07 to WF-11: shares of the categories; exactly the share is legal."""
    base = army.percent_base
    for category, (rule, percent) in SHARES.items():
        spent = cost(unit for unit in army.units if unit.category == category)
        if spent * 100 > percent * base:
            yield finding(rule, pts=written(spent), cap=_part(base, percent), base=written(base))
    core = cost(unit for unit in army.units if unit.category == "core")
    if core * 100 < CORE_SHARE * base:
        yield finding("WF-09", pts=written(core), need=_part(base, CORE_SHARE), base=written(base))


def duplicates(army: Army) -> Iterator[Finding]:
    """WF-12 and WF-13: at most so many choices of one Special or Rare unit, twice as many from 3,000 points."""
    for category, (rule, ordinary, large) in DUPLICATES.items():
        cap = large if army.points_limit >= LARGE_ARMY else ordinary
        kinds: dict[str, list[tuple[str, Unit]]] = defaultdict(list)
        for at, unit in army.places:
            if unit.category == category:
                kinds[unit.kind].append((at, unit))
        for kind, taken in kinds.items():
            n = _choices(unit for _, unit in taken)
            if n > cap:
                yield finding(rule, at=taken[-1][0], kind=kind, n=n, cap=cap)


def army_standard(army: Army) -> Iterator[Finding]:
    """WF-14 and WF-15: the army standard is carried by a character who is not the General."""
    for at, unit in army.places:
        if unit.army_standard and unit.general and not unit.army_standard_may_be_general:
            yield finding("WF-14", at=f"{at}/army_standard", name=unit.name)
        if unit.army_standard and not unit.is_character:
            yield finding("WF-15", at=f"{at}/army_standard", name=unit.name)


CHECKS: tuple[Callable[[Army], Iterator[Finding]], ...] = (
    general,
    enough_units,
    percentages,
    duplicates,
    army_standard,
)


def _highest_leadership(army: Army, chosen: Unit) -> Iterator[Finding]:
    """WF-04; the army standard bearer and whoever else cannot be General are not compared."""
    own = chosen.profile.Ld
    others = [
        (unit.profile.Ld, at, unit)
        for at, unit in army.characters
        if unit is not chosen and not unit.army_standard and unit.army == chosen.army and unit.profile.Ld is not None
        if not unit.has_rule(*NEVER_GENERAL)
    ]
    if own is not None and others:
        highest, at, other = max(others, key=lambda row: row[0] or 0)
        if (highest or 0) > own:
            yield finding("WF-04", at=at, other=other.name, b=highest or 0, name=chosen.name, a=own)


def _shared_leadership(army: Army) -> Iterator[Finding]:
    leaders = (unit for _, unit in army.characters if not unit.has_rule(*NEVER_GENERAL))
    values = [unit.profile.Ld for unit in leaders if unit.profile.Ld is not None]
    if values and values.count(max(values)) > 1:
        yield finding("WF-05", ld=max(values))


def _choices(units: Iterable[Unit]) -> int:
    """How many choices units are: those of one group count once."""
    return len({("group", u.one_choice_group) if u.one_choice_group is not None else ("unit", u.id) for u in units})


def _part(base: Exact, percent: int) -> Number:
    return written(Decimal(base) * percent / 100)
