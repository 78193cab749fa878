"""How long a share link lives."""

from datetime import datetime, timedelta

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class ShareForm(forms.Form):
    """A new link."""

    days = forms.TypedChoiceField(
        label=_("The link works"),
        choices=[("0", _("until I revoke it")), ("7", _("7 days")), ("30", _("30 days"))],
        coerce=int,
        initial="0",
        required=False,
        empty_value=None,
    )

    shows = forms.ChoiceField(
        label=_("and shows the list"),
        choices=[("live", _("as it is at any time")), ("frozen", _("as it is now, for good"))],
        initial="live",
        required=False,
    )

    found = forms.ChoiceField(
        label=_("Who finds it"),
        choices=[("unlisted", _("whoever has the address")), ("public", _("everybody: among the public lists"))],
        initial="unlisted",
        required=False,
    )

    replies = forms.BooleanField(label=_("Readers may comment and suggest changes"), required=False)

    def expires(self) -> datetime | None:
        """When the link stops working; None for never."""
        days: int | None = self.cleaned_data["days"] or 0
        return timezone.now() + timedelta(days=days) if days else None
