"""Installations for faults: made once a run, copied for each test."""

import signal
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from subprocess import Popen
from uuid import UUID

import psycopg
import pytest

from tests.databases import lay_out_seeded
from tests.faults.installation import Filled, Site, fill, kill
from tests.servers import Missing, Postgres, Redis

WITNESS = """
create table witness(computation uuid);
create function tell() returns trigger language plpgsql as
    $$ begin insert into witness values (new.id); return new; end $$;
create trigger written after update of state on simulations_computation for each row
    when (new.state = 'done') execute function tell();
"""
"""Counts every time a result becomes visible, whatever our own code believes."""


@dataclass(slots=True)
class Stack:
    """A site on PostgreSQL and Redis, with its web server and a worker."""

    site: Site
    postgres: Postgres
    redis: Redis
    worker: Popen[bytes]

    @contextmanager
    def hanging_worker(self) -> Iterator[None]:
        """The worker does nothing meanwhile, and goes on afterwards where it was."""
        kill(self.worker, signal.SIGSTOP)
        try:
            yield
        finally:
            kill(self.worker, signal.SIGCONT)

    def times_written(self, address: str) -> int:
        """How often a result of this simulation became visible."""
        question = """
            select count(*) from witness
            join simulations_simulationrun run on run.computation_id = witness.computation where run.id = %s"""
        return int(self.site.rows(question, UUID(address.rstrip("/").rpartition("/")[2]))[0][0])


@pytest.fixture(scope="session")
def filled(tmp_path_factory: pytest.TempPathFactory, migrated_databases: Path) -> Filled:
    """An installation that every test has a copy of."""
    folder = tmp_path_factory.mktemp("installations") / "filled"
    lay_out_seeded(folder, migrated_databases)
    return fill(folder)


@pytest.fixture
def site(filled: Filled, tmp_path: Path) -> Site:
    """An installation on a file, which nobody serves yet."""
    return Site(tmp_path / "site", filled=filled)


@pytest.fixture(scope="session")
def stack(filled: Filled, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """One that runs; every test leaves it as whole as it found it."""
    with ExitStack() as running:
        folder = Path(running.enter_context(tempfile.TemporaryDirectory(prefix="armybuilder-faults-")))
        (folder / "postgres").mkdir()
        (folder / "redis").mkdir()
        folder.chmod(0o755)  # PostgreSQL runs as another user
        try:
            postgres, redis = Postgres(folder / "postgres"), Redis(folder / "redis")
        except Missing as missing:
            pytest.skip(str(missing))
        running.callback(postgres.stop)
        running.callback(redis.stop)
        site = Site(
            tmp_path_factory.mktemp("installations") / "stack",
            filled=filled,
            DATABASE_URL=postgres.url,
            REDIS_URL=redis.url,
            DATABASE_SECONDS="2",
            SECRET_KEY=(filled.folder / "secret_key").read_text(),
        )
        Site(filled.folder).run("manage.py", "backup", "--output", str(folder / "backup.tar.gz"))
        site.run("manage.py", "restore", "--yes", str(folder / "backup.tar.gz"))
        with psycopg.connect(postgres.url, autocommit=True) as database:
            database.execute(WITNESS)
        running.enter_context(site.served())
        worker = running.enter_context(site.worker())
        yield Stack(site, postgres, redis, worker)
