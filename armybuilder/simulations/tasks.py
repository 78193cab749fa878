"""The queued task: what a Celery worker, or the thread in the web process, does with one computation."""

import logging
from typing import Any
from uuid import uuid4

from celery.exceptions import SoftTimeLimitExceeded
from celery.signals import task_prerun
from django.conf import settings
from django.db import DatabaseError, OperationalError, close_old_connections

from armybuilder.celery import app
from armybuilder.engine.errors import Cancelled, GameError
from armybuilder.simulations import raw_sql, runs
from armybuilder.simulations.requests import answer_chunk, merged

logger = logging.getLogger(__name__)


@app.task(
    acks_late=True, reject_on_worker_lost=True, autoretry_for=(OperationalError,), retry_backoff=True, max_retries=3
)
def perform_computation(computation_id: str) -> None:
    """Perform queued work of one computation, chunk by chunk, until none is left to claim.

    Every delivery claims under a fresh name with a lease, so a second worker helps and a repeat or a dead worker
    does no harm. Any failure ends in a visible state.
    """
    with raw_sql.worked_out_again_if_lost():
        _perform(computation_id)


@task_prerun.connect
def _close_what_is_old_or_broken(**_: Any) -> None:
    """A worker keeps its connection between tasks (CELERY_DB_REUSE_MAX), as a web process does between requests."""
    close_old_connections()


def _perform(computation_id: str) -> None:
    while (chunk := runs.claim_chunk(computation_id, worker=uuid4())) is not None:
        try:
            part = answer_chunk(chunk)
            if runs.finish(chunk, part, merge=merged) and chunk.count == 1:
                return  # there is nothing more to claim
        except Cancelled:
            runs.release(chunk)  # has no effect on what was cancelled or claimed by another
        except SoftTimeLimitExceeded:  # a computation that does not ask whether it should stop
            runs.fail(chunk, reason=f"It took longer than {settings.TASK_SECONDS} seconds.", code="time-limit")
        except GameError as refusal:
            runs.fail(chunk, reason=str(refusal), code=refusal.code)
        except OperationalError:  # the database is busy or away: give the chunk back, the queue tries again
            _release_if_possible(chunk)
            raise
        except Exception:
            runs.fail(chunk, reason="Internal error; whoever runs this site finds it in the log.")
            raise


def _release_if_possible(chunk: runs.ClaimedChunk) -> None:
    """Give a chunk back at once; when the database is away, its lease runs out instead."""
    try:
        runs.release(chunk)
    except DatabaseError as error:
        logger.warning("Chunk %s waits for the end of its lease: %s", chunk.pk, error)
