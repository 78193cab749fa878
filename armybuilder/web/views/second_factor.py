"""An administrator's second factor: set it up, show it, lose it."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST
from django_otp import login
from django_otp_webauthn import views as webauthn

from armybuilder.accounts import second_factor
from armybuilder.accounts.models import User
from armybuilder.armylists.share_links import qr_svg
from armybuilder.web.forms.accounts import CodeForm
from armybuilder.web.views.site import safe_next


@never_cache
@require_http_methods(["GET", "POST"])
def settings_page(request: HttpRequest) -> HttpResponse:
    """The factors there are, and a first one; a code that the program shows takes it into use."""
    user = _administrator(request)
    if second_factor.is_enrolled(user) and second_factor.is_missing(user):
        return redirect(f"{reverse('web:second-factor-show')}?next={request.path}")
    form, fresh = CodeForm(request.POST or None), []
    if request.method == "POST" and form.is_valid():
        device = second_factor.confirm_codes(user, form.cleaned_data["code"])
        if device is None:
            form.add_error("code", _("The program does not show this code now. Is the clock of your telephone right?"))
        else:
            login(request, device)
            fresh = second_factor.new_recovery_codes(user)
    return _page(request, user, form, fresh)


@never_cache
@require_POST
def recovery_codes(request: HttpRequest) -> HttpResponse:
    """Ten new recovery codes, shown this once."""
    user = _verified(request)
    if not second_factor.is_enrolled(user):  # codes alone are no factor: they would lock their owner out
        raise Http404
    return _page(request, user, CodeForm(), second_factor.new_recovery_codes(user))


@require_POST
def remove_codes(request: HttpRequest) -> HttpResponse:
    """The program for codes is asked no more."""
    second_factor.remove_codes(_verified(request))
    messages.success(request, _("Codes are asked for no more."))
    return redirect("web:second-factor")


@require_POST
def remove_passkey(request: HttpRequest, passkey_id: int) -> HttpResponse:
    """A passkey is good no more."""
    second_factor.remove_passkey(_verified(request), passkey_id)
    messages.success(request, _("The passkey is removed."))
    return redirect("web:second-factor")


@never_cache
@require_http_methods(["GET", "POST"])
def show(request: HttpRequest) -> HttpResponse:
    """A code or a passkey, after the password."""
    user = _administrator(request)
    onward = safe_next(request, reverse("admin:index"))
    if not second_factor.is_missing(user):
        return redirect(onward)
    if not second_factor.is_enrolled(user):
        return redirect("web:second-factor")
    form = CodeForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        device = second_factor.accepted(user, form.cleaned_data["code"])
        if device is not None:
            login(request, device)
            return redirect(onward)
        form.add_error("code", _("This code is wrong, or came too soon after a wrong one. Wait a little, then try."))
    status = 422 if form.errors else 200
    context = {"form": form, "next": onward, "has_passkeys": bool(second_factor.passkeys_of(user))}
    return render(request, "accounts/second_factor_show.html", context, status=status)


def _for_administrators(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A step of the library's ceremonies, for administrators alone."""

    @require_POST
    def step(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        _administrator(request)
        return view(request, *args, **kwargs)

    return step


add_passkey_begin = _for_administrators(webauthn.BeginCredentialRegistrationView.as_view())
add_passkey_complete = _for_administrators(webauthn.CompleteCredentialRegistrationView.as_view())
show_passkey_begin = _for_administrators(webauthn.BeginCredentialAuthenticationView.as_view())
show_passkey_complete = _for_administrators(webauthn.CompleteCredentialAuthenticationView.as_view())


def _administrator(request: HttpRequest) -> User:
    """Whoever is signed in and looks after the site; to everybody else these pages do not exist."""
    if not isinstance(request.user, User) or not request.user.is_staff:
        raise Http404
    return request.user


def _verified(request: HttpRequest) -> User:
    user = _administrator(request)
    if second_factor.is_missing(user):
        raise Http404
    return user


def _page(request: HttpRequest, user: User, form: CodeForm, fresh: list[str]) -> HttpResponse:
    device = second_factor.codes_device(user)
    context = {
        "form": form,
        "fresh": fresh,
        "device": device,
        "secret": device.config_url.partition("secret=")[2].partition("&")[0],
        "qr": mark_safe(qr_svg(device.config_url)),  # noqa: S308 - made by segno from our own text
        "codes_left": second_factor.recovery_codes_left(user),
        "passkeys": second_factor.passkeys_of(user),
        "is_enrolled": second_factor.is_enrolled(user),
    }
    return render(request, "accounts/second_factor.html", context, status=422 if form.errors else 200)
