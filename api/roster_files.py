"""Lists as files and texts in every format, and files as lists."""

from typing import Any
from uuid import UUID

import msgspec
from django.core.exceptions import RequestDataTooBig
from django.http import HttpResponse
from django.utils import translation
from django.utils.http import content_disposition_header
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.armylists import SHARE_PARAMETER, ListOut, created, reader_of
from api.authentication import known_viewer_of
from api.schema import PUBLIC, array, ref
from armybuilder.armylists import limits, list_file, queries
from armybuilder.armylists.exports import FORMATS, format_called, formats_of
from armybuilder.armylists.exports.files import ExportFormat
from armybuilder.armylists.imports.files import import_file
from armybuilder.armylists.models import ArmyList
from armybuilder.engine.battlescribe_files.ros_xml import Dropped
from armybuilder.engine.findings import Text

BYTES = {"type": "string", "format": "binary"}
ZIPPED = OpenApiParameter("zipped", bool, description="Give a .rosz instead of a .ros file.")
FILE_NAME = OpenApiParameter("file_name", str, description="What the file is called; named in refusals.")
NAME = OpenApiParameter("name", str, description="Name of the new list; by default the roster's own.")


FORMAT = OpenApiParameter("export_format", str, OpenApiParameter.PATH, enum=list(FORMATS))
LANGUAGE = OpenApiParameter(
    "language", str, enum=["en", "ru"], description="Language of texts; by default that of the request."
)
EXPORTED: Any = {
    (200, "application/json"): ref(list_file.ListFile),
    **{(200, media_type): BYTES for media_type in ("application/xml", "application/zip")},
    **{(200, media_type): {"type": "string"} for media_type in ("text/plain", "text/markdown", "text/csv")},
}


class RosterFileParser(BaseParser):
    """The bytes of a file, whatever they are called."""

    media_type = "*/*"

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> Any:
        """The body as it is. Raises RequestDataTooBig beyond the size of a roster file."""
        data: bytes = stream.read(limits.ROSTER_FILE_BYTES + 1)
        if len(data) > limits.ROSTER_FILE_BYTES:
            raise RequestDataTooBig(f"The file is larger than {limits.ROSTER_FILE_BYTES} bytes.")
        return data


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
        parameters=[FORMAT, LANGUAGE, SHARE_PARAMETER],
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
        parameters=[FORMAT, LANGUAGE],
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
        parameters=[FILE_NAME, NAME],
        request={"application/octet-stream": BYTES},
        responses={201: ref(ImportedListOut)},
    )
    def post(self, request: Request) -> Response:
        """Make a list of a .ros, .rosz or .json file; what the data lacks is named in `lost`."""
        if not isinstance(request.data, bytes) or not request.data:
            raise ValidationError("Send the bytes of a .ros, .rosz or .json file as the body.")
        done = import_file(
            known_viewer_of(request),
            request.data,
            file_name=request.query_params.get("file_name", "roster"),
            name=request.query_params.get("name", ""),
        )
        answer = created(done.army_list)
        answer.data = ImportedListOut(list=answer.data, lost=tuple(LostOut.of(one) for one in done.dropped))
        return answer


def _file(army_list: ArmyList, request: Request) -> HttpResponse:
    zipped = request.query_params.get("zipped", "").lower() in {"1", "true", "yes"}
    return _exported(army_list, "rosz" if zipped else "ros", request)


def _exported(army_list: ArmyList, format_id: str, request: Request) -> HttpResponse:
    export = format_called(format_id)
    language = request.query_params.get("language")
    with translation.override(language if language in ("en", "ru") else translation.get_language()):
        file = export.file_of(army_list)
    disposition = content_disposition_header(as_attachment=True, filename=file.name) or "attachment"
    return HttpResponse(file.content, content_type=file.media_type, headers={"Content-Disposition": disposition})
