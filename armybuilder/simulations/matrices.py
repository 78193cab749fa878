"""Every unit of one army against every unit of another, and one pair in depth: exact, by the game's own model."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from armybuilder.engine.errors import BadDocument
from armybuilder.engine.simulate import Result, document_of, simulate
from armybuilder.engine.systems.matchups import Basis
from armybuilder.simulations.opposing import Army, Battlefield, Conditions, battlefield, rules_of

ROWS_OF_A_CHUNK = 6
"""Attacking units of one chunk: some tenths of a second of exact attacks."""

SHOOTING, ASSAULT = "shooting", "combat_round"

BASIS = ("assumptions", "modelled", "approximated", "not_simulated")
"""What a result says about where its numbers come from."""


class OneSide(msgspec.Struct, frozen=True, kw_only=True):
    """An army in a question; `units` are the game's fighters as plain values."""

    name: str
    units: tuple[dict[str, Any], ...]


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
        hull_points_lost: expected, where the target has them.
        points_destroyed: the share of the target's price that goes with the slain.
        p_destroyed: chance that nothing of the target is left.
        weapons: names of the weapons that are fired.
        not_simulated, approximated: rules that are not, or only roughly, in these very numbers.
        impossible: there is no attack, as no weapon can be fired at the target; then every number is 0.
    """

    models_slain: float = 0.0
    hull_points_lost: float | None = None
    points_destroyed: float = 0.0
    p_destroyed: float = 0.0
    weapons: tuple[str, ...] = ()
    not_simulated: tuple[str, ...] = ()
    approximated: tuple[str, ...] = ()
    impossible: bool = False


class Rows(msgspec.Struct, frozen=True, kw_only=True):
    """A part of the matrix: some attacking units of one direction, with the basis of their numbers."""

    forth: tuple[tuple[Cell, ...], ...] = ()
    back: tuple[tuple[Cell, ...], ...] = ()
    basis: dict[str, Any] = {}


def clash(attacker: Army, defender: Army, conditions: Conditions) -> Clash:
    """The question of two armies. Raises BadDocument when they belong to different games, or one that has no model."""
    if attacker.system != defender.system:
        raise BadDocument("Both lists must belong to the same game.", "/defender")
    battlefield(attacker.system)
    return Clash(
        system=attacker.system, attacker=_one_side(attacker), defender=_one_side(defender), conditions=conditions
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
    begin = ROWS_OF_A_CHUNK * (index if is_forth else index - chunks_forth)
    meeting = _Meeting(question, is_forth=is_forth)
    shooters = meeting.acting[begin : begin + ROWS_OF_A_CHUNK]
    computed = meeting.shooting(shooters, progress=progress, should_stop=should_stop)
    basis = _Basis()
    for number, (shooter, row) in enumerate(zip(shooters, computed, strict=True)):
        reached = [target for target, found in zip(meeting.suffering, row, strict=True) if found is not None]
        if reached:  # one attack of each unit in full, at another target each time, for what the model assumes
            target = reached[number % len(reached)]
            basis.add(document_of(meeting.resolved(SHOOTING, shooter, target)))
    cells = tuple(
        tuple(
            _cell(meeting, shooter, target, found, basis) for target, found in zip(meeting.suffering, row, strict=True)
        )
        for shooter, row in zip(shooters, computed, strict=True)
    )
    return Rows(forth=cells, basis=basis.named()) if is_forth else Rows(back=cells, basis=basis.named())


def matrix_result(question: Clash, parts: Iterable[Rows]) -> dict[str, Any]:
    """All pieces, in their order, as the answer."""
    parts = tuple(parts)
    basis = _Basis()
    for part in parts:
        basis.add(part.basis)
    return {
        **_head(question, "matrix"),
        "forth": [msgspec.to_builtins(row) for part in parts for row in part.forth],
        "back": [msgspec.to_builtins(row) for part in parts for row in part.back],
        **basis.named(),
    }


def pair_result(question: Clash, *, progress: Callable[[float], None]) -> dict[str, Any]:
    """One unit against one: what each does to the other by shooting and in an assault, with distributions."""
    answers: dict[str, Any] = {}
    for name, kind, is_forth in (
        ("shooting", SHOOTING, True),
        ("return_shooting", SHOOTING, False),
        ("assault", ASSAULT, True),
        ("return_assault", ASSAULT, False),
    ):
        meeting = _Meeting(question, is_forth=is_forth)
        try:
            answers[name] = document_of(meeting.resolved(kind, meeting.acting[0], meeting.suffering[0]))
        except BadDocument as refusal:  # e.g. no weapon that can be fired at the target
            answers[name] = {"impossible": str(refusal)}
        progress(len(answers) / 4)
    return {**_head(question, "pair"), **answers}


def parts_of(texts: Sequence[str]) -> tuple[Rows, ...]:
    """Stored pieces of a matrix."""
    return tuple(msgspec.json.decode(text, type=Rows) for text in texts)


class _Meeting:
    """One direction of a question: who acts, who suffers, and under which circumstances."""

    def __init__(self, question: Clash, *, is_forth: bool) -> None:
        self.given = question.conditions
        self.is_forth = is_forth
        self.system = question.system
        self.field: Battlefield = battlefield(question.system)
        first, second = question.attacker, question.defender
        if not is_forth:
            first, second = second, first
        moved = self.given.moved if is_forth else self.given.defender_moved
        cover = self.given.cover if is_forth else self.given.attacker_cover
        self.acting = [self._fighter(unit, moved=moved) for unit in first.units]
        self.suffering = [self._fighter(unit, cover=cover) for unit in second.units]

    def _fighter(self, unit: dict[str, Any], **circumstances: Any) -> Any:
        fighter = msgspec.convert(unit, self.field.Fighter)
        side = msgspec.structs.replace(fighter.side, **circumstances)  # type: ignore[attr-defined]
        return msgspec.structs.replace(fighter, side=side)

    def conditions(self, kind: str) -> Any:
        """The circumstances as the game's own value."""
        facts: dict[str, Any] = {"night_fighting": self.given.night_fighting}
        if kind == SHOOTING:
            facts |= {"distance": self.given.distance, "facing": self.given.facing}
            if self.given.models_covered is not None:
                facts["models_covered"] = self.given.models_covered
        elif not self.given.charge:
            facts["combat_round"] = 2
        return msgspec.convert(facts, self.field.Conditions)

    def shooting(
        self, shooters: Sequence[Any], *, progress: Callable[[float], None], should_stop: Callable[[], bool]
    ) -> Sequence[Sequence[Any]]:
        """The game's cells of some rows; None where there is no attack.

        All at once, as the model shares work between pairs. If it cannot resolve one of them (a Defence Line has
        neither armour nor Toughness), target by target, so that the others are known all the same.
        """
        try:
            return self._matrix(shooters, self.suffering, progress=progress, should_stop=should_stop)
        except BadDocument:
            columns = [self._column(shooters, target, should_stop) for target in self.suffering]
            return list(zip(*columns, strict=True))

    def _column(self, shooters: Sequence[Any], target: Any, should_stop: Callable[[], bool]) -> Sequence[Any]:
        """What each of the shooters does to one target; None where it cannot be resolved."""
        try:
            rows = self._matrix(shooters, [target], progress=lambda _: None, should_stop=should_stop)
        except BadDocument:
            if len(shooters) == 1:
                return [None]
            return [cell for shooter in shooters for cell in self._column([shooter], target, should_stop)]
        return [cell for (cell,) in rows]

    def _matrix(
        self,
        shooters: Sequence[Any],
        targets: Sequence[Any],
        *,
        progress: Callable[[float], None],
        should_stop: Callable[[], bool],
    ) -> Sequence[Sequence[Any]]:
        matrix = self.field.shooting_matrix(
            shooters, targets, conditions=self.conditions(SHOOTING), progress=progress, should_stop=should_stop
        )
        cells: Sequence[Sequence[Any]] = matrix.cells
        return cells

    def request(self, kind: str, acting: Any, suffering: Any) -> Any:
        """The matchup document of one pair."""
        return self.field.pair_request(
            acting,
            suffering,
            kind=kind,
            conditions=self.conditions(kind),
            attacker_charged=kind == ASSAULT and self.given.charge,
        )

    def resolved(self, kind: str, acting: Any, suffering: Any) -> Result:
        return simulate(self.request(kind, acting, suffering))


