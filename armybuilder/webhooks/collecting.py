"""Finds what has happened, and writes a delivery for every hook that wants to know of it."""

from collections import defaultdict
from datetime import datetime, timedelta
from uuid import UUID

import msgspec
from django.db import transaction
from django.utils import timezone

from armybuilder.webhooks import happenings
from armybuilder.webhooks.happenings import Happened
from armybuilder.webhooks.models import PING, Delivery, Happening, Seen, Webhook

CLOCK = "clock"
"""The subject of `Seen` that says until when everything was found."""

COMMITTED_LATE = timedelta(seconds=60)
"""A row may be committed so much later than the moment it bears; so much is looked at again."""


def collect() -> int:
    """Write deliveries of what has happened since the last time; how many. Two processes write them once."""
    hooks = list(Webhook.objects.filter(paused=""))
    if not hooks:
        return 0
    now = timezone.now()
    with transaction.atomic():
        before = _time_taken_over(now)
        if before is None:
            return 0
        by_owner: dict[UUID, list[Webhook]] = defaultdict(list)
        for hook in hooks:
            by_owner[hook.owner_id].append(hook)
        made, since = 0, before - COMMITTED_LATE
        for one in sorted(happenings.happened(by_owner, since, now), key=lambda one: one.at):
            concerned = hooks if one.owner is None else by_owner[one.owner]
            made += _written(
                [hook for hook in concerned if one.happening in hook.wanted and one.at > hook.created], one
            )
    return made


def begin() -> None:
    """With the first hook that works: what happened before is nobody's news."""
    Seen.objects.update_or_create(subject=CLOCK, defaults={"value": timezone.now().isoformat()})
    happenings.remember_releases()


def ping(hook: Webhook) -> Delivery:
    """Something to send that did not happen, to see whether it arrives."""
    now = timezone.now()
    body = _body(PING, now, {"webhook": hook.pk})
    return Delivery.objects.create(webhook=hook, happening=PING, key=f"{PING}:{now.isoformat()}", body=body)


def _time_taken_over(now: datetime) -> datetime | None:
    """Until when everything was found, for the one caller that goes on from there; None for any other."""
    clock, _ = Seen.objects.get_or_create(subject=CLOCK, defaults={"value": now.isoformat()})
    if not Seen.objects.filter(pk=clock.pk, value=clock.value).update(value=now.isoformat()):
        return None
    return datetime.fromisoformat(clock.value)


def _written(hooks: list[Webhook], one: Happened) -> int:
    known = set(Delivery.objects.filter(webhook__in=hooks, key=one.key).values_list("webhook", flat=True))
    new = [hook for hook in hooks if hook.pk not in known]
    body = _body(one.happening, one.at, one.data) if new else ""
    rows = [Delivery(webhook=hook, happening=one.happening, key=one.key, body=body) for hook in new]
    Delivery.objects.bulk_create(rows)
    return len(rows)


def _body(happening: Happening | str, at: datetime, data: dict[str, object]) -> str:
    return msgspec.json.encode({"type": str(happening), "timestamp": at, "data": data}).decode()
