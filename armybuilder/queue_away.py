"""What a queue that cannot be reached raises; Redis's own errors only where there is Redis, whose client takes 8 MB."""

from django.conf import settings
from kombu.exceptions import OperationalError


class QueueAway(OperationalError):
    """It was away just now, and is not asked again yet."""


def _kinds() -> tuple[type[Exception], ...]:
    if not settings.REDIS_URL:
        return (OperationalError, OSError)
    from redis.exceptions import RedisError  # noqa: PLC0415 - see above

    return (OperationalError, OSError, RedisError)


QUEUE_IS_AWAY = _kinds()
"""For `except`."""
