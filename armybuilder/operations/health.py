"""Whether the site can do its work now: what a load balancer asks, what administrators see."""

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from time import time

from django.conf import settings
from django.core.cache import caches
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor

from armybuilder.replica import REPLICA, seconds_behind
from armybuilder.simulations import embedded, raw_sql
from armybuilder.simulations.dispatch import HEARTBEAT_KEY

LEAST_FREE_BYTES = 200 * 2**20
"""Less than this on the disk of VAR_DIR is too little to go on for long."""

HEARTBEAT_SECONDS = 30
"""A Celery worker that has said nothing for so long is taken for dead."""


@dataclass(frozen=True, slots=True)
class State:
    """One thing the site needs.

    Attributes:
        detail: what was found, in words.
        remedy: what to do when it is not as it should be.
    """

    name: str
    is_well: bool
    detail: str
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class Queue:
    """What waits for workers.

    Attributes:
        oldest_seconds: how long the oldest waits; 0 when nothing does.
    """

    waiting: int
    running: int
    oldest_seconds: float


def states() -> list[State]:
    """Everything the site needs to take requests, each as it is now."""
    return [_told(name, look) for name, look in _LOOKS.items()]


def replica() -> list[State]:
    """How the standby is that strangers read from; none where there is no such setting. The site goes on without it."""
    return [_told(REPLICA, _replica)] if REPLICA in settings.DATABASES else []


def queue() -> Queue:
    """What waits and what runs, in pieces."""
    unfinished = raw_sql.unfinished()
    now: datetime = raw_sql.database_time()
    ages = [(now - one.created).total_seconds() for one in unfinished if one.queued]
    return Queue(
        waiting=sum(one.queued for one in unfinished),
        running=sum(one.running for one in unfinished),
        oldest_seconds=max(ages, default=0.0),
    )


def unapplied_migrations() -> list[str]:
    """Migrations of this release that the database does not have."""
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return [f"{migration.app_label}.{migration.name}" for migration, _ in plan]


def _told(name: str, look: Callable[[], State]) -> State:
    try:
        return look()
    except (DatabaseError, OSError) as error:
        return State(name, False, f"{type(error).__name__}: {error}".strip(), _REMEDIES[name])


def _database() -> State:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return State("database", True, connection.vendor)


def _queue() -> State:
    if settings.QUEUE == "redis":
        import redis  # noqa: PLC0415 - 8 MB of every process of an installation without it

        try:
            with redis.Redis.from_url(settings.REDIS_URL, socket_timeout=2, socket_connect_timeout=2) as server:
                server.ping()
        except redis.RedisError as error:
            raise OSError(f"{type(error).__name__}: {error}") from error
    return State("queue", True, settings.QUEUE)


def _workers() -> State:
    if settings.QUEUE == "embedded":
        alive = embedded.start().is_alive
        return State("workers", alive, "beside the web process", "" if alive else _REMEDIES["workers"])
    seen = caches["default"].get(HEARTBEAT_KEY)
    ago = time() - float(seen) if seen else None
    is_well = ago is not None and ago < HEARTBEAT_SECONDS
    detail = "no sign of life" if ago is None else f"last sign of life {ago:.0f} s ago"
    return State("workers", is_well, detail, "" if is_well else _REMEDIES["workers"])


def _replica() -> State:
    behind = seconds_behind(settings.REPLICA_SECONDS)
    detail = "does not keep up" if behind is None else f"{behind:.1f} s behind"
    return State(REPLICA, behind is not None, detail, "" if behind is not None else _REMEDIES[REPLICA])


def _disk() -> State:
    free = shutil.disk_usage(settings.VAR_DIR).free
    probe = settings.VAR_DIR / ".probe"
    probe.write_bytes(b"1")
    probe.unlink()
    is_well = free > LEAST_FREE_BYTES
    return State("disk", is_well, f"{free // 2**20:,} MB free", "" if is_well else _REMEDIES["disk"])


_LOOKS: dict[str, Callable[[], State]] = {
    "database": _database,
    "queue": _queue,
    "workers": _workers,
    "disk": _disk,
}
_REMEDIES = {
    "database": "Start the database, or correct DATABASE_URL; docs/operations/faults/database-away.md.",
    REPLICA: "Start the standby, or correct REPLICA_DATABASE_URL; docs/operations/faults/replica-behind.md.",
    "queue": "Start Redis, or correct REDIS_URL; lists go on without it; docs/operations/faults/redis-away.md.",
    "workers": "Start `celery -A armybuilder.celery worker`; docs/operations/faults/simulations-wait.md.",
    "disk": "Make room or writable, or move VAR_DIR; docs/operations/faults/disk-full.md.",
}


def sick(found: list[State]) -> Iterator[State]:
    """Those that are not as they should be."""
    return (state for state in found if not state.is_well)
