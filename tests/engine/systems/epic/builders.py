"""A legal army of 2,000 points, changed formation by formation."""

from typing import Any

from armybuilder.engine.check import check
from armybuilder.engine.documents import parse_army
from armybuilder.engine.findings import Finding

REMARKS = {"EP-37", "EP-38", "EP-39"}
"""Information that every army gets."""


def make_unit(unit_id: str, unit_type: str = "INF", count: int = 1, **members: Any) -> dict[str, Any]:
    """A unit with a complete datasheet; `profile` members are merged into it."""
    profile = {"speed": 15, "armour": "4+", "CC": "4+", "FF": "4+"} | members.pop("profile", {})
    return {"id": unit_id, "name": f"Unit {unit_id}", "type": unit_type, "count": count, "profile": profile} | members


def make_transport(unit_id: str, slots: int, *accepts: str, unit_type: str = "AV", **members: Any) -> dict[str, Any]:
    """A unit that carries others."""
    transport = {"slots": slots, "accepts": list(accepts or ["INF"])}
    return make_unit(unit_id, unit_type, rules=["Transport"], transport=transport, **members)


def make_titan(unit_id: str = "t", **members: Any) -> dict[str, Any]:
    """A war engine of damage capacity 8/4/2."""
    return make_unit(unit_id, "WE", **({"profile": {"DC": [8, 4, 2]}} | members))


def make_aircraft(unit_id: str = "a", **members: Any) -> dict[str, Any]:
    """A fighter."""
    return {"id": unit_id, "name": "Fighter", "type": "AC", "aircraft_class": "fighter"} | members


def make_ship(unit_id: str = "s", slots: int = 4, *accepts: str, **members: Any) -> dict[str, Any]:
    """A spacecraft."""
    transport = {"slots": slots, "accepts": list(accepts or ["LV"])}
    return {"id": unit_id, "name": "Ship", "type": "SC", "transport": transport} | members


def make_formation(formation_id: str, *units: dict[str, Any], **members: Any) -> dict[str, Any]:
    """A formation of 100 points."""
    return {
        "id": formation_id,
        "name": f"Formation {formation_id}",
        "points": 100,
        "initiative": "2+",
        "units": list(units),
    } | members


def make_army(*formations: dict[str, Any], points: float = 2000, **document: Any) -> dict[str, Any]:
    """An army that costs `points`: a line formation takes what the given ones leave."""
    rest = points - sum(formation.get("points") or 0 for formation in formations)
    line = make_formation("line", make_unit("line-1", count=10), points=rest)
    return {"system": "epic", "strategy_rating": 5, "formations": [line, *formations]} | document


def findings_on(army: dict[str, Any]) -> list[Finding]:
    """Every finding of the check."""
    return list(check(parse_army(army)).findings)


def assert_fires(rule: str, army: dict[str, Any], fires: bool) -> None:
    """The rule is the only objection, or there is none; and the messages have no open placeholder."""
    found = findings_on(army)
    rules = {finding.rule for finding in found} - (REMARKS - {rule})
    assert rules == ({rule} if fires else set())
    assert not any("{" in finding.message.en + finding.message.ru for finding in found)
