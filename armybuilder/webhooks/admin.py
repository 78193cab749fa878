"""Webhooks in the admin: seen and deleted there, never read or made."""

from django.contrib import admin
from django.http import HttpRequest

from armybuilder.webhooks.models import Delivery, Webhook


class _Seen(admin.ModelAdmin):
    """Rows that are looked at."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Owners make them."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Owners change them."""
        return False


@admin.register(Webhook)
class WebhookAdmin(_Seen):
    """Where programs of players are told of what happens."""

    list_display = ["url", "owner", "happenings", "paused", "failures", "created"]
    list_select_related = ["owner"]
    search_fields = ["url", "owner__username"]
    fields = ["url", "owner", "happenings", "paused", "failures", "created"]


@admin.register(Delivery)
class DeliveryAdmin(_Seen):
    """What was sent, and what came back."""

    list_display = ["happening", "webhook", "state", "attempts", "status", "created"]
    list_filter = ["state", "happening"]
    list_select_related = ["webhook"]
    date_hierarchy = "created"
