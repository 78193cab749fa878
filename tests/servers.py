"""Real PostgreSQL and Redis servers for tests: started on free loopback ports, stopped and removed afterwards."""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import LiteralString

import psycopg
from psycopg import sql

KEY = "only for tests, as long as a key should be, and never used by a server"
"""What signs in sites of the tests."""


class Missing(RuntimeError):
    """A server that is not installed here; the message says how to install it."""


def free_port() -> int:
    """A loopback port that nobody listens on at the moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for_port(port: int, *, seconds: float = 20, process: subprocess.Popen[bytes] | None = None) -> None:
    """Return once somebody listens on the port.

    Raises:
        RuntimeError: nobody did in time, or the process ended before.
    """
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if process is not None and process.poll() is not None:
            raise RuntimeError(f"{process.args!r} ended with {process.returncode} before it listened on {port}")
        with socket.socket() as probe:
            probe.settimeout(0.5)
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise RuntimeError(f"nobody listens on port {port} after {seconds} s")


class Redis:
    """A Redis server on a port of its own that keeps nothing on disk; it can be killed and started again, empty.

    Raises:
        Missing: redis-server is not installed.
    """

    def __init__(self, folder: Path) -> None:
        program = shutil.which("redis-server")
        if program is None:
            raise Missing("no redis-server installed: apt-get install redis-server")
        self._port = free_port()
        self._command = [program, "--bind", "127.0.0.1", "--port", str(self._port), "--dir", str(folder)]
        self._command += ["--save", "", "--appendonly", "no"]
        self.url = f"redis://127.0.0.1:{self._port}/0"
        self.start()

    def start(self) -> None:
        """Listen again."""
        self._process = subprocess.Popen(self._command, stdout=subprocess.DEVNULL)
        wait_for_port(self._port, process=self._process)

    def kill(self) -> None:
        """End it at once, with everything it held."""
        self._process.kill()
        self._process.wait(timeout=20)

    def stop(self) -> None:
        """End it in an orderly way."""
        self._process.terminate()
        self._process.wait(timeout=20)


class Postgres:
    """A PostgreSQL cluster in a folder of its own, with an empty database; it can be killed and started again.

    Raises:
        Missing: PostgreSQL is not installed, or must not run as this user.
    """

    def __init__(self, folder: Path) -> None:
        self._find_programs(folder)
        self._run("initdb", "-D", self._data, "-A", "trust", "-U", "armybuilder", "-E", "UTF8", "--locale=C.UTF-8")
        self.start()
        try:
            self._run("createdb", "-h", "127.0.0.1", "-p", str(self._port), "-U", "armybuilder", "armybuilder")
        except BaseException:
            self.stop()
            raise

    def _find_programs(self, folder: Path) -> None:
        self._programs = _programs_of_postgres()
        self._as_postgres: list[str] = []
        if os.geteuid() == 0:  # initdb refuses to run as root
            if shutil.which("runuser") is None:
                raise Missing("PostgreSQL cannot run as root and runuser is not installed")
            self._as_postgres = ["runuser", "-u", "postgres", "--"]
            shutil.chown(folder, "postgres")
        self._folder, self._port = folder, free_port()
        self.url = f"postgres://armybuilder@127.0.0.1:{self._port}/armybuilder"

    @property
    def _data(self) -> str:
        return f"{self._folder}/data"

    def _run(self, program: str, *arguments: str) -> None:
        command = [*self._as_postgres, str(self._programs / program), *arguments]
        done = subprocess.run(command, cwd=self._folder, capture_output=True, text=True, check=False, timeout=120)
        if done.returncode:
            raise RuntimeError(f"{program} failed: {done.stdout}{done.stderr}")

    def start(self) -> None:
        """Listen, after putting right what a kill left."""
        options = f"-c listen_addresses=127.0.0.1 -p {self._port} -k {self._folder}"
        options += " -c fsync=off -c max_connections=60"
        log = f"{self._folder}/log"
        self._run("pg_ctl", "-D", self._data, "-w", "-t", "60", "-l", log, "-o", options, "start")

    def kill(self) -> None:
        """End it at once, as when its machine loses power; return when nothing of it runs any more."""
        first = int(Path(self._data, "postmaster.pid").read_text().split()[0])
        family = [first, *map(int, Path(f"/proc/{first}/task/{first}/children").read_text().split())]
        for process in family:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        deadline = time.monotonic() + 20
        while any(_is_running(process) for process in family):
            if time.monotonic() > deadline:
                raise RuntimeError("PostgreSQL does not end")
            time.sleep(0.05)
        # They name a process that ended; where nobody collects the dead, it would still be taken for a living one.
        for lock in (Path(self._data, "postmaster.pid"), self._folder / f".s.PGSQL.{self._port}.lock"):
            lock.unlink()

    def stop(self) -> None:
        """End it with what is in its hands."""
        self._run("pg_ctl", "-D", self._data, "-w", "-m", "immediate", "stop")


class Standby(Postgres):
    """A copy of a running PostgreSQL that follows it and can be read; it can be held up, killed and started again.

    Raises:
        Missing: as `Postgres`.
    """

    def __init__(self, folder: Path, primary: Postgres) -> None:
        self._find_programs(folder)
        copy = ["-D", self._data, "-h", "127.0.0.1", "-p", str(primary._port), "-U", "armybuilder"]
        self._run("pg_basebackup", *copy, "--write-recovery-conf", "--checkpoint=fast")
        self.start()

    def hold_up(self) -> None:
        """Take what the primary writes, and do not show it."""
        self._tell("SELECT pg_wal_replay_pause()")
        while self._tell("SELECT pg_get_wal_replay_pause_state()") != "paused":
            time.sleep(0.02)

    def go_on(self) -> None:
        """Show it again."""
        self._tell("SELECT pg_wal_replay_resume()")

    def _tell(self, statement: LiteralString) -> object:
        with psycopg.connect(self.url, autocommit=True) as connection:
            row = connection.execute(statement).fetchone()
        return row[0] if row is not None else None


class PgBouncer:
    """PgBouncer in transaction mode before a PostgreSQL, with few connections that all clients share.

    Raises:
        Missing: it is not installed, or must not run as this user.
    """

    def __init__(self, folder: Path, postgres: Postgres, *, connections: int) -> None:
        program = shutil.which("pgbouncer")
        if program is None:
            raise Missing("no PgBouncer installed: apt-get install pgbouncer")
        port = free_port()
        settings = {
            "listen_addr": "127.0.0.1",
            "listen_port": port,
            "unix_socket_dir": "",
            "auth_type": "any",
            "pool_mode": "transaction",
            "default_pool_size": connections,
            "max_client_conn": 200,
            "admin_users": "armybuilder",
        }
        server = postgres.url.rpartition("@")[2]
        address, _, database = server.partition("/")
        host, _, server_port = address.partition(":")
        (folder / "pgbouncer.ini").write_text(
            f"[databases]\n{database} = host={host} port={server_port} user=armybuilder\n[pgbouncer]\n"
            + "".join(f"{name} = {value}\n" for name, value in settings.items())
        )
        as_postgres = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        self._process = subprocess.Popen([*as_postgres, program, "-q", str(folder / "pgbouncer.ini")])
        wait_for_port(port, process=self._process)
        self.url = f"postgres://armybuilder@127.0.0.1:{port}/{database}"

    def stop(self) -> None:
        """End it."""
        self._process.terminate()
        self._process.wait(timeout=20)


def _programs_of_postgres() -> Path:
    """Where the newest PostgreSQL has its programs. Raises Missing."""
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: float(path.parts[-3]))
    if not versions:
        raise Missing("no PostgreSQL installed: apt-get install postgresql")
    return versions[-1].parent


def dump_database(url: str, file: Path) -> None:
    """Write all that a PostgreSQL database holds into a file."""
    program = _programs_of_postgres() / "pg_dump"
    subprocess.run([str(program), "--no-owner", "-f", str(file), f"--dbname={url}"], check=True)


def load_database(url: str, file: Path) -> None:
    """Put what `dump_database` wrote into an empty PostgreSQL database."""
    options = ["-q", "--no-psqlrc", "-v", "ON_ERROR_STOP=1", "-f", str(file), f"--dbname={url}"]
    subprocess.run([str(_programs_of_postgres() / "psql"), *options], check=True, stdout=subprocess.DEVNULL)


def _is_running(process: int) -> bool:
    """Whether it is there and has not ended; one that nobody has asked for its result yet has."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@contextmanager
