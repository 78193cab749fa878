"""Releases of game data, for administrators: send files or an address, read the report, publish."""

from http import HTTPStatus
from typing import Any
from uuid import UUID

import msgspec
from django.conf import settings
from django.http.response import HttpResponseBase
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import status
from rest_framework.exceptions import NotAuthenticated, PermissionDenied
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.authentication import refuse_without_second_factor
from api.pages import Collection
from api.parsers import FileParser, JSONParser
from api.progress_events import EVENTS, LAST_EVENT_ID, EventsRenderer, progress_events
from api.reading import flag, one_of
from api.renderers import JSONRenderer
from api.schema import Moment, array, problem, ref
from armybuilder.accounts.models import User
from armybuilder.armylists.validation import shaped
from armybuilder.datafiles import queries
from armybuilder.datafiles.models import DataImport, DataRelease
from armybuilder.operations import kept_acts
from armybuilder.reference import import_queue, publishing

PUBLISH = OpenApiParameter("publish", bool, description="Make the releases current at once.")
SYSTEM = OpenApiParameter("system", str, description="The game they must belong to; by default known by the data.")
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


class ImportOut(msgspec.Struct, frozen=True, kw_only=True):
    """An import of game data on the queue.

    Attributes:
        state: queued, running, done, failed or cancelled.
        done, total: catalogues or files that are worked out, and of how many; `in_hand` is the one in hand.
        problems: why it failed, each broken file by itself.
        releases: what it came to; content that was stored already is the release there is.
    """

    id: UUID
    state: str
    origin: str
    publish: bool
    done: int
    total: int
    in_hand: str
    problems: tuple[str, ...]
    releases: tuple[UUID, ...]
    created_at: Moment
    finished_at: Moment | None

    @classmethod
    def of(cls, asked: DataImport) -> "ImportOut":
        """A stored import."""
        return cls(
            id=asked.pk,
            state=asked.state,
            origin=asked.origin,
            publish=asked.publish,
            done=asked.done,
            total=asked.total,
            in_hand=asked.in_hand,
            problems=tuple(asked.problems),
            releases=tuple(UUID(release) for release in asked.releases),
            created_at=asked.created_at,
            finished_at=asked.finished_at,
        )


class DataFileParser(FileParser):
    """The bytes of a data file or archive."""

    def most(self) -> int:
        """As large as the files of a release may be."""
        most: int = settings.GAMEDATA_MAX_FILE_BYTES
        return most


def administrator_of(request: Request) -> User:
    """Who asks, if they look after game data.

    Raises:
        NotAuthenticated: nobody is signed in.
        PermissionDenied: somebody else, or a session that has not shown the second factor.
    """
    user = request.user
    if not isinstance(user, User):
        raise NotAuthenticated("Send an API token as Authorization: Bearer <token>.")
    refuse_without_second_factor(user)
    if not user.has_perms(["datafiles.add_datarelease", "datafiles.change_publishedsystem"]):
        raise PermissionDenied("Game data is looked after by administrators.")
    return user


class AdministrationView(APIView):
    """An address of whoever looks after game data; what was changed there is kept, as what is done on pages is."""

    def finalize_response(self, request: Request, response: Response, *args: Any, **kwargs: Any) -> Response:
        """The answer; nothing is kept of what was refused."""
        answer: Response = super().finalize_response(request, response, *args, **kwargs)
        if request.method not in SAFE_METHODS and answer.status_code < HTTPStatus.BAD_REQUEST:
            kept_acts.keep(administrator_of(request), f"{request.method} {request.path}")
        return answer


RELEASES = Collection(DataReleaseOut, "number", "created_at", "system", "name")


