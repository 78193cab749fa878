"""Work that makes millions of objects which stay: without the collector of cycles looking through all of them."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

_lock = Lock()
_working = 0


@contextmanager
def collecting_later() -> Iterator[None]:
    """Let the collector of cycles rest; `collect_young` is to be called now and then, so that memory stays bounded.

    A whole data set that is expanded makes it look through all objects again and again: a fifth of the processor time
    of publishing 10th edition, and five sixths of reading its unit rows back.
    """
    global _working  # noqa: PLW0603 - one collector a process, however many threads work
    with _lock:
        _working += 1
        gc.disable()
    try:
        yield
    finally:
        with _lock:
            _working -= 1
            if not _working:
                gc.enable()


WORTH = 50_000
"""So many new objects are worth a look; fewer take some megabytes at most."""


def collect_young() -> None:
    """Free the cycles among what was made since the last look, once there is enough of it."""
    if gc.get_count()[0] >= WORTH:
        gc.collect(1)
