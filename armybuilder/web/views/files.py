"""Lists as files and texts in every format, and files opened as lists."""

from collections.abc import Mapping
from uuid import UUID

import msgspec
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import translation
from django.utils.http import content_disposition_header
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from armybuilder.armylists import queries
from armybuilder.armylists.backup import is_backup, restore_backup
from armybuilder.armylists.errors import TooLarge
from armybuilder.armylists.exports import format_called, formats_of
from armybuilder.armylists.exports.army_document import ARMY_DOCUMENT
from armybuilder.armylists.exports.battlescribe_roster import ROS, ROSZ
from armybuilder.armylists.exports.files import ExportFormat
from armybuilder.armylists.exports.organiser_layout import TEXT as LAYOUT
from armybuilder.armylists.exports.organiser_layout import in_layout
from armybuilder.armylists.exports.paper import PREVIEW
from armybuilder.armylists.exports.virtual_table import TTS
from armybuilder.armylists.imports.battlescribe_roster import MOST_NAMED, UnknownEntries, file_title, lost_words
from armybuilder.armylists.imports.files import import_file, recognised, source_of, unpublished
from armybuilder.armylists.imports.review import factions, import_reviewed, likely_faction, review
from armybuilder.armylists.imports.sheet_of_source import sheet_of_source
from armybuilder.armylists.imports.source_list import SourceList, read_source, refuse_more_than_a_list
from armybuilder.armylists.models import ArmyList
from armybuilder.armylists.samples import as_shown
from armybuilder.armylists.signed_verdicts import handed_out_at
from armybuilder.engine.battlescribe_files.zipped import UnreadableFile
from armybuilder.engine.errors import BadDocument, GameError
from armybuilder.site_address import site_address
from armybuilder.web.formatting import localized, russian
from armybuilder.web.forms.files import PaperForm, ReviewForm, RosterFileForm, faction_key
from armybuilder.web.pages.sheets import Sheet
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
    return _file(request, army_list, format_called(format_id), _language(request), request.GET.dict())


@never_cache
@require_safe
def export_shared(request: HttpRequest, token: str, format_id: str) -> HttpResponse:
    """A shared list, as a file."""
    return _file(request, _shared(token), format_called(format_id), _language(request), request.GET.dict())


@require_safe
def preview_of_shared(request: HttpRequest, token: str) -> HttpResponse:
    """The picture that chats show of a shared list."""
    with translation.override(_language(request)):
        picture = PREVIEW.write(_shared(token))
    return HttpResponse(picture, content_type=PREVIEW.media_type, headers={"Cache-Control": "max-age=300"})


@never_cache
@require_safe
def save_own(request: HttpRequest, list_id: UUID, kind: str) -> HttpResponse:
    """The address that files of one's own lists had before formats had ids."""
    return _file(request, queries.visible_army_list(list_id, viewer_of(request)), _earlier_format(kind), get_language())


@never_cache
@require_safe
def save_shared(request: HttpRequest, token: str, kind: str) -> HttpResponse:
    """The address that files of shared lists had before formats had ids."""
    return _file(request, queries.shared_army_list(token), _earlier_format(kind), get_language())


@require_http_methods(["GET", "POST"])
def open_file(request: HttpRequest) -> HttpResponse:
    """A form for a file or a text; a list at once, or a review of its names, or what a file without data holds."""
    form = RosterFileForm(request.POST or None, request.FILES or None)
    status = 200
    if request.method == "POST":
        if form.is_valid():
            data, file_name = form.content()
            field = "roster_file" if form.cleaned_data.get("roster_file") else "text"
            try:
                return _opened(request, data, file_title(file_name))
            except UnreadableFile as broken:
                form.add_error(field, _unreadable(broken))
            except GameError as refusal:
                form.add_error(field, refusal_text(refusal))
        status = 422
    return render(request, "armylists/open_file.html", {"form": form}, status=status)


@require_POST
def review_source(request: HttpRequest) -> HttpResponse:
    """The names of a source looked up once more with what was decided, or made a list of."""
    form = ReviewForm(factions(), request.POST)
    if not form.is_valid():
        return redirect("web:list-open-file")
    try:
        source = read_source(form.cleaned_data["source"])
        refuse_more_than_a_list(source)
    except (BadDocument, TooLarge):
        return redirect("web:list-open-file")
    refused = ""
    if "make" in request.POST:
        try:
            made = import_reviewed(
                storing_viewer(request),
                source,
                form.chosen_faction(),
                choices=form.choices(),
                name=form.cleaned_data["name"],
            )
        except GameError as refusal:
            refused = refusal_text(refusal)
        else:
            return redirect("web:list", made.army_list.pk)
    return _review_page(request, source, form, refused=refused)


