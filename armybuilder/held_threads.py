"""Threads of a web process that long answers may hold: each kind its share, and all together three of four.

Waiting for a simulation, following its progress, setting a paper and trying out repairs each had a bound of its own,
and whoever asked for some of each held every thread there is.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from django.conf import settings


class HeldThreads:
    """So many threads at once.

    Args:
        within: those that these are part of.

    Attributes:
        free: how many more may be held, as far as these alone go.
    """

    def __init__(self, most: int, *, within: "HeldThreads | None" = None) -> None:
        self._lock = Lock()
        self._within = within
        self.free = max(1, most)

    @contextmanager
    def one(self) -> Iterator[bool]:
        """Hold one while it lasts; whether there was one."""
        has_one = self.take()
        try:
            yield has_one
        finally:
            if has_one:
                self.give_back()

    def take(self) -> bool:
        """Hold one, if there is one."""
        with self._lock:
            if not self.free or (self._within is not None and not self._within.take()):
                return False
            self.free -= 1
        return True

    def give_back(self) -> None:
        """Hold one less."""
        with self._lock:
            self.free += 1
        if self._within is not None:
            self._within.give_back()


ALL = HeldThreads(settings.WEB_THREADS - max(1, settings.WEB_THREADS // 4))
