"""Writes to webhooks: making, changing and deleting them, new secrets, a test, sending something once more."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from armybuilder.accounts.backends import security
from armybuilder.accounts.errors import NotFound
from armybuilder.accounts.viewers import Viewer
from armybuilder.engine.findings import Text
from armybuilder.outbound import AddressRefused, connection, permitted
from armybuilder.webhooks import collecting, queries, signing
from armybuilder.webhooks.delivering import ANSWER_SECONDS, policy
from armybuilder.webhooks.errors import WebhookRefused
from armybuilder.webhooks.models import URL_LENGTH, Delivery, DeliveryState, Happening, Pause, Webhook

WEBHOOKS_OF_A_USER = 20
ROTATION = timedelta(hours=24)
"""For so long the former secret signs beside the new one."""


@dataclass(frozen=True, slots=True)
class WithSecret:
    """A hook with its secret, which can be shown now and never again."""

    webhook: Webhook
    secret: str


def create_webhook(viewer: Viewer, *, url: str, happenings: Iterable[str]) -> WithSecret:
    """Have an address told of what happens from now on.

    Raises:
        NotFound: no account.
        WebhookRefused: an address that may not be told anything, or too many hooks.
        ValueError: a word that is no happening.
    """
    if viewer.user is None:
        raise NotFound("A webhook needs an account.")
    wanted = _in_order(happenings)
    _refuse_address(url)
    if queries.webhooks_of(viewer).count() >= WEBHOOKS_OF_A_USER:
        raise WebhookRefused(
            Text(
                f"You have {WEBHOOKS_OF_A_USER} webhooks; delete one first.",
                f"У вас {WEBHOOKS_OF_A_USER} вебхуков; сначала удалите один.",
            )
        )
    secret = signing.new_secret()
    with transaction.atomic():
        _begin_for(viewer)
        webhook = Webhook.objects.create(owner=viewer.user, url=url, happenings=wanted, sealed=signing.sealed(secret))
    security.info("webhook made user=%s webhook=%s", viewer.user.pk, webhook.pk)
    return WithSecret(webhook, secret)


def change_webhook(
    viewer: Viewer, webhook_id: UUID, *, url: str, happenings: Iterable[str], is_paused: bool
) -> Webhook:
    """Change a hook; one that goes on after a pause is told of what happens from then on.

    Raises:
        NotFound, WebhookRefused, ValueError: as `create_webhook`.
    """
    webhook = queries.own_webhook(webhook_id, viewer)
    wanted = _in_order(happenings)
    if url != webhook.url:
        _refuse_address(url)
    changes: dict[str, object] = {"url": url, "happenings": wanted}
    if is_paused and not webhook.paused:
        changes["paused"] = Pause.OWNER
    with transaction.atomic():
        if webhook.paused and not is_paused:
            _begin_for(viewer)
            changes |= {"paused": "", "failures": 0}
        Webhook.objects.filter(pk=webhook.pk).update(**changes)
    return queries.own_webhook(webhook_id, viewer)


def delete_webhook(viewer: Viewer, webhook_id: UUID) -> None:
    """Delete a hook with its deliveries. Raises NotFound."""
    queries.own_webhook(webhook_id, viewer).delete()


def rotate_secret(viewer: Viewer, webhook_id: UUID) -> WithSecret:
    """Give a hook a new secret; the former one signs as well for a day. Raises NotFound."""
    webhook = queries.own_webhook(webhook_id, viewer)
    secret = signing.new_secret()
    Webhook.objects.filter(pk=webhook.pk).update(
        sealed=signing.sealed(secret), sealed_before=webhook.sealed, rotates_until=timezone.now() + ROTATION
    )
    return WithSecret(queries.own_webhook(webhook_id, viewer), secret)


def test_webhook(viewer: Viewer, webhook_id: UUID) -> Delivery:
    """Send something to see whether it arrives. Raises NotFound."""
    return collecting.ping(queries.own_webhook(webhook_id, viewer))


def send_again(viewer: Viewer, webhook_id: UUID, delivery_id: UUID) -> Delivery:
    """Send a delivery once more, at once, whatever became of it. Raises NotFound."""
    webhook = queries.own_webhook(webhook_id, viewer)
    delivery = queries.delivery_of(webhook, delivery_id)
    queries.deliveries_of(webhook).filter(pk=delivery.pk).update(
        state=DeliveryState.WAITING, attempts=0, due=timezone.now(), leased_until=None, finished=None
    )
    return queries.delivery_of(webhook, delivery_id)


def _begin_for(viewer: Viewer) -> None:
    """Nothing that happened while nobody was told is news."""
    if not Webhook.objects.filter(paused="").exists():
        collecting.begin()


def _in_order(words: Iterable[str]) -> str:
    wanted = {Happening(word) for word in words}
    return " ".join(one for one in Happening if one in wanted)


def _refuse_address(url: str) -> None:
    """Raise WebhookRefused for an address that nothing will ever be sent to."""
    try:
        if len(url) > URL_LENGTH:
            raise AddressRefused(url, f"is longer than {URL_LENGTH} characters", f"длиннее {URL_LENGTH} знаков")
        connection(permitted(url, allowed=policy()), url, allowed=policy(), wait_seconds=ANSWER_SECONDS).close()
    except AddressRefused as refused:
        raise WebhookRefused(refused.text, "/url") from refused
