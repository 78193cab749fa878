"""PgBouncer in transaction mode: clients share few connections, and nothing is left on one for the next."""

import signal
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import psycopg
import pytest

from tests.faults.conftest import Stack
from tests.faults.installation import Site, begin_edits, is_all_stored, kill, patiently
from tests.servers import Missing, PgBouncer
from tests.simulations.conftest import slow

pytestmark = [pytest.mark.long, pytest.mark.services]

CONNECTIONS = 3
"""For two web processes of eight threads and a worker."""


@pytest.fixture
def pooled(stack: Stack) -> Iterator[Site]:
    """The site of the stack by way of PgBouncer; its own servers stand still meanwhile."""
    with ExitStack() as running:
        folder = Path(running.enter_context(tempfile.TemporaryDirectory(prefix="armybuilder-pgbouncer-")))
        folder.chmod(0o755)  # PgBouncer runs as another user
        try:
            bouncer = PgBouncer(folder, stack.postgres, connections=CONNECTIONS)
        except Missing as missing:
            pytest.skip(str(missing))
        running.callback(bouncer.stop)
        running.enter_context(stack.hanging_worker())
        kept = {name: stack.site.environment[name] for name in ("REDIS_URL", "SECRET_KEY", "DATABASE_SECONDS")}
        site = Site(stack.site.folder, **kept, DATABASE_URL=bouncer.url, PGBOUNCER="on", WEB_WORKERS="2")
        site.lists, site.token = stack.site.lists, stack.site.token
        running.enter_context(site.served())
        running.callback(kill, running.enter_context(site.worker()), signal.SIGTERM)
        yield site


def left_on_connections(site: Site) -> set[str]:
    """The `statement_timeout` of each connection to PostgreSQL, all of them held at once."""
    with ExitStack() as held:
        found = set()
        for _ in range(CONNECTIONS):
            connection = held.enter_context(psycopg.connect(site.environment["DATABASE_URL"], prepare_threshold=None))
            found.add(str(connection.execute("show statement_timeout").fetchall()[0][0]))
        return found


def test_edits_simulations_and_backups_share_few_connections(pooled: Site, stack: Stack, tmp_path: Path) -> None:
    first = {list_id: len(stack.site.stored(list_id)) - 1 for list_id in pooled.lists}
    answered, enough, threads = begin_edits(pooled)
    address = pooled.simulate(slow(seed=7001, rounds=2))
    assert patiently(lambda: min(map(len, answered.values())) >= 10)
    assert patiently(lambda: pooled.state(address) == "done", seconds=90)
    pooled.run("manage.py", "backup", "--output", str(tmp_path / "backup.tar.gz"))
    enough.set()
    for thread in threads:
        thread.join(60)
    before = {list_id: [name for _, name in stack.site.stored(list_id)][1 : first[list_id] + 1] for list_id in first}
    is_all_stored(stack.site, {list_id: before[list_id] + names for list_id, names in answered.items()}, deaths=0)
    assert pooled.result(address)["trials"] == 1_000_000
    assert stack.times_written(address) == 1
    assert left_on_connections(pooled) == {"0"}, "no limit of one client's is left for the next"
    users = "select count(*) from pg_stat_activity where datname = 'armybuilder' and state = 'idle in transaction'"
    assert stack.site.rows(users)[0][0] == 0
