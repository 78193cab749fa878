"""`manage.py import_list FILE --user NAME`: a list of an account's out of a file or text of any kind that is read."""

from pathlib import Path
from typing import Any

from django.core.management import BaseCommand, CommandError
from django.core.management.base import CommandParser

from armybuilder.accounts.queries import user_named
from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists.imports.battlescribe_roster import lost_words
from armybuilder.armylists.imports.files import import_file
from armybuilder.engine.errors import GameError


class Command(BaseCommand):
    """Make a list of each file; the first that is refused ends it."""

    help = "Makes lists of files of this site, BattleScribe, New Recruit, Old World Builder, Army Builder, or of texts."

    def add_arguments(self, parser: CommandParser) -> None:
        """Which files, and whose the lists shall be."""
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
        parser.add_argument("--user", required=True, help="Name of the account that gets the lists.")

    def handle(self, *args: Any, **options: Any) -> None:
        """Say of every list its id and its verdict, and what of the file the present data does not have."""
        user = user_named(options["user"])
        if user is None:
            raise CommandError(f"There is no account {options['user']}.")
        for path in options["files"]:
            try:
                done = import_file(Viewer(user=user), path.read_bytes(), file_name=path.name)
            except (GameError, OSError) as refused:
                raise CommandError(f"{path}: {refused}") from refused
            row = done.army_list
            self.stdout.write(f"{row.pk}: {row.name}, {row.verdict}")
            if done.dropped:
                self.stderr.write(lost_words(done.dropped).en)
