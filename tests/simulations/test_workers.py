"""Queued work is done by the embedded thread and by Celery alike, and survives the death of whoever does it."""

import signal
import threading
import time
from contextlib import nullcontext

import msgspec
import pytest
from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.db import OperationalError, connections
from pytest_django import Settings

from armybuilder.accounts.models import User
from armybuilder.accounts.viewers import Viewer
from armybuilder.celery import app
from armybuilder.simulations import dispatch, embedded, queries, requests, runs, services, working
from armybuilder.simulations.models import Chunk, Computation, RunState
from armybuilder.simulations.tasks import perform_computation, perform_next
from tests.simulations.conftest import kill, quick, slow, wait_for, wait_until, worker_process

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases, pytest.mark.long]


@pytest.fixture
def viewer(owner: User) -> Viewer:
    return Viewer(user=owner)


def test_a_request_is_answered(viewer: Viewer, worker: None) -> None:
    run = services.request_simulation(viewer, quick() | {"id": "mine"})
    wait_for(run.computation)
    run = queries.visible_run(run.pk, viewer)
    result = queries.result_of(run)
    assert (run.state, result["kind"], result["id"]) == (RunState.DONE, "dice_roll", "mine")
    assert result["metrics"]["total"] == pytest.approx(3 * 4.2)
    assert (queries.progress_of(run), queries.attempts_of(run)) == (1.0, 1)


def test_chunks_give_the_same_answer_whoever_computes_them(viewer: Viewer, worker: None) -> None:
    first = services.request_simulation(viewer, slow(seed=5, rounds=1))
    wait_for(first.computation)
    assert first.computation.chunk_count == 4
    results = [queries.result_of(queries.visible_run(first.pk, viewer))]
    Computation.objects.filter(pk=first.computation_id).update(request_hash="asked before")
    again = services.request_simulation(viewer, slow(seed=5, rounds=1))
    wait_for(again.computation)
    results.append(queries.result_of(queries.visible_run(again.pk, viewer)))
    assert results[0] == results[1]
    assert results[0]["trials"] == 1_000_000


def test_a_running_computation_is_stopped(viewer: Viewer, worker: None) -> None:
    run = services.request_simulation(viewer, slow())
    wait_for(run.computation, RunState.RUNNING)
    assert services.cancel(viewer, run.pk).state == RunState.CANCELLED
    wait_until(lambda: not Chunk.objects.filter(state=RunState.RUNNING).exists())
    time.sleep(0.2)
    assert Computation.objects.get(pk=run.computation_id).state == RunState.CANCELLED


def test_what_cannot_be_answered_fails_with_its_reason(viewer: Viewer, worker: None) -> None:
    run = services.request_simulation(viewer, quick())
    wait_for(run.computation)
    broken = Computation.objects.create(
        kind="matchup", request='{"system":"relic"}', request_hash="x", model_version="1", seed=0, chunk_count=1
    )
    Chunk.objects.create(computation=broken, index=0)  # unsent: the sweep finds it
    wait_for(broken, RunState.FAILED)
    broken.refresh_from_db()
    assert (broken.error_code, "kind" in broken.error) == ("bad-document", True)


def test_what_takes_too_long_is_stopped(viewer: Viewer, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dispatch, "send", lambda computation_id: None)
    run = services.request_simulation(viewer, slow())
    settings.TASK_SECONDS = 0
    perform_computation(str(run.computation_id))
    run = queries.visible_run(run.pk, viewer)
    assert (run.state, run.computation.error_code) == (RunState.FAILED, "limit-exceeded")
    assert "0 seconds" in run.error


