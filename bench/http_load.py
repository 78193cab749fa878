"""Requests a second of two servers in turn: ours and a limit, under the same gunicorn settings, asked by wrk."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

ROOT = Path(__file__).resolve().parent.parent
LIMITS = ROOT.parent / "shared" / "limits"
"""Where the script of the limit lies, if this machine has it."""

CONNECTIONS = 16
WINDOW_SECONDS = 3
ROUNDS, MOST_ROUNDS = 5, 12
"""How many rounds count, and how many are tried until so many are clean."""

CLEAN = 0.05
"""Share of the machine that other programs may take in a clean round."""

PATIENCE_SECONDS = 20
"""How long an answer may take: a hundred documents checked for each of the connections take some seconds."""

_POST_IN_TURN = """
local requests, last = {}, 0

function init()
  for number = 1, %d do
    local file = io.open("%s/" .. number, "rb")
    requests[number] = wrk.format("POST", nil, nil, file:read("*a"))
    file:close()
  end
end

function request()
  last = last %% #requests + 1
  return requests[last]
end
"""
"""For wrk: how many bodies there are, and the folder where each lies under its number."""

_STAND_IN = "import json\n\n\ndef dumps(value):\n    return json.dumps(value, separators=(',', ':')).encode()\n"
"""For the limit's `import orjson`, which only makes its constants: nothing of it is measured here."""


class CannotMeasure(Exception):
    """What is missing on this machine."""


@dataclass(frozen=True, slots=True)
class Window:
    """What wrk saw: requests a second, and milliseconds below which 99 % of the answers came.

    Attributes:
        others: share of the machine that neither the servers of this run nor wrk took.
        cpu_us: microseconds of processor that the servers took for one answer.
    """

    rps: float
    p99: float
    others: float
    cpu_us: float = 0.0


@dataclass(frozen=True, slots=True)
class Request:
    """One request as wrk repeats it.

    Attributes:
        bodies: posted in turn; none for a request that is no POST.
    """

    url: str
    headers: Mapping[str, str]
    bodies: Sequence[bytes] = ()


def require_tools() -> None:
    """Raise CannotMeasure when wrk or the limit's script is missing."""
    if shutil.which("wrk") is None:
        raise CannotMeasure("wrk is not installed (apt-get install wrk)")
    if not (LIMITS / "webapp.py").is_file():
        raise CannotMeasure(f"the limit's script is not at {LIMITS}")


