"""A legal army of 2,000 points, changed unit by unit."""

from typing import Any

from armybuilder.engine.check import check
from armybuilder.engine.documents import parse_army
from armybuilder.engine.findings import Finding
from armybuilder.engine.systems.list_rules import SHIPPED, RuleSettings

UNITS: dict[str, dict[str, Any]] = {
    "lord": {"name": "General", "category": "lord", "points": 250, "profile": {"Ld": 9}, "general": True},
    "hero": {"name": "Captain", "category": "hero", "points": 150, "profile": {"Ld": 8}},
    "core": {"name": "Spearmen", "category": "core", "points": 600, "models": 20, "command": ["standard_bearer"]},
    "special": {
        "name": "Greatswords",
        "category": "special",
        "points": 600,
        "models": 20,
        "command": ["standard_bearer"],
    },
    "rare": {"name": "Giant", "category": "rare", "points": 400, "troop_type": "monster"},
}


def make_unit(unit_id: str, category: str = "core", points: float = 100, **members: Any) -> dict[str, Any]:
    """A unit of its own kind."""
    return {"id": unit_id, "name": f"Unit {unit_id}", "category": category, "points": points} | members


def make_army(
    changes: dict[str, dict[str, Any]] | None = None,
    *,
    add: tuple[dict[str, Any], ...] = (),
    drop: str = "",
    **document: Any,
) -> dict[str, Any]:
    """The legal army with some members of its units changed, units added or dropped, and other document members."""
    units = [
        {"id": key} | members | (changes or {}).get(key, {})
        for key, members in UNITS.items()
        if key not in drop.split()
    ]
    return {"system": "fantasy-8th", "points_limit": 2000, "units": [*units, *add]} | document


def findings_on(army: dict[str, Any], settings: RuleSettings = SHIPPED) -> list[Finding]:
    """Every finding of the check."""
    return list(check(parse_army(army), settings=settings).findings)


def assert_fires(rule: str, army: dict[str, Any], fires: bool, settings: RuleSettings = SHIPPED) -> None:
    """The rule is among the findings, or it is not; and the messages have no open placeholder."""
    found = findings_on(army, settings)
    assert (rule in [finding.rule for finding in found]) is fires, [finding.rule for finding in found]
    assert not any("{" in finding.message.en + finding.message.ru for finding in found)
