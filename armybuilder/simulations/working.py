"""What a worker does with one chunk, whoever had it begin: a Celery worker, or a process beside the web process."""

import logging
import resource
from time import perf_counter
from uuid import UUID, uuid4

from django.conf import settings
from django.db import DatabaseError, OperationalError

from armybuilder import figures
from armybuilder.engine.errors import Cancelled, GameError
from armybuilder.request_trail import access, computing
from armybuilder.simulations import raw_sql, runs, wake_ups
from armybuilder.simulations.requests import answer_chunk, merged

logger = logging.getLogger(__name__)

TimeIsUp = type[BaseException] | tuple[()]
"""What interrupts a computation that does not ask whether it should stop; nothing where its process is ended."""


def work_on_next(worker: UUID, *, time_is_up: TimeIsUp = ()) -> bool:
    """Perform the chunk whose turn it is under a name of the worker's; whether there was one."""
    with raw_sql.worked_out_again_if_lost():
        chunk = runs.claim_next(worker=worker)
        if chunk is not None:
            _perform(chunk, time_is_up)
    return chunk is not None


def work_on_all_of(computation_id: str, *, time_is_up: TimeIsUp = ()) -> None:
    """Perform the chunks of one computation, each claimed under a name of its own, until none is free."""
    with raw_sql.worked_out_again_if_lost():
        while (chunk := runs.claim_chunk(computation_id, worker=uuid4())) is not None:
            if _perform(chunk, time_is_up) and chunk.count == 1:
                return  # there is nothing more to claim


def limit_memory(kilobytes: int) -> None:
    """Have this process refuse to take more; 0 sets no limit. Mapped files (compiled game data) do not count."""
    if kilobytes:
        resource.setrlimit(resource.RLIMIT_DATA, (kilobytes * 1024, kilobytes * 1024))


def _perform(chunk: runs.ClaimedChunk, time_is_up: TimeIsUp) -> bool:
    """Perform a claimed chunk; whether it was finished. Counted, and every line logged meanwhile names its run."""
    with computing(chunk.computation_id):
        began = perf_counter()
        is_done = _performed(chunk, time_is_up)
        wake_ups.tell(chunk.computation_id)
        seconds = perf_counter() - began
        if is_done:
            figures.TASK_SECONDS.labels(chunk.kind).observe(seconds)
        else:
            figures.TASK_FAILURES.labels(chunk.kind).inc()
        access.info("%s %d of %d took %.0f ms", chunk.kind, chunk.index + 1, chunk.count, 1000 * seconds)
    return is_done


def _performed(chunk: runs.ClaimedChunk, time_is_up: TimeIsUp) -> bool:
    try:
        part = answer_chunk(chunk)
        return runs.finish(chunk, part, merge=merged)
    except Cancelled:
        runs.release(chunk)  # has no effect on what was cancelled or claimed by another
    except time_is_up:
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
