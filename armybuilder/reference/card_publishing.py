"""Publishing the cards of a game without rosters: a release of its own, which new heroes are pinned to."""

from collections.abc import Sequence

from django.db import transaction

from armybuilder.accounts.models import User
from armybuilder.datafiles import card_sets, parsing, services
from armybuilder.datafiles.bundles import IncomingFile, content_hash
from armybuilder.datafiles.models import DataRelease, DataSource, PublishedSystem


def store_cards(
    system: PublishedSystem,
    files: Sequence[IncomingFile],
    *,
    origin: str,
    by: User | None = None,
    source: DataSource | None = None,
) -> DataRelease:
    """The cards as a release that is not current yet; the same content gives the release there is.

    Raises:
        GameError: a file that cannot be read, or a game without cards; nothing is stored.
    """
    card_sets.refuse_other_than_cards(system)
    cards = card_sets.read_cards(files)
    parsing.translations(files)
    with transaction.atomic():
        locked = PublishedSystem.objects.select_for_update().get(pk=system.pk)
        stored = DataRelease.objects.filter(system=locked, content_hash=content_hash(files)).first()
        return stored or services.store_files(
            locked,
            files,
            name=locked.name,
            revision="",
            report={"units": 0, "cards": len(cards.characters) + len(cards.power_cards) + len(cards.assets)},
            origin=origin,
            by=by,
            source=source,
        )


def publish_cards(
    system: PublishedSystem,
    files: Sequence[IncomingFile],
    *,
    origin: str,
    by: User | None = None,
    source: DataSource | None = None,
) -> tuple[DataRelease, bool]:
    """Make these cards the current release of a system; whether that changed anything. Raises as `store_cards`."""
    with transaction.atomic():
        release = store_cards(system, files, origin=origin, by=by, source=source)
        changed = PublishedSystem.objects.filter(pk=system.pk).exclude(current_release=release)
        is_new = bool(changed.update(current_release=release))
    system.current_release = release
    return release, is_new
