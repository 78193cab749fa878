"""Files of lists: a roster for BattleScribe and New Recruit, a hero as his document; a roster file opened as a list."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from armybuilder.armylists import limits, queries
from armybuilder.armylists.errors import NotFound
from armybuilder.armylists.exports import FORMATS
from armybuilder.armylists.imports.battlescribe_roster import import_roster_file, lost_words
from armybuilder.armylists.models import ArmyList
from armybuilder.engine.battlescribe_files.zipped import UnreadableFile
from armybuilder.engine.errors import GameError
from armybuilder.web.formatting import localized, russian
from armybuilder.web.forms.files import RosterFileForm
from armybuilder.web.problems import refusal_text
from armybuilder.web.viewers import storing_viewer, viewer_of


@never_cache
@require_safe
def save_own(request: HttpRequest, list_id: UUID, kind: str) -> HttpResponse:
    """A list of the viewer's, as a file."""
    return _file(queries.visible_army_list(list_id, viewer_of(request)), kind)


@never_cache
@require_safe
def save_shared(request: HttpRequest, token: str, kind: str) -> HttpResponse:
    """A shared list, as a file."""
    return _file(queries.shared_army_list(token), kind)


@require_http_methods(["GET", "POST"])
def open_file(request: HttpRequest) -> HttpResponse:
    """A form for a .ros or .rosz file; then straight into the builder, with a word on what the data lacks."""
    form = RosterFileForm(request.POST or None, request.FILES or None)
    status = 200
    if request.method == "POST":
        if form.is_valid():
            uploaded = form.cleaned_data["roster_file"]
            try:
                done = import_roster_file(
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


def _file(army_list: ArmyList, kind: str) -> HttpResponse:
    if kind not in FORMATS:
        raise NotFound("There is no such kind of file.")
    file = FORMATS[kind].file_of(army_list)
    disposition = content_disposition_header(as_attachment=True, filename=file.name) or "attachment"
    return HttpResponse(file.content, content_type=file.media_type, headers={"Content-Disposition": disposition})
