"""`manage.py line_protocol`: the roster engine as an adapter for conformance suites, over standard input and output."""

import io
import sys
from typing import Any

from django.core.management.base import BaseCommand

from armybuilder.engine.line_protocol import serve


class Command(BaseCommand):
    """One JSON object a line in, one a line out; needs no database and no settings of ours."""

    help = "Speak the roster adapter protocol: JSON lines on standard input, answers on standard output."
    requires_system_checks: list[str] = []
    requires_migrations_checks = False

    def handle(self, *args: Any, **options: Any) -> None:
        """Answer until the input ends."""
        del args, options
        lines = io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8", errors="replace", newline="\n")
        out = io.TextIOWrapper(sys.stdout.buffer, encoding="utf-8", errors="replace", newline="\n")
        serve(lines, out)
        out.flush()
