"""Papers are set one at a time in a process, and only a few wait for it, so that all other pages are answered."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from django.conf import settings

from armybuilder.armylists.errors import PressBusy
from armybuilder.held_threads import ALL

WAIT_SECONDS = 5.0
"""A paper takes 0.3 s, the largest some five."""


class Press:
    """One paper at a time: other threads answer meanwhile, and memory is that of one paper.

    Args:
        waiting: papers that may wait for their turn; each holds a thread of the web process.
        seconds: how long one waits.

    Attributes:
        free: places that nobody takes: one to be set, the others to wait.
    """

    def __init__(self, *, waiting: int, seconds: float = WAIT_SECONDS) -> None:
        self._turn = Lock()
        self._lock = Lock()
        self.free = 1 + waiting
        self._seconds = seconds

    @contextmanager
    def turn(self) -> Iterator[None]:
        """While one's paper is set. Raises PressBusy where too many wait, or when the turn does not come."""
        with self._lock:
            if not self.free or not ALL.take():
                raise PressBusy
            self.free -= 1
        try:
            if not self._turn.acquire(timeout=self._seconds):
                raise PressBusy
            try:
                yield
            finally:
                self._turn.release()
        finally:
            with self._lock:
                self.free += 1
            ALL.give_back()


PRESS = Press(waiting=max(1, settings.WEB_THREADS // 4))
"""Of eight threads papers hold three at most."""
