"""`python -m bench.players`: make an installation, start it as documented, let players at it, and tell what they met.

Everything is on loopback and bounded in time. The table has percentiles and refusals by endpoint; beside it stand
requests a second, what processor time a request took of the servers, and their memory before and after.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import psutil

from tests.faults.installation import Filled, Site, make
from tests.servers import Postgres, Redis

ROOT = Path(__file__).resolve().parents[2]
PASSWORD = "correct horse battery staple"
STACKS = ("sqlite", "postgresql")
SAMPLES = 10
"""Times that memory is looked at while players play."""

_PREPARE = """
import json, sys
import django; django.setup()
from armybuilder.accounts.models import User
from armybuilder.accounts.services import issue_token
from armybuilder.armylists.samples import samples
from armybuilder.reference.models import Faction, UnitEntry
from bench.players.ballast import fill
players, password, lists, revisions = int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
scopes = ["lists:read", "lists:write", "check", "simulate"]
named = []
for number in range(players):
    user = User.objects.create_user(f"player-{number}", password=password)
    named.append([user.username, issue_token(user, name="load", scopes=scopes).secret])
if lists:
    fill(lists, revisions)
faction = Faction.objects.get(system="horus-heresy", key="sons-of-horus")
units = list(UnitEntry.objects.filter(faction=faction).order_by("entry_id").values_list("entry_id", flat=True))
shared = samples()[0].link.token
print(json.dumps({"players": named, "units": units, "catalogue": faction.catalogue_id, "shared": shared}))
"""


@dataclass(frozen=True, slots=True)
class Row:
    """What players met at one endpoint; times in milliseconds."""

    endpoint: str
    requests: int
    failures: int
    median: int
    p95: int
    p99: int


@dataclass(frozen=True, slots=True)
class Played:
    """What came of it.

    Attributes:
        rows: by endpoint; the last one is all of them.
        cpu: processor milliseconds of web server and workers a request, without the databases.
        memory: megabytes of web server and workers: before, then ten times at equal distances.
        parts: each of their processes that was there at the end: its name, megabytes before (none where it began
            meanwhile), after the first tenth, and at the end.
    """

    rows: tuple[Row, ...]
    seconds: int
    cpu: float
    memory: tuple[float, ...]
    parts: tuple[tuple[str, float | None, float | None, float], ...]
    failures: tuple[str, ...]


@contextmanager
def running(stack: str, filled: Filled, folder: Path, *, processes: int = 2) -> Iterator[Site]:
    """A copy of the installation on one of the stacks, with its servers."""
    with ExitStack() as servers:
        settings = {"WEB_WORKERS": str(processes), "API_RATE_ANON": "1000000/min", "PAGE_CHANGES_PER_MINUTE": "1000000"}
        settings |= {"GUEST_SIMULATIONS_AT_ONCE": "100000", "DATABASE_SECONDS": "30", "SQLITE_BUSY_SECONDS": "20"}
        if stack == "postgresql":
            for name in ("postgres", "redis"):
                (folder / name).mkdir()
            folder.chmod(0o755)  # PostgreSQL runs as another user
            postgres, redis = Postgres(folder / "postgres"), Redis(folder / "redis")
            servers.callback(postgres.stop)
            servers.callback(redis.stop)
            settings |= {"DATABASE_URL": postgres.url, "REDIS_URL": redis.url}
            settings["SECRET_KEY"] = (filled.folder / "secret_key").read_text()
        site = Site(folder / "site", filled=filled, **settings)
        if stack == "postgresql":
            backup = folder / "backup.tar.gz"
            Site(filled.folder).run("manage.py", "backup", "--output", str(backup))
            site.run("manage.py", "restore", "--yes", str(backup))
        yield site


def play(
    site: Site,
    *,
    players: int,
    seconds: int,
    between: tuple[float, float] = (0.5, 1.5),
    ballast: tuple[int, int] = (0, 0),
    walks: bool = False,
) -> Played:
    """Prepare the players, start the servers, and let them play for so long.

    Args:
        seconds: the longest it takes; with `walks` it is over when somebody has done everything once.
        between: least and most seconds that a player pauses.
        ballast: lists, and states of all of them, that are there beforehand.
    """
    with ExitStack() as servers:
        facts = json.loads(site.run("-c", _PREPARE, str(players), PASSWORD, *map(str, ballast)))
        file, told = site.folder / "players.json", site.folder / "told.json"
        file.write_text(
            json.dumps(facts | {"password": PASSWORD, "seconds_between": between, "walks": walks, "told": str(told)})
        )
        family = [servers.enter_context(site.served())]
        if "REDIS_URL" in site.environment:
            family.append(servers.enter_context(site.worker()))
        for path in ("/", "/accounts/sign-in/", f"/s/{facts['shared']}/") * 3:  # what each process does once
            site.ask("GET", path)
        looks, used = [megabytes(family)], cpu_seconds(family)
        command = [sys.executable, "-m", "locust", "-f", str(ROOT / "bench/players/player.py"), "--headless"]
        command += ["--users", str(players), "--spawn-rate", "5", "--run-time", f"{seconds}s", "--stop-timeout", "30"]
        command += ["--host", f"http://127.0.0.1:{site.port}", "--only-summary"]
        with site.log.open("ab") as log:
            crowd = subprocess.Popen(
                command, cwd=ROOT, env=os.environ | {"PLAYERS_FILE": str(file)}, stdout=log, stderr=log
            )
        servers.callback(crowd.kill)
        for moment in range(1, SAMPLES + 1):
            try:
                crowd.wait(seconds / SAMPLES if moment < SAMPLES else seconds / SAMPLES + 120)
            except subprocess.TimeoutExpired:
                looks.append(megabytes(family))
            else:
                break
        looks.append(megabytes(family))
        if not told.exists():
            raise RuntimeError(f"locust failed: {site.log.read_text()[-3000:]}")
        met = json.loads(told.read_text())
        rows = tuple(Row(*row) for row in met["rows"])
        cpu = 1000 * (cpu_seconds(family) - used) / rows[-1].requests
        memory = tuple(sum(look.values()) for look in looks)
        parts = tuple((who.name, looks[0].get(who), looks[1].get(who), now) for who, now in looks[-1].items())
        return Played(rows, seconds, cpu, memory, parts, tuple(met["errors"]))


def relatives(family: list[subprocess.Popen[bytes]]) -> Iterator[psutil.Process]:
    """Processes with all they started that still run."""
    for process in family:
        first = psutil.Process(process.pid)
        yield from (first, *first.children(recursive=True))


class Named(NamedTuple):
    """A process and what it is."""

    pid: int
    name: str


def megabytes(family: list[subprocess.Popen[bytes]]) -> dict[Named, float]:
    """Memory that is each one's alone."""
    found = {}
    for process in relatives(family):
        with suppress(psutil.NoSuchProcess):
            words = " ".join(process.cmdline())
            kind = next((kind for kind in ("gunicorn", "celery", "worker_program") if kind in words), process.name())
            name = f"{kind}, the first" if process.pid in {one.pid for one in family} else kind
            found[Named(process.pid, name)] = process.memory_full_info().uss / 2**20
    return found


