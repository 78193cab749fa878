"""What a player owns of each game, and what lists need beyond it."""

from collections.abc import Iterator
from contextlib import suppress
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from armybuilder.armylists import collection, queries
from armybuilder.armylists.errors import EditRefused, NotFound, TooLarge
from armybuilder.armylists.limits import LISTS_OF_A_NEED
from armybuilder.armylists.models import ArmyList
from armybuilder.datafiles.models import PublishedSystem
from armybuilder.heroes.queries import builds_heroes
from armybuilder.reference import queries as reference
from armybuilder.reference.names import names_for
from armybuilder.web.forms.collection import typed_units
from armybuilder.web.pages.list_rows import told_apart
from armybuilder.web.problems import refusal_text
from armybuilder.web.viewers import storing_viewer, viewer_of

OFFERED = 100
"""Lists of one's own that may be compared with what is owned, the newest first."""


@never_cache
@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """The games one may collect for."""
    viewer = viewer_of(request)
    rows = [(game, collection.collection_of(viewer, game.pk).count()) for game in _games()]
    return render(request, "armylists/collections.html", {"rows": rows})


@never_cache
@require_http_methods(["GET", "POST"])
def show(request: HttpRequest, system_id: str) -> HttpResponse:
    """What is owned of a game, with forms to change it; and what the lists that were chosen need."""
    game, refused = _game(system_id), ""
    typed: dict[str, tuple[int, int]] = {}
    if request.method == "POST":
        typed = typed_units(request.POST.dict())
        try:
            units = typed | _added(game, request.POST.get("name", ""), request.POST.get("owned", ""))
            collection.keep_units(storing_viewer(request), game.pk, units)
            messages.success(request, _("Saved."))
            return redirect(f"{reverse('web:collection', args=[game.pk])}{_query(request)}")
        except (EditRefused, TooLarge) as refusal:
            refused = refusal_text(refusal)
    viewer = viewer_of(request)
    chosen = [queries.own_army_list(one, viewer) for one in _ids(request.GET.getlist("list")[:LISTS_OF_A_NEED])]
    chosen = [one for one in chosen if one.system.home_id == game.pk]
    offered = queries.army_lists_of_game(viewer, game.rule_pack)[:OFFERED]
    lists = list({one.pk: one for one in (*chosen, *offered) if one.system.home_id == game.pk}.values())
    at_once = request.GET.get("together", "1") == "1"
    names = names_for(game.rule_pack, game.current_release_id)
    needs = collection.needs(viewer, game.pk, chosen, at_once=at_once)
    context = {
        "game": game,
        "units": [
            (row.name, names(row.name), *typed.get(row.name, (row.owned, row.painted)))
            for row in collection.collection_of(viewer, game.pk)
        ],
        "lists": told_apart(lists),
        "chosen": {one.pk for one in chosen},
        "single": chosen[0] if len(chosen) == 1 else None,
        "at_once": at_once,
        "needs": [(need, names(need.name)) for need in needs],
        "missing": sum(need.missing for need in needs),
        "refused": refused,
        "typed_name": request.POST.get("name", ""),
        "query": _query(request),
    }
    return render(request, "armylists/collection.html", context, status=422 if refused else 200)


def _query(request: HttpRequest) -> str:
    """What was asked for in the address, to ask for it again: which lists were ticked, and how they are played."""
    return f"?{request.GET.urlencode()}" if request.GET else ""


@require_POST
def own_list(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """Everything that a list of one's own has is owned from now on."""
    viewer = viewer_of(request)
    army_list = queries.own_army_list(list_id, viewer)
    _game(army_list.system.home_id)
    added = collection.own_what_it_needs(viewer, army_list)
    messages.success(
        request,
        ngettext("%(n)d model was added to the collection.", "%(n)d models were added to the collection.", added)
        % {"n": added},
    )
    return redirect(_address(army_list))


def _ids(texts: list[str]) -> Iterator[UUID]:
    """Ids of lists, each once; what is none is passed over."""
    for text in dict.fromkeys(texts):
        with suppress(ValueError):
            yield UUID(text)


def _address(army_list: ArmyList) -> str:
    return f"{reverse('web:collection', args=[army_list.system.home_id])}?list={army_list.pk}"


def _added(game: PublishedSystem, name: str, owned: str) -> dict[str, tuple[int, int]]:
    """A unit that was typed, by its name in the data."""
    name = name.strip()
    if not name:
        return {}
    known = reference.unit_name(game.pk, name)
    if known is None:
        raise EditRefused(collection.unknown_unit(name), "/name")
    return {known: (int(owned) if owned.isdecimal() and len(owned) < 9 else 1, 0)}


def _games() -> list[PublishedSystem]:
    return [game.home for game in reference.games() if not builds_heroes(game.home)]


def _game(system_id: str) -> PublishedSystem:
    """A game that is played with models. Raises NotFound."""
    found = next((game for game in _games() if game.pk == system_id), None)
    if found is None:
        raise NotFound("There is no such game.")
    return found
