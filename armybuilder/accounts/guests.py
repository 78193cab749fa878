"""Guests' browsers: when each was last seen, and who of them stayed away so long that nothing of theirs is kept.

A browser is noted when it is given a guest's key and each time that is made anew, so `seen` is no more than
`GUEST_RENEWED_DAYS` behind; a key whose browser was seen longer ago than `GUEST_DAYS` opens nothing any more.
"""

import logging
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import DatabaseError, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from armybuilder.accounts.models import Guest

logger = logging.getLogger(__name__)


def note_seen(key: UUID) -> bool:
    """Note that a guest's browser was here; False where the database takes nothing now."""
    try:
        with transaction.atomic():
            Guest.objects.update_or_create({"seen": timezone.now()}, key=key)
    except DatabaseError as error:
        logger.warning("a guest's visit is not noted: %s", str(error).strip())
        return False
    return True


def note_unknown(things: QuerySet[Any]) -> None:
    """Begin counting, now, for guests of whom there is something but no note: it is older than notes are.

    Args:
        things: rows with a `guest_key`.
    """
    known = Exists(Guest.objects.filter(key=OuterRef("guest_key")))
    keys = things.filter(~known, guest_key__isnull=False).order_by().values_list("guest_key", flat=True).distinct()
    now = timezone.now()
    Guest.objects.bulk_create([Guest(key=key, seen=now) for key in keys], batch_size=500, ignore_conflicts=True)


def is_of_who_stayed_away() -> Q:
    """The condition on rows with a `guest_key` that nobody can open any more; none where all are kept."""
    if not settings.GUEST_DAYS:
        return Q(pk__in=[])
    return Q(Exists(_stayed_away().filter(key=OuterRef("guest_key"))))


def forget_guests() -> int:
    """Delete the notes about who stayed away, when nothing of theirs is left; how many."""
    return _stayed_away().delete()[0] if settings.GUEST_DAYS else 0


def _stayed_away() -> QuerySet[Guest]:
    return Guest.objects.filter(seen__lt=timezone.now() - timedelta(days=settings.GUEST_DAYS))
