"""Registers the app of stored army lists, and rosters as a type of list."""

from typing import TYPE_CHECKING

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from armybuilder.armylists.list_types import ListType


class ArmyListsConfig(AppConfig):
    """Stored army lists."""

    name = "armybuilder.armylists"
    verbose_name = _("Army lists")

    def ready(self) -> None:
        """Stored lists may be rosters from now on."""
        from armybuilder.armylists.list_types import register  # noqa: PLC0415 - models can be imported only now
        from armybuilder.armylists.models import DocumentKind  # noqa: PLC0415

        register(DocumentKind.ROSTER, _rosters)


def _rosters() -> "ListType":
    from armybuilder.armylists.rosters import ROSTERS  # noqa: PLC0415 - half of the code, for whoever touches a list

    return ROSTERS
