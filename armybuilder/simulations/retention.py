"""How long answers are kept: old runs are forgotten, some at a time, and with the last of them their computation."""

from datetime import timedelta
from time import monotonic, sleep

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from armybuilder.accounts.guests import forget_guests
from armybuilder.armylists.retention import forget_lists, forget_some, forget_things_of_guests
from armybuilder.simulations.models import UNFINISHED, Computation, SavedTarget, SimulationRun

EVERY_SECONDS = 3_600
"""A sweep looks for old runs this often."""

BATCH = 200
"""Rows forgotten at once, so that nobody waits for the database."""

LONGEST_SECONDS, PAUSE_SECONDS = 60.0, 0.02
"""A look takes so long at most and lets others write between its batches: more is forgotten than can be asked."""

_next_look = 0.0


def forget_now_and_then() -> int:
    """Forget old runs if the last look of this process is an hour ago; how many were forgotten."""
    global _next_look  # noqa: PLW0603 - the sweep of a process keeps its own time
    if monotonic() < _next_look:
        return 0
    _next_look = monotonic() + EVERY_SECONDS
    return forget_all(seconds=LONGEST_SECONDS)


def forget_all(*, seconds: float) -> int:
    """Forget what is no longer kept, batch by batch, for so long at most; how many rows."""
    until, forgotten = monotonic() + seconds, 0
    while batch := forget_old() + forget_lists() + forget_things_of_guests() + forget_some(SavedTarget.objects.all()):
        forgotten += batch
        if monotonic() > until:
            return forgotten
        sleep(PAUSE_SECONDS)
    forget_guests()
    return forgotten


def forget_old() -> int:
    """Forget runs that were asked longer ago than they are kept, and computations that nobody asks for any more.

    Returns:
        rows of runs and computations forgotten, `BATCH` of each at most; nothing that still waits or runs is touched.
    """
    if not settings.SIMULATIONS_KEPT_DAYS:
        return 0
    before = timezone.now() - timedelta(days=settings.SIMULATIONS_KEPT_DAYS)
    with transaction.atomic():
        old = SimulationRun.objects.filter(created__lt=before).exclude(
            computation__state__in=UNFINISHED, cancelled__isnull=True
        )
        runs = list(old.order_by("created").values_list("pk", flat=True)[:BATCH])
        SimulationRun.objects.filter(pk__in=runs).delete()
        forgotten = Computation.objects.filter(created__lt=before, runs__isnull=True).exclude(state__in=UNFINISHED)
        computations = list(forgotten.order_by("created").values_list("pk", flat=True)[:BATCH])
        Computation.objects.filter(pk__in=computations, runs__isnull=True).delete()
    return len(runs) + len(computations)