@contextmanager
def gunicorn(
    application: str, *, folder: Path, environment: Mapping[str, str], ready: str, config: str
) -> Iterator[str]:
    """A server of two sync workers on a free port; yields its address and stops it at the end.

    Args:
        ready: path that answers as soon as the server works.
        config: gunicorn settings file, so that neither side reads one by accident.
    """
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "gunicorn", "-c", config, "--no-control-socket", "-w2", "-k", "sync"]
    command += ["-b", f"127.0.0.1:{port}", "--log-level", "warning", application]
    server = subprocess.Popen(
        command, cwd=folder, env=os.environ | environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    address = f"http://127.0.0.1:{port}"
    try:
        for _ in range(150):
            time.sleep(0.2)
            if server.poll() is not None:
                raise CannotMeasure(f"gunicorn ended with status {server.returncode} while starting {application}")
            if _answers(address + ready):
                break
        else:
            raise CannotMeasure(f"{application} did not answer within 30 s")
        yield address
    finally:
        server.send_signal(signal.SIGTERM)
        try:
            server.wait(10)
        except subprocess.TimeoutExpired:
            server.kill()


@contextmanager
def limit_server() -> Iterator[str]:
    """The limit: its Django and REST framework app, answering from memory."""
    with tempfile.TemporaryDirectory() as folder:
        stand_in = Path(folder) / "orjson.py"
        stand_in.write_text(_STAND_IN)
        environment = {"PYTHONPATH": f"{LIMITS}", "DBPATH": f"{folder}/limit.sqlite3", "DBKIND": "sqlite"}
        try:
            import orjson  # noqa: F401
        except ImportError:
            environment["PYTHONPATH"] += f":{folder}"
        with gunicorn(
            "webapp:application", folder=LIMITS, environment=environment, ready="/drf", config=os.devnull
        ) as address:
            yield address


@contextmanager
def our_server(environment: Mapping[str, str]) -> Iterator[str]:
    """The site as the limits' server runs; yields its address."""
    with gunicorn(
        "armybuilder.wsgi:application", folder=ROOT, environment=environment, ready="/healthz/", config=os.devnull
    ) as address:
        yield address


def in_turn(requests: Sequence[Request]) -> list[Window]:
    """The median window of each request, taken in turn, of the rounds in which other programs disturbed least.

    Raises:
        CannotMeasure: an answer was not 2xx.
    """
    for request in requests:
        _window(request, seconds=1)
    rounds: list[list[Window]] = []
    while len(rounds) < MOST_ROUNDS and sum(_disturbance(one) < CLEAN for one in rounds) < ROUNDS:
        rounds.append([_window(request, seconds=WINDOW_SECONDS) for request in requests])
    cleanest = sorted(rounds, key=_disturbance)[:ROUNDS]
    return [
        Window(
            rps=median(window.rps for window in seen),
            p99=median(window.p99 for window in seen),
            others=max(window.others for window in seen),
            cpu_us=median(window.cpu_us for window in seen),
        )
        for seen in zip(*cleanest, strict=True)
    ]


def disturbed(windows: Sequence[Window]) -> str:
    """What a reader of the figures must know about the machine; empty when it was quiet."""
    others = _disturbance(windows)
    return "" if others < CLEAN else f" (disturbed: other programs took up to {others:.0%} of the machine)"


def _disturbance(windows: Sequence[Window]) -> float:
    return max(window.others for window in windows)


def _window(request: Request, *, seconds: int) -> Window:
    command = ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{seconds}s", f"--timeout={PATIENCE_SECONDS}s", "--latency"]
    for name, value in request.headers.items():
        command += ["-H", f"{name}: {value}"]
    with tempfile.TemporaryDirectory() as folder:
        if request.bodies:
            for number, body in enumerate(request.bodies, start=1):
                (Path(folder) / str(number)).write_bytes(body)
            script = Path(folder) / "post.lua"
            script.write_text(_POST_IN_TURN % (len(request.bodies), folder))
            command += ["-s", str(script)]
        began, ours, machine, servers = time.monotonic(), _cpu_of_this_run(), _cpu_of_the_machine(), _cpu_of_servers()
        out = subprocess.run([*command, request.url], capture_output=True, text=True, check=True).stdout
        capacity = (time.monotonic() - began) * (os.cpu_count() or 1)
        others = (_cpu_of_the_machine() - machine) - (_cpu_of_this_run() - ours)
        servers = _cpu_of_servers() - servers
    if "Non-2xx" in out or "Socket errors: connect" in out:
        raise CannotMeasure(f"{request.url} answered with errors:\n{out}")
    rps = re.search(r"Requests/sec:\s*([\d.]+)", out)
    asked = re.search(r"(\d+) requests in", out)
    p99 = re.search(r"(?m)^\s+99%\s+([\d.]+)(us|ms|s)\b", out)
    if rps is None or p99 is None or asked is None:
        raise CannotMeasure(f"wrk said something unexpected:\n{out}")
    return Window(
        rps=float(rps[1]),
        p99=float(p99[1]) * {"us": 1e-3, "ms": 1.0, "s": 1e3}[p99[2]],
        others=max(0.0, others / capacity),
        cpu_us=servers * 1e6 / max(1, int(asked[1])),
    )


def _cpu_of_the_machine() -> float:
    """Seconds of all processors that were not idle, since the machine began."""
    times = [int(word) for word in Path("/proc/stat").read_text().partition("\n")[0].split()[1:]]
    return (sum(times) - times[3] - times[4]) / os.sysconf("SC_CLK_TCK")


def _cpu_of_this_run() -> float:
    """Seconds that this process, its living descendants and its ended children have used."""
    used, ended = _cpu_of_the_family(), os.times()
    return sum(used.values()) + ended.children_user + ended.children_system


def _cpu_of_servers() -> float:
    """Seconds that the living descendants of this process have used; between two windows those are the servers."""
    return sum(seconds for process, seconds in _cpu_of_the_family().items() if process != os.getpid())


def _cpu_of_the_family() -> dict[int, float]:
    """Seconds that this process and each of its living descendants have used."""
    parents: dict[int, int] = {}
    used: dict[int, float] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                words = (folder / "stat").read_text().rpartition(")")[2].split()
            except OSError:  # it has just ended
                continue
            parents[int(folder.name)] = int(words[1])
            used[int(folder.name)] = (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")
    family = {os.getpid()}
    while more := {process for process, parent in parents.items() if parent in family} - family:
        family |= more
    return {process: used.get(process, 0.0) for process in family}


def _answers(url: str) -> bool:
    try:
        with urlopen(url, timeout=5):
            return True
    except HTTPError:
        return True
    except (URLError, OSError):
        return False
