"""A chunk is claimed by one worker, counted once, and never lost: a lost lease changes nothing more."""

from datetime import timedelta
from uuid import UUID, uuid4

import msgspec
import pytest
from django.db import connection
from django.utils import timezone

from armybuilder.engine.simulate import Result
from armybuilder.simulations import raw_sql, runs
from armybuilder.simulations.models import Chunk, Computation, RunKind, RunState
from armybuilder.simulations.requests import merged

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

DOCUMENT = '{"kind":"shooting","method":"montecarlo","system":"horus-heresy"}'


def make_computation(chunks: int = 1, **facts: object) -> Computation:
    computation = Computation.objects.create(
        kind=RunKind.MATCHUP,
        request=DOCUMENT,
        request_hash=uuid4().hex,
        model_version="1",
        seed=7,
        chunk_count=chunks,
        sent=timezone.now(),
        **facts,
    )
    Chunk.objects.bulk_create([Chunk(computation=computation, index=index) for index in range(chunks)])
    return computation


def part(trials: int, mean: float) -> str:
    result = Result(
        system="horus-heresy",
        kind="shooting",
        method="montecarlo",
        metrics={"models_slain": mean},
        trials=trials,
        seed=7,
        standard_errors={"models_slain": 0.1},
    )
    return msgspec.json.encode(result).decode()


def claim(computation: Computation, worker: UUID | None = None) -> runs.ClaimedChunk:
    chunk = runs.claim_chunk(computation.pk, worker=worker or uuid4())
    assert chunk is not None
    return chunk


def lose_lease(chunk: runs.ClaimedChunk) -> None:
    Chunk.objects.filter(pk=chunk.pk).update(lease_until=timezone.now() - timedelta(seconds=1))


def states(computation: Computation) -> tuple[str, list[tuple[str, int]]]:
    computation.refresh_from_db()
    return computation.state, list(computation.chunks.order_by("index").values_list("state", "attempts"))


def test_every_chunk_is_claimed_once() -> None:
    computation = make_computation(chunks=2)
    assert [claim(computation).index, claim(computation).index] == [0, 1]
    assert runs.claim_chunk(computation.pk, worker=uuid4()) is None
    assert states(computation) == ("running", [("running", 1), ("running", 1)])


def test_the_last_chunk_writes_the_weighted_result() -> None:
    computation = make_computation(chunks=2)
    first, second = claim(computation), claim(computation)
    assert runs.finish(second, part(300, 2.0), merge=merged)
    assert states(computation) == ("running", [("running", 1), ("done", 1)])
    assert runs.finish(first, part(100, 1.0), merge=merged)
    assert states(computation) == ("done", [("done", 1), ("done", 1)])
    result = msgspec.json.decode(computation.result)
    assert (result["metrics"], result["trials"], result["seed"]) == ({"models_slain": 1.75}, 400, 7)


def test_a_second_finish_changes_nothing() -> None:
    computation = make_computation()
    chunk = claim(computation)
    assert runs.finish(chunk, part(100, 1.0), merge=merged)
    assert not runs.finish(chunk, part(100, 9.0), merge=merged)
    assert Chunk.objects.get(pk=chunk.pk).part == "", "the result holds it, which is all there is"
    computation.refresh_from_db()
    assert msgspec.json.decode(computation.result)["metrics"] == {"models_slain": 1.0}


def test_a_worker_that_lost_its_lease_cannot_finish_fail_or_release() -> None:
    computation = make_computation()
    slow = claim(computation)
    lose_lease(slow)
    quick = claim(computation)
    assert not runs.finish(slow, part(100, 9.0), merge=merged)
    assert not runs.fail(slow, reason="too late")
    assert not runs.release(slow)
    assert states(computation) == ("running", [("running", 2)])
    assert runs.finish(quick, part(100, 1.0), merge=merged)
    computation.refresh_from_db()
    assert (computation.state, computation.error) == ("done", "")


def test_a_lease_that_holds_is_not_taken() -> None:
    computation = make_computation()
    claim(computation)
    assert runs.expire() == []
    assert runs.claim_chunk(computation.pk, worker=uuid4()) is None


def test_an_expired_chunk_waits_again_and_is_sent_at_once() -> None:
    computation = make_computation()
    lose_lease(claim(computation))
    assert runs.expire() == [computation.pk]
    assert runs.expire() == []
    assert states(computation) == ("running", [("queued", 1)])
    assert runs.claim_sending() == [computation.pk]
    assert runs.claim_sending() == []


def test_a_lease_of_a_clock_that_was_set_back_does_not_hold() -> None:
    computation = make_computation()
    held = claim(computation)
    ahead = timezone.now() + timedelta(days=1)
    Chunk.objects.filter(pk=held.pk).update(lease_until=ahead)
    again = claim(computation)
    assert (again.pk, again.worker != held.worker) == (held.pk, True)
    Chunk.objects.filter(pk=held.pk).update(lease_until=ahead)
    assert runs.expire() == [computation.pk]
    assert not runs.finish(held, part(100, 1.0), merge=merged)


def test_a_chunk_that_kills_its_workers_fails_visibly() -> None:
    computation = make_computation(chunks=2)
    for attempt in range(1, runs.MAX_ATTEMPTS + 1):
        chunk = claim(computation)
        assert (chunk.index, states(computation)[1][0]) == (0, ("running", attempt))
        lose_lease(chunk)
        runs.expire()
    assert states(computation) == ("failed", [("failed", runs.MAX_ATTEMPTS), ("cancelled", 0)])
    assert (computation.error_code, str(runs.MAX_ATTEMPTS) in computation.error) == ("workers-lost", True)


