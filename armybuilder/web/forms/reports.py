"""What a mistake in the data is reported with."""

from django import forms
from django.utils.translation import gettext_lazy as _

from armybuilder.reference.models import DataReport


class MistakeForm(forms.Form):
    """The unit may be empty: then the data set as a whole is meant."""

    unit = forms.CharField(label=_("Unit"), required=False, max_length=200)
    entry = forms.CharField(required=False, max_length=400, widget=forms.HiddenInput)
    text = forms.CharField(
        label=_("What is wrong, and what the book says"),
        max_length=DataReport.MOST_TEXT,
        widget=forms.Textarea(attrs={"rows": 5}),
    )
