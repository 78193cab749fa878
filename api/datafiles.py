"""Releases of game data, for administrators: send files or an address, read the report, publish."""

from typing import Any
from uuid import UUID

import msgspec
from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import status
from rest_framework.exceptions import NotAuthenticated, PermissionDenied, ValidationError
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.parsers import JSONParser
from api.schema import Moment, array, problem, ref
from armybuilder.accounts.errors import NotFound
from armybuilder.accounts.models import User
from armybuilder.armylists.validation import shaped
from armybuilder.datafiles import queries
from armybuilder.datafiles.bundles import bundle_of_sources, bundle_of_uploads
from armybuilder.datafiles.errors import BadDataFile
from armybuilder.datafiles.models import DataRelease
from armybuilder.datafiles.remote import is_address
from armybuilder.reference import importing, publishing

PUBLISH = OpenApiParameter("publish", bool, description="Make the releases current at once.")
SYSTEM = OpenApiParameter("system", str, description="The game they must belong to; by default known by the data.")
PROGRESS = OpenApiParameter("progress", UUID, description="A key of your own to ask for the progress with.")
FILE_NAME = OpenApiParameter("file_name", str, description="What the sent file is called, e.g. release.zip.")
BYTES = {"type": "string", "format": "binary"}


class Sources(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where the files are: https addresses of files, archives or repository indexes."""

    addresses: tuple[str, ...]


class CatalogueReportOut(msgspec.Struct, frozen=True, kw_only=True):
    """What reading one catalogue came to.

    Attributes:
        whole: nothing it links to is missing.
        understood, unsupported: constructs with and without effect.
        unresolved: ids that nothing has.
    """

    id: str
    name: str
    file: str
    revision: str
    library: bool
    units: int
    entries: int = 0
    whole: bool = True
    understood: int = 0
    unsupported: int = 0
    unresolved: int = 0
    warnings: int = 0


class DataProblemOut(msgspec.Struct, frozen=True, kw_only=True):
    """Something in the data that could not be used as it stands."""

    file: str
    message: str
    catalogue: str = ""
    kind: str = ""
    node: str = ""
    line: int | None = None


class DataReleaseOut(msgspec.Struct, frozen=True, kw_only=True):
    """A release of game data.

    Attributes:
        current: whether new lists are built with it.
    """

    id: UUID
    system: str
    number: int
    name: str
    revision: str
    content_hash: str
    origin: str
    created_at: Moment
    current: bool
    catalogues: tuple[CatalogueReportOut, ...]
    problems: tuple[DataProblemOut, ...]

    @classmethod
    def of(cls, release: DataRelease) -> "DataReleaseOut":
        """A stored release with its report."""
        report = release.report
        return cls(
            id=release.pk,
            system=release.system_id,
            number=release.number,
            name=release.name,
            revision=release.revision,
            content_hash=release.content_hash,
            origin=release.origin,
            created_at=release.created_at,
            current=release.system.current_release_id == release.pk,
            catalogues=msgspec.convert(report.get("catalogues", []), tuple[CatalogueReportOut, ...]),
            problems=msgspec.convert(report.get("problems", []), tuple[DataProblemOut, ...]),
        )


class ProgressOut(msgspec.Struct, frozen=True):
    """How far an import is: catalogues or files that are done, of how many, and the one in hand."""

    done: int
    total: int
    name: str


class DataFileParser(BaseParser):
    """The bytes of a data file or archive."""

    media_type = "*/*"

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> Any:
        """The body as it is. Raises RequestDataTooBig beyond the size of a data file."""
        data: bytes = stream.read(settings.GAMEDATA_MAX_FILE_BYTES + 1)
        if len(data) > settings.GAMEDATA_MAX_FILE_BYTES:
            raise RequestDataTooBig(f"The file is larger than {settings.GAMEDATA_MAX_FILE_BYTES} bytes.")
        return data


def administrator_of(request: Request) -> User:
    """Who asks, if they look after game data.

    Raises:
        NotAuthenticated: nobody is signed in.
        PermissionDenied: somebody else.
    """
    user = request.user
    if not isinstance(user, User):
        raise NotAuthenticated
    if not user.has_perms(["datafiles.add_datarelease", "datafiles.change_publishedsystem"]):
        raise PermissionDenied("Game data is looked after by administrators.")
    return user


class Releases(APIView):
    """Releases of game data."""

    parser_classes = [JSONParser, DataFileParser]

    @extend_schema(
        operation_id="list_releases",
        tags=["game data"],
        parameters=[OpenApiParameter("system", str, description="Only of this game.")],
        responses={200: array(ref(DataReleaseOut)), **problem(403)},
    )
    def get(self, request: Request) -> Response:
        """The newest hundred releases with their reports, newest first."""
        administrator_of(request)
        rows = queries.releases(request.query_params.get("system"))
        return Response([DataReleaseOut.of(row) for row in rows[:100]])

    @extend_schema(
        operation_id="import_data",
        tags=["game data"],
        parameters=[PUBLISH, SYSTEM, FILE_NAME, PROGRESS],
        request={"application/json": ref(Sources), "application/octet-stream": BYTES},
        responses={201: array(ref(DataReleaseOut))},
    )
    def post(self, request: Request) -> Response:
        """Read a file, an archive or what addresses lead to as a release of each game in it; the same again is it."""
        by = administrator_of(request)
        note = importing.progress_under(_key(request))
        if isinstance(request.data, bytes):
            name = request.query_params.get("file_name", "release.zip")
            files, origin = bundle_of_uploads([(name, request.data)]), name
        else:
            sources = shaped(request.data, Sources).addresses
            for source in sources:
                if not is_address(source):  # a path of the server is for its own command line
                    raise BadDataFile(source[:200], "is no https address")
            files, origin = bundle_of_sources(sources, progress=note), ", ".join(sources)
        wanted = request.query_params.get("system")
        system = queries.game_system(wanted) if wanted else None
        releases = importing.import_games(
            files, origin=origin, by=by, publish=_is_true(request, "publish"), system=system, progress=note
        )
        answers = [DataReleaseOut.of(queries.release(release.pk)) for release in releases]
        return Response(answers, status=status.HTTP_201_CREATED)


class OneRelease(APIView):
    """One release."""

    @extend_schema(
        operation_id="read_release", tags=["game data"], responses={200: ref(DataReleaseOut), **problem(403)}
    )
    def get(self, request: Request, release_id: UUID) -> Response:
        """A release with its report, catalogue by catalogue."""
        administrator_of(request)
        return Response(DataReleaseOut.of(queries.release(release_id)))


class Publication(APIView):
    """What new lists are built with."""

    @extend_schema(
        operation_id="publish_release", tags=["game data"], request=None, responses={200: ref(DataReleaseOut)}
    )
    def post(self, request: Request, release_id: UUID) -> Response:
        """Make a release the current one of its game, also an earlier one; lists keep what they were built with."""
        by = administrator_of(request)
        publishing.make_current(queries.release(release_id), by=by)
        return Response(DataReleaseOut.of(queries.release(release_id)))


class ImportProgress(APIView):
    """How far an import is."""

    @extend_schema(
        operation_id="read_import_progress", tags=["game data"], responses={200: ref(ProgressOut), **problem(403)}
    )
    def get(self, request: Request, key: UUID) -> Response:
        """The progress of an import that was sent with this key."""
        administrator_of(request)
        found = importing.progress_of(str(key))
        if found is None:
            raise NotFound("No import has begun under this key.")
        return Response(msgspec.convert(found, ProgressOut))


def _key(request: Request) -> str:
    given = request.query_params.get("progress", "")
    try:
        return str(UUID(given)) if given else ""
    except ValueError as broken:
        raise ValidationError({"progress": ["The key is a UUID."]}) from broken


def _is_true(request: Request, name: str) -> bool:
    return request.query_params.get(name, "").lower() in {"1", "true", "yes"}
