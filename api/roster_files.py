"""Lists as files and texts in every format, and files as lists."""

from typing import Any
from uuid import UUID

import msgspec
from django.http import HttpResponse
from django.utils import translation
from django.utils.http import content_disposition_header
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.armylists import SHARE_PARAMETER, ListOut, created, reader_of
from api.authentication import known_viewer_of
from api.idempotency import IDEMPOTENCY_KEY, once
from api.parsers import FileParser
from api.reading import flag, one_of
from api.schema import PUBLIC, array, problem, ref
from armybuilder.armylists import limits, list_file, queries
from armybuilder.armylists.errors import NotFound
from armybuilder.armylists.exports import FORMATS, format_called, formats_of
from armybuilder.armylists.exports.files import ExportFormat
from armybuilder.armylists.exports.paper import CARDS, FIELDS, PAPERS, PARTS
from armybuilder.armylists.exports.virtual_table import SavedObject
from armybuilder.armylists.imports.files import import_file, source_of
from armybuilder.armylists.imports.review import Faction, Review, factions, likely_faction, review
from armybuilder.armylists.models import ArmyList
from armybuilder.armylists.samples import as_shown
from armybuilder.armylists.signed_verdicts import handed_out_at
from armybuilder.engine.battlescribe_files.ros_xml import Dropped
from armybuilder.engine.findings import Text
from armybuilder.site_address import site_address

BYTES = {"type": "string", "format": "binary"}
ZIPPED = OpenApiParameter("zipped", bool, description="Give a .rosz instead of a .ros file.")
FILE_NAME = OpenApiParameter("file_name", str, description="What the file is called; named in refusals.")
NAME = OpenApiParameter("name", str, description="Name of the new list; by default the roster's own.")


SYSTEM = OpenApiParameter(
    "system", str, description="Game in which names of a text are looked up; by default the one it seems to speak of."
)
CATALOGUE = OpenApiParameter("catalogue", str, description="Catalogue of that game, by its id.")
CHOICES = OpenApiParameter(
    "choice",
    str,
    many=True,
    description="What a line means: its key, a colon and an entry id; nothing behind the colon keeps it as a note.",
)

LANGUAGES = ("en", "ru")

FORMAT = OpenApiParameter("export_format", str, OpenApiParameter.PATH, enum=list(FORMATS))
LANGUAGE = OpenApiParameter(
    "language", str, enum=list(LANGUAGES), description="Language of texts; by default that of the request."
)
_BINARY = ("application/xml", "application/zip", "application/pdf", "image/png", "image/svg+xml")
PAPER = [
    OpenApiParameter("paper", str, enum=list(PAPERS), description="Size of the sheets of a PDF."),
    OpenApiParameter("card", str, enum=list(CARDS), description="Size of the cards of cards-pdf."),
    OpenApiParameter("ink", str, enum=["save"], description="Print without colour and grounds."),
    OpenApiParameter("without", str, description=f"Parts to leave out, with commas: {', '.join(PARTS)}."),
    OpenApiParameter("unit", str, description="Id of the one unit that a picture shows."),
    *(OpenApiParameter(name, str, description="Field in the head of a PDF.") for name in FIELDS),
]
EXPORTED: Any = {
    (200, "application/json"): {"oneOf": [ref(list_file.ListFile), ref(SavedObject)]},
    **{(200, media_type): BYTES for media_type in _BINARY},
    **{(200, media_type): {"type": "string"} for media_type in ("text/plain", "text/markdown", "text/csv")},
    **problem(503),
}


class RosterFileParser(FileParser):
    """The bytes of a list as a file or text."""

    def most(self) -> int:
        """As large as a list may be."""
        return limits.ROSTER_FILE_BYTES


class LostOut(msgspec.Struct, frozen=True):
    """A detachment or selection of a file that the present data does not have; all under it is left out too."""

    id: str
    name: str
    entry_id: str

    @classmethod
    def of(cls, dropped: Dropped) -> "LostOut":
        """What the engine could not place."""
        return cls(dropped.node_id, dropped.name, dropped.entry_id)


