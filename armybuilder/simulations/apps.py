"""Registers the app of queued simulations."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class SimulationsConfig(AppConfig):
    """Queued simulations."""

    name = "armybuilder.simulations"
    verbose_name = _("Simulations")
