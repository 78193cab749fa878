"""Registers the app of events."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class EventsConfig(AppConfig):
    """Events and their submissions."""

    name = "armybuilder.events"
    verbose_name = _("Events")
