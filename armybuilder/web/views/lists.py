"""My lists: finding, starting, duplicating, deleting and restoring them."""

from uuid import UUID

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import queries, services
from armybuilder.armylists.limits import LISTS_OF_A_GUEST
from armybuilder.armylists.models import Tint
from armybuilder.engine.errors import GameError
from armybuilder.engine.systems.game import LIST_RULES
from armybuilder.heroes.queries import builds_heroes
from armybuilder.heroes.services import create_hero
from armybuilder.reference import queries as reference
from armybuilder.web.forms.lists import ORDERS, ListFilter, NewHeroForm, NewListForm
from armybuilder.web.fragments import wants_fragment
from armybuilder.web.pages.games import game_tiles
from armybuilder.web.pages.list_rows import list_rows
from armybuilder.web.problems import refusal_text
from armybuilder.web.viewers import storing_viewer, viewer_of

LISTS_ON_A_PAGE = 30
NEARLY_FULL = 10
"""With room for so few lists more, a guest is told that signing up keeps more."""
MOST_DIGITS = 9
"""Of a number that a form sends."""
USUAL_LIMIT = 2000
"""Points that a new list of a game without a rule pack begins with."""
USUAL_LIMITS = (1000, 1500, 2000, 2500, 3000)
"""Limits that one press fills in."""


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """The viewer's lists, the archive with `?archive=1`, or the bin with `?bin=1`."""
    viewer = viewer_of(request)
    in_bin, in_archive = request.GET.get("bin") == "1", request.GET.get("archive") == "1"
    of_viewer = queries.army_lists_of(viewer)
    shelved = queries.on_the_shelf(of_viewer, is_archived=in_archive)
    found = ListFilter(request.GET, queries.deleted_lists_of(viewer) if in_bin else shelved)
    page = Paginator(found.qs, LISTS_ON_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "page": page,
        "rows": list_rows(page, queries.variants_of(viewer, page)),
        "may_tick": not in_bin,
        "orders": ORDERS.items(),
        "sort": request.GET.get("sort", "-updated"),
        "q": request.GET.get("q", ""),
        "in_bin": in_bin,
        "in_archive": in_archive and not in_bin,
        "folders": queries.folders_of(viewer),
        "folder": request.GET.get("folder", ""),
        "room": _room(viewer),
        "deleted": _uuid(request.GET.get("deleted")),
    }
    template = "armylists/_lists.html" if wants_fragment(request) else "armylists/index.html"
    return render(request, template, context)


@require_http_methods(["GET", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """A form for game, faction, limit and allegiance, or for a hero's character; then straight into the builder."""
    games = reference.games()
    wanted = request.POST.get("system") or request.GET.get("system")
    rows = [row for game in games for row in game.data_sets]
    system = next((row for row in rows if row.id == wanted), rows[0] if rows else None)
    if system is None:
        return render(request, "armylists/new.html", {"games": (), "system": None})
    form: NewListForm | NewHeroForm
    if is_hero := builds_heroes(system):
        form = NewHeroForm(system, request.POST or None)
    else:
        limit = pack.usual_limit if (pack := LIST_RULES.get(system.rule_pack)) else USUAL_LIMIT
        usual = {"points_limit": limit, "allegiance": "loyalist"}
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
    tiles = game_tiles(games)
    context = {
        "form": form,
        "games": tiles,
        "game": next(tile for tile in tiles if tile.has(system.id)),
        "system": system,
        "limits": () if is_hero else sorted({*USUAL_LIMITS, form.initial["points_limit"]}),
    }
    return render(request, "armylists/new.html", context, status=status)


@require_POST
def duplicate(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """A copy of one's own list, opened at once."""
    copy = services.duplicate_list(viewer_of(request), list_id)
    return redirect("web:list", copy.id)


@require_POST
def make_variant(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """A list of its own that begins with a state of this one and stays beside it; opened at once."""
    number = request.POST.get("number", "")
    name = request.POST.get("name", "").strip()
    kept = int(number) if number.isdecimal() and len(number) < MOST_DIGITS else None
    made = services.make_variant(viewer_of(request), list_id, number=kept, name=name or None)
    return redirect("web:list", made.id)


@require_POST
def tint(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """The colour of one's own list; an unknown one takes it away."""
    chosen = request.POST.get("tint", "")
    services.file_army_list(viewer_of(request), list_id, tint=Tint(chosen) if chosen in Tint.values else "")
    return redirect(f"{reverse('web:list', args=[list_id])}?pane=settings")


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


def _room(viewer: Viewer) -> int | None:
    """How many lists a guest may still make, once they are few; None for everybody else."""
    if viewer.user is not None:
        return None
    room = LISTS_OF_A_GUEST - queries.army_lists_of(viewer).count()
    return max(0, room) if room <= NEARLY_FULL else None


def _uuid(text: str | None) -> UUID | None:
    try:
        return UUID(text) if text else None
    except ValueError:
        return None
