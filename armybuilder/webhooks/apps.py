"""Registers the app of webhooks."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class WebhooksConfig(AppConfig):
    """Webhooks and their deliveries."""

    name = "armybuilder.webhooks"
    verbose_name = _("Webhooks")
