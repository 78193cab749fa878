"""What of stored lists is no longer kept: lists long in the bin or of guests who stayed away, old states."""

from datetime import timedelta

from django.conf import settings
from django.db.models import F, Q
from django.utils import timezone

from armybuilder.armylists.models import ArmyList, Revision, ShareLink

BATCH = 200
"""Lists deleted in one go, so that nobody waits for the database."""


def forget_lists() -> int:
    """Delete some of the lists that are no longer kept; how many. A copy of one stays."""
    now = timezone.now()
    gone = Q(pk__in=[])
    if settings.BIN_DAYS:
        gone |= Q(deleted__lt=now - timedelta(days=settings.BIN_DAYS))
    if settings.GUEST_DAYS:
        gone |= Q(owner__isnull=True, updated__lt=now - timedelta(days=settings.GUEST_DAYS))
    some = list(ArmyList.objects.filter(gone).values_list("pk", flat=True)[:BATCH])
    ArmyList.objects.filter(gone, pk__in=some).delete()
    return len(some)


def thin_histories() -> int:
    """Delete the oldest states of lists that have more than REVISIONS_KEPT; how many.

    Frozen links keep theirs, and what its owner has named stays.
    """
    most = settings.REVISIONS_KEPT
    if not most:
        return 0
    deleted = 0
    for pk, newest in ArmyList.objects.filter(revision__gt=most).values_list("pk", "revision"):
        links = ShareLink.objects.filter(army_list=pk, revision__isnull=False, revoked_at__isnull=True)
        named = Revision.objects.filter(army_list=pk).exclude(label="")
        frozen = [*links.values_list("revision", flat=True), *named.values_list("number", flat=True)]
        old = Revision.objects.filter(army_list=pk, number__lte=newest - most)
        kept = Revision.objects.filter(Q(number__gt=newest - most) | Q(number__in=frozen), army_list=pk)
        still_shown = kept.exclude(content=F("number")).values_list("content", flat=True)  # undo goes back to them
        deleted += old.exclude(number__in=[*frozen, *still_shown]).delete()[0]
        numbers = Revision.objects.filter(army_list=pk).values_list("number", flat=True)
        orphans = Revision.objects.filter(army_list=pk, parent__isnull=False).exclude(parent__in=list(numbers))
        orphans.update(parent=None)  # undo ends there
    return deleted
