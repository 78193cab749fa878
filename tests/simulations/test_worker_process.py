"""The worker beside the web process is one that can be lost, stopped and limited, while the site goes on."""

import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings as site
from pytest_django import Settings

from armybuilder.accounts.models import User
from armybuilder.accounts.viewers import Viewer
from armybuilder.simulations import dispatch, embedded, queries, services
from armybuilder.simulations.models import Chunk, RunState
from tests.simulations.conftest import database_url, quick, slow, wait_for, wait_until

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.long,
    pytest.mark.skipif(site.QUEUE != "embedded", reason="about workers beside the web process"),
]


@pytest.fixture
def viewer(owner: User) -> Viewer:
    return Viewer(user=owner)


@pytest.fixture
def worker(
    monkeypatch: pytest.MonkeyPatch, settings: Settings, transactional_db: None
) -> Iterator[embedded.EmbeddedWorker]:
    """One process, with the database of the tests."""
    monkeypatch.setenv("DATABASE_URL", database_url())
    monkeypatch.setenv("VAR_DIR", str(settings.VAR_DIR))
    monkeypatch.setenv("SECRET_KEY", "a key of the worker, which signs nothing")
    worker = embedded.EmbeddedWorker(1)
    monkeypatch.setattr(dispatch, "send", lambda computation_id: worker.wake())
    worker.start()
    yield worker
    worker.stop()


def test_it_starts_with_its_first_work_and_answers(viewer: Viewer, worker: embedded.EmbeddedWorker) -> None:
    assert worker.processes[0].pid is None
    run = services.request_simulation(viewer, quick())
    wait_for(run.computation)
    assert worker.processes[0].pid not in (None, os.getpid())
    assert queries.attempts_of(run) == 1


def test_a_lost_one_is_replaced_at_once(viewer: Viewer, worker: embedded.EmbeddedWorker) -> None:
    run = services.request_simulation(viewer, slow(rounds=8))
    chunks = Chunk.objects.filter(computation=run.computation_id)
    wait_until(lambda: chunks.filter(state=RunState.RUNNING).exists())
    first = worker.processes[0].pid
    assert first is not None
    os.kill(first, signal.SIGKILL)
    wait_for(run.computation)
    assert worker.processes[0].pid not in (None, first)
    assert queries.attempts_of(run) == 5, "four pieces, one of them twice"


def test_what_does_not_listen_is_killed(
    viewer: Viewer, worker: embedded.EmbeddedWorker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that is stopped stands for a computation that never asks whether it shall end."""
    run = services.request_simulation(viewer, slow(rounds=8))
    wait_until(lambda: Chunk.objects.filter(computation=run.computation_id, state=RunState.RUNNING).exists())
    first = worker.processes[0].pid
    assert first is not None
    os.kill(first, signal.SIGSTOP)
    services.cancel(viewer, run.pk)
    after = services.request_simulation(viewer, quick())
    wait_for(after.computation)
    assert worker.processes[0].pid not in (None, first)
    assert queries.visible_run(run.pk, viewer).state == RunState.CANCELLED


def test_what_takes_too_long_is_killed_and_said_so(
    viewer: Viewer, worker: embedded.EmbeddedWorker, settings: Settings
) -> None:
    wait_for(services.request_simulation(viewer, quick()).computation)
    settings.TASK_SECONDS = 1  # of the one who looks after the worker, which still has ten minutes
    run = services.request_simulation(viewer, slow(rounds=16))
    wait_until(lambda: Chunk.objects.filter(computation=run.computation_id, state=RunState.RUNNING).exists())
    assert worker.processes[0].pid is not None
    os.kill(worker.processes[0].pid, signal.SIGSTOP)
    wait_for(run.computation, RunState.FAILED)
    run = queries.visible_run(run.pk, viewer)
    assert (run.computation.error_code, "1 seconds" in run.error) == ("time-limit", True)


def test_what_takes_too_much_memory_fails_and_the_next_is_answered(
    viewer: Viewer, worker: embedded.EmbeddedWorker, monkeypatch: pytest.MonkeyPatch
) -> None:
    wait_for(services.request_simulation(viewer, quick(2)).computation)
    status = Path(f"/proc/{worker.processes[0].pid}/status").read_text()
    takes = int(re.findall(r"VmData:\s+(\d+) kB", status)[0])
    monkeypatch.setenv("WORKER_MEMORY_KILOBYTES", str(takes + 24_000))
    worker.processes[0].replace()
    run = services.request_simulation(viewer, slow(trials=250_000, rounds=16))
    wait_for(run.computation, RunState.FAILED)
    run = queries.visible_run(run.pk, viewer)
    assert run.computation.error_code == "memory-limit"
    wait_for(services.request_simulation(viewer, quick()).computation)
