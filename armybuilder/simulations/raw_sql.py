"""The statements every piece of work runs through, written out: the ORM takes longer to write them than they take.

A trivial question took 3.5 ms from claim to result through the ORM and takes 1.2 ms so, of which two commits are 0.9.
Both databases understand them; the tests of `runs` hold for either.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import DatabaseError, connection
from django.utils import timezone

from armybuilder.simulations.fairness import Waiting
from armybuilder.simulations.models import UNFINISHED, Computation

_FREE = "(state = 'queued' OR (state = 'running' AND (lease_until < %s OR lease_until > %s) AND attempts < %s))"

_CLAIM = f"""
UPDATE simulations_chunk
SET state = 'running', worker = %s, lease_until = %s, attempts = attempts + 1, progress = 0.0
WHERE {_FREE} AND id = (
    SELECT id FROM simulations_chunk WHERE computation_id = %s AND {_FREE} ORDER BY "index" LIMIT 1 {{lock}}
)
RETURNING id, "index"
"""  # noqa: S608 - nothing but the constant above is put in

_QUESTION = "SELECT kind, request, seed, chunk_count, state FROM simulations_computation WHERE id = %s"

_STATE = "SELECT state FROM simulations_computation WHERE id = %s"

_BEGIN = "UPDATE simulations_computation SET state = 'running', started = %s WHERE id = %s AND state = 'queued'"

_KEEP_PART = """
UPDATE simulations_chunk SET state = 'done', part = %s, progress = 1.0, worker = NULL, lease_until = NULL
WHERE id = %s AND state = 'running' AND worker = %s
"""

_KEEP_RESULT = """
UPDATE simulations_computation SET state = 'done', result = %s, finished = %s WHERE id = %s AND state = 'running'
"""


_WAITING = """
SELECT COUNT(*) FROM simulations_computation
JOIN simulations_simulationrun ON simulations_simulationrun.computation_id = simulations_computation.id
WHERE simulations_computation.state IN ('queued', 'running')
AND simulations_simulationrun.cancelled IS NULL
AND CASE WHEN simulations_simulationrun.owner_id IS NULL THEN 1 ELSE 0 END = 1
"""
"""The CASE keeps SQLite from beginning with everything that nobody's account ever asked."""

_QUEUED_CHUNKS = "SELECT COUNT(*) FROM simulations_chunk WHERE computation_id = %s AND state = 'queued'"

_UNFINISHED = """
SELECT computation.id, computation.chunk_count, computation.created,
    (SELECT COUNT(*) FROM simulations_chunk c WHERE c.computation_id = computation.id AND c.state = 'running'),
    (SELECT COUNT(*) FROM simulations_chunk c WHERE c.computation_id = computation.id AND c.state = 'queued'),
    run.owner_id, run.asked_from, run.guest_key
FROM simulations_computation computation
LEFT JOIN simulations_simulationrun run ON run.computation_id = computation.id AND run.cancelled IS NULL
WHERE computation.state IN ('queued', 'running')
ORDER BY computation.created, run.created
"""

_IN_MEMORY = {
    "sqlite": ("PRAGMA synchronous = NORMAL", "PRAGMA synchronous = FULL"),
    "postgresql": ("SET synchronous_commit = off", "SET synchronous_commit = on"),
}
"""Commits that need not reach the disk at once, and those that must, by the kind of database."""


@dataclass(frozen=True, slots=True)
class Claimed:
    """A chunk that was free, with the question it belongs to."""

    pk: int
    index: int
    kind: str
    request: str
    seed: int
    count: int


def database_time() -> datetime:
    """The present by the database's clock, which all workers share: their own may be days apart.

    A file has no clock: there it is the machine's, which all who open it share.
    """
    if connection.vendor != "postgresql":
        return timezone.now()
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        now: datetime = cursor.fetchone()[0]
    return now


