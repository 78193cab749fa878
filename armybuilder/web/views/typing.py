"""A list as text: typed line by line, with names that go on with the words, and what the list would be beside it."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from armybuilder.armylists import queries
from armybuilder.armylists.completions import completions
from armybuilder.armylists.errors import RevisionConflict
from armybuilder.armylists.models import ArmyList
from armybuilder.armylists.typed_list import TypedList, replaced_line, save_typed, text_of, typed
from armybuilder.engine.errors import GameError
from armybuilder.web.forms.edits import expected_revision
from armybuilder.web.fragments import target_of
from armybuilder.web.problems import refusal_text
from armybuilder.web.viewers import viewer_of

MEANT = " ⇒ "
"""Between the line, its words and the name that a button puts there."""


@never_cache
@require_http_methods(["GET", "POST"])
def typing(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """The page; what is typed is looked up, corrected or saved."""
    viewer = viewer_of(request)
    army_list = queries.own_army_list(list_id, viewer)
    if request.method != "POST":
        return _page(request, army_list, text_of(army_list))
    text = request.POST.get("text", "")
    if "mean" in request.POST:
        text = _corrected(text, request.POST["mean"])
    if "save" in request.POST:
        try:
            save_typed(viewer, list_id, text, expected_revision=expected_revision(request.POST))
        except RevisionConflict as conflict:
            return _page(request, army_list, text, refused=refusal_text(conflict), status=409)
        except GameError as refusal:
            return _page(request, army_list, text, refused=refusal_text(refusal), status=422)
        messages.success(request, _("The list is as you typed it; Undo leads back."))
        return redirect("web:list", list_id)
    return _page(request, army_list, text)


@never_cache
@require_safe
def words(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """Names that go on with the words on a line."""
    army_list = queries.own_army_list(list_id, viewer_of(request))
    found = completions(army_list, request.GET.get("words", "")[:200], unit=request.GET.get("unit", "")[:400])
    return render(request, "armylists/_typed_words.html", {"names": found})


def _page(
    request: HttpRequest, army_list: ArmyList, text: str, *, refused: str = "", status: int = 200
) -> HttpResponse:
    found: TypedList | None = None
    try:
        found = typed(army_list, text)
    except GameError as refusal:
        refused = refused or refusal_text(refusal)
    context = {"army_list": army_list, "text": text, "typed": found, "refused": refused, "mark": MEANT}
    if target_of(request) == "typed-told":
        return render(request, "armylists/_typed.html", context)
    return render(request, "armylists/typed.html", context, status=status)


def _corrected(text: str, meant: str) -> str:
    """The text with a name of the data in place of the words on a line."""
    line, _, rest = meant.partition(MEANT)
    said, _, name = rest.partition(MEANT)
    return replaced_line(text, int(line), said, name) if line.isdecimal() and len(line) < 6 and name else text
