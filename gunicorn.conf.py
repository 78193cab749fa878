"""How gunicorn serves the site: address and size from the environment, the embedded worker beside the first request."""

import os
import signal
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "armybuilder.settings")

from django.conf import settings  # the two lines above make it importable
from gunicorn.errors import HaltServer

from armybuilder import figure_folder

try:
    figure_folder.join()
except OSError as error:
    raise SystemExit(str(error)) from None

bind = f"[{settings.HOST}]:{settings.PORT}" if ":" in settings.HOST else f"{settings.HOST}:{settings.PORT}"
workers = settings.WEB_WORKERS
threads = settings.WEB_THREADS
worker_class = "armybuilder.slow_clients.PatientThreadWorker" if threads > 1 else "sync"
preload_app = workers > 1  # compiled libraries are then shared memory
graceful_timeout = 10
keepalive = 5
loglevel = "warning"
proc_name = "armybuilder"
control_socket_disable = True  # nothing here uses it, and it would leave a socket in the home folder


def when_ready(server: Any) -> None:
    """Say where the site is, once it can be reached."""
    address = settings.PUBLIC_URL or f"http://{bind}"
    print(f"\nArmy Builder is ready:  {address}/", file=sys.stderr)
    if "STARTED_BY_MAKE_RUN" in os.environ:
        print(
            "An administrator is made by:  make admin   (then sign in at /admin/). Stop with Ctrl-C.\n", file=sys.stderr
        )


def on_reload(server: Any) -> None:
    """End where the program is loaded already: whoever started the server (systemd, containers) starts it anew.

    New processes would be copies of what was loaded before an upgrade, and load the rest of themselves from after it.
    """
    if preload_app:
        raise HaltServer("a reload with several processes is a restart", 0)


def post_worker_init(worker: Any) -> None:
    """Start what performs queued work in processes beside this one, unless Celery workers do."""
    # Ctrl-C reaches master and worker at once, and the master tells the worker again: a second signal inside the
    # first one's handler would wait for a lock the first one holds, and the worker would have to be killed.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if settings.QUEUE == "embedded":
        from armybuilder.reference import import_worker  # noqa: PLC0415 - a worker process has Django, the master not
        from armybuilder.simulations import embedded  # noqa: PLC0415 - as above
        from armybuilder.webhooks import worker as webhooks  # noqa: PLC0415 - as above

        embedded.start()
        import_worker.start()
        webhooks.start()


def worker_exit(server: Any, worker: Any) -> None:
    """End those processes; what they hold is taken up again."""
    if settings.QUEUE == "embedded":
        from armybuilder.reference import import_worker  # noqa: PLC0415 - a worker process has Django, the master not
        from armybuilder.simulations import embedded  # noqa: PLC0415 - a worker process has Django, the master not yet
        from armybuilder.webhooks import worker as webhooks  # noqa: PLC0415 - as above

        embedded.stop()
        import_worker.stop()
        webhooks.stop()
