"""`manage.py restore FILE`: everything as it was in a backup."""

from pathlib import Path
from typing import Any

from django.core.management import BaseCommand, CommandError
from django.core.management.base import CommandParser

from armybuilder.operations import backups


class Command(BaseCommand):
    """Replace what the installation holds."""

    help = "Replaces everything the installation holds by a backup. Stop the site and its workers before."

    def add_arguments(self, parser: CommandParser) -> None:
        """Which file, and that it is meant."""
        parser.add_argument("file", type=Path, help="a file written by `manage.py backup`")
        parser.add_argument("--yes", action="store_true", help="do not ask")

    def handle(self, *args: Any, **options: Any) -> None:
        """Ask, then replace everything or nothing."""
        if not options["yes"] and not _is_meant():
            raise CommandError("Nothing was changed. Where nobody can be asked: --yes.")
        try:
            backups.restore(options["file"], tell=self.stdout.write)
        except backups.BackupRefused as refused:
            raise CommandError(f"{refused} Nothing was changed.") from refused


def _is_meant() -> bool:
    try:
        return input("Everything this installation holds will be replaced. Type yes: ") == "yes"
    except EOFError:  # nobody is there
        return False
