"""Row "workers": the pieces of one simulation spread over 1, 2 and 4 Celery workers, on PostgreSQL and Redis.

Seconds depend on the cores there are; what must hold everywhere is that all workers take part, no piece is done twice,
and the answer is the same.
"""

import os
import shutil
import subprocess
import tempfile
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from bench.crash import question
from bench.players.__main__ import cpu_seconds, running
from bench.row import cannot_run, report
from tests.faults.installation import Site, make, patiently
from tests.servers import Missing

WORKERS = (1, 2, 4)
PIECES = 8
"""A piece has 250,000 trials."""


@dataclass(frozen=True, slots=True)
class Shared:
    """How one simulation was shared out.

    Attributes:
        seconds: from the question to the answer.
        cpu: processor seconds of each worker meanwhile, the busiest first.
        tries: the most that any piece needed.
    """

    seconds: float
    cpu: tuple[float, ...]
    tries: int
    pieces: int
    answer: object


def shared_by(site: Site, number: int) -> Shared:
    """The same simulation from the beginning, by so many workers with a process each."""
    with ExitStack() as staff:
        workers: list[subprocess.Popen[bytes]] = [staff.enter_context(site.worker()) for _ in range(number)]
        ready = "from armybuilder.celery import app; print(len(app.control.ping(timeout=2) or ()))"
        if not patiently(lambda: int(site.run("-c", f"import django; django.setup(); {ready}")) == number, seconds=120):
            raise RuntimeError(f"{number} workers did not start")
        asked = question(16)
        asked |= {"trials": 250_000 * PIECES, "battles": asked["battles"] * 2}  # type: ignore[operator]
        used = [cpu_seconds([worker]) for worker in workers]
        began = perf_counter()
        address = site.simulate(asked)
        if not patiently(lambda: site.state(address) == "done", seconds=300):
            raise RuntimeError(f"not done: {site.ask('GET', address)}")
        seconds = perf_counter() - began
        now = [cpu_seconds([worker]) for worker in workers]
        cpu = sorted((after - before for after, before in zip(now, used, strict=True)), reverse=True)
        result = site.result(address)
        answer = [result[name] for name in ("trials", "metrics", "distributions")]
        pieces, tries = site.rows("select count(*), max(attempts) from simulations_chunk")[0]
        site.run("-c", _FORGET)  # or the next ones would be told the answer
    return Shared(seconds, tuple(cpu), tries, pieces, answer)


_FORGET = """
import django; django.setup()
from armybuilder.simulations.models import Computation, SimulationRun
SimulationRun.objects.all().delete(); Computation.objects.all().delete()
"""


def main() -> None:
    """Measure all on one installation."""
    folder = Path(tempfile.mkdtemp(prefix="armybuilder-workers-"))
    folder.chmod(0o755)  # PostgreSQL runs as another user
    try:
        filled = make(folder / "filled")
        (folder / "stack").mkdir()
        with running("postgresql", filled, folder / "stack", processes=1) as site, site.served():
            site.token = filled.token
            found = {number: shared_by(site, number) for number in WORKERS}
    except Missing as missing:
        cannot_run("workers", str(missing))
        return
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    first = found[WORKERS[0]]
    told = [
        f"{number}: {one.seconds:.1f} s ({first.seconds / one.seconds:.2f} ×), processor "
        + " + ".join(f"{cpu:.1f}" for cpu in one.cpu)
        + " s"
        for number, one in found.items()
    ]
    busy = all(min(one.cpu) > 0.1 * max(one.cpu) for one in found.values())
    once = all((one.tries, one.pieces) == (1, PIECES) for one in found.values())
    same = all(one.answer == first.answer for one in found.values())
    report(
        "workers",
        f"{'; '.join(told)}; {PIECES} pieces, tried {max(one.tries for one in found.values())} × each, "
        f"{'the same' if same else 'ANOTHER'} answer; {os.cpu_count()} cores",
        must="all take part, each piece once, the same answer",
        target="as many times as fast as there are cores",
        met=busy and once and same,
    )


if __name__ == "__main__":
    main()
