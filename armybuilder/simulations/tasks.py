"""The queued tasks: what a Celery worker is sent."""

from typing import Any
from uuid import uuid4

from celery.exceptions import SoftTimeLimitExceeded
from celery.signals import task_prerun, worker_process_init
from django.conf import settings
from django.db import OperationalError, close_old_connections

from armybuilder.celery import app
from armybuilder.simulations.working import limit_memory, work_on_all_of, work_on_next

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
    work_on_next(uuid4(), time_is_up=SoftTimeLimitExceeded)


@app.task(**QUEUED)
def perform_computation(computation_id: str) -> None:
    """Perform all chunks of one computation: what messages of earlier releases ask for.

    Every delivery claims under a fresh name with a lease, so a second worker helps and a repeat or a dead worker
    does no harm. Any failure ends in a visible state.
    """
    work_on_all_of(computation_id, time_is_up=SoftTimeLimitExceeded)


@task_prerun.connect
def _close_what_is_old_or_broken(**_: Any) -> None:
    """A worker keeps its connection between tasks (CELERY_DB_REUSE_MAX), as a web process does between requests."""
    close_old_connections()


@worker_process_init.connect
def _limit_memory_of_the_pool(**_: Any) -> None:
    """A process of a Celery worker may take so much memory; what needs more fails instead of the machine."""
    limit_memory(settings.WORKER_MEMORY_KILOBYTES)