def cpu_seconds(family: list[subprocess.Popen[bytes]]) -> float:
    """Processor time they used so far, with that of children that have ended."""
    return sum(sum(process.cpu_times()[:4]) for process in relatives(family))


def table(stack: str, players: int, played: Played) -> str:
    """Markdown."""
    whole = played.rows[-1]
    lines = [
        f"{stack}: {players} players, {played.seconds} s, {whole.requests / played.seconds:.0f} requests/s, "
        f"{played.cpu:.0f} ms of a processor each",
        "",
        f"memory, MB: {played.memory[0]:.0f} before, then {' '.join(f'{now:.0f}' for now in played.memory[1:])}",
        *(
            f"{name}: {before or 0:.0f} before, {early or 0:.0f} after a tenth, {after:.0f} at the end"
            for name, before, early, after in played.parts
        ),
        "",
        "| endpoint | requests | refused | p50 ms | p95 ms | p99 ms |",
        "|---|---|---|---|---|---|",
    ]
    for row in played.rows:
        facts = (row.endpoint, row.requests, row.failures, row.median, row.p95, row.p99)
        lines.append("| " + " | ".join(map(str, facts)) + " |")
    return "\n".join([*lines, "", *played.failures])


def main() -> int:
    """Play on one stack or both; 1 if anything was refused."""
    parser = argparse.ArgumentParser(prog="python -m bench.players", description=__doc__.partition("\n\n")[0])
    parser.add_argument("--stack", choices=[*STACKS, "both"], default="both")
    parser.add_argument("--players", type=int, default=20)
    parser.add_argument("--seconds", type=int, default=30, help="of playing on each stack")
    parser.add_argument("--pause", type=float, nargs=2, default=(0.5, 1.5), help="least and most seconds of a player")
    parser.add_argument("--ballast", action="store_true", help="10,000 lists with 200,000 states beforehand")
    parser.add_argument("--soak", action="store_true", help="ten minutes, and memory as it grows")
    wanted = parser.parse_args()
    seconds = 600 if wanted.soak else wanted.seconds
    refused = 0
    folder = Path(tempfile.mkdtemp(prefix="armybuilder-players-"))
    folder.chmod(0o755)  # PostgreSQL runs as another user
    try:
        filled = make(folder / "filled")
        for stack in STACKS if wanted.stack == "both" else (wanted.stack,):
            (folder / stack).mkdir()
            with running(stack, filled, folder / stack) as site:
                ballast = (10_000, 200_000) if wanted.ballast else (0, 0)
                least, most = wanted.pause
                played = play(site, players=wanted.players, seconds=seconds, between=(least, most), ballast=ballast)
                print(table(stack, wanted.players, played), flush=True)
                refused += played.rows[-1].failures
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return int(refused > 0)


if __name__ == "__main__":
    sys.exit(main())
