"""The page of a hero: every edit answers with the whole sheet, the bar and the findings."""

from collections.abc import Mapping
from http import HTTPStatus
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from armybuilder.armylists import queries, replies, services
from armybuilder.armylists.errors import NotFound, RevisionConflict
from armybuilder.armylists.models import ArmyList
from armybuilder.datafiles.card_sets import cards_of
from armybuilder.datafiles.parsing import russian_names
from armybuilder.engine.errors import GameError
from armybuilder.engine.findings import Text
from armybuilder.heroes.documents import read_hero
from armybuilder.heroes.queries import own_hero
from armybuilder.reference.names import Names
from armybuilder.simulations import services as simulations
from armybuilder.simulations.hero_requests import ASKED_OF
from armybuilder.web.formatting import localized
from armybuilder.web.forms.edits import expected_revision, submitted
from armybuilder.web.forms.fights import question_of
from armybuilder.web.forms.heroes import hero_edit_of
from armybuilder.web.fragments import MORPH, wants_fragment
from armybuilder.web.pages.changes import changed_since
from armybuilder.web.pages.hero_page import hero_page
from armybuilder.web.problems import refusal_text
from armybuilder.web.viewers import viewer_of

_RETRIED = frozenset({"csrfmiddlewaretoken", "revision", "have"})
_UNDOABLE = frozenset({"give_back", "recover", "set_character", "spend_trophies", "fall", "redo"})


def show(request: HttpRequest, army_list: ArmyList) -> HttpResponse:
    """The whole page of a hero of the viewer's; `builder.show` leads here."""
    page = hero_page(army_list, services.check_army_list(army_list))
    context = {"page": page, "army_list": army_list, "waiting": replies.waiting(army_list.pk)}
    return render(request, "heroes/hero.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """One edit. HTMX gets the sheet, with bar and findings out of band; a plain form is sent back.

    A refused edit answers 422, a stale one 409; both with the present state and nothing changed. Whoever is led to the
    address of such an answer, as by changing the language on it, comes to the hero.
    """
    if request.method != "POST":
        return redirect("web:list", list_id)
    viewer = viewer_of(request)
    fields = submitted(request.POST)
    army_list = own_hero(list_id, viewer)
    try:
        revision = expected_revision(fields)
        match fields.get("edit"):
            case "undo":
                result = services.undo(viewer, list_id, expected_revision=revision)
            case "redo":
                result = services.redo(viewer, list_id, expected_revision=revision)
            case _:
                cards = cards_of(army_list.system.current_release_id or army_list.release_id)
                wanted = hero_edit_of(fields, cards)
                result = services.apply_edit(viewer, list_id, wanted, expected_revision=revision)
    except NotFound:
        raise
    except GameError as refusal:
        return refused(request, queries.own_army_list(list_id, viewer), refusal, fields)
    if not wants_fragment(request):
        if result.summary is not None:
            messages.info(request, _describe(result.army_list, result.summary))
        return HttpResponseRedirect(reverse("web:list", args=[list_id]) + _anchor(fields))
    page = hero_page(result.army_list, result.report)
    name = fields.get("edit", "")
    back = "redo" if name == "undo" else "undo" if name in _UNDOABLE else ""
    toast = _describe(result.army_list, result.summary) if back and result.summary else ""
    response = render(request, "heroes/_edited.html", {"page": page, "toast": toast, "back": back, "oob": True})
    response["HX-Reswap"] = MORPH
    return response


@require_http_methods(["GET", "HEAD", "POST"])
def fight(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """How a battle or a skill test of the hero would end: asked in the queue, answered on a page of its own.

    Why it cannot be asked is told beside the question; without scripts on the hero's page, at this address, from which
    whoever reloads it is led to the hero.
    """
    army_list = own_hero(list_id, viewer_of(request))
    if request.method != "POST":
        return HttpResponseRedirect(reverse("web:list", args=[list_id]) + "#fight")
    cards = cards_of(army_list.system.current_release_id or army_list.release_id)
    try:
        question = question_of(request.POST, read_hero(army_list.document), cards)
        run = simulations.request_simulation(viewer_of(request), question | {ASKED_OF: str(list_id)})
    except NotFound:
        raise
    except GameError as refusal:
        if not wants_fragment(request):
            return refused(request, army_list, refusal, request.POST)
        context = {"refusal": refusal_text(refusal)}
        return render(request, "heroes/_not_asked.html", context, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    if not wants_fragment(request):
        return redirect("web:matchup", run.id)
    response = HttpResponse()
    response["HX-Redirect"] = reverse("web:matchup", args=[run.id])
    return response


def _anchor(fields: QueryDict) -> str:
    """Where on the page the edit was made, so that a plain form leads back there."""
    if dial := fields.get("dial"):
        return f"#dial-{dial}"
    piles = {
        "take_power_card": "power_cards",
        "take_asset": "assets",
        "set_charges": "assets",
        "set_kit": "assets",
        "draw_corruption": "corruption",
        "turn_corruption": "corruption",
        "take_trophy": "trophies",
        "plan_action": "actions",
    }
    pile = piles.get(fields.get("edit", "")) or fields.get("pile", "")
    return f"#{pile}" if pile else ""


def _describe(army_list: ArmyList, summary: Text) -> str:
    names = Names(russian_names(army_list.system.current_release_id or army_list.release_id))
    return names.within(localized(summary), names.in_russian)


def refused(request: HttpRequest, army_list: ArmyList, refusal: GameError, fields: QueryDict) -> HttpResponse:
    """The present state with the refusal on top; a stale edit comes with a button that repeats it on that state."""
    stale = isinstance(refusal, RevisionConflict)
    context: dict[str, object] = {
        "page": hero_page(army_list, services.check_army_list(army_list)),
        "refusal": refusal_text(refusal),
        "stale": stale,
        "repeat": _repeatable(fields) if stale else {},
        "meanwhile": changed_since(army_list, fields) if stale else None,
        "oob": wants_fragment(request),
    }
    template = "heroes/_edited.html" if wants_fragment(request) else "heroes/hero.html"
    status = HTTPStatus.CONFLICT if stale else HTTPStatus.UNPROCESSABLE_ENTITY
    response = render(request, template, context, status=status)
    response["HX-Reswap"] = MORPH
    return response


def _repeatable(fields: QueryDict) -> Mapping[str, str]:
    """The members of an edit as one pressed button, to be sent once more."""
    again = fields.copy()
    for name in _RETRIED:
        again.pop(name, None)
    return {"do": again.urlencode()}
