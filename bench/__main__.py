"""`python -m bench [row…]`: run the benchmarks of the performance table, each in a process of its own.

A run of all rows writes them to `docs/performance.md`.
"""

import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path

from bench.site import STACK
from tests.servers import Missing, Postgres, Redis, empty_database

ROWS = {
    "evaluate": "evaluate",
    "edit": "edit",
    "check": "check",
    "load, cold and warm": "load",
    "publish": "publish",
    "memory": "memory",
    "first page": "first_page",
    "exact pair": "exact_pair",
    "matrix": "matrix",
    "trials": "trials",
    "API read": "api_read",
    "API check": "api_check",
    "bulk check": "bulk_check",
    "page": "page",
    "edit in the browser": "browser_edit",
    "task round trip": "task_round_trip",
    "workers": "workers",
    "crash": "crash",
    "start, memory": "start_memory",
}
"""Row of the table -> script in this folder."""

ON_BOTH_STACKS = ("api_read", "api_check", "bulk_check", "page")
"""What is asked of a server, and once more of one with PostgreSQL and Redis; the other rows begin them themselves."""

SECONDS_A_ROW = 600
ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "performance.md"


def measured(script: str, environment: Mapping[str, str]) -> Iterator[str]:
    """Lines of one script as they come; the last one says so if it failed or took too long."""
    command = ["timeout", "--kill-after=20", str(SECONDS_A_ROW), sys.executable, "-m", f"bench.{script}"]
    with subprocess.Popen(
        command, cwd=ROOT, env=os.environ | environment, stdout=subprocess.PIPE, text=True
    ) as running:
        assert running.stdout is not None
        yield from (line.rstrip("\n") for line in running.stdout)
    if running.returncode:
        reason = f"no answer in {SECONDS_A_ROW} s" if running.returncode == 124 else f"status {running.returncode}"
        yield f"{script} | not measured: {reason}"


class Servers:
    """PostgreSQL and Redis for the rows that want them; begun when the first one does."""

    def __init__(self, until: ExitStack) -> None:
        self._until = until
        self._urls: tuple[str, str] | None = None

    def environment(self) -> dict[str, str]:
        """Variables of a new empty database and the queue. Raises Missing where a server is not installed."""
        if self._urls is None:
            folder = Path(self._until.enter_context(tempfile.TemporaryDirectory(prefix="armybuilder-bench-")))
            folder.chmod(0o755)  # PostgreSQL runs as another user
            for name in ("postgres", "redis"):
                (folder / name).mkdir()
            postgres = Postgres(folder / "postgres")
            self._until.callback(postgres.stop)
            redis = Redis(folder / "redis")
            self._until.callback(redis.stop)
            self._urls = postgres.url, redis.url
        return dict(zip(STACK, (empty_database(self._urls[0]), self._urls[1]), strict=True))


def table(lines: Sequence[str], *, day: str) -> str:
    """The page of the documentation: a line each, as `bench.row` prints them."""
    text = f"""---
orphan: true
---

# How fast it is

Written by `make bench` on {day}, {os.cpu_count()} cores, Python {platform.python_version()}.
*L* is a limit measured in the same run, such as the same answer without any work behind it. "PostgreSQL" is the same
row with PostgreSQL and Redis instead of SQLite and the site's own workers. What could not be measured says why.

| row | measured | must | target | |
|---|---|---|---|---|
"""
    for line in lines:
        row, figure, *rest = line.split(" | ")
        must, target, verdict = rest if len(rest) == 3 else ("", "", "")
        cells = (row, figure, must.removeprefix("must "), target.removeprefix("target "), verdict)
        text += f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |\n"
    return text


def main(wanted: list[str]) -> int:
    """Run the wanted scripts (all by default) and return 1 if one failed."""
    lines: list[str] = []

    def tell(line: str) -> None:
        if " | " in line:  # a row, and not what a program says beside it
            lines.append(line)
        print(line, flush=True)

    with ExitStack() as until:
        servers = Servers(until)
        for row, script in ROWS.items():
            if wanted and script not in wanted:
                continue
            for line in measured(script, {}):
                tell(line)
            if script not in ON_BOTH_STACKS:
                continue
            try:
                environment = servers.environment()
            except Missing as missing:
                tell(f"{row}, PostgreSQL | not measured: {missing}")
                continue
            for line in measured(script, environment):
                head, _, rest = line.partition(" | ")
                tell(f"{head}, PostgreSQL | {rest}")
    if not wanted:
        PAGE.write_text(table(lines, day=f"{datetime.now(UTC):%Y-%m-%d}"))
    return int(any(" | not measured: status " in line or " | not measured: no answer" in line for line in lines))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
