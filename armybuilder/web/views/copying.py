"""Copies of a unit for other lists of one's own: where it may go, and putting it there."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from armybuilder.armylists import queries, services
from armybuilder.armylists.copying import copy_targets, unit_to_copy
from armybuilder.armylists.reports import EditResult
from armybuilder.engine.errors import GameError
from armybuilder.reference.names import names_for
from armybuilder.web.forms.units import chosen_detachment
from armybuilder.web.fragments import wants_fragment
from armybuilder.web.problems import refusal_text
from armybuilder.web.viewers import viewer_of


@never_cache
@require_safe
def choose(request: HttpRequest, list_id: UUID, node_id: str) -> HttpResponse:
    """One's other lists that can take the unit."""
    return _page(request, list_id, node_id)


@require_POST
def copy(request: HttpRequest, list_id: UUID, node_id: str) -> HttpResponse:
    """Copy it into one of them; `to` is the list's id and, behind a blank, that of its detachment."""
    viewer = viewer_of(request)
    try:
        to_list_id, force_id = chosen_detachment(request.POST.get("to", ""))
        result = services.copy_unit(viewer, list_id, node_id, to_list_id=to_list_id, force_id=force_id)
    except GameError as refusal:
        return _page(request, list_id, node_id, refusal=refusal)
    if wants_fragment(request):
        return _page(request, list_id, node_id, done=result)
    text = _("Copied to “%(name)s”.") % {"name": result.army_list.name}
    messages.success(request, text)
    return redirect(reverse("web:list", args=[list_id]) + f"?unit={node_id}#detail")


def _page(
    request: HttpRequest,
    list_id: UUID,
    node_id: str,
    *,
    refusal: GameError | None = None,
    done: EditResult | None = None,
) -> HttpResponse:
    viewer = viewer_of(request)
    army_list = queries.own_army_list(list_id, viewer)
    node = unit_to_copy(army_list, node_id)[1].node
    names = names_for(army_list.system.rule_pack, army_list.release_id)
    context = {
        "army_list": army_list,
        "node_id": node_id,
        "unit": node.custom_name or names(node.name),
        "targets": [
            (target.army_list, [(force_id, names(name)) for force_id, name in target.detachments])
            for target in copy_targets(viewer, army_list, node_id)
        ],
        "refusal": refusal_text(refusal) if refusal is not None else "",
        "done": done,
    }
    template = "armylists/_copy_unit.html" if wants_fragment(request) else "armylists/copy_unit.html"
    return render(request, template, context, status=422 if refusal is not None else 200)
