"""Row "first page": the first pages of a web worker just started, with ten data sets published."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from bench import data_sets
from bench.publish import CHECKOUT, processor_seconds
from bench.row import cannot_run, report

ROW = "first page"
SETS = (
    data_sets.HERESY,
    data_sets.EPIC,
    data_sets.TENTH,
    data_sets.SIGMAR,
    data_sets.OLD_WORLD,
    "wh40k-6th-1.14b",
    "wh40k-7th-edition",
    "whfb",
)
"""The last one holds several games."""
ROUNDS = 5

WORKER = """
import sys, time
from armybuilder.wsgi import application
import armybuilder.urls

def seconds(path):
    environment = {"REQUEST_METHOD": "GET", "PATH_INFO": path, "QUERY_STRING": "", "SERVER_NAME": "localhost",
        "SERVER_PORT": "80", "HTTP_HOST": "localhost", "wsgi.input": sys.stdin.buffer, "wsgi.errors": sys.stderr,
        "wsgi.url_scheme": "http"}
    status, start = [], time.perf_counter()
    body = b"".join(application(environment, lambda line, headers: status.append(line)))
    took = time.perf_counter() - start
    assert status == ["200 OK"] and body, (path, status)
    return took

print(*(seconds(path) for path in sys.argv[1:]))
"""
PAGES = ("/", "/lists/new/")


def main() -> None:
    """Publish the sets into an installation of their own, then start a worker a few times and ask it."""
    reason = data_sets.missing()
    if reason is not None:
        cannot_run(ROW, reason)
        return
    place = Path(tempfile.mkdtemp(prefix="armybuilder-bench-"))
    environment = os.environ | {"VAR_DIR": str(place), "DJANGO_SETTINGS_MODULE": "armybuilder.settings"}
    try:
        processor_seconds(["migrate", "--verbosity=0"], environment)
        for name in SETS:
            processor_seconds(["import_gamedata", str(data_sets.unpacked(name))], environment)
        systems = published_systems(environment)
        rounds = [first_pages(environment) for _ in range(ROUNDS)]
    finally:
        shutil.rmtree(place, ignore_errors=True)
    for at, page in enumerate(PAGES):
        took = median(seconds[at] for seconds in rounds)
        report(
            f"{ROW} ({page}, {systems} data sets published)",
            f"{took * 1e3:.0f} ms",
            must="≤ 1 s",
            target="≤ 0.3 s",
            met=took <= 1 if systems >= 10 else None,
        )


def published_systems(environment: dict[str, str]) -> int:
    """How many data sets are published there."""
    code = (
        "import django; django.setup(); from armybuilder.datafiles.models import PublishedSystem as P; "
        "print(P.objects.exclude(current_release=None).count())"
    )
    return int(_printed(code, environment))


def first_pages(environment: dict[str, str]) -> list[float]:
    """Seconds of each page in a fresh worker, asked in turn; its imports are not counted."""
    return [float(text) for text in _printed(WORKER, environment, *PAGES).split()]


def _printed(code: str, environment: dict[str, str], *arguments: str) -> str:
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=CHECKOUT,
        env=environment,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    ).stdout


if __name__ == "__main__":
    main()
