"""Registers the app of stored army lists."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ArmyListsConfig(AppConfig):
    """Stored army lists."""

    name = "armybuilder.armylists"
    verbose_name = _("Army lists")
