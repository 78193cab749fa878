"""Storing releases of game data; `reference.publishing` makes them current together with their rows."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Max

from armybuilder.accounts.models import User
from armybuilder.datafiles.bundles import IncomingFile, content_hash
from armybuilder.datafiles.errors import NothingToPublish, SourceRefused
from armybuilder.datafiles.models import DataFile, DataRelease, DataSource, PublishedSystem
from armybuilder.datafiles.remote import is_address
from armybuilder.engine.gamedata.links import Library


def refuse_other_game(system: PublishedSystem, library: Library) -> None:
    """Make sure that data of one game is never published as another.

    Raises:
        NothingToPublish: the files belong to another game system.
    """
    if system.battlescribe_id and system.battlescribe_id != library.system_id:
        raise NothingToPublish(
            f'These files belong to the game system "{library.system_name}" ({library.system_id}), '
            f"not to {system.name} ({system.battlescribe_id})."
        )
    taken = PublishedSystem.objects.filter(battlescribe_id=library.system_id).exclude(pk=system.pk).first()
    if taken is not None:
        raise NothingToPublish(f'"{library.system_name}" ({library.system_id}) is already published as {taken.pk}.')


def store_release(
    system: PublishedSystem,
    files: Sequence[IncomingFile],
    library: Library,
    *,
    report: Mapping[str, Any],
    origin: str,
    by: User | None,
    source: DataSource | None = None,
) -> DataRelease:
    """Store files as the next release of a system, in the caller's transaction or one of its own.

    The system must be locked by the caller, so that numbers do not meet.
    """
    return store_files(
        system,
        files,
        name=library.system_name,
        revision=str(library.system_revision),
        report=report,
        origin=origin,
        by=by,
        source=source,
    )


def store_files(
    system: PublishedSystem,
    files: Sequence[IncomingFile],
    *,
    name: str,
    revision: str,
    report: Mapping[str, Any],
    origin: str,
    by: User | None,
    source: DataSource | None = None,
) -> DataRelease:
    """Store files of any kind as the next release; `name` and `revision` are what they say of themselves."""
    with transaction.atomic():
        last = system.releases.aggregate(last=Max("number"))["last"] or 0
        release = DataRelease.objects.create(
            system=system,
            number=last + 1,
            content_hash=content_hash(files),
            name=name[:200],
            revision=revision[:40],
            source=source,
            origin=origin[:300],
            created_by=by,
            report=dict(report),
        )
        DataFile.objects.bulk_create(
            DataFile(release=release, name=file.name, sha256=file.sha256, size=len(file.content), content=file.content)
            for file in files
        )
    return release


def add_source(system: PublishedSystem, *, name: str, address: str, every_hours: int, publishes: bool) -> DataSource:
    """Have an address read for a game, so often or whenever it is asked for.

    Raises:
        SourceRefused: no address on the web, or a name that another source of the game has.
    """
    if not is_address(address):
        raise SourceRefused(address, "is no https address")
    try:
        with transaction.atomic():
            return DataSource.objects.create(
                system=system,
                name=name.strip(),
                kind=DataSource.Kind.ADDRESS,
                address=address,
                every_hours=every_hours,
                publishes=publishes,
            )
    except IntegrityError:
        raise SourceRefused(address, f'is not added: this game has a source called "{name}" already') from None
