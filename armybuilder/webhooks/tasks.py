"""The queued task: what a Celery worker, or a thread in the web process, does with one delivery."""

from uuid import UUID

from armybuilder.celery import app
from armybuilder.webhooks import delivering

MOST_SECONDS = 60


@app.task(acks_late=True, reject_on_worker_lost=True, soft_time_limit=MOST_SECONDS, time_limit=MOST_SECONDS + 10)
def deliver(delivery_id: str) -> None:
    """Send one delivery; a second message, or one of what has arrived, does nothing."""
    delivering.deliver(UUID(delivery_id))
