"""Imports of game data on the queue: asked for at once, performed by whoever claims the row, told of as they go on.

The row is the queue: it is claimed by one conditional update with a lease, so a second worker helps and a dead one does
no harm. Sources that are to be read again and again are asked for here when their time has come.
"""

import logging
from collections.abc import Callable, Iterable, Sequence
from datetime import timedelta
from pathlib import Path
from time import monotonic
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from armybuilder.accounts.models import User
from armybuilder.datafiles.bundles import IncomingFile, bundle_of_paths, bundle_of_sources, bundle_of_uploads
from armybuilder.datafiles.errors import BadDataFile, BadDataFiles
from armybuilder.datafiles.models import DataImport, DataRelease, DataSource, ImportFile, PublishedSystem
from armybuilder.datafiles.remote import Progress, is_address, mark_of
from armybuilder.engine.errors import Cancelled, GameError
from armybuilder.reference.importing import import_games

logger = logging.getLogger(__name__)

State = DataImport.State
UNFINISHED = (State.QUEUED, State.RUNNING)
LEASE = timedelta(minutes=10)
SENT_AGAIN = timedelta(minutes=1)
TAKEN_UP_WITHIN = timedelta(seconds=15)
"""A worker that runs and has nothing else to do takes an import up much sooner."""
TOLD_EVERY_SECONDS = 0.5
INTERNAL = "Internal error; whoever runs this site finds it in the log."


def ask(
    *,
    files: Iterable[tuple[str, bytes]] = (),
    addresses: Sequence[str] = (),
    origin: str,
    by: User | None,
    publish: bool,
    system: PublishedSystem | None = None,
    source: DataSource | None = None,
) -> DataImport:
    """Store what is to be imported; the worker takes it up after the transaction.

    Raises:
        BadDataFile: an address that is none; nothing is stored.
    """
    for address in addresses:
        if not is_address(address):  # a path of the server is for its own command line
            raise BadDataFile(address[:200], "is no https address")
    with transaction.atomic():
        asked = DataImport.objects.create(
            system=system, source=source, addresses=list(addresses), origin=origin[:300], publish=publish, created_by=by
        )
        ImportFile.objects.bulk_create(ImportFile(asked=asked, name=name[:255], content=data) for name, data in files)
    return asked


def waiting() -> list[UUID]:
    """Imports that wait, or whose worker is gone, in the order they were asked for."""
    now = timezone.now()
    rows = DataImport.objects.filter(Q(state=State.QUEUED) | Q(state=State.RUNNING, leased_until__lt=now))
    return list(rows.order_by("created_at").values_list("pk", flat=True))


def lacks_worker(asked: DataImport) -> bool:
    """Whether an import has waited long though no other is performed: nothing runs that would take it up."""
    now = timezone.now()
    if asked.state != State.QUEUED or asked.created_at + TAKEN_UP_WITHIN > now:
        return False
    return not DataImport.objects.filter(state=State.RUNNING, leased_until__gte=now).exists()


def claim_sending() -> list[UUID]:
    """Those of them that no message was sent for within the last minute; they are marked as sent."""
    now = timezone.now()
    unsent = Q(sent_at=None) | Q(sent_at__lt=now - SENT_AGAIN)
    return [pk for pk in waiting() if DataImport.objects.filter(unsent, pk=pk).update(sent_at=now)]


def cancel(asked: DataImport) -> bool:
    """Stop an import before its next step; whether it was still going on. What is published stays published."""
    rows = DataImport.objects.filter(pk=asked.pk)
    if rows.filter(state=State.QUEUED).update(state=State.CANCELLED, cancelled=True, finished_at=timezone.now()):
        ImportFile.objects.filter(asked=asked).delete()
        return True
    return bool(rows.filter(state=State.RUNNING).update(cancelled=True))


def ask_for_due_sources() -> int:
    """Ask for every source whose time has come; how many. Two processes ask once."""
    now, asked = timezone.now(), 0
    for source in DataSource.objects.filter(every_hours__gt=0).select_related("system"):
        if source.checked_at is not None and source.checked_at + timedelta(hours=source.every_hours) > now:
            continue
        mine = DataSource.objects.filter(pk=source.pk, checked_at=source.checked_at).update(checked_at=now)
        if mine and not DataImport.objects.filter(source=source, state__in=UNFINISHED).exists():
            ask_for_source(source, by=None)
            asked += 1
    return asked


