"""The sweep that runs beside the tasks in every Celery worker; Celery finds it as it finds `tasks.py`."""

from typing import Any

from celery.signals import worker_ready, worker_shutting_down

from armybuilder.repeating_thread import OneOfAProcess
from armybuilder.webhooks.worker import hand_over, sweeper

_thread = OneOfAProcess(lambda: sweeper(hand_over))


@worker_ready.connect
def _sweep_beside_worker(**_: Any) -> None:
    """Start the sweep in the worker's main process; the pool's processes send."""
    _thread.start()


@worker_shutting_down.connect
def _end_sweep(**_: Any) -> None:
    _thread.stop(0.1)
