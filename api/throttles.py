"""How many requests a user or an address may send: counted in windows, one cache operation a request."""

from functools import lru_cache
from math import ceil
from time import time
from typing import TYPE_CHECKING

from django.conf import settings
from django.core.cache import caches
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from armybuilder.accounts.attempts import client_address, neighbourhood

if TYPE_CHECKING:  # REST framework's views import this module as a default
    from rest_framework.views import APIView

SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


class RequestThrottle(BaseThrottle):
    """All requests of one user, or of one address without an account.

    REST framework's own throttles keep and rewrite a list of every time stamp, which costs more than the
    rest of a small answer; here a request adds one to a number.
    """

    def __init__(self) -> None:
        """Nothing is known about the window yet."""
        self.window_ends = 0.0

    def rate(self, request: Request) -> str:
        """Name of the rate in the settings that applies."""
        return "user" if request.user.is_authenticated else "anon"

    def allow_request(self, request: Request, view: "APIView") -> bool:
        """Whether the request stays below the rate; counts it either way."""
        name = self.rate(request)
        most, seconds = _parsed(settings.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"][name])
        user = request.user
        who = user.pk if user.is_authenticated else neighbourhood(client_address(request.META))
        now = time()
        window = int(now) // seconds
        self.window_ends = (window + 1) * seconds
        used = _count(f"api:{name}:{who}:{window}", seconds)
        if name != "simulate":
            rest = max(0, most - used), max(1, ceil(self.window_ends - now))
            request._request.api_rate = (most, *rest)  # type: ignore[attr-defined]  # for the headers (conventions.py)
        return used <= most

    def wait(self) -> float:
        """Seconds until the next window, at least one."""
        return max(1.0, self.window_ends - time())


class SimulationThrottle(RequestThrottle):
    """New simulations of one user or address: each may cost seconds of a worker."""

    def rate(self, request: Request) -> str:
        """One rate for everybody."""
        return "simulate"

    def allow_request(self, request: Request, view: "APIView") -> bool:
        """Only asking counts; looking at the answer does not."""
        return request.method != "POST" or super().allow_request(request, view)


def wait_of_wrong_tokens(request: Request) -> float | None:
    """Count a token that was not accepted; seconds to wait where an address has sent too many, None otherwise."""
    most, seconds = _parsed(settings.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"]["wrong_token"])
    window = int(time()) // seconds
    if _count(f"api:wrong-token:{neighbourhood(client_address(request.META))}:{window}", seconds) <= most:
        return None
    return max(1.0, (window + 1) * seconds - time())


@lru_cache(maxsize=64)
def _parsed(rate: str) -> tuple[int, int]:
    """`600/min` as requests and seconds."""
    most, _, period = rate.partition("/")
    return int(most), SECONDS[period[0]]


def _count(key: str, seconds: int) -> int:
    """The number of requests in this window, this one included."""
    counts = caches["counts"]
    try:
        return counts.incr(key)
    except ValueError:  # the first of its window
        if counts.add(key, 1, timeout=seconds):
            return 1
    try:
        return counts.incr(key)  # another was first meanwhile
    except ValueError:  # the window closed, or the cache made room, between the two
        return 1
