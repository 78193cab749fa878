"""How long a server process waits for PostgreSQL: a database that hangs is one that is away, not one to wait for.

PostgreSQL itself ends a statement that takes too long, but one whose machine hangs ends nothing, and its socket stays
open: then the waiting ends here, and with it the connection. Commands such as `migrate` wait as long as it takes.
"""

import select
from collections.abc import Callable, Generator
from dataclasses import dataclass
from time import monotonic
from typing import Any

from django.conf import settings
from django.db.backends.signals import connection_created

DISK_FULL = "53100"
"""PostgreSQL's own code for it."""

GRACE_SECONDS = 5.0
"""So much longer than PostgreSQL's own limit, which names the statement."""


def limit_waiting() -> None:
    """Have every connection that this process opens wait for a bounded time."""
    connection_created.connect(_limit, dispatch_uid="database-patience")


def _limit(*, connection: Any, **_: Any) -> None:
    if connection.vendor != "postgresql":
        return
    opened = connection.connection
    seconds = settings.DATABASE_SECONDS + GRACE_SECONDS
    opened.wait = _Waiting(opened, opened.wait, connection.Database.OperationalError, seconds)
    connection.is_usable = _Use(connection, connection.is_usable)
    if settings.PGBOUNCER:  # the role's own statement_timeout has to do
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('statement_timeout', %s, false)", [f"{settings.DATABASE_SECONDS}s"])


@dataclass(frozen=True, slots=True)
class _Use:
    """Whether a connection that was kept can be used: a question of a round trip for each request, without asking.

    A server that is gone, or has ended the connection, has said so: there is something to be read where nobody has
    asked anything. Only then Django's own question is put, which finds out what it is.
    """

    connection: Any
    ask: Callable[[], bool]

    def __call__(self) -> bool:
        """Whether it can."""
        opened = self.connection.connection
        if opened is None or opened.closed:
            return False
        listening = select.poll()
        listening.register(opened.fileno(), select.POLLIN | select.POLLERR | select.POLLHUP)
        return not listening.poll(0) or self.ask()


@dataclass(frozen=True, slots=True)
class _Waiting:
    """psycopg's own waiting on a connection, with an end after which the connection is closed."""

    opened: Any
    wait: Callable[..., Any]
    error: type[Exception]
    seconds: float

    def __call__(self, steps: Generator[Any, Any, Any], interval: float = 0.1) -> Any:
        """The outcome of a conversation with the server."""
        return self.wait(self._bounded(steps, monotonic() + self.seconds), interval)

    def _bounded(self, steps: Generator[Any, Any, Any], until: float) -> Generator[Any, Any, Any]:
        """The steps of a conversation; psycopg sends nothing into them at every interval in which nothing came."""
        ready: Any = None
        while True:
            try:
                wanted = steps.send(ready)
            except StopIteration as done:
                return done.value
            ready = yield wanted
            if not ready and monotonic() > until:
                steps.close()
                self.opened.pgconn.finish()
                raise self.error("The database does not answer.")


def is_disk_full(error: BaseException | None) -> bool:
    """Whether the database has no room left to write into."""
    cause = error.__cause__ if error is not None else None
    return "disk is full" in str(error) or getattr(cause, "sqlstate", None) == DISK_FULL
