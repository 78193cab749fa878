"""What a unit is looked for by, and where it shall go."""

from uuid import UUID

from django import forms
from django.utils.translation import gettext_lazy as _

from armybuilder.armylists.errors import EditRefused
from armybuilder.engine.findings import Text

MOST_POINTS = 100_000


class UnitSearch(forms.Form):
    """Every part may be empty; what cannot be read is ignored and marked."""

    q = forms.CharField(label=_("Name, rule or weapon"), required=False, max_length=100)
    faction = forms.SlugField(label=_("Faction"), required=False)
    role = forms.SlugField(label=_("Battlefield role"), required=False)
    least = forms.IntegerField(label=_("Points from"), required=False, min_value=0, max_value=MOST_POINTS)
    most = forms.IntegerField(label=_("to"), required=False, min_value=0, max_value=MOST_POINTS)


def chosen_detachment(text: str) -> tuple[UUID, str | None]:
    """The list, and its detachment if one is named, that a button of `armylists/_list_targets.html` sends.

    Raises:
        EditRefused: no list is named.
    """
    list_id, _blank, force_id = text.partition(" ")
    try:
        return UUID(list_id), force_id or None
    except ValueError as error:
        raise EditRefused(Text(en="Choose a list first.", ru="Сначала выберите ростер."), "/to") from error
