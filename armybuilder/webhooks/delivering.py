"""Sends what is due: signed, to public addresses only, again with growing pauses, until it arrives or is given up."""

import http.client
import time
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from http import HTTPStatus
from threading import Timer
from uuid import UUID

from django.conf import settings
from django.db.models import F, Q
from django.utils import timezone

from armybuilder.outbound import AddressRefused, Policy, connection, permitted, target
from armybuilder.webhooks import signing
from armybuilder.webhooks.models import Delivery, DeliveryState, Pause, Webhook

PAUSES = tuple(timedelta(seconds=seconds) for seconds in (5, 30, 120, 600, 3_600, 21_600, 86_400))
"""After each try that failed; after the last of them a delivery is given up."""

ANSWER_SECONDS = 10.0
"""An address that takes longer has not taken it."""
LEASE = timedelta(seconds=60)
ANSWER_BYTES = 300
GIVEN_UP_IN_A_ROW = 5
"""So many deliveries given up one after another pause a hook."""
KEPT = timedelta(days=30)

_HEADERS = {"User-Agent": "army-builder", "Content-Type": "application/json", "Connection": "close"}


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back; no status where nothing did."""

    status: int | None
    said: str

    @property
    def is_taken(self) -> bool:
        """Whether the message has arrived."""
        return self.status is not None and HTTPStatus.OK <= self.status < HTTPStatus.MULTIPLE_CHOICES


def due(limit: int = 100) -> list[tuple[UUID, int]]:
    """Deliveries whose time has come and that nobody is sending, the oldest first, with the number of tries so far."""
    now = timezone.now()
    free = Q(leased_until=None) | Q(leased_until__lt=now)
    rows = Delivery.objects.filter(free, state=DeliveryState.WAITING, due__lte=now, webhook__paused="")
    return list(rows.order_by("due").values_list("pk", "attempts")[:limit])


def deliver(delivery_id: UUID) -> bool:
    """Send one delivery, if nobody else does; whether it has arrived."""
    now = timezone.now()
    free = Q(leased_until=None) | Q(leased_until__lt=now)
    mine = Delivery.objects.filter(free, pk=delivery_id, state=DeliveryState.WAITING, due__lte=now)
    if not mine.update(leased_until=now + LEASE, attempts=F("attempts") + 1):
        return False
    row = Delivery.objects.select_related("webhook").get(pk=delivery_id)
    answer = _sent(row)
    _note(row, answer)
    return answer.is_taken


def forget() -> int:
    """Delete deliveries of long ago; how many."""
    return Delivery.objects.filter(created__lt=timezone.now() - KEPT).delete()[0]


def policy() -> Policy:
    """Which hosts may be told at private addresses."""
    return Policy(settings.WEBHOOK_ALLOWED_HOSTS, "WEBHOOK_ALLOWED_HOSTS")


def _sent(row: Delivery) -> Answer:
    hook = row.webhook
    stored = [hook.sealed]
    if hook.sealed_before and hook.rotates_until is not None and hook.rotates_until > timezone.now():
        stored.append(hook.sealed_before)
    secrets = [secret for secret in map(signing.unsealed, stored) if secret is not None]
    if not secrets:
        return Answer(None, "The site's own secret has changed: make a new secret for this webhook.")
    body = row.body.encode()
    signed = signing.headers(secrets, message_id=str(row.pk), timestamp=int(time.time()), body=body)
    try:
        parts = permitted(hook.url, allowed=policy())
        asked = connection(parts, hook.url, allowed=policy(), wait_seconds=ANSWER_SECONDS)
    except AddressRefused as refused:
        return Answer(None, str(refused))
    alarm = Timer(ANSWER_SECONDS, asked.break_off)
    alarm.daemon = True
    alarm.start()
    try:
        asked.request("POST", target(parts), body=body, headers={**_HEADERS, **signed})
        answer = asked.getresponse()
        said = b""
        with suppress(OSError, http.client.HTTPException):  # the status alone decides
            said = answer.read(ANSWER_BYTES)
        return Answer(answer.status, said.decode(errors="replace").replace("\0", ""))
    except (OSError, http.client.HTTPException, ValueError) as failure:
        return Answer(None, f"No answer: {failure}")
    finally:
        alarm.cancel()
        asked.close()


def _note(row: Delivery, answer: Answer) -> None:
    """Keep what came of it, and when it is tried again; only while it is still ours."""
    now = timezone.now()
    mine = Delivery.objects.filter(pk=row.pk, state=DeliveryState.WAITING, attempts=row.attempts)
    told: dict[str, object] = {"status": answer.status, "said": answer.said[:ANSWER_BYTES], "leased_until": None}
    hooks = Webhook.objects.filter(pk=row.webhook_id)
    if answer.is_taken:
        if mine.update(**told, state=DeliveryState.DELIVERED, finished=now):
            hooks.exclude(failures=0).update(failures=0)
    elif answer.status == HTTPStatus.GONE:
        mine.update(**told, state=DeliveryState.GIVEN_UP, finished=now)
        hooks.update(paused=Pause.GONE)
    elif row.attempts <= len(PAUSES):
        mine.update(**told, due=now + PAUSES[row.attempts - 1])
    elif mine.update(**told, state=DeliveryState.GIVEN_UP, finished=now):
        hooks.update(failures=F("failures") + 1)
        hooks.filter(failures__gte=GIVEN_UP_IN_A_ROW).update(paused=Pause.GIVEN_UP)
