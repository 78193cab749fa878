"""`manage.py backup`: everything the installation holds in one file, while it runs."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError
from django.core.management.base import CommandParser

from armybuilder.operations import backups


class Command(BaseCommand):
    """Write a backup, and delete the oldest ones of the folder."""

    help = "Writes lists, users, game data, settings of the site and the secret key into one file, while the site runs."

    def add_arguments(self, parser: CommandParser) -> None:
        """Where to, and how many to keep."""
        parser.add_argument("--output", type=Path, metavar="FILE", help=f"default: a new file in {settings.BACKUP_DIR}")
        parser.add_argument(
            "--keep", type=int, default=settings.BACKUPS_KEPT, help="newest backups left in the folder; 0 keeps all"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Write it, and say where it lies."""
        try:
            path = backups.make(options["output"])
        except backups.BackupRefused as refusal:
            raise CommandError(str(refusal)) from refusal
        except OSError as error:
            raise CommandError(f"The backup could not be written: {error}. Nothing was changed.") from error
        self.stdout.write(f"{path} ({path.stat().st_size:,} bytes)")
        if options["output"] is None:
            for gone in backups.forget_old(options["keep"]):
                self.stdout.write(f"deleted {gone}")
