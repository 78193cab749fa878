"""Pages about the site itself, and the two switches in its head: language and theme."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import check_for_language
from django.views.decorators.http import require_POST, require_safe

from armybuilder.armylists import queries, services
from armybuilder.armylists.samples import samples
from armybuilder.heroes.queries import is_hero
from armybuilder.web.pages.sheets import sheet_of
from armybuilder.web.templatetags.site import THEMES
from armybuilder.web.viewers import viewer_of

NEWEST_LISTS = 4
A_YEAR = 365 * 24 * 3600


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Where to begin: one's newest lists, and a finished sample army that can be opened and changed at once."""
    offered = samples()
    context: dict[str, object] = {
        "newest": queries.army_lists_of(viewer_of(request))[:NEWEST_LISTS],
        "samples": offered,
    }
    if offered and not is_hero(offered[0].army_list):  # heroes have no points, so they are last
        army_list = offered[0].army_list
        context |= {"sample": offered[0], "sheet": sheet_of(army_list, services.check_army_list(army_list))}
    return render(request, "site/home.html", context)


@require_safe
def about(request: HttpRequest) -> HttpResponse:
    """What the site does, and where its data comes from."""
    return render(request, "site/about.html")


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
