"""Hands waiting work to whoever performs it: the worker beside this process, or Celery workers by Redis."""

import logging
from time import monotonic
from uuid import UUID

from django.conf import settings

from armybuilder.queue_away import QueueAway, queue_is_away
from armybuilder.simulations import embedded, raw_sql, retention, runs, wake_ups

logger = logging.getLogger(__name__)

FIRST_PAUSE, LONGEST_PAUSE = 0.01, 0.25
"""Seconds between two looks at a computation that somebody waits for and is not told about."""

PAUSE_SECONDS = 5.0
"""After a failure nothing is sent for so long; the sweep sends it then."""

HEARTBEAT_KEY = "worker-heartbeat"
"""Where a Celery worker last said that it is alive: in the cache."""

_asked_again_at = 0.0


def send(computation_id: UUID, *, messages: int | None = None) -> bool:
    """Send one computation, after its transaction is committed.

    Args:
        messages: how many; None for one for each piece that waits.

    Returns:
        False when the queue is away: the row is kept, and a sweep sends it later.
    """
    if settings.QUEUE == "embedded":
        embedded.wake()
        return True
    from armybuilder.simulations.tasks import perform_next  # noqa: PLC0415 - it brings Celery, which nobody else needs

    global _asked_again_at  # noqa: PLW0603 - what one request found out spares the next ones the waiting
    try:
        if monotonic() < _asked_again_at:
            raise QueueAway("it was away just now")
        for _ in range(raw_sql.queued_chunks(computation_id) if messages is None else messages):
            perform_next.delay()
    except queue_is_away() as error:
        if monotonic() >= _asked_again_at:
            _asked_again_at = monotonic() + PAUSE_SECONDS
        logger.warning("The queue is away, %s waits: %s", computation_id, error)
        runs.unsent(computation_id)
        return False
    return True


def wait_for(computation_id: UUID, *, seconds: float) -> bool:
    """Return when a computation is finished, or the time is up; whether it is finished.

    It is told by the worker beside this process, or by Celery workers over Redis; while that is away it asks the
    database now and then.
    """
    until = monotonic() + seconds
    if settings.QUEUE == "embedded":
        return _waited_beside_worker(computation_id, until)
    pause = FIRST_PAUSE
    with wake_ups.waiting_for(computation_id) as waiting:
        while not raw_sql.is_finished(computation_id):
            left = until - monotonic()
            if left <= 0:
                return False
            waiting.sleep(min(left, LONGEST_PAUSE if waiting.listening else pause))
            pause = min(pause * 1.5, LONGEST_PAUSE)
    return True


def _waited_beside_worker(computation_id: UUID, until: float) -> bool:
    worker = embedded.start()
    while True:
        performed = worker.performed
        if raw_sql.is_finished(computation_id):
            return True
        left = until - monotonic()
        if left <= 0:
            return False
        worker.wait_for_next(performed, min(left, LONGEST_PAUSE))


def sweep() -> int:
    """Take up what dead Celery workers left, send what waits unsent, forget what is old; how many were sent."""
    runs.expire()
    retention.forget_now_and_then()
    stranded = runs.claim_sending()
    messages = None if stranded and runs.is_idle() else 1  # others' messages will do where work goes on
    return sum(send(computation_id, messages=messages) for computation_id in stranded)