def _cell(meeting: _Meeting, shooter: Any, target: Any, found: Any, basis: "_Basis") -> Cell:
    if found is None:
        return Cell(impossible=True)
    words = basis.of(meeting, shooter, target)
    return Cell(
        models_slain=found.models_slain,
        hull_points_lost=found.wounds_lost if _has_hull(target) else None,
        points_destroyed=found.points_destroyed,
        p_destroyed=found.p_destroyed,
        weapons=found.weapons,
        not_simulated=tuple(words["not_simulated"]),
        approximated=tuple(dict.fromkeys(item["rule"] for item in words["approximated"])),
    )


def _has_hull(fighter: Any) -> bool:
    return any(group.profile.hull_points is not None for group in fighter.side.models)


def _one_side(army: Army) -> OneSide:
    return OneSide(name=army.name, units=tuple(msgspec.to_builtins(fighter) for fighter in army.fighters))


def _head(question: Clash, kind: str) -> dict[str, Any]:
    """What the answers of both kinds begin with."""
    field = battlefield(question.system)
    sides = {}
    for name, side in (("attacker", question.attacker), ("defender", question.defender)):
        fighters: list[Any] = [msgspec.convert(unit, field.Fighter) for unit in side.units]
        sides[name] = {
            "name": side.name,
            "units": [
                {
                    "id": fighter.unit,
                    "name": fighter.name,
                    "points": float(fighter.points),
                    "models": fighter.models,
                    "unknown": list(fighter.unknown),
                }
                for fighter in fighters
            ],
        }
    return {
        "kind": kind,
        "system": question.system,
        "method": "exact",
        "conditions": msgspec.to_builtins(question.conditions),
        **sides,
    }


