"""Signing up, signing in and issuing API tokens."""

from datetime import datetime, timedelta

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from armybuilder.accounts.models import ApiToken


class SignInForm(forms.Form):
    """Name and password."""

    username = forms.CharField(
        label=_("Name"), max_length=150, widget=forms.TextInput(attrs={"autocomplete": "username", "autofocus": True})
    )
    password = forms.CharField(
        label=_("Password"), strip=False, widget=forms.PasswordInput(attrs={"autocomplete": "current-password"})
    )


class SignUpForm(forms.Form):
    """A new account; the address is only for writing to the player, and optional."""

    username = forms.CharField(
        label=_("Name"),
        max_length=150,
        help_text=_("Letters, digits and @ . + - _; others see it when you share."),
        widget=forms.TextInput(attrs={"autocomplete": "username", "autofocus": True}),
    )
    email = forms.EmailField(
        label=_("E-mail (optional)"), required=False, widget=forms.EmailInput(attrs={"autocomplete": "email"})
    )
    password = forms.CharField(
        label=_("Password"),
        strip=False,
        help_text=_("At least 10 characters; not only digits, not a common word."),
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )


class TokenForm(forms.Form):
    """What a new token is for, what it allows, and how long."""

    name = forms.CharField(label=_("What is it for?"), max_length=80)
    scope = forms.ChoiceField(
        label=_("It may"), choices=ApiToken.Scope.choices, widget=forms.RadioSelect, initial="read"
    )
    days = forms.TypedChoiceField(
        label=_("Valid for"),
        choices=[("30", _("30 days")), ("365", _("a year")), ("0", _("until revoked"))],
        coerce=int,
        initial="365",
    )

    def expires_at(self) -> datetime | None:
        """When the token ends; None for never."""
        days: int = self.cleaned_data["days"]
        return timezone.now() + timedelta(days=days) if days else None
