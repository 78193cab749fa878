"""Newer data of a list's game: what it would change, and the owner's choice to move or to stay."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from armybuilder.armylists import queries
from armybuilder.armylists import release_impact as impacts
from armybuilder.armylists.errors import EditRefused
from armybuilder.datafiles.parsing import russian_names
from armybuilder.engine.findings import Text
from armybuilder.reference.names import Names, names_for
from armybuilder.web.formatting import localized
from armybuilder.web.forms.edits import expected_revision
from armybuilder.web.viewers import viewer_of


@never_cache
@require_safe
def show(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """The impact report."""
    army_list = queries.own_army_list(list_id, viewer_of(request))
    found = impacts.impact_of(army_list)
    if found is None:
        messages.info(request, _("The list is on the newest data of its game."))
        return redirect("web:list", list_id)
    old, new = (names_for(army_list.system.rule_pack, release.pk) for release in (found.before, found.after))
    names = Names({**old.in_russian, **russian_names(found.after.pk)}, army_lists={**old.army_lists, **new.army_lists})
    mentioned = found.mentioned.union(names.in_russian)
    context = {
        "army_list": army_list,
        "impact": found,
        "gone": [(names(one.name), names(one.unit_name)) for one in found.gone],
        "renamed": [(names(one.before), names(one.after)) for one in found.renamed],
        "repriced": [(names(one.name), one.before, one.after, one.after - one.before) for one in found.repriced],
        "coming": [names.within(localized(one.message), mentioned) for one in found.new_findings],
        "going": [names.within(localized(one.message), mentioned) for one in found.solved_findings],
    }
    return render(request, "armylists/impact.html", context)


@require_POST
def decide(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """Move to the data whose impact was shown, or stay."""
    viewer = viewer_of(request)
    release_id = _release(request.POST.get("release", ""))
    if request.POST.get("choice") == "move":
        revision = expected_revision(request.POST)
        impacts.move(viewer, list_id, release_id=release_id, expected_revision=revision)
        messages.success(request, _("The list is on the newest data now. Undo takes it back."))
    else:
        impacts.stay(viewer, list_id, release_id=release_id)
        messages.info(request, _("The list stays on its data. You will be asked again when there is newer data."))
    return redirect("web:list", list_id)


def _release(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError as broken:
        raise EditRefused(
            Text(en="The form names no data release.", ru="В форме не назван выпуск данных."), "/release"
        ) from broken
