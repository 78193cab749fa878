"""What has happened since a moment, read from the tables of the other apps.

Nothing tells of itself: edits and simulations stay as quick as they are, and what happened while nobody looked is found
afterwards. A row may be committed a little later than the moment it bears, so the same time is looked at twice; each
happening has a key by which it is told once.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef

from armybuilder.armylists.models import ArmyList, Revision, ShareLink, VerdictChoice
from armybuilder.datafiles.models import PublishedSystem
from armybuilder.events.models import Event, Submission
from armybuilder.simulations.models import RunState, SimulationRun
from armybuilder.webhooks.models import Happening, Seen

FINISHED = (RunState.DONE, RunState.FAILED, RunState.CANCELLED)


@dataclass(frozen=True, slots=True)
class Happened:
    """One thing that happened.

    Attributes:
        owner: whose thing it happened to; None concerns everybody.
        key: the same whenever it is found again.
        at: when.
        data: what is told of it; ids and addresses, no documents.
    """

    happening: Happening
    owner: UUID | None
    key: str
    at: datetime
    data: dict[str, Any]


def happened(owners: Collection[UUID], since: datetime, until: datetime) -> Iterator[Happened]:
    """What concerns the things of some users, and everybody, kind by kind.

    What shows by comparing with what was seen last is told to one caller alone.
    """
    for found in (_changed, _shared, _run_finished, _received, _locked, _illegal):
        yield from found(owners, since, until)
    yield from _published(until)


def remember_releases() -> None:
    """Note what every game is published with now, so that only a change is told."""
    systems = PublishedSystem.objects.filter(current_release__isnull=False)
    for pk, release in systems.values_list("pk", "current_release"):
        Seen.objects.update_or_create(subject=f"system:{pk}", defaults={"value": str(release)})


def _changed(owners: Collection[UUID], since: datetime, until: datetime) -> Iterator[Happened]:
    rows = Revision.objects.filter(
        army_list__owner__in=owners, army_list__deleted__isnull=True, created__gt=since, created__lte=until
    )
    for row in rows.select_related("army_list").defer("packed_document", "army_list__document"):
        data = _list(row.army_list) | {
            "revision": row.number,
            "points": None if row.points is None else float(row.points),
            "summary": {"en": row.summary_en, "ru": row.summary_ru},
        }
        key = f"list:{row.army_list_id}:{row.number}"
        yield Happened(Happening.LIST_CHANGED, row.army_list.owner_id, key, row.created, data)


def _shared(owners: Collection[UUID], since: datetime, until: datetime) -> Iterator[Happened]:
    rows = ShareLink.objects.filter(army_list__owner__in=owners, created__gt=since, created__lte=until)
    for row in rows.select_related("army_list").defer("army_list__document"):
        data = _list(row.army_list) | {"share": row.token, "expires_at": row.expires}
        yield Happened(Happening.LIST_SHARED, row.army_list.owner_id, f"share:{row.pk}", row.created, data)


def _run_finished(owners: Collection[UUID], since: datetime, until: datetime) -> Iterator[Happened]:
    rows = SimulationRun.objects.filter(
        owner__in=owners,
        computation__finished__gt=since,
        computation__finished__lte=until,
        computation__state__in=FINISHED,
    )
    for run in rows.select_related("computation").defer("asked", "computation__request", "computation__result"):
        finished = run.computation.finished
        if finished is None:
            continue
        data = {
            "simulation": run.pk,
            "address": f"/api/v1/simulations/{run.pk}/",
            "title": run.title,
            "state": run.state.value,
            "finished_at": finished,
        }
        key = f"run:{run.pk}:{finished.isoformat()}"
        yield Happened(Happening.RUN_FINISHED, run.owner_id, key, finished, data)


def _received(owners: Collection[UUID], since: datetime, until: datetime) -> Iterator[Happened]:
    rows = Submission.objects.filter(event__organiser__in=owners, submitted__gt=since, submitted__lte=until)
    for row in rows.select_related("event", "army_list").defer("army_list__document"):
        data = _event(row.event) | {
            "submission": row.pk,
            "player": row.player,
            "accepted": row.accepted,
            "verdict": row.army_list.verdict,
            "shared": row.share_token,
        }
        key = f"submission:{row.pk}:{row.submitted.isoformat()}"
        yield Happened(Happening.SUBMISSION_RECEIVED, row.event.organiser_id, key, row.submitted, data)


def _locked(owners: Collection[UUID], since: datetime, until: datetime) -> Iterator[Happened]:
    for event in Event.objects.filter(organiser__in=owners, deadline__gt=since, deadline__lte=until):
        if event.deadline is not None:
            data = _event(event) | {"deadline": event.deadline, "submissions": event.submissions.count()}
            key = f"locked:{event.pk}:{event.deadline.isoformat()}"
            yield Happened(Happening.EVENT_LOCKED, event.organiser_id, key, event.deadline, data)


def _published(until: datetime) -> Iterator[Happened]:
    for system in PublishedSystem.objects.filter(current_release__isnull=False).select_related("current_release"):
        release = system.current_release
        if release is None or not _is_new(f"system:{system.pk}", str(release.pk)):
            continue
        data = {
            "system": system.pk,
            "release": release.pk,
            "number": release.number,
            "name": release.name,
            "address": f"/api/v1/systems/{system.pk}/",
        }
        key = f"release:{release.pk}:{until.isoformat()}"
        yield Happened(Happening.RELEASE_PUBLISHED, None, key, until, data)


def _illegal(owners: Collection[UUID], since: datetime, until: datetime) -> Iterator[Happened]:
    """Revisions that are illegal after one that was legal: each is told, however soon another makes the list legal."""
    before = Revision.objects.filter(
        army_list=OuterRef("army_list"), number=OuterRef("number") - 1, verdict=VerdictChoice.LEGAL
    )
    rows = Revision.objects.filter(
        Exists(before),
        army_list__owner__in=owners,
        army_list__deleted__isnull=True,
        verdict=VerdictChoice.ILLEGAL,
        created__gt=since,
        created__lte=until,
    )
    for row in rows.select_related("army_list").defer("packed_document", "army_list__document"):
        data = _list(row.army_list) | {"verdict": row.verdict, "revision": row.number}
        key = f"illegal:{row.army_list_id}:{row.number}"
        yield Happened(Happening.LIST_ILLEGAL, row.army_list.owner_id, key, row.created, data)


def _is_new(subject: str, value: str) -> bool:
    """Whether something is no longer as it was seen last; then it is noted, and one caller alone is told so."""
    seen, made = Seen.objects.get_or_create(subject=subject, defaults={"value": value})
    if made or seen.value == value:
        return made
    return bool(Seen.objects.filter(pk=seen.pk, value=seen.value).update(value=value))


def _list(row: ArmyList) -> dict[str, Any]:
    return {"list": row.pk, "name": row.name, "verdict": row.verdict, "address": f"/api/v1/lists/{row.pk}/"}


def _event(event: Event) -> dict[str, Any]:
    return {"event": event.pk, "name": event.name, "address": f"/api/v1/events/{event.pk}/"}
