"""The program of a worker beside the web process: a line on standard input names a claim, a line back says it is done.

It is run as `python -m armybuilder.simulations.worker_program`, by `worker_process.WorkerProcess` alone, and ends when
whoever started it ends.
"""

import logging
import os
import queue
import resource
import signal
import sys
import threading
from pathlib import Path
from uuid import UUID

import django
from django.conf import settings
from django.db import DatabaseError, connections

READY, WORKED, IDLE, AWAY, GROWN = "ready", "worked", "idle", "away", "grown"
"""What it says: it may be asked; it has worked, or found nothing to do, or no database; it wants to be replaced."""

logger = logging.getLogger(__name__)


def main() -> None:
    """Perform what is asked for until standard input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the web process says when to end
    django.setup()

    from armybuilder.database_patience import limit_waiting  # noqa: PLC0415 - models need django.setup first
    from armybuilder.simulations.working import limit_memory, work_on_next  # noqa: PLC0415

    limit_waiting()
    limit_memory(settings.WORKER_MEMORY_KILOBYTES)
    asked: queue.SimpleQueue[UUID] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(asked,), daemon=True).start()
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", buffering=1)
    sys.stdout = sys.stderr
    answers.write(f"{READY}\n")
    while True:
        worker = asked.get()
        try:
            answer = WORKED if work_on_next(worker) else IDLE
        except DatabaseError as error:
            logger.warning("A worker waits for the database: %s", error)
            connections.close_all()
            answer = AWAY
        except Exception:  # the run is failed visibly by the task; the next one shall be answered
            logger.exception("A computation failed.")
            answer = IDLE  # not again at once: should it fail before it claims anything, it would do nothing else
        answers.write(f"{GROWN if _has_grown() else answer}\n")


def _listen(asked: "queue.SimpleQueue[UUID]") -> None:
    """Pass on what is asked; the end of the web process ends this one, whatever it is computing."""
    for line in sys.stdin:
        asked.put(UUID(line.strip()))
    os._exit(0)


def _has_grown() -> bool:
    """Whether it once took half of what it may: what it keeps of that would be missing for the next question."""
    most = settings.WORKER_MEMORY_KILOBYTES
    return bool(most) and _peak_kilobytes() > most / 2


def _peak_kilobytes() -> int:
    """The most memory this program held; getrusage begins with what the web process held when it started this one."""
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii")
    except OSError:  # no Linux
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM:"))


if __name__ == "__main__":
    main()
