"""The queued task: what a Celery worker, or the thread in the web process, does with one import of game data."""

from uuid import UUID

from armybuilder.celery import app
from armybuilder.reference import import_queue

MOST_SECONDS = 3_600


@app.task(acks_late=True, reject_on_worker_lost=True, soft_time_limit=MOST_SECONDS, time_limit=MOST_SECONDS + 30)
def perform_import(import_id: str) -> None:
    """Read, work out and store one import; a second delivery, or one of what is cancelled, does nothing."""
    import_queue.perform(UUID(import_id))
