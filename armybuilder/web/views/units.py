"""Browsing units: all of a game, narrowed by faction, role, price and words; who may take one, and adding it."""

from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from armybuilder.armylists.models import ArmyList
from armybuilder.armylists.openings import add_published_unit, open_lists
from armybuilder.armylists.reports import EditResult
from armybuilder.engine.errors import GameError
from armybuilder.heroes.queries import builds_heroes
from armybuilder.reference import queries
from armybuilder.reference.names import names_for
from armybuilder.reference.reverse_search import role_places, takers
from armybuilder.web.forms.units import UnitSearch, chosen_detachment
from armybuilder.web.fragments import target_of, wants_fragment
from armybuilder.web.pages.games import game_tiles
from armybuilder.web.pages.profiles import profile_tables
from armybuilder.web.problems import refusal_text
from armybuilder.web.viewers import viewer_of

UNITS_ON_A_PAGE = 40


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """The units found, as a page or as the table alone."""
    games = [game for game in queries.games() if not builds_heroes(game.usual)]
    systems = [system for game in games for system in game.data_sets]
    chosen = next(
        (system for system in systems if system.id == request.GET.get("system")), systems[0] if systems else None
    )
    form = UnitSearch(request.GET)
    form.is_valid()
    wanted = form.cleaned_data
    found = queries.units(
        chosen.id if chosen else "",
        faction=wanted.get("faction") or None,
        role=wanted.get("role") or None,
        minimum_points=wanted.get("least"),
        maximum_points=wanted.get("most"),
        text=wanted.get("q", ""),
    )
    page = Paginator(found, UNITS_ON_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "page": page,
        "form": form,
        "games": game_tiles(games),
        "system": chosen,
        "show_faction": not wanted.get("faction"),
    }
    if target_of(request) == "units":
        return render(request, "units/_units.html", context)
    if chosen:
        context |= {"factions": queries.factions(chosen.id), "roles": queries.roles(chosen.id)}
    return render(request, "units/index.html", context)


@require_safe
def unit(request: HttpRequest, unit_id: UUID) -> HttpResponse:
    """One unit as it is sold: price, profiles, special rules; as a page, or for a dialog."""
    entry = queries.unit(unit_id)
    names = names_for(entry.faction.system.rule_pack, entry.release_id)
    context = {
        "unit": entry,
        "tables": profile_tables(entry.profiles, names),
        "rules": [names(rule) for rule in entry.rules],
    }
    if wants_fragment(request):
        return render(request, "units/_card.html", context)
    taken_by = takers(entry)
    return render(request, "units/unit.html", context | {"takers": taken_by, "places": role_places(taken_by)})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def add(request: HttpRequest, unit_id: UUID) -> HttpResponse:
    """One's lists that take the unit; POST adds it to one, `to` is the list's id and its detachment's."""
    if request.method != "POST":
        return _openings(request, unit_id)
    try:
        to_list_id, force_id = chosen_detachment(request.POST.get("to", ""))
        entry = queries.unit(unit_id)
        result = add_published_unit(viewer_of(request), entry, to_list_id=to_list_id, force_id=force_id)
    except GameError as refusal:
        return _openings(request, unit_id, refusal=refusal)
    if wants_fragment(request):
        return _openings(request, unit_id, done=result)
    messages.success(request, _("Added to “%(name)s”.") % {"name": result.army_list.name})
    return redirect("web:unit", unit_id)


def _openings(
    request: HttpRequest, unit_id: UUID, *, refusal: GameError | None = None, done: EditResult | None = None
) -> HttpResponse:
    entry = queries.unit(unit_id)
    context = {
        "unit": entry,
        "targets": [
            (one.army_list, [(opening.force_id, _named(one.army_list, opening.name)) for opening in one.openings])
            for one in open_lists(viewer_of(request), entry)
        ],
        "refusal": refusal_text(refusal) if refusal is not None else "",
        "done": done,
    }
    template = "units/_add_to_list.html" if wants_fragment(request) else "units/add_to_list.html"
    return render(request, template, context, status=422 if refusal is not None else 200)


def _named(army_list: ArmyList, name: str) -> str:
    """A name of the data in the language of the reader."""
    return names_for(army_list.system.rule_pack, army_list.release_id)(name)
