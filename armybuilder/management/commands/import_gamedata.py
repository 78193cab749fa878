"""`manage.py import_gamedata PATH|URL…`: publish data files as the current release of each game they belong to."""

import gc
from collections.abc import Sequence
from typing import Any

from django.core.management import BaseCommand, CommandError, CommandParser
from django.db import transaction

from armybuilder.datafiles.bundles import IncomingFile, bundle_of_sources
from armybuilder.datafiles.card_sets import card_game, is_card_set, read_cards
from armybuilder.datafiles.known_games import add_system, join_game, system_for
from armybuilder.datafiles.models import SYSTEM_ID, PublishedSystem
from armybuilder.datafiles.parsing import GameFiles, by_game
from armybuilder.datafiles.queries import known_system
from armybuilder.engine.errors import GameError
from armybuilder.engine.systems.game import GAMES
from armybuilder.reference import publishing
from armybuilder.reference.collecting import collecting_later
from armybuilder.reference.tending import tidied

MOST_PROBLEMS_SHOWN = 20


class Command(BaseCommand):
    """Read, evaluate and publish files, folders, archives and what addresses lead to."""

    help = (
        "Publishes .gst and .cat files, folders and .zip or .bsr archives of them, or what an https address leads to "
        "(a file, an archive, a repository index .bsi), as the current release of each game system among them. "
        "A cards.toml is published for the game of heroes."
    )

    requires_system_checks = ()  # they import every page of the site, a second that publishing needs for itself

    def run_from_argv(self, argv: list[str]) -> None:
        """The command line: a process that ends with the command has no use for looking through what stays."""
        with collecting_later():
            super().run_from_argv(argv)
            gc.freeze()

    def add_arguments(self, parser: CommandParser) -> None:
        """The sources, and which game they are."""
        parser.add_argument("sources", nargs="+", metavar="PATH|URL", help="a file, folder, archive or address")
        parser.add_argument(
            "--system", help="id of the game system on this site, e.g. horus-heresy (default: known by its data)"
        )
        parser.add_argument("--name", help="its name, when it is new here (default: the name in the data)")
        parser.add_argument("--rule-pack", help="rules to check it by, when it is new here (default: by its data)")
        parser.add_argument("--dry-run", action="store_true", help="read and report only; publish nothing")

    def handle(self, *args: Any, sources: list[str], dry_run: bool, **options: Any) -> None:
        """Read and report everything, game by game and catalogue by catalogue; then publish all of it or nothing."""
        if options["rule_pack"] and options["rule_pack"] not in GAMES:
            raise CommandError(f"There is no rule pack '{options['rule_pack']}'; there are {', '.join(GAMES)}.")
        try:
            files = bundle_of_sources(sources, progress=self._progress)
            if is_card_set(files):
                self._import_cards(files, options["system"], ", ".join(sources), dry_run=dry_run)
                return
            games = by_game(files)
            if options["system"] and len(games) > 1:
                names = ", ".join(game.name for game in games)
                raise CommandError(f"The files hold {len(games)} games ({names}); leave --system away.")
            drafts = [(self._system(game, options), game) for game in games]
            with collecting_later():  # from the first to the last, or what stays is looked through after each
                done = self._all_or_nothing(drafts, ", ".join(sources), dry_run=dry_run)
        except GameError as refused:
            raise CommandError(f"{refused} Nothing was changed.") from refused
        for publication in done:
            outcome = "is now the current release" if publication.changed else "has this very content already"
            self.stdout.write(self.style.SUCCESS(f"{publication.release} {outcome}."))

    def _all_or_nothing(
        self, games: Sequence[tuple[PublishedSystem, GameFiles]], origin: str, *, dry_run: bool
    ) -> list[publishing.Publication]:
        """Work out and report every game, then publish all of them; nothing on a dry run."""
        work = [(system, publishing.draft(system, game.files, progress=self._progress)) for system, game in games]
        for _, draft in work:
            self._report(draft.report)
        if dry_run:
            self.stdout.write("Nothing was published (--dry-run).")
            return []
        with transaction.atomic():
            return [self._publish(system, draft, origin) for system, draft in work]

    def _import_cards(
        self, files: tuple[IncomingFile, ...], system_id: str | None, origin: str, *, dry_run: bool
    ) -> None:
        """Publish the cards of a game of heroes, or only read them."""
        cards = read_cards(files)
        self.stdout.write(
            f"{len(cards.characters)} characters, {len(cards.power_cards)} Power cards, {len(cards.assets)} assets, "
            f"{len(cards.enemies)} enemies"
        )
        if dry_run:
            self.stdout.write("Nothing was published (--dry-run).")
            return
        owner = known_system(system_id) if system_id else card_game()
        if owner is None:
            raise CommandError(f"There is no game system '{system_id}'. Nothing was changed.")
        publication = publishing.publish(owner, files, origin=origin)
        outcome = "is now the current release" if publication.changed else "has this very content already"
        self.stdout.write(self.style.SUCCESS(f"{publication.release} {outcome}."))

    def _system(self, game: GameFiles, options: dict[str, Any]) -> PublishedSystem:
        """The data set a game is published as; a new one is not saved yet."""
        system = system_for(game.battlescribe_id, tidied(game.name))
        if wanted := options["system"]:
            SYSTEM_ID(wanted)
            system = known_system(wanted) or join_game(
                PublishedSystem(pk=wanted, name=game.name[:120], rule_pack=system.rule_pack), system.home_id
            )
        if system._state.adding:
            if options["rule_pack"] not in (None, system.rule_pack):
                system.rule_pack, system.game = options["rule_pack"], None
                join_game(system, system.rule_pack)
            system.name = options["name"] or system.name
            system.name_ru = "" if options["name"] else system.name_ru
        return system

    def _publish(self, system: PublishedSystem, draft: publishing.Draft, origin: str) -> publishing.Publication:
        if system._state.adding:
            system = add_system(system)
        return publishing.publish_draft(system, draft, origin=origin)

    def _progress(self, done: int, total: int, name: str) -> None:
        """One line on the terminal that is written over; nothing where the output is kept."""
        if self.stderr.isatty():
            last = "\n" if done + 1 == total else ""
            self.stderr.write(f"\r[{done + 1}/{total}] {name[:60]:<60}{last}", ending="")

    def _report(self, report: dict[str, Any]) -> None:
        game = report["system"]
        self.stdout.write(f"{game['name']}, revision {game['revision']}")
        for catalogue in report["catalogues"]:
            content = "library" if catalogue["library"] else f"{catalogue['units']} units"
            whole = [] if catalogue["whole"] else ["DOES NOT LOAD WHOLE"]
            parts = [content, f"{catalogue['entries']} entries", *whole, *_trouble(catalogue)]
            self.stdout.write(f"  {catalogue['name']} (revision {catalogue['revision']}): {', '.join(parts)}")
        for problem in report["problems"][:MOST_PROBLEMS_SHOWN]:
            line = f", line {problem['line']}" if problem["line"] else ""
            self.stdout.write(self.style.WARNING(f"  {problem['file']}{line}: {problem['message']}"))
        if (more := len(report["problems"]) - MOST_PROBLEMS_SHOWN) > 0:
            self.stdout.write(self.style.WARNING(f"  … and {more} more problems"))


def _trouble(catalogue: dict[str, Any]) -> list[str]:
    words = {"unresolved": "unresolved links", "unsupported": "constructs not understood", "warnings": "warnings"}
    return [f"{catalogue[name]} {outcome}" for name, outcome in words.items() if catalogue[name]]
