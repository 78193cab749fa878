"""Fantasy matchup documents for tests: ordinary warriors with every characteristic 3 unless told otherwise."""

from typing import Any

from armybuilder.engine.documents import parse_matchup
from armybuilder.engine.simulate import Result, simulate

Json = dict[str, Any]

WARRIOR: Json = {"M": 4, "WS": 3, "BS": 3, "S": 3, "T": 3, "W": 1, "I": 3, "A": 1, "Ld": 7}


def make_group(count: int = 10, *rules: str, profile: Json | None = None, **facts: Any) -> Json:
    """Warriors with other characteristics where given."""
    return {"name": "Warriors", "count": count, "profile": WARRIOR | (profile or {}), "rules": list(rules)} | facts


def make_hero(*items: str, count: int = 1, **facts: Any) -> Json:
    """A character with magic items."""
    return make_group(count, magic_items=list(items), subtypes=["character"], **facts)


def make_side(*groups: Json, **facts: Any) -> Json:
    """A unit of these groups."""
    return {"models": list(groups) or [make_group()]} | facts


def make_clash(kind: str, **members: Any) -> Json:
    """A matchup document."""
    return {"system": "fantasy-8th", "kind": kind} | members


def outcome(document: Json) -> Result:
    """The answer to a document."""
    return simulate(parse_matchup(document))


def metric(document: Json, name: str = "unsaved_wounds") -> float:
    """One number of the answer."""
    return outcome(document).metrics[name]


def rolled(document: Json, *, trials: int = 20_000) -> Result:
    """The answer with dice."""
    return outcome(document | {"method": "montecarlo", "trials": trials, "seed": 11})


def make_melee(attacker: Json, defender: Json | None = None, **conditions: Any) -> Json:
    """Attacker's blows alone; the defender is a wide unit of ordinary warriors."""
    other = make_side(make_group(30), width=10) if defender is None else defender
    return make_clash("melee", attacker=attacker, defender=other, conditions=conditions)
