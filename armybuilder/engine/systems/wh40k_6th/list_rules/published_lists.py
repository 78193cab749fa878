"""Army construction of the published game, the W6L rules: facts from outside the rules text, off by default."""

from collections import Counter
from collections.abc import Iterator, Mapping

from armybuilder.engine.findings import Finding
from armybuilder.engine.systems.list_rules import RuleSettings
from armybuilder.engine.systems.wh40k_6th.army import SLOT_ROLES, Army, Detachment
from armybuilder.engine.systems.wh40k_6th.list_rules.allies import (
    FORBIDDEN_LEVEL,
    is_forbidden,
    level_between,
    same_army,
)
from armybuilder.engine.systems.wh40k_6th.list_rules.rules import DETACHMENT_NAMES, ROLE_NAMES, finding

DOUBLE_CHART_FROM = 2000
"""Points limit from which a second primary detachment is allowed."""

CHARTS: Mapping[str, Mapping[str, tuple[int, int]]] = {
    "primary": {
        "hq": (1, 2),
        "troops": (2, 6),
        "elites": (0, 3),
        "fast_attack": (0, 3),
        "heavy_support": (0, 3),
        "lord_of_war": (0, 1),
    },
    "allied": {"hq": (1, 1), "troops": (1, 2), "elites": (0, 1), "fast_attack": (0, 1), "heavy_support": (0, 1)},
    "fortification": {"fortification": (0, 1)},
}
"""Minimum and maximum per role and detachment type; a role that is missing has no slot."""


def published_rules(army: Army, *, settings: RuleSettings) -> Iterator[Finding]:
    """Every W6L rule if the document asks for them, otherwise W6-17 that legality is not checked."""
    if not army.construction_is_checked:
        yield finding("W6-17")
        return
    yield from points_limit(army)
    yield from primary_detachments(army)
    for index, detachment in enumerate(army.detachments):
        yield from slots(index, detachment)
    yield from fortifications(army)
    yield from allied_detachments(army)
    yield from allies(army, settings)
    yield from warlord(army)
    yield from unique_units(army)


def points_limit(army: Army) -> Iterator[Finding]:
    """W6L-01 and W6L-02: a limit is agreed and the army keeps it."""
    limit = army.points_limit
    if limit is None or limit <= 0:
        yield finding("W6L-01", at="/points_limit")
    elif army.total > limit:
        yield finding("W6L-02", at="/points_limit", total=army.total, over=army.total - limit, limit=limit)


def most_detachments(army: Army) -> Mapping[str, int]:
    """How many primary and allied detachments the army may have: two charts from 2,000 points, an ally for each."""
    doubled = (army.points_limit or 0) >= DOUBLE_CHART_FROM
    return {"primary": 2 if doubled else 1, "allied": sum(part.type == "primary" for part in army.detachments)}


def primary_detachments(army: Army) -> Iterator[Finding]:
    """W6L-03 and W6L-17: one primary detachment, two of one codex from 2,000 points.

    Below that a second one is too many, whatever its codex.
    """
    primaries = [(index, part) for index, part in enumerate(army.detachments) if part.type == "primary"]
    most = most_detachments(army)["primary"]
    if not 1 <= len(primaries) <= most:
        yield finding("W6L-03", at="/detachments", n=len(primaries), max=most)
    armies = [(index, part.army) for index, part in primaries if part.army is not None]
    for index, name in armies[1:] if most > 1 else ():
        if not same_army(name, armies[0][1]):
            yield finding("W6L-17", at=f"/detachments/{index}/army")


