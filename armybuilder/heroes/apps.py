"""Registers the app of heroes, and heroes as a type of list."""

from typing import TYPE_CHECKING

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from armybuilder.armylists.list_types import ListType


class HeroesConfig(AppConfig):
    """Heroes; their rows are those of the stored lists."""

    name = "armybuilder.heroes"
    verbose_name = _("Heroes")

    def ready(self) -> None:
        """Stored lists may be heroes from now on."""
        from armybuilder.armylists.list_types import register  # noqa: PLC0415 - models can be imported only now
        from armybuilder.armylists.models import DocumentKind  # noqa: PLC0415

        register(DocumentKind.ARMY, _heroes)


def _heroes() -> "ListType":
    from armybuilder.heroes.list_type import HEROES  # noqa: PLC0415 - half of the code, for whoever touches a list

    return HEROES
