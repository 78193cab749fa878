"""Questions that are quick or slow, and workers: the thread of this process, or a process that can be killed."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection

from armybuilder.simulations import embedded
from armybuilder.simulations.models import Computation, RunState
from tests.servers import KEY

ROOT = Path(__file__).resolve().parents[2]

LEASE_SECONDS = 3
"""Of the workers in processes of their own."""

_EMBEDDED = """
import signal, threading
import django
django.setup()
from armybuilder.simulations import embedded
embedded.start()
stop = threading.Event()
signal.signal(signal.SIGTERM, lambda *_: stop.set())
stop.wait()
embedded.stop()
"""


def quick(dice: int = 3) -> dict[str, object]:
    """A question that is answered at once."""
    return {"system": "relic", "kind": "dice_roll", "dice": dice}


def slow(seed: int = 1, trials: int = 1_000_000, rounds: int = 4) -> dict[str, object]:
    """A question of a chunk for every 250,000 trials; a round takes a hundredth of a second or more of each."""
    enemies = [{"name": "Ork", "attribute": "strength", "value": value} for value in (4, 5, 6)]
    return {
        "system": "relic",
        "kind": "battle_sequence",
        "method": "montecarlo",
        "trials": trials,
        "seed": seed,
        "hero": {"attributes": {"strength": 5, "willpower": 3, "cunning": 3}, "life": 40},
        "battles": [{"enemies": [enemy]} for enemy in enemies] * rounds,
    }


def wait_until(condition: Callable[[], bool], *, seconds: float = 30.0) -> None:
    """Return once the condition holds; fail the test when it does not in time."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"not within {seconds} s"
        time.sleep(0.02)


def state_of(computation: Computation) -> str:
    """Where the work stands now."""
    return Computation.objects.values_list("state", flat=True).get(pk=computation.pk)


def wait_for(computation: Computation, state: RunState = RunState.DONE, *, seconds: float = 60.0) -> None:
    """Return once the work is in this state."""
    wait_until(lambda: state_of(computation) == state, seconds=seconds)


def database_url() -> str:
    """The address of the test database, for another process."""
    facts = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{facts['NAME']}"
    return f"postgres://{facts['USER']}:{facts['PASSWORD']}@{facts['HOST']}:{facts['PORT']}/{facts['NAME']}"


@contextmanager
def worker_process() -> Iterator[subprocess.Popen[bytes]]:
    """A real worker process of the way of running under test; whatever is left of it is killed at the end."""
    env = os.environ | {
        "DATABASE_URL": database_url(),
        "DJANGO_SETTINGS_MODULE": "armybuilder.settings",
        "SECRET_KEY": KEY,
        "LEASE_SECONDS": str(LEASE_SECONDS),
        "VAR_DIR": str(settings.VAR_DIR),
    }
    celery = ["-m", "celery", "-A", "armybuilder.celery", "worker", "-c", "2", "--loglevel", "ERROR"]
    program = ["-c", _EMBEDDED] if settings.QUEUE == "embedded" else celery
    process = subprocess.Popen([sys.executable, *program], cwd=ROOT, env=env, start_new_session=True)
    try:
        yield process
    finally:
        kill(process, signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            process.wait(15)
        kill(process, signal.SIGKILL)
        process.wait(15)


def kill(process: subprocess.Popen[bytes], number: signal.Signals = signal.SIGKILL) -> None:
    """Send a signal to a worker and the processes of its pool."""
    try:
        os.killpg(process.pid, number)
    except ProcessLookupError:
        return


@pytest.fixture
def worker(transactional_db: None) -> Iterator[None]:
    """Somebody performs what is queued: the thread of this process, or a Celery worker by Redis."""
    if settings.QUEUE == "embedded":
        embedded.start()
        yield
        embedded.stop()
    else:
        with worker_process():
            yield
