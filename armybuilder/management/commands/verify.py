"""`manage.py verify VERDICT --key PUBLIC`: whether a signed verdict is genuine, with nothing but the public key."""

import sys
from pathlib import Path
from typing import Any

import msgspec
from django.core.management import BaseCommand, CommandError
from django.core.management.base import CommandParser

from armybuilder.armylists.signed_verdicts import is_genuine


class SignedText(msgspec.Struct, frozen=True):
    """The part of a verdict, as the API gives it, that proves it."""

    payload: str
    signature: str


class Command(BaseCommand):
    """Check a signature; no database and no network is asked."""

    help = "Checks a signed verdict, as /api/v1/verdicts/CODE/ gives it, with a public key of /api/v1/verdict-keys/."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        """The verdict and the key."""
        parser.add_argument("verdict", help="File with the verdict as JSON; - is standard input.")
        parser.add_argument("--key", required=True, type=Path, help="File with the public key (PEM).")

    def handle(self, *args: Any, **options: Any) -> None:
        """Say what was signed, or refuse with status 1."""
        name = options["verdict"]
        try:
            data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
            signed = msgspec.json.decode(data, type=SignedText)
            genuine = is_genuine(signed.payload, signed.signature, options["key"].read_text(encoding="utf-8"))
        except (OSError, ValueError, msgspec.MsgspecError) as broken:
            raise CommandError(f"{name} or the key cannot be read: {broken}") from broken
        if not genuine:
            raise CommandError(f"{name}: NOT GENUINE. The text was changed, or another key signed it.", returncode=1)
        facts = msgspec.json.decode(signed.payload)
        self.stdout.write(
            f"genuine: {facts['verdict']}, {facts['points']} points, {facts['system']}, "
            f"data {facts['release']['number']}, {facts['issued_at']}"
        )
