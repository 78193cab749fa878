"""Horus Heresy army documents for tests: legal unless told otherwise."""

from typing import Any

from armybuilder.engine.check import check
from armybuilder.engine.documents import parse_army, without_extensions
from armybuilder.engine.findings import Finding, Report

Json = dict[str, Any]

PRIMARY = "/detachments/0"
EXTRA = "/detachments/0/units/3"
"""Where the first unit given to `make_army` stands."""

ALLIED = "/detachments/1"


def make_unit(**facts: Any) -> Json:
    """A unit of Veterans, unless told otherwise."""
    return {"name": "Veterans", "role": "elites", "points": 100} | facts


def make_praetor(**facts: Any) -> Json:
    """The warlord: an HQ character with a core trait."""
    praetor = {
        "id": "praetor",
        "name": "Praetor",
        "role": "hq",
        "points": 150,
        "subtypes": ["character"],
        "rules": ["Independent Character"],
        "warlord": True,
        "warlord_trait": "Bloody-handed",
    }
    return _without_none(praetor | facts)


def make_squad(number: int = 1, **facts: Any) -> Json:
    """A Tactical Squad, `troops-1` unless another number is given."""
    squad = {"id": f"troops-{number}", "name": "Tactical Squad", "role": "troops", "points": 130, "models": 10}
    return _without_none(squad | facts)


def make_primary(*extra: Json, hq: tuple[Json, ...] | None = None, troops: int = 2, **members: Any) -> Json:
    """A Primary Detachment: the Praetor, two Tactical Squads, then the extra units."""
    leaders = (make_praetor(),) if hq is None else hq
    squads = [make_squad(number) for number in range(1, troops + 1)]
    return {"type": "primary", "faction": "Sons of Horus", "units": [*leaders, *squads, *extra]} | members


def make_allied(*extra: Json, hq: int = 1, troops: int = 1, **members: Any) -> Json:
    """An Allied Detachment of the Mechanicum: a Magos, Thallax, then the extra units."""
    magos = {"id": "magos", "name": "Magos", "role": "hq", "points": 100, "subtypes": ["character"]}
    thallax = {"id": "thallax", "name": "Thallax", "role": "troops", "points": 100}
    units = [*[magos] * hq, *[thallax] * troops]
    for number, unit in enumerate(units):
        units[number] = unit | {"id": f"{unit['id']}-{number}"}
    return {"type": "allied", "faction": "Mechanicum", "units": [*units, *extra]} | members


def make_lord_of_war(*units: Json, **members: Any) -> Json:
    """A Lord of War Detachment with a Baneblade, or with other units."""
    baneblade = make_unit(name="Baneblade", role="lord_of_war", points=400, type="vehicle")
    return {"type": "lord_of_war", "faction": "Sons of Horus", "units": [*(units or (baneblade,))]} | members


def make_filler(points: int) -> Json:
    """An Elites choice of any price, to bring an army to a size."""
    return make_unit(name="Terminators", points=points)


def make_army(*extra: Json, primary: Json | None = None, others: tuple[Json, ...] = (), **members: Any) -> Json:
    """An army of 2,500 points with a Primary Detachment, and Mechanicum as Fellow Warriors."""
    army = {
        "system": "horus-heresy",
        "allegiance": "traitor",
        "points_limit": 2500,
        "alliances": {"Mechanicum": "fellow_warriors"},
        "detachments": [primary or make_primary(*extra), *others],
    }
    return {key: value for key, value in (army | members).items() if value is not ...}


def report_on(army: Json) -> Report:
    """The whole answer of a check."""
    return check(parse_army(without_extensions(army)))


def findings_on(army: Json) -> list[Finding]:
    """All findings."""
    return list(report_on(army).findings)


def found_on(army: Json) -> list[tuple[str, str | None]]:
    """Rule and place of all findings."""
    return [(finding.rule, finding.at) for finding in findings_on(army)]


def _without_none(unit: Json) -> Json:
    return {key: value for key, value in unit.items() if value is not None}
