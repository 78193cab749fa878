"""`manage.py simulate FILE`: a matchup, exactly or with dice, without a database."""

from typing import Any

import msgspec
from django.core.management.base import BaseCommand, CommandParser

from armybuilder.engine.documents import parse_matchup
from armybuilder.engine.simulate import document_of, simulate
from armybuilder.management.cli_documents import Status, leave_answering


class Command(BaseCommand):
    """One document in FILE, or one a line with `--jsonl`."""

    help = (
        "Simulates a matchup document: simulate FILE, simulate - (standard input), simulate --jsonl FILE "
        "(a document a line). Exit status 0 done, 2 bad input or beyond the limits, 70 internal error."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        """A file, or `--jsonl` and a file."""
        parser.add_argument("file", metavar="FILE", nargs="?", help="A matchup document; - reads standard input.")
        parser.add_argument("--jsonl", metavar="FILE", help="One matchup document a line; - reads standard input.")

    def handle(self, *args: Any, **options: Any) -> None:
        """Answer and leave with the exit status of the worst document."""
        lines, file = options["jsonl"], options["file"]
        if (lines is None) == (file is None):
            self.stderr.write("error: name one FILE, - for standard input, or --jsonl FILE")
            raise SystemExit(Status.BAD_INPUT)
        source = file if lines is None else lines
        leave_answering(
            source, _answer, one_a_line=lines is not None, out=self._stream("stdout"), err=self._stream("stderr")
        )

    def _stream(self, name: str) -> Any:
        """The stream under Django's wrapper, which would decorate what it writes."""
        wrapper = getattr(self, name)
        return getattr(wrapper, "_out", wrapper)


def _answer(raw: object) -> tuple[bytes, Status]:
    return msgspec.json.encode(document_of(simulate(parse_matchup(raw)))), Status.DONE
