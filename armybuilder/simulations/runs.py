"""The life of queued work: a chunk is claimed under a lease, then finished, failed, released or expired.

Each step is one conditional update. A worker may die at any point and a message may come twice: what counts is the
row. Whoever lost his lease can no longer change anything, so a result is written once. Leases run by the database's
clock, because those of workers differ.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from time import monotonic
from uuid import UUID

import numpy as np
from django.conf import settings
from django.db import connection, transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from armybuilder.engine.errors import LimitExceeded
from armybuilder.simulations import raw_sql
from armybuilder.simulations.fairness import in_fair_order
from armybuilder.simulations.models import ERROR_LENGTH, UNFINISHED, Chunk, Computation, RunState

LEASE = timedelta(seconds=settings.LEASE_SECONDS)
"""How long a claim holds without a sign of life; a dead worker's chunk is taken up again after that."""

LONGEST_LEASE = 2 * LEASE
"""What is leased for longer was leased by a clock that has been set back since; nobody may hold it so long."""

HEARTBEAT_SECONDS = min(1.0, settings.LEASE_SECONDS / 4)
"""A sign of life, and a look whether the work is still wanted, at most this often."""

MAX_ATTEMPTS = 4
"""A chunk that lost this many workers fails instead of killing a fifth."""

RESEND = timedelta(seconds=30)
"""A waiting computation that was sent longer ago is sent again: its message may be lost, a second does no harm."""


Merge = Callable[[str, str, Sequence[str]], str]
"""Kind and request of a computation, and its parts in their order -> its result; all but the kind as JSON."""


@dataclass(slots=True)
class ClaimedChunk:
    """A chunk in the hands of one worker.

    Attributes:
        worker: the claim's own name; a repeated delivery claims under another.
        request: JSON of the question.
    """

    pk: int
    computation_id: UUID
    worker: UUID
    kind: str
    request: str
    seed: int
    index: int
    count: int
    is_lost: bool = False
    _started: float = field(default_factory=monotonic)
    _last_sign: float = field(default_factory=monotonic)

    def rng(self) -> "np.random.Generator":
        """Dice that are a function of the question alone, whoever rolls them."""
        return np.random.default_rng(np.random.SeedSequence(self.seed).spawn(self.count)[self.index])

    def report(self, share: float) -> None:
        """Note progress (0 to 1) and renew the lease, at most once a second."""
        if monotonic() - self._last_sign >= HEARTBEAT_SECONDS:
            self._sign_of_life(min(max(share, 0.0), 1.0))

    def should_stop(self) -> bool:
        """Whether the work is no longer wanted from this worker: cancelled, or claimed by another.

        Raises:
            LimitExceeded: it takes longer than one task may.
        """
        if monotonic() - self._started > settings.TASK_SECONDS:
            raise LimitExceeded(f"It took longer than {settings.TASK_SECONDS} seconds.")
        if not self.is_lost and monotonic() - self._last_sign >= HEARTBEAT_SECONDS:
            self._sign_of_life(None)
        return self.is_lost

    def _sign_of_life(self, share: float | None) -> None:
        self._last_sign = monotonic()
        changes: dict[str, object] = {"lease_until": raw_sql.database_time() + LEASE}
        if share is not None:
            changes["progress"] = share
        self.is_lost = not _held(self).update(**changes)


def claim_chunk(computation_id: UUID | str, *, worker: UUID) -> ClaimedChunk | None:
    """Claim the next free chunk of a computation, or one whose lease ran out; None when there is nothing to do."""
    with transaction.atomic():
        now = raw_sql.database_time()
        found = raw_sql.claim(
            UUID(str(computation_id)),
            worker=worker,
            now=now,
            until=now + LEASE,
            longest=now + LONGEST_LEASE,
            most_attempts=MAX_ATTEMPTS,
        )
    if found is None:
        return None
    return ClaimedChunk(
        pk=found.pk,
        computation_id=UUID(str(computation_id)),
        worker=worker,
        kind=found.kind,
        request=found.request,
        seed=found.seed,
        index=found.index,
        count=found.count,
    )


