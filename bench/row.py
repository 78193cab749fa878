"""How every benchmark says its figure: one line, the same columns, with what was asked for beside it."""

from collections.abc import Callable, Sequence
from statistics import median
from time import perf_counter


def timed(
    function: Callable[[], object], *, rounds: int = 7, calls: int = 1, clock: Callable[[], float] = perf_counter
) -> float:
    """Median seconds of one call over several rounds of `calls` calls each, by the clock on the wall unless told."""
    seconds = []
    for _ in range(rounds):
        start = clock()
        for _ in range(calls):
            function()
        seconds.append((clock() - start) / calls)
    return median(seconds)


def alternating(functions: Sequence[Callable[[], object]], *, rounds: int = 7, calls: int = 1) -> list[float]:
    """Median seconds of each function, run in turn in every round, so that noise falls on all alike."""
    seconds: list[list[float]] = [[] for _ in functions]
    for _ in range(rounds):
        for index, function in enumerate(functions):
            seconds[index].append(timed(function, rounds=1, calls=calls))
    return [median(times) for times in seconds]


def report(row: str, figure: str, *, must: str, target: str, met: bool | None) -> None:
    """Print one line of the table.

    Args:
        figure: what was measured, with its unit or ratio.
        met: whether *must* holds; None when it could not be decided here.
    """
    verdict = {True: "must met", False: "MUST MISSED", None: "not decided"}[met]
    print(f"{row} | {figure} | must {must} | target {target} | {verdict}", flush=True)


def cannot_run(row: str, reason: str) -> None:
    """Say that a row was not measured, and why, in one line."""
    print(f"{row} | not measured: {' '.join(reason.split())}", flush=True)
