"""Handing a list on: share links and their QR codes, the page a stranger reads, copying it, and paper."""

from uuid import UUID

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.safestring import mark_safe
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from armybuilder.armylists import queries, services
from armybuilder.armylists.edits import SetName
from armybuilder.armylists.limits import NAME_LENGTH
from armybuilder.armylists.models import ArmyList, ShareLink
from armybuilder.armylists.samples import label_of
from armybuilder.armylists.share_links import qr_svg, share_url
from armybuilder.web.forms.sharing import ShareForm
from armybuilder.web.fragments import wants_fragment
from armybuilder.web.pages.sheets import sheet_of
from armybuilder.web.viewers import storing_viewer, viewer_of


@never_cache
@require_safe
def share(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """The links of one's own list."""
    return _share_page(request, queries.own_army_list(list_id, viewer_of(request)), ShareForm())


@require_POST
def publish(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """One more link."""
    viewer = viewer_of(request)
    form = ShareForm(request.POST)
    if not form.is_valid():
        return _share_page(request, queries.own_army_list(list_id, viewer), form, status=422)
    services.publish_share_link(viewer, list_id, expires=form.expires())
    if wants_fragment(request):
        return _share_page(request, queries.own_army_list(list_id, viewer), ShareForm())
    return redirect("web:list-share", list_id)


@require_POST
def revoke(request: HttpRequest, list_id: UUID, token: str) -> HttpResponse:
    """Close a link for good."""
    viewer = viewer_of(request)
    services.revoke_share_link(viewer, list_id, token)
    if wants_fragment(request):
        return _share_page(request, queries.own_army_list(list_id, viewer), ShareForm())
    return redirect("web:list-share", list_id)


@never_cache
@require_safe
def shared(request: HttpRequest, token: str) -> HttpResponse:
    """A shared list, readable by whoever has the address; search engines are asked to stay away."""
    army_list = _named(queries.shared_army_list(token))
    sheet = sheet_of(army_list, services.check_army_list(army_list))
    response = render(request, "armylists/shared.html", {"army_list": army_list, "sheet": sheet, "token": token})
    response["X-Robots-Tag"] = "noindex"
    return response


@require_POST
def copy_shared(request: HttpRequest, token: str) -> HttpResponse:
    """The shared list as one of the viewer's own, opened in the builder."""
    viewer = storing_viewer(request)
    copy = services.copy_shared(viewer, token)
    name = request.POST.get("name", "").strip()[:NAME_LENGTH]
    if name and name != copy.name:  # a sample is offered under its name in the page's language
        services.apply_edit(viewer, copy.id, SetName(name=name), expected_revision=copy.revision)
    return redirect("web:list", copy.id)


@require_safe
def print_own(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """One's own list for paper."""
    return _paper(request, queries.visible_army_list(list_id, viewer_of(request)))


@require_safe
def print_shared(request: HttpRequest, token: str) -> HttpResponse:
    """A shared list for paper."""
    return _paper(request, _named(queries.shared_army_list(token)))


def _named(army_list: ArmyList) -> ArmyList:
    """A list to be shown to others; a sample has its name in the language of the page."""
    army_list.name = label_of(army_list)
    return army_list


def site_address(request: HttpRequest) -> str:
    """Scheme and host under which players reach the site."""
    return settings.PUBLIC_URL or f"{request.scheme}://{request.get_host()}"


def _paper(request: HttpRequest, army_list: ArmyList) -> HttpResponse:
    sheet = sheet_of(army_list, services.check_army_list(army_list))
    return render(request, "armylists/print.html", {"army_list": army_list, "sheet": sheet})


def _share_page(request: HttpRequest, army_list: ArmyList, form: ShareForm, status: int = 200) -> HttpResponse:
    links = [
        {"link": link, "url": url, "qr": mark_safe(qr_svg(url))}  # noqa: S308 - made by segno from our own address
        for link, url in _open_links(request, army_list)
    ]
    template = "armylists/_share.html" if wants_fragment(request) else "armylists/share.html"
    return render(request, template, {"army_list": army_list, "links": links, "form": form}, status=status)


def _open_links(request: HttpRequest, army_list: ArmyList) -> list[tuple[ShareLink, str]]:
    site = site_address(request)
    links = queries.share_links_of(viewer_of(request), army_list.id)
    return [(link, share_url(link.token, site=site)) for link in links if link.is_open]