def claim(
    computation_id: UUID, *, worker: UUID, now: datetime, until: datetime, longest: datetime, most_attempts: int
) -> Claimed | None:
    """Take the first free chunk, inside the caller's transaction; None when none is free.

    Args:
        longest: a lease beyond it was given by a clock that has been set back since, and does not count.
    """
    lock = "FOR UPDATE SKIP LOCKED" if connection.features.has_select_for_update_skip_locked else ""
    free = (_moment(now), _moment(longest), most_attempts)
    with connection.cursor() as cursor:
        parameters = (_uuid(worker), _moment(until), *free, _uuid(computation_id), *free)
        cursor.execute(_CLAIM.format(lock=lock), parameters)
        taken = cursor.fetchone()
        if taken is None:
            return None
        cursor.execute(_QUESTION, (_uuid(computation_id),))
        kind, request, seed, count, state = cursor.fetchone()
        if state == "queued":
            cursor.execute(_BEGIN, (_moment(now), _uuid(computation_id)))
    return Claimed(taken[0], taken[1], kind, request, seed, count)


@contextmanager
def worked_out_again_if_lost() -> Iterator[None]:
    """Commits inside need not reach the disk at once.

    A claim or an answer that a power cut takes away is made again from its question, with the same dice; a process
    that dies takes away nothing. The question itself was stored before, to the disk.
    """
    relaxed, strict = _IN_MEMORY.get(connection.vendor, ("", ""))
    if not relaxed or connection.in_atomic_block or settings.PGBOUNCER:  # there the next one to use it would inherit it
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute(relaxed)
    try:
        yield
    finally:
        try:
            if connection.connection is not None:
                with connection.cursor() as cursor:
                    cursor.execute(strict)
        except DatabaseError:
            connection.close()  # the next one begins as the settings say


def waiting_without_account() -> int:
    """Unfinished runs of all who are not signed in."""
    with connection.cursor() as cursor:
        cursor.execute(_WAITING)
        return int(cursor.fetchone()[0])


def unfinished() -> list[Waiting]:
    """Every computation that waits or is in work, with whoever asked for it first."""
    with connection.cursor() as cursor:
        cursor.execute(_UNFINISHED)
        rows = cursor.fetchall()
    found: dict[UUID, Waiting] = {}
    for pk, chunks, created, running, queued, owner, asked_from, guest_key in rows:
        computation_id = pk if isinstance(pk, UUID) else UUID(pk)
        asker = str(owner or asked_from or guest_key or "")
        found.setdefault(computation_id, Waiting(computation_id, asker, chunks, running, queued, _read_moment(created)))
    return list(found.values())


def queued_chunks(computation_id: UUID) -> int:
    """How many pieces of a computation wait for a worker."""
    with connection.cursor() as cursor:
        cursor.execute(_QUEUED_CHUNKS, (_uuid(computation_id),))
        return int(cursor.fetchone()[0])


def _read_moment(stored: datetime | str) -> datetime:
    """SQLite keeps moments without a zone, in UTC."""
    moment = datetime.fromisoformat(stored) if isinstance(stored, str) else stored
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


def is_finished(computation_id: UUID) -> bool:
    """Whether nothing more will happen to a computation."""
    with connection.cursor() as cursor:
        cursor.execute(_STATE, (_uuid(computation_id),))
        found = cursor.fetchone()
    return found is None or found[0] not in UNFINISHED


def keep_part(chunk_id: int, *, worker: UUID, part: str) -> bool:
    """Store the part of a chunk that this worker still holds; whether it does."""
    with connection.cursor() as cursor:
        cursor.execute(_KEEP_PART, (part, chunk_id, _uuid(worker)))
        return bool(cursor.rowcount)


def keep_result(computation_id: UUID, *, result: str, now: datetime) -> bool:
    """Store the result of a computation that runs; whether it does."""
    with connection.cursor() as cursor:
        cursor.execute(_KEEP_RESULT, (result, _moment(now), _uuid(computation_id)))
        return bool(cursor.rowcount)


def _uuid(value: UUID) -> Any:
    return Computation._meta.pk.get_db_prep_value(value, connection)


def _moment(value: datetime) -> Any:
    return connection.ops.adapt_datetimefield_value(value)