class _Basis:
    """What all numbers of a matrix rest on, each word once."""

    def __init__(self) -> None:
        self._words: dict[str, dict[bytes, Any]] = {name: {} for name in BASIS}
        self._russian: dict[str, dict[bytes, Any]] = {"assumptions": {}, "approximated": {}}

    def of(self, meeting: _Meeting, shooter: Any, target: Any) -> dict[str, Any]:
        """Which rules are in the numbers of one pair, and which are not; noted for the whole, too."""
        found = Basis()
        rules_of(meeting.system)(meeting.request(SHOOTING, shooter, target), found)
        words: dict[str, Any] = {
            "assumptions": [text.en for text in found.assumptions],
            "modelled": found.modelled,
            "approximated": [{"rule": item.rule, "how": item.how.en} for item in found.approximated],
            "not_simulated": list(dict.fromkeys(found.not_simulated)),
            "x-ru": {
                "assumptions": [text.ru for text in found.assumptions],
                "approximated": [{"rule": item.rule, "how": item.how.ru} for item in found.approximated],
            },
        }
        self.add(words)
        return words

    def add(self, given: Mapping[str, Any]) -> None:
        """Note the words of one answer."""
        for words, values in ((self._words, given), (self._russian, given.get("x-ru") or {})):
            for name, seen in words.items():
                for value in values.get(name, ()):
                    seen.setdefault(msgspec.json.encode(value), value)

    def named(self) -> dict[str, Any]:
        """All words, as the members of a result."""
        listed: dict[str, Any] = {name: list(seen.values()) for name, seen in self._words.items()}
        return listed | {"x-ru": {name: list(seen.values()) for name, seen in self._russian.items()}}
