"""Whose work comes next: everybody who waits has his turn, and short questions pass long ones.

Work is handed out chunk by chunk, so a whole battle lets others by after each of its pieces. Who has little in work
comes first, then whose turn it is, then what is small; what has waited long is no longer passed.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

PATIENCE = timedelta(minutes=2)
"""A question that has waited longer counts as a short one."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A computation with work to claim.

    Attributes:
        asker: account, address or guest who asked for it first.
        chunks: pieces of the whole.
        running: pieces in the hands of workers.
    """

    computation_id: UUID
    asker: str
    chunks: int
    running: int
    queued: int
    created: datetime


def in_fair_order(everything: Sequence[Waiting], *, now: datetime) -> list[UUID]:
    """Those with work to claim, the next one first.

    Args:
        everything: unfinished computations, also those whose chunks are all in work.
    """
    in_work: Counter[str] = Counter()
    for one in everything:
        in_work[one.asker] += one.running

    def size(one: Waiting) -> int:
        return 1 if now - one.created > PATIENCE else one.chunks

    turns: Counter[str] = Counter()
    ordered = []
    for one in sorted(everything, key=lambda one: (size(one), one.created)):
        if one.queued:
            turns[one.asker] += 1
            ordered.append(((in_work[one.asker], turns[one.asker], size(one), one.created), one.computation_id))
    return [computation_id for _, computation_id in sorted(ordered, key=lambda pair: pair[0])]