class Releases(AdministrationView):
    """Releases of game data."""

    parser_classes = [JSONParser, DataFileParser]

    @extend_schema(
        operation_id="list_releases",
        tags=["game data"],
        parameters=[OpenApiParameter("system", str, description="Only of this game."), *RELEASES.parts_parameters],
        responses={200: array(ref(DataReleaseOut)), **problem(403)},
    )
    def get(self, request: Request) -> Response:
        """Releases with their reports, newest first; the newest hundred where no page is asked for."""
        administrator_of(request)
        rows = queries.releases(one_of(request, "system", queries.ids_of_systems))
        return RELEASES.part(request, self, rows, lambda some: [DataReleaseOut.of(row) for row in some], most=100)

    @extend_schema(
        operation_id="import_data",
        tags=["game data"],
        parameters=[PUBLISH, SYSTEM, FILE_NAME],
        request={"application/json": ref(Sources), "application/octet-stream": BYTES},
        responses={202: ref(ImportOut), **problem(404)},
    )
    def post(self, request: Request) -> Response:
        """Have a file, an archive or what addresses lead to read as a release of each game in it, on the queue.

        Without a game system among the files, and with `system` named, they take the place of the files of their name
        in the current release.
        """
        by = administrator_of(request)
        files: list[tuple[str, bytes]] = []
        addresses: tuple[str, ...] = ()
        if isinstance(request.data, bytes):
            files = [(request.query_params.get("file_name", "release.zip"), request.data)]
        else:
            addresses = shaped(request.data, Sources).addresses
        wanted = one_of(request, "system", queries.ids_of_systems)
        asked = import_queue.ask(
            files=files,
            addresses=addresses,
            origin=files[0][0] if files else ", ".join(addresses),
            by=by,
            publish=flag(request, "publish"),
            system=queries.game_system(wanted) if wanted else None,
        )
        headers = {"Location": f"/api/v1/releases/imports/{asked.pk}/"}
        return Response(ImportOut.of(asked), status=status.HTTP_202_ACCEPTED, headers=headers)


class OneRelease(APIView):
    """One release."""

    @extend_schema(
        operation_id="read_release", tags=["game data"], responses={200: ref(DataReleaseOut), **problem(403)}
    )
    def get(self, request: Request, release_id: UUID) -> Response:
        """A release with its report, catalogue by catalogue."""
        administrator_of(request)
        return Response(DataReleaseOut.of(queries.release(release_id)))


class Publication(AdministrationView):
    """What new lists are built with."""

    @extend_schema(
        operation_id="publish_release", tags=["game data"], request=None, responses={200: ref(DataReleaseOut)}
    )
    def post(self, request: Request, release_id: UUID) -> Response:
        """Make a release the current one of its game, also an earlier one; lists keep what they were built with."""
        by = administrator_of(request)
        publishing.make_current(queries.release(release_id), by=by)
        return Response(DataReleaseOut.of(queries.release(release_id)))


class ImportEvents(APIView):
    """Progress of an import."""

    renderer_classes = [EventsRenderer, JSONRenderer]

    @extend_schema(
        operation_id="follow_import",
        tags=["game data"],
        parameters=[LAST_EVENT_ID],
        responses={**EVENTS, **problem(403)},
    )
    def get(self, request: Request, import_id: UUID) -> HttpResponseBase:
        """Follow an import as server-sent events: `progress` at every change, `end` with what it came to."""
        administrator_of(request)

        def look() -> tuple[ImportOut, bool]:
            asked = queries.data_import(import_id)
            return ImportOut.of(asked), asked.finished_at is not None

        return progress_events(request, look)


class OneImport(AdministrationView):
    """An import of game data."""

    @extend_schema(operation_id="read_import", tags=["game data"], responses={200: ref(ImportOut), **problem(403)})
    def get(self, request: Request, import_id: UUID) -> Response:
        """How far an import is, and what it came to."""
        administrator_of(request)
        return Response(ImportOut.of(queries.data_import(import_id)))

    @extend_schema(operation_id="cancel_import", tags=["game data"], responses={200: ref(ImportOut), **problem(403)})
    def delete(self, request: Request, import_id: UUID) -> Response:
        """Stop an import before its next step; what is finished stays as it is."""
        administrator_of(request)
        import_queue.cancel(queries.data_import(import_id))
        return Response(ImportOut.of(queries.data_import(import_id)))