@pytest.mark.parametrize(
    ("error", "code", "is_raised"),
    [(SoftTimeLimitExceeded(), "time-limit", False), (ZeroDivisionError(), "internal-error", True)],
)
def test_every_failure_ends_in_a_visible_state(
    error: Exception, code: str, is_raised: bool, viewer: Viewer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(chunk: runs.ClaimedChunk) -> str:
        raise error

    monkeypatch.setattr(dispatch, "send", lambda computation_id: None)
    monkeypatch.setattr(working, "answer_chunk", fail)
    run = services.request_simulation(viewer, quick())
    with pytest.raises(type(error)) if is_raised else nullcontext():
        perform_computation(str(run.computation_id))
    run = queries.visible_run(run.pk, viewer)
    assert (run.state, run.computation.error_code) == (RunState.FAILED, code)
    assert "ZeroDivision" not in run.error


def test_a_busy_database_gives_the_chunk_back(viewer: Viewer, monkeypatch: pytest.MonkeyPatch) -> None:
    def busy(chunk: runs.ClaimedChunk) -> str:
        raise OperationalError("database is locked")

    monkeypatch.setattr(dispatch, "send", lambda computation_id: None)
    run = services.request_simulation(viewer, quick())
    with monkeypatch.context() as patch, pytest.raises(OperationalError):
        patch.setattr(working, "answer_chunk", busy)
        perform_computation(str(run.computation_id))
    assert list(run.computation.chunks.values_list("state", "attempts")) == [(RunState.QUEUED, 0)]
    perform_computation(str(run.computation_id))
    assert queries.visible_run(run.pk, viewer).state == RunState.DONE


def test_a_run_left_by_a_dead_process_is_taken_up(viewer: Viewer, monkeypatch: pytest.MonkeyPatch) -> None:
    """SIGKILL to a real worker process that holds a claimed chunk: one result, and the attempt is counted."""
    monkeypatch.setattr(dispatch, "send", runs.unsent)  # only the process works
    run = services.request_simulation(viewer, slow(rounds=16))
    chunks = Chunk.objects.filter(computation=run.computation_id)
    with worker_process() as first:
        wait_until(lambda: chunks.filter(state=RunState.RUNNING).exists())
        kill(first, signal.SIGKILL)
        first.wait(10)
    held = set(chunks.filter(state=RunState.RUNNING).values_list("index", flat=True))
    assert held, "one, or two where two processes work"
    assert all((chunk.attempts, chunk.worker is not None) == (1, True) for chunk in chunks.filter(index__in=held))
    with worker_process():
        wait_for(run.computation)
    assert Computation.objects.count() == 1
    assert msgspec.json.decode(Computation.objects.get().result)["trials"] == 1_000_000
    attempts = {index: 2 if index in held else 1 for index in range(4)}
    assert dict(chunks.filter(state=RunState.DONE).values_list("index", "attempts")) == attempts
    assert queries.attempts_of(run) == 4 + len(held)


def test_a_queue_that_is_away_keeps_the_run(
    viewer: Viewer, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    nobody_listens = app.connection_for_write(url="redis://127.0.0.1:1/0")
    settings.QUEUE = "redis"
    monkeypatch.setattr(perform_next, "delay", lambda: perform_next.apply_async((), connection=nobody_listens))
    started = time.monotonic()
    run = services.request_simulation(viewer, quick(4))
    assert time.monotonic() - started < 5
    run = queries.visible_run(run.pk, viewer)
    assert (run.state, queries.is_waiting_for_queue(run), queries.result_of(run)) == (RunState.QUEUED, True, None)
    assert runs.claim_sending() == [run.computation_id]


def test_workers_at_the_same_time_share_the_chunks(viewer: Viewer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Four deliveries of one message at once: every chunk is computed once, and the last one completes the whole."""
    monkeypatch.setattr(dispatch, "send", lambda computation_id: None)
    monkeypatch.setattr(requests, "TRIALS_OF_A_CHUNK", 2_000)
    run = services.request_simulation(viewer, slow(trials=48_000))

    def deliver() -> None:
        try:
            perform_computation(str(run.computation_id))
        finally:
            connections.close_all()

    threads = [threading.Thread(target=deliver) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    run = queries.visible_run(run.pk, viewer)
    assert (run.state, queries.result_of(run)["trials"]) == (RunState.DONE, 48_000)
    assert list(run.computation.chunks.values_list("state", "attempts")) == [(RunState.DONE, 1)] * 24


@pytest.mark.skipif(settings.QUEUE != "embedded", reason="about the thread in the web process")
def test_two_web_processes_share_the_work(viewer: Viewer) -> None:
    workers = [embedded.EmbeddedWorker() for _ in range(2)]
    for each in workers:
        each.start()
    try:
        run = services.request_simulation(viewer, slow(seed=9))
        for each in workers:
            each.wake()
        wait_for(run.computation)
    finally:
        for each in workers:
            each.stop()
        embedded.stop()
    assert list(run.computation.chunks.values_list("state", "attempts")) == [(RunState.DONE, 1)] * 4
