"""The shelf: folders and tags of lists, several at once, and everything in one file."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from armybuilder.armylists import services
from armybuilder.armylists.backup import MEDIA_TYPE, backup_of
from armybuilder.armylists.limits import TAGS
from armybuilder.web.viewers import viewer_of

AT_ONCE = 100
"""Lists that are filed with one press."""

_ARCHIVES = {"archive": True, "unarchive": False}


@never_cache
@require_safe
def everything(request: HttpRequest) -> HttpResponse:
    """Every list of the viewer's in one zip file, which “Open a list” takes back."""
    return HttpResponse(
        backup_of(viewer_of(request)),
        content_type=MEDIA_TYPE,
        headers={"Content-Disposition": 'attachment; filename="army-lists.zip"'},
    )


@require_POST
def several(request: HttpRequest) -> HttpResponse:
    """Put the lists that were ticked into a folder, the archive or the bin, or tag them."""
    viewer = viewer_of(request)
    chosen = [found for text in request.POST.getlist("list")[:AT_ONCE] if (found := _uuid(text)) is not None]
    folder = request.POST.get("folder", "")
    tags = [tag.strip() for tag in request.POST.get("tags", "").split(",") if tag.strip()][: TAGS + 1]
    action = request.POST.get("do", "")
    for list_id in chosen:
        if action == "delete":
            services.delete_army_list(viewer, list_id)
        elif action == "folder":
            services.file_army_list(viewer, list_id, folder=folder)
        elif action == "tags":
            services.file_army_list(viewer, list_id, tags=tags)
        elif action in _ARCHIVES:
            services.file_army_list(viewer, list_id, is_archived=_ARCHIVES[action])
    if not chosen:
        messages.warning(request, _("Tick lists first."))
    elif action == "delete":
        words = ngettext("%(n)s list is in the bin.", "%(n)s lists are in the bin.", len(chosen))
        messages.success(request, words % {"n": len(chosen)})
    elif action == "archive":
        words = ngettext("%(n)s list is in the archive.", "%(n)s lists are in the archive.", len(chosen))
        messages.success(request, words % {"n": len(chosen)})
    elif action == "unarchive":
        words = ngettext("%(n)s list is back on the shelf.", "%(n)s lists are back on the shelf.", len(chosen))
        messages.success(request, words % {"n": len(chosen)})
    else:
        words = ngettext("%(n)s list was filed.", "%(n)s lists were filed.", len(chosen))
        messages.success(request, words % {"n": len(chosen)})
    return redirect("web:lists")


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None
