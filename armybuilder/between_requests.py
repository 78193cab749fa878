"""What Django does before and after every request for its connections, once over those that are open.

Its three receivers walk over all databases and caches of the settings four times a request, two of them to find nothing
to do: a tenth of the answer to a program that reads a list.
"""

from typing import Any

from django.core import signals
from django.core.cache import caches, close_caches
from django.core.cache.backends.base import BaseCache
from django.db import close_old_connections, connections, reset_queries


def tidy_once() -> None:
    """Put one receiver in the place of Django's; a cache with connections of its own is closed by Django as before."""
    signals.request_started.disconnect(reset_queries)
    for signal in (signals.request_started, signals.request_finished):
        signal.disconnect(close_old_connections)
        signal.connect(_tidy, dispatch_uid="between-requests")
    if all(type(cache).close is BaseCache.close for cache in caches.all()):
        signals.request_finished.disconnect(close_caches)


def _tidy(**_: Any) -> None:
    for connection in connections.all(initialized_only=True):
        connection.queries_log.clear()
        connection.close_if_unusable_or_obsolete()
