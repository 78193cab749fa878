"""Accounts: signing up (which claims what a guest has made), signing in and out, API tokens."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth import login, logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from armybuilder.accounts import queries, second_factor, services
from armybuilder.accounts.attempts import client_address
from armybuilder.accounts.errors import SignInRefused, SignUpRefused, TooManyAttempts, TooManyTokens
from armybuilder.accounts.models import User
from armybuilder.accounts.viewers import GUEST_COOKIE
from armybuilder.armylists import queries as army_lists
from armybuilder.armylists.collection import claim_guest_collection
from armybuilder.armylists.layouts import claim_guest_layouts
from armybuilder.armylists.services import claim_guest_lists
from armybuilder.simulations.services import claim_guest_runs
from armybuilder.simulations.targets import claim_guest_targets
from armybuilder.web.forms.accounts import SignInForm, SignUpForm, TokenForm
from armybuilder.web.problems import refusal_text
from armybuilder.web.viewers import guest_key, viewer_of
from armybuilder.web.views.site import safe_next

BACKEND = "armybuilder.accounts.backends.ThrottledBackend"


@sensitive_post_parameters("password")
@never_cache
@require_http_methods(["GET", "POST"])
def sign_up(request: HttpRequest) -> HttpResponse:
    """A new account; lists built in this browser become its own."""
    if request.user.is_authenticated:
        return redirect("web:account")
    form = SignUpForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            user = services.sign_up(**form.cleaned_data, address=client_address(request.META))
        except TooManyAttempts as refused:
            form.add_error(None, refusal_text(refused))
            response = _page(request, "accounts/sign_up.html", form, status=429)
            response["Retry-After"] = str(refused.wait_seconds)
            return response
        except SignUpRefused as refused:
            for field, problems in refused.fields.items():
                for problem in problems:
                    form.add_error(field if field in form.fields else None, str(problem))
        else:
            return _signed_in(request, user)
    return _page(request, "accounts/sign_up.html", form)


@sensitive_post_parameters("password")
@never_cache
@require_http_methods(["GET", "POST"])
def sign_in(request: HttpRequest) -> HttpResponse:
    """Name and password; too many failures have to wait."""
    if request.user.is_authenticated:
        return redirect("web:account")
    form = SignInForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            user = services.sign_in(**form.cleaned_data, address=client_address(request.META))
        except SignInRefused as refused:
            form.add_error(None, refusal_text(refused))
        except TooManyAttempts as refused:
            form.add_error(None, refusal_text(refused))
            response = _page(request, "accounts/sign_in.html", form, status=429)
            response["Retry-After"] = str(refused.wait_seconds)
            return response
        else:
            return _signed_in(request, user)
    return _page(request, "accounts/sign_in.html", form)


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    """End the session; the lists stay with the account."""
    logout(request)
    return redirect("web:home")


@login_required
@require_safe
def account(request: HttpRequest) -> HttpResponse:
    """The signed-in player's own page."""
    return render(request, "accounts/account.html")


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def tokens(request: HttpRequest) -> HttpResponse:
    """API tokens: issue one, see its secret once, revoke; an administrator's is worth as much as the second factor."""
    viewer = viewer_of(request)
    if viewer.user is not None and second_factor.is_missing(viewer.user):
        return redirect(f"{reverse('web:second-factor-show')}?next={request.path}")
    lists = army_lists.names_of(viewer)
    form = TokenForm(request.POST or None, lists=lists)
    issued = None
    if request.method == "POST" and form.is_valid() and viewer.user is not None:
        try:
            issued = services.issue_token(
                viewer.user,
                name=form.cleaned_data["name"],
                scopes=form.cleaned_data["scopes"],
                list_id=form.cleaned_data["list_id"],
                expires_at=form.expires_at(),
            )
        except TooManyTokens as refused:
            form.add_error(None, refusal_text(refused))
        else:
            form = TokenForm(lists=lists)
    context = {"form": form, "issued": issued, "tokens": queries.tokens_of(viewer), "lists": dict(lists)}
    return render(request, "accounts/tokens.html", context, status=422 if form.is_bound and form.errors else 200)


@login_required
@require_POST
def revoke_token(request: HttpRequest, token_id: UUID) -> HttpResponse:
    """Make a token useless from now on."""
    services.revoke_token(viewer_of(request), token_id)
    messages.success(request, _("The token is revoked."))
    return redirect("web:tokens")


def _page(
    request: HttpRequest, template: str, form: SignInForm | SignUpForm, status: int | None = None
) -> HttpResponse:
    if status is None:
        status = 422 if form.is_bound and form.errors else 200
    return render(request, template, {"form": form, "next": safe_next(request, "")}, status=status)


def _signed_in(request: HttpRequest, user: User) -> HttpResponse:
    """Open the session, and hand over what this browser made as a guest."""
    key = guest_key(request)
    login(request, user, backend=BACKEND)
    response = redirect(safe_next(request, reverse("web:lists")))
    if key is not None:
        claimed = claim_guest_lists(user, key)
        claim_guest_collection(user, key)
        claim_guest_layouts(user, key)
        claim_guest_runs(user, key)
        claim_guest_targets(user, key)
        response.delete_cookie(GUEST_COOKIE, samesite="Lax")
        if claimed:
            messages.success(
                request,
                ngettext(
                    "%(count)d list built in this browser is now in your account.",
                    "%(count)d lists built in this browser are now in your account.",
                    claimed,
                )
                % {"count": claimed},
            )
    return response
