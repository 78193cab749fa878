"""A thread beside a server that looks after something again and again, one a process."""

import logging
import os
import threading
from collections.abc import Callable

from django.db import DatabaseError, connections


class RepeatingThread:
    """Calls something every so many seconds until it is stopped; what fails once does not end it."""

    def __init__(self, act: Callable[[], None], *, name: str, seconds: float, logger: logging.Logger) -> None:
        """Start nothing yet.

        Args:
            act: may raise; what is left undone is found by its next call.
            logger: told of what it raises.
        """
        self._act = act
        self._seconds = seconds
        self._logger = logger
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._work, name=name, daemon=True)
        self._process = os.getpid()

    @property
    def is_of_this_process(self) -> bool:
        """Whether it runs here: a fork does not inherit threads."""
        return self._process == os.getpid()

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self, seconds: float = 5.0) -> None:
        """End it after what it does now; what is left is taken up at the next start."""
        self._stopping.set()
        self._thread.join(seconds)

    def _work(self) -> None:
        while not self._stopping.wait(self._seconds):
            try:
                self._act()
            except DatabaseError as error:
                self._logger.warning("The thread %s waits for the database: %s", self._thread.name, error)
                connections.close_all()
            except Exception:  # the thread lives on for the next
                self._logger.exception("The thread %s failed.", self._thread.name)
        connections.close_all()


class OneOfAProcess:
    """The one thread of its kind that a process has, made anew after a fork."""

    def __init__(self, make: Callable[[], RepeatingThread]) -> None:
        """Start nothing yet."""
        self._make = make
        self._thread: RepeatingThread | None = None

    def start(self) -> None:
        """Start the thread of this process, unless it runs."""
        if self._thread is None or not self._thread.is_of_this_process:
            self._thread = self._make()
            self._thread.start()

    def stop(self, seconds: float = 5.0) -> None:
        """Stop it, and wait for its end so long."""
        if self._thread is not None and self._thread.is_of_this_process:
            self._thread.stop(seconds)
        self._thread = None
