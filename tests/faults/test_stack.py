"""A site on PostgreSQL and Redis whose parts are killed, stopped and confused: nothing is lost, doubled or stuck."""

import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg
import pytest

from tests.breadth import in_turn
from tests.faults.conftest import Stack
from tests.faults.installation import Clock, begin_edits, is_all_stored, kill, patiently, published_once, publisher
from tests.gamedata_files import GAME_SYSTEM
from tests.simulations.conftest import slow

pytestmark = [pytest.mark.long, pytest.mark.services]

SEEDS = count(1)
"""No question is asked twice: it would be answered at once."""


def question(rounds: int = 2) -> dict[str, object]:
    """One in four chunks."""
    return slow(seed=next(SEEDS), rounds=rounds)


def is_done_once(stack: Stack, address: str) -> None:
    """It ends by itself, with all its trials, and its result was written once."""
    assert patiently(lambda: stack.site.state(address) == "done", seconds=90), stack.site.ask("GET", address)
    assert stack.site.result(address)["trials"] == 1_000_000
    assert stack.times_written(address) == 1


def test_redis_is_killed_with_all_that_waits_in_it_and_returns_empty(stack: Stack) -> None:
    site = stack.site
    with stack.hanging_worker():
        waiting = [site.simulate(question()) for _ in range(3)]
        stack.redis.kill()
        assert site.rename(site.lists[0], "while Redis is away") == 200
        waiting.append(site.simulate(question()))
        assert {site.state(address) for address in waiting} == {"queued"}
        stack.redis.start()
    for address in waiting:
        is_done_once(stack, address)
    assert site.name_of(site.lists[0]) == "while Redis is away"


def test_postgresql_is_killed_amid_edits_and_a_computation_and_returns(stack: Stack) -> None:
    site = stack.site
    first = {list_id: len(site.stored(list_id)) - 1 for list_id in site.lists}
    computing = site.simulate(question(rounds=8))
    answered, enough, threads = begin_edits(site)
    assert patiently(lambda: min(map(len, answered.values())) >= 3)
    stack.postgres.kill()
    assert site.rename(site.lists[0], "while PostgreSQL is away") == 503
    assert site.ask("GET", "/healthz/").status == 200
    until_then = {list_id: len(names) for list_id, names in answered.items()}
    stack.postgres.start()
    assert patiently(lambda: all(len(names) >= until_then[list_id] + 3 for list_id, names in answered.items()))
    enough.set()
    for thread in threads:
        thread.join(60)
    before = {list_id: [name for _, name in site.stored(list_id)][1 : first[list_id] + 1] for list_id in site.lists}
    is_all_stored(site, {list_id: before[list_id] + names for list_id, names in answered.items()})
    is_done_once(stack, computing)


def test_messages_that_come_many_times_to_two_workers(stack: Stack) -> None:
    site = stack.site
    address = site.simulate(question(rounds=4))
    (found,) = site.rows("select computation_id from simulations_simulationrun order by created desc limit 1")
    again = f"""
import django; django.setup()
from armybuilder.simulations.tasks import perform_computation, perform_next
for _ in range(10):
    perform_computation.delay({str(found[0])!r})
    perform_next.delay()
"""
    with site.worker():
        site.run("-c", again)
        is_done_once(stack, address)
    assert site.rows("select max(attempts) from simulations_chunk where computation_id = %s", found[0]) == [(1,)]
    text = site.ask("GET", "/metrics", Authorization="Bearer figures").body.decode()
    counted = re.search(r'armybuilder_task_seconds_count\{kind="\w+"\} (\d+)', text)
    assert counted and int(counted[1]) >= 4, "what Celery workers compute is counted where the site shows it"


@pytest.mark.parametrize("days", in_turn(0, [1, -1], of=2))
def test_a_worker_whose_clock_is_a_day_off_is_killed(stack: Stack, tmp_path: Path, days: int) -> None:
    """What it did counts, and what it held is taken up after the lease, not after a day."""
    site = stack.site
    latest = "select computation_id from simulations_simulationrun order by created desc limit 1"
    with stack.hanging_worker():
        address = site.simulate(question(rounds=8))
        chunks = f"select count(*) from simulations_chunk where state = %s and computation_id = ({latest})"
        with site.worker(**Clock(tmp_path, days=days).settings) as other:
            assert patiently(lambda: site.rows(chunks, "done")[0][0] > 0 and site.rows(chunks, "running")[0][0] > 0)
            kill(other)
    is_done_once(stack, address)


