"""The builder: one page of panes, each a fragment of its own; every edit answers with what it changed."""

import re
from collections.abc import Mapping
from functools import partial
from http import HTTPStatus
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from armybuilder.armylists import kept_edits, queries, replies, services
from armybuilder.armylists.collection import owned_models
from armybuilder.armylists.errors import NotFound, RevisionConflict
from armybuilder.armylists.history import history as history_of
from armybuilder.armylists.models import ArmyList
from armybuilder.armylists.reports import EditResult, ListReport
from armybuilder.armylists.samples import samples
from armybuilder.engine.errors import GameError
from armybuilder.engine.findings import Text
from armybuilder.heroes.queries import is_hero
from armybuilder.reference.names import Names, names_for, russian
from armybuilder.reference.queries import recorded_levels
from armybuilder.web.formatting import localized
from armybuilder.web.forms import edits
from armybuilder.web.forms.edits import edit_of, expected_revision, submitted
from armybuilder.web.fragments import MORPH, target_of, wants_fragment
from armybuilder.web.kept_pages import kept_page
from armybuilder.web.pages.add_screen import Taste
from armybuilder.web.pages.builder_page import Focus, builder_page
from armybuilder.web.pages.changes import changed_since
from armybuilder.web.problems import refusal_text
from armybuilder.web.templatetags.parts import stamps_in
from armybuilder.web.viewers import viewer_of
from armybuilder.web.views import heroes

NEWEST_REVISIONS = 200
BACK = {
    "remove": "undo",
    "deselect": "undo",
    "duplicate": "undo",
    "apply": "undo",
    "kept": "undo",
    "move": "undo",
    "redo": "undo",
    "undo": "redo",
}
"""Edits that are told in a toast, with the way back."""

FAVOURITES_COOKIE = "favourites"
"""Written by `site.js`; nothing but taste stands in it."""

MOST_FAVOURITES = 300

_LATIN = re.compile(r"[A-Za-z][\w'’/-]*(?: [A-Za-z][\w'’/-]*)+")

_RETRIED = frozenset({"csrfmiddlewaretoken", "revision", "have"})