def running_redis() -> Iterator[str]:
    """REDIS_URL of a server that keeps nothing on disk.

    Raises:
        Missing: redis-server is not installed.
    """
    with tempfile.TemporaryDirectory(prefix="armybuilder-redis-") as folder:
        server = Redis(Path(folder))
        try:
            yield server.url
        finally:
            server.stop()


@contextmanager
def running_postgres() -> Iterator[str]:
    """DATABASE_URL of an empty database in a cluster of its own.

    Raises:
        Missing: PostgreSQL is not installed, or must not run as this user.
    """
    folder = Path(tempfile.mkdtemp(prefix="armybuilder-postgres-"))
    try:
        server = Postgres(folder)
        try:
            yield server.url
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def empty_database(url: str) -> str:
    """DATABASE_URL of a new empty database beside the one given, for a test of its own."""
    return copied_database(f"{url.rpartition('/')[0]}/template0")


def copied_database(url: str, prefix: str = "") -> str:
    """DATABASE_URL of a new copy of the database given, to which nobody may be connected.

    Args:
        prefix: of the copy's name, which is not in the address.
    """
    server, _, name = url.rpartition("/")
    copy = f"armybuilder_{uuid.uuid4().hex}"
    with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
        connection.execute(
            sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(sql.Identifier(prefix + copy), sql.Identifier(name))
        )
    return f"{server}/{copy}"
