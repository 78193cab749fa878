"""Who waits is woken over a real Redis after the commit, and looks now and then while it is away."""

import signal
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from pytest_django import Settings

from armybuilder.accounts.models import User
from armybuilder.accounts.viewers import Viewer
from armybuilder.simulations import dispatch, raw_sql, services, wake_ups
from armybuilder.simulations.tasks import perform_next
from tests.servers import Missing, Redis
from tests.simulations.conftest import quick

LONG = 60.0


@pytest.fixture
def redis(tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Redis]:
    try:
        server = Redis(tmp_path)
    except Missing as missing:
        pytest.skip(str(missing))
    settings.QUEUE, settings.REDIS_URL = "redis", server.url
    monkeypatch.setattr(wake_ups, "_away_until", 0.0)
    monkeypatch.setattr(wake_ups, "_kept", [])
    wake_ups._client.cache_clear()
    yield server
    server.stop()
    wake_ups._client.cache_clear()


def is_listening(waiting: wake_ups.Listener) -> bool:
    return waiting.listening is not None


@pytest.mark.services
@pytest.mark.long
class TestWithRedis:
    def test_who_waits_is_told_of_his_own(self, redis: Redis) -> None:
        mine, others = uuid4(), uuid4()
        with wake_ups.waiting_for(mine) as waiting:
            assert is_listening(waiting)
            wake_ups.tell(others)
            assert not waiting.sleep(0.1)
            wake_ups.tell(mine)
            assert waiting.sleep(LONG)

    def test_several_who_wait_for_one_are_told(self, redis: Redis) -> None:
        asked = uuid4()
        with wake_ups.waiting_for(asked) as first, wake_ups.waiting_for(asked) as second:
            assert is_listening(first)
            assert is_listening(second)
            wake_ups.tell(asked)
            assert first.sleep(LONG)
            assert second.sleep(LONG)

    def test_a_connection_serves_again_and_hears_nothing_of_before(self, redis: Redis) -> None:
        before, now = uuid4(), uuid4()
        with wake_ups.waiting_for(before) as waiting:
            kept = waiting.listening
            assert is_listening(waiting)
            wake_ups.tell(before)
        with wake_ups.waiting_for(now) as waiting:
            assert waiting.listening is kept
            wake_ups.tell(before)
            assert not waiting.sleep(0.1)
            wake_ups.tell(now)
            assert waiting.sleep(LONG)

    def test_who_finds_the_spare_connection_taken_opens_one(
        self, redis: Redis, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        class TakenMeanwhile(list[object]):
            def pop(self, *_: object) -> object:
                raise IndexError("another thread was quicker")

        monkeypatch.setattr(wake_ups, "_kept", TakenMeanwhile([object()]))
        with wake_ups.waiting_for(uuid4()) as waiting:
            assert is_listening(waiting)

    @pytest.mark.django_db(transaction=True)
    def test_a_worker_tells_when_the_answer_is_stored(
        self, redis: Redis, owner: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(dispatch, "send", lambda computation_id: True)
        run = services.request_simulation(Viewer(user=owner), quick())
        with wake_ups.waiting_for(run.computation_id) as waiting:
            assert is_listening(waiting)
            assert not raw_sql.is_finished(run.computation_id)
            perform_next()
            assert waiting.sleep(LONG)
            assert raw_sql.is_finished(run.computation_id)

    def test_it_looks_when_it_is_told(self, redis: Redis, monkeypatch: pytest.MonkeyPatch) -> None:
        asked, looks = uuid4(), []

        def is_finished(computation_id: object) -> bool:
            looks.append(len(looks) == 1)
            if len(looks) == 1:  # stored after this look
                wake_ups.tell(asked)
            return looks[-1]

        monkeypatch.setattr(raw_sql, "is_finished", is_finished)
        monkeypatch.setattr(dispatch, "LONGEST_PAUSE", LONG)
        assert dispatch.wait_for(asked, seconds=LONG)
        assert looks == [False, True]

    def test_it_does_not_wait_for_a_redis_that_hangs(self, redis: Redis, monkeypatch: pytest.MonkeyPatch) -> None:
        with wake_ups.waiting_for(uuid4()) as waiting:
            assert is_listening(waiting)
        monkeypatch.setattr(wake_ups, "SUBSCRIBE_SECONDS", 0.05)
        redis._process.send_signal(signal.SIGSTOP)
        try:
            with wake_ups.waiting_for(uuid4()) as waiting:
                assert not is_listening(waiting)
        finally:
            redis._process.send_signal(signal.SIGCONT)
        assert wake_ups._away_until > 0

    def test_it_goes_on_looking_when_redis_dies_and_listens_when_it_is_back(
        self, redis: Redis, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        asked = uuid4()
        with wake_ups.waiting_for(asked):
            pass  # a connection is kept
        with wake_ups.waiting_for(asked) as waiting, wake_ups.waiting_for(uuid4()) as other:
            assert is_listening(waiting)
            redis.kill()
            while waiting.listening is not None:
                waiting.sleep(LONG)
            assert not waiting.sleep(0.01)
            wake_ups.tell(asked)  # nobody is there
            assert wake_ups._kept == []
            assert other.listening is not None  # it finds out by itself, below
        assert wake_ups._kept == []
        with wake_ups.waiting_for(asked) as waiting:
            assert waiting.listening is None
        redis.start()
        monkeypatch.setattr(wake_ups, "_away_until", 0.0)
        with wake_ups.waiting_for(asked) as waiting:
            assert is_listening(waiting)
            wake_ups.tell(asked)
            assert waiting.sleep(LONG)


@pytest.mark.parametrize("seconds", [0.0, 0.05])
def test_a_redis_that_is_away_is_asked_once(
    seconds: float, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.QUEUE, settings.REDIS_URL = "redis", "redis://127.0.0.1:9/0"
    asked, looks = uuid4(), []
    monkeypatch.setattr(wake_ups, "_away_until", 0.0)
    monkeypatch.setattr(raw_sql, "is_finished", lambda computation_id: looks.append(computation_id) or len(looks) > 9)
    wake_ups._client.cache_clear()
    assert not dispatch.wait_for(asked, seconds=seconds)
    first = wake_ups._away_until
    assert first > 0
    wake_ups.tell(asked)
    assert wake_ups._away_until == first
    assert set(looks) == {asked}
    wake_ups._client.cache_clear()


@pytest.mark.django_db
def test_the_worker_beside_the_site_needs_none(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    assert settings.QUEUE == "embedded" or settings.REDIS_URL
    settings.QUEUE = "embedded"
    monkeypatch.setattr(wake_ups, "_client", lambda: pytest.fail("Redis is asked"))
    wake_ups.tell(uuid4())
    with wake_ups.waiting_for(uuid4()) as waiting:
        assert waiting.listening is None
