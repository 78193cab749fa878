"""Registers the app of stored army lists, and rosters as a type of list."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ArmyListsConfig(AppConfig):
    """Stored army lists."""

    name = "armybuilder.armylists"
    verbose_name = _("Army lists")

    def ready(self) -> None:
        """Stored lists may be rosters from now on."""
        from armybuilder.armylists.list_types import register  # noqa: PLC0415 - models can be imported only now
        from armybuilder.armylists.rosters import ROSTERS  # noqa: PLC0415

        register(ROSTERS)