def claim_next(*, worker: UUID) -> ClaimedChunk | None:
    """Claim the chunk whose turn it is, whoever asked for it; None when nothing waits."""
    for computation_id in in_fair_order(raw_sql.unfinished(), now=timezone.now()):
        if (chunk := claim_chunk(computation_id, worker=worker)) is not None:
            return chunk
    return None


def keep_alive(worker: UUID) -> bool:
    """Renew the lease of what a worker holds, for one that is seen to be alive; whether it is still wanted."""
    held = Chunk.objects.filter(worker=worker, state=RunState.RUNNING)
    return bool(held.update(lease_until=raw_sql.database_time() + LEASE))


def end_of_worker(worker: UUID, *, reason: str = "", code: str = "") -> None:
    """What a worker that is no more held is given to another at once; with a reason, its computation fails."""
    for pk, computation_id in Chunk.objects.filter(worker=worker, state=RunState.RUNNING).values_list(
        "pk", "computation"
    ):
        with transaction.atomic():
            _locked(computation_id)
            mine = Chunk.objects.filter(pk=pk, worker=worker, state=RunState.RUNNING)
            if not reason:
                mine.update(lease_until=raw_sql.database_time() - timedelta(seconds=1))
            elif mine.update(state=RunState.FAILED, worker=None, lease_until=None):
                _end(computation_id, RunState.FAILED, reason=reason, code=code)
    expire()


def finish(chunk: ClaimedChunk, part: str, *, merge: Merge) -> bool:
    """Keep a chunk's part; whoever finishes the last one writes the result.

    Args:
        merge: makes the result of all parts (`requests.merged`).

    Returns:
        False when the lease was lost meanwhile: then another worker's part counts, and nothing is written.
    """
    with transaction.atomic():
        _locked(chunk.computation_id)
        kept = part if chunk.count > 1 else ""  # the only one is the result
        if not raw_sql.keep_part(chunk.pk, worker=chunk.worker, part=kept):
            return False
        if chunk.count == 1:
            _keep_result_of(chunk, [part], merge)
            return True
        chunks = Chunk.objects.filter(computation=chunk.computation_id)
        if not chunks.exclude(state=RunState.DONE).exists():
            _keep_result_of(chunk, list(chunks.order_by("index").values_list("part", flat=True)), merge)
            chunks.update(part="")  # the result holds them all
    return True


def _keep_result_of(chunk: ClaimedChunk, parts: Sequence[str], merge: Merge) -> None:
    result = merge(chunk.kind, chunk.request, parts)
    raw_sql.keep_result(chunk.computation_id, result=result, now=timezone.now())


def fail(chunk: ClaimedChunk, *, reason: str, code: str = "internal-error") -> bool:
    """End the whole computation with a visible reason; False when the lease was lost meanwhile."""
    with transaction.atomic():
        _locked(chunk.computation_id)
        if not _held(chunk).update(state=RunState.FAILED, worker=None, lease_until=None):
            return False
        _end(chunk.computation_id, RunState.FAILED, reason=reason, code=code)
    return True


def release(chunk: ClaimedChunk) -> bool:
    """Give a chunk back unfinished, e.g. when the database is busy; the attempt does not count."""
    return bool(
        _held(chunk).update(
            state=RunState.QUEUED, worker=None, lease_until=None, progress=0.0, attempts=F("attempts") - 1
        )
    )


def cancel(computation_id: UUID) -> bool:
    """Stop a computation nobody waits for; workers notice at their next sign of life."""
    with transaction.atomic():
        _locked(computation_id)
        return _end(computation_id, RunState.CANCELLED, reason="", code="cancelled")


