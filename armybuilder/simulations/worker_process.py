"""A worker in a process of its own beside the web process: what it does can be stopped, whatever it is doing.

A computation that asks whether it shall stop is stopped politely; one that does not, or that takes more time than a
task may, ends with its process. Memory is limited by the system (`tasks.limit_memory`). The web process goes on.
"""

import logging
import os
import selectors
import subprocess
import sys
from time import monotonic
from uuid import UUID, uuid4

from django.conf import settings
from django.db import DatabaseError, connections

from armybuilder.simulations import runs
from armybuilder.simulations.worker_program import AWAY, GROWN, IDLE, READY

logger = logging.getLogger(__name__)

LOOK_SECONDS = 0.5
"""How often it is looked after while it works."""

GRACE_SECONDS = 2.0
"""So long a computation that is no longer wanted may take to notice, and one out of time to say so itself."""

START_SECONDS = 60.0


class WorkerProcess:
    """One process, started with the first work it is given, and again whenever it was lost."""

    def __init__(self) -> None:
        """Start nothing yet."""
        self._process: subprocess.Popen[str] | None = None
        self._worker: UUID | None = None
        self._is_stopping = False

    @property
    def pid(self) -> int | None:
        """Of the process; None while there is none."""
        return self._process.pid if self._process is not None else None

    def work_on_next(self) -> bool:
        """Have it perform the chunk whose turn it is; whether there was one.

        Raises:
            DatabaseError: this process cannot reach the database to look after it.
            ConnectionError: the worker cannot.
        """
        process = self._running()
        self._worker = uuid4()
        try:
            assert process.stdin is not None
            process.stdin.write(f"{self._worker}\n")
            process.stdin.flush()
            answer = self._answer(process, self._worker)
        except BrokenPipeError:
            answer = ""
        finally:
            worker, self._worker = self._worker, None
        if not answer:
            logger.warning("A worker was lost (%s); another takes up what it held.", process.poll())
            self._end()
            runs.end_of_worker(worker)
            return True
        if answer == GROWN:
            self._end()
        if answer == AWAY:
            raise ConnectionError("The worker cannot reach the database.")
        return answer != IDLE

    def stop(self) -> None:
        """End it; what it holds goes to another at once."""
        self._is_stopping = True
        self._end()

    def replace(self) -> None:
        """End it; the next work starts another, with the environment of that moment."""
        self._end()

    def _running(self) -> subprocess.Popen[str]:
        if self._process is not None and self._process.poll() is None:
            return self._process
        if self._is_stopping:
            raise ConnectionError("The worker is being stopped.")
        self._process = subprocess.Popen(
            [sys.executable, "-m", "armybuilder.simulations.worker_program"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=settings.BASE_DIR,
            env=os.environ | {"DJANGO_SETTINGS_MODULE": "armybuilder.settings"},
            text=True,
        )
        if self._line(self._process, seconds=START_SECONDS) != READY:
            self._end()
            raise ConnectionError("A worker process could not be started.")
        return self._process

    def _answer(self, process: subprocess.Popen[str], worker: UUID) -> str:
        """What it says in the end; nothing when it is lost or had to be ended."""
        began = monotonic()
        unwanted_since: float | None = None
        while True:
            answer = self._line(process, seconds=LOOK_SECONDS)
            if answer is not None:
                return answer
            try:
                unwanted_since = None if runs.keep_alive(worker) else unwanted_since or monotonic()
            except DatabaseError as error:  # it works on; should its lease run out, another begins anew
                logger.warning("A worker cannot be looked after: %s", error)
                connections.close_all()
            if unwanted_since is not None and monotonic() - unwanted_since > GRACE_SECONDS:
                logger.warning("A worker did not notice that its work is unwanted: it is ended.")
                self._end()
            elif monotonic() - began > settings.TASK_SECONDS + GRACE_SECONDS:
                self._end()
                runs.end_of_worker(
                    worker, reason=f"It took longer than {settings.TASK_SECONDS} seconds.", code="time-limit"
                )

    @staticmethod
    def _line(process: subprocess.Popen[str], *, seconds: float) -> str | None:
        """The next line it says, empty when it has ended; None when it says nothing in time."""
        assert process.stdout is not None
        with selectors.DefaultSelector() as selector:
            try:
                selector.register(process.stdout, selectors.EVENT_READ)
            except ValueError:  # closed by `_end`
                return ""
            if not selector.select(seconds):
                return None
        return process.stdout.readline().strip()

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except BrokenPipeError:
                    logger.debug("The worker was gone before its last line.")
