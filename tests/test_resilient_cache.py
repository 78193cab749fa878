"""A Redis that hangs, or is away, costs a second and lets nobody do more than is allowed; a real one is stopped."""

import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import redis

from armybuilder.resilient_cache import CountingRedisCache
from tests.servers import KEY, Missing, running_redis
from tests.test_settings import python

COUNTED = """
import django; django.setup()
from time import monotonic
from armybuilder.accounts import attempts
from api.throttles import _count
began = monotonic()
refused = []
for number in range(25):
    refused.append(attempts.too_many("owner", "203.0.113.7"))
    attempts.note_failure("owner", "203.0.113.7")
print(refused.index(True), [_count("api:anon:203.0.113.7", 60) for _ in range(3)], monotonic() - began < 4)
"""

SENT = """
import django; django.setup()
from time import monotonic
from uuid import uuid4
from armybuilder.simulations import dispatch, runs
runs.unsent = lambda computation_id: None
for most in (15, 0.1):
    began = monotonic()
    print(dispatch.send(uuid4(), messages=1), monotonic() - began < most)
"""


@contextmanager
def hanging_redis() -> Iterator[str]:
    """REDIS_URL of a server that takes connections and never answers."""
    with running_redis() as url:
        process = redis.Redis.from_url(url).info("server")["process_id"]
        subprocess.run(["kill", f"-{signal.SIGSTOP.value}", str(process)], check=True)
        try:
            yield url
        finally:
            subprocess.run(["kill", f"-{signal.SIGCONT.value}", str(process)], check=True)


@pytest.mark.long
def test_limits_hold_while_redis_is_away() -> None:
    assert python(COUNTED, REDIS_URL="redis://127.0.0.1:9/0", SECRET_KEY=KEY).split("\n")[0] == "10 [1, 2, 3] True"


@pytest.mark.services
@pytest.mark.parametrize(("program", "said"), [(COUNTED, "10 [1, 2, 3] True"), (SENT, "False True\nFalse True")])
def test_a_redis_that_hangs_holds_nobody(program: str, said: str) -> None:
    try:
        with hanging_redis() as url:
            assert python(program, REDIS_URL=url, SECRET_KEY=KEY).strip() == said
    except Missing as missing:
        pytest.skip(str(missing))


COUNTS = """
import django; django.setup()
from django.core.cache import caches
counts = caches["counts"]
try:
    counts.incr("tries")
except ValueError:
    print("nothing yet")
counts.add("tries", 1, 60)
print(counts.incr("tries"), counts.incr("tries", 5), counts.get("tries"))
client = counts._cache.get_client()
print(0 < client.ttl(counts.make_key("tries")) <= 60, client.info("commandstats")["cmdstat_eval"]["calls"])
"""


@pytest.mark.services
def test_a_count_goes_on_in_one_step_and_ends_in_time() -> None:
    try:
        with running_redis() as url:
            assert python(COUNTS, REDIS_URL=url, SECRET_KEY=KEY).splitlines() == ["nothing yet", "2 7 7", "True 3"]
    except Missing as missing:
        pytest.skip(str(missing))


def test_one_client_asks_redis_however_often(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A client is a table of two hundred commands: making it took longer than the question."""
    made = []
    begin = redis.Redis.__init__

    def counted(self: redis.Redis, *args: object, **kwargs: object) -> None:
        made.append(self)
        begin(self, *args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(redis.Redis, "__init__", counted)
    cache = CountingRedisCache(redis_url, {})
    cache.set("kept", "value")
    cache.add("count", 1)
    assert [cache.incr("count") for _ in range(3)] == [2, 3, 4]
    assert cache.get("kept") == "value"
    assert len(made) == 1
