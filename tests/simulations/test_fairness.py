"""Everybody who waits has his turn, and short questions pass long ones, but not for ever."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from armybuilder.simulations.fairness import PATIENCE, Waiting, in_fair_order

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)


def waiting(
    number: int, asker: str, *, chunks: int = 1, running: int = 0, queued: int | None = None, age: float = 1
) -> Waiting:
    left = chunks - running if queued is None else queued
    return Waiting(UUID(int=number), asker, chunks, running, left, NOW - timedelta(seconds=age))


@pytest.mark.parametrize(
    ("case", "everything", "order"),
    [
        ("nothing", [], []),
        ("the oldest of equals", [waiting(1, "a", age=1), waiting(2, "b", age=2)], [2, 1]),
        ("a short one passes a long one", [waiting(1, "a", chunks=40, age=9), waiting(2, "b")], [2, 1]),
        (
            "one who asks much takes turns with others",
            [waiting(1, "a", age=9), waiting(2, "a", age=8), waiting(3, "a", age=7), waiting(4, "b", age=1)],
            [1, 4, 2, 3],
        ),
        (
            "who has something in work lets others by",
            [waiting(1, "a", chunks=40, running=1, age=9), waiting(2, "a", age=8), waiting(3, "b", chunks=40, age=1)],
            [3, 2, 1],
        ),
        (
            "what has waited long is passed no more",
            [waiting(1, "a", chunks=40, age=PATIENCE.total_seconds() + 1), waiting(2, "b")],
            [1, 2],
        ),
        ("what is all in work is not waiting", [waiting(1, "a", running=1)], []),
    ],
)
def test_the_order(case: str, everything: list[Waiting], order: list[int]) -> None:
    assert [computation.int for computation in in_fair_order(everything, now=NOW)] == order, case
