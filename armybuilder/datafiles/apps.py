"""The datafiles app."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class DatafilesConfig(AppConfig):
    """Game systems and the immutable releases of their data files."""

    name = "armybuilder.datafiles"
    verbose_name = _("Game data files")
