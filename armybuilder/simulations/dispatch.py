"""Hands waiting work to whoever performs it: the thread in this process, or Celery workers by Redis."""

import logging
from uuid import UUID

from django.conf import settings
from kombu.exceptions import OperationalError as QueueAway
from redis.exceptions import RedisError

from armybuilder.simulations import runs

logger = logging.getLogger(__name__)


def send(computation_id: UUID) -> bool:
    """Send one computation, after its transaction is committed.

    Returns:
        False when the queue is away: the row is kept, and a sweep sends it later.
    """
    if settings.QUEUE == "embedded":
        from armybuilder.simulations import embedded

        embedded.wake(computation_id)
        return True
    from armybuilder.simulations.tasks import perform_computation

    try:
        perform_computation.delay(str(computation_id))
    except (QueueAway, RedisError, OSError) as error:
        logger.warning("The queue is away, %s waits: %s", computation_id, error)
        runs.unsent(computation_id)
        return False
    return True


def sweep() -> int:
    """Take up what dead workers left and send what waits unsent; how many computations were sent."""
    runs.expire()
    return sum(send(computation_id) for computation_id in runs.claim_sending())
