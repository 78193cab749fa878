"""What a scenario asks of the list (WF-68 to WF-75), fortitude and breaking point."""

from collections.abc import Iterator
from math import ceil

from armybuilder.engine.findings import Finding
from armybuilder.engine.systems.fantasy_8th.army import Army, Unit
from armybuilder.engine.systems.fantasy_8th.list_rules.rules import finding

GARRISON_MODELS = 20
GENERAL_FORTITUDE = 2
OCCUPANTS = ("infantry", "monstrous_infantry", "war_beast", "monstrous_beast", "swarm", "war_machine")
"""Troop types that may occupy a building. Source: L1329-1336 [text]."""


def fortitude(army: Army) -> int:
    """Standards, the army standard included, and two for the General. Source: L1626-1636 [text]."""
    standards = sum("standard_bearer" in unit.command for unit in army.units)
    return (
        standards
        + sum(unit.army_standard for unit in army.units)
        + GENERAL_FORTITUDE * any(unit.general for unit in army.units)
    )


def breaking_point(army: Army) -> int:
    """Fortitude at or below which the army is broken: one for each thousand points begun."""
    return ceil(army.points_limit / 1000)


def starts_broken(army: Army) -> Iterator[Finding]:
    """WF-68: Blood and Glory breaks an army whose fortitude is not above its breaking point."""
    if army.scenario == "blood_and_glory" and fortitude(army) <= breaking_point(army):
        yield finding("WF-68", at="/scenario", f=fortitude(army), b=breaking_point(army))


def watchtower(army: Army) -> Iterator[Finding]:
    """WF-69 to WF-71: a Core infantry unit of at most 20 models garrisons the tower."""
    if army.scenario == "watchtower" and not any(_may_garrison(unit) for unit in army.units):
        yield finding("WF-69", at="/scenario")
    if army.watchtower_garrison is None:
        return
    unit = army.by_id.get(army.watchtower_garrison)
    if unit is None or not _may_garrison(unit):
        yield finding("WF-70", at="/watchtower_garrison")
    if unit is not None and unit.troop_type not in OCCUPANTS:
        yield finding("WF-71", at="/watchtower_garrison", unit=unit.name)


def ambushers(army: Army) -> Iterator[Finding]:
    """WF-72 and WF-73: ambushers arrive late, and in the pass not by the long edges."""
    for at, unit in army.places:
        if not unit.has_rule("ambushers", "ambush"):
            continue
        yield finding("WF-72", at=at, unit=unit.name)
        if army.scenario == "battle_for_the_pass" and not unit.has_rule("ethereal", "fly", "flying", "flying cavalry"):
            yield finding("WF-73", at=at, unit=unit.name)


def declared_company(army: Army) -> Iterator[Finding]:
    """WF-74: two scenarios ask which unit each character is with before the roll."""
    if army.scenario in {"dawn_attack", "meeting_engagement"} and army.characters:
        yield finding("WF-74", at="/scenario")


def forward_troops(army: Army) -> Iterator[Finding]:
    """WF-75: scouts and vanguard do not charge in the first turn after moving ahead."""
    for at, unit in army.places:
        if unit.has_rule("scouts", "scout", "vanguard"):
            yield finding("WF-75", at=at, unit=unit.name)


def _may_garrison(unit: Unit) -> bool:
    return unit.category == "core" and unit.troop_type == "infantry" and unit.models <= GARRISON_MODELS


CHECKS = (starts_broken, watchtower, ambushers, declared_company, forward_troops)
