"""Matchups: two lists against each other, worked out in the queue, read as a matrix and pair by pair."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from armybuilder.armylists import queries as lists
from armybuilder.engine.errors import GameError
from armybuilder.simulations import queries, services
from armybuilder.web.forms.matchups import MatchupForm
from armybuilder.web.problems import refusal_text
from armybuilder.web.viewers import storing_viewer, viewer_of

NEWEST_RUNS = 30


@never_cache
@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """The viewer's newest matchups."""
    runs = queries.runs_of(viewer_of(request))[:NEWEST_RUNS]
    return render(request, "matchups/index.html", {"runs": runs})


@never_cache
@require_http_methods(["GET", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """Two lists and the circumstances; the answer is a run with a page of its own."""
    mine = lists.army_lists_of(viewer_of(request))
    form = MatchupForm(mine, request.POST or None, initial=MatchupForm.initial_of(request.GET))
    if request.method == "POST" and form.is_valid():
        try:
            run = services.request_simulation(storing_viewer(request), form.question())
        except GameError as refusal:
            form.add_error(None, refusal_text(refusal))
        else:
            return redirect("web:matchup", run.id)
    status = 422 if form.is_bound else 200
    return render(request, "matchups/new.html", {"form": form}, status=status)


@require_POST
def cancel(request: HttpRequest, run_id: UUID) -> HttpResponse:
    """Give up a run."""
    services.cancel(viewer_of(request), run_id)
    return redirect("web:matchup", run_id)
