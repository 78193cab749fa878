"""The file a list is made of."""

from django import forms
from django.utils.translation import gettext_lazy as _


class RosterFileForm(forms.Form):
    """One roster file."""

    roster_file = forms.FileField(
        label=_("File of a list (.ros, .rosz or .json)"),
        help_text=_("As this site, BattleScribe or New Recruit saves it. Its game must be published here."),
        widget=forms.ClearableFileInput(attrs={"accept": ".ros,.rosz,.json"}),
    )
