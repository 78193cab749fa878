"""Reading from a standby of PostgreSQL (REPLICA_DATABASE_URL) what may be a little old, for whoever changes nothing.

What goes there: pages and answers of `READ_BY_EVERYBODY`, asked for by somebody about whom nothing is known. Who is
signed in, is a guest with lists, shows a token or has just sent a form reads the primary, as does all else. Why it is
done so: docs/decisions/replica-for-strangers.md.
"""

import logging
from collections.abc import Callable
from contextvars import ContextVar
from threading import Lock
from time import monotonic, sleep
from typing import Any

from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from armybuilder.accounts.viewers import GUEST_COOKIE

logger = logging.getLogger(__name__)

REPLICA = "replica"

READ_BY_EVERYBODY = (
    "/alliances/",
    "/m/",
    "/oembed/",
    "/public/",
    "/s/",
    "/systems/",
    "/units/",
    "/v/",
    "/api/v1/shared/",
    "/api/v1/systems/",
    "/api/v1/verdicts/",
)
"""How the addresses begin whose answers may be a little old."""

WROTE_COOKIE = "wrote"
"""Says that this browser sent something a moment ago, and nothing else; it goes when the replica must have it."""

LOOKS_EVERY_SECONDS = 1.0

_is_read = ContextVar("is_read_from_replica", default=False)
"""Whether the request at hand may read from the replica; false again as soon as it writes."""


class ReplicaRouter:
    """Which database Django reads and writes."""

    def db_for_read(self, model: Any, **_: Any) -> str:
        """The replica for a request that may, outside of transactions."""
        if _is_read.get() and not connections[DEFAULT_DB_ALIAS].in_atomic_block:
            return REPLICA
        return DEFAULT_DB_ALIAS

    def db_for_write(self, model: Any, **_: Any) -> str:
        """The primary, which from now on is read too: a request sees what it wrote."""
        _is_read.set(False)
        return DEFAULT_DB_ALIAS

    def allow_relation(self, one: Any, other: Any, **_: Any) -> bool:
        """Both hold the same rows."""
        return True

    def allow_migrate(self, db: str, app_label: str, **_: Any) -> bool:
        """The replica gets its tables from the primary."""
        return db == DEFAULT_DB_ALIAS


class Recency:
    """Whether the replica holds all that the primary held a short while ago, as far as this process has looked.

    What counts is the primary's own position in its log, noted at a moment and found on the replica later: then the
    replica is no older than that moment. An idle primary, clocks that differ and a replica that is cut off change
    nothing in that.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._looked = self._is_as_of = float("-inf")
        self._noted: tuple[float, str] | None = None

    def is_good(self) -> bool:
        """Whether it is no older than REPLICA_SECONDS; one thread a second looks, the others do not wait for it."""
        if monotonic() - self._looked >= LOOKS_EVERY_SECONDS and self._lock.acquire(blocking=False):
            try:
                self.look()
            finally:
                self._looked = monotonic()
                self._lock.release()
        return monotonic() - self._is_as_of <= settings.REPLICA_SECONDS

    def look(self) -> None:
        """Find the noted position on the replica, then note a new one."""
        try:
            if self._noted is not None and not _holds(self._noted[1]):
                return
            if self._noted is not None:
                self._is_as_of = self._noted[0]
            now = monotonic()
            self._noted = (now, _position())
        except DatabaseError as error:
            self.give_up()
            logger.warning("the replica is not read from: %s", str(error).strip())

    def give_up(self) -> None:
        """Read from it no more until it has been found well again."""
        self._is_as_of = float("-inf")


RECENCY = Recency()


def seconds_behind(patience: float) -> float | None:
    """How long the replica takes to hold what the primary holds now; None when it does not within the patience.

    Raises:
        DatabaseError: one of them does not answer.
    """
    position, start = _position(), monotonic()
    while not _holds(position):
        if monotonic() - start > patience:
            return None
        sleep(0.05)
    return monotonic() - start


def _position() -> str:
    return str(_asked(DEFAULT_DB_ALIAS, "SELECT pg_current_wal_lsn()"))


def _holds(position: str) -> bool:
    """Whether the replica has reached a position of the primary's; what is no standby never has."""
    return bool(_asked(REPLICA, "SELECT pg_last_wal_replay_lsn() >= %s::pg_lsn", position))


def _asked(alias: str, question: str, *values: str) -> Any:
    with connections[alias].cursor() as cursor:
        cursor.execute(question, values)
        return cursor.fetchone()[0]


class ReplicaReads:
    """Lets requests read from the replica that may, and remembers in the browser that it has just sent something."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        """Middleware is made once; raises MiddlewareNotUsed without a replica."""
        if REPLICA not in settings.DATABASES:
            raise MiddlewareNotUsed
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """The answer; what is not on the replica, or goes wrong there, is asked of the primary."""
        if _may_be_old(request) and RECENCY.is_good():
            before = _is_read.set(True)
            try:
                response = self.get_response(request)
            finally:
                _is_read.reset(before)
            if response.status_code == 503:
                RECENCY.give_up()
            if response.status_code not in (404, 503):
                return response
        response = self.get_response(request)
        if request.method not in ("GET", "HEAD", "OPTIONS") and not request.path_info.startswith("/api/"):
            response.set_cookie(
                WROTE_COOKIE,
                "1",
                max_age=settings.REPLICA_SECONDS + 1,
                httponly=True,
                samesite="Lax",
                secure=settings.SESSION_COOKIE_SECURE,
            )
        return response


def _may_be_old(request: HttpRequest) -> bool:
    if request.method not in ("GET", "HEAD") or not request.path_info.startswith(READ_BY_EVERYBODY):
        return False
    told = (settings.SESSION_COOKIE_NAME, GUEST_COOKIE, WROTE_COOKIE)
    return "HTTP_AUTHORIZATION" not in request.META and not any(name in request.COOKIES for name in told)