def _opened(request: HttpRequest, data: bytes, file_name: str) -> HttpResponse:
    """The new list, the review of a source, or the sheet of a file whose game is not here."""
    if is_backup(data):
        return _restored(request, data, file_name)
    incoming = recognised(data, file_name=file_name)
    if incoming.source is not None:
        return _first_review(request, incoming.source)
    held = unpublished(incoming, file_name=file_name)
    if held is not None:
        return render(
            request, "armylists/sheet_of_file.html", {"sheet": Sheet(sheet_of_source(held)), "file_name": file_name}
        )
    try:
        done = import_file(storing_viewer(request), data, file_name=file_name, is_reviewed=True)
    except UnknownEntries:
        source = source_of(data, file_name=file_name)
        if not source.units:
            raise
        return _first_review(request, source)
    if done.dropped:
        messages.warning(request, localized(lost_words(done.dropped)))
    return redirect("web:list", done.army_list.pk)


def _first_review(request: HttpRequest, source: SourceList) -> HttpResponse:
    """A source looked up in the army list that it seems to speak of."""
    initial = {
        "faction": faction_key(likely_faction(source, factions())),
        "name": source.name,
        "source": msgspec.json.encode(source).decode(),
    }
    form = ReviewForm(factions(), initial)
    form.is_valid()
    return _review_page(request, source, form)


def _restored(request: HttpRequest, data: bytes, file_name: str) -> HttpResponse:
    """All lists of a file that holds everything; what could not be made is named."""
    done = restore_backup(storing_viewer(request), data, file_name=file_name)
    words = ngettext("%(n)s list was opened.", "%(n)s lists were opened.", done.lists)
    messages.success(request, words % {"n": done.lists})
    for name, reason in done.refused[:MOST_NAMED]:
        messages.warning(request, f"{name}: {localized(reason)}")
    return redirect("web:lists")


def _review_page(request: HttpRequest, source: SourceList, form: ReviewForm, *, refused: str = "") -> HttpResponse:
    found = review(source, form.chosen_faction(), choices=form.choices())
    context = {"form": form, "review": found, "refused": refused, "source": form.data["source"]}
    return render(request, "armylists/review.html", context, status=422 if refused else 200)


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
    return as_shown(queries.shared_army_list(token))


def _language(request: HttpRequest) -> str:
    """The language asked for, or that of the page."""
    wanted = request.GET.get("language", "")
    return wanted if wanted in dict(settings.LANGUAGES) else get_language() or "en"


def _exports_page(request: HttpRequest, army_list: ArmyList, *, back: str) -> HttpResponse:
    offered, language = formats_of(army_list), _language(request)
    texts = [one for one in offered if one.pieces is not None]
    layout = request.GET.get("layout") if request.GET.get("show") == LAYOUT.id else None
    if layout is not None:
        texts.append(LAYOUT)
    shown = next((one for one in texts if one.id == request.GET.get("show")), texts[0])
    with translation.override(language), handed_out_at(site_address(request)):
        pieces = shown.pieces(army_list) if shown.pieces is not None else (in_layout(army_list, layout),)
    context = {
        "army_list": army_list,
        "back": back,
        "files": [one for one in offered if one.pieces is None and one.printed is None and one is not TTS],
        "virtual_table": TTS,
        "paper": PaperForm(),
        "pictures": [one for one in offered if one.media_type.startswith("image/")],
        "texts": texts,
        "shown": shown,
        "layout": layout or "",
        "pieces": pieces,
        "language": language,
        "languages": settings.LANGUAGES,
    }
    return render(request, "armylists/exports.html", context)


def _file(
    request: HttpRequest,
    army_list: ArmyList,
    export: ExportFormat,
    language: str | None,
    asked: Mapping[str, str] | None = None,
) -> HttpResponse:
    with translation.override(language), handed_out_at(site_address(request)):
        file = export.file_of(army_list, asked)
    is_saved = not file.media_type.startswith(("application/pdf", "image/png"))
    disposition = content_disposition_header(as_attachment=is_saved, filename=file.name) or "attachment"
    return HttpResponse(file.content, content_type=file.media_type, headers={"Content-Disposition": disposition})
