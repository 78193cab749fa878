"""What belongs together in the logs: the id of a request, and of the computation a worker is at, in every line.

Also how long requests take and what they answer, for `figures`.
"""

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from secrets import token_hex
from time import perf_counter
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from armybuilder import figures

HEADER = "X-Request-ID"
PLAIN = re.compile(r"[\w.-]{8,64}")
"""What of a proxy's ids is taken over: nothing that could forge a line."""

_request_id: ContextVar[str] = ContextVar("request_id", default="")
_computation_id: ContextVar[str] = ContextVar("computation_id", default="")

access = logging.getLogger("armybuilder.access")


class Trail(logging.Filter):
    """Puts both ids into every record."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Every record passes."""
        ids = {"request_id": _request_id.get(), "computation_id": _computation_id.get()}
        trail = "".join(f" [{name.removesuffix('_id')} {value}]" for name, value in ids.items() if value)
        vars(record).update(ids, trail=trail)
        return True


class Untraced(logging.Filter):
    """Makes a line of what a stranger can provoke at will: without a trace, and not among the site's own errors."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Every record passes."""
        record.exc_info = record.exc_text = None
        record.levelno, record.levelname = logging.WARNING, logging.getLevelName(logging.WARNING)
        return True


@contextmanager
def computing(computation_id: object) -> Iterator[None]:
    """Lines written inside belong to a computation."""
    token = _computation_id.set(str(computation_id))
    try:
        yield
    finally:
        _computation_id.reset(token)


class RequestTrail:
    """Gives a request its id, answers with it, and counts what was answered and how long it took."""

    def __init__(self, get_response: Any) -> None:
        """Middleware is made once."""
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """The answer with its id."""
        began = perf_counter()
        given = request.META.get("HTTP_X_REQUEST_ID", "") if settings.PROXIES else ""
        request_id = given if PLAIN.fullmatch(given) else token_hex(16)
        token = _request_id.set(request_id)
        try:
            response: HttpResponseBase = self.get_response(request)
        finally:
            seconds = perf_counter() - began
            _request_id.reset(token)
        view = request.resolver_match.view_name if request.resolver_match else ""
        counter, clock = _figures_of(_method(request), view, response.status_code)
        counter.inc()
        clock.observe(seconds)
        response.headers[HEADER] = request_id
        if access.isEnabledFor(logging.INFO):
            token = _request_id.set(request_id)
            access.info("%s %s %s %.0f ms", request.method, view or "-", response.status_code, 1000 * seconds)
            _request_id.reset(token)
        return response


@lru_cache(maxsize=2_000)
def _figures_of(method: str, view: str, status: int) -> tuple[Any, Any]:
    """The counter and the clock of such requests."""
    return figures.REQUESTS.labels(method, view, status), figures.REQUEST_SECONDS.labels(view)


def _method(request: HttpRequest) -> str:
    """One of those that exist: a client may send any word."""
    known = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
    return request.method if request.method in known else "other"
