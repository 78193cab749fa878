"""What an option buys: one unit without it and with it against the same targets, every attack exactly."""

from collections.abc import Callable, Mapping, Sequence
from math import sqrt
from typing import Any

import msgspec

from armybuilder.engine.findings import Text
from armybuilder.engine.systems.game import matchup_rules_of
from armybuilder.simulations.armies import Army
from armybuilder.simulations.errors import CannotBeAsked
from armybuilder.simulations.matrices import DIRECTIONS, OUTGOING, ListMatchup, OneSide, gathered, pair_result

SLAIN = ("models_slain", "units_destroyed")
OWN_SLAIN = ("attacker_models_slain", "attacker_units_destroyed")
"""Metrics of casualties, of the defender and of the attacker."""

WORN = ("hull_points_lost", "dc_lost", "wounds_lost", "unsaved_wounds")
"""What a single model loses before it is slain, the most telling first."""

CHANCES = ("p_destroyed", "p_broken", "p_win", "p_defender_breaks")


class Upgrade(msgspec.Struct, frozen=True, kw_only=True):
    """The question itself: two builds of a unit and their targets, as the game's fighters in plain values.

    Attributes:
        option: what makes the difference, in words.
        is_taken: whether the list as it stands has it.
        without, having: of one unit each.
        targets: of one unit each.
        conditions: the game's `MatchupConditions` as plain values.
    """

    system: str
    option: Text
    is_taken: bool
    without: OneSide
    having: OneSide
    targets: tuple[OneSide, ...]
    conditions: dict[str, Any]


