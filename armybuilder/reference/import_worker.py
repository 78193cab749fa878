"""Who performs imports of game data: Celery workers by Redis, else a thread beside the one that simulates.

A sweep finds what waits, also after a restart, and asks for sources whose time has come.
"""

import logging
import threading
from time import monotonic

from django.conf import settings

from armybuilder.queue_away import queue_is_away
from armybuilder.reference import import_queue
from armybuilder.repeating_thread import OneOfAProcess, RepeatingThread

logger = logging.getLogger(__name__)

SWEEP_SECONDS = 2.0
SCHEDULE_SECONDS = 60.0


def sweep() -> None:
    """Of a Celery worker: ask for due sources, and send what waits."""
    from armybuilder.reference.tasks import perform_import  # noqa: PLC0415 - it brings Celery, which nobody else needs

    import_queue.ask_for_due_sources()
    for import_id in import_queue.claim_sending():
        try:
            perform_import.delay(str(import_id))
        except queue_is_away() as error:
            logger.warning("The queue is away, the import %s waits: %s", import_id, error)


class ImportWorker:
    """Performs imports in the order in which they are asked for, and asks for sources whose time has come."""

    def __init__(self) -> None:
        """Ask for due sources at the first call."""
        self._asked: float | None = None

    def __call__(self) -> None:
        """Perform what waits."""
        if self._asked is None or monotonic() - self._asked >= SCHEDULE_SECONDS:
            self._asked = monotonic()
            import_queue.ask_for_due_sources()
        for import_id in import_queue.waiting():
            if not _stopping.is_set():
                import_queue.perform(import_id, should_stop=_stopping.is_set)


_stopping = threading.Event()
_thread = OneOfAProcess(
    lambda: RepeatingThread(ImportWorker(), name="import-worker", seconds=SWEEP_SECONDS, logger=logger)
)


def start() -> None:
    """Start the thread of this process, unless Celery workers perform imports."""
    if settings.QUEUE == "embedded":
        _stopping.clear()
        _thread.start()


def stop() -> None:
    """Stop it; an import in hand is begun anew at the next start."""
    _stopping.set()
    _thread.stop()
