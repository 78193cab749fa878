"""Reads of events: for the organiser, for a player with the secret of a submission, and for whoever has the link."""

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

import msgspec
from django.db.models import Q, QuerySet
from django.utils import timezone

from armybuilder.accounts.errors import NotFound
from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import queries as lists
from armybuilder.armylists.list_types import Changes, list_type_of
from armybuilder.armylists.models import ArmyList
from armybuilder.events.models import Event, EventKind, Message, Submission
from armybuilder.events.packs import EventPack

SWAPPERS = 2


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the organiser's table.

    Attributes:
        changes: of the player's own list since it was handed in; None where nothing has changed or is seen.
        is_seen: whether that list is still to be seen: not when it is gone, nor when the share link by which it was
            handed in is closed or shows one state for good.
    """

    submission: Submission
    changes: Changes | None
    is_seen: bool


def events_of(viewer: Viewer) -> QuerySet[Event]:
    """The events somebody organises, newest first."""
    return (
        Event.objects.filter(organiser=viewer.user).select_related("system", "organiser")
        if viewer.user
        else Event.objects.none()
    )


def own_event(event_id: UUID, viewer: Viewer) -> Event:
    """An event for its organiser. Raises NotFound."""
    return _one(events_of(viewer).filter(pk=event_id))


def event_behind(token: str) -> Event:
    """An event for whoever has its link. Raises NotFound."""
    return _one(Event.objects.filter(token=token).select_related("system", "organiser"))


def submission_of(event: Event, secret: str) -> Submission:
    """A submission for its player. Raises NotFound."""
    found = submissions_of(event).filter(secret=secret).first()
    if found is None:
        raise NotFound("There is no such submission.")
    return found


def own_submission(event: Event, submission_id: UUID) -> Submission:
    """A submission of an event for its organiser. Raises NotFound."""
    found = submissions_of(event).filter(pk=submission_id).first()
    if found is None:
        raise NotFound("There is no such submission.")
    return found


def submissions_of(event: Event) -> QuerySet[Submission]:
    """All lists handed in, by player."""
    rows = Submission.objects.filter(event=event)
    return rows.select_related("army_list", "army_list__system", "army_list__release", "source")


def submissions_from(viewer: Viewer) -> QuerySet[Submission]:
    """What was handed in of the viewer's lists, to whatever event; of a list that is gone nobody knows whose it was."""
    rows = Submission.objects.filter(source__owner=viewer.user) if viewer.user else Submission.objects.none()
    return rows.order_by("-submitted")


def is_revealed(event: Event) -> bool:
    """Whether everybody with the link sees the lists."""
    if event.kind == EventKind.SWAP:
        return Submission.objects.filter(event=event).count() >= SWAPPERS
    return event.reveal_at is not None and event.reveal_at <= timezone.now()


def messages_to(event: Event, submission: Submission | None) -> QuerySet[Message]:
    """What the organiser wrote to all and, with a submission, to its player."""
    to = Q(submission=None) | Q(submission=submission) if submission is not None else Q(submission=None)
    return Message.objects.filter(to, event=event)


def messages_of(event: Event) -> QuerySet[Message]:
    """Everything the organiser wrote, newest first."""
    return Message.objects.filter(event=event).select_related("submission")


def handed_in(event: Event) -> int:
    """How many lists were handed in."""
    return Submission.objects.filter(event=event).count()


def table_of(event: Event) -> list[Row]:
    """The organiser's table: every submission, with what its player has changed since."""
    return compared(submissions_of(event))


def compared(submissions: Iterable[Submission]) -> list[Row]:
    """Rows of that table."""
    submissions = list(submissions)
    seen = lists.tokens_showing_the_present(one.source_token for one in submissions if one.source_token)
    rows = []
    for one in submissions:
        is_seen = one.source is not None and (not one.source_token or one.source_token in seen)
        rows.append(Row(one, _changes_since(one, one.source) if is_seen and one.source is not None else None, is_seen))
    return rows


def _changes_since(submission: Submission, source: ArmyList) -> Changes | None:
    """What is different in the player's own list from what was handed in; None for nothing."""
    if source.revision == submission.source_revision or source.system_id != submission.event.system_id:
        return None
    list_type = list_type_of(source)
    handed_in, now = list_type.read(submission.army_list.document), list_type.read(source.document)
    found = list_type.changes(handed_in, now, rule_pack=source.system.rule_pack)
    return found if found.added or found.removed or found.changed or found.facts else None


def pack_of(event: Event) -> EventPack:
    """What the event asks of lists."""
    return msgspec.json.decode(event.pack, type=EventPack)


def _one(events: QuerySet[Event]) -> Event:
    found = events.first()
    if found is None:
        raise NotFound("There is no such event.")
    return found
