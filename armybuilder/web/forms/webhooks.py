"""Where a webhook leads, and what it is told of."""

from django import forms
from django.utils.translation import gettext_lazy as _

from armybuilder.webhooks.models import URL_LENGTH, Happening


class WebhookForm(forms.Form):
    """An address and the kinds of happenings."""

    url = forms.CharField(
        label=_("Address"),
        max_length=URL_LENGTH,
        help_text=_("https, and reachable from the internet."),
        widget=forms.URLInput(attrs={"inputmode": "url", "autocomplete": "off"}),
    )
    happenings = forms.MultipleChoiceField(
        label=_("Told when"), choices=Happening.choices, widget=forms.CheckboxSelectMultiple
    )