def slots(index: int, detachment: Detachment) -> Iterator[Finding]:
    """W6L-04 to W6L-07: compulsory slots filled, no role over its maximum, every role has a slot."""
    chart = CHARTS.get(detachment.type)
    if chart is None:
        return
    at, name = f"/detachments/{index}", DETACHMENT_NAMES[detachment.type]
    taken = Counter(unit.role for unit in detachment.units if unit.role in SLOT_ROLES)
    for role, (least, most) in chart.items():
        n = taken[role]
        if n < least:
            rule = "W6L-04" if detachment.type == "primary" else "W6L-05"
            yield finding(rule, at=at, role=ROLE_NAMES[role], n=n, min=least)
        if n > most and role != "fortification":  # W6L-08 counts fortifications over the whole army
            yield finding("W6L-06", at=at, detachment=name, role=ROLE_NAMES[role], n=n, max=most)
    for number, unit in enumerate(detachment.units):
        if unit.role in SLOT_ROLES and unit.role not in chart:
            yield finding(
                "W6L-07", at=f"{at}/units/{number}", unit=unit.name, role=ROLE_NAMES[unit.role], detachment=name
            )


def fortifications(army: Army) -> Iterator[Finding]:
    """W6L-08: one fortification in the whole army, also with a doubled chart."""
    places = [at for at, unit in army.own_units() if unit.role == "fortification"]
    if len(places) > 1:
        yield finding("W6L-08", at=places[1], n=len(places))


def allied_detachments(army: Army) -> Iterator[Finding]:
    """W6L-09: no more allied detachments than primary ones."""
    allied = [index for index, part in enumerate(army.detachments) if part.type == "allied"]
    most = most_detachments(army)["allied"]
    if len(allied) > most:
        yield finding("W6L-09", at=f"/detachments/{allied[most]}", n=len(allied), max=most)


def allies(army: Army, settings: RuleSettings) -> Iterator[Finding]:
    """W6L-10 to W6L-12: no army allies with itself or with a forbidden one; an unknown level is said aloud."""
    recorded = settings.alliance_levels.get(army.system, {})
    primaries = list(dict.fromkeys(part.army for part in army.detachments if part.type == "primary" and part.army))
    for index, part in enumerate(army.detachments):
        if part.type != "allied" or part.army is None:
            continue
        at = f"/detachments/{index}/army"
        for primary in primaries:
            if same_army(part.army, primary):
                yield finding("W6L-10", at=at, army=part.army)
            elif is_forbidden(primary, part.army, recorded):
                yield finding("W6L-11", at=at, a=primary, b=part.army)
            elif level_between(primary, part.army, recorded) is None:
                yield finding("W6L-12", at=at, a=primary, b=part.army)


def level_of(army: Army, index: int, settings: RuleSettings) -> str | None:
    """The level between the primary detachments' army and that of the detachment in this place; None: unknown."""
    ally = army.detachments[index].army
    primary = next((part.army for part in army.detachments if part.type == "primary" and part.army), None)
    if ally is None or primary is None:
        return None
    recorded = settings.alliance_levels.get(army.system, {})
    if same_army(primary, ally) or is_forbidden(primary, ally, recorded):
        return FORBIDDEN_LEVEL
    return level_between(primary, ally, recorded)


def warlord(army: Army) -> Iterator[Finding]:
    """W6L-13 to W6L-15: one warlord, an HQ model of a primary detachment, with the highest Leadership there."""
    warlords = [(at, unit) for at, unit in army.own_units() if unit.warlord]
    if len(warlords) != 1:
        yield finding("W6L-13", at=warlords[1][0] if warlords else None, n=len(warlords))
        return
    commanders = {
        f"/detachments/{index}/units/{number}": unit
        for index, part in enumerate(army.detachments)
        if part.type == "primary"
        for number, unit in enumerate(part.units)
        if unit.role == "hq"
    }
    at, chosen = warlords[0]
    if at not in commanders:
        yield finding("W6L-14", at=at)
        return
    for other_at, other in commanders.items():
        if None not in (other.leadership, chosen.leadership) and (other.leadership or 0) > (chosen.leadership or 0):
            yield finding("W6L-15", at=other_at, unit=other.name)


def unique_units(army: Army) -> Iterator[Finding]:
    """W6L-16: a unique unit is taken once in the whole army."""
    unique = {unit.name for _, unit in army.own_units() if unit.unique}
    seen: set[str] = set()
    for at, unit in army.own_units():
        if unit.name in unique and unit.name in seen:
            yield finding("W6L-16", at=at, unit=unit.name)
        seen.add(unit.name)
