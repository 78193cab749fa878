"""Whole battles as questions: two armies, how often they meet, and the answer put together from pieces."""

from collections.abc import Callable, Iterable, Sequence
from threading import Lock
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from armybuilder.engine.combat.battles import play
from armybuilder.engine.combat.battles.chronicle import Chronicle
from armybuilder.engine.combat.battles.plans import Plans
from armybuilder.engine.errors import BadDocument
from armybuilder.engine.systems.battle_results import NAMES, results_of
from armybuilder.engine.systems.battles import Prepared, mission_of, prepared
from armybuilder.engine.systems.game import battle_rules_of, matchup_rules_of
from armybuilder.engine.systems.list_matchups import Combatant
from armybuilder.engine.systems.matchups import refuse_above
from armybuilder.simulations.armies import Army
from armybuilder.simulations.errors import TWO_GAMES, CannotBeAsked
from armybuilder.simulations.list_requests import ListReference
from armybuilder.simulations.matrices import OneSide

MOST_TRIALS = 100_000
"""Battles of one question; a large one takes a minute."""

MOST_MODELS = 600
"""Models of one army."""

USUAL_TRIALS = 10_000
"""Then a chance is known to half a per cent."""

BLOCKS_OF_A_CHUNK = 2


class BattleRequest(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="battle"
):
    """One list against another over the game's turns, fought many times.

    Attributes:
        trials: how many battles are fought, 100,000 at most.
        mission: one of the game's own, by its name; None is the usual one.
        seed: what the dice start from; the same question with the same seed has the same answer.
    """

    attacker: ListReference
    defender: ListReference
    trials: Annotated[int, Meta(ge=1)] = USUAL_TRIALS
    seed: Annotated[int, Meta(ge=0, le=2**53)] = 0
    mission: str | None = None
    name: str | None = None


class WholeBattle(msgspec.Struct, frozen=True, kw_only=True):
    """The question itself."""

    system: str
    attacker: OneSide
    defender: OneSide
    trials: int
    seed: int
    mission: str | None = None


def whole_battle(attacker: Army, defender: Army, *, trials: int, seed: int, mission: str | None = None) -> WholeBattle:
    """The question of two armies.

    Raises:
        BadDocument: they belong to different games, or to one that knows no whole battles or not this mission.
        LimitExceeded: more trials or models than the service computes.
    """
    if attacker.system != defender.system:
        raise CannotBeAsked(TWO_GAMES, "/defender")
    rules = battle_rules_of(attacker.system)
    if rules is None:
        raise BadDocument(f"Whole battles cannot be simulated for '{attacker.system}'.", "/kind")
    mission_of(rules, mission)
    refuse_above(trials, MOST_TRIALS, "battles", "/trials")
    for army, at in ((attacker, "/attacker"), (defender, "/defender")):
        refuse_above(sum(fighter.models for fighter in army.fighters), MOST_MODELS, "models of one army", at)
    return WholeBattle(
        system=attacker.system,
        attacker=_one_side(attacker),
        defender=_one_side(defender),
        trials=trials,
        seed=seed,
        mission=mission,
    )


def _one_side(army: Army) -> OneSide:
    units = tuple(msgspec.to_builtins(fighter) for fighter in army.fighters)
    return OneSide(name=army.name, units=units, absent=army.absent)


