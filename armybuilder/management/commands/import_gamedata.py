"""`manage.py import_gamedata PATH…`: publish data files as the current release of a game system."""

from pathlib import Path
from typing import Any

from django.core.management import BaseCommand, CommandError, CommandParser

from armybuilder.datafiles.bundles import bundle_of_paths
from armybuilder.datafiles.models import SYSTEM_ID, PublishedSystem
from armybuilder.engine.errors import GameError
from armybuilder.engine.systems import PACKS
from armybuilder.reference import publishing

MOST_PROBLEMS_SHOWN = 20


class Command(BaseCommand):
    """Read, evaluate and publish files, folders and zip archives."""

    help = (
        "Publishes .gst and .cat files (or folders and .zip archives of them) as the current release of a game system."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """The paths, and which game they are."""
        parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="a file, a folder, or a .zip archive")
        parser.add_argument("--system", required=True, help="id of the game system on this site, e.g. horus-heresy")
        parser.add_argument("--name", help="its name, when it is new here (default: the name in the data)")
        parser.add_argument("--rule-pack", default="", help="rules to check it by, when it is new here")
        parser.add_argument("--dry-run", action="store_true", help="read and report only; publish nothing")

    def handle(self, *args: Any, paths: list[Path], system: str, dry_run: bool, **options: Any) -> None:
        """Publish and report, catalogue by catalogue."""
        if options["rule_pack"] and options["rule_pack"] not in PACKS:
            raise CommandError(f"There is no rule pack '{options['rule_pack']}'; there are {', '.join(PACKS)}.")
        found = PublishedSystem.objects.filter(pk=system).first()
        game = found or PublishedSystem(pk=system, name=options["name"] or system, rule_pack=options["rule_pack"])
        try:
            SYSTEM_ID(system)
            files = bundle_of_paths(paths)
            work = publishing.draft(game, files)
            self._report(work.report)
            if dry_run:
                self.stdout.write("Nothing was published (--dry-run).")
                return
            if found is None:
                game.name = options["name"] or work.library.system_name
                game.save(force_insert=True)
            publication = publishing.publish_draft(game, work, origin=", ".join(str(path) for path in paths))
        except GameError as refused:
            raise CommandError(f"{str(refused).rstrip('.')}. Nothing was changed.") from refused
        said = "is now the current release" if publication.changed else "has this very content already"
        self.stdout.write(self.style.SUCCESS(f"{publication.release} {said}."))

    def _report(self, report: dict[str, Any]) -> None:
        game = report["system"]
        self.stdout.write(f"{game['name']}, revision {game['revision']}")
        for catalogue in report["catalogues"]:
            content = "library" if catalogue["library"] else f"{catalogue['units']} units"
            problems = f", {catalogue['problems']} problems" if catalogue["problems"] else ""
            self.stdout.write(f"  {catalogue['name']} (revision {catalogue['revision']}): {content}{problems}")
        for problem in report["problems"][:MOST_PROBLEMS_SHOWN]:
            self.stdout.write(self.style.WARNING(f"  {problem['file']}: {problem['message']}"))
        if (more := len(report["problems"]) - MOST_PROBLEMS_SHOWN) > 0:
            self.stdout.write(self.style.WARNING(f"  … and {more} more problems"))
