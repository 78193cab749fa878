"""What can be asked: a question is a document of its own, cut into chunks by its content alone.

Two workers, or one after the other, or the same one twice: the answer is the same, because it depends on nothing but
the question and its seed.
"""

from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from typing import Any

import msgspec

from armybuilder.engine.combat.battles.chronicle import Chronicle
from armybuilder.engine.documents import parse_matchup, without_extensions
from armybuilder.engine.simulate import MODEL_VERSION, Result, combined, document_of, simulate
from armybuilder.engine.systems.game import GAMES
from armybuilder.engine.systems.matchups import MAX_TRIALS, Matchup, refuse_above
from armybuilder.simulations import battles
from armybuilder.simulations.battles import WholeBattle
from armybuilder.simulations.matrices import ListMatchup, chunks_of, matrix_result, pair_result, parts_of, rows
from armybuilder.simulations.models import RunKind
from armybuilder.simulations.runs import ClaimedChunk
from armybuilder.simulations.upgrades import Measured, Upgrade, measured, upgrade_result

TRIALS_OF_A_CHUNK = 250_000
"""A sampled question of more trials is shared among workers."""

_ENVELOPE = ("id", "name", "notes", "$schema")


class Question(msgspec.Struct, frozen=True):
    """A question without anything that does not change its answer.

    Attributes:
        text: JSON with sorted members, so that equal questions are equal texts.
        chunks: how many pieces it is computed in.
        seed: what its dice start from.
    """

    kind: RunKind
    text: str
    chunks: int
    seed: int

    @property
    def fingerprint(self) -> str:
        """Hash of the question; with the model version it names the answer."""
        return sha256(f"{self.kind}\n{self.text}".encode()).hexdigest()

    @property
    def model_version(self) -> str:
        """The version of the combat model that answers."""
        return str(MODEL_VERSION)


def matchup_question(raw: Mapping[str, Any]) -> Question:
    """A matchup document as a question.

    Raises:
        BadDocument: it cannot be read.
        LimitExceeded: more models, shots or trials than the service computes; nothing is stored.
    """
    document = without_extensions(dict(raw))
    assert isinstance(document, dict)
    matchup = parse_matchup(document)
    guard(matchup)
    plain = {name: value for name, value in document.items() if name not in _ENVELOPE}
    chunks = 1 if matchup.method == "exact" else -(-matchup.trials // TRIALS_OF_A_CHUNK)
    return Question(RunKind.MATCHUP, _text(plain), chunks, matchup.seed or 0)


def answer_chunk(chunk: ClaimedChunk) -> str:
    """Compute one chunk; its part as JSON.

    Raises:
        GameError: the question cannot be answered, or is no longer wanted (Cancelled).
    """
    return _ANSWERS[RunKind(chunk.kind)](chunk)


def merged(kind: str, request: str, parts: Sequence[str]) -> str:
    """The result, as JSON, of all parts of a question in their order."""
    return _MERGES[RunKind(kind)](request, parts)


def _text(value: object) -> str:
    return msgspec.json.encode(value, order="sorted").decode()


def guard(matchup: Matchup) -> None:
    """Refuse what the service does not compute, before it is queued. Raises LimitExceeded."""
    refuse_above(matchup.trials, MAX_TRIALS, "trials", "/trials")
    GAMES[matchup.system].simulations[matchup.kind].guard(matchup)


def _answer_matchup(chunk: ClaimedChunk) -> str:
    matchup = parse_matchup(msgspec.json.decode(chunk.request))
    if chunk.count == 1:  # then the dice start at the document's seed, so the command line gives the same numbers
        result = simulate(matchup, progress=chunk.report, should_stop=chunk.should_stop)
    else:
        trials = matchup.trials // chunk.count + (chunk.index < matchup.trials % chunk.count)
        piece = msgspec.structs.replace(matchup, trials=trials)
        result = simulate(piece, rng=chunk.rng(), progress=chunk.report, should_stop=chunk.should_stop)
    return msgspec.json.encode(result).decode()


def _merge_matchup(request: str, parts: Sequence[str]) -> str:
    results = [msgspec.json.decode(part, type=Result) for part in parts]
    return msgspec.json.encode(document_of(combined(results))).decode()


def matrix_question(question: ListMatchup) -> Question:
    """Two armies as a question."""
    return Question(RunKind.MATRIX, _text(question), chunks_of(question), 0)


def pair_question(question: ListMatchup) -> Question:
    """Two units as a question."""
    return Question(RunKind.PAIR, _text(question), 1, 0)


def _answer_matrix(chunk: ClaimedChunk) -> str:
    question = msgspec.json.decode(chunk.request, type=ListMatchup)
    part = rows(question, chunk.index, progress=chunk.report, should_stop=chunk.should_stop)
    return msgspec.json.encode(part).decode()


def _merge_matrix(request: str, parts: Sequence[str]) -> str:
    question = msgspec.json.decode(request, type=ListMatchup)
    return msgspec.json.encode(matrix_result(question, parts_of(parts))).decode()


def _answer_pair(chunk: ClaimedChunk) -> str:
    question = msgspec.json.decode(chunk.request, type=ListMatchup)
    return msgspec.json.encode(pair_result(question, progress=chunk.report)).decode()


def _only(request: str, parts: Sequence[str]) -> str:
    return parts[0]


def upgrade_question(question: Upgrade) -> Question:
    """One option against several targets as a question; a target is a piece of its own."""
    return Question(RunKind.UPGRADE, _text(question), len(question.targets), 0)


def _answer_upgrade(chunk: ClaimedChunk) -> str:
    question = msgspec.json.decode(chunk.request, type=Upgrade)
    return msgspec.json.encode(measured(question, chunk.index, progress=chunk.report)).decode()


def _merge_upgrade(request: str, parts: Sequence[str]) -> str:
    found = [msgspec.json.decode(part, type=Measured) for part in parts]
    return msgspec.json.encode(upgrade_result(msgspec.json.decode(request, type=Upgrade), found)).decode()


def battle_question(question: WholeBattle) -> Question:
    """Two armies over a whole battle as a question."""
    return Question(RunKind.BATTLE, _text(question), battles.chunks_of(question), question.seed)


def _answer_battle(chunk: ClaimedChunk) -> str:
    return battles.fought(chunk.request, chunk.index, progress=chunk.report, should_stop=chunk.should_stop).written()


def _merge_battle(request: str, parts: Sequence[str]) -> str:
    return msgspec.json.encode(battles.battle_result(request, map(Chronicle.read, parts))).decode()


_ANSWERS: Mapping[RunKind, Callable[[ClaimedChunk], str]] = {
    RunKind.MATCHUP: _answer_matchup,
    RunKind.MATRIX: _answer_matrix,
    RunKind.PAIR: _answer_pair,
    RunKind.UPGRADE: _answer_upgrade,
    RunKind.BATTLE: _answer_battle,
}
_MERGES: Mapping[RunKind, Callable[[str, Sequence[str]], str]] = {
    RunKind.MATCHUP: _merge_matchup,
    RunKind.MATRIX: _merge_matrix,
    RunKind.PAIR: _only,
    RunKind.UPGRADE: _merge_upgrade,
    RunKind.BATTLE: _merge_battle,
}
