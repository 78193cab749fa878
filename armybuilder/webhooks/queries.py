"""Reads of webhooks: the viewer's own."""

from uuid import UUID

from django.db.models import QuerySet

from armybuilder.accounts.errors import NotFound
from armybuilder.accounts.viewers import Viewer
from armybuilder.webhooks.models import Delivery, Webhook


def webhooks_of(viewer: Viewer) -> QuerySet[Webhook]:
    """The viewer's hooks, the oldest first; none without an account."""
    return Webhook.objects.filter(owner=viewer.user) if viewer.user is not None else Webhook.objects.none()


def own_webhook(webhook_id: UUID, viewer: Viewer) -> Webhook:
    """One of the viewer's hooks. Raises NotFound."""
    found = webhooks_of(viewer).filter(pk=webhook_id).first()
    if found is None:
        raise NotFound("There is no such webhook.")
    return found


def deliveries_of(webhook: Webhook) -> QuerySet[Delivery]:
    """What was sent to a hook, or waits, newest first."""
    return Delivery.objects.filter(webhook=webhook)


def delivery_of(webhook: Webhook, delivery_id: UUID) -> Delivery:
    """One delivery to a hook. Raises NotFound."""
    found = deliveries_of(webhook).filter(pk=delivery_id).first()
    if found is None:
        raise NotFound("There is no such delivery.")
    return found
