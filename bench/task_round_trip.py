"""Rows "task round trip": a trivial question, durable, in the embedded way, and our task on Celery and Redis.

The limits are the no-op queues of the shared scripts, run in turn: an SQLite row with an event, and a Celery task. The
embedded row includes storing the question, as its limit stores a row. The Redis row begins with sending the task, as
its limit does; the whole way from question to answer, which waits for the disk, is printed beside it.
"""

import os
import re
import secrets
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from urllib.parse import urlsplit

from bench.row import cannot_run, report

ROOT = Path(__file__).resolve().parent.parent
LIMITS = ROOT.parent / "shared" / "limits"
ROUNDS, WARM_UP = 400, 40
PATIENCE_SECONDS = 60.0
"""For one answer: the first waits for the start of the worker."""
MUST_P99_MS = 50.0
PERCENT = re.compile(r"p50\s+([\d.]+) ms\s+p99\s+([\d.]+) ms")


def percentile(seconds: list[float], percent: int) -> float:
    """A percentile, in milliseconds."""
    ordered = sorted(seconds)
    return 1000 * ordered[min(len(ordered) - 1, len(ordered) * percent // 100)]


def limit_of(mode: str, line: str, **environment: str) -> tuple[float, float] | None:
    """p50 and p99 of a shared queue script, in milliseconds; None where it cannot run."""
    script = LIMITS / "queue_bench.py"
    if not script.is_file():
        return None
    done = subprocess.run(
        [sys.executable, "-W", "ignore", str(script), mode],
        cwd=LIMITS,
        env={k: v for k, v in os.environ.items() if k != "DJANGO_SETTINGS_MODULE"} | environment,
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )
    for row in done.stdout.splitlines():
        if line in row and (found := PERCENT.search(row)):
            return float(found[1]), float(found[2])
    return None


def round_trips(wait: Callable[[object, float], bool]) -> list[float]:
    """Seconds of every question, asked one after the other; each is a new one."""
    from armybuilder.accounts.viewers import ANYBODY
    from armybuilder.simulations import services

    seconds = []
    for number in range(WARM_UP + ROUNDS):
        document = {"system": "relic", "kind": "dice_roll", "dice": 1, "seed": number}
        start = perf_counter()
        run = services.request_simulation(ANYBODY, document)
        if not wait(run.computation_id, PATIENCE_SECONDS):
            raise RuntimeError(f"question {number} was not answered in {PATIENCE_SECONDS:.0f} s")
        seconds.append(perf_counter() - start)
    return seconds[WARM_UP:]


def wrapped_round_trips(wait: Callable[[object, float], bool]) -> list[float]:
    """Seconds from sending the task of a stored question to its stored answer."""
    from armybuilder.accounts.viewers import ANYBODY
    from armybuilder.simulations import dispatch, services

    send = dispatch.send
    seconds = []
    for number in range(WARM_UP + ROUNDS):
        dispatch.send = lambda computation_id: True  # stored, and sent by us
        run = services.request_simulation(ANYBODY, {"system": "relic", "kind": "dice_roll", "dice": 2, "seed": number})
        dispatch.send = send
        start = perf_counter()
        send(run.computation_id)
        if not wait(run.computation_id, PATIENCE_SECONDS):
            raise RuntimeError(f"question {number} was not answered in {PATIENCE_SECONDS:.0f} s")
        seconds.append(perf_counter() - start)
    return seconds[WARM_UP:]


def prepare(folder: str, **environment: str) -> None:
    """Make an installation of its own in this process."""
    os.environ |= {
        "DJANGO_SETTINGS_MODULE": "armybuilder.settings",
        "VAR_DIR": folder,
        "SECRET_KEY": secrets.token_urlsafe(64),
        "DATABASE_URL": f"sqlite:///{folder}/bench.sqlite3",
        "REDIS_URL": "",
        **environment,
    }
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)


def embedded() -> None:
    """The thread in the web process, SQLite with full synchronisation."""
    from armybuilder.simulations import dispatch
    from armybuilder.simulations import embedded as worker

    with tempfile.TemporaryDirectory() as folder:
        os.environ["QTMP"] = folder
        limit = limit_of("sqliteq", "sync=FULL", QTMP=folder)
        seconds = round_trips(lambda pk, wait: dispatch.wait_for(pk, seconds=wait))
        worker.stop()
    p50, p99 = percentile(seconds, 50), percentile(seconds, 99)
    beside = f"limit p50 {limit[0]:.2f} ms, ratio {p50 / limit[0]:.1f}" if limit else "no limit script here"
    report(
        "task round trip, embedded",
        f"p50 {p50:.2f} ms, p99 {p99:.2f} ms ({ROUNDS} questions; {beside})",
        must=f"p99 <= {MUST_P99_MS:.0f} ms",
        target="p50 <= 3 x limit, p99 <= 5 ms",
        met=p99 <= MUST_P99_MS,
    )


def by_redis(redis_url: str) -> None:
    """A Celery worker of two processes; the database is the same SQLite file, so the difference is the queue."""
    from armybuilder.simulations import dispatch

    port = str(urlsplit(redis_url).port)
    limit = limit_of("redis-prefork", "Celery, Redis, prefork", REDIS_PORT=port, ACKS="1", PREFETCH="1")
    worker = subprocess.Popen(
        [sys.executable, "-m", "celery", "-A", "armybuilder.celery", "worker", "-c", "2", "--loglevel", "ERROR"],
        cwd=ROOT,
    )
    try:
        seconds = wrapped_round_trips(lambda pk, wait: dispatch.wait_for(pk, seconds=wait))
        whole = round_trips(lambda pk, wait: dispatch.wait_for(pk, seconds=wait))
    finally:
        worker.terminate()
        worker.wait(30)
    p50, p99 = percentile(seconds, 50), percentile(seconds, 99)
    beside = f"limit p50 {limit[0]:.2f} ms, p99 {limit[1]:.2f} ms, ratio {p50 / limit[0]:.1f}" if limit else "no limit"
    report(
        "task round trip, Redis",
        f"p50 {p50:.2f} ms, p99 {p99:.2f} ms ({ROUNDS} questions; {beside}; "
        f"with storing the question p50 {percentile(whole, 50):.2f} ms)",
        must="<= 2 x limit",
        target="p50 and p99 <= 1.2 x limit",
        met=p50 <= 2 * limit[0] if limit else None,
    )


def main() -> None:
    """Print both rows; each way of running needs a process of its own, as settings are read once."""
    if len(sys.argv) > 1:
        with tempfile.TemporaryDirectory() as folder:
            if sys.argv[1] == "embedded":
                prepare(folder)
                embedded()
            else:
                prepare(folder, REDIS_URL=sys.argv[1])
                by_redis(sys.argv[1])
        return
    subprocess.run([sys.executable, "-m", "bench.task_round_trip", "embedded"], cwd=ROOT, check=True)
    from tests.servers import Missing, running_redis

    try:
        with running_redis() as url:
            subprocess.run([sys.executable, "-m", "bench.task_round_trip", url], cwd=ROOT, check=True)
    except Missing as missing:
        cannot_run("task round trip, Redis", str(missing))


if __name__ == "__main__":
    main()
