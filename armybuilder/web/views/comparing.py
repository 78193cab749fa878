"""Two states of a list, or two lists, side by side."""

from uuid import UUID

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import queries
from armybuilder.armylists.comparison import compared
from armybuilder.armylists.exports.files import sheet_of
from armybuilder.armylists.history import history
from armybuilder.armylists.models import ArmyList
from armybuilder.web.pages.list_rows import told_apart
from armybuilder.web.viewers import viewer_of

OTHERS = 100
"""Lists of one's own that are offered for comparison, the newest first."""


@never_cache
@require_safe
def compare(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """A state of one's own list beside another state, or beside another list."""
    viewer = viewer_of(request)
    army_list = queries.own_army_list(list_id, viewer)
    other = _uuid(request.GET.get("with", ""))
    after = _number(request.GET.get("after", ""), army_list.revision)
    before = _number(request.GET.get("before", ""), max(1, after - 1))
    if other is not None:
        first, second = sheet_of(army_list), sheet_of(queries.visible_army_list(other, viewer))
    else:
        first = sheet_of(queries.army_list_at(queries.own_army_list(list_id, viewer), before))
        second = sheet_of(queries.army_list_at(queries.own_army_list(list_id, viewer), after))
    context = {
        "army_list": army_list,
        "comparison": compared(first, second),
        "revisions": history(army_list),
        "others": [pair for pair in told_apart(_of_its_game(army_list, viewer)[:OTHERS]) if pair[0].pk != list_id],
        "before": before,
        "after": after,
        "other": other,
    }
    return render(request, "armylists/compare.html", context)


def _of_its_game(army_list: ArmyList, viewer: Viewer) -> QuerySet[ArmyList]:
    """Lists that this one can be compared with: a hero beside an army would only tell that everything is different."""
    if army_list.system.rule_pack:
        return queries.army_lists_of_game(viewer, army_list.system.rule_pack)
    return queries.army_lists_of_system(viewer, army_list.system_id)


def _number(text: str, usual: int) -> int:
    return int(text) if text.isdecimal() and len(text) < 9 else usual


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text) if text else None
    except ValueError:
        return None
