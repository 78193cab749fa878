"""`manage.py check FILE`: an army by the rulebook. Without a document it is Django's own check of the project."""

from typing import Any

import msgspec
from django.apps import apps
from django.core.management.base import CommandParser
from django.core.management.commands import check as django_check

from armybuilder.engine.check import check
from armybuilder.engine.documents import parse_army
from armybuilder.management.cli_documents import Status, leave_answering


class Command(django_check.Command):
    """Django's command, with documents."""

    help = (
        "Checks an army document: check FILE, check - (standard input), check --jsonl FILE (a document a line). "
        "Exit status 0 legal, 1 not legal, 2 bad input, 70 internal error. "
        "Otherwise checks the entire Django project for potential problems."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Django's arguments, and `--jsonl`."""
        super().add_arguments(parser)
        parser.add_argument("--jsonl", metavar="FILE", help="One army document a line; - reads standard input.")

    def handle(self, *app_labels: Any, **options: Any) -> None:
        """Answer documents and leave with their exit status, or do what Django does."""
        lines = options.pop("jsonl", None)
        if lines is not None:
            leave_answering(lines, _answer, one_a_line=True, out=self._out, err=self._err)
        if len(app_labels) == 1 and not _is_app_label(app_labels[0]):
            leave_answering(app_labels[0], _answer, one_a_line=False, out=self._out, err=self._err)
        super().handle(*app_labels, **options)

    @property
    def _out(self) -> Any:
        """The stream under Django's wrapper, which would decorate what it writes."""
        return getattr(self.stdout, "_out", self.stdout)

    @property
    def _err(self) -> Any:
        return getattr(self.stderr, "_out", self.stderr)


def _is_app_label(text: str) -> bool:
    return any(app.label == text for app in apps.get_app_configs())


def _answer(raw: object) -> tuple[bytes, Status]:
    report = check(parse_army(raw))
    return msgspec.json.encode(report), Status.DONE if report.legal else Status.NOT_LEGAL
