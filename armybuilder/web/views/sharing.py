"""Handing a list on: share links and their QR codes, the page a stranger reads, copying it, and paper."""

from collections import Counter
from typing import Any, cast
from uuid import UUID

from csp.decorators import csp_replace
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.safestring import mark_safe
from django.views.decorators.cache import never_cache
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_POST, require_safe

from armybuilder.armylists import queries, replies, services, signed_verdicts
from armybuilder.armylists.edits import SetName
from armybuilder.armylists.errors import EditRefused, NoSharedList
from armybuilder.armylists.limits import NAME_LENGTH
from armybuilder.armylists.models import ArmyList, ShareLink
from armybuilder.armylists.samples import as_shown
from armybuilder.armylists.share_links import qr_svg, share_url, token_in
from armybuilder.reference.queries import system
from armybuilder.site_address import site_address
from armybuilder.web.forms.sharing import ShareForm
from armybuilder.web.fragments import wants_fragment
from armybuilder.web.pages.link_previews import link_preview, oembed_answer
from armybuilder.web.pages.rule_names import rule_name
from armybuilder.web.pages.sheets import sheet_of
from armybuilder.web.pages.verdicts import signed_mark
from armybuilder.web.problems import refusal_text
from armybuilder.web.viewers import View, storing_viewer, viewer_of


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
    is_frozen = form.cleaned_data["shows"] == "frozen"
    try:
        services.publish_share_link(
            viewer,
            list_id,
            expires=form.expires(),
            is_frozen=is_frozen,
            takes_replies=form.cleaned_data["replies"],
            is_listed=form.cleaned_data["found"] == "public",
        )
    except EditRefused as refusal:
        form.add_error("found", refusal_text(refusal))
        return _share_page(request, queries.own_army_list(list_id, viewer), form, status=422)
    if wants_fragment(request):
        return _share_page(request, queries.own_army_list(list_id, viewer), ShareForm())
    return redirect("web:list-share", list_id)


@require_POST
def share_now(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """The usual link, made if there is none yet; scripts hand it on at once."""
    viewer = viewer_of(request)
    link = services.usual_share_link(viewer, list_id)
    if wants_fragment(request):
        return _share_page(request, queries.own_army_list(list_id, viewer), ShareForm(), handed_on=link.token)
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
    """A shared list, readable by whoever has the address; search engines are asked to stay away unless it is public."""
    army_list = as_shown(queries.shared_army_list(token))
    sheet = sheet_of(army_list, services.check_army_list(army_list))
    link = queries.open_link(token)
    context = {
        "army_list": army_list,
        "sheet": sheet,
        "token": token,
        "link": link,
        "comments": replies.comments_on(army_list) if link.takes_replies else (),
        "preview": link_preview(army_list, token, site=site_address(request)),
    }
    response = render(request, "armylists/shared.html", context)
    if not link.is_listed:
        response["X-Robots-Tag"] = "noindex"
    return response


@xframe_options_exempt
@require_safe
def _embedded(request: HttpRequest, token: str) -> HttpResponse:
    """A shared list alone, for a frame on any page; no other address of the site may stand in one."""
    army_list = as_shown(queries.shared_army_list(token))
    sheet = sheet_of(army_list, services.check_army_list(army_list))
    response = render(request, "armylists/embed.html", {"army_list": army_list, "sheet": sheet, "token": token})
    response["X-Robots-Tag"] = "noindex"
    return response


embedded = cast(View, csp_replace({"frame-ancestors": ["*"]})(cast(Any, _embedded)))
"""`_embedded`, which other sites may frame."""


@require_safe
def oembed(request: HttpRequest) -> JsonResponse:
    """What a site that was given the address of a shared list needs to show it in a frame (oEmbed 1.0)."""
    token = token_in(request.GET.get("url", ""))
    if token is None:
        raise NoSharedList
    if request.GET.get("format", "json") != "json":
        return JsonResponse({"error": "This site answers in JSON only."}, status=501)
    army_list = as_shown(queries.shared_army_list(token))
    preview = link_preview(army_list, token, site=site_address(request))
    return JsonResponse(oembed_answer(preview, _sides(request)))


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
    return _paper(request, as_shown(queries.shared_army_list(token)))


def _sides(request: HttpRequest) -> tuple[int | None, int | None]:
    """The width and height that the asker has room for."""
    asked = (request.GET.get("maxwidth", ""), request.GET.get("maxheight", ""))
    width, height = (int(text) if text.isdecimal() and len(text) < 6 else None for text in asked)
    return width, height


def _paper(request: HttpRequest, army_list: ArmyList) -> HttpResponse:
    report = services.check_army_list(army_list)
    sheet = sheet_of(army_list, report)
    signed = signed_mark(army_list, report, site_address(request))
    return render(request, "armylists/print.html", {"army_list": army_list, "sheet": sheet, "signed": signed})


@require_safe
def verdict(request: HttpRequest, code: str) -> HttpResponse:
    """A signed verdict, for whoever has its code."""
    judged = signed_verdicts.judged(code)
    game = system(judged.facts["system"])
    found = Counter((one["rule"], one["severity"]) for one in judged.facts["findings"])
    facts = {
        "judged": judged,
        "code": signed_verdicts.printed(judged.verdict.code),
        "system": game.label,
        "when": judged.verdict.created,
        "findings": [(*one, rule_name(game.rule_pack, one[0]), count) for one, count in found.items()],
    }
    return render(request, "armylists/verdict.html", facts)


def _share_page(
    request: HttpRequest, army_list: ArmyList, form: ShareForm, status: int = 200, handed_on: str = ""
) -> HttpResponse:
    """The open links, that with the token `handed_on` first, and the form for one more."""
    links = [
        {"link": link, "url": url, "qr": mark_safe(qr_svg(url))}  # noqa: S308 - made by segno from our own address
        for link, url in sorted(_open_links(request, army_list), key=lambda one: one[0].token != handed_on)
    ]
    context = {"army_list": army_list, "links": links, "form": form, "handed_on": handed_on}
    template = "armylists/_share.html" if wants_fragment(request) else "armylists/share.html"
    return render(request, template, context, status=status)


def _open_links(request: HttpRequest, army_list: ArmyList) -> list[tuple[ShareLink, str]]:
    site = site_address(request)
    links = queries.share_links_of(viewer_of(request), army_list.id)
    return [(link, share_url(link.token, site=site)) for link in links if link.is_open]
