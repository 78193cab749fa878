"""The file a list is made of."""

from django import forms
from django.utils.translation import gettext_lazy as _


class RosterFileForm(forms.Form):
    """One roster file."""

    roster_file = forms.FileField(
        label=_("Roster file (.ros or .rosz)"),
        help_text=_("As BattleScribe or New Recruit saves it. Its game must be published here."),
        widget=forms.ClearableFileInput(attrs={"accept": ".ros,.rosz"}),
    )
