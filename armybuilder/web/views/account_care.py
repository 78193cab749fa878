"""What an account needs now and then: a new password, another address, a copy of everything, its end."""

from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import PasswordChangeForm, SetPasswordForm
from django.contrib.auth.views import PasswordChangeView, PasswordResetConfirmView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse_lazy
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_safe

from armybuilder.accounts import services
from armybuilder.accounts.attempts import client_address
from armybuilder.accounts.backends import security
from armybuilder.accounts.errors import AccountKept, PasswordNotConfirmed, TooManyAttempts
from armybuilder.accounts.models import User
from armybuilder.accounts.viewers import Viewer
from armybuilder.operations import personal_data
from armybuilder.web.forms.accounts import DeletionForm, EmailForm, ForgottenPasswordForm, LetterForm, NewPasswordForm
from armybuilder.web.problems import refusal_text
from armybuilder.web.viewers import viewer_of


class _Refused:
    """A form that is not accepted is answered 422, as everywhere on the site."""

    def form_invalid(self, form: Any) -> HttpResponse:
        """The page with what is wrong."""
        answer: HttpResponse = super().form_invalid(form)  # type: ignore[misc]
        answer.status_code = 422
        return answer


class ChangePassword(_Refused, PasswordChangeView):
    """Another password, for whoever knows the present one; other browsers are signed out."""

    form_class = NewPasswordForm
    template_name = "accounts/password.html"
    success_url = reverse_lazy("web:account")

    def get_form_kwargs(self) -> dict[str, Any]:
        """Where it is asked from: wrong passwords count as failed sign-ins."""
        return super().get_form_kwargs() | {"address": client_address(self.request.META)}

    def form_valid(self, form: PasswordChangeForm) -> HttpResponse:
        """The account page, with the news."""
        security.info("password changed user=%s", self.request.user.pk)
        answer = super().form_valid(form)
        messages.success(self.request, _("The password is changed. Other browsers are signed out."))
        tell_of_ways_in(self.request, form.user)
        return answer


class ResetPassword(_Refused, PasswordResetConfirmView):
    """A new password, by the address in a letter."""

    form_class = ForgottenPasswordForm
    template_name = "accounts/password.html"
    success_url = reverse_lazy("web:sign-in")
    reset_url_token = "choose"  # noqa: S105 - a word of the address, no secret

    def form_valid(self, form: "SetPasswordForm[User]") -> HttpResponse:
        """The sign-in page, with the news."""
        security.info("password reset user=%s", form.user.pk)
        answer = super().form_valid(form)
        messages.success(self.request, _("The password is changed. Sign in with it."))
        tell_of_ways_in(self.request, form.user)
        return answer


def tell_of_ways_in(request: HttpRequest, user: User) -> None:
    """Say what a new password, or the end of other sessions, has not ended."""
    if left := services.ways_in(Viewer(user=user)):
        words = ngettext(
            "%(count)d API token or program still acts for you; the pages “API tokens” and “Programs” end it.",
            "%(count)d API tokens or programs still act for you; the pages “API tokens” and “Programs” end them.",
            left,
        )
        messages.warning(request, words % {"count": left})


@never_cache
@require_http_methods(["GET", "POST"])
def forgotten(request: HttpRequest) -> HttpResponse:
    """Ask for a letter with which a new password is chosen; whether an account has the address is not said."""
    form = LetterForm(request.POST or None)
    context: dict[str, Any] = {"form": form, "sends_mail": settings.SENDS_MAIL}
    if request.method == "POST" and settings.SENDS_MAIL and form.is_valid():
        if not services.may_ask_for_reset(client_address(request.META)):
            form.add_error(None, refusal_text(TooManyAttempts(services.HOUR)))
            response = render(request, "accounts/forgotten.html", context, status=429)
            response["Retry-After"] = str(services.HOUR)
            return response
        site = urlsplit(settings.PUBLIC_URL or request.build_absolute_uri("/"))
        form.save(
            domain_override=site.netloc,
            use_https=site.scheme == "https",
            subject_template_name="accounts/letter_subject.txt",
            email_template_name="accounts/letter.txt",
            request=request,
        )
        return render(request, "accounts/forgotten.html", {"is_sent": True})
    return render(request, "accounts/forgotten.html", context, status=422 if form.is_bound else 200)


@login_required
@never_cache
@sensitive_post_parameters("password")
@require_http_methods(["GET", "POST"])
def email(request: HttpRequest) -> HttpResponse:
    """Where a forgotten password is written to."""
    viewer = viewer_of(request)
    form = EmailForm(request.POST or None, initial={"email": viewer.user.email if viewer.user else ""})
    if request.method == "POST" and form.is_valid() and viewer.user is not None:
        try:
            services.set_email(viewer.user, **form.cleaned_data, address=viewer.address)
        except (PasswordNotConfirmed, TooManyAttempts) as refused:
            form.add_error("password", refusal_text(refused))
        else:
            messages.success(request, _("The address is changed."))
            return redirect("web:account")
    return render(request, "accounts/email.html", {"form": form}, status=422 if form.is_bound else 200)


@login_required
@require_safe
def everything(request: HttpRequest) -> HttpResponse:
    """Everything the site holds of the user, as one file."""
    disposition = {"Content-Disposition": 'attachment; filename="army-builder.zip"'}
    data = personal_data.everything_of(viewer_of(request))
    return HttpResponse(data, content_type=personal_data.MEDIA_TYPE, headers=disposition)


@login_required
@never_cache
@sensitive_post_parameters("password")
@require_http_methods(["GET", "POST"])
def delete(request: HttpRequest) -> HttpResponse:
    """Delete the account and everything in it."""
    form = DeletionForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            personal_data.delete_account(viewer_of(request), password=form.cleaned_data["password"])
        except (PasswordNotConfirmed, TooManyAttempts, AccountKept) as refused:
            form.add_error("password", refusal_text(refused))
        else:
            logout(request)
            messages.success(request, _("Your account and everything in it are deleted."))
            return redirect("web:home")
    return render(request, "accounts/delete.html", {"form": form}, status=422 if form.is_bound else 200)