class ImportedListOut(msgspec.Struct, frozen=True, kw_only=True):
    """A list made of a file.

    Attributes:
        lost: what of the file is not in the list; empty when everything is.
    """

    list: ListOut
    lost: tuple[LostOut, ...]


class ListFile(APIView):
    """A list as a roster file."""

    @extend_schema(
        operation_id="export_list",
        tags=["lists"],
        parameters=[ZIPPED, SHARE_PARAMETER],
        responses={(200, "application/xml"): BYTES, (200, "application/zip"): BYTES},
        auth=PUBLIC,
    )
    def get(self, request: Request, list_id: UUID) -> HttpResponse:
        """A .ros or .rosz file that BattleScribe and New Recruit open."""
        return _file(queries.visible_army_list(list_id, reader_of(request)), request)


class SharedFile(APIView):
    """A list behind a share link as a roster file."""

    @extend_schema(
        operation_id="export_shared_list",
        tags=["sharing"],
        parameters=[ZIPPED],
        responses={(200, "application/xml"): BYTES, (200, "application/zip"): BYTES},
        auth=PUBLIC,
    )
    def get(self, request: Request, token: str) -> HttpResponse:
        """A .ros or .rosz file of a shared list."""
        return _file(queries.shared_army_list(token), request)


class ExportOut(msgspec.Struct, frozen=True, kw_only=True):
    """A format that a list can be handed out in.

    Attributes:
        id: of the format; the same in addresses of pages.
        ending: of the file's name.
        is_text: whether it is text to be pasted somewhere.
        address: where the file is.
    """

    id: str
    label: Text
    ending: str
    media_type: str
    is_text: bool
    address: str

    @classmethod
    def of(cls, export: ExportFormat, request: Request) -> "ExportOut":
        """A format, under the address that was asked."""
        query = request.META.get("QUERY_STRING", "")
        address = f"{request.path}{export.id}/{f'?{query}' if query else ''}"
        return cls(
            id=export.id,
            label=export.label,
            ending=export.ending,
            media_type=export.media_type,
            is_text=export.pieces is not None,
            address=address,
        )


class Exports(APIView):
    """The formats of a list."""

    @extend_schema(
        operation_id="list_exports",
        tags=["lists"],
        parameters=[SHARE_PARAMETER],
        responses={200: array(ref(ExportOut))},
        auth=PUBLIC,
    )
    def get(self, request: Request, list_id: UUID) -> Response:
        """The formats a list can be handed out in, with the address of each."""
        army_list = queries.visible_army_list(list_id, reader_of(request))
        return Response([ExportOut.of(one, request) for one in formats_of(army_list)])


class Export(APIView):
    """A list in one format."""

    @extend_schema(
        operation_id="export_list_as",
        tags=["lists"],
        parameters=[FORMAT, LANGUAGE, *PAPER, SHARE_PARAMETER],
        responses=EXPORTED,
        auth=PUBLIC,
    )
    def get(self, request: Request, list_id: UUID, export_format: str) -> HttpResponse:
        """A list as a file or text; `json` is the site's own exchange format, which holds everything."""
        return _exported(queries.visible_army_list(list_id, reader_of(request)), export_format, request)


class SharedExports(APIView):
    """The formats of a list behind a share link."""

    @extend_schema(
        operation_id="list_shared_exports",
        tags=["sharing"],
        responses={200: array(ref(ExportOut))},
        auth=PUBLIC,
    )
    def get(self, request: Request, token: str) -> Response:
        """The formats a shared list can be handed out in, with the address of each."""
        return Response([ExportOut.of(one, request) for one in formats_of(queries.shared_army_list(token))])