def ask_for_source(source: DataSource, *, by: User | None) -> DataImport:
    """Ask for what a source holds now; published when it is new, or stored to be looked at, as the source says."""
    return ask(origin=source.address, by=by, publish=source.publishes, system=source.system, source=source)


class _GivenBack(Cancelled):
    """The worker ends before the import does; another begins it anew."""


def perform(import_id: UUID, *, should_stop: Callable[[], bool] = lambda: False) -> None:
    """Read, work out and store one import, if nobody else does; any failure ends in a visible state.

    Args:
        should_stop: whether the worker ends; the import then waits for another.
    """
    now = timezone.now()
    free = Q(state=State.QUEUED) | Q(state=State.RUNNING, leased_until__lt=now)
    if not DataImport.objects.filter(free, pk=import_id).update(state=State.RUNNING, leased_until=now + LEASE):
        return
    asked = DataImport.objects.select_related("system", "source", "created_by").get(pk=import_id)
    try:
        releases = _perform(asked, should_stop)
    except _GivenBack:
        if not DataImport.objects.filter(pk=asked.pk, cancelled=False).update(state=State.QUEUED, leased_until=None):
            _finish(asked, State.CANCELLED)
    except Cancelled:
        _finish(asked, State.CANCELLED)
    except GameError as refused:
        _finish(asked, State.FAILED, problems=problems_of(refused))
    except Exception:
        _finish(asked, State.FAILED, problems=[INTERNAL])
        raise
    else:
        _finish(asked, State.DONE, done=F("total"), releases=[str(release.pk) for release in releases])


def problems_of(refused: GameError) -> list[str]:
    """Each thing that was refused, by itself."""
    return list(refused.problems) if isinstance(refused, BadDataFiles) else [str(refused)]


def _perform(asked: DataImport, should_stop: Callable[[], bool]) -> tuple[DataRelease, ...]:
    progress = _progress(asked, should_stop)
    mark = ""
    if asked.source is not None and asked.source.kind == DataSource.Kind.ADDRESS:
        mark = mark_of(asked.source.address, known=asked.source.etag)
        if mark and mark == asked.source.etag:
            return ()  # nothing has changed there since
    releases = import_games(
        _files(asked, progress),
        origin=asked.origin,
        by=asked.created_by,
        publish=asked.publish,
        system=asked.system,
        progress=progress,
    )
    if asked.source is not None:
        DataSource.objects.filter(pk=asked.source.pk).update(etag=mark)
        DataRelease.objects.filter(pk__in=[release.pk for release in releases], source=None).update(source=asked.source)
    return releases


def _files(asked: DataImport, progress: Progress) -> tuple[IncomingFile, ...]:
    if asked.source is not None and asked.source.kind == DataSource.Kind.FOLDER:
        return bundle_of_paths([Path(asked.source.address)])
    if asked.source is not None:
        return bundle_of_sources([asked.source.address], progress=progress)
    if asked.addresses:
        return bundle_of_sources(asked.addresses, progress=progress)
    return bundle_of_uploads((file.name, bytes(file.content)) for file in asked.files.order_by("name"))


def _progress(asked: DataImport, should_stop: Callable[[], bool]) -> Progress:
    """Writes down how far the import is, holds its lease, and stops it when it is cancelled or its worker ends."""
    told = [0.0]

    def write(done: int, total: int, name: str) -> None:
        if should_stop():
            raise _GivenBack("The worker ends.")
        if monotonic() < told[0]:
            return
        told[0] = monotonic() + TOLD_EVERY_SECONDS
        row = DataImport.objects.filter(pk=asked.pk, cancelled=False)
        if not row.update(done=done, total=total, in_hand=name[:200], leased_until=timezone.now() + LEASE):
            raise Cancelled("The import was cancelled.")

    return write


def _finish(asked: DataImport, state: str, **told: Any) -> None:
    now = timezone.now()
    DataImport.objects.filter(pk=asked.pk).update(state=state, finished_at=now, leased_until=None, in_hand="", **told)
    ImportFile.objects.filter(asked=asked).delete()
    if asked.source is not None:
        problem = "\n".join(told.get("problems", ()))
        DataSource.objects.filter(pk=asked.source.pk).update(checked_at=now, problem=problem)
        if problem:
            logger.warning("The source %s was not read, its data stays as it was: %s", asked.source, problem)
