"""Horus Heresy matchup documents for tests: ten Legionaries against ten, unless told otherwise."""

from typing import Any

from armybuilder.engine.documents import parse_matchup
from armybuilder.engine.simulate import Result, simulate
from armybuilder.engine.systems.horus_heresy.matchup import HeresyMatchup, Side

Json = dict[str, Any]

LEGIONARY: Json = {"M": 7, "WS": 4, "BS": 4, "S": 4, "T": 4, "W": 1, "I": 4, "A": 1, "Ld": 7, "Sv": "3+"}


def make_weapon(*rules: str, **facts: Any) -> Json:
    """One shot (or a Melee profile) of Strength 4, AP5."""
    return {"name": "gun", "type": "Assault 1", "S": 4, "AP": 5, "rules": list(rules)} | facts


def make_blade(*rules: str, **facts: Any) -> Json:
    """A Melee weapon with the bearer's Strength, AP5."""
    return {"name": "blade", "type": "Melee", "S": "User", "AP": 5, "rules": list(rules)} | facts


def make_group(
    count: int = 10, *, profile: Json | None = None, weapons: list[Json] | None = None, **facts: Any
) -> Json:
    """Legionaries with other characteristics where given."""
    return {
        "name": "Legionary",
        "count": count,
        "profile": LEGIONARY | (profile or {}),
        "weapons": weapons or [],
    } | facts


def make_side(*groups: Json, **facts: Any) -> Json:
    """A side of these groups."""
    return {"models": list(groups) or [make_group()]} | facts


def make_tank(front: int = 12, *, hp: int = 3, **facts: Any) -> Json:
    """A vehicle with the same armour on the front and one less on the other facings."""
    armour = {"front": front, "side": front - 1, "rear": front - 2}
    return {
        "name": "Tank",
        "count": 1,
        "type": "vehicle",
        "profile": {"M": 12, "BS": 4, "AV": armour, "HP": hp},
    } | facts


def make_duel(kind: str, attacker: Json, defender: Json, *, options: Json | None = None, **conditions: Any) -> Json:
    """A document with two sides."""
    document: Json = {"system": "horus-heresy", "kind": kind, "attacker": attacker, "defender": defender}
    if conditions:
        document["conditions"] = conditions
    if options:
        document["options"] = options
    return document


def side_of(side: Json) -> Side:
    """A side as the engine reads it."""
    matchup = parse_matchup(make_duel("shooting", make_side(), side))
    assert isinstance(matchup, HeresyMatchup) and matchup.defender is not None
    return matchup.defender


def run(document: Json, **changes: Any) -> Result:
    """Simulate a document."""
    return simulate(parse_matchup(document | changes))


def metric(document: Json, name: str) -> float:
    """One number of the exact answer."""
    return run(document).metrics[name]


def without_rule(document: Any, rule: str) -> Any:
    """The same document without a special rule, wherever it stands."""
    if isinstance(document, dict):
        return {
            key: [text for text in value if text != rule] if key == "rules" else without_rule(value, rule)
            for key, value in document.items()
        }
    if isinstance(document, list):
        return [without_rule(item, rule) for item in document]
    return document
