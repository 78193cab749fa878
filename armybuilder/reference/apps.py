"""The reference app."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ReferenceConfig(AppConfig):
    """Game data as rows that people browse, search and edit."""

    name = "armybuilder.reference"
    verbose_name = _("Game reference")
