"""A hero who breaks no rule unless told otherwise."""

from typing import Any

from armybuilder.engine.check import check
from armybuilder.engine.documents import parse_army
from armybuilder.engine.findings import Finding


def make_hero(**changes: Any) -> dict[str, Any]:
    """A legal hero after his Experience phase, with the given members replaced; None removes one."""
    hero: dict[str, Any] = {
        "character": {
            "name": "Captain",
            "start": {"strength": 4, "willpower": 3, "cunning": 2, "life": 5},
            "asset_limit": 2,
            "power_limits": [{"from": 0, "to": 4, "limit": 2}, {"from": 5, "to": 12, "limit": 3}],
        },
        "level": 3,
        "attributes": {"strength": 5, "willpower": 4, "cunning": 3},
        "life": 4,
        "influence": 2,
        "power_cards": [{"number": 2}],
        "assets": [],
        "missions": {"active": 1, "completed": 1},
    } | changes
    return {name: value for name, value in hero.items() if value is not None}


def make_starting_hero(**changes: Any) -> dict[str, Any]:
    """A hero as the set-up rules make him."""
    return make_hero(
        **{
            "checkpoint": "start",
            "level": 0,
            "attributes": {"strength": 4, "willpower": 3, "cunning": 2},
            "life": 5,
            "influence": 3,
            "power_cards": [{"number": 1}, {"number": 6}],
            "missions": {"active": 1, "completed": 0},
        }
        | changes
    )


def findings_of(hero: dict[str, Any], *actions: dict[str, Any], **document: Any) -> tuple[Finding, ...]:
    """Every finding on a hero and the actions he takes."""
    raw = {"system": "relic", "hero": hero, "actions": list(actions)} | document
    return check(parse_army(raw)).findings


def wargear(name: str = "Axe", asset_class: str = "equipment", **members: Any) -> dict[str, Any]:
    """One wargear card."""
    return {"name": name, "kind": "wargear", "class": asset_class} | members
