"""Row "crash": SIGKILL to the workers in the middle of 20 runs, in both ways of running and with two web processes."""

import os
import secrets
import signal
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path
from time import monotonic, sleep

from bench.row import cannot_run, report

ROOT = Path(__file__).resolve().parent.parent
RUNS, DONE_BEFORE = 20, 4
LEASE_SECONDS = 5
GIVE_UP_SECONDS = 90

WEB_PROCESS = """
import threading
import django
django.setup()
from armybuilder.simulations import embedded
embedded.start()
threading.Event().wait()
"""

WITNESS = """
create table witness(computation text);
create trigger written after update of state on simulations_computation when new.state = 'done'
begin insert into witness values (new.id); end;
"""
"""Counts every time a result becomes visible, whatever our own code believes."""


def question(number: int) -> dict[str, object]:
    """Some tenths of a second of dice."""
    enemies = [{"name": "Ork", "attribute": "strength", "value": value} for value in (4, 5, 6)]
    return {
        "system": "relic",
        "kind": "battle_sequence",
        "method": "montecarlo",
        "trials": 250_000,
        "seed": number,
        "hero": {"attributes": {"strength": 5, "willpower": 3, "cunning": 3}, "life": 40},
        "battles": [{"enemies": [enemy]} for enemy in enemies] * 4,
    }


def started(program: list[str], environment: dict[str, str]) -> subprocess.Popen[bytes]:
    """A worker in a process group of its own."""
    return subprocess.Popen(
        [sys.executable, "-W", "ignore", *program],
        cwd=ROOT,
        env=environment,
        start_new_session=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def killed(worker: subprocess.Popen[bytes]) -> None:
    """End a worker and its pool at once."""
    os.killpg(worker.pid, signal.SIGKILL)
    worker.wait(10)


def crash(row: str, *, redis_url: str = "", processes: int = 1) -> None:
    """Kill one worker in the middle; another one (new, or the second process) does the rest."""
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/bench.sqlite3"
        environment = os.environ | {
            "DJANGO_SETTINGS_MODULE": "armybuilder.settings",
            "VAR_DIR": folder,
            "SECRET_KEY": secrets.token_urlsafe(64),
            "DATABASE_URL": f"sqlite:///{path}",
            "REDIS_URL": redis_url,
            "LEASE_SECONDS": str(LEASE_SECONDS),
        }
        subprocess.run([sys.executable, "manage.py", "migrate", "-v", "0"], cwd=ROOT, env=environment, check=True)
        witness = sqlite3.connect(path, isolation_level=None, timeout=20)
        witness.executescript(WITNESS)
        asking = "import django; django.setup(); from bench.crash import ask; ask()"
        subprocess.run([sys.executable, "-c", asking], cwd=ROOT, env=environment, check=True)
        celery = ["-m", "celery", "-A", "armybuilder.celery", "worker", "-c", "2", "--loglevel", "ERROR"]
        program = celery if redis_url else ["-c", WEB_PROCESS]
        workers = [started(program, environment) for _ in range(processes)]

        def done() -> int:
            return int(witness.execute("select count(distinct computation) from witness").fetchone()[0])

        deadline = monotonic() + GIVE_UP_SECONDS
        while done() < DONE_BEFORE and monotonic() < deadline:
            sleep(0.005)
        sleep(0.1)  # the next one is in the middle
        killed(workers.pop(0))
        before, death = done(), monotonic()
        if not workers:
            workers.append(started(program, environment))
        while done() < RUNS and monotonic() < deadline:
            sleep(0.05)
        seconds = monotonic() - death
        written = [count for (count,) in witness.execute("select count(*) from witness group by computation")]
        repeated = witness.execute("select count(*) from simulations_chunk where attempts > 1").fetchone()[0]
        for worker in workers:
            killed(worker)
        lost, twice = RUNS - len(written), sum(count > 1 for count in written)
    report(
        row,
        f"{lost} lost, {twice} twice of {RUNS}; {before} done before the kill, {repeated} taken up again, "
        f"all done {seconds:.1f} s after it (lease {LEASE_SECONDS} s)",
        must="0 lost, 0 twice",
        target="also all done within lease + 2 s",
        met=lost == twice == 0,
    )


def ask() -> None:
    """Queue the runs in a process that ends before any is performed."""
    from django.conf import settings

    from armybuilder.accounts.viewers import ANYBODY
    from armybuilder.simulations import dispatch, runs, services

    if settings.QUEUE == "embedded":
        dispatch.send = runs.unsent  # type: ignore[assignment]  # the web processes find them by their sweep
    for number in range(RUNS):
        services.request_simulation(ANYBODY, question(number))


def main() -> None:
    """Kill and count, one way of running after the other."""
    crash("crash, embedded")
    crash("crash, two web processes", processes=2)
    from tests.servers import Missing, running_redis

    try:
        with running_redis() as url:
            crash("crash, Redis", redis_url=url)
    except Missing as missing:
        cannot_run("crash, Redis", str(missing))


if __name__ == "__main__":
    main()