@contextmanager
def no_connection_left(stack: Stack) -> Iterator[None]:
    """Everybody loses the connections they had, and others take all there are."""
    theirs = "select pid from pg_stat_activity where backend_type = 'client backend' and application_name <> 'crowd'"
    with ExitStack() as crowd:

        def enter() -> psycopg.Connection:
            return crowd.enter_context(
                psycopg.connect(stack.postgres.url, autocommit=True, application_name="crowd", connect_timeout=5)
            )

        first = enter()
        for _ in range(200):
            first.execute(f"select pg_terminate_backend(pid) from ({theirs}) others(pid)".encode())
            try:
                enter()
            except psycopg.OperationalError:
                if not first.execute(theirs.encode()).fetchall():
                    break
        yield


def test_no_connection_is_left_for_a_while(stack: Stack) -> None:
    site = stack.site
    address = site.simulate(question(rounds=4))
    names = len(site.stored(site.lists[0]))
    with no_connection_left(stack):
        statuses = {site.rename(site.lists[0], "refused") for _ in range(10)}
        assert statuses == {503}
        assert site.ask("GET", "/healthz/").status == 200
    assert patiently(lambda: site.rename(site.lists[0], "accepted") == 200)
    assert [name for _, name in site.stored(site.lists[0])][names:] == ["accepted"]
    is_done_once(stack, address)


def test_a_database_that_is_slow_refuses_in_time_and_goes_on(stack: Stack) -> None:
    site = stack.site
    names = len(site.stored(site.lists[0]))
    with psycopg.connect(stack.postgres.url) as other:
        other.execute("lock table armylists_armylist in access exclusive mode")
        began = time.monotonic()
        assert site.rename(site.lists[0], "refused") == 503
        assert time.monotonic() - began < 20, "two seconds of DATABASE_SECONDS, and no thread is held"
        assert site.ask("GET", "/healthz/").status == 200
        other.rollback()
    assert site.rename(site.lists[0], "no longer slow") == 200
    assert [name for _, name in site.stored(site.lists[0])][names:] == ["no longer slow"]


@pytest.fixture
def small_disk_of_lists(stack: Stack) -> Iterator[Path]:
    """A disk of 24 MB that holds the tables of lists and their states, and can be filled."""
    tables = ("armylists_armylist", "armylists_revision")
    with TemporaryDirectory() as parent, psycopg.connect(stack.postgres.url, autocommit=True) as other:
        Path(parent).chmod(0o755)
        folder = Path(parent) / "disk"
        folder.mkdir()
        mount = ["mount", "-t", "tmpfs", "-o", "size=24m", "none", str(folder)]
        if os.geteuid() or subprocess.run(mount, capture_output=True, check=False).returncode:
            pytest.skip("only root may mount a disk to fill")
        try:
            shutil.chown(folder, "postgres")
            other.execute(f"create tablespace small location '{folder}'".encode())
            for table in tables:
                other.execute(f"alter table {table} set tablespace small".encode())
            yield folder
            for table in tables:
                other.execute(f"alter table {table} set tablespace pg_default".encode())
            other.execute("drop tablespace small")
        finally:
            subprocess.run(["umount", "--lazy", str(folder)], check=True)


def test_a_full_disk_of_the_database_refuses_edits_and_goes_on_with_room(
    stack: Stack, small_disk_of_lists: Path
) -> None:
    site = stack.site
    names = len(site.stored(site.lists[0]))
    assert site.rename(site.lists[0], "before") == 200
    ballast = small_disk_of_lists / "ballast"
    with ballast.open("wb", buffering=0) as file, suppress(OSError):
        while True:
            file.write(bytes(2**12))
    answers = [(site.rename(site.lists[0], name), name) for name in (f"{number}" + "x" * 80 for number in range(60))]
    assert 507 in {status for status, _ in answers} <= {200, 507}
    assert site.ask("GET", f"/api/v1/lists/{site.lists[1]}/").status == 200
    ballast.unlink()
    assert site.rename(site.lists[0], "after") == 200
    taken = ["before", *(name for status, name in answers if status == 200), "after"]
    assert [name for _, name in site.stored(site.lists[0])][names:] == taken


def test_two_publish_the_same_new_game_at_the_same_moment(stack: Stack, tmp_path: Path) -> None:
    """Both have read and worked out everything when they are let at the tables at once."""
    (tmp_path / "invented.gst").write_text(GAME_SYSTEM.format(revision=1))
    waiting = "select count(*) from pg_stat_activity where wait_event_type = 'Lock'"
    with psycopg.connect(stack.postgres.url) as other:
        other.execute("lock table datafiles_publishedsystem in exclusive mode")
        publishers = [publisher(stack.site, tmp_path) for _ in range(2)]
        assert patiently(lambda: stack.site.rows(waiting)[0][0] == 2)
        other.rollback()
    published_once(stack.site, publishers)
