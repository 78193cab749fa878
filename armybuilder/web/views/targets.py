"""Targets of one's own: units a player describes by hand, to measure his units by."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from armybuilder.armylists.errors import NotFound
from armybuilder.engine.errors import BadDocument, LimitExceeded
from armybuilder.engine.systems.game import has_matchups, target_book_of, words_of
from armybuilder.reference import queries as reference
from armybuilder.reference.models import PublishedSystem
from armybuilder.simulations import targets
from armybuilder.web.forms.targets import TargetForm
from armybuilder.web.problems import refusal_text
from armybuilder.web.viewers import storing_viewer, viewer_of


@never_cache
@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """The viewer's targets, and the games for which he may describe one."""
    names = {system.rule_pack: system.label for system in reference.systems()}
    rows = [(target, names.get(target.rule_pack, "")) for target in targets.saved_targets_of(viewer_of(request))]
    return render(request, "targets/index.html", {"targets": rows, "games": _games()})


@never_cache
@require_http_methods(["GET", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """Describe a unit; one of the game's yardsticks may be the pattern."""
    games = _games()
    system = next((game for game in games if game.rule_pack == request.GET.get("system")), games[0] if games else None)
    book = target_book_of(system.rule_pack) if system is not None else None
    if system is None or book is None:
        raise NotFound("No game here has units that can be described.")
    form = TargetForm(book, words_of(system.rule_pack), request.POST or None)
    if request.method == "POST" and form.is_valid():
        chosen = form.cleaned_data
        try:
            targets.save_target(
                storing_viewer(request),
                system=system.rule_pack,
                name=chosen["name"],
                points=chosen["points"],
                side=form.side(),
            )
        except (BadDocument, LimitExceeded) as refusal:
            form.refuse(refusal.at, refusal_text(refusal))
        else:
            return redirect("web:targets")
    context = {"form": form, "system": system, "games": games}
    return render(request, "targets/edit.html", context, status=422 if form.is_bound else 200)


@never_cache
@require_http_methods(["GET", "POST"])
def change(request: HttpRequest, target_id: UUID) -> HttpResponse:
    """Describe a target anew."""
    viewer = viewer_of(request)
    target = targets.saved_target(viewer, target_id)
    book = target_book_of(target.rule_pack)
    if book is None:
        raise NotFound("Units of this game cannot be described any more.")
    shown = TargetForm.initial_of(book, target.name, target.points, targets.side_of(target))
    form = TargetForm(book, words_of(target.rule_pack), request.POST or None, initial=shown)
    if request.method == "POST" and form.is_valid():
        chosen = form.cleaned_data
        try:
            targets.change_target(viewer, target_id, name=chosen["name"], points=chosen["points"], side=form.side())
        except (BadDocument, LimitExceeded) as refusal:
            form.refuse(refusal.at, refusal_text(refusal))
        else:
            return redirect("web:targets")
    context = {"form": form, "target": target}
    return render(request, "targets/edit.html", context, status=422 if form.is_bound else 200)


@require_POST
def delete(request: HttpRequest, target_id: UUID) -> HttpResponse:
    """Delete a target; answers that used it stay."""
    targets.delete_target(viewer_of(request), target_id)
    return redirect("web:targets")


def _games() -> list[PublishedSystem]:
    """Published games whose units can be described."""
    return [
        game.usual
        for game in reference.games()
        if has_matchups(game.usual.rule_pack) and target_book_of(game.usual.rule_pack) is not None
    ]
