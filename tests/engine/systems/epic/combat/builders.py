"""Formations and documents for Epic's simulations."""

from typing import Any

from armybuilder.engine.documents import parse_matchup
from armybuilder.engine.simulate import Result, simulate


def gun(firepower: str, *rules: str, **members: Any) -> dict[str, Any]:
    """A weapon."""
    return {"name": "gun", "range": 45, "firepower": firepower, "rules": list(rules)} | members


def unit(unit_type: str = "INF", count: int = 1, **members: Any) -> dict[str, Any]:
    """Identical units; members that are characteristics go into the profile."""
    profile = {key: members.pop(key) for key in ("armour", "CC", "FF", "DC", "speed") if key in members}
    return {"name": unit_type, "type": unit_type, "count": count, "profile": profile} | members


def firers(firepower: str, *rules: str, count: int = 1, **formation: Any) -> dict[str, Any]:
    """A formation of units with one gun each."""
    return {"units": [unit("AV", count, weapons=[gun(firepower, *rules)])]} | formation


def target(*units: dict[str, Any], **formation: Any) -> dict[str, Any]:
    """A formation that is shot at."""
    return {"units": list(units)} | formation


def run(kind: str, **members: Any) -> Result:
    """The answer to a document."""
    return simulate(parse_matchup({"system": "epic", "kind": kind} | members))


def shoot(attacker: dict[str, Any], defender: dict[str, Any], **members: Any) -> dict[str, float]:
    """Metrics of a shooting attack."""
    return run("shooting", attacker=attacker, defender=defender, **members).metrics