class SharedExport(APIView):
    """A list behind a share link in one format."""

    @extend_schema(
        operation_id="export_shared_list_as",
        tags=["sharing"],
        parameters=[FORMAT, LANGUAGE, *PAPER],
        responses=EXPORTED,
        auth=PUBLIC,
    )
    def get(self, request: Request, token: str, export_format: str) -> HttpResponse:
        """A shared list as a file or text."""
        return _exported(queries.shared_army_list(token), export_format, request)


class Imports(APIView):
    """Lists made of files."""

    parser_classes = [RosterFileParser]

    @extend_schema(
        operation_id="import_list",
        tags=["lists"],
        parameters=[IDEMPOTENCY_KEY, FILE_NAME, NAME, SYSTEM, CATALOGUE, CHOICES],
        request={"application/octet-stream": BYTES},
        responses={201: ref(ImportedListOut), **problem(404)},
    )
    @once
    def post(self, request: Request) -> Response:
        """Make a list of a file or text; what the data lacks is named in `lost`.

        Files of this site, BattleScribe, New Recruit and ListForge are opened whole. Of Old World Builder, Army Builder
        and texts the names are looked up: `reviews/` shows what each line is taken for.
        """
        done = import_file(
            known_viewer_of(request),
            _content(request),
            file_name=request.query_params.get("file_name", "roster"),
            name=request.query_params.get("name", ""),
            faction=_faction(request),
            choices=_choices(request),
        )
        answer = created(done.army_list)
        answer.data = ImportedListOut(list=answer.data, lost=tuple(LostOut.of(one) for one in done.dropped))
        return answer


class Reviews(APIView):
    """Files and texts looked up in the data, before lists are made of them."""

    parser_classes = [RosterFileParser]

    @extend_schema(
        operation_id="review_import",
        tags=["lists"],
        parameters=[FILE_NAME, SYSTEM, CATALOGUE, CHOICES],
        request={"application/octet-stream": BYTES},
        responses={200: ref(Review), **problem(404)},
        auth=PUBLIC,
    )
    def post(self, request: Request) -> Response:
        """What each line of a file or text is taken for, how surely, and what else it may be; nothing is stored."""
        source = source_of(_content(request), file_name=request.query_params.get("file_name", "roster"))
        where = _faction(request) or likely_faction(source, factions())
        return Response(review(source, where, choices=_choices(request)))


def _content(request: Request) -> bytes:
    if not isinstance(request.data, bytes) or not request.data:
        raise ValidationError("Send the bytes of a file or a text as the body.")
    return request.data


def _faction(request: Request) -> Faction | None:
    """The catalogue that was asked for; None where the source is to say. Raises NotFound."""
    system, catalogue = request.query_params.get("system"), request.query_params.get("catalogue")
    if not system and not catalogue:
        return None
    known = (one for one in factions() if system in (None, "", one.system.pk))
    found = next((one for one in known if catalogue in (None, "", one.catalogue_id)), None)
    if found is None:
        raise NotFound(f"There is no catalogue '{catalogue or ''}' in '{system or ''}'.")
    return found


def _choices(request: Request) -> dict[str, str]:
    pairs = (choice.partition(":") for choice in request.query_params.getlist("choice")[:500])
    return {key: entry_id for key, _, entry_id in pairs}


def _file(army_list: ArmyList, request: Request) -> HttpResponse:
    return _exported(army_list, "rosz" if flag(request, "zipped") else "ros", request)


def _exported(army_list: ArmyList, format_id: str, request: Request) -> HttpResponse:
    export = format_called(format_id)
    language = one_of(request, "language", lambda: list(LANGUAGES)) or translation.get_language()
    with translation.override(language), handed_out_at(site_address(request)):
        file = export.file_of(as_shown(army_list), request.query_params.dict())
    disposition = content_disposition_header(as_attachment=True, filename=file.name) or "attachment"
    return HttpResponse(file.content, content_type=file.media_type, headers={"Content-Disposition": disposition})
