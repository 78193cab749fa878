"""Real PostgreSQL and Redis servers for tests: started on free loopback ports, stopped and removed afterwards."""

import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


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


@contextmanager
def running_redis() -> Iterator[str]:
    """REDIS_URL of a server that keeps nothing on disk.

    Raises:
        Missing: redis-server is not installed.
    """
    program = shutil.which("redis-server")
    if program is None:
        raise Missing("no redis-server installed: apt-get install redis-server")
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="armybuilder-redis-") as folder:
        process = subprocess.Popen(
            [program, "--bind", "127.0.0.1", "--port", str(port), "--dir", folder, "--save", "", "--appendonly", "no"],
            stdout=subprocess.DEVNULL,
        )
        try:
            wait_for_port(port, process=process)
            yield f"redis://127.0.0.1:{port}/0"
        finally:
            process.terminate()
            process.wait(timeout=20)


@contextmanager
def running_postgres() -> Iterator[str]:
    """DATABASE_URL of an empty database in a cluster of its own.

    Raises:
        Missing: PostgreSQL is not installed, or must not run as this user.
    """
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: float(path.parts[-3]))
    if not versions:
        raise Missing("no PostgreSQL installed: apt-get install postgresql")
    programs = versions[-1].parent
    as_postgres: list[str] = []
    if os.geteuid() == 0:  # initdb refuses to run as root
        if shutil.which("runuser") is None:
            raise Missing("PostgreSQL cannot run as root and runuser is not installed")
        as_postgres = ["runuser", "-u", "postgres", "--"]
    port = free_port()
    folder = Path(tempfile.mkdtemp(prefix="armybuilder-postgres-"))
    if as_postgres:
        shutil.chown(folder, "postgres")

    def run(program: str, *arguments: str) -> None:
        command = [*as_postgres, str(programs / program), *arguments]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=120)
        if done.returncode:
            raise RuntimeError(f"{program} failed: {done.stdout}{done.stderr}")

    try:
        run("initdb", "-D", f"{folder}/data", "-A", "trust", "-U", "armybuilder", "-E", "UTF8", "--locale=C.UTF-8")
        options = f"-c listen_addresses=127.0.0.1 -p {port} -k {folder} -c fsync=off -c max_connections=60"
        run("pg_ctl", "-D", f"{folder}/data", "-w", "-t", "60", "-l", f"{folder}/log", "-o", options, "start")
        try:
            run("createdb", "-h", "127.0.0.1", "-p", str(port), "-U", "armybuilder", "armybuilder")
            yield f"postgres://armybuilder@127.0.0.1:{port}/armybuilder"
        finally:
            run("pg_ctl", "-D", f"{folder}/data", "-w", "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
