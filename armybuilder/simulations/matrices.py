"""Every unit of one army against every unit of another, and one pair in depth: exact, by the game's own model."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from armybuilder.engine.errors import BadDocument, Cancelled, LimitExceeded
from armybuilder.engine.simulate import Result, document_of, simulate
from armybuilder.engine.systems.game import matchup_rules_of
from armybuilder.engine.systems.list_matchups import Effect, MatchupConditions, MatchupRules, NoAttack
from armybuilder.engine.systems.matchups import Matchup, ModelNotes
from armybuilder.simulations.armies import Army
from armybuilder.simulations.errors import TWO_GAMES, CannotBeAsked

ROWS_OF_A_CHUNK = 6
"""Attacking units of one chunk: some tenths of a second of exact attacks."""

TRIALS_INSTEAD = 20_000
"""Trials of a pair for which the exact method has too many outcomes to follow."""

CHOSEN_FOR_THE_PLAYER = ("shooting", "barrage", "magic")
"""Attacks with those weapons, or that spell, which do most to the target."""

OUTGOING, INCOMING = DIRECTIONS = ("forth", "back")
"""The attacker's units act, or the defender's do."""

NOTE_MEMBERS = ("assumptions", "modelled", "approximated", "not_simulated")
"""What a result says about where its numbers come from."""


class OneSide(msgspec.Struct, frozen=True, kw_only=True):
    """An army in a question; `units` are the game's fighters as plain values, `absent` names those that are none."""

    name: str
    units: tuple[dict[str, Any], ...]
    absent: tuple[str, ...] = ()


class ListMatchup(msgspec.Struct, frozen=True, kw_only=True):
    """The question itself: two armies (or two units), and the conditions.

    Attributes:
        attack: of a matrix; None for a pair, of which every attack is worked out.
        conditions: the game's `MatchupConditions` as plain values.
    """

    system: str
    attack: str | None
    attacker: OneSide
    defender: OneSide
    conditions: dict[str, Any]


class Cell(Effect, frozen=True, kw_only=True, omit_defaults=True):
    """One attack of the matrix.

    Attributes:
        points_per_point: points destroyed per point that the attacker costs; None where he costs nothing.
        not_simulated, approximated: rules that are not, or only roughly, in these very numbers.
        impossible: there is no attack, as no weapon can be used on the target; then every number is 0.
    """

    points_per_point: float | None = None
    not_simulated: tuple[str, ...] = ()
    approximated: tuple[str, ...] = ()
    impossible: bool = False


class Rows(msgspec.Struct, frozen=True, kw_only=True):
    """A part of the matrix: some attacking units of one direction, with the notes of their numbers."""

    outgoing: tuple[tuple[Cell, ...], ...] = msgspec.field(default=(), name="forth")
    incoming: tuple[tuple[Cell, ...], ...] = msgspec.field(default=(), name="back")
    notes: dict[str, Any] = msgspec.field(default_factory=dict, name="basis")


def list_matchup(
    attacker: Army, defender: Army, conditions: MatchupConditions, *, attack: str | None = None
) -> ListMatchup:
    """The question of two armies. Raises BadDocument when they belong to different games, or one that has no model."""
    if attacker.system != defender.system:
        raise CannotBeAsked(TWO_GAMES, "/defender")
    matchup_rules_of(attacker.system)
    return ListMatchup(
        system=attacker.system,
        attack=attack,
        attacker=_one_side(attacker),
        defender=_one_side(defender),
        conditions=msgspec.to_builtins(conditions),
    )


