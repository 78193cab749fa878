#!/usr/bin/env python
"""Django's command line: `manage.py check FILE`, `manage.py simulate FILE`, `manage.py help`."""

import os
import sys
import traceback

ANSWERING = {"check", "simulate", "line_protocol"}
"""Commands whose exit status 1 is an answer, so that their own failures need another."""

INTERNAL_ERROR = 70

REMEDY = "Change .env, or the file of settings, and start again; docs/operations/configure.md."


def main() -> None:
    """Run one management command."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "armybuilder.settings")
    try:
        from django.core.management import execute_from_command_line  # noqa: PLC0415 - its failure is answered too

        execute_from_command_line(sys.argv)
    except Exception as error:
        if not ANSWERING.intersection(sys.argv[1:2]):
            if type(error).__name__ != "ImproperlyConfigured":
                raise
            sys.exit(f"WRONG settings: {error}\n      remedy: {REMEDY}")
        traceback.print_exc()
        sys.exit(INTERNAL_ERROR)


if __name__ == "__main__":
    main()
