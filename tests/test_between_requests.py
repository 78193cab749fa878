"""Connections are tidied before and after every request of a web process, as Django does it."""

import subprocess
import sys
from collections.abc import Iterator

import pytest
from django.core import signals
from django.core.cache import close_caches
from django.core.cache.backends.locmem import LocMemCache
from django.db import close_old_connections, connection, reset_queries

from armybuilder.between_requests import tidy_once

RECEIVERS = """
from armybuilder.wsgi import application
from django.core import signals
for signal in (signals.request_started, signals.request_finished):
    print(*sorted(reference().__name__ for _, reference, *_ in signal.receivers))
"""


@pytest.fixture
def as_in_a_web_process() -> Iterator[None]:
    before = signals.request_started.receivers[:], signals.request_finished.receivers[:]
    yield
    signals.request_started.receivers, signals.request_finished.receivers = before


def test_a_web_process_has_one_receiver_for_each() -> None:
    said = subprocess.run([sys.executable, "-c", RECEIVERS], capture_output=True, text=True, check=True).stdout
    assert said.split() == ["_tidy", "_tidy", "reset_urlconf"]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("signal", [signals.request_started, signals.request_finished], ids=["before", "after"])
@pytest.mark.usefixtures("as_in_a_web_process")
def test_what_is_too_old_is_closed_and_the_log_is_empty(signal: object) -> None:
    tidy_once()
    connection.ensure_connection()
    connection.queries_log.append({"sql": "SELECT 1", "time": "0"})
    signal.send(sender=None)  # type: ignore[attr-defined]
    assert connection.connection is not None
    assert not connection.queries_log
    connection.close_at = 0
    signal.send(sender=None)  # type: ignore[attr-defined]
    assert connection.connection is None


@pytest.mark.usefixtures("as_in_a_web_process")
def test_a_cache_with_something_to_close_is_closed_by_django(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LocMemCache, "close", lambda cache, **_: None)
    signals.request_finished.connect(close_caches)
    tidy_once()
    left = [receiver() for _, receiver, *_ in signals.request_finished.receivers]
    assert close_caches in left
    assert close_old_connections not in left
    assert reset_queries not in [receiver() for _, receiver, *_ in signals.request_started.receivers]