def chunks_of(question: ListMatchup) -> int:
    """How many pieces the matrix of a question is computed in, both directions together."""
    return sum(-(-len(side.units) // ROWS_OF_A_CHUNK) for side in (question.attacker, question.defender))


def rows(
    question: ListMatchup, index: int, *, progress: Callable[[float], None], should_stop: Callable[[], bool]
) -> Rows:
    """One piece of the matrix.

    Raises:
        Cancelled: `should_stop` said so.
    """
    chunks_outgoing = -(-len(question.attacker.units) // ROWS_OF_A_CHUNK)
    outgoing = index < chunks_outgoing
    begin = ROWS_OF_A_CHUNK * (index if outgoing else index - chunks_outgoing)
    directed = _DirectedMatchup(question, outgoing=outgoing)
    attack = question.attack or directed.field.matrix[0]
    attackers = directed.attackers[begin : begin + ROWS_OF_A_CHUNK]
    computed = directed.effects(attack, attackers, progress=progress, should_stop=should_stop)
    notes = _RuleNotes()
    for number, (fighter, row) in enumerate(zip(attackers, computed, strict=True)):
        reached = [target for target, found in zip(directed.defenders, row, strict=True) if found is not None]
        if reached:  # one attack of each unit in full, at another target each time, for what the model assumes
            target = reached[number % len(reached)]
            notes.add(document_of(directed.resolved(attack, fighter, target)))
    cells = tuple(
        tuple(
            _cell(directed, attack, fighter, target, found=found, notes=notes)
            for target, found in zip(directed.defenders, row, strict=True)
        )
        for fighter, row in zip(attackers, computed, strict=True)
    )
    return Rows(outgoing=cells, notes=notes.named()) if outgoing else Rows(incoming=cells, notes=notes.named())


def matrix_result(question: ListMatchup, parts: Iterable[Rows]) -> dict[str, Any]:
    """All pieces, in their order, as the answer."""
    parts = tuple(parts)
    return {
        **_head(question, "matrix"),
        "forth": [msgspec.to_builtins(row) for part in parts for row in part.outgoing],
        "back": [msgspec.to_builtins(row) for part in parts for row in part.incoming],
        **gathered(part.notes for part in parts),
    }


def pair_result(question: ListMatchup, *, progress: Callable[[float], None]) -> dict[str, Any]:
    """One unit against one: what each does to the other by every attack of the game, with distributions."""
    field = matchup_rules_of(question.system)
    attacks = (*field.attacks, *field.occasions)
    answers: dict[str, dict[str, Any]] = {direction: {} for direction in DIRECTIONS}
    done = 0
    for direction in DIRECTIONS:
        directed = _DirectedMatchup(question, outgoing=direction == OUTGOING)
        for attack in attacks:
            try:
                pair = (directed.attackers[0], directed.defenders[0])
                resolved = document_of(directed.resolved(attack, *pair))
                notes = _RuleNotes()
                notes.add(resolved)
                notes.of(directed, attack, *pair)
                resolved |= notes.named()
                if weapons := directed.weapons(attack):
                    resolved["weapons"] = list(weapons)
            except BadDocument as refusal:
                if attack in field.occasions:
                    continue
                resolved = {"impossible": str(refusal)}
                if isinstance(refusal, NoAttack):
                    resolved["x-ru"] = {"impossible": refusal.reason.ru}
            answers[direction][attack] = resolved
            done += 1
            progress(done / (len(DIRECTIONS) * len(attacks)))
    return {**_head(question, "pair"), **answers}


def gathered(answers: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """What several answers rest on, each word once."""
    notes = _RuleNotes()
    for answer in answers:
        notes.add(answer)
    return notes.named()


def parts_of(texts: Sequence[str]) -> tuple[Rows, ...]:
    """Stored pieces of a matrix."""
    return tuple(msgspec.json.decode(text, type=Rows) for text in texts)


class _DirectedMatchup:
    """One direction of a list matchup: who attacks whom, and under which conditions."""

    def __init__(self, question: ListMatchup, *, outgoing: bool) -> None:
        self.system = question.system
        self.outgoing = outgoing
        self.field: MatchupRules[Any, Any] = matchup_rules_of(question.system)
        self.conditions = msgspec.convert(question.conditions, self.field.conditions)
        first, second = question.attacker, question.defender
        if not outgoing:
            first, second = second, first
        self.attackers = [msgspec.convert(unit, self.field.fighter) for unit in first.units]
        self.defenders = [msgspec.convert(unit, self.field.fighter) for unit in second.units]

    def effects(
        self,
        attack: str,
        attackers: Sequence[Any],
        *,
        progress: Callable[[float], None],
        should_stop: Callable[[], bool],
    ) -> Sequence[Sequence[Effect | None]]:
        """The game's cells of some rows; None where there is no attack.

        All at once, as the model shares work between pairs. If it cannot resolve one of them (a Defence Line has
        neither armour nor Toughness), target by target, so that the others are known all the same.
        """
        try:
            return self._effects(attack, attackers, self.defenders, progress=progress, should_stop=should_stop)
        except BadDocument:
            columns = [self._column(attack, attackers, target, should_stop) for target in self.defenders]
            return list(zip(*columns, strict=True))

    def _column(
        self, attack: str, attackers: Sequence[Any], target: Any, should_stop: Callable[[], bool]
    ) -> Sequence[Effect | None]:
        """What each of the units does to one target; None where it cannot be resolved."""
        try:
            rows = self._effects(attack, attackers, [target], progress=lambda _: None, should_stop=should_stop)
        except BadDocument:
            if len(attackers) == 1:
                return [None]
            return [cell for one in attackers for cell in self._column(attack, [one], target, should_stop)]
        return [cell for (cell,) in rows]

    def _effects(
        self,
        attack: str,
        attackers: Sequence[Any],
        defenders: Sequence[Any],
        *,
        progress: Callable[[float], None],
        should_stop: Callable[[], bool],
    ) -> Sequence[Sequence[Effect | None]]:
        computed = iter(
            self.field.effects(attack, attackers, defenders, conditions=self.conditions, outgoing=self.outgoing)
        )
        rows: list[Sequence[Effect | None]] = []
        while len(rows) < len(attackers):
            if should_stop():
                raise Cancelled(f"Cancelled after {len(rows)} of {len(attackers)} units.")
            rows.append(next(computed))
            progress(len(rows) / len(attackers))
        return rows

    def weapons(self, attack: str) -> tuple[str, ...]:
        """What the first unit uses against the first target, where that is chosen for the player: weapons, a spell."""
        if attack not in CHOSEN_FOR_THE_PLAYER:
            return ()
        row = self.effects(attack, self.attackers[:1], progress=lambda _: None, should_stop=lambda: False)[0]
        return row[0].weapons if row[0] is not None else ()

    def matchup(self, attack: str, attacker: Any, defender: Any) -> Matchup:
        """The matchup document of one pair."""
        return self.field.matchup(attack, attacker, defender, conditions=self.conditions, outgoing=self.outgoing)

    def resolved(self, attack: str, attacker: Any, defender: Any) -> Result:
        """One pair with its distributions: exactly, or with dice where the exact method has too much to follow."""
        document = self.matchup(attack, attacker, defender)
        try:
            return simulate(document)
        except LimitExceeded:
            return simulate(msgspec.structs.replace(document, method="montecarlo", trials=TRIALS_INSTEAD))


def _cell(
    directed: _DirectedMatchup, attack: str, attacker: Any, target: Any, *, found: Effect | None, notes: "_RuleNotes"
) -> Cell:
    if found is None:
        return Cell(impossible=True)
    words = notes.of(directed, attack, attacker, target)
    price = float(attacker.points)
    return Cell(
        **{name: getattr(found, name) for name in found.__struct_fields__},
        points_per_point=found.points_destroyed / price if price > 0 else None,
        not_simulated=tuple(words["not_simulated"]),
        approximated=tuple(dict.fromkeys(item["rule"] for item in words["approximated"])),
    )


def _one_side(army: Army) -> OneSide:
    return OneSide(name=army.name, units=tuple(msgspec.to_builtins(fighter) for fighter in army.fighters))


def _head(question: ListMatchup, kind: str) -> dict[str, Any]:
    """What the answers of both kinds begin with."""
    field = matchup_rules_of(question.system)
    sides = {}
    for name, side in (("attacker", question.attacker), ("defender", question.defender)):
        fighters: list[Any] = [msgspec.convert(unit, field.fighter) for unit in side.units]
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
        **({"attack": question.attack} if question.attack else {}),
        "conditions": question.conditions,
        **sides,
    }


class _RuleNotes:
    """What all numbers of a matrix rest on, each word once."""

    def __init__(self) -> None:
        self._words: dict[str, dict[bytes, Any]] = {name: {} for name in NOTE_MEMBERS}
        self._russian: dict[str, dict[bytes, Any]] = {"assumptions": {}, "approximated": {}}

    def of(self, directed: _DirectedMatchup, attack: str, attacker: Any, target: Any) -> dict[str, Any]:
        """Which rules are in the numbers of one pair, and which are not; noted for the whole, too."""
        found = ModelNotes()
        directed.field.note_rules(directed.matchup(attack, attacker, target), found)
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
        """All words, as the members of a result; what is in the numbers roughly is not missing from them."""
        listed: dict[str, Any] = {name: list(seen.values()) for name, seen in self._words.items()}
        rough = {item["rule"] for item in listed["approximated"]}
        listed["not_simulated"] = [rule for rule in listed["not_simulated"] if rule not in rough]
        return listed | {"x-ru": {name: list(seen.values()) for name, seen in self._russian.items()}}
