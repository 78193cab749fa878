"""Wake-ups over Redis: who waits for a computation is told when a worker has stored something of it, and looks then.

What counts is the row: it is committed before anybody is told. A wake-up that gets lost, or a Redis that is away, costs
whoever waits the time until the next look that was due anyway.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.conf import settings

if TYPE_CHECKING:
    from redis.client import PubSub

logger = logging.getLogger(__name__)

PAUSE_SECONDS = 5.0
"""After a failure nobody asks Redis for so long: every wait and every piece of work would begin with waiting for it."""

SUBSCRIBE_SECONDS = 0.5
"""The longest wait until Redis listens: what is stored before that is seen by the look after it."""

MOST_KEPT = 64
"""Connections that listen to nothing at the moment; as many as threads of a process wait at once are kept."""

_away_until = 0.0
_kept: "list[PubSub]" = []


class Listener:
    """Somebody who waits for one computation."""

    def __init__(self, listening: "PubSub | None") -> None:
        """`listening` is subscribed, and Redis has said so; without it the time is slept through."""
        self.listening = listening

    def sleep(self, seconds: float) -> bool:
        """Return when something was stored since it is listened, or the time is up; whether something was."""
        if self.listening is None:
            sleep(seconds)
            return False
        try:
            return self.listening.get_message(timeout=seconds) is not None
        except _redis_is_away() as away:
            _give_up(self.listening, away)
            self.listening = None
        return False


def tell(computation_id: UUID) -> None:
    """Wake who waits for a computation, after the commit of what changed. Without Redis they find out by themselves."""
    if settings.QUEUE != "redis" or monotonic() < _away_until:
        return
    try:
        _client().publish(_channel(computation_id), b"")
    except _redis_is_away() as away:
        _note(away)


@contextmanager
def waiting_for(computation_id: UUID) -> Iterator[Listener]:
    """Listen for a computation, if Redis is there."""
    waiting = Listener(_listening_to(computation_id))
    try:
        yield waiting
    finally:
        if waiting.listening is not None:
            _keep(waiting.listening, computation_id)


def _listening_to(computation_id: UUID) -> "PubSub | None":
    if settings.QUEUE != "redis" or monotonic() < _away_until:
        return None
    listening: PubSub | None = None
    try:
        listening = _spare() or _client().pubsub()
        _subscribe(listening, _channel(computation_id))
    except _redis_is_away() as away:
        _give_up(listening, away)
        return None
    return listening


def _spare() -> "PubSub | None":
    """A connection that is kept, if no other thread was quicker."""
    try:
        return _kept.pop()
    except IndexError:
        return None


def _subscribe(listening: "PubSub", channel: str) -> None:
    """Listen to one channel from now on; what was heard of another before is passed over. Raises TimeoutError."""
    listening.subscribe(channel)
    while (heard := listening.get_message(timeout=SUBSCRIBE_SECONDS)) is not None:
        if heard["type"] == "subscribe" and heard["channel"] == channel.encode():
            return
    raise TimeoutError("it does not answer")


def _keep(listening: "PubSub", computation_id: UUID) -> None:
    """Opening another connection takes longer than the wait for most questions."""
    try:
        listening.unsubscribe(_channel(computation_id))
    except _redis_is_away() as away:
        _give_up(listening, away)
        return
    if len(_kept) < MOST_KEPT and monotonic() >= _away_until:
        _kept.append(listening)
    else:
        listening.close()


def _give_up(listening: "PubSub | None", away: Exception) -> None:
    _note(away)
    if listening is not None:
        listening.close()


def _note(away: Exception) -> None:
    global _away_until  # noqa: PLW0603 - what one found out spares the next ones the waiting
    _away_until = monotonic() + PAUSE_SECONDS
    while (spare := _spare()) is not None:  # opened to the Redis that is gone
        spare.close()
    logger.warning("Redis cannot be reached (%s); who waits for a simulation looks now and then.", away)


def _channel(computation_id: UUID) -> str:
    return f"computation:{computation_id}"


@lru_cache(maxsize=1)
def _client() -> Any:
    import redis  # noqa: PLC0415 - 8 MB of every process of an installation without it
    from redis.backoff import NoBackoff  # noqa: PLC0415 - as above
    from redis.retry import Retry  # noqa: PLC0415 - as above

    return redis.Redis.from_url(
        settings.REDIS_URL, socket_connect_timeout=0.25, socket_timeout=1.0, retry=Retry(NoBackoff(), 0)
    )


def _redis_is_away() -> tuple[type[Exception], ...]:
    from redis.exceptions import RedisError  # noqa: PLC0415 - as above

    return (RedisError, OSError)
