"""What of stored lists is no longer kept: those long in the bin or of guests who stayed away, and old states."""

import logging
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models import F, Q, QuerySet, Sum
from django.db.models.functions import Greatest, Length
from django.utils import timezone

from armybuilder.accounts.guests import is_of_who_stayed_away, note_unknown
from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import limits
from armybuilder.armylists.errors import TooLarge
from armybuilder.armylists.models import ArmyList, OwnedUnit, Revision, ShareLink, TextLayout
from armybuilder.compiled_queries import CompiledRows
from armybuilder.engine.findings import Text

logger = logging.getLogger(__name__)

BATCH = 200
"""Lists deleted in one go, so that nobody waits for the database."""


_KEPT_BY_USER, _KEPT_BY_GUEST = (
    CompiledRows(ArmyList.objects.order_by().values_list(column).annotate(Sum("kept_bytes")), column)
    for column in ("owner", "guest_key")
)
"""The bytes that the lists of one take, asked by every edit: one row, none where he has no lists."""


def forget_lists() -> int:
    """Delete some of the lists that are no longer kept; how many. A copy of one stays."""
    now = timezone.now()
    note_unknown(ArmyList.objects.all())
    gone = is_of_who_stayed_away()
    if settings.BIN_DAYS:
        gone |= Q(deleted__lt=now - timedelta(days=settings.BIN_DAYS))
    some = list(ArmyList.objects.filter(gone).values_list("pk", flat=True)[:BATCH])
    ArmyList.objects.filter(gone, pk__in=some).delete()
    return len(some)


def forget_things_of_guests() -> int:
    """Delete some of the layouts and units at home of guests who stayed away; how many."""
    return forget_some(TextLayout.objects.all()) + forget_some(OwnedUnit.objects.all())


def forget_some(things: QuerySet[Any]) -> int:
    """Delete some of such things that guests who stayed away left; how many."""
    note_unknown(things)
    some = list(things.filter(is_of_who_stayed_away()).values_list("pk", flat=True)[:BATCH])
    return things.filter(is_of_who_stayed_away(), pk__in=some).delete()[0]


def thin_histories() -> int:
    """Delete the oldest states of lists that have more than REVISIONS_KEPT; how many."""
    most = settings.REVISIONS_KEPT
    if not most:
        return 0
    long_ones = ArmyList.objects.filter(revision__gt=most).values_list("pk", "revision")
    return sum(thin_history(pk, newest=newest, most=most) for pk, newest in long_ones)


def thin_history(pk: UUID, *, newest: int, most: int) -> int:
    """Delete the oldest states of a list that has more than `most`; how many.

    Frozen links keep theirs, and what its owner has named stays.
    """
    links = ShareLink.objects.filter(army_list=pk, revision__isnull=False, revoked_at__isnull=True)
    named = Revision.objects.filter(army_list=pk).exclude(label="")
    frozen = [*links.values_list("revision", flat=True), *named.values_list("number", flat=True)]
    old = Revision.objects.filter(army_list=pk, number__lte=newest - most)
    kept = Revision.objects.filter(Q(number__gt=newest - most) | Q(number__in=frozen), army_list=pk)
    still_shown = kept.exclude(content=F("number")).values_list("content", flat=True)  # undo goes back to them
    gone = old.exclude(number__in=[*frozen, *still_shown])
    freed = gone.aggregate(bytes=Sum(Length("packed_document")))["bytes"] or 0
    deleted = gone.delete()[0]
    ArmyList.objects.filter(pk=pk).update(kept_bytes=Greatest(F("kept_bytes") - freed, 0))
    numbers = Revision.objects.filter(army_list=pk).values_list("number", flat=True)
    orphans = Revision.objects.filter(army_list=pk, parent__isnull=False).exclude(parent__in=list(numbers))
    orphans.update(parent=None)  # undo ends there
    return deleted


def make_room(viewer: Viewer, more: int, *, row: ArmyList | None = None) -> None:
    """Make sure that the lists of a viewer may take `more` bytes; a list that is edited may lose its oldest states.

    Raises:
        TooLarge: they would take more than may be kept even so.
    """
    most = settings.KEPT_BYTES_OF_A_GUEST if viewer.user is None else settings.KEPT_BYTES_OF_A_USER
    if _kept_bytes(viewer) + more <= most:
        return
    if row is not None and thin_history(row.pk, newest=row.revision, most=limits.STATES_LEFT):
        logger.info("the oldest states of list %s were deleted: its owner's lists take too many bytes", row.pk)
    if (taken := _kept_bytes(viewer)) + more > most:
        size, allowed = f"{taken / 2**20:.1f}", f"{most / 2**20:.0f}"
        raise TooLarge(
            Text(
                en=f"Your lists and their histories take {size} MB; {allowed} MB can be kept. "
                "Save those you no longer play as files, delete them, and wait until the bin is emptied.",
                ru=f"Ваши ростеры с историей занимают {size} МБ; хранить можно {allowed} МБ. "
                "Сохраните ненужные файлами, удалите их и дождитесь очистки корзины.",
            )
        )


def _kept_bytes(viewer: Viewer) -> int:
    if viewer.user is not None:
        kept = _KEPT_BY_USER.all(viewer.user.pk)
    else:
        kept = _KEPT_BY_GUEST.all(viewer.guest_key) if viewer.guest_key is not None else []
    return sum(int(taken) for _, taken in kept)
