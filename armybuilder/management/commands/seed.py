"""`manage.py seed`: the game data and sample lists that ship with the site; safe to repeat, overwrites nothing."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError

from armybuilder.armylists.samples import load_sample, read_sample, sample_paths
from armybuilder.datafiles.bundles import bundle_of_paths
from armybuilder.datafiles.models import SHIPPED_ORIGIN
from armybuilder.engine.errors import GameError
from armybuilder.reference import publishing
from armybuilder.reference.shipped import load_shipped, read_shipped


class Command(BaseCommand):
    """Publish every folder of fixtures/ that holds a reference.toml, and make its sample lists."""

    help = "Loads the game data, reference rows and sample lists that ship with the site. Repeating it changes nothing."

    def handle(self, *args: Any, **options: Any) -> None:
        """Load what is missing; leave alone what people made of it."""
        ours: set[Path] = set()
        for facts_file in sorted(settings.BASE_DIR.glob("fixtures/*/reference.toml")):
            try:
                system = load_shipped(read_shipped(facts_file))
                current = system.current_release
                if current is not None and not current.is_sample:
                    continue  # an administrator publishes other data for this game
                publication = publishing.publish(system, bundle_of_paths([facts_file.parent]), origin=SHIPPED_ORIGIN)
            except GameError as refused:
                raise CommandError(f"{facts_file.parent.name}: {refused}") from refused
            ours.add(facts_file.parent)
            if publication.changed:
                report = publication.release.report
                held = f"{report['cards']} cards" if "cards" in report else f"{report['units']} units"
                self.stdout.write(f"{system.name}: published release {publication.release.number}, {held}.")
        for path in sample_paths():
            if path.parent.parent not in ours:
                continue  # the samples are built from the shipped data
            try:
                file = read_sample(path)
                if load_sample(file):
                    self.stdout.write(f"Sample list: {file.name}.")
            except GameError as refused:
                raise CommandError(f"{path.name}: {refused}") from refused
