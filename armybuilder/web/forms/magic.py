"""What a magic item is looked for by."""

from django import forms
from django.utils.translation import gettext_lazy as _

from armybuilder.reference.models import MagicItem


class ItemSearch(forms.Form):
    """Both parts may be empty; what cannot be read is ignored."""

    q = forms.CharField(label=_("Name or bearer"), required=False, max_length=100)
    kind = forms.ChoiceField(label=_("Kind"), required=False, choices=MagicItem.Category.choices)
