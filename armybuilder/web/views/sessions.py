"""The browsers a user is signed in with: shown, and signed out one by one or all but this."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from armybuilder.accounts import browser_sessions, services
from armybuilder.accounts.errors import PasswordNotConfirmed, TooManyAttempts
from armybuilder.web.forms.accounts import EndSessionsForm
from armybuilder.web.pages.sessions import session_row
from armybuilder.web.problems import refusal_text
from armybuilder.web.viewers import viewer_of
from armybuilder.web.views.account_care import tell_of_ways_in


@login_required
@never_cache
@sensitive_post_parameters("password")
@require_http_methods(["GET", "POST"])
def index(request: HttpRequest) -> HttpResponse:
    """All of them; whoever ends one shows the password, as a thief of a session cannot."""
    viewer, this = viewer_of(request), browser_sessions.id_of(request.session)
    form = EndSessionsForm(request.POST or None)
    if request.method == "POST" and form.is_valid() and viewer.user is not None:
        try:
            services.confirm_password(viewer.user, form.cleaned_data["password"], address=viewer.address)
        except (PasswordNotConfirmed, TooManyAttempts) as refused:
            form.add_error("password", refusal_text(refused))
        else:
            _end(request, form.cleaned_data["ends"])
            return redirect("web:sessions")
    rows = [session_row(one, this=this) for one in browser_sessions.sessions_of(viewer)]
    return render(
        request, "accounts/sessions.html", {"form": form, "sessions": rows}, status=422 if form.is_bound else 200
    )


def _end(request: HttpRequest, which: UUID | None) -> None:
    """End one session, or all but the one that asks, which goes on with a new key."""
    viewer = viewer_of(request)
    if which is not None:
        browser_sessions.end_session(viewer, which)
        messages.success(request, _("That browser is signed out."))
    elif (user := services.end_other_sessions(viewer)) is not None:
        update_session_auth_hash(request, user)
        messages.success(request, _("Other browsers are signed out."))
        tell_of_ways_in(request, user)
