"""What a unit is looked for by."""

from django import forms
from django.utils.translation import gettext_lazy as _

MOST_POINTS = 100_000


class UnitSearch(forms.Form):
    """Every part may be empty; what cannot be read is ignored and marked."""

    q = forms.CharField(label=_("Name, rule or weapon"), required=False, max_length=100)
    faction = forms.SlugField(label=_("Faction"), required=False)
    role = forms.SlugField(label=_("Battlefield role"), required=False)
    least = forms.IntegerField(label=_("Points from"), required=False, min_value=0, max_value=MOST_POINTS)
    most = forms.IntegerField(label=_("to"), required=False, min_value=0, max_value=MOST_POINTS)
