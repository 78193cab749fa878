"""Who collects and sends: a sweep beside Celery workers that hands over to them, or threads of the web process."""

import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from time import monotonic
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import close_old_connections

from armybuilder.queue_away import queue_is_away
from armybuilder.repeating_thread import OneOfAProcess, RepeatingThread
from armybuilder.webhooks import collecting, delivering

logger = logging.getLogger(__name__)

SWEEP_SECONDS = 2.0
FORGET_SECONDS = 3_600.0
SENDERS = 4
"""Deliveries that one web process sends at a time: an address that does not answer must not hold up the others."""


def hand_over(delivery_id: UUID) -> None:
    """Give a delivery to a Celery worker; a queue that is away is asked again by the next sweep."""
    from armybuilder.webhooks.tasks import deliver  # noqa: PLC0415 - it brings Celery, which nobody else needs

    try:
        deliver.delay(str(delivery_id))
    except queue_is_away() as error:
        logger.warning("The queue is away, the delivery %s waits: %s", delivery_id, error)


class Sweep:
    """Collects, and has what is due sent."""

    def __init__(self, send: Callable[[UUID], Any]) -> None:
        """Nothing is handed over yet."""
        self._send = send
        self._handed_over: set[tuple[UUID, int]] = set()
        self._forgot = monotonic()

    def __call__(self) -> None:
        """Look once."""
        collecting.collect()
        self._hand_over(delivering.due())
        if monotonic() - self._forgot > FORGET_SECONDS:
            self._forgot = monotonic()
            delivering.forget()

    def _hand_over(self, due: list[tuple[UUID, int]]) -> None:
        """Have each try made once, however long it waits for a sender."""
        self._handed_over &= set(due)
        for one in due:
            if one not in self._handed_over:
                self._handed_over.add(one)
                self._send(one[0])


def sweeper(send: Callable[[UUID], Any]) -> RepeatingThread:
    """A thread that collects, and has what is due sent."""
    return RepeatingThread(Sweep(send), name="webhooks", seconds=SWEEP_SECONDS, logger=logger)


def sent_here(delivery_id: UUID) -> None:
    """Send a delivery by a thread of this process."""
    try:
        delivering.deliver(delivery_id)
    except Exception:  # it is tried again when its lease has run out
        logger.exception("A delivery failed.")
    finally:
        close_old_connections()


def _sweeper_with_senders() -> RepeatingThread:
    senders = ThreadPoolExecutor(SENDERS, thread_name_prefix="webhook")
    return sweeper(lambda delivery_id: senders.submit(sent_here, delivery_id))


_thread = OneOfAProcess(_sweeper_with_senders)


def start() -> None:
    """Start the thread of this process, unless Celery workers send."""
    if settings.QUEUE == "embedded":
        _thread.start()


def stop() -> None:
    """Stop it."""
    _thread.stop()