@never_cache
@require_safe
def show(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """The whole builder; or what HTMX asks for alone: the detail pane, or the offers that a search has found."""
    army_list = queries.own_army_list(list_id, viewer_of(request))
    if is_hero(army_list):
        return heroes.show(request, army_list)
    report = services.check_army_list(army_list)
    page = builder_page(army_list, report, Focus.of(request.GET), taste_of(request, army_list))
    if target_of(request) == "offers" and page.adding:
        return render(request, "armylists/_offers.html", {"page": page, "screen": page.adding})
    if target_of(request) == "detail":
        return render(request, "armylists/_detail.html", {"page": page, "army_list": army_list})
    context = {"page": page, "army_list": army_list, "waiting": replies.waiting(list_id)}
    if page.focus.kind:
        return render(request, "armylists/builder.html", context)
    told = army_list.tint, army_list.suggests_for_id, page.newer_data, context["waiting"]
    made_from = partial(_rows_of, list_id, army_list.system.home_id)
    return kept_page(request, "armylists/builder.html", (page.version, told), context, made_from=made_from)


@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """One edit. HTMX gets the detail pane with totals, roll and findings out of band; a plain form is sent back.

    A refused edit answers 422, a stale one 409; both with the present state and nothing changed. Whoever is led to the
    address of such an answer, as by changing the language on it, comes to the list.
    """
    if request.method != "POST":
        return redirect("web:list", list_id)
    viewer = viewer_of(request)
    fields = submitted(request.POST)
    focus = Focus.of(QueryDict(fields.get("focus", "")))
    try:
        revision = expected_revision(fields)
        match fields.get("edit"):
            case "undo":
                result = services.undo(viewer, list_id, expected_revision=revision)
            case "redo":
                result = services.redo(viewer, list_id, expected_revision=revision)
            case edits.APPLY:
                proposal = edits.several_edits(fields.get("edits", ""))
                result = services.apply_edits(viewer, list_id, proposal, expected_revision=revision)
            case edits.KEPT:
                sent = edits.kept_edits(fields.get("kept", ""))
                key = fields.get("once", "")
                result = kept_edits.apply_once(viewer, list_id, sent, key=key, expected_revision=revision)
            case _:
                result = services.apply_edit(viewer, list_id, edit_of(fields), expected_revision=revision)
    except NotFound:
        raise
    except RevisionConflict as conflict:
        return _refused(request, list_id, focus, conflict, fields)
    except GameError as refusal:
        return _refused(request, list_id, focus, refusal, fields)
    if result.report.state is None:  # a hero, whose page sends his edits elsewhere
        return HttpResponseRedirect(_address(list_id, Focus()))
    focus = focus.after(fields.get("edit", ""), result.node_id, result.report)
    return _done(request, result, focus, back=BACK.get(fields.get("edit", ""), ""))


@require_POST
def undo(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """Back to the state before."""
    return edit(_asking(request, "undo"), list_id)


@require_POST
def redo(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """Take back the last undo."""
    return edit(_asking(request, "redo"), list_id)


@never_cache
@require_safe
def history(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """Every state the list has had."""
    army_list = queries.own_army_list(list_id, viewer_of(request))
    names = _names_of(army_list)
    entries = [(entry, _describe(names, entry.summary)) for entry in history_of(army_list, newest=NEWEST_REVISIONS)]
    context = {
        "army_list": army_list,
        "entries": entries,
        "variants": queries.variants_of(viewer_of(request), [army_list]).get(army_list.pk, ()),
    }
    return render(request, "armylists/history.html", context)


@require_POST
def restore_revision(request: HttpRequest, list_id: UUID, number: int) -> HttpResponse:
    """Make an earlier state the present one; the states between stay in the history."""
    revision = expected_revision(request.POST)
    services.restore_revision(viewer_of(request), list_id, number, expected_revision=revision)
    messages.success(request, _("State %(number)s is the present one again.") % {"number": number})
    return HttpResponseRedirect(reverse("web:list", args=[list_id]))


@require_POST
def name_revision(request: HttpRequest, list_id: UUID, number: int) -> HttpResponse:
    """Call a state of the list something, or nothing again."""
    services.name_revision(viewer_of(request), list_id, number, label=request.POST.get("label", ""))
    return HttpResponseRedirect(reverse("web:list-history", args=[list_id]))


def _asking(request: HttpRequest, name: str) -> HttpRequest:
    fields = request.POST.copy()
    fields["edit"] = name
    request.POST = fields  # type: ignore[assignment]
    return request


def _rows_of(list_id: UUID, game_id: str) -> object:
    """All that is stored of what the builder without an open pane shows, as it is now."""
    return queries.row_with_all(list_id), replies.waiting(list_id), recorded_levels(game_id)


def taste_of(request: HttpRequest, army_list: ArmyList) -> Taste:
    """Units that this browser has marked with a star, and what its owner has at home."""
    liked = request.COOKIES.get(FAVOURITES_COOKIE, "").split(".")[:MOST_FAVOURITES]
    return Taste(frozenset(liked), partial(owned_models, viewer_of(request), army_list.system.home_id))


def _names_of(army_list: ArmyList) -> Names:
    """Names of the data, and of the samples: copies tell what they were made from."""
    labels = {sample.army_list.name: sample.label for sample in samples()}
    return Names({**names_for(army_list.system.rule_pack, army_list.release_id).in_russian, **labels})


def _describe(names: Names, summary: Text) -> str:
    """What an edit did; it may name units that are no longer there, so every name of the data is looked for.

    In a Russian sentence Latin words are names: one without a translation stays whole, "Scout Squad" has no rule in it.
    """
    told = localized(summary)
    return names.within(told, [*names.in_russian, *(_LATIN.findall(told) if russian() else ())])


def _address(list_id: UUID, focus: Focus) -> str:
    query = focus.query
    return reverse("web:list", args=[list_id]) + (f"?{query}" if query else "")


def _done(request: HttpRequest, result: EditResult, focus: Focus, *, back: str) -> HttpResponse:
    army_list: ArmyList = result.army_list
    address = _address(army_list.id, focus)
    if not wants_fragment(request):
        if result.summary is not None:
            messages.info(request, _describe(_names_of(army_list), result.summary))
        return HttpResponseRedirect(address + ("#detail" if focus.kind else ""))
    page = builder_page(army_list, result.report, focus, taste_of(request, army_list))
    page.have = stamps_in(request.POST.get("have", ""))
    toast = _describe(_names_of(army_list), result.summary) if result.summary is not None and back else ""
    response = render(request, "armylists/_edited.html", {"page": page, "toast": toast, "back": back, "oob": True})
    response["HX-Reswap"] = MORPH
    response["HX-Replace-Url"] = address
    response["Shown-Revision"] = str(result.report.revision)
    return response


def _refused(request: HttpRequest, list_id: UUID, focus: Focus, refusal: GameError, fields: QueryDict) -> HttpResponse:
    """The present state with the refusal on top; a stale edit comes with a button that repeats it on that state."""
    army_list = queries.own_army_list(list_id, viewer_of(request))
    if is_hero(army_list):
        return heroes.refused(request, army_list, refusal, fields)
    report: ListReport = services.check_army_list(army_list)
    stale = isinstance(refusal, RevisionConflict)
    context: dict[str, object] = {
        "page": builder_page(army_list, report, focus.within(report), taste_of(request, army_list)),
        "refusal": refusal_text(refusal),
        "stale": stale,
        "repeat": _repeatable(fields) if stale else {},
        "meanwhile": changed_since(army_list, fields) if stale else None,
        "typed": fields.get("notes") or "",
        "oob": wants_fragment(request),
    }
    status = HTTPStatus.CONFLICT if stale else HTTPStatus.UNPROCESSABLE_ENTITY
    template = "armylists/_edited.html" if wants_fragment(request) else "armylists/builder.html"
    response = render(request, template, context, status=status)
    response["HX-Reswap"] = MORPH
    return response


def _repeatable(fields: QueryDict) -> Mapping[str, str]:
    """The members of an edit, to be sent once more."""
    return {name: str(fields[name]) for name in fields if name not in _RETRIED}
