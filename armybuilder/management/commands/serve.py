"""`manage.py serve`: the web server with its embedded worker, after bringing database and sample data up to date."""

import errno
import os
import socket
import sys
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import BaseCommand, CommandError, CommandParser, call_command

from armybuilder.operations.safety import refuse_unsafe_settings


class Command(BaseCommand):
    """Serve the site on HOST and PORT until Ctrl-C."""

    help = "Serves the site on HOST:PORT with gunicorn; --prepare migrates and seeds first."

    def add_arguments(self, parser: CommandParser) -> None:
        """One switch: whether to migrate and seed."""
        parser.add_argument("--prepare", action="store_true", help="migrate and load the sample data first")

    def handle(self, *args: Any, prepare: bool, **options: Any) -> None:
        """Become gunicorn; never returns.

        Raises:
            CommandError: with such settings, or at this address, no site may be served; nothing was begun.
        """
        try:
            refuse_unsafe_settings()
        except ImproperlyConfigured as refused:
            raise CommandError(str(refused)) from None
        _refuse_occupied_port(settings.HOST, settings.PORT)
        if prepare:
            settings.VAR_DIR.mkdir(parents=True, exist_ok=True)
            call_command("migrate", verbosity=0, interactive=False)
            call_command("seed", stdout=self.stdout)
            os.environ["STARTED_BY_MAKE_RUN"] = "1"
        self.stdout.flush()
        command = [sys.executable, "-m", "gunicorn", "--config", str(settings.BASE_DIR / "gunicorn.conf.py")]
        os.chdir(settings.BASE_DIR)
        os.execv(sys.executable, [*command, "armybuilder.wsgi"])  # noqa: S606 - a fixed program of our own


def _refuse_occupied_port(host: str, port: int) -> None:
    """Say so, with the remedy, when somebody else listens there.

    Raises:
        CommandError: the address cannot be served on.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as refused:
            if refused.errno == errno.EADDRINUSE:
                raise CommandError(
                    f"Port {port} of {host} is already in use, perhaps by another Army Builder. "
                    f"Stop that program, or choose another port:  PORT={port + 1} make run"
                ) from None
            raise CommandError(
                f"{host}:{port} cannot be served on ({refused.strerror}). Choose HOST and PORT of this machine, "
                "e.g.  HOST=127.0.0.1 PORT=8000 make run"
            ) from None
