"""An installation with real processes that can be killed: a web server, workers, and what they need.

It is made once (data published, four lists, a token) and copied for every test. Its database is a file, or a
PostgreSQL that a backup of the first is restored into.
"""

import http.client
import json
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID

import psycopg

from tests.servers import free_port, wait_for_port

ROOT = Path(__file__).resolve().parents[2]

LEASE_SECONDS = 3

CELERY = ("-m", "celery", "-A", "armybuilder.celery", "worker", "-c", "1", "--loglevel", "WARNING")

_FILL = """
import django; django.setup()
from armybuilder.accounts.services import issue_token, sign_up
from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import services
from armybuilder.armylists.samples import samples
user = sign_up(username="Horus", password="a long enough secret")
for _ in range(4):
    print(services.copy_shared(Viewer(user=user), samples()[0].link.token).pk)
print(issue_token(user, name="mine", scopes=["lists:read", "lists:write", "simulate"]).secret)
"""


class Filled(NamedTuple):
    """A folder that holds an installation, and what is in it."""

    folder: Path
    lists: tuple[str, ...]
    token: str


class Answer(NamedTuple):
    """What the site said."""

    status: int
    body: Any
    tag: str


class Site:
    """An installation in a folder; what runs of it is started and killed by the tests."""

    def __init__(self, folder: Path, *, filled: Filled | None = None, log: Path | None = None, **settings: str) -> None:
        """Make one. `filled` is copied; without it the folder is taken as it is."""
        self.folder, self.port = folder, free_port()
        self.log = log or folder.with_name(f"{folder.name}.log")
        kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
        self.environment = kept | {
            "VAR_DIR": str(folder),
            "PYTHONFAULTHANDLER": "1",
            "PORT": str(self.port),
            "DJANGO_SETTINGS_MODULE": "armybuilder.settings",
            "SQLITE_BUSY_SECONDS": "2",
            "LEASE_SECONDS": str(LEASE_SECONDS),
            "API_RATE_USER": "100000/min",
            "METRICS_TOKEN": "figures",
            "API_RATE_SIMULATE": "100000/min",
            **settings,
        }
        self.lists: tuple[str, ...] = ()
        self.token = ""
        if filled is not None:
            shutil.copytree(filled.folder, folder, dirs_exist_ok=True)
            self.lists, self.token = filled.lists, filled.token

    def run(self, *arguments: str) -> str:
        """What a program of the installation says."""
        process = self.start(*arguments, pipes=True)
        said, errors = process.communicate(timeout=200)
        assert process.returncode == 0, errors.decode()
        return said.decode()

    def start(self, *arguments: str, pipes: bool = False, **settings: str) -> subprocess.Popen[bytes]:
        """A program of the installation, in a process group of its own."""
        with self.log.open("ab") as log:
            return subprocess.Popen(
                [sys.executable, *arguments],
                cwd=ROOT,
                env=self.environment | settings,
                start_new_session=True,
                stdout=subprocess.PIPE if pipes else log,
                stderr=subprocess.PIPE if pipes else log,
            )

    @contextmanager
    def served(self, **settings: str) -> Iterator[subprocess.Popen[bytes]]:
        """The web server; what is left of it at the end is killed."""
        with self._running(self.start("-m", "gunicorn", "armybuilder.wsgi", **settings)) as process:
            wait_for_port(self.port, process=process, seconds=90)
            assert patiently(self._is_alive), self.log.read_text()[-4000:]
            yield process
        assert patiently(lambda: not self._is_listened_to())  # its children are dead, too

    @contextmanager
    def worker(self, **settings: str) -> Iterator[subprocess.Popen[bytes]]:
        """A Celery worker with one process; it may not have begun to take work yet."""
        with self._running(self.start(*CELERY, **settings)) as process:
            yield process

    @staticmethod
    @contextmanager
    def _running(process: subprocess.Popen[bytes]) -> Iterator[subprocess.Popen[bytes]]:
        try:
            yield process
        finally:
            kill(process)

    def _is_alive(self) -> bool:
        with suppress(OSError, http.client.HTTPException):
            return self.ask("GET", "/healthz/").status == 200
        return False

    def _is_listened_to(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def ask(self, method: str, path: str, body: object = None, **headers: str) -> Answer:
        """Its answer; raises OSError or HTTPException when the server dies meanwhile."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        sent = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json", "If-Match": "*"}
        connection.request(method, path, json.dumps(body) if body is not None else None, sent | headers)
        answer = connection.getresponse()
        content = answer.read()
        is_json = "json" in answer.headers.get("Content-Type", "") and content
        return Answer(answer.status, json.loads(content) if is_json else content, answer.headers.get("ETag", ""))

    def rename(self, list_id: str, name: str) -> int:
        """The status of an edit."""
        return self.ask("POST", f"/api/v1/lists/{list_id}/edits/", {"edits": [{"edit": "set_name", "name": name}]})[0]

    def name_of(self, list_id: str) -> str:
        """What a list is called, as the site says."""
        return str(self.ask("GET", f"/api/v1/lists/{list_id}/").body["name"])

    def simulate(self, question: object) -> str:
        """The address of a simulation that waits for workers."""
        answer = self.ask("POST", "/api/v1/simulations/", question)
        assert answer.status == 202, answer
        return f"/api/v1/simulations/{answer.body['id']}/"

    def state(self, address: str) -> str:
        """Where a simulation stands, as the site says."""
        return str(self.ask("GET", address).body["state"])

    def result(self, address: str) -> Any:
        """What came out."""
        return self.ask("GET", f"{address}result/").body

    def rows(self, question: str, *values: object) -> list[tuple[Any, ...]]:
        """What the database holds, read without the site; `%s` stands for a value, ids are UUIDs."""
        if (url := self.environment.get("DATABASE_URL")) is not None:
            with psycopg.connect(url, autocommit=True) as server:
                return server.execute(question.encode(), values).fetchall()
        plain = [value.hex if isinstance(value, UUID) else value for value in values]
        with closing(sqlite3.connect(self.folder / "armybuilder.sqlite3")) as file:
            return file.execute(question.replace("%s", "?"), plain).fetchall()

    def stored(self, list_id: str) -> list[tuple[int, str]]:
        """Number and name of every state of a list."""
        question = "select number, name from armylists_revision where army_list_id = %s order by number"
        return self.rows(question, UUID(list_id))

    def attempts(self) -> int:
        """The most workers that any chunk of a computation needed."""
        return int(self.rows("select max(attempts) from simulations_chunk")[0][0])


def make(folder: Path) -> Filled:
    """An installation of its own, with the data and samples that are shipped and four lists of one user."""
    folder.mkdir(parents=True, exist_ok=True)
    site = Site(folder)
    site.run("manage.py", "migrate", "-v0")
    site.run("manage.py", "seed")
    return fill(folder)


def fill(folder: Path) -> Filled:
    """Four lists of one user, in an installation that has the data and samples that are shipped."""
    *lists, token = Site(folder).run("-c", _FILL).split()
    return Filled(folder, tuple(lists), token)


def kill(process: subprocess.Popen[bytes], number: signal.Signals = signal.SIGKILL) -> None:
    """Send a signal to a process and its children; return when it has ended, if it was the last one."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, number)
    if number == signal.SIGKILL:
        process.wait(20)


def patiently(what: Callable[[], bool], *, seconds: float = 60) -> bool:
    """Whether it comes true in time."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if what():
            return True
        time.sleep(0.1)
    return False


def begin_edits(site: Site) -> tuple[dict[str, list[str]], threading.Event, list[threading.Thread]]:
    """Rename every list again and again; what was answered, what ends it, and who does it."""
    answered: dict[str, list[str]] = {list_id: [] for list_id in site.lists}
    enough = threading.Event()

    def edit(list_id: str) -> None:
        for number in range(100_000):
            if enough.wait(0.02):
                return
            name = f"name {number}"
            with suppress(OSError, http.client.HTTPException):
                if site.rename(list_id, name) == 200:
                    answered[list_id].append(name)

    threads = [threading.Thread(target=edit, args=(list_id,), daemon=True) for list_id in site.lists]
    for thread in threads:
        thread.start()
    return answered, enough, threads


def is_all_stored(site: Site, answered: Mapping[str, Sequence[str]], *, deaths: int = 1) -> None:
    """Every edit that was answered is stored once, in its order; besides them one of each list and death at most."""
    for list_id, names in answered.items():
        states = site.stored(list_id)
        found = [name for _, name in states[1:]]
        told = set(names)
        assert [name for name in found if name in told] == list(names)
        assert len(found) <= len(names) + deaths, "what was refused is not stored"
        assert [number for number, _ in states] == list(range(1, len(states) + 1))


class Clock:
    """The clock of a process, which can be set while it runs."""

    def __init__(self, folder: Path, *, days: int = 0) -> None:
        self._file = folder / "clock"
        self.settings = {"PYTHONPATH": str(Path(__file__).with_name("other_clock")), "OTHER_CLOCK": str(self._file)}
        self.set(days=days)

    def set(self, *, days: int) -> None:
        """So many days ahead of the others."""
        draft = self._file.with_suffix(".draft")
        draft.write_text(str(days * 86_400))
        draft.replace(self._file)


def publisher(site: Site, folder: Path) -> subprocess.Popen[bytes]:
    """A process that publishes what lies in a folder."""
    return site.start("manage.py", "import_gamedata", str(folder), pipes=True)


def published_once(site: Site, publishers: Sequence[subprocess.Popen[bytes]]) -> None:
    """One of them made the release of the invented game, the others found it there, and it is current."""
    said = [process.communicate(timeout=120) for process in publishers]
    assert [process.returncode for process in publishers] == [0] * len(said), said
    assert sum("now the current" in out.decode() for out, _ in said) == 1, said
    releases = site.rows(
        "select release.number, system.current_release_id = release.id from datafiles_datarelease release "
        "join datafiles_publishedsystem system on system.id = release.system_id where system.battlescribe_id = 'game'"
    )
    assert [(number, bool(is_current)) for number, is_current in releases] == [(1, True)]
