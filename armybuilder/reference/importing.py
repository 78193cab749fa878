"""Data files of one or several games become releases: everything is read first, then all of it is stored or nothing."""

from collections.abc import Sequence

from django.db import transaction

from armybuilder.accounts.models import User
from armybuilder.datafiles.bundles import IncomingFile, content_hash
from armybuilder.datafiles.card_sets import card_game, is_card_set
from armybuilder.datafiles.errors import NothingToPublish
from armybuilder.datafiles.known_games import add_system, system_for
from armybuilder.datafiles.models import DataRelease, PublishedSystem
from armybuilder.datafiles.parsing import by_game, refuse_broken, stored_files
from armybuilder.datafiles.remote import Progress
from armybuilder.engine.battlescribe_files.zipped import UnreadableFile
from armybuilder.reference import publishing
from armybuilder.reference.tending import tidied


def import_games(
    files: Sequence[IncomingFile],
    *,
    origin: str,
    by: User | None,
    publish: bool,
    system: PublishedSystem | None = None,
    progress: Progress | None = None,
) -> tuple[DataRelease, ...]:
    """The release of each game among the files; content that is stored already gives the release there is.

    Args:
        publish: make them current; otherwise they are stored, to be looked at first.
        system: the game they must belong to; by default each is known by its data, and new ones are added.

    Raises:
        GameError: a file that cannot be read, or another game; nothing is stored.
    """
    if is_card_set(files):
        owner = system or card_game()
        if publish:
            return (publishing.publish(owner, files, origin=origin, by=by).release,)
        return (publishing.submit(owner, files, origin=origin, by=by),)
    files = _completed(files, system)
    try:
        games = by_game(files)
    except UnreadableFile:
        refuse_broken(files)
        raise
    if system is not None and len(games) > 1:
        names = ", ".join(game.name for game in games)
        raise NothingToPublish(f"The files hold {len(games)} games ({names}); import them without naming one.")
    work = []
    for game in games:
        owner = system or system_for(game.battlescribe_id, tidied(game.name))
        stored = DataRelease.objects.filter(system_id=owner.pk, content_hash=content_hash(game.files)).first()
        try:
            draft = None if stored else publishing.draft(owner, game.files, progress=progress)
        except UnreadableFile:
            refuse_broken(game.files)
            raise
        work.append((owner, stored, draft))
    found: list[DataRelease] = []
    with transaction.atomic():
        for owner, stored, draft in work:
            system = add_system(owner) if owner._state.adding else owner
            if draft is not None and publish:
                found.append(publishing.publish_draft(system, draft, origin=origin, by=by).release)
            elif draft is not None:
                found.append(publishing.store_draft(system, draft, origin=origin, by=by))
            elif stored is not None:
                found.append(publishing.make_current(stored, by=by).release if publish else stored)
    return tuple(found)


def _completed(files: Sequence[IncomingFile], system: PublishedSystem | None) -> Sequence[IncomingFile]:
    """A few files of a set together with the others of the current release, whose place of the same name they take.

    Only where the game is named and no game system is among them; a whole set stands for itself.
    """
    if system is None or system.current_release_id is None:
        return files
    if any(file.name.lower().endswith((".gst", ".gstz")) for file in files):
        return files
    given = {file.name: file for file in files}
    return tuple(({file.name: file for file in stored_files(system.current_release_id)} | given).values())
