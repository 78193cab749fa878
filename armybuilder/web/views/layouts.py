"""Text layouts of organisers: one's own, and each by the address its organiser hands on."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from armybuilder.armylists import layouts, queries
from armybuilder.armylists.errors import EditRefused, NotFound, TooLarge
from armybuilder.armylists.exports.files import sheet_of
from armybuilder.armylists.exports.organiser_layout import EXAMPLE, laid_out
from armybuilder.armylists.samples import samples
from armybuilder.web.problems import refusal_text
from armybuilder.web.viewers import storing_viewer, viewer_of

OFFERED = 100
"""Lists of one's own that a layout is offered for, the newest first."""


@never_cache
@require_http_methods(["GET", "POST"])
def index(request: HttpRequest) -> HttpResponse:
    """One's own layouts and a form for a new one."""
    typed = {"name": request.POST.get("name", ""), "source": request.POST.get("source", "") or EXAMPLE}
    refused, text = "", ""
    if request.method == "POST":
        try:
            text = _tried(typed["source"])
            if "keep" in request.POST:
                made = layouts.keep_layout(storing_viewer(request), name=typed["name"], source=typed["source"])
                return redirect("web:layout", made.pk)
        except (EditRefused, TooLarge) as refusal:
            refused = refusal_text(refusal)
    context = {"layouts": layouts.layouts_of(viewer_of(request)), "refused": refused, "shown": text, **typed}
    return render(request, "armylists/layouts.html", context, status=422 if refused else 200)


@never_cache
@require_http_methods(["GET", "POST"])
def layout(request: HttpRequest, layout_id: UUID) -> HttpResponse:
    """A layout for whoever has its address, with one's own lists to lay out by it; its owner changes it here."""
    viewer = viewer_of(request)
    found = layouts.layout_at(str(layout_id))
    typed = {"name": request.POST.get("name", found.name), "source": request.POST.get("source", found.source)}
    refused, text = "", ""
    if request.method == "POST":
        layouts.own_layout(viewer, layout_id)
        try:
            text = _tried(typed["source"])
            if "keep" in request.POST:
                layouts.keep_layout(viewer, layout_id=layout_id, name=typed["name"], source=typed["source"])
                return redirect("web:layout", layout_id)
        except (EditRefused, TooLarge) as refusal:
            refused = refusal_text(refusal)
    context = {
        "layout": found,
        "is_own": layouts.layouts_of(viewer).contains(found),
        "lists": queries.army_lists_of(viewer)[:OFFERED],
        "refused": refused,
        "shown": text,
        **typed,
    }
    return render(request, "armylists/layout.html", context, status=422 if refused else 200)


@require_POST
def use(request: HttpRequest, layout_id: UUID) -> HttpResponse:
    """One of the viewer's lists in a layout, where it is copied."""
    try:
        list_id = UUID(request.POST.get("list", ""))
    except ValueError as error:
        raise NotFound("Choose a list.") from error
    return redirect(f"{reverse('web:list-exports', args=[list_id])}?show=template&layout={layout_id}#text")


@require_POST
def delete(request: HttpRequest, layout_id: UUID) -> HttpResponse:
    """Delete one's own layout."""
    layouts.delete_layout(viewer_of(request), layout_id)
    return redirect("web:layouts")


def _tried(source: str) -> str:
    """A layout filled in with a sample list, so that a mistake is told before anybody uses it."""
    sample = next((one for one in samples() if one.army_list.document_kind == "roster"), None)
    return "" if sample is None else laid_out(source, sheet_of(queries.stored_army_list(sample.army_list.pk)))
