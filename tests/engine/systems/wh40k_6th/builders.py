"""Armies, units and actions that break no rule unless told otherwise."""

from typing import Any

from armybuilder.engine.check import check
from armybuilder.engine.documents import parse_army
from armybuilder.engine.findings import Finding, Report
from armybuilder.engine.systems.list_rules import SHIPPED, RuleSettings

BOLTGUN = {"name": "boltgun", "range": 24, "S": 4, "AP": 5, "type": "Rapid Fire", "shots": 1}
FRAG = {"name": "frag missile", "range": 48, "S": 4, "AP": 6, "type": "Heavy 1", "rules": ["Blast"]}


def make_group(name: str = "Marine", count: int = 5, **members: Any) -> dict[str, Any]:
    """A model group; `profile` members are merged into a marine's."""
    profile = {"BS": 4, "S": 4, "T": 4, "Ld": 8, "Sv": "3+"} | members.pop("profile", {})
    return {"name": name, "count": count, "profile": profile, "weapons": [BOLTGUN]} | members


def make_unit(unit_id: str = "u1", **members: Any) -> dict[str, Any]:
    """A tactical squad."""
    return {"id": unit_id, "name": f"Squad {unit_id}", "points": 100, "models": [make_group()]} | members


def report_on(
    *units: dict[str, Any],
    actions: tuple[dict[str, Any], ...] = (),
    settings: RuleSettings = SHIPPED,
    **document: Any,
) -> Report:
    """The check of some units and what they do."""
    raw = {"system": "wh40k-6th", "units": list(units), "actions": list(actions)} | document
    return check(parse_army(raw), settings=settings)


def findings_on(*units: dict[str, Any], **document: Any) -> list[Finding]:
    """Findings without the W6-17 that every unchecked list carries."""
    return [finding for finding in report_on(*units, **document).findings if finding.rule != "W6-17"]


def make_detachment(kind: str = "primary", army: str | None = "Space Marines", **roles: int) -> dict[str, Any]:
    """A detachment with so many units of each role, each of 100 points; the ids name role and number."""
    units = [
        make_unit(f"{army or kind}-{role}-{number}", name=f"{army or kind} {role} {number}", role=role)
        for role, count in roles.items()
        for number in range(1, count + 1)
    ]
    return {"type": kind, "units": units} | ({"army": army} if army else {})


def make_primary(army: str = "Space Marines", *, warlord: bool = True, **roles: int) -> dict[str, Any]:
    """The smallest primary detachment, or one with other numbers."""
    detachment = make_detachment("primary", army, **({"hq": 1, "troops": 2} | roles))
    if warlord:
        detachment["units"][0]["warlord"] = True
    return detachment


def make_allied(army: str = "Imperial Guard", **roles: int) -> dict[str, Any]:
    """The smallest allied detachment, or one with other numbers."""
    return make_detachment("allied", army, **({"hq": 1, "troops": 1} | roles))


def published(
    *detachments: dict[str, Any], limit: int | None = 1500, settings: RuleSettings = SHIPPED
) -> list[Finding]:
    """Findings on an army checked by the published army construction."""
    document: dict[str, Any] = {"detachments": list(detachments), "options": {"army_construction": "published"}}
    if limit is not None:
        document["points_limit"] = limit
    return list(report_on(settings=settings, **document).findings)
