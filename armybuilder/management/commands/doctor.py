"""`manage.py doctor`: what is wrong with this installation, and what to do."""

from typing import Any

from django.core.management import BaseCommand, CommandError

from armybuilder.operations import doctor


class Command(BaseCommand):
    """Look at everything the site needs."""

    help = "Looks at settings, database, queue, workers, disk and backups; names a remedy for what is wrong."
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        """A line for everything; the exit status says whether something is wrong."""
        found = doctor.examined()
        for state in found:
            self.stdout.write(f"{'ok   ' if state.is_well else 'WRONG'} {state.name}: {state.detail}")
            if not state.is_well and state.remedy:
                self.stdout.write(f"      remedy: {state.remedy}")
        if wrong := sum(not state.is_well for state in found):
            raise CommandError(f"{wrong} of {len(found)} are wrong.")
