"""Pages about the site itself, and the two switches in its head: language and theme."""

from functools import partial

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.functional import SimpleLazyObject
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import check_for_language
from django.views.decorators.http import require_POST, require_safe

from armybuilder.armylists import queries, services
from armybuilder.armylists.models import ArmyList
from armybuilder.armylists.samples import samples
from armybuilder.heroes.queries import is_hero
from armybuilder.reference import queries as reference
from armybuilder.web.frame import THEMES
from armybuilder.web.pages.components import components
from armybuilder.web.pages.games import game_tiles
from armybuilder.web.pages.list_rows import list_rows
from armybuilder.web.pages.sample_duels import duel_of
from armybuilder.web.pages.sheets import HeroSheet, Sheet, sheet_of
from armybuilder.web.viewers import viewer_of

NEWEST_LISTS = 4
A_YEAR = 365 * 24 * 3600


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Which games, what is done with them, one's newest lists, and a finished army to open and change at once."""
    offered = samples()
    context: dict[str, object] = {
        "games": game_tiles(reference.games()),
        "duel": duel_of(offered),
        "newest": list_rows(queries.army_lists_of(viewer_of(request))[:NEWEST_LISTS]),
        "samples": offered,
    }
    if offered and not is_hero(offered[0].army_list):  # heroes have no points, so they are last
        context |= {"sample": offered[0], "sheet": SimpleLazyObject(partial(_sheet_of_sample, offered[0].army_list))}
    return render(request, "site/home.html", context)


def _sheet_of_sample(army_list: ArmyList) -> Sheet | HeroSheet:
    return sheet_of(army_list, services.check_army_list(army_list))


@require_safe
def about(request: HttpRequest) -> HttpResponse:
    """What the site does, and where its data comes from."""
    return render(request, "site/about.html")


@require_safe
def design(request: HttpRequest) -> HttpResponse:
    """Every component in both themes."""
    return render(request, "site/design.html", components())


@require_POST
def language(request: HttpRequest) -> HttpResponse:
    """Keep the chosen language in a cookie and go back."""
    response = HttpResponseRedirect(safe_next(request))
    code = request.POST.get("language", "")
    if check_for_language(code) and code in dict(settings.LANGUAGES):
        _keep(response, settings.LANGUAGE_COOKIE_NAME, code)
    return response


@require_POST
def theme(request: HttpRequest) -> HttpResponse:
    """Keep the chosen theme in a cookie and go back."""
    response = HttpResponseRedirect(safe_next(request))
    if request.POST.get("theme") in THEMES:
        _keep(response, "theme", request.POST["theme"])
    return response


def safe_next(request: HttpRequest, fallback: str = "/") -> str:
    """The address a form wants to go back to, if it lies on this site."""
    address = request.POST.get("next") or request.GET.get("next") or ""
    if url_has_allowed_host_and_scheme(address, allowed_hosts={request.get_host()}, require_https=request.is_secure()):
        return address
    return fallback


def _keep(response: HttpResponse, name: str, value: str) -> None:
    response.set_cookie(name, value, max_age=A_YEAR, samesite="Lax", secure=settings.SESSION_COOKIE_SECURE)