def test_release_gives_the_attempt_back() -> None:
    computation = make_computation()
    chunk = claim(computation)
    assert runs.release(chunk)
    assert states(computation) == ("running", [("queued", 0)])
    assert not runs.finish(chunk, part(100, 1.0), merge=merged)


def test_a_failure_ends_the_whole_and_names_its_reason() -> None:
    computation = make_computation(chunks=3)
    done, failed = claim(computation), claim(computation)
    runs.finish(done, part(100, 1.0), merge=merged)
    assert runs.fail(failed, reason="no such weapon", code="bad-document")
    assert states(computation) == ("failed", [("done", 1), ("failed", 1), ("cancelled", 0)])
    assert (computation.error, computation.error_code) == ("no such weapon", "bad-document")


def test_cancelled_work_is_neither_claimed_nor_finished() -> None:
    computation = make_computation(chunks=2)
    chunk = claim(computation)
    assert runs.cancel(computation.pk)
    assert not runs.cancel(computation.pk)
    assert runs.claim_chunk(computation.pk, worker=uuid4()) is None
    assert not runs.finish(chunk, part(100, 1.0), merge=merged)
    assert states(computation) == ("cancelled", [("cancelled", 1), ("cancelled", 0)])


def test_a_worker_notices_at_its_next_sign_of_life(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "HEARTBEAT_SECONDS", 0.0)
    computation = make_computation()
    chunk = claim(computation)
    chunk.report(0.5)
    assert Chunk.objects.get(pk=chunk.pk).progress == 0.5
    assert not chunk.should_stop()
    runs.cancel(computation.pk)
    assert chunk.should_stop()


def test_a_sign_of_life_renews_the_lease(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "HEARTBEAT_SECONDS", 0.0)
    chunk = claim(make_computation())
    lose_lease(chunk)
    chunk.report(0.1)
    assert runs.expire() == []


@pytest.mark.parametrize("ahead", [timedelta(days=1), timedelta(seconds=60), timedelta(days=-1)])
def test_a_worker_whose_clock_is_wrong_holds_and_takes_what_others_do(
    monkeypatch: pytest.MonkeyPatch, ahead: timedelta
) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("all who open a file share the clock of its machine; PostgreSQL runs this one")
    right, now = timezone.now(), timezone.now
    mine, others = make_computation(), make_computation(chunks=2)
    held = claim(others)
    monkeypatch.setattr(timezone, "now", lambda: now() + ahead)
    chunk = claim(mine)
    assert runs.expire() == [], "a lease of another that holds"
    claim(others)
    assert runs.claim_chunk(others.pk, worker=uuid4()) is None
    for lease in Chunk.objects.values_list("lease_until", flat=True):
        assert right < lease < right + 2 * runs.LEASE
    monkeypatch.setattr(runs, "HEARTBEAT_SECONDS", 0.0)
    chunk.report(0.5)
    assert right < Chunk.objects.get(pk=chunk.pk).lease_until < right + 2 * runs.LEASE
    runs.cancel(held.computation_id)
    assert runs.requeue(held.computation_id)
    assert runs.claim_sending() == [], "it was sent just now"


def test_a_lost_message_is_sent_again_soon_when_nobody_is_at_work() -> None:
    computation = make_computation()
    Computation.objects.filter(pk=computation.pk).update(sent=timezone.now() - 1.5 * runs.LEASE)
    assert runs.claim_sending() == [computation.pk]
    assert runs.claim_sending() == []
    assert runs.waiting() == [computation.pk]


def test_requeue_starts_from_the_beginning() -> None:
    computation = make_computation(chunks=2)
    runs.fail(claim(computation), reason="once")
    assert runs.requeue(computation.pk)
    assert states(computation) == ("queued", [("queued", 0), ("queued", 0)])
    assert computation.error == ""
    assert not runs.requeue(computation.pk)


def test_dice_depend_on_the_question_and_the_chunk_alone() -> None:
    one, other = make_computation(chunks=2), make_computation(chunks=2)
    rolls = {claim(one).rng().random(), claim(one).rng().random()}
    assert rolls == {claim(other).rng().random(), claim(other).rng().random()}
    assert len(rolls) == 2


def test_a_lost_message_is_sent_again_after_a_while() -> None:
    claim(make_computation())  # somebody is at work: the message may still stand in the queue
    computation = make_computation()
    assert runs.claim_sending() == []
    Computation.objects.filter(pk=computation.pk).update(sent=timezone.now() - 1.5 * runs.LEASE)
    assert runs.claim_sending() == []
    Computation.objects.filter(pk=computation.pk).update(sent=timezone.now() - 2 * runs.RESEND)
    assert runs.claim_sending() == [computation.pk]
    runs.unsent(computation.pk)
    assert runs.claim_sending() == [computation.pk]
    assert computation.chunks.get().state == RunState.QUEUED


@pytest.mark.django_db(transaction=True)
def test_work_is_committed_without_waiting_for_the_disk_and_questions_are_not() -> None:
    def level() -> int:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA synchronous")
            return int(cursor.fetchone()[0])

    if connection.vendor != "sqlite":
        pytest.skip("asks SQLite how it commits")
    strict = level()
    with raw_sql.worked_out_again_if_lost():
        assert level() == 1
    assert level() == 2
    with pytest.raises(RuntimeError), raw_sql.worked_out_again_if_lost():
        raise RuntimeError
    assert level() == 2
    assert strict == 2
