"""Programs of others: those that may act for you, and those you have made."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from armybuilder.accounts import programs
from armybuilder.accounts.errors import ProgramRefused
from armybuilder.web.forms.accounts import ProgramForm
from armybuilder.web.problems import refusal_text
from armybuilder.web.viewers import viewer_of


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def index(request: HttpRequest) -> HttpResponse:
    """Programs that may act for the user, and those he has made."""
    viewer = viewer_of(request)
    form = ProgramForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            programs.register_program(
                viewer, name=form.cleaned_data["name"], addresses=form.cleaned_data["addresses"].split()
            )
        except ProgramRefused as refused:
            form.add_error("addresses", refusal_text(refused))
        else:
            return redirect("web:programs")
    context = {"form": form, "allowed": programs.allowed_by(viewer), "made": programs.programs_of(viewer)}
    return render(request, "accounts/programs.html", context, status=422 if form.is_bound else 200)


@login_required
@require_POST
def shut_out(request: HttpRequest, program_id: int) -> HttpResponse:
    """A program acts for the user no longer."""
    programs.shut_out(viewer_of(request), program_id)
    messages.success(request, _("The program can no longer act for you."))
    return redirect("web:programs")


@login_required
@require_POST
def delete(request: HttpRequest, program_id: int) -> HttpResponse:
    """A program of the user's own is forgotten."""
    programs.delete_program(viewer_of(request), program_id)
    messages.success(request, _("The program is deleted; its tokens are useless."))
    return redirect("web:programs")