class Outcome(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What one attack comes to.

    Attributes:
        counted: what `mean` counts: models_slain, hull_points_lost and so on.
        mean, spread: expected value and standard deviation of it; no spread where the model works out only the mean.
        distribution: value to chance.
        points_destroyed: the share of the target's price that goes with the slain.
        points_lost: the share of the attacker's own price that is lost in the same fight.
        per_100_points: points destroyed per 100 points of the attacker; None for one that costs nothing.
        chances: by name, e.g. p_destroyed.
        sampled: the exact method had too much to follow, so dice were rolled.
        impossible: why there is no such attack; then every number is 0.
    """

    counted: str = ""
    mean: float = 0.0
    spread: float | None = None
    distribution: dict[str, float] = {}
    points_destroyed: float = 0.0
    points_lost: float = 0.0
    per_100_points: float | None = None
    chances: dict[str, float] = {}
    sampled: bool = False
    impossible: str = ""


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """One attack without and with the option.

    Attributes:
        attack: as the game names it, e.g. shooting.
        way: forth where the unit attacks the target, back where the target attacks the unit.
        change: of the expected number, with the option less without it.
        points_change: of the points destroyed; on the way back, of the unit's points that are saved.
        return_on_price: that change for every point the option costs; None where it costs nothing.
    """

    attack: str
    way: str
    without: Outcome
    having: Outcome = msgspec.field(name="with")
    change: float
    points_change: float
    return_on_price: float | None


class Measured(msgspec.Struct, frozen=True, kw_only=True):
    """The option against one target."""

    name: str
    army: str
    points: float
    models: int
    unknown: tuple[str, ...]
    attacks: tuple[Comparison, ...]
    notes: dict[str, Any] = msgspec.field(name="basis")


def upgrade(
    option: Text, *, is_taken: bool, without: Army, having: Army, targets: Sequence[Army], conditions: Any
) -> Upgrade:
    """The question of one option; every army has one unit.

    The words of the option belong to it, so that the answer can repeat them; they are the data's, and equal questions
    stay equal.
    """
    return Upgrade(
        system=without.system,
        option=option,
        is_taken=is_taken,
        without=_side(without),
        having=_side(having),
        targets=tuple(_side(target) for target in targets),
        conditions=msgspec.to_builtins(conditions),
    )


def changed_unit(without: Army, having: Army, *, at: str) -> str:
    """The one unit that fights, or costs, differently in the two builds. Raises BadDocument for none or several."""
    before = {fighter.unit: fighter for fighter in without.fighters}
    changed = [fighter for fighter in having.fighters if before.get(fighter.unit) != fighter]
    if not changed:
        raise CannotBeAsked(
            Text(
                "This changes nothing about how a unit fights, nor what it costs.",
                "Это не меняет ни того, как отряд сражается, ни его цены.",
            ),
            at,
        )
    if len(changed) > 1:
        named = ", ".join(fighter.name for fighter in changed)
        raise CannotBeAsked(
            Text(
                f"This changes several units ({named}); say which is meant.",
                f"Это меняет несколько отрядов ({named}): уточните, какой имеется в виду.",
            ),
            at,
        )
    return changed[0].unit


def measured(question: Upgrade, index: int, *, progress: Callable[[float], None]) -> Measured:
    """The option against one of the targets."""
    target = question.targets[index]
    answers = []
    for number, build in enumerate((question.without, question.having)):
        matchup = ListMatchup(
            system=question.system, attack=None, attacker=build, defender=target, conditions=question.conditions
        )
        answers.append(pair_result(matchup, progress=lambda share, done=number: progress((done + share) / 2)))  # type: ignore[misc]
    first, second = answers
    price = _unit(second, "attacker")["points"] - _unit(first, "attacker")["points"]
    comparisons = [
        _comparison(attack, way, [_outcome(answer, way, attack) for answer in answers], price)
        for way in DIRECTIONS
        for attack in matchup_rules_of(question.system).attacks
        if attack in first[way]
    ]
    unit = _unit(first, "defender")
    return Measured(
        name=unit["name"],
        army=target.name,
        points=unit["points"],
        models=unit["models"],
        unknown=tuple(unit["unknown"]),
        attacks=tuple(comparisons),
        notes=gathered(part for answer in answers for way in DIRECTIONS for part in answer[way].values()),
    )


def upgrade_result(question: Upgrade, parts: Sequence[Measured]) -> dict[str, Any]:
    """All targets, in their order, as the answer."""
    fighter = matchup_rules_of(question.system).fighter
    builds: dict[str, Any] = {}
    for name, side in (("without", question.without), ("with", question.having)):
        unit: Any = msgspec.convert(side.units[0], fighter)
        builds[name] = {
            "points": float(unit.points),
            "models": unit.models,
            "unknown": list(unit.unknown),
        }
    unit = msgspec.convert(question.having.units[0], fighter)
    notes = gathered(part.notes for part in parts)
    return {
        "kind": "upgrade",
        "system": question.system,
        "method": "montecarlo" if any(_is_sampled(part) for part in parts) else "exact",
        "conditions": question.conditions,
        "option": question.option.en,
        "is_taken": question.is_taken,
        "unit": {"id": unit.unit, "name": unit.name, "army": question.having.name},
        **builds,
        "price": builds["with"]["points"] - builds["without"]["points"],
        "targets": [
            {name: value for name, value in msgspec.to_builtins(part).items() if name != "basis"} for part in parts
        ],
        **notes,
        "x-ru": {**notes["x-ru"], "option": question.option.ru},
    }


def _is_sampled(part: Measured) -> bool:
    return any(outcome.sampled for row in part.attacks for outcome in (row.without, row.having))


def _side(army: Army) -> OneSide:
    (fighter,) = army.fighters
    return OneSide(name=army.name, units=(msgspec.to_builtins(fighter),))


def _unit(answer: Mapping[str, Any], side: str) -> dict[str, Any]:
    unit: dict[str, Any] = answer[side]["units"][0]
    return unit


def _outcome(answer: Mapping[str, Any], way: str, attack: str) -> Outcome:
    """One attack of a pair's answer, in points of both sides."""
    part = answer[way][attack]
    if "impossible" in part:
        return Outcome(impossible=part["impossible"])
    attacker, defender = (_unit(answer, side) for side in (("attacker", "defender")[:: 1 if way == OUTGOING else -1]))
    metrics: Mapping[str, float] = part["metrics"]
    distributions: Mapping[str, Mapping[str, float]] = part.get("distributions") or {}
    known = {**metrics, **distributions}
    order = (*WORN, *SLAIN) if defender["models"] == 1 else (*SLAIN, *WORN)
    counted = next((name for name in order if name in known), "")
    chances = {int(value): chance for value, chance in distributions.get(counted, {}).items()}
    mean = sum(value * chance for value, chance in chances.items()) if chances else float(metrics.get(counted, 0.0))
    variance = sum(chance * (value - mean) ** 2 for value, chance in chances.items())
    destroyed = _share(metrics, SLAIN, defender)
    return Outcome(
        counted=counted,
        mean=mean,
        spread=sqrt(variance) if chances else None,
        distribution=dict(distributions.get(counted, {})),
        points_destroyed=destroyed,
        points_lost=_share(metrics, OWN_SLAIN, attacker),
        per_100_points=destroyed / attacker["points"] * 100 if attacker["points"] else None,
        chances={name: metrics[name] for name in CHANCES if name in metrics},
        sampled=part["method"] != "exact",
    )


def _share(metrics: Mapping[str, float], names: Sequence[str], unit: Mapping[str, Any]) -> float:
    slain = next((metrics[name] for name in names if name in metrics), 0.0)
    return float(slain) / max(1, unit["models"]) * float(unit["points"])


def _comparison(attack: str, way: str, outcomes: Sequence[Outcome], price: float) -> Comparison:
    without, having = outcomes
    if way == OUTGOING:
        gained = having.points_destroyed - having.points_lost - (without.points_destroyed - without.points_lost)
    else:
        gained = without.points_destroyed - without.points_lost - (having.points_destroyed - having.points_lost)
    return Comparison(
        attack=attack,
        way=way,
        without=without,
        having=having,
        change=having.mean - without.mean,
        points_change=gained,
        return_on_price=gained / price if price else None,
    )
