"""What a queue that cannot be reached raises; its clients are imported when it is spoken of: they take 20 MB."""

from django.conf import settings


class QueueAway(Exception):
    """It was away just now, and is not asked again yet."""


def queue_is_away() -> tuple[type[Exception], ...]:
    """For `except`, where it is asked only if something was raised."""
    from kombu.exceptions import OperationalError  # noqa: PLC0415 - see above

    if not settings.REDIS_URL:
        return (QueueAway, OperationalError, OSError)
    from redis.exceptions import RedisError  # noqa: PLC0415 - see above

    return (QueueAway, OperationalError, OSError, RedisError)