def requeue(computation_id: UUID) -> bool:
    """Make a failed or cancelled computation wait again, from the beginning."""
    with transaction.atomic():
        again = Computation.objects.filter(pk=computation_id, state__in=(RunState.FAILED, RunState.CANCELLED)).update(
            state=RunState.QUEUED,
            error="",
            error_code="",
            started=None,
            finished=None,
            result="",
            sent=raw_sql.database_time(),
        )
        if again:
            Chunk.objects.filter(computation=computation_id).update(
                state=RunState.QUEUED, worker=None, lease_until=None, attempts=0, progress=0.0, part=""
            )
    return bool(again)


def expire() -> list[UUID]:
    """Take chunks from workers whose lease ran out.

    Returns:
        Computations with chunks that wait again because of it; those that lost too many workers fail.
    """
    now = raw_sql.database_time()
    ended = Q(lease_until__lt=now) | Q(lease_until__gt=now + LONGEST_LEASE)
    overdue = Chunk.objects.filter(ended, state=RunState.RUNNING)
    waiting: set[UUID] = set()
    for pk, computation_id, attempts in overdue.values_list("pk", "computation", "attempts"):
        with transaction.atomic():
            _locked(computation_id)
            mine = overdue.filter(pk=pk, attempts=attempts)  # another sweep, or a claim, may have been quicker
            if attempts >= MAX_ATTEMPTS:
                if mine.update(state=RunState.FAILED, worker=None, lease_until=None):
                    _end(
                        computation_id,
                        RunState.FAILED,
                        reason=f"{attempts} workers were lost while they computed this.",
                        code="workers-lost",
                    )
            elif mine.update(state=RunState.QUEUED, worker=None, lease_until=None, progress=0.0):
                Computation.objects.filter(pk=computation_id).update(sent=None)
                waiting.add(computation_id)
    return list(waiting)


def waiting() -> list[UUID]:
    """Computations with work to claim, in the order of their turns."""
    return in_fair_order(raw_sql.unfinished(), now=timezone.now())


def claim_sending(limit: int = 100) -> list[UUID]:
    """Computations that wait and must be sent (again) to the queue, each given to one caller only.

    While nobody computes anything, a message that is older than a lease went down with its worker.
    """
    now = raw_sql.database_time()
    unsent = Q(sent__isnull=True) | Q(sent__lt=now - (LEASE if is_idle() else RESEND))
    stranded = Computation.objects.filter(unsent, state__in=UNFINISHED, chunks__state=RunState.QUEUED)
    ids = stranded.order_by("created").values_list("pk", flat=True).distinct()[:limit]
    return [pk for pk in list(ids) if Computation.objects.filter(unsent, pk=pk).update(sent=now)]


def is_idle() -> bool:
    """Whether nobody computes anything."""
    return not Chunk.objects.filter(state=RunState.RUNNING).exists()


def unsent(computation_id: UUID) -> None:
    """Note that the queue did not take it, so that the next sweep sends it."""
    Computation.objects.filter(pk=computation_id, state__in=UNFINISHED).update(sent=None)


def _held(chunk: ClaimedChunk) -> QuerySet[Chunk]:
    """The chunk, if this claim still holds it."""
    return Chunk.objects.filter(pk=chunk.pk, state=RunState.RUNNING, worker=chunk.worker)


def _locked(computation_id: UUID) -> None:
    """Let one worker at a time decide whether a computation is complete; SQLite has one writer anyway."""
    if not connection.features.has_select_for_update:
        return
    Computation.objects.select_for_update().filter(pk=computation_id).values_list("pk", flat=True).first()


def _end(computation_id: UUID, state: RunState, *, reason: str, code: str) -> bool:
    ended = Computation.objects.filter(pk=computation_id, state__in=UNFINISHED).update(
        state=state, error=reason[:ERROR_LENGTH], error_code=code, finished=timezone.now()
    )
    if ended:
        Chunk.objects.filter(computation=computation_id, state__in=UNFINISHED).update(
            state=RunState.CANCELLED, worker=None, lease_until=None
        )
    return bool(ended)
