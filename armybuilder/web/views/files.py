"""Lists as files and texts in every format, and files opened as lists."""

from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import translation
from django.utils.http import content_disposition_header
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from armybuilder.armylists import limits, queries
from armybuilder.armylists.exports import format_called, formats_of
from armybuilder.armylists.exports.army_document import ARMY_DOCUMENT
from armybuilder.armylists.exports.battlescribe_roster import ROS, ROSZ
from armybuilder.armylists.exports.files import ExportFormat
from armybuilder.armylists.imports.battlescribe_roster import lost_words
from armybuilder.armylists.imports.files import import_file
from armybuilder.armylists.models import ArmyList
from armybuilder.armylists.samples import label_of
from armybuilder.engine.battlescribe_files.zipped import UnreadableFile
from armybuilder.engine.errors import GameError
from armybuilder.web.formatting import localized, russian
from armybuilder.web.forms.files import RosterFileForm
from armybuilder.web.problems import refusal_text
from armybuilder.web.viewers import storing_viewer, viewer_of


@never_cache
@require_safe
def exports_of_own(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """The formats of a list of the viewer's; one of the texts is shown to be copied."""
    army_list = queries.visible_army_list(list_id, viewer_of(request))
    return _exports_page(request, army_list, back=reverse("web:list", args=[list_id]))


@never_cache
@require_safe
def exports_of_shared(request: HttpRequest, token: str) -> HttpResponse:
    """The formats of a shared list."""
    response = _exports_page(request, _shared(token), back=reverse("web:shared", args=[token]))
    response["X-Robots-Tag"] = "noindex"
    return response


@never_cache
@require_safe
def export_own(request: HttpRequest, list_id: UUID, format_id: str) -> HttpResponse:
    """A list of the viewer's, as a file."""
    army_list = queries.visible_army_list(list_id, viewer_of(request))
    return _file(army_list, format_called(format_id), _language(request))


@never_cache
@require_safe
def export_shared(request: HttpRequest, token: str, format_id: str) -> HttpResponse:
    """A shared list, as a file."""
    return _file(_shared(token), format_called(format_id), _language(request))


@never_cache
@require_safe
def save_own(request: HttpRequest, list_id: UUID, kind: str) -> HttpResponse:
    """The address that files of one's own lists had before formats had ids."""
    return _file(queries.visible_army_list(list_id, viewer_of(request)), _earlier_format(kind), get_language())


@never_cache
@require_safe
def save_shared(request: HttpRequest, token: str, kind: str) -> HttpResponse:
    """The address that files of shared lists had before formats had ids."""
    return _file(queries.shared_army_list(token), _earlier_format(kind), get_language())


@require_http_methods(["GET", "POST"])
def open_file(request: HttpRequest) -> HttpResponse:
    """A form for a .ros, .rosz or .json file; then straight into the builder, with a word on what the data lacks."""
    form = RosterFileForm(request.POST or None, request.FILES or None)
    status = 200
    if request.method == "POST":
        if form.is_valid():
            uploaded = form.cleaned_data["roster_file"]
            try:
                done = import_file(
                    storing_viewer(request), uploaded.read(limits.ROSTER_FILE_BYTES + 1), file_name=uploaded.name
                )
            except UnreadableFile as broken:
                form.add_error("roster_file", _unreadable(broken))
            except GameError as refusal:
                form.add_error("roster_file", refusal_text(refusal))
            else:
                if done.dropped:
                    messages.warning(request, localized(lost_words(done.dropped)))
                return redirect("web:list", done.army_list.pk)
        status = 422
    return render(request, "armylists/open_file.html", {"form": form}, status=status)


def _unreadable(broken: UnreadableFile) -> str:
    """What a player is told; the reader's own words follow where they are in his language."""
    if not russian():
        return str(broken)
    where = {"file": broken.file_name, "line": broken.line}
    if broken.line is None:
        return _("“%(file)s” is damaged or is no roster file.") % where
    return _("“%(file)s” is damaged or is no roster file: line %(line)s cannot be read.") % where


def _earlier_format(kind: str) -> ExportFormat:
    """What the earlier addresses hand out; their JSON is a hero as the document that the check reads."""
    return {"ros": ROS, "rosz": ROSZ, "json": ARMY_DOCUMENT}.get(kind) or format_called("")


def _shared(token: str) -> ArmyList:
    """A shared list; a sample has its name in the language of the page."""
    army_list = queries.shared_army_list(token)
    army_list.name = label_of(army_list)
    return army_list


def _language(request: HttpRequest) -> str:
    """The language asked for, or that of the page."""
    wanted = request.GET.get("language", "")
    return wanted if wanted in dict(settings.LANGUAGES) else get_language() or "en"


def _exports_page(request: HttpRequest, army_list: ArmyList, *, back: str) -> HttpResponse:
    offered, language = formats_of(army_list), _language(request)
    texts = [one for one in offered if one.pieces is not None]
    shown = next((one for one in texts if one.id == request.GET.get("show")), texts[0])
    assert shown.pieces is not None
    with translation.override(language):
        pieces = shown.pieces(army_list)
    context = {
        "army_list": army_list,
        "back": back,
        "files": [one for one in offered if one.pieces is None],
        "texts": texts,
        "shown": shown,
        "pieces": pieces,
        "language": language,
        "languages": settings.LANGUAGES,
    }
    return render(request, "armylists/exports.html", context)


def _file(army_list: ArmyList, export: ExportFormat, language: str | None) -> HttpResponse:
    with translation.override(language):
        file = export.file_of(army_list)
    disposition = content_disposition_header(as_attachment=True, filename=file.name) or "attachment"
    return HttpResponse(file.content, content_type=file.media_type, headers={"Content-Disposition": disposition})
