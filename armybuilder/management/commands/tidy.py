"""`manage.py tidy`: deletes what the settings no longer keep; run it every night."""

from typing import Any

from django.core.management import BaseCommand, call_command

from armybuilder.accounts.browser_sessions import forget_ended
from armybuilder.armylists.retention import thin_histories
from armybuilder.simulations.retention import forget_all

LONGEST_SECONDS = 3_600.0


class Command(BaseCommand):
    """Delete what is no longer kept."""

    help = (
        "Deletes simulations older than SIMULATIONS_KEPT_DAYS, lists longer in the bin than BIN_DAYS, all that guests "
        "left who stayed away for GUEST_DAYS, states of lists beyond REVISIONS_KEPT, and sessions and tokens of "
        "programs that have ended."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        """Delete batch by batch while the site runs, and say how much."""
        rows = forget_all(seconds=LONGEST_SECONDS)
        states = thin_histories()
        call_command("clearsessions")
        forget_ended()
        call_command("cleartokens")
        self.stdout.write(f"{rows} rows of simulations, lists and what guests left, {states} old states of lists")
