"""A Redis cache whose absence slows the site down but never stops it."""

import logging
from collections.abc import Callable, Iterable
from typing import Any

from django.core.cache.backends.redis import RedisCache
from redis.exceptions import ConnectionError as RedisAway
from redis.exceptions import TimeoutError as RedisSlow

logger = logging.getLogger(__name__)


class ForgivingRedisCache(RedisCache):
    """Answers as an empty cache while Redis cannot be reached, so building, checking and saving go on."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        """Wait at most a quarter of a second for a connection."""
        options = {"socket_connect_timeout": 0.25, "socket_timeout": 1.0} | params.get("OPTIONS", {})
        super().__init__(server, params | {"OPTIONS": options})

    def _or(self, fallback: Any, act: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        try:
            return act(*args, **kwargs)
        except (RedisAway, RedisSlow) as away:
            logger.warning("The cache cannot be reached (%s); going on without it.", away)
            return fallback

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
