"""The workers of a small installation: processes beside the web process that do the same work as Celery's.

The row is the queue. A request wakes a worker after its commit; a sweep every second finds what a dead process left,
so nothing is lost when the process is killed, and several web processes may run: claims are leased.

With EMBEDDED_PROCESSES=0 the work is done by a thread of the web process: the tests run so, whose settings and patches
no other process would have. Nothing can stop a thread that does not ask whether it shall stop, so no site should.
"""

import logging
import os
import queue
import threading
from collections.abc import Callable
from time import monotonic
from uuid import uuid4

from django.conf import settings
from django.db import DatabaseError, connections

from armybuilder.simulations import retention, runs
from armybuilder.simulations.worker_process import WorkerProcess
from armybuilder.simulations.working import work_on_next

logger = logging.getLogger(__name__)

SWEEP_SECONDS = 1.0


class EmbeddedWorker:
    """Threads that have work done whenever there is some, each by a process of its own."""

    def __init__(self, processes: int | None = None) -> None:
        """Start nothing yet. `processes` is EMBEDDED_PROCESSES if None; 0 means that the thread works itself."""
        count = settings.EMBEDDED_PROCESSES if processes is None else processes
        self._calls: queue.SimpleQueue[bool] = queue.SimpleQueue()
        self._stopping = threading.Event()
        self.processes = [WorkerProcess() for _ in range(count)]
        works: list[Callable[[], bool]] = [each.work_on_next for each in self.processes]
        self._threads = [
            threading.Thread(target=self._work, args=(work,), name="embedded-worker", daemon=True)
            for work in works or [lambda: work_on_next(uuid4())]
        ]
        self._sweeping = threading.Thread(target=self._sweep, name="embedded-sweep", daemon=True)
        self._performed = threading.Condition()
        self._count = 0
        self.process = os.getpid()

    def start(self) -> None:
        """Start the threads; they sweep at once, so what an earlier process left is taken up."""
        for thread in (*self._threads, self._sweeping):
            thread.start()

    def wake(self) -> None:
        """Say that something was committed."""
        self._calls.put(True)

    def stop(self, seconds: float = 10.0) -> None:
        """End the threads, and wait for them: a process at once, a thread after the chunk in its hands."""
        self._stopping.set()
        for each in self.processes:
            each.stop()
        for _ in self._threads:
            self._calls.put(False)
        for thread in (*self._threads, self._sweeping):
            if thread.is_alive():
                thread.join(seconds)

    @property
    def performed(self) -> int:
        """How often work was performed so far."""
        return self._count

    def wait_for_next(self, performed: int, seconds: float) -> None:
        """Return when it has performed more often than `performed`, or when the time is up."""
        with self._performed:
            self._performed.wait_for(lambda: self._count > performed, seconds)

    @property
    def is_alive(self) -> bool:
        """Whether the threads run in this very process (a fork does not inherit threads)."""
        return self.process == os.getpid() and self._sweeping.is_alive()

    def _sweep(self) -> None:
        """Take up what dead workers left, and call for what waits."""
        while not self._stopping.is_set():
            began = monotonic()
            try:
                runs.expire()
                retention.forget_now_and_then()
                if self._calls.empty():
                    for _ in runs.waiting()[: len(self._threads)]:
                        self.wake()
            except DatabaseError as error:
                logger.warning("The sweep waits for the database: %s", error)
                connections.close_all()
            except Exception:
                logger.exception("The sweep failed.")
            self._stopping.wait(max(SWEEP_SECONDS - (monotonic() - began), 0.05))
        connections.close_all()

    def _work(self, work: Callable[[], bool]) -> None:
        while self._calls.get() and not self._stopping.is_set():
            try:
                while not self._stopping.is_set() and work():
                    self._tell_performed()
            except (DatabaseError, ConnectionError) as error:  # busy or away: the rows stay, the sweep comes back
                if not self._stopping.is_set():
                    logger.warning("The embedded worker waits for the database: %s", error)
                connections.close_all()
                self._stopping.wait(SWEEP_SECONDS)
            except Exception:  # the run is failed visibly by the task; the thread must live on for the others
                logger.exception("A computation failed.")
            finally:
                self._tell_performed()
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


def wake() -> None:
    """Say to this process's worker that something was committed."""
    start().wake()