def chunks_of(question: WholeBattle) -> int:
    """How many pieces a battle is fought in; where it is cut changes nothing in the answer."""
    return -(-play.blocks_of(question.trials) // BLOCKS_OF_A_CHUNK)


def fought(
    request: str, index: int, *, progress: Callable[[float], None], should_stop: Callable[[], bool]
) -> Chronicle:
    """One piece of a question, given as JSON.

    Raises:
        BadDocument: an army without a unit that can fight.
        Cancelled: `should_stop` said so.
    """
    question = msgspec.json.decode(request, type=WholeBattle)
    ready = _ready(request, progress=lambda share: progress(share / 3), should_stop=should_stop)
    first = index * BLOCKS_OF_A_CHUNK
    return play.fought(
        ready.plans,
        trials=question.trials,
        seed=question.seed,
        blocks=range(first, min(first + BLOCKS_OF_A_CHUNK, play.blocks_of(question.trials))),
        progress=lambda share: progress((1 + 2 * share) / 3),
        should_stop=should_stop,
    )


def battle_result(request: str, parts: Iterable[Chronicle]) -> dict[str, Any]:
    """All pieces as the answer."""
    question = msgspec.json.decode(request, type=WholeBattle)
    ready = _ready(request)
    whole = play.empty(ready.plans)
    for part in parts:
        whole.add(part)
    rules = battle_rules_of(question.system)
    assert rules is not None
    found = results_of(ready.prepared, whole)
    mission = mission_of(rules, question.mission)
    units = found.pop("units")
    notes = ready.prepared.notes
    return {
        "kind": "battle",
        "system": question.system,
        "method": "montecarlo",
        "trials": whole.trials,
        "seed": question.seed,
        **({"mission": mission.name.en} if question.mission else {}),
        "attacker": _side(question, ready.prepared, 0, units),
        "defender": _side(question, ready.prepared, 1, units),
        **found,
        "table": {
            "width": rules.TERMS.width,
            "depth": rules.TERMS.depth,
            "distance": rules.DISTANCE,
            "apart": 2 * rules.TERMS.line,
            "turns": rules.TERMS.turns,
            "most_turns": rules.TERMS.longest,
        },
        "victory": mission.victory.en,
        "options": notes.options,
        "assumptions": [text.en for text in notes.assumptions],
        "modelled": list(dict.fromkeys(notes.modelled)),
        "approximated": [{"rule": item.rule, "how": item.how.en} for item in notes.approximated],
        "not_simulated": list(dict.fromkeys(notes.not_simulated)),
        "x-ru": {
            **({"mission": mission.name.ru} if question.mission else {}),
            "victory": mission.victory.ru,
            "assumptions": [text.ru for text in notes.assumptions],
            "approximated": [{"rule": item.rule, "how": item.how.ru} for item in notes.approximated],
        },
    }


def _side(question: WholeBattle, ready: Prepared, side: int, units: dict[str, Any]) -> dict[str, Any]:
    """A side of the answer: its units in the order in which kills number them, with what became of each."""
    given = (question.attacker, question.defender)[side]
    unknown = {fighter.unit: fighter.unknown for fighter in fighters_of(question.system, given)}
    army = ready.battle.armies[side]
    return {
        "name": given.name,
        "points": sum(unit.points for unit in army),
        "units": [
            {"id": unit.id, "name": unit.name, "points": unit.points, "models": unit.models}
            | {"unknown": list(unknown[unit.id])}
            | facts
            for unit, facts in zip(army, units[NAMES[side]], strict=True)
        ],
        "left_out": [*ready.left_out[side], *given.absent],
    }


class _Ready(msgspec.Struct, frozen=True):
    prepared: Prepared
    plans: Plans


_RECENT: dict[str, _Ready] = {}
_MOST_RECENT = 3
_changing = Lock()


def _ready(
    request: str,
    *,
    progress: Callable[[float], None] | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> _Ready:
    """The armies of a question made ready; the last few are kept for their next piece."""
    known = _RECENT.get(request)
    if known is not None:
        return known
    question = msgspec.json.decode(request, type=WholeBattle)
    rules = battle_rules_of(question.system)
    assert rules is not None
    sides = [fighters_of(question.system, side) for side in (question.attacker, question.defender)]
    found = prepared(rules, sides[0], sides[1], mission=question.mission, progress=progress, should_stop=should_stop)
    ready = _Ready(found, Plans(found.battle))
    with _changing:
        while len(_RECENT) >= _MOST_RECENT:
            _RECENT.pop(next(iter(_RECENT)))
        _RECENT[request] = ready
    return ready


def fighters_of(system: str, side: OneSide) -> Sequence[Combatant]:
    """The units of a stored side as the game's own values."""
    kind: Any = matchup_rules_of(system).fighter
    return [msgspec.convert(unit, kind) for unit in side.units]
