"""Roster files of BattleScribe and New Recruit: a list as such a file, and such a file as a list."""

from typing import Any
from uuid import UUID

import msgspec
from django.core.exceptions import RequestDataTooBig
from django.http import HttpResponse
from django.utils.http import content_disposition_header
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.armylists import SHARE_PARAMETER, ListOut, created, reader_of
from api.authentication import known_viewer_of
from api.schema import PUBLIC, ref
from armybuilder.armylists import limits, queries
from armybuilder.armylists.exports import FORMATS
from armybuilder.armylists.imports.battlescribe_roster import import_roster_file
from armybuilder.armylists.models import ArmyList
from armybuilder.engine.battlescribe_files.ros_xml import Dropped

BYTES = {"type": "string", "format": "binary"}
ZIPPED = OpenApiParameter("zipped", bool, description="Give a .rosz instead of a .ros file.")
FILE_NAME = OpenApiParameter("file_name", str, description="What the file is called; named in refusals.")
NAME = OpenApiParameter("name", str, description="Name of the new list; by default the roster's own.")


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
    """A list made of a roster file.

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


class Imports(APIView):
    """Lists made of roster files."""

    parser_classes = [RosterFileParser]

    @extend_schema(
        operation_id="import_list",
        tags=["lists"],
        parameters=[FILE_NAME, NAME],
        request={"application/octet-stream": BYTES},
        responses={201: ref(ImportedListOut)},
    )
    def post(self, request: Request) -> Response:
        """Make a list of a .ros or .rosz file; what the data lacks is named in `lost`."""
        if not isinstance(request.data, bytes) or not request.data:
            raise ValidationError("Send the bytes of a .ros or .rosz file as the body.")
        done = import_roster_file(
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
    file = FORMATS["rosz" if zipped else "ros"].file_of(army_list)
    disposition = content_disposition_header(as_attachment=True, filename=file.name) or "attachment"
    return HttpResponse(file.content, content_type=file.media_type, headers={"Content-Disposition": disposition})
