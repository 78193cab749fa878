"""Playing from a list: one's own or a shared one; what becomes of it is kept on the player's device."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from armybuilder.armylists import queries
from armybuilder.armylists.exports.files import plain_sheet_of
from armybuilder.armylists.models import ArmyList
from armybuilder.armylists.samples import label_of
from armybuilder.armylists.share_links import share_url
from armybuilder.site_address import site_address
from armybuilder.web.pages.play_page import PlayPage
from armybuilder.web.viewers import viewer_of


@never_cache
@require_safe
def play_own(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """One's own list at the table; it is handed on by its newest open link, if it has one."""
    viewer = viewer_of(request)
    army_list = queries.visible_army_list(list_id, viewer)
    link = next((one for one in queries.share_links_of(viewer, list_id) if one.is_open), None)
    shared = share_url(link.token, site=site_address(request)) + "play/" if link is not None else ""
    return _table(request, army_list, back=reverse("web:list", args=[list_id]), shared=shared)


@never_cache
@require_safe
def play_shared(request: HttpRequest, token: str) -> HttpResponse:
    """A shared list at the table."""
    army_list = queries.shared_army_list(token)
    army_list.name = label_of(army_list)
    here = share_url(token, site=site_address(request))
    response = _table(request, army_list, back=reverse("web:shared", args=[token]), shared=f"{here}play/")
    response["X-Robots-Tag"] = "noindex"
    return response


def _table(request: HttpRequest, army_list: ArmyList, *, back: str, shared: str) -> HttpResponse:
    page = PlayPage(plain_sheet_of(army_list))
    context = {"army_list": army_list, "page": page, "back": back, "shared": shared}
    return render(request, "armylists/play.html", context)
