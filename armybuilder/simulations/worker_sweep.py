"""The sweep that runs beside the tasks in every Celery worker; Celery finds it as it finds `tasks.py`."""

import logging
import threading
from typing import Any

from celery.signals import worker_init, worker_ready, worker_shutting_down
from django.db import DatabaseError, close_old_connections

from armybuilder.database_patience import limit_waiting
from armybuilder.simulations import dispatch

logger = logging.getLogger(__name__)

SWEEP_SECONDS = 1.0

_stop = threading.Event()


@worker_init.connect
def _be_patient_for_so_long(**_: Any) -> None:
    """In the main process; those of the pool inherit it."""
    limit_waiting()


@worker_ready.connect
def _sweep_beside_worker(**_: Any) -> None:
    """Start the sweep in the worker's main process; the pool's processes compute."""
    _stop.clear()
    threading.Thread(target=_sweep_until_stopped, name="sweep", daemon=True).start()


@worker_shutting_down.connect
def _end_sweep(**_: Any) -> None:
    _stop.set()


def _sweep_until_stopped() -> None:
    while not _stop.wait(SWEEP_SECONDS):
        try:
            dispatch.sweep()
        except DatabaseError as error:
            logger.warning("The sweep waits for the database: %s", error)
            close_old_connections()
