"""`manage.py export_list LIST FORMAT`: a stored list in one of the formats that pages offer."""

import sys
from pathlib import Path
from typing import Any
from uuid import UUID

from django.conf import settings
from django.core.management import BaseCommand, CommandError
from django.core.management.base import CommandParser
from django.utils import translation

from armybuilder.armylists.exports import FORMATS
from armybuilder.armylists.queries import stored_army_list
from armybuilder.armylists.signed_verdicts import handed_out_at
from armybuilder.engine.errors import GameError
from armybuilder.site_address import address_without_a_request


class Command(BaseCommand):
    """Write one list to a file, or to standard output."""

    help = "Writes a stored list in one of the formats: " + ", ".join(FORMATS) + "."

    def add_arguments(self, parser: CommandParser) -> None:
        """Which list, which format, which language, where to."""
        parser.add_argument("list", type=UUID, help="Id of the list, as its address has it.")
        parser.add_argument("format", choices=list(FORMATS))
        parser.add_argument("--language", choices=[code for code, _ in settings.LANGUAGES], default="en")
        parser.add_argument("--output", metavar="FILE", default="-", help="Where to; - is standard output.")

    def handle(self, *args: Any, **options: Any) -> None:
        """Write the list; refuse by name what a format cannot hold."""
        try:
            with translation.override(options["language"]), handed_out_at(address_without_a_request()):
                file = FORMATS[options["format"]].file_of(stored_army_list(options["list"]))
        except GameError as refused:
            raise CommandError(str(refused)) from refused
        if options["output"] != "-":
            Path(options["output"]).write_bytes(file.content)
            return
        out: Any = getattr(self.stdout, "_out", self.stdout)
        if out is sys.stdout:
            sys.stdout.buffer.write(file.content)  # a .rosz is no text
        else:
            out.write(file.content.decode())
