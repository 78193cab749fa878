"""The thread that looks after something again and again."""

import logging
import threading

import pytest
from django.db import OperationalError

from armybuilder.repeating_thread import OneOfAProcess, RepeatingThread

LOGGER = logging.getLogger(__name__)


class Work:
    """Fails as it is told, then says that it was done."""

    def __init__(self, *failures: Exception) -> None:
        self.failures = list(failures)
        self.done = threading.Event()

    def __call__(self) -> None:
        if self.failures:
            raise self.failures.pop(0)
        self.done.set()


def thread_of(work: Work) -> RepeatingThread:
    return RepeatingThread(work, name="of a test", seconds=0.01, logger=LOGGER)


def test_failures_are_told_and_end_nothing(caplog: pytest.LogCaptureFixture) -> None:
    work = Work(OperationalError("database is locked"), ValueError("a mistake"))
    thread = thread_of(work)
    thread.start()
    assert work.done.wait(10)
    thread.stop()
    assert [record.levelname for record in caplog.records] == ["WARNING", "ERROR"]
    assert "database is locked" in caplog.text


def test_a_process_has_one_and_makes_it_anew_after_a_stop() -> None:
    made: list[RepeatingThread] = []
    work = Work()

    def make() -> RepeatingThread:
        made.append(thread_of(work))
        return made[-1]

    one = OneOfAProcess(make)
    for _ in range(2):
        one.start()
    assert len(made) == 1
    one.stop()
    work.done.clear()
    one.start()
    assert work.done.wait(10)
    one.stop()
    assert len(made) == 2
