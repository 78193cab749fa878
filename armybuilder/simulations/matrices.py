"""Every unit of one army against every unit of another, and one pair in depth: exact, by the game's own kinds."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from armybuilder.engine.documents import parse_matchup
from armybuilder.engine.errors import BadDocument, Cancelled
from armybuilder.engine.simulate import Result, document_of, simulate
from armybuilder.simulations.opposing import Army, Combatant, Conditions

ROWS_OF_A_CHUNK = 6
"""Attacking units of one chunk: a tenth of a second or so of exact attacks."""

SHOOTING, ASSAULT = "shooting", "combat_round"

BASIS = ("assumptions", "modelled", "approximated", "not_simulated")
"""What a result says about where its numbers come from."""


class OneSide(msgspec.Struct, frozen=True, kw_only=True):
    """An army in a question."""

    name: str
    units: tuple[Combatant, ...]


class Clash(msgspec.Struct, frozen=True, kw_only=True):
    """The question itself: two armies (or two units), and the circumstances."""

    system: str
    attacker: OneSide
    defender: OneSide
    conditions: Conditions


class Cell(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One attack of the matrix.

    Attributes:
        models_slain: expected number of models removed.
        hull_points_lost: expected, where the target is a vehicle.
        points_destroyed: the share of the target's price that goes with them.
        p_destroyed: chance that nothing of the target is left.
        not_simulated: rules that are not in this very number.
        approximated: rules that are only roughly in it.
        impossible: why there is no attack, e.g. no weapon that reaches; then every number is 0.
    """

    models_slain: float = 0.0
    hull_points_lost: float | None = None
    points_destroyed: float = 0.0
    p_destroyed: float = 0.0
    not_simulated: tuple[str, ...] = ()
    approximated: tuple[str, ...] = ()
    impossible: str | None = None


class Rows(msgspec.Struct, frozen=True, kw_only=True):
    """A part of the matrix: some attacking units of one direction, with the basis of their numbers."""

    forth: tuple[tuple[Cell, ...], ...] = ()
    back: tuple[tuple[Cell, ...], ...] = ()
    basis: dict[str, Any] = {}


def clash(attacker: Army, defender: Army, conditions: Conditions) -> Clash:
    """The question of two armies.

    Raises:
        BadDocument: they belong to different games, or one of them has no unit that fights.
    """
    if attacker.system != defender.system:
        raise BadDocument("Both lists must belong to the same game.", "/defender")
    for army, at in ((attacker, "/attacker"), (defender, "/defender")):
        if not army.combatants:
            raise BadDocument(f"“{army.name}” has no unit that fights.", at)
    return Clash(
        system=attacker.system,
        attacker=OneSide(name=attacker.name, units=attacker.combatants),
        defender=OneSide(name=defender.name, units=defender.combatants),
        conditions=conditions,
    )


