"""A transport for httpx that tries again what the site asked to be tried again."""

import random
import time
from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import httpx

BUSY = frozenset({429, 503})
"""Too many requests; the database is busy. Neither has carried anything out."""

READING = frozenset({"GET", "HEAD", "OPTIONS"})


class RetryingTransport(httpx.BaseTransport):
    """Tries again after 429 and 503, and after a lost answer where that makes nothing twice.

    It waits for as long as `Retry-After` says, seconds or a date; without one half a second, then twice as long each
    time, a little more or less by chance so that many programs do not come back at once. An answer that asks for more
    patience than `longest_wait` is handed back as it is. A lost connection is tried again for requests that read and
    for those with an Idempotency-Key.

    Args:
        inner: what sends; httpx's own by default.
        tries: how often a request is sent at most, the first time included.
        longest_wait: seconds between two tries at most.
        sleep: waits for seconds.
    """

    def __init__(
        self,
        inner: httpx.BaseTransport | None = None,
        *,
        tries: int = 5,
        longest_wait: float = 70.0,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        if tries < 1:
            raise ValueError("A request is sent at least once: tries must be 1 or more.")
        self._inner = inner or httpx.HTTPTransport()
        self._tries = tries
        self._longest_wait = longest_wait
        self._sleep = sleep

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request until it is answered, or as often as agreed.

        Raises:
            httpx.TransportError: the connection was lost once more than agreed.
        """
        request.read()  # a body that was streamed can be sent again
        repeatable = request.method in READING or "Idempotency-Key" in request.headers
        for attempt in range(1, self._tries):
            try:
                response = self._inner.handle_request(request)
            except httpx.TransportError:
                if not repeatable:
                    raise
                wait = self._growing(attempt)
            else:
                if response.status_code not in BUSY:
                    return response
                asked = seconds_of(response.headers.get("Retry-After", ""))
                wait = self._growing(attempt) if asked is None else asked
                if wait > self._longest_wait:
                    return response
                response.close()
            self._sleep(wait)
        return self._inner.handle_request(request)

    def close(self) -> None:
        """Close the connections."""
        self._inner.close()

    def _growing(self, attempt: int) -> float:
        """Seconds to wait after that many tries where nobody says how long."""
        return min(self._longest_wait, 0.5 * 2.0 ** (attempt - 1) * random.uniform(0.8, 1.2))  # noqa: S311


def seconds_of(retry_after: str) -> float | None:
    """What `Retry-After` asks for in seconds; None where it says nothing that can be read."""
    text = retry_after.strip()
    if text.isascii() and text.isdecimal():
        return float(text)
    try:
        moment = parsedate_to_datetime(text)
    except ValueError:
        return None
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max(0.0, (aware - datetime.now(UTC)).total_seconds())
