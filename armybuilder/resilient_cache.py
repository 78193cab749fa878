"""Redis caches whose absence slows the site down but never stops it: one is empty then, one counts on by itself."""

import logging
from collections.abc import Callable, Iterable
from time import monotonic
from typing import Any, ClassVar

from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as RedisAway
from redis.exceptions import TimeoutError as RedisSlow
from redis.retry import Retry

logger = logging.getLogger(__name__)

PAUSE_SECONDS = 5.0
"""After a failure nobody asks Redis for so long: a request that did so at every step would wait at every step."""

COUNT_ON = "if redis.call('EXISTS', KEYS[1]) == 1 then return redis.call('INCRBY', KEYS[1], ARGV[1]) end return false"
"""Adds to a number that is there, in one step: none begins to count that would never end."""


class _Asker(RedisCacheClient):
    """Django's own, which makes a new client of Redis for every question: longer work than asking."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """None is made before it is needed."""
        super().__init__(*args, **kwargs)
        self._clients: dict[Any, Any] = {}

    def get_client(self, key: Any = None, *, write: bool = False) -> Any:
        """The client of one server, which takes a connection of the pool for each question."""
        pool = self._get_connection_pool(write)  # type: ignore[attr-defined]
        client = self._clients.get(pool)
        if client is None:
            client = self._clients[pool] = self._client(connection_pool=pool)  # type: ignore[attr-defined]
        return client


class ResilientRedisCache(RedisCache):
    """Answers as an empty cache while Redis cannot be reached, so building, checking and saving go on."""

    _asked_again_at: ClassVar[float] = 0.0

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        """Wait at most a quarter of a second for a connection, a second for an answer, and do not try twice."""
        limits = {"socket_connect_timeout": 0.25, "socket_timeout": 1.0, "retry": Retry(NoBackoff(), 0)}
        super().__init__(server, params | {"OPTIONS": limits | params.get("OPTIONS", {})})
        self._class = _Asker

    def _or(self, fallback: Any, act: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        return self._ask(lambda: fallback, act, *args, **kwargs)

    def _ask(self, otherwise: Callable[[], Any], act: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        if monotonic() < ResilientRedisCache._asked_again_at:
            return otherwise()
        try:
            return act(*args, **kwargs)
        except (RedisAway, RedisSlow) as away:
            ResilientRedisCache._asked_again_at = monotonic() + PAUSE_SECONDS
            logger.warning("Redis cannot be reached (%s); going on without it.", away)
            return otherwise()

    def add(self, key: Any, value: Any, *args: Any, **kwargs: Any) -> bool:
        """Store a value that is not there yet; False when it was, or when nothing could be stored."""
        return bool(self._or(False, super().add, key, value, *args, **kwargs))

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        """The stored value, or the default."""
        return self._or(default, super().get, key, default, version=version)

    def set(self, key: Any, value: Any, *args: Any, **kwargs: Any) -> None:
        """Store a value if Redis is there."""
        self._or(None, super().set, key, value, *args, **kwargs)

    def touch(self, key: Any, *args: Any, **kwargs: Any) -> bool:
        """Make a value live longer; False when it is not there."""
        return bool(self._or(False, super().touch, key, *args, **kwargs))

    def delete(self, key: Any, version: int | None = None) -> bool:
        """Forget a value; False when it was not there."""
        return bool(self._or(False, super().delete, key, version=version))

    def get_many(self, keys: Iterable[Any], version: int | None = None) -> dict[Any, Any]:
        """Those of the values that are stored."""
        found: dict[Any, Any] = self._or({}, super().get_many, keys, version=version)
        return found

    def has_key(self, key: Any, version: int | None = None) -> bool:
        """Whether a value is stored."""
        return bool(self._or(False, super().has_key, key, version=version))

    def incr(self, key: Any, delta: int = 1, version: int | None = None) -> int:
        """Count on from a stored number; without Redis the count stands at `delta`."""
        return int(self._or(delta, super().incr, key, delta, version=version))

    def set_many(self, data: dict[Any, Any], *args: Any, **kwargs: Any) -> list[Any]:
        """Store several values; the keys that could not be stored."""
        failed: list[Any] = self._or(list(data), super().set_many, data, *args, **kwargs)
        return failed

    def delete_many(self, keys: Iterable[Any], version: int | None = None) -> None:
        """Forget several values."""
        self._or(None, super().delete_many, keys, version=version)


class CountingRedisCache(ResilientRedisCache):
    """Counts of what somebody may do so many times; while Redis is away every process counts for itself.

    An empty cache would let everything through: passwords would be guessed as fast as they are sent.
    """

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        """Counts of this process beside those that all share."""
        super().__init__(server, params)
        self._own = LocMemCache("counted-by-this-process", {"OPTIONS": {"MAX_ENTRIES": 50_000}})

    def add(self, key: Any, value: Any, *args: Any, **kwargs: Any) -> bool:
        """Begin a count; False when there is one."""
        return bool(
            self._ask(
                lambda: self._own.add(key, value, *args, **kwargs), RedisCache.add, self, key, value, *args, **kwargs
            )
        )

    def incr(self, key: Any, delta: int = 1, version: int | None = None) -> int:
        """Count on. Raises ValueError where nothing was counted yet."""
        return int(self._ask(lambda: self._own.incr(key, delta, version), self._count_on, key, delta, version))

    def _count_on(self, key: Any, delta: int, version: int | None) -> int:
        """Django asks whether the number is there and then adds to it: two ways to Redis in each request."""
        name = self.make_and_validate_key(key, version=version)
        counted = self._cache.get_client(name, write=True).eval(COUNT_ON, 1, name, delta)
        if counted is None:
            raise ValueError(f"Nothing was counted under {key!r}.")
        return int(counted)

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        """A count."""
        return self._ask(lambda: self._own.get(key, default, version), RedisCache.get, self, key, default, version)

    def get_many(self, keys: Iterable[Any], version: int | None = None) -> dict[Any, Any]:
        """Several counts."""
        wanted = list(keys)
        found: dict[Any, Any] = self._ask(
            lambda: self._own.get_many(wanted, version), RedisCache.get_many, self, wanted, version
        )
        return found

    def delete(self, key: Any, version: int | None = None) -> bool:
        """Begin anew."""
        self._own.delete(key, version)
        return super().delete(key, version)

    def clear(self) -> None:
        """Forget all counts, those of this process too."""
        self._own.clear()
        super().clear()
