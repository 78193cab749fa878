"""The sweep that runs beside the tasks in every Celery worker; Celery finds it as it finds `tasks.py`."""

import logging
from time import time
from typing import Any

from celery.signals import worker_init, worker_ready, worker_shutting_down
from django.core.cache import caches

from armybuilder.database_patience import limit_waiting
from armybuilder.reference import import_worker
from armybuilder.repeating_thread import OneOfAProcess, RepeatingThread
from armybuilder.simulations import dispatch

logger = logging.getLogger(__name__)

SWEEP_SECONDS = 1.0


def _sweep() -> None:
    dispatch.sweep()
    import_worker.sweep()
    caches["default"].set(dispatch.HEARTBEAT_KEY, time(), timeout=300)


_thread = OneOfAProcess(lambda: RepeatingThread(_sweep, name="sweep", seconds=SWEEP_SECONDS, logger=logger))


@worker_init.connect
def _be_patient_for_so_long(**_: Any) -> None:
    """In the main process; those of the pool inherit it."""
    limit_waiting()


@worker_ready.connect
def _sweep_beside_worker(**_: Any) -> None:
    """Start the sweep in the worker's main process; the pool's processes compute."""
    _thread.start()


@worker_shutting_down.connect
def _end_sweep(**_: Any) -> None:
    _thread.stop(0.1)
