"""My lists: finding, starting, duplicating, deleting and restoring them."""

from uuid import UUID

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from armybuilder.armylists import queries, services
from armybuilder.datafiles.parsing import russian_names
from armybuilder.engine.errors import GameError
from armybuilder.engine.systems.game import LIST_RULES
from armybuilder.heroes.queries import builds_heroes
from armybuilder.heroes.services import create_hero
from armybuilder.reference import queries as reference
from armybuilder.reference.names import Names
from armybuilder.web.forms.lists import ORDERS, ListFilter, NewHeroForm, NewListForm
from armybuilder.web.fragments import wants_fragment
from armybuilder.web.problems import refusal_text
from armybuilder.web.viewers import storing_viewer, viewer_of

LISTS_ON_A_PAGE = 30
USUAL_LIMIT = 2000
"""Points that a new list of a game without a rule pack begins with."""


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """The viewer's lists, or the bin with `?bin=1`."""
    viewer = viewer_of(request)
    in_bin = request.GET.get("bin") == "1"
    lists = queries.deleted_lists_of(viewer) if in_bin else queries.army_lists_of(viewer)
    found = ListFilter(request.GET, lists)
    page = Paginator(found.qs, LISTS_ON_A_PAGE).get_page(request.GET.get("page"))
    for row in page:
        row.factions = Names(russian_names(row.release_id))(row.faction_names)
    context = {
        "page": page,
        "orders": ORDERS.items(),
        "sort": request.GET.get("sort", "-updated"),
        "q": request.GET.get("q", ""),
        "in_bin": in_bin,
        "deleted": _uuid(request.GET.get("deleted")),
    }
    template = "armylists/_lists.html" if wants_fragment(request) else "armylists/index.html"
    return render(request, template, context)


@require_http_methods(["GET", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """A form for game, faction, limit and allegiance, or for a hero's character; then straight into the builder."""
    systems = list(reference.systems())
    wanted = request.POST.get("system") or request.GET.get("system")
    system = next((row for row in systems if row.id == wanted), systems[0] if systems else None)
    if system is None:
        return render(request, "armylists/new.html", {"systems": systems, "system": None})
    form: NewListForm | NewHeroForm
    if is_hero := builds_heroes(system):
        form = NewHeroForm(system, request.POST or None)
    else:
        usual = {
            "points_limit": pack.usual_limit if (pack := LIST_RULES.get(system.rule_pack)) else USUAL_LIMIT,
            "allegiance": "loyalist",
        }
        form = NewListForm(system, request.POST or None, initial=usual)
    status = 200
    if request.method == "POST":
        if form.is_valid():
            try:
                create = create_hero if is_hero else services.create_army_list
                army_list = create(storing_viewer(request), **form.arguments())
            except GameError as refusal:
                form.add_error(None, refusal_text(refusal))
            else:
                return redirect("web:list", army_list.id)
        status = 422
    return render(request, "armylists/new.html", {"form": form, "systems": systems, "system": system}, status=status)


@require_POST
def duplicate(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """A copy of one's own list, opened at once."""
    copy = services.duplicate_list(viewer_of(request), list_id)
    return redirect("web:list", copy.id)


@require_POST
def delete(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """Into the bin, with a way back on the next page."""
    services.delete_army_list(viewer_of(request), list_id)
    return redirect(f"{reverse('web:lists')}?deleted={list_id}")


@require_POST
def restore(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """Out of the bin, and opened."""
    restored = services.restore_army_list(viewer_of(request), list_id)
    return redirect("web:list", restored.id)


def _uuid(text: str | None) -> UUID | None:
    try:
        return UUID(text) if text else None
    except ValueError:
        return None