def chunks_of(question: Clash) -> int:
    """How many pieces the matrix of a question is computed in, both directions together."""
    return sum(-(-len(side.units) // ROWS_OF_A_CHUNK) for side in (question.attacker, question.defender))


def rows(question: Clash, index: int, *, progress: Callable[[float], None], should_stop: Callable[[], bool]) -> Rows:
    """One piece of the matrix.

    Raises:
        Cancelled: `should_stop` said so.
    """
    chunks_forth = -(-len(question.attacker.units) // ROWS_OF_A_CHUNK)
    is_forth = index < chunks_forth
    shooters, targets = question.attacker.units, question.defender.units
    if not is_forth:
        shooters, targets, index = targets, shooters, index - chunks_forth
    shooters = shooters[index * ROWS_OF_A_CHUNK : (index + 1) * ROWS_OF_A_CHUNK]
    basis = _Basis()
    known: dict[bytes, Cell] = {}
    computed = []
    for number, shooter in enumerate(shooters):
        row = []
        for target in targets:
            if should_stop():
                raise Cancelled("The matrix is no longer wanted.")
            same = msgspec.json.encode((shooter.side, target.side, target.points))  # two equal squads are one question
            if same not in known:
                known[same] = _cell(question, shooter, target, is_forth, basis)
            row.append(known[same])
        computed.append(tuple(row))
        progress((number + 1) / len(shooters))
    return Rows(**{"forth" if is_forth else "back": tuple(computed)}, basis=basis.named())


def matrix_result(question: Clash, parts: Iterable[Rows]) -> dict[str, Any]:
    """All pieces, in their order, as the answer."""
    parts = tuple(parts)
    basis = _Basis()
    for part in parts:
        basis.add_named(part.basis)
    return {
        "kind": "matrix",
        "system": question.system,
        "method": "exact",
        "conditions": msgspec.to_builtins(question.conditions),
        "attacker": _side_in_words(question.attacker),
        "defender": _side_in_words(question.defender),
        "forth": [msgspec.to_builtins(row) for part in parts for row in part.forth],
        "back": [msgspec.to_builtins(row) for part in parts for row in part.back],
        **basis.named(),
    }


def pair_result(question: Clash, *, progress: Callable[[float], None]) -> dict[str, Any]:
    """One unit against one: what each does to the other by shooting and in an assault, with distributions."""
    attacker, defender = question.attacker.units[0], question.defender.units[0]
    answers: dict[str, Any] = {}
    for number, (name, kind, is_forth) in enumerate(
        (
            ("shooting", SHOOTING, True),
            ("return_shooting", SHOOTING, False),
            ("assault", ASSAULT, True),
            ("return_assault", ASSAULT, False),
        )
    ):
        first, second = (attacker, defender) if is_forth else (defender, attacker)
        try:
            answers[name] = document_of(_resolved(question, kind, first, second, is_forth))
        except BadDocument as refusal:
            answers[name] = {"impossible": str(refusal)}
        progress((number + 1) / 4)
    return {
        "kind": "pair",
        "system": question.system,
        "method": "exact",
        "conditions": msgspec.to_builtins(question.conditions),
        "attacker": _side_in_words(question.attacker),
        "defender": _side_in_words(question.defender),
        **answers,
    }


def document(question: Clash, kind: str, first: Combatant, second: Combatant, is_forth: bool) -> dict[str, Any]:
    """The matchup document of one attack: `first` acts, under the circumstances of its direction."""
    given = question.conditions
    acting, suffering = dict(first.side), dict(second.side)
    if kind == SHOOTING:
        acting |= {"moved": given.moved if is_forth else given.defender_moved}
        cover = given.cover if is_forth else given.attacker_cover
        suffering |= {"cover": cover} if cover is not None else {}
    else:
        acting |= {"charged": given.charge}
    conditions: dict[str, Any] = {}
    if kind == SHOOTING:
        conditions |= {"distance": given.distance, "facing": given.facing}
        if given.models_covered is not None:
            conditions["models_covered"] = given.models_covered
    if given.night_fighting:
        conditions["night_fighting"] = True
    if kind == ASSAULT and not given.charge:
        conditions["combat_round"] = 2
    return {
        "system": question.system,
        "kind": kind,
        "attacker": acting,
        "defender": suffering,
        "conditions": conditions,
    }


def _resolved(question: Clash, kind: str, first: Combatant, second: Combatant, is_forth: bool) -> Result:
    return simulate(parse_matchup(document(question, kind, first, second, is_forth)))


def _cell(question: Clash, shooter: Combatant, target: Combatant, is_forth: bool, basis: "_Basis") -> Cell:
    try:
        result = _resolved(question, SHOOTING, shooter, target, is_forth)
    except BadDocument as refusal:
        return Cell(impossible=str(refusal))
    basis.add(result)
    slain, destroyed = result.metrics.get("models_slain", 0.0), result.metrics.get("p_destroyed", 0.0)
    is_vehicle = "hull_points_lost" in result.metrics
    share = destroyed if is_vehicle or target.models < 2 else slain / target.models
    return Cell(
        models_slain=slain if not is_vehicle else destroyed * target.models,
        hull_points_lost=result.metrics.get("hull_points_lost"),
        points_destroyed=share * target.points,
        p_destroyed=destroyed,
        not_simulated=result.not_simulated,
        approximated=tuple(item.rule for item in result.approximated),
    )


def _side_in_words(side: OneSide) -> dict[str, Any]:
    return {
        "name": side.name,
        "units": [
            {
                "id": unit.id,
                "name": unit.name,
                "points": unit.points,
                "models": unit.models,
                "unknown": list(unit.unknown),
            }
            for unit in side.units
        ],
    }


class _Basis:
    """What all numbers of a matrix rest on, each word once."""

    def __init__(self) -> None:
        self._words: dict[str, dict[bytes, Any]] = {name: {} for name in BASIS}
        self._russian: dict[str, dict[bytes, Any]] = {"assumptions": {}, "approximated": {}}

    def add(self, result: Result) -> None:
        self.add_named(document_of(result))

    def add_named(self, given: Mapping[str, Any]) -> None:
        for words, values in ((self._words, given), (self._russian, given.get("x-ru") or {})):
            for name, seen in words.items():
                for value in values.get(name, ()):
                    seen.setdefault(msgspec.json.encode(value), value)

    def named(self) -> dict[str, Any]:
        listed: dict[str, Any] = {name: list(seen.values()) for name, seen in self._words.items()}
        return listed | {"x-ru": {name: list(seen.values()) for name, seen in self._russian.items()}}


def parts_of(texts: Sequence[str]) -> tuple[Rows, ...]:
    """Stored pieces of a matrix."""
    return tuple(msgspec.json.decode(text, type=Rows) for text in texts)
