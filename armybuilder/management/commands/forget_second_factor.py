"""`manage.py forget_second_factor NAME`: for an administrator who lost every factor."""

from typing import Any

from django.core.management import BaseCommand, CommandError, CommandParser

from armybuilder.accounts import queries, second_factor


class Command(BaseCommand):
    """Forget codes, passkeys and recovery codes of an account."""

    help = "Forgets the second factor of an account, whose owner can then set up a new one."

    def add_arguments(self, parser: CommandParser) -> None:
        """The account."""
        parser.add_argument("name", help="of the account")

    def handle(self, *args: Any, **options: Any) -> None:
        """Forget and say so."""
        user = queries.user_named(options["name"])
        if user is None:
            raise CommandError(f"There is no account named {options['name']!r}.")
        second_factor.remove_all(user)
        self.stdout.write(f"{user.get_username()} has no second factor now.")
