"""The queued tasks: what a Celery worker, or the worker beside the web process, does with one chunk."""

import logging
import resource
from time import perf_counter
from typing import Any
from uuid import UUID, uuid4

from celery.exceptions import SoftTimeLimitExceeded
from celery.signals import task_prerun, worker_process_init
from django.conf import settings
from django.db import DatabaseError, OperationalError, close_old_connections

from armybuilder import figures
from armybuilder.celery import app
from armybuilder.engine.errors import Cancelled, GameError
from armybuilder.request_trail import access, computing
from armybuilder.simulations import raw_sql, runs
from armybuilder.simulations.requests import answer_chunk, merged

logger = logging.getLogger(__name__)


QUEUED = {
    "acks_late": True,
    "reject_on_worker_lost": True,
    "autoretry_for": (OperationalError,),
    "retry_backoff": True,
    "max_retries": 3,
}


@app.task(**QUEUED)
def perform_next() -> None:
    """Perform the chunk whose turn it is.

    A message says that there is work, not whose: one is sent for every chunk, so workers share the chunks of one
    question, and who takes a message does what is fair at that moment. One message too many finds nothing to do.
    """
    work_on_next(uuid4())


@app.task(**QUEUED)
def perform_computation(computation_id: str) -> None:
    """Perform all chunks of one computation: what messages of earlier releases ask for.

    Every delivery claims under a fresh name with a lease, so a second worker helps and a repeat or a dead worker
    does no harm. Any failure ends in a visible state.
    """
    with raw_sql.worked_out_again_if_lost():
        while (chunk := runs.claim_chunk(computation_id, worker=uuid4())) is not None:
            if _perform(chunk) and chunk.count == 1:
                return  # there is nothing more to claim


def work_on_next(worker: UUID) -> bool:
    """Perform the chunk whose turn it is under a name of the worker's; whether there was one."""
    with raw_sql.worked_out_again_if_lost():
        chunk = runs.claim_next(worker=worker)
        if chunk is not None:
            _perform(chunk)
    return chunk is not None


@task_prerun.connect
def _close_what_is_old_or_broken(**_: Any) -> None:
    """A worker keeps its connection between tasks (CELERY_DB_REUSE_MAX), as a web process does between requests."""
    close_old_connections()


@worker_process_init.connect
def _limit_memory_of_the_pool(**_: Any) -> None:
    """A process of a Celery worker may take so much memory; what needs more fails instead of the machine."""
    limit_memory(settings.WORKER_MEMORY_KILOBYTES)


def limit_memory(kilobytes: int) -> None:
    """Have this process refuse to take more; 0 sets no limit. Mapped files (compiled game data) do not count."""
    if kilobytes:
        resource.setrlimit(resource.RLIMIT_DATA, (kilobytes * 1024, kilobytes * 1024))


def _perform(chunk: runs.ClaimedChunk) -> bool:
    """Perform a claimed chunk; whether it was finished. Counted, and every line logged meanwhile names its run."""
    with computing(chunk.computation_id):
        began = perf_counter()
        is_done = _performed(chunk)
        seconds = perf_counter() - began
        if is_done:
            figures.TASK_SECONDS.labels(chunk.kind).observe(seconds)
        else:
            figures.TASK_FAILURES.labels(chunk.kind).inc()
        access.info("%s %d of %d took %.0f ms", chunk.kind, chunk.index + 1, chunk.count, 1000 * seconds)
    return is_done


def _performed(chunk: runs.ClaimedChunk) -> bool:
    try:
        part = answer_chunk(chunk)
        return runs.finish(chunk, part, merge=merged)
    except Cancelled:
        runs.release(chunk)  # has no effect on what was cancelled or claimed by another
    except SoftTimeLimitExceeded:  # a computation that does not ask whether it should stop
        runs.fail(chunk, reason=f"It took longer than {settings.TASK_SECONDS} seconds.", code="time-limit")
    except MemoryError:
        runs.fail(
            chunk, reason="It takes more memory than one question may. Ask for less at once.", code="memory-limit"
        )
    except GameError as refusal:
        runs.fail(chunk, reason=str(refusal), code=refusal.code)
    except OperationalError:  # the database is busy or away: give the chunk back, the queue tries again
        _release_if_possible(chunk)
        raise
    except Exception:
        runs.fail(chunk, reason="Internal error; whoever runs this site finds it in the log.")
        raise
    return False


def _release_if_possible(chunk: runs.ClaimedChunk) -> None:
    """Give a chunk back at once; when the database is away, its lease runs out instead."""
    try:
        runs.release(chunk)
    except DatabaseError as error:
        logger.warning("Chunk %s waits for the end of its lease: %s", chunk.pk, error)
