"""Row "start, memory": a web worker with two data sets mapped, against Django + DRF + NumPy alone."""

import json
import os
import secrets
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from bench.row import cannot_run, report

ROW = "start, memory"
ROOT = Path(__file__).resolve().parent.parent
COMMUNITY = ROOT.parent / "shared" / "battlescribe" / "data" / "horus-heresy-2023-10-07"
ROUNDS = 7

_RESIDENT = 'int(open("/proc/self/statm").read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20'

ALONE = f"""
import os, time
start = time.perf_counter()
from django.conf import settings
settings.configure(
    SECRET_KEY="x" * 50, ALLOWED_HOSTS=["*"], ROOT_URLCONF=__name__, USE_TZ=True,
    DATABASES={{"default": {{"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}}}},
    INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions", "rest_framework"],
    MIDDLEWARE=["django.middleware.security.SecurityMiddleware", "django.contrib.sessions.middleware.SessionMiddleware",
        "django.middleware.common.CommonMiddleware", "django.middleware.csrf.CsrfViewMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware"],
    TEMPLATES=[{{"BACKEND": "django.template.backends.django.DjangoTemplates"}}],
)
import django
django.setup()
from rest_framework.views import APIView
from rest_framework import generics, serializers
from django.core.wsgi import get_wsgi_application
import numpy
urlpatterns = []
get_wsgi_application()
print("[%r, %r]" % (time.perf_counter() - start, {_RESIDENT}))
"""
"""What the limit says such a process needs before it has any code of its own."""

WORKER = f"""
import json, os, sys, time
start = time.perf_counter()
from armybuilder.wsgi import application
import armybuilder.urls
from armybuilder.datafiles.models import DataRelease
from armybuilder.datafiles.parsing import library_of
from armybuilder.simulations import embedded
for release in DataRelease.objects.filter(system__rule_pack="horus-heresy"):  # the shipped set and the community's
    library = library_of(release.pk)
    assert library.catalogues
environment = {{"REQUEST_METHOD": "GET", "PATH_INFO": "/api/v1/systems/", "SERVER_NAME": "localhost",
    "SERVER_PORT": "80", "HTTP_HOST": "localhost", "wsgi.input": sys.stdin.buffer, "wsgi.errors": sys.stderr,
    "wsgi.url_scheme": "http"}}
embedded.start()
status = []
body = b"".join(application(environment, lambda line, headers: status.append(line)))
assert status == ["200 OK"], (status, body)
took = time.perf_counter() - start
time.sleep(1)
print(json.dumps([took, {_RESIDENT}, sorted(sys.modules)]))
"""
"""A web worker from nothing to its first answer, with every stored data set at hand and its embedded worker idle."""

IMPORTS = """
import importlib, json, os, sys, time
names = json.load(sys.stdin)
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "armybuilder.settings")
start = time.perf_counter()
import django
django.setup()
for name in names:
    if name not in sys.modules:
        try:
            importlib.import_module(name)
        except Exception:
            pass  # names that only exist inside another module
print(json.dumps([time.perf_counter() - start]))
"""
"""The imports of that worker and nothing else."""


def main() -> None:
    """Measure and print the row."""
    if not COMMUNITY.is_dir():
        cannot_run(ROW, f"the second data set is not at {COMMUNITY}")
        return
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {
            "VAR_DIR": folder,
            "SECRET_KEY": secrets.token_urlsafe(64),
            "DJANGO_SETTINGS_MODULE": "armybuilder.settings",
        }
        for name in ("DATABASE_URL", "REDIS_URL"):
            environment.pop(name, None)
        for command in (["migrate", "--verbosity", "0"], ["seed"]):
            subprocess.run([sys.executable, "manage.py", *command], cwd=ROOT, env=environment, check=True, stdout=2)
        _run(_STORE.format(folder=str(COMMUNITY)), environment)
        alone, worker, imports = [], [], []
        for _ in range(ROUNDS):
            alone.append(_run(ALONE, environment))
            took = _run(WORKER, environment)
            worker.append(took)
            imports.append(_run(IMPORTS, environment, json.dumps(took[2])))
    base_mb, worker_mb = median(row[1] for row in alone), median(row[1] for row in worker)
    imports_ms, answer_ms = (1e3 * median(row[0] for row in rows) for rows in (imports, worker))
    report(
        ROW,
        f"memory {worker_mb:.0f} MB = {worker_mb / base_mb:.2f} x {base_mb:.0f} MB of Django + DRF + NumPy; "
        f"first answer {answer_ms:.0f} ms = {answer_ms / imports_ms:.2f} x its imports",
        must="memory <= 2 x",
        target="memory <= 1.3 x, first answer <= 2 x its imports",
        met=worker_mb <= 2 * base_mb,
    )


_STORE = """
import django; django.setup()
from pathlib import Path
from armybuilder.datafiles import bundles, parsing, services
from armybuilder.datafiles.models import PublishedSystem
files = bundles.bundle_of_paths([Path({folder!r})])
library = parsing.parse(files)
system = PublishedSystem.objects.create(id="community", name="Community data")
services.store_release(system, files, library, report={{"compiled": library.content_hash}}, origin="bench", by=None)
print("[]")
"""
"""A second data set, stored as publishing would store it but without working out its rows."""


def _run(program: str, environment: dict[str, str], given: str = "") -> list:
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env=environment,
        input=given,
        capture_output=True,
        text=True,
        check=True,
    )
    answer: list = json.loads(done.stdout.strip().splitlines()[-1])
    return answer


if __name__ == "__main__":
    main()
