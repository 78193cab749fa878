"""Signing up, signing in and issuing API tokens."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any, cast
from uuid import UUID

from django import forms
from django.contrib.auth.forms import PasswordChangeForm, PasswordResetForm, SetPasswordForm
from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from armybuilder.accounts.errors import PasswordNotConfirmed, TooManyAttempts
from armybuilder.accounts.letters import send_soon
from armybuilder.accounts.models import User
from armybuilder.accounts.scopes import READING, Scope
from armybuilder.accounts.services import confirm_password, end_ways_in, ways_in
from armybuilder.accounts.viewers import Viewer
from armybuilder.web.formatting import localized

NEW_PASSWORD = _("At least 10 characters; not only digits, not a common word.")


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
        help_text=NEW_PASSWORD,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )


class CodeForm(forms.Form):
    """What the program for codes shows, or a recovery code."""

    code = forms.CharField(
        label=_("Code"),
        max_length=40,
        widget=forms.TextInput(attrs={"autocomplete": "one-time-code", "autofocus": True, "spellcheck": "false"}),
    )

    def clean_code(self) -> str:
        """As it is kept: programs show codes with a blank in their middle, and telephones begin with a capital."""
        return "".join(self.cleaned_data["code"].split()).lower()


class TokenForm(forms.Form):
    """What a new token is for, what it allows, and how long."""

    name = forms.CharField(label=_("What is it for?"), max_length=80)
    scopes = forms.MultipleChoiceField(
        label=_("It may"), choices=Scope.choices, widget=forms.CheckboxSelectMultiple, initial=READING
    )
    list_id = forms.TypedChoiceField(
        label=_("Which lists"), choices=[("", _("all"))], coerce=UUID, empty_value=None, required=False
    )
    days = forms.TypedChoiceField(
        label=_("Valid for"),
        choices=[("30", _("30 days")), ("365", _("a year")), ("0", _("until revoked"))],
        coerce=int,
        initial="365",
    )

    def __init__(self, *args: Any, lists: Iterable[tuple[UUID, str]] = (), **kwargs: Any) -> None:
        """Lists are the player's own, by id and name; a token may be for one of them."""
        super().__init__(*args, **kwargs)
        choices = cast(forms.TypedChoiceField, self.fields["list_id"])
        choices.choices = [("", _("all")), *((str(list_id), name) for list_id, name in lists)]

    def expires_at(self) -> datetime | None:
        """When the token ends; None for never."""
        days: int = self.cleaned_data["days"]
        return timezone.now() + timedelta(days=days) if days else None


class _EndsTokens(forms.Form):
    """What a new password does not end by itself: tokens and programs go on working, or none of them does."""

    user: Any
    ends_tokens = forms.BooleanField(label=_("Revoke all API tokens and shut out all programs"), required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Who has neither tokens nor programs is not asked."""
        super().__init__(*args, **kwargs)
        self.fields["new_password1"].help_text = NEW_PASSWORD
        in_use = ways_in(Viewer(user=self.user)) if isinstance(self.user, User) else 0
        if in_use:
            self.fields["ends_tokens"].help_text = _("They stay valid otherwise. Now in use: %d") % in_use
        else:
            del self.fields["ends_tokens"]

    def save(self, commit: bool = True) -> Any:
        """The new password; with it the tokens' end, where that is wanted."""
        saved = super().save(commit)  # type: ignore[misc]
        if self.cleaned_data.get("ends_tokens"):
            end_ways_in(Viewer(user=self.user))
        return saved


class NewPasswordForm(_EndsTokens, PasswordChangeForm):
    """Another password, for whoever knows the present one; who guesses it has to wait."""

    def __init__(self, *args: Any, address: str, **kwargs: Any) -> None:
        """`address` is where it is asked from."""
        super().__init__(*args, **kwargs)
        self.address = address

    def clean_old_password(self) -> str:
        """The present password."""
        typed = str(self.cleaned_data["old_password"])
        try:
            confirm_password(self.user, typed, address=self.address)
        except TooManyAttempts as refused:
            raise forms.ValidationError(localized(refused.text)) from refused
        except PasswordNotConfirmed as refused:
            raise forms.ValidationError(
                self.error_messages["password_incorrect"], code="password_incorrect"
            ) from refused
        return typed


class LetterForm(PasswordResetForm):
    """An address that a letter about a forgotten password is sent to, if an account has it."""

    def send_mail(  # noqa: PLR0917 - Django's own
        self,
        subject_template_name: str,
        email_template_name: str,
        context: dict[str, Any],
        from_email: str | None,
        to_email: str,
        html_email_template_name: str | None = None,
    ) -> None:
        """Write the letter now, in the language of the page, and have it sent beside the answer."""
        subject = "".join(render_to_string(subject_template_name, context).splitlines())
        send_soon(EmailMessage(subject, render_to_string(email_template_name, context), from_email, [to_email]))


class ForgottenPasswordForm(_EndsTokens, SetPasswordForm):
    """A new password, by the address in a letter."""


class EmailForm(forms.Form):
    """Where a forgotten password is written to; empty for nowhere."""

    email = forms.EmailField(
        label=_("E-mail"), required=False, widget=forms.EmailInput(attrs={"autocomplete": "email"})
    )
    password = forms.CharField(
        label=_("Password"), strip=False, widget=forms.PasswordInput(attrs={"autocomplete": "current-password"})
    )


class EndSessionsForm(forms.Form):
    """Which session is to end, and who wants it."""

    ends = forms.CharField()
    password = forms.CharField(
        label=_("Password"), strip=False, widget=forms.PasswordInput(attrs={"autocomplete": "current-password"})
    )

    def clean_ends(self) -> UUID | None:
        """The id of a session; None for all others."""
        told: str = self.cleaned_data["ends"]
        try:
            return None if told == "others" else UUID(told)
        except ValueError:
            raise forms.ValidationError(_("There is no such session.")) from None


class DeletionForm(forms.Form):
    """That it is meant, and who means it."""

    password = forms.CharField(
        label=_("Password"), strip=False, widget=forms.PasswordInput(attrs={"autocomplete": "current-password"})
    )
    is_meant = forms.BooleanField(label=_("Delete my account and everything in it for good"))


class ProgramForm(forms.Form):
    """A program that asks users to let it act for them."""

    name = forms.CharField(label=_("Name"), max_length=80)
    addresses = forms.CharField(
        label=_("Users are sent back to"),
        max_length=2_000,
        help_text=_("One address a line: https, or http://127.0.0.1:PORT for programs on their own machine."),
        widget=forms.Textarea(attrs={"rows": 2}),
    )
