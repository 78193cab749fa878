"""The worker of a small installation: a thread in the web process that calls the same task function.

The row is the queue. A request wakes the thread after its commit; a sweep every second finds what a dead process left,
so nothing is lost when the process is killed, and several web processes may run: claims are leased.
"""

import logging
import os
import queue
import threading
from time import monotonic
from uuid import UUID

from django.db import DatabaseError, connections

from armybuilder.simulations import retention, runs
from armybuilder.simulations.tasks import perform_computation

logger = logging.getLogger(__name__)

SWEEP_SECONDS = 1.0


class EmbeddedWorker:
    """One thread that performs computations in the order in which they are asked for."""

    def __init__(self) -> None:
        """Start nothing yet."""
        self._waiting: queue.SimpleQueue[UUID | None] = queue.SimpleQueue()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._work, name="embedded-worker", daemon=True)
        self._performed = threading.Condition()
        self._count = 0
        self.process = os.getpid()

    def start(self) -> None:
        """Start the thread; it sweeps at once, so what an earlier process left is taken up."""
        self._thread.start()

    def wake(self, computation_id: UUID) -> None:
        """Hand over a computation that was committed."""
        self._waiting.put(computation_id)

    def stop(self, seconds: float = 10.0) -> None:
        """End the thread after the chunk in its hands, and wait for it."""
        self._stopping.set()
        self._waiting.put(None)
        if self._thread.is_alive():
            self._thread.join(seconds)

    @property
    def performed(self) -> int:
        """How many computations it has performed so far."""
        return self._count

    def wait_for_next(self, performed: int, seconds: float) -> None:
        """Return when it has performed more than `performed` computations, or when the time is up."""
        with self._performed:
            self._performed.wait_for(lambda: self._count > performed, seconds)

    @property
    def is_alive(self) -> bool:
        """Whether the thread runs in this very process (a fork does not inherit threads)."""
        return self.process == os.getpid() and self._thread.is_alive()

    def _work(self) -> None:
        next_sweep = 0.0
        while not self._stopping.is_set():
            try:
                if monotonic() >= next_sweep:
                    next_sweep = monotonic() + SWEEP_SECONDS
                    runs.expire()
                    retention.forget_now_and_then()
                    if self._waiting.empty():
                        for computation_id in runs.waiting():
                            self._waiting.put(computation_id)
                handed = self._waiting.get(timeout=max(next_sweep - monotonic(), 0.001))
                if handed is not None:
                    try:
                        perform_computation(str(handed))
                    finally:
                        self._tell_performed()
            except queue.Empty:
                continue
            except DatabaseError as error:  # busy or away: the rows stay, the sweep comes back to them
                logger.warning("The embedded worker waits for the database: %s", error)
                connections.close_all()
                self._stopping.wait(SWEEP_SECONDS)
            except Exception:  # the run is failed visibly by the task; the thread must live on for the others
                logger.exception("A computation failed.")
        connections.close_all()

    def _tell_performed(self) -> None:
        with self._performed:
            self._count += 1
            self._performed.notify_all()


_worker: EmbeddedWorker | None = None
_starting = threading.Lock()


def start() -> EmbeddedWorker:
    """The worker of this process, started if it does not run yet. A web server calls it when it begins to serve."""
    global _worker  # noqa: PLW0603 - one worker a process is the point
    with _starting:
        if _worker is None or not _worker.is_alive:
            _worker = EmbeddedWorker()
            _worker.start()
        return _worker


def stop() -> None:
    """Stop this process's worker, if it has one."""
    global _worker  # noqa: PLW0603
    with _starting:
        if _worker is not None and _worker.is_alive:
            _worker.stop()
        _worker = None


def wake(computation_id: UUID) -> None:
    """Hand a committed computation to this process's worker."""
    start().wake(computation_id)
