"""Runs a sequence with dice: the same tree as `exact`, rolled for thousands of trials at once."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from armybuilder.engine.combat.sequence import Both, End, Mark, Node, Roll, Several
from armybuilder.engine.errors import Cancelled

Ints = npt.NDArray[np.int64]

BLOCK = 2_000_000
"""Attacks rolled at once: about 60 MB of dice and indices."""


@dataclass(slots=True)
class Tally:
    """What happened in each trial.

    Attributes:
        packets: shape (trials, effects).
        marks: passages of each mark, shape (trials,) each.
    """

    packets: Ints
    marks: dict[str, Ints] = field(default_factory=dict)


def rolled(node: Node, counts: Ints, effects: Sequence[str], rng: np.random.Generator) -> Tally:
    """Roll `counts[t]` attacks in trial t.

    Args:
        counts: attacks of each trial, shape (trials,).
        effects: names of the columns of the result; others are dropped.
    """
    trials = len(counts)
    tally = Tally(np.zeros((trials, len(effects)), np.int64))
    columns = {name: i for i, name in enumerate(effects)}

    def visit(node: Node, owners: Ints) -> None:
        if not len(owners):
            return
        match node:
            case End(effect):
                column = columns.get(effect) if effect is not None else None
                if column is not None:
                    tally.packets[:, column] += np.bincount(owners, minlength=trials)
            case Mark(name, then):
                seen = np.bincount(owners, minlength=trials)
                tally.marks[name] = tally.marks[name] + seen if name in tally.marks else seen
                visit(then, owners)
            case Roll(weights, branches):
                for branch, mine in zip(branches, split(rng, weights, owners), strict=True):
                    visit(branch, mine)
            case Several(count, each):
                visit(each, np.repeat(owners, count.roll(rng, len(owners))))
            case Both(first, second):
                visit(first, owners)
                visit(second, owners)

    visit(node, np.repeat(np.arange(trials), counts))
    return tally


def split(rng: np.random.Generator, weights: Sequence[int], owners: Ints) -> Iterator[Ints]:
    """Roll one die for each owner and hand the owners out to the branches."""
    total = sum(weights)
    kind = np.uint8 if total < 256 else np.int64
    face = rng.integers(0, total, len(owners), dtype=kind)  # type: ignore[type-var]
    low = 0
    for weight in weights:
        yield owners[(face >= low) & (face < low + weight)]
        low += weight


def blocks(
    trials: int,
    attacks: int,
    *,
    progress: Callable[[float], None] | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> Iterator[int]:
    """Cut trials into blocks that fit into memory; the cut depends on nothing but the arguments.

    Raises:
        Cancelled: `should_stop` said so.
    """
    size = max(1, min(trials, BLOCK // max(1, attacks)))
    done = 0
    while done < trials:
        if should_stop is not None and should_stop():
            raise Cancelled(f"Cancelled after {done} of {trials} trials.")
        now = min(size, trials - done)
        yield now
        done += now
        if progress is not None:
            progress(done / trials)
