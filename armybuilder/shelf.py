"""What a process keeps at hand, bounded in bytes: pages, fragments of them, and reports on lists."""

from collections import OrderedDict
from collections.abc import Hashable
from threading import Lock
from typing import Generic, TypeVar

K = TypeVar("K")


class Shelf(Generic[K]):
    """What one process keeps for a while; what was asked for longest ago goes first when it gets too much."""

    def __init__(self, most_bytes: int) -> None:
        self._kept: OrderedDict[Hashable, tuple[K, int]] = OrderedDict()
        self._most, self._bytes = most_bytes, 0
        self._lock = Lock()

    def get(self, key: Hashable) -> K | None:
        """What is kept under a key."""
        with self._lock:
            found = self._kept.get(key)
            if found is None:
                return None
            self._kept.move_to_end(key)
            return found[0]

    def keep(self, key: Hashable, thing: K, size: int) -> None:
        """Keep something in the place of what was there; what is too much by itself is not kept."""
        with self._lock:
            self._bytes -= self._kept.pop(key, (None, 0))[1]
            if size > self._most:
                return
            self._kept[key] = (thing, size)
            self._bytes += size
            while self._bytes > self._most:
                self._bytes -= self._kept.popitem(last=False)[1][1]

    def forget(self) -> None:
        """Begin anew."""
        with self._lock:
            self._kept.clear()
            self._bytes = 0

    @property
    def bytes(self) -> int:
        """How much is kept."""
        return self._bytes
