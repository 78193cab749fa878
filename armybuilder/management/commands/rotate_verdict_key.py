"""`manage.py rotate_verdict_key`: a new key signs verdicts from now on; what older keys signed stays good."""

from typing import Any

from django.core.management import BaseCommand

from armybuilder.armylists.signed_verdicts import pem_of, rotate_key


class Command(BaseCommand):
    """Make a new key and retire the one in use."""

    help = "Makes a new key for signed verdicts and retires the one in use."

    def handle(self, *args: Any, **options: Any) -> None:
        """Print the new key's id and public half."""
        key = rotate_key()
        self.stdout.write(f"{key.id}\n{pem_of(key)}")
