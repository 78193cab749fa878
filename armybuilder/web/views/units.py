"""Browsing units: all of a game, narrowed by faction, role, price and words."""

from uuid import UUID

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from armybuilder.heroes.queries import builds_heroes
from armybuilder.reference import queries
from armybuilder.reference.names import names_for
from armybuilder.web.forms.units import UnitSearch
from armybuilder.web.fragments import wants_fragment
from armybuilder.web.pages.games import game_tiles
from armybuilder.web.pages.profiles import profile_tables

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
    if wants_fragment(request):
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
    return render(request, "units/_card.html" if wants_fragment(request) else "units/unit.html", context)
