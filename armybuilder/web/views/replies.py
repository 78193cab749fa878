"""What readers answer to a shared list: comments and suggested changes; and the lists that everybody may find."""

from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from armybuilder.armylists import queries, replies
from armybuilder.armylists.errors import RevisionConflict
from armybuilder.armylists.samples import label_of
from armybuilder.engine.errors import GameError
from armybuilder.web.forms.edits import expected_revision
from armybuilder.web.problems import refusal_text
from armybuilder.web.viewers import storing_viewer, viewer_of

LISTS_ON_A_PAGE = 30


@require_POST
def begin(request: HttpRequest, token: str) -> HttpResponse:
    """A copy in which the reader builds what he suggests, opened in the builder."""
    draft = replies.begin_suggestion(storing_viewer(request), token)
    return redirect("web:list", draft.id)


@require_POST
def comment(request: HttpRequest, token: str) -> HttpResponse:
    """Say something about a shared list."""
    try:
        replies.comment(token, author=request.POST.get("author", ""), text=request.POST.get("text", ""))
    except replies.NoSharedList:
        raise
    except GameError as refusal:
        messages.warning(request, refusal_text(refusal))
    else:
        messages.success(request, _("Your comment is there."))
    return redirect("web:shared", token)


@never_cache
@require_http_methods(["GET", "POST"])
def suggest(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """What a draft would change, and a form to send it."""
    viewer = viewer_of(request)
    draft = queries.own_army_list(list_id, viewer)
    original = replies.original_of(draft)
    refused = ""
    if request.method == "POST":
        try:
            replies.send_suggestion(
                viewer, list_id, author=request.POST.get("author", ""), text=request.POST.get("text", "")
            )
        except GameError as refusal:
            refused = refusal_text(refusal)
        else:
            messages.success(request, _("Your suggestion was sent; its owner takes or declines it."))
            return redirect("web:list", list_id)
    context = {
        "army_list": draft,
        "original": label_of(original),
        "is_late": draft.suggests_on != original.revision,
        "comparison": replies.drafted(draft),
        "refused": refused,
        "author": request.POST.get("author", ""),
        "text": request.POST.get("text", ""),
    }
    return render(request, "armylists/suggest.html", context, status=422 if refused else 200)


@never_cache
@require_safe
def read(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """What readers sent: suggestions beside the present list, then everything said and decided."""
    viewer = viewer_of(request)
    army_list = queries.own_army_list(list_id, viewer)
    context = {
        "army_list": army_list,
        "suggestions": replies.suggestions_for(viewer, list_id),
        "rows": [row for row in replies.replies_to(army_list) if row.release_id is None or row.decision],
    }
    return render(request, "armylists/replies.html", context)


@require_POST
def decide(request: HttpRequest, list_id: UUID, reply_id: UUID) -> HttpResponse:
    """Take or decline a suggestion, or delete what somebody sent."""
    viewer = viewer_of(request)
    match request.POST.get("do", ""):
        case "take":
            try:
                replies.take(viewer, list_id, reply_id, expected_revision=expected_revision(request.POST))
            except RevisionConflict:
                messages.warning(
                    request, _("Nothing was taken: the list has changed meanwhile. Below is what would change now.")
                )
            else:
                messages.success(request, _("The suggestion is the present state; Undo leads back."))
                return redirect("web:list", list_id)
        case "decline":
            replies.decline(viewer, list_id, reply_id)
            messages.success(request, _("The suggestion was declined; the list stays as it is."))
        case "delete":
            replies.remove(viewer, list_id, reply_id)
    return redirect("web:list-replies", list_id)


@require_safe
def public(request: HttpRequest) -> HttpResponse:
    """Lists whose owners let everybody find them."""
    found = queries.public_links(request.GET.get("q", ""))
    page = Paginator(found, LISTS_ON_A_PAGE).get_page(request.GET.get("page"))
    return render(request, "armylists/public.html", {"page": page, "q": request.GET.get("q", "")})
